//! The forty clusters of `tests/cluster/why`, as they are once loaded, and the clusters that were
//! added later.

mod classes;

use std::path::{Path, PathBuf};

use serde_json::Value;
use sluice_object::Object;

use super::explain;
use crate::kinds::by_kind;
use crate::model::Diagnosis;
use crate::snapshot::{Id, Snapshot};

/// The number of clusters that must be answered right: all of them.
const ENOUGH: usize = 40;

struct Case {
    name: String,
    snapshot: Snapshot,
    asked: Object,
    answer: Value,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/cluster/why")
}

fn read(path: &Path) -> Value {
    let text = sluice_system::fs::read_to_string(path).unwrap();
    sluice_yaml::v2::from_str(&text).unwrap()
}

fn objects(file: &Value) -> impl Iterator<Item = Object> {
    let objects = file["objects"].as_array().unwrap().iter();
    objects.map(|object| Object::try_from(object.clone()).unwrap())
}

fn cases(of: &Path) -> Vec<Case> {
    let around = read(&folder().join("around/controllers.yaml"));
    let mut paths: Vec<PathBuf> = sluice_system::fs::read_dir(of)
        .unwrap()
        .into_iter()
        .map(|entry| entry.path)
        .filter(|path| path.extension().is_some_and(|end| end == "yaml"))
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let file = read(&path);
            let snapshot: Snapshot = objects(&around).chain(objects(&file)).collect();
            let (kind, name) = file["ask"]["object"]
                .as_str()
                .unwrap()
                .split_once('/')
                .unwrap();
            let asked = Id::new(kind, file["ask"]["namespace"].as_str().unwrap(), name);
            Case {
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                asked: snapshot.get(&asked).unwrap().clone(),
                snapshot,
                answer: file["answer"].clone(),
            }
        })
        .collect()
}

/// A text, or one of a list of them.
fn any(value: &Value, holds: impl Fn(&str) -> bool) -> bool {
    match value {
        Value::Array(items) => items.iter().any(|item| holds(item.as_str().unwrap())),
        other => holds(other.as_str().unwrap()),
    }
}

fn texts(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

/// A command as words, in an order of its own, with every word in the form that we write.
fn words(command: &str) -> Vec<String> {
    let mut words = spelled_out(command);
    words.sort();
    words
}

fn spelled_out(command: &str) -> Vec<String> {
    let command = command
        .replace("--namespace ", "-n ")
        .replace("--namespace=", "-n ")
        .replace("-n=", "-n ");
    let is_of_flux = command.starts_with("flux ");
    let spelled = |word: &str| match word {
        "ks" | "kustomizations" if is_of_flux => "kustomization".to_owned(),
        "hr" | "helmreleases" if is_of_flux => "helmrelease".to_owned(),
        other => other.to_owned(),
    };
    command.split_whitespace().map(spelled).collect()
}

fn is_the_command(wanted: &str, given: &str) -> bool {
    let given = given.replacen("sluice ", "flux ", 1);
    match wanted.strip_suffix('…') {
        Some(start) => spelled_out(&given)
            .join(" ")
            .starts_with(spelled_out(start).join(" ").as_str()),
        None => words(wanted) == words(&given),
    }
}

/// The differences between an answer and the expected one.
fn faults(case: &Case, given: &Diagnosis) -> Vec<String> {
    let (right, text) = (&case.answer, given.text(""));
    let mut faults = Vec::new();
    let cause = given
        .cause
        .as_ref()
        .map_or_else(|| "none".to_owned(), ToString::to_string);
    if !any(&right["cause"], |wanted| wanted == cause) {
        faults.push(format!("cause {cause}, not {}", right["cause"]));
    }
    for wanted in texts(&right["says"]) {
        if !any(wanted, |wanted| text.contains(wanted)) {
            faults.push(format!("does not say {wanted}"));
        }
    }
    for wanted in texts(&right["blocks"]) {
        if !given
            .blocks
            .iter()
            .any(|id| id.to_string() == wanted.as_str().unwrap())
        {
            faults.push(format!("does not list {wanted}"));
        }
    }
    let mut wanted = texts(&right["helps"]).peekable();
    if wanted.peek().is_some()
        && !wanted.any(|wanted| {
            let wanted = wanted.as_str().unwrap();
            given
                .commands
                .iter()
                .any(|given| is_the_command(wanted, given))
        })
    {
        faults.push(format!("helps with {:?}", given.commands));
    }
    for silent in texts(&right["silent"]) {
        if text.contains(silent.as_str().unwrap()) {
            faults.push(format!("speaks of {silent}"));
        }
    }
    faults
}

/// The number of cases, and the wrong answers.
fn judged(cases: &[Case]) -> (usize, Vec<String>) {
    let mut wrong = Vec::new();
    for case in cases {
        let answer = explain(&case.snapshot, &case.asked, "sluice");
        let faults = faults(case, &answer);
        if !faults.is_empty() {
            let faults = faults.join("; ");
            wrong.push(format!("{}: {faults}\n{}", case.name, answer.text("")));
        }
    }
    (cases.len(), wrong)
}

#[test]
fn seeded_failures_are_explained() {
    let (cases, wrong) = judged(&cases(&folder()));
    assert!(
        cases >= 40 && cases - wrong.len() >= ENOUGH,
        "{} of {cases} are wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn later_cases_are_explained() {
    let (cases, wrong) = judged(&cases(&folder().join("held-back")));
    assert!(cases >= 58);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_kind_of_the_cases_is_known() {
    let held_back = cases(&folder().join("held-back"));
    for case in cases(&folder()).into_iter().chain(held_back) {
        for object in case.snapshot.all() {
            if object.group().ends_with("toolkit.fluxcd.io") {
                assert!(by_kind(object.kind()).is_some(), "{}", object.kind());
            }
        }
    }
}
