//! Implements `trace`: shows the Kustomization or HelmRelease of an object, and its source.
//!
//! [`sluice_insight::trace`] finds the origin.

mod report;
pub(super) mod target;

use sluice_insight::trace::trace;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit, compat, output};
use report::Report;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// API version of the object, such as apps/v1
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "VERSION"
    )]
    api_version: String,
    /// Kind of the object, such as Deployment
    #[arg(
        long,
        default_value = "",
        hide_default_value = true,
        value_name = "KIND"
    )]
    kind: String,
    /// Objects, as RESOURCE/NAME… or RESOURCE NAME…
    #[arg(value_name = "OBJECT")]
    objects: Vec<String>,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let targets = context.block_on(target::resolve(args, context))??;
    let mut exit = Exit::SUCCESS;
    let last = targets.len().saturating_sub(1);
    for (index, target) in targets.into_iter().enumerate() {
        let traced = context.block_on(async {
            let object = target.read(context).await;
            let object = object.map_err(|error| (error, Exit::FAILURE))?;
            let failed = |error: CommandError| {
                let error = error.while_doing(target::failure(&object));
                (error, compat::reported_failure())
            };
            let cluster = context.cluster().map_err(failed)?;
            let origin = trace(cluster, &object).await;
            let origin = origin.map_err(|error| failed(error.into()))?;
            Ok(Report::of(&object, &origin))
        })?;
        match traced {
            Ok(report) => output::stdout(&output::plain(&report.text()))?,
            Err((error, ended)) => {
                exit = exit.or(ended);
                context.progress.failure(error.message());
            }
        }
        if index < last {
            output::stdout("---\n")?;
        }
    }
    Ok(exit)
}
