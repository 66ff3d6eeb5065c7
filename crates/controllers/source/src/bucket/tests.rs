//! Table tests for the decisions and reports of a `Bucket`.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::source::BucketStatus;
use sluice_bucket::Index;
use sluice_engine::{Audience, Decision, End, Outcome, Progress, Requeue, Retry, Severity, Times};
use sluice_producer::{ArtifactState, TidyReport};

use super::model::{Listing, NewArtifact};
use super::unchanged::unchanged_files;
use super::*;
use crate::fault::Fault;
use crate::reconcile::{self, Facts, SourceSpec as _, Step as Next};

fn object(spec: &Value, status: &Value) -> Bucket {
    let mut whole = json!({ "endpoint": "minio:9000", "bucketName": "apps", "interval": "1m" });
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "Bucket",
        "metadata": { "name": "app", "namespace": "tenant", "generation": 3 },
        "spec": whole,
        "status": status,
    }))
    .unwrap()
}

fn listing(keys: &[(&str, &str)]) -> Listing {
    let mut index = Index::default();
    for (key, etag) in keys {
        index.insert(*key, *etag);
    }
    Listing::new(index, std::collections::BTreeMap::new(), None)
}

fn stored(revision: &str) -> Value {
    json!({
        "observedGeneration": 3,
        "artifact": {
            "digest": "sha256:aa", "lastUpdateTime": "2024-01-01T00:00:00Z",
            "path": "bucket/tenant/app/x.tar.gz", "revision": revision, "size": 10,
            "url": "http://here/bucket/tenant/app/x.tar.gz",
        },
    })
}

fn facts(object: &Bucket) -> Facts<BucketKind> {
    let has_artifact = object
        .status
        .as_ref()
        .is_some_and(|status| status.artifact.is_some());
    let state = if has_artifact {
        ArtifactState::Valid
    } else {
        ArtifactState::None
    };
    let mut facts = Facts::new(object, false);
    facts.tidied = Some(TidyReport {
        collected: 0,
        state,
    });
    facts
}

fn work(step: Step) -> Decision<Next<Step>, Fault> {
    Decision::Work(Next::Kind(step))
}

fn end(object: &Bucket, end: End<Facts<BucketKind>, Fault>) -> Outcome<BucketStatus> {
    let now: Timestamp = "2025-01-01T00:00:00Z".parse().unwrap();
    let times = Times { started: now, now };
    reconcile::conclude(object, end, times, |path| format!("http://here/{path}"))
}

#[test]
fn unsupported_spec_stalls_with_reason() {
    for (spec, reason, named) in [
        (
            json!({ "provider": "odd" }),
            "InvalidProviderConfiguration",
            "spec.provider 'odd'",
        ),
        (
            json!({ "provider": "aws", "sts": { "provider": "ldap", "endpoint": "https://a" } }),
            "InvalidSTSConfiguration",
            "STS provider 'ldap' is not supported for 'aws' bucket provider",
        ),
        (
            json!({ "provider": "gcp", "sts": { "provider": "aws", "endpoint": "https://a" } }),
            "InvalidSTSConfiguration",
            "STS configuration is not supported for 'gcp' bucket provider",
        ),
        (
            json!({ "provider": "aws", "sts": {
                "provider": "aws", "endpoint": "https://a", "secretRef": { "name": "a" },
            } }),
            "InvalidSTSConfiguration",
            "spec.sts.secretRef is not required for the 'aws' STS provider",
        ),
        (
            json!({ "provider": "aws", "sts": {
                "provider": "aws", "endpoint": "https://a", "certSecretRef": { "name": "a" },
            } }),
            "InvalidSTSConfiguration",
            "spec.sts.certSecretRef is not required for the 'aws' STS provider",
        ),
        (
            json!({ "sts": { "provider": "ldap", "endpoint": "ldap" } }),
            "URLInvalid",
            "failed to parse STS endpoint 'ldap'",
        ),
        (
            json!({ "sts": { "provider": "aws", "endpoint": "https://sts" } }),
            "InvalidSTSConfiguration",
            "STS provider 'aws' is not supported for 'generic' bucket provider",
        ),
        (
            json!({ "interval": "soon" }),
            "ValidationFailed",
            "spec.interval",
        ),
    ] {
        let failure = Spec::parse(&object(&spec, &json!({}))).unwrap_err();
        assert_eq!(
            (failure.reason.as_ref(), failure.retry),
            (reason, Retry::Stalled),
            "{spec}"
        );
        assert!(failure.message.contains(named), "{}", failure.message);
    }
    let object = object(&json!({ "endpoint": "http://minio" }), &json!({}));
    let failure = Spec::parse(&object).unwrap_err();
    assert_eq!(
        failure.message,
        "Endpoint url cannot have fully qualified paths."
    );
    assert_eq!(failure.retry, Retry::Backoff);
}

#[test]
fn endpoint_of_azure_is_a_url_without_login() {
    let parse = |endpoint: &str| {
        let spec = json!({ "provider": "azure", "endpoint": endpoint });
        Spec::parse(&object(&spec, &json!({}))).map_err(|failure| failure.message)
    };
    for endpoint in [
        "https://a.blob.core.windows.net",
        "http://127.0.0.1:10000/account?sv=1",
    ] {
        assert!(parse(endpoint).is_ok(), "{endpoint}");
    }
    for endpoint in [
        "a.blob.core.windows.net",
        "ftp://a",
        "https://me:canary@a.blob.core.windows.net",
        "canary@?sig=canary",
    ] {
        let message = parse(endpoint).unwrap_err();
        assert!(
            message.contains("must be the URL of an account"),
            "{message}"
        );
        assert!(!message.contains("canary"), "{message}");
    }
}

#[test]
fn emulator_of_google_may_be_a_host() {
    for (emulator, expected) in [
        (None, "https://storage.googleapis.com/"),
        (Some("127.0.0.1:4443"), "http://127.0.0.1:4443/"),
        (Some("https://gcs.test/"), "https://gcs.test/"),
    ] {
        assert_eq!(google_service(emulator).as_str(), expected);
    }
}

#[test]
fn unchanged_listing_settles_and_leaves_status() {
    let listing = listing(&[("a.yaml", "1")]);
    let object = object(&json!({}), &stored(&listing.revision()));
    let mut facts = facts(&object);
    assert_eq!(reconcile::plan(&object, &facts), work(Step::Connect));
    facts.own.remote = Some(remote());
    assert_eq!(reconcile::plan(&object, &facts), work(Step::List));
    facts.own.listing = Some(listing);
    assert_eq!(reconcile::plan(&object, &facts), Decision::Settled);
    let outcome = end(&object, End::Settled(facts));
    let notices: Vec<_> = outcome
        .notices
        .iter()
        .map(|notice| (notice.severity, notice.audience, &*notice.reason))
        .collect();
    assert_eq!(
        notices,
        [(Severity::Info, Audience::Log, "ArtifactUpToDate")]
    );
    let status = outcome.status.unwrap();
    assert_eq!(status.artifact, object.status.unwrap().artifact);
    assert!(status.conditions.is_true("Ready"));
}

#[test]
fn changed_listing_is_stored_and_announced() {
    let object = object(&json!({}), &stored("sha256:00"));
    let mut facts = facts(&object);
    facts.own.remote = Some(remote());
    let listing = listing(&[("a.yaml", "1"), ("b.yaml", "2")]);
    let revision = listing.revision();
    facts.own.listing = Some(listing);
    assert_eq!(reconcile::plan(&object, &facts), work(Step::Store));
    let now: Timestamp = "2025-01-01T00:00:00Z".parse().unwrap();
    let shown = reconcile::progress(&object, &facts, Next::Kind(Step::Store), now, str::to_owned);
    let Progress::Show(shown) = shown else {
        panic!("a new revision is shown");
    };
    assert!(shown.conditions.is_true("ArtifactOutdated"));
    facts.own.stored = Some(NewArtifact {
        artifact: Artifact {
            digest: "sha256:bb".to_owned(),
            revision: revision.clone(),
            path: "bucket/tenant/app/y.tar.gz".to_owned(),
            ..Artifact::default()
        },
        objects: 2,
        link: Ok("http://here/bucket/tenant/app/latest.tar.gz".to_owned()),
    });
    assert_eq!(reconcile::plan(&object, &facts), Decision::Settled);
    let outcome = end(&object, End::Settled(facts));
    assert_eq!(
        outcome.notices[0].message,
        "stored artifact with 2 fetched files from 'apps' bucket"
    );
    assert_eq!(
        outcome.next,
        Requeue::Interval(std::time::Duration::from_mins(1))
    );
    let status = outcome.status.unwrap();
    let stored = status.conditions.find("ArtifactInStorage").unwrap();
    assert_eq!(
        stored.message,
        format!("stored artifact: revision '{revision}'")
    );
    assert!(status.conditions.find("ArtifactOutdated").is_none());
    assert_eq!(
        status.url.as_deref(),
        Some("http://here/bucket/tenant/app/latest.tar.gz")
    );
}

fn remote() -> sluice_bucket::Remote {
    sluice_bucket::Remote::S3(sluice_bucket::Bucket {
        endpoint: sluice_bucket::Endpoint::parse("minio:9000", false).unwrap(),
        name: "apps".to_owned(),
        region: None,
        credentials: None,
        dial: sluice_dial::Dial::default(),
    })
}

#[test]
fn only_objects_of_stored_revision_are_unchanged() {
    let stored = listing(&[
        ("a.yaml", "1"),
        ("b.yaml", "1"),
        ("d/../c.yaml", "1"),
        ("./.sourceignore", "1"),
    ]);
    let key = ObjectKey::new("tenant", "app");
    let indexes = StoredIndexes::default();
    let artifact = |revision: String| Artifact {
        revision,
        ..Artifact::default()
    };
    let unchanged = |revision: String, listed: &[(&str, &str)]| -> Vec<String> {
        let stored = indexes.get(&key);
        let stored = stored.as_deref();
        let files = unchanged_files(stored, &artifact(revision), &listing(listed).index);
        let name = |path: &Vec<Vec<u8>>| String::from_utf8(path.join(&b'/')).unwrap();
        files.iter().map(name).collect()
    };
    let listed = [
        ("a.yaml", "1"),
        ("b.yaml", "2"),
        ("c.yaml", "1"),
        ("e.yaml", "1"),
        ("./.sourceignore", "1"),
    ];
    assert_eq!(unchanged(stored.revision(), &listed), [""; 0]);
    indexes.note(&key, Some(Arc::clone(&stored.index)));
    assert_eq!(unchanged(stored.revision(), &listed), ["a.yaml"]);
    assert_eq!(unchanged("sha256:00".to_owned(), &listed), [""; 0]);
    indexes.note(&key, None);
    assert_eq!(unchanged(stored.revision(), &listed), [""; 0]);
}
