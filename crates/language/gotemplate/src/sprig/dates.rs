//! Dates and durations.

use std::rc::Rc;

use sluice_golang::GoDuration;
use sluice_golang::duration;
use sluice_golang::number::{IntError, parse_go_int};

use super::Entry;
use crate::time::{Location, Time, round_duration};
use crate::value::func::{Args, Call, Func, Outcome};
use crate::value::{IntType, Type, Value};

const ANY: &[Type] = &[Type::Any];
const FORMAT: &[Type] = &[Type::String, Type::Any];
const ZONE: &[Type] = &[Type::String, Type::Any, Type::String];
const MODIFY: &[Type] = &[Type::String, Type::Time];
const PARSE: &[Type] = &[Type::String, Type::String];

pub(super) const TABLE: &[Entry] = &[
    ("ago", Func::fixed(ANY, ago)),
    ("date", Func::fixed(FORMAT, date)),
    ("dateInZone", Func::fixed(ZONE, date_in_zone)),
    ("dateModify", Func::fixed(MODIFY, date_modify)),
    ("date_in_zone", Func::fixed(ZONE, date_in_zone)),
    ("date_modify", Func::fixed(MODIFY, date_modify)),
    ("duration", Func::fixed(ANY, duration_of_seconds)),
    ("durationRound", Func::fixed(ANY, duration_round)),
    ("htmlDate", Func::fixed(ANY, html_date)),
    (
        "htmlDateInZone",
        Func::fixed(&[Type::Any, Type::String], html_date_in_zone),
    ),
    ("mustDateModify", Func::fixed(MODIFY, must_date_modify)),
    ("mustToDate", Func::fixed(PARSE, must_to_date)),
    ("must_date_modify", Func::fixed(MODIFY, must_date_modify)),
    ("now", Func::fixed(&[], now)),
    ("toDate", Func::fixed(PARSE, to_date)),
    ("unixEpoch", Func::fixed(&[Type::Time], unix_epoch)),
];

const HTML: &[u8] = b"2006-01-02";
const SECOND: i64 = 1_000_000_000;
const HOUR: u64 = 3_600_000_000_000;

/// A time or seconds since 1970; anything else means now.
fn time_of(call: &Call<'_, '_>, value: &Value) -> Time {
    let local = call.local();
    match value {
        Value::Time(time) => (**time).clone(),
        Value::Int(IntType::Int | IntType::Int32 | IntType::Int64, seconds) => {
            Time::from_unix(*seconds, 0, local.clone())
        }
        _ => call.now(),
    }
}

/// The zone of a name; an unknown one is UTC.
fn zone_of(call: &Call<'_, '_>, name: &[u8]) -> Location {
    if name == b"Local" {
        return call.local().clone();
    }
    let name = std::str::from_utf8(name).unwrap_or_default();
    Location::load(name).unwrap_or_default()
}

fn formatted(call: &Call<'_, '_>, layout: &[u8], value: &Value, zone: &[u8]) -> Value {
    let time = time_of(call, value).in_location(zone_of(call, zone));
    Value::string(time.format(layout))
}

fn now(call: &mut Call<'_, '_>, _: &Args<'_>) -> Outcome {
    Ok(Value::Time(Rc::new(call.now())))
}

fn date(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(formatted(call, args.text(0), args.value(1), b"Local"))
}

fn date_in_zone(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(formatted(call, args.text(0), args.value(1), args.text(2)))
}

fn html_date(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(formatted(call, HTML, args.value(0), b"Local"))
}

fn html_date_in_zone(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(formatted(call, HTML, args.value(0), args.text(1)))
}

fn must_date_modify(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let text = String::from_utf8_lossy(args.text(0));
    let by = duration::parse(&text)?;
    Ok(Value::Time(Rc::new(args.time(1).add(by.0))))
}

fn date_modify(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    must_date_modify(call, args).or_else(|_| Ok(args.value(1).clone()))
}

fn must_to_date(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let time = Time::parse(args.text(0), args.text(1), call.local())?;
    Ok(Value::Time(Rc::new(time)))
}

fn to_date(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    must_to_date(call, args).or_else(|_| Ok(Value::Time(Rc::new(Time::zero()))))
}

fn unix_epoch(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(args.time(0).unix().to_string().into())
}

fn ago(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let time = match args.value(0) {
        Value::Int(IntType::Int32, _) => call.now(),
        value => time_of(call, value),
    };
    let since = call.now().since(&time);
    let rounded = round_duration(since, SECOND);
    Ok(GoDuration(rounded).to_string().into())
}

fn duration_of_seconds(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let seconds = match args.value(0) {
        Value::String(text) => {
            let text = std::str::from_utf8(text).unwrap_or_default();
            match parse_go_int(text, 10) {
                Ok(seconds) | Err(IntError::Range(seconds)) => seconds,
                Err(IntError::Syntax) => 0,
            }
        }
        Value::Int(IntType::Int64, seconds) => *seconds,
        _ => 0,
    };
    Ok(GoDuration(seconds.wrapping_mul(SECOND)).to_string().into())
}

fn duration_round(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let nanoseconds = match args.value(0) {
        Value::String(text) => {
            let parsed = duration::parse(&text.to_text());
            parsed.map_or(0, |duration| duration.0)
        }
        Value::Int(IntType::Int64, nanoseconds) => *nanoseconds,
        Value::Time(time) => call.now().since(time),
        _ => 0,
    };
    let units: [(u64, &str); 6] = [
        (HOUR * 24 * 365, "y"),
        (HOUR * 24 * 30, "mo"),
        (HOUR * 24, "d"),
        (HOUR, "h"),
        (HOUR / 60, "m"),
        (HOUR / 3600, "s"),
    ];
    let length = nanoseconds.unsigned_abs();
    let unit = units.iter().find(|(unit, _)| length > *unit);
    Ok(match unit {
        Some((unit, name)) => format!("{}{name}", length / unit).into(),
        None => "0s".into(),
    })
}
