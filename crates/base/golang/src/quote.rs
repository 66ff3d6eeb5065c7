//! Double-quoted Go string literals, as `strconv.Quote` and `%q` print them.

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

/// Quotes bytes. Invalid UTF-8 is printed as `\x..`.
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

/// Quotes bytes in ASCII only, as `strconv.QuoteToASCII` does.
pub fn quote_ascii(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            escape_ascii(character, '"', &mut out);
        }
        for byte in chunk.invalid() {
            push(&mut out, format_args!("\\x{byte:02x}"));
        }
    }
    out.push('"');
    out
}

/// Quotes one character in ASCII only, as `strconv.QuoteRuneToASCII` does.
pub fn quote_char_ascii(character: char) -> String {
    let mut out = String::with_capacity(12);
    out.push('\'');
    escape_ascii(character, '\'', &mut out);
    out.push('\'');
    out
}

/// Reports whether the bytes can stand between back quotes, as `strconv.CanBackquote` does.
pub fn can_backquote(bytes: &[u8]) -> bool {
    let is_plain =
        |next: char| !matches!(next, '\u{feff}' | '`' | '\u{7f}') && (next >= ' ' || next == '\t');
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(is_plain))
}

/// Takes a literal in double or back quotes apart, as `strconv.Unquote` does.
pub fn unquote(literal: &[u8]) -> Option<Vec<u8>> {
    let (first, rest) = literal.split_first()?;
    let (last, inside) = rest.split_last()?;
    if first != last {
        return None;
    }
    match first {
        b'`' if !inside.contains(&b'`') => {
            // A raw string has no carriage returns.
            Some(
                inside
                    .iter()
                    .copied()
                    .filter(|byte| *byte != b'\r')
                    .collect(),
            )
        }
        b'"' if !inside.contains(&b'\n') => unquote_inside(inside),
        _ => None,
    }
}

fn unquote_inside(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(rest.len());
    while let Some(first) = rest.first() {
        match first {
            b'"' => return None,
            b'\\' => {
                let (code, is_byte, after) = unescape(rest, b'"')?;
                match u8::try_from(code) {
                    Ok(byte) if is_byte => out.push(byte),
                    _ => {
                        let next = char::from_u32(code)?;
                        out.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
                    }
                }
                rest = after;
            }
            byte => {
                out.push(*byte);
                rest = &rest[1..];
            }
        }
    }
    Some(out)
}

/// Reads the first character of a literal whose opening quote is gone, and gives what is left,
/// as `strconv.UnquoteChar` does.
pub fn unquote_char(text: &[u8], quote: u8) -> Option<(u32, &[u8])> {
    let first = *text.first()?;
    if first == quote {
        return None;
    }
    if first == b'\\' {
        let (code, _, rest) = unescape(text, quote)?;
        return Some((code, rest));
    }
    let chunk = text[..text.len().min(4)].utf8_chunks().next()?;
    match chunk.valid().chars().next() {
        Some(next) => Some((u32::from(next), &text[next.len_utf8()..])),
        None => Some((u32::from(char::REPLACEMENT_CHARACTER), &text[1..])),
    }
}

/// Reads an escape sequence: its code, whether it is a byte and not a character, and the rest.
fn unescape(text: &[u8], quote: u8) -> Option<(u32, bool, &[u8])> {
    let (letter, rest) = text.get(1..)?.split_first()?;
    let plain = |code: u8| Some((u32::from(code), false, rest));
    match letter {
        b'a' => plain(7),
        b'b' => plain(8),
        b'f' => plain(12),
        b'n' => plain(b'\n'),
        b'r' => plain(b'\r'),
        b't' => plain(b'\t'),
        b'v' => plain(11),
        b'\\' => plain(b'\\'),
        b'\'' | b'"' if *letter == quote => plain(quote),
        b'x' => digits(rest, 2, 16).map(|(code, rest)| (code, true, rest)),
        b'u' | b'U' => {
            let length = if *letter == b'u' { 4 } else { 8 };
            let (code, rest) = digits(rest, length, 16)?;
            char::from_u32(code).map(|_| (code, false, rest))
        }
        b'0'..=b'7' => {
            let (code, rest) = digits(&text[1..], 3, 8)?;
            (code < 256).then_some((code, true, rest))
        }
        _ => None,
    }
}

fn digits(text: &[u8], length: usize, base: u32) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(length)?;
    let mut code = 0_u32;
    for digit in digits {
        code = code.checked_mul(base)? + char::from(*digit).to_digit(base)?;
    }
    Some((code, rest))
}

fn escape_ascii(character: char, delimiter: char, out: &mut String) {
    if character.is_ascii() {
        return escape(character, delimiter, out);
    }
    let code = u32::from(character);
    if code < 0x1_0000 {
        push(out, format_args!("\\u{code:04x}"));
    } else {
        push(out, format_args!("\\U{code:08x}"));
    }
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
    out.write_fmt(text).expect("a String accepts all writes");
}

#[cfg(test)]
mod tests {
    use super::{quote, quote_bytes, quote_char};

    /// Go's `strconv.Quote` printed each pair.
    #[test]
    fn quote_agrees_with_strconv() {
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
    fn invalid_utf8_prints_in_hexadecimal() {
        assert_eq!(quote_bytes(b"a\xff\xc3\xa9\xe2\x82"), r#""a\xffé\xe2\x82""#);
    }

    #[test]
    fn quoted_char_escapes_only_its_own_delimiter() {
        assert_eq!(quote_char('\''), r"'\''");
        assert_eq!(quote_char('"'), "'\"'");
        assert_eq!(quote_char('\n'), r"'\n'");
    }
}
