//! Parses messages of Flux's conditions.

use crate::snapshot::Id;

/// Whether a message reports a timeout.
pub(crate) fn is_timeout(message: &str) -> bool {
    ["deadline exceeded", "timed out waiting", "timeout waiting"]
        .iter()
        .any(|words| message.contains(words))
}

/// The objects that a failed health check names: `Kind/namespace/name status: 'Failed'`. The
/// text about an object may have commas and brackets.
pub(crate) fn unhealthy_objects(message: &str) -> Vec<Id> {
    let mut named = Vec::new();
    let mut rest = message;
    while let Some((before, after)) = rest.split_once(" status: ") {
        rest = after;
        let start = before.rfind([' ', '[', ',', ';']).map_or(0, |at| at + 1);
        let parts: Vec<&str> = before[start..].split('/').collect();
        named.extend(match parts[..] {
            [kind, namespace, name] => Some(Id::new(kind, namespace, name)),
            [kind, name] => Some(Id::new(kind, "", name)),
            _ => None,
        });
    }
    named
}

/// Whether a message of a failed health check reports an object as failed.
pub(crate) fn names_as_failed(message: &str, id: &Id) -> bool {
    let named = format!("{id} status: ");
    message
        .split_once(&named)
        .is_some_and(|(_, status)| status.trim_start_matches('\'').starts_with("Failed"))
}
