//! `len`, `index` and `slice`.

use crate::exec::Operand;
use crate::value::func::Failure;
use crate::value::{IntType, Kind, List, Type, UintType, Value};

/// The number of elements of a map, a list or a string.
pub(super) fn len(item: &Operand) -> Result<Value, Failure> {
    if item.is_nil_interface() {
        return Err("len of nil pointer".into());
    }
    let length = match &item.value {
        Value::Nil => return Err("reflect: call of reflect.Value.Type on zero Value".into()),
        Value::String(text) | Value::Bytes(text) => text.len(),
        Value::List(list) => list.len(),
        Value::Map(map) => map.len(),
        Value::Object(object) if matches!(object.kind(), Kind::Map | Kind::Slice) => object.len(),
        other => return Err(format!("len of type {}", other.pointee_name()).into()),
    };
    Ok(Value::int(i64::try_from(length).unwrap_or(i64::MAX)))
}

/// Follows indexes into maps, lists and strings.
pub(super) fn index(item: &Operand, indexes: &[Operand]) -> Result<Operand, Failure> {
    if matches!(item.value, Value::Nil) {
        return Err("index of untyped nil".into());
    }
    let mut item = Operand::plain(item.value.clone());
    for index in indexes {
        item = step(&item, &index.value)?;
    }
    Ok(item)
}

fn step(item: &Operand, index: &Value) -> Result<Operand, Failure> {
    if matches!(item.value, Value::Nil) {
        return Err("index of nil pointer".into());
    }
    match item.value.underlying().as_ref() {
        Value::String(text) => {
            let at = position(index, text.len())?;
            let byte = text.get(at).ok_or("reflect: string index out of range")?;
            Ok(Operand::plain(Value::Uint(
                UintType::Uint8,
                u64::from(*byte),
            )))
        }
        Value::Bytes(bytes) => {
            let at = position(index, bytes.len())?;
            let byte = bytes.get(at).ok_or("reflect: slice index out of range")?;
            Ok(Operand::plain(Value::Uint(
                UintType::Uint8,
                u64::from(*byte),
            )))
        }
        Value::List(list) => {
            let at = position(index, list.len())?;
            let value = list.get(at).ok_or("reflect: slice index out of range")?;
            Ok(Operand {
                value,
                is_interface: list.of().elem == Type::Any,
            })
        }
        Value::Map(map) => {
            let Value::String(key) = prepare(index, Type::String)? else {
                return Err("the key is not a string".into());
            };
            let elem = map.of().elem;
            Ok(Operand {
                value: map.get(&key).unwrap_or_else(|| elem.zero()),
                is_interface: elem == Type::Any,
            })
        }
        other => Err(format!("can't index item of type {}", other.pointee_name()).into()),
    }
}

fn position(index: &Value, length: usize) -> Result<usize, Failure> {
    let at = match index {
        Value::Int(_, value) => *value,
        Value::Uint(_, value) => i64::try_from(*value).unwrap_or(-1),
        Value::Nil => return Err("cannot index slice/array with nil".into()),
        other => {
            let of = other.type_name();
            return Err(format!("cannot index slice/array with type {of}").into());
        }
    };
    match usize::try_from(at) {
        Ok(position) if position <= length => Ok(position),
        _ => Err(format!("index out of range: {at}").into()),
    }
}

/// A part of a string or a list.
pub(super) fn slice(item: &Value, indexes: &[Operand]) -> Result<Operand, Failure> {
    if matches!(item, Value::Nil) {
        return Err("slice of untyped nil".into());
    }
    if indexes.len() > 3 {
        return Err(format!("too many slice indexes: {}", indexes.len()).into());
    }
    let item = item.underlying();
    let length = match item.as_ref() {
        Value::String(_) if indexes.len() == 3 => {
            return Err("cannot 3-index slice a string".into());
        }
        Value::String(text) | Value::Bytes(text) => text.len(),
        Value::List(list) => list.len(),
        other => return Err(format!("can't slice item of type {}", other.pointee_name()).into()),
    };
    let mut bounds = [0, length, length];
    for (bound, index) in bounds.iter_mut().zip(indexes) {
        *bound = position(&index.value, length)?;
    }
    let [start, end, cap] = bounds;
    if start > end {
        return Err(format!("invalid slice index: {start} > {end}").into());
    }
    if indexes.len() == 3 && end > cap {
        return Err(format!("invalid slice index: {end} > {cap}").into());
    }
    Ok(Operand::plain(match item.as_ref() {
        Value::String(text) => Value::string(&text[start..end]),
        Value::Bytes(bytes) => Value::Bytes(bytes[start..end].into()),
        Value::List(list) => {
            let items = list.items()[start..end].to_vec();
            Value::List(List::new(list.of(), items))
        }
        other => other.clone(),
    }))
}

/// A value that is not of the type that is needed.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(in crate::exec) struct PrepareError(String);

/// Makes a value an argument of a type, as `index` and `call` do.
pub(in crate::exec) fn prepare(value: &Value, of: Type) -> Result<Value, PrepareError> {
    if matches!(value, Value::Nil) {
        if of.can_be_nil() {
            return Ok(of.zero());
        }
        let message = format!("value is nil; should be of type {}", of.name());
        return Err(PrepareError(message));
    }
    if let Some(value) = of.assign(value) {
        return Ok(value);
    }
    let int = match value {
        Value::Int(_, value) => Some(*value),
        Value::Uint(_, value) => Some(value.cast_signed()),
        _ => None,
    };
    let converted = int.and_then(|value| match of {
        Type::Int => Some(Value::int(value)),
        Type::Int64 => Some(Value::int64(value)),
        Type::Duration => Some(Value::Int(IntType::Duration, value)),
        Type::Uint8 => Some(Value::Uint(UintType::Uint8, value.cast_unsigned() & 0xff)),
        Type::Uint32 => Some(Value::Uint(
            UintType::Uint32,
            value.cast_unsigned() & 0xffff_ffff,
        )),
        _ => None,
    });
    converted.ok_or_else(|| {
        let found = value.type_name();
        PrepareError(format!("value has type {found}; should be {}", of.name()))
    })
}
