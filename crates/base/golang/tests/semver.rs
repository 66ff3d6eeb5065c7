//! Compares versions and constraints with `Masterminds/semver`, recorded by
//! `tests/baseline/oracle`.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde::Deserialize;
use sluice_golang::semver::{Constraint, Version};

#[derive(Deserialize)]
struct Record {
    versions: Vec<VersionCase>,
    candidates: Vec<String>,
    orders: Vec<String>,
    constraints: Vec<ConstraintCase>,
}

#[derive(Deserialize)]
struct VersionCase {
    version: String,
    #[serde(default)]
    strict: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    shown: String,
}

#[derive(Deserialize)]
struct ConstraintCase {
    constraint: String,
    #[serde(default)]
    error: String,
    #[serde(default)]
    shown: String,
    #[serde(default)]
    matches: String,
}

fn record() -> Record {
    serde_json::from_str(include_str!("baseline/semver.json")).unwrap()
}

/// Go's range error also names the function and the text, which ours omits.
fn same_error(ours: &str, go: &str) -> bool {
    ours == go || (ours.contains("out of range") && go.contains("value out of range"))
}

#[test]
fn versions_parse_as_in_the_library() {
    for case in record().versions {
        let parsed = Version::parse(&case.version);
        let error = parsed
            .as_ref()
            .err()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(
            same_error(&error, &case.error),
            "{:?}: {error:?}, not {:?}",
            case.version,
            case.error
        );
        assert_eq!(
            parsed.map(|v| v.to_string()).unwrap_or_default(),
            case.shown,
            "{:?}",
            case.version
        );
        let strict = Version::parse_strict(&case.version);
        let error = strict
            .err()
            .map(|error| error.to_string())
            .unwrap_or_default();
        assert!(
            same_error(&error, &case.strict),
            "{:?}: {error:?}, not {:?}",
            case.version,
            case.strict
        );
    }
}

#[test]
fn versions_compare_as_in_the_library() {
    let record = record();
    let candidates: Vec<_> = record
        .candidates
        .iter()
        .map(|text| Version::parse(text).unwrap())
        .collect();
    for (left, row) in candidates.iter().zip(&record.orders) {
        for (right, sign) in candidates.iter().zip(row.chars()) {
            let ours = match left.cmp(right) {
                std::cmp::Ordering::Less => '<',
                std::cmp::Ordering::Equal => '=',
                std::cmp::Ordering::Greater => '>',
            };
            assert_eq!(ours, sign, "{} and {}", left.original(), right.original());
        }
    }
}

#[test]
fn constraints_match_as_in_the_library() {
    let record = record();
    let candidates: Vec<_> = record
        .candidates
        .iter()
        .map(|text| Version::parse(text).unwrap())
        .collect();
    let mut pairs = 0;
    for case in record.constraints {
        let parsed = Constraint::parse(&case.constraint);
        let error = parsed
            .as_ref()
            .err()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert_eq!(error, case.error, "{:?}", case.constraint);
        let Ok(parsed) = parsed else { continue };
        assert_eq!(parsed.to_string(), case.shown);
        for (version, verdict) in candidates.iter().zip(case.matches.chars()) {
            pairs += 1;
            assert_eq!(
                parsed.matches(version),
                verdict == 'y',
                "{:?} and {}",
                case.constraint,
                version.original()
            );
        }
    }
    assert!(pairs > 2000, "{pairs} pairs");
}
