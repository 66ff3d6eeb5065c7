//! Decisions from an object, a revision and an error of the remote.

use sluice_engine::Decision;

use super::*;
use crate::git_repository::Step as GitStep;
use crate::git_repository::model::Inputs;
use crate::git_repository::plan::ArtifactNeed;
use crate::git_repository::spec::Spec;
use crate::reconcile::SourceSpec as _;

fn parsed(spec: &Value) -> Result<Spec, Failure> {
    Spec::parse(&object(spec, &json!({})))
}

fn label(reference: Value) -> Result<String, String> {
    match parsed(&json!({ "ref": reference })) {
        Ok(spec) => Ok(format!("{:?}", spec.reference)),
        Err(failure) => Err(failure.message),
    }
}

#[test]
fn effective_reference_matches_flux() {
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
            json!({ "branch": "main", "semver": ">1" }),
            "Semver(\">1\")".to_owned(),
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
fn invalid_reference_stalls() {
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
fn unsupported_spec_stalls_with_reason() {
    for (spec, reason, named) in [
        (
            json!({ "provider": "github" }),
            "InvalidProviderConfiguration",
            "secretRef with github app data",
        ),
        (
            json!({ "provider": "odd" }),
            "InvalidProviderConfiguration",
            "spec.provider 'odd'",
        ),
        (
            json!({ "ref": { "semver": ">1 <" } }),
            "GitOperationFailed",
            "byte 4 of '>1 <'",
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
        let Failure {
            reason: got,
            message,
            retry,
        } = parsed(&spec).unwrap_err();
        assert_eq!(got, reason, "{spec}");
        assert_eq!(retry, Retry::Stalled, "{spec}");
        assert!(message.contains(named), "{message}");
    }
}

#[test]
fn messages_hide_url_user_information() {
    for url in [
        "https://user:canary@",
        "https://user:canary@exa mple/x",
        "ftp://user:canary@h/x",
    ] {
        let Failure { message, .. } = parsed(&json!({ "url": url })).unwrap_err();
        assert!(!message.contains("canary"), "{message}");
    }
}

type Next = Decision<Step<GitStep>, Fault>;

fn next(object: &GitRepository, facts: &Facts<GitRepositoryKind>) -> Next {
    reconcile::plan(object, facts)
}

fn work(step: GitStep) -> Next {
    Decision::Work(Step::Kind(step))
}

#[test]
fn object_in_deletion_is_deleted_though_invalid() {
    let mut object = object(&json!({ "suspend": true, "interval": "soon" }), &json!({}));
    object.metadata.deletion_timestamp =
        Some(serde_json::from_value(json!("2024-01-01T00:00:00Z")).unwrap());
    let mut facts = facts(&object);
    assert_eq!(next(&object, &facts), Decision::Work(Step::Delete));
    facts.deleted = Some(false);
    assert_eq!(next(&object, &facts), Decision::Settled);
}

#[test]
fn invalid_spec_stops_after_storage_check() {
    let object = object(&json!({ "interval": "soon" }), &json!({}));
    let mut facts = facts(&object);
    assert_eq!(next(&object, &facts), Decision::Work(Step::Tidy));
    facts.tidied = Some(TidyReport::default());
    assert!(matches!(next(&object, &facts), Decision::Stop(_)));
}

#[test]
fn storage_and_inputs_are_read_before_remote() {
    let object = object(&json!({}), &stored(&format!("master@sha1:{COMMIT}")));
    let mut facts = facts(&object);
    facts.tidied = Some(valid_artifact());
    assert_eq!(next(&object, &facts), work(GitStep::Connect));
    facts.own.remote = Some(Remote::new("https://example.com/app.git").unwrap());
    assert_eq!(next(&object, &facts), work(GitStep::ReadInputs));
    facts.own.inputs = Some(inputs(&[], false));
    assert_eq!(next(&object, &facts), work(GitStep::Resolve));
}

#[test]
fn new_revision_or_rules_repack_artifact() {
    let revision = format!("main@sha1:{COMMIT}");
    let pack = |new_revision| ArtifactNeed::Pack { new_revision };
    let step = |spec: Value, status: Value, revision: &str| {
        let object = object(&spec, &status);
        decided(&object, revision, &[], false)
    };
    let mut with_rules = stored(&revision);
    with_rules["observedIgnore"] = json!("*.md");
    let mut with_include = stored(&revision);
    with_include["observedInclude"] = json!([{ "repository": { "name": "x" } }]);

    assert_eq!(step(json!({}), json!({}), &revision), pack(true));
    assert_eq!(
        step(json!({}), stored(&revision), &revision),
        ArtifactNeed::Keep
    );
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
        ArtifactNeed::Keep
    );
    assert_eq!(step(json!({}), with_rules, &revision), pack(false));
    assert_eq!(step(json!({}), with_include, &revision), pack(false));
    for (field, value, observed) in [
        (
            "recurseSubmodules",
            json!(true),
            "observedRecurseSubmodules",
        ),
        ("sparseCheckout", json!(["a"]), "observedSparseCheckout"),
    ] {
        let mut status = stored(&revision);
        status[observed] = value.clone();
        assert_eq!(
            step(json!({}), status.clone(), &revision),
            pack(false),
            "{field}"
        );
        let spec = json!({ field: value });
        assert_eq!(
            step(spec.clone(), status, &revision),
            ArtifactNeed::Keep,
            "{field}"
        );
        assert_eq!(
            step(spec, stored(&revision), &revision),
            pack(false),
            "{field}"
        );
    }
}

fn inputs(included: &[Artifact], keys_changed: bool) -> Inputs {
    Inputs {
        included: included.to_vec(),
        keys: None,
        keys_changed,
    }
}

/// Decides about the artifact in the status.
fn decided(
    object: &GitRepository,
    revision: &str,
    included: &[Artifact],
    keys_changed: bool,
) -> ArtifactNeed {
    let facts = facts(object);
    let source = facts.source(object).unwrap();
    plan::artifact_need(&source, revision, &inputs(included, keys_changed))
}

#[test]
fn changed_include_repacks_artifact() {
    let revision = format!("main@sha1:{COMMIT}");
    let include = json!([{ "repository": { "name": "x" } }]);
    let included = |digest: &str| {
        let mut artifact = artifact("main@sha1:aa");
        artifact["digest"] = json!(digest);
        artifact
    };
    let mut status = stored(&revision);
    status["observedInclude"] = include.clone();
    status["includedArtifacts"] = json!([included("sha256:aa")]);
    let object = object(&json!({ "include": include }), &status);
    for (digest, expected) in [
        ("sha256:aa", ArtifactNeed::Keep),
        (
            "sha256:bb",
            ArtifactNeed::Pack {
                new_revision: false,
            },
        ),
    ] {
        let now = [serde_json::from_value(included(digest)).unwrap()];
        assert_eq!(
            decided(&object, &revision, &now, false),
            expected,
            "{digest}"
        );
    }
}

#[test]
fn changed_mode_or_keys_verify_again() {
    let revision = format!("main@sha1:{COMMIT}");
    for (mode, recorded, keys_changed, expected) in [
        ("HEAD", None, false, ArtifactNeed::Verify),
        ("HEAD", Some("HEAD"), false, ArtifactNeed::Keep),
        ("head", Some("HEAD"), false, ArtifactNeed::Keep),
        ("HEAD", Some("HEAD"), true, ArtifactNeed::Verify),
        ("HEAD", Some("Tag"), false, ArtifactNeed::Verify),
        ("Tag", Some("HEAD"), false, ArtifactNeed::Verify),
        ("TagAndHEAD", Some("HEAD"), false, ArtifactNeed::Verify),
        ("TagAndHEAD", Some("Tag"), false, ArtifactNeed::Verify),
        ("Tag", Some("TagAndHEAD"), false, ArtifactNeed::Keep),
        ("HEAD", Some("TagAndHEAD"), false, ArtifactNeed::Keep),
        ("TagAndHEAD", Some("TagAndHEAD"), false, ArtifactNeed::Keep),
    ] {
        let mut status = stored(&revision);
        status["sourceVerificationMode"] = json!(recorded);
        let spec = json!({ "verify": { "mode": mode, "secretRef": { "name": "keys" } } });
        let object = object(&spec, &status);
        let step = decided(&object, &revision, &[], keys_changed);
        assert_eq!(step, expected, "{mode} after {recorded:?}, {keys_changed}");
    }
}

#[test]
fn legacy_revisions_are_parsed() {
    let step = |stored_revision: &str, revision: &str| {
        let object = object(&json!({}), &stored(stored_revision));
        decided(&object, revision, &[], false)
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
        assert_eq!(step(&old, &revision), ArtifactNeed::Keep, "{old}");
    }
    assert_ne!(
        step(&format!("main/{OTHER}"), &format!("main@sha1:{COMMIT}")),
        ArtifactNeed::Keep
    );
}

#[test]
fn stored_pinned_commit_skips_remote() {
    let spec = json!({ "ref": { "commit": COMMIT, "branch": "main" } });
    let decided = |status: Value| {
        let object = object(&spec, &status);
        let mut facts = facts(&object);
        facts.tidied = Some(TidyReport {
            collected: 0,
            state: match object
                .status
                .as_ref()
                .and_then(|status| status.artifact.as_ref())
            {
                Some(_) => ArtifactState::Valid,
                None => ArtifactState::None,
            },
        });
        facts.own.remote = Some(Remote::new("https://example.com/app.git").unwrap());
        facts.own.inputs = Some(inputs(&[], false));
        next(&object, &facts)
    };
    let revision = format!("main@sha1:{COMMIT}");
    assert_eq!(decided(stored(&revision)), Decision::Settled);
    let resolve = work(GitStep::Resolve);
    assert_eq!(decided(json!({})), resolve);
    assert_eq!(decided(stored(&format!("main@sha1:{OTHER}"))), resolve);
}

#[test]
fn remote_errors_map_to_reasons() {
    use sluice_git::{CheckoutStep, Error};
    let spec = parsed(&json!({})).unwrap();
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
        (
            Error::Unavailable {
                remote: remote(),
                status: 503,
                retry_after: None,
            },
            "GitOperationFailed",
            Retry::Backoff,
        ),
        (
            Error::Unavailable {
                remote: remote(),
                status: 429,
                retry_after: Some(Duration::from_mins(1)),
            },
            "GitOperationFailed",
            Retry::After(Duration::from_mins(1)),
        ),
    ] {
        let Fault { condition, failure } = observe::refused(&error, &spec, CheckoutStep::Clone);
        assert_eq!(
            (condition, &*failure.reason, failure.retry),
            (FailureCondition::True("FetchFailed"), reason, retry)
        );
    }
    let empty = |step| {
        let error = Error::EmptyRepository { remote: remote() };
        let failure = observe::refused(&error, &spec, step).failure;
        (failure.reason.into_owned(), failure.message)
    };
    let (reason, message) = empty(CheckoutStep::Clone);
    assert_eq!(
        (&*reason, &*message),
        ("EmptyGitRepository", "git repository is empty")
    );
    let (reason, message) = empty(CheckoutStep::List);
    let listed = "failed to checkout and determine revision: unable to list remote for \
                  'https://example.com/app.git': remote repository is empty";
    assert_eq!((&*reason, &*message), ("GitOperationFailed", listed));
}

#[test]
fn remote_address_is_parsed_once() {
    let spec = parsed(&json!({})).unwrap();
    assert_eq!(
        spec.address,
        Address::parse("https://example.com/app.git").unwrap()
    );
    assert_eq!(spec.timeout, Duration::from_mins(1));
}

#[test]
fn interval_has_minimum() {
    let times = |spec: Value| {
        let spec = parsed(&spec).unwrap();
        (spec.interval, spec.timeout)
    };
    let second = Duration::from_secs(1);
    for (spec, expected) in [
        (json!({ "interval": "0s" }), (Duration::ZERO, 60 * second)),
        (json!({ "interval": "1ms" }), (second, 60 * second)),
        (
            json!({ "interval": "5s", "timeout": "0s" }),
            (5 * second, second),
        ),
    ] {
        assert_eq!(times(spec.clone()), expected, "{spec}");
    }
    let next = |interval| begin(&object(&json!({}), &json!({}))).finish(interval).next;
    assert_eq!(next(Duration::ZERO), Requeue::Never);
    assert_eq!(next(second), Requeue::Interval(second));
}
