//! Tests of the decisions and reports of an `ImageRepository`.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::image::{ImageRepository, ImageRepositoryStatus};
use sluice_engine::ready::Fault;
use sluice_engine::{Audience, Decision, End, Outcome, Requeue, Severity, Times};
use sluice_images::scan::{ScanReason, ScannedTags, Suspicion};

use super::conclude::conclude;
use super::model::{Facts, Listing, ScanRecord, Step};
use super::plan::plan;
use super::spec::Spec;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

fn repository(spec: &Value, status: &Value) -> ImageRepository {
    let mut whole = json!({
        "apiVersion": "image.toolkit.fluxcd.io/v1", "kind": "ImageRepository",
        "metadata": { "name": "app", "namespace": "apps", "generation": 2 },
        "spec": { "image": "ghcr.io/org/app", "interval": "1m" },
        "status": status,
    });
    for (key, value) in spec.as_object().unwrap() {
        whole["spec"][key] = value.clone();
    }
    serde_json::from_value(whole).unwrap()
}

fn facts(repository: &ImageRepository) -> Facts {
    Facts {
        spec: Spec::parse(repository, false),
        now: at(1000),
        tag_count_warning: 5,
        is_prompt: false,
        has_tags: true,
        is_configured: false,
        connection: None,
        scan_reason: None,
        listing: None,
        scanned: None,
        is_removed: false,
    }
}

/// A repository that was scanned this number of seconds before its run.
fn scanned(seconds: i64) -> ImageRepository {
    repository(
        &json!({}),
        &json!({
            "canonicalImageName": "ghcr.io/org/app",
            "observedExclusionList": ["^.*\\.sig$"],
            "observedGeneration": 2,
            "lastScanResult": {
                "revision": "1", "tagCount": 2, "latestTags": ["v2", "v1"],
                "scanTime": at(1000 - seconds).to_string(),
            },
            "conditions": [{
                "type": "Ready", "status": "True", "reason": "Succeeded",
                "message": "successful scan: found 2 tags with checksum 1",
                "lastTransitionTime": "1970-01-01T00:00:00Z", "observedGeneration": 2,
            }],
        }),
    )
}

fn record(revision: &str, count: i32) -> ScanRecord {
    serde_json::from_value(json!({ "revision": revision, "tagCount": count }))
        .map(|result| ScanRecord {
            result,
            rejected: 0,
        })
        .unwrap()
}

fn end(repository: &ImageRepository, end: End<Facts, Fault>) -> Outcome<ImageRepositoryStatus> {
    let times = Times {
        started: at(1000),
        now: at(2000),
    };
    conclude(repository, end, times)
}

/// Severity, audience, reason and message of each notice.
fn notices<S>(outcome: &Outcome<S>) -> Vec<(Severity, Audience, &str, &str)> {
    let notices = outcome.notices.iter();
    notices
        .map(|it| (it.severity, it.audience, &*it.reason, &*it.message))
        .collect()
}

fn conditions(status: Option<&ImageRepositoryStatus>) -> Vec<(&str, &str, &str)> {
    let conditions = status.unwrap().conditions.iter();
    conditions
        .map(|it| (&*it.type_, it.status.as_str(), &*it.reason))
        .collect()
}

#[test]
fn plan_connects_lists_and_stores() {
    let new = repository(&json!({}), &json!({}));
    let mut facts = facts(&new);
    let connect = Step::Connect { is_scan_due: true };
    assert_eq!(plan(&new, &facts), Decision::Work(connect));
    facts.is_configured = true;
    let reason = ScanReason::First;
    assert_eq!(plan(&new, &facts), Decision::Work(Step::List { reason }));
    let suspicion = Suspicion::Empty { stored: 3 };
    facts.listing = Some(Listing {
        tags: ScannedTags::default(),
        suspicion: Some(suspicion),
    });
    assert_eq!(
        plan(&new, &facts),
        Decision::Work(Step::Confirm { suspicion })
    );
    facts.listing = Some(Listing {
        tags: ScannedTags::default(),
        suspicion: None,
    });
    assert_eq!(plan(&new, &facts), Decision::Work(Step::Store));
    facts.scanned = Some(record("1", 0));
    assert_eq!(plan(&new, &facts), Decision::Settled);
}

#[test]
fn scan_waits_for_its_interval() {
    let object = scanned(20);
    let mut facts = facts(&object);
    let connect = Step::Connect { is_scan_due: false };
    assert_eq!(plan(&object, &facts), Decision::Work(connect));
    facts.is_configured = true;
    assert_eq!(plan(&object, &facts), Decision::Settled);
    let outcome = end(&object, End::Settled(facts));
    assert_eq!(outcome.next, Requeue::After(Duration::from_secs(40)));
    assert_eq!(outcome.status, object.status, "nothing changed");
    let text = "no change in repository configuration since last scan, next scan in 40s";
    let notice = (Severity::Info, Audience::Log, "Succeeded", text);
    assert_eq!(notices(&outcome), [notice]);
}

#[test]
fn deletion_removes_tags_first() {
    let mut object = scanned(20);
    object.metadata.deletion_timestamp = serde_json::from_value(json!("2026-01-01T00:00:00Z")).ok();
    let mut facts = facts(&object);
    assert_eq!(plan(&object, &facts), Decision::Work(Step::Remove));
    facts.is_removed = true;
    assert_eq!(plan(&object, &facts), Decision::Settled);
    assert_eq!(end(&object, End::Settled(facts)).status, None);
}

/// The messages are those of the reference.
#[test]
fn invalid_spec_stalls() {
    for (spec, reason, message) in [
        (
            json!({ "image": "https://ghcr.io/app" }),
            "ImageURLInvalid",
            "image 'https://ghcr.io/app' should not include URL scheme; remove 'https://'",
        ),
        (
            json!({ "provider": "aws", "serviceAccountName": "x", "image": "https://a" }),
            "FeatureGateDisabled",
            "to use spec.serviceAccountName for provider authentication please enable the \
             ObjectLevelWorkloadIdentity feature gate in the controller",
        ),
        (
            json!({ "interval": "soon" }),
            "ValidationFailed",
            "spec.interval: time: invalid duration \"soon\"",
        ),
    ] {
        let object = repository(&spec, &json!({}));
        let facts = facts(&object);
        let Decision::Stop(fault) = plan(&object, &facts) else {
            panic!("{spec}");
        };
        let outcome = end(&object, End::Stopped(facts, fault));
        let status = outcome.status.as_ref();
        assert_eq!(
            conditions(status),
            [("Stalled", "True", reason), ("Ready", "False", reason)]
        );
        assert_eq!(status.unwrap().observed_generation, Some(2));
        let notice = (Severity::Error, Audience::Everyone, reason, message);
        assert_eq!(notices(&outcome), [notice]);
        assert!(matches!(outcome.next, Requeue::Stalled(_)));
    }
}

#[test]
fn scan_reports_new_tags_only() {
    for (revision, count, audience, message) in [
        (
            "2",
            3,
            Audience::Everyone,
            "successful scan: found 3 tags with checksum 2",
        ),
        (
            "1",
            2,
            Audience::Log,
            "tags did not change, next scan in 1m0s",
        ),
    ] {
        let object = scanned(90);
        let facts = Facts {
            is_configured: true,
            scanned: Some(record(revision, count)),
            ..facts(&object)
        };
        let outcome = end(&object, End::Settled(facts));
        let notice = (Severity::Info, audience, "Succeeded", message);
        assert_eq!(notices(&outcome), [notice]);
        assert_eq!(outcome.next, Requeue::Interval(Duration::from_mins(1)));
        let status = outcome.status.as_ref();
        assert_eq!(conditions(status), [("Ready", "True", "Succeeded")]);
        let result = status.unwrap().last_scan_result.as_ref().unwrap();
        assert_eq!(result.tag_count, count);
    }
}

#[test]
fn failure_keeps_last_scan_and_recovers_with_an_event() {
    let object = scanned(90);
    let fault = Fault::retried("ReadOperationFailed", "scan failed: refused");
    let outcome = end(&object, End::Stopped(facts(&object), fault));
    let status = outcome.status.as_ref();
    assert_eq!(
        conditions(status),
        [
            ("Reconciling", "True", "ProgressingWithRetry"),
            ("Ready", "False", "ReadOperationFailed")
        ]
    );
    let failed = status.unwrap().clone();
    assert_eq!(
        failed.last_scan_result,
        object.status.as_ref().unwrap().last_scan_result
    );
    let broken = ImageRepository {
        status: Some(failed),
        ..object
    };
    let facts = Facts {
        is_configured: true,
        scanned: Some(record("1", 2)),
        ..facts(&broken)
    };
    let outcome = end(&broken, End::Settled(facts));
    let message = "successful scan: found 2 tags with checksum 1";
    let notice = (Severity::Info, Audience::Everyone, "Succeeded", message);
    assert_eq!(notices(&outcome), [notice]);
}

#[test]
fn unusual_tags_are_reported_once() {
    let object = scanned(90);
    let run = |object: &ImageRepository| {
        let facts = Facts {
            is_configured: true,
            scanned: Some(ScanRecord {
                rejected: 1,
                ..record("2", 6)
            }),
            ..facts(object)
        };
        end(object, End::Settled(facts))
    };
    let outcome = run(&object);
    let reasons: Vec<_> = outcome.notices.iter().map(|it| &*it.reason).collect();
    assert_eq!(reasons, ["Succeeded", "TooManyTags", "TagsRejected"]);
    let again = ImageRepository {
        status: outcome.status,
        ..object
    };
    assert_eq!(run(&again).notices.len(), 1);
}

#[test]
fn suspended_object_stays_as_it_is() {
    let object = scanned(90);
    let outcome = end(&object, End::Suspended);
    assert_eq!(outcome.status, object.status);
    assert_eq!(outcome.next, Requeue::Never);
}
