//! Go's `time.Time`: an instant, and the zone that it is shown in.
//!
//! [`layout`] formats and parses by reference times such as `2006-01-02`, [`zone`] knows the
//! zones.

mod calendar;
mod layout;
mod parse;
mod zone;

pub use parse::ParseTimeError;
pub use zone::Location;

pub(crate) use calendar::{Civil, month_name, weekday_name};

/// Seconds from the zero time, the year 1, to 1970.
const ZERO_UNIX: i64 = -62_135_596_800;

/// Nanoseconds of a second.
pub(crate) const SECOND: i64 = 1_000_000_000;

/// An instant with its zone.
#[derive(Debug, Clone)]
pub struct Time {
    pub(crate) seconds: i64,
    pub(crate) nanoseconds: u32,
    pub(crate) location: Location,
}

impl Time {
    /// The first moment of the year 1 in UTC, Go's zero value.
    pub const fn zero() -> Self {
        Self {
            seconds: ZERO_UNIX,
            nanoseconds: 0,
            location: Location::Utc,
        }
    }

    /// An instant by seconds and nanoseconds since 1970.
    pub const fn from_unix(seconds: i64, nanoseconds: u32, location: Location) -> Self {
        Self {
            seconds,
            nanoseconds,
            location,
        }
    }

    /// An instant of a clock.
    pub(crate) fn from_timestamp(now: jiff::Timestamp, location: Location) -> Self {
        let nanoseconds = now.as_nanosecond().rem_euclid(i128::from(SECOND));
        let nanoseconds = u32::try_from(nanoseconds).unwrap_or(0);
        let seconds = now.as_nanosecond().div_euclid(i128::from(SECOND));
        let seconds = i64::try_from(seconds).unwrap_or(0);
        Self::from_unix(seconds, nanoseconds, location)
    }

    /// Seconds since 1970.
    pub const fn unix(&self) -> i64 {
        self.seconds
    }

    /// The nanoseconds within the second.
    pub const fn nanosecond(&self) -> u32 {
        self.nanoseconds
    }

    /// Whether the time is Go's zero value.
    pub const fn is_zero(&self) -> bool {
        self.seconds == ZERO_UNIX && self.nanoseconds == 0
    }

    /// The same instant in another zone.
    #[must_use]
    pub fn in_location(&self, location: Location) -> Self {
        Self {
            location,
            ..self.clone()
        }
    }

    /// The time after a duration in nanoseconds.
    #[must_use]
    pub fn add(&self, nanoseconds: i64) -> Self {
        let total = i64::from(self.nanoseconds) + nanoseconds.rem_euclid(SECOND);
        let seconds = nanoseconds.div_euclid(SECOND) + total.div_euclid(SECOND);
        Self {
            seconds: self.seconds.wrapping_add(seconds),
            nanoseconds: u32::try_from(total.rem_euclid(SECOND)).unwrap_or(0),
            location: self.location.clone(),
        }
    }

    /// The nanoseconds from another time to this one, capped at what a duration holds.
    pub fn since(&self, other: &Self) -> i64 {
        let seconds = i128::from(self.seconds) - i128::from(other.seconds);
        let nanoseconds = i128::from(self.nanoseconds) - i128::from(other.nanoseconds);
        let total = seconds * i128::from(SECOND) + nanoseconds;
        i64::try_from(total).unwrap_or(if total < 0 { i64::MIN } else { i64::MAX })
    }

    /// The nanoseconds since 1970, which wrap around outside of the years 1678 to 2262.
    pub const fn unix_nanos(&self) -> i64 {
        self.seconds
            .wrapping_mul(SECOND)
            .wrapping_add(self.nanoseconds as i64)
    }

    /// Formats by a layout of Go.
    pub fn format(&self, layout: &[u8]) -> Vec<u8> {
        layout::format(self, layout)
    }

    /// Formats as `encoding/json` does.
    pub fn to_rfc3339(&self) -> Vec<u8> {
        self.format(b"2006-01-02T15:04:05.999999999Z07:00")
    }

    /// Reads a text by a layout; a text without a zone is in `location`.
    pub fn parse(layout: &[u8], text: &[u8], location: &Location) -> Result<Self, ParseTimeError> {
        parse::parse(layout, text, location)
    }

    /// Whether both are the same instant in the same zone.
    pub(crate) fn is_identical(&self, other: &Self) -> bool {
        self.is_same_instant(other) && self.location == other.location
    }

    pub(crate) const fn is_same_instant(&self, other: &Self) -> bool {
        self.seconds == other.seconds && self.nanoseconds == other.nanoseconds
    }

    fn offset(&self) -> i64 {
        self.location.at(self.seconds).1
    }

    pub(crate) fn civil(&self) -> Civil {
        Civil::from_seconds(self.seconds.saturating_add(self.offset()))
    }

    /// A time by the clock on the wall in a zone.
    pub(crate) fn from_civil(civil: &Civil, nanoseconds: u32, location: Location) -> Self {
        let local = civil.seconds();
        // The offset before the change decides where the wall clock shows a time twice or never.
        let first = location.at(local - location.at(local).1).1;
        let guess = local - first;
        let seconds = match location.at(guess).1 {
            offset if offset == first => guess,
            offset => local - offset,
        };
        Self::from_unix(seconds, nanoseconds, location)
    }
}

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = self.format(b"2006-01-02 15:04:05.999999999 -0700 MST");
        f.write_str(&String::from_utf8_lossy(&text))
    }
}

/// Rounds half away from zero, capped at the ends.
pub(crate) fn round_duration(nanoseconds: i64, unit: i64) -> i64 {
    if unit <= 0 {
        return nanoseconds;
    }
    let over = (nanoseconds % unit).abs();
    let down = nanoseconds - nanoseconds % unit;
    if over < unit - over {
        return down;
    }
    if nanoseconds < 0 {
        down.checked_sub(unit).unwrap_or(i64::MIN)
    } else {
        down.checked_add(unit).unwrap_or(i64::MAX)
    }
}
