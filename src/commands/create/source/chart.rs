//! Implements `create source chart`: fetches a Helm chart.

use serde_json::json;

use super::Verification;
use crate::commands::create::helm_release::{STRATEGIES, strategy};
use crate::commands::create::reference::{Reference, local_chart_source};
use crate::commands::create::{Creation, NewObject, put, required};
use crate::error::CommandError;

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name or path of the chart in the source
    #[arg(long, value_name = "CHART")]
    chart: Option<String>,
    /// Chart version or semver range
    #[arg(long, value_name = "RANGE")]
    chart_version: Option<String>,
    /// Create an artifact for each chart version or source revision
    #[arg(long, default_value = "ChartVersion", value_parser = STRATEGIES, value_name = "STRATEGY")]
    reconcile_strategy: String,
    /// Source of the chart, as KIND/NAME
    #[arg(long, value_parser = local_chart_source, value_name = "SOURCE")]
    source: Option<Reference>,
    #[command(flatten)]
    verification: Verification,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let source = args
        .source
        .as_ref()
        .ok_or_else(|| CommandError::missing_flag("chart source is required", "--source"))?;
    let chart = required(
        args.chart.as_deref(),
        "--chart",
        "chart name or path is required",
    )?;
    let progress = creation.context.progress;
    progress.generate("generating HelmChart source");
    let labels = creation.labels()?;
    strategy(&args.reconcile_strategy)?;
    let mut spec = json!({
        "chart": chart,
        "interval": creation.interval(),
        "reconcileStrategy": args.reconcile_strategy,
        "sourceRef": source.to_value(),
    });
    put(&mut spec, "version", args.chart_version.as_deref());
    if let Some(verify) = args.verification.to_value()? {
        spec["verify"] = verify;
    }
    NewObject::new("HelmChart", labels, spec)
}
