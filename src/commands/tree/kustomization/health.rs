//! How the objects of a tree fare, by the rules that `wait` follows.

use futures::StreamExt as _;
use sluice_client::GroupKind;
use sluice_object::Object;
use sluice_object::status::{self, Status};
use sluice_system::{Clock as _, SystemClock};

use super::{CONCURRENCY, Entry};
use crate::cluster::{Context, refusal};
use crate::error::CommandError;

/// Reads every object and notes how it fares, or that it is missing.
pub(super) async fn add(context: &Context, root: &mut Entry) -> Result<(), CommandError> {
    let mut entries = Vec::new();
    flatten(root, &mut entries);
    let judged: Vec<_> = futures::stream::iter(entries)
        .map(|entry| judge(context, entry))
        .buffer_unordered(CONCURRENCY)
        .collect()
        .await;
    judged.into_iter().collect()
}

/// What is said of one entry, apart from what is below it.
struct Line<'e> {
    entry: &'e super::Identity,
    missing: &'e mut bool,
    status: &'e mut Option<String>,
}

fn flatten<'e>(entry: &'e mut Entry, lines: &mut Vec<Line<'e>>) {
    if !entry.missing {
        lines.push(Line {
            entry: &entry.resource,
            missing: &mut entry.missing,
            status: &mut entry.status,
        });
    }
    for child in &mut entry.resources {
        flatten(child, lines);
    }
}

async fn judge(context: &Context, line: Line<'_>) -> Result<(), CommandError> {
    let cluster = context.cluster()?;
    let kind = GroupKind {
        group: line.entry.group_kind.group.clone(),
        kind: line.entry.group_kind.kind.clone(),
    };
    let resource = match cluster.preferred(&kind).await {
        Ok(resource) => resource,
        Err(error) if error.is_no_match() => {
            *line.missing = true;
            return Ok(());
        }
        Err(error) => return Err(refusal(&error)),
    };
    let namespace = Some(line.entry.namespace.as_str()).filter(|namespace| !namespace.is_empty());
    match cluster
        .get(&resource.gvk(), namespace, &line.entry.name)
        .await
    {
        Ok(Some(value)) => {
            *line.status = Object::try_from(value).ok().map(|object| told(&object));
        }
        Ok(None) => *line.missing = true,
        Err(error) if error.is_forbidden() => *line.status = Some("not readable".to_owned()),
        Err(error) => return Err(refusal(&error)),
    }
    Ok(())
}

fn told(object: &Object) -> String {
    let health = status::compute(object, SystemClock.now());
    if health.status == Status::Current || health.message.is_empty() {
        health.status.to_string()
    } else {
        format!("{}: {}", health.status, health.message)
    }
}
