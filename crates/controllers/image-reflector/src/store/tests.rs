//! Tests of the tag store.

#![expect(
    clippy::disallowed_methods,
    reason = "a test reads and damages files without the store"
)]

use std::fs as std_fs;
use std::time::{Duration, SystemTime};

use sluice_testkit::traced_program::{self, End, TracedProgram};

use super::*;

/// Environment variables of a traced write: the storage root and the number of tags.
const ROOT: &str = "ROOT_OF_A_KILLED_WRITE";
const COUNT: &str = "TAGS_OF_A_KILLED_WRITE";

/// Bytes from which on the tests compress.
const THRESHOLD: u64 = 100;

fn key() -> Key {
    Key::new("tenant", "app")
}

fn numbered(count: u32) -> Vec<String> {
    (0..count)
        .rev()
        .map(|number| format!("v{number}"))
        .collect()
}

fn open(root: &Path) -> TagStore {
    TagStore::open(root, THRESHOLD).unwrap()
}

fn tags(store: &TagStore) -> Vec<String> {
    store.read(&key()).unwrap().map(Result::unwrap).collect()
}

fn files(root: &Path) -> Vec<String> {
    let store = TagStore {
        root: root.to_owned(),
        threshold: THRESHOLD,
    };
    let files = store.files().unwrap();
    let base = store.base();
    let name = |file: &PathBuf| file.strip_prefix(&base).unwrap().display().to_string();
    files.iter().map(name).collect()
}

#[test]
fn size_decides_on_compression() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path());
    assert_eq!(tags(&store), Vec::<String>::new());
    assert!(!store.has_tags(&key()));
    for (count, file) in [
        (3, "tenant/app/tags.txt"),
        (99, "tenant/app/tags.txt.gz"),
        (2, "tenant/app/tags.txt"),
        (0, "tenant/app/tags.txt"),
    ] {
        store.write(&key(), &numbered(count)).unwrap();
        assert_eq!(files(root.path()), [file]);
        assert_eq!(tags(&store), numbered(count));
        assert_eq!(store.has_tags(&key()), count > 0);
        assert!(store.size().unwrap() > 0 || count == 0);
    }
    let version = std_fs::read_to_string(root.path().join(".storage-version"));
    assert_eq!(version.unwrap(), "2\n");
}

#[test]
fn newer_file_counts_if_both_exist() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path());
    store.write(&key(), &numbered(2)).unwrap();
    let directory = root.path().join("imagerepository/tenant/app");
    std_fs::write(directory.join(GZIP), compress(b"gz\n")).unwrap();
    let now = SystemTime::now();
    let age = |name: &str, seconds| {
        let file = std_fs::File::options()
            .write(true)
            .open(directory.join(name));
        let time = now - Duration::from_secs(seconds);
        file.unwrap().set_modified(time).unwrap();
    };
    for (plain, gzip, expected) in [(1, 2, "v1"), (2, 1, "gz"), (1, 1, "gz")] {
        age(PLAIN, plain);
        age(GZIP, gzip);
        assert_eq!(tags(&store)[0], expected, "{plain} {gzip}");
    }
    store.write(&key(), &numbered(5)).unwrap();
    assert_eq!(files(root.path()), ["tenant/app/tags.txt"]);
}

#[test]
fn corrupt_file_is_an_error_and_counts_as_empty() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path());
    let directory = root.path().join("imagerepository/tenant/app");
    std_fs::create_dir_all(&directory).unwrap();
    let mut truncated = compress("v1\n".repeat(99).as_bytes());
    truncated.truncate(truncated.len() - 6);
    let long = format!("{}\n", "x".repeat(1024));
    for (name, content, has_tags) in [
        (GZIP, b"no gzip".as_slice(), false),
        (GZIP, b"", false),
        (GZIP, &truncated, true),
        (PLAIN, b"v2\nv1", true),
        (PLAIN, b"\xff\n", false),
        (PLAIN, long.as_bytes(), false),
    ] {
        std_fs::write(directory.join(name), content).unwrap();
        let read: Result<Vec<_>, _> = store.read(&key()).unwrap().collect();
        let error = read.unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("the stored tags of 'tenant/app' are corrupt: "),
            "{error}"
        );
        assert_eq!(store.has_tags(&key()), has_tags, "{name}");
        let mut read = store.read(&key()).unwrap();
        assert!(read.any(|tag| tag.is_err()));
        assert!(read.next().is_none(), "an error ends the stream");
        std_fs::remove_file(directory.join(name)).unwrap();
    }
    let longest = format!("{}\n", "x".repeat(1023));
    std_fs::write(directory.join(PLAIN), longest).unwrap();
    assert_eq!(tags(&store).len(), 1);
}

#[test]
fn foreign_format_is_wiped() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path();
    for name in [
        "000001.vlog",
        "000002.sst",
        "00003.mem",
        "MANIFEST",
        "KEYREGISTRY",
    ] {
        std_fs::write(path.join(name), "badger").unwrap();
    }
    std_fs::create_dir_all(path.join("imagerepository/tenant/app")).unwrap();
    let store = open(path);
    let names = |path: &Path| -> Vec<_> {
        let entries = fs::read_dir(path).unwrap();
        let name = |entry: fs::Entry| entry.path.file_name().unwrap().to_owned();
        entries.into_iter().map(name).collect()
    };
    assert_eq!(names(path), [".storage-version"]);
    // Our own format stays.
    store.write(&key(), &numbered(2)).unwrap();
    assert_eq!(tags(&open(path)), numbered(2));
    // A wipe that was interrupted is continued.
    std_fs::write(path.join(".storage-wipe-in-progress"), "").unwrap();
    assert_eq!(tags(&open(path)), Vec::<String>::new());
    assert_eq!(names(path), [".storage-version"]);
    // Another version is foreign, too.
    store.write(&key(), &numbered(2)).unwrap();
    std_fs::write(path.join(".storage-version"), "3\n").unwrap();
    assert_eq!(tags(&open(path)), Vec::<String>::new());
}

#[test]
fn wipe_keeps_files_of_other_programs() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path();
    std_fs::create_dir_all(path.join("gitrepository/tenant/app")).unwrap();
    std_fs::write(path.join("gitrepository/tenant/app/a.tar.gz"), "artifact").unwrap();
    std_fs::write(path.join("notes.txt"), "text").unwrap();
    let store = open(path);
    store.write(&key(), &numbered(2)).unwrap();
    assert!(path.join("gitrepository/tenant/app/a.tar.gz").exists());
    assert!(path.join("notes.txt").exists());
}

#[test]
fn garbage_collection_removes_only_orphans() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path());
    let keys = ["a/x", "a/y", "b/x"].map(|key| {
        let (namespace, name) = key.split_once('/').unwrap();
        Key::new(namespace, name)
    });
    for key in &keys {
        store.write(key, &numbered(1)).unwrap();
    }
    let existing: HashSet<_> = [keys[0].clone(), Key::new("c", "z")].into();
    assert_eq!(store.collect_garbage(&existing).unwrap(), 2);
    assert_eq!(files(root.path()), ["a/x/tags.txt"]);
    assert!(!root.path().join("imagerepository/b").exists());
    assert_eq!(store.collect_garbage(&existing).unwrap(), 0);
    store.remove(&keys[0]).unwrap();
    store.remove(&keys[0]).unwrap();
    assert_eq!(store.collect_garbage(&HashSet::new()).unwrap(), 0);
    assert!(!root.path().join("imagerepository/a").exists());
}

#[test]
fn key_cannot_leave_the_directory() {
    let root = tempfile::tempdir().unwrap();
    let store = open(root.path());
    for (namespace, name) in [("..", "x"), ("a", ".."), ("", "x"), ("a", ""), ("a/b", "x")] {
        let key = Key::new(namespace, name);
        assert!(matches!(
            store.write(&key, &["v1"]),
            Err(StoreError::Key(_))
        ));
        assert!(matches!(store.read(&key), Err(StoreError::Key(_))));
        assert!(matches!(store.remove(&key), Err(StoreError::Key(_))));
    }
}

/// The program that the next tests kill.
#[test]
#[ignore = "the tests below run it under a tracer"]
fn killed_write() {
    traced_program::ready();
    let root = PathBuf::from(std::env::var(ROOT).unwrap());
    let count = std::env::var(COUNT).unwrap().parse().unwrap();
    open(&root).write(&key(), &numbered(count)).unwrap();
}

fn write_under_tracer(root: &Path, count: u32) -> TracedProgram {
    TracedProgram::test("store::tests::killed_write", root)
        .env(ROOT, root.to_str().unwrap())
        .env(COUNT, count.to_string())
}

/// Kills a write before each of its changes to a directory that `prepare` fills. Returns the
/// number of changes.
fn kill_at_each_change(prepare: impl Fn(&Path), count: u32, check: impl Fn(&TagStore, &str)) {
    if !traced_program::AVAILABLE {
        return;
    }
    let prepared = || {
        let root = tempfile::tempdir().unwrap();
        prepare(root.path());
        root
    };
    let undisturbed = prepared();
    let End::Ended { code: 0, changes } = write_under_tracer(undisturbed.path(), count).run(None)
    else {
        panic!("the undisturbed write exits with 0");
    };
    assert_eq!(tags(&open(undisturbed.path())), numbered(count));
    assert!(changes.len() >= 3, "{changes:#?}");
    for until in sluice_testkit::sample_kills((1..=changes.len()).collect()) {
        let root = prepared();
        let end = write_under_tracer(root.path(), count).run(Some(until));
        let when = format!("killed at {until} of {}: {end:?}", changes.len());
        // A new process opens the store and removes what the killed one left.
        let store = open(root.path());
        check(&store, &when);
        let temporary = |file: &String| file.ends_with(TEMPORARY);
        assert!(!files(root.path()).iter().any(temporary), "{when}");
        store.write(&key(), &numbered(count)).unwrap();
        assert_eq!(tags(&store), numbered(count), "{when}");
    }
}

#[test]
fn killed_write_leaves_old_or_new_tags() {
    for (old, new) in [(3, 5), (5, 200), (200, 5), (200, 300)] {
        kill_at_each_change(
            |root| open(root).write(&key(), &numbered(old)).unwrap(),
            new,
            |store, when| {
                let found = tags(store).len();
                let is_known = [old, new].map(|count| count as usize).contains(&found);
                assert!(is_known, "{when}: {found} tags");
            },
        );
    }
}

#[test]
fn killed_first_write_leaves_no_or_all_tags() {
    kill_at_each_change(
        |_| {},
        200,
        |store, when| {
            let found = tags(store).len();
            assert!(matches!(found, 0 | 200), "{when}: {found} tags");
        },
    );
}

#[test]
fn killed_wipe_is_repeated_by_the_next_start() {
    kill_at_each_change(
        |root| {
            std_fs::write(root.join("000001.vlog"), "badger").unwrap();
            let stale = root.join("imagerepository/tenant/app");
            std_fs::create_dir_all(&stale).unwrap();
            std_fs::write(stale.join(PLAIN), "stale\n").unwrap();
        },
        5,
        |store, when| {
            let found = tags(store);
            assert!(
                found.is_empty() || found == numbered(5),
                "{when}: {found:?}"
            );
            assert!(!store.root.join("000001.vlog").exists(), "{when}");
            assert!(!store.root.join(".storage-wipe-in-progress").exists());
        },
    );
}
