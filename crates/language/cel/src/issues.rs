//! Errors in the text of an expression, printed as cel-go prints them.
//!
//! An expression may contain as many errors as tokens, and each error prints its line. So the
//! report is bounded: a maximum number of errors, bytes per message and bytes per line.

use std::fmt::Write as _;

/// Maximum number of reported errors.
const MAX_ISSUES: usize = 100;
/// Longer lines are not printed.
const MAX_LINE_BYTES: usize = 16_384;
/// Maximum size of a message. Type names have no bound of their own.
const MAX_MESSAGE_BYTES: usize = 4096;

/// An error in the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Issue {
    /// Position in characters from the start.
    pub(super) at: usize,
    pub(super) message: String,
}

impl Issue {
    pub(super) fn at<T>(at: usize, message: impl Into<String>) -> Result<T, Self> {
        let message = message.into();
        Err(Self { at, message })
    }
}

/// The errors of an expression in the order of discovery.
#[derive(Debug, Default)]
pub(super) struct Issues {
    reported: Vec<Issue>,
    /// Number of errors beyond those.
    more: usize,
}

impl From<Issue> for Issues {
    fn from(issue: Issue) -> Self {
        let reported = vec![issue];
        Self { reported, more: 0 }
    }
}

impl Issues {
    /// Adds an error that occurs a number of times.
    pub(super) fn add(&mut self, mut issue: Issue, times: usize) {
        if issue.message.len() > MAX_MESSAGE_BYTES {
            let end = issue.message.floor_char_boundary(MAX_MESSAGE_BYTES);
            issue.message.truncate(end);
            issue.message.push('…');
        }
        let reported = times.min(MAX_ISSUES - self.reported.len());
        self.reported.extend(std::iter::repeat_n(issue, reported));
        self.more = self.more.saturating_add(times - reported);
    }

    /// Adds all errors since the given count a second time.
    pub(super) fn repeat(&mut self, since: usize) {
        let again = self.count() - since;
        let reported = again.min(MAX_ISSUES - self.reported.len());
        if reported > 0 {
            self.reported.extend_from_within(since..since + reported);
        }
        self.more = self.more.saturating_add(again - reported);
    }

    pub(super) fn count(&self) -> usize {
        self.reported.len().saturating_add(self.more)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Prints each error with its line and a pointer to the position, as cel-go does.
    pub(super) fn printed(mut self, text: &str) -> String {
        self.reported.sort_by_key(|issue| issue.at);
        let issues = self.reported.iter();
        let mut lines: Vec<String> = issues.map(|issue| print(issue, text)).collect();
        if self.more > 0 {
            lines.push(format!("{} more errors were truncated", self.more));
        }
        lines.join("\n")
    }
}

fn print(issue: &Issue, text: &str) -> String {
    let mut lines = text.split('\n');
    let (mut row, mut column) = (1, issue.at);
    let mut line = lines.next().unwrap_or_default();
    loop {
        let length = line.chars().count();
        if column <= length {
            break;
        }
        let Some(next) = lines.next() else {
            break;
        };
        (row, column, line) = (row + 1, column - length - 1, next);
    }
    let mut printed = format!("ERROR: <input>:{row}:{}: {}", column + 1, issue.message);
    if line.len() > MAX_LINE_BYTES {
        return printed;
    }
    // Each dot has the width of the character above it.
    let is_wide = |next: char| next.len_utf8() > 1;
    let before = line.chars().take(column);
    let dots: String = before
        .map(|next| if is_wide(next) { '．' } else { '.' })
        .collect();
    let mark = if line.chars().nth(column).is_some_and(is_wide) {
        '＾'
    } else {
        '^'
    };
    let line = line.replace('\t', " ");
    write!(printed, "\n | {line}\n | {dots}{mark}").expect("a String accepts all writes");
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn report_truncates_long_messages() {
        let mut issues = Issues::default();
        let message = "é".repeat(MAX_MESSAGE_BYTES);
        issues.add(Issue { at: 0, message }, MAX_ISSUES);
        let printed = issues.printed("x");
        assert!(
            printed.len() < MAX_ISSUES * (MAX_MESSAGE_BYTES + 100),
            "{}",
            printed.len()
        );
        assert!(printed.contains("é…\n"));
    }
}
