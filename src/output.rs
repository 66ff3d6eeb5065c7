//! Writes values and messages as text.
//!
//! Data goes to stdout. Progress, prompts and errors go to stderr, under Flux's marks `► ✚ ◎ ✔ ⚠️
//! ✗`. Only this module handles `NO_COLOR`, a missing terminal and `--quiet`. Text from a cluster
//! passes [`plain`] before it reaches a terminal.

pub mod spinner;
pub mod table;
pub mod tree;

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};

use serde::Serialize;
use sluice_golang::quote::quote;
use sluice_lifecycle::Mark;

use crate::error::CommandError;
use crate::terminal::is_hostile;
pub use crate::terminal::{interactive, one_line, plain, stderr, width};

/// Writes data to stdout.
pub fn stdout(text: &str) -> Result<(), CommandError> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes documents with text from a cluster. The text is unchanged in a pipe, and escaped on a
/// terminal.
pub fn data(text: &str) -> Result<(), CommandError> {
    if io::stdout().is_terminal() {
        stdout(&plain(text))
    } else {
        stdout(text)
    }
}

/// Writes bytes like [`data`]. They need not be UTF-8.
pub fn bytes(data: &[u8]) -> Result<(), CommandError> {
    if io::stdout().is_terminal() {
        return stdout(&plain(&String::from_utf8_lossy(data)));
    }
    let mut out = io::stdout().lock();
    out.write_all(data)?;
    out.flush()?;
    Ok(())
}

/// Formats a duration like kubectl's ages: two units for small values, then one.
pub fn age(seconds: i64) -> String {
    let seconds = seconds.max(0);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    let two = |large: i64, unit: char, small: i64, below: char| {
        if small == 0 {
            format!("{large}{unit}")
        } else {
            format!("{large}{unit}{small}{below}")
        }
    };
    match () {
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => two(minutes, 'm', seconds % 60, 's'),
        () if minutes < 180 => format!("{minutes}m"),
        () if hours < 8 => two(hours, 'h', minutes % 60, 'm'),
        () if hours < 48 => format!("{hours}h"),
        () if days < 8 => two(days, 'd', hours % 24, 'h'),
        () => format!("{days}d"),
    }
}

/// Asks a yes-or-no question. Without a terminal, this means no.
pub fn confirm(question: &str) -> Result<bool, CommandError> {
    confirm_unless(question, "--silent")
}

/// Like [`confirm`], but the error names the flag that answers yes.
pub fn confirm_unless(question: &str, flag: &str) -> Result<bool, CommandError> {
    if !io::stdin().is_terminal() {
        return Err(CommandError::user("aborting").hint(format!(
            "standard input is not a terminal: set {flag} to answer yes"
        )));
    }
    dialoguer::Confirm::new()
        .with_prompt(question)
        .default(false)
        .interact()
        .map_err(|_| CommandError::user("aborting"))
}

/// Prints progress lines in Flux's words.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// Whether progress lines are suppressed.
    pub quiet: bool,
}

impl Progress {
    fn line(self, mark: &str, text: &str) {
        if !self.quiet {
            stderr(&format!("{mark} {}\n", plain(text)));
        }
    }

    /// Prints `► `: an action starts.
    pub fn action(self, text: impl AsRef<str>) {
        self.line("►", text.as_ref());
    }

    /// Prints `✚ `: something is generated.
    pub fn generate(self, text: impl AsRef<str>) {
        self.line("✚", text.as_ref());
    }

    /// Prints `◎ `: the command waits.
    pub fn wait(self, text: impl AsRef<str>) {
        self.line("◎", text.as_ref());
    }

    /// Prints `✔ `: success.
    pub fn success(self, text: impl AsRef<str>) {
        self.line("✔", text.as_ref());
    }

    /// Prints `⚠️ `: a warning, even when quiet.
    pub fn warning(self, text: impl AsRef<str>) {
        Self { quiet: false }.line("⚠️", text.as_ref());
    }

    /// Warns of arguments that the command ignores, if there are any.
    pub fn extra_arguments(self, words: impl IntoIterator<Item = impl AsRef<str>>) {
        let words: Vec<String> = words.into_iter().map(|word| quote(word.as_ref())).collect();
        if !words.is_empty() {
            self.warning(format!(" ignoring extra arguments: {}", words.join(" ")));
        }
    }

    /// Prints `✗ `: a failure that does not end the command, even when quiet.
    pub fn failure(self, text: impl AsRef<str>) {
        Self { quiet: false }.line("✗", text.as_ref());
    }

    /// Prints an error like [`Self::failure`], with its details and hints.
    pub fn error(self, error: &CommandError) {
        stderr(&error.text());
    }
}

impl sluice_lifecycle::Progress for Progress {
    fn report(&self, mark: Mark, text: &str) {
        match mark {
            Mark::Action => self.action(text),
            Mark::Waiting => self.wait(text),
            Mark::Success => self.success(text),
            Mark::Warning => self.warning(text),
            Mark::Failure => self.failure(text),
        }
    }

    fn report_error(&self, error: &sluice_lifecycle::Error) {
        self.error(&error.clone().into());
    }
}

/// The formats of `-o` for views that are not a table of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[expect(missing_docs, reason = "a doc comment would become help text")]
pub enum Format {
    Yaml,
    Json,
}

/// Prints a value as the chosen format: YAML with Go's key order, or indented JSON.
pub fn value(value: &impl Serialize, format: Format) -> Result<String, CommandError> {
    let value = serde_json::to_value(value)
        .map_err(|error| CommandError::internal(format!("serialise output: {error}")))?;
    Ok(match format {
        Format::Yaml => sluice_yaml::v2::to_string(&value),
        Format::Json => {
            let mut text = serde_json::to_string_pretty(&value)
                .map_err(|error| CommandError::internal(format!("serialise output: {error}")))?;
            text.push('\n');
            escaped(&text)
        }
    })
}

/// Escapes characters that could control a terminal. The result is the same JSON value.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if is_hostile(character) {
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_escapes_control_characters() {
        let said = serde_json::json!({ "a": "\u{202e}\u{9b}\u{1b}\n" });
        let text = value(&said, Format::Json).unwrap();
        assert_eq!(text, "{\n  \"a\": \"\\u202e\\u009b\\u001b\\n\"\n}\n");
        let read: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(read, said);
    }

    #[test]
    fn age_has_at_most_two_units() {
        for (seconds, expected) in [
            (-3, "0s"),
            (119, "119s"),
            (120, "2m"),
            (125, "2m5s"),
            (601, "10m"),
            (3 * 3600, "3h"),
            (3 * 3600 + 120, "3h2m"),
            (9 * 3600, "9h"),
            (50 * 3600, "2d2h"),
            (9 * 86_400, "9d"),
        ] {
            assert_eq!(age(seconds), expected);
        }
    }
}
