//! Implements `check`: checks the cluster's prerequisites and the health of the installation.

use std::time::Duration;

use clap::parser::ValueSource;
use clap::{ArgMatches, Command, FromArgMatches as _};
use futures::stream::{FuturesOrdered, StreamExt as _};
use serde_json::Value;
use sluice_client::ListOptions;
use sluice_insight::fields::{at, text};
use sluice_insight::kinds;
use sluice_lifecycle::installation::{self, Distribution};
use sluice_lifecycle::ready::deployed_since;
use sluice_lifecycle::{Session, kubernetes};
use sluice_object::Object;

use crate::cluster::{Context, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags};

/// Flux's default components. An installation may have fewer.
const DEFAULT_COMPONENTS: &str =
    "source-controller,kustomize-controller,helm-controller,notification-controller";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Controllers to check; if set, all must be installed
    #[arg(long, default_value = DEFAULT_COMPONENTS, value_parser = flags::csv, value_name = "NAME")]
    components: Vec<Vec<String>>,
    /// Additional controllers to check
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    components_extra: Vec<Vec<String>>,
    /// Accepted for compatibility; has no effect
    #[arg(long, default_value = "5s", value_parser = flags::length_of_time, value_name = "DURATION")]
    poll_interval: Duration,
    /// Check only the prerequisites of an installation
    #[arg(long, switch = false)]
    pre: bool,
}

pub fn augment(command: Command) -> Command {
    flags::add::<Args>(command)
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let mut args =
        Args::from_arg_matches(matches).map_err(|error| CommandError::user(error.to_string()))?;
    if matches.value_source("components") == Some(ValueSource::DefaultValue) {
        args.components.clear();
    }
    check(&args, context)
}

fn check(args: &Args, context: &Context) -> CommandResult {
    let progress = context.progress;
    progress.action("checking prerequisites");
    let mut holds = server_version(context)?;
    if args.pre {
        if holds {
            progress.success("prerequisites checks passed");
            return Ok(Exit::SUCCESS);
        }
        return Err(CommandError::cluster("prerequisites checks failed"));
    }
    progress.action("checking version in cluster");
    let session = context.session()?;
    let deployments = context.block_on(installation::deployments(&session))??;
    let distribution = context.block_on(installation::distribution(&session))??;
    in_cluster(context, &distribution.unwrap_or_default());
    progress.action("checking controllers");
    let left = context.remaining();
    holds &= context.block_on(controllers(&session, &deployments, args, left))?;
    if let Some(makers) = installation::makers(&deployments) {
        progress.action(makers);
    }
    progress.action("checking crds");
    holds &= context.block_on(definitions(context))??;
    if !holds {
        let failed = CommandError::cluster("check failed");
        return Err(if deployments.is_empty() {
            failed.hint("the controllers of `sluice dev` have no Deployments")
        } else {
            failed
        });
    }
    progress.success("all checks passed");
    Ok(Exit::SUCCESS)
}

fn server_version(context: &Context) -> Result<bool, CommandError> {
    let cluster = context.cluster()?;
    let info = context
        .block_on(cluster.client().apiserver_version())?
        .map_err(|error| refusal(&cluster.error("read the Kubernetes version", error)))?;
    let version = info.git_version.trim_start_matches('v');
    Ok(match kubernetes::is_supported(&info.git_version) {
        Some(true) => {
            let wanted = kubernetes::required();
            context
                .progress
                .success(format!("Kubernetes {version} {wanted}"));
            true
        }
        Some(false) => {
            context.progress.failure(kubernetes::too_old(version));
            false
        }
        None => {
            context.progress.failure(format!(
                "Kubernetes version {} can't be determined",
                info.git_version
            ));
            false
        }
    })
}

/// Reports the installed distribution, and whether Git manages it.
fn in_cluster(context: &Context, distribution: &Distribution) {
    let Distribution {
        name,
        is_bootstrapped,
    } = distribution;
    if !name.is_empty() {
        context.progress.success(format!("distribution: {name}"));
    }
    context
        .progress
        .success(format!("bootstrapped: {is_bootstrapped}"));
}

/// Checks that every controller has a Deployment, which is ready within the remaining time.
async fn controllers(
    session: &Session<'_>,
    deployments: &[Object],
    args: &Args,
    left: Duration,
) -> bool {
    let progress = session.progress;
    let mut holds = true;
    let named: Vec<&String> = args
        .components
        .iter()
        .chain(&args.components_extra)
        .flatten()
        .collect();
    for name in &named {
        if !deployments
            .iter()
            .any(|found| found.name() == name.as_str())
        {
            progress.failure(format!("{name}: deployment not found"));
            holds = false;
        }
    }
    if deployments.is_empty() {
        progress.failure(format!(
            "no controllers found in the '{}' namespace with the label selector 'app.kubernetes.io/part-of=flux'",
            session.namespace
        ));
        return false;
    }
    // The waits run concurrently, as they share the remaining time.
    let mut waits: FuturesOrdered<_> = deployments
        .iter()
        .filter(|found| {
            args.components.is_empty() || named.iter().any(|wanted| wanted.as_str() == found.name())
        })
        .map(async |found| (found, deployed_since(session, found, left).await))
        .collect();
    while let Some((deployment, ended)) = waits.next().await {
        match ended {
            Ok(()) => progress.success(format!("{}: deployment ready", deployment.name())),
            Err(error) => {
                progress.error(&error);
                holds = false;
            }
        }
        for (_, image) in installation::images(deployment) {
            progress.action(image);
        }
    }
    holds
}

/// Checks that each CRD serves a stored version.
async fn definitions(context: &Context) -> Result<bool, CommandError> {
    let list = context
        .cluster()?
        .list(
            &kinds::definition(),
            None,
            &ListOptions {
                labels: Some("app.kubernetes.io/part-of=flux".into()),
                ..ListOptions::default()
            },
        )
        .await
        .map_err(|error| refusal(&error))?;
    if list.items.is_empty() {
        context
            .progress
            .failure("no crds found with the label selector 'app.kubernetes.io/part-of=flux'");
        return Ok(false);
    }
    for item in list.items {
        let Value::Object(map) = item else { continue };
        let definition = Object::from_map(map);
        let stored = at(&definition, "/status/storedVersions")
            .and_then(Value::as_array)
            .and_then(|versions| versions.last())
            .and_then(Value::as_str)
            .unwrap_or_else(|| text(&definition, "/spec/versions/0/name"));
        context
            .progress
            .success(format!("{}/{stored}", definition.name()));
    }
    Ok(true)
}
