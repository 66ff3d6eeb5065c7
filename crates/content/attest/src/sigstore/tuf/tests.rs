//! Updates with the files of the public instance: `metadata` of the repository
//! `sigstore/root-signing`, as of 21 August 2026.

use super::super::{PUBLIC_ROOT, TrustedRoot};
use super::*;

const ROOTS: [&[u8]; 3] = [
    include_bytes!("../../../tests/tuf/13.root.json"),
    include_bytes!("../../../tests/tuf/14.root.json"),
    PUBLIC_METADATA,
];
const TIMESTAMP: &[u8] = include_bytes!("../../../tests/tuf/timestamp.json");
const SNAPSHOT: &[u8] = include_bytes!("../../../tests/tuf/snapshot.json");
const TARGETS: &[u8] = include_bytes!("../../../tests/tuf/targets.json");

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn error<T>(result: Result<T, InvalidMetadata>) -> String {
    result.err().unwrap().to_string()
}

/// Replaces a text, which keeps the signatures of the file.
fn changed(file: &[u8], from: &str, to: &str) -> Vec<u8> {
    let text = std::str::from_utf8(file).unwrap();
    assert!(text.contains(from));
    text.replacen(from, to, 1).into_bytes()
}

#[test]
fn public_files_lead_to_the_public_root() {
    let now = time("2026-08-22T00:00:00Z");
    let mut repository = Repository::begin(ROOTS[0]).unwrap();
    for (root, path) in ROOTS[1..].iter().zip(["14.root.json", "15.root.json"]) {
        assert_eq!(repository.next_root(), path);
        repository.update_root(root).unwrap();
    }
    let path = repository.update_timestamp(TIMESTAMP, now).unwrap();
    assert_eq!(path, "165.snapshot.json");
    let path = repository.update_snapshot(SNAPSHOT, now).unwrap();
    let version = path.split_once('.').unwrap().0;
    assert_eq!(
        path,
        format!("{version}.targets.json").replace("snapshot", "targets")
    );
    let file = repository.update_targets(TARGETS, now).unwrap();
    assert!(file.path.ends_with(".trusted_root.json"), "{}", file.path);
    assert!(file.matches(PUBLIC_ROOT));
    assert!(!file.matches(&PUBLIC_ROOT[1..]));
    TrustedRoot::parse(PUBLIC_ROOT).unwrap();
}

#[test]
fn skipped_and_older_roots_are_refused() {
    let mut repository = Repository::begin(ROOTS[0]).unwrap();
    assert!(error(repository.update_root(ROOTS[2])).starts_with("root: "));
    repository.update_root(ROOTS[1]).unwrap();
    for root in [ROOTS[0], ROOTS[1]] {
        assert_eq!(
            error(repository.update_root(root)),
            "root: it is not the next version"
        );
    }
}

#[test]
fn changed_files_are_refused() {
    let now = time("2026-08-22T00:00:00Z");
    let begin = || Repository::begin(PUBLIC_METADATA).unwrap();
    let root = changed(PUBLIC_METADATA, "2026-11-20", "2036-11-20");
    assert_eq!(
        error(Repository::begin(&root)),
        "root: it has 0 of 3 signatures"
    );
    let timestamp = changed(TIMESTAMP, "\"version\": 165", "\"version\": 166");
    assert_eq!(
        error(begin().update_timestamp(&timestamp, now)),
        "timestamp: it has 0 of 1 signatures"
    );
    assert_eq!(
        error(begin().update_timestamp(SNAPSHOT, now)),
        "timestamp: it is of another role"
    );
    assert_eq!(
        error(begin().update_timestamp(b"{}", now)),
        "timestamp: it cannot be read"
    );
    let mut repository = begin();
    repository.update_timestamp(TIMESTAMP, now).unwrap();
    repository.update_snapshot(SNAPSHOT, now).unwrap();
    let targets = changed(TARGETS, "trusted_root.json", "trusted_moot.json");
    let refused = error(repository.update_targets(&targets, now));
    assert!(refused.starts_with("targets: it has 0 of "), "{refused}");
}

#[test]
fn expired_and_older_files_are_refused() {
    let (good, late) = (time("2026-08-22T00:00:00Z"), time("2026-08-29T00:00:00Z"));
    let mut repository = Repository::begin(PUBLIC_METADATA).unwrap();
    assert_eq!(
        error(repository.update_timestamp(TIMESTAMP, late)),
        "timestamp: it expired at 2026-08-28T19:25:56Z"
    );
    assert_eq!(
        error(repository.update_timestamp(TIMESTAMP, time("2026-11-27T00:00:00Z"))),
        "root: it expired at 2026-11-20T13:58:18Z"
    );
    repository.timestamp = 763;
    assert_eq!(
        error(repository.update_timestamp(TIMESTAMP, good)),
        "timestamp: it is older than the last one"
    );
    repository.timestamp = 0;
    repository.update_timestamp(TIMESTAMP, good).unwrap();
    repository.snapshot = 166;
    assert_eq!(
        error(repository.update_snapshot(SNAPSHOT, good)),
        "snapshot: it is not the version of the timestamp"
    );
    repository.snapshot = 165;
    repository.targets = i64::MAX;
    assert_eq!(
        error(repository.update_snapshot(SNAPSHOT, good)),
        "snapshot: it is older than the last one"
    );
    repository.targets = 0;
    repository.update_snapshot(SNAPSHOT, good).unwrap();
    repository.targets += 1;
    assert_eq!(
        error(repository.update_targets(TARGETS, good)),
        "targets: it is not the version of the snapshot"
    );
}
