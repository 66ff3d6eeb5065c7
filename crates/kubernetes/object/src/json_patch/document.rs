//! JSON values that keep the original text of their scalars, which patches compare.

use std::collections::BTreeMap;

use sluice_yaml::{Number, json};

use super::{PatchError, Result, error};
use crate::Value;

/// A JSON value with the original text of its scalars.
#[derive(Clone, Debug, PartialEq)]
pub enum Document {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(Box<str>),
    /// A string.
    String {
        /// The JSON text with quotes and escapes.
        written: Box<str>,
        /// The decoded text.
        text: Box<str>,
    },
    /// An array.
    Array(Vec<Self>),
    /// An object, sorted by key.
    Object(BTreeMap<String, Self>),
}

impl Document {
    /// Converts a value, written like Go's JSON encoder does.
    pub fn from_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(value) => Self::Bool(*value),
            Value::Number(_) => Self::Number(json::to_string(value).into()),
            Value::String(text) => Self::String {
                written: json::quote(text).into(),
                text: text.as_str().into(),
            },
            Value::Array(items) => Self::Array(items.iter().map(Self::from_value).collect()),
            Value::Object(fields) => {
                let fields = fields.iter();
                let fields = fields.map(|(key, value)| (key.clone(), Self::from_value(value)));
                Self::Object(fields.collect())
            }
        }
    }

    /// Parses JSON. The last of duplicate keys wins.
    pub fn from_json(text: &str) -> Result<Self> {
        // The strict parser reports errors in Go's words, so the reader below sees valid JSON.
        json::from_str(text).map_err(|error| PatchError(error.to_string()))?;
        let mut reader = Reader { text, position: 0 };
        reader.value()
    }

    /// Converts to a value. All numbers become floats, as in Go's untyped decoding.
    pub fn into_value(self) -> Result<Value> {
        Ok(match self {
            Self::Null => Value::Null,
            Self::Bool(value) => value.into(),
            Self::Number(written) => float(&written)?,
            Self::String { text, .. } => String::from(text).into(),
            Self::Array(items) => {
                let items = items.into_iter().map(Self::into_value);
                Value::Array(items.collect::<Result<_>>()?)
            }
            Self::Object(fields) => {
                let fields = fields.into_iter();
                let fields = fields.map(|(key, value)| Ok((key, value.into_value()?)));
                Value::Object(fields.collect::<Result<_>>()?)
            }
        })
    }

    /// Nesting depth, counting this collection.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::depth).max().unwrap_or(0),
            Self::Object(fields) => 1 + fields.values().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Approximate memory size in bytes.
    pub(super) fn size(&self) -> usize {
        let below = match self {
            Self::Null | Self::Bool(_) => 0,
            Self::Number(written) => written.len(),
            Self::String { written, text } => written.len() + text.len(),
            Self::Array(items) => items.iter().map(Self::size).sum(),
            Self::Object(fields) => {
                let fields = fields.iter();
                fields.map(|(key, value)| key.len() + value.size()).sum()
            }
        };
        size_of::<Self>() + below
    }

    /// The type name in Go's JSON errors.
    pub(super) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "bool",
            Self::Number(_) => "number",
            Self::String { .. } => "string",
            Self::Array(_) => "array",
            Self::Object(_) => "object",
        }
    }

    /// Whether two values are equal, with scalars compared by their text.
    pub(super) fn is_written_as(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::String { written, .. }, Self::String { written: other, .. }) => written == other,
            (Self::Array(items), Self::Array(others)) => {
                let mut pairs = items.iter().zip(others);
                items.len() == others.len() && pairs.all(|(item, other)| item.is_written_as(other))
            }
            (Self::Object(fields), Self::Object(others)) => {
                let mut pairs = fields.iter().zip(others);
                fields.len() == others.len()
                    && pairs.all(|((key, value), (other_key, other))| {
                        key == other_key && value.is_written_as(other)
                    })
            }
            _ => self == other,
        }
    }

    /// The value after Go has encoded it, which escapes `<`, `>` and `&`.
    pub(super) fn escaped(self) -> Self {
        match self {
            Self::String { written, text } if written.contains(['<', '>', '&']) => {
                let written = written
                    .replace('<', "\\u003c")
                    .replace('>', "\\u003e")
                    .replace('&', "\\u0026");
                Self::String {
                    written: written.into(),
                    text,
                }
            }
            Self::Array(items) => Self::Array(items.into_iter().map(Self::escaped).collect()),
            Self::Object(fields) => {
                let fields = fields.into_iter();
                Self::Object(fields.map(|(key, value)| (key, value.escaped())).collect())
            }
            other => other,
        }
    }

    /// Returns the value at a step. A missing field is `None`, an invalid index an error.
    pub(super) fn at(&self, key: &str) -> Result<Option<&Self>> {
        match self {
            Self::Object(fields) => Ok(fields.get(key)),
            Self::Array(items) => {
                let index = index(key, items.len())?;
                match items.get(index) {
                    Some(item) => Ok(Some(item)),
                    None => invalid_index(index),
                }
            }
            _ => Ok(None),
        }
    }

    pub(super) fn at_mut(&mut self, key: &str) -> Option<&mut Self> {
        match self {
            Self::Object(fields) => fields.get_mut(key),
            Self::Array(items) => {
                let index = index(key, items.len()).ok()?;
                items.get_mut(index)
            }
            _ => None,
        }
    }

    /// Sets a field, or replaces an element.
    pub(super) fn set(&mut self, key: &str, value: Self) {
        match self {
            Self::Object(fields) => {
                fields.insert(key.to_owned(), value);
            }
            other => {
                if let Some(place) = other.at_mut(key) {
                    *place = value;
                }
            }
        }
    }

    /// Adds a field, or inserts an element before the index; `-` appends.
    pub(super) fn add(&mut self, key: &str, value: Self) -> Result<()> {
        match self {
            Self::Object(fields) => {
                fields.insert(key.to_owned(), value);
            }
            Self::Array(items) if key == "-" => items.push(value),
            Self::Array(items) => {
                let length = items.len() + 1;
                let index = match atoi(key) {
                    Ok(_) => index(key, length)?,
                    Err(cause) => {
                        return error(format!(
                            "value was not a proper array index: '{key}': {cause}"
                        ));
                    }
                };
                if index >= length {
                    return invalid_index(index);
                }
                items.insert(index, value);
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn remove(&mut self, key: &str) -> Result<Self> {
        match self {
            Self::Object(fields) => match fields.remove(key) {
                Some(value) => Ok(value),
                None => error(format!(
                    "Unable to remove nonexistent key: {key}: missing value"
                )),
            },
            Self::Array(items) => {
                let index = index(key, items.len())?;
                if index >= items.len() {
                    return invalid_index(index);
                }
                Ok(items.remove(index))
            }
            _ => Ok(Self::Null),
        }
    }
}

/// Parses an index. A negative one counts from the end. The result may exceed the length.
fn index(key: &str, length: usize) -> Result<usize> {
    let index = atoi(key)?;
    if index >= 0 {
        return Ok(usize::try_from(index).unwrap_or(usize::MAX));
    }
    let back = usize::try_from(index.unsigned_abs()).unwrap_or(usize::MAX);
    match length.checked_sub(back) {
        Some(index) => Ok(index),
        None => invalid_index(index),
    }
}

fn invalid_index<T>(index: impl std::fmt::Display) -> Result<T> {
    error(format!(
        "Unable to access invalid index: {index}: invalid index referenced"
    ))
}

/// Go's `strconv.Atoi`.
fn atoi(text: &str) -> Result<i64> {
    let quoted = sluice_golang::quote::quote(text);
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return error(format!("strconv.Atoi: parsing {quoted}: invalid syntax"));
    }
    text.parse().or_else(|_| {
        error(format!(
            "strconv.Atoi: parsing {quoted}: value out of range"
        ))
    })
}

fn float(written: &str) -> Result<Value> {
    let float = written.parse().ok().and_then(Number::from_f64);
    match float {
        Some(number) => Ok(Value::Number(number)),
        None => error(format!(
            "json: cannot unmarshal number {written} into Go value of type float64"
        )),
    }
}

/// Parses JSON that is known to be valid.
struct Reader<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Reader<'a> {
    fn peek(&mut self) -> u8 {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(self.position) {
            self.position += 1;
        }
        bytes.get(self.position).copied().unwrap_or(0)
    }

    fn value(&mut self) -> Result<Document> {
        Ok(match self.peek() {
            b'{' => self.nested(Self::object)?,
            b'[' => self.nested(Self::array)?,
            b'"' => {
                let written = self.string();
                Document::String {
                    text: text_of(written)?.into(),
                    written: written.into(),
                }
            }
            _ => {
                let rest = &self.text[self.position..];
                let end = rest.find([',', ']', '}', ' ', '\t', '\r', '\n']);
                let word = &rest[..end.unwrap_or(rest.len())];
                self.position += word.len();
                match word {
                    "null" => Document::Null,
                    "true" => Document::Bool(true),
                    "false" => Document::Bool(false),
                    number => Document::Number(number.into()),
                }
            }
        })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Document>) -> Result<Document> {
        self.position += 1;
        let document = read(self)?;
        self.position += 1;
        Ok(document)
    }

    fn object(&mut self) -> Result<Document> {
        let mut fields = BTreeMap::new();
        while self.peek() == b'"' {
            let key = text_of(self.string())?;
            self.peek();
            self.position += 1;
            fields.insert(key, self.value()?);
            if self.peek() == b',' {
                self.position += 1;
            }
        }
        Ok(Document::Object(fields))
    }

    fn array(&mut self) -> Result<Document> {
        let mut items = Vec::new();
        while self.peek() != b']' {
            items.push(self.value()?);
            if self.peek() == b',' {
                self.position += 1;
            }
        }
        Ok(Document::Array(items))
    }

    /// Reads a string including its quotes.
    fn string(&mut self) -> &'a str {
        let bytes = self.text.as_bytes();
        let start = self.position;
        self.position += 1;
        while bytes[self.position] != b'"' {
            self.position += if bytes[self.position] == b'\\' { 2 } else { 1 };
        }
        self.position += 1;
        &self.text[start..self.position]
    }
}

fn text_of(written: &str) -> Result<String> {
    match json::from_str(written) {
        Ok(Value::String(text)) => Ok(text),
        _ => error("invalid string"),
    }
}
