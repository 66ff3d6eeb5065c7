//! `cargo xtask reproduce`: proves that two builds of the release binary have the same digest.
//!
//! The task clones the current commit twice, with different paths, target directories, time zones,
//! locales and numbers of jobs. The record of the equal digests, with the used tools, goes to
//! `tests/bench/records`. The two release builds take long.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, bail, ensure};

use crate::binary::{self, Build, output};

#[derive(clap::Args, Debug)]
pub(crate) struct Args {
    /// Temporary directory for clones and builds
    #[arg(long, default_value = "target/reproduce")]
    directory: PathBuf,
    /// File for the binary
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Directory for the record
    #[arg(long, default_value = "tests/bench/records")]
    records: PathBuf,
}

/// The differing parts of a build.
struct Place {
    checkout: &'static str,
    target: &'static str,
    environment: &'static [(&'static str, &'static str)],
}

const PLACES: [Place; 2] = [
    Place {
        checkout: "one",
        target: "one-target",
        environment: &[("TZ", "UTC"), ("LC_ALL", "C"), ("CARGO_BUILD_JOBS", "2")],
    },
    Place {
        checkout: "another/place/of/a/longer/name",
        target: "elsewhere/build",
        environment: &[
            ("TZ", "Pacific/Auckland"),
            ("LC_ALL", "C.UTF-8"),
            ("CARGO_BUILD_JOBS", "3"),
        ],
    },
];

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    let repository = crate::repository();
    let commit = output("git", &["rev-parse", "HEAD"], repository)?;
    let changed = output(
        "git",
        &["status", "--porcelain", "--untracked-files=no"],
        repository,
    )?;
    ensure!(
        changed.is_empty(),
        "uncommitted changes in these files; commit them first:\n{changed}"
    );
    fs::create_dir_all(&args.directory)?;
    let directory = args.directory.canonicalize()?;
    let started = Instant::now();
    let mut builds: Vec<Vec<u8>> = Vec::new();
    for place in &PLACES {
        let checkout = directory.join(place.checkout);
        let target = directory.join(place.target);
        let source = repository
            .to_str()
            .context("the repository's path is not UTF-8")?;
        let clone = checkout
            .to_str()
            .context("the directory's path is not UTF-8")?;
        output(
            "git",
            &["clone", "--quiet", "--shared", source, clone],
            &directory,
        )?;
        output(
            "git",
            &["checkout", "--quiet", "--detach", &commit],
            &checkout,
        )?;
        let build = Build {
            root: checkout.clone(),
            target: target.clone(),
            environment: place.environment.to_vec(),
        };
        let binary = fs::read(build.run()?)?;
        println!("{}: {}", place.checkout, binary::sha256(&binary));
        for (path, _) in build.renamed_paths()? {
            ensure!(
                !contains(&binary, path.as_bytes()),
                "the binary names {path}, a path of the machine that built it"
            );
        }
        builds.push(binary);
        fs::remove_dir_all(&checkout)?;
        fs::remove_dir_all(&target)?;
    }
    let binary = &builds[0];
    if let Some(difference) = difference(binary, &builds[1]) {
        for (number, bytes) in builds.iter().enumerate() {
            fs::write(directory.join(format!("sluice.{number}")), bytes)?;
        }
        bail!(
            "the two builds differ {difference}; both are kept in {}",
            directory.display()
        );
    }
    if let Some(path) = &args.output {
        fs::write(path, binary)
            .and_then(|()| fs::set_permissions(path, fs::Permissions::from_mode(0o755)))
            .with_context(|| format!("write {}", path.display()))?;
    }
    fs::remove_dir_all(&directory)?;
    let day = binary::today()?;
    let record = record(&Facts {
        day: &day,
        commit: &commit,
        digest: &binary::sha256(binary),
        size: binary.len(),
        minutes: started.elapsed().as_secs().div_ceil(60),
        toolchain: &binary::toolchain(repository)?,
    });
    let path = args.records.join(format!("{day}-reproducible-build.md"));
    fs::write(&path, record).with_context(|| format!("write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

/// Content of a record.
struct Facts<'a> {
    day: &'a str,
    commit: &'a str,
    digest: &'a str,
    size: usize,
    minutes: u64,
    toolchain: &'a [String],
}

/// Formats the record, without paths of this machine.
fn record(facts: &Facts<'_>) -> String {
    let mut text = format!(
        "# Two builds of the release binary, {}\n\n\
         `cargo xtask reproduce`: the same commit, cloned and built twice, in directories of unlike names and\n\
         depths, with unlike target directories, time zones, languages and numbers of jobs.\n\n\
         | | |\n|---|---|\n\
         | commit | `{}` |\n\
         | both builds | `sha256:{}` |\n\
         | size | {} bytes |\n\
         | both together took | {} min |\n",
        facts.day, facts.commit, facts.digest, facts.size, facts.minutes
    );
    for line in facts.toolchain {
        let _ = writeln!(text, "| with | {line} |");
    }
    text.push_str(
        "\nThe binary names no path of the machine that built it: the checkout, the target directory, cargo's home and\n\
         the toolchain were looked for in it. Another compiler, linker or libc than those above may give other bytes.\n",
    );
    text
}

/// Describes the first difference of two files and the number of differing bytes.
fn difference(one: &[u8], other: &[u8]) -> Option<String> {
    if one == other {
        return None;
    }
    let first = one.iter().zip(other).position(|(a, b)| a != b);
    let count = one.iter().zip(other).filter(|(a, b)| a != b).count();
    Some(format!(
        "in {count} bytes from {:#x} on; they have {} and {} bytes",
        first.unwrap_or_else(|| one.len().min(other.len())),
        one.len(),
        other.len()
    ))
}

/// Whether bytes occur in other bytes.
pub(crate) fn contains(hay: &[u8], needle: &[u8]) -> bool {
    !needle.is_empty() && hay.windows(needle.len()).any(|window| window == needle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_differ_in_all_settings() {
        let [one, other] = &PLACES;
        assert_ne!(one.checkout.len(), other.checkout.len());
        assert_ne!(one.target.len(), other.target.len());
        for ((name, value), (same, unlike)) in one.environment.iter().zip(other.environment) {
            assert_eq!(name, same);
            assert_ne!(value, unlike);
        }
    }

    #[test]
    fn difference_names_its_first_offset() {
        assert_eq!(difference(b"same", b"same"), None);
        assert_eq!(
            difference(b"abcd", b"abXYz").unwrap(),
            "in 2 bytes from 0x2 on; they have 4 and 5 bytes"
        );
        assert_eq!(
            difference(b"ab", b"abc").unwrap(),
            "in 0 bytes from 0x2 on; they have 2 and 3 bytes"
        );
    }

    #[test]
    fn record_names_commit_digest_and_tools() {
        let text = record(&Facts {
            day: "2026-01-02",
            commit: "c0ffee",
            digest: "d1ce",
            size: 42,
            minutes: 7,
            toolchain: &["rustc 1".to_owned(), "cc 2".to_owned()],
        });
        for part in [
            "2026-01-02",
            "`c0ffee`",
            "sha256:d1ce",
            "42 bytes",
            "rustc 1",
            "cc 2",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(!text.contains(&crate::repository().display().to_string()));
    }

    #[test]
    fn paths_of_machine_are_renamed() {
        let build = Build {
            root: std::env::temp_dir(),
            target: "/a/target".into(),
            environment: Vec::new(),
        };
        let renamed = build.renamed_paths().unwrap();
        let names: Vec<&str> = renamed.iter().map(|(_, to)| *to).collect();
        assert_eq!(names, ["/rust", "/cargo", "/sluice", "/sluice/target"]);
    }

    #[test]
    fn directory_with_blank_or_equals_is_rejected() {
        for path in ["/a b/sluice", "/a=b/sluice"] {
            let build = Build {
                root: std::env::temp_dir(),
                target: path.into(),
                environment: Vec::new(),
            };
            let error = build.renamed_paths().unwrap_err().to_string();
            assert!(error.contains(path), "{error}");
        }
    }

    #[test]
    fn contains_finds_bytes_anywhere() {
        assert!(contains(b"in /home/me/src here", b"/home/me"));
        assert!(!contains(b"in /sluice/src here", b"/home/me"));
        assert!(!contains(b"anything", b""));
    }
}
