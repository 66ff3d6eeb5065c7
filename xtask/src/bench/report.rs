//! Figures of a bench as they come, and the record of all of them.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

/// What a bench has found so far; each line is printed as soon as it is there.
pub(super) struct Report {
    command: String,
    lines: Vec<Value>,
}

impl Report {
    /// A report of what the arguments of this process ask for.
    pub(super) fn new() -> Self {
        Self {
            command: command(),
            lines: Vec::new(),
        }
    }

    /// Adds a line: whose figures of what, each with its unit at the end of its name.
    pub(super) fn add(&mut self, who: &str, what: &str, figures: &[(&str, f64)]) {
        let shown: Vec<String> = figures
            .iter()
            .map(|(name, figure)| format!("{name} {figure:.2}"))
            .collect();
        println!("{who:>9}  {what}: {}", shown.join(", "));
        let figures: Map<String, Value> = figures
            .iter()
            .map(|(name, figure)| ((*name).to_owned(), json!(figure)))
            .collect();
        self.lines
            .push(json!({ "who": who, "what": what, "figures": figures }));
    }

    /// Writes the record where it is wanted.
    pub(super) fn save(&self, path: Option<&Path>) -> anyhow::Result<()> {
        let Some(path) = path else { return Ok(()) };
        let record = json!({
            "command": self.command,
            "cores": std::thread::available_parallelism()?.get(),
            "lines": self.lines,
        });
        std::fs::write(path, serde_json::to_string_pretty(&record)? + "\n")
            .with_context(|| format!("write {}", path.display()))
    }
}

/// What this process was asked for. Where binaries, logs and records lie on this machine is no part
/// of what was measured.
pub(super) fn command() -> String {
    let mut command = vec!["cargo xtask".to_owned()];
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--binary" | "--log" | "--record" => drop(words.next()),
            _ => command.push(word),
        }
    }
    command.join(" ")
}

/// The one in the middle, in seconds.
pub(super) fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times
        .get(times.len() / 2)
        .map_or(f64::NAN, Duration::as_secs_f64)
}

/// The longest, in seconds.
pub(super) fn longest(times: &[Duration]) -> f64 {
    times.iter().max().map_or(f64::NAN, Duration::as_secs_f64)
}
