//! Escapes text for a terminal, and writes to stderr.

use std::io::{self, IsTerminal as _, Write as _};

/// Escapes control characters and bidirectional overrides, which could control a terminal. Line
/// feeds stay.
pub fn plain(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(is_hostile) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hostile(character) {
            safe.extend(character.escape_unicode());
        } else {
            safe.push(character);
        }
    }
    safe.into()
}

pub(crate) fn is_hostile(character: char) -> bool {
    (character.is_control() && character != '\n' && character != '\t')
        || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
}

/// Like [`plain`], but on one line, for table cells and event rows.
pub fn one_line(text: &str) -> String {
    plain(text.trim_end())
        .replace("\r\n", " ")
        .replace(['\n', '\t'], " ")
}

/// Writes text to stderr. A closed stderr is ignored.
pub fn stderr(text: &str) {
    let mut err = io::stderr().lock();
    if err.write_all(text.as_bytes()).is_ok() {
        drop(err.flush());
    }
}

/// Whether stderr is a terminal that may show animated progress.
pub fn interactive() -> bool {
    io::stderr().is_terminal()
}

/// Returns the number of columns of stdout, or 80 without a terminal.
pub fn width() -> usize {
    console::Term::stdout()
        .size_checked()
        .map_or(80, |(_, columns)| usize::from(columns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        assert_eq!(plain("ok\nstill ok"), "ok\nstill ok");
        assert_eq!(plain("\u{1b}[31mred"), "\\u{1b}[31mred");
        assert_eq!(plain("abc\u{202e}def"), "abc\\u{202e}def");
        assert_eq!(one_line("two\nlines\n"), "two lines");
    }
}
