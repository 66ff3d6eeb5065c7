//! Expected differences between our controller and the reference, each with a row of
//! `docs/differences.md`. The comparison reports all others.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use crate::outcome::Outcome;

/// Maximum number of rows that explain the differences of a controller.
const MAX_ROWS: usize = 5;

/// Expected differences of some scenarios.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    scenarios: Vec<String>,
    /// Title of a section. `*` matches any text, here and in lines.
    section: String,
    /// Lines that only the reference has.
    #[serde(default)]
    reference: Vec<String>,
    /// Lines that only ours has.
    #[serde(default)]
    ours: Vec<String>,
    /// A text in lines of the reference, and the one that ours have in its place. All else in
    /// these lines must be equal.
    #[serde(default)]
    replace: Option<[String; 2]>,
    /// Beginning of the row in `docs/differences.md`.
    because: String,
}

/// All entries of a file.
#[derive(Debug, Clone)]
pub struct ExpectedDifferences(Vec<Entry>);

/// The entries for one scenario.
#[derive(Debug, Clone)]
pub struct ScenarioDifferences(Vec<Entry>);

/// Index of the entry, the side and the pattern.
pub type UsedPatterns = BTreeSet<(usize, char, String)>;

impl ExpectedDifferences {
    /// Reads a file.
    pub fn read(path: &Path) -> Self {
        let text = sluice_system::fs::read_to_string(path).unwrap();
        let value = sluice_yaml::v2::from_str_strict(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let entries = serde_json::from_value(value);
        Self(entries.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
    }

    /// Returns scenarios that an entry names and that do not exist.
    pub fn unknown_scenarios(&self, known: &BTreeSet<String>) -> BTreeSet<String> {
        let named: BTreeSet<String> = self
            .0
            .iter()
            .flat_map(|entry| entry.scenarios.iter().cloned())
            .collect();
        named.difference(known).cloned().collect()
    }

    /// Fails unless each entry has patterns and a row in `docs/differences.md`, and the rows are
    /// few.
    pub fn assert_rows_of(&self, differences: &Path) {
        let text = sluice_system::fs::read_to_string(differences).unwrap();
        let rows: BTreeSet<&str> = self.0.iter().map(|entry| &*entry.because).collect();
        assert!(rows.len() <= MAX_ROWS, "more than {MAX_ROWS}: {rows:#?}");
        for entry in &self.0 {
            let row = format!("| {}", entry.because);
            assert!(text.contains(&row), "no row begins so: {}", entry.because);
            assert!(
                !entry.reference.is_empty() || !entry.ours.is_empty() || entry.replace.is_some(),
                "{entry:?}"
            );
        }
    }

    /// The entries for one scenario.
    pub fn of(&self, scenario: &str) -> ScenarioDifferences {
        let mut entries = self.0.clone();
        entries.retain(|entry| entry.scenarios.iter().any(|name| name == scenario));
        ScenarioDifferences(entries)
    }
}

impl ScenarioDifferences {
    /// Compares two outcomes. Fails with the unexpected differences and the patterns that match
    /// nothing.
    pub fn compare(&self, reference: &Outcome, ours: &Outcome) -> Result<(), String> {
        let mut used = BTreeSet::new();
        let text = self.unexplained(reference, ours, |_| true, &mut used) + &self.unmatched(&used);
        if text.is_empty() { Ok(()) } else { Err(text) }
    }

    /// Lists the patterns that matched nothing.
    pub fn unmatched(&self, used: &UsedPatterns) -> String {
        let mut text = String::new();
        for (index, entry) in self.0.iter().enumerate() {
            for (side, patterns) in [('-', &entry.reference), ('+', &entry.ours)] {
                for pattern in patterns {
                    if !used.contains(&(index, side, pattern.clone())) {
                        writeln!(
                            text,
                            "expected difference not found: {}: {side} {pattern}",
                            entry.section
                        )
                        .expect("writing to a string succeeds");
                    }
                }
            }
            if let Some([from, _]) = &entry.replace
                && !used.contains(&(index, '~', from.clone()))
            {
                writeln!(
                    text,
                    "text of the reference not found: {}: {from}",
                    entry.section
                )
                .expect("writing to a string succeeds");
            }
        }
        text
    }

    /// Returns the beginnings of the rows whose patterns matched.
    pub fn rows(&self, used: &UsedPatterns) -> BTreeSet<&str> {
        let used = used.iter().filter_map(|(index, ..)| self.0.get(*index));
        used.map(|entry| entry.because.as_str()).collect()
    }

    /// Lists the unexpected differences of the selected sections.
    pub fn unexplained(
        &self,
        reference: &Outcome,
        ours: &Outcome,
        is_selected: impl Fn(&str) -> bool,
        used: &mut UsedPatterns,
    ) -> String {
        let mut text = String::new();
        for title in titles(reference, ours)
            .iter()
            .filter(|title| is_selected(title))
        {
            let (mut left, right) = (reference.lines(title), ours.lines(title));
            self.replace_texts(title, &mut left, used);
            if is_cheaper(title, &left, &right) {
                continue;
            }
            let lost = self.without(title, '-', &left, &right, used);
            let new = self.without(title, '+', &right, &left, used);
            if lost == new {
                continue;
            }
            writeln!(text, "{title}").expect("writing to a string succeeds");
            for (mark, lines, others) in [('-', &lost, &new), ('+', &new, &lost)] {
                for line in lines.iter().filter(|line| !others.contains(line)) {
                    writeln!(text, "{mark} {line}").expect("writing to a string succeeds");
                }
            }
            if lost.iter().all(|line| new.contains(line))
                && new.iter().all(|line| lost.contains(line))
            {
                writeln!(
                    text,
                    "the same lines in another order or number:\n- {lost:#?}\n+ {new:#?}"
                )
                .expect("writing to a string succeeds");
            }
        }
        text
    }

    /// Replaces the texts that differ in every line by ours.
    fn replace_texts(&self, title: &str, lines: &mut [String], used: &mut UsedPatterns) {
        for (index, entry) in self.0.iter().enumerate() {
            let Some([from, to]) = &entry.replace else {
                continue;
            };
            if !matches_pattern(title, &entry.section) {
                continue;
            }
            for line in lines.iter_mut().filter(|line| line.contains(from.as_str())) {
                *line = line.replace(from.as_str(), to);
                used.insert((index, '~', from.clone()));
            }
        }
    }

    /// Returns the lines of one side without expected differences.
    fn without<'l>(
        &self,
        title: &str,
        side: char,
        lines: &'l [String],
        others: &[String],
        used: &mut UsedPatterns,
    ) -> Vec<&'l String> {
        let mut rest = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            // Of equal lines, the first ones pair with those of the other side.
            let count = |lines: &[String]| lines.iter().filter(|other| *other == line).count();
            let known = (count(&lines[..index]) >= count(others))
                .then(|| self.reason(title, side, line))
                .flatten();
            match known {
                Some(reason) => {
                    used.insert(reason);
                }
                None => rest.push(line),
            }
        }
        rest
    }

    fn reason(&self, title: &str, side: char, line: &str) -> Option<(usize, char, String)> {
        let entries = self.0.iter().enumerate();
        entries
            .filter(|(_, entry)| matches_pattern(title, &entry.section))
            .find_map(|(index, entry)| {
                let patterns = if side == '-' {
                    &entry.reference
                } else {
                    &entry.ours
                };
                let pattern = patterns
                    .iter()
                    .find(|pattern| matches_pattern(line, pattern))?;
                Some((index, side, pattern.clone()))
            })
    }
}

/// Lists every difference between two outcomes.
pub fn differences(left: &Outcome, right: &Outcome) -> String {
    ScenarioDifferences(Vec::new()).unexplained(
        left,
        right,
        |title| title != "cost",
        &mut BTreeSet::new(),
    )
}

fn titles(left: &Outcome, right: &Outcome) -> Vec<String> {
    let mut titles: Vec<String> = left.0.iter().map(|section| section.title.clone()).collect();
    for section in &right.0 {
        if !titles.contains(&section.title) {
            titles.push(section.title.clone());
        }
    }
    titles
}

/// Costs are numbers. They may be lower than those of the reference.
fn is_cheaper(title: &str, reference: &[String], ours: &[String]) -> bool {
    let number = |line: &String| line.rsplit(' ').next()?.parse::<usize>().ok();
    title == "cost"
        && reference.len() == ours.len()
        && reference
            .iter()
            .zip(ours)
            .all(|(theirs, ours)| number(ours) <= number(theirs))
}

/// Whether a text matches a pattern, in which `*` matches any text.
fn matches_pattern(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| text.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_text_leaves_the_rest_of_a_line_to_compare() {
        let differences = ScenarioDifferences(vec![Entry {
            scenarios: Vec::new(),
            section: "status".to_owned(),
            reference: Vec::new(),
            ours: Vec::new(),
            replace: Some(["\\n\"".to_owned(), "\"".to_owned()]),
            because: String::new(),
        }]);
        let outcome = |line: &str| Outcome::parse(&format!("status\n  {line}\n"));
        let theirs = outcome("\"it failed\\n\"");
        let compared = |line: &str| differences.compare(&theirs, &outcome(line)).is_ok();
        assert!(compared("\"it failed\""));
        assert!(!compared("\"it has failed\""));
        let plain = outcome("\"it failed\"");
        assert!(differences.compare(&plain, &plain).is_err(), "it is unused");
    }

    #[test]
    fn star_matches_any_text() {
        for (text, pattern, is) in [
            ("a b c", "a b c", true),
            ("a b c", "a *c", true),
            ("a b c", "*", true),
            ("a b c", "a*b", false),
            ("a", "a*a", false),
        ] {
            assert_eq!(matches_pattern(text, pattern), is, "{text} {pattern}");
        }
    }
}
