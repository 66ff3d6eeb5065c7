//! Draws recorded figures as bars, each beside the figure of Flux from the same run.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::Value;
use sluice_system::fs;

use super::escape;

/// One pair of bars.
struct Row {
    label: &'static str,
    /// The file below `tests/bench/records`.
    record: &'static str,
    /// The measurement in the record, as far as it begins so.
    what: &'static str,
    figure: &'static str,
    unit: &'static str,
}

const ROWS: &[Row] = &[
    Row {
        label: "start: version --client",
        record: "2026-11-28-cli.json",
        what: "version --client",
        figure: "median ms",
        unit: "ms",
    },
    Row {
        label: "build kustomization, 500 objects",
        record: "2026-11-28-cli.json",
        what: "build kustomization, 500",
        figure: "median ms",
        unit: "ms",
    },
    Row {
        label: "diff kustomization, 500 objects",
        record: "2026-11-28-cli.json",
        what: "diff kustomization, 500",
        figure: "median ms",
        unit: "ms",
    },
    Row {
        label: "get all, 5,012 objects",
        record: "2026-11-28-cli.json",
        what: "get all -A",
        figure: "median ms",
        unit: "ms",
    },
    Row {
        label: "apply 100 new objects, commit to ready",
        record: "2026-11-28-apply-reference.json",
        what: "100 objects",
        figure: "created s",
        unit: "s",
    },
    Row {
        label: "install 200 HelmReleases",
        record: "2026-11-28-mttp-helm.json",
        what: "200 HelmReleases",
        figure: "ready s",
        unit: "s",
    },
    Row {
        label: "memory, one chart of an index of 26 MB",
        record: "2026-11-28-helm-sources.json",
        what: "one chart of an index",
        figure: "peak MiB",
        unit: "MiB",
    },
    Row {
        label: "update 5,000 files with 500 images",
        record: "2026-11-28-image.json",
        what: "an update of 5000",
        figure: "update s",
        unit: "s",
    },
    Row {
        label: "memory, 1,000 idle Kustomizations",
        record: "2026-11-28-idle-reference.json",
        what: "1000 idle",
        figure: "idle MiB",
        unit: "MiB",
    },
];

const BAR_WIDTH: f64 = 420.0;
const LEFT: f64 = 300.0;
const ROW_HEIGHT: f64 = 52.0;

/// A figure of both sides.
pub(crate) struct Pair<'t> {
    pub(crate) label: &'t str,
    pub(crate) unit: &'t str,
    pub(crate) ours: f64,
    pub(crate) reference: f64,
}

/// Reads the records and draws them.
pub(super) fn draw() -> Result<String> {
    let mut pairs = Vec::new();
    for row in ROWS {
        let record = read(row.record)?;
        let value = |who: &str| {
            value(&record, who, row.what, row.figure).with_context(|| {
                format!(
                    "{} has no {:?} of {who} for {:?}",
                    row.record, row.figure, row.what
                )
            })
        };
        pairs.push(Pair {
            label: row.label,
            unit: row.unit,
            ours: value("ours")?,
            reference: value("reference")?,
        });
    }
    Ok(svg(&pairs))
}

/// Reads a record of a bench.
pub(crate) fn read(record: &str) -> Result<Value> {
    let path = crate::repository().join("tests/bench/records").join(record);
    serde_json::from_str(&fs::read_to_string(&path)?)
        .with_context(|| format!("failed to parse {}", path.display()))
}

/// Returns the figure of the first line of a side whose measurement begins so.
pub(crate) fn value(record: &Value, who: &str, what: &str, figure: &str) -> Option<f64> {
    let lines = record["lines"].as_array();
    let line = lines.into_iter().flatten().find(|line| {
        let is_named = line["what"]
            .as_str()
            .is_some_and(|found| found.starts_with(what));
        line["who"] == who && is_named && line["figures"].get(figure).is_some()
    })?;
    line["figures"][figure].as_f64()
}

/// Draws pairs of bars.
pub(crate) fn svg(pairs: &[Pair<'_>]) -> String {
    let mut svg = String::new();
    for (index, pair) in (0_u8..).zip(pairs) {
        let top = f64::from(index) * ROW_HEIGHT + 16.0;
        let most = pair.ours.max(pair.reference).max(f64::MIN_POSITIVE);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#57606a\">{}</text>",
            LEFT - 12.0,
            top + 22.0,
            escape(pair.label)
        );
        let sides = [
            ("sluice", pair.ours, "#1f6feb"),
            ("Flux", pair.reference, "#afb8c1"),
        ];
        for (offset, (name, figure, colour)) in [0.0, 18.0].into_iter().zip(sides) {
            let width = (figure / most * BAR_WIDTH).max(1.0);
            let _ = writeln!(
                svg,
                "<rect x=\"{LEFT}\" y=\"{}\" width=\"{width:.1}\" height=\"15\" rx=\"2\" fill=\"{colour}\"/>\n\
                 <text x=\"{:.1}\" y=\"{}\" fill=\"#57606a\">{name} {}</text>",
                top + offset,
                LEFT + width + 8.0,
                top + offset + 12.0,
                rounded(figure, pair.unit)
            );
        }
    }
    let height = pairs.iter().map(|_| ROW_HEIGHT).sum::<f64>() + 24.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"900\" height=\"{height}\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{svg}</svg>\n"
    )
}

fn rounded(figure: f64, unit: &str) -> String {
    if figure < 10.0 {
        format!("{figure:.2} {unit}")
    } else {
        format!("{figure:.0} {unit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_both_figures() {
        let svg = draw().unwrap();
        assert_eq!(svg.matches("<rect x=").count(), 2 * ROWS.len());
    }

    #[test]
    fn checked_in_picture_is_current() {
        let path = crate::repository().join("docs/images/figures.svg");
        assert_eq!(fs::read_to_string(path).unwrap(), draw().unwrap());
    }
}
