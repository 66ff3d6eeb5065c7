//! Compares an archive that is read as a tree with an unpacked one.

use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use sluice_artifact::untar::{self, Entries, Limits, Links, into_directory};
use sluice_kustomize::fs::{EntryKind, SecureFs};
use sluice_kustomize::{Code, Fs, Options, build};
use sluice_testkit::kustomize::Case;
use sluice_trees::TarFs;

fn read(archive: &[u8], in_memory: u64) -> Result<TarFs, String> {
    let entries = Entries::new(archive, Links::Skip, Limits::unlimited());
    TarFs::read(entries, in_memory).map_err(|error| error.to_string())
}

/// Unpacks into a temporary directory.
fn unpacked(archive: &[u8]) -> Result<(SecureFs, tempfile::TempDir), String> {
    let directory = tempfile::tempdir().unwrap();
    into_directory(archive, directory.path(), Links::Skip, Limits::unlimited())
        .map_err(|error| error.to_string())?;
    Ok((SecureFs::new(directory.path()).unwrap(), directory))
}

/// Lists everything in a tree by path; folders have no contents.
fn listed(tree: &dyn Fs, folder: &Path, found: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
    for name in tree.read_dir(folder).unwrap() {
        let path = folder.join(name);
        assert!(!tree.is_link(&path).unwrap());
        match tree.kind(&path).unwrap() {
            Some(EntryKind::Directory) => {
                found.push((path.clone(), None));
                listed(tree, &path, found);
            }
            Some(EntryKind::File) => {
                let contents = tree.read(&path, u64::MAX).unwrap();
                found.push((path, Some(contents)));
            }
            other => panic!("{}: {other:?}", path.display()),
        }
    }
}

fn list_tree(tree: &dyn Fs) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    listed(tree, Path::new("/"), &mut found);
    found
}

fn cases() -> PathBuf {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../kustomize/tests/cases");
    sluice_system::fs::canonicalize(cases).unwrap()
}

#[test]
fn every_case_builds_like_an_unpacked_folder() {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    builder.follow_symlinks(false);
    builder.append_dir_all(".", cases()).unwrap();
    let archive = builder.into_inner().unwrap().finish().unwrap();
    let (folder, _directory) = unpacked(&archive).unwrap();
    let in_memory = read(&archive, u64::MAX).unwrap();
    let in_a_file = read(&archive, 0).unwrap();
    assert!(in_memory.is_in_memory() && !in_a_file.is_in_memory());
    let mut count = 0;
    for case in Case::all(&cases(), "") {
        count += 1;
        let root = case.root();
        let within = Path::new("/").join(root.strip_prefix(cases()).unwrap());
        let built = |tree: &dyn Fs| {
            build(tree, &within, &Options::cli())
                .map(|built| built.to_yaml())
                .map_err(|error| (error.code(), error.to_string()))
        };
        let expected = built(&folder);
        assert_eq!(built(&in_memory), expected, "{}", case.name);
        assert_eq!(built(&in_a_file), expected, "{}", case.name);
    }
    assert!(count > 100, "{count} cases");
}

/// Generates an entry. Names have few parts, so that entries conflict.
fn entry() -> impl Strategy<Value = (String, char, String)> {
    let part = prop_oneof![Just("a"), Just("b"), Just("."), Just("c.yaml")];
    let name = proptest::collection::vec(part, 1..4).prop_map(|parts| parts.join("/"));
    let kind = prop_oneof![4 => Just('f'), 2 => Just('d'), 1 => Just('l')];
    (name, kind, "[xy]{0,3}")
}

fn archive_of(entries: &[(String, char, String)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, kind, contents) in entries {
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o644);
        let (kind, contents) = match kind {
            'f' => (tar::EntryType::Regular, contents.as_bytes()),
            'd' => (tar::EntryType::Directory, &b""[..]),
            _ => {
                header.set_link_name("a").unwrap();
                (tar::EntryType::Symlink, &b""[..])
            }
        };
        header.set_entry_type(kind);
        header.set_size(contents.len() as u64);
        // The setter of the crate would normalise the name.
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_cksum();
        builder.append(&header, contents).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

#[test]
fn conflicting_entries_behave_as_in_unpacking() {
    let config = Config {
        cases: 512,
        rng_seed: RngSeed::Fixed(4),
        failure_persistence: None,
        ..Config::default()
    };
    proptest!(config, |(entries in proptest::collection::vec(entry(), 0..8))| {
        let archive = archive_of(&entries);
        let folder = unpacked(&archive);
        for in_memory in [u64::MAX, 0] {
            match (read(&archive, in_memory), &folder) {
                (Ok(tree), Ok((folder, _))) => {
                    prop_assert_eq!(list_tree(&tree), list_tree(folder));
                }
                (Err(_), Err(_)) => {}
                (ours, theirs) => prop_assert!(
                    false,
                    "{:?} here, {:?} unpacked",
                    ours.map(drop),
                    theirs.as_ref().map(drop)
                ),
            }
        }
    });
}

#[test]
fn forbidden_archive_is_rejected() {
    let long = "n".repeat(256);
    for name in ["../a", "/a", "a/../../b", "a\\b", "..", ""] {
        let archive = archive_of(&[(name.to_owned(), 'f', "x".to_owned())]);
        assert!(unpacked(&archive).is_err(), "{name:?}");
        assert!(read(&archive, u64::MAX).is_err(), "{name:?}");
    }
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut header = tar::Header::new_gnu();
    header.set_size(0);
    header.set_mode(0o644);
    builder.append_data(&mut header, &long, &b""[..]).unwrap();
    let archive = builder.into_inner().unwrap().finish().unwrap();
    assert!(unpacked(&archive).is_err() && read(&archive, u64::MAX).is_err());
}

#[test]
fn tree_of_an_archive_behaves_like_a_folder() {
    let entries = [("a/b.yaml", 'f', "x"), ("d", 'd', ""), ("a/link", 'l', "")];
    let entries = entries.map(|(name, kind, text)| (name.to_owned(), kind, text.to_owned()));
    let archive = archive_of(&entries);
    let tree = read(&archive, u64::MAX).unwrap();
    let (folder, _directory) = unpacked(&archive).unwrap();
    for path in [
        "/",
        "/a",
        "/a/b.yaml",
        "/a/b.yaml/c",
        "/a/none",
        "/a/link",
        "/d",
        "/x/y",
    ] {
        let path = Path::new(path);
        for limit in [0, 10] {
            assert_eq!(
                tree.read(path, limit),
                folder.read(path, limit),
                "{}",
                path.display()
            );
        }
        assert_eq!(tree.kind(path), folder.kind(path), "{}", path.display());
        assert_eq!(
            tree.read_dir(path),
            folder.read_dir(path),
            "{}",
            path.display()
        );
        assert_eq!(
            tree.is_link(path),
            folder.is_link(path),
            "{}",
            path.display()
        );
        assert_eq!(
            tree.resolve(path),
            folder.resolve(path),
            "{}",
            path.display()
        );
    }
    let error = tree.absolute("/etc/passwd").unwrap_err();
    assert_eq!(error.code(), Code::SecurityViolation);
}

/// An archive is untrusted, so deep nesting must not overflow the stack.
#[test]
fn deeply_nested_folders_do_not_overflow_the_stack() {
    let path = format!("e{}a.yaml", "d/".repeat(untar::MAX_DEPTH - 1));
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let mut header = tar::Header::new_gnu();
    let content = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
    header.set_size(content.len() as u64);
    header.set_mode(0o644);
    let written = builder.append_data(&mut header, &path, content.as_bytes());
    written.unwrap();
    let archive = builder.into_inner().unwrap().finish().unwrap();
    let reads = move || {
        let tree = read(&archive, u64::MAX).unwrap();
        let spec = sluice_kustomize::flux::Spec::default();
        sluice_kustomize::flux::generate(&tree, Path::new("/"), &spec).unwrap()
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let generated = thread.spawn(reads).unwrap().join().unwrap();
    let listed = format!("- ./{path}\n");
    assert!(
        generated.manifest.ends_with(&listed),
        "{:.200}",
        generated.manifest
    );
}

#[test]
fn index_of_long_nested_names_is_limited() {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    // Each path adds a quarter of a megabyte to the index, in few components to hash.
    for index in 0..600 {
        let mut header = tar::Header::new_gnu();
        header.set_size(0);
        header.set_mode(0o644);
        let folders = format!("{}/", "d".repeat(30)).repeat(127);
        let path = format!("{index}/{folders}a");
        builder.append_data(&mut header, &path, &b""[..]).unwrap();
    }
    let archive = builder.into_inner().unwrap().finish().unwrap();
    // A failed claim must not print the tree.
    let error = read(&archive, u64::MAX).err().unwrap_or_default();
    assert!(
        error.contains("need more than 134217728 bytes of memory"),
        "{error}"
    );
}
