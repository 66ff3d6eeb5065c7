//! Each wrapper names its path, and the assembled ones keep their promise.

use std::error::Error as _;
use std::io::{ErrorKind, Read as _, Write as _};

use super::{self as fs, Action};

fn names(directory: &std::path::Path) -> Vec<String> {
    fs::read_dir(directory)
        .unwrap()
        .into_iter()
        .map(|entry| {
            entry
                .path
                .file_name()
                .unwrap()
                .to_string_lossy()
                .into_owned()
        })
        .collect()
}

#[test]
fn errors_name_action_and_path_and_keep_the_cause() {
    let error = fs::read("/nowhere/at/all").unwrap_err();
    assert_eq!(error.to_string(), "read /nowhere/at/all");
    assert_eq!(error.action(), Action::Read);
    assert!(error.is_not_found());
    assert!(error.source().unwrap().to_string().contains("No such file"));

    let error = fs::rename("/nowhere/a", "/nowhere/b").unwrap_err();
    assert_eq!(error.to_string(), "rename /nowhere/a to /nowhere/b");
}

#[test]
fn every_failing_call_names_its_path() {
    let path = "/nowhere/at/all";
    for error in [
        fs::read_to_string(path).unwrap_err(),
        fs::read_limited(path, 1).unwrap_err(),
        fs::write(path, "").unwrap_err(),
        fs::write_atomically(path, "").unwrap_err(),
        fs::open(path).unwrap_err(),
        fs::create(path).unwrap_err(),
        fs::create_new(path).unwrap_err(),
        fs::create_dir(path).unwrap_err(),
        fs::remove_file(path).unwrap_err(),
        fs::remove_dir(path).unwrap_err(),
        fs::remove_dir_all(path).unwrap_err(),
        fs::copy(path, path).unwrap_err(),
        fs::hard_link(path, path).unwrap_err(),
        fs::read_link(path).unwrap_err(),
        fs::canonicalize(path).unwrap_err(),
        fs::metadata(path).unwrap_err(),
        fs::symlink_metadata(path).unwrap_err(),
        fs::read_dir(path).unwrap_err(),
        fs::sync_directory(path).unwrap_err(),
    ] {
        assert!(error.to_string().contains("/nowhere/at"), "{error}");
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
}

#[test]
fn read_dir_sorts_by_name() {
    let directory = tempfile::tempdir().unwrap();
    for name in ["b", "a", "c.yaml", "Z"] {
        fs::write(directory.path().join(name), "").unwrap();
    }
    assert_eq!(names(directory.path()), ["Z", "a", "b", "c.yaml"]);
}

#[test]
fn atomic_write_replaces_the_file_and_leaves_no_temporary() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    fs::write_atomically(&path, "old").unwrap();
    fs::write_atomically(&path, "new").unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    assert_eq!(names(directory.path()), ["file"]);
}

#[test]
fn failed_atomic_write_leaves_no_temporary() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("target");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("child"), "").unwrap();
    assert!(fs::write_atomically(&path, "new").is_err());
    assert_eq!(names(directory.path()), ["target"]);
}

#[test]
fn limited_read_stops_at_the_limit() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    fs::write(&path, "12345").unwrap();
    assert_eq!(fs::read_limited(&path, 5).unwrap(), b"12345");
    let error = fs::read_limited(&path, 4).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::FileTooLarge);
}

#[test]
fn failed_read_of_open_file_names_its_path() {
    let directory = tempfile::tempdir().unwrap();
    let error = fs::open(directory.path())
        .unwrap()
        .read(&mut [0; 1])
        .unwrap_err();
    let path = directory.path().to_string_lossy().into_owned();
    assert_eq!(error.to_string(), format!("read {path}"));
    assert_eq!(error.kind(), ErrorKind::IsADirectory);
}

#[test]
fn lock_excludes_others_until_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("lock");
    let mut first = fs::create(&path).unwrap();
    first.write_all(b"held").unwrap();
    assert!(first.try_lock().unwrap());
    let second = fs::open(&path).unwrap();
    assert!(!second.try_lock().unwrap());
    drop(first);
    assert!(second.try_lock().unwrap());
}

#[test]
fn create_new_fails_on_existing_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    drop(fs::create_new(&path).unwrap());
    let error = fs::create_new(&path).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyExists);
}

#[test]
fn copy_dir_all_copies_every_level() {
    let root = tempfile::tempdir().unwrap();
    let (from, to) = (root.path().join("from"), root.path().join("a/to"));
    fs::create_dir_all(from.join("below/empty")).unwrap();
    fs::write(from.join("below/file"), "content").unwrap();
    fs::symlink("file", from.join("below/link")).unwrap();
    fs::copy_dir_all(&from, &to).unwrap();
    let mut below = names(&to.join("below"));
    below.sort();
    assert_eq!(below, ["empty", "file", "link"]);
    assert_eq!(
        fs::read_to_string(to.join("below/link")).unwrap(),
        "content"
    );

    let error = fs::copy_dir_all(root.path().join("nothing"), &to).unwrap_err();
    assert!(error.to_string().contains("nothing"), "{error}");
}
