//! Reads times by a layout, as `time.ParseInLocation` does.

use std::sync::Arc;

use sluice_golang::duration::quote;

use super::calendar::{Civil, DAYS, MONTHS, days_in, is_leap};
use super::layout::{Chunk, Offset, Part, next_chunk};
use super::{Location, Time};

/// Why a text is not a time of the layout, in Go's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ParseTimeError(String);

/// A part that cannot be read.
enum Bad {
    Malformed,
    OutOfRange(&'static str),
}

type ParseResult<T> = Result<T, Bad>;

/// The fields that were read so far.
#[derive(Default)]
struct Fields {
    year: i64,
    month: Option<i64>,
    day: Option<i64>,
    year_day: Option<i64>,
    hour: i64,
    minute: i64,
    second: i64,
    nanoseconds: u32,
    is_pm: bool,
    is_am: bool,
    is_utc: bool,
    offset: Option<i64>,
    zone: Option<String>,
}

struct Reader<'t> {
    text: &'t [u8],
    fields: Fields,
}

pub(super) fn parse(
    layout: &[u8],
    text: &[u8],
    location: &Location,
) -> Result<Time, ParseTimeError> {
    let error = |element: &[u8], rest: &[u8], message: &str| {
        let lossy = |bytes: &[u8]| quote(&String::from_utf8_lossy(bytes));
        ParseTimeError(if message.is_empty() {
            let (text, layout) = (lossy(text), lossy(layout));
            let (rest, element) = (lossy(rest), lossy(element));
            format!("parsing time {text} as {layout}: cannot parse {rest} as {element}")
        } else {
            format!("parsing time {}{message}", lossy(text))
        })
    };
    let mut reader = Reader {
        text,
        fields: Fields::default(),
    };
    let mut rest = layout;
    loop {
        let Chunk {
            prefix,
            part,
            written,
            suffix,
        } = next_chunk(rest);
        if !reader.skip(prefix) {
            return Err(error(prefix, reader.text, ""));
        }
        let Some(part) = part else {
            if reader.text.is_empty() {
                break;
            }
            let extra = quote(&String::from_utf8_lossy(reader.text));
            return Err(error(b"", reader.text, &format!(": extra text: {extra}")));
        };
        rest = suffix;
        let before = reader.text;
        match reader.part(part, rest) {
            Ok(()) => {}
            Err(Bad::Malformed) => return Err(error(written, before, "")),
            Err(Bad::OutOfRange(what)) => {
                return Err(error(
                    written,
                    reader.text,
                    &format!(": {what} out of range"),
                ));
            }
        }
    }
    let mut fields = reader.fields;
    if fields.is_pm && fields.hour < 12 {
        fields.hour += 12;
    } else if fields.is_am && fields.hour == 12 {
        fields.hour = 0;
    }
    let (month, day) = fields
        .date()
        .map_err(|message| error(b"", reader.text, message))?;
    let civil = Civil {
        year: fields.year,
        month,
        day,
        hour: fields.hour,
        minute: fields.minute,
        second: fields.second,
    };
    Ok(fields.resolve(&civil, location))
}

impl Fields {
    /// The month and the day, which may come from the day of the year.
    fn date(&self) -> Result<(i64, i64), &'static str> {
        let (month, day) = match self.year_day {
            None => (self.month.unwrap_or(1), self.day.unwrap_or(1)),
            Some(year_day) => {
                let days = if is_leap(self.year) { 366 } else { 365 };
                if !(1..=days).contains(&year_day) {
                    return Err(": day-of-year out of range");
                }
                let first = Civil {
                    year: self.year,
                    month: 1,
                    day: 1,
                    hour: 0,
                    minute: 0,
                    second: 0,
                };
                let date = Civil::from_seconds(first.seconds() + (year_day - 1) * 86_400);
                if self.month.is_some_and(|month| month != date.month) {
                    return Err(": day-of-year does not match month");
                }
                if self.day.is_some_and(|day| day != date.day) {
                    return Err(": day-of-year does not match day");
                }
                (date.month, date.day)
            }
        };
        if !(1..=days_in(month, self.year)).contains(&day) {
            return Err(": day out of range");
        }
        Ok((month, day))
    }

    /// The instant: by the zone of the text, else by that of the caller.
    fn resolve(self, civil: &Civil, location: &Location) -> Time {
        if self.is_utc {
            return Time::from_unix(civil.seconds(), self.nanoseconds, Location::Utc);
        }
        if let Some(offset) = self.offset {
            let seconds = civil.seconds() - offset;
            let (name, local) = location.at(seconds);
            let fits = self.zone.as_ref().is_none_or(|zone| *zone == name);
            let location = if offset == local && fits {
                location.clone()
            } else {
                fixed(self.zone.as_deref().unwrap_or_default(), offset)
            };
            return Time::from_unix(seconds, self.nanoseconds, location);
        }
        if let Some(zone) = &self.zone {
            let local = Time::from_civil(civil, self.nanoseconds, location.clone());
            if location.at(local.seconds).0 == zone.as_str() {
                return local;
            }
            let hours = zone
                .strip_prefix("GMT")
                .and_then(|hours| hours.parse().ok());
            let offset = hours.map_or(0, |hours: i64| hours * 3600);
            // Go does not shift by an offset that it took from a name.
            return Time::from_unix(civil.seconds(), self.nanoseconds, fixed(zone, offset));
        }
        Time::from_civil(civil, self.nanoseconds, location.clone())
    }
}

fn fixed(name: &str, offset: i64) -> Location {
    Location::Fixed(Arc::from(name), i32::try_from(offset).unwrap_or(0))
}

impl Reader<'_> {
    /// Skips text of the layout; runs of spaces match runs of spaces.
    fn skip(&mut self, mut prefix: &[u8]) -> bool {
        while let Some(first) = prefix.first() {
            if *first == b' ' {
                if self.text.first().is_some_and(|next| *next != b' ') {
                    return false;
                }
                prefix = cut_space(prefix);
                self.text = cut_space(self.text);
                continue;
            }
            if self.text.first() != Some(first) {
                return false;
            }
            prefix = &prefix[1..];
            self.text = &self.text[1..];
        }
        true
    }

    fn part(&mut self, part: Part, layout: &[u8]) -> ParseResult<()> {
        match part {
            Part::Year => {
                let year = self.digits(2)?;
                self.fields.year = year + if year >= 69 { 1900 } else { 2000 };
            }
            Part::LongYear => self.fields.year = self.digits(4)?,
            Part::Month => self.fields.month = Some(self.lookup(&MONTHS, 3)? + 1),
            Part::LongMonth => self.fields.month = Some(self.lookup(&MONTHS, usize::MAX)? + 1),
            Part::NumMonth | Part::ZeroMonth => {
                let month = self.number(part == Part::ZeroMonth)?;
                self.fields.month = Some(within(month, 1..=12, "month")?);
            }
            Part::Weekday => {
                self.lookup(&DAYS, 3)?;
            }
            Part::LongWeekday => {
                self.lookup(&DAYS, usize::MAX)?;
            }
            Part::Day | Part::UnderDay | Part::ZeroDay => {
                if part == Part::UnderDay {
                    self.skip_space();
                }
                self.fields.day = Some(self.number(part == Part::ZeroDay)?);
            }
            Part::UnderYearDay | Part::ZeroYearDay => {
                if part == Part::UnderYearDay {
                    self.skip_space();
                    self.skip_space();
                }
                let length = self
                    .text
                    .iter()
                    .take(3)
                    .take_while(|next| next.is_ascii_digit());
                let length = length.count();
                if length == 0 || (part == Part::ZeroYearDay && length != 3) {
                    return Err(Bad::Malformed);
                }
                self.fields.year_day = Some(self.digits(length)?);
            }
            Part::Hour => {
                let hour = self.number(false)?;
                self.fields.hour = within(hour, 0..=23, "hour")?;
            }
            Part::Hour12 | Part::ZeroHour12 => {
                let hour = self.number(part == Part::ZeroHour12)?;
                self.fields.hour = within(hour, 0..=12, "hour")?;
            }
            Part::Minute | Part::ZeroMinute => {
                let minute = self.number(part == Part::ZeroMinute)?;
                self.fields.minute = within(minute, 0..=59, "minute")?;
            }
            Part::Second | Part::ZeroSecond => {
                let second = self.number(part == Part::ZeroSecond)?;
                self.fields.second = within(second, 0..=59, "second")?;
                // A fraction is read even where the layout has none.
                let follows = matches!(next_chunk(layout).part, Some(Part::Fraction { .. }));
                if !follows {
                    self.optional_fraction()?;
                }
            }
            Part::UpperPm => self.half_day(b"PM", b"AM")?,
            Part::LowerPm => self.half_day(b"pm", b"am")?,
            Part::Offset(form) if form.has_z && self.text.first() == Some(&b'Z') => {
                self.text = &self.text[1..];
                self.fields.is_utc = true;
            }
            Part::Offset(form) => self.offset(form)?,
            Part::Zone if self.text.starts_with(b"UTC") => {
                self.text = &self.text[3..];
                self.fields.is_utc = true;
            }
            Part::Zone => {
                let length = zone_length(self.text).ok_or(Bad::Malformed)?;
                let (zone, rest) = self.text.split_at(length);
                self.fields.zone = Some(String::from_utf8_lossy(zone).into_owned());
                self.text = rest;
            }
            Part::Fraction {
                digits,
                is_optional: false,
            } => self.fraction(1 + digits)?,
            Part::Fraction { .. } => self.optional_fraction()?,
        }
        Ok(())
    }

    fn skip_space(&mut self) {
        if self.text.first() == Some(&b' ') {
            self.text = &self.text[1..];
        }
    }

    /// Exactly so many digits.
    fn digits(&mut self, length: usize) -> ParseResult<i64> {
        let (digits, rest) = self.text.split_at_checked(length).ok_or(Bad::Malformed)?;
        let value = number(digits).ok_or(Bad::Malformed)?;
        self.text = rest;
        Ok(value)
    }

    /// One or two digits.
    fn number(&mut self, is_fixed: bool) -> ParseResult<i64> {
        match self.text {
            [first, second, ..] if first.is_ascii_digit() && second.is_ascii_digit() => {
                self.digits(2)
            }
            [first, ..] if first.is_ascii_digit() && !is_fixed => self.digits(1),
            _ => Err(Bad::Malformed),
        }
    }

    /// The number of the name that the text begins with, in any case.
    fn lookup(&mut self, names: &[&str], length: usize) -> ParseResult<i64> {
        for (index, name) in (0_i64..).zip(names) {
            let name = &name.as_bytes()[..length.min(name.len())];
            if let Some((start, rest)) = self.text.split_at_checked(name.len())
                && start.eq_ignore_ascii_case(name)
            {
                self.text = rest;
                return Ok(index);
            }
        }
        Err(Bad::Malformed)
    }

    fn half_day(&mut self, pm: &[u8], am: &[u8]) -> ParseResult<()> {
        let (word, rest) = self.text.split_at_checked(2).ok_or(Bad::Malformed)?;
        self.text = rest;
        if word == pm {
            self.fields.is_pm = true;
        } else if word == am {
            self.fields.is_am = true;
        } else {
            return Err(Bad::Malformed);
        }
        Ok(())
    }

    fn offset(&mut self, form: Offset) -> ParseResult<()> {
        let separator = usize::from(form.has_colon);
        let mut places = vec![1];
        if form.has_minutes {
            places.push(3 + separator);
        }
        if form.has_seconds {
            places.push(5 + 2 * separator);
        }
        let length = places.last().copied().unwrap_or(1) + 2;
        let (text, rest) = self.text.split_at_checked(length).ok_or(Bad::Malformed)?;
        let has_colons = places[1..].iter().all(|place| text[place - 1] == b':');
        if form.has_colon && !has_colons {
            return Err(Bad::Malformed);
        }
        self.text = rest;
        let mut parts = [0; 3];
        let mut is_number = true;
        for (part, place) in parts.iter_mut().zip(&places) {
            match number(&text[*place..place + 2]) {
                Some(value) => *part = value,
                None => is_number = false,
            }
            if !is_number {
                break;
            }
        }
        let [hour, minute, second] = parts;
        within(hour, 0..=24, "time zone offset hour")?;
        within(minute, 0..=60, "time zone offset minute")?;
        within(second, 0..=60, "time zone offset second")?;
        let offset = (hour * 60 + minute) * 60 + second;
        self.fields.offset = match text[0] {
            b'+' if is_number => Some(offset),
            b'-' if is_number => Some(-offset),
            _ => return Err(Bad::Malformed),
        };
        Ok(())
    }

    fn optional_fraction(&mut self) -> ParseResult<()> {
        match self.text {
            [b'.' | b',', digit, ..] if digit.is_ascii_digit() => {
                let digits = self.text[1..]
                    .iter()
                    .take_while(|next| next.is_ascii_digit());
                let length = 1 + digits.count();
                self.fraction(length)
            }
            _ => Ok(()),
        }
    }

    /// A separator and digits, `length` bytes in all.
    fn fraction(&mut self, length: usize) -> ParseResult<()> {
        let (text, rest) = self.text.split_at_checked(length).ok_or(Bad::Malformed)?;
        if !matches!(text.first(), Some(b'.' | b',')) {
            return Err(Bad::Malformed);
        }
        let digits = &text[1..text.len().min(10)];
        let value = number(digits).ok_or(Bad::Malformed)?;
        let scale = 10_i64.pow(u32::try_from(9 - digits.len()).unwrap_or(0));
        self.fields.nanoseconds = u32::try_from(value * scale).unwrap_or(0);
        self.text = rest;
        Ok(())
    }
}

fn within(
    value: i64,
    range: std::ops::RangeInclusive<i64>,
    what: &'static str,
) -> ParseResult<i64> {
    if range.contains(&value) {
        Ok(value)
    } else {
        Err(Bad::OutOfRange(what))
    }
}

fn number(digits: &[u8]) -> Option<i64> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let fold = |value: i64, digit: &u8| value * 10 + i64::from(digit - b'0');
    Some(digits.iter().fold(0, fold))
}

fn cut_space(text: &[u8]) -> &[u8] {
    let spaces = text.iter().take_while(|next| **next == b' ').count();
    &text[spaces..]
}

/// The length of the abbreviation of a zone.
fn zone_length(text: &[u8]) -> Option<usize> {
    if text.len() < 3 {
        return None;
    }
    if text.starts_with(b"ChST") || text.starts_with(b"MeST") {
        return Some(4);
    }
    if let Some(rest) = text.strip_prefix(b"GMT") {
        return Some(3 + signed_offset_length(rest));
    }
    if matches!(text[0], b'+' | b'-') {
        return Some(signed_offset_length(text)).filter(|length| *length > 0);
    }
    let capitals = text
        .iter()
        .take(6)
        .take_while(|next| next.is_ascii_uppercase());
    match capitals.count() {
        5 if text[4] == b'T' => Some(5),
        4 if text[3] == b'T' || text.starts_with(b"WITA") => Some(4),
        3 => Some(3),
        _ => None,
    }
}

fn signed_offset_length(text: &[u8]) -> usize {
    if !matches!(text.first(), Some(b'+' | b'-')) {
        return 0;
    }
    let digits: Vec<u8> = text[1..]
        .iter()
        .copied()
        .take_while(u8::is_ascii_digit)
        .collect();
    match number(&digits[..digits.len().min(4)]) {
        Some(hours) if hours <= 23 => 1 + digits.len(),
        _ => 0,
    }
}
