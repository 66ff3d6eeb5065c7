//! The storage: writes, verification, retention and deletion.

use std::convert::Infallible;
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use sluice_artifact::storage::{
    ClaimError, Location, Options, Retention, Storage, StoreError, VerifyError, WriteError,
    advertised_address,
};
use sluice_digest::Algorithm;

use crate::{location, storage, write};

fn names(root: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(root.join("gitrepository/tenant/app"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn now() -> Timestamp {
    Timestamp::from_second(1_800_000_000).unwrap()
}

fn age(root: &Path, file: &str, seconds: u64) {
    let modified = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 - seconds);
    std::fs::File::options()
        .write(true)
        .open(root.join("gitrepository/tenant/app").join(file))
        .unwrap()
        .set_modified(modified)
        .unwrap();
}

#[test]
fn artifact_has_path_mode_and_url_of_flux() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    let stored = write(&storage, "abc.tar.gz", b"content");

    assert_eq!(stored.path, "gitrepository/tenant/app/abc.tar.gz");
    assert_eq!(stored.digest, Algorithm::Sha256.digest(b"content"));
    assert_eq!(stored.size, 7);
    assert_eq!(
        storage.url(&stored.path),
        "http://artifacts.example/gitrepository/tenant/app/abc.tar.gz"
    );
    let file = std::fs::metadata(root.path().join(&stored.path)).unwrap();
    assert_eq!(file.permissions().mode() & 0o777, 0o600);
    let directory = std::fs::metadata(root.path().join("gitrepository")).unwrap();
    assert_eq!(directory.permissions().mode() & 0o777, 0o700);
    assert_eq!(names(root.path()), ["abc.tar.gz", "abc.tar.gz.lock"]);
}

#[test]
fn address_with_scheme_is_kept() {
    let root = tempfile::tempdir().unwrap();
    let storage = Storage::open(Options {
        root: root.path().to_owned(),
        address: "https://artifacts.example".to_owned(),
        algorithm: Algorithm::Blake3,
        retention: Retention::default(),
    })
    .unwrap();
    assert_eq!(storage.url("a/b"), "https://artifacts.example/a/b");
    assert!(
        write(&storage, "x", b"")
            .digest
            .to_string()
            .starts_with("blake3:")
    );
}

#[test]
fn advertised_address_derives_from_listen_address() {
    for (given, listen, expected) in [
        (
            "source-controller.flux-system.svc.cluster.local.",
            ":9090",
            "source-controller.flux-system.svc.cluster.local.",
        ),
        ("", ":9090", "localhost:9090"),
        ("", "0.0.0.0:9090", "node:9090"),
        ("", "127.0.0.1:8080", "127.0.0.1:8080"),
        ("", "[::1]:8080", "[::1]:8080"),
        ("", "source:80", "source:80"),
    ] {
        assert_eq!(advertised_address(given, listen, "node"), expected);
    }
}

#[test]
fn failed_write_keeps_old_file() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    write(&storage, "x", b"old");
    let failed = storage.write(&location(), "x", |writer| {
        writer.write_all(b"half")?;
        Err(io::Error::other("remote went away"))
    });
    assert!(matches!(failed, Err(WriteError::Content(_))));
    assert_eq!(
        std::fs::read(root.path().join("gitrepository/tenant/app/x")).unwrap(),
        b"old"
    );
    assert_eq!(names(root.path()), ["x", "x.lock"]);
}

#[test]
fn panic_in_content_releases_lock_and_file() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        storage.write(&location(), "x", |_| -> Result<(), Infallible> {
            panic!("bug")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(names(root.path()), ["x.lock"]);
    write(&storage, "x", b"again");
}

#[test]
fn second_writer_of_artifact_is_locked_out() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    let outer = storage.write(&location(), "x", |_| {
        let second = storage.write(&location(), "x", |_| Ok::<_, io::Error>(()));
        assert!(matches!(
            second,
            Err(WriteError::Store(StoreError::Locked { .. }))
        ));
        Ok::<_, io::Error>(())
    });
    outer.unwrap();
}

#[test]
fn unfinished_temporary_files_are_removed() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    write(&storage, "x", b"kept");
    let directory = root.path().join("gitrepository/tenant/app");
    std::fs::write(directory.join(".x.00ff.tmp"), b"half").unwrap();
    std::fs::write(root.path().join("gitrepository/.y.tmp"), b"not ours").unwrap();

    assert_eq!(
        storage
            .remove_temporary_files(&["GitRepository", "Bucket"])
            .unwrap(),
        1
    );
    assert_eq!(names(root.path()), ["x", "x.lock"]);
    assert!(root.path().join("gitrepository/.y.tmp").exists());
}

#[test]
fn verify_distinguishes_missing_and_changed() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    let stored = write(&storage, "x", b"content");
    let digest = stored.digest.to_string();
    let verify = |path: &str, digest: &str| storage.verify(path, digest, now());

    assert!(verify(&stored.path, &digest).is_ok());
    let other_algorithm = Algorithm::Sha512.digest(b"content").to_string();
    assert!(verify(&stored.path, &other_algorithm).is_ok());
    let other = Algorithm::Sha256.digest(b"other").to_string();
    assert!(matches!(
        verify(&stored.path, &other),
        Err(VerifyError::Mismatch { .. })
    ));
    assert!(matches!(
        verify(&stored.path, ""),
        Err(VerifyError::Digest(_))
    ));
    for path in [
        "gitrepository/tenant/app/y",
        "no/such",
        "../../etc/passwd",
        "/etc/passwd",
        "",
    ] {
        assert!(
            matches!(verify(path, &digest), Err(VerifyError::Missing)),
            "{path}"
        );
    }
    std::fs::write(root.path().join(&stored.path), b"c0ntent").unwrap();
    age(root.path(), "x", 5);
    assert!(matches!(
        verify(&stored.path, &digest),
        Err(VerifyError::Mismatch { .. })
    ));
}

#[test]
fn unchanged_file_is_verified_again_after_six_hours() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    let stored = write(&storage, "x", b"content");
    let digest = stored.digest.to_string();
    let path = root.path().join(&stored.path);
    storage.verify(&stored.path, &digest, now()).unwrap();

    // Simulates corruption: other bytes, same inode, size and time.
    let before = std::fs::metadata(&path).unwrap();
    let modified = before.modified().unwrap();
    std::fs::write(&path, b"c0ntent").unwrap();
    std::fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(modified)
        .unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().ino(), before.ino());

    let later = |hours| now() + jiff::SignedDuration::from_hours(hours);
    assert!(storage.verify(&stored.path, &digest, later(5)).is_ok());
    let corrupted = storage.verify(&stored.path, &digest, later(6));
    assert!(matches!(corrupted, Err(VerifyError::Mismatch { .. })));
}

#[test]
fn clock_change_keeps_artifact_and_detects_corruption() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    let stored = write(&storage, "x", b"content");
    let digest = stored.digest.to_string();
    storage.verify(&stored.path, &digest, now()).unwrap();
    let year = jiff::SignedDuration::from_hours(24 * 365);
    for shown in [now() - year, now() + year] {
        let removed = storage.collect(&location(), Some(&stored.path), shown);
        assert_eq!(removed.unwrap(), [""; 0]);
        storage.verify(&stored.path, &digest, shown).unwrap();
    }
    // Simulates corruption that keeps the file's time, while the clock is behind the last
    // verification.
    let path = root.path().join(&stored.path);
    let modified = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::fs::write(&path, b"c0ntent").unwrap();
    std::fs::File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(modified)
        .unwrap();
    let corrupted = storage.verify(&stored.path, &digest, now() - year);
    assert!(matches!(corrupted, Err(VerifyError::Mismatch { .. })));
}

#[test]
fn recreated_root_is_written_to() {
    let above = tempfile::tempdir().unwrap();
    let root = above.path().join("data");
    std::fs::create_dir(&root).unwrap();
    let storage = storage(&root);
    let stored = write(&storage, "x", b"content");
    let digest = stored.digest.to_string();
    std::fs::remove_dir_all(&root).unwrap();
    assert!(matches!(
        storage.verify(&stored.path, &digest, now()),
        Err(VerifyError::Missing)
    ));
    let refused = storage.create(&location(), "x").unwrap_err();
    assert!(matches!(refused, StoreError::Directory(_)), "{refused}");
    std::fs::create_dir(&root).unwrap();
    write(&storage, "x", b"content");
    storage.verify(&stored.path, &digest, now()).unwrap();
    assert_eq!(std::fs::read(root.join(&stored.path)).unwrap(), b"content");
}

#[test]
fn unfinished_link_is_removed() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    write(&storage, "x", b"content");
    let directory = root.path().join("gitrepository/tenant/app");
    symlink("x", directory.join("latest.tar.gz.tmp")).unwrap();
    std::fs::write(directory.join("mine.tmp"), "not ours: not a link").unwrap();
    assert_eq!(
        storage.remove_temporary_files(&["GitRepository"]).unwrap(),
        1
    );
    assert_eq!(names(root.path()), ["mine.tmp", "x", "x.lock"]);
}

#[test]
fn verify_rejects_links() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    write(&storage, "x", b"content");
    symlink(
        "/etc/passwd",
        root.path().join("gitrepository/tenant/app/y"),
    )
    .unwrap();
    let digest = Algorithm::Sha256.digest(b"content").to_string();
    let verdict = storage.verify("gitrepository/tenant/app/y", &digest, now());
    assert!(matches!(verdict, Err(VerifyError::Read(_))));
}

#[test]
fn collection_removes_old_files_with_locks() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    for (file, seconds) in [("old", 500), ("a", 30), ("b", 20), ("current", 400)] {
        write(&storage, file, b"");
        age(root.path(), file, seconds);
    }
    let removed = storage
        .collect(&location(), Some("gitrepository/tenant/app/current"), now())
        .unwrap();
    assert_eq!(removed, ["old", "a"]);
    assert_eq!(
        names(root.path()),
        ["b", "b.lock", "current", "current.lock"]
    );
    let nowhere = Location::new("GitRepository", "tenant", "other").unwrap();
    assert!(storage.collect(&nowhere, None, now()).unwrap().is_empty());
}

#[test]
fn deletion_keeps_other_objects() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    let stored = write(&storage, "x", b"content");
    let neighbour = Location::new("GitRepository", "tenant", "app2").unwrap();
    storage
        .write(&neighbour, "x", |_| Ok::<_, io::Error>(()))
        .unwrap();

    assert!(storage.delete(&location()).unwrap());
    assert!(!storage.delete(&location()).unwrap());
    assert!(!root.path().join(&stored.path).exists());
    assert!(root.path().join(neighbour.path("x")).exists());
    let gone = storage.verify(&stored.path, &stored.digest.to_string(), now());
    assert!(matches!(gone, Err(VerifyError::Missing)));
}

#[test]
fn links_are_relative_and_unlink_keeps_files() {
    let root = tempfile::tempdir().unwrap();
    let storage = storage(root.path());
    write(&storage, "x", b"one");
    write(&storage, "y", b"two");
    for target in ["x", "y"] {
        storage.link(&location(), target, "latest.tar.gz").unwrap();
    }
    let link = root.path().join("gitrepository/tenant/app/latest.tar.gz");
    assert_eq!(std::fs::read_link(&link).unwrap(), Path::new("y"));
    assert!(storage.unlink(&location(), "latest.tar.gz").unwrap());
    assert!(!storage.unlink(&location(), "latest.tar.gz").unwrap());
    assert!(!storage.unlink(&location(), "x").unwrap());
}

#[test]
fn location_rejects_invalid_names() {
    for name in ["", ".", "..", "a/b", ".sluice", "a\0"] {
        assert!(
            Location::new("GitRepository", "tenant", name).is_err(),
            "{name:?}"
        );
        assert!(
            Location::new("GitRepository", name, "app").is_err(),
            "{name:?}"
        );
    }
}

#[test]
fn missing_root_error_names_path() {
    let options = Options {
        root: "/no/such/storage".into(),
        address: String::new(),
        algorithm: Algorithm::Sha256,
        retention: Retention::default(),
    };
    let error = Storage::open(options).unwrap_err();
    assert_eq!(error.to_string(), "open directory /no/such/storage");
}

#[test]
fn second_claim_fails_and_names_holder() {
    let root = tempfile::tempdir().unwrap();
    let (one, two) = (storage(root.path()), storage(root.path()));
    let claim = one.claim("source-controller", "pod-a").unwrap();
    let error = two.claim("source-controller", "pod-b").unwrap_err();
    assert!(matches!(&error, ClaimError::Held { holder, .. } if holder == "pod-a"));
    let _shard = two.claim("source-controller-shard1", "pod-b").unwrap();
    drop(claim);
    two.claim("source-controller", "pod-b").unwrap();
}
