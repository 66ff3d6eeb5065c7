//! Implements `why`: explains why an object is not ready, and suggests the next command.
//!
//! [`sluice_insight`] reads the cluster and finds the cause.

use jiff::Timestamp;
use sluice_insight::explain::explain;
use sluice_insight::{Diagnosis, observe, read};
use sluice_system::Clock as _;

use super::trace::target;
use crate::cluster::{Context, refusal};
use crate::error::CommandError;
use crate::output::Format;
use crate::{CommandResult, Exit, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Object, as KIND/NAME or KIND NAME
    #[arg(value_name = "OBJECT")]
    object: Vec<String>,
    /// Output format
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let answer = context.block_on(async {
        tokio::time::timeout(context.timeout(), answer(args, context))
            .await
            .map_err(|_| CommandError::cluster("timed out waiting for the cluster"))?
    })??;
    let text = match args.output {
        Some(format) => output::value(&answer, format)?,
        None => answer.text(&since(&answer)),
    };
    output::stdout(&output::plain(&text))?;
    Ok(match answer.cause {
        Some(_) => Exit::FAILURE,
        None => Exit::SUCCESS,
    })
}

/// Returns the age of the failure, or an empty text without a time.
fn since(answer: &Diagnosis) -> String {
    let Ok(began) = answer.since.parse::<Timestamp>() else {
        return answer.since.clone();
    };
    let age = sluice_system::SystemClock.now().duration_since(began);
    format!("{} ago", output::age(age.as_secs()))
}

async fn answer(args: &Args, context: &Context) -> Result<Diagnosis, CommandError> {
    let [(word, name)] = target::pairs(&args.object)?[..] else {
        return Err(CommandError::user("why takes one object, as KIND/NAME")
            .hint("name one object, such as kustomization/apps"));
    };
    let cluster = context.cluster()?;
    let served = cluster.resources().await.map_err(|error| refusal(&error))?;
    let kind = target::find(&served, word).ok_or_else(|| target::unknown_type(&served, word))?;
    let namespace = context.namespace();
    let asked = read::get(cluster, kind, &namespace, name).await?;
    let asked = asked.ok_or_else(|| {
        let kind = &kind.api.kind;
        CommandError::user(format!(
            "{kind} object '{name}' not found in \"{namespace}\" namespace"
        ))
    })?;
    let snapshot = observe::surroundings(cluster, &served, &asked).await?;
    Ok(explain(&snapshot, &asked, context.program))
}
