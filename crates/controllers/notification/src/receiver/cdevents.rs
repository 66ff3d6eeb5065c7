//! Checks `CDEvents`: the context and subject that version 0.4 requires.
//!
//! Difference to the reference: the content of the subject is not validated against its schema,
//! because the controller does not use it.

use serde_json::Value;
use sluice_api::meta::Time;

use super::payload::parse;

/// Subjects with their predicates in version 0.4.
const TYPES: [(&str, &[&str]); 14] = [
    (
        "artifact",
        &["deleted", "downloaded", "packaged", "published", "signed"],
    ),
    ("branch", &["created", "deleted"]),
    ("build", &["finished", "queued", "started"]),
    (
        "change",
        &["abandoned", "created", "merged", "reviewed", "updated"],
    ),
    ("environment", &["created", "deleted", "modified"]),
    ("incident", &["detected", "reported", "resolved"]),
    ("pipelinerun", &["finished", "queued", "started"]),
    ("repository", &["created", "deleted", "modified"]),
    (
        "service",
        &["deployed", "published", "removed", "rolledback", "upgraded"],
    ),
    ("taskrun", &["finished", "started"]),
    ("testcaserun", &["finished", "queued", "skipped", "started"]),
    ("testoutput", &["published"]),
    ("testsuiterun", &["finished", "queued", "started"]),
    ("ticket", &["closed", "created", "updated"]),
];
/// Major version of every type.
const MAJOR: &str = "0";

pub(super) fn check(body: &[u8]) -> Result<(), String> {
    let event = parse(body)?;
    let (context, subject) = (&event["context"], &event["subject"]);
    let text = |value: &Value, name: &str| {
        let text = value[name].as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned)
            .ok_or_else(|| format!("field {name} is missing"))
    };
    check_type(&text(context, "type")?)?;
    text(context, "version")?;
    text(context, "id")?;
    let source = text(context, "source")?;
    if source.contains(|c: char| c.is_control() || c == ' ') {
        return Err("field source is not a URI reference".to_owned());
    }
    let timestamp = Time::new(text(context, "timestamp")?);
    timestamp
        .parse()
        .map_err(|_| "field timestamp is not an RFC 3339 time".to_owned())?;
    text(subject, "id")?;
    match &subject["content"] {
        Value::Object(_) | Value::Null => Ok(()),
        _ => Err("field content is not an object".to_owned()),
    }
}

/// Checks `dev.cdevents.<subject>.<predicate>.<version>`, or a custom type of a tool.
fn check_type(text: &str) -> Result<(), String> {
    let unknown = || {
        let start: String = text.chars().take(100).collect();
        format!("unknown event type {start:?}")
    };
    let parts: Vec<_> = text.split('.').collect();
    let (subject, predicate, major) = match parts[..] {
        ["dev", "cdevents", subject, predicate, major, _, _] => (subject, predicate, major),
        ["dev", "cdeventsx", subject, predicate, _, _, _] => {
            let is_custom = subject.contains('-') && !predicate.is_empty();
            return if is_custom { Ok(()) } else { Err(unknown()) };
        }
        _ => return Err(unknown()),
    };
    let mut types = TYPES.iter();
    let predicates = types.find(|(known, _)| *known == subject);
    let is_known = predicates.is_some_and(|(_, known)| known.contains(&predicate));
    if is_known && major == MAJOR {
        Ok(())
    } else {
        Err(unknown())
    }
}
