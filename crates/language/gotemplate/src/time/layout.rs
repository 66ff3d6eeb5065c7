//! Layouts: the parts of the reference time `Mon Jan 2 15:04:05 MST 2006`.

use super::Time;
use super::calendar::{DAYS, MONTHS};

/// A part of the reference time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    LongMonth,
    Month,
    NumMonth,
    ZeroMonth,
    LongWeekday,
    Weekday,
    Day,
    UnderDay,
    ZeroDay,
    UnderYearDay,
    ZeroYearDay,
    Hour,
    Hour12,
    ZeroHour12,
    Minute,
    ZeroMinute,
    Second,
    ZeroSecond,
    LongYear,
    Year,
    UpperPm,
    LowerPm,
    Zone,
    Offset(Offset),
    /// A fraction with so many digits; the nines may be left out.
    Fraction {
        digits: usize,
        is_optional: bool,
    },
}

/// How an offset is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offset {
    /// `Z` stands for no offset.
    pub(super) has_z: bool,
    pub(super) has_colon: bool,
    pub(super) has_minutes: bool,
    pub(super) has_seconds: bool,
}

/// The text before the next part, the part, and the text behind it.
pub(super) struct Chunk<'l> {
    pub(super) prefix: &'l [u8],
    pub(super) part: Option<Part>,
    /// The part as written.
    pub(super) written: &'l [u8],
    pub(super) suffix: &'l [u8],
}

/// Finds the next part of a layout.
pub(super) fn next_chunk(layout: &[u8]) -> Chunk<'_> {
    for at in 0..layout.len() {
        if let Some((skip, length, part)) = part_at(layout, at) {
            let (prefix, rest) = layout.split_at(at + skip);
            let (written, suffix) = rest.split_at(length);
            return Chunk {
                prefix,
                part: Some(part),
                written,
                suffix,
            };
        }
    }
    Chunk {
        prefix: layout,
        part: None,
        written: &[],
        suffix: &[],
    }
}

/// The part that begins at a place: bytes to skip, its length, and what it is.
fn part_at(layout: &[u8], at: usize) -> Option<(usize, usize, Part)> {
    let rest = &layout[at..];
    let found = |length: usize, part: Part| Some((0, length, part));
    let is_word = |length: usize| !rest.get(length).is_some_and(u8::is_ascii_lowercase);
    match rest[0] {
        b'J' if rest.starts_with(b"January") => found(7, Part::LongMonth),
        b'J' if rest.starts_with(b"Jan") && is_word(3) => found(3, Part::Month),
        b'M' if rest.starts_with(b"Monday") => found(6, Part::LongWeekday),
        b'M' if rest.starts_with(b"Mon") && is_word(3) => found(3, Part::Weekday),
        b'M' if rest.starts_with(b"MST") => found(3, Part::Zone),
        b'0' if rest.starts_with(b"002") => found(3, Part::ZeroYearDay),
        b'0' => {
            let part = match rest.get(1)? {
                b'1' => Part::ZeroMonth,
                b'2' => Part::ZeroDay,
                b'3' => Part::ZeroHour12,
                b'4' => Part::ZeroMinute,
                b'5' => Part::ZeroSecond,
                b'6' => Part::Year,
                _ => return None,
            };
            found(2, part)
        }
        b'1' if rest.starts_with(b"15") => found(2, Part::Hour),
        b'1' => found(1, Part::NumMonth),
        b'2' if rest.starts_with(b"2006") => found(4, Part::LongYear),
        b'2' => found(1, Part::Day),
        b'_' if rest.starts_with(b"_2006") => Some((1, 4, Part::LongYear)),
        b'_' if rest.starts_with(b"_2") => found(2, Part::UnderDay),
        b'_' if rest.starts_with(b"__2") => found(3, Part::UnderYearDay),
        b'3' => found(1, Part::Hour12),
        b'4' => found(1, Part::Minute),
        b'5' => found(1, Part::Second),
        b'P' if rest.starts_with(b"PM") => found(2, Part::UpperPm),
        b'p' if rest.starts_with(b"pm") => found(2, Part::LowerPm),
        b'-' | b'Z' => offset_at(rest),
        b'.' | b',' => {
            let digit = *rest.get(1).filter(|digit| matches!(digit, b'0' | b'9'))?;
            let digits = rest[1..].iter().take_while(|next| **next == digit).count();
            if rest.get(1 + digits).is_some_and(u8::is_ascii_digit) {
                return None;
            }
            let is_optional = digit == b'9';
            found(
                1 + digits,
                Part::Fraction {
                    digits,
                    is_optional,
                },
            )
        }
        _ => None,
    }
}

fn offset_at(rest: &[u8]) -> Option<(usize, usize, Part)> {
    let (first, digits) = rest.split_first()?;
    let forms: [(&[u8], bool, bool, bool); 5] = [
        (b"070000", false, true, true),
        (b"07:00:00", true, true, true),
        (b"0700", false, true, false),
        (b"07:00", true, true, false),
        (b"07", false, false, false),
    ];
    let (text, has_colon, has_minutes, has_seconds) =
        *forms.iter().find(|(text, ..)| digits.starts_with(text))?;
    let offset = Offset {
        has_z: *first == b'Z',
        has_colon,
        has_minutes,
        has_seconds,
    };
    Some((0, 1 + text.len(), Part::Offset(offset)))
}

/// Formats a time.
pub(super) fn format(time: &Time, layout: &[u8]) -> Vec<u8> {
    let civil = time.civil();
    let (zone, offset) = time.location.at(time.seconds);
    let mut out = Vec::with_capacity(layout.len() + 10);
    let mut rest = layout;
    loop {
        let chunk = next_chunk(rest);
        out.extend_from_slice(chunk.prefix);
        let Some(part) = chunk.part else {
            return out;
        };
        rest = chunk.suffix;
        let index = |value: i64| usize::try_from(value).unwrap_or(0);
        let hour12 = match civil.hour % 12 {
            0 => 12,
            hour => hour,
        };
        match part {
            Part::LongMonth => out.extend_from_slice(MONTHS[index(civil.month - 1)].as_bytes()),
            Part::Month => out.extend_from_slice(&MONTHS[index(civil.month - 1)].as_bytes()[..3]),
            Part::NumMonth => push(&mut out, civil.month, 0),
            Part::ZeroMonth => push(&mut out, civil.month, 2),
            Part::LongWeekday => out.extend_from_slice(DAYS[index(civil.weekday())].as_bytes()),
            Part::Weekday => out.extend_from_slice(&DAYS[index(civil.weekday())].as_bytes()[..3]),
            Part::Day => push(&mut out, civil.day, 0),
            Part::UnderDay => {
                if civil.day < 10 {
                    out.push(b' ');
                }
                push(&mut out, civil.day, 0);
            }
            Part::ZeroDay => push(&mut out, civil.day, 2),
            Part::UnderYearDay => {
                let text = format!("{:3}", civil.year_day());
                out.extend_from_slice(text.as_bytes());
            }
            Part::ZeroYearDay => push(&mut out, civil.year_day(), 3),
            Part::Hour => push(&mut out, civil.hour, 2),
            Part::Hour12 => push(&mut out, hour12, 0),
            Part::ZeroHour12 => push(&mut out, hour12, 2),
            Part::Minute => push(&mut out, civil.minute, 0),
            Part::ZeroMinute => push(&mut out, civil.minute, 2),
            Part::Second => push(&mut out, civil.second, 0),
            Part::ZeroSecond => push(&mut out, civil.second, 2),
            Part::LongYear => push(&mut out, civil.year, 4),
            Part::Year => push(&mut out, civil.year.max(0) % 100, 2),
            Part::UpperPm => out.extend_from_slice(if civil.hour >= 12 { b"PM" } else { b"AM" }),
            Part::LowerPm => out.extend_from_slice(if civil.hour >= 12 { b"pm" } else { b"am" }),
            Part::Zone if !zone.is_empty() => out.extend_from_slice(zone.as_bytes()),
            Part::Zone => push_offset(&mut out, offset, NUMERIC),
            Part::Offset(form) if form.has_z && offset == 0 => out.push(b'Z'),
            Part::Offset(form) => push_offset(&mut out, offset, form),
            Part::Fraction {
                digits,
                is_optional,
            } => push_fraction(
                &mut out,
                chunk.written[0],
                time.nanoseconds,
                digits,
                is_optional,
            ),
        }
    }
}

/// `-0700`, which stands in for a zone without a name.
const NUMERIC: Offset = Offset {
    has_z: false,
    has_colon: false,
    has_minutes: true,
    has_seconds: false,
};

fn push(out: &mut Vec<u8>, value: i64, width: usize) {
    let sign = if value < 0 { "-" } else { "" };
    let text = format!("{sign}{:0width$}", value.unsigned_abs());
    out.extend_from_slice(text.as_bytes());
}

fn push_offset(out: &mut Vec<u8>, offset: i64, form: Offset) {
    // An offset of less than a minute west of Greenwich has no sign in Go.
    let minutes = offset / 60;
    out.push(if minutes < 0 { b'-' } else { b'+' });
    let minutes = minutes.abs();
    let seconds = if offset / 60 < 0 { -offset } else { offset };
    push(out, minutes / 60, 2);
    if form.has_colon {
        out.push(b':');
    }
    if form.has_minutes {
        push(out, minutes % 60, 2);
    }
    if form.has_seconds {
        if form.has_colon {
            out.push(b':');
        }
        push(out, seconds % 60, 2);
    }
}

fn push_fraction(
    out: &mut Vec<u8>,
    separator: u8,
    nanoseconds: u32,
    digits: usize,
    is_optional: bool,
) {
    let text = format!("{nanoseconds:09}");
    let mut digits = &text[..digits.min(9)];
    if is_optional {
        digits = digits.trim_end_matches('0');
        if digits.is_empty() {
            return;
        }
    }
    out.push(separator);
    out.extend_from_slice(digits.as_bytes());
}
