//! Formats of texts, which drafts up to 7 check. A format that is not listed is not checked.
//!
//! The rules and reasons are those of Helm's validator. A malformed IPv6 address has one reason
//! here, where Go has several.

use std::net::Ipv6Addr;

use sluice_golang::number::{IntError, parse_go_int};
use sluice_golang::quote::{quote, quote_char};
use sluice_gotemplate::sprig::url::{UrlParts, parse_url, unescape_path};
use sluice_gotemplate::time::{Location, Time};

/// The bytes of a compiled pattern.
pub(super) const PATTERN_BYTES: usize = 1 << 20;

/// The digits of the groups of a UUID.
const UUID_GROUPS: [usize; 5] = [8, 4, 4, 4, 12];
/// The units of a duration, before and after the `T`.
const DURATION_UNITS: [&str; 2] = ["YMD", "HMS"];
/// The signs of a local part without quotes, beside letters and digits.
const LOCAL_SIGNS: &str = ".!#$%&'*+-/=?^_`{|}~";

type FormatResult = Result<(), String>;

/// The reason why a text does not have a format.
pub(super) fn check(format: &str, text: &str) -> Option<String> {
    let checked = match format {
        "regex" => {
            let compiled = sluice_golang::regexp::compile(text, PATTERN_BYTES);
            compiled.map(drop).map_err(|error| error.to_string())
        }
        "json-pointer" => json_pointer(text),
        "relative-json-pointer" => relative_json_pointer(text),
        "uuid" => uuid(text),
        "duration" => duration(text),
        "period" => period(text),
        "ipv4" => ipv4(text),
        "ipv6" => ipv6(text),
        "hostname" => host_name(text),
        "email" => email(text),
        "date" => date(text),
        "time" => time(text),
        "date-time" => date_time(text),
        "uri" | "iri" => uri(text),
        "uri-reference" | "iri-reference" => uri_reference(text),
        "uri-template" => uri_template(text),
        "semver" => semver(text),
        _ => Ok(()),
    };
    checked.err()
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, String> {
    Err(reason.into())
}

/// Fails with the reason unless the condition holds.
fn demand(holds: bool, reason: &str) -> FormatResult {
    if holds { Ok(()) } else { refuse(reason) }
}

/// Adds the part of a text to a reason.
fn within(checked: FormatResult, part: &str) -> FormatResult {
    checked.map_err(|reason| format!("invalid {part}: {reason}"))
}

/// The number of digits at the start of a text.
fn count_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

fn json_pointer(text: &str) -> FormatResult {
    let Some(tokens) = text.strip_prefix('/') else {
        return demand(text.is_empty(), "not starting with /");
    };
    for token in tokens.split('/') {
        let mut after_tildes = token.split('~').skip(1);
        let is_escape = |rest: &str| rest.starts_with(['0', '1']);
        demand(after_tildes.all(is_escape), "~ must be followed by 0 or 1")?;
    }
    Ok(())
}

fn relative_json_pointer(text: &str) -> FormatResult {
    let digits = count_digits(text);
    demand(digits > 0, "must start with non-negative integer")?;
    demand(digits == 1 || !text.starts_with('0'), "starts with zero")?;
    match &text[digits..] {
        "#" => Ok(()),
        rest => json_pointer(rest),
    }
}

fn uuid(text: &str) -> FormatResult {
    let groups: Vec<&str> = text.split('-').collect();
    demand(groups.len() == UUID_GROUPS.len(), "must have 5 elements")?;
    for (index, (group, length)) in groups.iter().zip(UUID_GROUPS).enumerate() {
        if group.len() != length {
            let number = index + 1;
            return refuse(format!("element {number} must be {length} characters long"));
        }
        if let Some(sign) = group.chars().find(|sign| !sign.is_ascii_hexdigit()) {
            return refuse(format!("non-hex character {}", quote_char(sign)));
        }
    }
    Ok(())
}

fn duration(text: &str) -> FormatResult {
    let Some(text) = text.strip_prefix('P') else {
        return refuse("must start with P");
    };
    demand(!text.is_empty(), "nothing after P")?;
    if let Some(weeks) = text.strip_suffix('W') {
        demand(!weeks.is_empty(), "no number in week")?;
        return demand(count_digits(weeks) == weeks.len(), "invalid week");
    }
    for (index, part) in text.split('T').enumerate() {
        demand(index == 0 || !part.is_empty(), "no time elements")?;
        let Some(units) = DURATION_UNITS.get(index) else {
            return refuse("more than one T");
        };
        duration_part(part, units)?;
    }
    Ok(())
}

/// Numbers, each with one of the units, in the order of the units.
fn duration_part(mut part: &str, units: &str) -> FormatResult {
    let mut left = units;
    while !part.is_empty() {
        let digits = count_digits(part);
        demand(digits > 0, "missing number")?;
        let Some(unit) = part[digits..].chars().next() else {
            return refuse("missing unit");
        };
        let Some(at) = left.find(unit) else {
            // Go looks at a byte here.
            let byte = part.as_bytes()[digits];
            let shown = quote_char(char::from(byte));
            return refuse(if units.contains(unit) {
                format!("unit {shown} out of order")
            } else {
                format!("invalid unit {shown}")
            });
        };
        left = &left[at + 1..];
        part = &part[digits + 1..];
    }
    Ok(())
}

fn period(text: &str) -> FormatResult {
    let Some((start, end)) = text.split_once('/') else {
        return refuse("missing slash");
    };
    if start.starts_with('P') {
        within(duration(start), "start duration")?;
        return within(date_time(end), "end date-time");
    }
    within(date_time(start), "start date-time")?;
    if end.starts_with('P') {
        within(duration(end), "end duration")
    } else {
        within(date_time(end), "end date-time")
    }
}

/// An integer as `Atoi` of Go reads it.
fn integer(text: &str) -> Result<i64, String> {
    parse_go_int(text, 10).map_err(|error| {
        let cause = match error {
            IntError::Syntax => "invalid syntax",
            IntError::Range(_) => "value out of range",
        };
        format!("strconv.Atoi: parsing {}: {cause}", quote(text))
    })
}

fn ipv4(text: &str) -> FormatResult {
    let groups: Vec<&str> = text.split('.').collect();
    demand(groups.len() == 4, "expected four decimals")?;
    for group in groups {
        let has_zeros = group.len() > 1 && group.starts_with('0');
        demand(!has_zeros, "leading zeros")?;
        let is_byte = (0..=255).contains(&integer(group)?);
        demand(is_byte, "decimal must be between 0 and 255")?;
    }
    Ok(())
}

fn ipv6(text: &str) -> FormatResult {
    demand(text.contains(':'), "missing colon")?;
    let (address, zone) = match text.split_once('%') {
        Some((address, zone)) => (address, Some(zone)),
        None => (text, None),
    };
    if address.parse::<Ipv6Addr>().is_err() || zone == Some("") {
        let shown = quote(text);
        return refuse(format!("ParseAddr({shown}): unable to parse IP"));
    }
    demand(zone.is_none(), "zone id is not a part of ipv6 address")
}

fn host_name(text: &str) -> FormatResult {
    let text = text.strip_suffix('.').unwrap_or(text);
    demand(text.len() <= 253, "more than 253 characters long")?;
    for label in text.split('.') {
        let is_sized = (1..=63).contains(&label.len());
        demand(is_sized, "label must be 1 to 63 characters long")?;
        demand(!label.starts_with('-'), "label starts with hyphen")?;
        demand(!label.ends_with('-'), "label ends with hyphen")?;
        let is_allowed = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
        known_signs(label, is_allowed)?;
    }
    Ok(())
}

/// Fails at the first sign that is not allowed.
fn known_signs(text: &str, is_allowed: impl Fn(char) -> bool) -> FormatResult {
    match text.chars().find(|sign| !is_allowed(*sign)) {
        None => Ok(()),
        Some(sign) => refuse(format!("invalid character {}", quote_char(sign))),
    }
}

fn email(text: &str) -> FormatResult {
    demand(text.len() <= 254, "more than 255 characters long")?;
    let Some((local, domain)) = text.rsplit_once('@') else {
        return refuse("missing @");
    };
    let is_short = local.len() <= 64;
    demand(is_short, "local part more than 64 characters long")?;
    local_part(local)?;
    let inside = domain
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    match inside {
        None => within(host_name(domain), "domain"),
        Some(address) => match address.strip_prefix("IPv6:") {
            Some(address) => within(ipv6(address), "ipv6 address"),
            None => within(ipv4(address), "ipv4 address"),
        },
    }
}

/// The part of an address before the `@`.
fn local_part(local: &str) -> FormatResult {
    if local.len() > 1
        && let Some(quoted) = local.strip_prefix('"')
    {
        // Helm's validator drops the last sign, whatever it is.
        let mut quoted = quoted.chars();
        quoted.next_back();
        return demand(
            !quoted.as_str().contains(['\\', '"']),
            "backslash and quote are not allowed within quoted local part",
        );
    }
    demand(!local.starts_with('.'), "starts with dot")?;
    demand(!local.ends_with('.'), "ends with dot")?;
    demand(!local.contains(".."), "consecutive dots")?;
    let is_allowed = |sign: char| sign.is_ascii_alphanumeric() || LOCAL_SIGNS.contains(sign);
    known_signs(local, is_allowed)
}

fn date(text: &str) -> FormatResult {
    let parsed = Time::parse(b"2006-01-02", text.as_bytes(), &Location::Utc);
    parsed.map(drop).map_err(|error| error.to_string())
}

/// The numbers of a text with colons between, all below their limits.
fn numbers<const N: usize>(text: &str, what: &str) -> Result<[i64; N], String> {
    let mut found = [0; N];
    let mut count = 0;
    for (into, token) in found.iter_mut().zip(text.splitn(N, ':')) {
        let number = parse_go_int(token, 10);
        *into = number.or_else(|_| refuse(format!("invalid {what}")))?;
        let reason = format!("non-positive {what}");
        demand(*into >= 0, &reason)?;
        count += 1;
    }
    demand(count == N, "missing hour/min/sec")?;
    Ok(found)
}

fn time(text: &str) -> FormatResult {
    const IN_OFFSET: &str = "hour/min in offset";
    let bytes = text.as_bytes();
    demand(bytes.len() >= 9, "less than 9 characters long")?;
    let has_colons = bytes[2] == b':' && bytes[5] == b':';
    demand(has_colons, "missing colon in correct place")?;
    let (Some(clock), Some(mut rest)) = (text.get(..8), text.get(8..)) else {
        return refuse("invalid hour/min/sec");
    };
    let [mut hour, mut minute, second] = numbers::<3>(clock, "hour/min/sec")?;
    let is_in_range = hour <= 23 && minute <= 59 && second <= 60;
    demand(is_in_range, "hour/min/sec out of range")?;
    if let Some(fraction) = rest.strip_prefix('.') {
        let digits = count_digits(fraction);
        demand(digits > 0, "no digits in second fraction")?;
        rest = &fraction[digits..];
    }
    if !matches!(rest, "z" | "Z") {
        demand(rest.len() == 6, "offset must be 6 characters long")?;
        let (sign, offset) = match (rest.strip_prefix('+'), rest.strip_prefix('-')) {
            (Some(offset), _) => (-1, offset),
            (_, Some(offset)) => (1, offset),
            _ => return refuse("offset must begin with plus/minus"),
        };
        let has_colon = offset.as_bytes()[2] == b':';
        demand(has_colon, "missing colon in offset in correct place")?;
        let [hours, minutes] = numbers::<2>(offset, IN_OFFSET)?;
        let is_in_range = hours <= 23 && minutes <= 59;
        demand(is_in_range, "hour/min in offset out of range")?;
        let mut total = hour * 60 + minute + sign * (hours * 60 + minutes);
        if total < 0 {
            total += 24 * 60;
        }
        (hour, minute) = (total / 60, total % 60);
    }
    let is_leap = second >= 60;
    demand(
        !is_leap || (hour, minute) == (23, 59),
        "invalid leap second",
    )
}

fn date_time(text: &str) -> FormatResult {
    let bytes = text.as_bytes();
    demand(bytes.len() >= 20, "less than 20 characters long")?;
    let has_separator = matches!(bytes[10], b't' | b'T');
    demand(has_separator, "11th character must be t or T")?;
    // Both sides of an ASCII letter are valid UTF-8.
    let (day, clock) = (&text[..10], &text[11..]);
    within(date(day), "date element")?;
    within(time(clock), "time element")
}

/// A URL whose host may be an IPv6 address in brackets only.
fn url(text: &str) -> Result<UrlParts, String> {
    let url = parse_url(text.as_bytes())?;
    if url.host_name.contains(&b':') {
        let has_brackets = url.host.contains(&b'[') && url.host.contains(&b']');
        demand(has_brackets, "ipv6 address not enclosed in brackets")?;
        let name = String::from_utf8_lossy(&url.host_name);
        within(ipv6(&name), "ipv6 address")?;
    }
    Ok(url)
}

fn uri(text: &str) -> FormatResult {
    let url = url(text)?;
    demand(!url.scheme.is_empty(), "relative url")
}

fn uri_reference(text: &str) -> FormatResult {
    demand(!text.contains('\\'), "contains \\")?;
    url(text).map(drop)
}

fn uri_template(text: &str) -> FormatResult {
    let url = url(text)?;
    for part in url.raw_path.split(|byte| *byte == b'/') {
        let part = unescape_path(part);
        let part = part.map_err(|reason| format!("percent decode failed: {reason}"))?;
        let mut is_open = false;
        for byte in part {
            if matches!(byte, b'{' | b'}') {
                demand(is_open == (byte == b'}'), "nested curly braces")?;
                is_open = !is_open;
            }
        }
        demand(!is_open, "no matching closing brace")?;
    }
    Ok(())
}

fn semver(text: &str) -> FormatResult {
    let is_identifier = |sign: char| sign.is_ascii_alphanumeric() || sign == '-';
    let identifier = |text: &str, of: &str| match text.chars().find(|sign| !is_identifier(*sign)) {
        None => Ok(()),
        Some(sign) => {
            let sign = quote_char(sign);
            refuse(format!("invalid character {sign} in {of} identifier"))
        }
    };
    let (text, build) = match text.split_once('+') {
        Some((text, build)) => (text, Some(build)),
        None => (text, None),
    };
    if let Some(build) = build {
        demand(!build.is_empty(), "build is empty")?;
        for part in build.split('.') {
            demand(!part.is_empty(), "build identifier is empty")?;
            identifier(part, "build")?;
        }
    }
    let (core, release) = match text.split_once('-') {
        Some((core, release)) => (core, Some(release)),
        None => (text, None),
    };
    for part in release.into_iter().flat_map(|release| release.split('.')) {
        demand(!part.is_empty(), "pre-release identifier is empty")?;
        identifier(part, "pre-release")?;
        let has_zeros = part.len() > 1 && part.starts_with('0') && count_digits(part) == part.len();
        demand(
            !has_zeros,
            "pre-release numeric identifier starts with zero",
        )?;
    }
    let numbers: Vec<&str> = core.split('.').collect();
    let is_complete = numbers.len() == 3;
    demand(
        is_complete,
        "versionCore must have 3 numbers separated by dot",
    )?;
    for (number, name) in numbers.into_iter().zip(["major", "minor", "patch"]) {
        demand(!number.is_empty(), &format!("{name} is empty"))?;
        let has_zeros = number.len() > 1 && number.starts_with('0');
        demand(!has_zeros, &format!("{name} starts with zero"))?;
        let is_number = count_digits(number) == number.len();
        demand(is_number, &format!("{name} contains non-digit"))?;
    }
    Ok(())
}
