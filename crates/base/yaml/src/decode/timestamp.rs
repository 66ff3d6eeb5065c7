//! Timestamps: recognition, and Go's text form.
//!
//! In version 2 a timestamp stays text, and the writer must quote it. In version 3 it becomes the
//! time in RFC 3339. go-yaml tries four layouts of `time.Parse`, which accepts one-digit fields,
//! a comma before the fraction, and any number of spaces.

use std::fmt::Write as _;

/// Reports whether go-yaml reads the text as a timestamp.
pub(super) fn is_timestamp(text: &str) -> bool {
    parse(text).is_some()
}

/// Returns a timestamp as Go's JSON prints it.
pub(crate) fn canonical(text: &str) -> Option<String> {
    parse(text).map(|time| time.print())
}

/// The fields of a timestamp. Printing does not require normalized values.
struct Timestamp<'a> {
    date: [u32; 3],
    clock: [u32; 3],
    /// Digits after the decimal point.
    fraction: &'a str,
    /// Sign, hours and minutes of the time zone.
    offset: (char, u32, u32),
}

impl Timestamp<'_> {
    fn print(&self) -> String {
        let ([year, month, day], [hour, minute, second]) = (self.date, self.clock);
        let mut out = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}");
        let nanoseconds = &self.fraction[..self.fraction.len().min(9)];
        let fraction = nanoseconds.trim_end_matches('0');
        if !fraction.is_empty() {
            out.push('.');
            out.push_str(fraction);
        }
        // Sixty minutes count as one hour.
        match (self.offset.1 * 60 + self.offset.2, self.offset.0) {
            (0, _) => out.push('Z'),
            (minutes, sign) => write!(out, "{sign}{:02}:{:02}", minutes / 60, minutes % 60)
                .expect("a String accepts all writes"),
        }
        out
    }
}

fn parse(text: &str) -> Option<Timestamp<'_>> {
    // Each layout has a year of four digits, which most other numbers lack.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits != 4 || text.as_bytes().get(4) != Some(&b'-') {
        return None;
    }
    let (year, rest) = text.split_at(4);
    let year: u32 = year.parse().ok()?;
    let (month, rest) = number(rest.strip_prefix('-')?)?;
    let (day, rest) = number(rest.strip_prefix('-')?)?;
    if !(1..=12).contains(&month) || day < 1 || day > days(year, month) {
        return None;
    }
    let mut timestamp = Timestamp {
        date: [year, month, day],
        clock: [0; 3],
        fraction: "",
        offset: ('+', 0, 0),
    };
    if rest.is_empty() {
        return Some(timestamp);
    }
    if let Some(rest) = rest.strip_prefix(['T', 't']) {
        let rest = timestamp.time(rest)?;
        timestamp.offset = zone(rest)?;
        return Some(timestamp);
    }
    // The layout with a space has no time zone.
    let rest = rest.strip_prefix(' ')?.trim_start_matches(' ');
    timestamp.time(rest)?.is_empty().then_some(timestamp)
}

impl<'a> Timestamp<'a> {
    /// Parses `15:4:5.999999999`. Returns the rest of the text.
    fn time(&mut self, text: &'a str) -> Option<&'a str> {
        let (hour, rest) = number(text)?;
        let (minute, rest) = number(rest.strip_prefix(':')?)?;
        let (second, rest) = number(rest.strip_prefix(':')?)?;
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        self.clock = [hour, minute, second];
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if after.len() < fraction.len() {
                self.fraction = &fraction[..fraction.len() - after.len()];
                return Some(after);
            }
        }
        Some(rest)
    }
}

fn number(text: &str) -> Option<(u32, &str)> {
    let length = text.bytes().take(2).take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(length);
    Some((digits.parse().ok()?, rest))
}

fn days(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Parses the zone `Z07:00`.
fn zone(text: &str) -> Option<(char, u32, u32)> {
    if text == "Z" {
        return Some(('+', 0, 0));
    }
    let sign = text.chars().next().filter(|c| matches!(c, '+' | '-'))?;
    let (hours, minutes) = text[1..].split_once(':')?;
    let field = |digits: &str| match digits.as_bytes() {
        [b'0'..=b'9', b'0'..=b'9'] => digits.parse::<u32>().ok(),
        _ => None,
    };
    let (hours, minutes) = (field(hours)?, field(minutes)?);
    // Go accepts 24 hours and 60 minutes in an offset.
    (hours <= 24 && minutes <= 60).then_some((sign, hours, minutes))
}

#[cfg(test)]
mod tests {
    use super::{canonical, is_timestamp};

    #[test]
    fn timestamps_print_in_rfc_3339() {
        for (text, printed) in [
            ("2001-01-01", "2001-01-01T00:00:00Z"),
            ("2001-1-2T3:4:5.600Z", "2001-01-02T03:04:05.6Z"),
            (
                "2001-1-2t3:4:5,1234567899-05:30",
                "2001-01-02T03:04:05.123456789-05:30",
            ),
            ("2001-12-14 21:59:43", "2001-12-14T21:59:43Z"),
            ("2001-12-14T21:59:43+00:00", "2001-12-14T21:59:43Z"),
        ] {
            assert_eq!(canonical(text).as_deref(), Some(printed));
        }
    }

    #[test]
    fn layouts_of_go_are_recognized() {
        for text in [
            "2001-01-01",
            "2001-1-2",
            "2004-2-29",
            "2001-12-14T21:59:43Z",
            "2001-12-14t21:59:43.10-05:00",
            "2001-12-14 21:59:43.10",
            "2001-12-14    21:59:43",
            "2001-12-14 1:2:3,5",
            "2001-12-14T1:2:3+24:60",
        ] {
            assert!(is_timestamp(text), "{text}");
        }
        for text in [
            "2001-02-29",
            "1900-2-29",
            "2001-13-01",
            "2001-00-01",
            "2001-1-0",
            "2001-1-1 ",
            "2001-12-14 ",
            "2001-12-14T",
            "2001-12-14T21:59:43",
            "2001-12-14 21:59:43Z",
            "2001-12-14T24:00:00Z",
            "2001-12-14T21:60:00Z",
            "2001-12-14T21:59:43+25:00",
            "2001-12-14T21:59:43+5:00",
            "2001-12-14T21:59:43.Z",
            "20010-1-1",
            "201-01-01",
            "2001-012-1",
            "2001-1-\u{e9}",
            "2001",
        ] {
            assert!(!is_timestamp(text), "{text}");
        }
    }
}
