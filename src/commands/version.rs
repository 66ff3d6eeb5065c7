//! `version`: what the client is, and what runs in the cluster.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_manifests::Vendor;
use sluice_object::Object;

use crate::cluster::{Context, objects, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;
use crate::takeover::Record;
use crate::{CommandResult, Exit, output};

/// The Flux version whose command line this is.
pub const CLIENT: &str = sluice_manifests::FLUX_VERSION;

/// What the version of the whole is called.
const DISTRIBUTION: &str = "distribution";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print the client's version only, without asking a cluster
    #[arg(long, switch = false)]
    client: bool,
    /// Format of the output
    #[arg(long, short, value_enum, default_value = "yaml", value_name = "FORMAT")]
    output: Format,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let mut versions = Map::new();
    versions.insert("flux".into(), json!(CLIENT));
    if context.program == "sluice" {
        versions.insert(
            "sluice".into(),
            json!(format!("v{}", env!("CARGO_PKG_VERSION"))),
        );
    }
    if !args.client {
        let deployments = context.block_on(in_cluster(context))??;
        if context.program == "sluice" {
            let ours = made_by(Vendor::Sluice, &deployments).join(", ");
            versions.insert("sluice-controllers".into(), json!(ours));
        }
        for (name, version) in self::versions(&deployments) {
            versions.insert(name, json!(version));
        }
    }
    output::data(&render(&versions, args.output)?)?;
    Ok(Exit::SUCCESS)
}

/// The order is part of the answer, so this is not the sorted YAML of everything else.
fn render(versions: &Map<String, Value>, format: Format) -> Result<String, CommandError> {
    match format {
        Format::Json => output::value(versions, Format::Json),
        Format::Yaml => Ok(versions
            .iter()
            .map(|(name, version)| sluice_yaml::v2::to_string(&json!({ name.as_str(): version })))
            .collect()),
    }
}

/// The controllers' Deployments, of which there has to be one.
async fn in_cluster(context: &Context) -> Result<Vec<Object>, CommandError> {
    let namespace = context.namespace();
    let deployments = deployments(context).await?;
    if deployments.is_empty() {
        return Err(CommandError::cluster(format!(
            "no deployments found in \"{namespace}\" namespace"
        ))
        .hint("--client prints the client's version only"));
    }
    Ok(deployments)
}

/// The distribution first, if it is labelled, then each controller with its image's tag.
fn versions(deployments: &[Object]) -> Vec<(String, String)> {
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

/// The controllers that somebody made.
fn made_by(maker: Vendor, deployments: &[Object]) -> Vec<&str> {
    let made = deployments
        .iter()
        .filter(|deployment| self::maker(deployment) == Some(maker));
    made.map(Object::name).collect()
}

/// Whose a controller is: ours by its version, or by what is remembered of its takeover.
pub(super) fn maker(deployment: &Object) -> Option<Vendor> {
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

/// Says which of the controllers are ours and which are Flux's; nothing where that cannot be told.
pub(super) fn makers(deployments: &[Object]) -> Option<String> {
    let told = |maker, whose: &str| {
        let names = made_by(maker, deployments);
        (!names.is_empty()).then(|| format!("{whose}: {}", names.join(", ")))
    };
    let ours = told(Vendor::Sluice, "sluice's own");
    let flux = told(Vendor::Flux, "Flux's own");
    let parts: Vec<String> = ours.into_iter().chain(flux).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The controllers' Deployments, by Flux's own label.
pub(super) async fn deployments(context: &Context) -> Result<Vec<Object>, CommandError> {
    let list = context
        .cluster()?
        .list(
            &GroupVersionKind::gvk("apps", "v1", "Deployment"),
            Some(&context.namespace()),
            &ListOptions {
                labels: Some("app.kubernetes.io/part-of=flux".into()),
                ..ListOptions::default()
            },
        )
        .await
        .map_err(|error| refusal(&error))?;
    Ok(objects(list))
}

/// The Deployment's name with each of its containers' images.
pub(super) fn images(deployment: &Object) -> impl Iterator<Item = (String, &str)> {
    deployment
        .at(&["spec", "template", "spec", "containers"])
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|container| container["image"].as_str())
        .map(|image| (deployment.name().to_owned(), image))
}

/// What follows the image's name: its tag, or its digest where there is none.
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
    use super::*;

    #[test]
    fn whose_controllers_run_is_told_by_their_tags() {
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
    fn a_tag_is_found_behind_ports_and_before_digests() {
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
