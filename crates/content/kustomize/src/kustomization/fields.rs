//! The typed fields of a kustomization file, and upstream's structs of them.
//!
//! Parity: kustomize: `api/types`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sluice_yaml::{Map, Value};

use crate::decode::Type::{AnyMap, Bool, Int, Int64, List, Named, Text, TextMap};
use crate::decode::{self, Field, Struct, embedded, field};

const TEXTS: decode::Type = List(&Text);

macro_rules! structs {
    ($($constant:ident = $name:literal { $($fields:expr),* $(,)? })*) => {
        $(pub(crate) static $constant: Struct = Struct {
            package: "types",
            name: $name,
            fields: &[$($fields),*],
        };)*
    };
}

static GVK: [Field; 3] = [
    embedded("group", "Gvk.", Text),
    embedded("version", "Gvk.", Text),
    embedded("kind", "Gvk.", Text),
];
static RESOURCE_ID: [Field; 5] = [
    embedded("group", "ResId.Gvk.", Text),
    embedded("version", "ResId.Gvk.", Text),
    embedded("kind", "ResId.Gvk.", Text),
    embedded("name", "ResId.", Text),
    embedded("namespace", "ResId.", Text),
];
static GENERATOR_ARGUMENTS: [Field; 8] = [
    embedded("namespace", "GeneratorArgs.", Text),
    embedded("name", "GeneratorArgs.", Text),
    embedded("behavior", "GeneratorArgs.", Text),
    embedded("literals", "GeneratorArgs.KvPairSources.", TEXTS),
    embedded("files", "GeneratorArgs.KvPairSources.", TEXTS),
    embedded("envs", "GeneratorArgs.KvPairSources.", TEXTS),
    embedded("env", "GeneratorArgs.KvPairSources.", Text),
    embedded(
        "options",
        "GeneratorArgs.",
        decode::Type::Struct(&GENERATOR_OPTIONS),
    ),
];
static REPLACEMENT: [Field; 3] = [
    embedded(
        "source",
        "Replacement.",
        decode::Type::Struct(&SOURCE_SELECTOR),
    ),
    embedded(
        "targets",
        "Replacement.",
        List(&decode::Type::Struct(&TARGET_SELECTOR)),
    ),
    embedded("sourceValue", "Replacement.", Text),
];
static HELM_ARGUMENTS: [Field; 13] = [
    field("chartName", Text),
    field("chartVersion", Text),
    field("chartRepoUrl", Text),
    field("chartHome", Text),
    field("chartRepoName", Text),
    field("helmBin", Text),
    field("helmHome", Text),
    field("values", Text),
    field("valuesLocal", AnyMap),
    field("valuesMerge", Text),
    field("releaseName", Text),
    field("releaseNamespace", Text),
    field("extraArgs", TEXTS),
];

structs! {
    OBJECT_META = "ObjectMeta" {
        &[
            field("name", Text),
            field("namespace", Text),
            field("labels", TextMap),
            field("annotations", TextMap),
        ]
    }
    FIELD_SPEC = "FieldSpec" { &GVK, &[field("path", Text), field("create", Bool)] }
    LABEL = "Label" {
        &[
            field("pairs", TextMap),
            field("includeSelectors", Bool),
            field("includeTemplates", Bool),
            field("fields", List(&decode::Type::Struct(&FIELD_SPEC))),
        ]
    }
    SELECTOR = "Selector" {
        &RESOURCE_ID,
        &[field("annotationSelector", Text), field("labelSelector", Text)]
    }
    PATCH_ARGUMENTS = "PatchArgs" {
        &[field("allowNameChange", Bool), field("allowKindChange", Bool)]
    }
    PATCH = "Patch" {
        &[
            field("path", Text),
            field("patch", Text),
            field("target", decode::Type::Struct(&SELECTOR)),
            field("options", decode::Type::Struct(&PATCH_ARGUMENTS)),
        ]
    }
    IMAGE = "Image" {
        &[
            field("name", Text),
            field("newName", Text),
            field("tagSuffix", Text),
            field("newTag", Text),
            field("digest", Text),
        ]
    }
    FIELD_OPTIONS = "FieldOptions" {
        &[
            field("delimiter", Text),
            field("index", Int),
            field("encoding", Text),
            field("create", Bool),
        ]
    }
    SOURCE_SELECTOR = "SourceSelector" {
        &RESOURCE_ID,
        &[
            field("fieldPath", Text),
            field("options", decode::Type::Struct(&FIELD_OPTIONS)),
        ]
    }
    TARGET_SELECTOR = "TargetSelector" {
        &[
            field("select", decode::Type::Struct(&SELECTOR)),
            field("reject", List(&decode::Type::Struct(&SELECTOR))),
            field("fieldPaths", TEXTS),
            field("options", decode::Type::Struct(&FIELD_OPTIONS)),
        ]
    }
    REPLACEMENT_ONLY = "Replacement" {
        &[
            field("source", decode::Type::Struct(&SOURCE_SELECTOR)),
            field("targets", List(&decode::Type::Struct(&TARGET_SELECTOR))),
            field("sourceValue", Text),
        ]
    }
    REPLACEMENT_FIELD = "ReplacementField" { &REPLACEMENT, &[field("path", Text)] }
    REPLICA = "Replica" { &[field("name", Text), field("count", Int64)] }
    VAR_TARGET = "Target" {
        &[field("apiVersion", Text)],
        &GVK,
        &[field("name", Text), field("namespace", Text)]
    }
    FIELD_SELECTOR = "FieldSelector" { &[field("fieldPath", Text)] }
    VAR = "Var" {
        &[
            field("name", Text),
            field("objref", decode::Type::Struct(&VAR_TARGET)),
            field("fieldref", decode::Type::Struct(&FIELD_SELECTOR)),
        ]
    }
    LEGACY_SORT_OPTIONS = "LegacySortOptions" {
        &[field("orderFirst", TEXTS), field("orderLast", TEXTS)]
    }
    SORT_OPTIONS = "SortOptions" {
        &[
            field("order", Named("types.SortOrder")),
            field("legacySortOptions", decode::Type::Struct(&LEGACY_SORT_OPTIONS)),
        ]
    }
    GENERATOR_OPTIONS = "GeneratorOptions" {
        &[
            field("labels", TextMap),
            field("annotations", TextMap),
            field("disableNameSuffixHash", Bool),
            field("immutable", Bool),
        ]
    }
    CONFIG_MAP_ARGUMENTS = "ConfigMapArgs" { &GENERATOR_ARGUMENTS }
    SECRET_ARGUMENTS = "SecretArgs" { &GENERATOR_ARGUMENTS, &[field("type", Text)] }
    HELM_GLOBALS = "HelmGlobals" { &[field("chartHome", Text), field("configHome", Text)] }
    HELM_CHART = "HelmChart" {
        &[
            field("name", Text),
            field("version", Text),
            field("repo", Text),
            field("releaseName", Text),
            field("namespace", Text),
            field("additionalValuesFiles", TEXTS),
            field("valuesFile", Text),
            field("valuesInline", AnyMap),
            field("valuesMerge", Text),
            field("includeCRDs", Bool),
            field("skipHooks", Bool),
            field("apiVersions", TEXTS),
            field("kubeVersion", Text),
            field("nameTemplate", Text),
            field("skipTests", Bool),
            field("debug", Bool),
            field("devel", Bool),
        ]
    }
    HELM_CHART_ARGUMENTS = "HelmChartArgs" { &HELM_ARGUMENTS }
    KUSTOMIZATION = "Kustomization" {
        &[
            embedded("kind", "TypeMeta.", Text),
            embedded("apiVersion", "TypeMeta.", Text),
            field("metadata", decode::Type::Struct(&OBJECT_META)),
            field("openapi", TextMap),
            field("namePrefix", Text),
            field("nameSuffix", Text),
            field("namespace", Text),
            field("commonLabels", TextMap),
            field("labels", List(&decode::Type::Struct(&LABEL))),
            field("commonAnnotations", TextMap),
            field("patchesStrategicMerge", List(&Named("types.PatchStrategicMerge"))),
            field("patchesJson6902", List(&decode::Type::Struct(&PATCH))),
            field("patches", List(&decode::Type::Struct(&PATCH))),
            field("images", List(&decode::Type::Struct(&IMAGE))),
            field("imageTags", List(&decode::Type::Struct(&IMAGE))),
            field("replacements", List(&decode::Type::Struct(&REPLACEMENT_FIELD))),
            field("replicas", List(&decode::Type::Struct(&REPLICA))),
            field("vars", List(&decode::Type::Struct(&VAR))),
            field("sortOptions", decode::Type::Struct(&SORT_OPTIONS)),
            field("resources", TEXTS),
            field("components", TEXTS),
            field("crds", TEXTS),
            field("bases", TEXTS),
            field("configMapGenerator", List(&decode::Type::Struct(&CONFIG_MAP_ARGUMENTS))),
            field("secretGenerator", List(&decode::Type::Struct(&SECRET_ARGUMENTS))),
            field("helmGlobals", decode::Type::Struct(&HELM_GLOBALS)),
            field("helmCharts", List(&decode::Type::Struct(&HELM_CHART))),
            field(
                "helmChartInflationGenerator",
                List(&decode::Type::Struct(&HELM_CHART_ARGUMENTS)),
            ),
            field("generatorOptions", decode::Type::Struct(&GENERATOR_OPTIONS)),
            field("configurations", TEXTS),
            field("generators", TEXTS),
            field("transformers", TEXTS),
            field("validators", TEXTS),
            field("buildMetadata", TEXTS),
        ]
    }
}

/// Labels or annotations to set.
pub(crate) type Pairs = BTreeMap<String, String>;

/// A kustomization file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Fields {
    pub(crate) kind: String,
    pub(crate) api_version: String,
    pub(crate) openapi: Option<BTreeMap<String, String>>,
    pub(crate) name_prefix: String,
    pub(crate) name_suffix: String,
    pub(crate) namespace: String,
    pub(crate) common_labels: Option<Pairs>,
    pub(crate) labels: Vec<Label>,
    pub(crate) common_annotations: Pairs,
    pub(crate) patches_strategic_merge: Option<Vec<String>>,
    #[serde(rename = "patchesJson6902")]
    pub(crate) patches_json6902: Option<Vec<Patch>>,
    pub(crate) patches: Vec<Patch>,
    pub(crate) images: Vec<Image>,
    pub(crate) image_tags: Option<Vec<Image>>,
    pub(crate) replacements: Vec<ReplacementField>,
    pub(crate) replicas: Vec<Replica>,
    pub(crate) vars: Option<Vec<Var>>,
    pub(crate) sort_options: Option<SortOptions>,
    pub(crate) resources: Vec<String>,
    pub(crate) components: Vec<String>,
    pub(crate) crds: Vec<String>,
    pub(crate) bases: Option<Vec<String>>,
    pub(crate) config_map_generator: Vec<GeneratorArguments>,
    pub(crate) secret_generator: Vec<GeneratorArguments>,
    pub(crate) helm_globals: Option<Map<String, Value>>,
    pub(crate) helm_charts: Vec<Map<String, Value>>,
    pub(crate) helm_chart_inflation_generator: Vec<Map<String, Value>>,
    pub(crate) generator_options: Option<GeneratorOptions>,
    pub(crate) configurations: Vec<String>,
    pub(crate) generators: Vec<String>,
    pub(crate) transformers: Vec<String>,
    pub(crate) validators: Vec<String>,
    pub(crate) build_metadata: Vec<String>,
}

/// A field specification as users write it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct FieldSpecArguments {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) path: String,
    pub(crate) create: bool,
}

/// An entry of `labels`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Label {
    pub(crate) pairs: Pairs,
    pub(crate) include_selectors: bool,
    pub(crate) include_templates: bool,
    pub(crate) fields: Vec<FieldSpecArguments>,
}

/// Selects resources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
#[expect(
    clippy::struct_field_names,
    reason = "the names of the fields are upstream's"
)]
pub(crate) struct Selector {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) annotation_selector: String,
    pub(crate) label_selector: String,
}

/// Whether a patch may change the name and kind of its target.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct PatchOptions {
    pub(crate) allow_name_change: bool,
    pub(crate) allow_kind_change: bool,
}

/// An entry of `patches`, or of `patchesJson6902`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(default)]
#[expect(
    clippy::struct_field_names,
    reason = "the names of the fields are upstream's"
)]
pub(crate) struct Patch {
    pub(crate) path: String,
    pub(crate) patch: String,
    pub(crate) target: Option<Selector>,
    pub(crate) options: Option<PatchOptions>,
}

/// An entry of `images`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Image {
    pub(crate) name: String,
    pub(crate) new_name: String,
    pub(crate) tag_suffix: String,
    pub(crate) new_tag: String,
    pub(crate) digest: String,
}

/// How to take or write a part of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct FieldOptions {
    pub(crate) delimiter: String,
    pub(crate) index: i64,
    pub(crate) encoding: String,
    pub(crate) create: bool,
}

/// The source of a replacement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SourceSelector {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) namespace: String,
    pub(crate) field_path: String,
    pub(crate) options: Option<FieldOptions>,
}

/// The targets of a replacement.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TargetSelector {
    pub(crate) select: Option<Selector>,
    pub(crate) reject: Vec<Selector>,
    pub(crate) field_paths: Vec<String>,
    pub(crate) options: Option<FieldOptions>,
}

/// Copies a value from one field into others.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Replacement {
    pub(crate) source: Option<SourceSelector>,
    pub(crate) targets: Vec<TargetSelector>,
    pub(crate) source_value: Option<String>,
}

/// An entry of `replacements`: a replacement, or the path of a file with several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct ReplacementField {
    #[serde(flatten)]
    pub(crate) replacement: Replacement,
    pub(crate) path: String,
}

/// An entry of `replicas`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Replica {
    pub(crate) name: String,
    pub(crate) count: i64,
}

/// The object that a var refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct VarTarget {
    pub(crate) api_version: String,
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) namespace: String,
}

/// The field that a var reads.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct FieldSelector {
    pub(crate) field_path: String,
}

/// An entry of `vars`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Var {
    pub(crate) name: String,
    pub(crate) objref: VarTarget,
    pub(crate) fieldref: FieldSelector,
}

/// `sortOptions`
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct SortOptions {
    pub(crate) order: String,
    pub(crate) legacy_sort_options: Option<LegacySortOptions>,
}

/// The kinds that sort first and last.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct LegacySortOptions {
    pub(crate) order_first: Vec<String>,
    pub(crate) order_last: Vec<String>,
}

/// `generatorOptions`, or `options` of a generator.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct GeneratorOptions {
    pub(crate) labels: Option<Pairs>,
    pub(crate) annotations: Option<Pairs>,
    pub(crate) disable_name_suffix_hash: bool,
    pub(crate) immutable: bool,
}

/// An entry of `configMapGenerator` or `secretGenerator`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct GeneratorArguments {
    pub(crate) namespace: String,
    pub(crate) name: String,
    pub(crate) behavior: String,
    pub(crate) literals: Vec<String>,
    pub(crate) files: Vec<String>,
    pub(crate) envs: Vec<String>,
    pub(crate) env: String,
    pub(crate) options: Option<GeneratorOptions>,
    /// Only for secrets.
    #[serde(rename = "type")]
    pub(crate) secret_type: String,
}
