//! Implements `build chart`: prints the same bytes as `helm template`.
//!
//! [`source`] loads the chart, and [`inputs`] merges its values. The render has no cluster access.
//! A budget limits the time and memory of templates.

mod inputs;
mod registry;
mod source;
mod verify;
mod web;

use std::time::Instant;

use sluice_chart::{
    Budget, Capabilities, KubeVersion, ShowOptions, TemplateOptions, render, template,
};

use self::inputs::ValueFlags;
use self::source::SourceFlags;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _, Slice};
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
    /// Kubernetes version for chart capabilities
    #[arg(long, value_name = "VERSION")]
    kube_version: Option<String>,
    /// Additional API versions for chart capabilities
    #[arg(long, short, value_name = "VERSIONS", value_parser = flags::csv)]
    api_versions: Vec<Vec<String>>,
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
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let mut capabilities = Capabilities::default();
    if let Some(version) = args.kube_version.as_deref().filter(|text| !text.is_empty()) {
        let parsed = KubeVersion::parse(version);
        capabilities.kube_version =
            parsed.map_err(|error| CommandError::user(error.to_string()))?;
    }
    let added = Slice::from_uses(args.api_versions.clone());
    let added = added.iter().map(str::to_owned);
    capabilities.api_versions.extend(added);
    let name = source::name(&args.chart)?;
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
        ..TemplateOptions::default()
    };
    let show = ShowOptions {
        skips_hooks: args.no_hooks,
        skips_tests: args.skip_tests,
        only: args.show_only.clone(),
    };
    let failed = |error: &sluice_chart::Error| source::failed("render", name, error);
    let rendered = template(chart, &values, &options, None).map_err(|error| failed(&error))?;
    let text = rendered.show(&show).map_err(|error| failed(&error))?;
    output::bytes(&text)?;
    Ok(Exit::SUCCESS)
}
