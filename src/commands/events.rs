//! Implements `events`: lists the controllers' events, oldest first.

use std::cell::Cell;
use std::collections::BTreeSet;

use futures::future::try_join_all;
use jiff::Timestamp;
use serde_json::Value;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_insight::fields::{at, text};
use sluice_insight::kinds::{RESOURCES, by_word};
use sluice_object::Object;
use sluice_system::Clock as _;

use super::nouns::unknown_kind;
use crate::cluster::{Context, objects, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::age;
use crate::output::table::Table;
use crate::{CommandResult, Exit, flags, output};
use sluice_insight::watch::{Event, WatchTarget};

/// Path of the chart source in a HelmRelease with a chart template.
const CHART_SOURCE: &str = "/spec/chart/spec/sourceRef";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show events in all namespaces
    #[arg(long, short = 'A', switch = false)]
    all_namespaces: bool,
    /// Show events of a kind, or of an object and the objects it references
    #[arg(long = "for", value_name = "KIND[/NAME]")]
    of: Option<String>,
    /// Show only events of these types: Normal or Warning
    #[arg(long, value_parser = flags::csv, value_name = "TYPE")]
    types: Vec<Vec<String>>,
    /// Watch for new events
    #[arg(long, short, switch = false)]
    watch: bool,
}

/// Object filter of events. An empty name or namespace matches all.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    kind: String,
    name: Option<String>,
    namespace: Option<String>,
}

impl Subject {
    fn matches(&self, event: &Object) -> bool {
        let is = |field: &str, wanted: Option<&str>| {
            wanted.is_none_or(|wanted| text(event, field) == wanted)
        };
        is("/involvedObject/kind", Some(&self.kind))
            && is("/involvedObject/name", self.name.as_deref())
            && is("/metadata/namespace", self.namespace.as_deref())
    }
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    for kind in args.types.iter().flatten() {
        if !["Normal", "Warning"]
            .iter()
            .any(|known| known.eq_ignore_ascii_case(kind))
        {
            return Err(CommandError::user(format!(
                "invalid argument \"{kind}\" for \"--types\" flag: must be one of: Normal, Warning"
            )));
        }
    }
    let namespace = (!args.all_namespaces).then(|| context.namespace());
    let subjects = match args.of.as_deref() {
        Some(of) => context.block_on(subjects(context, of, namespace.as_deref()))??,
        None => BTreeSet::new(),
    };
    let wanted = |event: &Object| {
        let kind = text(event, "/type");
        let flux = subjects.is_empty()
            && RESOURCES
                .iter()
                .any(|resource| resource.kind == text(event, "/involvedObject/kind"));
        let mut types = args.types.iter().flatten();
        (args.types.is_empty() || types.any(|wanted| wanted.eq_ignore_ascii_case(kind)))
            && (flux || subjects.iter().any(|subject| subject.matches(event)))
    };
    // Namespaces of the events, because a source may be in another one.
    let places: BTreeSet<Option<&str>> = match &namespace {
        Some(namespace) => subjects
            .iter()
            .map(|subject| subject.namespace.as_deref())
            .chain([Some(namespace.as_str())])
            .collect(),
        None => BTreeSet::from([None]),
    };
    let with_namespace = args.all_namespaces || places.len() > 1;
    if args.watch {
        return follow(context, &places, &wanted, with_namespace);
    }
    let lists = places.iter().map(|place| list(context, *place));
    let lists = context.block_on(try_join_all(lists))??;
    let mut events: Vec<Object> = lists.into_iter().flatten().filter(wanted).collect();
    if events.is_empty() {
        context.progress.failure(match &namespace {
            Some(namespace) => format!("no events found in \"{namespace}\" namespace"),
            None => "no events found".to_owned(),
        });
        return Ok(Exit::SUCCESS);
    }
    events.sort_by_key(last_seen);
    let now = sluice_system::SystemClock.now();
    output::stdout(&table(&events, now, with_namespace).render(true))?;
    Ok(Exit::SUCCESS)
}

fn event_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "Event")
}

async fn list(context: &Context, namespace: Option<&str>) -> Result<Vec<Object>, CommandError> {
    let list = context
        .cluster()?
        .list(&event_kind(), namespace, &ListOptions::default())
        .await
        .map_err(|error| refusal(&error))?;
    Ok(objects(list))
}

fn follow(
    context: &Context,
    places: &BTreeSet<Option<&str>>,
    wanted: &dyn Fn(&Object) -> bool,
    with_namespace: bool,
) -> CommandResult {
    let header = Cell::new(true);
    let show = |event: Event| {
        let Event::Is(event) = event else {
            return Ok(());
        };
        if !wanted(&event) {
            return Ok(());
        }
        let now = sluice_system::SystemClock.now();
        output::stdout(
            &table(std::slice::from_ref(&*event), now, with_namespace).render(header.take()),
        )
    };
    let kind = event_kind();
    let watches = places.iter().map(|namespace| {
        let which = WatchTarget {
            namespace: *namespace,
            ..WatchTarget::default()
        };
        context.follow(&kind, which, show)
    });
    context.block_on_at_leisure(try_join_all(watches))??;
    Ok(Exit::SUCCESS)
}

/// Returns the object and its references, because events of a source explain its users.
async fn subjects(
    context: &Context,
    of: &str,
    namespace: Option<&str>,
) -> Result<BTreeSet<Subject>, CommandError> {
    let (kind, name) = match of.split_once('/') {
        Some((kind, name)) => (kind, Some(name)),
        None => (of, None),
    };
    let resource = by_word(kind).ok_or_else(|| {
        unknown_kind(
            format!(
                "invalid argument \"{of}\" for \"--for\" flag: kind '{kind}' is not one of Flux's"
            ),
            kind,
        )
    })?;
    let mut subjects = BTreeSet::from([Subject {
        kind: resource.kind.to_owned(),
        name: name.map(ToOwned::to_owned),
        namespace: namespace.map(ToOwned::to_owned),
    }]);
    if let Some(name) = name {
        let object = context.required(resource, name).await?;
        subjects.extend(referred(&object));
    }
    Ok(subjects)
}

/// Returns the references of an object.
fn referred(object: &Object) -> Vec<Subject> {
    let mut referred = Vec::new();
    for reference in [
        "/spec/sourceRef",
        "/spec/chartRef",
        CHART_SOURCE,
        "/spec/imageRepositoryRef",
        "/spec/providerRef",
    ] {
        let field = |name: &str| text(object, &format!("{reference}/{name}"));
        let (name, written) = (field("name"), field("namespace"));
        let kind = match reference {
            "/spec/imageRepositoryRef" => "ImageRepository",
            "/spec/providerRef" => "Provider",
            _ => field("kind"),
        };
        if name.is_empty() || kind.is_empty() {
            continue;
        }
        let namespace = Some(written).filter(|written| !written.is_empty());
        let namespace = namespace.unwrap_or_else(|| object.namespace());
        let mut subject = |kind: &str, name: &str| {
            referred.push(Subject {
                kind: kind.to_owned(),
                name: Some(name.to_owned()),
                namespace: Some(namespace.to_owned()),
            });
        };
        subject(kind, name);
        if reference == CHART_SOURCE {
            // helm-controller creates this chart for the release.
            let chart = format!("{}-{}", object.namespace(), object.name());
            subject("HelmChart", &chart);
        }
    }
    referred
}

fn last_seen(event: &Object) -> Option<Timestamp> {
    [
        "/lastTimestamp",
        "/series/lastObservedTime",
        "/eventTime",
        "/metadata/creationTimestamp",
    ]
    .into_iter()
    .find_map(|field| text(event, field).parse().ok())
}

/// Formats the last time and the count of an event like kubectl.
fn format_last_seen(event: &Object, now: Timestamp) -> String {
    let since = |field: &str| {
        text(event, field).parse().map_or_else(
            |_| "<unknown>".to_owned(),
            |then: Timestamp| age(now.duration_since(then).as_secs()),
        )
    };
    let first = match text(event, "/eventTime") {
        "" => since("/firstTimestamp"),
        _ => since("/eventTime"),
    };
    let number = |field: &str| at(event, field).and_then(Value::as_i64);
    if let Some(count) = number("/series/count") {
        let last = since("/series/lastObservedTime");
        return format!("{last} (x{count} over {first})");
    }
    match number("/count") {
        Some(count) if count > 1 => {
            format!("{} (x{count} over {first})", since("/lastTimestamp"))
        }
        _ => first,
    }
}

fn table(events: &[Object], now: Timestamp, with_namespace: bool) -> Table {
    let namespace = with_namespace.then_some("Namespace");
    let mut table = Table::new(namespace.into_iter().chain([
        "Last seen",
        "Type",
        "Reason",
        "Object",
        "Message",
    ]));
    for event in events {
        let object = format!(
            "{}/{}",
            text(event, "/involvedObject/kind"),
            text(event, "/involvedObject/name")
        );
        let namespace = with_namespace.then(|| event.namespace().to_owned());
        table.row(namespace.into_iter().chain([
            format_last_seen(event, now),
            text(event, "/type").to_owned(),
            text(event, "/reason").to_owned(),
            object,
            text(event, "/message").to_owned(),
        ]));
    }
    table
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(value: Value) -> Object {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn referenced_objects_are_found_in_their_namespace() {
        let told = |value| {
            referred(&object(value))
                .into_iter()
                .map(|subject| {
                    let (name, place) = (subject.name.unwrap(), subject.namespace.unwrap());
                    format!("{} {place}/{name}", subject.kind)
                })
                .collect::<Vec<_>>()
        };
        let kustomization = json!({ "metadata": { "name": "web", "namespace": "apps" },
            "spec": { "sourceRef": { "kind": "GitRepository", "name": "fleet", "namespace": "flux-system" } } });
        assert_eq!(told(kustomization), ["GitRepository flux-system/fleet"]);
        let release = json!({ "metadata": { "name": "web", "namespace": "apps" }, "spec": { "chart": {
            "spec": { "sourceRef": { "kind": "HelmRepository", "name": "charts" } } } } });
        assert_eq!(
            told(release),
            ["HelmRepository apps/charts", "HelmChart apps/apps-web"]
        );
        let alert = json!({ "metadata": { "name": "a", "namespace": "apps" },
            "spec": { "providerRef": { "name": "chat" } } });
        assert_eq!(told(alert), ["Provider apps/chat"]);
    }
}
