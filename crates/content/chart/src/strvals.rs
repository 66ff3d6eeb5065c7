//! Values on a command line: `--set`, `--set-string`, `--set-json`, `--set-file`, `--set-literal`.
//!
//! A line is `name=value,name=value`, where a name has keys with dots between and indexes in
//! brackets. Errors have Helm's words.

mod parser;

use crate::values::{Json, Values};
use parser::{Kind, Parser};

/// Reads the file of a `--set-file`.
pub type FileReader<'r> = &'r mut dyn FnMut(&str) -> Result<String, String>;

/// Sets the values of a `--set`.
pub fn set(line: &str, values: &mut Values) -> Result<(), Error> {
    run(line, Kind::Typed, values, "--set")
}

/// Sets the values of a `--set-string`, which are all texts.
pub fn set_string(line: &str, values: &mut Values) -> Result<(), Error> {
    run(line, Kind::Text, values, "--set-string")
}

/// Sets the values of a `--set-file`, whose values are names of files.
pub fn set_file(line: &str, values: &mut Values, reader: FileReader<'_>) -> Result<(), Error> {
    run(line, Kind::File(reader), values, "--set-file")
}

/// Sets the value of a `--set-literal`, where only keys are parsed.
pub fn set_literal(line: &str, values: &mut Values) -> Result<(), Error> {
    run(line, Kind::Literal, values, "--set-literal")
}

/// Sets the values of a `--set-json`: an object, or names with values in JSON.
pub fn set_json(line: &str, values: &mut Values) -> Result<(), Error> {
    let trimmed = line.trim();
    if trimmed.starts_with('{') {
        let parsed = serde_json::from_str::<Values>(trimmed);
        let object = parsed.map_err(|_| Error {
            flag: "--set-json",
            reason: format!(" JSON: {line}"),
        })?;
        crate::values::merge(values, crate::values::from_json(object));
        return Ok(());
    }
    let parsed = Parser::new(line, Kind::Json).run(values);
    parsed.map_err(|_| Error {
        flag: "--set-json",
        reason: format!(" {line}"),
    })
}

fn run(line: &str, kind: Kind<'_>, values: &mut Values, flag: &'static str) -> Result<(), Error> {
    let parsed = Parser::new(line, kind).run(values);
    parsed.map_err(|reason| Error {
        flag,
        reason: format!(": {reason}"),
    })
}

/// A line that sets no values.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed parsing {flag} data{reason}")]
pub struct Error {
    flag: &'static str,
    reason: String,
}

impl Error {
    /// The reason alone, as Helm's library returns it.
    pub fn reason(&self) -> &str {
        self.reason.trim_start_matches([':', ' '])
    }
}

/// The value of a text of `--set`.
fn typed(text: String) -> Json {
    if text.eq_ignore_ascii_case("true") {
        return Json::Bool(true);
    }
    if text.eq_ignore_ascii_case("false") {
        return Json::Bool(false);
    }
    if text.eq_ignore_ascii_case("null") {
        return Json::Null;
    }
    if text == "0" {
        return Json::Number(0.into());
    }
    // A text that starts with a zero may be a file mode or a phone number.
    if !text.starts_with('0')
        && let Ok(number) = text.parse::<i64>()
    {
        return Json::Number(number.into());
    }
    Json::String(text)
}

#[cfg(test)]
mod tests;
