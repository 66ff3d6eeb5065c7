//! Texts of events, names and commits have the forms of the reference.

use sluice_api::event::InvolvedObject;

use super::*;

const HASH: &str = "5394cb7f48332b2de7c17dd8b8384bbc84b7e738";

fn event(reason: &str) -> Event {
    Event {
        involved_object: InvolvedObject {
            kind: "GitRepository".into(),
            namespace: "flux-system".into(),
            name: "my-Repo".into(),
            ..InvolvedObject::default()
        },
        reason: reason.into(),
        ..Event::default()
    }
}

/// The table of `TestUtil_NameAndDescription` and its neighbours in the reference.
#[test]
fn reason_becomes_lower_case_words() {
    for (reason, expected) in [
        ("ApplySucceeded", "apply succeeded"),
        ("HealthCheckFailed", "health check failed"),
        ("Aaa", "aaa"),
        ("PDFLoader", "pdf loader"),
        ("SimpleXMLParser", "simple xml parser"),
        ("vimRPCPlugin", "vim rpc plugin"),
        ("GL11Version", "gl 11 version"),
        ("May5", "may 5"),
        ("lowercase", "lowercase"),
        ("BöseÜberraschung", "böse überraschung"),
        ("Two  spaces", "two    spaces"),
        ("", ""),
    ] {
        assert_eq!(description(&event(reason)), expected, "{reason}");
    }
}

#[test]
fn names_have_the_forms_of_the_reference() {
    let event = event("x");
    assert_eq!(object_name(&event), "gitrepository/my-Repo.flux-system");
    assert_eq!(object_path(&event), "GitRepository/flux-system/my-Repo");
    assert_eq!(short_name(&event), "gitrepository/my-repo");
}

/// The table of `TestUtil_ParseRevision` in the reference.
#[test]
fn commit_is_read_from_every_form() {
    for (revision, expected) in [
        (format!("main@sha1:{HASH}"), Some(HASH)),
        (format!("feature/branch@sha1:{HASH}"), Some(HASH)),
        (format!("sha1:{HASH}"), Some(HASH)),
        (format!("main/{HASH}"), Some(HASH)),
        (format!("HEAD/{HASH}"), Some(HASH)),
        (HASH.to_owned(), Some(HASH)),
        ("1.2.3".to_owned(), None),
        ("sha256:abc".to_owned(), None),
        (String::new(), None),
        ("../../../../../../../../../../user/keys".to_owned(), None),
        (format!("sha1:{}", "/".repeat(40)), None),
    ] {
        assert_eq!(commit_of(&revision).as_deref(), expected, "{revision}");
    }
}

#[test]
fn commit_metadata_has_precedence() {
    let mut event = event("x");
    assert_eq!(commit(&event), Err(Error::NoRevision));
    let other = HASH.replace('5', "6");
    event.metadata.insert("revision".into(), HASH.into());
    assert_eq!(commit(&event).unwrap(), HASH);
    event
        .metadata
        .insert("originRevision".into(), format!("main@sha1:{other}"));
    assert_eq!(commit(&event).unwrap(), other);
    event.metadata.insert("commit".into(), "nothing".into());
    assert_eq!(commit(&event), Err(Error::NoCommit("nothing".into())));
}

/// From `Test_generateDefaultCommitStatus` in the reference.
#[test]
fn default_commit_status_has_the_first_uid_part() {
    let mut event = event("x");
    event.involved_object.kind = "Kustomization".into();
    event.involved_object.name = "gitops-system".into();
    let id = default_commit_status("0c9c2e41-d2f9-4f9b-9c41-bebc1984d67a", &event);
    assert_eq!(id, "kustomization/gitops-system/0c9c2e41");
}
