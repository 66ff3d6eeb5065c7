//! Numbers from values of any type, as the package cast makes them; zero where it fails.

use sluice_golang::number::{parse_any_float, parse_go_int};

use crate::value::{IntType, Value};

/// The value as an integer.
pub(super) fn to_int(value: &Value) -> i64 {
    match value {
        Value::Int(IntType::Duration, _) => 0,
        Value::Int(_, value) => *value,
        Value::Uint(_, value) => value.cast_signed(),
        Value::Float(_, value) => truncate(*value),
        Value::String(text) => {
            let text = std::str::from_utf8(text).unwrap_or_default();
            parse_go_int(trim_zero_decimal(text), 0).unwrap_or(0)
        }
        Value::Bool(flag) => i64::from(*flag),
        _ => 0,
    }
}

/// The value as a float.
#[expect(clippy::cast_precision_loss, reason = "Go rounds to the nearest float")]
pub(super) fn to_float(value: &Value) -> f64 {
    match value {
        Value::Int(IntType::Duration, _) => 0.0,
        Value::Int(_, value) => *value as f64,
        Value::Uint(_, value) => *value as f64,
        Value::Float(_, value) => *value,
        Value::String(text) => {
            let text = std::str::from_utf8(text).unwrap_or_default();
            parse_any_float(text).unwrap_or(0.0)
        }
        Value::Bool(true) => 1.0,
        _ => 0.0,
    }
}

/// Converts as the processors do that Go runs on: what does not fit is the least integer.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the value was checked to be in range"
)]
pub(super) fn truncate(value: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&value) {
        value as i64
    } else {
        i64::MIN
    }
}

/// Cuts `.0`, `.00` and so on.
fn trim_zero_decimal(text: &str) -> &str {
    match text.rsplit_once('.') {
        Some((whole, zeros)) if !zeros.is_empty() && zeros.bytes().all(|byte| byte == b'0') => {
            whole
        }
        _ => text,
    }
}
