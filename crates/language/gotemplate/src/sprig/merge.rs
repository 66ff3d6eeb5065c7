//! Merging maps, as the package mergo does.

use super::Entry;
use crate::budget::ExceededLimit;
use crate::stack;
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{CompositeType, Kind, List, Map, Type, Value};

/// The deepest nesting that is followed; a map that contains itself has no end.
const MAX_NESTING: usize = 10_000;

const DICTS: &[Type] = &[Type::Map, Type::Map];

pub(super) const TABLE: &[Entry] = &[
    ("merge", Func::variadic(DICTS, merge)),
    ("mergeOverwrite", Func::variadic(DICTS, merge_overwrite)),
    ("mustMerge", Func::variadic(DICTS, must_merge)),
    (
        "mustMergeOverwrite",
        Func::variadic(DICTS, must_merge_overwrite),
    ),
];

/// A pointer that should become something else.
#[derive(Debug, thiserror::Error)]
#[error("src and dst must be of same type")]
struct DifferentTypes;

/// Types that do not fit give an empty text.
fn or_empty(outcome: Outcome) -> Outcome {
    match outcome {
        Err(cause) if cause.is::<DifferentTypes>() => Ok("".into()),
        outcome => outcome,
    }
}

fn merge(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    or_empty(merge_all(call, args, false))
}

fn must_merge(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    merge_all(call, args, false)
}

fn merge_overwrite(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    or_empty(merge_all(call, args, true))
}

fn must_merge_overwrite(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    merge_all(call, args, true)
}

fn merge_all(call: &mut Call<'_, '_>, args: &Args<'_>, overwrites: bool) -> Outcome {
    let mut target = args.map(0);
    for index in 1..args.len() {
        let source = args.map(index);
        if target.is_nil() && !source.is_nil() {
            target = Map::new();
        }
        merge_maps(&target, &source, overwrites, call, 0)?;
    }
    Ok(target.into())
}

/// Whether a value gives way to another one.
fn is_empty(value: &Value) -> bool {
    match value.kind() {
        Kind::Struct | Kind::Pointer | Kind::Func => false,
        _ => !value.is_true(),
    }
}

fn is_map(value: &Value) -> bool {
    value.kind() == Kind::Map
}

/// Merges a map into another one, in place.
fn merge_maps(
    target: &Map,
    source: &Map,
    overwrites: bool,
    call: &mut Call<'_, '_>,
    depth: usize,
) -> Result<(), Failure> {
    if depth > MAX_NESTING {
        return Err(ExceededLimit::Nesting.into());
    }
    let has_room = target.of().elem == source.of().elem || target.of().elem == Type::Any;
    if !has_room && !source.is_empty() {
        let (given, wanted) = (source.of().elem.name(), target.of().elem.name());
        let message = format!(
            "reflect.Value.SetMapIndex: value of type {given} is not assignable to type {wanted}"
        );
        return Err(message.into());
    }
    for (key, value) in source.entries() {
        call.steps(1)?;
        let old = target.get(&key);
        if matches!(value, Value::Nil) {
            if overwrites {
                target.set(key, value);
            }
            continue;
        }
        let is_pointer = old.as_ref().is_some_and(|old| old.kind() == Kind::Pointer);
        if is_pointer && !overwrites && matches!(value.kind(), Kind::Map | Kind::Struct) {
            return Err(DifferentTypes.into());
        }
        if is_map(&value) {
            if let (Some(Value::Map(old)), Value::Map(new)) = (&old, value.underlying().as_ref())
                && !old.is_nil()
            {
                stack::grow(|| merge_maps(old, new, overwrites, call, depth + 1))?;
            }
        } else if value.kind() == Kind::Slice {
            // The target's value is written again, an absent list as an empty one.
            let kept = match &old {
                None | Some(Value::Nil) => match &value {
                    Value::List(list) => Value::List(List::new(list.of(), Vec::new())),
                    _ => Value::List(List::new(&CompositeType::ANY_LIST, Vec::new())),
                },
                Some(old) => old.clone(),
            };
            let takes = overwrites || target.is_empty();
            target.set(key.clone(), if takes { value.clone() } else { kept });
        }
        let is_kept = old.as_ref().is_some_and(|old| !is_empty(old));
        if is_kept {
            let both_maps = is_map(&value) && old.as_ref().is_some_and(is_map);
            if value.kind() == Kind::Slice || both_maps {
                continue;
            }
        }
        if overwrites || !is_kept {
            target.set(key, value);
        }
    }
    Ok(())
}
