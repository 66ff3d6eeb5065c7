//! What is wrong with the values of an object, and how the server lists it.

use std::collections::HashSet;

use sluice_golang::quote::quote;
use sluice_yaml::json;

use super::print;
use crate::Value;

/// What is printed in the place of a path that leads nowhere.
const NOWHERE: &str = "<nil>";

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    /// Empty for the object itself.
    path: String,
    problem: Problem,
    /// As it is printed; none where the value is not told.
    value: Option<String>,
    detail: String,
}

/// What kind of fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    Required,
    Invalid,
    /// Of another type or format; it reads like the one before, but leaves rules without a meaning.
    OtherType,
    Unsupported,
    TooLong,
    TooMany,
    Duplicate,
    Forbidden,
}

impl Fault {
    pub(super) fn new(
        path: &str,
        problem: Problem,
        value: Option<&Value>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            path: path.to_owned(),
            problem,
            value: value.map(printed),
            detail: detail.into(),
        }
    }

    /// A value that is wrong.
    pub(super) fn invalid(path: &str, value: &Value, detail: impl Into<String>) -> Self {
        Self::new(path, Problem::Invalid, Some(value), detail)
    }

    /// Something that is wrong, and told by the detail alone.
    pub(super) fn unplaced(detail: impl Into<String>) -> Self {
        Self::invalid("", &Value::from(""), detail)
    }

    pub(super) fn required(path: &str, detail: &str) -> Self {
        Self::new(path, Problem::Required, None, detail)
    }

    /// A text that may have so many bytes at most.
    pub(super) fn too_long(path: &str, most: i64) -> Self {
        let bytes = if most == 1 { "byte" } else { "bytes" };
        let detail = format!("may not be more than {most} {bytes}");
        Self::new(path, Problem::TooLong, None, detail)
    }

    /// Whether the rules of a schema have no meaning beside this.
    pub(super) fn blocks_rules(&self) -> bool {
        matches!(
            self.problem,
            Problem::Required
                | Problem::OtherType
                | Problem::Unsupported
                | Problem::TooLong
                | Problem::TooMany
        )
    }

    fn told(&self) -> String {
        let problem = match self.problem {
            Problem::Required => "Required value",
            Problem::Invalid | Problem::OtherType => "Invalid value",
            Problem::Unsupported => "Unsupported value",
            Problem::TooLong => "Too long",
            Problem::TooMany => "Too many",
            Problem::Duplicate => "Duplicate value",
            Problem::Forbidden => "Forbidden",
        };
        let path = if self.path.is_empty() {
            NOWHERE
        } else {
            &self.path
        };
        let mut told = format!("{path}: {problem}");
        let parts = [self.value.as_deref().unwrap_or_default(), &self.detail];
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            told.push_str(": ");
            told.push_str(part);
        }
        told
    }
}

/// All faults, each once: one as it is, several in brackets.
pub(super) fn listed(faults: &[Fault]) -> String {
    let mut known = HashSet::new();
    let told = faults.iter().map(Fault::told);
    let told: Vec<String> = told.filter(|told| known.insert(told.clone())).collect();
    match told.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

fn printed(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Number(number) => print::number(number),
        other => json::to_string(other),
    }
}
