//! Our selections beside recorded answers of the reference's policy package.
//!
//! `oracle/policies/main.go` has the recipe of the record.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::convert::Infallible;

use serde::Deserialize;
use sluice_api::image::{ImagePolicyChoice, TagFilter};
use sluice_images::policy::{Selector, explain};
use sluice_images::revision::{RevisionForm, revision};

const VECTORS: &str = include_str!("vectors/policies.jsonl");

#[derive(Deserialize)]
struct Vector {
    policy: ImagePolicyChoice,
    filter: Option<TagFilter>,
    tags: Vec<String>,
    #[serde(default)]
    latest: String,
    #[serde(default)]
    error: String,
    adler: String,
    sha: String,
}

fn vectors() -> impl Iterator<Item = Vector> {
    VECTORS
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
}

#[test]
fn selections_equal_those_of_the_reference() {
    let mut failures = Vec::new();
    for vector in vectors() {
        let tags = || vector.tags.iter().map(Ok::<_, Infallible>);
        let (latest, error) = match Selector::parse(&vector.policy, vector.filter.as_ref()) {
            Err(error) => (String::new(), error.to_string()),
            Ok(selector) => {
                let explained = explain(&selector, tags()).unwrap();
                let Ok(outcome) = selector.select(tags());
                assert_eq!(explained.outcome, outcome);
                match outcome {
                    Ok(latest) => (latest, String::new()),
                    Err(error) => (String::new(), error.to_string()),
                }
            }
        };
        if (&latest, &error) != (&vector.latest, &vector.error) {
            failures.push(format!(
                "{:?} {:?} of {:?}: {latest:?} {error:?}, expected {:?} {:?}",
                vector.policy, vector.filter, vector.tags, vector.latest, vector.error
            ));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn revisions_equal_those_of_the_reference() {
    for vector in vectors() {
        let of = |form| revision(form, vector.tags.iter().map(String::as_str));
        assert_eq!(of(RevisionForm::Adler32), vector.adler, "{:?}", vector.tags);
        assert_eq!(of(RevisionForm::Sha256), vector.sha, "{:?}", vector.tags);
    }
}
