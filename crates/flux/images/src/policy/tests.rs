//! Tests of policies: the chosen tag and the explanation of rejected ones.

use std::convert::Infallible;

use sluice_api::image::SemverPolicy;

use super::explain::{Hint, Verdict};
use super::*;

fn semver(range: &str) -> ImagePolicyChoice {
    ImagePolicyChoice {
        semver: Some(SemverPolicy {
            range: range.to_owned(),
        }),
        ..ImagePolicyChoice::default()
    }
}

fn numerical(order: &str) -> ImagePolicyChoice {
    ImagePolicyChoice {
        numerical: Some(OrderPolicy {
            order: Some(order.into()),
        }),
        ..ImagePolicyChoice::default()
    }
}

fn filter(pattern: &str, extract: &str) -> TagFilter {
    TagFilter {
        pattern: Some(pattern.to_owned()),
        extract: Some(extract.to_owned()),
    }
}

fn stream<'t>(tags: &'t [&str]) -> impl Iterator<Item = Result<&'t str, Infallible>> {
    let mut tags = tags.to_vec();
    tags.sort_unstable_by(|one, two| two.cmp(one));
    tags.into_iter().map(Ok)
}

#[track_caller]
fn select(
    choice: &ImagePolicyChoice,
    filter: Option<&TagFilter>,
    tags: &[&str],
) -> Result<String, SelectionError> {
    let Ok(selected) = Selector::parse(choice, filter)
        .unwrap()
        .select(stream(tags));
    selected
}

/// Corrections of the specification: the reference keeps the last of equal texts in its map.
#[test]
fn equal_extracts_select_the_smallest_tag() {
    let filter = filter(r"^(?P<n>\d+)-", "$n");
    for choice in [
        numerical("asc"),
        numerical("desc"),
        ImagePolicyChoice {
            alphabetical: Some(OrderPolicy::default()),
            ..ImagePolicyChoice::default()
        },
    ] {
        let selected = select(&choice, Some(&filter), &["7-b", "7-a", "7-c"]);
        assert_eq!(selected.unwrap(), "7-a");
    }
}

#[test]
fn equal_versions_select_the_first_in_descending_order() {
    for (tags, latest) in [
        (&["1.0.0", "v1.0.0"][..], "v1.0.0"),
        (&["1.0.0+a", "1.0.0+b", "1.0.0"], "1.0.0+b"),
    ] {
        assert_eq!(select(&semver("*"), None, tags).unwrap(), latest);
        let all = filter("(.*)", "$1");
        assert_eq!(select(&semver("*"), Some(&all), tags).unwrap(), latest);
    }
}

/// The reference compares floats, which have 53 bits, and takes the smaller timestamp.
#[test]
fn long_integers_are_compared_exactly() {
    let tags = [
        "20240101120000001",
        "20240101120000002",
        "20240101120000000",
    ];
    assert_eq!(select(&numerical("asc"), None, &tags).unwrap(), tags[1]);
    assert_eq!(select(&numerical("desc"), None, &tags).unwrap(), tags[2]);
}

#[test]
fn interrupted_stream_selects_nothing() {
    let selector = Selector::parse(&semver("*"), None).unwrap();
    let tags = [Ok("2.0.0"), Err("corrupt"), Ok("1.0.0")];
    assert_eq!(selector.select(tags), Err("corrupt"));
    assert!(matches!(explain(&selector, tags), Err("corrupt")));
}

#[test]
fn downgrade_is_a_tag_behind_the_previous_one() {
    for (choice, previous, selected, expected) in [
        (semver("1.x"), "1.2.0", "1.1.0", true),
        (semver("1.x"), "1.1.0", "1.2.0", false),
        (semver("1.x"), "1.1.0", "1.1.0", false),
        // The policy would no longer accept the previous tag.
        (semver("1.x"), "2.0.0", "1.1.0", false),
        (semver("1.x"), "latest", "1.1.0", false),
        (numerical("asc"), "10", "9", true),
        (numerical("desc"), "10", "9", false),
        (numerical("asc"), "main", "9", false),
    ] {
        let selector = Selector::parse(&choice, None).unwrap();
        let is_downgrade = selector.is_downgrade(previous, selected);
        assert_eq!(is_downgrade, expected, "{previous} {selected}");
    }
}

#[test]
fn explanation_counts_each_stage() {
    let selector = Selector::parse(&semver("1.x"), Some(&filter("^v(.*)", "$1"))).unwrap();
    let tags = ["v1.0.0", "v1.1.0", "v2.0.0", "v1.2", "v1.2.0-rc1", "latest"];
    let Ok(explained) = explain(&selector, stream(&tags));
    assert_eq!(explained.tags, 6);
    assert_eq!(explained.filtered, 5);
    assert_eq!(explained.comparable, 4);
    assert_eq!(explained.eligible, 2);
    assert_eq!(explained.outcome.as_deref(), Ok("v1.1.0"));
    let verdicts: Vec<_> = explained
        .candidates
        .iter()
        .map(|candidate| (candidate.tag.as_str(), candidate.verdict))
        .collect();
    assert_eq!(
        verdicts,
        [
            ("v2.0.0", Verdict::OutOfRange),
            ("v1.2.0-rc1", Verdict::Prerelease),
            ("v1.1.0", Verdict::Selected),
            ("v1.0.0", Verdict::NotLatest),
            ("v1.2", Verdict::NotAVersion),
        ]
    );
    let hints: Vec<_> = explained.hints.iter().map(ToString::to_string).collect();
    assert_eq!(
        hints,
        [
            "'v1.2' is not compared: a version has three numbers",
            "'v1.2.0-rc1' is newer: append '-0' to the versions of the range to accept pre-releases",
        ]
    );
}

#[test]
fn hints_name_the_common_mistakes() {
    let tag = |tag: &str| tag.to_owned();
    for (choice, with, tags, hint) in [
        (
            semver(">=1.0.0-0"),
            None,
            &["1.0.0-rc9", "1.0.0-rc10"][..],
            Hint::TextualPrerelease {
                lower: tag("1.0.0-rc9"),
                higher: tag("1.0.0-rc10"),
                word: tag("rc"),
                number: tag("10"),
            },
        ),
        (
            semver("1.x"),
            None,
            &["1.0.0", "1.1.0-rc.1"],
            Hint::PrereleasesExcluded {
                tag: tag("1.1.0-rc.1"),
            },
        ),
        (
            numerical("asc"),
            None,
            &["1", "latest"],
            Hint::NotANumber { tag: tag("latest") },
        ),
        (
            numerical("asc"),
            Some(filter("^x", "")),
            &["1"],
            Hint::NothingFiltered,
        ),
        (
            numerical("asc"),
            Some(filter("^(.*)$", "$name")),
            &["1"],
            Hint::EmptyExtract { tag: tag("1") },
        ),
    ] {
        let selector = Selector::parse(&choice, with.as_ref()).unwrap();
        let Ok(explained) = explain(&selector, stream(tags));
        assert!(explained.hints.contains(&hint), "{explained:#?}");
    }
    let selector = Selector::parse(&semver(">=1.0.0-0"), None).unwrap();
    let Ok(explained) = explain(&selector, stream(&["1.0.0-rc.9", "1.0.0-rc.10"]));
    assert_eq!(explained.hints, []);
}

#[test]
fn explanation_shows_the_selected_tag_behind_many_others() {
    let selector = Selector::parse(&semver("1.x"), None).unwrap();
    let mut tags: Vec<_> = (0..50).map(|minor| format!("2.{minor}.0")).collect();
    tags.push("1.0.0".to_owned());
    let tags: Vec<_> = tags.iter().map(String::as_str).collect();
    let Ok(explained) = explain(&selector, stream(&tags));
    assert_eq!(explained.candidates.len(), 10);
    assert_eq!(explained.candidates[0].tag, "2.49.0");
    assert_eq!(explained.candidates[9].verdict, Verdict::Selected);
}
