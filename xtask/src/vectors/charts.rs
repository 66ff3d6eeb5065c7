//! Records what Helm prints for the charts below `crates/content/chart/tests/charts`.
//!
//! `REFERENCE_BIN_DIR` names the directory with `helm` 4.2.4.

use std::path::Path;
use std::process::Command;

use sluice_system::fs;
use sluice_testkit::Reference;

/// The value of `--only` for charts.
pub(super) const NAME: &str = "charts";

/// Renders each chart with Helm, and writes the output or the error beside it.
pub(super) fn record() -> anyhow::Result<()> {
    let Some(reference) = Reference::find() else {
        println!("{NAME}: skipped without REFERENCE_BIN_DIR");
        return Ok(());
    };
    let helm = reference.binary("helm");
    let charts = crate::repository().join("crates/content/chart/tests/charts");
    let mut count = 0;
    for entry in fs::read_dir(charts)? {
        record_chart(&helm, &entry.path)?;
        count += 1;
    }
    println!("{NAME}: {count} charts recorded");
    Ok(())
}

fn record_chart(helm: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut command = Command::new(helm);
    command.current_dir(folder);
    command.args(["template", "rel", "chart", "--include-crds"]);
    if fs::exists(folder.join("values.yaml"))? {
        command.args(["-f", "values.yaml"]);
    }
    let ran = command.output()?;
    let (output, error) = (folder.join("expected.yaml"), folder.join("expected.txt"));
    for old in [&output, &error] {
        if fs::exists(old)? {
            fs::remove_file(old)?;
        }
    }
    if ran.status.success() {
        fs::write(output, ran.stdout)?;
        return Ok(());
    }
    let text = String::from_utf8_lossy(&ran.stderr);
    // Before the error are lines of the log, and behind it may be a hint.
    let message = text
        .split_once("Error: ")
        .map_or("", |(_, message)| message);
    let message = message.split("\n\nUse --debug").next().unwrap_or(message);
    fs::write(error, format!("{}\n", message.trim_end()))?;
    Ok(())
}
