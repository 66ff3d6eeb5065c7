//! References of alerts and receivers to objects.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{lenient, word::words};

words! {
    /// Kinds that send events and can be reconciled on request.
    #[derive(Default)]
    pub enum SubjectKind {
        /// A bucket of files.
        Bucket = "Bucket",
        /// A Git repository.
        GitRepository = "GitRepository",
        /// Manifests to build and apply.
        #[default]
        Kustomization = "Kustomization",
        /// An installed chart.
        HelmRelease = "HelmRelease",
        /// A packaged chart.
        HelmChart = "HelmChart",
        /// A repository of charts.
        HelmRepository = "HelmRepository",
        /// The tags of a container image.
        ImageRepository = "ImageRepository",
        /// The selection of a tag.
        ImagePolicy = "ImagePolicy",
        /// Commits that update images in Git.
        ImageUpdateAutomation = "ImageUpdateAutomation",
        /// An OCI artifact.
        OciRepository = "OCIRepository",
        /// Artifacts built from other artifacts.
        ArtifactGenerator = "ArtifactGenerator",
        /// An artifact of another controller.
        ExternalArtifact = "ExternalArtifact",
    }
}

/// Reference to one object, or to several by `*` or labels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubjectReference {
    /// API version of the objects. Defaults to any.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// Kind of the objects.
    pub kind: SubjectKind,
    /// Labels that an object must have. Requires the name `*`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub match_labels: BTreeMap<String, String>,
    /// Name of the object, or `*` for all objects of the kind.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Namespace of the objects. Defaults to the namespace of the referring object.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 253))]
    pub namespace: Option<String>,
}
