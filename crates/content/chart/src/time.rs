//! Times as Go's `encoding/json` reads and writes them.

use jiff::Timestamp;

/// Go's zero time.
pub(crate) const ZERO: &str = "0001-01-01T00:00:00Z";

/// A time as Go writes it after reading it: with its offset, without zeros at the end of the
/// fraction. `None` if it is not a time of RFC 3339.
pub(crate) fn normalize(text: &str) -> Option<String> {
    let (date, rest) = text.split_at_checked(19)?;
    let form = b"0000-00-00T00:00:00";
    let is_formed = date.bytes().zip(form).all(|(found, form)| match form {
        b'0' => found.is_ascii_digit(),
        other => found == *other,
    });
    let digits = rest.strip_prefix(['.', ',']);
    let (fraction, zone) = digits.map_or(("", rest), |digits| {
        let end = digits.find(|next: char| !next.is_ascii_digit());
        digits.split_at(end.unwrap_or(digits.len()))
    });
    if !is_formed || (digits.is_some() && fraction.is_empty()) {
        return None;
    }
    let fraction = fraction.get(..9).unwrap_or(fraction).trim_end_matches('0');
    let zone = match zone {
        "Z" | "+00:00" | "-00:00" => "Z",
        other => other,
    };
    let dot = if fraction.is_empty() { "" } else { "." };
    let normal = format!("{date}{dot}{fraction}{zone}");
    normal.parse::<Timestamp>().is_ok().then_some(normal)
}

#[cfg(test)]
mod tests {
    use super::normalize;

    /// Go's answers to a round trip through `time.Time`.
    #[test]
    fn times_are_written_as_in_go() {
        for (text, expected) in [
            ("2024-02-03T04:05:06Z", Some("2024-02-03T04:05:06Z")),
            (
                "2024-02-03T04:05:06.120000000Z",
                Some("2024-02-03T04:05:06.12Z"),
            ),
            ("2024-02-03T04:05:06.000Z", Some("2024-02-03T04:05:06Z")),
            (
                "2024-02-03T04:05:06.1234567891+02:00",
                Some("2024-02-03T04:05:06.123456789+02:00"),
            ),
            ("2024-02-03T04:05:06+00:00", Some("2024-02-03T04:05:06Z")),
            ("2024-02-30T04:05:06Z", None),
            ("2024-02-03 04:05:06Z", None),
            ("2024-02-03T04:05:06.Z", None),
            ("yesterday", None),
            ("", None),
        ] {
            assert_eq!(normalize(text).as_deref(), expected, "{text}");
        }
    }
}
