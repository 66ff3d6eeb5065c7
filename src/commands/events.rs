//! `events`: what the controllers said, oldest first.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde_json::Value;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_object::Object;
use sluice_system::Clock as _;

use crate::cluster::{Context, objects, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::age;
use crate::output::table::Table;
use crate::resource::{RESOURCES, at, by_word, text};
use crate::watch::{Event, Which};
use crate::{CommandResult, Exit, flags, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Show the events of all namespaces
    #[arg(long, short = 'A', switch = false)]
    all_namespaces: bool,
    /// Show only events of this object and of what it refers to, as KIND/NAME, or of one kind
    #[arg(long = "for", value_name = "KIND[/NAME]")]
    of: Option<String>,
    /// Show only events of these types
    #[arg(long, value_parser = flags::csv, value_name = "Normal,Warning")]
    types: Vec<Vec<String>>,
    /// Go on showing what happens
    #[arg(long, short, switch = false)]
    watch: bool,
}

/// One object whose events are wanted; without a name, all of its kind.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Subject {
    kind: String,
    name: Option<String>,
}

impl Subject {
    fn matches(&self, event: &Object) -> bool {
        text(event, "/involvedObject/kind") == self.kind
            && self
                .name
                .as_deref()
                .is_none_or(|name| text(event, "/involvedObject/name") == name)
    }
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    for kind in args.types.iter().flatten() {
        if !matches!(kind.as_str(), "Normal" | "Warning") {
            return Err(CommandError::user(format!(
                "invalid argument \"{kind}\" for \"--types\" flag: must be one of: Normal, Warning"
            )));
        }
    }
    let namespace = (!args.all_namespaces).then(|| context.namespace());
    let subjects = match args.of.as_deref() {
        Some(of) => context.block_on(subjects(context, of))??,
        None => BTreeSet::new(),
    };
    let wanted = |event: &Object| {
        let kind = text(event, "/type");
        let flux = subjects.is_empty()
            && RESOURCES
                .iter()
                .any(|resource| resource.kind == text(event, "/involvedObject/kind"));
        (args.types.is_empty() || args.types.iter().flatten().any(|wanted| wanted == kind))
            && (flux || subjects.iter().any(|subject| subject.matches(event)))
    };
    if args.watch {
        return follow(context, namespace.as_deref(), &wanted, args.all_namespaces);
    }
    let mut events = context.block_on(list(context, namespace.as_deref()))??;
    events.retain(wanted);
    if events.is_empty() {
        context.progress.failure(match &namespace {
            Some(namespace) => format!("no events found in \"{namespace}\" namespace"),
            None => "no events found".to_owned(),
        });
        return Ok(Exit::SUCCESS);
    }
    events.sort_by_key(last_seen);
    let now = sluice_system::SystemClock.now();
    output::stdout(&table(&events, now, args.all_namespaces).render(true))?;
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
    namespace: Option<&str>,
    wanted: &dyn Fn(&Object) -> bool,
    with_namespace: bool,
) -> CommandResult {
    let mut header = true;
    let which = Which {
        namespace,
        ..Which::default()
    };
    context.block_on_at_leisure(context.follow(&event_kind(), which, |event| {
        let Event::Is(event) = event else {
            return Ok(());
        };
        if !wanted(&event) {
            return Ok(());
        }
        let now = sluice_system::SystemClock.now();
        let shown = output::stdout(
            &table(std::slice::from_ref(&*event), now, with_namespace).render(header),
        );
        header = false;
        shown
    }))??;
    Ok(Exit::SUCCESS)
}

/// The object that was asked for, and what it refers to: an event of its source explains it too.
async fn subjects(context: &Context, of: &str) -> Result<BTreeSet<Subject>, CommandError> {
    let (kind, name) = match of.split_once('/') {
        Some((kind, name)) => (kind, Some(name)),
        None => (of, None),
    };
    let resource = by_word(kind).ok_or_else(|| {
        CommandError::user(format!(
            "invalid argument \"{of}\" for \"--for\" flag: kind '{kind}' is not one of Flux's"
        ))
    })?;
    let mut subjects = BTreeSet::from([Subject {
        kind: resource.kind.to_owned(),
        name: name.map(ToOwned::to_owned),
    }]);
    if let Some(name) = name {
        let object = context.required(resource, name).await?;
        for reference in [
            "/spec/sourceRef",
            "/spec/chartRef",
            "/spec/chart/spec/sourceRef",
            "/spec/imageRepositoryRef",
            "/spec/providerRef",
        ] {
            let target = text(&object, &format!("{reference}/name"));
            let kind = match (reference, text(&object, &format!("{reference}/kind"))) {
                ("/spec/imageRepositoryRef", _) => "ImageRepository",
                ("/spec/providerRef", _) => "Provider",
                (_, kind) => kind,
            };
            if !target.is_empty() && !kind.is_empty() {
                subjects.insert(Subject {
                    kind: kind.to_owned(),
                    name: Some(target.to_owned()),
                });
            }
        }
    }
    Ok(subjects)
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

/// When an event was seen, and how often since when, as kubectl tells it.
fn seen(event: &Object, now: Timestamp) -> String {
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
            seen(event, now),
            text(event, "/type").to_owned(),
            text(event, "/reason").to_owned(),
            object,
            text(event, "/message").to_owned(),
        ]));
    }
    table
}
