//! Double-quoted Go string literals: what `strconv.Quote` and `%q` print.

use std::fmt::Write as _;

use crate::unicode::is_print;

/// Quotes text as `strconv.Quote` does.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        escape(character, '"', &mut out);
    }
    out.push('"');
    out
}

/// Quotes bytes that may be no valid UTF-8: what is not, is printed as `\x..`.
pub fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            escape(character, '"', &mut out);
        }
        for byte in chunk.invalid() {
            push(&mut out, format_args!("\\x{byte:02x}"));
        }
    }
    out.push('"');
    out
}

/// Quotes one character as `strconv.QuoteRune` does: `'x'`.
pub fn quote_char(character: char) -> String {
    let mut out = String::with_capacity(6);
    out.push('\'');
    escape(character, '\'', &mut out);
    out.push('\'');
    out
}

fn escape(character: char, delimiter: char, out: &mut String) {
    match character {
        '\\' => out.push_str("\\\\"),
        '\u{7}' => out.push_str("\\a"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{b}' => out.push_str("\\v"),
        _ if character == delimiter => {
            out.push('\\');
            out.push(character);
        }
        _ if is_print(character) => out.push(character),
        _ => {
            let code = u32::from(character);
            match code {
                0..0x20 | 0x7f => push(out, format_args!("\\x{code:02x}")),
                ..0x1_0000 => push(out, format_args!("\\u{code:04x}")),
                _ => push(out, format_args!("\\U{code:08x}")),
            }
        }
    }
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text)
        .expect("writing to a String cannot fail");
}

#[cfg(test)]
mod tests {
    use super::{quote, quote_bytes, quote_char};

    /// Each pair was printed by Go's `strconv.Quote`.
    #[test]
    fn strings_are_quoted_as_by_strconv() {
        for (text, quoted) in [
            ("", r#""""#),
            ("plain", r#""plain""#),
            ("it's \"so\"", r#""it's \"so\"""#),
            ("back\\slash", r#""back\\slash""#),
            ("\u{7}\u{8}\u{c}\n\r\t\u{b}", r#""\a\b\f\n\r\t\v""#),
            ("\0\u{1b}\u{7f}", r#""\x00\x1b\x7f""#),
            ("☺ é 日本", r#""☺ é 日本""#),
            ("\u{a0}\u{85}\u{feff}", r#""\u00a0\u0085\ufeff""#),
            ("\u{e000}\u{10ffff}", r#""\ue000\U0010ffff""#),
            ("😀", r#""😀""#),
        ] {
            assert_eq!(quote(text), quoted);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_printed_in_hexadecimal() {
        assert_eq!(quote_bytes(b"a\xff\xc3\xa9\xe2\x82"), r#""a\xffé\xe2\x82""#);
    }

    #[test]
    fn a_character_escapes_its_own_delimiter_only() {
        assert_eq!(quote_char('\''), r"'\''");
        assert_eq!(quote_char('"'), "'\"'");
        assert_eq!(quote_char('\n'), r"'\n'");
    }
}
