//! Methods of times, durations, months and days of the week.

use std::rc::Rc;

use sluice_golang::GoDuration;

use crate::time::{Civil, Location, SECOND, Time, round_duration};
use crate::value::func::{Args, Failure, Outcome, Signature};
use crate::value::{IntType, Type, Value};

const NONE: &Signature = &Signature::fixed(&[]);
const TIME: &Signature = &Signature::fixed(&[Type::Time]);
const DURATION: &Signature = &Signature::fixed(&[Type::Duration]);
const LAYOUT: &Signature = &Signature::fixed(&[Type::String]);
const DATE: &Signature = &Signature::fixed(&[Type::Int, Type::Int, Type::Int]);

/// The parameters of a method of a value.
pub(super) fn signature(receiver: &Value, name: &str) -> Option<&'static Signature> {
    match receiver {
        Value::Time(_) => time_signature(name),
        Value::Int(IntType::Duration, _) => duration_signature(name),
        Value::Int(IntType::Month | IntType::Weekday, _) if name == "String" => Some(NONE),
        _ => None,
    }
}

fn time_signature(name: &str) -> Option<&'static Signature> {
    Some(match name {
        "Unix" | "UnixMilli" | "UnixMicro" | "UnixNano" | "Year" | "Month" | "Day" | "Hour"
        | "Minute" | "Second" | "Nanosecond" | "Weekday" | "YearDay" | "UTC" | "Local"
        | "IsZero" | "String" | "GoString" => NONE,
        "Sub" | "Before" | "After" | "Equal" | "Compare" => TIME,
        "Add" | "Truncate" | "Round" => DURATION,
        "AddDate" => DATE,
        "Format" => LAYOUT,
        _ => return None,
    })
}

fn duration_signature(name: &str) -> Option<&'static Signature> {
    Some(match name {
        "Hours" | "Minutes" | "Seconds" | "Milliseconds" | "Microseconds" | "Nanoseconds"
        | "String" | "Abs" => NONE,
        "Round" | "Truncate" => DURATION,
        _ => return None,
    })
}

/// Calls a method that [`signature`] knows.
pub(super) fn call(receiver: &Value, name: &str, args: &Args<'_>, local: &Location) -> Outcome {
    match receiver {
        Value::Time(time) => time_method(time, name, args, local),
        Value::Int(IntType::Duration, nanoseconds) => Ok(duration_method(*nanoseconds, name, args)),
        Value::Int(of, value) => Ok(of.stringer(*value).unwrap_or_default().into()),
        _ => Err(undefined(name)),
    }
}

fn undefined(name: &str) -> Failure {
    format!("method {name} is not defined").into()
}

fn time_method(time: &Time, name: &str, args: &Args<'_>, local: &Location) -> Outcome {
    let civil = time.civil();
    let nanoseconds = i64::from(time.nanoseconds);
    let wrap = |time: Time| Value::Time(Rc::new(time));
    Ok(match name {
        "Unix" => Value::int64(time.unix()),
        "UnixMilli" => Value::int64(time.unix().wrapping_mul(1000) + nanoseconds / 1_000_000),
        "UnixMicro" => Value::int64(time.unix().wrapping_mul(1_000_000) + nanoseconds / 1000),
        "UnixNano" => Value::int64(time.unix_nanos()),
        "Year" => Value::int(civil.year),
        "Month" => Value::Int(IntType::Month, civil.month),
        "Day" => Value::int(civil.day),
        "Hour" => Value::int(civil.hour),
        "Minute" => Value::int(civil.minute),
        "Second" => Value::int(civil.second),
        "Nanosecond" => Value::int(nanoseconds),
        "Weekday" => Value::Int(IntType::Weekday, civil.weekday()),
        "YearDay" => Value::int(civil.year_day()),
        "UTC" => wrap(time.in_location(Location::Utc)),
        "Local" => wrap(time.in_location(local.clone())),
        "IsZero" => time.is_zero().into(),
        "String" => time.to_string().into(),
        "Sub" => Value::duration(time.since(&args.time(0))),
        "Before" => (time.since(&args.time(0)) < 0).into(),
        "After" => (time.since(&args.time(0)) > 0).into(),
        "Equal" => time.is_same_instant(&args.time(0)).into(),
        "Compare" => Value::int(time.since(&args.time(0)).signum()),
        "Add" => wrap(time.add(args.int(0))),
        "AddDate" => {
            let shifted = Civil {
                year: civil.year.wrapping_add(args.int(0)),
                month: civil.month.wrapping_add(args.int(1)),
                day: civil.day.wrapping_add(args.int(2)),
                ..civil
            };
            wrap(Time::from_civil(
                &shifted,
                time.nanoseconds,
                time.location.clone(),
            ))
        }
        "Truncate" => wrap(truncate(time, args.int(0))),
        "Round" => wrap(round(time, args.int(0))),
        "Format" => Value::string(time.format(args.text(0))),
        _ => return Err(undefined(name)),
    })
}

/// The nanoseconds since the last multiple of a duration, counted from the zero time.
fn remainder(time: &Time, unit: i64) -> i64 {
    let zero = Time::zero();
    let seconds = i128::from(time.seconds) - i128::from(zero.seconds);
    let total = seconds * i128::from(SECOND) + i128::from(time.nanoseconds);
    i64::try_from(total.rem_euclid(i128::from(unit))).unwrap_or(0)
}

fn truncate(time: &Time, unit: i64) -> Time {
    if unit <= 0 {
        return time.clone();
    }
    time.add(-remainder(time, unit))
}

fn round(time: &Time, unit: i64) -> Time {
    if unit <= 0 {
        return time.clone();
    }
    let over = remainder(time, unit);
    if over < unit - over {
        time.add(-over)
    } else {
        time.add(unit - over)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "Go computes hours, minutes and seconds as floats of their whole and rest"
)]
fn duration_method(nanoseconds: i64, name: &str, args: &Args<'_>) -> Value {
    let parts = |unit: i64| {
        let (whole, rest) = (nanoseconds / unit, nanoseconds % unit);
        Value::float(whole as f64 + rest as f64 / unit as f64)
    };
    match name {
        "Hours" => parts(3600 * SECOND),
        "Minutes" => parts(60 * SECOND),
        "Seconds" => parts(SECOND),
        "Milliseconds" => Value::int64(nanoseconds / 1_000_000),
        "Microseconds" => Value::int64(nanoseconds / 1000),
        "Nanoseconds" => Value::int64(nanoseconds),
        "Abs" => Value::duration(nanoseconds.checked_abs().unwrap_or(i64::MAX)),
        "Round" => Value::duration(round_duration(nanoseconds, args.int(0))),
        "Truncate" => match args.int(0) {
            ..=0 => Value::duration(nanoseconds),
            unit => Value::duration(nanoseconds - nanoseconds % unit),
        },
        _ => GoDuration(nanoseconds).to_string().into(),
    }
}
