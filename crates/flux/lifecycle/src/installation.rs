//! The installed controllers: their Deployments, images and versions.

use std::collections::BTreeMap;

use serde_json::Value;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_manifests::Vendor;
use sluice_object::Object;

use crate::error::{Error, refusal};
use crate::session::{Session, objects};
use crate::takeover::Record;

/// The entry of the installed version.
const DISTRIBUTION: &str = "distribution";

/// The version label, if there is one, then the image tag of each controller.
pub fn versions(deployments: &[Object]) -> Vec<(String, String)> {
    let mut controllers = BTreeMap::new();
    let mut distribution = None;
    for deployment in deployments {
        if let Some(version) = deployment.label("app.kubernetes.io/version") {
            distribution = Some(version.to_owned());
        }
        for (name, image) in images(deployment) {
            controllers.insert(name, tag(image).to_owned());
        }
    }
    let distribution = distribution.map(|version| (DISTRIBUTION.to_owned(), version));
    distribution.into_iter().chain(controllers).collect()
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
