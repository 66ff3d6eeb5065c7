//! Implements `export`: prints objects as manifests that can be applied again.

use std::fmt::Write as _;

use clap::{ArgMatches, Command};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sluice_api::{helm, image, kustomize, notification, source, source_watcher};
use sluice_insight::fields::text;
use sluice_insight::kinds::Resource;
use sluice_object::Object;

use super::nouns::{self, Form};
use crate::cluster::{Context, ListError};
use crate::error::CommandError;
use crate::{CommandResult, Exit, flags, output};

/// kubectl's annotation, which holds a copy of the whole manifest.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

pub fn augment(command: Command) -> Command {
    let command = command.arg(
        flags::switch("all")
            .global(true)
            .help("Export all objects in the namespace"),
    );
    let command = nouns::add(
        command,
        Form::Singular,
        |_| true,
        |resource, command| {
            command
                .about(format!("Export {} objects as YAML", resource.kind))
                .arg(nouns::names())
        },
    );
    command.mut_subcommand("source", |sources| {
        sources.arg(
            flags::switch("with-credentials")
                .global(true)
                .help("Include the referenced Secret"),
        )
    })
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let resource = nouns::resource(Form::Singular, &words)?;
    let all = leaf.get_flag("all");
    let credentials = leaf
        .try_get_one::<bool>("with-credentials")
        .ok()
        .flatten()
        .copied()
        .unwrap_or_default();
    let name = nouns::only(leaf, context);
    if !all && name.is_none() {
        return Err(CommandError::missing_name("name is required"));
    }
    let namespace = context.namespace();
    let objects = context.block_on(async {
        match &name {
            Some(name) if !all => Ok(vec![context.required(resource, name).await?]),
            _ => context
                .list(resource, Some(&namespace), None, None)
                .await
                .map_err(ListError::into_command),
        }
    })??;
    if objects.is_empty() {
        return Err(CommandError::user(format!(
            "no objects found in {namespace} namespace"
        )));
    }
    let mut documents = String::new();
    for object in &objects {
        push(&mut documents, &manifest(resource, object));
        if credentials && let Some(secret) = context.block_on(secret(context, object))?? {
            push(&mut documents, &secret);
        }
    }
    output::data(&documents)?;
    Ok(Exit::SUCCESS)
}

fn push(documents: &mut String, value: &Value) {
    let _ = write!(documents, "---\n{}", sluice_yaml::v2::to_string(value));
}

/// Returns the manifest without status and without fields of the server or kubectl.
pub(super) fn manifest(resource: &Resource, object: &Object) -> Value {
    let mut metadata = Map::new();
    for field in ["name", "namespace", "labels", "annotations"] {
        if let Some(value) = object.at(&["metadata", field]) {
            metadata.insert(field.to_owned(), value.clone());
        }
    }
    if let Some(annotations) = metadata
        .get_mut("annotations")
        .and_then(Value::as_object_mut)
    {
        annotations.remove(LAST_APPLIED);
        if annotations.is_empty() {
            metadata.remove("annotations");
        }
    }
    json!({
        "apiVersion": resource.api_version(),
        "kind": resource.kind,
        "metadata": metadata,
        "spec": object.get("spec").map_or_else(|| json!({}), |spec| normalize_spec(resource, spec)),
    })
}

/// Normalizes the spec through its type: durations in one form, without empty fields.
fn normalize_spec(resource: &Resource, spec: &Value) -> Value {
    match resource.kind {
        "Alert" => through::<notification::AlertSpec>(spec),
        "ArtifactGenerator" => through::<source_watcher::ArtifactGeneratorSpec>(spec),
        "Bucket" => through::<source::BucketSpec>(spec),
        "ExternalArtifact" => through::<source::ExternalArtifactSpec>(spec),
        "GitRepository" => through::<source::GitRepositorySpec>(spec),
        "HelmChart" => through::<source::HelmChartSpec>(spec),
        "HelmRelease" => through::<helm::HelmReleaseSpec>(spec),
        "HelmRepository" => through::<source::HelmRepositorySpec>(spec),
        "ImagePolicy" => through::<image::ImagePolicySpec>(spec),
        "ImageRepository" => through::<image::ImageRepositorySpec>(spec),
        "ImageUpdateAutomation" => through::<image::ImageUpdateAutomationSpec>(spec),
        "Kustomization" => through::<kustomize::KustomizationSpec>(spec),
        "OCIRepository" => through::<source::OciRepositorySpec>(spec),
        "Provider" => through::<notification::ProviderSpec>(spec),
        "Receiver" => through::<notification::ReceiverSpec>(spec),
        _ => spec.clone(),
    }
}

/// Serializes a spec through its type. A spec that does not parse is exported unchanged.
fn through<S: DeserializeOwned + Serialize>(spec: &Value) -> Value {
    let typed = S::deserialize(spec).and_then(serde_json::to_value);
    let mut spec = typed.unwrap_or_else(|_| spec.clone());
    for pointer in DURATIONS {
        if let Some(Value::String(text)) = spec.pointer_mut(pointer)
            && let Ok(duration) = sluice_golang::duration::parse(text)
        {
            *text = duration.to_string();
        }
    }
    spec
}

/// Paths of durations in specs. They are printed as `1m0s`, not `60s`.
const DURATIONS: [&str; 11] = [
    "/interval",
    "/timeout",
    "/retryInterval",
    "/chart/spec/interval",
    "/install/timeout",
    "/upgrade/timeout",
    "/rollback/timeout",
    "/uninstall/timeout",
    "/test/timeout",
    "/install/strategy/retryInterval",
    "/upgrade/strategy/retryInterval",
];

/// Returns the Secret of `spec.secretRef` as a manifest.
async fn secret(context: &Context, object: &Object) -> Result<Option<Value>, CommandError> {
    let name = text(object, "/spec/secretRef/name");
    if name.is_empty() {
        return Ok(None);
    }
    let secret = context
        .secret(object.namespace(), name)
        .await
        .map_err(|error| error.while_doing(format!("failed to retrieve secret {name}, error")))?;
    let mut manifest = json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": { "name": name, "namespace": object.namespace() },
    });
    for field in ["type", "data"] {
        if let Some(value) = secret.get(field) {
            manifest[field] = value.clone();
        }
    }
    Ok(Some(manifest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sluice_insight::kinds::by_kind;

    #[test]
    fn export_omits_server_fields() {
        let object: Object = serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": "GitRepository",
            "metadata": {
                "name": "podinfo", "namespace": "flux-system", "uid": "1", "resourceVersion": "7",
                "generation": 2, "finalizers": ["finalizers.fluxcd.io"],
                "managedFields": [{"manager": "flux"}],
                "annotations": {LAST_APPLIED: "{}"},
                "labels": {"team": "a"},
            },
            "spec": {"interval": "1m0s", "url": "https://example.com/podinfo"},
            "status": {"observedGeneration": 2},
        }))
        .unwrap();
        assert_eq!(
            manifest(by_kind("GitRepository").unwrap(), &object),
            json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1",
                "kind": "GitRepository",
                "metadata": {"name": "podinfo", "namespace": "flux-system", "labels": {"team": "a"}},
                "spec": {"interval": "1m0s", "url": "https://example.com/podinfo"},
            })
        );
    }
}
