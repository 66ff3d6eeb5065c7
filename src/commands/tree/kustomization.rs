//! Implements `tree kustomization`: prints the inventory, including nested Kustomizations and Helm
//! releases.

use sluice_insight::kinds::{Resource, by_kind};
use sluice_insight::tree;

use super::entry;
use crate::CommandResult;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the Kustomization
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Show only Flux objects
    #[arg(long, switch = false)]
    compact: bool,
    /// Number of levels to show below the Kustomization
    #[arg(long, value_name = "LEVELS")]
    depth: Option<usize>,
    /// Output format
    #[arg(long, short, value_enum, value_name = "FORMAT")]
    output: Option<Format>,
    /// Include objects created by workloads, such as Pods
    #[arg(long, switch = false)]
    pods: bool,
    /// Show the status of each object
    #[arg(long, switch = false)]
    status: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let Some(name) = args.name.first() else {
        return Err(CommandError::missing_name("kustomization name is required"));
    };
    let root = context.block_on(async {
        let object = context.required(kustomizations()?, name).await?;
        let cluster = context.cluster()?;
        let levels = args.depth.unwrap_or(usize::MAX);
        let mut root = tree::of_kustomization(cluster, &object, args.compact, levels).await?;
        if args.pods {
            tree::add_pods(cluster, &mut root, levels).await?;
        }
        if args.status {
            tree::add_health(cluster, &mut root).await?;
        }
        Ok::<_, CommandError>(root)
    })??;
    entry::print(&root, args.output)
}

fn kustomizations() -> Result<&'static Resource, CommandError> {
    by_kind("Kustomization")
        .ok_or_else(|| CommandError::internal("the registry lacks Kustomization"))
}
