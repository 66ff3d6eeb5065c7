//! Statuses and notices.

use sluice_engine::{Audience, Requeue, Severity};

use super::*;

/// Ready, reasons of the other conditions, and the next run.
fn words(outcome: &Outcome<ArtifactGeneratorStatus>) -> Vec<String> {
    let status = outcome.status.as_ref().unwrap();
    let conditions = status.conditions.iter();
    conditions
        .map(|it| {
            format!(
                "{} {} {}: {}",
                it.type_,
                it.status.as_str(),
                it.reason,
                it.message
            )
        })
        .collect()
}

fn notices(outcome: &Outcome<ArtifactGeneratorStatus>) -> Vec<(Severity, Audience, &str, &str)> {
    let notices = outcome.notices.iter();
    notices
        .map(|it| (it.severity, it.audience, &*it.reason, it.message.as_str()))
        .collect()
}

#[test]
fn success_reports_only_changed_artifacts() {
    let object = ready();
    let facts = Facts {
        work: Some(Work {
            finished: vec![published("app", true), published("other", false)],
            is_collected: true,
            ..work(&object)
        }),
        owned: Some(BTreeMap::new()),
        removed: Some(0),
        ..facts(&object)
    };
    let outcome = conclude::conclude(&object, End::Settled(facts), times());
    let message = "reconciliation succeeded, generated 2 artifact(s)";
    assert_eq!(
        words(&outcome),
        [format!("Ready True Succeeded: {message}")]
    );
    let changed = format!("external artifacts reconciled: apps/app ({DIGEST})");
    let trace = (Severity::Info, Audience::Cluster, "Ready");
    let with = |message| (trace.0, trace.1, trace.2, message);
    assert_eq!(
        notices(&outcome),
        [
            with("ExternalArtifact/apps/app reconciled with revision main@sha1:1"),
            with(message),
            (
                Severity::Info,
                Audience::Everyone,
                "Ready",
                changed.as_str()
            ),
        ]
    );
    let status = outcome.status.unwrap();
    assert_eq!(status.inventory.len(), 2);
    assert_eq!(
        status.observed_sources_digest,
        Some(sources::digest(&found()))
    );
    assert_eq!(outcome.next, Requeue::Interval(Duration::from_hours(1)));
}

#[test]
fn unchanged_run_keeps_the_status() {
    let object = ready();
    let mut facts = facts(&object);
    let outcome = conclude::conclude(&object, End::Settled(facts), times());
    assert_eq!(outcome.status, object.status);
    assert_eq!(outcome.next, Requeue::After(Duration::from_hours(1)));
    let message = "No drift detected, 2 artifact(s) up to date";
    let expected = (Severity::Info, Audience::Cluster, "Ready", message);
    assert_eq!(notices(&outcome), [expected]);
    facts = self::facts(&object);
    facts.is_prompt = false;
    let outcome = conclude::conclude(&object, End::Settled(facts), times());
    assert_eq!(notices(&outcome)[0].1, Audience::Log);
}

#[test]
fn failure_keeps_published_artifacts_in_inventory() {
    let object = generator(&spec(), &json!({ "inventory": [entry("old")] }));
    let facts = Facts {
        work: Some(Work {
            finished: vec![published("app", true)],
            ..work(&object)
        }),
        ..facts(&object)
    };
    let fault = Fault::retried("BuildFailed", "other build failed: no files");
    let outcome = conclude::conclude(&object, End::Stopped(facts, fault), times());
    assert_eq!(
        words(&outcome),
        [
            "Reconciling True ProgressingWithRetry: Reconciliation in progress",
            "Ready False BuildFailed: other build failed: no files",
        ]
    );
    let changed = format!("external artifacts reconciled: apps/app ({DIGEST})");
    let everyone = Audience::Everyone;
    let message = "other build failed: no files";
    let expected = [
        (Severity::Info, everyone, "Ready", changed.as_str()),
        (Severity::Error, everyone, "BuildFailed", message),
    ];
    assert_eq!(notices(&outcome), expected);
    let status = outcome.status.unwrap();
    let names: Vec<&str> = status.inventory.iter().map(|it| &*it.name).collect();
    assert_eq!(names, ["app", "old"]);
    assert_eq!(status.observed_sources_digest, None);
}

#[test]
fn missing_source_is_retried_after_delay() {
    let object = ready();
    let mut facts = facts(&object);
    facts.sources = Err("source 'GitRepository/apps/repo' is not ready".to_owned());
    let Decision::Stop(fault) = plan::plan(&object, &facts) else {
        panic!("the run goes on");
    };
    let outcome = conclude::conclude(&object, End::Stopped(facts, fault), times());
    let message = "get sources failed: source 'GitRepository/apps/repo' is not ready";
    assert_eq!(
        words(&outcome),
        [format!("Ready False SourceFetchFailed: {message}")]
    );
    assert_eq!(outcome.next, Requeue::After(Duration::from_secs(5)));
}

#[test]
fn fetch_failure_keeps_the_progress_of_flux() {
    let fault = || Fault::retried("SourceFetchFailed", "no route");
    let expected = [
        "Reconciling True ProgressingWithRetry: Reconciliation in progress",
        "Ready False SourceFetchFailed: no route",
    ];
    let new = generator(&spec(), &json!({}));
    let outcome = conclude::conclude(&new, End::Stopped(facts(&new), fault()), times());
    assert_eq!(words(&outcome), expected);
    let old = ready();
    let began = Facts {
        has_begun: true,
        ..facts(&old)
    };
    let outcome = conclude::conclude(&old, End::Stopped(began, fault()), times());
    assert_eq!(words(&outcome), expected);
}

#[test]
fn stalled_object_is_not_reconciling() {
    let object = generator(
        &spec(),
        &json!({ "conditions": [condition("Reconciling", "True", "Progressing", 1)] }),
    );
    let fault = Fault::stalled("ValidationFailed", "duplicate");
    let outcome = conclude::conclude(&object, End::Stopped(facts(&object), fault), times());
    assert_eq!(
        words(&outcome),
        [
            "Stalled True ValidationFailed: duplicate",
            "Ready False ValidationFailed: duplicate",
        ]
    );
    assert!(matches!(outcome.next, Requeue::Stalled(_)));
}

#[test]
fn disabled_object_is_ready_before_its_first_run() {
    let mut object = ready();
    let disabled = [(
        "source.extensions.fluxcd.io/reconcile".to_owned(),
        "Disabled".to_owned(),
    )];
    object.metadata.annotations = Some(disabled.into());
    assert!(object.is_disabled());
    let outcome = conclude::conclude(&object, End::Suspended, times());
    assert_eq!(outcome.status, object.status);
    let notice = (
        Severity::Info,
        Audience::Cluster,
        "ReconciliationDisabled",
        "Reconciliation is disabled",
    );
    assert_eq!(notices(&outcome), [notice]);
    assert_eq!(outcome.next, Requeue::Never);
    object.metadata.finalizers = None;
    object.status = None;
    let outcome = conclude::conclude(&object, End::Suspended, times());
    let message = "Initialized with reconciliation suspended";
    assert_eq!(
        words(&outcome),
        [format!("Ready True ReconciliationDisabled: {message}")]
    );
}

#[test]
fn pattern_without_directories_warns() {
    let mut spec = spec();
    spec["pathPattern"] = "@repo/apps/{app}".into();
    let object = generator(&spec, &json!({ "inventory": [entry("old")] }));
    let facts = Facts {
        work: Some(Work {
            requests: Vec::new(),
            ..work(&object)
        }),
        removed: Some(1),
        ..facts(&object)
    };
    let outcome = conclude::conclude(&object, End::Settled(facts), times());
    let last = *notices(&outcome).last().unwrap();
    let message = "pathPattern '@repo/apps/{app}' matches no directory: 1 artifact(s) were removed";
    assert_eq!(
        last,
        (Severity::Error, Audience::Everyone, "NoArtifact", message)
    );
    assert_eq!(outcome.status.unwrap().inventory, []);
}

#[test]
fn failed_deletion_keeps_the_object() {
    let mut object = ready();
    let now: Time = serde_json::from_value(json!("2026-01-01T00:00:00Z")).unwrap();
    object.metadata.deletion_timestamp = Some(now);
    let fault = Fault::retried("GarbageCollectionFailed", "forbidden");
    let outcome = conclude::conclude(&object, End::Stopped(facts(&object), fault), times());
    assert_eq!(outcome.status, None);
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
    assert_eq!(notices(&outcome)[0].2, "GarbageCollectionFailed");
}
