//! Status and notices of runs.

use sluice_producer::StorageFailure;

use super::*;

fn plain() -> GitRepository {
    object(&json!({}), &json!({}))
}

#[test]
fn unchanged_poll_leaves_status_unchanged() {
    let revision = format!("main@sha1:{COMMIT}");
    let object = object(&json!({}), &stored(&revision));
    let mut draft = begin(&object);
    draft.apply_tidy(valid_artifact());
    assert!(!is_shown_at_start(&object, valid_artifact()));
    conclude::unchanged(&mut draft, &revision);
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(outcome.status, object.status);
    assert_eq!(outcome.next, Requeue::Interval(Duration::from_mins(1)));
    assert_eq!(notices(&outcome), ["Info Log GitOperationSucceeded"]);
}

#[test]
fn requested_poll_is_shown_and_notified() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut object = object(&json!({}), &stored(&revision));
    object.metadata.annotations = Some(
        [(
            "reconcile.fluxcd.io/requestedAt".to_owned(),
            "now".to_owned(),
        )]
        .into(),
    );
    assert!(is_shown_at_start(&object, valid_artifact()));
    let mut draft = begin(&object);
    draft.apply_tidy(valid_artifact());
    draft.is_prompt = true;
    conclude::unchanged(&mut draft, &revision);
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(notices(&outcome), ["Info Cluster GitOperationSucceeded"]);
}

#[test]
fn unchanged_poll_after_garbage_collection_is_notified() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut draft = begin(&object(&json!({}), &stored(&revision)));
    draft.apply_tidy(TidyReport {
        collected: 1,
        ..valid_artifact()
    });
    conclude::unchanged(&mut draft, &revision);
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(
        notices(&outcome),
        [
            "Info Cluster GarbageCollectionSucceeded",
            "Info Cluster GitOperationSucceeded"
        ]
    );
    let message = format!("no changes since last reconciliation: observed revision '{revision}'");
    assert_eq!(outcome.notices[1].message, message);
}

#[test]
fn first_artifact_turns_ready_from_unknown_to_true() {
    let revision = format!("main@sha1:{COMMIT}");
    let object = object(&json!({}), &json!({ "observedGeneration": -1 }));
    assert!(is_shown_at_start(&object, valid_artifact()));
    let mut draft = begin(&object);
    let shown = draft.status();
    let reconciling = shown.conditions.find("Reconciling").unwrap();
    assert_eq!(
        reconciling.message,
        "processing object: new generation -1 -> 3"
    );
    draft.apply_tidy(TidyReport::default());
    conclude::new_revision(&mut draft, &revision);
    let shown = draft.status();
    let message = format!("building artifact: new upstream revision '{revision}'");
    assert_eq!(shown.conditions.find("Ready").unwrap().message, message);
    assert!(shown.conditions.find("ArtifactOutdated").is_none());
    assert_eq!(shown.observed_generation, Some(-1));

    conclude::stored(
        &mut draft,
        &object,
        &new(&revision, "sha256:bb"),
        Vec::new(),
    );
    let outcome = draft.finish(Duration::from_mins(1));
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
fn new_commit_marks_artifact_outdated() {
    let object = object(&json!({}), &stored(&format!("main@sha1:{OTHER}")));
    let mut draft = begin(&object);
    draft.apply_tidy(valid_artifact());
    conclude::new_revision(&mut draft, &format!("main@sha1:{COMMIT}"));
    let shown = draft.status();
    assert!(shown.conditions.is_true("ArtifactOutdated"));
    assert!(shown.conditions.is_true("ArtifactInStorage"));
    assert!(shown.artifact.is_some());
    conclude::stored(
        &mut draft,
        &plain(),
        &new(&format!("main@sha1:{COMMIT}"), "sha256:bb"),
        Vec::new(),
    );
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(
        conditions(&outcome),
        ["Ready=True/Succeeded", "ArtifactInStorage=True/Succeeded"]
    );
}

fn refused(reason: &'static str, retry: Retry) -> Fault {
    Fault::fetch(Failure::message(reason, retry, "refused"))
}

#[test]
fn failure_keeps_artifact_and_retries() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut status = stored(&revision);
    status["observedGeneration"] = json!(2);
    let object = object(&json!({}), &status);
    let mut draft = begin(&object);
    draft.apply_tidy(valid_artifact());
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
fn retry_after_of_remote_notifies_error() {
    let minute = Duration::from_mins(1);
    let draft = begin(&object(&json!({}), &stored(&format!("main@sha1:{COMMIT}"))));
    let outcome = draft.failed(refused("GitOperationFailed", Retry::After(minute)));
    assert_eq!(
        conditions(&outcome),
        [
            "Reconciling=True/ProgressingWithRetry",
            "Ready=False/GitOperationFailed",
            "ArtifactInStorage=True/Succeeded",
            "FetchFailed=True/GitOperationFailed"
        ]
    );
    assert_eq!(outcome.next, Requeue::After(minute));
    assert_eq!(notices(&outcome), ["Error Everyone GitOperationFailed"]);
}

#[test]
fn stalled_object_keeps_artifact_and_observes_generation() {
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
fn recovery_without_new_artifact_notifies_once() {
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
    draft.apply_tidy(valid_artifact());
    conclude::unchanged(&mut draft, &revision);
    let outcome = draft.finish(Duration::from_mins(1));
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
fn lost_artifact_is_withdrawn_before_fetch() {
    let revision = format!("main@sha1:{COMMIT}");
    for (state, expected) in [
        (ArtifactState::Missing, vec![]),
        (
            ArtifactState::Corrupt("changed".to_owned()),
            vec!["Error Everyone ArtifactVerificationFailed"],
        ),
    ] {
        let object = object(&json!({}), &stored(&revision));
        let tidied = TidyReport {
            collected: 0,
            state,
        };
        assert!(is_shown_at_start(&object, tidied.clone()));
        let mut draft = begin(&object);
        draft.apply_tidy(tidied);
        let shown = draft.status();
        assert!(shown.artifact.is_none());
        assert!(shown.conditions.find("ArtifactInStorage").is_none());
        let ready = shown.conditions.find("Ready").unwrap();
        assert_eq!(ready.status.as_str(), "Unknown");
        assert_eq!(ready.message, "building artifact: disappeared from storage");
        // The restored artifact has the same bytes, so no event announces it.
        conclude::stored(
            &mut draft,
            &plain(),
            &new(&revision, "sha256:aa"),
            Vec::new(),
        );
        assert_eq!(notices(&draft.finish(Duration::from_mins(1))), expected);
    }
}

#[test]
fn suspension_keeps_status() {
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
fn artifact_url_follows_server_address() {
    let revision = format!("main@sha1:{COMMIT}");
    let object = object(&json!({}), &stored(&revision));
    let url = |path: &str| format!("http://there/{path}");
    let draft = reconcile::begin::<GitRepositoryKind>(&object, now(), url);
    assert_eq!(
        draft.status().artifact.unwrap().url,
        "http://there/gitrepository/tenant/app/x.tar.gz"
    );
}

#[test]
fn long_subject_is_cut_at_character_boundary() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut draft = begin(&object(&json!({}), &json!({})));
    let done = NewArtifact {
        subject: "ü".repeat(60),
        ..new(&revision, "sha256:bb")
    };
    conclude::stored(&mut draft, &plain(), &done, Vec::new());
    let outcome = draft.finish(Duration::from_mins(1));
    let expected = format!("stored artifact for commit '{}...'", "ü".repeat(50));
    assert_eq!(outcome.notices[0].message, expected);
}

#[test]
fn lfs_pointers_and_links_notify_users() {
    let mut draft = begin(&object(&json!({}), &json!({})));
    let mut done = new("main@sha1:x", "sha256:bb");
    done.remarks = Remarks {
        links: 2,
        first_link: Some("docs/link".to_owned()),
        first_pointer: Some("model.bin".to_owned()),
        first_clash: Some("docs/ReadMe".to_owned()),
    };
    conclude::stored(&mut draft, &plain(), &done, Vec::new());
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(outcome.notices[0].severity, Severity::Error);
    assert!(outcome.notices[0].message.contains("'model.bin'"));
    assert_eq!(outcome.notices[1].audience, Audience::Cluster);
    assert!(outcome.notices[1].message.contains("2 symbolic links"));
    assert_eq!(outcome.notices[2].severity, Severity::Error);
    assert!(outcome.notices[2].message.contains("'docs/ReadMe'"));
}

#[test]
fn failed_verification_sets_ready_false_and_keeps_artifact() {
    let verify = json!({ "verify": { "mode": "HEAD", "secretRef": { "name": "keys" } } });
    let revision = format!("main@sha1:{OTHER}");
    let mut draft = begin(&object(&verify, &stored(&revision)));
    draft.apply_tidy(valid_artifact());
    let outcome = draft.failed(Fault {
        condition: FailureCondition::False("SourceVerified"),
        failure: Failure::message("InvalidCommitSignature", Retry::Backoff, "forged"),
    });
    assert_eq!(
        conditions(&outcome),
        [
            "Reconciling=True/ProgressingWithRetry",
            "Ready=False/InvalidCommitSignature",
            "ArtifactInStorage=True/Succeeded",
            "SourceVerified=False/InvalidCommitSignature",
        ]
    );
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(status.artifact.as_ref().unwrap().revision, revision);
    assert_eq!(notices(&outcome), ["Error Everyone InvalidCommitSignature"]);

    // The next run drops the old condition and sets its own.
    let status = serde_json::to_value(status).unwrap();
    let mut draft = begin(&object(&verify, &status));
    assert!(draft.status().conditions.find("SourceVerified").is_none());
    conclude::verified(&mut draft, "HEAD", "verified signature of".to_owned());
    conclude::unchanged(&mut draft, &revision);
    let outcome = draft.finish(Duration::from_mins(1));
    assert_eq!(
        conditions(&outcome),
        [
            "Ready=True/Succeeded",
            "ArtifactInStorage=True/Succeeded",
            "SourceVerified=True/Succeeded",
        ]
    );
    let status = outcome.status.as_ref().unwrap();
    assert_eq!(status.source_verification_mode.as_deref(), Some("HEAD"));

    // Without `spec.verify`, the condition is removed.
    let status = serde_json::to_value(status).unwrap();
    let shown = begin(&object(&json!({}), &status)).status();
    assert!(shown.conditions.find("SourceVerified").is_none());
    assert_eq!(shown.source_verification_mode, None);
}

#[test]
fn missing_include_waits_without_alert() {
    let include = json!({ "include": [{ "repository": { "name": "x" } }] });
    let mut draft = begin(&object(&include, &json!({})));
    draft.apply_tidy(TidyReport::default());
    let delay = Duration::from_secs(30);
    let outcome = draft.failed(Fault {
        condition: FailureCondition::True("IncludeUnavailable"),
        failure: Failure::message("NoArtifact", Retry::After(delay), "none"),
    });
    assert_eq!(outcome.next, Requeue::After(delay));
    assert_eq!(notices(&outcome), ["Info Cluster NoArtifact"]);
    let status = outcome.status.unwrap();
    assert!(status.conditions.is_true("IncludeUnavailable"));
    assert_eq!(
        status.conditions.find("Ready").unwrap().reason,
        "NoArtifact"
    );
    assert_ne!(status.observed_generation, Some(3));
}

#[test]
fn changed_include_marks_artifact_outdated() {
    let revision = format!("main@sha1:{COMMIT}");
    let mut status = stored(&revision);
    status["includedArtifacts"] = json!([artifact("main@sha1:aa")]);
    let object = object(&json!({}), &status);
    let mut draft = begin(&object);
    draft.apply_tidy(valid_artifact());
    let unchanged = [serde_json::from_value(artifact("main@sha1:aa")).unwrap()];
    conclude::included(&mut draft, &object, &unchanged);
    assert!(draft.status().conditions.find("ArtifactOutdated").is_none());
    assert!(!plan::has_new_includes(&object, &unchanged));
    let changed = [serde_json::from_value(artifact("main@sha1:bb")).unwrap()];
    conclude::included(&mut draft, &object, &changed);
    assert!(plan::has_new_includes(&object, &changed));
    let shown = draft.status();
    let outdated = shown.conditions.find("ArtifactOutdated").unwrap();
    assert_eq!(outdated.reason, "IncludeChange");
    conclude::stored(
        &mut draft,
        &plain(),
        &new(&revision, "sha256:bb"),
        changed.to_vec(),
    );
    let status = draft.finish(Duration::from_mins(1)).status.unwrap();
    assert_eq!(status.included_artifacts, changed);
    assert!(status.conditions.find("ArtifactOutdated").is_none());
}

#[test]
fn insecure_or_ambiguous_spec_warns_once_per_generation() {
    let spec = json!({
        "url": "http://example.com/app.git",
        "ref": { "tag": "v1", "semver": ">1" },
    });
    let keys = std::collections::BTreeMap::from([
        ("username".to_owned(), b"u".to_vec()),
        ("password".to_owned(), b"p".to_vec()),
    ]);
    let credentials = sluice_dial::Credentials::from_keys(&keys).unwrap().unwrap();
    let remote = Remote::new("http://example.com/app.git")
        .unwrap()
        .with_access(sluice_git::Access::Http(credentials));
    let warned = |observed: i64| {
        let object = object(&spec, &json!({ "observedGeneration": observed }));
        let mut draft = begin(&object);
        conclude::warn_of_plain_http(&mut draft, &object, &remote);
        let outcome = draft.failed(refused("GitOperationFailed", Retry::Backoff));
        outcome.notices.len() - 1
    };
    assert_eq!(warned(2), 2);
    assert_eq!(warned(3), 0);
}

#[test]
fn deleted_object_goes_after_its_files() {
    let outcome: Outcome<GitRepositoryStatus> = reconcile::finish_deletion(Ok(true));
    assert_eq!(outcome.next, Requeue::Never);
    assert_eq!(outcome.status, None);
    let fault = Fault::from(StorageFailure(Failure::message(
        "GarbageCollectionFailed",
        Retry::Stalled,
        "busy",
    )));
    let outcome: Outcome<GitRepositoryStatus> = reconcile::finish_deletion(Err(fault));
    assert!(matches!(outcome.next, Requeue::Backoff(_)));
    assert_eq!(
        notices(&outcome),
        ["Error Everyone GarbageCollectionFailed"]
    );
}
