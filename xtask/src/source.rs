//! Splits Rust text into code, comments and literals, for tasks that judge how the tree is written.
//!
//! A parser would drop the comments. Start at [`Source::read`].

use std::path::{Path, PathBuf};

use anyhow::Result;
use sluice_system::fs;

/// The kind of a run of comment lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommentKind {
    Plain,
    Outer,
    Inner,
}

/// Adjacent comment lines of one kind.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// The number of the first line, from 1.
    pub(crate) line: usize,
    pub(crate) kind: CommentKind,
    /// The text of each line, without its marker.
    pub(crate) lines: Vec<String>,
}

/// A string literal.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Literal {
    /// The number of its first line, from 1.
    pub(crate) line: usize,
    /// The end of the code before it, without white space.
    pub(crate) before: String,
    /// The text as written, without quotes.
    pub(crate) text: String,
}

/// A source file, split.
#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The lines of the file, with comments and the insides of literals removed.
    pub(crate) code: Vec<String>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) literals: Vec<Literal>,
}

/// Maximum length of the code before a literal.
const MAX_BEFORE: usize = 80;

impl Source {
    /// Splits a text.
    pub(crate) fn read(text: &str) -> Self {
        let mut source = Self {
            code: vec![String::new()],
            ..Self::default()
        };
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            rest = if rest.starts_with("//") {
                source.line_comment(rest)
            } else if rest.starts_with("/*") {
                source.skip(rest, block_comment_end(rest))
            } else if let Some(end) = literal_end(rest, source.last_char()) {
                source.keep_literal(&rest[..end.min(rest.len())]);
                source.push('"');
                source.skip(rest, end)
            } else {
                source.push(next);
                &rest[next.len_utf8()..]
            };
        }
        source
    }

    /// Returns whether each line belongs to a module or an item for tests only.
    pub(crate) fn test_lines(&self) -> Vec<bool> {
        let mut marks = vec![false; self.code.len()];
        let mut line = 0;
        while line < self.code.len() {
            let is_test_item = self.code[line].trim().starts_with("#[cfg(test)]")
                || self.code[line].trim().starts_with("#![cfg(test)]");
            if !is_test_item {
                line += 1;
                continue;
            }
            let end = if self.code[line].trim().starts_with("#!") {
                self.code.len() - 1
            } else {
                self.item_end(line)
            };
            marks[line..=end].fill(true);
            line = end + 1;
        }
        marks
    }

    /// Returns the last line of the item whose attribute is at `start`.
    pub(crate) fn item_end(&self, start: usize) -> usize {
        let mut depth = 0_i32;
        let mut has_body = false;
        for (line, code) in self.code.iter().enumerate().skip(start) {
            for character in code.chars() {
                match character {
                    '{' | '(' | '[' => {
                        depth += 1;
                        has_body |= character == '{';
                    }
                    '}' | ')' | ']' => depth -= 1,
                    ';' if depth == 0 => return line,
                    _ => {}
                }
            }
            if depth == 0 && has_body {
                return line;
            }
        }
        self.code.len() - 1
    }

    fn push(&mut self, character: char) {
        if character == '\n' {
            self.code.push(String::new());
        } else if let Some(line) = self.code.last_mut() {
            line.push(character);
        }
    }

    fn keep_literal(&mut self, literal: &str) {
        let text = literal.trim_start_matches(['b', 'c', 'r', '#']);
        let Some(text) = text.strip_prefix('"') else {
            return;
        };
        let text = text.trim_end_matches('#');
        self.literals.push(Literal {
            line: self.code.len(),
            before: self.code_before(),
            text: text.strip_suffix('"').unwrap_or(text).to_owned(),
        });
    }

    fn code_before(&self) -> String {
        let lines = self.code.iter().rev().flat_map(|line| line.chars().rev());
        let mut before: Vec<char> = lines
            .filter(|character| !character.is_whitespace())
            .take(MAX_BEFORE)
            .collect();
        before.reverse();
        before.into_iter().collect()
    }

    fn last_char(&self) -> Option<char> {
        self.code.last().and_then(|line| line.chars().next_back())
    }

    /// Passes over `length` bytes and keeps the line numbers right.
    fn skip<'text>(&mut self, rest: &'text str, length: usize) -> &'text str {
        let (passed, rest) = rest.split_at(length.min(rest.len()));
        for _ in passed.matches('\n') {
            self.push('\n');
        }
        rest
    }

    fn line_comment<'text>(&mut self, rest: &'text str) -> &'text str {
        let end = rest.find('\n').unwrap_or(rest.len());
        let (comment, after) = rest.split_at(end);
        let (kind, text) = match comment {
            text if text.starts_with("//!") => (CommentKind::Inner, &text[3..]),
            text if text.starts_with("///") && !text.starts_with("////") => {
                (CommentKind::Outer, &text[3..])
            }
            text => (CommentKind::Plain, text[2..].trim_start_matches('/')),
        };
        let line = self.code.len();
        let is_alone = self.code.last().is_none_or(|code| code.trim().is_empty());
        match self.comments.last_mut() {
            Some(last) if is_alone && last.kind == kind && last.line + last.lines.len() == line => {
                last.lines.push(text.to_owned());
            }
            _ => self.comments.push(Comment {
                line,
                kind,
                lines: vec![text.to_owned()],
            }),
        }
        after
    }
}

fn block_comment_end(text: &str) -> usize {
    let mut depth = 0;
    let mut index = 0;
    while index < text.len() {
        let rest = &text.as_bytes()[index..];
        if rest.starts_with(b"/*") {
            depth += 1;
            index += 2;
        } else if rest.starts_with(b"*/") {
            depth -= 1;
            index += 2;
            if depth == 0 {
                return index;
            }
        } else {
            index += 1;
        }
    }
    text.len()
}

/// Returns the length of the string or character literal that the text begins with.
fn literal_end(text: &str, before: Option<char>) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_word = before.is_some_and(|character| character.is_alphanumeric() || character == '_');
    let prefix = if is_word {
        0
    } else {
        ["br", "cr", "r", "b", "c"]
            .iter()
            .find(|prefix| {
                text.strip_prefix(**prefix).is_some_and(|rest| {
                    rest.trim_start_matches('#').starts_with('"')
                        && (prefix.ends_with('r') || rest.starts_with('"'))
                })
            })
            .map_or(0, |prefix| prefix.len())
    };
    let is_raw = prefix > 0 && bytes[prefix - 1] == b'r';
    if is_raw {
        let hashes = text[prefix..]
            .bytes()
            .take_while(|byte| *byte == b'#')
            .count();
        let close = format!("\"{}", "#".repeat(hashes));
        let start = prefix + hashes + 1;
        return Some(
            text[start..]
                .find(&close)
                .map_or(text.len(), |at| start + at + close.len()),
        );
    }
    match bytes.get(prefix)? {
        b'"' => Some(quoted_end(bytes, prefix + 1, b'"')),
        b'\'' => {
            let mut characters = text[prefix + 1..].chars();
            let first = characters.next()?;
            (first == '\\' || characters.next() == Some('\''))
                .then(|| quoted_end(bytes, prefix + 1, b'\''))
        }
        _ => None,
    }
}

fn quoted_end(bytes: &[u8], mut index: usize, close: u8) -> usize {
    while let Some(byte) = bytes.get(index) {
        index += 1;
        if *byte == b'\\' {
            index += 1;
        } else if *byte == close {
            return index;
        }
    }
    bytes.len()
}

/// Returns the files with one of the extensions below a directory, sorted.
pub(crate) fn files(directory: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let path = entry.path;
        if entry.file_type.is_dir() {
            let name = path.file_name().and_then(|name| name.to_str());
            if name.is_some_and(|name| name != "target" && !name.starts_with('.')) {
                found.extend(files(&path, extensions)?);
            }
        } else if path
            .extension()
            .and_then(|extension| extension.to_str())
            .is_some_and(|extension| extensions.contains(&extension))
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Returns whether a path holds tests only: below `tests/`, or a file `tests.rs`.
pub(crate) fn is_test_file(path: &Path) -> bool {
    path.components()
        .any(|part| matches!(part.as_os_str().to_str(), Some("tests" | "tests.rs")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_grouped_and_literals_are_not_comments() {
        let source = Source::read(
            "//! Head.\n//! More.\nlet a = \"// no\"; // yes\nlet b = r#\"\"// no\"#; 'x'; /* no */ fn f<'a>() {}\n",
        );
        let comments: Vec<_> = source
            .comments
            .iter()
            .map(|comment| (comment.line, comment.kind, comment.lines.join("|")))
            .collect();
        assert_eq!(
            comments,
            [
                (1, CommentKind::Inner, " Head.| More.".to_owned()),
                (3, CommentKind::Plain, " yes".to_owned()),
            ]
        );
        assert_eq!(source.code[3], "let b = \"; \";  fn f<'a>() {}");
    }

    #[test]
    fn literal_keeps_its_line_and_the_code_before() {
        let source = Source::read(
            "fn f() {\n    x.hint(\n        \"a \\\"b\\\"\",\n    );\n    y(r#\"c\"d\"#, 'e');\n}\n",
        );
        let literals: Vec<_> = source
            .literals
            .iter()
            .map(|literal| (literal.line, literal.before.as_str(), literal.text.as_str()))
            .collect();
        assert_eq!(
            literals,
            [
                (3, "fnf(){x.hint(", "a \\\"b\\\""),
                (5, "fnf(){x.hint(\",);y(", "c\"d"),
            ]
        );
    }

    #[test]
    fn test_items_are_marked_to_their_end() {
        let source = Source::read(
            "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\nfn c() {}\n#[cfg(test)]\nuse x;\n",
        );
        assert_eq!(
            source.test_lines(),
            [false, true, true, true, true, false, true, true, false]
        );
    }
}
