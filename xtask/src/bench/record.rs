//! The record of a bench: its figures, and the circumstances that make them comparable.
//!
//! A record names the commit, the machine and its load before the bench. It has the version and the
//! digest of each measured program, and names no path of the machine.

use std::path::Path;
use std::process::Command;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

use super::limits::Verdict;
use crate::binary::sha256;

/// The circumstances of a bench, taken before its first measurement.
pub(super) struct Record {
    command: String,
    date: String,
    commit: String,
    machine: Value,
    programs: Vec<Value>,
    limits: Vec<Value>,
}

impl Record {
    /// Notes the circumstances of a bench that is about to start.
    pub(super) fn begin() -> Self {
        Self {
            command: command(),
            date: jiff::Zoned::now().date().to_string(),
            commit: commit(),
            machine: machine(),
            programs: Vec::new(),
            limits: Vec::new(),
        }
    }

    /// Adds a measured program.
    pub(super) fn add_program(&mut self, side: &str, path: &Path) -> anyhow::Result<()> {
        let bytes = std::fs::read(path).with_context(|| format!("read {}", path.display()))?;
        self.programs.push(json!({
            "side": side,
            "name": path.file_name().map(|name| name.to_string_lossy()),
            "version": version(path),
            "sha256": sha256(&bytes),
            "bytes": bytes.len(),
        }));
        Ok(())
    }

    /// Adds the limits of the figures.
    pub(super) fn add_limits(&mut self, verdicts: &[Verdict]) {
        self.limits.extend(verdicts.iter().map(Verdict::to_value));
    }

    /// Writes the figures, if a file was requested.
    pub(super) fn write(&self, path: Option<&Path>, figures: Value) -> anyhow::Result<()> {
        let Some(path) = path else { return Ok(()) };
        std::fs::write(
            path,
            serde_json::to_string_pretty(&self.to_value(figures))? + "\n",
        )
        .with_context(|| format!("write {}", path.display()))
    }

    fn to_value(&self, figures: Value) -> Value {
        let mut record = Map::new();
        record.insert("command".to_owned(), json!(self.command));
        record.insert("date".to_owned(), json!(self.date));
        record.insert("commit".to_owned(), json!(self.commit));
        record.insert("machine".to_owned(), self.machine.clone());
        record.insert("programs".to_owned(), json!(self.programs));
        if let Value::Object(figures) = figures {
            record.extend(figures);
        }
        if !self.limits.is_empty() {
            record.insert("limits".to_owned(), json!(self.limits));
        }
        Value::Object(record)
    }
}

/// Returns the arguments of this process without local paths.
fn command() -> String {
    let mut command = vec!["cargo xtask".to_owned()];
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--binary" | "--in-process" | "--log" | "--oracle" | "--record" => drop(words.next()),
            _ => command.push(word),
        }
    }
    command.join(" ")
}

/// The current commit. A `+` marks uncommitted changes.
fn commit() -> String {
    let git = |arguments: &[&str]| text("git", arguments);
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return "unknown".to_owned();
    };
    match git(&["status", "--porcelain", "--untracked-files=no"]) {
        Some(_) => commit + "+",
        None => commit,
    }
}

fn machine() -> Value {
    let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
    let load = read("/proc/loadavg");
    let loads: Vec<f64> = load
        .split_whitespace()
        .take(3)
        .filter_map(|figure| figure.parse().ok())
        .collect();
    json!({
        "cpu": field(&read("/proc/cpuinfo"), "model name"),
        "cores": std::thread::available_parallelism().map_or(0, usize::from),
        "memory": field(&read("/proc/meminfo"), "MemTotal"),
        "kernel": read("/proc/sys/kernel/osrelease").trim(),
        "loadBefore": loads,
    })
}

/// Returns the first value of a name in the text of `/proc`.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        (found.trim() == name).then(|| value.trim().to_owned())
    })
}

/// The version of a program: the module of a Go binary, or the answer to `version --client`.
fn version(path: &Path) -> Option<String> {
    let path = path.to_str()?;
    let module = text("go", &["version", "-m", path]).and_then(|text| go_module(&text));
    module.or_else(|| {
        let version = text(path, &["version", "--client"])?;
        Some(version.lines().collect::<Vec<_>>().join(", "))
    })
}

/// Returns path and version of the main module in the output of `go version -m`.
fn go_module(text: &str) -> Option<String> {
    let line = text.lines().find(|line| line.trim().starts_with("mod\t"))?;
    let mut words = line.split_whitespace().skip(1);
    Some(format!("{} {}", words.next()?, words.next()?))
}

/// Returns what a program prints, unless it fails or prints nothing.
fn text(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(crate::repository())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_holds_circumstances_before_figures() {
        let directory = tempfile::tempdir().unwrap();
        let program = directory.path().join("program");
        std::fs::write(&program, "bytes").unwrap();
        let mut record = Record::begin();
        record.add_program("ours", &program).unwrap();
        let value = record.to_value(json!({ "lines": [1] }));
        let keys: Vec<_> = value.as_object().unwrap().keys().collect();
        let expected = ["command", "date", "commit", "machine", "programs", "lines"];
        assert_eq!(keys, expected);
        assert_eq!(value["programs"][0]["name"], "program");
        assert_eq!(value["programs"][0]["sha256"], sha256(b"bytes"));
        assert_eq!(value["machine"]["loadBefore"].as_array().unwrap().len(), 3);
        let text = value.to_string();
        assert!(!text.contains(directory.path().to_str().unwrap()), "{text}");
    }

    #[test]
    fn version_of_go_binary_is_its_module() {
        let text = "/bin/kustomize: go1.26\n\tpath\tsigs.k8s.io/kustomize/kustomize/v5\n\
                    \tmod\tsigs.k8s.io/kustomize/kustomize/v5\tv5.8.1\th1:abc=\n";
        let module = go_module(text).unwrap();
        assert_eq!(module, "sigs.k8s.io/kustomize/kustomize/v5 v5.8.1");
    }
}
