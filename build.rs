//! Has the linker put what a short command runs in one place, and what controllers run in another:
//! `src/start.ld` lists both.
//!
//! The kernel maps 64 KiB around each page of the program that is run, and functions in the order
//! of crates are far from each other: a small build held 8.9 MiB of code for 1.6 MiB that it ran.
//! The list is written by `cargo xtask order`. What it does not know lies where it always did, so
//! that an old list costs memory and nothing else.

#![expect(
    clippy::disallowed_methods,
    reason = "cargo tells a build script by variables what it builds"
)]

use std::env;

/// Set where the list is to be written anew: valgrind takes what it puts beside `.text` for code of
/// another program, whose addresses it tells otherwise.
const UNORDERED: &str = "SLUICE_UNORDERED";

fn main() {
    println!("cargo::rerun-if-changed=src/start.ld");
    println!("cargo::rerun-if-env-changed={UNORDERED}");
    let variable = |name| env::var(name).unwrap_or_default();
    let is_known =
        variable("TARGET") == "x86_64-unknown-linux-gnu" && variable("PROFILE") == "release";
    // Another linker may not know the language of the list.
    let flags = variable("CARGO_ENCODED_RUSTFLAGS");
    let chooses_linker = |flag: &str| {
        flag.trim_start_matches("-C").starts_with("linker") || flag.contains("-fuse-ld")
    };
    let is_usual =
        variable("RUSTC_LINKER").is_empty() && !flags.split('\u{1f}').any(chooses_linker);
    if is_known && is_usual && variable(UNORDERED).is_empty() {
        let folder = variable("CARGO_MANIFEST_DIR");
        println!("cargo::rustc-link-arg-bins=-T{folder}/src/start.ld");
    }
}
