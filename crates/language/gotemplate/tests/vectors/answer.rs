//! Our answer to a question, and the recorded answer of Go.

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value as Json;
use sluice_gotemplate::{Budget, ExecError, MissingKey, Render, TemplateSet, Value};

use crate::fixture;

/// The result of a template.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Output(Vec<u8>),
    Error {
        message: String,
        causes: Vec<String>,
    },
}

pub(crate) fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// The data of vectors that bring none.
pub(crate) fn common_data() -> Json {
    let text = std::fs::read(folder().join("vectors/data.json")).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn missing_key(vector: &Json) -> MissingKey {
    match vector["missingkey"].as_str() {
        Some("zero") => MissingKey::Zero,
        Some("error") => MissingKey::Error,
        _ => MissingKey::Invalid,
    }
}

pub(crate) fn ours(vector: &Json, common: &Json) -> Answer {
    let text = |field: &str| vector[field].as_str().unwrap_or_default();
    let refused = |error: String| Answer::Error {
        message: error,
        causes: Vec::new(),
    };
    let functions = match vector["plain"].as_bool() {
        Some(true) => &fixture::PLAIN,
        _ => &fixture::FUNCTIONS,
    };
    let mut set = TemplateSet::new("case", Arc::clone(functions))
        .with_missing_key(missing_key(vector))
        .with_delimiters(text("left"), text("right"));
    if let Some(others) = vector["others"].as_object() {
        let mut others: Vec<_> = others.iter().collect();
        others.sort_by_key(|(name, _)| name.as_str());
        for (name, text) in others {
            if let Err(error) = set.parse(name, text.as_str().unwrap().as_bytes()) {
                return refused(error.to_string());
            }
        }
    }
    if let Err(error) = set.parse("case", text("template").as_bytes()) {
        return refused(error.to_string());
    }
    let data = vector.get("data").unwrap_or(common);
    let data = fixture::with_fixtures(Value::from_json(data));
    let budget = Budget {
        steps: 10_000_000,
        bytes: 64 << 20,
        ..Budget::default()
    };
    let mut out = Vec::new();
    let mut render = Render::new(&budget);
    match Arc::new(set).execute(&mut render, "case", &data, &mut out) {
        Ok(()) => Answer::Output(out),
        Err(error) => Answer::Error {
            message: error.to_string(),
            causes: causes(&error),
        },
    }
}

/// The causes of an error, without those that say the same again.
fn causes(error: &ExecError) -> Vec<String> {
    let mut last = error.to_string();
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        let text = cause.to_string();
        if text != last {
            causes.push(text.clone());
            last = text;
        }
        next = cause.source();
    }
    causes
}

pub(crate) fn theirs(vector: &Json) -> Answer {
    if let Some(message) = vector["error"].as_str() {
        let causes = vector["chain"].as_array();
        let causes = causes.map(|causes| {
            causes
                .iter()
                .map(|cause| cause.as_str().unwrap().to_owned())
        });
        return Answer::Error {
            message: message.to_owned(),
            causes: causes.into_iter().flatten().collect(),
        };
    }
    Answer::Output(match vector["bytes"].as_str() {
        Some(bytes) => sluice_golang::base64::decode(bytes.as_bytes()).unwrap(),
        None => vector["result"].as_str().unwrap().as_bytes().to_vec(),
    })
}

pub(crate) fn shown(answer: &Answer) -> String {
    match answer {
        Answer::Output(out) => format!("output {:?}", String::from_utf8_lossy(out)),
        Answer::Error { message, causes } => format!("error {message:?} {causes:?}"),
    }
}
