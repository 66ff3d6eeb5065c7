//! Updates with the files of the public instance: `metadata` of the repository
//! `sigstore/root-signing`, as of 21 August 2026.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::json;

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
    repository.snapshot.version = 166;
    assert_eq!(
        error(repository.update_snapshot(SNAPSHOT, good)),
        "snapshot: it is not the version of the timestamp"
    );
    repository.snapshot.version = 165;
    repository.targets.version = i64::MAX;
    assert_eq!(
        error(repository.update_snapshot(SNAPSHOT, good)),
        "snapshot: it is older than the last one"
    );
    repository.targets.version = 0;
    repository.update_snapshot(SNAPSHOT, good).unwrap();
    repository.targets.version += 1;
    assert_eq!(
        error(repository.update_targets(TARGETS, good)),
        "targets: it is not the version of the snapshot"
    );
}

/// A key that signs files of all roles.
struct Signer(Ed25519KeyPair);

impl Signer {
    fn new() -> Self {
        Self(Ed25519KeyPair::generate().unwrap())
    }

    fn key(&self) -> Value {
        let public = hex::encode(self.0.public_key().as_ref());
        json!({ "keytype": "ed25519", "keyval": { "public": public } })
    }

    fn sign(&self, signed: &Value, id: &str) -> Value {
        let signature = self.0.sign(&canonical(signed).unwrap());
        json!({ "keyid": id, "sig": hex::encode(signature) })
    }

    fn file(&self, role: &str, version: i64, fields: &Value) -> Vec<u8> {
        let mut signed = json!({
            "_type": role, "version": version, "expires": "2030-01-01T00:00:00Z",
        });
        for (name, value) in fields.as_object().unwrap() {
            signed[name] = value.clone();
        }
        let signatures = [self.sign(&signed, "key")];
        json!({ "signatures": signatures, "signed": signed })
            .to_string()
            .into()
    }
}

/// A root file with one key for itself, and one for the others.
fn root_file(version: i64, signer: &Signer, online: &Signer, online_id: &str) -> Vec<u8> {
    let role = |id: &str| json!({ "keyids": [id], "threshold": 1 });
    let mut keys = json!({ "key": signer.key() });
    keys[online_id] = online.key();
    signer.file(
        "root",
        version,
        &json!({
            "keys": keys,
            "roles": {
                "root": role("key"), "targets": role("key"),
                "timestamp": role(online_id), "snapshot": role(online_id),
            },
        }),
    )
}

fn file_meta(bytes: &[u8]) -> Value {
    json!({
        "version": 1, "length": bytes.len(),
        "hashes": {
            "sha256": hex::encode(Hash::Sha256.of(bytes)),
            "sha512": hex::encode(Hash::Sha512.of(bytes)),
        },
    })
}

#[test]
fn files_have_their_lengths_and_hashes() {
    let (signer, now) = (Signer::new(), time("2026-08-22T00:00:00Z"));
    let root = root_file(1, &signer, &signer, "key");
    let target = json!({ "length": 1, "hashes": { "sha256": "aa".repeat(32) } });
    let targets = signer.file("targets", 1, &json!({ "targets": { TARGET: target } }));
    // Another valid file of the same version.
    let others = signer.file(
        "targets",
        1,
        &json!({ "targets": { TARGET: target, "x": target } }),
    );
    let snapshot_of =
        |meta: &Value| signer.file("snapshot", 1, &json!({ "meta": { "targets.json": meta } }));
    let timestamp_of = |meta: &Value| {
        signer.file(
            "timestamp",
            1,
            &json!({ "meta": { "snapshot.json": meta } }),
        )
    };
    let update = |timestamp: &[u8], snapshot: &[u8], targets: &[u8]| {
        let mut repository = Repository::begin(&root)?;
        repository.update_timestamp(timestamp, now)?;
        repository.update_snapshot(snapshot, now)?;
        repository.update_targets(targets, now)
    };
    let snapshot = snapshot_of(&file_meta(&targets));
    let timestamp = timestamp_of(&file_meta(&snapshot));
    update(&timestamp, &snapshot, &targets).unwrap();
    assert_eq!(
        error(update(&timestamp, &snapshot, &others)),
        "targets: it has another length than its metadata says"
    );
    let other = snapshot_of(&file_meta(&others));
    let refused = error(update(&timestamp, &other, &others));
    assert!(
        refused.starts_with("snapshot: it has another "),
        "{refused}"
    );

    let mut meta = file_meta(&targets);
    meta["hashes"]["sha512"] = hex::encode(Hash::Sha512.of(&others)).into();
    let snapshot = snapshot_of(&meta);
    let timestamp = timestamp_of(&file_meta(&snapshot));
    assert_eq!(
        error(update(&timestamp, &snapshot, &targets)),
        "targets: it has another hash than its metadata says"
    );
    meta["hashes"] = json!({ "md5": "aa" });
    let snapshot = snapshot_of(&meta);
    let timestamp = timestamp_of(&file_meta(&snapshot));
    assert_eq!(
        error(update(&timestamp, &snapshot, &targets)),
        "targets: its hash is of an unknown algorithm"
    );
}

#[test]
fn public_files_of_before_the_release_are_refused() {
    let now = time("2026-08-22T00:00:00Z");
    let mut repository = Repository::public().unwrap();
    assert!(repository.timestamp > 0 && repository.targets.version > 0);
    repository.update_timestamp(TIMESTAMP, now).unwrap();
    repository.update_snapshot(SNAPSHOT, now).unwrap();
    repository.update_targets(TARGETS, now).unwrap();
    let mut later = Repository::public().unwrap();
    later.timestamp += 1;
    assert_eq!(
        error(later.update_timestamp(TIMESTAMP, now)),
        "timestamp: it is older than the last one"
    );
}

/// Otherwise a thief of the online key could sign the highest version, which nothing could follow.
#[test]
fn new_keys_begin_with_new_versions() {
    let (signer, now) = (Signer::new(), time("2026-08-22T00:00:00Z"));
    let online = Signer::new();
    let timestamp = |signer: &Signer, version: i64, id: &str| {
        let fields = json!({ "meta": { "snapshot.json": { "version": version } } });
        let file = signer.file("timestamp", version, &fields);
        changed(&file, "\"keyid\":\"key\"", &format!("\"keyid\":\"{id}\""))
    };
    let mut repository = Repository::begin(&root_file(1, &signer, &online, "old")).unwrap();
    let stolen = timestamp(&online, i64::MAX, "old");
    repository.update_timestamp(&stolen, now).unwrap();
    let same = root_file(2, &signer, &online, "old");
    repository.update_root(&same).unwrap();
    let next = timestamp(&online, 5, "old");
    assert_eq!(
        error(repository.update_timestamp(&next, now)),
        "timestamp: it is older than the last one"
    );
    let online = Signer::new();
    let rotated = root_file(3, &signer, &online, "new");
    repository.update_root(&rotated).unwrap();
    let next = timestamp(&online, 5, "new");
    repository.update_timestamp(&next, now).unwrap();
}
