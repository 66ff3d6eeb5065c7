//! Measures one program run: time, processor time and memory.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use tempfile::NamedTempFile;

/// Sample interval of a process's peak memory.
const LOOK: Duration = Duration::from_micros(200);

/// A program with its arguments.
pub(super) struct Program {
    path: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(&'static str, PathBuf)>,
    /// The expected exit code.
    code: i32,
    /// Whether it prints its time in nanoseconds.
    reports_time: bool,
}

/// Results of a program's turns.
#[derive(Debug, Clone, Default)]
pub(super) struct Figures {
    times: Vec<Duration>,
    pub(super) cpu: Duration,
    pub(super) peak_mib: f64,
}

impl Program {
    pub(super) fn new(path: &Path, arguments: &[&str], folders: &[PathBuf]) -> Self {
        let folders = folders.iter().map(|folder| folder.display().to_string());
        let arguments = arguments.iter().map(|&argument| argument.to_owned());
        Self {
            path: path.to_path_buf(),
            arguments: arguments.chain(folders).collect(),
            variables: Vec::new(),
            code: 0,
            reports_time: false,
        }
    }

    /// Sets an environment variable.
    pub(super) fn variable(mut self, name: &'static str, value: &Path) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    /// Sets the expected exit code.
    pub(super) fn ends_with(mut self, code: i32) -> Self {
        self.code = code;
        self
    }

    /// Uses the time that the program prints.
    pub(super) fn reports_time(mut self) -> Self {
        self.reports_time = true;
        self
    }

    pub(super) fn is_timer(&self) -> bool {
        self.reports_time
    }

    fn command(&self, output: File, flags: File) -> Command {
        let mut command = Command::new(&self.path);
        command
            .args(&self.arguments)
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(flags);
        command
    }

    fn timed(&self) -> anyhow::Result<(Duration, Vec<u8>)> {
        let [output, flags] = files()?;
        let mut command = self.command(output.reopen()?, flags.reopen()?);
        let began = Instant::now();
        let status = command
            .status()
            .with_context(|| format!("start {}", self.path.display()))?;
        let took = began.elapsed();
        self.check(status, flags.path())?;
        Ok((took, std::fs::read(output.path())?))
    }

    fn check(&self, ended: ExitStatus, flags: &Path) -> anyhow::Result<()> {
        let line = self.arguments.join(" ");
        ensure!(
            ended.code() == Some(self.code),
            "{} {line} ended with {ended}, and said:\n{}",
            self.path.display(),
            std::fs::read_to_string(flags)?
        );
        Ok(())
    }

    /// Runs it once and samples its memory. The peak only grows, so the last sample is close to it.
    pub(super) fn watched(&self) -> anyhow::Result<(Vec<u8>, f64)> {
        let [output, flags] = files()?;
        let mut child = self.command(output.reopen()?, flags.reopen()?).spawn()?;
        let status = Path::new("/proc")
            .join(child.id().to_string())
            .join("status");
        let mut peak_kib = 0.0_f64;
        let ended = loop {
            if let Some(ended) = child.try_wait()? {
                break ended;
            }
            let text = std::fs::read_to_string(&status).unwrap_or_default();
            let flags = text
                .lines()
                .find_map(|line| line.strip_prefix("VmHWM:"))
                .and_then(|rest| rest.split_whitespace().next())
                .and_then(|number| number.parse::<f64>().ok());
            peak_kib = peak_kib.max(flags.unwrap_or_default());
            std::thread::sleep(LOOK);
        };
        self.check(ended, flags.path())?;
        Ok((std::fs::read(output.path())?, peak_kib / 1024.0))
    }
}

/// Redirects stdout and stderr to separate files.
fn files() -> anyhow::Result<[NamedTempFile; 2]> {
    Ok([NamedTempFile::new()?, NamedTempFile::new()?])
}

impl Figures {
    pub(super) fn peaking_at(peak_mib: f64) -> Self {
        Self {
            peak_mib,
            ..Self::default()
        }
    }

    /// Takes a turn.
    pub(super) fn add(&mut self, program: &Program) -> anyhow::Result<()> {
        let before = children_cpu();
        let (took, output) = program.timed()?;
        self.cpu += children_cpu().saturating_sub(before);
        let took = if program.reports_time {
            let text = String::from_utf8_lossy(&output);
            Duration::from_nanos(text.trim().parse().context("no time was flags")?)
        } else {
            took
        };
        self.times.push(took);
        Ok(())
    }

    /// Takes a turn of some seconds with memory samples, and returns the output.
    pub(super) fn add_watched(&mut self, program: &Program) -> anyhow::Result<Vec<u8>> {
        let (before, began) = (children_cpu(), Instant::now());
        let (output, peak) = program.watched()?;
        self.times.push(began.elapsed());
        self.cpu += children_cpu().saturating_sub(before);
        self.peak_mib = self.peak_mib.max(peak);
        Ok(output)
    }

    pub(super) fn median(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times.get(times.len() / 2).copied().unwrap_or_default()
    }

    /// The 95th percentile of time.
    pub(super) fn nearly_longest(&self) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let index = (times.len() * 95).div_ceil(100).saturating_sub(1);
        times.get(index).copied().unwrap_or_default()
    }

    pub(super) fn to_value(&self) -> Value {
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        json!({
            "medianMilliseconds": millis(self.median()),
            "fastestMilliseconds": self.times.iter().min().copied().map(millis),
            "slowestMilliseconds": self.times.iter().max().copied().map(millis),
            "turns": self.times.len(),
            "processorMilliseconds": millis(self.cpu),
            "peakMiB": self.peak_mib,
        })
    }
}

/// Returns the processor time of all ended children.
fn children_cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Fields start after the command name, which may contain any text.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks: u64 = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok())
        .sum();
    Duration::from_millis(ticks * 10)
}

/// A release build of this tree: cargo's arguments and the path of the binary.
pub(super) fn release_build(what: &[&str], name: &str) -> anyhow::Result<PathBuf> {
    let status = Command::new("cargo")
        .args(["build", "--locked", "--release"])
        .args(what)
        .status()
        .context("start cargo build")?;
    ensure!(status.success(), "cargo build --release failed");
    let metadata = cargo_metadata::MetadataCommand::new().no_deps().exec()?;
    Ok(metadata.target_directory.join("release").join(name).into())
}
