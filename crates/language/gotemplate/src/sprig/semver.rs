//! Semantic versions.

use std::any::Any;
use std::borrow::Cow;
use std::rc::Rc;

use sluice_golang::quote::quote;
use sluice_golang::semver::{Constraint, ParseVersionError, Version};

use super::Entry;
use crate::value::func::{Args, Call, Failure, Func, Outcome, Signature};
use crate::value::{GoString, Kind, Object, Type, UintType, Value};

const POINTER: &str = "*semver.Version";

pub(super) const TABLE: &[Entry] = &[
    ("semver", Func::fixed(&[Type::String], semver)),
    (
        "semverCompare",
        Func::fixed(&[Type::String, Type::String], compare),
    ),
];

fn parse(text: &[u8]) -> Result<Version, Failure> {
    let text = String::from_utf8_lossy(text);
    Version::parse(&text).map_err(|error| match error {
        ParseVersionError::OutOfRange => SegmentError::of(&text).into(),
        error => error.into(),
    })
}

/// A number that is too large, with the causes that Go gives.
#[derive(Debug, thiserror::Error)]
#[error("error parsing version segment: {0}")]
struct SegmentError(#[source] ParseUintError);

#[derive(Debug, thiserror::Error)]
#[error("strconv.ParseUint: parsing {}: value out of range", quote(.digits))]
struct ParseUintError {
    digits: String,
    source: RangeError,
}

#[derive(Debug, thiserror::Error)]
#[error("value out of range")]
struct RangeError;

impl SegmentError {
    fn of(text: &str) -> Self {
        let numbers = text
            .strip_prefix('v')
            .unwrap_or(text)
            .split(['-', '+'])
            .next();
        let mut numbers = numbers.unwrap_or_default().split('.');
        let large = numbers.find(|number| number.parse::<u64>().is_err());
        Self(ParseUintError {
            digits: large.unwrap_or_default().to_owned(),
            source: RangeError,
        })
    }
}

fn semver(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let version = parse(args.text(0))?;
    Ok(Value::Object(Rc::new(VersionObject {
        version,
        is_pointer: true,
    })))
}

fn compare(_: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let constraint = Constraint::parse(&String::from_utf8_lossy(args.text(0)))?;
    let version = parse(args.text(1))?;
    Ok(constraint.matches(&version).into())
}

/// Go's `*semver.Version`, or the `semver.Version` that its methods make.
struct VersionObject {
    version: Version,
    is_pointer: bool,
}

impl VersionObject {
    /// A version with other parts and the old prefix.
    fn with(&self, numbers: [u64; 3], prerelease: &str, metadata: &str) -> Outcome {
        let [major, minor, patch] = numbers;
        let prefix = if self.version.original().starts_with('v') {
            "v"
        } else {
            ""
        };
        let mut text = format!("{prefix}{major}.{minor}.{patch}");
        if !prerelease.is_empty() {
            text.push('-');
            text.push_str(prerelease);
        }
        if !metadata.is_empty() {
            text.push('+');
            text.push_str(metadata);
        }
        Ok(Value::Object(Rc::new(Self {
            version: Version::parse(&text)?,
            is_pointer: false,
        })))
    }

    fn compared(&self, args: &Args<'_>) -> Result<i64, Failure> {
        match args.value(0) {
            Value::Object(object) => match object.as_any().downcast_ref::<Self>() {
                Some(other) => Ok(self.version.cmp(&other.version) as i64),
                None => Err("not a version".into()),
            },
            _ => Err(super::nil_dereference()),
        }
    }
}

impl Object for VersionObject {
    fn type_name(&self) -> Cow<'_, str> {
        Cow::Borrowed(if self.is_pointer {
            POINTER
        } else {
            "semver.Version"
        })
    }

    fn kind(&self) -> Kind {
        if self.is_pointer {
            Kind::Pointer
        } else {
            Kind::Struct
        }
    }

    fn method(&self, name: &str) -> Option<&'static Signature> {
        const NONE: &Signature = &Signature::fixed(&[]);
        const OTHER: &Signature = &Signature::fixed(&[Type::Object(POINTER)]);
        const TEXT: &Signature = &Signature::fixed(&[Type::String]);
        Some(match name {
            "Major" | "Minor" | "Patch" | "Prerelease" | "Metadata" | "String" | "IncMajor"
            | "IncMinor" | "IncPatch" => NONE,
            "SetPrerelease" | "SetMetadata" => TEXT,
            // The rest are methods of the pointer.
            _ if !self.is_pointer => return None,
            "Original" => NONE,
            "Compare" | "Equal" | "LessThan" | "LessThanEqual" | "GreaterThan"
            | "GreaterThanEqual" => OTHER,
            _ => return None,
        })
    }

    fn call(&self, name: &str, _: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
        let version = &self.version;
        let (major, minor, patch) = (version.major(), version.minor(), version.patch());
        let uint = |value: u64| Value::Uint(UintType::Uint64, value);
        let text = || String::from_utf8_lossy(args.text(0)).into_owned();
        let next = |value: u64, part: &str| {
            let overflow = format!("{part} version increment would overflow uint64");
            value.checked_add(1).ok_or(overflow)
        };
        Ok(match name {
            "Major" => uint(major),
            "Minor" => uint(minor),
            "Patch" => uint(patch),
            "Prerelease" => version.prerelease().into(),
            "Metadata" => version.metadata().into(),
            "Original" => version.original().into(),
            "IncMajor" => return self.with([next(major, "major")?, 0, 0], "", ""),
            "IncMinor" => return self.with([major, next(minor, "minor")?, 0], "", ""),
            "IncPatch" if version.prerelease().is_empty() => {
                return self.with([major, minor, next(patch, "patch")?], "", "");
            }
            "IncPatch" => return self.with([major, minor, patch], "", ""),
            "SetPrerelease" => {
                let prerelease = text();
                if !prerelease.is_empty() {
                    Version::parse_strict(&format!("1.0.0-{prerelease}"))?;
                }
                return self.with([major, minor, patch], &prerelease, version.metadata());
            }
            "SetMetadata" => {
                let metadata = text();
                if !metadata.is_empty() {
                    Version::parse_strict(&format!("1.0.0+{metadata}"))?;
                }
                return self.with([major, minor, patch], version.prerelease(), &metadata);
            }
            "Compare" => Value::int(self.compared(args)?),
            "Equal" => (self.compared(args)? == 0).into(),
            "LessThan" => (self.compared(args)? < 0).into(),
            "LessThanEqual" => (self.compared(args)? <= 0).into(),
            "GreaterThan" => (self.compared(args)? > 0).into(),
            "GreaterThanEqual" => (self.compared(args)? >= 0).into(),
            _ => version.to_string().into(),
        })
    }

    /// Not exported: only errors name them.
    fn fields(&self) -> Vec<(&'static str, Value)> {
        let names = ["major", "minor", "patch", "pre", "metadata", "original"];
        names.into_iter().map(|name| (name, Value::Nil)).collect()
    }

    fn stringer(&self) -> Option<GoString> {
        Some(self.version.to_string().into())
    }

    fn json(&self) -> Option<Value> {
        Some(self.version.to_string().into())
    }

    /// Copying loses all fields, as they are not exported.
    fn copied(&self) -> Option<Value> {
        let version = Version::parse("0.0.0").ok()?;
        let is_pointer = self.is_pointer;
        Some(Value::Object(Rc::new(Self {
            version,
            is_pointer,
        })))
    }

    fn equals(&self, other: &dyn Object) -> bool {
        let other = other.as_any().downcast_ref::<Self>();
        other.is_some_and(|other| {
            let is_same = self.version.original() == other.version.original();
            is_same && self.is_pointer == other.is_pointer
        })
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
