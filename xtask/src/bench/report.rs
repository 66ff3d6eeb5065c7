//! Prints the figures of a bench and writes the record.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Map, Value, json};

/// Figures so far; each line is printed at once.
pub(super) struct Report {
    command: String,
    lines: Vec<Value>,
}

impl Report {
    /// Creates a report for the arguments of this process.
    pub(super) fn new() -> Self {
        Self {
            command: command(),
            lines: Vec::new(),
        }
    }

    /// Adds a line: side, subject and figures, whose names end with a unit.
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

    /// Writes the record if requested.
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

/// Returns the arguments of this process without local paths.
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

/// The median, in seconds.
pub(super) fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times
        .get(times.len() / 2)
        .map_or(f64::NAN, Duration::as_secs_f64)
}

/// The maximum, in seconds.
pub(super) fn longest(times: &[Duration]) -> f64 {
    times.iter().max().map_or(f64::NAN, Duration::as_secs_f64)
}
