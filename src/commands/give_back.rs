//! Implements `give-back`: restores the images of Flux's own controllers.
//!
//! It reverts `takeover`, with one write per Deployment. The annotation of a Deployment has its
//! former image. A Deployment that was installed with ours gets the stock image of the Flux version
//! that this binary follows.

use serde::Serialize;
use sluice_lifecycle::installation;
use sluice_lifecycle::observe::kept_by;
use sluice_lifecycle::takeover::keeper::{Wish, helm_releases};
use sluice_lifecycle::takeover::{Record, check_images, component_of, image};
use sluice_manifests::{COMPONENTS, Component, FLUX_REGISTRY, Images, SINGLE, Tag, Vendor};
use sluice_object::Object;

use super::components::{check_names, refuse_other_tool};
use super::takeover::roll::{CompletedWrite, Roll, refuse_helm, revert_error};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::output::Format;
use crate::{CommandResult, Exit, flags, output};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Controllers to give back [default: all of sluice]
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    components: Vec<Vec<String>>,
    /// Include objects managed by another tool or a Git repository
    #[arg(long, switch = false)]
    force: bool,
    /// Print the result as JSON
    #[arg(long, short, value_name = "FORMAT", value_parser = ["json"])]
    output: Option<String>,
    /// Registry prefix of Flux's images, for controllers not taken over
    #[arg(long, default_value = FLUX_REGISTRY, value_name = "PREFIX")]
    registry: String,
}

#[derive(Debug, Serialize)]
struct JsonReport<'r> {
    written: &'r [CompletedWrite],
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let asked = args.components.concat();
    check_names(&asked)?;
    let stock = Images {
        registry: args.registry.trim_end_matches('/').to_owned(),
        tag: Tag::Flux,
    };
    check_images(&stock)?;
    context.block_on(give_back(args, &asked, &stock, context))??;
    Ok(Exit::SUCCESS)
}

async fn give_back(
    args: &Args,
    asked: &[String],
    stock: &Images,
    context: &Context,
) -> Result<(), CommandError> {
    let session = context.session()?;
    let deployments = installation::deployments(&session).await?;
    if let Some(single) = deployments.iter().find(|found| found.name() == SINGLE) {
        return Err(CommandError::user(format!(
            "{} runs all controllers in one process, which Flux has no image for",
            single.id()
        ))
        .hint("install --flux-images replaces it with Flux's own"));
    }
    let mut ours: Vec<(&Object, Option<String>)> = deployments
        .iter()
        .filter_map(|deployment| {
            let component = Component::find(component_of(deployment)?)?;
            let is_asked = asked.is_empty() || asked.iter().any(|name| name == component.name);
            let remembered = Record::of(deployment).is_some();
            let is_ours = remembered || installation::maker_of(deployment) == Some(Vendor::Sluice);
            let stock = (!remembered).then(|| stock.of(component));
            (is_asked && is_ours).then_some((deployment, stock))
        })
        .collect();
    // The order is that of an installation, because appliers need the sources.
    ours.sort_by_key(|(deployment, _)| {
        let name = component_of(deployment);
        COMPONENTS
            .iter()
            .position(|component| Some(component.name) == name)
    });
    if !args.force && !ours.is_empty() {
        refuse_other_tool(context, "give-back").await?;
        let wish = Wish {
            program: context.program,
            components: &[],
            deployments: &deployments,
            registry: &stock.registry,
            flux_images: true,
        };
        if let Some(keeper) = kept_by(&session, &deployments, wish).await? {
            return Err(revert_error(&keeper, "give-back"));
        }
        let written = ours.iter().map(|(deployment, _)| *deployment);
        refuse_helm(&helm_releases(written), "give-back")?;
    }
    let mut roll = Roll::new(context);
    let mut given = Ok(());
    for (deployment, stock) in &ours {
        given = roll.give_back(deployment, stock.as_deref()).await;
        if given.is_err() {
            break;
        }
    }
    if args.output.is_some() {
        let report = JsonReport {
            written: roll.writes(),
        };
        output::stdout(&output::value(&report, Format::Json)?)?;
    }
    given?;
    if ours.is_empty() {
        let progress = context.progress;
        progress.success(format!(
            "no controller in {} is ours: nothing to give back",
            context.namespace()
        ));
        for deployment in &deployments {
            progress.action(format!("{}: {}", deployment.name(), image(deployment)));
        }
    }
    Ok(())
}
