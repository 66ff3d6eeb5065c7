//! `ArtifactGenerator`: artifacts built from parts of other artifacts.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{CommonMetadata, Conditions, resource::toolkit_resource},
    source_watcher::annotation,
    word::words,
};

/// Desired state of an artifact generator.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "source.extensions.fluxcd.io",
    version = "v1beta1",
    kind = "ArtifactGenerator",
    plural = "artifactgenerators",
    shortname = "ag",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-sources",
    namespaced,
    status = "ArtifactGeneratorStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A generator of artifacts from parts of other artifacts.",
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    ),
    printcolumn(
        name = "Ready",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].status"
    ),
    printcolumn(
        name = "Status",
        type_ = "string",
        json_path = ".status.conditions[?(@.type==\"Ready\")].message"
    )
)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("x-kubernetes-validations" = [{
    "message": "artifact names must be valid Kubernetes object names when pathPattern is not set",
    "rule": r"has(self.pathPattern) && size(self.pathPattern) > 0 || self.artifacts.all(a, a.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'))",
}]))]
pub struct ArtifactGeneratorSpec {
    /// Artifacts to generate.
    #[schemars(length(min = 1, max = 1000))]
    pub artifacts: Vec<OutputArtifact>,
    /// Labels and annotations for every `ExternalArtifact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_metadata: Option<CommonMetadata>,
    /// Pattern of directories, as `@alias/path`. Each matching directory becomes an artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(
        length(max = 1024),
        regex(pattern = "^@([a-z0-9]([a-z0-9_-]*[a-z0-9])?)/(.*)$")
    )]
    pub path_pattern: Option<String>,
    /// Sources of the artifacts.
    #[schemars(length(min = 1, max = 1000))]
    pub sources: Vec<SourceAliasReference>,
}

/// Artifact to generate.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputArtifact {
    /// Copy operations, in the given order.
    #[schemars(length(min = 1))]
    pub copy: Vec<CopyOperation>,
    /// Name of the `ExternalArtifact`.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Source of the origin revision, as `@alias`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(
        length(max = 64),
        regex(pattern = "^@([a-z0-9]([a-z0-9_-]*[a-z0-9])?)$")
    )]
    pub origin_revision: Option<String>,
    /// Source of the revision, as `@alias`. Defaults to a revision computed from the content.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(
        length(max = 64),
        regex(pattern = "^@([a-z0-9]([a-z0-9_-]*[a-z0-9])?)$")
    )]
    pub revision: Option<String>,
}

/// Copy of files from a source into an artifact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopyOperation {
    /// Patterns of files to exclude.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100), inner(length(max = 1024)))]
    pub exclude: Vec<String>,
    /// Pattern of files in a source, as `@alias/path`.
    #[schemars(
        length(min = 1, max = 1024),
        regex(pattern = "^@([a-z0-9]([a-z0-9_-]*[a-z0-9])?)/(.*)$")
    )]
    pub from: String,
    /// Treatment of existing files. Defaults to `Overwrite`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<CopyStrategy>,
    /// Destination, as `@artifact/path`.
    #[schemars(
        length(min = 1, max = 1024),
        regex(
            pattern = "^@artifact/([^/]{0,1}|[^./][^/]|[.][^./]|[^/]{3,})(/([^/]{0,1}|[^./][^/]|[.][^./]|[^/]{3,}))*$"
        )
    )]
    pub to: String,
}

words! {
    /// Treatments of copied files.
    #[derive(Default)]
    pub enum CopyStrategy {
        /// A later file replaces an earlier one.
        #[default]
        Overwrite = "Overwrite",
        /// A later YAML file is merged into an earlier one.
        Merge = "Merge",
        /// An archive is extracted.
        Extract = "Extract",
    }
}

/// Reference to a source, in any namespace, with an alias.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceAliasReference {
    /// Alias of the source in this spec.
    #[schemars(length(max = 63), regex(pattern = "^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$"))]
    pub alias: String,
    /// Kind of the source.
    pub kind: SourceAliasKind,
    /// Name of the source.
    #[schemars(length(max = 253), regex(pattern = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"))]
    pub name: String,
    /// Namespace of the source. Defaults to the namespace of the generator.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(
        length(min = 1, max = 63),
        regex(pattern = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
    )]
    pub namespace: Option<String>,
}

words! {
    /// Kinds of sources whose artifacts can be used.
    #[derive(Default)]
    pub enum SourceAliasKind {
        /// A bucket of files.
        Bucket = "Bucket",
        /// A Git repository.
        #[default]
        GitRepository = "GitRepository",
        /// An OCI artifact.
        OciRepository = "OCIRepository",
        /// A packaged chart.
        HelmChart = "HelmChart",
        /// An artifact of another controller.
        ExternalArtifact = "ExternalArtifact",
    }
}

/// Observed state of an artifact generator.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactGeneratorStatus {
    /// Conditions of the generator.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Generated artifacts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inventory: Vec<ExternalArtifactReference>,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Digest of all sources at the last generation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_sources_digest: Option<String>,
}

/// Reference to a generated artifact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalArtifactReference {
    /// Digest of the archive, as `<algorithm>:<hex>`.
    pub digest: String,
    /// File name of the archive in storage.
    pub filename: String,
    /// Name of the `ExternalArtifact`.
    pub name: String,
    /// Namespace of the `ExternalArtifact`.
    pub namespace: String,
}

impl ArtifactGenerator {
    /// Reports whether an annotation disables the reconciliation.
    pub fn is_disabled(&self) -> bool {
        let annotations = self.metadata.annotations.as_ref();
        let value = annotations.and_then(|annotations| annotations.get(annotation::RECONCILE));
        value.is_some_and(|value| value.eq_ignore_ascii_case(annotation::DISABLED))
    }
}

toolkit_resource!(
    ArtifactGenerator, suspended: is_disabled, conditions: status, observed: never, handled: status
);
