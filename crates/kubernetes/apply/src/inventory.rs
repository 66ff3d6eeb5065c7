//! The objects of one owner in a cluster, as its status lists them.
//!
//! An inventory is read from and written to pairs of `id` and `v`, so this module needs no API
//! types. Inventories of Flux round-trip byte for byte. An invalid id is an error, because a lost
//! entry would leave an orphaned object.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use sluice_object::{InvalidInventoryId, Object, ObjectId, order};

use crate::changes::{Action, ChangeSet};

/// An object of an inventory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InventoryEntry {
    /// The object.
    pub id: ObjectId,
    /// The last applied API version, without its group.
    pub version: String,
}

impl InventoryEntry {
    /// Returns the `apiVersion` of the object.
    pub fn api_version(&self) -> String {
        if self.id.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.id.group, self.version)
        }
    }

    /// Creates an object with type, namespace and name only.
    pub fn skeleton(&self) -> Object {
        Object::new(
            &self.api_version(),
            &self.id.kind,
            &self.id.namespace,
            &self.id.name,
        )
    }
}

/// The objects of one owner, in insertion order. An object that the manifests have in two versions
/// is listed in both. Clones share the entries.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    entries: Arc<Vec<InventoryEntry>>,
}

impl Inventory {
    /// Parses stored pairs of id and version.
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

    /// Returns the pairs of id and version to store.
    pub fn format(&self) -> impl Iterator<Item = (String, String)> {
        self.entries
            .iter()
            .map(|entry| (entry.id.inventory(), entry.version.clone()))
    }

    /// Creates the inventory after a change set: all objects except deleted ones. Skipped objects
    /// are included.
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

    /// Lists each object in every version of the manifests that were applied, as Flux does.
    #[must_use]
    pub fn with_versions_of(self, manifests: &Self) -> Self {
        let ids = manifests.ids();
        if ids.len() == manifests.len() {
            return self;
        }
        let mut versions: HashMap<&ObjectId, Vec<&InventoryEntry>> = HashMap::new();
        for entry in manifests.entries.iter() {
            versions.entry(&entry.id).or_default().push(entry);
        }
        let listed = self.entries.iter().flat_map(|entry| {
            let several = versions.get(&entry.id).filter(|all| all.len() > 1);
            several.cloned().unwrap_or_else(|| vec![entry])
        });
        listed.cloned().collect()
    }

    /// The entries in insertion order.
    pub fn entries(&self) -> &[InventoryEntry] {
        &self.entries
    }

    /// The number of objects.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether the inventory is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The set of ids.
    pub fn ids(&self) -> HashSet<&ObjectId> {
        self.entries.iter().map(|entry| &entry.id).collect()
    }

    /// Whether this inventory contains every object of `other`, in any version.
    pub fn covers(&self, other: &Self) -> bool {
        let ids = self.ids();
        other.entries.iter().all(|entry| ids.contains(&entry.id))
    }

    /// Adds the objects of `other` that are missing.
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

    /// Returns the objects that `newer` lacks, in any version, in the order of apply.
    ///
    /// An entry that is recorded before its apply may have a namespace although its kind is
    /// cluster-scoped: only the server knows the scope of a custom kind. Such an entry is not stale
    /// when `newer` has the same object without a namespace.
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
        entries.dedup_by(|left, right| left.id == right.id);
        Self {
            entries: Arc::new(entries),
        }
    }
}

/// Keeps the first of equal entries.
impl FromIterator<InventoryEntry> for Inventory {
    fn from_iter<T: IntoIterator<Item = InventoryEntry>>(entries: T) -> Self {
        let mut seen = HashSet::new();
        let first = entries
            .into_iter()
            .filter(|entry| seen.insert(entry.clone()));
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
    fn inventory_of_flux_round_trips() {
        let formatted: Vec<_> = stored().format().collect();
        let expected: Vec<_> = STORED.map(|(id, v)| (id.to_owned(), v.to_owned())).into();
        assert_eq!(formatted, expected);
    }

    #[test]
    fn invalid_id_is_an_error() {
        let error = Inventory::parse([("_shop__Namespace", "v1"), ("garbage", "v1")])
            .expect_err("not an id");
        assert_eq!(
            error.to_string(),
            "unable to parse stored object metadata: garbage"
        );
    }

    #[test]
    fn object_is_listed_in_each_version_of_its_manifests() {
        let manifests = [
            ("shop_web_apps_Deployment", "v1"),
            ("shop_web_apps_Deployment", "v2"),
            ("shop_web__Service", "v1"),
        ];
        let manifests = Inventory::parse(manifests).expect("valid ids");
        let applied = [
            ("shop_web__Service", "v1"),
            ("shop_web_apps_Deployment", "v2"),
        ];
        let applied = Inventory::parse(applied).expect("valid ids");
        let listed = applied.clone().with_versions_of(&manifests);
        let formatted: Vec<_> = listed.format().map(|(id, v)| format!("{id} {v}")).collect();
        assert_eq!(
            formatted,
            [
                "shop_web__Service v1",
                "shop_web_apps_Deployment v1",
                "shop_web_apps_Deployment v2"
            ]
        );
        let stale = listed.stale(&Inventory::default());
        assert_eq!(stale.len(), 2, "each object is deleted once");
        let mut merged = Inventory::default();
        merged.merge(&listed);
        assert_eq!(merged, listed);
        assert_eq!(applied.clone().with_versions_of(&applied), applied);
    }

    #[test]
    fn stale_ignores_versions_and_is_sorted() {
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
    fn cluster_scoped_object_with_namespace_is_not_stale() {
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
    fn covers_compares_ids_without_versions() {
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
    fn merge_keeps_known_entries() {
        let mut inventory = Inventory::parse([("shop_web__Service", "v9")]).expect("valid");
        inventory.merge(&stored());
        assert_eq!(inventory.len(), 4);
        assert_eq!(inventory.entries()[0].version, "v9");
        inventory.merge(&stored());
        assert_eq!(inventory.len(), 4);
    }

    #[test]
    fn inventory_of_changes_omits_deleted_objects() {
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
