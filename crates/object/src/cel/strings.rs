//! The functions of texts: the standard ones and those of the extension.

use std::fmt::Write as _;

use regex::{Regex, RegexBuilder};
use sluice_golang::number::format_g;

use super::evaluate::Result;
use super::functions::{bounded, plain};
use super::value::Value;

/// What an expression may compile to, in bytes.
const PATTERN_SIZE: usize = 1 << 20;

/// Calls a member of a text, or of a list of texts.
pub(super) fn member(function: &str, arguments: &[Value]) -> Option<Result<Value>> {
    use Value::{Int, List, String};
    Some(match (function, arguments) {
        ("contains", [String(text), String(part)]) => Ok(Value::Bool(text.contains(&**part))),
        ("startsWith", [String(text), String(part)]) => Ok(Value::Bool(text.starts_with(&**part))),
        ("endsWith", [String(text), String(part)]) => Ok(Value::Bool(text.ends_with(&**part))),
        ("matches", [String(text), String(pattern)]) => matches(text, pattern),
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
        ("format", [String(text), List(items)]) => format(text, items),
        _ => return None,
    })
}

/// A regular expression, compiled.
#[derive(Clone, Debug)]
pub(super) struct Pattern(Regex);

impl Pattern {
    pub(super) fn new(text: &str) -> Result<Self> {
        let built = RegexBuilder::new(text).size_limit(PATTERN_SIZE).build();
        match built {
            Ok(pattern) => Ok(Self(pattern)),
            Err(error) => Err(format!("error parsing regexp: {error}")),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    pub(super) fn is_match(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    pub(super) fn cost(&self, text: &str) -> usize {
        cost(text, self.as_str().len())
    }
}

/// What it costs to look for a pattern of a length in a text, as the API server reckons.
pub(super) fn cost(text: &str, pattern: usize) -> usize {
    (1 + text.len() / 10).saturating_mul(1 + pattern / 4)
}

fn matches(text: &str, pattern: &str) -> Result<Value> {
    Ok(Value::Bool(Pattern::new(pattern)?.is_match(text)))
}

/// A place as an index of characters, up to the length and with it.
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

/// The place in bytes of the character at an index; nothing beyond the last one.
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
    // A match may begin at the place at the latest, and its end need not fall on a character.
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
    bounded(
        text.len()
            .saturating_add(found.min(count).saturating_mul(new.len())),
    )?;
    Ok(Value::string(&text.replacen(old, new, count)))
}

fn split(text: &str, separator: &str, count: i64) -> Value {
    let parts: Vec<String> = match usize::try_from(count) {
        Ok(0) => Vec::new(),
        Ok(count) if separator.is_empty() => {
            let mut characters = text.chars();
            let first = characters.by_ref().take(count - 1).map(String::from);
            let mut parts: Vec<String> = first.collect();
            let rest = characters.as_str();
            if !rest.is_empty() {
                parts.push(rest.to_owned());
            }
            parts
        }
        Ok(count) => text.splitn(count, separator).map(str::to_owned).collect(),
        Err(_) if separator.is_empty() => text.chars().map(String::from).collect(),
        Err(_) => text.split(separator).map(str::to_owned).collect(),
    };
    Value::list(parts.iter().map(|part| Value::string(part)).collect())
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

/// Joins texts; nothing where an element is none.
fn join(items: &[Value], separator: &str) -> Option<Result<Value>> {
    let mut texts = Vec::with_capacity(items.len());
    for item in items {
        let Value::String(text) = item else {
            return None;
        };
        texts.push(&**text);
    }
    let size = texts.iter().map(|text| text.len() + separator.len()).sum();
    Some(bounded(size).map(|()| Value::string(&texts.join(separator))))
}

/// A text in double quotes with its special characters escaped.
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

/// Fills in the clauses of a text.
fn format(text: &str, items: &[Value]) -> Result<Value> {
    let mut out = String::new();
    let mut rest = text;
    let mut next = 0;
    while let Some(index) = rest.find('%') {
        out.push_str(&rest[..index]);
        rest = &rest[index + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            out.push('%');
            rest = after;
            continue;
        }
        let Some(item) = items.get(next) else {
            return Err(format!("index {next} out of range"));
        };
        next += 1;
        let digits = match rest.strip_prefix('.') {
            Some(after) => {
                let length = after
                    .find(|next: char| !next.is_ascii_digit())
                    .unwrap_or(after.len());
                let precision = after[..length].parse::<usize>().map_err(|_| {
                    "could not parse formatting clause: error while converting precision to integer"
                        .to_owned()
                })?;
                rest = &after[length..];
                Some(precision)
            }
            None => None,
        };
        let Some(clause) = rest.chars().next() else {
            return Err("unexpected end of string".to_owned());
        };
        rest = &rest[clause.len_utf8()..];
        bounded(digits.unwrap_or(0))?;
        out.push_str(&fill(clause, digits, item)?);
        bounded(out.len())?;
    }
    out.push_str(rest);
    Ok(Value::string(&out))
}

fn fill(clause: char, precision: Option<usize>, item: &Value) -> Result<String> {
    let wrong = |name: &str, wanted: &str| {
        let found = item.type_name();
        Err(format!(
            "error during formatting: {name} clause can only be used on {wanted}, was given {found}"
        ))
    };
    Ok(match (clause, item) {
        ('s', _) => shown(item),
        ('d', Value::Int(_) | Value::Uint(_)) => plain(item),
        ('d', Value::Double(value)) => format_g(*value),
        ('d', _) => return wrong("decimal", "ints, uints, and doubles"),
        ('f' | 'e', _) => {
            let value = match item {
                Value::Double(value) => *value,
                Value::Int(_) | Value::Uint(_) => plain(item).parse().unwrap_or(f64::NAN),
                _ if clause == 'f' => return wrong("fixed-point", "doubles, ints, and uints"),
                _ => return wrong("scientific", "doubles, ints, and uints"),
            };
            let precision = precision.unwrap_or(6);
            if clause == 'f' {
                format!("{value:.precision$}")
            } else {
                scientific(value, precision)
            }
        }
        ('b', Value::Int(value)) => signed(*value, |absolute| format!("{absolute:b}")),
        ('b', Value::Uint(value)) => format!("{value:b}"),
        ('b', Value::Bool(value)) => u8::from(*value).to_string(),
        ('b', _) => return wrong("binary", "integers and bools"),
        ('o', Value::Int(value)) => signed(*value, |absolute| format!("{absolute:o}")),
        ('o', Value::Uint(value)) => format!("{value:o}"),
        ('o', _) => return wrong("octal", "integers"),
        ('x' | 'X', _) => {
            let digits = match item {
                Value::Int(value) => signed(*value, |absolute| format!("{absolute:x}")),
                Value::Uint(value) => format!("{value:x}"),
                Value::String(text) => hex(text.as_bytes()),
                Value::Bytes(bytes) => hex(bytes),
                _ => return wrong("hex", "integers, byte buffers, and strings"),
            };
            if clause == 'X' {
                digits.to_uppercase()
            } else {
                digits
            }
        }
        _ => {
            return Err(format!(
                "could not parse formatting clause: unrecognized formatting clause \"{clause}\""
            ));
        }
    })
}

fn signed(value: i64, print: impl Fn(u64) -> String) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", print(value.unsigned_abs()))
}

fn hex(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        write!(digits, "{byte:02x}").expect("a String accepts all writes");
    }
    digits
}

/// An exponent has a sign and two digits at least.
fn scientific(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let Some((digits, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// A value in a text: without quotes at any depth.
fn shown(value: &Value) -> String {
    match value {
        Value::List(items) => {
            let items: Vec<String> = items.iter().map(shown).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => {
            let entries = map.entries();
            let mut entries: Vec<String> = entries
                .map(|(key, value)| format!("{}: {}", shown(&key), shown(value)))
                .collect();
            entries.sort();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Bytes(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        other => plain(other),
    }
}
