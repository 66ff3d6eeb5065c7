//! Tables of what is decided and said of a `GitRepository`.
#![expect(
    clippy::needless_pass_by_value,
    reason = "rows of a table read better without a reference at each value"
)]

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::source::GitRepository;
use sluice_git::{Address, Remote};
use sluice_runtime::{Audience, Failure, Finalizer, Outcome, Requeue, Retry, Severity};

use super::conclude::{self, Draft};
use super::pack::Remarks;
use super::perform::{Done, Kept, Tidied};
use super::plan::{self, Decision, Step};
use super::{Fault, observe};

const COMMIT: &str = "1eabc9a41ca088515cab83f1cce49eb43e84b67f";
const OTHER: &str = "77beb0e6b2d30ed26cfe6a3d4bba0a4cf0cf6a3d";

fn object(spec: &Value, status: &Value) -> GitRepository {
    let mut whole = json!({ "url": "https://example.com/app.git", "interval": "1m" });
    merge(&mut whole, spec);
    serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": { "name": "app", "namespace": "tenant", "generation": 3 },
        "spec": whole,
        "status": status,
    }))
    .unwrap()
}

fn merge(into: &mut Value, from: &Value) {
    for (key, value) in from.as_object().unwrap() {
        into[key] = value.clone();
    }
}

fn stored(revision: &str) -> Value {
    json!({
        "observedGeneration": 3,
        "artifact": artifact(revision),
        "conditions": [
            condition("Ready", "True", "Succeeded", &format!("stored artifact for revision '{revision}'")),
            condition("ArtifactInStorage", "True", "Succeeded", &format!("stored artifact for revision '{revision}'")),
        ],
    })
}

fn artifact(revision: &str) -> Value {
    json!({
        "digest": "sha256:aa", "lastUpdateTime": "2024-01-01T00:00:00Z", "path": "gitrepository/tenant/app/x.tar.gz",
        "revision": revision, "size": 10, "url": "http://here/gitrepository/tenant/app/x.tar.gz",
    })
}

fn condition(type_: &str, status: &str, reason: &str, message: &str) -> Value {
    json!({
        "type": type_, "status": status, "reason": reason, "message": message,
        "observedGeneration": 3, "lastTransitionTime": "2024-01-01T00:00:00Z",
    })
}

fn now() -> Timestamp {
    "2025-01-01T00:00:00Z".parse().unwrap()
}

fn begin(object: &GitRepository) -> Draft {
    Draft::begin(object, now(), |path| format!("http://here/{path}"))
}

type End = Outcome<sluice_api::source::GitRepositoryStatus>;

/// Conditions as `Type=Status/Reason`.
fn conditions(outcome: &End) -> Vec<String> {
    outcome
        .status
        .iter()
        .flat_map(|status| status.conditions.iter())
        .map(|condition| {
            format!(
                "{}={}/{}",
                condition.type_,
                condition.status.as_str(),
                condition.reason
            )
        })
        .collect()
}

/// Notices as `Severity Audience Reason`.
fn notices(outcome: &End) -> Vec<String> {
    outcome
        .notices
        .iter()
        .map(|notice| {
            format!(
                "{:?} {:?} {}",
                notice.severity, notice.audience, notice.reason
            )
        })
        .collect()
}

fn new(revision: &str, digest: &str) -> Done {
    Done {
        artifact: Artifact {
            digest: digest.to_owned(),
            revision: revision.to_owned(),
            path: "gitrepository/tenant/app/y.tar.gz".to_owned(),
            ..Artifact::default()
        },
        subject: "Change a thing".to_owned(),
        remarks: Remarks::default(),
    }
}

fn whole() -> Tidied {
    Tidied {
        collected: 0,
        kept: Kept::Whole,
    }
}

// What is decided

fn label(reference: Value) -> Result<String, String> {
    match plan::decide(&object(&json!({ "ref": reference }), &json!({}))) {
        Decision::Work(work) => Ok(format!("{:?}", work.reference)),
        Decision::Stall(fault) => Err(fault.failure.message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_reference_that_counts_is_the_one_that_flux_takes() {
    let commit = |rest: &str| format!("Commit {{ id: {COMMIT}, {rest} }}");
    for (reference, expected) in [
        (json!({}), "Branch(\"master\")".to_owned()),
        (json!({ "branch": "main" }), "Branch(\"main\")".to_owned()),
        (
            json!({ "branch": "main", "tag": "v1" }),
            "Tag(\"v1\")".to_owned(),
        ),
        (
            json!({ "tag": "v1", "semver": ">1" }),
            "Tag(\"v1\")".to_owned(),
        ),
        (
            json!({ "tag": "v1", "name": "refs/pull/1/head" }),
            "Name(\"refs/pull/1/head\")".to_owned(),
        ),
        (
            json!({ "commit": COMMIT, "tag": "v1" }),
            commit("branch: None, name: None"),
        ),
        (
            json!({ "commit": COMMIT, "branch": "main", "name": "refs/heads/x" }),
            commit("branch: Some(\"main\"), name: Some(\"refs/heads/x\")"),
        ),
    ] {
        let got = label(reference.clone()).unwrap();
        assert_eq!(got, expected, "{reference}");
    }
}

#[test]
fn a_reference_that_git_would_not_take_stalls() {
    for reference in [
        json!({ "branch": "--upload-pack=x" }),
        json!({ "name": "/refs/heads/main" }),
        json!({ "name": "refs/heads/main/" }),
        json!({ "tag": "a..b" }),
        json!({ "commit": "HEAD" }),
    ] {
        assert!(label(reference.clone()).is_err(), "{reference}");
    }
}

#[test]
fn what_cannot_be_honoured_stalls_by_name() {
    for (spec, reason, named) in [
        (
            json!({ "provider": "aws" }),
            "InvalidProviderConfiguration",
            "spec.provider 'aws'",
        ),
        (
            json!({ "provider": "github" }),
            "InvalidProviderConfiguration",
            "spec.provider 'github'",
        ),
        (
            json!({ "provider": "odd" }),
            "InvalidProviderConfiguration",
            "spec.provider 'odd'",
        ),
        (
            json!({ "ref": { "semver": ">1" } }),
            "NotSupported",
            "spec.ref.semver",
        ),
        (
            json!({ "recurseSubmodules": true }),
            "NotSupported",
            "spec.recurseSubmodules",
        ),
        (
            json!({ "sparseCheckout": ["a"] }),
            "NotSupported",
            "spec.sparseCheckout",
        ),
        (
            json!({ "include": [{ "repository": { "name": "x" } }] }),
            "NotSupported",
            "spec.include",
        ),
        (
            json!({ "verify": { "mode": "HEAD", "secretRef": { "name": "x" } } }),
            "NotSupported",
            "spec.verify",
        ),
        (json!({ "url": "file:///etc" }), "URLInvalid", "file"),
        (json!({ "url": "https://" }), "URLInvalid", "https"),
        (json!({ "url": "::" }), "URLInvalid", "::"),
        (
            json!({ "interval": "soon" }),
            "ValidationFailed",
            "spec.interval",
        ),
        (
            json!({ "interval": "" }),
            "ValidationFailed",
            "spec.interval",
        ),
        (
            json!({ "interval": "-1m" }),
            "ValidationFailed",
            "spec.interval",
        ),
        (
            json!({ "timeout": "1x" }),
            "ValidationFailed",
            "spec.timeout",
        ),
    ] {
        match plan::decide(&object(&spec, &json!({}))) {
            Decision::Stall(fault) => {
                assert_eq!(fault.failure.reason, reason, "{spec}");
                assert_eq!(fault.failure.retry, Retry::Stalled, "{spec}");
                assert!(
                    fault.failure.message.contains(named),
                    "{}",
                    fault.failure.message
                );
            }
            other => panic!("{spec}: {other:?}"),
        }
    }
}

#[test]
fn no_message_repeats_the_user_information_of_a_url() {
    for url in [
        "https://user:canary@",
        "https://user:canary@exa mple/x",
        "ftp://user:canary@h/x",
    ] {
        let Decision::Stall(fault) = plan::decide(&object(&json!({ "url": url }), &json!({})))
        else {
            panic!("{url} is accepted");
        };
        assert!(
            !fault.failure.message.contains("canary"),
            "{}",
            fault.failure.message
        );
    }
}

#[test]
fn suspension_sleeps_and_deletion_outweighs_it() {
    let mut object = object(&json!({ "suspend": true, "interval": "soon" }), &json!({}));
    assert_eq!(plan::decide(&object), Decision::Sleep);
    object.metadata.deletion_timestamp =
        Some(serde_json::from_value(json!("2024-01-01T00:00:00Z")).unwrap());
    assert_eq!(plan::decide(&object), Decision::Finalize);
}

#[test]
fn an_artifact_is_packed_for_another_revision_or_other_rules_only() {
    let revision = format!("main@sha1:{COMMIT}");
    let pack = |new_revision| Step::Pack { new_revision };
    let step = |spec: Value, status: Value, revision: &str| {
        let object = object(&spec, &status);
        let artifact = object
            .status
            .as_ref()
            .and_then(|status| status.artifact.as_ref());
        plan::step(&object, artifact, revision)
    };
    let mut with_rules = stored(&revision);
    with_rules["observedIgnore"] = json!("*.md");
    let mut with_include = stored(&revision);
    with_include["observedInclude"] = json!([{ "repository": { "name": "x" } }]);

    assert_eq!(step(json!({}), json!({}), &revision), pack(true));
    assert_eq!(step(json!({}), stored(&revision), &revision), Step::Keep);
    assert_eq!(
        step(json!({}), stored(&format!("main@sha1:{OTHER}")), &revision),
        pack(true)
    );
    assert_eq!(
        step(json!({}), stored(&format!("dev@sha1:{COMMIT}")), &revision),
        pack(true)
    );
    assert_eq!(
        step(json!({ "ignore": "*.md" }), stored(&revision), &revision),
        pack(false)
    );
    assert_eq!(
        step(json!({ "ignore": "*.md" }), with_rules.clone(), &revision),
        Step::Keep
    );
    assert_eq!(step(json!({}), with_rules, &revision), pack(false));
    assert_eq!(step(json!({}), with_include, &revision), pack(false));
}

#[test]
fn revisions_of_old_versions_are_understood() {
    let step = |stored_revision: &str, revision: &str| {
        let object = object(&json!({}), &stored(stored_revision));
        let artifact = object
            .status
            .as_ref()
            .and_then(|status| status.artifact.as_ref());
        plan::step(&object, artifact, revision)
    };
    for (old, revision) in [
        (format!("main/{COMMIT}"), format!("main@sha1:{COMMIT}")),
        (
            format!("feature/x/{COMMIT}"),
            format!("feature/x@sha1:{COMMIT}"),
        ),
        (format!("HEAD/{COMMIT}"), format!("sha1:{COMMIT}")),
        (COMMIT.to_owned(), format!("sha1:{COMMIT}")),
    ] {
        assert_eq!(step(&old, &revision), Step::Keep, "{old}");
    }
    assert_ne!(
        step(&format!("main/{OTHER}"), &format!("main@sha1:{COMMIT}")),
        Step::Keep
    );
}

#[test]
fn a_stored_pinned_commit_needs_no_remote() {
    let spec = json!({ "ref": { "commit": COMMIT, "branch": "main" } });
    let pinned = |status: Value| {
        let object = object(&spec, &status);
        let Decision::Work(work) = plan::decide(&object) else {
            panic!("refused")
        };
        let artifact = object
            .status
            .as_ref()
            .and_then(|status| status.artifact.clone());
        plan::pinned(&object, artifact.as_ref(), &work)
    };
    let revision = format!("main@sha1:{COMMIT}");
    assert_eq!(pinned(stored(&revision)), Some(revision));
    assert_eq!(pinned(json!({})), None);
    assert_eq!(pinned(stored(&format!("main@sha1:{OTHER}"))), None);
}

// What is said

#[test]
fn an_unchanged_poll_changes_no_byte_of_the_status() {
    let revision = format!("main@sha1:{COMMIT}");
    let object = object(&json!({}), &stored(&revision));
    let mut draft = begin(&object);
    draft.tidied(whole());
    assert!(!draft.is_news());
    draft.unchanged(&revision, false);
    let outcome = draft.done(Duration::from_mins(1));
    assert_eq!(outcome.status, object.status);
    assert_eq!(outcome.next, Requeue::Interval(Duration::from_mins(1)));
    assert_eq!(notices(&outcome), ["Info Log GitOperationSucceeded"]);
}

#[test]
fn a_requested_poll_records_the_request_and_tells_the_cluster() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut object = object(&json!({}), &stored(&revision));
    object.metadata.annotations = Some(
        [(
            "reconcile.fluxcd.io/requestedAt".to_owned(),
            "now".to_owned(),
        )]
        .into(),
    );
    let mut draft = begin(&object);
    assert!(draft.is_news());
    draft.tidied(whole());
    draft.unchanged(&revision, true);
    let outcome = draft.done(Duration::from_mins(1));
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(status.last_handled_reconcile_at.as_deref(), Some("now"));
    assert_eq!(notices(&outcome), ["Info Cluster GitOperationSucceeded"]);
}

#[test]
fn a_first_artifact_goes_from_unknown_to_ready() {
    let revision = format!("main@sha1:{COMMIT}");
    let object = object(&json!({}), &json!({ "observedGeneration": -1 }));
    let mut draft = begin(&object);
    assert!(draft.is_news());
    let shown = draft.status();
    let reconciling = shown.conditions.find("Reconciling").unwrap();
    assert_eq!(
        reconciling.message,
        "processing object: new generation -1 -> 3"
    );
    draft.tidied(Tidied::default());
    draft.new_revision(&revision);
    let shown = draft.status();
    let message = format!("building artifact: new upstream revision '{revision}'");
    assert_eq!(shown.conditions.find("Ready").unwrap().message, message);
    assert!(shown.conditions.find("ArtifactOutdated").is_none());
    assert_eq!(shown.observed_generation, Some(-1));

    draft.stored(new(&revision, "sha256:bb"));
    let outcome = draft.done(Duration::from_mins(1));
    assert_eq!(
        conditions(&outcome),
        ["Ready=True/Succeeded", "ArtifactInStorage=True/Succeeded"]
    );
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(status.observed_generation, Some(3));
    let ready = status.conditions.find("Ready").unwrap();
    assert_eq!(
        ready.message,
        format!("stored artifact for revision '{revision}'")
    );
    let artifact = status.artifact.as_ref().unwrap();
    assert_eq!(artifact.last_update_time.as_str(), "2025-01-01T00:00:00Z");
    let notice = &outcome.notices[0];
    assert_eq!(notice.reason, "NewArtifact");
    assert_eq!(
        notice.message,
        "stored artifact for commit 'Change a thing'"
    );
    assert_eq!(
        notice.metadata["source.toolkit.fluxcd.io/revision"],
        revision
    );
    assert_eq!(
        notice.metadata["source.toolkit.fluxcd.io/digest"],
        "sha256:bb"
    );
}

#[test]
fn a_new_commit_shows_the_old_artifact_as_outdated() {
    let object = object(&json!({}), &stored(&format!("main@sha1:{OTHER}")));
    let mut draft = begin(&object);
    draft.tidied(whole());
    draft.new_revision(&format!("main@sha1:{COMMIT}"));
    let shown = draft.status();
    assert!(shown.conditions.is_true("ArtifactOutdated"));
    assert!(shown.conditions.is_true("ArtifactInStorage"));
    assert!(shown.artifact.is_some());
    draft.stored(new(&format!("main@sha1:{COMMIT}"), "sha256:bb"));
    let outcome = draft.done(Duration::from_mins(1));
    assert_eq!(
        conditions(&outcome),
        ["Ready=True/Succeeded", "ArtifactInStorage=True/Succeeded"]
    );
}

fn refused(reason: &'static str, retry: Retry) -> Fault {
    Fault::fetch(Failure::message(reason, retry, "refused"))
}

#[test]
fn a_failure_keeps_the_artifact_and_is_retried() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut status = stored(&revision);
    status["observedGeneration"] = json!(2);
    let object = object(&json!({}), &status);
    let mut draft = begin(&object);
    draft.tidied(whole());
    let outcome = draft.failed(refused("GitOperationFailed", Retry::Backoff));
    assert_eq!(
        conditions(&outcome),
        [
            "Reconciling=True/ProgressingWithRetry",
            "Ready=False/GitOperationFailed",
            "ArtifactInStorage=True/Succeeded",
            "FetchFailed=True/GitOperationFailed"
        ]
    );
    let after = outcome.status.as_ref().unwrap();
    assert!(after.artifact.is_some());
    assert_eq!(after.observed_generation, Some(2));
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
    assert_eq!(notices(&outcome), ["Error Everyone GitOperationFailed"]);
}

#[test]
fn a_stalled_object_observes_its_generation_and_keeps_its_artifact() {
    let mut status = stored(&format!("main@sha1:{COMMIT}"));
    status["observedGeneration"] = json!(2);
    let outcome = begin(&object(&json!({}), &status)).failed(refused("URLInvalid", Retry::Stalled));
    assert_eq!(
        conditions(&outcome),
        [
            "Stalled=True/URLInvalid",
            "Ready=False/URLInvalid",
            "ArtifactInStorage=True/Succeeded",
            "FetchFailed=True/URLInvalid"
        ]
    );
    let after = outcome.status.as_ref().unwrap();
    assert_eq!(after.observed_generation, Some(3));
    assert!(after.artifact.is_some());
    assert!(matches!(outcome.next, Requeue::Stalled(_)));
}

#[test]
fn recovery_is_told_once_though_nothing_new_was_stored() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut status = stored(&revision);
    status["conditions"] = json!([
        condition("Ready", "False", "GitOperationFailed", "refused"),
        condition(
            "ArtifactInStorage",
            "True",
            "Succeeded",
            &format!("stored artifact for revision '{revision}'")
        ),
        condition("FetchFailed", "True", "GitOperationFailed", "refused"),
    ]);
    let mut draft = begin(&object(&json!({}), &status));
    draft.tidied(whole());
    draft.unchanged(&revision, false);
    let outcome = draft.done(Duration::from_mins(1));
    assert_eq!(
        notices(&outcome),
        ["Info Log GitOperationSucceeded", "Info Everyone Succeeded"]
    );
    assert_eq!(
        conditions(&outcome),
        ["Ready=True/Succeeded", "ArtifactInStorage=True/Succeeded"]
    );
}

#[test]
fn a_lost_artifact_is_withdrawn_before_anything_is_fetched() {
    let revision = format!("main@sha1:{COMMIT}");
    for (kept, told) in [
        (Kept::Missing, vec![]),
        (
            Kept::Corrupt("changed".to_owned()),
            vec!["Error Everyone ArtifactVerificationFailed"],
        ),
    ] {
        let mut draft = begin(&object(&json!({}), &stored(&revision)));
        draft.tidied(Tidied { collected: 0, kept });
        assert!(draft.is_news());
        let shown = draft.status();
        assert!(shown.artifact.is_none());
        assert!(shown.conditions.find("ArtifactInStorage").is_none());
        let ready = shown.conditions.find("Ready").unwrap();
        assert_eq!(ready.status.as_str(), "Unknown");
        assert_eq!(ready.message, "building artifact: disappeared from storage");
        // The same bytes come back: nobody needs to hear of a new artifact.
        draft.stored(new(&revision, "sha256:aa"));
        assert_eq!(notices(&draft.done(Duration::from_mins(1))), told);
    }
}

#[test]
fn suspension_keeps_what_was_known() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut status = stored(&revision);
    status["observedGeneration"] = json!(2);
    let outcome = begin(&object(&json!({ "suspend": true }), &status)).suspended();
    assert_eq!(
        conditions(&outcome),
        ["Ready=True/Succeeded", "ArtifactInStorage=True/Succeeded"]
    );
    assert_eq!(
        outcome.status.as_ref().unwrap().observed_generation,
        Some(3)
    );
    assert_eq!(outcome.next, Requeue::Never);
}

#[test]
fn an_artifact_is_advertised_where_it_is_served_now() {
    let revision = format!("main@sha1:{COMMIT}");
    let object = object(&json!({}), &stored(&revision));
    let draft = Draft::begin(&object, now(), |path| format!("http://there/{path}"));
    assert_eq!(
        draft.artifact().unwrap().url,
        "http://there/gitrepository/tenant/app/x.tar.gz"
    );
}

#[test]
fn a_long_subject_is_cut_between_characters() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut draft = begin(&object(&json!({}), &json!({})));
    draft.stored(Done {
        subject: "ü".repeat(60),
        ..new(&revision, "sha256:bb")
    });
    let outcome = draft.done(Duration::from_mins(1));
    let expected = format!("stored artifact for commit '{}...'", "ü".repeat(50));
    assert_eq!(outcome.notices[0].message, expected);
}

#[test]
fn users_hear_of_pointers_and_links() {
    let mut draft = begin(&object(&json!({}), &json!({})));
    let mut done = new("main@sha1:x", "sha256:bb");
    done.remarks = Remarks {
        links: 2,
        first_link: Some("docs/link".to_owned()),
        first_pointer: Some("model.bin".to_owned()),
    };
    draft.stored(done);
    let outcome = draft.done(Duration::from_mins(1));
    assert_eq!(outcome.notices[0].severity, Severity::Error);
    assert!(outcome.notices[0].message.contains("'model.bin'"));
    assert_eq!(outcome.notices[1].audience, Audience::Cluster);
    assert!(outcome.notices[1].message.contains("2 symbolic links"));
}

#[test]
fn credentials_over_plain_http_and_two_references_are_warned_of_once_a_generation() {
    let spec = json!({
        "url": "http://example.com/app.git",
        "ref": { "tag": "v1", "semver": ">1" },
    });
    let keys = std::collections::BTreeMap::from([
        ("username".to_owned(), b"u".to_vec()),
        ("password".to_owned(), b"p".to_vec()),
    ]);
    let credentials = sluice_auth::Credentials::from_keys(&keys).unwrap().unwrap();
    let remote = Remote::new("http://example.com/app.git")
        .unwrap()
        .with_access(sluice_git::Access::Http(credentials));
    let warned = |observed: i64| {
        let mut draft = begin(&object(&spec, &json!({ "observedGeneration": observed })));
        draft.dialled(&remote);
        let outcome = draft.failed(refused("GitOperationFailed", Retry::Backoff));
        outcome.notices.len() - 1
    };
    assert_eq!(warned(2), 2);
    assert_eq!(warned(3), 0);
}

#[test]
fn a_deleted_object_goes_when_its_files_have_gone() {
    let outcome = conclude::deleted(Ok(true));
    assert_eq!(outcome.finalizer, Finalizer::Remove);
    assert_eq!(outcome.next, Requeue::Never);
    assert_eq!(outcome.status, None);
    let fault = Fault::storage(Failure::message(
        "GarbageCollectionFailed",
        Retry::Stalled,
        "busy",
    ));
    let outcome = conclude::deleted(Err(fault));
    assert_eq!(outcome.finalizer, Finalizer::Keep);
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
    assert_eq!(
        notices(&outcome),
        ["Error Everyone GarbageCollectionFailed"]
    );
}

#[test]
fn each_refusal_has_its_reason() {
    use sluice_git::Error;
    let remote = || "https://example.com/app".to_owned();
    for (error, reason, retry) in [
        (
            Error::EmptyRepository { remote: remote() },
            "EmptyGitRepository",
            Retry::Backoff,
        ),
        (
            Error::InvalidCredentials {
                remote: remote(),
                reason: "bad key".to_owned(),
            },
            "AuthenticationFailed",
            Retry::Backoff,
        ),
        (
            Error::InvalidReference {
                name: "-x".to_owned(),
                reason: "bad",
            },
            "GitOperationFailed",
            Retry::Stalled,
        ),
        (
            Error::Authentication {
                remote: remote(),
                reason: "401".to_owned(),
            },
            "GitOperationFailed",
            Retry::Backoff,
        ),
        (
            Error::UnknownHost {
                host: "h".to_owned(),
            },
            "GitOperationFailed",
            Retry::Backoff,
        ),
    ] {
        let Fault { condition, failure } = observe::refused(&error);
        assert_eq!(
            (condition, &*failure.reason, failure.retry),
            ("FetchFailed", reason, retry)
        );
    }
    let empty = observe::refused(&Error::EmptyRepository { remote: remote() });
    assert_eq!(empty.failure.message, "git repository is empty");
}

#[test]
fn the_address_of_a_remote_is_parsed_once() {
    let Decision::Work(work) = plan::decide(&object(&json!({}), &json!({}))) else {
        panic!("refused");
    };
    assert_eq!(
        work.address,
        Address::parse("https://example.com/app.git").unwrap()
    );
    assert_eq!(work.timeout, Duration::from_mins(1));
}
