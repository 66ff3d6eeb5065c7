//! Maps.

use super::{Entry, strval};
use crate::value::func::{Args, Call, Func, Outcome};
use crate::value::{Map, Type, Value};

const DICT: &[Type] = &[Type::Map];
const KEY: &[Type] = &[Type::Map, Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("dict", Func::variadic(&[Type::Any], dict)),
    ("dig", Func::variadic(&[Type::Any], dig)),
    ("get", Func::fixed(KEY, get)),
    ("hasKey", Func::fixed(KEY, has_key)),
    ("keys", Func::variadic(DICT, keys)),
    ("omit", Func::variadic(KEY, omit)),
    ("pick", Func::variadic(KEY, pick)),
    ("pluck", Func::variadic(&[Type::String, Type::Map], pluck)),
    (
        "set",
        Func::fixed(&[Type::Map, Type::String, Type::Any], set),
    ),
    ("unset", Func::fixed(KEY, unset)),
    ("values", Func::fixed(DICT, values)),
];

fn dict(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let map = Map::new();
    for pair in args.rest(0).chunks(2) {
        let value = pair.get(1).cloned().unwrap_or_else(|| "".into());
        map.set(strval(&pair[0]), value);
    }
    Ok(map.into())
}

fn get(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let found = args.map(0).get(args.text(1));
    Ok(found.unwrap_or_else(|| "".into()))
}

fn set(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    if !args.map(0).set(args.string(1), args.value(2).clone()) {
        return Err("assignment to entry in nil map".into());
    }
    Ok(args.value(0).clone())
}

fn unset(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    args.map(0).remove(args.text(1));
    Ok(args.value(0).clone())
}

fn has_key(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.map(0).contains(args.text(1)).into())
}

fn pluck(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut found = Vec::new();
    for index in 1..args.len() {
        found.extend(args.map(index).get(args.text(0)));
    }
    Ok(Value::list(found))
}

/// Go's order is random; this one is sorted.
fn keys(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let maps = (0..args.len()).map(|index| args.map(index));
    Ok(Value::strings(maps.flat_map(|map| map.keys())))
}

/// Go's order is random; this one is that of the sorted keys.
fn values(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let entries = args.map(0).entries();
    Ok(Value::list(
        entries.into_iter().map(|(_, value)| value).collect(),
    ))
}

fn pick(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let (map, picked) = (args.map(0), Map::new());
    for index in 1..args.len() {
        if let Some(value) = map.get(args.text(index)) {
            picked.set(args.string(index), value);
        }
    }
    Ok(picked.into())
}

fn omit(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let left = Map::new();
    for (key, value) in args.map(0).entries() {
        let is_omitted = (1..args.len()).any(|index| args.text(index) == &*key);
        if !is_omitted {
            left.set(key, value);
        }
    }
    Ok(left.into())
}

fn dig(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let all = args.rest(0);
    let [keys @ .., default, last] = all else {
        return Err("dig needs at least three arguments".into());
    };
    if keys.is_empty() {
        return Err("dig needs at least three arguments".into());
    }
    let mut value = last.clone();
    let mut names = Vec::with_capacity(keys.len());
    expect_map(&value)?;
    for key in keys {
        match key {
            Value::String(name) => names.push(name),
            other => return Err(conversion(other, "string")),
        }
    }
    for name in names {
        let found = expect_map(&value)?.get(name);
        match found {
            Some(found) => value = found,
            None => return Ok(default.clone()),
        }
    }
    Ok(value)
}

/// The text of a failed type assertion.
fn conversion(value: &Value, wanted: &str) -> crate::value::func::Failure {
    let found = match value {
        Value::Nil => "nil".into(),
        value => value.type_name(),
    };
    format!("interface conversion: interface {{}} is {found}, not {wanted}").into()
}

fn expect_map(value: &Value) -> Result<Map, crate::value::func::Failure> {
    match value {
        Value::Map(map) if map.of().name == Type::Map.name() => Ok(map.clone()),
        other => Err(conversion(other, Type::Map.name())),
    }
}
