//! What an apply or a prune did, object by object.

use std::collections::BTreeMap;
use std::fmt;

use sluice_object::{Object, ObjectId};

/// What happened to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// It was not there, or was made anew by `force`.
    Created,
    /// It was there, and was written.
    Configured,
    /// It was there as desired; nothing was written.
    Unchanged,
    /// It is gone, or on its way out.
    Deleted,
    /// Left alone on purpose: excluded by a label or annotation, or not ours.
    Skipped,
    /// It is not known whether anything happened: the request failed.
    Unknown,
}

impl Action {
    /// Tells whether the cluster differs from before.
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

/// One object of a change set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangeSetEntry {
    /// Which object.
    pub id: ObjectId,
    /// The API version without its group (`v1`), as inventories keep it.
    pub version: String,
    /// What happened to it.
    pub action: Action,
}

impl ChangeSetEntry {
    /// Tells of a desired object, in the version in which it is desired.
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

/// The entries of a run, in the order in which they were settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangeSet {
    /// One for each object, in the order in which they were settled.
    pub entries: Vec<ChangeSetEntry>,
}

impl ChangeSet {
    /// Appends what was settled later; an object that is in it already is told of twice.
    pub fn extend(&mut self, entries: impl IntoIterator<Item = ChangeSetEntry>) {
        self.entries.extend(entries);
    }

    /// Whether nothing was settled, neither changed nor left alone.
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

    /// Groups the subjects by action.
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
    fn entries_print_one_line_each_with_subject_and_action() {
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
