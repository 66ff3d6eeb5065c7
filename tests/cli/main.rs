//! Tests the command line through the binary, with one case per file under `cases/`.
//!
//! A new case needs no Rust. `TRYCMD=overwrite cargo test --test cli` records the output, for a
//! review before the commit.

#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "a test reads files as a user does"
)]

use std::path::Path;

mod artifact;
mod bootstrap;
mod charts;
mod completion;
mod coverage;
mod docs;
#[path = "../cluster/cases/file.rs"]
mod file;
mod first_hour;
mod flags;
mod hooks;
mod image_update;
mod listed;
mod logs;
mod manifests;
#[path = "../cluster/docs/pages.rs"]
mod pages;
mod plugin;
#[path = "../cluster/program.rs"]
mod program;
mod read_only;
mod remote_bases;
mod scenes;
mod signing;
mod surface;
mod trigger;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/cases");

/// Cases whose output differs under the name `flux`: file, text, and text under that name.
const CALLED_FLUX: [(&str, &str, &str); 4] = [
    ("usage.trycmd", "for \"sluice", "for \"flux"),
    (
        "version.trycmd",
        concat!("sluice: v", env!("CARGO_PKG_VERSION"), "\n"),
        "",
    ),
    (
        "version.trycmd",
        concat!(
            "\"v2.9.4\",\n  \"sluice\": \"v",
            env!("CARGO_PKG_VERSION"),
            "\""
        ),
        "\"v2.9.4\"",
    ),
    ("version.trycmd", "\nsluice version", "\nflux version"),
];

fn run_cases(directory: &Path, program: &Path) {
    trycmd::TestCases::new()
        .case(directory.join("*.trycmd"))
        .case(directory.join("*.toml"))
        .register_bin("sluice", program)
        // Without cluster, home, agent and colours, the output depends on the arguments alone.
        .env("KUBECONFIG", "/nonexistent/kubeconfig")
        .env("HOME", "/nonexistent")
        .env("SSH_AUTH_SOCK", "")
        .env("NO_COLOR", "1");
}

#[test]
fn every_case_prints_and_ends_as_written() {
    run_cases(Path::new(CASES), program::sluice());
}

#[test]
fn cases_under_the_name_flux_differ_in_the_name_only() {
    let copies = tempfile::tempdir().unwrap();
    sluice_system::fs::copy_dir_all(CASES, copies.path()).unwrap();
    for (file, ours, theirs) in CALLED_FLUX {
        let path = copies.path().join(file);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(ours), "{file} says nowhere: {ours}");
        std::fs::write(&path, text.replace(ours, theirs)).unwrap();
    }
    run_cases(copies.path(), program::flux());
}
