//! JSON as Go's `encoding/json` reads and writes it.
//!
//! The writer sorts keys by bytes and escapes `<`, `>` and `&`; digests and name hashes depend on
//! it. The reader differs from `serde_json` in three ways: it has Go's error messages, repairs
//! lone surrogates, and reads `1.0` and `1e3` as integers, as Kubernetes does.

use std::fmt::Write as _;

use sluice_golang::number::format_json;

use crate::{Number, Value};

mod read;

pub(crate) use read::decode_lossy;
pub use read::{from_slice, from_str};

/// Prints a value as `json.Marshal` does: without white space, keys sorted by bytes.
pub fn to_string(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, &mut out);
    out
}

/// Returns the name of the kind of a value in the errors of `encoding/json`.
pub const fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Prints a string with quotes as `json.Marshal` does.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    write_string(text, &mut out);
    out
}

/// Returns the number that a float becomes in a round trip through Go's JSON. A float without a
/// fraction becomes an integer.
///
/// Returns `None` for infinities and NaN.
pub fn number(value: f64) -> Option<Number> {
    let text = format_json(value)?;
    Some(match (text.parse::<i64>(), text.parse::<u64>()) {
        (Ok(integer), _) => integer.into(),
        (_, Ok(integer)) => integer.into(),
        _ => Number::from_f64(value).expect("the float is finite"),
    })
}

fn write_value(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => write_number(number, out),
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, item)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(key, out);
                out.push(':');
                write_value(item, out);
            }
            out.push('}');
        }
    }
}

fn write_number(number: &Number, out: &mut String) {
    match number.as_f64() {
        Some(float) if number.is_f64() => {
            out.push_str(&format_json(float).expect("a JSON number is finite"));
        }
        _ => out.push_str(&number.to_string()),
    }
}

fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut plain = 0;
    for (index, character) in text.char_indices() {
        let short = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\u{8}' => "\\b",
            '\u{c}' => "\\f",
            '\n' => "\\n",
            '\r' => "\\r",
            '\t' => "\\t",
            '\0'..' ' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => "",
            _ => continue,
        };
        out.push_str(&text[plain..index]);
        plain = index + character.len_utf8();
        if short.is_empty() {
            write!(out, "\\u{:04x}", u32::from(character)).expect("a String accepts all writes");
        } else {
            out.push_str(short);
        }
    }
    out.push_str(&text[plain..]);
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::{number, quote, to_string};
    use serde_json::json;

    #[test]
    fn keys_sort_by_bytes_at_every_level() {
        let value = json!({"b": 1, "a": {"é": null, "z": [], "Z": {}}, "a10": true, "a9": false});
        assert_eq!(
            to_string(&value),
            r#"{"a":{"Z":{},"z":[],"é":null},"a10":true,"a9":false,"b":1}"#
        );
    }

    #[test]
    fn strings_escape_html_and_line_separators() {
        assert_eq!(quote("a<b>&\"\\"), r#""a\u003cb\u003e\u0026\"\\""#);
        assert_eq!(
            quote("\u{2028}\u{2029}\u{0}\u{1f}"),
            r#""\u2028\u2029\u0000\u001f""#
        );
        assert_eq!(quote("\n\r\t\u{8}\u{c}"), r#""\n\r\t\b\f""#);
        assert_eq!(quote("\u{7f}é😀"), "\"\u{7f}é😀\"");
    }

    #[test]
    fn numbers_print_as_in_go() {
        let value = json!([1, -1, u64::MAX, 0.5, 1e21, 1e20, 1e-7, 0.000_001, -0.0]);
        assert_eq!(
            to_string(&value),
            "[1,-1,18446744073709551615,0.5,1e+21,100000000000000000000,1e-7,0.000001,-0]"
        );
    }

    #[test]
    fn whole_float_becomes_an_integer() {
        assert_eq!(number(1000.0), Some(1000.into()));
        assert_eq!(number(-0.0), Some(0.into()));
        assert_eq!(number(1e19), Some(10_000_000_000_000_000_000_u64.into()));
        assert!(number(1e20).unwrap().is_f64());
        assert!(number(0.5).unwrap().is_f64());
        assert_eq!(number(f64::NAN), None);
    }
}
