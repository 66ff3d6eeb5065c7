//! `cargo xtask reference`: checks everything that was recorded from the reference against it.
//!
//! `REFERENCE_BIN_DIR` names a directory with `flux`, `helm` and Flux's controllers. Each suite
//! that replays recorded answers runs beside them, and the command lines below `tests/cli/cases`
//! run with `flux` itself. The results become a record with the versions and digests of the
//! programs. A suite whose program is missing is listed as not run.
//!
//! Nothing is recorded again; `RECORD=1` and `cargo xtask conformance refresh` do that.

mod transcript;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, ensure};
use sluice_system::fs;

use crate::binary::sha256;
use crate::suite::{self, SuiteResult};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// File of the record
    #[arg(long)]
    record: Option<PathBuf>,
    /// Run only suites whose names contain this text
    #[arg(long, default_value = "")]
    filter: String,
}

/// A suite that compares recorded answers with live ones.
struct Suite {
    name: &'static str,
    /// Its programs in `REFERENCE_BIN_DIR`.
    programs: &'static [&'static str],
    /// Arguments of `cargo`.
    arguments: &'static [&'static str],
}

const SUITES: &[Suite] = &[
    Suite {
        name: "builds of kustomize",
        programs: &[],
        arguments: &["xtask", "conformance", "refresh", "--check"],
    },
    Suite {
        name: "scenarios of kustomize-controller",
        programs: &["kustomize-controller"],
        arguments: &[
            "test",
            "-p",
            "sluice-kustomize-controller",
            "--test",
            "cluster",
            "reference::",
        ],
    },
    Suite {
        name: "scenarios of source-controller",
        programs: &["source-controller"],
        arguments: &[
            "test",
            "-p",
            "sluice-source-controller",
            "--test",
            "cluster",
            "reference::",
        ],
    },
    Suite {
        name: "scenarios of helm-controller",
        programs: &["helm-controller"],
        arguments: &[
            "test",
            "-p",
            "sluice-helm-controller",
            "--test",
            "cluster",
            "reference::",
        ],
    },
    Suite {
        name: "take-over and give-back",
        programs: &["source-controller", "kustomize-controller"],
        arguments: &["test", "-p", "sluice", "--test", "cluster", "takeover::"],
    },
    Suite {
        name: "controllers that replace each other",
        programs: &["source-controller", "kustomize-controller"],
        arguments: &["test", "-p", "sluice", "--test", "cluster", "swap::"],
    },
    Suite {
        name: "give-back of image objects",
        programs: &["image-reflector-controller", "image-automation-controller"],
        arguments: &[
            "test",
            "-p",
            "sluice-image-automation-controller",
            "--test",
            "cluster",
            "give_back::",
        ],
    },
    Suite {
        name: "commands on a cluster",
        programs: &["flux"],
        arguments: &["test", "-p", "sluice", "--test", "cluster", "cases::"],
    },
    Suite {
        name: "exit codes",
        programs: &["flux"],
        arguments: &["test", "-p", "sluice", "--test", "cluster", "exit_codes::"],
    },
    Suite {
        name: "bootstrap",
        programs: &["flux"],
        arguments: &[
            "test",
            "-p",
            "sluice",
            "--test",
            "cluster",
            "bootstrap::reference",
        ],
    },
    Suite {
        name: "manifests, scenes and completion",
        programs: &["flux"],
        arguments: &[
            "test",
            "-p",
            "sluice",
            "--test",
            "cli",
            "manifests::",
            "scenes::",
            "completion::",
        ],
    },
    Suite {
        name: "charts on the command line",
        programs: &["helm"],
        arguments: &["test", "-p", "sluice", "--test", "cli", "charts::"],
    },
    Suite {
        name: "random charts",
        programs: &["helm"],
        arguments: &["test", "-p", "sluice-chart", "--test", "random"],
    },
    Suite {
        name: "releases",
        programs: &["helm"],
        arguments: &[
            "test",
            "-p",
            "sluice-release",
            "--test",
            "cluster",
            "beside_tests::",
        ],
    },
    Suite {
        name: "take-over of releases",
        programs: &["helm"],
        arguments: &[
            "test",
            "-p",
            "sluice-helm-controller",
            "--test",
            "cluster",
            "takeover::",
        ],
    },
];

/// The result of a suite.
enum Outcome {
    Ran(SuiteResult),
    /// The missing program.
    Missing(&'static str),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let directory = directory()?;
    let mut rows = String::new();
    let mut failed = Vec::new();
    for suite in SUITES
        .iter()
        .filter(|suite| suite.name.contains(&args.filter))
    {
        println!("==> {}", suite.name);
        let begun = Instant::now();
        let outcome = suite.run(&directory)?;
        let seconds = begun.elapsed().as_secs();
        writeln!(
            rows,
            "| {} | {} | {seconds} s |",
            suite.name,
            outcome.text()
        )?;
        if outcome.is_failure() {
            failed.push(suite.name);
        }
    }
    let flux = directory.join("flux");
    let lines = if flux.is_file() {
        transcript::replay(&flux, &crate::repository().join("tests/cli/cases"))?
    } else {
        Vec::new()
    };
    let record = record(&directory, &rows, &lines)?;
    println!("{record}");
    if let Some(path) = &args.record {
        fs::write(path, record).with_context(|| format!("write {}", path.display()))?;
    }
    ensure!(
        failed.is_empty(),
        "different from the reference: {}",
        failed.join(", ")
    );
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "tests read the same variable")]
fn directory() -> anyhow::Result<PathBuf> {
    let directory = std::env::var_os("REFERENCE_BIN_DIR").map(PathBuf::from);
    let directory = directory.context("REFERENCE_BIN_DIR names no directory")?;
    Ok(fs::canonicalize(&directory)?)
}

impl Suite {
    fn run(&self, directory: &Path) -> anyhow::Result<Outcome> {
        let is_missing = |program: &&&'static str| !directory.join(program).is_file();
        if let Some(missing) = self.programs.iter().find(is_missing) {
            return Ok(Outcome::Missing(missing));
        }
        Ok(Outcome::Ran(suite::run(self.arguments, &[])?))
    }
}

impl Outcome {
    fn text(&self) -> String {
        match self {
            Self::Ran(SuiteResult::Tests(0, 0)) => "no test has such a name".to_owned(),
            Self::Ran(SuiteResult::Tests(passed, 0)) => format!("{passed} tests agree"),
            Self::Ran(SuiteResult::Tests(passed, failed)) => {
                format!("{passed} tests agree, {failed} differ")
            }
            Self::Ran(SuiteResult::Ended(true)) => "agrees".to_owned(),
            Self::Ran(SuiteResult::Ended(false)) => "differs".to_owned(),
            Self::Missing(program) => format!("not run: no `{program}`"),
        }
    }

    fn is_failure(&self) -> bool {
        matches!(self, Self::Ran(result) if result.is_failure())
    }
}

fn record(directory: &Path, rows: &str, lines: &[transcript::Line]) -> anyhow::Result<String> {
    let date = jiff::Zoned::now().date();
    let mut text = format!(
        "# Recorded answers beside the reference, {date}\n\n`cargo xtask reference` ran each suite \
         that replays recorded answers beside the programs themselves.\n\n## Programs\n\n| Program | \
         SHA-256 |\n|---|---|\n"
    );
    let mut programs = fs::read_dir(directory)?;
    programs.sort_by(|one, other| one.path.cmp(&other.path));
    for program in programs.iter().filter(|program| program.path.is_file()) {
        let name = program
            .path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy();
        let digest = sha256(&fs::read(&program.path)?);
        writeln!(text, "| `{name}` | `{digest}` |")?;
    }
    write!(
        text,
        "\n## Suites\n\n| Suite | Result | Time |\n|---|---|---|\n{rows}"
    )?;
    if lines.is_empty() {
        return Ok(text);
    }
    let same = lines.iter().filter(|line| line.is_same).count();
    writeln!(
        text,
        "\n## Command lines\n\nThe commands of `tests/cli/cases`, run with `flux`, without our lines \
         of hints: **{same} of {}** print and end as written. The others:\n\n| File | Command |\n\
         |---|---|",
        lines.len()
    )?;
    for line in lines.iter().filter(|line| !line.is_same) {
        let command: String = line.command.replace('|', "\\|").chars().take(120).collect();
        writeln!(text, "| {} | `{command}` |", line.file)?;
    }
    Ok(text)
}
