//! What alerts speak about, and receivers wake.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{lenient, word::words};

words! {
    /// A kind that tells events and can be asked to reconcile.
    #[derive(Default)]
    pub enum SubjectKind {
        /// A bucket of files.
        Bucket = "Bucket",
        /// A Git repository.
        GitRepository = "GitRepository",
        /// Manifests, built and applied.
        #[default]
        Kustomization = "Kustomization",
        /// A chart, installed.
        HelmRelease = "HelmRelease",
        /// A packaged chart.
        HelmChart = "HelmChart",
        /// A repository of charts.
        HelmRepository = "HelmRepository",
        /// The tags of a container image.
        ImageRepository = "ImageRepository",
        /// The choice of one of those tags.
        ImagePolicy = "ImagePolicy",
        /// Commits that put a choice into Git.
        ImageUpdateAutomation = "ImageUpdateAutomation",
        /// An OCI artifact.
        OciRepository = "OCIRepository",
        /// Artifacts, made of other artifacts.
        ArtifactGenerator = "ArtifactGenerator",
        /// An artifact that someone else made.
        ExternalArtifact = "ExternalArtifact",
    }
}

/// Names one object or, by `*` or labels, many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectReference {
    /// The API version of the objects; any when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// The kind of the objects.
    pub kind: SubjectKind,
    /// Labels that an object must carry with exactly these values; needs the name `*`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    /// The name of the object, or `*` for all of the kind.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The namespace of the objects; that of the referring object when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 253))]
    pub namespace: Option<String>,
}
