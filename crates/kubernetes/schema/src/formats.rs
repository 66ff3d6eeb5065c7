//! String formats that the server validates.
//!
//! Some libraries of the server accept many odd inputs. Email addresses and URIs are only rejected
//! when they are clearly invalid. ISBNs, credit card numbers and RGB colors always pass.
//!
//! Parity: `kube-openapi: pkg/validation/strfmt` and `govalidator`.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;
use sluice_golang::duration;

/// The known formats without hyphens.
const KNOWN: [&str; 26] = [
    "bsonobjectid",
    "byte",
    "cidr",
    "creditcard",
    "date",
    "datetime",
    "duration",
    "email",
    "hexcolor",
    "hostname",
    "ipv4",
    "ipv6",
    "isbn",
    "isbn10",
    "isbn13",
    "k8slongname",
    "k8sshortname",
    "mac",
    "password",
    "rgbcolor",
    "ssn",
    "uri",
    "uuid",
    "uuid3",
    "uuid4",
    "uuid5",
];

/// Whether the server validates a format.
pub(super) fn is_known(format: &str) -> bool {
    KNOWN.contains(&format.replace('-', "").as_str())
}

/// Whether a text matches a format.
pub(super) fn fits(format: &str, text: &str) -> bool {
    match format.replace('-', "").as_str() {
        "bsonobjectid" => text.len() == 24 && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "byte" => is_base64(text),
        "cidr" => is_cidr(text),
        "date" => is_date(text),
        "datetime" => is_time(text),
        "duration" => is_duration(text),
        "email" => text.contains('@'),
        "hexcolor" => {
            let digits = text.strip_prefix('#').unwrap_or(text);
            matches!(digits.len(), 3 | 6) && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
        }
        "hostname" => is_host_name(text),
        "ipv4" => text.contains('.') && is_address(text),
        "ipv6" => text.contains(':') && text.parse::<Ipv6Addr>().is_ok(),
        "k8slongname" => text.len() <= 253 && text.split('.').all(is_label),
        "k8sshortname" => text.len() <= 63 && is_label(text),
        "mac" => is_mac(text),
        "ssn" => SOCIAL.is_match(text),
        "uri" => is_uri(text),
        "uuid" => is_uuid(text, None, false),
        "uuid3" => is_uuid(text, Some('3'), false),
        "uuid4" => is_uuid(text, Some('4'), true),
        "uuid5" => is_uuid(text, Some('5'), true),
        _ => true,
    }
}

static SOCIAL: LazyLock<Regex> = LazyLock::new(|| pattern(r"^[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}$"));

static TIME: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$")
});

static SPAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"([0-9]+)[\t\n\f\r ]*([A-Za-zµ]+)"));

fn pattern(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a constant")
}

/// Whether a text is padded base64, at least one group of four.
fn is_base64(text: &str) -> bool {
    let unpadded = text.trim_end_matches('=');
    let padding = text.len() - unpadded.len();
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    !text.is_empty()
        && text.len().is_multiple_of(4)
        && padding <= 2
        && unpadded.bytes().all(is_digit)
}

fn is_date(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return false;
    }
    let number = |from: usize, to: usize| {
        let digits = text.get(from..to)?;
        let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        are_digits.then(|| digits.parse::<i16>().ok())?
    };
    let (Some(year), Some(month), Some(day)) = (number(0, 4), number(5, 7), number(8, 10)) else {
        return false;
    };
    let (month, day) = (i8::try_from(month), i8::try_from(day));
    matches!((month, day), (Ok(month), Ok(day)) if Date::new(year, month, day).is_ok())
}

fn is_time(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut parts = text.split('t');
    let (Some(date), Some(time)) = (parts.next(), parts.next()) else {
        return false;
    };
    let Some(found) = TIME.captures(time) else {
        return false;
    };
    let is_at_most =
        |part: usize, most: &str| found.get(part).is_some_and(|found| found.as_str() <= most);
    is_date(date) && is_at_most(1, "23") && is_at_most(2, "59") && is_at_most(3, "59")
}

/// Whether a text is a duration in Go's syntax or in words, such as `2 weeks`.
fn is_duration(text: &str) -> bool {
    const UNITS: [(&[&str], &str); 8] = [
        (&["ns"], "nano"),
        (&["us", "µs"], "micro"),
        (&["ms"], "milli"),
        (&["s"], "sec"),
        (&["m"], "min"),
        (&["h", "hr"], "hour"),
        (&["d"], "day"),
        (&["w", "wk"], "week"),
    ];
    if duration::parse(text).is_ok() {
        return true;
    }
    let mut has_unit = false;
    for found in SPAN.captures_iter(text) {
        if found[1].parse::<i64>().is_err() {
            return false;
        }
        let unit = found[2].to_lowercase();
        has_unit |= UNITS
            .iter()
            .any(|(names, start)| names.contains(&unit.as_str()) || unit.starts_with(start));
    }
    has_unit
}

/// Whether a text is a host name. Names with non-ASCII characters pass.
fn is_host_name(text: &str) -> bool {
    if !text.is_ascii() {
        return true;
    }
    // The reference allows Unicode symbols wherever letters are allowed.
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || b"$+<=>^`|~".contains(&byte);
    let labels: Vec<&[u8]> = text.split('.').map(str::as_bytes).collect();
    let fits = match labels.as_slice() {
        [] => false,
        [label] => match label {
            [first, rest @ ..] => {
                let rest = rest.strip_prefix(b"-").unwrap_or(rest);
                is_sign(*first) && rest.len() <= 62 && rest.iter().all(|byte| is_sign(*byte))
            }
            [] => false,
        },
        [labels @ .., top] => {
            let is_label = |label: &&[u8]| {
                let inner = |byte: &u8| is_sign(*byte) || *byte == b'-';
                let ends = [label.first(), label.last()];
                ends.iter()
                    .all(|end| end.is_some_and(|byte| is_sign(*byte)))
                    && label.len() <= 63
                    && label.iter().all(inner)
            };
            labels.iter().all(is_label)
                && (2..=63).contains(&top.len())
                && top.iter().all(u8::is_ascii_alphabetic)
        }
    };
    fits && text.len() <= 255 && labels.iter().all(|label| label.len() <= 63)
}

/// Whether a text is an IP address. Leading zeros pass, as in older Go releases.
fn is_address(text: &str) -> bool {
    if text.contains(':') {
        return text.parse::<Ipv6Addr>().is_ok();
    }
    let parts: Vec<&str> = text.split('.').collect();
    let is_part = |part: &&str| {
        let digits = part.trim_start_matches('0');
        let are_digits = part.bytes().all(|byte| byte.is_ascii_digit());
        !part.is_empty() && are_digits && (digits.is_empty() || digits.parse::<u8>().is_ok())
    };
    parts.len() == 4 && parts.iter().all(is_part)
}

fn is_cidr(text: &str) -> bool {
    let Some((address, bits)) = text.split_once('/') else {
        return false;
    };
    let most = if address.contains(':') {
        Ipv6Addr::BITS
    } else {
        Ipv4Addr::BITS
    };
    let are_digits = bits.bytes().all(|byte| byte.is_ascii_digit());
    is_address(address) && are_digits && bits.parse::<u32>().is_ok_and(|bits| bits <= most)
}

fn is_mac(text: &str) -> bool {
    let of = |separator: char, digits: usize, counts: [usize; 3]| {
        let groups: Vec<&str> = text.split(separator).collect();
        let is_group = |group: &&str| {
            group.len() == digits && group.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        counts.contains(&groups.len()) && groups.iter().all(is_group)
    };
    of(':', 2, [6, 8, 20]) || of('-', 2, [6, 8, 20]) || of('.', 4, [3, 4, 10])
}

/// Whether a text is a URI: a scheme or a leading slash, and a host without blanks.
fn is_uri(text: &str) -> bool {
    if text.is_empty() || text.bytes().any(|byte| byte.is_ascii_control()) {
        return false;
    }
    let has_scheme = text.split_once(':').is_some_and(|(scheme, _)| {
        let inner = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(inner)
    });
    let host = text.split_once("://").map(|(_, rest)| rest);
    let host = host.and_then(|rest| rest.split(['/', '?', '#']).next());
    let has_host = host.is_none_or(|host| !host.contains(' '));
    text == "*" || text.starts_with('/') || has_scheme && has_host
}

/// Whether a text is a UUID. Hyphens are optional.
fn is_uuid(text: &str, version: Option<char>, has_variant: bool) -> bool {
    let mut rest = text;
    let mut digits = String::new();
    for (group, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if group > 0 {
            rest = rest.strip_prefix('-').unwrap_or(rest);
        }
        let Some((found, after)) = rest.split_at_checked(length) else {
            return false;
        };
        digits.push_str(found);
        rest = after;
    }
    let digits: Vec<char> = digits.chars().collect();
    rest.is_empty()
        && digits.iter().all(char::is_ascii_hexdigit)
        && version.is_none_or(|version| digits.get(12) == Some(&version))
        && (!has_variant
            || digits
                .get(16)
                .is_some_and(|digit| "89abAB".contains(*digit)))
}

fn is_label(text: &str) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let bytes = text.as_bytes();
    bytes.first().is_some_and(is_inner)
        && bytes.last().is_some_and(is_inner)
        && bytes.iter().all(|byte| is_inner(byte) || *byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn formats_accept_valid_and_reject_invalid_texts() {
        for (format, good, bad) in [
            (
                "date",
                &["2024-02-29"][..],
                &["2023-02-29", "2024-2-9", "24-02-29", "x"][..],
            ),
            (
                "date-time",
                &["2024-02-29T23:59:59Z", "2024-02-29t00:00:00.5+01:00"],
                &["2024-02-29", "2024-02-29T24:00:00Z", "2024-02-29T00:00:00"],
            ),
            (
                "duration",
                &["1h30m", "22 ns", "2 weeks", "3 Days", "1 sec"],
                &["", "5", "1 year", "99999999999999999999 s"],
            ),
            (
                "byte",
                &["YQ==", "YWI=", "YWJj"],
                &["", "YQ", "Y===", "a-b="],
            ),
            (
                "ipv4",
                &["1.2.3.4", "010.0.0.1", "::ffff:1.2.3.4"],
                &["1.2.3", "1.2.3.256", "::1"],
            ),
            (
                "ipv6",
                &["::1", "fe80::1"],
                &["1.2.3.4", "fe80::1%eth0", ":"],
            ),
            (
                "cidr",
                &["10.0.0.0/8", "::/0"],
                &["10.0.0.0", "10.0.0.0/33", "10.0.0.0/-1", "::/129"],
            ),
            (
                "mac",
                &["00:00:5e:00:53:01", "00-00-5E-00-53-01", "0000.5e00.5301"],
                &["00:00:5e:00:53", "00:00:5e:00:53:0g"],
            ),
            (
                "hostname",
                &["a", "a-b", "example.com", "a--b.example.com"],
                &["", "-a", "a-b-c", "a_b", "example.com.", "a.b1", "a.b"],
            ),
            (
                "uri",
                &["https://example.com/a", "/a", "a:b", "*"],
                &["", "example.com", "a b", "http://a b"],
            ),
            ("email", &["a@example.com"], &["a", ""]),
            (
                "uuid",
                &[
                    "123e4567-e89b-12d3-a456-426614174000",
                    "123E4567e89b12d3a456426614174000",
                ],
                &[
                    "123e4567-e89b-12d3-a456-42661417400",
                    "x",
                    "éééééééééééééééé",
                ],
            ),
            (
                "uuid4",
                &["123e4567-e89b-42d3-a456-426614174000"],
                &[
                    "123e4567-e89b-12d3-a456-426614174000",
                    "123e4567-e89b-42d3-c456-426614174000",
                ],
            ),
            ("hexcolor", &["#fff", "00FF00"], &["#ff", "red"]),
            ("ssn", &["123-45-6789", "123456789"], &["12-345-6789"]),
            ("k8s-short-name", &["a-b", "1"], &["a.b", "A", "-a", ""]),
            ("k8s-long-name", &["a-b.c"], &["a..b", "A"]),
            ("password", &["", "x"], &[]),
            ("isbn", &["whatever"], &[]),
        ] {
            for text in good {
                assert!(fits(format, text), "{format} {text}");
            }
            for text in bad {
                assert!(!fits(format, text), "{format} {text}");
            }
        }
    }
}
