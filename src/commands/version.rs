//! `version`: what the client is, and what runs in the cluster.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_object::Object;

use crate::cluster::{Context, objects, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;
use crate::{CommandResult, Exit, output};

/// The Flux version whose command line this is.
pub const CLIENT: &str = sluice_manifests::FLUX_VERSION;

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
        for (name, version) in context.block_on(in_cluster(context))?? {
            versions.insert(name, json!(version));
        }
    }
    output::stdout(&render(&versions, args.output)?)?;
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

/// The distribution, and the image tag of every controller.
async fn in_cluster(context: &Context) -> Result<Vec<(String, String)>, CommandError> {
    let namespace = context.namespace();
    let deployments = deployments(context).await?;
    if deployments.is_empty() {
        return Err(CommandError::cluster(format!(
            "no deployments found in \"{namespace}\" namespace"
        ))
        .hint("--client prints the client's version only"));
    }
    let mut controllers = BTreeMap::new();
    let mut distribution = None;
    for deployment in &deployments {
        if let Some(version) = deployment.label("app.kubernetes.io/version") {
            distribution = Some(version.to_owned());
        }
        for (name, image) in images(deployment) {
            controllers.insert(name, tag(image).to_owned());
        }
    }
    let distribution = distribution.map(|version| ("distribution".to_owned(), version));
    Ok(distribution.into_iter().chain(controllers).collect())
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
