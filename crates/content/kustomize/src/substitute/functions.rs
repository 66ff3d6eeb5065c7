//! The functions of the substitution grammar.
//!
//! Parity: `fluxcd/pkg`: `envsubst/funcs.go`. Lengths and offsets count bytes. Upstream
//! panics on some ranges; here they are an error. The cost of a function is limited, since
//! value and pattern come from users.

use memchr::memmem;
use sluice_golang::unicode;

use super::Error;
use super::glob::{BadPattern, Glob};
use super::scan::decode;

/// The maximum size of an expression and of a text, in bytes.
pub(super) const MAX_BYTES: usize = 64 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Function {
    /// `${v}` and unknown operators: the value.
    Bare,
    /// `=`, `:=`, `:-`, `:?` and `:+`, with the same effect.
    Default,
    Length,
    LowerFirst,
    Lower,
    UpperFirst,
    Upper,
    TrimShortestPrefix,
    TrimLongestPrefix,
    TrimShortestSuffix,
    TrimLongestSuffix,
    Part,
    ReplaceFirst,
    ReplaceAll,
    ReplacePrefix,
    ReplaceSuffix,
}

impl Function {
    pub(super) fn named(name: &[u8]) -> Self {
        match name {
            b"," => Self::LowerFirst,
            b",," => Self::Lower,
            b"^" => Self::UpperFirst,
            b"^^" => Self::Upper,
            b"#" => Self::TrimShortestPrefix,
            b"##" => Self::TrimLongestPrefix,
            b"%" => Self::TrimShortestSuffix,
            b"%%" => Self::TrimLongestSuffix,
            b":" => Self::Part,
            b"/" => Self::ReplaceFirst,
            b"//" => Self::ReplaceAll,
            b"/#" => Self::ReplacePrefix,
            b"/%" => Self::ReplaceSuffix,
            b"=" | b":=" | b":-" | b":?" | b":+" => Self::Default,
            _ => Self::Bare,
        }
    }

    /// Whether the function accepts an unset variable in strict mode.
    pub(super) fn accepts_unset(self) -> bool {
        self == Self::Default
    }

    pub(super) fn apply(
        self,
        value: &[u8],
        arguments: &[Vec<u8>],
        effort: &mut u64,
    ) -> Result<Vec<u8>, Error> {
        let first = arguments.first().map_or(&[][..], Vec::as_slice);
        let second = arguments.get(1).map_or(&[][..], Vec::as_slice);
        match self {
            Self::Bare | Self::Default if value.is_empty() => Ok(arguments.concat()),
            Self::Length => Ok(value.len().to_string().into_bytes()),
            Self::Lower => Ok(mapped(value, unicode::to_lower)),
            Self::Upper => Ok(mapped(value, unicode::to_upper)),
            Self::LowerFirst => Ok(first_mapped(value, unicode::to_lower)),
            Self::UpperFirst => Ok(first_mapped(value, unicode::to_upper)),
            Self::TrimShortestPrefix => trim(value, first, Match::Shortest, effort),
            Self::TrimLongestPrefix => trim(value, first, Match::Longest, effort),
            Self::TrimShortestSuffix => trim_suffix(value, first, Match::Shortest, effort),
            Self::TrimLongestSuffix => trim_suffix(value, first, Match::Longest, effort),
            Self::Part => part(value, first, arguments.get(1).map(Vec::as_slice)),
            Self::ReplaceFirst => replaced(value, first, second, 1),
            Self::ReplaceAll => replaced(value, first, second, usize::MAX),
            Self::ReplacePrefix if arguments.len() == 2 && value.starts_with(first) => {
                replaced(value, first, second, 1)
            }
            Self::ReplaceSuffix if arguments.len() == 2 && value.ends_with(first) => {
                let mut result = value[..value.len() - first.len()].to_vec();
                result.extend_from_slice(second);
                Ok(result)
            }
            Self::Bare | Self::Default | Self::ReplacePrefix | Self::ReplaceSuffix => {
                Ok(value.to_vec())
            }
        }
    }
}

fn mapped(value: &[u8], map: fn(char) -> char) -> Vec<u8> {
    String::from_utf8_lossy(value)
        .chars()
        .map(map)
        .collect::<String>()
        .into_bytes()
}

fn first_mapped(value: &[u8], map: fn(char) -> char) -> Vec<u8> {
    let (first, width) = decode(value);
    if width == 0 {
        return Vec::new();
    }
    let mut result = map(first).to_string().into_bytes();
    result.extend_from_slice(&value[width..]);
    result
}

/// Parses an integer like `strconv.Atoi`.
fn integer(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    sluice_golang::number::parse_int(text, 10)
}

fn part(value: &[u8], position: &[u8], length: Option<&[u8]>) -> Result<Vec<u8>, Error> {
    // As in bash, an invalid number returns the whole value.
    let Some(position) = integer(position) else {
        return Ok(value.to_vec());
    };
    let whole = i128::try_from(value.len()).expect("a length fits");
    let mut position = i128::from(position);
    if position < 0 {
        position = (whole + position).max(0);
    }
    let rest = |position: i128| match usize::try_from(position) {
        Ok(position) => value.get(position..).unwrap_or_default().to_vec(),
        Err(_) => Vec::new(),
    };
    let Some(length) = length else {
        return Ok(rest(position));
    };
    let Some(length) = integer(length) else {
        return Ok(value.to_vec());
    };
    let end = position + i128::from(length);
    // Upstream's sum overflows, and its slice then panics.
    if i64::try_from(end).is_ok() && end >= whole {
        return Ok(rest(position));
    }
    let range = usize::try_from(position)
        .ok()
        .zip(usize::try_from(end).ok());
    let slice = range.and_then(|(position, end)| value.get(position..end));
    slice.map(<[u8]>::to_vec).ok_or(Error::OutOfRange)
}

fn replaced(value: &[u8], old: &[u8], new: &[u8], times: usize) -> Result<Vec<u8>, Error> {
    let mut result = Vec::with_capacity(value.len());
    let mut rest = value;
    let mut left = times;
    let mut before_first = true;
    // Linear in the value, unlike a comparison at each position.
    let finder = memmem::Finder::new(old);
    while left > 0 {
        let found = if old.is_empty() {
            // An empty text matches before each character and at the end.
            let (_, width) = decode(rest);
            match (before_first, width) {
                (true, _) => Some(0),
                (false, 0) => None,
                (false, width) => Some(width),
            }
        } else {
            finder.find(rest)
        };
        let Some(found) = found else { break };
        before_first = false;
        left -= 1;
        result.extend_from_slice(&rest[..found]);
        result.extend_from_slice(new);
        rest = &rest[found + old.len()..];
        if result.len() > MAX_BYTES {
            return Err(Error::TooLarge(MAX_BYTES));
        }
    }
    result.extend_from_slice(rest);
    Ok(result)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Match {
    Shortest,
    Longest,
}

/// Trims the prefix that a pattern matches. An invalid pattern returns the whole value.
fn trim(value: &[u8], pattern: &[u8], wanted: Match, effort: &mut u64) -> Result<Vec<u8>, Error> {
    let mut glob = Glob::new(pattern, effort);
    let mut shortest = 0;
    for length in (1..=value.len()).rev() {
        match glob.matches(&value[..length])? {
            Err(BadPattern) => return Ok(value.to_vec()),
            Ok(true) if wanted == Match::Longest => return Ok(value[length..].to_vec()),
            Ok(true) => shortest = length,
            Ok(false) => {}
        }
    }
    Ok(value[shortest..].to_vec())
}

/// Trims a suffix by reversing value and pattern.
fn trim_suffix(
    value: &[u8],
    pattern: &[u8],
    wanted: Match,
    effort: &mut u64,
) -> Result<Vec<u8>, Error> {
    let trimmed = trim(&reversed(value), &reversed(pattern), wanted, effort)?;
    Ok(reversed(&trimmed))
}

fn reversed(text: &[u8]) -> Vec<u8> {
    let text: String = String::from_utf8_lossy(text).chars().rev().collect();
    text.into_bytes()
}
