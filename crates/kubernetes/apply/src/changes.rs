//! The changes of an apply or a prune, by object.

use std::collections::BTreeMap;
use std::fmt;

use sluice_object::{Object, ObjectId};

/// The result for an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// The object was created, or recreated by `force`.
    Created,
    /// The object was changed.
    Configured,
    /// The object was already as desired.
    Unchanged,
    /// The object was deleted, or its deletion is in progress.
    Deleted,
    /// The object was excluded by a label or annotation, or has another owner.
    Skipped,
    /// The request failed, so the result is unknown.
    Unknown,
}

impl Action {
    /// Whether the cluster has changed.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Created | Self::Configured | Self::Deleted)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Created => "created",
            Self::Configured => "configured",
            Self::Unchanged => "unchanged",
            Self::Deleted => "deleted",
            Self::Skipped => "skipped",
            Self::Unknown => "unknown",
        })
    }
}

/// An entry of a change set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSetEntry {
    /// The object.
    pub id: ObjectId,
    /// The API version without its group (`v1`), as in inventories.
    pub version: String,
    /// The result.
    pub action: Action,
}

impl ChangeSetEntry {
    /// Creates the entry of a desired object.
    pub fn of(object: &Object, action: Action) -> Self {
        Self {
            id: object.id(),
            version: object.version().to_owned(),
            action,
        }
    }
}

/// `Kind/namespace/name action`.
impl fmt::Display for ChangeSetEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.action)
    }
}

/// The results of a run, by object.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// The entries in the order of completion.
    pub entries: Vec<ChangeSetEntry>,
}

impl ChangeSet {
    /// Appends entries. An object may occur twice.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = ChangeSetEntry>) {
        self.entries.extend(entries);
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Iterates over the entries that changed the cluster.
    pub fn changed(&self) -> impl Iterator<Item = &ChangeSetEntry> {
        self.entries.iter().filter(|entry| entry.action.is_change())
    }

    /// Whether any object was created, configured or deleted.
    pub fn has_changes(&self) -> bool {
        self.changed().next().is_some()
    }

    /// Groups the objects by action.
    pub fn grouped(&self) -> BTreeMap<Action, Vec<String>> {
        let mut groups: BTreeMap<Action, Vec<String>> = BTreeMap::new();
        for entry in &self.entries {
            groups
                .entry(entry.action)
                .or_default()
                .push(entry.id.to_string());
        }
        groups
    }
}

/// One line per entry, without a final line break.
impl fmt::Display for ChangeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(f, &self.entries)
    }
}

fn write_lines<'a>(
    f: &mut fmt::Formatter<'_>,
    entries: impl IntoIterator<Item = &'a ChangeSetEntry>,
) -> fmt::Result {
    for (index, entry) in entries.into_iter().enumerate() {
        if index > 0 {
            f.write_str("\n")?;
        }
        write!(f, "{entry}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: &str, name: &str, action: Action) -> ChangeSetEntry {
        ChangeSetEntry::of(&Object::new("v1", kind, "shop", name), action)
    }

    #[test]
    fn entries_print_object_and_action() {
        let changes = ChangeSet {
            entries: vec![
                entry("ConfigMap", "a", Action::Created),
                entry("Secret", "b", Action::Unchanged),
            ],
        };
        assert_eq!(
            changes.to_string(),
            "ConfigMap/shop/a created\nSecret/shop/b unchanged"
        );
        assert_eq!(ChangeSet::default().to_string(), "");
    }

    #[test]
    fn only_created_configured_and_deleted_are_changes() {
        let all = [
            Action::Created,
            Action::Configured,
            Action::Unchanged,
            Action::Deleted,
            Action::Skipped,
            Action::Unknown,
        ];
        let changes = ChangeSet {
            entries: all.map(|action| entry("ConfigMap", "a", action)).into(),
        };
        assert_eq!(
            changes
                .changed()
                .map(|entry| entry.action)
                .collect::<Vec<_>>(),
            [Action::Created, Action::Configured, Action::Deleted]
        );
        assert!(changes.has_changes());
        assert_eq!(changes.grouped().len(), 6);
    }
}
