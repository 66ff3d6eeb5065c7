//! `format`: a text with clauses that are filled in, and its check where it is written out.

use std::fmt::Write as _;

use super::evaluate::{INTERRUPTED, Result};
use super::functions::bounded;
use super::time;
use super::types::Type;
use super::value::Value;

/// A piece of a text that is to be filled in.
enum Piece<'t> {
    Text(&'t str),
    /// The letter of a clause, its precision and which argument it asks for.
    Clause(char, usize, usize),
}

const PRECISION: usize = 6;
/// The most digits that a clause may ask for. No float has more than 1,074 of them behind its
/// point, so all others are zeros, and from 65,536 on the formatter under us panics.
const MAX_PRECISION: usize = 4096;

/// Reads a text piece by piece. `has` says whether there is an argument of a number.
fn read<'t>(
    text: &'t str,
    has: impl Fn(usize) -> Result<()>,
    mut heed: impl FnMut(Piece<'t>) -> Result<()>,
) -> Result<()> {
    let mut rest = text;
    let mut next = 0;
    while let Some(index) = rest.find('%') {
        heed(Piece::Text(&rest[..index]))?;
        rest = &rest[index + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            heed(Piece::Text("%"))?;
            rest = after;
            continue;
        }
        if rest.is_empty() {
            return has(next).and_then(|()| Err("unexpected end of string".to_owned()));
        }
        has(next)?;
        let (precision, after) = precision(rest)
            .map_err(|problem| format!("could not parse formatting clause: {problem}"))?;
        let clause = after.chars().next().unwrap_or('\0');
        rest = &after[clause.len_utf8().min(after.len())..];
        heed(Piece::Clause(clause, precision, next))?;
        next += 1;
    }
    heed(Piece::Text(rest))
}

fn precision(text: &str) -> Result<(usize, &str)> {
    let Some(after) = text.strip_prefix('.') else {
        return Ok((PRECISION, text));
    };
    let wrong = |problem: &str| Err(format!("error while parsing precision: {problem}"));
    let Some(length) = after.find(|next: char| !next.is_ascii_digit()) else {
        return wrong("could not find end of precision specifier");
    };
    let digits = &after[..length];
    match digits.parse() {
        Ok(precision) => Ok((precision, &after[length..])),
        Err(_) => {
            let problem = if digits.is_empty() {
                "invalid syntax"
            } else {
                "value out of range"
            };
            wrong(&format!(
                "error while converting precision to integer: strconv.Atoi: parsing \"{digits}\": {problem}"
            ))
        }
    }
}

/// Fills in the clauses of a text.
pub(super) fn format(text: &str, items: &[Value]) -> Result<Value> {
    let mut out = String::new();
    let has = |index: usize| match items.get(index) {
        Some(_) => Ok(()),
        None => Err(format!("index {index} out of range")),
    };
    read(text, has, |piece| {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Clause(clause, precision, index) => {
                out.push_str(&fill(clause, precision, &items[index])?);
            }
        }
        bounded(out.len())
    })?;
    Ok(Value::string(&out))
}

/// Checks a text that is written out against the types of a list that is written out. An error
/// is about one of the arguments, or about the call.
pub(super) fn check(
    text: &str,
    types: &[Type],
) -> std::result::Result<(), (Option<usize>, String)> {
    let mut asked = 0;
    let mut about = None;
    let has = |index: usize| match types.get(index) {
        Some(_) => Ok(()),
        None => Err(format!("index {index} out of range")),
    };
    // Where there is nothing behind the sign, that comes before there being no argument.
    let text_ends = text.ends_with('%') && !text.ends_with("%%");
    let has = |index: usize| {
        if text_ends && index == types.len() {
            Ok(())
        } else {
            has(index)
        }
    };
    let read = read(text, has, |piece| {
        let Piece::Clause(clause, _, index) = piece else {
            return Ok(());
        };
        asked = index + 1;
        let Some(found) = types.get(index) else {
            return Err(format!("index {index} out of range"));
        };
        let takes = takes(clause)?;
        if takes.accepts_type(found) {
            return Ok(());
        }
        about = Some(index);
        Err(takes.refusal(found.runtime_name()))
    });
    if let Err(problem) = read {
        return Err((about, problem));
    }
    if types.len() > asked {
        let given = types.len();
        let message =
            format!("too many arguments supplied to string.format (expected {asked}, got {given})");
        return Err((None, message));
    }
    Ok(())
}

/// What a clause can be used on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Anything,
    Decimal,
    Fixed,
    Scientific,
    Binary,
    Octal,
    Hex,
}

fn takes(clause: char) -> Result<Takes> {
    Ok(match clause {
        's' => Takes::Anything,
        'd' => Takes::Decimal,
        'f' => Takes::Fixed,
        'e' => Takes::Scientific,
        'b' => Takes::Binary,
        'o' => Takes::Octal,
        'x' | 'X' => Takes::Hex,
        other => {
            return Err(format!(
                "could not parse formatting clause: unrecognized formatting clause \"{other}\""
            ));
        }
    })
}

impl Takes {
    fn accepts_type(self, of: &Type) -> bool {
        match (self, of) {
            (_, Type::Dyn | Type::Int | Type::Uint)
            | (Self::Decimal | Self::Fixed | Self::Scientific, Type::Double)
            | (Self::Binary, Type::Bool)
            | (Self::Hex, Type::String | Type::Bytes) => true,
            (Self::Anything, of) => !matches!(of, Type::Optional(_)),
            _ => false,
        }
    }

    fn refusal(self, found: &str) -> String {
        let rule = match self {
            Self::Anything => {
                "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps"
            }
            Self::Decimal => "decimal clause can only be used on ints, uints, and doubles",
            Self::Fixed => "fixed-point clause can only be used on ints, uints, and doubles",
            Self::Scientific => "scientific clause can only be used on ints, uints, and doubles",
            Self::Binary => "only ints, uints, and bools can be formatted as binary",
            Self::Octal => "octal clause can only be used on ints and uints",
            Self::Hex => "only ints, uints, bytes, and strings can be formatted as hex",
        };
        format!("error during formatting: {rule}, was given {found}")
    }
}

fn fill(clause: char, precision: usize, item: &Value) -> Result<String> {
    let takes = takes(clause)?;
    let wrong = || Err(takes.refusal(item.type_name()));
    // Other clauses have no use for a precision, whatever it is.
    if matches!(takes, Takes::Fixed | Takes::Scientific) && precision > MAX_PRECISION {
        return Err(INTERRUPTED.to_owned());
    }
    Ok(match (takes, item) {
        (Takes::Anything, _) => {
            let mut out = String::new();
            show(&mut out, item)?;
            out
        }
        (Takes::Decimal, Value::Int(value)) => value.to_string(),
        (Takes::Decimal, Value::Uint(value)) => value.to_string(),
        (Takes::Decimal, Value::Double(value)) => decimal(*value),
        // Go has no such form for integers, and says so in the text.
        (Takes::Fixed | Takes::Scientific, Value::Int(value)) => {
            let digits = padded(value.unsigned_abs(), precision, clause);
            let sign = if *value < 0 { "-" } else { "" };
            format!("%!{clause}(int64={sign}{digits})")
        }
        (Takes::Fixed | Takes::Scientific, Value::Uint(value)) => {
            format!("%!{clause}(uint64={})", padded(*value, precision, clause))
        }
        (Takes::Fixed | Takes::Scientific, Value::Double(value)) if !value.is_finite() => {
            decimal(*value)
        }
        (Takes::Fixed, Value::Double(value)) => format!("{value:.precision$}"),
        (Takes::Scientific, Value::Double(value)) => scientific(*value, precision),
        (Takes::Binary, Value::Bool(value)) => u8::from(*value).to_string(),
        (Takes::Binary, Value::Int(value)) => signed(*value, |absolute| format!("{absolute:b}")),
        (Takes::Binary, Value::Uint(value)) => format!("{value:b}"),
        (Takes::Octal, Value::Int(value)) => signed(*value, |absolute| format!("{absolute:o}")),
        (Takes::Octal, Value::Uint(value)) => format!("{value:o}"),
        (Takes::Hex, _) => {
            let digits = match item {
                Value::Int(value) => signed(*value, |absolute| format!("{absolute:x}")),
                Value::Uint(value) => format!("{value:x}"),
                Value::String(text) => hex(text.as_bytes()),
                Value::Bytes(bytes) => hex(bytes),
                _ => return wrong(),
            };
            if clause == 'X' {
                digits.to_uppercase()
            } else {
                digits
            }
        }
        _ => return wrong(),
    })
}

/// As many digits as the precision says; none for a zero that may have none, which leaves a
/// blank where a width is asked for.
fn padded(value: u64, precision: usize, clause: char) -> String {
    if value == 0 && precision == 0 {
        let blank = if clause == 'e' { " " } else { "" };
        return blank.to_owned();
    }
    format!("{value:0>precision$}")
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

/// A float without an exponent.
fn decimal(value: f64) -> String {
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}Infinity");
    }
    value.to_string()
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
fn show(out: &mut String, value: &Value) -> Result<()> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Uint(value) => out.push_str(&value.to_string()),
        Value::Double(value) => out.push_str(&decimal(*value)),
        Value::String(text) => out.push_str(text),
        Value::Bytes(bytes) => out.push_str(&String::from_utf8_lossy(bytes)),
        Value::Type(name) => out.push_str(name),
        Value::Duration(nanoseconds) => out.push_str(&time::print_duration(*nanoseconds)),
        Value::Timestamp(time, _) => out.push_str(&time::print(*time, 0)),
        Value::List(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index > 0 { ", " } else { "" });
                show(out, item)?;
            }
            out.push(']');
        }
        Value::Map(map) => {
            let mut entries = Vec::with_capacity(map.len());
            for (key, value) in map.entries() {
                let (mut shown_key, mut shown) = (String::new(), String::new());
                show(&mut shown_key, &key)?;
                show(&mut shown, value)?;
                entries.push((shown_key, shown));
            }
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                let comma = if index > 0 { ", " } else { "" };
                write!(out, "{comma}{key}: {value}").expect("a String accepts all writes");
            }
            out.push('}');
        }
        Value::Optional(_) => return Err(Takes::Anything.refusal(value.type_name())),
    }
    Ok(())
}
