//! Implements `build helmrelease`: prints the objects that the controller would install.
//!
//! The `HelmRelease` comes from files or the cluster. [`sluice_preview::release`] has the steps.

use sluice_chart::ShowOptions;
use sluice_preview::charts::failed;
use sluice_preview::release::RenderSettings;

use crate::build::release::{CapabilityFlags, ReleaseFlags};
use crate::build::report::ReportFlags;
use crate::cluster::Context;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, output};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[command(flatten)]
    release: ReleaseFlags,
    #[command(flatten)]
    capabilities: CapabilityFlags,
    /// Render from --helmrelease-file without a cluster
    #[arg(long, switch = false)]
    dry_run: bool,
    /// Include the chart's custom resource definitions
    #[arg(long, switch = false)]
    include_crds: bool,
    /// Omit hooks
    #[arg(long, switch = false)]
    no_hooks: bool,
    #[command(flatten)]
    report: ReportFlags,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let release = args.release.load(context, args.dry_run)?;
    let name = release.owner().name;
    let settings = RenderSettings {
        is_offline: args.dry_run,
        includes_crds: args.include_crds,
        capabilities: args.capabilities.read()?,
        report: args.report.level(),
        seed: args.report.seed(),
    };
    let rendered = release.render(context, settings)?;
    args.report.print(&rendered.report, context);
    let show = ShowOptions {
        skips_hooks: args.no_hooks,
        ..ShowOptions::default()
    };
    let text = rendered.show(&show);
    output::bytes(&text.map_err(|error| failed("render", &name, &error))?)?;
    Ok(Exit::SUCCESS)
}
