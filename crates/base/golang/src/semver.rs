//! Semantic versions and constraints of the Go library `Masterminds/semver` v3.
//!
//! The library is more lenient than the standard: it accepts `v1.2` and `01.2.3`. Its constraints
//! have their own grammar: `^1.2`, `~1.x`, `>=1 <2 || 3.x`, `1.2 - 1.4`. A version with a
//! prerelease matches only if the same `||` group of the constraint names a prerelease.
//!
//! Start at [`Version::parse`] and [`Constraint::parse`].

use std::cmp::Ordering;
use std::fmt;

mod constraint;

pub use constraint::{Constraint, ParseConstraintError};

/// Maximum length of a version.
const MAX_LENGTH: usize = 256;

/// A version. Order and equality follow precedence: build metadata does not count, so two equal
/// versions can print differently.
#[derive(Debug, Clone)]
pub struct Version {
    major: u64,
    minor: u64,
    patch: u64,
    prerelease: String,
    metadata: String,
    original: String,
}

/// The text is not a version. The message is the library's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ParseVersionError {
    /// The text does not have the form of a version.
    #[error("invalid semantic version")]
    Invalid,
    /// The text is empty.
    #[error("version string empty")]
    Empty,
    /// A number contains a character that is not a digit.
    #[error("invalid characters in version")]
    Characters,
    /// A number starts with a zero.
    #[error("version segment starts with 0")]
    LeadingZero,
    /// The part after `+` is invalid.
    #[error("invalid metadata string")]
    Metadata,
    /// The part after `-` is invalid.
    #[error("invalid prerelease string")]
    Prerelease,
    /// The text is too long.
    #[error("version string is too long (max {MAX_LENGTH} bytes)")]
    TooLong,
    /// A number between two dots is missing.
    #[error("strconv.ParseUint: parsing \"\": invalid syntax")]
    NoNumber,
    /// A number is too large.
    #[error("error parsing version segment: value out of range")]
    OutOfRange,
}

impl Version {
    /// Parses a version leniently: a leading `v`, missing numbers and leading zeros are accepted.
    pub fn parse(text: &str) -> Result<Self, ParseVersionError> {
        if text.len() > MAX_LENGTH {
            return Err(ParseVersionError::TooLong);
        }
        let invalid = ParseVersionError::Invalid;
        let rest = text.strip_prefix('v').unwrap_or(text);
        let (rest, metadata) = cut(rest, '+');
        let (numbers, prerelease) = cut(rest, '-');
        let mut parts = [Ok(0); 3];
        for (index, part) in numbers.split('.').enumerate() {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let slot = parts.get_mut(index).filter(|_| digits).ok_or(invalid)?;
            *slot = part.parse().map_err(|_| ParseVersionError::OutOfRange);
        }
        // The library checks the form of all parts before their content.
        if !prerelease.is_none_or(well_formed) || !metadata.is_none_or(well_formed) {
            return Err(invalid);
        }
        let [major, minor, patch] = parts;
        let version = Self {
            major: major?,
            minor: minor?,
            patch: patch?,
            prerelease: prerelease.unwrap_or_default().to_owned(),
            metadata: metadata.unwrap_or_default().to_owned(),
            original: text.to_owned(),
        };
        check_prerelease(&version.prerelease)?;
        Ok(version)
    }

    /// Parses a version strictly, as the standard defines it.
    pub fn parse_strict(text: &str) -> Result<Self, ParseVersionError> {
        if text.is_empty() {
            return Err(ParseVersionError::Empty);
        }
        if text.len() > MAX_LENGTH {
            return Err(ParseVersionError::TooLong);
        }
        let mut parts = text.splitn(3, '.');
        let (Some(major), Some(minor), Some(rest)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(ParseVersionError::Invalid);
        };
        let (rest, metadata) = cut(rest, '+');
        if !metadata.is_none_or(well_formed) {
            return Err(ParseVersionError::Metadata);
        }
        let (patch, prerelease) = cut(rest, '-');
        if let Some(prerelease) = prerelease {
            check_prerelease_strictly(prerelease)?;
        }
        for part in [major, minor, patch] {
            if !part.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(ParseVersionError::Characters);
            }
            if part.len() > 1 && part.starts_with('0') {
                return Err(ParseVersionError::LeadingZero);
            }
        }
        let number = |part: &str| match part {
            "" => Err(ParseVersionError::NoNumber),
            part => part.parse().map_err(|_| ParseVersionError::OutOfRange),
        };
        Ok(Self {
            major: number(major)?,
            minor: number(minor)?,
            patch: number(patch)?,
            prerelease: prerelease.unwrap_or_default().to_owned(),
            metadata: metadata.unwrap_or_default().to_owned(),
            original: text.to_owned(),
        })
    }

    /// Parses a version as Flux parses tags: like [`Version::parse`], but with all three numbers.
    pub fn parse_tag(text: &str) -> Result<Self, ParseVersionError> {
        if text.splitn(3, '.').count() < 3 {
            return Err(ParseVersionError::Invalid);
        }
        Self::parse(text)
    }

    /// Returns the major number.
    pub const fn major(&self) -> u64 {
        self.major
    }

    /// Returns the minor number.
    pub const fn minor(&self) -> u64 {
        self.minor
    }

    /// Returns the patch number.
    pub const fn patch(&self) -> u64 {
        self.patch
    }

    /// Returns the part after `-`; empty for a release.
    pub fn prerelease(&self) -> &str {
        &self.prerelease
    }

    /// Returns the part after `+`.
    pub fn metadata(&self) -> &str {
        &self.metadata
    }

    /// Returns the text as given.
    pub fn original(&self) -> &str {
        &self.original
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if !self.prerelease.is_empty() {
            write!(f, "-{}", self.prerelease)?;
        }
        if !self.metadata.is_empty() {
            write!(f, "+{}", self.metadata)?;
        }
        Ok(())
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        let numbers = |version: &Self| (version.major, version.minor, version.patch);
        numbers(self)
            .cmp(&numbers(other))
            // A release follows its prereleases.
            .then_with(|| {
                other
                    .prerelease
                    .is_empty()
                    .cmp(&self.prerelease.is_empty())
                    .reverse()
            })
            .then_with(|| compare_prereleases(&self.prerelease, &other.prerelease))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Version {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Version {}

fn compare_prereleases(left: &str, right: &str) -> Ordering {
    left.split('.')
        .map(Identifier::of)
        .cmp(right.split('.').map(Identifier::of))
}

/// A part of a prerelease. An absent part sorts first, then numbers, then words.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Identifier<'a> {
    None,
    Number(u64),
    Word(&'a str),
}

impl<'a> Identifier<'a> {
    fn of(part: &'a str) -> Self {
        match part.parse() {
            _ if part.is_empty() => Self::None,
            // The library compares a number that overflows as a word.
            Ok(number) if !part.starts_with('+') => Self::Number(number),
            _ => Self::Word(part),
        }
    }
}

/// Splits a text at a mark into the part before and the part after it.
fn cut(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Reports whether all dot-separated parts are non-empty and hold letters, digits and hyphens.
fn well_formed(text: &str) -> bool {
    text.split('.').all(|part| {
        !part.is_empty()
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

/// Checks a prerelease of valid form, which may be empty.
fn check_prerelease(text: &str) -> Result<(), ParseVersionError> {
    let padded = |part: &str| {
        part.len() > 1 && part.starts_with('0') && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if text.split('.').any(padded) {
        return Err(ParseVersionError::LeadingZero);
    }
    Ok(())
}

fn check_prerelease_strictly(text: &str) -> Result<(), ParseVersionError> {
    // The first invalid part decides on the error.
    text.split('.').try_for_each(|part| {
        check_prerelease(part)?;
        if well_formed(part) {
            Ok(())
        } else {
            Err(ParseVersionError::Prerelease)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_need_all_three_numbers() {
        for tag in ["1", "1.2", "v1", "v1.2", "latest"] {
            assert_eq!(
                Version::parse_tag(tag),
                Err(ParseVersionError::Invalid),
                "{tag}"
            );
        }
        for tag in ["1.2.3", "v1.2.3", "v2025.02.03-rc.1", "1.2.3+build"] {
            assert_eq!(
                Version::parse_tag(tag).map(|version| version.original),
                Ok(tag.to_owned())
            );
        }
    }

    #[test]
    fn long_version_is_rejected() {
        assert_eq!(
            Version::parse(&"1".repeat(257)),
            Err(ParseVersionError::TooLong)
        );
        assert_eq!(
            Version::parse_strict(&"1".repeat(257)),
            Err(ParseVersionError::TooLong)
        );
    }
}
