//! Runs the actions of Helm on charts with our engine and with `helm`, on one API server.
//!
//! Each chart is installed, upgraded, rolled back, tested and uninstalled by both. Errors, writes
//! in their order, objects and records must agree. Nothing runs containers there, so that no step
//! waits for more than hooks. Charts that render to random bytes are left out. `REFERENCE_BIN_DIR`
//! names the directory with `helm`. The steps are those of the tests of `crates/flux/release`.

#[path = "../../../crates/flux/release/tests/cluster/beside.rs"]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod beside;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_testkit::{Reference, Testbed};

use self::beside::{Engine, Subject, differences, play};

/// The usual name of the number of replicas, which the upgrade changes.
const REPLICAS: &str = "replicaCount";

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Folders of charts
    #[arg(required = true)]
    charts: Vec<PathBuf>,
    /// Values of the installation, as JSON
    #[arg(long, default_value = "{}")]
    first: String,
    /// Values of the upgrade, as JSON (default: two replicas)
    #[arg(long)]
    second: Option<String>,
    /// Print at most this many differences of a chart
    #[arg(long, default_value_t = 10)]
    differences: usize,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let reference = Reference::find().context("REFERENCE_BIN_DIR names no directory")?;
    let helm = reference.binary("helm");
    let first: Value = serde_json::from_str(&args.first).context("parse --first")?;
    let second = match &args.second {
        Some(text) => serde_json::from_str(text).context("parse --second")?,
        None => {
            let mut second = first.clone();
            second[REPLICAS] = json!(2);
            second
        }
    };
    let runtime = tokio::runtime::Runtime::new()?;
    let (mut equal, mut all, mut steps) = (0, 0, 0);
    runtime.block_on(async {
        let bed = Testbed::start().await;
        for (number, chart) in args.charts.iter().enumerate() {
            let name = chart.file_name().unwrap_or_default().to_string_lossy();
            if is_random(&helm, chart)? {
                println!("{name}: left out, because its output is random");
                continue;
            }
            let chart = std::path::absolute(chart)?;
            let label = format!("{number}");
            let subject = Subject::new(&label, &chart, first.clone(), second.clone());
            let ours = Box::pin(play(&bed, &Engine::Ours, &subject)).await;
            let theirs = Box::pin(play(&bed, &Engine::Helm(helm.clone()), &subject)).await;
            let lines = differences(&ours, &theirs);
            all += 1;
            steps += theirs.len();
            let failed = theirs.iter().filter(|step| !step.error.is_empty());
            let failed: Vec<&str> = failed.map(|step| step.step).collect();
            let writes: usize = theirs.iter().map(|step| step.writes.len()).sum();
            let objects = theirs.iter().map(|step| step.objects.len()).max();
            let objects = objects.unwrap_or_default();
            let verdict = if lines.is_empty() {
                equal += 1;
                "equal"
            } else {
                "different"
            };
            println!("{name}: {verdict}, {objects} objects, {writes} writes, errors {failed:?}");
            for line in lines.iter().take(args.differences) {
                println!("  {line}");
            }
        }
        anyhow::Ok(())
    })?;
    println!("equal {equal} of {all} charts, {steps} steps");
    ensure!(equal == all, "{} charts differ", all - equal);
    Ok(())
}

/// Whether two renders differ.
fn is_random(helm: &Path, chart: &Path) -> anyhow::Result<bool> {
    let render = || {
        let mut command = Command::new(helm);
        let rendered = command.args(["template", "rel"]).arg(chart).output();
        rendered.map(|ran| ran.stdout).context("start helm")
    };
    Ok(render()? != render()?)
}
