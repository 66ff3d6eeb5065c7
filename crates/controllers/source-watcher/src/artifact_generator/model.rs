//! The data of a run of an `ArtifactGenerator`: its steps, and their results.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sluice_api::artifact::Artifact;
use sluice_api::source::ExternalArtifact;
use sluice_api::source_watcher::ExternalArtifactReference;
use sluice_engine::ready::Fault;
use sluice_producer::Tree;
use sluice_system::budget::Budget;
use sluice_system::permits::FairPermit;

use super::run_time::RunTime;
use super::spec::Spec;
use crate::build::Trees;
use crate::expand::ArtifactRequest;
use crate::sources::Sources;

/// One step of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Verify the stored artifacts of the inventory.
    Verify,
    /// Read all sources, and expand the artifacts of the spec.
    Fetch,
    /// Find the published objects with the names of the artifacts.
    LookUp,
    /// Copy the files of an artifact.
    Build {
        /// The index of the artifact.
        index: usize,
    },
    /// Store the files that were copied.
    Store {
        /// The index of the artifact.
        index: usize,
    },
    /// Publish the stored artifact.
    Publish {
        /// The index of the artifact.
        index: usize,
        /// The artifact with its revision.
        artifact: Box<Artifact>,
    },
    /// Find the published objects of the generator.
    FindOwned,
    /// Remove published objects and their stored artifacts.
    Remove(Vec<Removal>),
    /// Remove outdated stored artifacts.
    Collect,
}

/// A published artifact to remove.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Removal {
    /// Its name.
    pub(super) name: String,
    /// The uid of the object.
    pub(super) uid: String,
}

/// Settings of the controller that decisions need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `--no-cross-namespace-refs`.
    pub(crate) no_cross_namespace: bool,
    /// Delay of a retry for a source that is not ready.
    pub(crate) requeue_dependency: Duration,
}

/// The results of the steps so far.
pub(crate) struct Facts {
    pub(super) settings: Settings,
    pub(super) time: RunTime,
    pub(super) spec: Result<Spec, Fault>,
    /// The artifacts of the sources, or why they are unknown.
    pub(super) sources: Result<Sources, String>,
    /// The published objects with known names. A missing one may be new.
    pub(super) live: BTreeMap<String, Arc<ExternalArtifact>>,
    /// Whether an edit or a request caused the run.
    pub(super) is_prompt: bool,
    /// Whether the artifacts are rebuilt. The object shows it from then on.
    pub(super) has_begun: bool,
    /// The state of the storage.
    pub(super) stored: Option<StorageState>,
    pub(super) work: Option<Work>,
    /// The uids of the published objects of the generator, by name.
    pub(super) owned: Option<BTreeMap<String, String>>,
    /// The number of artifacts that were removed.
    pub(super) removed: Option<usize>,
}

/// The state of the stored artifacts of the inventory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StorageState {
    /// All are valid.
    Valid,
    /// The named artifact is missing.
    Missing(String),
    /// The named artifact was changed.
    Corrupt(String),
}

/// The artifacts that are rebuilt.
pub(super) struct Work {
    /// The files of the sources.
    pub(super) trees: Arc<Trees>,
    pub(super) requests: Vec<ArtifactRequest>,
    pub(super) budget: Budget,
    /// The permit to hold the files in memory, until the run ends.
    pub(super) _memory: Option<FairPermit>,
    /// Whether `live` has all objects of the requests that exist.
    pub(super) is_looked_up: bool,
    pub(super) current: Current,
    /// The artifacts that this run has published.
    pub(super) finished: Vec<PublishedArtifact>,
    /// Whether outdated files were removed.
    pub(super) is_collected: bool,
}

/// The artifact that is being made.
pub(super) enum Current {
    /// Nothing yet.
    Nothing,
    /// Its files.
    Built(BuiltArtifact),
    /// Its archive, without the revision of a source.
    Stored(Artifact),
}

/// The files of an artifact.
pub(super) struct BuiltArtifact {
    pub(super) tree: Tree,
    /// The file name of the archive.
    pub(super) file: String,
}

/// An artifact that was published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PublishedArtifact {
    pub(super) reference: ExternalArtifactReference,
    pub(super) revision: String,
    /// Whether consumers see a new digest.
    pub(super) is_new: bool,
}
