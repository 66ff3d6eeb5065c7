//! Errors about fields, printed like the server's `field.Error`.

use std::collections::HashSet;

use sluice_golang::quote::quote;
use sluice_object::Value;
use sluice_yaml::json;

use super::print;

/// Printed for an empty path.
const NO_PATH: &str = "<nil>";

/// An error about a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldError {
    /// Empty for the whole object.
    path: String,
    problem: ErrorType,
    /// The printed value, or `None` when it is omitted.
    value: Option<String>,
    detail: String,
}

/// The type of a field error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ErrorType {
    Required,
    Invalid,
    /// Invalid because of its type or format. Prints like `Invalid`, but blocks rules.
    OtherType,
    Unsupported,
    TooLong,
    TooMany,
    Duplicate,
    Forbidden,
}

impl FieldError {
    pub(super) fn new(
        path: &str,
        problem: ErrorType,
        value: Option<&Value>,
        detail: impl Into<String>,
    ) -> Self {
        Self {
            path: path.to_owned(),
            problem,
            value: value.map(print_value),
            detail: detail.into(),
        }
    }

    /// An invalid value.
    pub(super) fn invalid(path: &str, value: &Value, detail: impl Into<String>) -> Self {
        Self::new(path, ErrorType::Invalid, Some(value), detail)
    }

    /// An error without a path.
    pub(super) fn without_path(detail: impl Into<String>) -> Self {
        Self::invalid("", &Value::from(""), detail)
    }

    pub(super) fn required(path: &str, detail: &str) -> Self {
        Self::new(path, ErrorType::Required, None, detail)
    }

    /// A text that exceeds its maximum size in bytes.
    pub(super) fn too_long(path: &str, max: i64) -> Self {
        let bytes = if max == 1 { "byte" } else { "bytes" };
        let detail = format!("may not be more than {max} {bytes}");
        Self::new(path, ErrorType::TooLong, None, detail)
    }

    /// Whether the validation rules are meaningless after this error.
    pub(super) fn blocks_rules(&self) -> bool {
        matches!(
            self.problem,
            ErrorType::Required
                | ErrorType::OtherType
                | ErrorType::Unsupported
                | ErrorType::TooLong
                | ErrorType::TooMany
        )
    }

    fn message(&self) -> String {
        let problem = match self.problem {
            ErrorType::Required => "Required value",
            ErrorType::Invalid | ErrorType::OtherType => "Invalid value",
            ErrorType::Unsupported => "Unsupported value",
            ErrorType::TooLong => "Too long",
            ErrorType::TooMany => "Too many",
            ErrorType::Duplicate => "Duplicate value",
            ErrorType::Forbidden => "Forbidden",
        };
        let path = if self.path.is_empty() {
            NO_PATH
        } else {
            &self.path
        };
        let mut message = format!("{path}: {problem}");
        let parts = [self.value.as_deref().unwrap_or_default(), &self.detail];
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            message.push_str(": ");
            message.push_str(part);
        }
        message
    }
}

/// Joins errors without duplicates. Several errors are in brackets.
pub(super) fn join_errors(errors: &[FieldError]) -> String {
    let mut known = HashSet::new();
    let messages = errors.iter().map(FieldError::message);
    let messages: Vec<String> = messages
        .filter(|message| known.insert(message.clone()))
        .collect();
    match messages.as_slice() {
        [one] => one.clone(),
        several => format!("[{}]", several.join(", ")),
    }
}

fn print_value(value: &Value) -> String {
    match value {
        Value::String(text) => quote(text),
        Value::Number(number) => print::number(number),
        other => json::to_string(other),
    }
}
