//! The data of a run of a `HelmChart`: its steps, and the results of the steps so far.

use std::sync::Arc;

use sluice_api::Artifact;
use sluice_api::source::HelmRepository;
use sluice_chart::index::ChartVersion;
use sluice_oci::Digest;
use sluice_producer::Spool;

use crate::helm::http::HttpRepository;
use crate::helm::registry::RegistryRepository;
use crate::notation::Verdict;

/// One step of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Read the source of the chart.
    FindSource,
    /// Find the version that fits.
    Resolve,
    /// Verify the signature of the chart.
    Verify,
    /// Pull or package the chart.
    Build,
    /// Store the chart as an artifact.
    Store,
}

/// The results of the steps so far.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub(super) source: Option<ChartSource>,
    pub(super) resolved: Option<ResolvedChart>,
    pub(super) verified: Option<VerifiedChart>,
    pub(super) built: Option<BuiltChart>,
    pub(super) stored: Option<NewArtifact>,
}

/// The source of a chart.
#[derive(Debug, Clone)]
pub(super) enum ChartSource {
    /// A repository of charts.
    Repository(Arc<HelmRepository>),
    /// The artifact of a `GitRepository` or a `Bucket`.
    Artifact(Box<Artifact>),
}

/// The chart that fits.
#[derive(Debug, Clone)]
pub(super) struct ResolvedChart {
    pub(super) name: String,
    /// The version of the artifact, with the build metadata that the spec adds.
    pub(super) version: String,
    pub(super) origin: ChartOrigin,
}

/// Where the chart comes from.
#[derive(Debug, Clone)]
pub(super) enum ChartOrigin {
    /// A repository over HTTP.
    Http {
        repository: Box<HttpRepository>,
        entry: Box<ChartVersion>,
    },
    /// A repository in a registry, and the version there.
    Registry {
        repository: Box<RegistryRepository>,
        version: String,
    },
    /// A path in an artifact.
    Files {
        artifact: Box<Artifact>,
        path: String,
        is_folder: bool,
    },
}

/// The chart that was verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VerifiedChart {
    /// Only this digest may be pulled.
    pub(super) digest: Digest,
    pub(super) verdict: Verdict,
    /// Whether the artifact was made of this digest. Unknown after a restart.
    pub(super) is_stored: bool,
}

/// A pulled or packaged chart.
#[derive(Debug)]
pub(super) struct BuiltChart {
    /// The archive, until it is stored.
    pub(super) archive: Spool,
    /// The files that were merged into the values of the chart.
    pub(super) values_files: Vec<String>,
    pub(super) is_packaged: bool,
    /// The number of dependencies that were added.
    pub(super) dependencies: usize,
}

/// A new artifact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NewArtifact {
    pub(super) artifact: Artifact,
    /// The URL of the link, or why it could not be created.
    pub(super) link: Result<String, String>,
}

impl ChartSource {
    /// The artifact of the source, if it has one.
    pub(super) fn artifact(&self) -> Option<&Artifact> {
        match self {
            Self::Repository(repository) => repository.status.as_ref()?.artifact.as_ref(),
            Self::Artifact(artifact) => Some(artifact),
        }
    }
}

impl ResolvedChart {
    /// Whether the chart is packaged, even if nothing changes it.
    pub(super) fn is_folder(&self) -> bool {
        matches!(
            &self.origin,
            ChartOrigin::Files {
                is_folder: true,
                ..
            }
        )
    }
}
