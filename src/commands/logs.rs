//! Implements `logs`: prints the log lines of all controller pods.
//!
//! With `--follow`, it looks every two seconds for new pods and ended logs. A log ends with its
//! controller or at the API server. It resumes after its last line.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use futures::io::AsyncBufReadExt as _;
use futures::stream::{self, BoxStream, SelectAll, StreamExt as _};
use jiff::Timestamp;
use k8s_openapi::api::core::v1::Pod;
use kube::api::{Api, ListParams, LogParams};
use serde_json::Value;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags, output};

/// Interval of the search for pods whose log is not open.
const LOOK: Duration = Duration::from_secs(2);

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show lines about objects in all namespaces
    #[arg(long, short = 'A', switch = false)]
    all_namespaces: bool,
    /// Namespace of the controllers
    #[arg(long, default_value = crate::globals::DEFAULT_NAMESPACE, value_name = "NAMESPACE")]
    flux_namespace: String,
    /// Stream new lines
    #[arg(long, short, switch = false)]
    follow: bool,
    /// Show only lines about this kind
    #[arg(long, value_name = "KIND")]
    kind: Option<String>,
    /// Show only lines of this level
    #[arg(long, value_name = "LEVEL", value_parser = flags::LOG_LEVELS)]
    level: Option<String>,
    /// Show only lines about objects with this name
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Show only lines newer than this duration
    #[arg(long, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    since: Duration,
    /// Show only lines after this time, in RFC 3339 format
    #[arg(long, value_name = "TIME")]
    since_time: Option<String>,
    /// Number of latest lines to show per pod; -1 shows all
    #[arg(long, default_value_t = -1, value_parser = flags::integer, value_name = "N")]
    tail: i64,
}

/// Rounds a duration to the nearest second.
const HALF_SECOND: Duration = Duration::from_millis(500);

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
    let since_time = args.since_time.as_deref().filter(|time| !time.is_empty());
    if since_time.is_some() && !args.since.is_zero() {
        return Err(CommandError::user(
            "at most one of `sinceTime` or `sinceDuration` may be specified",
        )
        .hint("set either --since or --since-time"));
    }
    let since_time = since_time.map(|time| {
        let invalid = |_| {
            CommandError::user(format!("{time} is not a valid (RFC3339) time"))
                .hint("write a time such as 2026-01-02T15:04:05Z")
        };
        time.parse::<Timestamp>().map_err(invalid)
    });
    let since_time = since_time.transpose()?;
    // Flux rounds to the nearest second, halves up.
    let since_seconds = args.since.saturating_add(HALF_SECOND).as_secs();
    Ok(LogParams {
        container: Some("manager".into()),
        follow: args.follow,
        since_seconds: (!args.since.is_zero())
            .then(|| i64::try_from(since_seconds).unwrap_or(i64::MAX)),
        since_time,
        tail_lines: (args.tail >= 0).then_some(args.tail),
        // A resumed log skips known lines by their timestamps.
        timestamps: args.follow,
        ..LogParams::default()
    })
}

async fn show(
    args: &Args,
    filter: &Filter,
    parameters: &LogParams,
    context: &Context,
) -> Result<(), CommandError> {
    let pods = Pods::of(args, context)?;
    let found = pods.list().await?;
    if found.is_empty() {
        return Err(CommandError::cluster(format!(
            "no Flux pods found in namespace \"{}\"",
            args.flux_namespace
        )));
    }
    if args.follow {
        return follow(&pods, filter, parameters, context).await;
    }
    let mut streams = SelectAll::new();
    let (mut read, mut unread) = (BTreeSet::new(), Vec::new());
    for pod in found {
        match pods.log(&pod.name, parameters).await {
            Ok(lines) => {
                streams.push(lines);
                read.insert(pod.controller);
            }
            Err(error) => {
                context.progress.warning(error.message());
                unread.push(pod);
            }
        }
    }
    while let Some((_, line)) = streams.next().await {
        let Some(line) = line else { continue };
        let line = line.map_err(|error| CommandError::cluster(format!("read log: {error}")))?;
        if let Some(shown) = filter.show(&line) {
            output::stdout(&shown)?;
        }
    }
    // A starting or ending pod is not missed if another pod of its controller was read. Flux reads
    // only that one.
    let is_missed = |pod: &ListedPod| pod.is_running || !read.contains(&pod.controller);
    if unread.iter().any(is_missed) {
        return Err(CommandError::cluster(
            "failed to collect logs from all Flux pods",
        ));
    }
    Ok(())
}

/// Prints lines as they arrive, until an interrupt.
async fn follow(
    pods: &Pods<'_>,
    filter: &Filter,
    parameters: &LogParams,
    context: &Context,
) -> Result<(), CommandError> {
    let mut streams: SelectAll<Lines> = SelectAll::new();
    let mut read: BTreeSet<String> = BTreeSet::new();
    // Time of the last line of each pod.
    let mut told: BTreeMap<String, Timestamp> = BTreeMap::new();
    let mut complained = BTreeSet::new();
    loop {
        // A failing list is retried, and reported once.
        let found = pods.list().await.unwrap_or_else(|error| {
            if complained.insert(String::new()) {
                context.progress.warning(error.message());
            }
            Vec::new()
        });
        for ListedPod { name, .. } in found {
            if read.contains(&name) {
                continue;
            }
            let mut parameters = parameters.clone();
            if let Some(last) = told.get(&name) {
                // The API server ignores fractions of seconds. Rounding up would skip lines.
                parameters.since_time = Timestamp::from_second(last.as_second()).ok();
                parameters.since_seconds = None;
                parameters.tail_lines = None;
            }
            match pods.log(&name, &parameters).await {
                Ok(lines) => {
                    streams.push(lines);
                    read.insert(name);
                }
                Err(error) => {
                    if complained.insert(name) {
                        context.progress.warning(error.message());
                    }
                }
            }
        }
        let look = tokio::time::sleep(LOOK);
        tokio::pin!(look);
        loop {
            tokio::select! {
                Some((pod, line)) = streams.next(), if !streams.is_empty() => {
                    let Some(Ok(line)) = line else {
                        read.remove(&pod);
                        continue;
                    };
                    let (written, line) = stamped(&line);
                    let last = told.get(&pod).copied();
                    if written.is_some() && written <= last {
                        continue;
                    }
                    if let Some(written) = written {
                        told.insert(pod, written);
                    }
                    if let Some(shown) = filter.show(line) {
                        output::stdout(&shown)?;
                    }
                }
                () = &mut look => break,
            }
        }
    }
}

/// Splits the API server's timestamp from a line.
fn stamped(line: &str) -> (Option<Timestamp>, &str) {
    match line.split_once(' ') {
        Some((time, rest)) => match time.parse() {
            Ok(time) => (Some(time), rest),
            Err(_) => (None, line),
        },
        None => (None, line),
    }
}

/// Lines with the name of their pod. `None` marks the end of a log.
type Lines = BoxStream<'static, (String, Option<std::io::Result<String>>)>;

/// A listed pod.
struct ListedPod {
    name: String,
    /// The Deployment of the pod, or the pod's own name.
    controller: String,
    /// Whether the pod runs and is not terminating.
    is_running: bool,
}

impl ListedPod {
    fn of(pod: Pod) -> Option<Self> {
        let metadata = pod.metadata;
        let name = metadata.name?;
        // A ReplicaSet is named like its Deployment, with this hash appended.
        let hash = metadata.labels.unwrap_or_default();
        let hash = hash.get("pod-template-hash").map_or("", String::as_str);
        let owner = metadata.owner_references.unwrap_or_default();
        let owner = owner.first().map_or(name.as_str(), |owner| &owner.name);
        let controller = owner.strip_suffix(hash).unwrap_or(owner).to_owned();
        let phase = pod.status.and_then(|status| status.phase);
        let is_ending = metadata.deletion_timestamp.is_some();
        Some(Self {
            name,
            controller,
            is_running: phase.as_deref() == Some("Running") && !is_ending,
        })
    }
}

/// The pods of controllers.
struct Pods<'c> {
    context: &'c Context,
    api: Api<Pod>,
}

impl<'c> Pods<'c> {
    fn of(args: &Args, context: &'c Context) -> Result<Self, CommandError> {
        let client = context.cluster()?.client().clone();
        let api = Api::namespaced(client, &args.flux_namespace);
        Ok(Self { context, api })
    }

    async fn list(&self) -> Result<Vec<ListedPod>, CommandError> {
        let all = ListParams::default().labels("app.kubernetes.io/part-of=flux");
        let found = self.api.list(&all).await;
        let found =
            found.map_err(|error| self.refused("list the controllers' pods".into(), error))?;
        Ok(found.items.into_iter().filter_map(ListedPod::of).collect())
    }

    async fn log(&self, name: &str, parameters: &LogParams) -> Result<Lines, CommandError> {
        let log = self.api.log_stream(name, parameters).await;
        let log =
            log.map_err(|error| self.refused(format!("read the log of pod {name}"), error))?;
        let (pod, ended) = (name.to_owned(), name.to_owned());
        let lines = log.lines().map(move |line| (pod.clone(), Some(line)));
        let end = stream::once(async move { (ended, None) });
        Ok(lines.chain(end).boxed())
    }

    fn refused(&self, action: String, error: kube::Error) -> CommandError {
        match self.context.cluster() {
            Ok(cluster) => crate::cluster::refusal(&cluster.error(action, error)),
            Err(error) => error,
        }
    }
}

/// Line filter.
#[derive(Debug, Default)]
struct Filter {
    level: Option<String>,
    kind: Option<String>,
    name: Option<String>,
    namespace: Option<String>,
}

impl Filter {
    /// Returns the printed line, or `None` for a line that is filtered out or not in our log
    /// format.
    fn show(&self, line: &str) -> Option<String> {
        let entry: Value = serde_json::from_str(line).ok()?;
        let field = |name: &str| entry[name].as_str().unwrap_or_default();
        let kinds = [field("reconciler kind"), field("controllerKind")];
        let (name, namespace, level) = (field("name"), field("namespace"), field("level"));
        let is = |wanted: &Option<String>, found: &[&str]| {
            wanted
                .as_deref()
                .is_none_or(|wanted| found.iter().any(|found| wanted.eq_ignore_ascii_case(found)))
        };
        // As in Flux, a line without an object has no namespace.
        let is_wanted = is(&self.kind, &kinds)
            && is(&self.name, &[name])
            && is(&self.namespace, &[namespace])
            && self.level.as_deref().is_none_or(|wanted| wanted == level);
        if !is_wanted {
            return None;
        }
        let kind = kinds.into_iter().find(|kind| !kind.is_empty());
        let mut subject = kind.unwrap_or_default().to_owned();
        if !name.is_empty() {
            subject = format!("{subject}/{name}.{namespace}");
        }
        Some(format!(
            "{} {} {} - {} {}\n",
            output::one_line(field("ts")),
            output::one_line(level),
            output::one_line(&subject),
            output::one_line(field("msg")),
            output::one_line(field("error")),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"level":"error","ts":"2026-01-02T03:04:05.678Z","msg":"Reconciler error","controllerKind":"GitRepository","name":"podinfo","namespace":"apps","error":"no\nroute"}"#;

    #[test]
    fn line_shows_time_level_object_message_and_error() {
        assert_eq!(
            Filter::default().show(LINE).unwrap(),
            "2026-01-02T03:04:05.678Z error GitRepository/podinfo.apps - Reconciler error no route\n"
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
    fn line_without_time_is_printed_whole() {
        let (time, line) = stamped("2026-01-02T03:04:05.678Z {\"a\": 1}");
        assert_eq!(time, Some("2026-01-02T03:04:05.678Z".parse().unwrap()));
        assert_eq!(line, "{\"a\": 1}");
        assert_eq!(stamped("panic: oh no"), (None, "panic: oh no"));
    }

    #[test]
    fn malformed_log_line_is_skipped() {
        assert_eq!(Filter::default().show("panic: oh no"), None);
    }
}
