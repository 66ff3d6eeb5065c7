//! How the objects of a tree fare, by the rules that `wait` follows.

use futures::StreamExt as _;
use sluice_object::ObjectId;

use super::{CONCURRENCY, Entry};
use crate::cluster::Context;
use crate::commands::health::{self, Fares};
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
    id: &'e ObjectId,
    missing: &'e mut bool,
    status: &'e mut Option<String>,
}

fn flatten<'e>(entry: &'e mut Entry, lines: &mut Vec<Line<'e>>) {
    if !entry.missing {
        lines.push(Line {
            id: &entry.resource,
            missing: &mut entry.missing,
            status: &mut entry.status,
        });
    }
    for child in &mut entry.resources {
        flatten(child, lines);
    }
}

async fn judge(context: &Context, line: Line<'_>) -> Result<(), CommandError> {
    match health::of(context, line.id).await? {
        Fares::Missing => *line.missing = true,
        fares => *line.status = Some(fares.to_string()),
    }
    Ok(())
}
