//! Dates and clocks of the Gregorian calendar, for every year that 64 bits of seconds reach.

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

const DAY: i64 = 86_400;

/// The name of a month, as `time.Month` prints it.
pub(crate) fn month_name(month: i64) -> String {
    let name = usize::try_from(month - 1)
        .ok()
        .and_then(|at| MONTHS.get(at));
    match name {
        Some(name) => (*name).to_owned(),
        None => format!("%!Month({month})"),
    }
}

/// The name of a day of the week, as `time.Weekday` prints it.
pub(crate) fn weekday_name(day: i64) -> String {
    let name = usize::try_from(day).ok().and_then(|at| DAYS.get(at));
    match name {
        Some(name) => (*name).to_owned(),
        None => format!("%!Weekday({day})"),
    }
}

/// A date and a clock without a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Civil {
    pub(crate) year: i64,
    pub(crate) month: i64,
    pub(crate) day: i64,
    pub(crate) hour: i64,
    pub(crate) minute: i64,
    pub(crate) second: i64,
}

impl Civil {
    /// The date and clock of seconds since 1970.
    pub(crate) const fn from_seconds(seconds: i64) -> Self {
        let days = seconds.div_euclid(DAY);
        let clock = seconds.rem_euclid(DAY);
        // Eras of 400 years that begin on the first of March.
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let month = if shifted_month < 10 {
            shifted_month + 3
        } else {
            shifted_month - 9
        };
        Self {
            year: year_of_era + era * 400 + if month <= 2 { 1 } else { 0 },
            month,
            day: of_year - (153 * shifted_month + 2) / 5 + 1,
            hour: clock / 3600,
            minute: clock / 60 % 60,
            second: clock % 60,
        }
    }

    /// Seconds since 1970; months and days outside of their ranges carry over.
    pub(crate) const fn seconds(&self) -> i64 {
        let months = self.month - 1;
        let year = self.year + months.div_euclid(12);
        let month = months.rem_euclid(12) + 1;
        let year = if month <= 2 { year - 1 } else { year };
        let era = year.div_euclid(400);
        let year_of_era = year.rem_euclid(400);
        let shifted_month = if month > 2 { month - 3 } else { month + 9 };
        let of_year = (153 * shifted_month + 2) / 5 + self.day - 1;
        let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
        let days = (era * 146_097 + of_era - 719_468).wrapping_mul(DAY);
        days.wrapping_add(self.hour * 3600 + self.minute * 60 + self.second)
    }

    pub(crate) const fn weekday(&self) -> i64 {
        (self.seconds().div_euclid(DAY) + 4).rem_euclid(7)
    }

    pub(crate) const fn year_day(&self) -> i64 {
        let first = Self {
            month: 1,
            day: 1,
            ..*self
        };
        (self.seconds() - first.seconds()).div_euclid(DAY) + 1
    }
}

pub(super) const fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub(super) const fn days_in(month: i64, year: i64) -> i64 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
