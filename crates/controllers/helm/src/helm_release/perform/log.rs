//! The last lines that Helm has logged during an action. Events of failures show them.
//!
//! Parity: `helm-controller: internal/action/log.go`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use sluice_system::Clock;

/// The number of lines. Repetitions of a line count as one.
const MAX_LINES: usize = 10;

/// A line with its repetitions.
#[derive(Debug)]
struct Entry {
    text: String,
    first: Timestamp,
    last: Timestamp,
    repetitions: u64,
}

/// The last lines of an action.
#[derive(Debug)]
pub(super) struct LogBuffer {
    clock: Arc<dyn Clock>,
    entries: Mutex<VecDeque<Entry>>,
}

impl LogBuffer {
    pub(super) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            entries: Mutex::default(),
        }
    }

    /// Adds a line. A wait repeats its line, so a line that equals the last one is only counted.
    pub(super) fn add(&self, text: String) {
        let now = self.clock.now();
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = entries.back_mut().filter(|last| last.text == text) {
            last.last = now;
            last.repetitions += 1;
            return;
        }
        if entries.len() == MAX_LINES {
            entries.pop_front();
        }
        entries.push_back(Entry {
            text,
            first: now,
            last: now,
            repetitions: 0,
        });
    }

    /// Formats the lines: the first and the last repetition of each, and how many are between.
    pub(super) fn text(&self) -> String {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<String> = entries.iter().map(Entry::format).collect();
        lines.join("\n")
    }
}

impl Entry {
    fn format(&self) -> String {
        let (first, last, text) = (self.first, self.last, &self.text);
        match self.repetitions {
            0 => format!("{first}: {text}"),
            1 => format!("{first}: {text}\n{last}: {text}"),
            repetitions => {
                let omitted = repetitions - 1;
                let lines = if omitted == 1 { "line" } else { "lines" };
                format!("{first}: {text}\n{last}: {text} ({omitted} duplicate {lines} omitted)")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sluice_system::ManualClock;

    use super::*;

    fn log(lines: &[&str]) -> String {
        let start = "2024-01-02T03:04:05.12Z".parse().unwrap();
        let clock = Arc::new(ManualClock::at(start));
        let log = LogBuffer::new(Arc::clone(&clock) as Arc<dyn Clock>);
        for line in lines {
            log.add((*line).to_owned());
            clock.advance(Duration::from_secs(1));
        }
        log.text()
    }

    /// From `Test_logRingBuffer` and `TestLogBuffer_String` of helm-controller.
    #[test]
    fn repeated_lines_are_counted() {
        assert_eq!(log(&[]), "");
        assert_eq!(log(&["a"]), "2024-01-02T03:04:05.12Z: a");
        let twice = "2024-01-02T03:04:05.12Z: a\n2024-01-02T03:04:06.12Z: a";
        assert_eq!(log(&["a", "a"]), twice);
        let thrice = "2024-01-02T03:04:05.12Z: a\n2024-01-02T03:04:07.12Z: a \
                      (1 duplicate line omitted)\n2024-01-02T03:04:08.12Z: b";
        assert_eq!(log(&["a", "a", "a", "b"]), thrice);
        assert!(log(&["a"; 4]).ends_with(" (2 duplicate lines omitted)"));
    }

    #[test]
    fn oldest_lines_are_dropped() {
        let lines: Vec<String> = (0..12).map(|line| line.to_string()).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let text = log(&lines);
        assert_eq!(text.lines().count(), MAX_LINES);
        assert!(text.starts_with("2024-01-02T03:04:07.12Z: 2\n"), "{text}");
    }
}
