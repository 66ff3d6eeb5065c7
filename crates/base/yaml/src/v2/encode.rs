//! A value to events: sorted keys, and for each string the simplest style that reads back as the
//! same string.
//!
//! Parity: go-yaml: encode.go, after the conversion to JSON that `sigs.k8s.io/yaml` does first.

use std::borrow::Cow;

use sluice_golang::number::format_g;

use super::order;
use crate::decode::{ResolvedScalar, is_base_60, resolve_plain};
use crate::emitter::{Emitter, Rules};
use crate::event::{CollectionStyle, EventKind, Properties, Scalar, ScalarStyle};
use crate::{Dialect, Number, Value, json};

/// The order of the keys of a map.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeyOrder {
    /// As go-yaml sorts keys: digits as numbers.
    Natural,
    /// By bytes.
    Bytes,
}

pub(super) fn encode(value: &Value, keys: KeyOrder) -> String {
    let mut emitter = Emitter::new(Rules::V2);
    emitter.emit(EventKind::StreamStart.into());
    emitter.emit(EventKind::DocumentStart { implicit: true }.into());
    write(&mut emitter, value, keys);
    emitter.emit(EventKind::DocumentEnd { implicit: true }.into());
    emitter.emit(EventKind::StreamEnd.into());
    emitter.finish()
}

fn write<'a>(emitter: &mut Emitter<'a>, value: &'a Value, keys: KeyOrder) {
    let style = CollectionStyle::Block;
    let properties = Properties::default();
    match value {
        Value::Null => plain(emitter, "null"),
        Value::Bool(true) => plain(emitter, "true"),
        Value::Bool(false) => plain(emitter, "false"),
        Value::Number(number) => plain(emitter, print(number)),
        Value::String(text) => string(emitter, through_json(text)),
        Value::Array(items) => {
            emitter.emit(EventKind::SequenceStart { properties, style }.into());
            for item in items {
                write(emitter, item, keys);
            }
            emitter.emit(EventKind::SequenceEnd.into());
        }
        Value::Object(map) => {
            emitter.emit(EventKind::MappingStart { properties, style }.into());
            let entries = map.iter().map(|(key, value)| (key.as_str(), value));
            let mut entries: Vec<_> = entries.collect();
            match keys {
                KeyOrder::Natural => entries = order::sort(entries),
                KeyOrder::Bytes => entries.sort_by_key(|(key, _)| *key),
            }
            for (key, value) in entries {
                string(emitter, Cow::Borrowed(key));
                write(emitter, value, keys);
            }
            emitter.emit(EventKind::MappingEnd.into());
        }
    }
}

/// Prints a number as Go does after a round trip through JSON.
pub(crate) fn print(number: &Number) -> String {
    let number = match number.as_f64() {
        // JSON prints a float without a fraction as an integer.
        Some(float) if number.is_f64() => json::number(float).expect("a JSON number is finite"),
        _ => number.clone(),
    };
    match number.as_f64() {
        Some(float) if number.is_f64() => format_g(float),
        _ => number.to_string(),
    }
}

/// Returns a string as it is after upstream prints it as JSON and reads that as YAML. It differs
/// only in U+0085, which JSON prints raw and YAML folds.
fn through_json(text: &str) -> Cow<'_, str> {
    if text.contains('\u{85}')
        && let Ok(Value::String(folded)) = super::from_str(&json::quote(text))
    {
        return Cow::Owned(folded);
    }
    Cow::Borrowed(text)
}

fn plain<'a>(emitter: &mut Emitter<'a>, text: impl Into<Cow<'a, str>>) {
    scalar(emitter, text.into(), ScalarStyle::Plain);
}

fn string<'a>(emitter: &mut Emitter<'a>, text: Cow<'a, str>) {
    let style = if text.contains('\n') {
        ScalarStyle::Literal
    } else if resolve_plain(Dialect::V2, &text) == ResolvedScalar::Str && !is_base_60(&text) {
        ScalarStyle::Plain
    } else {
        ScalarStyle::DoubleQuoted
    };
    scalar(emitter, text, style);
}

fn scalar<'a>(emitter: &mut Emitter<'a>, value: Cow<'a, str>, style: ScalarStyle) {
    let scalar = Scalar {
        properties: Properties::default(),
        value,
        style,
        implicit: true,
        span: None,
    };
    emitter.emit(EventKind::Scalar(scalar).into());
}
