//! Test support for both kinds: kills a run before its file changes and checks the
//! storage it leaves.
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads the files without the storage"
)]
#![expect(
    clippy::case_sensitive_file_extension_comparisons,
    reason = "the storage writes these extensions in lower case"
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
use sluice_producer::{ArtifactState, KindStorage};
use sluice_testkit::traced_program::{End, TracedProgram};

/// Environment variables of a traced run: the storage root and the remote's URL.
pub(crate) const ROOT: &str = "STORAGE_OF_A_KILLED_RUN";
pub(crate) const URL: &str = "REMOTE_OF_A_KILLED_RUN";

/// Reads an environment variable of a traced run.
pub(crate) fn environment_variable(name: &str) -> String {
    std::env::var(name).expect("the parent test sets this variable")
}

/// The HTTP clients of a test.
pub(crate) fn clients() -> Arc<HttpClients> {
    Arc::new(HttpClients::new("test"))
}

/// Sets up the storage as at process start: claims it and removes temporary files of earlier
/// processes.
pub(crate) fn source_storage<K: Kind>(root: &Path) -> (KindStorage, Claim) {
    let storage = Storage::open(Options {
        root: root.to_owned(),
        address: "here".to_owned(),
        algorithm: Algorithm::default(),
        // With one record, a new artifact replaces the old one.
        retention: Retention {
            records: 1,
            ..Retention::default()
        },
    })
    .unwrap();
    let claim = storage.claim("test", "a test").unwrap();
    let source_storage = KindStorage::of::<K>(Arc::new(storage), "test".to_owned());
    source_storage
        .storage()
        .remove_temporary_files(&[source_storage.kind()])
        .unwrap();
    (source_storage, claim)
}

/// Runs the first step of a run: removes old artifacts and checks the current one.
pub(crate) async fn next_run(source_storage: &KindStorage, artifact: &Artifact) {
    let object = sluice_engine::ObjectKey::new("tenant", "app");
    let now: Timestamp = "2026-01-01T00:00:00Z".parse().unwrap();
    let tidied = source_storage
        .tidy(&object, Some(artifact), now)
        .await
        .unwrap();
    assert_eq!(tidied.state, ArtifactState::Valid);
}

/// Kills `program` before changes that it makes to a copy of `base`, where `old` may be
/// stored. After each kill, every artifact file is complete, and the old or the new artifact
/// exists. A restart with `again` reaches the same state as an undisturbed run.
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
        panic!("the undisturbed run exits with 0");
    };
    assert!(changes.len() > 10, "{changes:#?}");
    let new = again(undisturbed.path());
    let expected = artifacts(undisturbed.path());
    assert_eq!(expected, only(&new));
    for count in sluice_testkit::sample_kills((1..=changes.len()).collect()) {
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
        assert!(!lost, "{when}: no artifact is left");
        for (path, digest) in &found {
            assert!(
                known.contains(&(path, digest)),
                "{when}: {path} is incomplete"
            );
        }
        assert_eq!(again(root.path()).digest, new.digest, "{when}");
        assert_eq!(artifacts(root.path()), expected, "{when}");
        let stale = stale(root.path());
        assert!(stale.is_empty(), "{when}: {stale:?} are left behind");
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

/// The files that the file server serves, with their digests.
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

/// Leftover files that later runs do not use.
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

/// Everything below a folder, folders first. The flag is true for a file.
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
