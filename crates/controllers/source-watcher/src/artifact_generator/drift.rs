//! Decides why the artifacts of a generator are rebuilt. Pure.

use std::collections::BTreeSet;

use sluice_api::meta::ToolkitResource as _;
use sluice_api::meta::condition::READY;
use sluice_api::source::ExternalArtifact;
use sluice_api::source_watcher::{ArtifactGenerator, ExternalArtifactReference};
use sluice_consumer::source::ORIGIN_REVISION;

use super::model::{Facts, StorageState};
use crate::expand::path_pattern;
use crate::external_artifact::has_label;
use crate::sources::{self, Sources};

/// A difference from the last successful run, in the order of the checks. The names are those of
/// Flux.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drift {
    /// The last run did not succeed.
    NotReady,
    /// The spec was edited.
    GenerationChanged,
    /// A source has another artifact.
    SourcesChanged,
    /// A source has another upstream revision.
    OriginRevisionChanged,
    /// The spec has another number of artifacts than the inventory.
    ArtifactsChanged,
    /// A published object differs from the inventory.
    ExternalArtifactsChanged,
    /// A stored artifact is missing.
    ArtifactMissing,
    /// A stored artifact does not have its digest.
    ArtifactCorrupted,
}

/// The difference that is known without the storage.
pub(super) fn early(
    generator: &ArtifactGenerator,
    facts: &Facts,
    found: &Sources,
) -> Option<Drift> {
    let ready = generator.conditions().find(READY);
    let Some(ready) = ready.filter(|ready| ready.is_true()) else {
        return Some(Drift::NotReady);
    };
    if ready.observed_generation != generator.metadata.generation {
        return Some(Drift::GenerationChanged);
    }
    let status = generator.status.as_ref();
    let observed = status.and_then(|status| status.observed_sources_digest.as_ref());
    if observed != Some(&sources::digest(found)) {
        return Some(Drift::SourcesChanged);
    }
    let origins = origins(generator, found);
    let is_stale = |object: &ExternalArtifact| {
        let artifact = object
            .status
            .as_ref()
            .and_then(|status| status.artifact.as_ref());
        let origin = artifact.and_then(|artifact| artifact.metadata.get(ORIGIN_REVISION));
        origin.is_some_and(|origin| !origins.contains(origin))
    };
    if facts.live.values().any(|object| is_stale(object)) {
        return Some(Drift::OriginRevisionChanged);
    }
    let has_pattern = path_pattern(&generator.spec).is_some();
    if !has_pattern && inventory(generator).len() != generator.spec.artifacts.len() {
        return Some(Drift::ArtifactsChanged);
    }
    // Before the storage, because a verification removes files. Those of an object with another
    // owner are not of this generator.
    let is_published = |entry: &ExternalArtifactReference| {
        let object = facts.live.get(&entry.name);
        object.is_some_and(|object| {
            let status = object.status.as_ref();
            let artifact = status.and_then(|status| status.artifact.as_ref());
            // Without the label, a removal would not find the object.
            has_label(object, generator)
                && artifact.is_some_and(|artifact| artifact.digest == entry.digest)
        })
    };
    let changed = inventory(generator)
        .iter()
        .any(|entry| !is_published(entry));
    changed.then_some(Drift::ExternalArtifactsChanged)
}

/// The difference of the storage.
pub(super) fn late(stored: &StorageState) -> Option<Drift> {
    match stored {
        StorageState::Missing(_) => Some(Drift::ArtifactMissing),
        StorageState::Corrupt(_) => Some(Drift::ArtifactCorrupted),
        StorageState::Valid => None,
    }
}

/// The artifacts of the last successful run.
pub(super) fn inventory(generator: &ArtifactGenerator) -> &[ExternalArtifactReference] {
    let status = generator.status.as_ref();
    status.map_or(&[], |status| status.inventory.as_slice())
}

/// The upstream revisions that artifacts may have.
fn origins(generator: &ArtifactGenerator, found: &Sources) -> BTreeSet<String> {
    let artifacts = generator.spec.artifacts.iter();
    let references = artifacts.filter_map(|artifact| artifact.origin_revision.as_deref());
    references
        .filter_map(|reference| sources::find(found, reference))
        .map(sources::origin)
        .collect()
}
