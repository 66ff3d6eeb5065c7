//! The standard functions and operators, and the extensions for sets, base64 and optionals.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_golang::boolean;
use sluice_golang::number::{format_g, parse_any_float, parse_int, parse_uint};

use super::error::Result;
use super::limits::check_size;
use super::value::Value;
use super::{strings, time};

/// Whether a name with a dot is a function.
pub(super) fn is_qualified(name: &str) -> bool {
    matches!(
        name,
        "sets.contains"
            | "sets.equivalent"
            | "sets.intersects"
            | "base64.encode"
            | "base64.decode"
            | "strings.quote"
            | "optional.of"
            | "optional.none"
            | "optional.ofNonZeroValue"
            | "optional.unwrap"
    )
}

/// The type that an identifier denotes.
pub(super) fn type_named(name: &str) -> Option<Value> {
    const NAMES: [&str; 11] = [
        "int",
        "uint",
        "double",
        "bool",
        "string",
        "bytes",
        "list",
        "map",
        "null_type",
        "type",
        "optional_type",
    ];
    NAMES.contains(&name).then(|| Value::Type(name.into()))
}

/// Calls a function.
pub(super) fn call(function: &str, is_member: bool, arguments: &[Value]) -> Result<Value> {
    if let Some(value) = operator(function, arguments) {
        return value;
    }
    let called = if is_member {
        member(function, arguments)
    } else {
        global(function, arguments)
    };
    called.unwrap_or_else(|| Err(no_overload(function, arguments)))
}

/// Functions with one overload, and their number of arguments.
const SINGLE: [(&str, usize); 22] = [
    ("hasValue", 1),
    ("value", 1),
    ("optional.of", 1),
    ("optional.ofNonZeroValue", 1),
    ("optional.unwrap", 1),
    ("unwrapOpt", 1),
    ("first", 1),
    ("last", 1),
    ("charAt", 2),
    ("lowerAscii", 1),
    ("upperAscii", 1),
    ("trim", 1),
    ("reverse", 1),
    ("format", 2),
    ("strings.quote", 1),
    ("sets.contains", 2),
    ("sets.equivalent", 2),
    ("sets.intersects", 2),
    ("base64.encode", 1),
    ("base64.decode", 1),
    ("bool", 1),
    ("bytes", 1),
];

/// Functions with several overloads.
const SEVERAL: [&str; 12] = [
    "string",
    "int",
    "uint",
    "double",
    "duration",
    "timestamp",
    "indexOf",
    "lastIndexOf",
    "join",
    "replace",
    "split",
    "substring",
];

/// The error when no overload fits. cel-go names the argument types where the function checks
/// them. It omits them where a method of the first value rejects the call.
fn no_overload(function: &str, arguments: &[Value]) -> String {
    let chooses = SEVERAL.contains(&function)
        || SINGLE.contains(&(function, arguments.len()))
        || function.starts_with("get") && time::is_part(function);
    if chooses {
        let names: Vec<&str> = arguments.iter().map(Value::type_name).collect();
        return format!("no such overload: {function}({})", names.join(", "));
    }
    match arguments.first() {
        None => format!("no such overload: {function}()"),
        Some(Value::String(_) | Value::Duration(_) | Value::Timestamp(..)) => {
            "no such overload".to_owned()
        }
        Some(_) if matches!(function, "contains" | "startsWith" | "endsWith") => {
            "no such overload".to_owned()
        }
        Some(Value::Bool(_)) if function == "-_" => "no such overload".to_owned(),
        Some(_) if function == "!_" => "no such overload".to_owned(),
        Some(_) => format!("no such overload: {function}"),
    }
}

fn operator(function: &str, arguments: &[Value]) -> Option<Result<Value>> {
    Some(match (function, arguments) {
        ("_==_", [left, right]) => Ok(Value::Bool(left.equals(right))),
        ("_!=_", [left, right]) => Ok(Value::Bool(!left.equals(right))),
        ("_<_" | "_<=_" | "_>_" | "_>=_", [left, right]) => order(function, left, right),
        ("_+_" | "_-_" | "_*_" | "_/_" | "_%_", [left, right]) => arithmetic(function, left, right),
        ("!_", [Value::Bool(value)]) => Ok(Value::Bool(!value)),
        ("-_", [Value::Int(value)]) => integer(value.checked_neg()),
        ("-_", [Value::Double(value)]) => Ok(Value::Double(-value)),
        ("-_", [Value::Duration(value)]) => match value.checked_neg() {
            Some(value) => Ok(Value::Duration(value)),
            None => Err("integer overflow".to_owned()),
        },
        ("@in", [value, Value::List(items)]) => {
            Ok(Value::Bool(items.iter().any(|item| item.equals(value))))
        }
        ("@in", [value, Value::Map(map)]) => Ok(Value::Bool(map.get(value).is_some())),
        ("@in", _) => Err("no such overload".to_owned()),
        ("_[_]" | "_[?_]", [Value::Optional(None), _]) => Ok(Value::Optional(None)),
        ("_[_]" | "_[?_]", [_, index]) if go_qualifier(index).is_some() => {
            let name = go_qualifier(index).unwrap_or_default();
            Err(format!("invalid qualifier type: {name}"))
        }
        ("_[_]" | "_[?_]", [Value::Optional(Some(held)), index]) => optional_at(held, index),
        ("_[_]", [value, index]) => at(value, index),
        ("_[?_]", [value, index]) => optional_at(value, index),
        _ => return None,
    })
}

/// The optional element at an index. An index of an invalid type is still an error.
fn optional_at(value: &Value, index: &Value) -> Result<Value> {
    match at(value, index) {
        Ok(value) => Ok(to_optional(Some(value))),
        Err(problem) if problem.starts_with("no such key") || problem.starts_with("index out") => {
            Ok(Value::Optional(None))
        }
        Err(problem) => Err(problem),
    }
}

/// Go's name of the type of a value that cannot be an index.
pub(super) fn go_qualifier(index: &Value) -> Option<&'static str> {
    Some(match index {
        Value::Null => "<nil>",
        Value::Bytes(_) => "types.Bytes",
        Value::List(_) => "*types.baseList",
        Value::Map(_) => "*types.baseMap",
        Value::Duration(_) => "types.Duration",
        Value::Timestamp(..) => "types.Timestamp",
        Value::Type(_) => "*types.Type",
        Value::Optional(_) => "*types.Optional",
        _ => return None,
    })
}

fn to_optional(value: Option<Value>) -> Value {
    Value::Optional(value.map(Into::into))
}

fn order(function: &str, left: &Value, right: &Value) -> Result<Value> {
    match left.compare(right) {
        Some(order) => Ok(Value::Bool(match function {
            "_<_" => order.is_lt(),
            "_<=_" => order.is_le(),
            "_>_" => order.is_gt(),
            _ => order.is_ge(),
        })),
        None => Err(match (left, right) {
            (Value::Double(_), Value::Int(_) | Value::Uint(_) | Value::Double(_))
            | (Value::Int(_) | Value::Uint(_), Value::Double(_)) => {
                "NaN values cannot be ordered".to_owned()
            }
            (
                Value::Null | Value::List(_) | Value::Map(_) | Value::Type(_) | Value::Optional(_),
                _,
            ) => {
                format!("no such overload: {function}")
            }
            _ => "no such overload".to_owned(),
        }),
    }
}

fn integer(value: Option<i64>) -> Result<Value> {
    value
        .map(Value::Int)
        .ok_or_else(|| "integer overflow".to_owned())
}

fn unsigned(value: Option<u64>) -> Result<Value> {
    value
        .map(Value::Uint)
        .ok_or_else(|| "unsigned integer overflow".to_owned())
}

fn duration(value: Option<i64>) -> Result<Value> {
    value
        .map(Value::Duration)
        .ok_or_else(|| "integer overflow".to_owned())
}

fn arithmetic(function: &str, left: &Value, right: &Value) -> Result<Value> {
    use Value::{Bytes, Double, Duration, Int, List, String, Timestamp, Uint};
    let by_zero = || match function {
        "_%_" => Err("modulus by zero".to_owned()),
        _ => Err("division by zero".to_owned()),
    };
    match (function, left, right) {
        ("_/_" | "_%_", Int(_), Int(0)) | ("_/_" | "_%_", Uint(_), Uint(0)) => by_zero(),
        ("_+_", Int(left), Int(right)) => integer(left.checked_add(*right)),
        ("_-_", Int(left), Int(right)) => integer(left.checked_sub(*right)),
        ("_*_", Int(left), Int(right)) => integer(left.checked_mul(*right)),
        ("_/_", Int(left), Int(right)) => integer(left.checked_div(*right)),
        ("_%_", Int(left), Int(right)) => integer(left.checked_rem(*right)),
        ("_+_", Uint(left), Uint(right)) => unsigned(left.checked_add(*right)),
        ("_-_", Uint(left), Uint(right)) => unsigned(left.checked_sub(*right)),
        ("_*_", Uint(left), Uint(right)) => unsigned(left.checked_mul(*right)),
        ("_/_", Uint(left), Uint(right)) => unsigned(left.checked_div(*right)),
        ("_%_", Uint(left), Uint(right)) => unsigned(left.checked_rem(*right)),
        ("_+_", Double(left), Double(right)) => Ok(Double(left + right)),
        ("_-_", Double(left), Double(right)) => Ok(Double(left - right)),
        ("_*_", Double(left), Double(right)) => Ok(Double(left * right)),
        ("_/_", Double(left), Double(right)) => Ok(Double(left / right)),
        ("_+_", String(left), String(right)) => {
            check_size(left.len() + right.len())?;
            Ok(Value::string(&format!("{left}{right}")))
        }
        ("_+_", Bytes(left), Bytes(right)) => {
            check_size(left.len() + right.len())?;
            Ok(Bytes([&**left, &**right].concat().into()))
        }
        ("_+_", List(left), List(right)) => {
            check_size(left.len() + right.len())?;
            Ok(Value::list([left.as_slice(), right.as_slice()].concat()))
        }
        ("_+_", Duration(left), Duration(right)) => duration(left.checked_add(*right)),
        ("_-_", Duration(left), Duration(right)) => duration(left.checked_sub(*right)),
        ("_+_", Timestamp(time, offset), Duration(by))
        | ("_+_", Duration(by), Timestamp(time, offset)) => {
            time::add(*time, *by).map(|time| Timestamp(time, *offset))
        }
        ("_-_", Timestamp(time, offset), Duration(by)) => match by.checked_neg() {
            Some(by) => time::add(*time, by).map(|time| Timestamp(time, *offset)),
            None => Err("integer overflow".to_owned()),
        },
        ("_-_", Timestamp(to, _), Timestamp(from, _)) => time::between(*from, *to).map(Duration),
        // Types that implement the operator reject the operand; for other types the error names
        // the operator.
        ("_+_" | "_-_" | "_*_" | "_/_" | "_%_", Int(_) | Uint(_), _)
        | ("_+_" | "_-_" | "_*_" | "_/_", Double(_), _)
        | (_, String(_) | Duration(_) | Timestamp(..), _)
        | ("_+_", Bytes(_) | List(_), _) => Err("no such overload".to_owned()),
        _ => Err(format!("no such overload: {function}")),
    }
}

/// Floats from this size on cannot be an index.
const MAX_FLOAT_INDEX: f64 = 9_223_372_036_854_775_807.0;

#[expect(
    clippy::cast_possible_truncation,
    reason = "the float has no fraction and is within bounds"
)]
fn at(value: &Value, index: &Value) -> Result<Value> {
    match (value, index) {
        (Value::Map(map), key) => match map.get(key) {
            Some(value) => Ok(value.clone()),
            None => Err(format!("no such key: {}", key.excerpt())),
        },
        (Value::List(items), index) => {
            let place = match index {
                Value::Int(place) => *place,
                Value::Uint(place) => i64::try_from(*place)
                    .map_err(|_| format!("unsupported index value {place} in list"))?,
                Value::Double(place) if place.fract() == 0.0 && place.abs() < MAX_FLOAT_INDEX => {
                    *place as i64
                }
                Value::Double(place) => {
                    let place = format_g(*place);
                    return Err(format!("unsupported index value {place} in list"));
                }
                other => {
                    let name = other.type_name();
                    return Err(format!("unsupported index type '{name}' in list"));
                }
            };
            let item = usize::try_from(place)
                .ok()
                .and_then(|place| items.get(place));
            item.cloned()
                .ok_or_else(|| format!("index out of bounds: {place}"))
        }
        (_, key) => Err(format!("no such key: {}", key.excerpt())),
    }
}

fn size(value: &Value) -> Option<Result<Value>> {
    let size = match value {
        Value::String(text) => text.chars().count(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(items) => items.len(),
        Value::Map(map) => map.len(),
        _ => return None,
    };
    Some(Ok(Value::Int(i64::try_from(size).unwrap_or(i64::MAX))))
}

fn member(function: &str, arguments: &[Value]) -> Option<Result<Value>> {
    Some(match (function, arguments) {
        ("size", [value]) => return size(value),
        ("hasValue", [Value::Optional(held)]) => Ok(Value::Bool(held.is_some())),
        ("value", [Value::Optional(held)]) => match held {
            Some(held) => Ok(Value::clone(held)),
            None => Err("optional.none() dereference".to_owned()),
        },
        ("first", [Value::List(items)]) => Ok(to_optional(items.first().cloned())),
        ("last", [Value::List(items)]) => Ok(to_optional(items.last().cloned())),
        ("unwrapOpt", [Value::List(items)]) => unwrap(items),
        (_, [Value::Timestamp(time, _)]) if function.starts_with("get") => {
            time::part_of_time(*time, function, None).map(Value::Int)
        }
        (_, [Value::Timestamp(time, _), Value::String(zone)]) if function.starts_with("get") => {
            time::part_of_time(*time, function, Some(zone)).map(Value::Int)
        }
        (_, [Value::Duration(nanoseconds)]) if function.starts_with("get") => {
            time::part_of_duration(*nanoseconds, function).map(Value::Int)
        }
        _ => return strings::member(function, arguments),
    })
}

fn unwrap(items: &[Value]) -> Result<Value> {
    let mut held = Vec::new();
    for item in items {
        match item {
            Value::Optional(value) => held.extend(value.as_deref().cloned()),
            _ => return Err("no such overload: unwrapOpt(list)".to_owned()),
        }
    }
    Ok(Value::list(held))
}

fn global(function: &str, arguments: &[Value]) -> Option<Result<Value>> {
    use Value::{Bytes, List, String};
    Some(match (function, arguments) {
        ("size", [value]) => return size(value),
        ("dyn", [value]) => Ok(value.clone()),
        ("type", [value]) => Ok(Value::Type(value.type_name().into())),
        (
            "string" | "int" | "uint" | "double" | "bool" | "bytes" | "duration" | "timestamp",
            [value],
        ) => {
            return convert(function, value);
        }
        ("optional.of", [value]) => Ok(to_optional(Some(value.clone()))),
        ("optional.none", []) => Ok(Value::Optional(None)),
        ("optional.ofNonZeroValue", [value]) => {
            Ok(to_optional((!value.is_zero()).then(|| value.clone())))
        }
        ("optional.unwrap", [List(items)]) => unwrap(items),
        ("sets.contains", [List(list), List(others)]) => Ok(Value::Bool(contains(list, others))),
        ("sets.equivalent", [List(list), List(others)]) => Ok(Value::Bool(
            contains(list, others) && contains(others, list),
        )),
        ("sets.intersects", [List(list), List(others)]) => {
            let shared = |item: &Value| others.iter().any(|other| other.equals(item));
            Ok(Value::Bool(list.iter().any(shared)))
        }
        ("base64.encode", [Bytes(bytes)]) => Ok(Value::string(&STANDARD.encode(bytes))),
        ("base64.decode", [String(text)]) => decode(text),
        ("strings.quote", [String(text)]) => Ok(Value::string(&strings::quote(text))),
        _ => return None,
    })
}

fn contains(list: &[Value], others: &[Value]) -> bool {
    let held = |other: &Value| list.iter().any(|item| item.equals(other));
    others.iter().all(held)
}

/// Decodes base64 as Go does: padding is optional, line breaks are skipped, and excess bits of
/// the last digit are ignored.
fn decode(text: &str) -> Result<Value> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0_u32, 0);
    let mut characters = text
        .bytes()
        .enumerate()
        .filter(|(_, next)| !b"\r\n".contains(next));
    let mut end = text.len();
    while let Some((place, next)) = characters.next() {
        let Some(value) = digit(next) else {
            // Padding must complete a group of four and end the text.
            let is_padded = next == b'='
                && match count {
                    2 => characters.next().is_some_and(|(_, next)| next == b'='),
                    count => count == 3,
                };
            if is_padded && characters.next().is_none() {
                end = place;
                break;
            }
            return Err(format!("illegal base64 data at input byte {place}"));
        };
        bits = bits << 6 | u32::from(value);
        count += 1;
        if count == 4 {
            bytes.extend_from_slice(&bits.to_be_bytes()[1..]);
            (bits, count) = (0, 0);
        }
    }
    match count {
        1 => return Err(format!("illegal base64 data at input byte {}", end - 1)),
        2 => bytes.push((bits >> 4).to_be_bytes()[3]),
        3 => bytes.extend_from_slice(&(bits >> 2).to_be_bytes()[2..]),
        _ => {}
    }
    Ok(Value::Bytes(bytes.into()))
}

fn digit(next: u8) -> Option<u8> {
    Some(match next {
        b'A'..=b'Z' => next - b'A',
        b'a'..=b'z' => next - b'a' + 26,
        b'0'..=b'9' => next - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "bounds are checked before, and floats round to the nearest integer"
)]
fn convert(to: &str, value: &Value) -> Option<Result<Value>> {
    use Value::{Bool, Bytes, Double, Duration, Int, String, Timestamp, Uint};
    const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let wrong = |wanted: &str| {
        let found = value.type_name();
        format!("type conversion error from '{found}' to '{wanted}'")
    };
    let parsed = |value: Option<Value>, wanted: &str| value.ok_or_else(|| wrong(wanted));
    Some(match (to, value) {
        ("string", String(_))
        | ("int", Int(_))
        | ("uint", Uint(_))
        | ("double", Double(_))
        | ("bool", Bool(_))
        | ("bytes", Bytes(_))
        | ("duration", Duration(_))
        | ("timestamp", Timestamp(..)) => Ok(value.clone()),
        ("string", Int(_) | Uint(_) | Double(_) | Bool(_) | Duration(_) | Timestamp(..)) => {
            Ok(Value::string(&value.plain()))
        }
        ("string", Bytes(bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) => Ok(Value::string(text)),
            Err(_) => Err("invalid UTF-8 in bytes, cannot convert to string".to_owned()),
        },
        ("int", String(text)) => parsed(parse_int(text, 10).map(Int), "int"),
        ("int", Uint(number)) => integer(i64::try_from(*number).ok()),
        ("int", Double(number)) => {
            let fits = *number > -TWO_TO_63 && *number < TWO_TO_63;
            integer(fits.then_some(*number as i64))
        }
        ("int", Timestamp(time, _)) => Ok(Int(time::seconds_of(*time))),
        ("int", Duration(nanoseconds)) => Ok(Int(*nanoseconds)),
        ("uint", String(text)) => parsed(parse_uint(text, 10).map(Uint), "uint"),
        ("uint", Int(number)) => unsigned(u64::try_from(*number).ok()),
        ("uint", Double(number)) => {
            let fits = *number >= 0.0 && *number < TWO_TO_64;
            unsigned(fits.then_some(*number as u64))
        }
        ("double", String(text)) => parsed(parse_any_float(text).map(Double), "double"),
        ("double", Int(number)) => Ok(Double(*number as f64)),
        ("double", Uint(number)) => Ok(Double(*number as f64)),
        ("bool", String(text)) => parsed(boolean::parse(text).ok().map(Bool), "bool"),
        ("bytes", String(text)) => Ok(Bytes(text.as_bytes().into())),
        ("duration", String(text)) => parsed(
            time::parse_duration(text).map(Duration),
            "google.protobuf.Duration",
        ),
        ("duration", Int(nanoseconds)) => Ok(Duration(*nanoseconds)),
        ("timestamp", String(text)) => {
            let time = time::parse(text).map(|(time, offset)| Timestamp(time, offset));
            parsed(time, "google.protobuf.Timestamp")
        }
        ("timestamp", Int(seconds)) => time::of_seconds(*seconds).map(|time| Timestamp(time, 0)),
        _ => return None,
    })
}
