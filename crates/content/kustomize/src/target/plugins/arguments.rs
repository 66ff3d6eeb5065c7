//! The configuration structs of the builtins, as upstream declares them.

use serde::Deserialize;

use crate::decode::Type::{Bool, Int, List, Struct as Of, Text, TextMap};
use crate::decode::{Field, Struct, field};
use crate::kustomization::fields::{
    CONFIG_MAP_ARGUMENTS, FIELD_SPEC, FieldSpecArguments, IMAGE, Image, OBJECT_META, PATCH, Pairs,
    REPLACEMENT_FIELD, REPLICA, ReplacementField, Replica, SECRET_ARGUMENTS, SELECTOR, Selector,
};

macro_rules! structs {
    ($($constant:ident = $name:literal { $($fields:expr),* $(,)? })*) => {
        $(pub(super) static $constant: Struct = Struct {
            package: "builtins",
            name: $name,
            fields: &[$($fields),*],
        };)*
    };
}

static FIELD_SPECS: [Field; 1] = [field("fieldSpecs", List(&Of(&FIELD_SPEC)))];
static TARGETS: [Field; 1] = [field("targets", List(&Of(&VALUE_ADD_TARGET)))];

pub(super) static CONFIG_MAP: Struct = Struct {
    package: "builtins",
    name: "ConfigMapGeneratorPlugin",
    fields: CONFIG_MAP_ARGUMENTS.fields,
};
pub(super) static SECRET: Struct = Struct {
    package: "builtins",
    name: "SecretGeneratorPlugin",
    fields: SECRET_ARGUMENTS.fields,
};

pub(super) static PATCH_TRANSFORMER: Struct = Struct {
    package: "builtins",
    name: "PatchTransformerPlugin",
    fields: PATCH.fields,
};

structs! {
    ANNOTATIONS = "AnnotationsTransformerPlugin" {
        &[field("annotations", TextMap)],
        &FIELD_SPECS
    }
    LABELS = "LabelTransformerPlugin" { &[field("labels", TextMap)], &FIELD_SPECS }
    PREFIX = "PrefixTransformerPlugin" { &[field("prefix", Text)], &FIELD_SPECS }
    SUFFIX = "SuffixTransformerPlugin" { &[field("suffix", Text)], &FIELD_SPECS }
    NAMESPACE = "NamespaceTransformerPlugin" {
        &[
            field("metadata", Of(&OBJECT_META)),
            field("unsetOnly", Bool),
            field("setRoleBindingSubjects", Text),
        ],
        &FIELD_SPECS
    }
    IMAGE_TAG = "ImageTagTransformerPlugin" {
        &[field("imageTag", Of(&IMAGE))],
        &FIELD_SPECS
    }
    REPLICAS = "ReplicaCountTransformerPlugin" {
        &[field("replica", Of(&REPLICA))],
        &FIELD_SPECS
    }
    REPLACEMENTS = "ReplacementTransformerPlugin" {
        &[field("replacements", List(&Of(&REPLACEMENT_FIELD)))]
    }
    JSON_PATCH = "PatchJson6902TransformerPlugin" {
        &[
            field("target", Of(&SELECTOR)),
            field("path", Text),
            field("jsonOp", Text),
        ]
    }
    STRATEGIC_PATCHES = "PatchStrategicMergeTransformerPlugin" {
        &[field("paths", List(&Text)), field("patches", Text)]
    }
    VALUE_ADD_TARGET = "Target" {
        &[
            field("selector", Of(&SELECTOR)),
            field("fieldPath", Text),
            field("filePathPosition", Int),
        ]
    }
    VALUE_ADD = "ValueAddTransformerPlugin" {
        &[field("value", Text), field("targetFilePath", Text)],
        &TARGETS
    }
    VALUE_ADD_TARGETS = "Targets" { &TARGETS }
    ACCOUNT_IN_CLUSTER = "KubernetesService" {
        &[field("name", Text), field("namespace", Text)]
    }
    ACCOUNT_OF_PROVIDER = "ServiceAccount" {
        &[field("name", Text), field("projectId", Text)]
    }
    IAM_POLICY = "IAMPolicyGeneratorPlugin" {
        &[
            field("cloud", Text),
            field("kubernetesService", Of(&ACCOUNT_IN_CLUSTER)),
            field("serviceAccount", Of(&ACCOUNT_OF_PROVIDER)),
        ]
    }
}

/// The fields of `AnnotationsTransformer` and `LabelTransformer`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct PairsArguments {
    pub(super) annotations: Pairs,
    pub(super) labels: Pairs,
    pub(super) field_specs: Vec<FieldSpecArguments>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Metadata {
    pub(super) namespace: String,
}

/// The fields of `NamespaceTransformer`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct NamespaceArguments {
    pub(super) metadata: Metadata,
    pub(super) unset_only: bool,
    pub(super) set_role_binding_subjects: String,
    pub(super) field_specs: Vec<FieldSpecArguments>,
}

/// The fields of `ImageTagTransformer`, `ReplicaCountTransformer` and `ReplacementTransformer`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct TargetsArguments {
    pub(super) image_tag: Image,
    pub(super) replica: Replica,
    pub(super) replacements: Vec<ReplacementField>,
    pub(super) field_specs: Vec<FieldSpecArguments>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ValueAddTarget {
    pub(super) selector: Option<Selector>,
    pub(super) field_path: String,
    pub(super) file_path_position: i64,
}

/// The fields of `ValueAddTransformer`.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ValueAddArguments {
    pub(super) value: String,
    pub(super) target_file_path: String,
    pub(super) targets: Vec<ValueAddTarget>,
}
