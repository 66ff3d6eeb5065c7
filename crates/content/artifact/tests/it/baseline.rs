//! Compares results with Go's, recorded by `tests/baseline/oracle`.

use std::fmt::Write;

use serde::Deserialize;
use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::ignore::{self, Rules};
use sluice_artifact::tarball;
use sluice_digest::{Algorithm, HashingWriter};

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

/// The content of a file of this size in the oracle.
fn content(size: u64) -> Vec<u8> {
    (0..size)
        .map(|index| (index.wrapping_mul(31) + 7).to_le_bytes()[0])
        .collect()
}

#[test]
fn tar_stream_matches_go() {
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
                // The header is written before the missing content is detected.
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
fn ignore_verdicts_match_reference() {
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
                let excluded = rules.exclude(path.as_bytes(), directory).unwrap();
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
struct CompressionCase {
    seed: u64,
    size: usize,
    /// Content in which write boundaries affect the bytes.
    #[serde(default)]
    planted: bool,
    /// The sizes of the writes. The last one repeats.
    #[serde(default)]
    writes: Vec<usize>,
    sha256: String,
}

/// The content that the oracle derived from a seed, of kinds that compress very differently.
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
            // A repetition at any distance and of any length, sometimes with one wrong byte.
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

/// The oracle's noise with distant repetitions where the window moves.
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
fn compressed_bytes_match_go() {
    let mut checked = 0;
    for line in include_str!("../baseline/gzip.jsonl").lines() {
        let case: CompressionCase = serde_json::from_str(line).unwrap();
        let content = if case.planted {
            planted(case.seed, case.size)
        } else {
            varied(case.seed, case.size)
        };
        let sink = HashingWriter::new(std::io::sink(), Algorithm::Sha256);
        let mut writer = GzipWriter::new(sink);
        let mut rest = content.as_slice();
        let mut writes = case.writes.iter().copied();
        // After the recorded writes, the size of a write does not affect the bytes.
        let mut size = 1 + case.size / 3;
        while !rest.is_empty() {
            size = writes.next().unwrap_or(size);
            let (now, later) = rest.split_at(size.min(rest.len()));
            std::io::Write::write_all(&mut writer, now).unwrap();
            rest = later;
        }
        let digest = writer.finish().unwrap().finish().1;
        assert_eq!(digest.hex(), case.sha256, "{line}");
        checked += 1;
    }
    assert!(checked >= 1000, "only {checked} contents were compared");
}
