//! Our updates and messages beside recorded answers of the reference.
//!
//! The programs in `oracle` have the recipes of the records.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test writes the files of a case"
)]

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use serde::Deserialize;
use sluice_api::image::{ImagePolicy, ImagePolicySpec, ImagePolicyStatus, ImageRef};
use sluice_images::message::{TemplateData, render};
use sluice_images::result::{Change, ObjectId, UpdateResult};
use sluice_images::setter::Setters;
use sluice_images::update::update_directory;
use sluice_yaml::{Value, v3};

const UPDATES: &str = include_str!("vectors/updates.jsonl");
const MESSAGES: &str = include_str!("vectors/messages.jsonl");

/// Cases where we differ on purpose, with the reason.
const EXPLAINED: &[(&str, &str)] = &[
    (
        "int",
        "the reference keeps the tag and writes `!!int v2`, which no reader accepts",
    ),
    (
        "nulltilde",
        "the reference writes `!!null v2`, which no reader accepts",
    ),
    ("block", "a block scalar is not edited; a finding says so"),
    (
        "multi",
        "a value of several lines is not edited; a finding says so",
    ),
    (
        "ref",
        "the reference also accepts the older `$ref` notation of kpt, undocumented",
    ),
    (
        "list",
        "the reference records the change of a List, but writes no file",
    ),
    (
        "doc...2",
        "the reference drops the text after `...`; we skip the file as malformed",
    ),
];

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Policy {
    namespace: String,
    name: String,
    #[serde(rename = "Ref")]
    image: Option<ImageRef>,
}

#[derive(Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "PascalCase")]
struct RecordedChange {
    file: String,
    #[serde(rename = "APIVersion")]
    api_version: String,
    kind: String,
    name: String,
    namespace: String,
    old: String,
    new: String,
    setter: String,
}

#[derive(Deserialize)]
struct UpdateCase {
    name: String,
    files: BTreeMap<String, String>,
    policies: Vec<Policy>,
    after: BTreeMap<String, String>,
    changes: Vec<RecordedChange>,
}

fn setters(policies: &[Policy]) -> Setters {
    let policies: Vec<_> = policies
        .iter()
        .map(|given| {
            let mut policy = ImagePolicy::new(&given.name, ImagePolicySpec::default());
            policy.metadata.namespace = Some(given.namespace.clone());
            policy.status = Some(ImagePolicyStatus {
                latest_ref: given.image.clone(),
                ..ImagePolicyStatus::default()
            });
            policy
        })
        .collect();
    Setters::of(&policies).unwrap()
}

/// The documents of a text, without empty ones: the reference drops them.
fn documents(text: &str) -> Result<Vec<Value>, String> {
    let text = text.trim_start_matches('\u{feff}');
    let mut documents = v3::documents(text).map_err(|error| error.to_string())?;
    documents.retain(|document| !document.is_null());
    Ok(documents)
}

fn flatten(result: &UpdateResult) -> Vec<RecordedChange> {
    let mut changes = Vec::new();
    for (file, objects) in &result.file_changes {
        for (object, of_object) in objects {
            for change in of_object {
                changes.push(RecordedChange {
                    file: file.clone(),
                    api_version: object.api_version.clone(),
                    kind: object.kind.clone(),
                    name: object.name.clone(),
                    namespace: object.namespace.clone(),
                    old: change.old_value.clone(),
                    new: change.new_value.clone(),
                    setter: change.setter.clone(),
                });
            }
        }
    }
    changes
}

#[test]
fn updates_equal_those_of_the_reference() {
    let mut failures = Vec::new();
    let mut explained = HashSet::new();
    for line in UPDATES.lines() {
        let case: UpdateCase = serde_json::from_str(line).unwrap();
        let root = tempfile::tempdir().unwrap();
        for (path, content) in &case.files {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, content).unwrap();
        }
        let update = update_directory(root.path(), "", &setters(&case.policies)).unwrap();
        let mut problems = Vec::new();
        for (path, before) in &case.files {
            let ours = update.files.get(Path::new(path));
            let ours = ours.map(|content| String::from_utf8(content.clone()).unwrap());
            match (&ours, case.after.get(path)) {
                (None, None) => {}
                (Some(ours), Some(theirs)) => {
                    if documents(ours) != documents(theirs) {
                        problems.push(format!("{path}: {ours:?}\nexpected {theirs:?}"));
                    }
                }
                (ours, theirs) => {
                    problems.push(format!(
                        "{path}: {ours:?}\nexpected {theirs:?}\nof {before:?}"
                    ));
                }
            }
        }
        let mut ours = flatten(&update.result);
        let mut theirs = case.changes;
        ours.sort();
        theirs.sort();
        if ours != theirs {
            problems.push(format!("{ours:?}\nexpected {theirs:?}"));
        }
        let is_explained = EXPLAINED.iter().any(|(name, _)| *name == case.name);
        match (problems.is_empty(), is_explained) {
            (true, _) => {}
            (false, true) => {
                explained.insert(case.name);
            }
            (false, false) => failures.push(format!("{}: {}", case.name, problems.join("\n"))),
        }
    }
    assert!(
        failures.is_empty(),
        "{} cases:\n{}",
        failures.len(),
        failures.join("\n\n")
    );
    for (name, reason) in EXPLAINED {
        assert!(
            explained.contains(*name),
            "'{name}' does not differ: {reason}"
        );
    }
}

#[derive(Deserialize)]
struct MessageCase {
    template: String,
    changes: Vec<RecordedChange>,
    values: BTreeMap<String, String>,
    #[serde(default)]
    message: String,
    #[serde(default)]
    error: String,
}

#[test]
fn messages_equal_those_of_the_reference() {
    let mut failures = Vec::new();
    for line in MESSAGES.lines() {
        let case: MessageCase = serde_json::from_str(line).unwrap();
        let mut changed = UpdateResult::default();
        for change in case.changes {
            let object = ObjectId {
                api_version: change.api_version,
                kind: change.kind,
                name: change.name,
                namespace: change.namespace,
            };
            let made = Change {
                old_value: change.old,
                new_value: change.new,
                setter: change.setter,
            };
            changed.add(&change.file, object, made);
        }
        let data = TemplateData {
            namespace: "ns",
            name: "auto",
            changed: &changed,
            values: &case.values,
        };
        let (message, error) = match render(&case.template, &data) {
            Ok(message) => (message, String::new()),
            Err(error) => (String::new(), error.to_string()),
        };
        // The reference replaces these errors one step later.
        let is_removed = error.starts_with("template uses removed")
            && case.error.contains("can't evaluate field");
        if !is_removed && (&message, &error) != (&case.message, &case.error) {
            failures.push(format!(
                "{:?}: {message:?} {error:?}\nexpected {:?} {:?}",
                case.template, case.message, case.error
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} cases:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
