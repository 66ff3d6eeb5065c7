//! The `format` function, and the check of its arguments against a literal format string.

use std::fmt::Write as _;

use super::error::{INTERRUPTED, Result};
use super::limits::check_size;
use super::time;
use super::types::Type;
use super::value::Value;

/// A piece of a format string.
enum Piece<'t> {
    Text(&'t str),
    /// The verb of a clause, its precision and the index of its argument.
    Clause(char, usize, usize),
}

const DEFAULT_PRECISION: usize = 6;
/// Maximum precision. A float has at most 1,074 digits after its point, so all further digits
/// are zeros. Rust's formatter panics from 65,536 on.
const MAX_PRECISION: usize = 4096;

/// Parses a format string piece by piece. `has` checks that an argument exists.
fn read<'t>(
    text: &'t str,
    has: impl Fn(usize) -> Result<()>,
    mut visit: impl FnMut(Piece<'t>) -> Result<()>,
) -> Result<()> {
    let mut rest = text;
    let mut next = 0;
    while let Some(index) = rest.find('%') {
        visit(Piece::Text(&rest[..index]))?;
        rest = &rest[index + 1..];
        if let Some(after) = rest.strip_prefix('%') {
            visit(Piece::Text("%"))?;
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
        visit(Piece::Clause(clause, precision, next))?;
        next += 1;
    }
    visit(Piece::Text(rest))
}

fn precision(text: &str) -> Result<(usize, &str)> {
    let Some(after) = text.strip_prefix('.') else {
        return Ok((DEFAULT_PRECISION, text));
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

/// Formats the arguments.
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
        check_size(out.len())
    })?;
    Ok(Value::string(&out))
}

/// Checks a literal format string against the types of a literal list. The error refers to an
/// argument, or to the call.
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
    // An incomplete clause at the end is reported before its missing argument.
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
        let accepts = accepts(clause)?;
        if accepts.accepts_type(found) {
            return Ok(());
        }
        about = Some(index);
        Err(accepts.refusal(found.runtime_name()))
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

/// The argument types of a verb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArgumentTypes {
    Anything,
    Decimal,
    Fixed,
    Scientific,
    Binary,
    Octal,
    Hex,
}

fn accepts(clause: char) -> Result<ArgumentTypes> {
    Ok(match clause {
        's' => ArgumentTypes::Anything,
        'd' => ArgumentTypes::Decimal,
        'f' => ArgumentTypes::Fixed,
        'e' => ArgumentTypes::Scientific,
        'b' => ArgumentTypes::Binary,
        'o' => ArgumentTypes::Octal,
        'x' | 'X' => ArgumentTypes::Hex,
        other => {
            return Err(format!(
                "could not parse formatting clause: unrecognized formatting clause \"{other}\""
            ));
        }
    })
}

impl ArgumentTypes {
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
    let accepts = accepts(clause)?;
    let wrong = || Err(accepts.refusal(item.type_name()));
    // Other verbs ignore the precision.
    if matches!(accepts, ArgumentTypes::Fixed | ArgumentTypes::Scientific)
        && precision > MAX_PRECISION
    {
        return Err(INTERRUPTED.to_owned());
    }
    Ok(match (accepts, item) {
        (ArgumentTypes::Anything, _) => {
            let mut out = String::new();
            show(&mut out, item)?;
            out
        }
        (ArgumentTypes::Decimal, Value::Int(value)) => value.to_string(),
        (ArgumentTypes::Decimal, Value::Uint(value)) => value.to_string(),
        (ArgumentTypes::Decimal, Value::Double(value)) => decimal(*value),
        // Go does not support the verb for integers and prints this instead.
        (ArgumentTypes::Fixed | ArgumentTypes::Scientific, Value::Int(value)) => {
            let digits = padded(value.unsigned_abs(), precision, clause);
            let sign = if *value < 0 { "-" } else { "" };
            format!("%!{clause}(int64={sign}{digits})")
        }
        (ArgumentTypes::Fixed | ArgumentTypes::Scientific, Value::Uint(value)) => {
            format!("%!{clause}(uint64={})", padded(*value, precision, clause))
        }
        (ArgumentTypes::Fixed | ArgumentTypes::Scientific, Value::Double(value))
            if !value.is_finite() =>
        {
            decimal(*value)
        }
        (ArgumentTypes::Fixed, Value::Double(value)) => format!("{value:.precision$}"),
        (ArgumentTypes::Scientific, Value::Double(value)) => scientific(*value, precision),
        (ArgumentTypes::Binary, Value::Bool(value)) => u8::from(*value).to_string(),
        (ArgumentTypes::Binary, Value::Int(value)) => {
            signed(*value, |absolute| format!("{absolute:b}"))
        }
        (ArgumentTypes::Binary, Value::Uint(value)) => format!("{value:b}"),
        (ArgumentTypes::Octal, Value::Int(value)) => {
            signed(*value, |absolute| format!("{absolute:o}"))
        }
        (ArgumentTypes::Octal, Value::Uint(value)) => format!("{value:o}"),
        (ArgumentTypes::Hex, _) => {
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

/// Pads a number with zeros to the precision. Zero with precision zero prints nothing, or one
/// blank for the `e` verb.
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

/// Prints a float without exponent.
fn decimal(value: f64) -> String {
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}Infinity");
    }
    value.to_string()
}

/// Prints a float with an exponent of a sign and at least two digits.
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

/// Appends a value without quotes, at any depth.
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
        Value::Optional(_) => return Err(ArgumentTypes::Anything.refusal(value.type_name())),
    }
    Ok(())
}
