//! The objects that one owner has in a cluster, as its status lists them.
//!
//! An inventory is read from and written to pairs of texts (`id`, `v`), so that this crate needs
//! no API type. What Flux wrote reads back and prints the same bytes. A text that cannot be read
//! is an error and not a gap: an entry that silently went missing would be an orphan.

use std::collections::HashSet;
use std::sync::Arc;

use sluice_object::{InvalidInventoryId, Object, ObjectId, order};

use crate::changes::{Action, ChangeSet};

/// One object of an inventory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InventoryEntry {
    /// Which object, in whatever version.
    pub id: ObjectId,
    /// The API version without its group, under which the object was last applied.
    pub version: String,
}

impl InventoryEntry {
    /// Returns the `apiVersion` under which the object can be asked for.
    pub fn api_version(&self) -> String {
        if self.id.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.id.group, self.version)
        }
    }

    /// Makes the skeleton of the object: type, namespace and name.
    pub fn skeleton(&self) -> Object {
        Object::new(
            &self.api_version(),
            &self.id.kind,
            &self.id.namespace,
            &self.id.name,
        )
    }
}

/// The objects of one owner, in the order in which they were added; an id occurs once. Clones share
/// them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    entries: Arc<Vec<InventoryEntry>>,
}

impl Inventory {
    /// Reads stored pairs of id and version.
    pub fn parse<'a>(
        stored: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, InvalidInventoryId> {
        stored
            .into_iter()
            .map(|(id, version)| {
                Ok(InventoryEntry {
                    id: ObjectId::parse_inventory(id)?,
                    version: version.to_owned(),
                })
            })
            .collect()
    }

    /// Writes the pairs of id and version to store.
    pub fn format(&self) -> impl Iterator<Item = (String, String)> {
        self.entries
            .iter()
            .map(|entry| (entry.id.inventory(), entry.version.clone()))
    }

    /// Builds the inventory that a change set leaves behind: all that is there and ours to track,
    /// what was skipped included; what was deleted is out.
    pub fn of(changes: &ChangeSet) -> Self {
        changes
            .entries
            .iter()
            .filter(|entry| entry.action != Action::Deleted)
            .map(|entry| InventoryEntry {
                id: entry.id.clone(),
                version: entry.version.clone(),
            })
            .collect()
    }

    /// The objects, in the order in which they were added.
    pub fn entries(&self) -> &[InventoryEntry] {
        &self.entries
    }

    /// How many objects.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The ids alone, to look many of them up.
    pub fn ids(&self) -> HashSet<&ObjectId> {
        self.entries.iter().map(|entry| &entry.id).collect()
    }

    /// Whether each object of `other` is in this one too, whatever the versions are.
    pub fn covers(&self, other: &Self) -> bool {
        let ids = self.ids();
        other.entries.iter().all(|entry| ids.contains(&entry.id))
    }

    /// Adds what `other` has and this one lacks.
    pub fn merge(&mut self, other: &Self) {
        let known = self.ids();
        let added: Vec<_> = other
            .entries
            .iter()
            .filter(|entry| !known.contains(&entry.id))
            .cloned()
            .collect();
        if !added.is_empty() {
            Arc::make_mut(&mut self.entries).extend(added);
        }
    }

    /// Returns what this inventory has and `newer` lacks, whatever the versions are, in the order
    /// of apply.
    ///
    /// What is recorded before it is applied may carry a namespace that its kind does not have:
    /// only the server knows the scope of a custom kind. Such an entry names the same object as
    /// the one without a namespace that the apply leaves behind, so it is not stale beside it.
    #[must_use]
    pub fn stale(&self, newer: &Self) -> Self {
        let kept = newer.ids();
        let is_kept = |id: &ObjectId| {
            kept.contains(id)
                || kept.contains(&ObjectId {
                    namespace: String::new(),
                    ..id.clone()
                })
        };
        let mut entries: Vec<_> = self
            .entries
            .iter()
            .filter(|entry| !is_kept(&entry.id))
            .cloned()
            .collect();
        entries.sort_by(|left, right| order::compare(&left.id, &right.id));
        Self {
            entries: Arc::new(entries),
        }
    }
}

/// Keeps the first entry of each id.
impl FromIterator<InventoryEntry> for Inventory {
    fn from_iter<T: IntoIterator<Item = InventoryEntry>>(entries: T) -> Self {
        let mut seen = HashSet::new();
        let first = entries
            .into_iter()
            .filter(|entry| seen.insert(entry.id.clone()));
        Self {
            entries: Arc::new(first.collect()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::changes::ChangeSetEntry;

    const STORED: [(&str, &str); 4] = [
        ("_shop__Namespace", "v1"),
        ("shop_web_apps_Deployment", "v1"),
        (
            "_system__reader_rbac.authorization.k8s.io_ClusterRole",
            "v1",
        ),
        ("shop_web__Service", "v1"),
    ];

    fn stored() -> Inventory {
        Inventory::parse(STORED).expect("valid ids")
    }

    fn texts(inventory: &Inventory) -> Vec<String> {
        inventory.format().map(|(id, _)| id).collect()
    }

    #[test]
    fn what_flux_wrote_prints_the_same_bytes_in_the_same_order() {
        let formatted: Vec<_> = stored().format().collect();
        let expected: Vec<_> = STORED.map(|(id, v)| (id.to_owned(), v.to_owned())).into();
        assert_eq!(formatted, expected);
    }

    #[test]
    fn an_unreadable_id_is_an_error_and_not_a_gap() {
        let error = Inventory::parse([("_shop__Namespace", "v1"), ("garbage", "v1")])
            .expect_err("not an id");
        assert_eq!(
            error.to_string(),
            "unable to parse stored object metadata: garbage"
        );
    }

    #[test]
    fn stale_ignores_versions_and_comes_in_order_of_apply() {
        let newer = Inventory::parse([("shop_web_apps_Deployment", "v2")]).expect("valid");
        assert_eq!(
            texts(&stored().stale(&newer)),
            [
                "_shop__Namespace",
                "_system__reader_rbac.authorization.k8s.io_ClusterRole",
                "shop_web__Service",
            ]
        );
        assert!(stored().stale(&stored()).is_empty());
    }

    #[test]
    fn an_announced_namespace_makes_no_live_object_without_one_stale() {
        let announced = Inventory::parse([
            ("shop_tree_example.com_Tenant", "v1"),
            ("shop_gone_example.com_Tenant", "v1"),
            ("shop_tree_other.com_Tenant", "v1"),
            ("_web_apps_Deployment", "v1"),
        ])
        .expect("valid");
        let applied = Inventory::parse([
            ("_tree_example.com_Tenant", "v1"),
            ("shop_web_apps_Deployment", "v1"),
        ])
        .expect("valid");
        assert_eq!(
            announced.stale(&applied).len(),
            3,
            "only the same group, kind and name without a namespace is the same object"
        );
        assert!(
            !texts(&announced.stale(&applied)).contains(&"shop_tree_example.com_Tenant".to_owned())
        );
    }

    #[test]
    fn an_inventory_covers_another_by_ids_and_not_by_versions() {
        let part = Inventory::parse([("shop_web__Service", "v9"), ("_shop__Namespace", "v1")]);
        let part = part.expect("valid");
        assert!(stored().covers(&part));
        assert!(stored().covers(&Inventory::default()));
        assert!(!part.covers(&stored()));
        for other in [
            "till_web__Service",
            "_web__Service",
            "shop_web_apps_Service",
        ] {
            let other = Inventory::parse([("shop_web__Service", "v1"), (other, "v1")]);
            assert!(!stored().covers(&other.expect("valid")));
        }
    }

    #[test]
    fn merging_adds_what_is_missing_and_keeps_what_is_there() {
        let mut inventory = Inventory::parse([("shop_web__Service", "v9")]).expect("valid");
        inventory.merge(&stored());
        assert_eq!(inventory.len(), 4);
        assert_eq!(inventory.entries()[0].version, "v9");
        inventory.merge(&stored());
        assert_eq!(inventory.len(), 4);
    }

    #[test]
    fn a_change_set_leaves_all_but_the_deleted_behind() {
        let entry = |name: &str, action| {
            ChangeSetEntry::of(&Object::new("apps/v1", "Deployment", "shop", name), action)
        };
        let changes = ChangeSet {
            entries: vec![
                entry("made", Action::Created),
                entry("skipped", Action::Skipped),
                entry("gone", Action::Deleted),
                entry("made", Action::Configured),
            ],
        };
        let inventory = Inventory::of(&changes);
        assert_eq!(
            texts(&inventory),
            ["shop_made_apps_Deployment", "shop_skipped_apps_Deployment"]
        );
        let skeleton = inventory.entries()[0].skeleton();
        assert_eq!(skeleton.api_version(), "apps/v1");
        assert_eq!(skeleton.id(), inventory.entries()[0].id);
    }
}
