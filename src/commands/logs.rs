//! `logs`: the controllers' log lines, one line each, of all their pods.

use std::time::Duration;

use futures::io::AsyncBufReadExt as _;
use futures::stream::{SelectAll, StreamExt as _};
use jiff::Timestamp;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams, LogParams};
use serde_json::Value;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show lines about the objects of all namespaces
    #[arg(long, short = 'A', switch = false)]
    all_namespaces: bool,
    /// Namespace that the controllers run in
    #[arg(long, default_value = crate::cluster::DEFAULT_NAMESPACE, value_name = "NAMESPACE")]
    flux_namespace: String,
    /// Go on showing lines as they are written
    #[arg(long, short, switch = false)]
    follow: bool,
    /// Show only lines about this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Show only lines of this level
    #[arg(long, value_name = "LEVEL", value_parser = flags::LOG_LEVELS)]
    level: Option<String>,
    /// Show only lines about the object of this name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Show only lines younger than this
    #[arg(long, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    since: Duration,
    /// Show only lines written after this time, as RFC 3339
    #[arg(long, value_name = "TIME")]
    since_time: Option<String>,
    /// How many of the newest lines of each pod to show; all with -1
    #[arg(long, default_value_t = -1, value_parser = flags::integer, value_name = "N")]
    tail: i64,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let filter = Filter {
        level: args.level.clone(),
        kind: args.kind.clone(),
        name: args.name.clone(),
        namespace: (!args.all_namespaces).then(|| context.namespace()),
    };
    let parameters = parameters(args)?;
    let shown = show(args, &filter, &parameters, context);
    if args.follow {
        context.block_on_at_leisure(shown)??;
    } else {
        context.block_on(shown)??;
    }
    Ok(Exit::SUCCESS)
}

fn parameters(args: &Args) -> Result<LogParams, CommandError> {
    let since_time = args
        .since_time
        .as_deref()
        .map(str::parse::<Timestamp>)
        .transpose()
        .map_err(|error| {
            CommandError::user(format!("--since-time is not an RFC 3339 time: {error}"))
        })?;
    if since_time.is_some() && !args.since.is_zero() {
        return Err(CommandError::user(
            "at most one of --since or --since-time may be specified",
        ));
    }
    Ok(LogParams {
        container: Some("manager".into()),
        follow: args.follow,
        since_seconds: (!args.since.is_zero())
            .then(|| i64::try_from(args.since.as_secs()).unwrap_or(i64::MAX)),
        since_time,
        tail_lines: (args.tail >= 0).then_some(args.tail),
        ..LogParams::default()
    })
}

async fn show(
    args: &Args,
    filter: &Filter,
    parameters: &LogParams,
    context: &Context,
) -> Result<(), CommandError> {
    let cluster = context.cluster()?;
    let said =
        |action: String, error: kube::Error| crate::cluster::refusal(&cluster.error(action, error));
    let pods: Api<Pod> = Api::namespaced(cluster.client().clone(), &args.flux_namespace);
    let all = ListParams::default().labels("app.kubernetes.io/part-of=flux");
    let found = pods
        .list(&all)
        .await
        .map_err(|error| said("list the controllers' pods".into(), error))?;
    if found.items.is_empty() {
        return Err(CommandError::cluster(format!(
            "no Flux pods found in namespace \"{}\"",
            args.flux_namespace
        )));
    }
    let mut streams = SelectAll::new();
    for pod in found.items {
        let Some(name) = pod.metadata.name else {
            continue;
        };
        match pods.log_stream(&name, parameters).await {
            Ok(stream) => streams.push(stream.lines().boxed()),
            // A pod that has not started has no log; the others do.
            Err(error) => context
                .progress
                .warning(said(format!("read the log of pod {name}"), error).message()),
        }
    }
    while let Some(line) = streams.next().await {
        let line = line.map_err(|error| CommandError::cluster(format!("read log: {error}")))?;
        if let Some(shown) = filter.show(&line) {
            output::stdout(&shown)?;
        }
    }
    Ok(())
}

/// Which lines are shown.
#[derive(Debug, Default)]
struct Filter {
    level: Option<String>,
    kind: Option<String>,
    name: Option<String>,
    namespace: Option<String>,
}

impl Filter {
    /// The line as it is shown, or nothing where it is not wanted or not a log line of ours.
    fn show(&self, line: &str) -> Option<String> {
        let entry: Value = serde_json::from_str(line).ok()?;
        let field = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| entry[*name].as_str())
                .unwrap_or_default()
                .to_owned()
        };
        let kind = field(&["controllerKind", "kind", "reconciler kind"]);
        let (name, namespace) = (field(&["name"]), field(&["namespace"]));
        let level = field(&["level"]);
        let is = |wanted: &Option<String>, found: &str| {
            wanted
                .as_deref()
                .is_none_or(|wanted| wanted.eq_ignore_ascii_case(found))
        };
        let about_wanted = is(&self.kind, &kind)
            && is(&self.name, &name)
            && is(&self.level, &level)
            // A line about no object belongs to every namespace.
            && (namespace.is_empty() && self.kind.is_none() && self.name.is_none()
                || is(&self.namespace, &namespace));
        if !about_wanted {
            return None;
        }
        let subject = if kind.is_empty() && name.is_empty() {
            String::new()
        } else {
            format!("{kind}/{name}.{namespace}")
        };
        Some(format!(
            "{} {} {} - {} {} \n",
            output::one_line(&field(&["ts"])),
            output::one_line(&level),
            output::one_line(&subject),
            output::one_line(&field(&["msg"])),
            output::one_line(&field(&["error"])),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"level":"error","ts":"2026-01-02T03:04:05.678Z","msg":"Reconciler error","controllerKind":"GitRepository","name":"podinfo","namespace":"apps","error":"no\nroute"}"#;

    #[test]
    fn a_line_shows_time_level_object_message_and_error() {
        assert_eq!(
            Filter::default().show(LINE).unwrap(),
            "2026-01-02T03:04:05.678Z error GitRepository/podinfo.apps - Reconciler error no route \n"
        );
    }

    #[test]
    fn filters_compare_whole_words_without_case() {
        let filter = |kind: &str, level: &str, namespace: &str| Filter {
            kind: Some(kind.into()),
            level: Some(level.into()),
            namespace: Some(namespace.into()),
            name: None,
        };
        assert!(
            filter("gitrepository", "error", "apps")
                .show(LINE)
                .is_some()
        );
        assert!(
            filter("Kustomization", "error", "apps")
                .show(LINE)
                .is_none()
        );
        assert!(filter("GitRepository", "info", "apps").show(LINE).is_none());
        assert!(
            filter("GitRepository", "error", "other")
                .show(LINE)
                .is_none()
        );
    }

    #[test]
    fn what_is_not_a_log_line_is_not_shown() {
        assert_eq!(Filter::default().show("panic: oh no"), None);
    }
}
