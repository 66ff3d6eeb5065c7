//! Durations as Go's `time.ParseDuration` reads and `time.Duration` prints them.
//!
//! The parser accepts the forms of Go (`1h30m`, `-1.5h`, `.5s`, `+0`) and reports Go's errors.
//! Go has no units for days and weeks.

use std::fmt::{self, Write as _};
use std::time::Duration;

const MICROSECOND: u64 = 1_000;
const MILLISECOND: u64 = 1_000 * MICROSECOND;
const SECOND: u64 = 1_000 * MILLISECOND;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

/// One more than the largest positive duration; the magnitude of the smallest negative one.
const LIMIT: u64 = 1 << 63;

/// A signed number of nanoseconds; [`fmt::Display`] prints it as Go does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct GoDuration(pub i64);

impl GoDuration {
    /// A duration of zero.
    pub const ZERO: Self = Self(0);

    /// Converts to the standard library's type; `None` for a negative duration.
    pub fn to_std(self) -> Option<Duration> {
        u64::try_from(self.0).ok().map(Duration::from_nanos)
    }

    /// Converts from the standard library's type. The result is at most 292 years.
    pub fn from_std(duration: Duration) -> Self {
        Self(i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX))
    }
}

impl From<Duration> for GoDuration {
    fn from(duration: Duration) -> Self {
        Self::from_std(duration)
    }
}

impl std::str::FromStr for GoDuration {
    type Err = ParseDurationError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text)
    }
}

/// The text is not a duration. The message is Go's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseDurationError {
    /// Malformed, or out of range: Go reports both with the same error.
    #[error("time: invalid duration {}", quote(.0))]
    Invalid(String),
    /// The number has no unit.
    #[error("time: missing unit in duration {}", quote(.0))]
    MissingUnit(String),
    /// Go does not know the unit.
    #[error("time: unknown unit {} in duration {}", quote(.unit), quote(.text))]
    UnknownUnit {
        /// The unit as written.
        unit: String,
        /// The whole text.
        text: String,
    },
}

/// Parses a duration as Go's `time.ParseDuration` does.
pub fn parse(text: &str) -> Result<GoDuration, ParseDurationError> {
    let invalid = || ParseDurationError::Invalid(text.to_owned());
    let (negative, mut rest) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if rest == "0" {
        return Ok(GoDuration::ZERO);
    }
    if rest.is_empty() {
        return Err(invalid());
    }

    let mut total: u64 = 0;
    while !rest.is_empty() {
        if !rest.starts_with(|c: char| c == '.' || c.is_ascii_digit()) {
            return Err(invalid());
        }
        let (whole, after) = split_digits(rest);
        let mut value = integer(whole).ok_or_else(invalid)?;
        rest = after;

        let mut fraction = "";
        if let Some(after) = rest.strip_prefix('.') {
            (fraction, rest) = split_digits(after);
        }
        if whole.is_empty() && fraction.is_empty() {
            return Err(invalid());
        }

        let end = rest
            .find(|c: char| c == '.' || c.is_ascii_digit())
            .unwrap_or(rest.len());
        if end == 0 {
            return Err(ParseDurationError::MissingUnit(text.to_owned()));
        }
        let (name, after) = rest.split_at(end);
        rest = after;
        let unit = unit(name).ok_or_else(|| ParseDurationError::UnknownUnit {
            unit: name.to_owned(),
            text: text.to_owned(),
        })?;

        if value > LIMIT / unit {
            return Err(invalid());
        }
        value *= unit;
        value += fraction_of(fraction, unit);
        if value > LIMIT {
            return Err(invalid());
        }
        // Two terms of exactly 2^63 wrap to zero in Go as well.
        total = total.wrapping_add(value);
        if total > LIMIT {
            return Err(invalid());
        }
    }

    if negative {
        return Ok(GoDuration(0_i64.wrapping_sub_unsigned(total)));
    }
    i64::try_from(total).map(GoDuration).map_err(|_| invalid())
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}

fn integer(digits: &str) -> Option<u64> {
    digits.bytes().try_fold(0_u64, |value, digit| {
        if value > LIMIT / 10 {
            return None;
        }
        let next = value * 10 + u64::from(digit - b'0');
        (next <= LIMIT).then_some(next)
    })
}

/// Returns the part of `unit` that the digits after a decimal point mean, truncated to
/// nanoseconds. Digits that do not fit in 63 bits are ignored.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "Go computes this product in float64, and its rounding is part of the result"
)]
fn fraction_of(digits: &str, unit: u64) -> u64 {
    let mut value: u64 = 0;
    let mut scale = 1.0_f64;
    for digit in digits.bytes() {
        if value > (LIMIT - 1) / 10 {
            break;
        }
        let next = value * 10 + u64::from(digit - b'0');
        if next > LIMIT {
            break;
        }
        value = next;
        scale *= 10.0;
    }
    if value == 0 {
        return 0;
    }
    (value as f64 * (unit as f64 / scale)) as u64
}

fn unit(name: &str) -> Option<u64> {
    match name {
        "ns" => Some(1),
        // U+00B5 is the micro sign, U+03BC the Greek letter.
        "us" | "\u{b5}s" | "\u{3bc}s" => Some(MICROSECOND),
        "ms" => Some(MILLISECOND),
        "s" => Some(SECOND),
        "m" => Some(MINUTE),
        "h" => Some(HOUR),
        _ => None,
    }
}

impl fmt::Display for GoDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nanoseconds = self.0.unsigned_abs();
        let mut text = String::with_capacity(24);
        if self.0 < 0 {
            text.push('-');
        }
        match nanoseconds {
            0 => text.push_str("0s"),
            1..SECOND => {
                let (unit, digits, suffix) = match nanoseconds {
                    1..MICROSECOND => (1, 0, "ns"),
                    MICROSECOND..MILLISECOND => (MICROSECOND, 3, "\u{b5}s"),
                    _ => (MILLISECOND, 6, "ms"),
                };
                push_decimal(&mut text, nanoseconds / unit, nanoseconds % unit, digits);
                text.push_str(suffix);
            }
            _ => {
                let seconds = nanoseconds / SECOND;
                if seconds >= 3600 {
                    text.push_str(&(seconds / 3600).to_string());
                    text.push('h');
                }
                if seconds >= 60 {
                    text.push_str(&(seconds / 60 % 60).to_string());
                    text.push('m');
                }
                push_decimal(&mut text, seconds % 60, nanoseconds % SECOND, 9);
                text.push('s');
            }
        }
        f.pad(&text)
    }
}

/// Appends a decimal number without trailing zeros in its fraction.
fn push_decimal(out: &mut String, whole: u64, fraction: u64, digits: usize) {
    out.push_str(&whole.to_string());
    if fraction > 0 {
        let fraction = format!("{fraction:0digits$}");
        out.push('.');
        out.push_str(fraction.trim_end_matches('0'));
    }
}

/// Quotes as the `time` package does: each byte outside of ASCII is escaped, unlike in `strconv`.
pub fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                out.push('\\');
                out.push(character);
            }
            ' '..='\u{7f}' => out.push(character),
            _ => {
                for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                    write!(out, "\\x{byte:02x}").expect("a String accepts all writes");
                }
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::{GoDuration, parse};
    use proptest::prelude::*;

    /// Each row has the text, the nanoseconds, and Go's output for them.
    #[test]
    fn parse_and_print_agree_with_go() {
        for (text, nanoseconds, printed) in [
            ("0", 0, "0s"),
            ("-0", 0, "0s"),
            ("+0", 0, "0s"),
            ("5s", 5_000_000_000, "5s"),
            ("30s", 30_000_000_000, "30s"),
            ("1m", 60_000_000_000, "1m0s"),
            ("1478s", 1_478_000_000_000, "24m38s"),
            ("1h", 3_600_000_000_000, "1h0m0s"),
            ("-5s", -5_000_000_000, "-5s"),
            ("+5s", 5_000_000_000, "5s"),
            ("5.0s", 5_000_000_000, "5s"),
            ("5.6s", 5_600_000_000, "5.6s"),
            ("5.s", 5_000_000_000, "5s"),
            (".5s", 500_000_000, "500ms"),
            ("1.004s", 1_004_000_000, "1.004s"),
            ("100.00100s", 100_001_000_000, "1m40.001s"),
            ("10ns", 10, "10ns"),
            ("11us", 11_000, "11µs"),
            ("12µs", 12_000, "12µs"),
            ("12μs", 12_000, "12µs"),
            ("13ms", 13_000_000, "13ms"),
            ("176.163666ms", 176_163_666, "176.163666ms"),
            ("3h30m", 12_600_000_000_000, "3h30m0s"),
            ("10.5s4m", 250_500_000_000, "4m10.5s"),
            ("-2m3.4s", -123_400_000_000, "-2m3.4s"),
            ("39h9m14.425s", 140_954_425_000_000, "39h9m14.425s"),
            ("52763797000ns", 52_763_797_000, "52.763797s"),
            ("0.3333333333333333333h", 1_200_000_000_000, "20m0s"),
            (
                "9007199254740993ns",
                9_007_199_254_740_993,
                "2501h59m59.254740993s",
            ),
            (
                "9223372036854775807ns",
                i64::MAX,
                "2562047h47m16.854775807s",
            ),
            (
                "-9223372036854775808ns",
                i64::MIN,
                "-2562047h47m16.854775808s",
            ),
            ("0.100000000000000000000h", 360_000_000_000, "6m0s"),
            (
                "0.830103483285477580700h",
                2_988_372_539_827,
                "49m48.372539827s",
            ),
            ("9223372036854775808ns9223372036854775808ns", 0, "0s"),
        ] {
            assert_eq!(parse(text), Ok(GoDuration(nanoseconds)), "{text}");
            assert_eq!(GoDuration(nanoseconds).to_string(), printed);
        }
    }

    #[test]
    fn parse_errors_have_the_text_of_go() {
        for (text, message) in [
            ("", r#"time: invalid duration """#),
            ("3", r#"time: missing unit in duration "3""#),
            ("-", r#"time: invalid duration "-""#),
            ("s", r#"time: invalid duration "s""#),
            (".", r#"time: invalid duration ".""#),
            ("-.", r#"time: invalid duration "-.""#),
            (".s", r#"time: invalid duration ".s""#),
            ("+.s", r#"time: invalid duration "+.s""#),
            ("1d", r#"time: unknown unit "d" in duration "1d""#),
            ("1 h", r#"time: unknown unit " h" in duration "1 h""#),
            ("ten minutes", r#"time: invalid duration "ten minutes""#),
            ("1m ", r#"time: unknown unit "m " in duration "1m ""#),
            (
                "9223372036854775808ns",
                r#"time: invalid duration "9223372036854775808ns""#,
            ),
            (
                "9223372036854775.808us",
                r#"time: invalid duration "9223372036854775.808us""#,
            ),
            (
                "9223372036854ms775us808ns",
                r#"time: invalid duration "9223372036854ms775us808ns""#,
            ),
            ("3000000h", r#"time: invalid duration "3000000h""#),
            (
                "-9223372036854775809ns",
                r#"time: invalid duration "-9223372036854775809ns""#,
            ),
            (
                "99999999999999999999s",
                r#"time: invalid duration "99999999999999999999s""#,
            ),
            (
                "1\u{e9}",
                r#"time: unknown unit "\xc3\xa9" in duration "1\xc3\xa9""#,
            ),
            ("1\"", r#"time: unknown unit "\"" in duration "1\"""#),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn negative_duration_has_no_standard_form() {
        assert_eq!(GoDuration(-1).to_std(), None);
        let second = std::time::Duration::from_secs(1);
        assert_eq!(GoDuration(1_000_000_000).to_std(), Some(second));
        assert_eq!(GoDuration::from(second).0, 1_000_000_000);
    }

    proptest! {
        #[test]
        fn printed_duration_parses_to_itself(nanoseconds: i64) {
            let duration = GoDuration(nanoseconds);
            prop_assert_eq!(parse(&duration.to_string()), Ok(duration));
        }

        #[test]
        fn parse_never_panics(text in "[-+0-9.hmsnuµx ]{0,24}") {
            let outcome = parse(&text);
            prop_assert!(outcome.is_ok() || outcome.is_err());
        }
    }
}
