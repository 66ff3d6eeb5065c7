//! Functions on strings: the standard ones and those of the strings extension.

use std::rc::Rc;
use std::sync::Arc;

use regex::Regex;
use sluice_golang::regexp;

use super::cost;
use super::error::Result;
use super::format;
use super::limits::check_size;
use super::value::Value;

/// Maximum size of a compiled pattern in bytes, and the size that nearly all patterns fit in.
const PATTERN_SIZE: usize = 1 << 20;
const USUAL_SIZE: usize = 32 << 10;

/// Prefix of the error for a pattern that exceeds its maximum size.
const TOO_LARGE: &str = "error parsing regexp: expression too large";

/// Calls a method of a string, or `join` of a list of strings.
pub(super) fn member(function: &str, arguments: &[Value]) -> Option<Result<Value>> {
    use Value::{Int, List, String};
    Some(match (function, arguments) {
        ("contains", [String(text), String(part)]) => Ok(Value::Bool(text.contains(&**part))),
        ("startsWith", [String(text), String(part)]) => Ok(Value::Bool(text.starts_with(&**part))),
        ("endsWith", [String(text), String(part)]) => Ok(Value::Bool(text.ends_with(&**part))),
        ("charAt", [String(text), Int(place)]) => char_at(text, *place),
        ("indexOf", [String(text), String(part)]) => index_of(text, part, 0),
        ("indexOf", [String(text), String(part), Int(from)]) => index_of(text, part, *from),
        ("lastIndexOf", [String(text), String(part)]) => last_index_of(text, part, None),
        ("lastIndexOf", [String(text), String(part), Int(from)]) => {
            last_index_of(text, part, Some(*from))
        }
        ("lowerAscii", [String(text)]) => Ok(Value::string(&text.to_ascii_lowercase())),
        ("upperAscii", [String(text)]) => Ok(Value::string(&text.to_ascii_uppercase())),
        ("trim", [String(text)]) => Ok(Value::string(text.trim())),
        ("reverse", [String(text)]) => {
            let reversed: std::string::String = text.chars().rev().collect();
            Ok(Value::string(&reversed))
        }
        ("replace", [String(text), String(old), String(new)]) => replace(text, old, new, -1),
        ("replace", [String(text), String(old), String(new), Int(count)]) => {
            replace(text, old, new, *count)
        }
        ("split", [String(text), String(separator)]) => Ok(split(text, separator, -1)),
        ("split", [String(text), String(separator), Int(count)]) => {
            Ok(split(text, separator, *count))
        }
        ("substring", [String(text), Int(from)]) => substring(text, *from, None),
        ("substring", [String(text), Int(from), Int(to)]) => substring(text, *from, Some(*to)),
        ("join", [List(items)]) => return join(items, ""),
        ("join", [List(items), String(separator)]) => return join(items, separator),
        ("format", [String(text), List(items)]) => format::format(text, items),
        _ => return None,
    })
}

/// A compiled regular expression.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Regex);

impl Pattern {
    /// Compiles a pattern, after charging its cost.
    pub(super) fn new(text: &str, mut charge: impl FnMut(usize) -> Result<()>) -> Result<Self> {
        charge(cost::of_compilation(text, USUAL_SIZE))?;
        match regexp::compile(text, USUAL_SIZE).map_err(|error| error.to_string()) {
            Err(error) if error.starts_with(TOO_LARGE) => {}
            compiled => return compiled.map(Self),
        }
        charge(cost::of_compilation(text, PATTERN_SIZE))?;
        let compiled = regexp::compile(text, PATTERN_SIZE);
        compiled.map(Self).map_err(|error| error.to_string())
    }

    pub(super) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    pub(super) fn cost(&self, text: &str) -> usize {
        cost::of_search(text, self.as_str().len())
    }
}

/// The patterns that an evaluation compiled last, so that a loop over many texts compiles its
/// pattern once. The number is small because a pattern may take a megabyte.
#[derive(Default)]
pub(super) struct PatternCache(Vec<(Arc<str>, Rc<Pattern>)>);

const MAX_CACHED_PATTERNS: usize = 8;

impl PatternCache {
    pub(super) fn get(&self, text: &str) -> Option<Rc<Pattern>> {
        let cached = self.0.iter().find(|(known, _)| **known == *text);
        cached.map(|(_, pattern)| pattern.clone())
    }

    pub(super) fn insert(&mut self, text: Arc<str>, pattern: Rc<Pattern>) {
        if self.0.len() == MAX_CACHED_PATTERNS {
            self.0.remove(0);
        }
        self.0.push((text, pattern));
    }
}

/// Converts a character index; the length itself is a valid index.
fn place(place: i64, length: usize) -> Result<usize> {
    let index = usize::try_from(place).ok();
    index
        .filter(|index| *index <= length)
        .ok_or_else(|| format!("index out of range: {place}"))
}

fn char_at(text: &str, at: i64) -> Result<Value> {
    let index = place(at, text.chars().count())?;
    let found: String = text.chars().skip(index).take(1).collect();
    Ok(Value::string(&found))
}

fn int(index: usize) -> Value {
    Value::Int(i64::try_from(index).unwrap_or(i64::MAX))
}

/// The byte offset of a character index, or `None` beyond the last character.
fn byte_of(text: &str, index: i64) -> Result<Option<usize>> {
    let out = || format!("index out of range: {index}");
    let index = usize::try_from(index).map_err(|_| out())?;
    Ok(text.char_indices().nth(index).map(|(byte, _)| byte))
}

fn index_of(text: &str, part: &str, from: i64) -> Result<Value> {
    if part.is_empty() {
        return Ok(Value::Int(from));
    }
    let Some(from) = byte_of(text, from)? else {
        return Ok(Value::Int(-1));
    };
    let found = text[from..].find(part);
    Ok(found.map_or(Value::Int(-1), |byte| {
        int(text[..from + byte].chars().count())
    }))
}

fn last_index_of(text: &str, part: &str, from: Option<i64>) -> Result<Value> {
    if part.is_empty() {
        return Ok(from.map_or_else(|| int(text.chars().count()), Value::Int));
    }
    let end = match from {
        Some(from) => match byte_of(text, from)? {
            Some(byte) => (byte + part.len()).min(text.len()),
            None => return Ok(Value::Int(-1)),
        },
        None => text.len(),
    };
    // The match starts at `from` at the latest. Its end need not be a character boundary.
    let found = (0..=end)
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .and_then(|end| text[..end].rfind(part));
    Ok(found.map_or(Value::Int(-1), |byte| int(text[..byte].chars().count())))
}

fn replace(text: &str, old: &str, new: &str, count: i64) -> Result<Value> {
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let found = if old.is_empty() {
        text.chars().count() + 1
    } else {
        text.matches(old).count()
    };
    check_size(
        text.len()
            .saturating_add(found.min(count).saturating_mul(new.len())),
    )?;
    Ok(Value::string(&text.replacen(old, new, count)))
}

fn split(text: &str, separator: &str, count: i64) -> Value {
    let characters = |text| str::split_inclusive(text, |_| true);
    let parts: Vec<&str> = match usize::try_from(count) {
        Ok(0) => Vec::new(),
        Ok(count) if separator.is_empty() => {
            let end = text.char_indices().nth(count - 1);
            let (first, rest) = text.split_at(end.map_or(text.len(), |(byte, _)| byte));
            let rest = (!rest.is_empty()).then_some(rest);
            characters(first).chain(rest).collect()
        }
        Ok(count) => text.splitn(count, separator).collect(),
        Err(_) if separator.is_empty() => characters(text).collect(),
        Err(_) => text.split(separator).collect(),
    };
    Value::list(parts.into_iter().map(Value::string).collect())
}

fn substring(text: &str, from: i64, to: Option<i64>) -> Result<Value> {
    let length = text.chars().count();
    let end = to.unwrap_or_else(|| i64::try_from(length).unwrap_or(i64::MAX));
    if from > end && to.is_some() {
        return Err(format!(
            "invalid substring range. start: {from}, end: {end}"
        ));
    }
    let (start, end) = (place(from, length)?, place(end, length)?);
    let part: String = text.chars().skip(start).take(end - start).collect();
    Ok(Value::string(&part))
}

/// Joins strings. Only the first element decides whether the overload applies.
fn join(items: &[Value], separator: &str) -> Option<Result<Value>> {
    let mut texts = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match item {
            Value::String(text) => texts.push(&**text),
            _ if index == 0 => return None,
            other => return Some(Err(format!("join: invalid input: {}", other.excerpt()))),
        }
    }
    let size = texts.iter().map(|text| text.len() + separator.len()).sum();
    Some(check_size(size).map(|()| Value::string(&texts.join(separator))))
}

/// Quotes a text and escapes its special characters.
pub(super) fn quote(text: &str) -> String {
    let mut quoted = String::from('"');
    for character in text.chars() {
        match character {
            '\u{7}' => quoted.push_str("\\a"),
            '\u{8}' => quoted.push_str("\\b"),
            '\u{c}' => quoted.push_str("\\f"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\u{b}' => quoted.push_str("\\v"),
            '\\' => quoted.push_str("\\\\"),
            '"' => quoted.push_str("\\\""),
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
