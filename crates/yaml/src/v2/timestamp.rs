//! Does a scalar look like a point in time?
//!
//! The reader keeps such a scalar as text; the writer must quote it. Go answers
//! by trying four layouts of its `time.Parse`, with all that this function
//! forgives: one-digit fields, a comma before the fraction, any number of spaces.

/// Reports whether go-yaml would take the text for a timestamp.
pub(super) fn is_timestamp(text: &str) -> bool {
    // A year has four digits in each layout; most numbers leave here.
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    digits == 4 && text.as_bytes().get(4) == Some(&b'-') && parse(text).is_some()
}

fn parse(text: &str) -> Option<()> {
    let (year, rest) = text.split_at(4);
    let year: u32 = year.parse().ok()?;
    let (month, rest) = number(rest.strip_prefix('-')?)?;
    let (day, rest) = number(rest.strip_prefix('-')?)?;
    if !(1..=12).contains(&month) || day < 1 || day > days(year, month) {
        return None;
    }
    if rest.is_empty() {
        return Some(());
    }
    if let Some(rest) = rest.strip_prefix(['T', 't']) {
        return zone(time(rest)?);
    }
    // The layout with a space has no zone.
    let rest = rest.strip_prefix(' ')?.trim_start_matches(' ');
    time(rest)?.is_empty().then_some(())
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

/// `15:4:5.999999999`; returns what follows.
fn time(text: &str) -> Option<&str> {
    let (hour, rest) = number(text)?;
    let (minute, rest) = number(rest.strip_prefix(':')?)?;
    let (second, rest) = number(rest.strip_prefix(':')?)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    if let Some(fraction) = rest.strip_prefix(['.', ',']) {
        let after = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
        if after.len() < fraction.len() {
            return Some(after);
        }
    }
    Some(rest)
}

/// `Z07:00`
fn zone(text: &str) -> Option<()> {
    if text == "Z" {
        return Some(());
    }
    let offset = text.strip_prefix(['+', '-'])?;
    let (hours, minutes) = offset.split_once(':')?;
    let field = |digits: &str| match digits.as_bytes() {
        [b'0'..=b'9', b'0'..=b'9'] => digits.parse::<u32>().ok(),
        _ => None,
    };
    // Go lets an offset be 24 hours and have 60 minutes.
    (field(hours)? <= 24 && field(minutes)? <= 60).then_some(())
}

#[cfg(test)]
mod tests {
    use super::is_timestamp;

    #[test]
    fn the_layouts_of_go_are_recognised_with_what_go_forgives() {
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
