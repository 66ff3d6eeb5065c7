//! Kubernetes' quantities, for their order: `500m`, `1.5`, `2Gi`, `1e3`.
//!
//! It accepts the texts of `resource.ParseQuantity`. Digits are optional, so that `k` is zero
//! thousand. Amounts are counted in billionths, as there. Amounts beyond the range are equal.

/// Billionths, and how many of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Quantity(i128);

/// How many decimal places are kept.
const PLACES: i64 = 9;

impl Quantity {
    /// Reads a text that is a quantity.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let (is_negative, unsigned) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text.strip_prefix('+').unwrap_or(text)),
        };
        let (whole, rest) = digits(unsigned);
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), digits);
        let (tens, doublings) = scale(suffix)?;
        let amount = amount(whole, fraction, tens, doublings);
        Some(Self(if is_negative { -amount } else { amount }))
    }
}

fn digits(text: &str) -> (&str, &str) {
    let end = text.find(|character: char| !character.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// The powers of ten and of two of a suffix.
fn scale(suffix: &str) -> Option<(i64, u32)> {
    Some(match suffix {
        "n" => (-9, 0),
        "u" => (-6, 0),
        "m" => (-3, 0),
        "" => (0, 0),
        "k" => (3, 0),
        "M" => (6, 0),
        "G" => (9, 0),
        "T" => (12, 0),
        "P" => (15, 0),
        "E" => (18, 0),
        "Ki" => (0, 10),
        "Mi" => (0, 20),
        "Gi" => (0, 30),
        "Ti" => (0, 40),
        "Pi" => (0, 50),
        "Ei" => (0, 60),
        _ => {
            let exponent = suffix.strip_prefix(['e', 'E'])?;
            (sluice_golang::number::parse_int(exponent, 10)?, 0)
        }
    })
}

/// `whole.fraction` times powers of ten and two, in billionths; a smaller rest counts
/// as one.
fn amount(whole: &str, fraction: &str, tens: i64, doublings: u32) -> i128 {
    let mut number: i128 = 0;
    for digit in whole.bytes().chain(fraction.bytes()) {
        number = number
            .saturating_mul(10)
            .saturating_add(i128::from(digit - b'0'));
    }
    if number == 0 {
        return 0;
    }
    let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
    let shift = tens.saturating_add(PLACES).saturating_sub(places);
    number = number.saturating_mul(1 << doublings);
    let power = u32::try_from(shift.unsigned_abs())
        .ok()
        .and_then(|shift| 10_i128.checked_pow(shift));
    match (shift >= 0, power) {
        (true, Some(power)) => number.saturating_mul(power),
        (true, None) => i128::MAX,
        (false, Some(power)) => number.saturating_add(power - 1) / power,
        (false, None) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_compared_by_amount() {
        let ascending = [
            "-1e40", "-1Ki", "-1", "-0.5", "0", "1n", "1u", "100u", "1m", "0.5", "999m", "1",
            "1.5", "2", "1k", "1Ki", "1e6", "1Mi", "1G", "1Gi", "1T", "1P", "1E", "1Ei", "1e30",
        ];
        for pair in ascending.windows(2) {
            let [one, other] = [pair[0], pair[1]].map(|text| Quantity::parse(text).unwrap());
            assert!(one < other, "{pair:?}");
        }
        for (one, other) in [
            ("1", "1000m"),
            ("1.0", "+1"),
            ("0.1Ki", "102.4"),
            ("1e3", "1k"),
            ("0.0000000001", "1n"),
            ("k", "0"),
            (".", "0"),
            ("-", "0"),
        ] {
            assert_eq!(
                Quantity::parse(one),
                Quantity::parse(other),
                "{one} {other}"
            );
            assert!(Quantity::parse(one).is_some(), "{one}");
        }
    }

    #[test]
    fn other_texts_are_rejected() {
        for text in [
            "",
            "a",
            "1a",
            "1.2.3",
            "v1",
            "e",
            "1e",
            "1e1.5",
            "1kk",
            "Kii",
            "2026-01-01T00:00:00Z",
            "main@sha1:abc",
            "1 ",
            "--1",
        ] {
            assert_eq!(Quantity::parse(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_parsed_without_panic(text in "[-+.0-9eEinumkKMGTP]{0,60}") {
            let _answer = Quantity::parse(&text);
        }
    }
}
