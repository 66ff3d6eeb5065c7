//! Table tests for the decisions and reports of an `OCIRepository`.

mod killed;

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::source::{OciRepository, OciRepositoryStatus};
use sluice_api::{Artifact, KINDS};
use sluice_engine::{Audience, Outcome, Progress, Requeue, Severity};
use sluice_oci::{Repository, Version};
use sluice_producer::{ArtifactState, TidyReport};

use super::conclude::{self, Draft};
use super::model::NewArtifact;
use super::plan::ArtifactNeed;
use super::spec::{Spec, WantedVersion};
use super::{OciRepositoryKind, Step, plan, spec};
use crate::reconcile::{self, Facts, SourceSpec as _};

const DIGEST: &str = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

fn object(spec: &Value, status: &Value) -> OciRepository {
    let mut whole = json!({ "url": "oci://example.com/app", "interval": "1m" });
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "OCIRepository",
        "metadata": { "name": "app", "namespace": "tenant", "generation": 3 },
        "spec": whole,
        "status": status,
    }))
    .unwrap()
}

fn stored(revision: &str) -> Value {
    let message = format!("stored artifact for digest '{revision}'");
    let condition = |kind: &str| {
        json!({
            "type": kind, "status": "True", "reason": "Succeeded", "message": message,
            "observedGeneration": 3, "lastTransitionTime": "2024-01-01T00:00:00Z",
        })
    };
    json!({
        "observedGeneration": 3,
        "url": "http://here/ocirepository/tenant/app/latest.tar.gz",
        "artifact": {
            "digest": "sha256:aa", "lastUpdateTime": "2024-01-01T00:00:00Z",
            "path": "ocirepository/tenant/app/x.tar.gz", "revision": revision, "size": 10,
            "url": "http://here/ocirepository/tenant/app/x.tar.gz",
        },
        "conditions": [condition("Ready"), condition("ArtifactInStorage")],
    })
}

fn now() -> Timestamp {
    "2025-01-01T00:00:00Z".parse().unwrap()
}

fn begin(object: &OciRepository) -> Draft {
    reconcile::begin::<OciRepositoryKind>(object, now(), |path| format!("http://here/{path}"))
}

fn notices(outcome: &Outcome<OciRepositoryStatus>) -> Vec<(Severity, Audience, &str)> {
    outcome
        .notices
        .iter()
        .map(|notice| (notice.severity, notice.audience, &*notice.reason))
        .collect()
}

fn wanted(spec: &Value) -> WantedVersion {
    Spec::parse(&object(spec, &json!({}))).unwrap().wanted
}

#[test]
fn digest_beats_range_and_range_beats_tag() {
    let all = json!({ "ref": { "digest": DIGEST, "semver": "1.x", "tag": "v1" } });
    let digest = Version::Digest(DIGEST.parse().unwrap());
    assert_eq!(wanted(&all), WantedVersion::Exactly(digest));
    let range = json!({ "ref": { "semver": "1.x", "tag": "v1" } });
    assert!(matches!(wanted(&range), WantedVersion::Newest(_)));
    let tag = |name: &str| WantedVersion::Exactly(Version::Tag(name.to_owned()));
    assert_eq!(wanted(&json!({ "ref": { "tag": "v1" } })), tag("v1"));
    assert_eq!(wanted(&json!({ "ref": { "tag": "" } })), tag("latest"));
    assert_eq!(wanted(&json!({})), tag("latest"));
}

#[test]
fn range_selects_newest_version_within_filter() {
    let tags = [
        "latest",
        "1.0.0",
        "1.2.0",
        "1.10.0",
        "1.3.0_build.1",
        "2.0.0-rc.1",
    ]
    .map(str::to_owned);
    let chart = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";
    for (spec, expected) in [
        (json!({ "ref": { "semver": "1.x" } }), Ok("1.10.0")),
        (json!({ "ref": { "semver": "*" } }), Ok("1.10.0")),
        (
            json!({ "ref": { "semver": ">=1.0.0-0" } }),
            Ok("2.0.0-rc.1"),
        ),
        (
            json!({ "ref": { "semver": "*", "semverFilter": "^1.2" } }),
            Ok("1.2.0"),
        ),
        (
            json!({ "ref": { "semver": "1.3.x" } }),
            Err("no match found for semver: 1.3.x"),
        ),
        (
            json!({ "ref": { "semver": "1.3.x" }, "layerSelector": { "mediaType": chart } }),
            Ok("1.3.0_build.1"),
        ),
    ] {
        let WantedVersion::Newest(range) = wanted(&spec) else {
            panic!("{spec}");
        };
        let newest = spec::newest(&range, &tags);
        assert_eq!(
            newest.as_deref().map_err(String::as_str),
            expected,
            "{spec}"
        );
    }
}

#[test]
fn unchanged_revision_and_rules_keep_artifact() {
    let revision = format!("latest@{DIGEST}");
    let mut status = stored(&revision);
    status["observedIgnore"] = json!("a");
    status["observedLayerSelector"] = json!({ "mediaType": "x" });
    let alike = json!({ "ignore": "a", "layerSelector": { "mediaType": "x" } });
    let pull = |new_revision| ArtifactNeed::Pull { new_revision };
    for (spec, remote, expected) in [
        (alike.clone(), &*revision, ArtifactNeed::Keep),
        (alike, "latest@sha256:00", pull(true)),
        (
            json!({ "ignore": "b", "layerSelector": { "mediaType": "x" } }),
            &revision,
            pull(false),
        ),
        (
            json!({ "ignore": "a", "layerSelector": { "mediaType": "y" } }),
            &revision,
            pull(false),
        ),
        (json!({ "ignore": "a" }), &revision, pull(false)),
    ] {
        let object = object(&spec, &status);
        let artifact = object.status.as_ref().unwrap().artifact.as_ref();
        assert_eq!(
            plan::artifact_need(&object, artifact, remote),
            expected,
            "{spec}"
        );
        assert_eq!(
            plan::artifact_need(&object, None, remote),
            pull(true),
            "{spec}"
        );
    }
}

#[test]
fn unchanged_poll_leaves_status_unchanged() {
    let revision = format!("latest@{DIGEST}");
    let object = object(&json!({}), &stored(&revision));
    let tidied = TidyReport {
        collected: 0,
        state: ArtifactState::Valid,
    };
    let mut facts = Facts::<OciRepositoryKind>::new(&object, false);
    facts.tidied = Some(tidied.clone());
    let connect = reconcile::Step::Kind(Step::Connect);
    let shown = reconcile::progress(&object, &facts, connect, now(), str::to_owned);
    assert!(matches!(shown, Progress::Silent));
    let mut draft = begin(&object);
    draft.apply_tidy(tidied);
    conclude::unchanged(&mut draft, &object, &revision);
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(outcome.status, object.status);
    assert_eq!(outcome.next, Requeue::Interval(Duration::from_mins(1)));
    assert_eq!(
        notices(&outcome),
        [(Severity::Info, Audience::Log, "ArtifactUpToDate")]
    );
}

#[test]
fn new_revision_marks_artifact_outdated_until_stored() {
    let old = object(&json!({}), &stored("latest@sha256:00"));
    let mut draft = begin(&old);
    let reference = Repository::parse("example.com/app")
        .unwrap()
        .tag("latest")
        .unwrap();
    let revision = format!("latest@{DIGEST}");
    conclude::new_revision(&mut draft, &revision, &reference);
    let shown = draft.status();
    assert!(shown.conditions.is_true("ArtifactOutdated"));
    let message = format!("new revision '{revision}' for 'example.com/app:latest'");
    let outdated = shown.conditions.find("ArtifactOutdated").unwrap();
    assert_eq!(outdated.message, message);
    assert!(shown.artifact.is_some());
    let artifact = NewArtifact {
        artifact: Artifact {
            digest: "sha256:bb".to_owned(),
            revision: revision.clone(),
            path: "ocirepository/tenant/app/y.tar.gz".to_owned(),
            ..Artifact::default()
        },
        link: Err("no space left".to_owned()),
    };
    conclude::stored(&mut draft, &old, &artifact);
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(
        notices(&outcome),
        [
            (Severity::Info, Audience::Cluster, "SymlinkUpdateFailed"),
            (Severity::Info, Audience::Everyone, "NewArtifact"),
        ]
    );
    let status = outcome.status.unwrap();
    assert!(!status.conditions.is_true("ArtifactOutdated"));
    assert!(status.conditions.is_true("Ready"));
}

#[test]
fn artifact_url_follows_server_address() {
    let object = object(&json!({}), &stored("latest@sha256:00"));
    let url = |path: &str| format!("http://there/{path}");
    let status = reconcile::begin::<OciRepositoryKind>(&object, now(), url).status();
    assert_eq!(
        status.url.as_deref(),
        Some("http://there/ocirepository/tenant/app/latest.tar.gz")
    );
    assert_eq!(
        status.artifact.unwrap().url,
        "http://there/ocirepository/tenant/app/x.tar.gz"
    );
}

#[test]
fn messages_hide_url_password() {
    let digest = format!("sha256:{}", "0".repeat(64));
    for (url, shown) in [
        ("oci://me:canary@h.io/app", "oci://h.io/app"),
        ("oci://canary@h.io/app", "oci://h.io/app"),
        ("oci://me:can/ary@h.io/app", "oci://h.io/app"),
        ("oci://me:can@ary@h.io", "oci://h.io"),
        ("oci://me:c/canary:d@h.io/app:v1", "oci://h.io/app:v1"),
        (
            &format!("oci://me:canary@h.io/app@{digest}"),
            &format!("oci://h.io/app@{digest}"),
        ),
        (
            &format!("oci://h.io/app@{digest}"),
            &format!("oci://h.io/app@{digest}"),
        ),
        ("oci://h.io/App", "oci://h.io/App"),
    ] {
        let object = object(&json!({ "url": url }), &json!({}));
        let message = Spec::parse(&object).unwrap_err().message;
        let start = format!("URL validation failed for '{shown}': ");
        assert!(message.starts_with(&start), "{message}");
        // Flux's own text has one of these words.
        let own = "can only contain the characters";
        for secret in ["canary", "can", "ary", "me:"] {
            assert!(!message.replace(own, "").contains(secret), "{message}");
        }
        let hinted = message.ends_with("must not contain user information; use spec.secretRef");
        assert_eq!(hinted, url.contains("can"), "{message}");
    }
}

#[test]
fn unknown_tool_of_signatures_stalls() {
    let verify = |provider: &str| {
        let verify = json!({ "provider": provider, "secretRef": { "name": "keys" } });
        let parsed = Spec::parse(&object(&json!({ "verify": verify }), &json!({})));
        parsed.map(drop).map_err(|failure| failure.message)
    };
    assert_eq!(verify("cosign"), Ok(()));
    assert_eq!(verify("notation"), Ok(()));
    let odd = "failed to verify the signature using provider 'odd': unsupported verification \
               provider: odd";
    assert_eq!(verify("odd"), Err(odd.to_owned()));
}

#[test]
fn reconciled_kinds_match_served_kinds() {
    let served = KINDS
        .iter()
        .filter(|info| info.component == crate::NAME)
        .map(|info| info.kind);
    // An ExternalArtifact needs no reconciliation.
    assert_eq!(
        served.collect::<Vec<_>>(),
        [
            "Bucket",
            "ExternalArtifact",
            "GitRepository",
            "HelmChart",
            "HelmRepository",
            "OCIRepository"
        ]
    );
}
