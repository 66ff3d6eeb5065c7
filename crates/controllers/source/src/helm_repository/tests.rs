//! Table tests for the decisions and reports of a `HelmRepository`.

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::source::HelmRepositoryStatus;
use sluice_digest::Digest;
use sluice_engine::{Audience, Decision, End, Outcome, Progress, Requeue, Retry, Times};
use sluice_producer::{ArtifactState, Spool, TidyReport};

use super::model::{FetchedIndex, NewArtifact};
use super::*;
use crate::fault::Fault;
use crate::helm::access::HelmAccess;
use crate::helm::http::HttpRepository;
use crate::reconcile::{self, Facts, SourceSpec as _, Step as Next};

fn object(spec: &Value, status: &Value) -> HelmRepository {
    let mut whole = json!({ "url": "https://charts.example.com", "interval": "1m" });
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "HelmRepository",
        "metadata": { "name": "charts", "namespace": "tenant", "generation": 3 },
        "spec": whole,
        "status": status,
    }))
    .unwrap()
}

fn stored(revision: &str) -> Value {
    json!({
        "observedGeneration": 3,
        "artifact": {
            "digest": "sha256:aa", "lastUpdateTime": "2024-01-01T00:00:00Z",
            "path": "helmrepository/tenant/charts/index-x.yaml", "revision": revision,
            "size": 2_500_000, "url": "http://here/helmrepository/tenant/charts/index-x.yaml",
        },
    })
}

fn facts(object: &HelmRepository) -> Facts<HelmRepositoryKind> {
    let status = object.status.as_ref();
    let state = match status.and_then(|status| status.artifact.as_ref()) {
        Some(_) => ArtifactState::Valid,
        None => ArtifactState::None,
    };
    let mut facts = Facts::new(object, false);
    facts.tidied = Some(TidyReport {
        collected: 0,
        state,
    });
    facts
}

fn connected(object: &HelmRepository) -> Facts<HelmRepositoryKind> {
    let mut facts = facts(object);
    let spec = Spec::parse(object).unwrap();
    let access = HelmAccess::default();
    let remote = HttpRepository::new(spec.url, &object.spec, spec.timeout, access);
    facts.own.remote = Some(remote);
    facts
}

fn fetched(object: &HelmRepository, text: &str) -> Facts<HelmRepositoryKind> {
    let mut facts = connected(object);
    facts.own.fetched = Some(FetchedIndex {
        digest: Digest::of(text.as_bytes()),
        text: Some(Spool::default()),
    });
    facts
}

fn work(step: Step) -> Decision<Next<Step>, Fault> {
    Decision::Work(Next::Kind(step))
}

fn times() -> Times {
    let now: Timestamp = "2025-01-01T00:00:00Z".parse().unwrap();
    Times { started: now, now }
}

fn end(
    object: &HelmRepository,
    end: End<Facts<HelmRepositoryKind>, Fault>,
) -> Outcome<HelmRepositoryStatus> {
    reconcile::conclude(object, end, times(), |path| format!("http://here/{path}"))
}

#[test]
fn invalid_url_stalls() {
    for (url, reason, message) in [
        (
            "oci://charts.example.com",
            "URLInvalid",
            "invalid Helm repository URL: 'oci' URL scheme cannot be used with 'default' \
             HelmRepository type",
        ),
        (
            "ftp://charts.example.com",
            "Failed",
            "failed to construct Helm client: scheme \"ftp\" not supported",
        ),
        (
            "https://me:secret@charts.example.com:x",
            "URLInvalid",
            "invalid Helm repository URL: parse \"https://charts.example.com:x\": invalid port \
             \":x\" after host",
        ),
    ] {
        let failure = Spec::parse(&object(&json!({ "url": url }), &json!({}))).unwrap_err();
        assert_eq!(failure.retry, Retry::Stalled, "{url}");
        assert_eq!((&*failure.reason, &*failure.message), (reason, message));
    }
}

/// Parity: source-controller: `internal/controller/helmrepository_controller.go`. Only the request
/// fails, with an error of Go's `net/http`.
#[test]
fn url_without_host_is_retried() {
    for (url, index) in [
        ("https:///app", "https:///app/index.yaml"),
        ("https://", "https://index.yaml"),
    ] {
        let failure = Spec::parse(&object(&json!({ "url": url }), &json!({}))).unwrap_err();
        assert_eq!(
            (&*failure.reason, failure.retry),
            ("Failed", Retry::Backoff)
        );
        let message = format!(
            "failed to fetch Helm repository index: failed to cache index to temporary file: Get \
             \"{index}\": http: no Host in request URL"
        );
        assert_eq!(failure.message, message);
    }
}

#[test]
fn missing_interval_is_a_minute() {
    for interval in [Value::Null, json!("0s"), json!("1m")] {
        let object = object(&json!({ "interval": interval }), &json!({}));
        let spec = Spec::parse(&object).unwrap();
        assert_eq!(spec.interval.as_secs(), 60, "{interval}");
    }
}

#[test]
fn new_index_is_checked_before_it_is_stored() {
    let object = object(&json!({}), &stored("sha256:old"));
    assert_eq!(
        reconcile::plan(&object, &facts(&object)),
        work(Step::Connect)
    );
    assert_eq!(
        reconcile::plan(&object, &connected(&object)),
        work(Step::Fetch)
    );
    let mut facts = fetched(&object, "new");
    assert_eq!(reconcile::plan(&object, &facts), work(Step::Check));
    facts.own.checked = Some(Spool::default());
    assert_eq!(reconcile::plan(&object, &facts), work(Step::Store));
    let shown = reconcile::progress(
        &object,
        &facts,
        Next::Kind(Step::Store),
        times().started,
        str::to_owned,
    );
    let Progress::Show(status) = shown else {
        panic!("the new revision is not shown");
    };
    let revision = Digest::of(b"new");
    let outdated = status.conditions.find("ArtifactOutdated").unwrap();
    assert_eq!(outdated.message, format!("new index revision '{revision}'"));
    let ready = status.conditions.find("Ready").unwrap();
    assert_eq!(
        ready.message,
        format!("building artifact: new index revision '{revision}'")
    );
}

#[test]
fn invalid_index_keeps_the_revision() {
    let object = object(&json!({}), &stored("sha256:old"));
    let fault = Fault::retry("IndexationFailed", "no API version specified");
    let outcome = end(&object, End::Stopped(fetched(&object, "new"), fault));
    let status = outcome.status.unwrap();
    assert!(status.conditions.find("ArtifactOutdated").is_none());
    assert_eq!(
        status.conditions.find("FetchFailed").unwrap().reason,
        "IndexationFailed"
    );
    assert_eq!(status.artifact.unwrap().revision, "sha256:old");
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
}

#[test]
fn unchanged_index_settles() {
    let revision = Digest::of(b"same").to_string();
    let object = object(&json!({}), &stored(&revision));
    let facts = fetched(&object, "same");
    assert_eq!(reconcile::plan(&object, &facts), Decision::Settled);
    let outcome = end(&object, End::Settled(facts));
    let [notice] = &*outcome.notices else {
        panic!("{:?}", outcome.notices);
    };
    assert_eq!(notice.reason, "ArtifactUpToDate");
    assert_eq!(notice.audience, Audience::Log);
    let status = outcome.status.unwrap();
    let link = "http://here/helmrepository/tenant/charts/index.yaml";
    assert_eq!(status.url, None, "the object had no link");
    let ready = status.conditions.find("Ready").unwrap();
    assert_eq!(
        ready.message,
        format!("stored artifact: revision '{revision}'")
    );

    let mut linked = stored(&revision);
    linked["url"] = json!("http://elsewhere/index.yaml");
    let object = self::object(&json!({}), &linked);
    let outcome = end(&object, End::Settled(fetched(&object, "same")));
    assert_eq!(outcome.status.unwrap().url.as_deref(), Some(link));
}

#[test]
fn stored_index_is_announced_with_its_size() {
    let object = object(
        &json!({ "url": "https://me:canary@charts.example.com/a" }),
        &json!({}),
    );
    let mut facts = fetched(&object, "new");
    facts.own.stored = Some(NewArtifact {
        artifact: Artifact {
            digest: "sha256:bb".to_owned(),
            revision: "sha256:cc".to_owned(),
            size: Some(26_214_400),
            ..Artifact::default()
        },
        link: Ok("http://here/index.yaml".to_owned()),
    });
    let outcome = end(&object, End::Settled(facts));
    let [notice] = &*outcome.notices else {
        panic!("{:?}", outcome.notices);
    };
    assert_eq!(notice.reason, "NewArtifact");
    let message = "stored fetched index of size 26.21MB from 'https://charts.example.com/a'";
    assert_eq!(notice.message, message);
    assert_eq!(
        outcome.status.unwrap().url.as_deref(),
        Some("http://here/index.yaml")
    );
}
