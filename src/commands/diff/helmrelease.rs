//! Implements `diff helmrelease`: shows the changes that an upgrade of the release would make. It
//! renders the chart and applies every object as a dry-run.
//!
//! Exit codes are those of `diff kustomization`. Hooks and custom resource definitions of `crds/`
//! are not compared.

use sluice_chart::ReportLevel;
use sluice_insight::kinds::HELM;
use sluice_preview::comparison::{Comparer, masks};
use sluice_preview::release::{MANAGER, RenderSettings};
use sluice_render::Masks;

use super::comparison::{FAILED, print};
use crate::build::release::{CapabilityFlags, ReleaseFlags};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _};
use crate::output::spinner::Spinner;
use crate::{CommandResult, compat, output};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    release: ReleaseFlags,
    #[command(flatten)]
    capabilities: CapabilityFlags,
    /// Mask values in the diff, as KIND/PATH (ConfigMap/data/password),…
    #[arg(long, value_parser = flags::csv, value_name = "KIND/PATH")]
    mask: Vec<Vec<String>>,
    /// Show a progress indicator
    #[arg(long, switch = true)]
    progress_bar: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let masks = masks(&args.mask)
        .map_err(|error| CommandError::from(error).code(compat::misused_comparison()))?;
    let compared = compare(args, &masks, context);
    compared.map_err(|error| error.code(FAILED))
}

fn compare(args: &Args, masks: &Masks, context: &Context) -> CommandResult {
    let mut release = args.release.load(context, false)?;
    if release.object.spec.kube_config.is_some() {
        return Err(CommandError::user(
            "diff not supported for remote clusters: spec.kubeConfig is set",
        ));
    }
    let live = release.live(context)?;
    if let Some(live) = &live {
        release.take_status(live)?;
    }
    let owner = release.owner_settings(live.as_ref())?;
    let spinner = Spinner::start(args.progress_bar, "HelmRelease diffing... running dry-run");
    let settings = RenderSettings {
        capabilities: args.capabilities.read()?,
        report: ReportLevel::Findings,
        ..RenderSettings::default()
    };
    let objects = release.objects(context, settings)?;
    let comparer = Comparer::new(context, MANAGER, HELM, masks, output::width())?;
    let compared = comparer.compare(owner, objects, |_, _, _| {});
    drop(spinner);
    print(&compared?, context)
}
