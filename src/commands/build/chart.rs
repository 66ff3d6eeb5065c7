//! Implements `build chart`: prints the same bytes as `helm template`.
//!
//! [`SourceFlags`] find the chart, and [`inputs`] merges its values. The render has no cluster
//! access. A budget limits the time and memory of templates.

mod inputs;

use std::time::Instant;

use sluice_chart::{
    Budget, Capabilities, ShowOptions, TemplateOptions, collect_warnings, render, template,
};
use sluice_preview::charts::{ADDRESSES, failed};

use self::inputs::ValueFlags;
use crate::build::release::CapabilityFlags;
use crate::build::report::ReportFlags;
use crate::build::source::SourceFlags;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, output};

/// Helm's default namespace of a release.
const DEFAULT_RELEASE_NAMESPACE: &str = "default";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    #[arg(
        help = "Directory, archive, oci:// or https:// URL, or a name with --repo",
        value_name = "CHART"
    )]
    chart: Vec<String>,
    #[command(flatten)]
    source: SourceFlags,
    #[command(flatten)]
    values: ValueFlags,
    /// Name of the release
    #[arg(long, value_name = "NAME", default_value = "release-name")]
    name: String,
    #[command(flatten)]
    capabilities: CapabilityFlags,
    /// Include the chart's custom resource definitions
    #[arg(long, switch = false)]
    include_crds: bool,
    /// Print only files that match, such as templates/service.yaml
    #[arg(long, short, value_name = "PATTERN")]
    show_only: Vec<String>,
    /// Render as an upgrade instead of an installation
    #[arg(long, switch = false)]
    is_upgrade: bool,
    /// Omit hooks
    #[arg(long, switch = false)]
    no_hooks: bool,
    /// Omit test hooks
    #[arg(long, switch = false)]
    skip_tests: bool,
    /// Skip validation of values against the chart's JSON schema
    #[arg(long, switch = false)]
    skip_schema_validation: bool,
    #[command(flatten)]
    report: ReportFlags,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let mut capabilities = Capabilities::default();
    args.capabilities.read()?.add_to(&mut capabilities);
    let name = name(&args.chart)?;
    let chart = args.source.load(name, context)?;
    let values = args.values.merge(context)?;
    let metadata = &chart.metadata;
    if metadata.deprecated {
        context.progress.warning("this chart is deprecated");
    }
    let namespace = context.globals.namespace.clone();
    let options = TemplateOptions {
        release: render::Release {
            name: args.name.clone(),
            namespace: namespace.unwrap_or_else(|| DEFAULT_RELEASE_NAMESPACE.to_owned()),
            is_upgrade: args.is_upgrade,
            ..render::Release::default()
        },
        capabilities,
        includes_crds: args.include_crds,
        skips_schema: args.skip_schema_validation,
        budget: Budget {
            deadline: Instant::now().checked_add(context.remaining()),
            ..Budget::default()
        },
        report: args.report.level(),
        seed: args.report.seed(),
        ..TemplateOptions::default()
    };
    let show = ShowOptions {
        skips_hooks: args.no_hooks,
        skips_tests: args.skip_tests,
        only: args.show_only.clone(),
    };
    let failed = |error: sluice_chart::Error| failed("render", name, &error);
    let (rendered, warnings) = collect_warnings(|| template(chart, &values, &options, None));
    for warning in warnings {
        context.progress.warning(warning);
    }
    let rendered = rendered.map_err(failed)?;
    args.report.print(&rendered.report, context);
    let text = rendered.show(&show).map_err(failed)?;
    output::bytes(&text)?;
    Ok(Exit::SUCCESS)
}

/// Returns the only chart argument.
fn name(given: &[String]) -> Result<&str, CommandError> {
    match given {
        [name] => Ok(name.trim()),
        [] => Err(CommandError::user("a chart is required").hint(ADDRESSES)),
        _ => Err(CommandError::user("build chart takes one chart")
            .hint("set --name to the name of the release")),
    }
}
