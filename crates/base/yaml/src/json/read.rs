//! The reader of Go's `encoding/json`, with its error messages.

use sluice_golang::quote::quote;

use crate::limits::NodeCount;
use crate::{Error, ErrorKind, MAX_DEPTH, Map, Value};

/// Reads one JSON value. Any text after it is an error.
pub fn from_str(text: &str) -> Result<Value, Error> {
    from_slice(text.as_bytes())
}

/// Reads one JSON value. Invalid UTF-8 becomes U+FFFD, as in Go.
pub fn from_slice(bytes: &[u8]) -> Result<Value, Error> {
    let mut reader = Reader {
        bytes,
        position: 0,
        depth: 0,
        count: NodeCount::of_text(),
    };
    let value = reader.value()?;
    reader.skip_space();
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(reader.unexpected("after top-level value")),
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    position: usize,
    depth: usize,
    count: NodeCount,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.position).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.position += 1;
        }
    }

    /// Returns the error for the next character or for the end of the text.
    fn unexpected(&self, context: &str) -> Error {
        // At the end of the text, Go's scanner gets one more space.
        let tried = self.peek().or_else(|| {
            let inside = ["in literal", "in numeric", "after decimal", "in exponent"];
            let inside = inside.into_iter().chain(["in string escape", "in \\u"]);
            let mut inside = inside.filter(|part| context.starts_with(part));
            inside.next().map(|_| b' ')
        });
        let problem = match tried {
            None => "unexpected end of JSON input".to_owned(),
            Some(byte) => format!("invalid character {} {context}", quote_byte(byte)),
        };
        Error::json(ErrorKind::Syntax, self.position, problem)
    }

    fn descend(&mut self) -> Result<(), Error> {
        self.position += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let problem = "exceeded max depth";
            return Err(Error::json(ErrorKind::Limit, self.position, problem));
        }
        Ok(())
    }

    fn ascend(&mut self) {
        self.position += 1;
        self.depth -= 1;
    }

    fn value(&mut self) -> Result<Value, Error> {
        self.skip_space();
        self.count.add()?;
        match self.peek() {
            Some(b'{') => self.object(),
            Some(b'[') => self.array(),
            Some(b'"') => self.string().map(Value::String),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.literal("true", Value::Bool(true)),
            Some(b'f') => self.literal("false", Value::Bool(false)),
            Some(b'n') => self.literal("null", Value::Null),
            _ => Err(self.unexpected("looking for beginning of value")),
        }
    }

    fn object(&mut self) -> Result<Value, Error> {
        self.descend()?;
        let mut map = Map::new();
        self.skip_space();
        if self.peek() == Some(b'}') {
            self.ascend();
            return Ok(Value::Object(map));
        }
        loop {
            self.skip_space();
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("looking for beginning of object key string"));
            }
            let key = self.string()?;
            self.skip_space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("after object key"));
            }
            self.position += 1;
            let value = self.value()?;
            map.insert(key, value);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.position += 1,
                Some(b'}') => break,
                _ => return Err(self.unexpected("after object key:value pair")),
            }
        }
        self.ascend();
        Ok(Value::Object(map))
    }

    fn array(&mut self) -> Result<Value, Error> {
        self.descend()?;
        let mut items = Vec::new();
        self.skip_space();
        if self.peek() == Some(b']') {
            self.ascend();
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value()?);
            self.skip_space();
            match self.peek() {
                Some(b',') => self.position += 1,
                Some(b']') => break,
                _ => return Err(self.unexpected("after array element")),
            }
        }
        self.ascend();
        Ok(Value::Array(items))
    }

    fn literal(&mut self, word: &str, value: Value) -> Result<Value, Error> {
        for expected in word.bytes() {
            if self.peek() != Some(expected) {
                let expected = char::from(expected);
                return Err(self.unexpected(&format!("in literal {word} (expecting '{expected}')")));
            }
            self.position += 1;
        }
        Ok(value)
    }

    fn digits(&mut self, context: &str) -> Result<(), Error> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.unexpected(context));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.position += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Value, Error> {
        let start = self.position;
        if self.peek() == Some(b'-') {
            self.position += 1;
        }
        if self.peek() == Some(b'0') {
            self.position += 1;
        } else {
            self.digits("in numeric literal")?;
        }
        if self.peek() == Some(b'.') {
            self.position += 1;
            self.digits("after decimal point in numeric literal")?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.position += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.position += 1;
            }
            self.digits("in exponent of numeric literal")?;
        }
        let text = str::from_utf8(&self.bytes[start..self.position]).expect("digits are ASCII");
        if let Ok(integer) = text.parse::<i64>() {
            return Ok(integer.into());
        }
        if let Ok(integer) = text.parse::<u64>() {
            return Ok(integer.into());
        }
        let float = text.parse().unwrap_or(f64::INFINITY);
        super::number(float).map(Value::Number).ok_or_else(|| {
            let problem =
                format!("json: cannot unmarshal number {text} into Go value of type float64");
            Error::json(ErrorKind::Value, start, problem)
        })
    }

    fn string(&mut self) -> Result<String, Error> {
        self.position += 1;
        let mut out = Vec::new();
        loop {
            match self.peek() {
                Some(b'"') => break,
                Some(b'\\') => self.escape(&mut out)?,
                Some(byte) if byte >= b' ' => {
                    out.push(byte);
                    self.position += 1;
                }
                _ => return Err(self.unexpected("in string literal")),
            }
        }
        self.position += 1;
        Ok(decode_lossy(out))
    }

    fn escape(&mut self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.position += 1;
        let byte = match self.peek() {
            Some(byte @ (b'"' | b'\\' | b'/')) => byte,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                self.position += 1;
                let character = self.code_point()?;
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                return Ok(());
            }
            _ => return Err(self.unexpected("in string escape code")),
        };
        out.push(byte);
        self.position += 1;
        Ok(())
    }

    fn code_point(&mut self) -> Result<char, Error> {
        let first = self.code_unit()?;
        if let Some(character) = char::from_u32(first) {
            return Ok(character);
        }
        // A surrogate needs its other half. Otherwise it becomes U+FFFD, and the next escape is
        // read on its own.
        if self.bytes[self.position..].starts_with(b"\\u") {
            let back = self.position;
            self.position += 2;
            let second = self.code_unit()?;
            if let Some(Ok(character)) =
                char::decode_utf16([first, second].map(|unit| u16::try_from(unit).unwrap_or(0)))
                    .next()
            {
                return Ok(character);
            }
            self.position = back;
        }
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn code_unit(&mut self) -> Result<u32, Error> {
        let mut unit = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| char::from(byte).to_digit(16));
            let Some(digit) = digit else {
                return Err(self.unexpected("in \\u hexadecimal character escape"));
            };
            unit = unit * 16 + digit;
            self.position += 1;
        }
        Ok(unit)
    }
}

/// Converts bytes to text. Each invalid byte becomes one U+FFFD; Rust's lossy conversion would
/// merge several into one.
pub(crate) fn decode_lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| {
        let mut out = String::new();
        for chunk in error.as_bytes().utf8_chunks() {
            out.push_str(chunk.valid());
            out.extend(chunk.invalid().iter().map(|_| char::REPLACEMENT_CHARACTER));
        }
        out
    })
}

/// Quotes a byte as Go's JSON errors do: its code point in single quotes.
fn quote_byte(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => r#"'"'"#.to_owned(),
        _ => {
            let quoted = quote(&char::from(byte).to_string());
            format!("'{}'", &quoted[1..quoted.len() - 1])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{from_slice, from_str};
    use crate::json::to_string;
    use crate::{ErrorKind, MAX_DEPTH};
    use proptest::prelude::*;
    use serde_json::{Value, json};

    #[test]
    fn values_read_as_in_go() {
        for (text, value) in [
            (" null ", json!(null)),
            ("[true,false]", json!([true, false])),
            (r#"{"a":1,"a":2}"#, json!({"a": 2})),
            ("1.0", json!(1)),
            ("1e3", json!(1000)),
            ("-0", json!(0)),
            ("0.5", json!(0.5)),
            ("18446744073709551615", json!(u64::MAX)),
            ("18446744073709551616", json!(18_446_744_073_709_551_616.0)),
            (r#""\u00e9\n\/\ud83d\ude00""#, json!("é\n/😀")),
            (r#""\ud83d\u0041""#, json!("\u{fffd}A")),
            (r#""\ude00x""#, json!("\u{fffd}x")),
        ] {
            assert_eq!(from_str(text).unwrap(), value, "{text}");
        }
        assert_eq!(
            from_slice(b"\"a\xe2\x82\"").unwrap(),
            json!("a\u{fffd}\u{fffd}")
        );
    }

    /// Go's `json.Unmarshal` returned the message on the right.
    #[test]
    fn errors_have_the_messages_of_go() {
        for (text, message) in [
            ("", "unexpected end of JSON input"),
            ("  ", "unexpected end of JSON input"),
            ("[1,", "unexpected end of JSON input"),
            ("\"abc", "unexpected end of JSON input"),
            ("[1", "unexpected end of JSON input"),
            (
                "[tru",
                "invalid character ' ' in literal true (expecting 'e')",
            ),
            ("-", "invalid character ' ' in numeric literal"),
            ("1e", "invalid character ' ' in exponent of numeric literal"),
            ("x", "invalid character 'x' looking for beginning of value"),
            (
                "{'a'",
                r"invalid character '\'' looking for beginning of object key string",
            ),
            (
                "{,",
                "invalid character ',' looking for beginning of object key string",
            ),
            ("{\"a\" 1", "invalid character '1' after object key"),
            (
                "{\"a\":1 \"b\"",
                "invalid character '\"' after object key:value pair",
            ),
            ("[1 2]", "invalid character '2' after array element"),
            ("1 2", "invalid character '2' after top-level value"),
            (
                "trye",
                "invalid character 'y' in literal true (expecting 'u')",
            ),
            ("-x", "invalid character 'x' in numeric literal"),
            (
                "1.x",
                "invalid character 'x' after decimal point in numeric literal",
            ),
            (
                "1ex",
                "invalid character 'x' in exponent of numeric literal",
            ),
            ("\"\n\"", "invalid character '\\n' in string literal"),
            ("\"\\x\"", "invalid character 'x' in string escape code"),
            (
                "\"\\u00g0\"",
                "invalid character 'g' in \\u hexadecimal character escape",
            ),
            ("01", "invalid character '1' after top-level value"),
            ("é", "invalid character 'Ã' looking for beginning of value"),
            (
                "1e999",
                "json: cannot unmarshal number 1e999 into Go value of type float64",
            ),
        ] {
            assert_eq!(from_str(text).unwrap_err().to_string(), message, "{text}");
        }
        assert_eq!(from_str("[1,x]").unwrap_err().offset(), Some(3));
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let depth = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(from_str(&depth(MAX_DEPTH)).is_ok());
        let error = from_str(&depth(1_000_000)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit);
        assert_eq!(error.to_string(), "exceeded max depth");
    }

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>()
                .prop_filter_map("finite", super::super::number)
                .prop_map(Value::Number),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map(any::<String>(), inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn printed_value_reads_back_unchanged(value in any_value()) {
            let text = to_string(&value);
            prop_assert_eq!(from_str(&text).unwrap(), value);
        }

        #[test]
        fn reader_agrees_with_serde_json(value in any_value()) {
            let text = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(from_str(&text).unwrap(), value);
        }

        #[test]
        fn reader_never_panics(bytes: Vec<u8>) {
            let outcome = from_slice(&bytes);
            prop_assert!(outcome.is_ok() || outcome.is_err());
        }
    }
}
