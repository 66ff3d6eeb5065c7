//! What a run leaves behind that is killed before any of its changes of a file: for the tests of
//! both kinds.
#![expect(
    clippy::disallowed_methods,
    reason = "a test looks at files as a stranger would"
)]
#![expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "the storage knows one spelling"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_artifact::storage::{Claim, Options, Retention, Storage};
use sluice_dial::HttpClients;
use sluice_digest::Algorithm;
use sluice_engine::Kind;
use sluice_testkit::traced_program::{End, TracedProgram};

use crate::shelf::Shelf;

/// In the environment of a run: where the storage is, and where the remote.
pub(crate) const ROOT: &str = "STORAGE_OF_A_KILLED_RUN";
pub(crate) const URL: &str = "REMOTE_OF_A_KILLED_RUN";

/// A variable of the environment that a run was given.
pub(crate) fn given(name: &str) -> String {
    std::env::var(name).expect("this test is run by the one beside it")
}

/// The way to a remote.
pub(crate) fn clients() -> Arc<HttpClients> {
    // Another test of this process may have been faster.
    drop(rustls::crypto::aws_lc_rs::default_provider().install_default());
    Arc::new(HttpClients::new("test"))
}

/// The shelf of a process that has just begun: the storage is claimed, and what an earlier process
/// left is cleared away.
pub(crate) fn shelf<K: Kind>(root: &Path) -> (Shelf, Claim) {
    let storage = Storage::open(Options {
        root: root.to_owned(),
        address: "here".to_owned(),
        algorithm: Algorithm::default(),
        // As few as can be, so that a new artifact displaces the old one.
        retention: Retention {
            records: 1,
            ..Retention::default()
        },
    })
    .unwrap();
    let claim = storage.claim("test", "a test").unwrap();
    let shelf = Shelf::of::<K>(Arc::new(storage), "test".to_owned());
    shelf
        .storage()
        .remove_temporary_files(&[shelf.kind()])
        .unwrap();
    (shelf, claim)
}

/// What the next run does first: it removes what is old, and looks at the current artifact.
pub(crate) async fn next_run(shelf: &Shelf, artifact: &Artifact) {
    let object = sluice_engine::ObjectKey::new("tenant", "app");
    let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let tidied = shelf.tidy(&object, Some(artifact), now).await.unwrap();
    assert_eq!(tidied.kept, crate::shelf::Kept::Whole);
}

/// Kills `mortal` before each of the changes that it makes to a copy of `base`, where `old` is
/// stored, if anything. Whenever that is: under the name of an artifact lies an artifact, the old
/// one or the new one is there, and `again`, a process that begins anew, gets to where an
/// undisturbed one gets.
pub(crate) fn each_change(
    base: &Path,
    program: impl Fn(&Path) -> TracedProgram,
    old: Option<&Artifact>,
    again: impl Fn(&Path) -> Artifact,
) {
    if !sluice_testkit::traced_program::AVAILABLE {
        return;
    }
    let undisturbed = copy(base);
    let End::Ended { code: 0, changes } = program(undisturbed.path()).run(None) else {
        panic!("an undisturbed run ends well");
    };
    assert!(changes.len() > 10, "{changes:#?}");
    let new = again(undisturbed.path());
    let expected = artifacts(undisturbed.path());
    assert_eq!(expected, only(&new));
    for count in 1..=changes.len() {
        let root = copy(base);
        let end = program(root.path()).run(Some(count));
        let when = format!("killed at {count} of {}: {end:?}", changes.len());
        let found = artifacts(root.path());
        let known: Vec<_> = old
            .into_iter()
            .chain([&new])
            .map(|artifact| (&artifact.path, &artifact.digest))
            .collect();
        let lost = old.is_some() && found.is_empty();
        assert!(!lost, "{when}: there is no artifact");
        for (path, digest) in &found {
            assert!(known.contains(&(path, digest)), "{when}: half of {path}");
        }
        assert_eq!(again(root.path()).digest, new.digest, "{when}");
        assert_eq!(artifacts(root.path()), expected, "{when}");
        let stale = stale(root.path());
        assert!(stale.is_empty(), "{when}: {stale:?} stay");
    }
}

fn only(artifact: &Artifact) -> BTreeMap<String, String> {
    [(artifact.path.clone(), artifact.digest.clone())].into()
}

fn copy(base: &Path) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, _) in walk(base) {
        let target = root.path().join(&path);
        let source = base.join(&path);
        let kind = source.symlink_metadata().unwrap();
        if kind.is_dir() {
            std::fs::create_dir_all(target).unwrap();
        } else if kind.is_symlink() {
            std::os::unix::fs::symlink(source.read_link().unwrap(), target).unwrap();
        } else {
            std::fs::copy(source, target).unwrap();
        }
    }
    root
}

/// What can be asked of the file server, by path, with its digest.
fn artifacts(root: &Path) -> BTreeMap<String, String> {
    walk(root)
        .into_iter()
        .filter(|(path, is_file)| {
            let name = path.rsplit('/').next().unwrap_or_default();
            *is_file && !path.starts_with('.') && !name.starts_with('.') && !name.ends_with(".lock")
        })
        .map(|(path, _)| {
            let bytes = std::fs::read(root.join(&path)).unwrap();
            (path, Algorithm::Sha256.digest(&bytes).to_string())
        })
        .collect()
}

/// What no process will ever use.
fn stale(root: &Path) -> Vec<String> {
    let is_stale = |path: &str| {
        let name = path.rsplit('/').next().unwrap_or_default();
        let locked = name.strip_suffix(".lock").is_some() && !path.starts_with('.');
        let in_vain = locked && !root.join(path.trim_end_matches(".lock")).exists();
        in_vain || name.contains("tmp") || name.starts_with("pack_")
    };
    walk(root)
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| is_stale(path))
        .collect()
}

/// Everything below a folder, folders first, and whether it is a file.
fn walk(root: &Path) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    let mut below = vec![String::new()];
    while let Some(folder) = below.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let path = if folder.is_empty() {
                name
            } else {
                format!("{folder}/{name}")
            };
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                below.push(path.clone());
            }
            found.push((path, kind.is_file()));
        }
    }
    found
}
