//! Table tests for the decisions and reports of a `HelmChart`.

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::source::HelmChartStatus;
use sluice_engine::{Audience, Decision, End, Notice, Outcome, Retry, Severity, Times};
use sluice_oci::Digest;
use sluice_producer::{ArtifactState, Spool, TidyReport};

use super::model::{
    BuiltChart, ChartOrigin, ChartSource, NewArtifact, ResolvedChart, VerifiedChart,
};
use super::*;
use crate::fault::Fault;
use crate::notation::Verdict;
use crate::reconcile::{self, Facts, SourceSpec as _, Step as Next};

fn object(spec: &Value, status: &Value) -> HelmChart {
    let source = json!({ "kind": "GitRepository", "name": "apps" });
    let mut whole = json!({ "chart": "charts/app", "interval": "1m", "sourceRef": source });
    for (key, value) in spec.as_object().unwrap() {
        whole[key] = value.clone();
    }
    serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "HelmChart",
        "metadata": { "name": "app", "namespace": "tenant", "generation": 3 },
        "spec": whole,
        "status": status,
    }))
    .unwrap()
}

fn stored(name: &str, version: &str) -> Value {
    json!({
        "observedGeneration": 3,
        "observedChartName": name,
        "artifact": {
            "digest": "sha256:aa", "lastUpdateTime": "2024-01-01T00:00:00Z",
            "path": "helmchart/tenant/app/app.tgz", "revision": version, "size": 10,
            "url": "http://here/helmchart/tenant/app/app.tgz",
        },
    })
}

fn artifact(revision: &str) -> Artifact {
    Artifact {
        revision: revision.to_owned(),
        digest: "sha256:bb".to_owned(),
        ..Artifact::default()
    }
}

fn facts(object: &HelmChart) -> Facts<HelmChartKind> {
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

/// The facts of a run that found version 1.0.0 of a folder.
fn resolved(object: &HelmChart) -> Facts<HelmChartKind> {
    let mut facts = facts(object);
    let source = artifact("main@sha1:abc");
    facts.own.source = Some(ChartSource::Artifact(Box::new(source.clone())));
    facts.own.resolved = Some(ResolvedChart {
        name: "app".to_owned(),
        version: "1.0.0".to_owned(),
        origin: ChartOrigin::Files {
            artifact: Box::new(source),
            path: "charts/app".to_owned(),
            is_folder: true,
        },
    });
    facts
}

fn built(object: &HelmChart, values_files: &[&str]) -> Facts<HelmChartKind> {
    let mut facts = resolved(object);
    facts.own.built = Some(BuiltChart {
        archive: Spool::default(),
        values_files: values_files.iter().map(|file| (*file).to_owned()).collect(),
        is_packaged: true,
        dependencies: 2,
    });
    facts
}

fn work(step: Step) -> Decision<Next<Step>, Fault> {
    Decision::Work(Next::Kind(step))
}

fn end(object: &HelmChart, end: End<Facts<HelmChartKind>, Fault>) -> Outcome<HelmChartStatus> {
    let now: Timestamp = "2025-01-01T00:00:00Z".parse().unwrap();
    let times = Times { started: now, now };
    reconcile::conclude(object, end, times, |path| format!("http://here/{path}"))
}

#[test]
fn stored_chart_is_built_again_only_after_an_edit() {
    let mut edited = stored("app", "1.0.0");
    edited["observedGeneration"] = json!(2);
    for (status, expected) in [
        (json!({}), work(Step::Build)),
        (stored("app", "1.0.0"), Decision::Settled),
        (stored("app", "0.9.0"), work(Step::Build)),
        (stored("other", "1.0.0"), work(Step::Build)),
        (edited, work(Step::Build)),
    ] {
        let object = object(&json!({}), &status);
        assert_eq!(
            reconcile::plan(&object, &facts(&object)),
            work(Step::FindSource)
        );
        assert_eq!(
            reconcile::plan(&object, &resolved(&object)),
            expected,
            "{status}"
        );
        assert_eq!(
            reconcile::plan(&object, &resolved(&object)) == Decision::Settled,
            expected == Decision::Settled
        );
    }
    let object = object(&json!({}), &json!({}));
    assert_eq!(
        reconcile::plan(&object, &built(&object, &[])),
        work(Step::Store)
    );
}

#[test]
fn lost_artifact_is_built_again() {
    let object = object(&json!({}), &stored("app", "1.0.0"));
    let mut facts = resolved(&object);
    facts.tidied = Some(TidyReport {
        collected: 0,
        state: ArtifactState::Missing,
    });
    assert_eq!(reconcile::plan(&object, &facts), work(Step::Build));
}

fn verified(is_stored: bool) -> VerifiedChart {
    VerifiedChart {
        digest: Digest::of(b"chart"),
        verdict: Verdict::Verified,
        is_stored,
    }
}

/// A tag moved, and the new chart has a signature of other keys.
#[test]
fn signature_does_not_vouch_for_another_digest() {
    let verify = json!({ "provider": "cosign", "secretRef": { "name": "keys" } });
    let object = object(&json!({ "verify": verify }), &stored("app", "1.0.0"));
    let mut facts = resolved(&object);
    facts.own.verified = Some(verified(false));
    assert_eq!(reconcile::plan(&object, &facts), work(Step::Build));
    let outcome = end(&object, End::Stopped(facts, failure::pull("x")));
    let conditions = outcome.status.unwrap().conditions;
    assert!(conditions.find("SourceVerified").is_none());
}

#[test]
fn any_identity_is_warned_of_once_for_a_generation() {
    let verify = json!({ "provider": "cosign" });
    let mut status = stored("app", "1.0.0");
    let warnings = |status: &Value| {
        let object = object(&json!({ "verify": verify }), status);
        let mut facts = resolved(&object);
        facts.own.verified = Some(verified(true));
        let notices = end(&object, End::Settled(facts)).notices;
        let is_warning = |notice: &&Notice| notice.reason == "AnyIdentityAccepted";
        notices.iter().filter(is_warning).count()
    };
    assert_eq!(warnings(&status), 1);
    for (generation, expected) in [(3, 0), (2, 1)] {
        status["conditions"] = json!([{
            "type": "SourceVerified", "status": "True", "reason": "Succeeded", "message": "",
            "lastTransitionTime": "2024-01-01T00:00:00Z", "observedGeneration": generation,
        }]);
        assert_eq!(warnings(&status), expected, "{generation}");
    }
}

#[test]
fn each_run_verifies() {
    let verify = json!({ "provider": "cosign", "secretRef": { "name": "keys" } });
    let object = object(&json!({ "verify": verify }), &stored("app", "1.0.0"));
    let mut facts = resolved(&object);
    assert_eq!(reconcile::plan(&object, &facts), work(Step::Verify));
    facts.own.verified = Some(verified(true));
    assert_eq!(reconcile::plan(&object, &facts), Decision::Settled);
    let outcome = end(&object, End::Settled(facts));
    let verified = outcome.status.unwrap();
    let verified = verified.conditions.find("SourceVerified").unwrap();
    assert_eq!(verified.message, "verified signature of version 1.0.0");
}

#[test]
fn stored_chart_is_announced_with_its_values_files() {
    let object = object(
        &json!({ "ignoreMissingValuesFiles": true }),
        &stored("app", "0.9.0"),
    );
    let mut facts = built(&object, &["a.yaml", "b.yaml"]);
    facts.own.stored = Some(NewArtifact {
        artifact: artifact("1.0.0"),
        link: Ok("http://here/latest.tar.gz".to_owned()),
    });
    let outcome = end(&object, End::Settled(facts));
    let summary =
        "packaged 'app' chart with version '1.0.0' and merged values files [a.yaml b.yaml]";
    let [dependencies, news] = &*outcome.notices else {
        panic!("{:?}", outcome.notices);
    };
    assert_eq!(dependencies.message, "resolved 2 chart dependencies");
    assert_eq!(dependencies.audience, Audience::Cluster);
    assert_eq!(
        (&*news.reason, &*news.message),
        ("ChartPackageSucceeded", summary)
    );
    assert_eq!(news.metadata["source.toolkit.fluxcd.io/revision"], "1.0.0");
    let status = outcome.status.unwrap();
    assert_eq!(status.observed_values_files, ["a.yaml", "b.yaml"]);
    assert_eq!(status.observed_chart_name.as_deref(), Some("app"));
    let revision = status.observed_source_artifact_revision.as_deref();
    assert_eq!(revision, Some("main@sha1:abc"));
    assert!(status.conditions.find("ArtifactOutdated").is_none());
    for type_ in ["Ready", "ArtifactInStorage"] {
        let condition = status.conditions.find(type_).unwrap();
        assert_eq!(
            (&*condition.reason, &*condition.message),
            ("ChartPackageSucceeded", summary)
        );
    }
}

#[test]
fn recovery_has_the_reason_of_the_build() {
    let mut status = stored("app", "1.0.0");
    status["conditions"] = json!([{
        "type": "BuildFailed", "status": "True", "reason": "ChartPackageError", "message": "x",
        "lastTransitionTime": "2024-01-01T00:00:00Z", "observedGeneration": 3,
    }]);
    let object = object(&json!({}), &status);
    let outcome = end(&object, End::Settled(resolved(&object)));
    let reasons: Vec<&str> = outcome
        .notices
        .iter()
        .map(|notice| &*notice.reason)
        .collect();
    assert_eq!(reasons, ["ArtifactUpToDate", "ChartPackageSucceeded"]);
    assert!(
        outcome
            .status
            .unwrap()
            .conditions
            .find("BuildFailed")
            .is_none()
    );
}

#[test]
fn failures_have_the_conditions_of_flux() {
    for (fault, fetch, build, ready) in [
        (
            failure::reference("x"),
            Some("InvalidChartReference"),
            None,
            "invalid chart reference: x",
        ),
        (
            failure::pull("x"),
            Some("ChartPullError"),
            None,
            "chart pull error: x",
        ),
        (
            failure::values("x"),
            None,
            Some("ValuesFilesError"),
            "values files merge error: x",
        ),
        (
            failure::metadata("x"),
            None,
            Some("MetadataPatchError"),
            "chart metadata patch error: x",
        ),
        (
            failure::dependency("x"),
            None,
            Some("DependencyBuildError"),
            "dependency build error: x",
        ),
        (
            failure::package("x"),
            None,
            Some("ChartPackageError"),
            "chart package error: x",
        ),
        (
            failure::verification("x"),
            None,
            Some("ChartVerificationError"),
            "chart verification error: x",
        ),
        (
            failure::outside("AuthenticationFailed", Retry::Backoff, "x"),
            Some("Unknown"),
            None,
            "unknown build error: x",
        ),
    ] {
        let mut status = stored("app", "1.0.0");
        let old = |type_: &str| {
            json!({
                "type": type_, "status": "True", "reason": "Old", "message": "old",
                "lastTransitionTime": "2024-01-01T00:00:00Z", "observedGeneration": 3,
            })
        };
        status["conditions"] = json!([old("FetchFailed"), old("BuildFailed")]);
        let object = object(&json!({}), &status);
        let is_stalled = fault.failure.retry == Retry::Stalled;
        let outcome = end(&object, End::Stopped(facts(&object), fault));
        let conditions = outcome.status.unwrap().conditions;
        let reason = |type_: &str| conditions.find(type_).map(|found| found.reason.clone());
        assert_eq!(reason("FetchFailed").as_deref(), fetch, "{ready}");
        assert_eq!(reason("BuildFailed").as_deref(), build, "{ready}");
        assert_eq!(conditions.find("Ready").unwrap().message, ready);
        assert_eq!(conditions.is_true("Stalled"), is_stalled, "{ready}");
        let [notice] = &*outcome.notices else {
            panic!("{:?}", outcome.notices);
        };
        assert_eq!(notice.severity, Severity::Error, "{ready}");
    }
}

#[test]
fn missing_source_artifact_raises_no_alert() {
    let object = object(&json!({}), &json!({}));
    let fault = Fault::retry("NoSourceArtifact", "no artifact available");
    let outcome = end(&object, End::Stopped(facts(&object), fault));
    assert_eq!(outcome.notices[0].audience, Audience::Cluster);
    assert_eq!(outcome.notices[0].severity, Severity::Info);
}

#[test]
fn version_has_revision_and_generation() {
    let values = json!(["a.yaml", "b.yaml"]);
    for (spec, expected) in [
        (json!({}), ""),
        (json!({ "valuesFiles": ["./values.yaml"] }), ""),
        (json!({ "valuesFiles": values }), "3"),
        (json!({ "reconcileStrategy": "Revision" }), "0123456789ab"),
        (
            json!({ "reconcileStrategy": "Revision", "valuesFiles": values }),
            "0123456789ab.3",
        ),
        (
            json!({
                "reconcileStrategy": "Revision",
                "sourceRef": { "kind": "HelmRepository", "name": "charts" },
            }),
            "",
        ),
    ] {
        let spec = Spec::parse(&object(&spec, &json!({}))).unwrap();
        let metadata = spec.metadata(3, "main@sha1:0123456789abcdef");
        assert_eq!(metadata, expected);
        assert_eq!(spec.changes_version(), !expected.is_empty());
    }
}

#[test]
fn each_tool_of_signatures_is_served() {
    let secret = json!({ "name": "keys" });
    for spec in [
        json!({}),
        json!({ "verify": { "provider": "cosign", "secretRef": secret } }),
        json!({ "verify": { "provider": "cosign" } }),
        json!({ "verify": { "provider": "notation", "secretRef": secret } }),
    ] {
        let parsed = Spec::parse(&object(&spec, &json!({})));
        assert_eq!(parsed.err().map(|failure| failure.message), None, "{spec}");
    }
}
