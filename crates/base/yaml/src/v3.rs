//! The dialect of go-yaml v3, in which kustomize reads resources.
//!
//! `yes` and `on` are strings, and `0o17` is a number. An unquoted date is a time and prints as
//! `2001-01-01T00:00:00Z`. A duplicate key is an error. An own key overrides a merged one at any
//! position. Numbers pass through JSON, as in [`v2`](crate::v2).
//!
//! Start at [`documents`]. [`tree`](crate::tree) writes this dialect, with comments and styles.

use crate::decode::Decoder;
use crate::node::Documents;
use crate::{Dialect, Error, Value, reader};

/// Reads the first document of a text. An empty text is null.
pub fn from_str(text: &str) -> Result<Value, Error> {
    Ok(read(text.as_bytes(), 1)?.pop().unwrap_or_default())
}

/// Reads the first document of a text in UTF-8, or in UTF-16 with a byte order mark.
pub fn from_slice(bytes: &[u8]) -> Result<Value, Error> {
    Ok(read(bytes, 1)?.pop().unwrap_or_default())
}

/// Reads every document of a text. An empty document is null.
pub fn documents(text: &str) -> Result<Vec<Value>, Error> {
    read(text.as_bytes(), usize::MAX)
}

fn read(bytes: &[u8], limit: usize) -> Result<Vec<Value>, Error> {
    let text = reader::decode(bytes)?;
    Documents::new(&text, Dialect::V3)
        .take(limit)
        .map(|document| Decoder::new(&document?, Dialect::V3).decode())
        .collect::<Result<_, _>>()
        .map_err(Error::into_v3)
}

#[cfg(test)]
mod tests {
    use super::{documents, from_str};
    use crate::ErrorKind;
    use serde_json::{Value, json};

    #[track_caller]
    fn assert_reads(text: &str, value: &Value) {
        assert_eq!(&from_str(text).unwrap(), value, "{text}");
    }

    #[track_caller]
    fn assert_fails(text: &str, message: &str) {
        assert_eq!(from_str(text).unwrap_err().to_string(), message, "{text}");
    }

    #[test]
    fn words_are_strings_and_dates_are_times() {
        assert_reads(
            "{a: yes, b: on, n: y, c: 2001-01-01, d: 1e3, e: 0o17, f: 017, g: 12:30, h: ~}",
            &json!({
                "a": "yes", "b": "on", "n": "y", "c": "2001-01-01T00:00:00Z",
                "d": 1000, "e": 15, "f": 15, "g": "12:30", "h": null,
            }),
        );
    }

    #[test]
    fn own_key_overrides_merged_key() {
        assert_reads(
            "a: &a {x: 1, z: 9}\nb:\n  x: 2\n  <<: *a\n",
            &json!({"a": {"x": 1, "z": 9}, "b": {"x": 2, "z": 9}}),
        );
        assert_reads(
            "- &a {x: 1}\n- &b {x: 2, w: 2}\n- <<: [*a, *b]\n",
            &json!([{"x": 1}, {"x": 2, "w": 2}, {"x": 1, "w": 2}]),
        );
        assert_fails(
            "<<: 1\n",
            "yaml: map merge requires map or sequence of maps as the value",
        );
    }

    #[test]
    fn duplicate_key_is_an_error() {
        let error = from_str("a: 1\nb: 2\na: 3\n").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Duplicate);
        assert_eq!(
            error.to_string(),
            "yaml: unmarshal errors:\n  line 3: mapping key \"a\" already defined at line 1"
        );
    }

    #[test]
    fn nested_key_must_be_text() {
        assert_reads("1: a\ntrue: b\n", &json!({"1": "a", "true": "b"}));
        assert_fails(
            "a: {1: b}\n",
            "json: unsupported type: map[interface {}]interface {}",
        );
    }

    #[test]
    fn errors_name_the_first_line_of_the_construct() {
        assert_fails(
            "a: 1\nb: 'c\nd: 2\n",
            "yaml: line 2: found unexpected end of stream",
        );
        assert_fails(
            "a: 1\nb: c\nd\ne: 2\n",
            "yaml: line 3: could not find expected ':'",
        );
        assert_fails(
            "a: 1\nb: [\n",
            "yaml: line 2: did not find expected node content",
        );
        assert_fails(
            "a:\n\tb: 1\n",
            "yaml: line 2: found character that cannot start any token",
        );
    }

    #[test]
    fn documents_are_read_one_by_one() {
        let values = documents("a: 1\n---\n---\n- yes\n").unwrap();
        assert_eq!(values, [json!({"a": 1}), json!(null), json!(["yes"])]);
    }
}
