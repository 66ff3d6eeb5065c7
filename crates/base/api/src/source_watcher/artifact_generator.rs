//! `ArtifactGenerator`: artifacts, made of parts of other artifacts.

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    lenient,
    meta::{CommonMetadata, Conditions, resource::toolkit_resource},
    word::words,
};

/// Which artifacts to make, and of what.
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
    doc = "A recipe that makes artifacts of parts of other artifacts.",
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
    /// The artifacts to make.
    #[schemars(length(min = 1, max = 1000))]
    pub artifacts: Vec<OutputArtifact>,
    /// Labels and annotations put on every `ExternalArtifact`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_metadata: Option<CommonMetadata>,
    /// A pattern of directories, as `@alias/path`; one artifact is made for each that matches.
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
    /// The sources whose artifacts are used.
    #[schemars(length(min = 1, max = 1000))]
    pub sources: Vec<SourceAliasReference>,
}

/// An artifact to make.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputArtifact {
    /// What is copied into it, in the order given.
    #[schemars(length(min = 1))]
    pub copy: Vec<CopyOperation>,
    /// The name of its `ExternalArtifact`.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// The source whose origin revision it takes, as `@alias`.
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
    /// The source whose revision it takes, as `@alias`; computed from its content when absent.
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

/// What is copied from a source into an artifact.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CopyOperation {
    /// Patterns of files that are left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 100), inner(length(max = 1024)))]
    pub exclude: Vec<String>,
    /// A pattern of files in a source, as `@alias/path`.
    #[schemars(
        length(min = 1, max = 1024),
        regex(pattern = "^@([a-z0-9]([a-z0-9_-]*[a-z0-9])?)/(.*)$")
    )]
    pub from: String,
    /// What is done with a file that is there already; it is overwritten when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<CopyStrategy>,
    /// Where they go, as `@artifact/path`.
    #[schemars(
        length(min = 1, max = 1024),
        regex(
            pattern = "^@artifact/([^/]{0,1}|[^./][^/]|[.][^./]|[^/]{3,})(/([^/]{0,1}|[^./][^/]|[.][^./]|[^/]{3,}))*$"
        )
    )]
    pub to: String,
}

words! {
    /// What is done with files as they are copied.
    #[derive(Default)]
    pub enum CopyStrategy {
        /// A later file replaces an earlier one.
        #[default]
        Overwrite = "Overwrite",
        /// A later YAML file is merged into an earlier one.
        Merge = "Merge",
        /// An archive is unpacked.
        Extract = "Extract",
    }
}

/// Names a source, perhaps in another namespace, and gives it a short name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SourceAliasReference {
    /// The name that the rest of the spec uses for it.
    #[schemars(length(max = 63), regex(pattern = "^[a-z0-9]([a-z0-9_-]*[a-z0-9])?$"))]
    pub alias: String,
    /// The kind of the source.
    pub kind: SourceAliasKind,
    /// The name of the source.
    #[schemars(length(max = 253), regex(pattern = "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$"))]
    pub name: String,
    /// The namespace of the source; that of the generator when absent.
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
    /// A kind of source whose artifact can be used.
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
        /// An artifact that someone else made.
        ExternalArtifact = "ExternalArtifact",
    }
}

/// What the controller last made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ArtifactGeneratorStatus {
    /// What can be said about the artifacts.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// The artifacts that were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inventory: Vec<ExternalArtifactReference>,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The digest of all sources as they were used last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub observed_sources_digest: Option<String>,
}

/// An artifact that was made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ExternalArtifactReference {
    /// The digest of the archive, as `<algorithm>:<hex>`.
    pub digest: String,
    /// The name of the archive in storage.
    pub filename: String,
    /// The name of the `ExternalArtifact`.
    pub name: String,
    /// The namespace of the `ExternalArtifact`.
    pub namespace: String,
}

toolkit_resource!(
    ArtifactGenerator, suspended: never, conditions: status, observed: never, handled: status
);
