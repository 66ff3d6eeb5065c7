//! Merges a chart's values from flags, in Helm's order: files, JSON, typed values, strings, file
//! contents, literals.

use std::io::Read as _;
use std::path::Path;

use sluice_chart::{Values, strvals, values};
use sluice_preview::charts::read_file;
use sluice_preview::charts::repository::{fetch, is_http};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::{self, Slice};

/// Maximum size of a values file.
const MAX_VALUES_BYTES: u64 = 32 << 20;

/// Values of a chart.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct ValueFlags {
    /// Values files or URLs, or - for standard input; later ones win
    #[arg(long, short = 'f', value_name = "FILE", value_parser = flags::csv)]
    values: Vec<Vec<String>>,
    /// Set values: key1=val1,key2=val2
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Set string values: key1=val1,key2=val2
    #[arg(long, value_name = "KEY=VALUE")]
    set_string: Vec<String>,
    /// Set values from files: key1=path1,key2=path2
    #[arg(long, value_name = "KEY=PATH")]
    set_file: Vec<String>,
    /// Set JSON values: key1=json1,key2=json2, or one object
    #[arg(long, value_name = "KEY=JSON")]
    set_json: Vec<String>,
    /// Set a literal string value: key=text
    #[arg(long, value_name = "KEY=TEXT")]
    set_literal: Vec<String>,
}

impl ValueFlags {
    /// Merges the values of all flags.
    pub(super) fn merge(&self, context: &Context) -> Result<Values, CommandError> {
        let mut merged = Values::new();
        for file in Slice::from_uses(self.values.clone()).iter() {
            let text = read(file, context)?;
            let parsed = values::parse(&text).map_err(|reason| {
                CommandError::user(format!("failed to parse {file}: {reason}"))
            })?;
            values::merge(&mut merged, parsed);
        }
        let set = |line: &String,
                   setter: fn(&str, &mut Values) -> Result<(), strvals::Error>,
                   merged: &mut Values| setter(line, merged).map_err(invalid);
        for line in &self.set_json {
            set(line, strvals::set_json, &mut merged)?;
        }
        for line in &self.set {
            set(line, strvals::set, &mut merged)?;
        }
        for line in &self.set_string {
            set(line, strvals::set_string, &mut merged)?;
        }
        for line in &self.set_file {
            let mut reader = |path: &str| {
                let read = read(path, context).map_err(|error| error.message().to_owned())?;
                Ok(String::from_utf8_lossy(&read).into_owned())
            };
            strvals::set_file(line, &mut merged, &mut reader).map_err(invalid)?;
        }
        for line in &self.set_literal {
            set(line, strvals::set_literal, &mut merged)?;
        }
        Ok(merged)
    }
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "`map_err` passes the error by value"
)]
fn invalid(error: strvals::Error) -> CommandError {
    CommandError::user(error.to_string())
}

fn read(path: &str, context: &Context) -> Result<Vec<u8>, CommandError> {
    if path.trim() == "-" {
        let mut text = Vec::new();
        let input = std::io::stdin().lock();
        input
            .take(MAX_VALUES_BYTES)
            .read_to_end(&mut text)
            .map_err(|error| CommandError::user(format!("read standard input: {error}")))?;
        return Ok(text);
    }
    if is_http(path) {
        return Ok(fetch(path, MAX_VALUES_BYTES, context)?);
    }
    read_file(Path::new(path), MAX_VALUES_BYTES)
        .map_err(|error| CommandError::user(error).hint("set the flag to a readable file"))
}
