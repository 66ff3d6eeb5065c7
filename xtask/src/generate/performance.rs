//! The figures of `docs/performance.md` and its plots, from the records of benches.
//!
//! [`FIGURES`] lists the figures. For all of them, less is better. The figures that are worse than
//! Flux's or miss their aim are derived too.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use anyhow::{Context as _, Result};
use serde_json::Value;
use sluice_system::fs;

use super::sections;
use crate::picture::figures::{Pair, read, svg, value};

/// Tables of figures, and the aims. The head of the file describes its lines.
const FIGURES: &str = include_str!("performance/figures.txt");
/// The section with the aims.
const AIMS: &str = "aims";

/// A derived section of the page.
struct Table {
    name: &'static str,
    rows: Vec<Row>,
}

/// A figure of a record.
struct Row {
    label: &'static str,
    /// The file below `tests/bench/records`.
    record: &'static str,
    /// The measurement of our side and of the reference, as far as it begins so.
    what: [&'static str; 2],
    figure: &'static str,
    unit: &'static str,
    /// The aim.
    limit: Option<f64>,
}

/// A figure with the values of its record.
struct Figure<'t> {
    row: &'t Row,
    ours: f64,
    /// Absent if the record has no figure of the reference.
    reference: Option<f64>,
}

/// Returns the page with current figures.
pub(super) fn pages() -> Result<BTreeMap<String, String>> {
    let path = crate::repository().join("docs/performance.md");
    let mut page = fs::read_to_string(path)?;
    let tables = tables(FIGURES)?;
    let mut worse = String::new();
    for table in &tables {
        let figures = figures(table)?;
        if table.name == AIMS {
            page = sections::replace(&page, AIMS, &aims(&figures)?)?;
            continue;
        }
        page = sections::replace(&page, table.name, &text_of(table, &figures)?)?;
        for figure in figures.iter().filter(|figure| figure.is_worse()) {
            let (ours, theirs) = (figure.ours_shown(), figure.reference_shown());
            let label = figure.row.label;
            writeln!(worse, "| {} | {label} | {ours} | {theirs} |", table.name)?;
        }
    }
    let worse = if worse.is_empty() {
        "None of the figures above is worse than Flux's.\n".to_owned()
    } else {
        format!("| part | measurement | sluice | Flux |\n|---|---|---|---|\n{worse}")
    };
    page = sections::replace(&page, "worse", &worse)?;
    page = sections::replace(&page, "records", &records(&tables)?)?;
    Ok([("performance.md".to_owned(), page)].into())
}

/// Returns the plot of each table that has figures of both sides.
pub(super) fn plots() -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for table in tables(FIGURES)?.iter().filter(|table| table.name != AIMS) {
        let figures = figures(table)?;
        let pairs: Vec<Pair<'_>> = figures.iter().filter_map(Figure::pair).collect();
        if !pairs.is_empty() {
            files.insert(picture(table), svg(&pairs));
        }
    }
    Ok(files)
}

/// Parses the list of figures.
fn tables(text: &'static str) -> Result<Vec<Table>> {
    let mut tables: Vec<Table> = Vec::new();
    let mut record = "";
    for line in text.lines().filter(|line| !line.is_empty()) {
        if line.starts_with("//") {
            continue;
        }
        if let Some(name) = line.strip_prefix("# ") {
            let rows = Vec::new();
            tables.push(Table { name, rows });
        } else if let Some(name) = line.strip_prefix("@ ") {
            record = name;
        } else {
            let table = tables.last_mut().context("a figure before a section")?;
            let row = Row::parse(line, record);
            table
                .rows
                .push(row.with_context(|| format!("not a figure: {line}"))?);
        }
    }
    Ok(tables)
}

impl Row {
    fn parse(line: &'static str, record: &'static str) -> Option<Self> {
        let mut columns = line.split(" | ");
        let (label, what) = (columns.next()?, columns.next()?);
        let (figure, unit) = (columns.next()?, columns.next()?);
        let (ours, theirs) = what.split_once(" ; ").unwrap_or((what, what));
        let limit = match columns.next() {
            Some(limit) => Some(limit.parse().ok()?),
            None => None,
        };
        Some(Self {
            label,
            record,
            what: [ours, theirs],
            figure,
            unit: if unit == "-" { "" } else { unit },
            limit,
        })
    }
}

fn picture(table: &Table) -> String {
    format!("performance-{}.svg", table.name.replace(' ', "-"))
}

fn figures(table: &Table) -> Result<Vec<Figure<'_>>> {
    table.rows.iter().map(Figure::read).collect()
}

impl<'t> Figure<'t> {
    fn read(row: &'t Row) -> Result<Self> {
        let (record, [what, theirs]) = (read(row.record)?, row.what);
        let ours = value(&record, "ours", what, row.figure);
        let ours =
            ours.with_context(|| format!("{} has no {:?} for {what:?}", row.record, row.figure))?;
        Ok(Self {
            row,
            ours,
            reference: value(&record, "reference", theirs, row.figure),
        })
    }

    fn is_worse(&self) -> bool {
        self.reference
            .is_some_and(|reference| self.ours > reference)
    }

    fn pair(&self) -> Option<Pair<'t>> {
        Some(Pair {
            label: self.row.label,
            unit: self.row.unit,
            ours: self.ours,
            reference: self.reference?,
        })
    }

    fn ours_shown(&self) -> String {
        shown(self.ours, self.row.unit)
    }

    fn reference_shown(&self) -> String {
        let reference = self.reference;
        reference.map_or_else(|| "–".to_owned(), |figure| shown(figure, self.row.unit))
    }
}

/// A table with the plot of its figures.
fn text_of(table: &Table, figures: &[Figure<'_>]) -> Result<String> {
    let mut text = String::from(
        "| measurement | sluice | Flux | sluice ÷ Flux | record |\n|---|---|---|---|---|\n",
    );
    for figure in figures {
        let ratio = figure.reference.filter(|reference| *reference > 0.0);
        let ratio = ratio.map_or_else(
            || "–".to_owned(),
            |reference| format!("{:.2}", figure.ours / reference),
        );
        let record = figure.row.record;
        writeln!(
            text,
            "| {} | {} | {} | {ratio} | [{}](../tests/bench/records/{record}) |",
            figure.row.label,
            figure.ours_shown(),
            figure.reference_shown(),
            kind(record),
        )?;
    }
    if figures.iter().any(|figure| figure.reference.is_some()) {
        let (name, picture) = (table.name, picture(table));
        writeln!(text, "\n![{name}, beside Flux](images/{picture})")?;
    }
    Ok(text)
}

/// The kind of a record: its name without date and extension.
fn kind(record: &str) -> &str {
    let stem = record.strip_suffix(".json").unwrap_or(record);
    stem.get(11..).unwrap_or(stem)
}

/// The aims, and whether the figures of our side meet them.
fn aims(figures: &[Figure<'_>]) -> Result<String> {
    let mut text = String::from("| aim | limit | measured | |\n|---|---|---|---|\n");
    for figure in figures {
        let label = figure.row.label;
        let limit = figure.row.limit;
        let limit = limit.with_context(|| format!("the aim '{label}' has no limit"))?;
        let verdict = if figure.ours <= limit {
            "met"
        } else {
            "**missed**"
        };
        let (limit, measured) = (shown(limit, figure.row.unit), figure.ours_shown());
        writeln!(text, "| {label} | {limit} | {measured} | {verdict} |")?;
    }
    Ok(text)
}

/// The records of all figures, with their circumstances.
fn records(tables: &[Table]) -> Result<String> {
    let rows = tables.iter().flat_map(|table| &table.rows);
    let used: BTreeSet<&str> = rows.map(|row| row.record).collect();
    let mut text = String::from(
        "| record | commit | machine | load before | command |\n|---|---|---|---|---|\n",
    );
    for file in used {
        let record = read(file)?;
        let machine = &record["machine"];
        let name = |value: &Value| value.as_str().unwrap_or("–").to_owned();
        let load = &machine["loadBefore"][0];
        writeln!(
            text,
            "| [{file}](../tests/bench/records/{file}) | {} | {} × {}, {}, Linux {} | {load} | `{}` |",
            name(&record["commit"]),
            machine["cores"],
            name(&machine["cpu"]),
            name(&machine["memory"]),
            name(&machine["kernel"]),
            name(&record["command"]),
        )?;
    }
    Ok(text)
}

/// A figure with its unit, and with commas between thousands.
fn shown(figure: f64, unit: &str) -> String {
    let number = if figure < 10.0 {
        format!("{figure:.2}")
    } else {
        let digits = format!("{figure:.0}");
        let mut number = String::new();
        for (index, digit) in digits.char_indices() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                number.push(',');
            }
            number.push(digit);
        }
        number
    };
    format!("{number} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_figure_has_commas_and_small_fractions() {
        for (figure, unit, expected) in [
            (0.5, "s", "0.50 s"),
            (46.16, "MiB", "46 MiB"),
            (999.6, "MiB", "1,000 MiB"),
            (179_403.0, "", "179,403"),
            (1_234_567.0, "", "1,234,567"),
        ] {
            assert_eq!(shown(figure, unit), expected);
        }
    }

    #[test]
    fn kind_of_record_has_no_date() {
        assert_eq!(kind("2026-11-28-helm-sources.json"), "helm-sources");
    }

    #[test]
    fn every_plot_is_linked_from_the_page() {
        let page = &pages().unwrap()["performance.md"];
        for picture in plots().unwrap().keys() {
            assert!(page.contains(&format!("](images/{picture})")), "{picture}");
        }
    }

    #[test]
    fn every_controller_has_figures_beside_the_reference() {
        let tables = tables(FIGURES).unwrap();
        for name in sluice::commands::controller::NAMES {
            let table = tables.iter().find(|table| table.name == *name).unwrap();
            let figures = figures(table).unwrap();
            let compared = figures.iter().filter(|figure| figure.reference.is_some());
            assert!(compared.count() >= 3, "{name}");
        }
    }

    #[test]
    fn line_of_figure_has_both_measurements_and_limit() {
        let row = Row::parse("a | b ; c | d MiB | - | 0.5", "r").unwrap();
        assert_eq!((row.label, row.what, row.unit), ("a", ["b", "c"], ""));
        assert_eq!((row.figure, row.limit), ("d MiB", Some(0.5)));
        assert_eq!(Row::parse("a | b | c | s", "r").unwrap().what, ["b", "b"]);
        assert!(Row::parse("a | b | c", "r").is_none());
        assert!(Row::parse("a | b | c | s | much", "r").is_none());
    }
}
