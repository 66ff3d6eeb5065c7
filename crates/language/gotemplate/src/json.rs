//! Values as Go's `encoding/json` prints and reads them.

mod convert;

use sluice_golang::number::{format_g32, format_json};

use crate::budget::ExceededLimit;
use crate::stack;
use crate::value::func::Failure;
use crate::value::{FloatType, Kind, Value};

/// The deepest nesting that is printed; a value that contains itself has no end.
const MAX_NESTING: usize = 10_000;
/// The bytes that a text may have where no budget says otherwise.
const DEFAULT_LIMIT: usize = 64 << 20;

/// How JSON is printed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Style {
    /// `<`, `>` and `&` as themselves.
    pub(crate) is_raw: bool,
    /// Two spaces for each level.
    pub(crate) is_indented: bool,
}

/// Prints as `json.Marshal` does.
pub(crate) fn to_string(value: &Value) -> Result<Vec<u8>, Failure> {
    print(value, Style::default(), DEFAULT_LIMIT)
}

/// Prints a value in a style, up to a number of bytes.
pub(crate) fn print(value: &Value, style: Style, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut writer = Writer {
        out: Vec::new(),
        style,
        limit,
    };
    writer.value(value, 0)?;
    Ok(writer.out)
}

struct Writer {
    out: Vec<u8>,
    style: Style,
    limit: usize,
}

impl Writer {
    fn value(&mut self, value: &Value, depth: usize) -> Result<(), Failure> {
        if depth > MAX_NESTING {
            return Err(ExceededLimit::Nesting.into());
        }
        if self.out.len() > self.limit {
            return Err(ExceededLimit::Value.into());
        }
        match value {
            Value::Nil => self.out.extend_from_slice(b"null"),
            Value::Bool(flag) => self
                .out
                .extend_from_slice(if *flag { b"true" } else { b"false" }),
            Value::Int(_, value) => self.out.extend_from_slice(value.to_string().as_bytes()),
            Value::Uint(_, value) => self.out.extend_from_slice(value.to_string().as_bytes()),
            Value::Float(of, value) => {
                let text = match of {
                    FloatType::Float32 if value.is_finite() => Some(format_g32(*value)),
                    _ => format_json(*value),
                };
                let text = text.ok_or_else(|| {
                    let text = sluice_golang::number::format_g(*value);
                    format!("json: unsupported value: {text}")
                })?;
                self.out.extend_from_slice(text.as_bytes());
            }
            Value::String(text) => self.string(text),
            Value::Bytes(bytes) => {
                let text = sluice_golang::base64::encode(bytes);
                self.string(text.as_bytes());
            }
            Value::List(list) if list.is_nil() => self.out.extend_from_slice(b"null"),
            Value::List(list) => {
                self.out.push(b'[');
                let items = list.items();
                for (index, item) in items.iter().enumerate() {
                    self.separator(index, depth);
                    stack::grow(|| self.value(item, depth + 1))?;
                }
                self.close(b']', items.is_empty(), depth);
            }
            Value::Map(map) if map.is_nil() => self.out.extend_from_slice(b"null"),
            Value::Map(map) => {
                self.out.push(b'{');
                let entries = map.entries();
                for (index, (key, value)) in entries.iter().enumerate() {
                    self.key(index, key, depth);
                    stack::grow(|| self.value(value, depth + 1))?;
                }
                self.close(b'}', entries.is_empty(), depth);
            }
            Value::Time(time) => self.string(&time.to_rfc3339()),
            Value::Complex(..) | Value::Func(_) => return Err(unsupported(value)),
            Value::Object(object) => {
                if let Some(value) = object.json().or_else(|| object.underlying()) {
                    return stack::grow(|| self.value(&value, depth + 1));
                }
                if object.kind() == Kind::Func {
                    return Err(unsupported(value));
                }
                self.out.push(b'{');
                let fields = object.fields();
                let exported = fields
                    .iter()
                    .filter(|(name, _)| name.starts_with(char::is_uppercase));
                let mut count = 0;
                for (name, value) in exported {
                    self.key(count, name.as_bytes(), depth);
                    stack::grow(|| self.value(value, depth + 1))?;
                    count += 1;
                }
                self.close(b'}', count == 0, depth);
            }
        }
        Ok(())
    }

    fn separator(&mut self, index: usize, depth: usize) {
        if index > 0 {
            self.out.push(b',');
        }
        self.line(depth + 1);
    }

    fn key(&mut self, index: usize, key: &[u8], depth: usize) {
        self.separator(index, depth);
        self.string(key);
        self.out.push(b':');
        if self.style.is_indented {
            self.out.push(b' ');
        }
    }

    fn close(&mut self, bracket: u8, is_empty: bool, depth: usize) {
        if !is_empty {
            self.line(depth);
        }
        self.out.push(bracket);
    }

    fn line(&mut self, depth: usize) {
        if self.style.is_indented {
            self.out.push(b'\n');
            self.out.resize(self.out.len() + 2 * depth, b' ');
        }
    }

    fn string(&mut self, text: &[u8]) {
        self.out.push(b'"');
        for chunk in text.utf8_chunks() {
            for next in chunk.valid().chars() {
                self.character(next);
            }
            for _ in chunk.invalid() {
                self.out.extend_from_slice(b"\\ufffd");
            }
        }
        self.out.push(b'"');
    }

    fn character(&mut self, next: char) {
        match next {
            '"' => self.out.extend_from_slice(b"\\\""),
            '\\' => self.out.extend_from_slice(b"\\\\"),
            '\u{8}' => self.out.extend_from_slice(b"\\b"),
            '\u{c}' => self.out.extend_from_slice(b"\\f"),
            '\n' => self.out.extend_from_slice(b"\\n"),
            '\r' => self.out.extend_from_slice(b"\\r"),
            '\t' => self.out.extend_from_slice(b"\\t"),
            '\0'..' ' | '\u{2028}' | '\u{2029}' => self.escape(next),
            '<' | '>' | '&' if !self.style.is_raw => self.escape(next),
            _ => {
                let text = next.encode_utf8(&mut [0; 4]).as_bytes().to_vec();
                self.out.extend_from_slice(&text);
            }
        }
    }

    fn escape(&mut self, next: char) {
        let code = format!("\\u{:04x}", u32::from(next));
        self.out.extend_from_slice(code.as_bytes());
    }
}

fn unsupported(value: &Value) -> Failure {
    format!("json: unsupported type: {}", value.type_name()).into()
}
