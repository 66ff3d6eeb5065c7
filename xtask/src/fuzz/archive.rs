//! Archives of artifacts: no archive causes a panic, a hang or unbounded memory. Extraction stays
//! in its folder, and reading in place gives the same content.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use sluice_artifact::untar::{Entries, Limits, Links, into_directory};
use sluice_kustomize::Fs;
use sluice_kustomize::fs::{EntryKind, SecureFs};
use sluice_trees::TarFs;

use super::Target;

/// Size of a header and of a block of content.
const BLOCK: usize = 512;
/// Positions of a header's checksum and of its magic.
const CHECKSUM: std::ops::Range<usize> = 148..156;
const MAGIC: std::ops::Range<usize> = 257..262;
/// Prefix of a compressed stream.
const COMPRESSED: [u8; 2] = [0x1f, 0x8b];
/// Limit of content in memory, low enough to test both ways.
const IN_MEMORY: u64 = 1 << 10;

/// An archive, unchanged and with corrected checksums.
pub(super) const TAR: Target = Target {
    name: "tar",
    run: |bytes| {
        if bytes.starts_with(&COMPRESSED) {
            is_one_tree(bytes);
        } else {
            is_one_tree(&compressed(bytes));
            is_one_tree(&compressed(&repaired(bytes)));
        }
    },
    seeds,
    words: &[
        "ustar\u{0}00",
        "ustar  \u{0}",
        "../",
        "..",
        "./",
        "/",
        "\\",
        "a/b",
        "PaxHeaders.0/a",
        "20 path=a/../../b/c\n",
        "16 linkpath=/etc\n",
        "14 size=1000000\n",
        "22 GNU.sparse.major=1\n",
        "00000000010\u{0}",
        "77777777777\u{0}",
        "0000644\u{0}",
        "\u{0}\u{0}\u{0}\u{0}",
        "0",
        "1",
        "2",
        "3",
        "5",
        "L",
        "K",
        "x",
        "g",
        "S",
        "V",
    ],
};

/// Reads an archive in place and extracts it; both must agree.
fn is_one_tree(archive: &[u8]) {
    let limits = Limits {
        total: Some(4 << 20),
        entries: 1_000,
    };
    let read = TarFs::read(Entries::new(archive, Links::Skip, limits), IN_MEMORY);
    let folder = tempfile::tempdir().expect("a folder to unpack into");
    let inside = folder.path().join("inside");
    std::fs::create_dir(&inside).expect("a folder");
    let unpacked = into_directory(archive, &inside, Links::Skip, limits);
    let beside = std::fs::read_dir(folder.path())
        .expect("it is there")
        .count();
    assert_eq!(beside, 1, "something was unpacked beside the folder");
    assert_eq!(
        read.is_ok(),
        unpacked.is_ok(),
        "read: {:?}, unpacked: {unpacked:?}",
        read.as_ref().err()
    );
    if let Ok(read) = read {
        let unpacked = SecureFs::new(&inside).expect("it is a folder");
        assert_eq!(everything(&read), everything(&unpacked));
    }
}

/// Lists a tree by path; folders have no content.
fn everything(tree: &dyn Fs) -> Vec<(PathBuf, Option<Vec<u8>>)> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from("/")];
    while let Some(folder) = folders.pop() {
        for name in tree.read_dir(&folder).expect("it is a folder") {
            let path = folder.join(name);
            if tree.kind(&path).expect("it is there") == Some(EntryKind::Directory) {
                folders.push(path.clone());
                found.push((path, None));
            } else {
                let contents = tree.read(&path, u64::MAX).expect("it is a file");
                found.push((path, Some(contents)));
            }
        }
    }
    found.sort();
    found
}

/// Corrects the checksums of headers, so that other changes reach the reader.
pub(super) fn repaired(archive: &[u8]) -> Vec<u8> {
    let mut archive = archive.to_vec();
    for block in archive.chunks_exact_mut(BLOCK) {
        if &block[MAGIC] == b"ustar" {
            block[CHECKSUM].fill(b' ');
            let sum: u32 = block.iter().copied().map(u32::from).sum();
            block[CHECKSUM].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
    }
    archive
}

pub(super) fn compressed(archive: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::none());
    encoder
        .write_all(archive)
        .and_then(|()| encoder.finish())
        .expect("memory takes everything")
}

fn seeds() -> Vec<Vec<u8>> {
    let long = format!("{}/file", "folder/".repeat(30));
    let archives: [&[(&str, tar::EntryType)]; 5] = [
        &[
            ("a", tar::EntryType::Regular),
            ("b/c", tar::EntryType::Regular),
        ],
        &[
            ("b/", tar::EntryType::Directory),
            ("b/c", tar::EntryType::Regular),
            ("b/d", tar::EntryType::Symlink),
        ],
        &[
            ("a", tar::EntryType::Regular),
            ("a", tar::EntryType::Regular),
        ],
        &[
            ("a", tar::EntryType::Regular),
            ("a/b", tar::EntryType::Regular),
        ],
        &[
            (&long, tar::EntryType::Regular),
            ("./", tar::EntryType::Directory),
        ],
    ];
    let mut seeds: Vec<Vec<u8>> = archives.map(packed).into();
    let last = compressed(&seeds[0]);
    seeds.push(last);
    seeds
}

fn packed(entries: &[(&str, tar::EntryType)]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for (name, kind) in entries {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(*kind);
        header.set_mode(0o644);
        let content: &[u8] = if kind.is_file() { b"content" } else { b"" };
        header.set_size(content.len() as u64);
        if kind.is_symlink() {
            archive.append_link(&mut header, name, "/etc/passwd")
        } else {
            archive.append_data(&mut header, Path::new(name), content)
        }
        .expect("memory takes everything");
    }
    archive.into_inner().expect("memory takes everything")
}
