//! Untrusted archives: entries stay below the target and within limits.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use proptest::prelude::*;
use sluice_artifact::untar::{Entries, Error, Limits, Links, into_directory};

/// A header with a valid checksum. Other fields may be hostile.
fn header(name: &[u8], kind: u8, size: u64) -> Vec<u8> {
    let mut block = vec![0; 512];
    block[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    block[100..107].copy_from_slice(b"0000644");
    block[124..135].copy_from_slice(format!("{size:011o}").as_bytes());
    block[156] = kind;
    block[257..263].copy_from_slice(b"ustar\0");
    seal(&mut block);
    block
}

fn seal(block: &mut [u8]) {
    block[148..156].fill(b' ');
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..154].copy_from_slice(format!("{sum:06o}").as_bytes());
    block[154] = 0;
}

fn padded(content: &[u8]) -> Vec<u8> {
    let mut bytes = content.to_vec();
    bytes.resize(content.len().div_ceil(512) * 512, 0);
    bytes
}

fn entry(name: &[u8], kind: u8, content: &[u8]) -> Vec<u8> {
    [header(name, kind, content.len() as u64), padded(content)].concat()
}

fn file(name: &[u8], content: &[u8]) -> Vec<u8> {
    entry(name, b'0', content)
}

fn link(name: &[u8], kind: u8, target: &[u8]) -> Vec<u8> {
    let mut block = header(name, kind, 0);
    block[157..157 + target.len()].copy_from_slice(target);
    seal(&mut block);
    block
}

fn pax(records: &[(&str, &[u8])]) -> Vec<u8> {
    let mut content = Vec::new();
    for (key, value) in records {
        let rest = key.len() + value.len() + 3;
        let mut length = rest + 1;
        while length != rest + length.to_string().len() {
            length = rest + length.to_string().len();
        }
        content.extend_from_slice(format!("{length} {key}=").as_bytes());
        content.extend_from_slice(value);
        content.push(b'\n');
    }
    entry(b"PaxHeaders.0/x", b'x', &content)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn archive(parts: &[Vec<u8>]) -> Vec<u8> {
    gzip(&[parts.concat(), vec![0; 1024]].concat())
}

/// Extracts into a subdirectory of a temporary directory, so that an escape is detected.
fn extract(bytes: &[u8], links: Links, limits: Limits) -> Result<BTreeMap<String, String>, Error> {
    let outside = tempfile::tempdir().unwrap();
    let target = outside.path().join("target");
    std::fs::create_dir(&target).unwrap();
    let extracted = into_directory(bytes, &target, links, limits);
    let beside: Vec<_> = std::fs::read_dir(outside.path()).unwrap().collect();
    assert_eq!(
        beside.len(),
        1,
        "an entry was written outside of the target"
    );
    let mut tree = BTreeMap::new();
    read(&target, "", &mut tree);
    extracted.map(|()| tree)
}

fn read(directory: &Path, prefix: &str, tree: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type().unwrap().is_dir() {
            read(&entry.path(), &format!("{name}/"), tree);
            tree.insert(format!("{name}/"), String::new());
        } else {
            assert!(entry.file_type().unwrap().is_file(), "{name} is not a file");
            let content = std::fs::read(entry.path()).unwrap();
            tree.insert(name, String::from_utf8_lossy(&content).into_owned());
        }
    }
}

fn skip(parts: &[Vec<u8>]) -> Result<BTreeMap<String, String>, Error> {
    extract(&archive(parts), Links::Skip, Limits::default())
}

fn names(tree: &BTreeMap<String, String>) -> Vec<&str> {
    tree.keys().map(String::as_str).collect()
}

#[test]
fn extraction_preserves_modes() {
    let outside = tempfile::tempdir().unwrap();
    let mut script = header(b"bin/run", b'0', 2);
    script[100..107].copy_from_slice(b"0000755");
    seal(&mut script);
    let mut locked = header(b"locked", b'5', 0);
    locked[100..107].copy_from_slice(b"0000000");
    seal(&mut locked);
    let bytes = archive(&[header(b".", b'5', 0), script, padded(b"hi"), locked]);
    into_directory(
        bytes.as_slice(),
        outside.path(),
        Links::Reject,
        Limits::default(),
    )
    .unwrap();

    let mode = |name| {
        let metadata = std::fs::metadata(outside.path().join(name)).unwrap();
        metadata.permissions().mode() & 0o700
    };
    assert_eq!(
        std::fs::read(outside.path().join("bin/run")).unwrap(),
        b"hi"
    );
    assert_eq!(mode("bin/run"), 0o700);
    assert_eq!(mode("locked"), 0o700);
}

#[test]
fn name_outside_of_target_is_rejected() {
    for name in [
        &b"../evil"[..],
        b"..",
        b"a/../../evil",
        b"a/..",
        b"/evil",
        b"//evil",
        b"a\\..\\evil",
        b"\\evil",
        b"",
        b"..../../evil",
        b"./../evil",
        b"foo../bar",
    ] {
        for kind in [b'0', b'5'] {
            let refused = skip(&[header(name, kind, 0)]);
            assert!(
                matches!(refused, Err(Error::Name { .. })),
                "{name:?}: {refused:?}"
            );
        }
        let by_pax = skip(&[pax(&[("path", name)]), file(b"fine", b"x")]);
        assert!(matches!(by_pax, Err(Error::Name { .. })), "{name:?} by PAX");
        let by_gnu = skip(&[entry(b"././@LongLink", b'L', name), file(b"fine", b"x")]);
        assert!(matches!(by_gnu, Err(Error::Name { .. })), "{name:?} by GNU");
    }
    let nul = skip(&[pax(&[("path", b"a\0b")]), file(b"fine", b"x")]);
    assert!(matches!(nul, Err(Error::Name { .. })));
    assert!(matches!(skip(&[file(b".", b"x")]), Err(Error::Name { .. })));
}

#[test]
fn redundant_path_components_are_normalised() {
    let tree = skip(&[file(b"./a//b/./c", b"x"), file(b"..a/b..", b"y")]).unwrap();
    assert_eq!(names(&tree), ["..a/", "..a/b..", "a/", "a/b/", "a/b/c"]);
}

#[test]
fn symbolic_link_is_skipped_or_rejected() {
    let parts = [
        link(b"door", b'2', b"/tmp"),
        link(b"up", b'2', b".."),
        file(b"door/evil", b"x"),
        file(b"up/evil", b"y"),
    ];
    let tree = skip(&parts).unwrap();
    assert_eq!(names(&tree), ["door/", "door/evil", "up/", "up/evil"]);
    let refused = extract(&archive(&parts), Links::Reject, Limits::default());
    assert!(matches!(
        refused,
        Err(Error::Kind {
            kind: "symbolic link",
            ..
        })
    ));
}

#[test]
fn existing_link_is_not_followed() {
    let elsewhere = tempfile::tempdir().unwrap();
    let target = tempfile::tempdir().unwrap();
    symlink(elsewhere.path(), target.path().join("door")).unwrap();
    symlink(elsewhere.path().join("file"), target.path().join("file")).unwrap();
    for parts in [
        [file(b"door/evil", b"x")],
        [file(b"file", b"x")],
        [header(b"door", b'5', 0)],
    ] {
        let bytes = archive(&parts);
        let refused = into_directory(
            bytes.as_slice(),
            target.path(),
            Links::Skip,
            Limits::default(),
        );
        assert!(matches!(refused, Err(Error::Extract { .. })));
    }
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn unsupported_entry_kinds_are_rejected() {
    for kind in [b'1', b'3', b'4', b'6', b'7', b'S', b'D', b'V', b'Z'] {
        for links in [Links::Skip, Links::Reject] {
            let refused = extract(&archive(&[header(b"x", kind, 0)]), links, Limits::default());
            assert!(
                matches!(refused, Err(Error::Kind { .. })),
                "{}",
                char::from(kind)
            );
        }
    }
    let sparse = skip(&[pax(&[("GNU.sparse.major", b"1")]), file(b"x", b"")]);
    assert!(matches!(sparse, Err(Error::Header { .. })));
}

/// CVE-2025-62518: a reader that takes the size from two places reads content as headers.
#[test]
fn nested_archive_cannot_smuggle_entries() {
    let inner = [file(b"smuggled", b"evil"), vec![0; 1024]].concat();
    let size = inner.len().to_string();
    let mut outer = header(b"inner.tar", b'0', 0);
    seal(&mut outer);
    let parts = [
        pax(&[("size", size.as_bytes())]),
        outer,
        inner,
        file(b"after", b"x"),
    ];
    assert_eq!(names(&skip(&parts).unwrap()), ["after", "inner.tar"]);

    for kind in [b'2', b'5'] {
        let content = [header(b"x", kind, 512), file(b"smuggled", b"")].concat();
        assert!(matches!(skip(&[content]), Err(Error::Header { .. })));
    }
}

#[test]
fn invalid_header_error_has_offset() {
    let mut broken = header(b"x", b'0', 0);
    broken[148] = b'7';
    let mut negative = header(b"x", b'0', 0);
    negative[124] = 0xff;
    seal(&mut negative);
    let mut endless = header(b"x", b'0', 0);
    endless[124] = 0xbf;
    endless[125..136].fill(0xff);
    seal(&mut endless);
    let mut letters = header(b"x", b'0', 0);
    letters[124..135].copy_from_slice(b"0000000009z");
    seal(&mut letters);
    for block in [broken, negative, endless, letters] {
        let refused = skip(&[file(b"fine", b""), block]);
        assert!(
            matches!(refused, Err(Error::Header { offset: 512, .. })),
            "{refused:?}"
        );
    }
    for record in [
        "9 path=x",
        "99 path=x\n",
        "0 path=x\n",
        "x path=x\n",
        "7 pathx\n",
        "11 size=-1\n",
    ] {
        let refused = skip(&[entry(b"h", b'x', record.as_bytes()), file(b"fine", b"")]);
        assert!(matches!(refused, Err(Error::Header { .. })), "{record:?}");
    }
    assert!(skip(&[vec![0; 512], file(b"x", b"")]).is_err());
}

#[test]
fn global_header_does_not_rename_entries() {
    let global = entry(b"pax_global_header", b'g', b"13 path=evil\n");
    let tree = skip(&[global, file(b"fine", b"x")]).unwrap();
    assert_eq!(names(&tree), ["fine"]);
}

#[test]
fn truncated_archive_error_names_entry() {
    let whole = [file(b"a", b"x"), header(b"b", b'0', 4000), vec![7; 1000]].concat();
    match extract(&gzip(&whole), Links::Skip, Limits::default()) {
        Err(Error::Truncated { name, missing }) => {
            assert_eq!((name.as_str(), missing), ("b", 3000));
        }
        other => panic!("{other:?}"),
    }
    assert!(matches!(
        extract(&gzip(&whole[..1200]), Links::Skip, Limits::default()),
        Err(Error::Truncated { .. } | Error::Header { .. })
    ));
    let compressed = archive(&[file(b"a", &[1; 3000])]);
    let cut = extract(
        &compressed[..compressed.len() - 20],
        Links::Skip,
        Limits::default(),
    );
    assert!(cut.is_err());
    assert!(matches!(
        extract(b"no gzip at all", Links::Skip, Limits::default()),
        Err(Error::Read(_))
    ));
    assert!(
        extract(&gzip(b""), Links::Skip, Limits::default())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn announced_size_above_limit_is_rejected() {
    // The header announces 8 GiB without content. The limit must not wait for the content.
    let bomb = gzip(&header(b"bomb", b'0', (1 << 33) - 1));
    match extract(&bomb, Links::Skip, Limits::default()) {
        Err(Error::TooLarge { name, limit }) => {
            assert_eq!((name.as_str(), limit), ("bomb", 100 << 20));
        }
        other => panic!("{other:?}"),
    }
    let limits = Limits {
        total: Some(10),
        ..Limits::default()
    };
    let sum = archive(&[file(b"a", b"123456"), file(b"b", b"78901")]);
    assert!(matches!(
        extract(&sum, Links::Skip, limits),
        Err(Error::TooLarge { .. })
    ));
    let skipped = archive(&[link(b"l", b'2', b"a"), file(b"a", b"1234567890")]);
    assert!(extract(&skipped, Links::Skip, limits).is_ok());
}

#[test]
fn entry_limit_holds_without_content_limit() {
    let limits = Limits {
        entries: 2,
        ..Limits::unlimited()
    };
    let bytes = archive(&[file(b"a", b""), link(b"l", b'2', b"a"), file(b"b", b"")]);
    let refused = extract(&bytes, Links::Skip, limits);
    assert!(matches!(refused, Err(Error::TooMany { limit: 2 })));

    let long = archive(&[header(b"././@LongLink", b'L', 1 << 32)]);
    assert!(matches!(
        extract(&long, Links::Skip, Limits::unlimited()),
        Err(Error::Header { .. })
    ));
}

#[test]
fn later_entry_replaces_files_only() {
    let tree = skip(&[file(b"a", b"long content"), file(b"a", b"new")]).unwrap();
    assert_eq!(tree["a"], "new");
    assert!(skip(&[header(b"a", b'5', 0), file(b"a", b"x")]).is_err());
    assert!(skip(&[file(b"a", b"x"), file(b"a/b", b"x")]).is_err());
}

#[test]
fn entries_are_read_without_extraction() {
    let bytes = archive(&[
        header(b"d", b'5', 0),
        file(b"d/a", b"one"),
        file(b"b", b"two"),
    ]);
    let mut entries = Entries::new(bytes.as_slice(), Links::Skip, Limits::default());
    let mut seen = Vec::new();
    while let Some(mut entry) = entries.next_entry().unwrap() {
        let path = entry.path().display().to_string();
        let mut content = String::new();
        // Unread content is skipped.
        if path != "d/a" {
            entry.read_to_string(&mut content).unwrap();
        }
        seen.push((path, entry.is_directory(), content));
    }
    let expected = [("d", true, ""), ("d/a", false, ""), ("b", false, "two")];
    assert_eq!(
        seen,
        expected.map(|(path, directory, content)| (path.to_owned(), directory, content.to_owned()))
    );
}

#[test]
fn own_archive_is_read_back() {
    let mut gzip = sluice_artifact::deflate::GzipWriter::new(Vec::new());
    let mut writer = sluice_artifact::tarball::Writer::new(&mut gzip);
    let long = [b"d/".repeat(100), b"\xc3\xbc".to_vec()].concat();
    writer.directory(b".").unwrap();
    writer.file(b"a", true, 3, &b"one"[..]).unwrap();
    writer.file(&long, false, 3, &b"two"[..]).unwrap();
    writer.finish().unwrap();
    let tree = extract(&gzip.finish().unwrap(), Links::Reject, Limits::default()).unwrap();
    assert_eq!(tree["a"], "one");
    assert_eq!(tree[std::str::from_utf8(&long).unwrap()], "two");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// No entry is written outside of the target, and the target holds only files and directories.
    /// `extract` asserts both.
    #[test]
    fn extraction_stays_below_target(
        parts in prop::collection::vec(
            (
                prop::collection::vec(
                    prop::sample::select(vec!["..", ".", "", "a", "b", "door", "/", "\\", "~", "C:", "\u{2025}"]),
                    1..6,
                ),
                prop::sample::select(vec![b'0', b'5', b'1', b'2', b'L', b'x', b'g']),
                prop::sample::select(vec!["..", "/tmp", "a", "../..", "."]),
            ),
            0..8,
        ),
        pax_path in prop::option::of(prop::sample::select(vec!["../evil", "/evil", "a/../../evil", "ok"])),
    ) {
        let mut archive_parts = Vec::new();
        for (components, kind, target) in parts {
            let name = components.join("/");
            if let Some(path) = pax_path {
                archive_parts.push(pax(&[("path", path.as_bytes())]));
            }
            archive_parts.push(match kind {
                b'1' | b'2' => link(name.as_bytes(), kind, target.as_bytes()),
                b'0' | b'5' => header(name.as_bytes(), kind, 0),
                kind => entry(name.as_bytes(), kind, target.as_bytes()),
            });
        }
        let _result = extract(&archive(&archive_parts), Links::Skip, Limits::default());
    }

    /// Garbage causes neither a panic nor an endless loop.
    #[test]
    fn garbage_does_not_panic(bytes in prop::collection::vec(any::<u8>(), 0..4096), flips in prop::collection::vec((0_usize..2048, any::<u8>()), 0..8)) {
        let _result = extract(&bytes, Links::Skip, Limits::default());
        let _result = extract(&gzip(&bytes), Links::Skip, Limits::default());
        let mut valid = [file(b"a", b"content"), header(b"d", b'5', 0), pax(&[("path", b"p")]), file(b"b", b"")].concat();
        for (at, byte) in flips {
            if let Some(slot) = valid.get_mut(at) {
                *slot = byte;
            }
        }
        let _result = extract(&gzip(&valid), Links::Skip, Limits::default());
    }
}

#[test]
fn deeply_nested_entry_is_rejected() {
    let deep = |depth: usize| [b"d/".repeat(depth), b"a".to_vec()].concat();
    let read = |depth: usize| skip(&[pax(&[("path", &deep(depth))]), file(b"fine", b"x")]);
    read(255).unwrap();
    let message = read(256).unwrap_err().to_string();
    let start = "d/".repeat(30);
    assert_eq!(
        message,
        format!("tar entry {start:?}… is nested in 256 directories, the maximum is 255")
    );
}

#[test]
fn extended_headers_are_limited_in_sum() {
    let comment = vec![b'x'; 1 << 20];
    let header = pax(&[("comment", &comment[..(1 << 20) - 100])]);
    let entries: Vec<_> = (0..257).map(|_| header.clone()).collect();
    let message = skip(&entries).unwrap_err().to_string();
    assert!(
        message.contains("the extended headers are larger than 256 MiB"),
        "{message}"
    );
}

#[test]
fn overlong_name_error_shows_start() {
    let deep = |length: usize| b"d/".repeat(length / 2);
    let refused = skip(&[pax(&[("path", &deep(4098))]), file(b"fine", b"x")]);
    let message = refused.unwrap_err().to_string();
    let start = "d/".repeat(30);
    assert_eq!(
        message,
        format!("tar entry {start:?}… has a name of 4098 bytes, the maximum is 4096")
    );
    let long = [vec![b'n'; 255], b"/".to_vec()].concat().repeat(15);
    skip(&[pax(&[("path", &long)]), header(b"fine", b'5', 0)]).unwrap();
}
