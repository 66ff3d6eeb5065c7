//! Writes JSON in the field order of a type, with the escapes of Go's `encoding/json`.
//!
//! Webhook receivers verify signatures of these bytes, so they must equal the reference's.

use std::io;

use serde::Serialize;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter};

/// Serializes a value like `json.Marshal`.
pub fn to_vec<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut out = Vec::with_capacity(512);
    value
        .serialize(&mut serde_json::Serializer::with_formatter(
            &mut out,
            GoFormatter,
        ))
        .expect("payloads have text keys, and memory accepts all writes");
    out
}

/// Escapes `<`, `>`, `&` and the two Unicode line separators in strings.
struct GoFormatter;

impl Formatter for GoFormatter {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut plain = 0;
        for (index, character) in fragment.char_indices() {
            let escape = match character {
                '<' => "\\u003c",
                '>' => "\\u003e",
                '&' => "\\u0026",
                '\u{2028}' => "\\u2028",
                '\u{2029}' => "\\u2029",
                _ => continue,
            };
            writer.write_all(&fragment.as_bytes()[plain..index])?;
            writer.write_all(escape.as_bytes())?;
            plain = index + character.len_utf8();
        }
        writer.write_all(&fragment.as_bytes()[plain..])
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: CharEscape,
    ) -> io::Result<()> {
        CompactFormatter.write_char_escape(writer, escape)
    }
}

#[cfg(test)]
mod tests {
    use super::to_vec;

    #[test]
    fn strings_escape_as_in_go() {
        for text in [
            "plain",
            "a<b>&\"\\/",
            "\u{2028}é\u{2029}😀",
            "\0\u{1}\u{8}\u{c}\n\r\t\u{1f}\u{7f}",
        ] {
            let expected = sluice_yaml::json::quote(text);
            assert_eq!(String::from_utf8(to_vec(text)).unwrap(), expected);
        }
    }
}
