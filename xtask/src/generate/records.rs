//! The index of the records of benches, with a plot for each headline figure.
//!
//! A record is a file `DATE-KIND[-NUMBER].json` or `.md`. At most [`MAX_RECORDS`] of a kind stand
//! in the tree; older ones are in the history of Git.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;
use sluice_system::fs;

/// The directory of the records.
pub(super) const DIRECTORY: &str = "tests/bench/records";

/// Maximum number of records of one kind.
const MAX_RECORDS: usize = 3;

/// A figure that shows whether a kind of record gets better.
struct Headline {
    kind: &'static str,
    title: &'static str,
    unit: &'static str,
    figure: Figure,
}

/// The place of a figure in a record.
enum Figure {
    /// A figure of our line whose name begins so.
    Line(&'static str, &'static str),
    /// A field of the row of a shape.
    Row(&'static str, &'static str),
    /// The quotient of two fields of the run with so many pairs or objects.
    Quotient(u64, &'static str, &'static str),
}

const HEADLINES: &[Headline] = &[
    Headline {
        kind: "kustomize",
        title: "Build of 1,000 objects, relative to kustomize",
        unit: "×",
        figure: Figure::Row("1,000 objects", "timeRatio"),
    },
    Headline {
        kind: "kustomize-ten-thousand",
        title: "Build of 10,000 objects, relative to kustomize",
        unit: "×",
        figure: Figure::Row("10,000 objects", "timeRatio"),
    },
    Headline {
        kind: "mttp",
        title: "1,000 pairs until ready, relative to the floor",
        unit: "×",
        figure: Figure::Quotient(1000, "readySeconds", "floorSeconds"),
    },
    Headline {
        kind: "mttp-oci",
        title: "OCIRepositories until stored, relative to the floor",
        unit: "×",
        figure: Figure::Quotient(0, "readySeconds", "floorSeconds"),
    },
    Headline {
        kind: "idle-10000",
        title: "Memory of an idle Kustomization, of 10,000",
        unit: "KiB",
        figure: Figure::Line("10000 idle", "idle KiB each"),
    },
    Headline {
        kind: "apply",
        title: "Requests of a change of 10 objects",
        unit: "requests",
        figure: Figure::Line("10 objects in one", "requests of a change"),
    },
    Headline {
        kind: "cli",
        title: "Start of the command line: version --client",
        unit: "ms",
        figure: Figure::Line("version --client", "median ms"),
    },
];

/// A record by its name.
#[derive(Debug, PartialEq, Eq)]
struct Record {
    file: String,
    date: String,
    kind: String,
    number: u32,
}

impl Record {
    /// Parses a file name. Returns `None` for other files.
    fn parse(file: &str) -> Option<Self> {
        let (stem, _) = file
            .rsplit_once('.')
            .filter(|(_, extension)| matches!(*extension, "json" | "md"))?;
        let (date, name) = stem.split_at_checked(10)?;
        let is_date = date
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b'-');
        let name = name.strip_prefix('-').filter(|_| is_date)?;
        // A larger number is part of the kind: `idle-10000`.
        let numbered = name.rsplit_once('-').and_then(|(kind, number)| {
            let number: u32 = number.parse().ok().filter(|number| *number < 1000)?;
            Some((kind, number))
        });
        let (kind, number) = numbered.unwrap_or((name, 1));
        Some(Self {
            file: file.to_owned(),
            date: date.to_owned(),
            kind: kind.to_owned(),
            number,
        })
    }
}

/// Returns the index and its plots.
pub(super) fn files() -> Result<BTreeMap<String, String>> {
    let directory = crate::repository().join(DIRECTORY);
    let mut kinds: BTreeMap<String, Vec<Record>> = BTreeMap::new();
    for entry in fs::read_dir(&directory)? {
        let name = entry.path.file_name().and_then(|name| name.to_str());
        if let Some(record) = name.and_then(Record::parse) {
            kinds.entry(record.kind.clone()).or_default().push(record);
        }
    }
    for records in kinds.values_mut() {
        records.sort_by(|one, other| (&one.date, one.number).cmp(&(&other.date, other.number)));
        ensure!(
            records.len() <= MAX_RECORDS,
            "{DIRECTORY} has {} records of the kind '{}'; remove the oldest, {}",
            records.len(),
            records[0].kind,
            records[0].file
        );
    }
    let mut files = BTreeMap::new();
    let mut index = String::from(
        "# Records of benches\n\n\
         `cargo xtask generate` writes this page. It keeps the last three records of each kind; older ones are in\n\
         the history of Git. `cargo xtask bench KIND --record FILE` makes one. Two records compare only if they come\n\
         from one machine. A record names its machine, the load before, the commit and the measured programs; those\n\
         before 27 November 2026 name less.\n\n\
         ## Headline figures\n\n",
    );
    for headline in HEADLINES {
        let Some(records) = kinds.get(headline.kind) else {
            continue;
        };
        let mut points = Vec::new();
        for record in records.iter().filter(|record| is_json(&record.file)) {
            if let Some(figure) = headline.figure.read(&read(record)?) {
                points.push((record, figure));
            }
        }
        if points.is_empty() {
            continue;
        }
        let picture = format!("{}.svg", headline.kind);
        writeln!(index, "![{}]({picture})\n", headline.title)?;
        files.insert(picture, plot(headline, &points));
    }
    index.push_str(
        "## Records\n\n\
         Limits are aims for an idle machine. A record without limits has a dash.\n\n\
         | record | commit | machine | load before | missed limits | command |\n|---|---|---|---|---|---|\n",
    );
    for record in kinds.values().flatten() {
        index.push_str(&row(record)?);
    }
    files.insert("README.md".to_owned(), index);
    Ok(files)
}

fn is_json(file: &str) -> bool {
    std::path::Path::new(file)
        .extension()
        .is_some_and(|found| found == "json")
}

fn read(record: &Record) -> Result<Value> {
    let path = crate::repository().join(DIRECTORY).join(&record.file);
    let text = fs::read_to_string(&path)?;
    serde_json::from_str(&text).with_context(|| format!("failed to parse {}", path.display()))
}

/// The row of a record. Records without circumstances have dashes.
fn row(record: &Record) -> Result<String> {
    let file = &record.file;
    if !is_json(file) {
        return Ok(format!(
            "| [{file}]({file}) | – | – | – | – | see there |\n"
        ));
    }
    let value = read(record)?;
    let machine = &value["machine"];
    let cores = machine["cores"]
        .as_u64()
        .or_else(|| value["cores"].as_u64());
    let machine_name = match (machine["cpu"].as_str(), cores) {
        (Some(cpu), Some(cores)) => format!("{cores} × {cpu}"),
        (None, Some(cores)) => format!("{cores} cores"),
        _ => "–".to_owned(),
    };
    let load = machine["loadBefore"][0]
        .as_f64()
        .map_or_else(|| "–".to_owned(), |load| format!("{load:.2}"));
    let commit = value["commit"].as_str().unwrap_or("–");
    let command = value["command"].as_str().unwrap_or("–");
    let missed = missed_limits(&value);
    Ok(format!(
        "| [{file}]({file}) | {commit} | {machine_name} | {load} | {missed} | `{command}` |\n"
    ))
}

/// The limits that a record misses. Older records have none.
fn missed_limits(record: &Value) -> String {
    let Some(limits) = record["limits"].as_array() else {
        return "–".to_owned();
    };
    let missed = limits.iter().filter(|limit| limit["missed"] == true);
    let missed: Vec<_> = missed.filter_map(|limit| limit["name"].as_str()).collect();
    if missed.is_empty() {
        return format!("none of {}", limits.len());
    }
    format!(
        "{} of {}: {}",
        missed.len(),
        limits.len(),
        missed.join("; ")
    )
}

impl Figure {
    fn read(&self, record: &Value) -> Option<f64> {
        let rows = |name: &str| record[name].as_array().into_iter().flatten();
        match self {
            Self::Line(what, figure) => rows("lines").find_map(|line| {
                let is_named = line["what"].as_str()?.starts_with(what);
                (is_named && line["who"] == "ours").then(|| line["figures"][figure].as_f64())?
            }),
            Self::Row(shape, field) => {
                let row = rows("rows").find(|row| row["shape"] == *shape)?;
                row[field].as_f64()
            }
            Self::Quotient(count, over, under) => {
                let is_run = |run: &&Value| {
                    *count == 0 || run["pairs"] == *count || run["objects"] == *count
                };
                let run = rows("runs").find(is_run)?;
                Some(run[over].as_f64()? / run[under].as_f64()?)
            }
        }
    }
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 150.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 118.0;

/// Draws the points of a figure in the order of time, from zero.
fn plot(headline: &Headline, points: &[(&Record, f64)]) -> String {
    let most = points
        .iter()
        .map(|(_, figure)| *figure)
        .fold(f64::MIN_POSITIVE, f64::max);
    let step = (WIDTH - 3.0 * LEFT) / f64::from(u32::try_from(MAX_RECORDS - 1).unwrap_or(1));
    let places: Vec<(f64, f64)> = (0_u8..)
        .zip(points)
        .map(|(index, (_, figure))| {
            let height = figure / most * (BOTTOM - TOP);
            (LEFT + f64::from(index) * step, BOTTOM - height)
        })
        .collect();
    let mut body = String::new();
    let line: Vec<String> = places
        .iter()
        .map(|(x, y)| format!("{x:.1},{y:.1}"))
        .collect();
    let line = line.join(" ");
    let _ = writeln!(
        body,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"#1f6feb\" stroke-width=\"2\"/>"
    );
    for ((x, y), (record, figure)) in places.iter().zip(points) {
        let (above, below) = (y - 8.0, BOTTOM + 20.0);
        let figure = rounded(*figure);
        let _ = writeln!(
            body,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1f6feb\"/>\n\
             <text x=\"{x:.1}\" y=\"{above:.1}\" fill=\"#24292f\">{figure} {}</text>\n\
             <text x=\"{x:.1}\" y=\"{below:.1}\" fill=\"#57606a\">{} #{}</text>",
            headline.unit, record.date, record.number
        );
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"20\" font-weight=\"bold\" fill=\"#24292f\">{}</text>\n\
         <line x1=\"{LEFT}\" y1=\"{BOTTOM}\" x2=\"{}\" y2=\"{BOTTOM}\" stroke=\"#d0d7de\"/>\n\
         {body}</svg>\n",
        headline.title,
        WIDTH - LEFT,
    )
}

/// Three significant digits for small figures.
fn rounded(figure: f64) -> String {
    match figure {
        figure if figure < 0.01 => format!("{figure:.4}"),
        figure if figure < 0.1 => format!("{figure:.3}"),
        figure if figure < 10.0 => format!("{figure:.2}"),
        figure => format!("{figure:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn name_of_record_has_date_kind_and_number() {
        for (file, expected) in [
            ("2026-11-23-mttp-10.json", Some(("mttp", 10))),
            ("2026-11-23-idle-10000.json", Some(("idle-10000", 1))),
            ("2026-11-25-idle.md", Some(("idle", 1))),
            ("README.md", None),
            ("2026-11-23.json", None),
            ("2026-11-23-mttp.svg", None),
        ] {
            let record = Record::parse(file);
            let found = record.as_ref().map(|record| (&*record.kind, record.number));
            assert_eq!(found, expected, "{file}");
        }
    }

    #[test]
    fn row_names_missed_limits() {
        let limit = |name: &str, missed: bool| json!({ "name": name, "missed": missed });
        let both = [limit("idle MiB", true), limit("lost", false)];
        assert_eq!(
            missed_limits(&json!({ "limits": both })),
            "1 of 2: idle MiB"
        );
        let held = [limit("lost", false)];
        assert_eq!(missed_limits(&json!({ "limits": held })), "none of 1");
        assert_eq!(missed_limits(&json!({})), "–");
    }

    #[test]
    fn figure_is_read_by_its_place() {
        let record = json!({
            "lines": [
                { "who": "reference", "what": "10 idle", "figures": { "MiB": 9.0 } },
                { "who": "ours", "what": "10 idle", "figures": { "MiB": 3.0 } },
            ],
            "rows": [{ "shape": "a", "timeRatio": 0.5 }],
            "runs": [{ "pairs": 10, "x": 1.0, "y": 4.0 }, { "pairs": 20, "x": 6.0, "y": 2.0 }],
        });
        for (figure, expected) in [
            (Figure::Line("10", "MiB"), Some(3.0)),
            (Figure::Line("11", "MiB"), None),
            (Figure::Row("a", "timeRatio"), Some(0.5)),
            (Figure::Quotient(20, "x", "y"), Some(3.0)),
            (Figure::Quotient(0, "x", "y"), Some(0.25)),
        ] {
            assert_eq!(figure.read(&record), expected);
        }
    }

    #[test]
    fn every_headline_has_a_plot() {
        let files = files().unwrap();
        for headline in HEADLINES {
            let picture = format!("{}.svg", headline.kind);
            assert!(files.contains_key(&picture), "{picture}");
        }
    }

    /// Each line with a link to a record repeats figures of that record only.
    #[test]
    fn figures_of_pages_appear_in_linked_record() {
        let mut compared = 0;
        for page in ["README.md", "PARITY.md"] {
            let text = fs::read_to_string(crate::repository().join(page)).unwrap();
            for line in text.lines() {
                let Some((_, rest)) = line.split_once("](tests/bench/records/2") else {
                    continue;
                };
                let file = format!("2{}", rest.split(')').next().unwrap());
                let record = crate::repository().join(DIRECTORY).join(file);
                let record = fs::read_to_string(record).unwrap();
                let figures =
                    line.split(|character: char| !character.is_ascii_digit() && character != ',');
                let figures =
                    figures.filter(|figure| figure.len() >= 3 && !figure.starts_with("20"));
                for figure in figures.map(|figure| figure.trim_end_matches(',')) {
                    assert!(record.contains(figure), "{page}: {figure}\n{line}");
                    compared += 1;
                }
            }
        }
        assert!(compared >= 6, "{compared}");
    }
}
