//! Times of records: RFC 3339 with nanoseconds, whose offset stays as it was written.

use jiff::Timestamp;

/// Go's zero time.
pub(crate) const ZERO: &str = "0001-01-01T00:00:00Z";
/// Go's error for a time that is not a string.
pub(crate) const NOT_A_TEXT: &str = "Time.UnmarshalJSON: input is not a JSON string";

/// A time as Go writes it.
pub(crate) fn format(time: Timestamp) -> String {
    let text = time.strftime("%Y-%m-%dT%H:%M:%S%.9fZ").to_string();
    normalize(&text)
}

/// Whether a text is a time, or empty as in records of Helm 3.
pub(crate) fn check(text: &str) -> Result<(), String> {
    if text.is_empty() || is_time(text) {
        return Ok(());
    }
    let quoted = sluice_golang::quote::quote(text);
    Err(format!(
        "parsing time {quoted} as \"2006-01-02T15:04:05Z07:00\": it is not a time"
    ))
}

fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_date = bytes.len() > 19
        && bytes
            .iter()
            .take(19)
            .enumerate()
            .all(|(at, byte)| match at {
                4 | 7 => *byte == b'-',
                10 => *byte == b'T',
                13 | 16 => *byte == b':',
                _ => byte.is_ascii_digit(),
            });
    is_date && text.parse::<Timestamp>().is_ok() || text == ZERO
}

/// Whether the instant is Go's zero time.
pub(crate) fn is_zero(text: &str) -> bool {
    normalize(text) == ZERO
}

/// The text that Go writes for a time that it has read: without zeros at the end of the fraction,
/// at most nine digits, and `Z` for UTC.
pub(crate) fn normalize(text: &str) -> String {
    let Some((date, rest)) = text.split_at_checked(19) else {
        return text.to_owned();
    };
    let zone = rest.find(['Z', '+', '-']).unwrap_or(rest.len());
    let (fraction, zone) = rest.split_at(zone);
    let digits = fraction.get(..fraction.len().min(10)).unwrap_or(fraction);
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    let zone = match zone {
        "+00:00" | "-00:00" => "Z",
        zone => zone,
    };
    format!("{date}{digits}{zone}")
}

#[cfg(test)]
mod tests {
    use super::{ZERO, check, format, is_zero, normalize};

    #[test]
    fn fraction_loses_its_zeros_and_utc_becomes_z() {
        let cases = [
            ("2024-05-06T07:08:09.120000000Z", "2024-05-06T07:08:09.12Z"),
            ("2024-05-06T07:08:09.000+02:00", "2024-05-06T07:08:09+02:00"),
            ("2024-05-06T07:08:09+00:00", "2024-05-06T07:08:09Z"),
            (
                "2024-05-06T07:08:09.123456789987-07:00",
                "2024-05-06T07:08:09.123456789-07:00",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(normalize(text), expected);
        }
    }

    #[test]
    fn timestamp_prints_in_utc() {
        let time = "2024-05-06T09:08:09.5+02:00".parse().unwrap();
        assert_eq!(format(time), "2024-05-06T07:08:09.5Z");
    }

    #[test]
    fn zero_time_and_empty_text_are_read() {
        assert!(is_zero(ZERO));
        assert!(check("").is_ok() && check(ZERO).is_ok());
        assert!(check("yesterday").is_err() && check("2024-13-06T07:08:09Z").is_err());
    }
}
