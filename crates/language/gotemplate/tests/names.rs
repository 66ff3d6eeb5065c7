//! The functions of sprig, by name.
//!
//! `vectors/names.txt` is what the program in `oracle` prints with the argument `names`. It lacks
//! `env`, `expandenv` and `getHostByName`, which look outside of a template.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "a test reads its file by itself")]

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

/// Whether a template names a function, and not only another one that contains its name.
fn calls(template: &str, name: &str) -> bool {
    let is_word = |character: char| character.is_alphanumeric() || "._$".contains(character);
    template.match_indices(name).any(|(at, _)| {
        let (before, after) = (&template[..at], &template[at + name.len()..]);
        !before.ends_with(is_word) && !after.starts_with(is_word)
    })
}

#[test]
fn every_function_has_a_vector() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut templates = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            let text = std::fs::read_to_string(path).unwrap();
            for line in text.lines() {
                let vector: serde_json::Value = serde_json::from_str(line).unwrap();
                templates.push(vector["template"].as_str().unwrap().to_owned());
            }
        }
    }
    let names = recorded("text ");
    let has_vector = |name: &&String| templates.iter().any(|template| calls(template, name));
    let missing: Vec<&String> = names.iter().filter(|name| !has_vector(name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
