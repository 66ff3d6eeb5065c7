//! Renders every chart below directories with our engine and with `helm template`.
//!
//! `REFERENCE_BIN_DIR` names the directory with `helm` 4.2.4. Each chart is rendered with its
//! defaults and with each of its `ci/*-values.yaml`. Lines that differ between two runs of Helm
//! are random and do not count. An error counts as equal if its text is.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Error, TemplateOptions, Values, template, values};
use sluice_system::fs;
use sluice_testkit::Reference;

/// The name of the release on both sides.
const RELEASE: &str = "rel";
/// The most folders that are looked into below a directory.
const MAX_FOLDERS: usize = 200_000;

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Directories with charts
    #[arg(required = true)]
    directories: Vec<PathBuf>,
    /// Print the first different line of at most this many renders
    #[arg(long, default_value_t = 20)]
    differences: usize,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let reference = Reference::find().context("REFERENCE_BIN_DIR names no directory")?;
    let helm = reference.binary("helm");
    let mut charts = BTreeSet::new();
    for directory in &args.directories {
        find(directory, &mut charts)?;
    }
    let (mut identical, mut errors, mut all) = (0, 0, 0);
    let (mut ours_took, mut theirs_took) = (Duration::ZERO, Duration::ZERO);
    for chart in &charts {
        let inputs = std::iter::once(None).chain(examples(chart)?.into_iter().map(Some));
        for input in inputs {
            let input = input.as_deref();
            let started = Instant::now();
            let ours = render(chart, input);
            ours_took += started.elapsed();
            let started = Instant::now();
            let theirs = ask(&helm, chart, input)?;
            theirs_took += started.elapsed();
            all += 1;
            let difference = match difference(&ours, &theirs, None) {
                None => None,
                Some(_) => difference(&ours, &theirs, Some(&ask(&helm, chart, input)?)),
            };
            match difference {
                None => {
                    identical += 1;
                    errors += usize::from(theirs.is_err());
                }
                Some(line) => {
                    if all - identical <= args.differences {
                        let input = input.map_or("", |_| " with values");
                        println!("{}{input}: {line}", chart.display());
                    }
                }
            }
        }
    }
    let ratio = ours_took.as_secs_f64() / theirs_took.as_secs_f64().max(1e-9);
    println!("identical {identical} of {all}, of which {errors} are errors");
    println!(
        "{} charts, time {ratio:.2} of Helm's with its start",
        charts.len()
    );
    Ok(())
}

/// Finds the folders with a `Chart.yaml`, but not those below the `charts/` of another.
fn find(directory: &Path, charts: &mut BTreeSet<PathBuf>) -> anyhow::Result<()> {
    let mut pile = vec![directory.to_owned()];
    let mut visited = 0;
    while let Some(folder) = pile.pop() {
        visited += 1;
        anyhow::ensure!(visited <= MAX_FOLDERS, "more than {MAX_FOLDERS} folders");
        let is_chart = fs::exists(folder.join("Chart.yaml"))?;
        for entry in fs::read_dir(&folder)? {
            let is_dependency = is_chart && entry.path.ends_with("charts");
            if entry.file_type.is_dir() && !is_dependency {
                pile.push(entry.path);
            }
        }
        if is_chart {
            charts.insert(folder);
        }
    }
    Ok(())
}

/// The values that a chart brings for its own tests.
fn examples(chart: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let folder = chart.join("ci");
    if !fs::exists(&folder)? {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.into_iter().map(|entry| entry.path);
    let is_example = |path: &PathBuf| path.to_string_lossy().ends_with("values.yaml");
    Ok(entries.filter(is_example).collect())
}

fn render(chart: &Path, input: Option<&Path>) -> Result<String, String> {
    let rendered = (|| {
        let chart = load::path(chart, Links::Anywhere, &Limits::default())?;
        let user = match input {
            Some(input) => values::parse(&fs::read(input)?).map_err(Error::Values)?,
            None => Values::new(),
        };
        let mut options = TemplateOptions::default();
        RELEASE.clone_into(&mut options.release.name);
        template(chart, &user, &options, None)
    })();
    match rendered {
        Ok(rendered) => Ok(String::from_utf8_lossy(&rendered.to_text()).into_owned()),
        Err(error) => Err(error.to_string()),
    }
}

fn ask(helm: &Path, chart: &Path, input: Option<&Path>) -> anyhow::Result<Result<String, String>> {
    let mut command = Command::new(helm);
    command.args(["template", RELEASE]).arg(chart);
    if let Some(input) = input {
        command.arg("-f").arg(input);
    }
    let ran = command.output()?;
    if ran.status.success() {
        return Ok(Ok(String::from_utf8_lossy(&ran.stdout).into_owned()));
    }
    let text = String::from_utf8_lossy(&ran.stderr);
    let message = text
        .split_once("Error: ")
        .map_or("", |(_, message)| message);
    let message = message.split("\n\nUse --debug").next().unwrap_or(message);
    Ok(Err(message.to_owned()))
}

/// The first line that differs, without those in which two runs of Helm differ.
fn difference(
    ours: &Result<String, String>,
    theirs: &Result<String, String>,
    again: Option<&Result<String, String>>,
) -> Option<String> {
    let (ours, theirs) = match (ours, theirs) {
        (Ok(ours), Ok(theirs)) => (ours.as_str(), theirs.as_str()),
        (Err(ours), Err(theirs)) => (ours.trim_end(), theirs.trim_end()),
        (Ok(_), Err(error)) => return Some(format!("only Helm fails: {error}")),
        (Err(error), Ok(_)) => return Some(format!("only sluice fails: {error}")),
    };
    if ours == theirs {
        return None;
    }
    let again = match again {
        Some(Ok(again) | Err(again)) => again.trim_end(),
        None => theirs,
    };
    let mut pairs = ours.lines().zip(theirs.lines()).zip(again.lines());
    let found = pairs.find(|((ours, theirs), again)| ours != theirs && theirs == again);
    match found {
        Some(((ours, theirs), _)) => Some(format!("'{ours}' instead of '{theirs}'")),
        None if ours.lines().count() != theirs.lines().count() => {
            Some("the numbers of lines differ".to_owned())
        }
        None => None,
    }
}
