//! Reads the memory limit in the notation of Go's runtime. Pure.

/// The value of a process without a limit.
const UNLIMITED: u64 = i64::MAX.unsigned_abs();

/// The value is not a number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a number of bytes such as 1073741824, 1GiB or off")]
pub(super) struct MalformedLimit;

/// Reads the value of `GOMEMLIMIT`, as Go does.
///
/// Parity: go: runtime: mgcpacer.go: readGOMEMLIMIT.
pub(super) fn memory_limit(text: &str) -> Result<u64, MalformedLimit> {
    match text {
        "" | "off" => Ok(UNLIMITED),
        _ => byte_count(text).ok_or(MalformedLimit),
    }
}

fn byte_count(text: &str) -> Option<u64> {
    let units = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("B", 1),
        ("", 1),
    ];
    let (number, unit) = units
        .into_iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, unit)))?;
    let number = number.parse::<i64>().ok()?;
    let bytes = u64::try_from(number).ok()?.checked_mul(unit)?;
    (bytes <= UNLIMITED).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases of `TestParseByteCount` of Go.
    #[test]
    fn bytes_are_read_as_in_go() {
        for (text, bytes) in [
            ("1", 1),
            ("012345", 12345),
            ("98765432100", 98_765_432_100),
            ("9223372036854775807", UNLIMITED),
            ("12345B", 12345),
            ("9223372036854775807B", UNLIMITED),
            ("05KiB", 5 << 10),
            ("10MiB", 10 << 20),
            ("100GiB", 100 << 30),
            ("99TiB", 99 << 40),
            ("-0", 0),
            ("0B", 0),
            ("0TiB", 0),
        ] {
            assert_eq!(byte_count(text), Some(bytes), "{text}");
        }
        for text in [
            "",
            "-1",
            "a12345",
            "a12345B",
            "12345x",
            "0x12345",
            "9223372036854775808",
            "18446744073709551617B",
            "1Ki",
            "22iB",
            "B",
            "iB",
            "KiB",
            "-120KiB",
            "99999999999999999999KiB",
            "99999999999999GiB",
            "99999999999TiB",
            "555EiB",
            "1KB",
            "10M",
        ] {
            assert_eq!(byte_count(text), None, "{text}");
        }
    }

    #[test]
    fn limit_may_be_off() {
        assert_eq!(memory_limit("off"), Ok(UNLIMITED));
        assert_eq!(memory_limit(""), Ok(UNLIMITED));
        assert_eq!(memory_limit("half"), Err(MalformedLimit));
    }
}
