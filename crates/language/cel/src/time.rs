//! Timestamps and durations.

use jiff::civil::{DateTime, Weekday, date};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use sluice_golang::duration;

use super::error::Result;

/// Range of timestamps in seconds since 1970: the years 1 to 9999.
const SECONDS: std::ops::Range<i64> = -62_135_596_800..253_402_300_800;
const NANOSECONDS: i64 = 1_000_000_000;
/// The zero time of Go.
pub(super) const FIRST: DateTime = date(1, 1, 1).at(0, 0, 0, 0);
const EPOCH: DateTime = date(1970, 1, 1).at(0, 0, 0, 0);

/// Parses a duration in Go's syntax, in nanoseconds.
pub(super) fn parse_duration(text: &str) -> Option<i64> {
    Some(duration::parse(text).ok()?.0)
}

/// Prints a duration in seconds, with a fraction if there is one.
pub(super) fn print_duration(nanoseconds: i64) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let absolute = nanoseconds.unsigned_abs();
    let (seconds, fraction) = (absolute / 1_000_000_000, absolute % 1_000_000_000);
    if fraction == 0 {
        return format!("{sign}{seconds}s");
    }
    let fraction = format!("{fraction:09}");
    format!("{sign}{seconds}.{}s", fraction.trim_end_matches('0'))
}

/// Parses an RFC 3339 timestamp and returns the UTC time and the offset in seconds.
pub(super) fn parse(text: &str) -> Option<(DateTime, i32)> {
    let (civil, rest) = (text.get(..19)?, text.get(19..)?);
    let bytes = civil.as_bytes();
    let marks = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')];
    if !marks.iter().all(|(index, mark)| bytes[*index] == *mark) {
        return None;
    }
    let number = |from: usize, to: usize| {
        let digits = &civil[from..to];
        let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<i16>().ok()).flatten()
    };
    let small = |from: usize| number(from, from + 2).and_then(|found| i8::try_from(found).ok());
    let (fraction, zone) = match rest.strip_prefix(['.', ',']) {
        Some(after) => {
            let length = after.find(|next: char| !next.is_ascii_digit())?;
            (Some(&after[..length]), &after[length..])
        }
        None => (None, rest),
    };
    let nanoseconds = match fraction {
        // Digits beyond nanoseconds are dropped.
        Some(digits) if !digits.is_empty() => format!("{:0<9}", &digits[..digits.len().min(9)])
            .parse()
            .ok()?,
        Some(_) => return None,
        None => 0,
    };
    let local = DateTime::new(
        number(0, 4)?,
        small(5)?,
        small(8)?,
        small(11)?,
        small(14)?,
        small(17)?,
        nanoseconds,
    );
    let offset = match zone {
        "Z" => 0,
        zone if zone.starts_with(['+', '-']) => parse_offset(zone)?,
        _ => return None,
    };
    let seconds = SignedDuration::from_secs(i64::from(offset));
    let time = local.ok()?.checked_sub(seconds).ok()?;
    SECONDS
        .contains(&seconds_of(time))
        .then_some((time, offset))
}

/// Seconds since 1970.
pub(super) fn seconds_of(time: DateTime) -> i64 {
    let since = time.duration_since(EPOCH);
    // A fraction belongs to the second before it, before 1970 as well.
    since.as_secs() - i64::from(since.subsec_nanos() < 0)
}

pub(super) fn of_seconds(seconds: i64) -> Result<DateTime> {
    let time = EPOCH.checked_add(SignedDuration::from_secs(seconds)).ok();
    match time.filter(|_| SECONDS.contains(&seconds)) {
        Some(time) => Ok(time),
        None => Err("timestamp overflow".to_owned()),
    }
}

/// Prints RFC 3339 with the original offset.
pub(super) fn print(time: DateTime, seconds: i32) -> String {
    let civil = time.saturating_add(SignedDuration::from_secs(i64::from(seconds)));
    if seconds == 0 {
        return format!("{civil}Z");
    }
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{civil}{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

/// Parses `+02:00`, `-02:00` or `02:00` into seconds.
fn parse_offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (hours, minutes) = digits.split_once(':')?;
    let number = |digits: &str| {
        let is_number = digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| digits.parse::<i32>().ok()).flatten()
    };
    Some(sign * (number(hours)? * 3600 + number(minutes)? * 60))
}

/// Adds a duration to a time.
pub(super) fn add(time: DateTime, nanoseconds: i64) -> Result<DateTime> {
    let moved = time.checked_add(SignedDuration::from_nanos(nanoseconds));
    match moved
        .ok()
        .filter(|time| SECONDS.contains(&seconds_of(*time)))
    {
        Some(time) => Ok(time),
        None => Err("timestamp overflow".to_owned()),
    }
}

/// The duration from one time to another in nanoseconds.
pub(super) fn between(from: DateTime, to: DateTime) -> Result<i64> {
    match i64::try_from(to.duration_since(from).as_nanos()) {
        Ok(nanoseconds) => Ok(nanoseconds),
        Err(_) => Err("integer overflow".to_owned()),
    }
}

/// The UTC offset of a zone at a time, in seconds.
fn offset_at(time: DateTime, zone: &str) -> Option<i32> {
    let zone = TimeZone::get(zone).ok()?;
    // The last hours of year 9999 exceed `Timestamp`. The offset does not change there.
    let instant = Timestamp::from_second(seconds_of(time)).unwrap_or(Timestamp::MAX);
    Some(zone.to_offset(instant).seconds())
}

/// A component of a timestamp, in the named zone or UTC.
pub(super) fn part_of_time(time: DateTime, function: &str, zone: Option<&str>) -> Result<i64> {
    let offset = match zone {
        None => 0,
        Some(text) => match parse_offset(text) {
            Some(seconds) => seconds,
            None => offset_at(time, text).ok_or_else(|| format!("unknown time zone {text}"))?,
        },
    };
    let by = SignedDuration::from_secs(i64::from(offset));
    // The offset may lead beyond year 9999, the last year of `DateTime`. The calendar repeats
    // every 400 years, so the time is moved back by as much.
    let (civil, years) = match time.checked_add(by) {
        Ok(civil) => (civil, 0),
        Err(_) => (time.saturating_sub(400.years()).saturating_add(by), 400),
    };
    Ok(match function {
        "getFullYear" => i64::from(civil.year()) + years,
        "getMonth" => i64::from(civil.month()) - 1,
        "getDate" => i64::from(civil.day()),
        "getDayOfMonth" => i64::from(civil.day()) - 1,
        "getDayOfYear" => i64::from(civil.day_of_year()) - 1,
        "getDayOfWeek" => i64::from(civil.weekday().since(Weekday::Sunday)),
        "getHours" => i64::from(civil.hour()),
        "getMinutes" => i64::from(civil.minute()),
        "getSeconds" => i64::from(civil.second()),
        "getMilliseconds" => i64::from(civil.millisecond()),
        _ => return Err("no such overload".to_owned()),
    })
}

/// Whether a function reads a component of a timestamp.
pub(super) fn is_part(function: &str) -> bool {
    matches!(
        function,
        "getFullYear"
            | "getMonth"
            | "getDate"
            | "getDayOfMonth"
            | "getDayOfYear"
            | "getDayOfWeek"
            | "getHours"
            | "getMinutes"
            | "getSeconds"
            | "getMilliseconds"
    )
}

/// A duration in the unit of a function, truncated.
pub(super) fn part_of_duration(nanoseconds: i64, function: &str) -> Result<i64> {
    let unit = match function {
        "getHours" => 3600 * NANOSECONDS,
        "getMinutes" => 60 * NANOSECONDS,
        "getSeconds" => NANOSECONDS,
        "getMilliseconds" => NANOSECONDS / 1000,
        _ => {
            return Err(format!(
                "no such overload: {function}(google.protobuf.Duration)"
            ));
        }
    };
    Ok(nanoseconds / unit)
}
