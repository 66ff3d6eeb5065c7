//! `Kustomization`: a directory of an artifact to build and apply.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::overlay::{Image, Patch, Selector};
use crate::{
    history::Snapshot,
    inventory::ResourceInventory,
    lenient,
    meta::{
        CommonMetadata, Conditions, Duration, KubeConfigReference, LocalObjectReference,
        NamespacedObjectKindReference, duration::INTERVAL_PATTERN, reference::unobserved,
        resource::toolkit_resource,
    },
    word::words,
};

/// Desired state of a Kustomization.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "kustomize.toolkit.fluxcd.io",
    version = "v1",
    kind = "Kustomization",
    plural = "kustomizations",
    shortname = "ks",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-appliers",
    namespaced,
    status = "KustomizationStatus",
    derive = "Default",
    derive = "PartialEq",
    doc = "A directory of an artifact to build and apply, with pruning and health checks.",
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
pub struct KustomizationSpec {
    /// Annotations about its origin that kustomize adds to each object.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_metadata: Vec<BuildMetadata>,
    /// Labels and annotations for every object. They override those of the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_metadata: Option<CommonMetadata>,
    /// Paths of kustomize components to add to the build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// Decryption of encrypted files and objects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decryption: Option<Decryption>,
    /// Treatment of applied objects when the Kustomization is deleted. Defaults to `MirrorPrune`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_policy: Option<DeletionPolicy>,
    /// Kustomizations that must be ready before this one is applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<DependencyReference>,
    /// Recreates objects whose immutable fields change.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    #[schemars(extend("default" = false))]
    pub force: bool,
    /// CEL expressions for the health of kinds that do not follow the status conventions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_check_exprs: Vec<HealthCheckExpression>,
    /// Objects whose health is checked. Ignored if `wait` is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_checks: Vec<NamespacedObjectKindReference>,
    /// Fields to neither apply nor correct.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<IgnoreRule>,
    /// Ignores missing components instead of failing.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_missing_components: bool,
    /// Changes to names, tags and digests of container images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// Interval of reconciliations, which correct drift.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// Target cluster. Defaults to the cluster of the controller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kube_config: Option<KubeConfigReference>,
    /// Prefix of every object name.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 200))]
    pub name_prefix: Option<String>,
    /// Suffix of every object name.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 200))]
    pub name_suffix: Option<String>,
    /// Patches for the built objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<Patch>,
    /// Directory to build. Defaults to the root of the artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub path: Option<String>,
    /// Changes to the objects after the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_build: Option<PostBuild>,
    /// Deletes applied objects that are missing from the build.
    pub prune: bool,
    /// Interval of retries after a failure. Defaults to the interval of reconciliations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub retry_interval: Option<Duration>,
    /// `ServiceAccount` to impersonate.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// Source whose artifact is built.
    pub source_ref: CrossNamespaceSourceReference,
    /// Suspends reconciliation. Applied objects stay.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// Namespace of all namespaced objects. It replaces their own.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub target_namespace: Option<String>,
    /// Timeout of health checks. Defaults to the interval minus 30 seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
    /// Checks the health of all applied objects.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub wait: bool,
}

words! {
    /// Annotations of kustomize about the origin of an object.
    pub enum BuildMetadata {
        /// Origin of the object.
        OriginAnnotations = "originAnnotations",
        /// Transformers that changed the object.
        TransformerAnnotations = "transformerAnnotations",
    }
}

words! {
    /// Treatment of applied objects when the Kustomization is deleted.
    #[derive(Default)]
    pub enum DeletionPolicy {
        /// Delete the objects if `prune` is set.
        #[default]
        MirrorPrune = "MirrorPrune",
        /// Delete the objects.
        Delete = "Delete",
        /// Delete the objects and wait until they are gone.
        WaitForTermination = "WaitForTermination",
        /// Keep the objects.
        Orphan = "Orphan",
    }
}

/// Decryption of encrypted files and objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decryption {
    /// Tool that encrypted the data.
    pub provider: DecryptionProvider,
    /// Secret with private keys or credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// `ServiceAccount` whose identity authenticates to key services.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
}

words! {
    /// Decryption providers.
    #[derive(Default)]
    pub enum DecryptionProvider {
        /// SOPS.
        #[default]
        Sops = "sops",
    }
}

/// Reference to an object of the same kind that must be ready first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DependencyReference {
    /// Name of the dependency.
    pub name: String,
    /// Namespace of the dependency. Defaults to the namespace of this object.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
    /// CEL expression over `self` and `dep` that is true if the dependency is ready.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub ready_expr: Option<String>,
}

/// CEL expressions for the health of a kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HealthCheckExpression {
    /// API version of the kind. Only the group is compared.
    pub api_version: String,
    /// CEL expression that is true if an object is healthy.
    pub current: String,
    /// CEL expression that is true if an object has failed.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub failed: Option<String>,
    /// CEL expression that is true if an object is in progress.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub in_progress: Option<String>,
    /// Kind. Defaults to every kind of the group.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<String>,
}

/// Fields of objects to ignore.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IgnoreRule {
    /// JSON pointers to the fields.
    pub paths: Vec<String>,
    /// Objects to select. Defaults to all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Selector>,
}

/// Changes to the objects after the build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostBuild {
    /// Variables and their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub substitute: BTreeMap<String, String>,
    /// Secrets and `ConfigMaps` with variables. Later ones override earlier ones, and `substitute`
    /// overrides all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub substitute_from: Vec<SubstituteReference>,
    /// Condition for substitution. Defaults to `WithVariables`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute_strategy: Option<SubstituteStrategy>,
}

/// Reference to an object with variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubstituteReference {
    /// Kind of the object.
    pub kind: SubstituteReferenceKind,
    /// Name of the object.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Ignores a missing object.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    #[schemars(extend("default" = false))]
    pub optional: bool,
}

words! {
    /// Kinds that can hold variables.
    #[derive(Default)]
    pub enum SubstituteReferenceKind {
        /// A Secret.
        #[default]
        Secret = "Secret",
        /// A `ConfigMap`.
        ConfigMap = "ConfigMap",
    }
}

words! {
    /// Conditions for substitution.
    #[derive(Default)]
    pub enum SubstituteStrategy {
        /// Substitute if at least one variable is defined.
        #[default]
        WithVariables = "WithVariables",
        /// Always substitute, so that defaults in the text apply.
        Always = "Always",
    }
}

/// Reference to a source, in any namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrossNamespaceSourceReference {
    /// API version of the source. Defaults to the controller's preferred version.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// Kind of the source.
    pub kind: SourceKind,
    /// Name of the source.
    pub name: String,
    /// Namespace of the source. Defaults to the namespace of the Kustomization.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
}

words! {
    /// Kinds of sources that a Kustomization can build.
    #[derive(Default)]
    pub enum SourceKind {
        /// An OCI artifact.
        OciRepository = "OCIRepository",
        /// A Git repository.
        #[default]
        GitRepository = "GitRepository",
        /// A bucket of files.
        Bucket = "Bucket",
        /// An artifact of another controller.
        ExternalArtifact = "ExternalArtifact",
    }
}

/// Observed state of a Kustomization.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct KustomizationStatus {
    /// Conditions of the Kustomization.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// Recent reconciliations, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Snapshot>,
    /// Applied objects, which pruning may delete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<ResourceInventory>,
    /// Origin revision of the last applied artifact.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_applied_origin_revision: Option<String>,
    /// Last applied revision.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_applied_revision: Option<String>,
    /// Last attempted revision.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_revision: Option<String>,
    /// Last handled value of the annotation that requests a reconciliation.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// Last observed generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

toolkit_resource!(Kustomization);
