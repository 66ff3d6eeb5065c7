//! The published objects that a generator may remove. Pure.

use std::collections::{BTreeMap, BTreeSet};

use sluice_api::source_watcher::ArtifactGenerator;

use super::drift::inventory;
use super::model::Facts;

/// The objects that may be removed, as far as a list of metadata shows it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Candidates {
    /// The uids of the objects of the generator, by name.
    pub(super) owned: BTreeMap<String, String>,
    /// The names of objects whose owner must be read.
    pub(super) unknown: BTreeSet<String>,
}

/// Sorts the objects with the label of a generator (name and uid), and the names in its inventory.
///
/// A label alone does not make an object a published one, because any user may set it. So an object
/// outside the inventory, which only an interrupted run leaves, must also name the generator as its
/// source.
pub(super) fn candidates(
    generator: &ArtifactGenerator,
    facts: &Facts,
    labelled: impl Iterator<Item = (String, String)>,
) -> Candidates {
    let published = facts.work.iter().flat_map(|work| &work.finished);
    let published: BTreeSet<&str> = published.map(|it| &*it.reference.name).collect();
    let namespace = generator.metadata.namespace.as_deref().unwrap_or_default();
    let inventory = inventory(generator).iter();
    let inventory = inventory.filter(|entry| entry.namespace == namespace);
    let listed: BTreeSet<&str> = inventory.map(|entry| &*entry.name).collect();
    let (owned, strays): (BTreeMap<_, _>, BTreeMap<_, _>) =
        labelled.partition(|(name, _)| listed.contains(&**name) || published.contains(&**name));
    let unlabelled = listed.iter().map(|name| (*name).to_owned());
    let unlabelled =
        unlabelled.filter(|name| !owned.contains_key(name) && !published.contains(&**name));
    let unknown = unlabelled.chain(strays.into_keys()).collect();
    Candidates { owned, unknown }
}
