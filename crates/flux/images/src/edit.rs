//! Edits one file: finds the markers of all documents and replaces their values.
//!
//! The comment of a marker is the line comment of a scalar. Without one, it is the head
//! comment. A YAML parser decides which comment belongs to which scalar, as in the reference. A
//! comment behind a key without a value belongs to the key and marks nothing.
//!
//! Only the bytes of the value change. The reference prints the whole file and drops blank
//! lines, line ends and indentation.

use sluice_yaml::Error;
use sluice_yaml::edit::{Editor, NotReplaceable};
use sluice_yaml::event::{Comments, Event, EventKind, Scalar};

use crate::result::{Change, ObjectId};
use crate::setter::{KEY, Lookup, Marker, MarkerError, Setters};

mod object;

use object::Outline;

/// The result of editing a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileEdit {
    /// The new content. `None` if no value changes.
    pub content: Option<Vec<u8>>,
    /// The changes in the order of the file.
    pub changes: Vec<(ObjectId, Change)>,
    /// Answers to "why does this marker do nothing?", and the markers that are up to date.
    pub findings: Vec<Finding>,
}

/// Something to know about a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Line of the value, from 1 on.
    pub line: usize,
    /// The kind of the finding.
    pub kind: FindingKind,
}

/// A finding at a marker.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FindingKind {
    /// The value is replaced.
    #[error("updated by '{0}'")]
    Updated(Marker),
    /// The value is the latest.
    #[error("up to date with '{0}'")]
    UpToDate(Marker),
    /// No policy has the name.
    #[error("policy of '{0}' not found")]
    UnknownPolicy(Marker),
    /// Policies of other namespaces are not used.
    #[error("policy of '{0}' is in another namespace")]
    OtherNamespace(Marker),
    /// The policy has not selected an image yet.
    #[error("policy of '{0}' has no latest image")]
    NoImage(Marker),
    /// The policy reports no digest, so the value becomes empty, as in the reference.
    #[error("policy of '{0}' has no digest: set spec.digestReflectionPolicy")]
    NoDigest(Marker),
    /// The comment is malformed.
    #[error("{0}")]
    Malformed(#[from] MarkerError),
    /// The comment belongs to a key, an alias or a collection.
    #[error("the marker belongs to no value")]
    NoValue,
    /// The value cannot be edited in place.
    #[error("{reason}: write the value of '{marker}' on one line")]
    NotReplaceable {
        /// The marker.
        marker: Marker,
        /// The reason.
        reason: NotReplaceable,
    },
}

/// The file has a marker but cannot be edited. It is skipped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// The file is not YAML.
    #[error("{0}")]
    Yaml(#[from] Error),
    /// A document is a list or a text. The reference skips such a file, too.
    #[error("a document is not a mapping")]
    NotAMapping,
    /// The metadata of a document are not those of an object. The reference skips such a file, too.
    #[error("the metadata of a document are not a mapping")]
    Metadata,
}

/// Edits a file.
pub fn edit_file(bytes: &[u8], setters: &Setters) -> Result<FileEdit, Unreadable> {
    let mut editor = Editor::new(bytes)?;
    let mut outline = Outline::default();
    let mut edit = FileEdit::default();
    // The objects of changes are known at the ends of their documents.
    let mut pending = Vec::new();
    for event in editor.events() {
        let event = event?;
        let place = outline.enter(&event)?;
        let comment = event.comments.as_deref().and_then(marker_comment);
        let line = event.start.line + 1;
        match (&event.kind, comment) {
            (EventKind::Scalar(scalar), Some(comment)) if place.is_value => {
                let marker = match Marker::parse(comment) {
                    None => continue,
                    Some(Ok(marker)) => marker,
                    Some(Err(error)) => {
                        let kind = FindingKind::Malformed(error);
                        edit.findings.push(Finding { line, kind });
                        continue;
                    }
                };
                if place.is_shadowed {
                    let kind = FindingKind::NoValue;
                    edit.findings.push(Finding { line, kind });
                    continue;
                }
                let change = apply(&mut editor, setters, scalar, marker, |kind| {
                    edit.findings.push(Finding { line, kind });
                });
                if let Some(change) = change {
                    pending.push((place.object, change));
                }
            }
            (_, Some(comment)) if comment.contains(KEY) => {
                let kind = FindingKind::NoValue;
                edit.findings.push(Finding { line, kind });
            }
            _ => {}
        }
    }
    for (object, change) in pending {
        edit.changes.push((outline.object(object), change));
    }
    edit.content = editor.is_changed().then(|| editor.finish());
    Ok(edit)
}

/// Returns the comment that can be a marker. A line comment hides a head comment.
fn marker_comment<'c>(comments: &'c Comments<'_>) -> Option<&'c str> {
    let comments = [&comments.line, &comments.head];
    comments
        .into_iter()
        .map(AsRef::as_ref)
        .find(|comment: &&str| !comment.is_empty())
}

fn apply(
    editor: &mut Editor<'_>,
    setters: &Setters,
    scalar: &Scalar<'_>,
    marker: Marker,
    mut find: impl FnMut(FindingKind),
) -> Option<Change> {
    let value = match setters.lookup(&marker) {
        Lookup::Value(value) => value,
        Lookup::UnknownPolicy => {
            find(FindingKind::UnknownPolicy(marker));
            return None;
        }
        Lookup::OtherNamespace => {
            find(FindingKind::OtherNamespace(marker));
            return None;
        }
        Lookup::NoImage => {
            find(FindingKind::NoImage(marker));
            return None;
        }
    };
    if value.is_empty() {
        find(FindingKind::NoDigest(marker.clone()));
    }
    if scalar.value == value {
        find(FindingKind::UpToDate(marker));
        return None;
    }
    if let Err(reason) = editor.replace_scalar(scalar, &value) {
        find(FindingKind::NotReplaceable { marker, reason });
        return None;
    }
    let change = Change {
        old_value: scalar.value.clone().into_owned(),
        new_value: value,
        setter: marker.to_string(),
    };
    find(FindingKind::Updated(marker));
    Some(change)
}

/// Reports whether an event ends or starts nothing that a file consists of.
fn is_structure(event: &Event<'_>) -> bool {
    matches!(
        event.kind,
        EventKind::StreamStart
            | EventKind::StreamEnd
            | EventKind::DocumentStart { .. }
            | EventKind::DocumentEnd { .. }
    )
}

#[cfg(test)]
mod tests;
