//! Our answers beside Go's, recorded by `tests/baseline/oracle`.

use std::fmt::Write;

use serde::Deserialize;
use sluice_artifact::compress::Compressor;
use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::digest::{Algorithm, HashingWriter};
use sluice_artifact::ignore::{self, Rules};
use sluice_artifact::tarball;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tree {
    entries: Vec<Entry>,
    #[serde(default)]
    header_only: bool,
    sha256: String,
}

#[derive(Deserialize)]
struct Entry {
    path: String,
    #[serde(default)]
    directory: bool,
    #[serde(default)]
    executable: bool,
    #[serde(default)]
    size: u64,
}

/// The content the oracle gave a file of this size.
fn content(size: u64) -> Vec<u8> {
    (0..size)
        .map(|index| (index.wrapping_mul(31) + 7).to_le_bytes()[0])
        .collect()
}

#[test]
fn the_tar_stream_is_the_one_go_writes() {
    let mut checked = 0;
    for line in include_str!("../baseline/tar.jsonl").lines() {
        let tree: Tree = serde_json::from_str(line).unwrap();
        let mut sink = HashingWriter::new(std::io::sink(), Algorithm::Sha256);
        let mut writer = tarball::Writer::new(&mut sink);
        for entry in &tree.entries {
            let path = hex::decode(&entry.path).unwrap();
            if entry.directory {
                writer.directory(&path).unwrap();
            } else if tree.header_only {
                // The header is written before the content turns out to be missing.
                let missing = writer.file(&path, entry.executable, entry.size, &b""[..]);
                assert!(matches!(missing, Err(tarball::Error::Size { .. })));
            } else {
                let content = content(entry.size);
                writer
                    .file(&path, entry.executable, entry.size, content.as_slice())
                    .unwrap();
            }
        }
        if !tree.header_only {
            writer.finish().unwrap();
        }
        assert_eq!(sink.finish().1.hex(), tree.sha256, "{line}");
        checked += 1;
    }
    assert!(checked >= 200, "only {checked} trees were compared");
}

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    files: Vec<File>,
    spec: Option<String>,
    paths: Option<Vec<String>>,
    file: String,
    directory: String,
}

#[derive(Deserialize)]
struct File {
    domain: String,
    text: String,
}

#[test]
fn ignore_verdicts_are_those_of_the_reference() {
    let mut paths = Vec::new();
    let mut mismatches = String::new();
    let mut cases = 0;
    for line in include_str!("../baseline/ignore.jsonl").lines() {
        let case: Case = serde_json::from_str(line).unwrap();
        paths = case.paths.unwrap_or(paths);
        let written = case
            .files
            .iter()
            .flat_map(|file| ignore::read(file.text.as_bytes(), file.domain.as_bytes()))
            .collect();
        let rules = Rules::for_source(written, case.spec.as_deref());
        for (directory, verdicts) in [(false, &case.file), (true, &case.directory)] {
            for (path, verdict) in paths.iter().zip(verdicts.chars()) {
                let excluded = rules.exclude(path.as_bytes(), directory);
                if excluded != (verdict == 'x') {
                    let _ = writeln!(
                        mismatches,
                        "{path:?} directory={directory} excluded={excluded}: {:?} {:?}",
                        case.spec,
                        case.files
                            .iter()
                            .map(|file| (&file.domain, &file.text))
                            .collect::<Vec<_>>(),
                    );
                }
            }
        }
        cases += 1;
    }
    assert!(cases >= 500, "only {cases} rule sets were compared");
    assert_eq!(mismatches, "");
}

#[derive(Deserialize)]
struct Compressed {
    seed: u64,
    size: usize,
    /// Content that shows where writes end.
    #[serde(default)]
    planted: bool,
    /// The sizes of the writes, the last of them again and again.
    #[serde(default)]
    writes: Vec<usize>,
    sha256: String,
}

/// The content the oracle made of a seed: of a few kinds that compress very differently.
fn varied(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33
    };
    let mut content: Vec<u8> = Vec::with_capacity(size);
    while content.len() < size {
        let length = 1 + usize::try_from(next() % 300).unwrap();
        let alphabet = [256, 2, 16, 64, 1][usize::try_from(next() % 5).unwrap()];
        let back = 1 + usize::try_from(next() % 40_000).unwrap();
        if !(next() + seed).is_multiple_of(3) && back <= content.len() {
            // A repetition, near or far, of any length, and sometimes one byte off.
            let from = content.len() - back;
            for index in 0..length {
                let byte = content[from + index];
                content.push(byte);
            }
            if next().is_multiple_of(4) {
                *content.last_mut().unwrap() ^= 1;
            }
        } else {
            for _ in 0..length {
                content.push(u8::try_from(next() % alphabet).unwrap());
            }
        }
    }
    content.truncate(size);
    content
}

/// The noise the oracle made, which repeats itself only from afar, and where the window is about
/// to move.
fn planted(seed: u64, size: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_be_bytes()[0]
    };
    let mut content: Vec<u8> = std::iter::repeat_with(next).take(size).collect();
    for bound in (65_536..=size).step_by(32_768) {
        let at = bound - 262;
        content.copy_within(at - 32_700..at - 32_700 + 8, at);
    }
    content
}

#[test]
fn compressed_bytes_are_those_of_go() {
    let (mut checked, mut large) = (0, 0);
    for line in include_str!("../baseline/gzip.jsonl").lines() {
        let case: Compressed = serde_json::from_str(line).unwrap();
        let content = if case.planted {
            planted(case.seed, case.size)
        } else {
            varied(case.seed, case.size)
        };
        let write = |writer: &mut dyn std::io::Write| {
            let mut rest = content.as_slice();
            let mut writes = case.writes.iter().copied();
            // Where nothing shows it, pieces of any size make the same bytes.
            let mut size = 1 + case.size / 3;
            while !rest.is_empty() {
                size = writes.next().unwrap_or(size);
                let (now, later) = rest.split_at(size.min(rest.len()));
                writer.write_all(now).unwrap();
                rest = later;
            }
        };
        let sink = || HashingWriter::new(std::io::sink(), Algorithm::Sha256);
        let mut writer = GzipWriter::new(sink()).unwrap();
        write(&mut writer);
        let digest = writer.finish().unwrap().finish().1;
        assert_eq!(digest.hex(), case.sha256, "{line}");
        if case.size > 1 << 20 {
            let mut writer = Compressor::new(sink());
            write(&mut writer);
            let digest = writer.finish().unwrap().finish().1;
            assert_eq!(digest.hex(), case.sha256, "by several threads: {line}");
            large += 1;
        }
        checked += 1;
    }
    assert!(checked >= 1000, "only {checked} contents were compared");
    assert!(large >= 8, "only {large} contents were large");
}
