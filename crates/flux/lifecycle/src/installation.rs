//! The installed controllers: their Deployments, images and versions.

use std::collections::BTreeMap;

use serde_json::Value;
use sluice_api::meta::label::{PART_OF, VERSION};
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_manifests::Vendor;
use sluice_object::Object;

use crate::error::{Error, refusal};
use crate::session::{Session, objects};
use crate::takeover::Record;

/// The definition whose labels describe the installation.
const DEFINITION: &str = "gitrepositories.source.toolkit.fluxcd.io";
/// The labels of objects that a Kustomization applied.
const BOOTSTRAP_LABEL: &str = "kustomize.toolkit.fluxcd.io/namespace";

/// The installation, as the labels of its definitions describe it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The product and its version: `flux-v2.9.4`. Empty without labels.
    pub name: String,
    /// Whether Git manages it.
    pub is_bootstrapped: bool,
}

impl Distribution {
    fn of(definition: &Object) -> Self {
        let label = |name| definition.label(name);
        let version = label(VERSION).unwrap_or_default();
        Self {
            name: match label(PART_OF) {
                Some(product) if !product.is_empty() => format!("{product}-{version}"),
                _ => version.to_owned(),
            },
            is_bootstrapped: label(BOOTSTRAP_LABEL).is_some(),
        }
    }
}

/// Reads the description of the installation. Returns `None` without its definitions.
pub async fn distribution(session: &Session<'_>) -> Result<Option<Distribution>, Error> {
    let gvk = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let found = session.cluster.get(&gvk, None, DEFINITION).await;
    let found = found.map_err(|error| refusal(&error))?;
    let definition = found.and_then(|found| Object::try_from(found).ok());
    Ok(definition.as_ref().map(Distribution::of))
}

/// The tag of each image, by the name of the image without its registry. An image that several
/// Deployments share counts by their names.
pub fn versions(deployments: &[Object]) -> BTreeMap<String, String> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, image) in deployments.iter().flat_map(images) {
        *names.entry(image_name(image).0).or_default() += 1;
    }
    let mut versions = BTreeMap::new();
    for (deployment, image) in deployments.iter().flat_map(images) {
        let (name, tag) = image_name(image);
        let is_own = names.get(name) == Some(&1);
        let name = if is_own { name } else { deployment.as_str() };
        versions.insert(name.to_owned(), tag.to_owned());
    }
    versions
}

/// The name of an image without its registry, and its tag, both as Flux splits them.
fn image_name(image: &str) -> (&str, &str) {
    let after_host = match image.split_once('/') {
        Some((host, rest)) if host.contains(['.', ':']) || host == "localhost" => rest,
        _ => image,
    };
    let (name, tag) = after_host.split_once(':').unwrap_or((after_host, ""));
    (name.rsplit('/').next().unwrap_or_default(), tag)
}

/// The controllers of a maker.
pub fn made_by(maker: Vendor, deployments: &[Object]) -> Vec<&str> {
    let made = deployments
        .iter()
        .filter(|deployment| maker_of(deployment) == Some(maker));
    made.map(Object::name).collect()
}

/// The maker of a controller, by its version or the record of its takeover.
pub fn maker_of(deployment: &Object) -> Option<Vendor> {
    let (_, image) = images(deployment).next()?;
    match Record::of(deployment) {
        Some(record) if record.became == image => Some(Vendor::Sluice),
        _ => Vendor::of(
            tag(image),
            deployment
                .label("app.kubernetes.io/version")
                .unwrap_or_default(),
        ),
    }
}

/// Lists our controllers and Flux's; `None` if no maker is known.
pub fn makers(deployments: &[Object]) -> Option<String> {
    let told = |maker, whose: &str| {
        let names = made_by(maker, deployments);
        (!names.is_empty()).then(|| format!("{whose}: {}", names.join(", ")))
    };
    let ours = told(Vendor::Sluice, "sluice's own");
    let flux = told(Vendor::Flux, "Flux's own");
    let parts: Vec<String> = ours.into_iter().chain(flux).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The controllers' Deployments, by Flux's label.
pub async fn deployments(session: &Session<'_>) -> Result<Vec<Object>, Error> {
    let list = session
        .cluster
        .list(
            &GroupVersionKind::gvk("apps", "v1", "Deployment"),
            Some(&session.namespace),
            &ListOptions {
                labels: Some("app.kubernetes.io/part-of=flux".into()),
                ..ListOptions::default()
            },
        )
        .await
        .map_err(|error| refusal(&error))?;
    Ok(objects(list))
}

/// The name of the Deployment with the image of each container.
pub fn images(deployment: &Object) -> impl Iterator<Item = (String, &str)> {
    deployment
        .at(&["spec", "template", "spec", "containers"])
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|container| container["image"].as_str())
        .map(|image| (deployment.name().to_owned(), image))
}

/// The tag of an image, or its digest.
fn tag(image: &str) -> &str {
    let (name, digest) = image.split_once('@').unwrap_or((image, ""));
    let after_host = name.rfind('/').map_or(0, |slash| slash + 1);
    match name[after_host..].split_once(':') {
        Some((_, tag)) => tag,
        None => digest,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn makers_follow_from_image_tags() {
        let deployment = |name: &str, image: &str| -> Object {
            let deployment = json!({
                "apiVersion": "apps/v1", "kind": "Deployment",
                "metadata": { "name": name, "labels": { "app.kubernetes.io/version": "v0.1.0" } },
                "spec": { "template": { "spec": { "containers": [{ "image": image }] } } },
            });
            serde_json::from_value(deployment).unwrap()
        };
        let ours = deployment("source-controller", "r.example/source-controller:v0.1.0");
        let flux = deployment("helm-controller", "r.example/helm-controller:v1.6.3");
        assert_eq!(
            makers(&[ours, flux]).as_deref(),
            Some("sluice's own: source-controller; Flux's own: helm-controller")
        );
        assert_eq!(makers(&[]), None);
        let mut taken = deployment("source-controller", "r.example/source-controller:v2");
        taken.set_annotation(
            "sluice.dev/takeover",
            r#"{"was":"flux","became":"r.example/source-controller:v2"}"#,
        );
        assert_eq!(
            makers(&[taken]).as_deref(),
            Some("sluice's own: source-controller")
        );
    }

    /// The cases of Flux's `version_utils_test.go`, and an image of several controllers.
    #[test]
    fn images_are_named_without_registry() {
        for (image, expected) in [
            (
                "fluxcd/notification-controller:v1.0.0",
                ("notification-controller", "v1.0.0"),
            ),
            (
                "ghcr.io/fluxcd/kustomize-controller:v1.0.0",
                ("kustomize-controller", "v1.0.0"),
            ),
            (
                "reg.internal:8080/fluxcd/source-controller:v1.0.0",
                ("source-controller", "v1.0.0"),
            ),
            (
                "reg.internal:8080/fluxcd/source-controller:v1.0.1@sha256:49921d1c7b10",
                ("source-controller", "v1.0.1@sha256:49921d1c7b10"),
            ),
        ] {
            assert_eq!(image_name(image), expected, "{image}");
        }
        let deployment = |name: &str, image: &str| -> Object {
            serde_json::from_value(json!({
                "apiVersion": "apps/v1", "kind": "Deployment", "metadata": { "name": name },
                "spec": { "template": { "spec": { "containers": [{ "image": image }] } } },
            }))
            .unwrap()
        };
        let shared = "r.example/sluice:v0.1.0";
        let found = versions(&[
            deployment("helm", "r.example/flux/helm-controller:v1.6.3"),
            deployment("source-controller", shared),
            deployment("kustomize-controller", shared),
        ]);
        let expected = [
            ("helm-controller", "v1.6.3"),
            ("kustomize-controller", "v0.1.0"),
            ("source-controller", "v0.1.0"),
        ];
        let expected = expected.map(|(name, tag)| (name.to_owned(), tag.to_owned()));
        assert_eq!(found, expected.into());
    }

    #[test]
    fn distribution_is_named_by_labels_of_the_definition() {
        let of = |labels: Value| {
            let definition = json!({
                "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
                "metadata": { "name": DEFINITION, "labels": labels },
            });
            Distribution::of(&serde_json::from_value(definition).unwrap())
        };
        let labels = json!({ VERSION: "v2.9.4", PART_OF: "flux", BOOTSTRAP_LABEL: "flux-system" });
        let expected = Distribution {
            name: "flux-v2.9.4".to_owned(),
            is_bootstrapped: true,
        };
        assert_eq!(of(labels), expected);
        assert_eq!(of(json!({ VERSION: "v2.9.4" })).name, "v2.9.4");
        assert_eq!(of(json!({})), Distribution::default());
    }

    #[test]
    fn tag_is_found_after_ports_and_before_digests() {
        for (image, expected) in [
            ("registry:5000/source-controller:v1.9.4", "v1.9.4"),
            ("registry:5000/source-controller", ""),
            ("source-controller:v1@sha256:ab", "v1"),
            ("source-controller@sha256:ab", "sha256:ab"),
        ] {
            assert_eq!(tag(image), expected, "{image}");
        }
    }
}
