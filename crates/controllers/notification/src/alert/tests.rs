//! Alerts select the events of their sources and combine the metadata.

#![expect(
    clippy::needless_pass_by_value,
    reason = "the documents are literals, which callers pass by value"
)]

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};
use sluice_api::event::{Event, Severity};
use sluice_api::notification::{Alert, Provider, ProviderType};
use sluice_system::budget::Budget;

use super::*;
use crate::error::Error;
use crate::event::decode;

const NO_LABELS: Labels<'static> = Labels::Unreadable;

fn event(severity: &str, message: &str, metadata: Value) -> Event {
    let body = json!({
        "involvedObject": {
            "kind": "Kustomization", "namespace": "foo", "name": "bar",
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        },
        "severity": severity, "message": message, "metadata": metadata,
    });
    decode(body.to_string().as_bytes()).unwrap()
}

fn alert(spec: Value) -> Alert {
    let mut base = json!({
        "eventSources": [{ "kind": "Kustomization", "name": "*" }],
        "providerRef": { "name": "p" },
    });
    for (key, value) in spec.as_object().unwrap() {
        base[key] = value.clone();
    }
    serde_json::from_value(json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1beta3", "kind": "Alert",
        "metadata": { "name": "test-alert", "namespace": "foo" }, "spec": base,
    }))
    .unwrap()
}

fn provider(spec: Value) -> Provider {
    serde_json::from_value(json!({
        "apiVersion": "notification.toolkit.fluxcd.io/v1beta3", "kind": "Provider",
        "metadata": {
            "name": "p", "namespace": "foo", "uid": "0c9c2e41-d2f9-4f9b-9c41-bebc1984d67a",
        },
        "spec": spec,
    }))
    .unwrap()
}

/// Cases of `TestFilterAlertsForEvent` and `TestEventMatchesAlert` in the reference.
#[test]
fn alert_wants_the_events_of_its_sources() {
    let source = |source: Value| json!({ "eventSources": [source] });
    let wanted: Option<Rejection> = None;
    let cases = [
        (json!({}), wanted.clone()),
        (json!({ "suspend": true }), Some(Rejection::Suspended)),
        (
            json!({ "inclusionList": ["[b"] }),
            Some(Rejection::NotIncluded),
        ),
        (
            json!({ "inclusionList": ["nothing"] }),
            Some(Rejection::NotIncluded),
        ),
        (json!({ "inclusionList": ["[b", "^some"] }), None),
        (
            json!({ "exclusionList": ["exc", "^so"] }),
            Some(Rejection::Excluded("^so".into())),
        ),
        (json!({ "exclusionList": ["[b"] }), None),
        (
            json!({ "inclusionList": ["^some"], "exclusionList": ["message$"] }),
            Some(Rejection::Excluded("message$".into())),
        ),
        (
            json!({ "eventSeverity": "error" }),
            Some(Rejection::Severity),
        ),
        (json!({ "eventSeverity": "info" }), None),
        (
            source(json!({ "kind": "Kustomization", "name": "*", "namespace": "other" })),
            Some(Rejection::Source),
        ),
        (
            source(json!({ "kind": "GitRepository", "name": "*" })),
            Some(Rejection::Source),
        ),
        (
            source(json!({ "kind": "Kustomization", "name": "x" })),
            Some(Rejection::Source),
        ),
        (
            source(json!({ "kind": "Kustomization", "name": "bar" })),
            None,
        ),
        (
            source(json!({
                "kind": "Kustomization", "name": "bar", "namespace": "foo",
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1beta2",
            })),
            None,
        ),
    ];
    let event = event("info", "some message", json!({}));
    for (spec, expected) in cases {
        let alert = alert(spec.clone());
        assert!(!needs_labels(&alert, &event), "{spec}");
        let outcome = matches(&alert, &event, NO_LABELS, &pattern_budget(Duration::MAX)).outcome;
        assert_eq!(outcome.err(), expected, "{spec}");
    }
}

#[test]
fn error_alert_only_wants_failures() {
    let alert = alert(json!({ "eventSeverity": "error" }));
    for (severity, is_wanted) in [("error", true), ("info", false), ("trace", false)] {
        let event = event(severity, "", json!({}));
        assert_eq!(
            matches(&alert, &event, NO_LABELS, &pattern_budget(Duration::MAX))
                .outcome
                .is_ok(),
            is_wanted
        );
    }
}

#[test]
fn invalid_pattern_is_reported_once_per_event() {
    for pattern in ["(?<x>a", "[b", r"\C", "a{1001}", "(?i"] {
        let alert = alert(json!({ "inclusionList": [pattern, "."], "exclusionList": [pattern] }));
        let found = matches(
            &alert,
            &event("info", "m", json!({})),
            NO_LABELS,
            &pattern_budget(Duration::MAX),
        );
        let expected = ["inclusion", "exclusion"].map(|list| Notice {
            reason: "InvalidConfig",
            message: format!("failed to compile {list} regex: {pattern}"),
        });
        // Current versions of Go accept a named group without `P`.
        if pattern != "(?<x>a" {
            assert_eq!(found.outcome, Ok(()));
        }
        assert_eq!(found.notices, expected, "{pattern}");
    }
}

/// An event that the patterns cannot judge is sent, because it may be the report of an outage.
#[test]
fn slow_patterns_are_reported_and_reject_no_event() {
    let event = event("info", "m", json!({}));
    let late = || Budget::until(u64::MAX, 0, std::time::Instant::now());
    for (list, pattern, in_time) in [
        ("inclusionList", "x", Err(Rejection::NotIncluded)),
        ("exclusionList", "m", Err(Rejection::Excluded("m".into()))),
    ] {
        let alert = alert(json!({ list: [pattern] }));
        assert!(needs_patterns(&alert, &event));
        let judge = |budget: &Budget| matches(&alert, &event, NO_LABELS, budget);
        let judged = judge(&pattern_budget(Duration::MAX));
        assert_eq!((judged.outcome, judged.slow), (in_time, None));
        let found = judge(&late());
        assert_eq!(found.outcome, Ok(()), "{list}");
        let notice = found.slow.unwrap();
        assert_eq!(notice.reason, "InvalidConfig");
        assert!(notice.message.ends_with(&format!("of spec.{list}")));
        assert!(found.notices.is_empty());
    }
    assert!(!needs_patterns(&alert(json!({})), &event));
}

#[test]
fn slow_alert_is_reported_once_per_generation() {
    let mut slow = SlowAlerts::default();
    let with = |uid: &str, generation: i64| {
        let mut alert = alert(json!({}));
        alert.metadata.uid = Some(uid.to_owned());
        alert.metadata.generation = Some(generation);
        alert
    };
    assert!(slow.report(&with("a", 1)) && slow.report(&with("b", 1)));
    assert!(!slow.report(&with("a", 1)) && !slow.report(&with("b", 1)));
    assert!(slow.report(&with("a", 2)));
    // A full set reports again.
    for number in 0..MAX_SLOW {
        assert!(slow.report(&with(&number.to_string(), 1)));
    }
    assert!(slow.report(&with("a", 2)));
}

#[test]
fn labels_decide_about_a_source_with_labels() {
    let alert = alert(json!({ "eventSources": [
        { "kind": "Kustomization", "name": "*", "matchLabels": { "app": "podinfo", "tier": "a" } },
    ]}));
    let event = event("info", "m", json!({}));
    assert!(needs_labels(&alert, &event));
    let labels = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs.map(|(k, v)| ((*k).into(), (*v).into())).collect()
    };
    let full = labels(&[("app", "podinfo"), ("tier", "a"), ("x", "y")]);
    assert_eq!(
        matches(
            &alert,
            &event,
            Labels::Known(&full),
            &pattern_budget(Duration::MAX)
        )
        .outcome,
        Ok(())
    );
    let half = labels(&[("app", "podinfo")]);
    let found = matches(
        &alert,
        &event,
        Labels::Known(&half),
        &pattern_budget(Duration::MAX),
    );
    assert_eq!(found.outcome, Err(Rejection::Labels));
    assert_eq!(found.notices, []);
    let found = matches(
        &alert,
        &event,
        Labels::Unreadable,
        &pattern_budget(Duration::MAX),
    );
    assert_eq!(found.outcome, Err(Rejection::Labels));
    assert_eq!(
        found.notices,
        [Notice {
            reason: "SourceFetchFailed",
            message: "error getting source object Kustomization/foo/bar".into(),
        }]
    );
}

#[test]
fn invalid_labels_are_reported() {
    for (key, value) in [
        ("a b", "x"),
        ("", "x"),
        ("a", "-x"),
        ("A/b", "x"),
        ("a/b/c", "x"),
    ] {
        let alert = alert(json!({ "eventSources": [
            { "kind": "Kustomization", "name": "*", "matchLabels": { key: value } },
        ]}));
        let labels = BTreeMap::from([(key.to_owned(), value.to_owned())]);
        let event = event("info", "m", json!({}));
        let found = matches(
            &alert,
            &event,
            Labels::Known(&labels),
            &pattern_budget(Duration::MAX),
        );
        assert_eq!(found.outcome, Err(Rejection::Labels), "{key}");
        assert_eq!(found.notices[0].reason, "InvalidConfig", "{key}");
    }
}

#[test]
fn source_without_labels_needs_no_look_up() {
    let alert = alert(json!({ "eventSources": [
        { "kind": "Kustomization", "name": "*", "matchLabels": { "app": "podinfo" } },
        { "kind": "Kustomization", "name": "bar" },
    ]}));
    let event = event("info", "m", json!({}));
    assert!(!needs_labels(&alert, &event));
}

/// Cases of `TestCombineEventMetadata` in the reference.
#[test]
fn metadata_has_the_precedence_of_its_source() {
    const SUMMARY: &str = "Alert object .spec.summary";
    const ALERT: &str = "Alert object .spec.eventMetadata";
    const OBJECT: &str = "involved object annotations";
    const CONTROLLER: &str = "involved object controller metadata";
    let pair = |left: &str, right: &str| format!("{left}, {right}");
    let cases = [
        (json!({}), json!({}), json!({}), json!({})),
        (
            json!({
                "kustomize.toolkit.fluxcd.io/controllerMetadata1": "controllerMetadataValue1",
                "event.toolkit.fluxcd.io/objectMetadata1": "objectMetadataValue1",
            }),
            json!({ "summary": "summaryValue", "eventMetadata": { "foo": "bar" } }),
            json!({
                "foo": "bar",
                "controllerMetadata1": "controllerMetadataValue1",
                "summary": "summaryValue",
                "objectMetadata1": "objectMetadataValue1",
            }),
            json!({}),
        ),
        (
            json!({ "event.toolkit.fluxcd.io/summary": "objectSummary" }),
            json!({ "summary": "alertSummary" }),
            json!({ "summary": "alertSummary" }),
            json!({ "summary": pair(OBJECT, SUMMARY) }),
        ),
        (
            json!({}),
            json!({ "summary": "alertSummary", "eventMetadata": { "summary": "other" } }),
            json!({ "summary": "alertSummary" }),
            json!({ "summary": pair(ALERT, SUMMARY) }),
        ),
        (
            json!({ "kustomize.toolkit.fluxcd.io/summary": "controllerSummary" }),
            json!({ "summary": "alertSummary" }),
            json!({ "summary": "controllerSummary" }),
            json!({ "summary": pair(SUMMARY, CONTROLLER) }),
        ),
        (
            json!({
                "kustomize.toolkit.fluxcd.io/a": "controller1",
                "kustomize.toolkit.fluxcd.io/b": "controller2",
                "event.toolkit.fluxcd.io/a": "object1",
                "event.toolkit.fluxcd.io/c": "object2",
            }),
            json!({ "eventMetadata": { "b": "alert1", "c": "alert2", "d": "alert3" } }),
            json!({ "a": "controller1", "b": "controller2", "c": "alert2", "d": "alert3" }),
            json!({
                "a": pair(OBJECT, CONTROLLER),
                "b": pair(ALERT, CONTROLLER),
                "c": pair(OBJECT, ALERT),
            }),
        ),
    ];
    for (metadata, spec, expected, conflicts) in cases {
        let combined = combine(&event("info", "m", metadata), &alert(spec.clone()));
        assert_eq!(json!(combined.event.metadata), expected, "{spec}");
        assert_eq!(json!(combined.conflicts), conflicts, "{spec}");
        assert_eq!(combined.has_summary, spec.get("summary").is_some());
    }
}

#[test]
fn dispatch_decides_in_order() {
    let commit = json!({ "event.toolkit.fluxcd.io/commit": "x" });
    let update = json!({ "kustomize.toolkit.fluxcd.io/commit_status": "update" });
    let change = json!({ "event.toolkit.fluxcd.io/change_request": "42" });
    let none = json!({});
    let send: Option<Skip> = None;
    let cases = [
        ("slack", "info", &none, send),
        ("slack", "info", &update, Some(Skip::OnlyForCommitStatus)),
        (
            "githubdispatch",
            "info",
            &update,
            Some(Skip::OnlyForCommitStatus),
        ),
        ("generic", "info", &update, send),
        ("generic-hmac", "info", &update, send),
        ("github", "info", &none, Some(Skip::NoCommit)),
        ("github", "info", &commit, send),
        ("github", "info", &update, send),
        ("github", "error", &none, send),
        ("github", "trace", &none, Some(Skip::NoCommit)),
        ("azuredevops", "info", &none, Some(Skip::NoCommit)),
        ("bitbucketserver", "info", &change, Some(Skip::NoCommit)),
        (
            "githubpullrequestcomment",
            "error",
            &none,
            Some(Skip::NoChangeRequest),
        ),
        ("gitlabmergerequestcomment", "info", &change, send),
        (
            "giteapullrequestcomment",
            "info",
            &commit,
            Some(Skip::NoChangeRequest),
        ),
    ];
    for (type_, severity, metadata, expected) in cases {
        let event = event(severity, "m", metadata.clone());
        let provider = provider(json!({ "type": type_ }));
        let found = dispatch(&event, &alert(json!({})), Ok(&provider), Gates::default());
        match expected {
            Some(skip) => assert_eq!(found, Dispatch::Skip(skip), "{type_} {metadata}"),
            None => assert!(matches!(found, Dispatch::Send(_)), "{type_} {metadata}"),
        }
    }
}

#[test]
fn dispatch_refuses_with_a_reason() {
    let event = event("info", "m", json!({}));
    let mut foreign = alert(json!({}));
    foreign.metadata.namespace = Some("tenant".into());
    let closed = Gates {
        no_cross_namespace_refs: true,
        ..Gates::default()
    };
    let plain = provider(json!({ "type": "generic" }));
    let found = dispatch(&event, &foreign, Ok(&plain), closed);
    assert_eq!(
        found,
        Dispatch::Refuse(
            "discarding event, access denied to cross-namespace sources: alert 'tenant/test-alert' \
             can't process event from 'Kustomization/foo/bar', cross-namespace references have \
             been blocked"
                .into()
        )
    );
    let found = dispatch(&event, &alert(json!({})), Err("not found"), closed);
    assert_eq!(
        found,
        Dispatch::Refuse("failed to read provider: not found".into())
    );
    let suspended = provider(json!({ "type": "generic", "suspend": true }));
    let found = dispatch(&event, &alert(json!({})), Ok(&suspended), closed);
    assert_eq!(found, Dispatch::Skip(Skip::Suspended));
    let identity = provider(json!({ "type": "googlepubsub", "serviceAccountName": "sa" }));
    let found = dispatch(&event, &alert(json!({})), Ok(&identity), closed);
    assert!(
        matches!(&found, Dispatch::Refuse(text) if text.contains("ObjectLevelWorkloadIdentity")),
        "{found:?}"
    );
    let open = Gates {
        object_level_workload_identity: true,
        ..closed
    };
    let found = dispatch(&event, &alert(json!({})), Ok(&identity), open);
    assert!(matches!(found, Dispatch::Send(_)));
}

/// Cases of `TestCreateCommitStatus` in the reference.
#[test]
fn commit_status_is_a_default_or_an_expression() {
    const UID: &str = "0c9c2e41-d2f9-4f9b-9c41-bebc1984d67a";
    let prefix = "event.involvedObject.kind + '/' + event.involvedObject.name + '/' + ";
    let mut event = event("info", "m", json!({ "environment": "production" }));
    event.involved_object.name = "gitops-system".into();
    let cases = [
        ("slack", None, Some(String::new())),
        ("msteams", None, Some(String::new())),
        (
            "github",
            None,
            Some("kustomization/gitops-system/0c9c2e41".to_owned()),
        ),
        (
            "gitlab",
            None,
            Some("kustomization/gitops-system/0c9c2e41".to_owned()),
        ),
        (
            "github",
            Some(format!(
                "{prefix}event.metadata.environment + '/' + provider.metadata.uid"
            )),
            Some(format!("Kustomization/gitops-system/production/{UID}")),
        ),
        (
            "github",
            Some(format!(
                "{prefix}provider.metadata.uid.split('-').first().value()"
            )),
            Some("Kustomization/gitops-system/0c9c2e41".to_owned()),
        ),
        (
            "github",
            Some(format!("{prefix}alert.metadata.name")),
            Some("Kustomization/gitops-system/test-alert".to_owned()),
        ),
        (
            "github",
            Some(format!("{prefix}event.metadata.notfound")),
            None,
        ),
        (
            "github",
            Some("event.involvedObject.kind == 'Kustomization'".to_owned()),
            None,
        ),
        ("github", Some("event.involvedObject".to_owned()), None),
        ("github", Some("'a' +".to_owned()), None),
        (
            "github",
            Some("'x'.replace('x', 'y'.join([]))".to_owned()),
            None,
        ),
    ];
    for (type_, expression, expected) in cases {
        let mut spec = json!({ "type": type_ });
        if let Some(expression) = &expression {
            spec["commitStatusExpr"] = json!(expression);
        }
        let found = commit_status(&provider(spec), &alert(json!({})), &event);
        assert_eq!(found.clone().ok(), expected, "{expression:?}: {found:?}");
        if let Err(error) = found {
            assert!(matches!(error, Error::Expression(_)));
        }
    }
}

#[test]
fn endless_commit_status_expression_is_refused() {
    let list = "[0,1,2,3,4,5,6,7,8,9]";
    let loops = (0..12).fold("true".to_owned(), |inner, depth| {
        format!("{list}.all(x{depth}, {inner})")
    });
    let expression = format!("{loops} ? 'a' : 'b'");
    let provider = provider(json!({ "type": "github", "commitStatusExpr": expression }));
    let found = commit_status(&provider, &alert(json!({})), &event("info", "m", json!({})));
    assert!(matches!(found, Err(Error::Expression(_))), "{found:?}");
}

#[test]
fn long_commit_status_is_refused() {
    let mut event = event("info", "m", json!({}));
    event.message = "x".repeat(1_000_000);
    let provider =
        provider(json!({ "type": "github", "commitStatusExpr": "event.message + event.message" }));
    let error = commit_status(&provider, &alert(json!({})), &event).unwrap_err();
    assert!(error.to_string().len() < 500, "{error}");
}

#[test]
fn families_cover_types_of_the_schema() {
    let count = |is: fn(&ProviderType) -> bool| {
        let words = ProviderType::WORDS.iter();
        words.filter(|word| is(&(**word).into())).count()
    };
    assert_eq!(count(crate::kind::sets_commit_status), 6);
    assert_eq!(count(crate::kind::comments_on_changes), 3);
    assert_eq!(count(crate::kind::is_generic), 2);
    assert_eq!(Severity::default(), Severity::Info);
}

/// An Alert that wants failures and recoveries.
fn recovering() -> Alert {
    let mut alert = alert(json!({ "eventSeverity": "error" }));
    alert.metadata.uid = Some("uid".into());
    let annotations = [(NOTIFY_RECOVERY.to_owned(), "true".to_owned())];
    alert.metadata.annotations = Some(annotations.into());
    alert
}

#[test]
fn recovery_is_reported_once() {
    let mut recoveries = Recoveries::default();
    let alert = recovering();
    let mut observe = |severity: &str, reason: &str| {
        let mut event = event(severity, "m", json!({}));
        event.reason = reason.into();
        recoveries.observe(&alert, &event)
    };
    assert!(!observe("info", "ReconciliationSucceeded"));
    assert!(!observe("error", "BuildFailed"));
    assert!(!observe("error", "HealthCheckFailed"));
    assert!(!observe("info", "Progressing"));
    assert!(!observe("trace", "x"));
    assert!(observe("info", "ReconciliationSucceeded"));
    assert!(!observe("info", "ReconciliationSucceeded"));
    assert!(recoveries.is_empty());
}

#[test]
fn recovery_needs_the_annotation() {
    for value in [None, Some(""), Some("false"), Some("True")] {
        let mut recoveries = Recoveries::default();
        let mut alert = recovering();
        alert.metadata.annotations =
            value.map(|value| [(NOTIFY_RECOVERY.to_owned(), value.to_owned())].into());
        recoveries.observe(&alert, &event("error", "m", json!({})));
        assert!(!recoveries.observe(&alert, &event("info", "m", json!({}))));
        assert!(recoveries.is_empty());
    }
}

#[test]
fn memory_of_failing_objects_is_bounded() {
    let mut recoveries = Recoveries::default();
    let alert = recovering();
    let mut event = event("error", "m", json!({}));
    for number in 0..MAX_FAILING + 100 {
        event.involved_object.name = number.to_string();
        recoveries.observe(&alert, &event);
    }
    assert_eq!(recoveries.len(), MAX_FAILING);
}
