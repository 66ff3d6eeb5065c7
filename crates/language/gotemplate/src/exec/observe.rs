//! Measures the templates of a render, and finds output that its author may not expect.

use std::collections::HashMap;
use std::fmt;
use std::time::{Duration, Instant};

use crate::value::GoString;

/// The findings that a render keeps.
const MAX_FINDINGS: usize = 20;

/// The time and the output of a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TemplateTime {
    /// The name.
    pub name: GoString,
    /// How often it was executed.
    pub runs: u64,
    /// The time without that of the templates that it called.
    pub time: Duration,
    /// The bytes that it wrote, with those of the templates that it called.
    pub bytes: u64,
}

/// Output that the author of a template may not expect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A number printed with an exponent.
    Exponent {
        /// File, line and column.
        place: String,
        /// The output.
        text: String,
    },
    /// A file with random parts.
    Random {
        /// The name of the file.
        file: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exponent { place, text } => write!(
                f,
                "{place} prints {text}: numbers of values are floats, convert it with int64"
            ),
            Self::Random { file } => write!(f, "{file} has random parts: each render differs"),
        }
    }
}

/// The result of an observation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Observations {
    /// The measured templates, the slowest first.
    pub templates: Vec<TemplateTime>,
    /// The findings, in their order.
    pub findings: Vec<Finding>,
    /// The steps of the budget that were used.
    pub steps: u64,
}

/// The templates that were measured so far.
#[derive(Debug, Default)]
pub(crate) struct Stopwatch {
    templates: HashMap<GoString, TemplateTime>,
    /// For each running template, the time of those that it called.
    called: Vec<Duration>,
}

impl Stopwatch {
    pub(super) fn begin(&mut self) -> Instant {
        self.called.push(Duration::ZERO);
        Instant::now()
    }

    pub(super) fn end(&mut self, name: &GoString, began: Instant, bytes: usize) {
        let whole = began.elapsed();
        let called = self.called.pop().unwrap_or_default();
        if let Some(above) = self.called.last_mut() {
            *above += whole;
        }
        let template = self.templates.entry(name.clone()).or_default();
        template.runs += 1;
        template.time += whole.saturating_sub(called);
        template.bytes += bytes as u64;
    }

    pub(super) fn templates(self) -> Vec<TemplateTime> {
        let named = self.templates.into_iter();
        let mut templates: Vec<_> = named
            .map(|(name, template)| TemplateTime { name, ..template })
            .collect();
        templates.sort_by(|a, b| b.time.cmp(&a.time).then_with(|| a.name.cmp(&b.name)));
        templates
    }
}

/// The findings so far.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<Finding>);

impl Findings {
    pub(super) fn add(&mut self, finding: Finding) {
        if self.0.len() < MAX_FINDINGS && !self.0.contains(&finding) {
            self.0.push(finding);
        }
    }

    pub(super) fn into_list(self) -> Vec<Finding> {
        self.0
    }
}

/// Whether a text is a number with a positive exponent, perhaps in quotes.
pub(super) fn has_exponent(text: &[u8]) -> bool {
    let text = text.strip_prefix(b"\"").unwrap_or(text);
    let text = text.strip_suffix(b"\"").unwrap_or(text);
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let Some(at) = text.iter().position(|byte| *byte == b'e') else {
        return false;
    };
    let (digits, exponent) = (&text[..at], &text[at + 1..]);
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let Some(exponent) = exponent.strip_prefix(b"+") else {
        return false;
    };
    digits.first().is_some_and(is_digit)
        && digits.iter().all(|byte| is_digit(byte) || *byte == b'.')
        && exponent.len() >= 2
        && exponent.iter().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::has_exponent;

    #[test]
    fn numbers_with_exponents_are_found() {
        for text in ["1e+06", "-1.5e+20", "\"1e+06\"", "1.234567e+06"] {
            assert!(has_exponent(text.as_bytes()), "{text}");
        }
        for text in [
            "", "1", "e+06", "1e-05", "1e6", "a1e+06", "1e+06 ", "1e+0x", "\"",
        ] {
            assert!(!has_exponent(text.as_bytes()), "{text}");
        }
    }
}
