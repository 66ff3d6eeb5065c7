//! The description of a pull request: a mark, and one section for each automation. Pure.
//!
//! Text outside of the sections stays as a user wrote it.

use std::fmt::Write as _;

use sluice_images::result::UpdateResult;

/// The mark of our pull requests.
const MARK: &str = "<!-- sluice:image-update -->";
/// The first lines of a new description.
const INTRODUCTION: &str =
    "sluice keeps this pull request up to date, and closes it when it is obsolete.";
/// The beginning of the line before a section.
const BEGIN: &str = "<!-- sluice:begin ";
/// The beginning of the line behind a section.
const END: &str = "<!-- sluice:end ";
/// The end of both lines.
const CLOSE: &str = " -->";
/// Maximum number of bytes of a section. Bitbucket Server accepts 32,768 characters.
const MAX_SECTION_BYTES: usize = 8000;
/// Maximum number of bytes of a value.
const MAX_VALUE_BYTES: usize = 200;

/// Reports whether we opened a pull request.
pub fn is_ours(text: &str) -> bool {
    text.contains(MARK)
}

/// Reports whether an automation has a section.
pub fn has_section(text: &str) -> bool {
    text.contains(BEGIN)
}

/// Reports whether several automations have a section.
pub fn is_shared(text: &str) -> bool {
    text.matches(BEGIN).count() > 1
}

/// Compares descriptions. Hosts change line ends, and blanks at the end.
pub fn is_same(one: &str, two: &str) -> bool {
    let normal = |text: &str| text.replace("\r\n", "\n").trim_end().to_owned();
    normal(one) == normal(two)
}

/// Replaces, adds or removes the section of an automation.
pub fn with_section(text: &str, automation: &str, section: Option<&str>) -> String {
    let text = text.replace("\r\n", "\n");
    let text = if is_ours(&text) {
        text
    } else {
        format!("{MARK}\n{INTRODUCTION}\n")
    };
    let begin = format!("{BEGIN}{automation}{CLOSE}");
    let end = format!("{END}{automation}{CLOSE}");
    let new = section.map(|section| format!("{begin}\n{}\n{end}", section.trim()));
    let old = text.find(&begin).and_then(|from| {
        let length = text[from..].find(&end)?;
        Some((from, from + length + end.len()))
    });
    match (old, new) {
        (Some((from, to)), new) => {
            let (before, after) = (&text[..from], &text[to..]);
            match new {
                Some(new) => format!("{before}{new}{after}"),
                None => format!("{}\n{}", before.trim_end(), after.trim_start()),
            }
        }
        (None, Some(new)) => format!("{}\n\n{new}\n", text.trim_end()),
        (None, None) => text,
    }
}

/// Returns the section of an automation: a table of its changes.
pub fn section(automation: &str, changes: &UpdateResult) -> String {
    let mut text = format!("### {automation}\n\n| File | Before | After |\n|---|---|---|\n");
    let mut left = 0;
    for (file, objects) in &changes.file_changes {
        for change in objects.values().flatten() {
            let row = format!(
                "| {} | {} | {} |\n",
                code(file),
                code(&change.old_value),
                code(&change.new_value)
            );
            if left == 0 && text.len() + row.len() <= MAX_SECTION_BYTES {
                text.push_str(&row);
            } else {
                left += 1;
            }
        }
    }
    if left > 0 {
        let _ = writeln!(text, "\nAnd {left} more.");
    }
    text
}

/// Formats a value of a file, which must not change the text around it.
fn code(value: &str) -> String {
    let mut end = value.len().min(MAX_VALUE_BYTES);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    let clean: String = value[..end]
        .chars()
        .map(|character| match character {
            '`' | '|' | '<' | '>' => '\'',
            character if character.is_control() => ' ',
            character => character,
        })
        .collect();
    if clean.trim().is_empty() {
        return "–".to_owned();
    }
    format!("`{}`", clean.trim())
}
