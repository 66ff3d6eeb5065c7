//! `eq`, `lt` and their relatives.

use std::cmp::Ordering;
use std::rc::Rc;

use crate::exec::Operand;
use crate::fmt::sprintf;
use crate::value::func::Failure;
use crate::value::{Kind, Value};

/// The classes of types that compare among themselves.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Invalid,
    Bool,
    Complex,
    Int,
    Float,
    String,
    Uint,
}

const BAD_TYPE: &str = "invalid type for comparison";

/// The bytes that an error may show of a value.
const SHOWN: usize = 1 << 16;

fn class(value: &Value) -> Class {
    match value {
        Value::Bool(_) => Class::Bool,
        Value::Int(..) => Class::Int,
        Value::Uint(..) => Class::Uint,
        Value::Float(..) => Class::Float,
        Value::Complex(..) => Class::Complex,
        Value::String(_) => Class::String,
        _ => Class::Invalid,
    }
}

/// Whether the first value equals any of the others.
pub(super) fn eq(first: &Value, others: &[Operand]) -> Result<bool, Failure> {
    if others.is_empty() {
        return Err("missing argument for comparison".into());
    }
    for other in others {
        if is_equal(first, &other.value)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[expect(clippy::float_cmp, reason = "Go compares floats exactly")]
fn is_equal(first: &Value, other: &Value) -> Result<bool, Failure> {
    Ok(match (first, other) {
        (Value::Bool(one), Value::Bool(two)) => one == two,
        (Value::Int(_, one), Value::Int(_, two)) => one == two,
        (Value::Uint(_, one), Value::Uint(_, two)) => one == two,
        (Value::Float(_, one), Value::Float(_, two)) => one == two,
        (Value::String(one), Value::String(two)) => one == two,
        (Value::Complex(real, imaginary), Value::Complex(other_real, other_imaginary)) => {
            real == other_real && imaginary == other_imaginary
        }
        (Value::Int(_, int), Value::Uint(_, uint)) | (Value::Uint(_, uint), Value::Int(_, int)) => {
            u64::try_from(*int).is_ok_and(|int| int == *uint)
        }
        (Value::Nil, _) | (_, Value::Nil) => {
            if class(first) == Class::Invalid && class(other) == Class::Invalid {
                is_nil(first) == is_nil(other)
            } else {
                false
            }
        }
        _ if class(first) != class(other) => return Err(incompatible(first, other)),
        _ => return equal_composites(first, other),
    })
}

fn incompatible(first: &Value, other: &Value) -> Failure {
    let (first, other) = (first.type_name(), other.type_name());
    format!("incompatible types for comparison: {first} and {other}").into()
}

fn is_nil(value: &Value) -> bool {
    matches!(value, Value::Nil) || value.is_typed_nil()
}

fn format_value(value: &Value, verb: &[u8]) -> Result<String, Failure> {
    let text = sprintf(verb, std::slice::from_ref(value), SHOWN)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn equal_composites(first: &Value, other: &Value) -> Result<bool, Failure> {
    if first.kind() != other.kind() {
        let (one, two) = (format_value(first, b"%s")?, format_value(other, b"%v")?);
        let (of_one, of_two) = (first.type_name(), other.type_name());
        return Err(format!("non-comparable types {one}: {of_one}, {of_two}: {two}").into());
    }
    if is_nil(first) || is_nil(other) {
        return Ok(is_nil(first) == is_nil(other));
    }
    if matches!(other.kind(), Kind::Map | Kind::Slice | Kind::Func) {
        let (text, of) = (format_value(other, b"%s")?, other.type_name());
        return Err(format!("non-comparable type {text}: {of}").into());
    }
    Ok(match (first, other) {
        (Value::Time(one), Value::Time(two)) => one.is_identical(two),
        (Value::Object(one), Value::Object(two)) => {
            Rc::ptr_eq(one, two) || (one.kind() == Kind::Struct && one.equals(two.as_ref()))
        }
        _ => false,
    })
}

/// Whether the first value is less than the second.
pub(super) fn lt(first: &Value, second: &Value) -> Result<bool, Failure> {
    if class(first) == Class::Invalid || class(second) == Class::Invalid {
        return Err(BAD_TYPE.into());
    }
    Ok(match (first, second) {
        (Value::Int(_, one), Value::Int(_, two)) => one < two,
        (Value::Uint(_, one), Value::Uint(_, two)) => one < two,
        (Value::Float(_, one), Value::Float(_, two)) => {
            one.partial_cmp(two) == Some(Ordering::Less)
        }
        (Value::String(one), Value::String(two)) => one < two,
        (Value::Int(_, int), Value::Uint(_, uint)) => {
            u64::try_from(*int).map_or(true, |int| int < *uint)
        }
        (Value::Uint(_, uint), Value::Int(_, int)) => {
            u64::try_from(*int).is_ok_and(|int| *uint < int)
        }
        _ if class(first) == class(second) => return Err(BAD_TYPE.into()),
        _ => return Err(incompatible(first, second)),
    })
}

/// Whether the first value is less than or equal to the second.
pub(super) fn le(first: &Value, second: &Value) -> Result<bool, Failure> {
    Ok(lt(first, second)? || is_equal(first, second)?)
}
