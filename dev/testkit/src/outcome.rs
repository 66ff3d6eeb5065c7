//! The outcome of a run of a controller, as comparable and readable lines.
//!
//! An outcome leaves out identities, times, durations in messages, and values that Kubernetes fills
//! in by chance: addresses of Services, labels of a Job's pods, status.

use std::fmt;

use serde_json::{Map, Value};
use sluice_api::Event;

use crate::audit::Entry;
use crate::recorder::mask_times;

/// Separates a field owner from its fields in a line.
const OWNS: &str = " owns ";

/// Lines about one subject at the end of one stage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The stage and its subject.
    pub title: String,
    /// The lines about the subject.
    pub lines: Vec<String>,
}

/// The sections of a run, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome(pub Vec<Section>);

impl Outcome {
    /// Appends a section.
    pub fn push(&mut self, title: String, lines: Vec<String>) {
        self.0.push(Section { title, lines });
    }

    /// Parses the output of [`fmt::Display`].
    pub fn parse(text: &str) -> Self {
        let mut outcome = Self::default();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match (line.strip_prefix("  "), outcome.0.last_mut()) {
                (Some(line), Some(section)) => section.lines.push(line.to_owned()),
                _ => outcome.push(line.to_owned(), Vec::new()),
            }
        }
        outcome
    }

    /// Returns the lines of a section, with one line for each owned field.
    pub fn lines(&self, title: &str) -> Vec<String> {
        let mut sections = self.0.iter();
        let found = sections.find(|section| section.title == title);
        let lines = found.into_iter().flat_map(|section| &section.lines);
        lines
            .flat_map(|line| match line.split_once(OWNS) {
                Some((owner, paths)) => paths
                    .split(' ')
                    .map(|path| format!("{owner}{OWNS}{path}"))
                    .collect(),
                None => vec![line.clone()],
            })
            .collect()
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, section) in self.0.iter().enumerate() {
            if index > 0 {
                writeln!(formatter)?;
            }
            writeln!(formatter, "{}", section.title)?;
            for line in &section.lines {
                writeln!(formatter, "  {line}")?;
            }
        }
        Ok(())
    }
}

/// Masks differences between runs: addresses, scratch directories, times.
pub fn masked(text: &str, addresses: &[(String, &str)]) -> String {
    let named = addresses
        .iter()
        .fold(text.to_owned(), |text, (address, name)| {
            text.replace(address, name)
        });
    mask_times(&without_scratch(&named))
}

/// Messages of the reference contain its scratch directory; ours contain the path in the artifact.
fn without_scratch(text: &str) -> String {
    const MARK: &str = "/kustomization-";
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(MARK) {
        let (before, from) = rest.split_at(at);
        let number = from[MARK.len()..]
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(from.len() - MARK.len());
        let parent = before
            .rfind(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '('))
            .map_or(0, |at| at + 1);
        rest = &from[MARK.len() + number..];
        if number == 0 {
            masked.push_str(before);
            masked.push_str(MARK);
            continue;
        }
        masked.push_str(&before[..parent]);
        match rest.strip_prefix('/') {
            Some(below) => rest = below,
            None => masked.push('.'),
        }
    }
    masked + rest
}

/// Describes an applied object: its content and its field owners.
pub fn of_object(object: &Value) -> Vec<String> {
    let mut object = object.clone();
    let mut lines = Vec::new();
    if let Some(fields) = object.as_object_mut() {
        // Kubernetes' controllers write the status at any time.
        fields.remove("status");
        fields.remove("kind");
    }
    if let Some(metadata) = object["metadata"].as_object_mut() {
        for name in [
            "uid",
            "resourceVersion",
            "creationTimestamp",
            "name",
            "namespace",
        ] {
            metadata.remove(name);
        }
        let owners = metadata.remove("managedFields").unwrap_or_default();
        lines.extend(owners.as_array().into_iter().flatten().filter_map(owner));
    }
    flatten("", &object, &mut lines);
    lines.sort_unstable();
    lines
}

/// Lists the owners of fields, without those of ignored fields.
fn owner(entry: &Value) -> Option<String> {
    let text = |name: &str| entry[name].as_str().unwrap_or_default();
    if !text("subresource").is_empty() || text("manager") == "kube-controller-manager" {
        return None;
    }
    let mut paths = Vec::new();
    paths_of(String::new(), &entry["fieldsV1"], &mut paths);
    paths.sort_unstable();
    Some(format!(
        "{} {} {}{OWNS}{}",
        text("manager"),
        text("operation"),
        text("apiVersion"),
        paths.join(" ")
    ))
}

fn paths_of(at: String, node: &Value, paths: &mut Vec<String>) {
    let children = node.as_object().filter(|children| !children.is_empty());
    let Some(children) = children else {
        paths.push(at);
        return;
    };
    for (segment, child) in children {
        let path = match segment.split_once(':') {
            Some(("f", name)) if at.is_empty() => name.to_owned(),
            Some(("f", name)) => format!("{at}.{name}"),
            Some((_, key)) => format!("{at}[{key}]"),
            None => format!("{at}{segment}"),
        };
        paths_of(path, child, paths);
    }
}

/// Returns one line for each value of an object.
fn flatten(at: &str, value: &Value, lines: &mut Vec<String>) {
    // Kubernetes fills these in with different values.
    let by_chance = ["spec.clusterIP", "spec.clusterIPs"].contains(&at)
        || at == "spec.healthCheckNodePort"
        || (at.starts_with("spec.ports[") && at.ends_with(".nodePort"))
        || at.ends_with(".deployment.kubernetes.io/revision")
        || at.ends_with("controller-uid");
    match value {
        _ if by_chance => {}
        Value::Object(fields) if !fields.is_empty() => {
            for (name, value) in fields {
                let path = if at.is_empty() {
                    name.clone()
                } else {
                    format!("{at}.{name}")
                };
                flatten(&path, value, lines);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                flatten(&format!("{at}[{index}]"), item, lines);
            }
        }
        value => lines.push(format!("{at} = {value}")),
    }
}

/// Describes a Kustomization: finalizers, conditions, inventory, history and field owners.
pub fn of_kustomization(object: &Value, addresses: &[(String, &str)]) -> Vec<String> {
    let (metadata, status) = (&object["metadata"], &object["status"]);
    let mut lines = Vec::new();
    for finalizer in items(&metadata["finalizers"]) {
        lines.push(format!("finalizer {finalizer}"));
    }
    lines.extend(of_conditions(status, addresses));
    for entry in items(&status["inventory"]["entries"]) {
        let text = |name: &str| entry[name].as_str().unwrap_or_default();
        lines.push(format!("inventory {} {}", text("id"), text("v")));
    }
    for entry in items(&status["history"]) {
        lines.push(format!(
            "history {} ×{} {} {}",
            entry["lastReconciledStatus"].as_str().unwrap_or_default(),
            entry["totalReconciliations"],
            entry["digest"].as_str().unwrap_or_default(),
            entry["metadata"]
        ));
    }
    lines.extend(of_fields(status, &["conditions", "inventory", "history"]));
    lines.extend(of_writers(metadata));
    lines
}

/// Describes the conditions of a status, sorted.
pub fn of_conditions(status: &Value, addresses: &[(String, &str)]) -> Vec<String> {
    let mut conditions = of_ordered_conditions(status, addresses);
    conditions.sort_unstable();
    conditions
}

/// Describes the conditions of a status, in their order.
pub fn of_ordered_conditions(status: &Value, addresses: &[(String, &str)]) -> Vec<String> {
    items(&status["conditions"])
        .map(|condition| {
            let text = |name: &str| condition[name].as_str().unwrap_or_default().to_owned();
            let message = masked(&text("message"), addresses);
            format!(
                "{} {} {} at generation {}: {}",
                text("type"),
                text("status"),
                text("reason"),
                condition["observedGeneration"],
                Value::from(message)
            )
        })
        .collect()
}

/// Lists the values of a status, except for these fields.
pub fn of_fields(status: &Value, except: &[&str]) -> Vec<String> {
    let rest: Map<String, Value> = status
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(name, _)| !except.contains(&&***name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let mut facts = Vec::new();
    flatten("", &Value::Object(rest), &mut facts);
    facts.sort_unstable();
    facts
}

/// Lists the field managers of an object, except for those of tests.
pub fn of_writers(metadata: &Value) -> Vec<String> {
    let mut writers: Vec<String> = items(&metadata["managedFields"])
        .filter(|entry| entry["manager"] != "test" && entry["manager"] != "sluice-test")
        .map(|entry| {
            let text = |name: &str| entry[name].as_str().unwrap_or_default();
            format!(
                "written by {} {} {}",
                text("manager"),
                text("operation"),
                text("subresource")
            )
        })
        .collect();
    writers.sort_unstable();
    writers
}

fn items(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// Formats an event in one line.
pub fn of_event(event: &Event, addresses: &[(String, &str)]) -> String {
    let message = masked(&event.message, addresses);
    let mut line = format!(
        "{} {} {}",
        event.severity.as_str(),
        event.reason,
        Value::from(message)
    );
    for (key, value) in &event.metadata {
        line = format!("{line} {key}={value}");
    }
    line
}

/// Lists all writes of a user, by object. Writes of the scenario's own Kustomizations are left out;
/// applied Kustomizations count.
pub fn of_writes(entries: &[Entry], is_played: impl Fn(&Entry) -> bool) -> Vec<String> {
    let is_own = |entry: &Entry| entry.resource == "kustomizations" && is_played(entry);
    let mut lines: Vec<(String, &Entry)> = entries
        .iter()
        .filter(|entry| entry.is_write() && !is_bookkeeping(entry) && !is_own(entry))
        .map(|entry| {
            let object = format!("{} {}/{}", entry.resource, entry.namespace, entry.name);
            (object, entry)
        })
        .collect();
    // Writes of one object keep their order.
    lines.sort_by(|(left, _), (right, _)| left.cmp(right));
    lines
        .into_iter()
        .map(|(object, entry)| {
            let whom = entry.impersonated.as_deref();
            let whom = whom.map(|whom| format!(" as {whom}")).unwrap_or_default();
            format!("{object}: {} {}{whom}", entry.verb, entry.code)
        })
        .collect()
}

fn is_bookkeeping(entry: &Entry) -> bool {
    let words = ["events", "leases", "selfsubjectaccessreviews"];
    words.contains(&&*entry.resource) || entry.subresource == "token"
}

/// Counts the writes of Kustomizations.
pub fn count_of_statuses(entries: &[Entry]) -> usize {
    entries
        .iter()
        .filter(|entry| entry.is_write() && entry.resource == "kustomizations")
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scratch_directories_are_masked() {
        for (text, without) in [
            ("stat /tmp/kustomization-123/gone: no", "stat gone: no"),
            ("at '/var/tmp/kustomization-7'", "at '.'"),
            (
                "a/kustomization-x and no more",
                "a/kustomization-x and no more",
            ),
        ] {
            assert_eq!(without_scratch(text), without);
        }
    }

    #[test]
    fn parse_reads_displayed_outcome() {
        let mut outcome = Outcome::default();
        outcome.push(
            "one ConfigMap/a".to_owned(),
            vec!["data.key = \"1\"".to_owned()],
        );
        outcome.push("one writes".to_owned(), Vec::new());
        assert_eq!(Outcome::parse(&outcome.to_string()), outcome);
    }
}
