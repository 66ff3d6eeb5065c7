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
pub(super) fn candidates(
    generator: &ArtifactGenerator,
    facts: &Facts,
    labelled: impl Iterator<Item = (String, String)>,
) -> Candidates {
    let published = facts.work.iter().flat_map(|work| &work.published);
    let published: BTreeSet<&str> = published.map(|it| &*it.reference.name).collect();
    let namespace = generator.metadata.namespace.as_deref().unwrap_or_default();
    let inventory = inventory(generator).iter();
    let inventory = inventory.filter(|entry| entry.namespace == namespace);
    let owned: BTreeMap<String, String> = labelled.collect();
    let unknown = inventory
        .filter(|entry| !owned.contains_key(&entry.name) && !published.contains(&*entry.name))
        .map(|entry| entry.name.clone())
        .collect();
    Candidates { owned, unknown }
}
