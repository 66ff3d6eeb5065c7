//! What is wrong with the text of an expression, and how it is told.
//!
//! A wrong text may have as many faults as it has words, and each is told with its line. So the
//! first ones are told, and of the others how many there are; and no line that is very long.

use std::fmt::Write as _;

/// How many faults are told.
const TOLD: usize = 100;
/// How many bytes a line may have to be shown.
const LINE: usize = 16_384;
/// How many bytes of what is wrong are told: a type may be of any size.
const WORDS: usize = 4096;

/// A fault in the text of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Issue {
    /// In characters from the beginning.
    pub(super) at: usize,
    pub(super) message: String,
}

impl Issue {
    pub(super) fn at<T>(at: usize, message: impl Into<String>) -> Result<T, Self> {
        let message = message.into();
        Err(Self { at, message })
    }
}

/// The faults of a text in the order in which they were found.
#[derive(Debug, Default)]
pub(super) struct Issues {
    told: Vec<Issue>,
    /// How many were found after those.
    more: usize,
}

impl From<Issue> for Issues {
    fn from(issue: Issue) -> Self {
        let told = vec![issue];
        Self { told, more: 0 }
    }
}

impl Issues {
    /// Adds a fault that is found so many times.
    pub(super) fn add(&mut self, mut issue: Issue, times: usize) {
        if issue.message.len() > WORDS {
            let end = issue.message.floor_char_boundary(WORDS);
            issue.message.truncate(end);
            issue.message.push('…');
        }
        let told = times.min(TOLD - self.told.len());
        self.told.extend(std::iter::repeat_n(issue, told));
        self.more = self.more.saturating_add(times - told);
    }

    /// Adds once more all that was added since there were so many.
    pub(super) fn repeat(&mut self, since: usize) {
        let again = self.count() - since;
        let told = again.min(TOLD - self.told.len());
        if told > 0 {
            self.told.extend_from_within(since..since + told);
        }
        self.more = self.more.saturating_add(again - told);
    }

    pub(super) fn count(&self) -> usize {
        self.told.len().saturating_add(self.more)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.told.is_empty()
    }

    /// As cel-go prints them: each with the line it is in and a pointer to the place.
    pub(super) fn printed(mut self, text: &str) -> String {
        self.told.sort_by_key(|issue| issue.at);
        let mut told: Vec<String> = self.told.iter().map(|issue| print(issue, text)).collect();
        if self.more > 0 {
            told.push(format!("{} more errors were truncated", self.more));
        }
        told.join("\n")
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
    if line.len() > LINE {
        return printed;
    }
    // Dots are as wide as what they stand below.
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
    fn of_what_is_wrong_only_the_beginning_is_told() {
        let mut issues = Issues::default();
        let message = "é".repeat(WORDS);
        issues.add(Issue { at: 0, message }, TOLD);
        let told = issues.printed("x");
        assert!(told.len() < TOLD * (WORDS + 100), "{}", told.len());
        assert!(told.contains("é…\n"));
    }
}
