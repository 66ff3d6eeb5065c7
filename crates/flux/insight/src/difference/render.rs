//! Changes to text.

use std::fmt::Write as _;

use serde_json::Value;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::compare::{Change, Detail, scalar};
use super::yaml;

/// Maximum width of a padded column. Otherwise one long line would widen thousands of others.
const WIDEST: usize = 4096;

/// Writes changes for a terminal of this many columns.
pub fn render(changes: &[Change], width: usize) -> String {
    let mut text = String::new();
    for change in changes {
        text.push('\n');
        if change.path.is_empty() {
            text.push_str("(root level)");
        } else {
            let steps: Vec<&str> = change
                .path
                .iter()
                .map(String::as_str)
                .filter(|step| !step.is_empty())
                .collect();
            text.push_str(&steps.join("."));
        }
        text.push('\n');
        let blocks: Vec<String> = change
            .details
            .iter()
            .map(|detail| block(detail, width))
            .collect();
        text.push_str(&set(&blocks, 0, width));
    }
    text.push('\n');
    text
}

fn block(detail: &Detail, width: usize) -> String {
    match detail {
        Detail::Added(entries) => {
            let body = set(&[yaml::write(entries)], 2, width);
            format!("+ {} added:\n{body}", counted_entries(entries))
        }
        Detail::Removed(entries) => {
            let body = set(&[yaml::write(entries)], 0, width);
            format!("- {} removed:\n{body}", counted_entries(entries))
        }
        Detail::Modified {
            from: Value::String(from),
            to: Value::String(to),
        } => texts(from, to, width),
        Detail::Modified { from, to } => {
            let (before, after) = (type_name(from), type_name(to));
            let headline = if before == after {
                "± value change\n".to_owned()
            } else {
                format!("± type change from {before} to {after}\n")
            };
            let from = hanging("- ", yaml::write_as_is(from).trim_end_matches('\n'));
            let to = hanging("+ ", yaml::write_as_is(to).trim_end_matches('\n'));
            format!("{headline}{from}{to}")
        }
        Detail::Reordered { from, to } => reordered(from, to, width),
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "<nil>",
        Value::Bool(_) => "bool",
        Value::Number(_) if scalar(value).contains(['.', 'e', 'E']) => "float",
        Value::Number(_) => "int",
        Value::String(_) => "string",
        Value::Array(_) => "list",
        Value::Object(_) => "map",
    }
}

fn counted_entries(entries: &Value) -> String {
    match entries {
        Value::Object(fields) => counted(fields.len(), "map entry", "map entries"),
        Value::Array(items) => counted(items.len(), "list entry", "list entries"),
        _ => String::new(),
    }
}

/// A number of things, small numbers in words.
fn counted(number: usize, one: &str, many: &str) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let things = if number == 1 { one } else { many };
    match WORDS.get(number) {
        Some(word) => format!("{word} {things}"),
        None => format!("{number} {things}"),
    }
}

/// How two texts differ.
fn texts(from: &str, to: &str, width: usize) -> String {
    let edges = [' ', '\n'];
    if from.trim_matches(edges) == to.trim_matches(edges) {
        let shown = |text: &str| text.replace('\n', "↵\n").replace(' ', "·");
        let blocks = [hanging("- ", &shown(from)), hanging("+ ", &shown(to))];
        return format!("± whitespace only change\n{}", set(&blocks, 0, width));
    }
    if from.contains('\n') || to.contains('\n') {
        return lines(from, to);
    }
    format!(
        "± value change\n{}{}",
        hanging("- ", from),
        hanging("+ ", to)
    )
}

/// The lines that went and came, runs of them counted.
fn lines(from: &str, to: &str) -> String {
    let before: Vec<&str> = from.split_inclusive('\n').collect();
    let after: Vec<&str> = to.split_inclusive('\n').collect();
    let (mut inserts, mut deletions) = (0, 0);
    let mut text = String::new();
    for operation in capture_diff_slices(Algorithm::Myers, &before, &after) {
        let (removed, added) = match operation {
            DiffOp::Equal { .. } => continue,
            operation => (operation.old_range(), operation.new_range()),
        };
        if !removed.is_empty() {
            deletions += 1;
            text.push_str(&prefixed("- ", &before[removed].concat()));
        }
        if !added.is_empty() {
            inserts += 1;
            text.push_str(&prefixed("+ ", &after[added].concat()));
        }
    }
    format!(
        "± value change in multiline text ({}, {})\n{text}\n",
        counted(inserts, "insert", "inserts"),
        counted(deletions, "deletion", "deletions"),
    )
}

/// Every line behind the prefix.
fn prefixed(prefix: &str, text: &str) -> String {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut out = String::new();
    for line in text.split('\n') {
        let _ = writeln!(out, "{prefix}{line}");
    }
    out
}

/// The first line behind the prefix, the others below it.
fn hanging(prefix: &str, text: &str) -> String {
    let mut out = String::new();
    for (index, line) in text.split('\n').enumerate() {
        out.push_str(if index == 0 { prefix } else { "  " });
        out.push_str(line);
        out.push('\n');
    }
    out
}

fn reordered(from: &[Value], to: &[Value], width: usize) -> String {
    let texts = |list: &[Value]| -> Vec<String> {
        list.iter()
            .map(|entry| match scalar(entry) {
                text if text.is_empty() => yaml::write_as_is(entry),
                text => text,
            })
            .collect()
    };
    let (from, to) = (texts(from), texts(to));
    let length = |list: &[String]| {
        list.iter().map(|text| text.chars().count()).sum::<usize>()
            + list.len().saturating_sub(1) * 2
    };
    let body = if length(&from).max(length(&to)) < width / 2 {
        format!("- {}\n+ {}\n", from.join(", "), to.join(", "))
    } else {
        side_by_side(&[from.join("\n"), to.join("\n")], " ", 2)
    };
    format!("⇆ order changed\n{body}")
}

/// Prints blocks side by side where they fit, else one below the other.
fn set(blocks: &[String], indent: usize, width: usize) -> String {
    const GAP: &str = "   ";
    let needed: usize = indent
        + blocks.len().saturating_sub(1) * GAP.len()
        + blocks.iter().map(|block| widest(block)).sum::<usize>();
    if needed <= width {
        return side_by_side(blocks, GAP, indent);
    }
    let indentation = " ".repeat(indent);
    let mut out = String::new();
    for line in blocks.iter().flat_map(|block| block.split('\n')) {
        let _ = writeln!(out, "{indentation}{line}");
    }
    out
}

fn widest(block: &str) -> usize {
    block
        .split('\n')
        .map(|line| line.chars().count())
        .max()
        .unwrap_or_default()
}

/// Blocks as columns. The last line has no end.
fn side_by_side(blocks: &[String], gap: &str, indent: usize) -> String {
    let columns: Vec<(Vec<&str>, usize)> = blocks
        .iter()
        .map(|block| (block.split('\n').collect(), widest(block).min(WIDEST)))
        .collect();
    let height = columns.iter().map(|(lines, _)| lines.len()).max();
    let rows: Vec<String> = (0..height.unwrap_or_default())
        .map(|row| {
            let cells: Vec<String> = columns
                .iter()
                .map(|(lines, width)| {
                    let line = lines.get(row).copied().unwrap_or_default();
                    let fill = width.saturating_sub(line.chars().count());
                    format!("{}{line}{}", " ".repeat(indent), " ".repeat(fill))
                })
                .collect();
            cells.join(gap).trim_end_matches(' ').to_owned()
        })
        .collect();
    rows.join("\n")
}
