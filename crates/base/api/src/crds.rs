//! Custom resource definitions, generated from the types and embedded as text.
//!
//! `cargo xtask generate` writes [`generate`] to `crds/`; other code reads [`crds`]. The
//! descriptions are the doc comments of the types, so users read them.

use kube::CustomResourceExt;
use serde_json::{Map, Value, json};

use crate::{
    helm::HelmRelease,
    image::{ImagePolicy, ImageRepository, ImageUpdateAutomation},
    kustomize::Kustomization,
    notification::{Alert, Provider, Receiver},
    source::{Bucket, ExternalArtifact, GitRepository, HelmChart, HelmRepository, OciRepository},
    source_watcher::ArtifactGenerator,
};

/// Annotation with the generator of Flux's definitions, which some tools expect.
const GENERATOR: (&str, &str) = ("controller-gen.kubebuilder.io/version", "v0.21.0");

/// The definitions of every component, in installation order.
///
/// Each text is a stream of YAML documents, one per kind, sorted by name.
pub const COMPONENT_CRDS: &[(&str, &str)] = &[
    (
        "source-controller",
        include_str!("../crds/source-controller.yaml"),
    ),
    (
        "kustomize-controller",
        include_str!("../crds/kustomize-controller.yaml"),
    ),
    (
        "helm-controller",
        include_str!("../crds/helm-controller.yaml"),
    ),
    (
        "notification-controller",
        include_str!("../crds/notification-controller.yaml"),
    ),
    (
        "image-reflector-controller",
        include_str!("../crds/image-reflector-controller.yaml"),
    ),
    (
        "image-automation-controller",
        include_str!("../crds/image-automation-controller.yaml"),
    ),
    (
        "source-watcher",
        include_str!("../crds/source-watcher.yaml"),
    ),
];

/// Returns the definitions of a component as YAML documents.
pub fn crds(component: &str) -> Option<&'static str> {
    COMPONENT_CRDS
        .iter()
        .find(|(name, _)| *name == component)
        .map(|(_, yaml)| *yaml)
}

/// Generates the definitions of every component from the types.
pub fn generate() -> Vec<(&'static str, Vec<Value>)> {
    vec![
        (
            "source-controller",
            vec![
                definition::<Bucket>(),
                definition::<ExternalArtifact>(),
                definition::<GitRepository>(),
                definition::<HelmChart>(),
                definition::<HelmRepository>(),
                definition::<OciRepository>(),
            ],
        ),
        ("kustomize-controller", vec![definition::<Kustomization>()]),
        ("helm-controller", vec![definition::<HelmRelease>()]),
        (
            "notification-controller",
            vec![
                definition::<Alert>(),
                definition::<Provider>(),
                definition::<Receiver>(),
            ],
        ),
        (
            "image-reflector-controller",
            vec![definition::<ImagePolicy>(), definition::<ImageRepository>()],
        ),
        (
            "image-automation-controller",
            vec![definition::<ImageUpdateAutomation>()],
        ),
        ("source-watcher", vec![definition::<ArtifactGenerator>()]),
    ]
}

/// Generates the definition of a kind.
///
/// An annotation disables Flux's variable substitution, because the patterns contain `$`.
fn definition<K: CustomResourceExt>() -> Value {
    let mut definition =
        serde_json::to_value(K::crd()).expect("a definition has only strings, lists and maps");
    let annotations = Map::from_iter([
        (GENERATOR.0.to_owned(), json!(GENERATOR.1)),
        (
            crate::kustomize::annotation::SUBSTITUTE.to_owned(),
            json!(crate::kustomize::DISABLED),
        ),
    ]);
    definition["metadata"]["annotations"] = annotations.into();
    let spec = &mut definition["spec"];
    let kind = spec["names"]["kind"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    spec["names"]["listKind"] = format!("{kind}List").into();
    let versions = spec["versions"].as_array_mut().into_iter().flatten();
    for version in versions {
        // Flux's definitions have the field even without a status.
        if version["subresources"].is_null() {
            version["subresources"] = json!({});
        }
        let root = &mut version["schema"]["openAPIV3Schema"];
        conform(root);
        complete_root(root);
    }
    definition
}

/// Adds the fields of every Kubernetes object.
fn complete_root(root: &mut Value) {
    if let Some(root) = root.as_object_mut() {
        // Flux's definitions accept an object without a spec; the controller rejects it.
        root.remove("required");
        root.remove("title");
    }
    let properties = &mut root["properties"];
    properties["apiVersion"] = json!({
        "description": "API group and version of this object.",
        "type": "string",
    });
    properties["kind"] = json!({
        "description": "Kind of this object, in camel case.",
        "type": "string",
    });
    properties["metadata"] = json!({ "type": "object" });
}

/// Converts the schema of a Rust type to that of the Go type.
///
/// Go's schemas have neither `null` nor the width of an int. Bounds were converted to floats and
/// become integers again.
fn conform(schema: &mut Value) {
    let Some(schema) = schema.as_object_mut() else {
        return;
    };
    schema.remove("nullable");
    if schema.get("format").is_some_and(|format| format == "int32") {
        schema.remove("format");
    }
    for bound in ["minimum", "maximum"] {
        if let Some(bound) = schema.get_mut(bound) {
            *bound = whole(bound);
        }
    }
    if let Some(words) = schema.get_mut("enum").and_then(Value::as_array_mut) {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::String(description)) = schema.get_mut("description") {
        *description = unwrap_lines(description);
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = schema.get_mut(inner) {
            conform(inner);
        }
    }
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(conform);
    }
}

/// Converts a float without a fraction to an integer.
fn whole(number: &Value) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the bounds of the types are small"
    )]
    match number.as_f64() {
        Some(float) if float.fract() == 0.0 => (float as i64).into(),
        _ => number.clone(),
    }
}

/// Joins the lines of each paragraph of a doc comment and removes its markup.
fn unwrap_lines(text: &str) -> String {
    let paragraphs = text.split("\n\n").map(|paragraph| {
        paragraph
            .lines()
            .map(str::trim)
            .collect::<Vec<_>>()
            .join(" ")
            .replace('`', "")
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}
