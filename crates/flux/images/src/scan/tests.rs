//! Tests of the decision to scan a repository.

use std::convert::Infallible;

use sluice_api::meta::Time;

use super::*;

const NOW: &str = "2026-01-01T00:10:00Z";

fn spec() -> ImageRepositorySpec {
    ImageRepositorySpec {
        image: "ghcr.io/app".to_owned(),
        ..ImageRepositorySpec::default()
    }
}

fn scanned(at: &str) -> ImageRepositoryStatus {
    ImageRepositoryStatus {
        canonical_image_name: Some("ghcr.io/app".to_owned()),
        observed_exclusion_list: vec![r"^.*\.sig$".to_owned()],
        last_handled_reconcile_at: Some("then".to_owned()),
        last_scan_result: Some(ScanResult {
            scan_time: Some(Time::new(at)),
            ..ScanResult::default()
        }),
        ..ImageRepositoryStatus::default()
    }
}

fn facts<'a>(spec: &'a ImageRepositorySpec, status: &'a ImageRepositoryStatus) -> ScanFacts<'a> {
    ScanFacts {
        spec,
        status,
        requested_at: None,
        canonical_name: "ghcr.io/app",
        interval: Duration::from_mins(10),
        has_tags: true,
        now: NOW.parse().unwrap(),
    }
}

/// The order of the reasons is that of the reference's `shouldScan`.
#[test]
fn first_reason_to_scan_decides() {
    let spec = spec();
    let never = ImageRepositoryStatus::default();
    let status = scanned("2026-01-01T00:05:00Z");
    let base = facts(&spec, &status);
    let decide_text = |facts: &ScanFacts<'_>| match decide(facts) {
        ScanDecision::Scan(reason) => reason.to_string(),
        ScanDecision::Wait(rest) => format!("wait {}s", rest.as_secs()),
    };
    let excluding = ImageRepositorySpec {
        exclusion_list: Some(vec!["a".to_owned(), "b".to_owned()]),
        ..spec.clone()
    };
    let reversed = ImageRepositoryStatus {
        observed_exclusion_list: vec!["b".to_owned(), "a".to_owned()],
        ..status.clone()
    };
    let emptied = ImageRepositorySpec {
        exclusion_list: Some(Vec::new()),
        ..spec.clone()
    };
    for (facts, text) in [
        (facts(&spec, &never), "first scan"),
        (base, "wait 300s"),
        (
            ScanFacts {
                requested_at: Some("now"),
                canonical_name: "other",
                ..base
            },
            "reconcile requested",
        ),
        (
            ScanFacts {
                requested_at: Some("then"),
                ..base
            },
            "wait 300s",
        ),
        (
            ScanFacts {
                canonical_name: "other",
                has_tags: false,
                ..base
            },
            "new image name",
        ),
        (
            ScanFacts {
                spec: &excluding,
                has_tags: false,
                ..base
            },
            "updated exclusion list",
        ),
        (
            ScanFacts {
                spec: &excluding,
                status: &reversed,
                ..base
            },
            "wait 300s",
        ),
        (
            ScanFacts {
                spec: &emptied,
                ..base
            },
            "wait 300s",
        ),
        (
            ScanFacts {
                has_tags: false,
                ..base
            },
            "no tags in database",
        ),
        (
            ScanFacts {
                interval: Duration::from_mins(5),
                ..base
            },
            "triggered by interval",
        ),
    ] {
        assert_eq!(decide_text(&facts), text, "{facts:?}");
    }
}

#[test]
fn scan_starts_within_a_second_of_the_interval() {
    let spec = spec();
    for (at, decision) in [
        (
            "2026-01-01T00:00:01Z",
            ScanDecision::Wait(Duration::from_secs(1)),
        ),
        (
            "2026-01-01T00:00:00Z",
            ScanDecision::Scan(ScanReason::Interval),
        ),
        (
            "2025-01-01T00:00:00Z",
            ScanDecision::Scan(ScanReason::Interval),
        ),
        ("garbage", ScanDecision::Scan(ScanReason::Interval)),
    ] {
        assert_eq!(decide(&facts(&spec, &scanned(at))), decision, "{at}");
    }
}

#[test]
fn timeout_is_at_least_a_second() {
    let seconds = Duration::from_secs;
    for (interval, given, expected) in [
        (seconds(30), None, seconds(30)),
        (seconds(30), Some(seconds(5)), seconds(5)),
        (seconds(30), Some(seconds(40)), seconds(40)),
        (Duration::from_millis(10), None, seconds(1)),
        (seconds(30), Some(Duration::ZERO), seconds(1)),
    ] {
        assert_eq!(timeout(interval, given), expected);
    }
}

fn tags(tags: &[&str]) -> Vec<String> {
    tags.iter().map(|tag| (*tag).to_owned()).collect()
}

#[test]
fn excluded_tags_are_removed_and_the_rest_is_sorted() {
    let listed = tags(&["v1", "v1.sig", "b", "v10", "v2"]);
    let default = Exclusions::compile(&DEFAULT_EXCLUSIONS).unwrap();
    let scan = ScannedTags::of(listed.clone(), &default, Budget::unlimited()).unwrap();
    assert_eq!(scan.tags, ["v2", "v10", "v1", "b"]);
    assert_eq!(scan.latest(2), ["v2", "v10"]);
    let exclusions = Exclusions::compile(&["^v", "^x"]).unwrap();
    let scan = ScannedTags::of(listed.clone(), &exclusions, Budget::unlimited());
    assert_eq!(scan.unwrap().tags, ["b"]);
    let scan = ScannedTags::of(listed, &exclusions, Budget::spent());
    assert_eq!(scan, Err(TooSlow));
    assert_eq!(
        Exclusions::compile(&["["]).unwrap_err().to_string(),
        "failed to compile regex [: error parsing regexp: missing closing ]: `[`"
    );
}

#[test]
fn tags_of_a_hostile_registry_are_rejected() {
    let exclusions = Exclusions::compile(&DEFAULT_EXCLUSIONS).unwrap();
    let listed = vec![
        "v1".to_owned(),
        String::new(),
        "a\nb".to_owned(),
        "\u{1b}[31m".to_owned(),
        "x".repeat(64 << 10),
    ];
    let scan = ScannedTags::of(listed, &exclusions, Budget::unlimited()).unwrap();
    assert_eq!(scan.tags, ["v1"]);
    assert_eq!(scan.rejected, 4);
}

#[test]
fn messages_have_the_text_of_the_reference() {
    let result = ScanResult {
        tag_count: 3,
        revision: Some("42".to_owned()),
        ..ScanResult::default()
    };
    assert_eq!(
        ready_message(&result),
        "successful scan: found 3 tags with checksum 42"
    );
    let next = Duration::from_mins(5);
    for (is_scanned, is_changed, text) in [
        (true, true, "successful scan, next scan in 5m0s"),
        (true, false, "tags did not change, next scan in 5m0s"),
        (
            false,
            false,
            "no change in repository configuration since last scan, next scan in 5m0s",
        ),
    ] {
        assert_eq!(trace_message(is_scanned, is_changed, next), text);
    }
}

#[test]
fn scan_that_lost_most_tags_is_suspicious() {
    let numbered = |range: std::ops::Range<u32>| {
        let mut tags: Vec<String> = range.map(|number| format!("v{number:03}")).collect();
        tags.reverse();
        tags
    };
    let ok = |tags: &[String]| {
        let tags = tags.to_vec();
        tags.into_iter().map(Ok::<_, Infallible>)
    };
    for (stored, scanned, expected) in [
        (numbered(0..0), numbered(0..0), None),
        (numbered(0..0), numbered(0..5), None),
        (
            numbered(0..1),
            numbered(0..0),
            Some(Suspicion::Empty { stored: 1 }),
        ),
        // Half of the tags is not most of them.
        (numbered(0..22), numbered(11..40), None),
        (
            numbered(0..22),
            numbered(12..40),
            Some(Suspicion::Lost {
                lost: 12,
                stored: 22,
            }),
        ),
        // Few tags can change at will.
        (numbered(0..20), numbered(19..20), None),
        (
            numbered(0..21),
            numbered(20..21),
            Some(Suspicion::Lost {
                lost: 20,
                stored: 21,
            }),
        ),
        (numbered(5..40), numbered(0..45), None),
    ] {
        assert_eq!(suspicion(ok(&stored), &scanned), expected, "{stored:?}");
    }
    let corrupt = [Err("corrupt"), Ok("v1")];
    assert_eq!(suspicion(corrupt, &[]), None);
}
