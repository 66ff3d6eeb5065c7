//! Numbers.

use sluice_golang::number::{IntError, parse_go_int};

use super::cast::{to_float, to_int};
use super::decimal::Decimal;
use super::{Entry, strval};
use crate::value::func::{Args, Call, Failure, Func, Outcome};
use crate::value::{CompositeType, List, Type, Value};

const ANY: &[Type] = &[Type::Any];
const ANY2: &[Type] = &[Type::Any, Type::Any];
const INT: &[Type] = &[Type::Int];

pub(super) const TABLE: &[Entry] = &[
    ("add", Func::variadic(ANY, add)),
    ("add1", Func::fixed(ANY, add1)),
    ("add1f", Func::fixed(ANY, add1f)),
    ("addf", Func::variadic(ANY, addf)),
    ("atoi", Func::fixed(&[Type::String], atoi)),
    ("biggest", Func::variadic(ANY2, max)),
    ("ceil", Func::fixed(ANY, ceil)),
    ("div", Func::fixed(ANY2, div)),
    ("divf", Func::variadic(ANY2, divf)),
    ("float64", Func::fixed(ANY, float64)),
    ("floor", Func::fixed(ANY, floor)),
    ("int", Func::fixed(ANY, int)),
    ("int64", Func::fixed(ANY, int64)),
    ("max", Func::variadic(ANY2, max)),
    ("maxf", Func::variadic(ANY2, maxf)),
    ("min", Func::variadic(ANY2, min)),
    ("minf", Func::variadic(ANY2, minf)),
    ("mod", Func::fixed(ANY2, modulo)),
    ("mul", Func::variadic(ANY2, mul)),
    ("mulf", Func::variadic(ANY2, mulf)),
    (
        "round",
        Func::variadic(&[Type::Any, Type::Int, Type::Float64], round),
    ),
    ("seq", Func::variadic(INT, seq)),
    ("sub", Func::fixed(ANY2, sub)),
    ("subf", Func::variadic(ANY2, subf)),
    ("toDecimal", Func::fixed(ANY, to_decimal)),
    ("until", Func::fixed(INT, until)),
    (
        "untilStep",
        Func::fixed(&[Type::Int, Type::Int, Type::Int], until_step),
    ),
];

fn atoi(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = std::str::from_utf8(args.text(0)).unwrap_or_default();
    Ok(Value::int(match parse_go_int(text, 10) {
        Ok(value) | Err(IntError::Range(value)) => value,
        Err(IntError::Syntax) => 0,
    }))
}

fn int(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int(to_int(args.value(0))))
}

fn int64(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(to_int(args.value(0))))
}

fn float64(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::float(to_float(args.value(0))))
}

fn to_decimal(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = strval(args.value(0));
    let text = std::str::from_utf8(&text).unwrap_or_default();
    Ok(Value::int64(parse_go_int(text, 8).unwrap_or(0)))
}

fn ints<'a>(args: &Args<'a>) -> impl Iterator<Item = i64> + use<'a> {
    args.rest(0).iter().map(to_int)
}

fn add1(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(to_int(args.value(0)).wrapping_add(1)))
}

fn add(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(ints(args).fold(0, i64::wrapping_add)))
}

fn sub(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(
        to_int(args.value(0)).wrapping_sub(to_int(args.value(1))),
    ))
}

fn mul(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(ints(args).fold(1, i64::wrapping_mul)))
}

fn divisor(args: &Args<'_>) -> Result<i64, Failure> {
    match to_int(args.value(1)) {
        0 => Err("runtime error: integer divide by zero".into()),
        divisor => Ok(divisor),
    }
}

fn div(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(
        to_int(args.value(0)).wrapping_div(divisor(args)?),
    ))
}

fn modulo(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(
        to_int(args.value(0)).wrapping_rem(divisor(args)?),
    ))
}

fn max(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(ints(args).max().unwrap_or(0)))
}

fn min(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::int64(ints(args).min().unwrap_or(0)))
}

/// Folds floats; a NaN stays one, as in Go.
fn fold_floats(args: &Args<'_>, better: impl Fn(f64, f64) -> bool) -> Value {
    let mut floats = args.rest(0).iter().map(to_float);
    let mut best = floats.next().unwrap_or(0.0);
    for float in floats {
        if float.is_nan() || better(float, best) {
            best = float;
        }
    }
    Value::float(best)
}

fn maxf(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(fold_floats(args, |new, best| new > best))
}

fn minf(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(fold_floats(args, |new, best| new < best))
}

fn ceil(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::float(to_float(args.value(0)).ceil()))
}

fn floor(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(Value::float(to_float(args.value(0)).floor()))
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the count of decimal places is small"
)]
fn round(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let round_on = if args.len() > 2 { args.float(2) } else { 0.5 };
    let power = 10_f64.powf(args.int(1) as f64);
    let digit = power * to_float(args.value(0));
    let rounded = if digit.fract() >= round_on {
        digit.ceil()
    } else {
        digit.floor()
    };
    Ok(Value::float(rounded / power))
}

/// Computes with exact decimals from left to right.
fn decimals(
    first: f64,
    rest: &[Value],
    step: impl Fn(&Decimal, &Decimal) -> Result<Decimal, Failure>,
) -> Outcome {
    let mut total = Decimal::from_float(first)?;
    for value in rest {
        total = step(&total, &Decimal::from_float(to_float(value))?)?;
    }
    Ok(Value::float(total.to_float()))
}

fn add1f(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let one = [Value::int(1)];
    decimals(to_float(args.value(0)), &one, |total, value| {
        Ok(total.add(value))
    })
}

fn addf(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    decimals(0.0, args.rest(0), |total, value| Ok(total.add(value)))
}

fn subf(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let first = to_float(args.value(0));
    decimals(first, args.rest(1), |total, value| Ok(total.sub(value)))
}

fn mulf(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let first = to_float(args.value(0));
    decimals(first, args.rest(1), |total, value| Ok(total.mul(value)))
}

fn divf(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let first = to_float(args.value(0));
    decimals(first, args.rest(1), Decimal::div)
}

/// The numbers from `start` to before `stop`; none if the step leads elsewhere.
fn range(call: &mut Call<'_, '_>, start: i64, stop: i64, step: i64) -> Result<Vec<i64>, Failure> {
    let leads = if stop < start { step < 0 } else { step > 0 };
    if !leads {
        return Ok(Vec::new());
    }
    let distance = start.abs_diff(stop);
    let count = distance.div_ceil(step.unsigned_abs());
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    call.reserve(count.saturating_mul(size_of::<Value>()))?;
    call.steps(count)?;
    let mut numbers = Vec::with_capacity(count);
    let mut next = start;
    for _ in 0..count {
        numbers.push(next);
        next = next.wrapping_add(step);
    }
    Ok(numbers)
}

fn int_list(numbers: Vec<i64>) -> Value {
    let items = numbers.into_iter().map(Value::int).collect();
    Value::List(List::new(&CompositeType::INT_LIST, items))
}

fn until(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let count = args.int(0);
    let step = if count < 0 { -1 } else { 1 };
    Ok(int_list(range(call, 0, count, step)?))
}

fn until_step(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(int_list(range(
        call,
        args.int(0),
        args.int(1),
        args.int(2),
    )?))
}

fn seq(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let at = |index| args.int(index);
    let towards = |start: i64, end: i64| if end < start { -1 } else { 1 };
    let (start, end, step, increment) = match args.len() {
        1 => {
            let increment = towards(1, at(0));
            (1, at(0), increment, increment)
        }
        2 => {
            let step = towards(at(0), at(1));
            (at(0), at(1), step, step)
        }
        3 => {
            let increment = towards(at(0), at(2));
            if increment < 0 && at(1) > 0 {
                return Ok("".into());
            }
            (at(0), at(2), at(1), increment)
        }
        _ => return Ok("".into()),
    };
    let numbers = range(call, start, end.wrapping_add(increment), step)?;
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    Ok(texts.join(" ").into())
}
