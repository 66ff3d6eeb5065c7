//! Defaults, choices and JSON.

use super::Entry;
use crate::json::{self, Style};
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{Kind, Type, Value};

const ANY: &[Type] = &[Type::Any];
const TEXT: &[Type] = &[Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("all", Func::variadic(ANY, all)),
    ("any", Func::variadic(ANY, any)),
    ("coalesce", Func::variadic(ANY, coalesce)),
    ("deepCopy", Func::fixed(ANY, deep_copy)),
    ("default", Func::variadic(&[Type::Any, Type::Any], default)),
    ("empty", Func::fixed(ANY, empty)),
    ("fail", Func::fixed(TEXT, fail)),
    ("fromJson", Func::fixed(TEXT, from_json)),
    ("mustDeepCopy", Func::fixed(ANY, deep_copy)),
    ("mustFromJson", Func::fixed(TEXT, must_from_json)),
    ("mustToJson", Func::fixed(ANY, must_to_json)),
    ("mustToPrettyJson", Func::fixed(ANY, must_to_pretty_json)),
    ("mustToRawJson", Func::fixed(ANY, to_raw_json)),
    (
        "ternary",
        Func::fixed(&[Type::Any, Type::Any, Type::Bool], ternary),
    ),
    ("toJson", Func::fixed(ANY, to_json)),
    ("toPrettyJson", Func::fixed(ANY, to_pretty_json)),
    ("toRawJson", Func::fixed(ANY, to_raw_json)),
];

/// Whether a value counts as unset.
pub(super) fn is_empty(value: &Value) -> bool {
    match value.kind() {
        Kind::Struct | Kind::Pointer | Kind::Func => false,
        _ => !value.is_true(),
    }
}

fn empty(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(is_empty(args.value(0)).into())
}

fn default(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let given = args.value(1);
    let chosen = if is_empty(given) {
        args.value(0)
    } else {
        given
    };
    Ok(chosen.clone())
}

fn coalesce(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let found = args.rest(0).iter().find(|value| !is_empty(value));
    Ok(found.cloned().unwrap_or_default())
}

fn all(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.rest(0).iter().all(|value| !is_empty(value)).into())
}

fn any(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.rest(0).iter().any(|value| !is_empty(value)).into())
}

fn ternary(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.value(usize::from(!args.bool(2))).clone())
}

fn fail(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Err(String::from_utf8_lossy(args.text(0)).into())
}

fn deep_copy(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    if matches!(args.value(0), Value::Nil) {
        return Err("reflect: call of reflect.Value.Type on zero Value".into());
    }
    Ok(args.value(0).deep_copy(call, 0)?)
}

fn must_from_json(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let json = sluice_yaml::json::from_slice(args.text(0)).map_err(|error| error.to_string())?;
    Ok(Value::from_json(&json))
}

fn from_json(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(must_from_json(call, args).unwrap_or_default())
}

fn print(call: &Call<'_, '_>, args: &Args<'_>, style: Style) -> Result<Value, Failure> {
    let text = json::print(args.value(0), style, call.value_limit())?;
    Ok(Value::string(text))
}

/// A value that has no JSON gives an empty text.
fn or_empty(outcome: Outcome) -> Outcome {
    match outcome {
        Err(cause) if cause.is::<crate::budget::ExceededLimit>() => Err(cause),
        Err(_) => Ok(Value::string("")),
        found => found,
    }
}

fn must_to_json(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    print(call, args, Style::default())
}

fn to_json(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    or_empty(must_to_json(call, args))
}

fn must_to_pretty_json(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let style = Style {
        is_indented: true,
        ..Style::default()
    };
    print(call, args, style)
}

fn to_pretty_json(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    or_empty(must_to_pretty_json(call, args))
}

fn to_raw_json(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let style = Style {
        is_raw: true,
        ..Style::default()
    };
    print(call, args, style)
}
