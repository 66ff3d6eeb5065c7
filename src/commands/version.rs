//! Implements `version`: prints the versions of the client and of the cluster's controllers.

use serde_json::{Map, Value, json};
use sluice_lifecycle::installation::{self, deployments, made_by};
use sluice_manifests::Vendor;
use sluice_object::Object;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;
use crate::{CommandResult, Exit, output};

/// Flux version that this command line follows.
pub const CLIENT: &str = sluice_manifests::FLUX_VERSION;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Print only the client version, without contacting a cluster
    #[arg(long, switch = false)]
    client: bool,
    /// Output format
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
        let (deployments, distribution) = context.block_on(in_cluster(context))??;
        if context.program == "sluice" {
            let ours = made_by(Vendor::Sluice, &deployments).join(", ");
            if !ours.is_empty() {
                versions.insert("sluice-controllers".into(), json!(ours));
            }
        }
        if !distribution.is_empty() {
            versions.insert("distribution".into(), json!(distribution));
        }
        for (name, version) in installation::versions(&deployments) {
            versions.insert(name, json!(version));
        }
    }
    output::data(&render(&versions, args.output)?)?;
    Ok(Exit::SUCCESS)
}

/// Formats the versions in their own order. [`output::value`] would sort them.
fn render(versions: &Map<String, Value>, format: Format) -> Result<String, CommandError> {
    match format {
        Format::Json => output::value(versions, Format::Json),
        Format::Yaml => Ok(versions
            .iter()
            .map(|(name, version)| sluice_yaml::v2::to_string(&json!({ name.as_str(): version })))
            .collect()),
    }
}

/// Returns the controllers' Deployments and the name of the distribution. An empty list is an
/// error.
async fn in_cluster(context: &Context) -> Result<(Vec<Object>, String), CommandError> {
    let (namespace, session) = (context.namespace(), context.session()?);
    let distribution = installation::distribution(&session).await?;
    let deployments = deployments(&session).await?;
    if deployments.is_empty() {
        return Err(CommandError::cluster(format!(
            "no deployments found in \"{namespace}\" namespace"
        ))
        .hint("set --client to print only the client's version")
        .hint("the controllers of `sluice dev` have no Deployments"));
    }
    Ok((deployments, distribution.unwrap_or_default().name))
}
