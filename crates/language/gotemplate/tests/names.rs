//! The functions of sprig, by name.
//!
//! `vectors/names.txt` is what the program in `oracle` prints with the argument `names`. It lacks
//! `env`, `expandenv` and `getHostByName`, which look outside of a template.

#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test reads its file by itself"
)]

use std::path::Path;

use sluice_gotemplate::sprig::{Profile, func_map};

fn recorded(profile: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/names.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix(profile));
    names.map(|name| name.trim().to_owned()).collect()
}

fn ours(profile: Profile) -> Vec<String> {
    let functions = func_map(profile);
    let mut names: Vec<String> = functions.names().map(str::to_owned).collect();
    names.sort();
    names
}

#[test]
fn text_profile_has_every_function() {
    assert_eq!(ours(Profile::Text), recorded("text "));
}

#[test]
fn hermetic_profile_has_every_function() {
    assert_eq!(ours(Profile::Hermetic), recorded("hermetic "));
}
