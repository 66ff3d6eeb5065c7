//! `Kustomization`: what to build of an artifact and apply to a cluster.

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

/// What to build and apply, and how.
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
    doc = "A directory of an artifact that is built, applied, pruned and watched for health.",
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
    /// What kustomize notes on each object about its origin.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build_metadata: Vec<BuildMetadata>,
    /// Labels and annotations put on every object; they win over those from the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_metadata: Option<CommonMetadata>,
    /// Paths of kustomize components to add to the build.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<String>,
    /// How encrypted files and objects are decrypted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decryption: Option<Decryption>,
    /// What becomes of the applied objects when the Kustomization is deleted; `MirrorPrune`
    /// when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deletion_policy: Option<DeletionPolicy>,
    /// Kustomizations that must be ready before this one is applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depends_on: Vec<DependencyReference>,
    /// Recreates objects whose immutable fields change.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    #[schemars(extend("default" = false))]
    pub force: bool,
    /// Expressions that judge the health of kinds which do not follow the conventions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_check_exprs: Vec<HealthCheckExpression>,
    /// Objects whose health is awaited; without meaning when `wait` is set.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub health_checks: Vec<NamespacedObjectKindReference>,
    /// Fields that are neither corrected nor applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<IgnoreRule>,
    /// Leaves out components that do not exist instead of failing.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub ignore_missing_components: bool,
    /// Changes to names, tags and digests of container images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// How often the objects are compared with the cluster, and put right.
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub interval: Duration,
    /// The cluster to apply to; the controller's own when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kube_config: Option<KubeConfigReference>,
    /// Put before every name.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 200))]
    pub name_prefix: Option<String>,
    /// Put after every name.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 200))]
    pub name_suffix: Option<String>,
    /// Patches to apply to what is built.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patches: Vec<Patch>,
    /// The directory to build; the root of the artifact when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub path: Option<String>,
    /// What is done to the objects after the build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post_build: Option<PostBuild>,
    /// Deletes objects that are no longer part of the build.
    pub prune: bool,
    /// How soon a failed reconciliation is tried again; the interval when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub retry_interval: Option<Duration>,
    /// The `ServiceAccount` that is impersonated.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
    /// The source whose artifact is built.
    pub source_ref: CrossNamespaceSourceReference,
    /// Stops reconciling; what is applied stays.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
    /// The namespace that all namespaced objects are moved to.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(min = 1, max = 63))]
    pub target_namespace: Option<String>,
    /// How long health is awaited; half a minute less than the interval when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("pattern" = INTERVAL_PATTERN))]
    pub timeout: Option<Duration>,
    /// Awaits the health of all that is applied.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub wait: bool,
}

words! {
    /// A note of kustomize about the origin of an object.
    pub enum BuildMetadata {
        /// Where the object came from.
        OriginAnnotations = "originAnnotations",
        /// Which transformers changed it.
        TransformerAnnotations = "transformerAnnotations",
    }
}

words! {
    /// What becomes of the applied objects when their owner is deleted.
    #[derive(Default)]
    pub enum DeletionPolicy {
        /// Deleted if `prune` is set.
        #[default]
        MirrorPrune = "MirrorPrune",
        /// Deleted.
        Delete = "Delete",
        /// Deleted, and the owner goes after them.
        WaitForTermination = "WaitForTermination",
        /// Left where they are.
        Orphan = "Orphan",
    }
}

/// How encrypted files and objects are decrypted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Decryption {
    /// The tool that they were encrypted with.
    pub provider: DecryptionProvider,
    /// A Secret with private keys or credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub secret_ref: Option<LocalObjectReference>,
    /// The `ServiceAccount` whose identity key services are asked with.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub service_account_name: Option<String>,
}

words! {
    /// A tool that encrypts.
    #[derive(Default)]
    pub enum DecryptionProvider {
        /// SOPS.
        #[default]
        Sops = "sops",
    }
}

/// Another object of the same kind that must be ready first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct DependencyReference {
    /// The name of the dependency.
    pub name: String,
    /// The namespace of the dependency; that of the dependent when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
    /// A CEL expression over `self` and `dep` that says when the dependency is ready.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub ready_expr: Option<String>,
}

/// CEL expressions that judge the health of one kind.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HealthCheckExpression {
    /// The API version of the kind; only the group is compared.
    pub api_version: String,
    /// True when an object is healthy.
    pub current: String,
    /// True when an object has failed.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub failed: Option<String>,
    /// True when an object is on its way.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub in_progress: Option<String>,
    /// The kind; every kind of the group when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub kind: Option<String>,
}

/// Fields of some objects that are left alone.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct IgnoreRule {
    /// JSON pointers to the fields.
    pub paths: Vec<String>,
    /// The objects; all of them when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Selector>,
}

/// What is done to the objects after the build.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostBuild {
    /// Variables and their values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub substitute: BTreeMap<String, String>,
    /// Secrets and `ConfigMaps` with more variables; a later one wins over an earlier one, and
    /// `substitute` over all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub substitute_from: Vec<SubstituteReference>,
    /// Whether anything is substituted when no variable is known; `WithVariables` when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute_strategy: Option<SubstituteStrategy>,
}

/// An object whose data are variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct SubstituteReference {
    /// The kind of the object.
    pub kind: SubstituteReferenceKind,
    /// The name of the object.
    #[schemars(length(min = 1, max = 253))]
    pub name: String,
    /// Tolerates that the object does not exist.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    #[schemars(extend("default" = false))]
    pub optional: bool,
}

words! {
    /// A kind whose data can be variables.
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
    /// When variables are substituted.
    #[derive(Default)]
    pub enum SubstituteStrategy {
        /// When at least one variable is known.
        #[default]
        WithVariables = "WithVariables",
        /// Always, so that defaults in the text take effect.
        Always = "Always",
    }
}

/// Names a source, perhaps in another namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CrossNamespaceSourceReference {
    /// The API version of the source; the controller's own choice when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub api_version: Option<String>,
    /// The kind of the source.
    pub kind: SourceKind,
    /// The name of the source.
    pub name: String,
    /// The namespace of the source; that of the Kustomization when absent.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub namespace: Option<String>,
}

words! {
    /// A kind of source that a Kustomization can build.
    #[derive(Default)]
    pub enum SourceKind {
        /// An OCI artifact.
        OciRepository = "OCIRepository",
        /// A Git repository.
        #[default]
        GitRepository = "GitRepository",
        /// A bucket of files.
        Bucket = "Bucket",
        /// An artifact that someone else made.
        ExternalArtifact = "ExternalArtifact",
    }
}

/// What the controller last did for a Kustomization.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("default" = unobserved()))]
pub struct KustomizationStatus {
    /// What can be said about the Kustomization.
    #[serde(default, skip_serializing_if = "Conditions::is_empty")]
    pub conditions: Conditions,
    /// What was reconciled lately, newest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<Snapshot>,
    /// The objects that were applied, and so may be pruned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inventory: Option<ResourceInventory>,
    /// The revision of the source that the applied artifact was derived from.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_applied_origin_revision: Option<String>,
    /// The revision that was applied last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_applied_revision: Option<String>,
    /// The revision that was tried last.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_attempted_revision: Option<String>,
    /// The last request for a reconciliation that was handled.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_handled_reconcile_at: Option<String>,
    /// The generation that this status speaks of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observed_generation: Option<i64>,
}

toolkit_resource!(Kustomization);
