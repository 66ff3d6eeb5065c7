//! Events decode, are cleaned and get their keys like in the reference.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::event::{InvolvedObject, Severity};
use sluice_engine::ObjectKey;

use super::*;
use crate::json::to_vec;

type Case = (
    &'static str,
    &'static str,
    Vec<(String, &'static str)>,
    bool,
);

const GROUP: &str = "kustomize.toolkit.fluxcd.io";

fn event(name: &str, message: &str, metadata: &[(&str, &str)]) -> Event {
    let metadata = metadata
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Event {
        involved_object: InvolvedObject {
            api_version: format!("{GROUP}/v1"),
            kind: "Kustomization".into(),
            name: name.into(),
            namespace: name.into(),
            ..InvolvedObject::default()
        },
        message: message.into(),
        metadata: metadata.collect(),
        ..Event::default()
    }
}

fn printed(event: &Event) -> String {
    String::from_utf8(to_vec(&wire(event))).unwrap()
}

#[test]
fn decoded_event_prints_as_sent() {
    let body = r#"{"involvedObject":{"kind":"Kustomization","namespace":"a","name":"b","uid":"1","apiVersion":"k/v1","resourceVersion":"7"},"severity":"grave","timestamp":"2024-05-01T10:00:00Z","message":"\u003cnil\u003e","reason":"R","metadata":{"a":"1","b":"2"},"reportingController":"c","reportingInstance":"i"}"#;
    assert_eq!(printed(&decode(body.as_bytes()).unwrap()), body);
}

#[test]
fn absent_fields_are_empty() {
    let empty = r#"{"involvedObject":{},"severity":"","timestamp":null,"message":"","reason":"","reportingController":""}"#;
    for body in ["{}", "null", r#"{"message":null,"metadata":null,"x":[1]}"#] {
        assert_eq!(printed(&decode(body.as_bytes()).unwrap()), empty, "{body}");
    }
    let folded = decode(br#"{"MESSAGE":"m","involvedobject":{"KIND":"K"}}"#).unwrap();
    assert_eq!(folded.message, "m");
    assert_eq!(folded.involved_object.kind, "K");
}

#[test]
fn time_is_brought_to_utc_seconds() {
    let body = br#"{"timestamp":"2024-05-01T10:00:00.999+02:00"}"#;
    let event = decode(body).unwrap();
    assert_eq!(timestamp(&event), "2024-05-01T08:00:00Z");
    assert_eq!(unix_seconds(&event), 1_714_550_400);
    assert_eq!(timestamp(&Event::default()), "0001-01-01T00:00:00Z");
    assert_eq!(unix_seconds(&Event::default()), -62_135_596_800);
}

#[test]
fn hostile_body_is_refused() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    let nested = format!("{{\"metadata\":{deep}}}");
    let bodies: [&[u8]; 13] = [
        b"",
        b"{",
        b"[]",
        b"7",
        br#""text""#,
        br#"{"message":5}"#,
        br#"{"involvedObject":"x"}"#,
        br#"{"involvedObject":{"name":[]}}"#,
        br#"{"metadata":{"a":1}}"#,
        br#"{"timestamp":"yesterday"}"#,
        br#"{"timestamp":"2024-05-01 10:00:00Z"}"#,
        nested.as_bytes(),
        &[0xff; 64],
    ];
    for body in bodies {
        let start = String::from_utf8_lossy(&body[..body.len().min(40)]);
        assert!(decode(body).is_err(), "{start}");
    }
}

#[test]
fn large_event_is_decoded() {
    let pairs: BTreeMap<String, String> = (0..50_000)
        .map(|n| (format!("{GROUP}/{n}\u{0}\n"), "v".to_owned()))
        .collect();
    let mut large = event("a", &"é".repeat(500_000), &[]);
    large.metadata = pairs;
    let body = printed(&large);
    assert!(body.len() > 2_000_000);
    let mut decoded = decode(body.as_bytes()).unwrap();
    clean(&mut decoded);
    assert_eq!(decoded.metadata.len(), 50_000);
    assert_eq!(
        key(&decoded, Sameness::Meaning),
        key(&large, Sameness::Meaning)
    );
}

/// The table of `TestCleanupMetadata` in the reference.
#[test]
fn clean_keeps_two_groups_without_digests() {
    let mut event = event(
        "foo",
        "",
        &[
            ("kustomize.toolkit.fluxcd.io/foo", "fooval"),
            ("kustomize.toolkit.fluxcd.io/bar", "barval"),
            ("kustomize.toolkit.fluxcd.io/checksum", "aaaaa"),
            ("kustomize.toolkit.fluxcd.io/Digest", "bbbbbbbb"),
            ("source.toolkit.fluxcd.io/baz", "bazval"),
            ("kustomize.toolkit.fluxcd.io/zzz", "zzzz"),
            ("kustomize.toolkit.fluxcd.io/aa/bb", "cc"),
            ("event.toolkit.fluxcd.io/baz", "foo"),
            ("event.toolkit.fluxcd.io/checksum", "foobaz"),
        ],
    );
    clean(&mut event);
    let kept: Vec<_> = event.metadata.keys().map(String::as_str).collect();
    assert_eq!(
        kept,
        [
            "event.toolkit.fluxcd.io/baz",
            "event.toolkit.fluxcd.io/checksum",
            "kustomize.toolkit.fluxcd.io/aa/bb",
            "kustomize.toolkit.fluxcd.io/bar",
            "kustomize.toolkit.fluxcd.io/foo",
            "kustomize.toolkit.fluxcd.io/zzz",
        ]
    );
}

#[test]
fn drop_token_removes_only_the_token() {
    let token = format!("{GROUP}/token");
    let other = "event.toolkit.fluxcd.io/token";
    let mut event = event("a", "", &[(&token, "1"), (other, "2")]);
    drop_token(&mut event);
    assert_eq!(event.metadata.keys().collect::<Vec<_>>(), [other]);
}

#[test]
fn group_needs_a_valid_api_version() {
    for (version, expected) in [
        (
            "kustomize.toolkit.fluxcd.io/v1",
            "kustomize.toolkit.fluxcd.io",
        ),
        ("v1", ""),
        ("", ""),
        ("a/b/c", ""),
    ] {
        let object = InvolvedObject {
            api_version: version.into(),
            ..InvolvedObject::default()
        };
        assert_eq!(group(&object), expected, "{version}");
    }
}

/// The table of `TestEventKeyFunc` in the reference.
#[test]
fn duplicates_are_found_by_their_key() {
    let passed = "Health check passed";
    let timed_out = "Health check timed out for [Deployment 'foo/bar']";
    let with = |key: &str, value| vec![(format!("{GROUP}/{key}"), value)];
    let cases: [Case; 15] = [
        ("1", passed, vec![], true),
        ("1", passed, vec![], false),
        ("1", timed_out, vec![], true),
        ("2", passed, vec![], true),
        ("3", passed, vec![], true),
        ("2", passed, vec![], false),
        ("4", passed, with("revision", "rev1"), true),
        ("4", passed, with("revision", "rev1"), false),
        ("4", passed, with("revision", "rev2"), true),
        ("4", passed, with("originRevision", "orev1"), true),
        ("4", passed, with("originRevision", "orev1"), false),
        ("4", passed, with("originRevision", "orev2"), true),
        ("4", passed, with("token", "token1"), true),
        ("4", passed, with("token", "token1"), false),
        ("4", passed, with("token", "token2"), true),
    ];
    for sameness in [Sameness::Exact, Sameness::Meaning] {
        let mut duplicates = Duplicates::new(Duration::from_mins(10));
        for (index, (name, message, metadata, is_new)) in cases.iter().enumerate() {
            let metadata: Vec<_> = metadata
                .iter()
                .map(|(key, value)| (key.as_str(), *value))
                .collect();
            let key = key(&event(name, message, &metadata), sameness);
            let admission = duplicates.admit(&key, Timestamp::UNIX_EPOCH);
            assert_eq!(admission.recipients.is_some(), *is_new, "case {index}");
        }
    }
}

/// `printf 'event/name=1/namespace=1/kind=Kustomization/message=m/revision=r' | sha256sum`
#[test]
fn exact_key_equals_the_reference() {
    let event = event("1", "m", &[(&format!("{GROUP}/revision"), "r")]);
    assert_eq!(
        key(&event, Sameness::Exact).as_str(),
        "9fbda486f67fbdf1917b710c69d2d10fe757780e3e3f10492c04aca3c8dff076"
    );
}

#[test]
fn window_ends_after_the_interval() {
    let interval = Duration::from_mins(5);
    let start: Timestamp = "2024-05-01T10:00:00Z".parse().unwrap();
    let mut duplicates = Duplicates::new(interval);
    let key = key(&event("1", "m", &[]), Sameness::Exact);
    let at = |seconds: u64| start.checked_add(Duration::from_secs(seconds)).unwrap();
    let first = duplicates.admit(&key, start);
    assert_eq!(first.recipients, Some(Recipients::All));
    let refused = duplicates.admit(&key, at(299));
    assert_eq!(refused.recipients, None);
    let headers = refused.headers();
    assert!(headers.contains(&("X-RateLimit-Remaining", "0".to_owned())));
    let reset = ("Retry-After", "Wed, 01 May 2024 10:05:00 UTC".to_owned());
    assert!(headers.contains(&reset), "{headers:?}");
    let next = duplicates.admit(&key, at(300));
    assert_eq!(next.recipients, Some(Recipients::All));
    assert_eq!(duplicates.len(), 1);
}

#[test]
fn repetition_passes_for_alerts_that_missed_the_event() {
    let mut duplicates = Duplicates::new(Duration::from_mins(5));
    let key = key(&event("1", "m", &[]), Sameness::Exact);
    let (broken, other) = (ObjectKey::new("a", "broken"), ObjectKey::new("a", "other"));
    let admit =
        |duplicates: &mut Duplicates| duplicates.admit(&key, Timestamp::UNIX_EPOCH).recipients;
    assert!(admit(&mut duplicates).unwrap().include(&other));
    for _ in 0..2 {
        assert_eq!(admit(&mut duplicates), None);
        duplicates.give_up(&key, Timestamp::UNIX_EPOCH, &broken);
        duplicates.give_up(&key, Timestamp::UNIX_EPOCH, &broken);
        let missed = admit(&mut duplicates).unwrap();
        assert_eq!(missed, Recipients::Only(vec![broken.clone()]));
        assert!(missed.include(&broken) && !missed.include(&other));
    }
}

#[test]
fn late_give_up_does_not_change_a_later_window() {
    let mut duplicates = Duplicates::new(Duration::from_mins(5));
    let key = key(&event("1", "m", &[]), Sameness::Exact);
    let alert = ObjectKey::new("a", "slow");
    let first = duplicates.admit(&key, Timestamp::UNIX_EPOCH);
    let later = Timestamp::UNIX_EPOCH
        .checked_add(Duration::from_mins(6))
        .unwrap();
    let second = duplicates.admit(&key, later);
    assert_eq!(second.recipients, Some(Recipients::All));
    duplicates.give_up(&key, first.start, &alert);
    assert_eq!(duplicates.admit(&key, later).recipients, None);
    duplicates.give_up(&key, second.start, &alert);
    let missed = Some(Recipients::Only(vec![alert]));
    assert_eq!(duplicates.admit(&key, later).recipients, missed);
}

#[test]
fn withdrawn_event_passes_again_for_its_recipients() {
    let mut duplicates = Duplicates::new(Duration::from_mins(5));
    let key = key(&event("1", "m", &[]), Sameness::Exact);
    let now = Timestamp::UNIX_EPOCH;
    for recipients in [
        Recipients::All,
        Recipients::Only(vec![ObjectKey::new("a", "broken")]),
    ] {
        let first = duplicates.admit(&key, now);
        assert_eq!(duplicates.admit(&key, now).recipients, None);
        duplicates.withdraw(&key, first.start, &recipients);
        assert_eq!(duplicates.admit(&key, now).recipients, Some(recipients));
    }
    // A later window stays.
    let later = now.checked_add(Duration::from_mins(6)).unwrap();
    duplicates.admit(&key, later);
    duplicates.withdraw(&key, now, &Recipients::All);
    assert_eq!(duplicates.admit(&key, later).recipients, None);
}

#[test]
fn alerts_that_missed_an_event_are_bounded() {
    let mut duplicates = Duplicates::new(Duration::from_mins(5));
    let key = key(&event("1", "m", &[]), Sameness::Exact);
    duplicates.give_up(&key, Timestamp::UNIX_EPOCH, &ObjectKey::new("a", "unknown"));
    assert!(duplicates.is_empty());
    duplicates.admit(&key, Timestamp::UNIX_EPOCH);
    for number in 0..=100 {
        duplicates.give_up(
            &key,
            Timestamp::UNIX_EPOCH,
            &ObjectKey::new("a", &number.to_string()),
        );
    }
    let again = duplicates.admit(&key, Timestamp::UNIX_EPOCH);
    assert_eq!(again.recipients, Some(Recipients::All));
}

#[test]
fn memory_of_duplicates_is_bounded() {
    let mut duplicates = Duplicates::with_capacity(Duration::from_mins(5), 100);
    for number in 0..10_000 {
        let key = key(&event(&number.to_string(), "m", &[]), Sameness::Exact);
        let admission = duplicates.admit(&key, Timestamp::UNIX_EPOCH);
        assert_eq!(admission.recipients, Some(Recipients::All));
        assert!(duplicates.len() <= 100);
    }
}

#[test]
fn durations_and_counters_have_no_meaning() {
    for (left, right) in [
        (
            "Reconciliation finished in 1.2s, next run in 10m0s",
            "Reconciliation finished in 856.123ms, next run in 10m0s",
        ),
        (
            "Health check failed after 5m0.000123s: x",
            "Health check failed after 29.9s: x",
        ),
        ("retry 3: no such host", "retry 4: no such host"),
        ("failed after 2 attempts", "failed after 17 attempts"),
        ("waiting for 2/5 replicas", "waiting for 3/5 replicas"),
        ("at 2024-05-01T10:00:00Z: x", "at 2024-05-01T10:07:31.5Z: x"),
        ("a (and 3 more)", "a (and 12 more)"),
        ("exceeded (30s)", "exceeded (1h2m3s)"),
    ] {
        assert_eq!(normalized(left), normalized(right));
    }
}

#[test]
fn other_numbers_have_a_meaning() {
    for (left, right) in [
        (
            "connect to 10.0.0.1:443 failed",
            "connect to 10.0.0.1:8443 failed",
        ),
        ("exit status 1", "exit status 137"),
        ("chart podinfo@6.1.0", "chart podinfo@6.2.0"),
        (
            "Fetched revision: main@sha1:1s5m",
            "Fetched revision: main@sha1:2s5m",
        ),
        ("Deployment/app-1h failed", "Deployment/app-2h failed"),
        ("path /tmp/3/5/x", "path /tmp/4/5/x"),
        ("v1 of 5s.example.com", "v1 of 6s.example.com"),
        ("HTTP 404", "HTTP 500"),
    ] {
        assert_ne!(normalized(left), normalized(right));
        assert_eq!(normalized(left), left);
    }
}

#[test]
fn severity_of_unknown_word_survives() {
    let event = decode(br#"{"severity":"warn"}"#).unwrap();
    assert_eq!(event.severity, Severity::Other("warn".into()));
}
