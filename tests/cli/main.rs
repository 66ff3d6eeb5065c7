//! The command line through the binary: what it prints and how it ends, one case per file under
//! `cases/`. Adding a case needs no Rust; `TRYCMD=overwrite cargo test --test cli` writes what
//! was printed, to be read before it is committed.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that cannot go on says so by panicking, and looks at files as a stranger would"
)]

mod artifact;
mod completion;
mod coverage;
#[path = "../cluster/cases/file.rs"]
mod file;
mod flags;
mod hooks;
mod logs;
mod manifests;
mod plugin;
mod read_only;
mod remote_bases;
mod scenes;
mod surface;
mod trigger;

#[test]
fn every_case_prints_and_ends_as_written() {
    trycmd::TestCases::new()
        .case("tests/cli/cases/*.trycmd")
        .case("tests/cli/cases/*.toml")
        // No cluster, no home, no colours: what is printed depends on the arguments alone.
        .env("KUBECONFIG", "/nonexistent/kubeconfig")
        .env("HOME", "/nonexistent")
        .env("NO_COLOR", "1");
}
