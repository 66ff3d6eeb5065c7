//! Prints the figures of a bench and writes the record.

use std::path::Path;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::limits::Verdict;
use super::record::Record;

/// Figures so far; each line is printed at once.
pub(super) struct Report {
    record: Record,
    lines: Vec<Value>,
}

impl Report {
    /// Creates a report of the programs, by side.
    pub(super) fn new<'p>(
        programs: impl IntoIterator<Item = (&'static str, &'p Path)>,
    ) -> anyhow::Result<Self> {
        let mut record = Record::begin();
        for (side, path) in programs {
            record.add_program(side, path)?;
        }
        Ok(Self {
            record,
            lines: Vec::new(),
        })
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

    /// Adds the limits of the figures.
    pub(super) fn add_limits(&mut self, verdicts: &[Verdict]) {
        self.record.add_limits(verdicts);
    }

    /// Writes the record if requested.
    pub(super) fn save(&self, path: Option<&Path>) -> anyhow::Result<()> {
        self.record.write(path, json!({ "lines": self.lines }))
    }
}

/// The median, in seconds.
pub(super) fn median(times: &mut [Duration]) -> f64 {
    percentile(times, 50)
}

/// The time that a part of the times does not exceed, in seconds.
pub(super) fn percentile(times: &mut [Duration], percent: usize) -> f64 {
    times.sort_unstable();
    let index = (times.len() * percent / 100).min(times.len().saturating_sub(1));
    times.get(index).map_or(f64::NAN, Duration::as_secs_f64)
}

/// The maximum, in seconds.
pub(super) fn longest(times: &[Duration]) -> f64 {
    times.iter().max().map_or(f64::NAN, Duration::as_secs_f64)
}
