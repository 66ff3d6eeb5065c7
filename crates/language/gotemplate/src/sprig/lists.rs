//! Lists.

use std::cmp::Ordering;

use super::cast::{to_int, truncate};
use super::defaults::is_empty;
use super::{Entry, nil_dereference, strval};
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{CompositeType, GoString, List, Map, Type, UintType, Value};

const ANY: &[Type] = &[Type::Any];
const ANY2: &[Type] = &[Type::Any, Type::Any];
const CHUNK: &[Type] = &[Type::Int, Type::Any];
const TEXT2: &[Type] = &[Type::String, Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("append", Func::fixed(ANY2, append)),
    ("chunk", Func::fixed(CHUNK, chunk)),
    ("compact", Func::fixed(ANY, compact)),
    ("concat", Func::variadic(ANY, concat)),
    ("first", Func::fixed(ANY, first)),
    ("has", Func::fixed(ANY2, has)),
    ("initial", Func::fixed(ANY, initial)),
    ("join", Func::fixed(&[Type::String, Type::Any], join)),
    ("last", Func::fixed(ANY, last)),
    ("list", Func::variadic(ANY, list)),
    ("mustAppend", Func::fixed(ANY2, append)),
    ("mustChunk", Func::fixed(CHUNK, chunk)),
    ("mustCompact", Func::fixed(ANY, compact)),
    ("mustFirst", Func::fixed(ANY, first)),
    ("mustHas", Func::fixed(ANY2, has)),
    ("mustInitial", Func::fixed(ANY, initial)),
    ("mustLast", Func::fixed(ANY, last)),
    ("mustPrepend", Func::fixed(ANY2, prepend)),
    ("mustPush", Func::fixed(ANY2, append)),
    ("mustRest", Func::fixed(ANY, rest)),
    ("mustReverse", Func::fixed(ANY, reverse)),
    ("mustSlice", Func::variadic(ANY2, slice)),
    ("mustUniq", Func::fixed(ANY, uniq)),
    ("mustWithout", Func::variadic(ANY2, without)),
    ("prepend", Func::fixed(ANY2, prepend)),
    ("push", Func::fixed(ANY2, append)),
    ("rest", Func::fixed(ANY, rest)),
    ("reverse", Func::fixed(ANY, reverse)),
    ("slice", Func::variadic(ANY2, slice)),
    ("sortAlpha", Func::fixed(ANY, sort_alpha)),
    ("split", Func::fixed(TEXT2, split)),
    ("splitList", Func::fixed(TEXT2, split_list)),
    (
        "splitn",
        Func::fixed(&[Type::String, Type::Int, Type::String], splitn),
    ),
    ("toStrings", Func::fixed(ANY, to_strings)),
    ("tuple", Func::variadic(ANY, list)),
    ("uniq", Func::fixed(ANY, uniq)),
    ("without", Func::variadic(ANY2, without)),
];

/// The items of a value whose kind is a slice.
pub(super) fn items_of(value: &Value) -> Option<Vec<Value>> {
    match value.underlying().as_ref() {
        Value::List(list) => Some(list.items().to_vec()),
        Value::Bytes(bytes) => {
            let items = bytes.iter();
            let byte = |byte: &u8| Value::Uint(UintType::Uint8, u64::from(*byte));
            Some(items.map(byte).collect())
        }
        _ => None,
    }
}

/// The items, or sprig's complaint about the kind of the value.
fn expect_items(
    call: &mut Call<'_, '_>,
    value: &Value,
    complaint: &str,
) -> Result<Vec<Value>, Failure> {
    if matches!(value, Value::Nil) {
        return Err(nil_dereference());
    }
    match items_of(value) {
        Some(items) => {
            call.steps(items.len() / 8)?;
            Ok(items)
        }
        None => Err(format!("{complaint} {}", value.kind().name()).into()),
    }
}

fn nil_list() -> Value {
    Value::List(List::nil(&CompositeType::ANY_LIST))
}

fn list(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    if args.is_empty() {
        return Ok(Value::list(Vec::new()));
    }
    Ok(Value::list(args.rest(0).to_vec()))
}

fn append(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut items = expect_items(call, args.value(0), "Cannot push on type")?;
    items.push(args.value(1).clone());
    Ok(Value::list(items))
}

fn prepend(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut items = expect_items(call, args.value(0), "Cannot prepend on type")?;
    items.insert(0, args.value(1).clone());
    Ok(Value::list(items))
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "sprig counts chunks in floats"
)]
fn chunk(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let items = expect_items(call, args.value(1), "Cannot chunk type")?;
    let (size, length) = (args.int(0), items.len() as f64);
    let count = truncate(((length - 1.0) / size as f64).floor() + 1.0);
    let too_long = "runtime error: makeslice: len out of range";
    let count = usize::try_from(count).map_err(|_| too_long)?;
    let mut chunks = Vec::new();
    for index in 0..count {
        let mut wanted = size;
        if index + 1 == count {
            wanted = (length % size as f64).floor() as i64;
            if wanted == 0 {
                wanted = size;
            }
        }
        let wanted = usize::try_from(wanted).map_err(|_| too_long)?;
        let start = index * usize::try_from(size.max(0)).unwrap_or(0);
        let part = items
            .get(start..start + wanted)
            .ok_or("reflect: slice index out of range")?;
        chunks.push(Value::list(part.to_vec()));
    }
    Ok(Value::List(List::new(&CompositeType::LIST_LIST, chunks)))
}

fn first(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let items = expect_items(call, args.value(0), "Cannot find first on type")?;
    Ok(items.into_iter().next().unwrap_or_default())
}

fn last(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let items = expect_items(call, args.value(0), "Cannot find last on type")?;
    Ok(items.into_iter().next_back().unwrap_or_default())
}

fn rest(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut items = expect_items(call, args.value(0), "Cannot find rest on type")?;
    if items.is_empty() {
        return Ok(nil_list());
    }
    items.remove(0);
    Ok(Value::list(items))
}

fn initial(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut items = expect_items(call, args.value(0), "Cannot find initial on type")?;
    if items.pop().is_none() {
        return Ok(nil_list());
    }
    Ok(Value::list(items))
}

fn reverse(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut items = expect_items(call, args.value(0), "Cannot find reverse on type")?;
    items.reverse();
    Ok(Value::list(items))
}

fn compact(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut items = expect_items(call, args.value(0), "Cannot compact on type")?;
    items.retain(|item| !is_empty(item));
    Ok(Value::list(items))
}

fn contains(call: &mut Call<'_, '_>, items: &[Value], wanted: &Value) -> Result<bool, Failure> {
    for item in items {
        if wanted.deep_equal(item, call, 0)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn uniq(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut found = Vec::new();
    for item in expect_items(call, args.value(0), "Cannot find uniq on type")? {
        if !contains(call, &found, &item)? {
            found.push(item);
        }
    }
    Ok(Value::list(found))
}

fn without(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut left = Vec::new();
    for item in expect_items(call, args.value(0), "Cannot find without on type")? {
        if !contains(call, args.rest(1), &item)? {
            left.push(item);
        }
    }
    Ok(Value::list(left))
}

fn has(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    if matches!(args.value(1), Value::Nil) {
        return Ok(false.into());
    }
    let items = expect_items(call, args.value(1), "Cannot find has on type")?;
    Ok(contains(call, &items, args.value(0))?.into())
}

fn slice(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let list = args.value(0);
    let items = expect_items(call, list, "list should be type of slice or array but")?;
    if items.is_empty() {
        return Ok(Value::Nil);
    }
    let start = if args.len() > 1 {
        to_int(args.value(1))
    } else {
        0
    };
    let end = if args.len() > 2 {
        to_int(args.value(2))
    } else {
        i64::try_from(items.len()).unwrap_or(i64::MAX)
    };
    let bounds = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    let part = bounds.and_then(|(start, end)| items.get(start..end));
    let part = part.ok_or("reflect.Value.Slice: slice index out of bounds")?;
    Ok(match list.underlying().as_ref() {
        Value::List(list) => Value::List(List::new(list.of(), part.to_vec())),
        Value::Bytes(bytes) => {
            let (start, end) = bounds.unwrap_or_default();
            Value::Bytes(bytes.get(start..end).unwrap_or_default().into())
        }
        _ => Value::list(part.to_vec()),
    })
}

fn concat(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let mut all = Vec::new();
    for value in args.rest(0) {
        if matches!(value, Value::Nil) {
            return Err(nil_dereference());
        }
        let items = items_of(value);
        let kind = value.kind().name();
        let mut items = items.ok_or_else(|| format!("Cannot concat type {kind} as list"))?;
        call.reserve(24 * (all.len() + items.len()))?;
        all.append(&mut items);
    }
    if all.is_empty() {
        return Ok(nil_list());
    }
    Ok(Value::list(all))
}

/// The texts of a list without its nils, or of a single value.
pub(super) fn strings_of(value: &Value) -> Vec<GoString> {
    match items_of(value) {
        Some(items) => {
            let items = items.iter().filter(|item| !matches!(item, Value::Nil));
            items.map(strval).collect()
        }
        None if matches!(value, Value::Nil) => Vec::new(),
        None => vec![strval(value)],
    }
}

fn to_strings(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    if let Value::List(list) = args.value(0)
        && list.of().name == Type::Strings.name()
    {
        return Ok(args.value(0).clone());
    }
    Ok(Value::strings(strings_of(args.value(0))))
}

fn sort_alpha(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let value = args.value(0);
    if let Value::List(list) = value
        && list.of().name == Type::Strings.name()
    {
        // Sorted in place, as in Go.
        list.sort_by(|one, two| match (one, two) {
            (Value::String(one), Value::String(two)) => one.cmp(two),
            _ => Ordering::Equal,
        });
        return Ok(value.clone());
    }
    if items_of(value).is_none() {
        return Ok(Value::strings([strval(value)]));
    }
    let mut texts = strings_of(value);
    texts.sort();
    Ok(Value::strings(texts))
}

fn join(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let texts = strings_of(args.value(1));
    let separator = args.text(0);
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    call.reserve(bytes + separator.len().saturating_mul(texts.len()))?;
    Ok(Value::string(texts.join(separator)))
}

/// Splits as `strings.SplitN` does; a negative count has no limit.
fn parts(separator: &[u8], text: &[u8], count: i64) -> Vec<GoString> {
    let limit = usize::try_from(count).unwrap_or(usize::MAX);
    if limit == 0 {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut rest = text;
    if separator.is_empty() {
        while !rest.is_empty() && found.len() + 1 < limit {
            let width = super::strings::rune_width(rest);
            found.push(rest[..width].into());
            rest = &rest[width..];
        }
        if !rest.is_empty() {
            found.push(rest.into());
        }
        return found;
    }
    while found.len() + 1 < limit
        && let Some(at) = super::strings::find(rest, separator)
    {
        found.push(rest[..at].into());
        rest = &rest[at + separator.len()..];
    }
    found.push(rest.into());
    found
}

fn split_list(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::strings(parts(args.text(0), args.text(1), -1)))
}

fn numbered(parts: Vec<GoString>) -> Value {
    let map = Map::of_type(&CompositeType::STRING_MAP);
    for (index, part) in parts.into_iter().enumerate() {
        map.set(format!("_{index}"), part);
    }
    map.into()
}

fn split(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(numbered(parts(args.text(0), args.text(1), -1)))
}

fn splitn(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(numbered(parts(args.text(0), args.text(2), args.int(1))))
}
