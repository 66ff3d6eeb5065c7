//! The command line through the binary: what it prints and how it ends, one case per file under
//! `cases/`. Adding a case needs no Rust; `TRYCMD=overwrite cargo test --test cli` writes what
//! was printed, to be read before it is committed.

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
