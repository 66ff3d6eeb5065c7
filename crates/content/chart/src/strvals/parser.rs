//! The grammar of the lines, in the steps of Helm's parser.

use std::str::Chars;

use sluice_golang::quote::{quote, quote_char};

use super::{FileReader, typed};
use crate::values::{self, Json, Values};

/// The highest index of a list.
const MAX_INDEX: i64 = 65_536;
/// The deepest nesting of names.
const MAX_NESTING: usize = 30;
/// The most indexes of a name, each of which is a list in a list. Helm has no limit.
const MAX_INDEXES: usize = 100;

/// The meaning of the texts after `=`.
pub(super) enum Kind<'r> {
    Typed,
    Text,
    Json,
    Literal,
    File(FileReader<'r>),
}

/// Why a step ended.
pub(super) enum Stop {
    /// The line is at its end.
    End,
    /// The line is malformed.
    Error(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Self::Error(reason)
    }
}

type Step<T> = Result<T, Stop>;

pub(super) struct Parser<'l, 'r> {
    rest: Chars<'l>,
    kind: Kind<'r>,
    /// The indexes of the current name.
    indexes: usize,
}

impl<'l, 'r> Parser<'l, 'r> {
    pub(super) fn new(line: &'l str, kind: Kind<'r>) -> Self {
        Self {
            rest: line.chars(),
            kind,
            indexes: 0,
        }
    }

    /// Sets all values of the line.
    pub(super) fn run(mut self, values: &mut Values) -> Result<(), String> {
        loop {
            self.indexes = 0;
            match self.key(values, 0) {
                Ok(()) => {}
                Err(Stop::End) => return Ok(()),
                Err(Stop::Error(reason)) => return Err(reason),
            }
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    /// Skips a character if it is next.
    fn skip(&mut self, wanted: char) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.rest.next();
        }
        is_next
    }

    /// The text before one of the ends, and the end, which is missing at the end of the line.
    fn until(&mut self, ends: &[char]) -> (String, Option<char>) {
        let mut text = String::new();
        while let Some(next) = self.rest.next() {
            if ends.contains(&next) {
                return (text, Some(next));
            }
            if next == '\\' && !matches!(self.kind, Kind::Literal) {
                match self.rest.next() {
                    Some(escaped) => text.push(escaped),
                    None => return (text, None),
                }
            } else {
                text.push(next);
            }
        }
        (text, None)
    }

    fn key(&mut self, values: &mut Values, depth: usize) -> Step<()> {
        let ends: &[char] = match self.kind {
            Kind::Literal => &['=', '[', '.'],
            _ => &['=', '[', ',', '.'],
        };
        let (key, end) = self.until(ends);
        match end {
            None if key.is_empty() => Err(Stop::End),
            None => Err(format!("key {} has no value", quote(&key)).into()),
            Some('[') => {
                let index = self.index()?;
                // The list is taken, because a copy for each item would take quadratic time.
                let mut list = match values.get_mut(&key) {
                    None => Vec::new(),
                    Some(Json::Array(items)) if key.is_empty() => items.clone(),
                    Some(Json::Array(items)) => std::mem::take(items),
                    Some(other) => return Err(clash(other, "[]interface {}").into()),
                };
                let outcome = self.item(&mut list, index, depth);
                set(values, key, Json::Array(list));
                outcome
            }
            Some('=') => match self.value()? {
                (value, None) => {
                    set(values, key, value);
                    Ok(())
                }
                (value, Some(stop)) => {
                    set(values, key, value);
                    Err(stop)
                }
            },
            Some('.') => {
                let depth = depth + 1;
                if depth > MAX_NESTING {
                    return Err(format!(
                        "value name nested level is greater than maximum supported nested level \
                         of {MAX_NESTING}"
                    )
                    .into());
                }
                let mut inner = match values.get_mut(&key) {
                    None => Values::new(),
                    Some(Json::Object(inner)) if key.is_empty() => inner.clone(),
                    Some(Json::Object(inner)) => std::mem::take(inner),
                    Some(other) => return Err(clash(other, "map[string]interface {}").into()),
                };
                let outcome = self.key(&mut inner, depth);
                if inner.is_empty() {
                    outcome?;
                    return Err(format!("key map {} has no value", quote(&key)).into());
                }
                set(values, key, Json::Object(inner));
                outcome
            }
            Some(_) => {
                let reason = format!("key {} has no value (cannot end with ,)", quote(&key));
                set(values, key, Json::String(String::new()));
                Err(reason.into())
            }
        }
    }

    fn index(&mut self) -> Step<i64> {
        let (text, end) = self.until(&[']']);
        if end.is_none() {
            return Err(Stop::End);
        }
        let parsed = text.parse::<i64>().map_err(|error| {
            let reason = match error.kind() {
                std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
                    "value out of range"
                }
                _ => "invalid syntax",
            };
            let text = quote(&text);
            format!("error parsing index: strconv.Atoi: parsing {text}: {reason}")
        });
        Ok(parsed?)
    }

    /// Sets the item of a list at an index.
    fn item(&mut self, list: &mut Vec<Json>, index: i64, depth: usize) -> Step<()> {
        if index < 0 {
            return Err(format!("negative {index} index not allowed").into());
        }
        self.indexes += 1;
        if self.indexes > MAX_INDEXES {
            return Err(format!("value name has more than {MAX_INDEXES} indexes").into());
        }
        let (text, end) = self.until(&['[', '.', '=']);
        if !text.is_empty() {
            // Go prints a list of characters here.
            let shown: Vec<String> = text.chars().map(quote_char).collect();
            let shown = shown.join(" ");
            return Err(format!("unexpected data at end of array index: [{shown}]").into());
        }
        let place = usize::try_from(index).unwrap_or(usize::MAX);
        match end {
            None => Err(Stop::End),
            Some('=') => {
                let (value, stop) = self.value()?;
                if let Some(Stop::Error(reason)) = stop {
                    return Err(reason.into());
                }
                set_index(list, index, value)
            }
            Some('[') => {
                let next = self.index()?;
                match list.get_mut(place) {
                    Some(Json::Array(inner)) => {
                        self.item(inner, next, depth)?;
                        check_index(index)
                    }
                    None | Some(Json::Null) => {
                        let mut inner = Vec::new();
                        self.item(&mut inner, next, depth)?;
                        set_index(list, index, Json::Array(inner))
                    }
                    Some(other) => Err(clash(other, "[]interface {}").into()),
                }
            }
            Some(_) => {
                let Some(slot) = list.get_mut(place) else {
                    let mut inner = Values::new();
                    self.key(&mut inner, depth)?;
                    return set_index(list, index, Json::Object(inner));
                };
                if !slot.is_object() {
                    *slot = Json::Object(Values::new());
                }
                if let Json::Object(inner) = slot {
                    self.key(inner, depth)?;
                }
                check_index(index)
            }
        }
    }

    /// The value after `=`, and why the line cannot go on, although the value is set.
    fn value(&mut self) -> Step<(Json, Option<Stop>)> {
        match self.kind {
            Kind::Json => return self.json().map(|value| (value, None)),
            Kind::Literal => {
                let (text, _) = self.until(&[]);
                return Ok((Json::String(text), None));
            }
            _ => {}
        }
        if self.peek().is_none() {
            return Ok((Json::String(String::new()), Some(Stop::End)));
        }
        if !self.skip('{') {
            let (text, _) = self.until(&[',']);
            return Ok((self.convert(text)?, None));
        }
        let mut items = Vec::new();
        loop {
            let (text, end) = self.until(&[',', '}']);
            match end {
                None => return Err("list must terminate with '}'".to_owned().into()),
                Some('}') => {
                    self.skip(',');
                    items.push(self.convert(text)?);
                    return Ok((Json::Array(items), None));
                }
                Some(_) => items.push(self.convert(text)?),
            }
        }
    }

    fn convert(&mut self, text: String) -> Step<Json> {
        Ok(match &mut self.kind {
            Kind::Typed => typed(text),
            Kind::File(reader) => Json::String(reader(&text)?),
            Kind::Text | Kind::Json | Kind::Literal => Json::String(text),
        })
    }

    /// One value in JSON, and the comma behind it.
    fn json(&mut self) -> Step<Json> {
        if self.is_blank() {
            return Ok(Json::Null);
        }
        let rest = self.rest.as_str();
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter::<Json>();
        let mut value = match stream.next() {
            Some(Ok(value)) => value,
            Some(Err(error)) => return Err(error.to_string().into()),
            None => return Err("unexpected end of JSON input".to_owned().into()),
        };
        let rest = rest.get(stream.byte_offset()..).unwrap_or_default();
        self.rest = rest.chars();
        self.is_blank();
        values::float_numbers(&mut value);
        Ok(value)
    }

    /// Skips white space; whether a comma, which it skips, or the end is next.
    fn is_blank(&mut self) -> bool {
        loop {
            match self.peek() {
                None => return true,
                Some(',') => {
                    self.rest.next();
                    return true;
                }
                Some(next) if next.is_whitespace() => {
                    self.rest.next();
                }
                Some(_) => return false,
            }
        }
    }
}

/// Sets a key, unless it is empty.
fn set(values: &mut Values, key: String, value: Json) {
    if !key.is_empty() {
        values.insert(key, value);
    }
}

fn check_index(index: i64) -> Step<()> {
    if index > MAX_INDEX {
        return Err(format!(
            "index of {index} is greater than maximum supported index of {MAX_INDEX}"
        )
        .into());
    }
    Ok(())
}

fn set_index(list: &mut Vec<Json>, index: i64, value: Json) -> Step<()> {
    check_index(index)?;
    let index = usize::try_from(index).unwrap_or_default();
    if list.len() <= index {
        list.resize(index + 1, Json::Null);
    }
    list[index] = value;
    Ok(())
}

/// A value of another type than the path needs, in the words of Go's panic.
fn clash(found: &Json, wanted: &str) -> String {
    let found = match found {
        Json::Null => {
            return format!(
                "unable to parse key: interface conversion: interface {{}} is nil, not {wanted}"
            );
        }
        Json::Bool(_) => "bool",
        Json::Number(number) if number.is_f64() => "float64",
        Json::Number(_) => "int64",
        Json::String(_) => "string",
        Json::Array(_) => "[]interface {}",
        Json::Object(_) => "map[string]interface {}",
    };
    format!("unable to parse key: interface conversion: interface {{}} is {found}, not {wanted}")
}
