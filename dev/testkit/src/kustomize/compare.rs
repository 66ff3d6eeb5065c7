//! Whether two builds agree, and where they first differ.

use std::fmt::Write as _;

use similar::TextDiff;

use super::{Outcome, class_of};

/// Relation between our outcome and that of the reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Equal bytes.
    Identical,
    /// Both fail, with equal texts or errors of one class.
    SameFailure,
    /// Both build, differently.
    Different,
    /// Both fail, for different reasons.
    OtherFailure,
    /// The reference builds input that we reject.
    WeFail,
    /// We build input that the reference rejects.
    TheyFail,
}

impl Verdict {
    /// Whether the two agree.
    pub fn is_agreement(&self) -> bool {
        matches!(self, Self::Identical | Self::SameFailure)
    }
}

/// Compares our outcome with that of the reference.
pub fn compare(theirs: &Outcome, ours: &Outcome) -> Verdict {
    match (theirs, ours) {
        (Ok(theirs), Ok(ours)) if theirs == ours => Verdict::Identical,
        (Ok(_), Ok(_)) => Verdict::Different,
        (Ok(_), Err(_)) => Verdict::WeFail,
        (Err(_), Ok(_)) => Verdict::TheyFail,
        (Err(theirs), Err(ours)) => {
            // A panic of the reference is a bug, so any error of ours agrees with it.
            let theirs = class_of(theirs);
            if theirs == "Panic" || theirs == class_of(ours) {
                Verdict::SameFailure
            } else {
                Verdict::OtherFailure
            }
        }
    }
}

/// Returns the first difference of two outcomes: the object and the lines.
pub fn first_difference(theirs: &Outcome, ours: &Outcome) -> String {
    match (theirs, ours) {
        (Ok(theirs), Ok(ours)) => {
            let diff = TextDiff::from_lines(theirs.as_str(), ours.as_str());
            let mut shown = String::new();
            let mut unified = diff.unified_diff();
            let Some(hunk) = unified.context_radius(3).iter_hunks().next() else {
                return "equal".to_owned();
            };
            let line = hunk.ops().first().map_or(0, |op| op.old_range().start);
            writeln!(shown, "in {}", object_at(theirs, line + 3)).unwrap();
            for line in hunk.to_string().lines().take(24) {
                writeln!(shown, "{}", clipped(line, 200)).unwrap();
            }
            shown
        }
        _ => {
            let told = |outcome: &Outcome| match outcome {
                Ok(text) => format!("builds {} bytes", text.len()),
                Err(error) => clipped(error, 700),
            };
            format!("theirs: {}\nours:   {}\n", told(theirs), told(ours))
        }
    }
}

fn clipped(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns kind and name of the document at a line.
fn object_at(text: &str, line: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let line = line.min(lines.len().saturating_sub(1));
    let start = lines[..line]
        .iter()
        .rposition(|text| *text == "---")
        .map_or(0, |found| found + 1);
    let document = lines[start..].iter().take_while(|text| **text != "---");
    let (mut kind, mut name) = ("?", "?");
    for text in document {
        if let Some(found) = text.strip_prefix("kind: ") {
            kind = found;
        } else if let Some(found) = text.strip_prefix("  name: ") {
            name = found;
        }
    }
    format!("{kind}/{name}")
}

#[cfg(test)]
mod tests {
    use super::{Verdict, compare, first_difference};

    fn fails(text: &str) -> super::Outcome {
        Err(text.to_owned())
    }

    #[test]
    fn failures_agree_by_class_and_builds_by_bytes() {
        let built: super::Outcome = Ok("a: b\n".to_owned());
        assert_eq!(compare(&built, &built), Verdict::Identical);
        assert_eq!(compare(&built, &Ok(String::new())), Verdict::Different);
        assert_eq!(compare(&built, &fails("x")), Verdict::WeFail);
        assert_eq!(compare(&fails("x"), &built), Verdict::TheyFail);
        let (cycle, other) = (fails("cycle detected: a"), fails("x: cycle detected: b"));
        assert_eq!(compare(&cycle, &other), Verdict::SameFailure);
        assert_eq!(compare(&cycle, &fails("y")), Verdict::OtherFailure);
        let panic = fails("panic: regexp\n\ngoroutine 1 [running]:");
        assert_eq!(compare(&panic, &fails("y")), Verdict::SameFailure);
    }

    #[test]
    fn the_first_difference_names_its_object() {
        let theirs = Ok(
            "kind: A\nmetadata:\n  name: a\n---\nkind: B\nmetadata:\n  name: b\nspec: 1\n"
                .to_owned(),
        );
        let ours = Ok(
            "kind: A\nmetadata:\n  name: a\n---\nkind: B\nmetadata:\n  name: b\nspec: 2\n"
                .to_owned(),
        );
        let shown = first_difference(&theirs, &ours);
        assert!(shown.starts_with("in B/b\n"), "{shown}");
        assert!(shown.contains("-spec: 1\n+spec: 2"), "{shown}");
    }
}
