//! The tar and gzip streams.

use std::io::{Read, Write};

use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::tarball::{self, Writer};
use sluice_digest::Algorithm;

fn tree() -> Vec<u8> {
    let mut gzip = GzipWriter::new(Vec::new());
    let mut writer = Writer::new(&mut gzip);
    writer.directory(b".").unwrap();
    writer.directory(b"deploy").unwrap();
    let manifest = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: golden\n".repeat(400);
    writer
        .file(
            b"deploy/app.yaml",
            false,
            manifest.len() as u64,
            manifest.as_bytes(),
        )
        .unwrap();
    let script = b"#!/bin/sh\necho hello\n";
    writer
        .file(b"run.sh", true, script.len() as u64, script.as_slice())
        .unwrap();
    writer.finish().unwrap();
    gzip.finish().unwrap()
}

/// A change of this digest changes all artifacts of all sources. Go's `archive/tar` and
/// `compress/gzip` return the same digest.
#[test]
fn compressed_bytes_are_pinned() {
    assert_eq!(
        Algorithm::Sha256.digest(&tree()).to_string(),
        "sha256:79d3f4db0dfeebb927b712b3eefe758b880119591959979482930d6fe3f340b0"
    );
}

/// Write boundaries within a block can affect Go's compressed bytes.
#[test]
fn write_boundaries_match_go() {
    #[derive(Default)]
    struct Ends {
        written: usize,
        within: Vec<usize>,
    }
    impl Write for Ends {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.written += bytes.len();
            if !self.written.is_multiple_of(512) {
                self.within.push(self.written);
            }
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut writer = Writer::new(Ends::default());
    writer.file(b"a", false, 3, &b"one"[..]).unwrap();
    writer
        .file(
            "\u{fc}".as_bytes(),
            false,
            100_000,
            vec![0; 100_000].as_slice(),
        )
        .unwrap();
    let ends = writer.finish().unwrap();
    // Content, PAX record of a name that is not ASCII, content.
    let record = "11 path=\u{fc}\n".len();
    assert_eq!(ends.within, [515, 1024 + 512 + record, 2560 + 100_000]);
}

#[test]
fn gzip_header_has_no_name_time_or_system() {
    assert_eq!(&tree()[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
}

#[test]
fn other_tar_reader_reads_archive() {
    let bytes = tree();
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
    let entries: Vec<_> = archive
        .entries()
        .unwrap()
        .map(|entry| {
            let mut entry = entry.unwrap();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            let header = entry.header();
            assert_eq!((header.uid().unwrap(), header.mtime().unwrap()), (0, 0));
            (
                entry.path().unwrap().display().to_string(),
                header.mode().unwrap(),
                content.len(),
            )
        })
        .collect();
    let expected = [
        (".", 0o750, 0),
        ("deploy", 0o750, 0),
        ("deploy/app.yaml", 0o600, 400 * 56),
        ("run.sh", 0o700, 21),
    ];
    assert_eq!(
        entries,
        expected.map(|(path, mode, size)| (path.to_owned(), mode, size))
    );
}

#[test]
fn unordered_entries_are_rejected() {
    let ordered: &[&[u8]] = &[b".", b"a", b"a/b", b"a/b.c", b"a-", b"a.txt", b"b"];
    let mut writer = Writer::new(std::io::sink());
    for path in ordered {
        writer.directory(path).unwrap();
    }
    for pair in ordered.windows(2) {
        let mut writer = Writer::new(std::io::sink());
        writer.directory(pair[1]).unwrap();
        assert!(matches!(
            writer.directory(pair[0]),
            Err(tarball::Error::Order { .. })
        ));
        assert!(matches!(
            writer.directory(pair[1]),
            Err(tarball::Error::Order { .. })
        ));
    }
}

#[test]
fn content_of_other_size_is_rejected() {
    for (announced, content) in [(3, "ab"), (1, "ab")] {
        let mut writer = Writer::new(std::io::sink());
        let written = writer.file(b"f", false, announced, content.as_bytes());
        assert!(matches!(written, Err(tarball::Error::Size { .. })));
    }
}

#[test]
fn write_error_names_entry() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let error = Writer::new(Full).directory(b"deploy").unwrap_err();
    assert_eq!(error.to_string(), "write tar entry 'deploy'");
}
