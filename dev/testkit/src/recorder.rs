//! Compares two runs of one scenario: writes, end states and events.
//!
//! Runs differ in namespaces, digests, times and the order of independent objects. A [`Recording`]
//! contains only the parts that must agree. [`Recorder::masking`] adds texts to mask; durations and
//! timestamps are masked always. Writes are grouped by object, because their order matters only
//! within an object.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use k8s_openapi::api::core::v1::Event;
use kube::Api;
use kube::api::ListParams;
use kube::core::DynamicObject;
use kube::discovery::ApiResource;
use serde_json::Value;
use similar::TextDiff;

use crate::faults::Call;

/// The recorded parts of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recording {
    writes: Vec<String>,
    ends: Vec<String>,
    events: Vec<String>,
}

/// The parts of two recordings that must agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordedParts {
    /// Writes, end states and events: for two undisturbed runs.
    Everything,
    /// End states only: a killed run has more writes and events.
    EndStates,
}

/// Makes a [`Recording`] of a completed run.
#[derive(Debug, Clone, Default)]
pub struct Recorder {
    masks: Vec<(String, String)>,
    kinds: Vec<ApiResource>,
}

impl Recorder {
    /// Creates a recorder without kinds.
    pub fn new() -> Self {
        Self::default()
    }

    /// Masks a text that differs between runs.
    #[must_use]
    pub fn masking(mut self, varying: impl Into<String>, stable: impl Into<String>) -> Self {
        self.masks.push((varying.into(), stable.into()));
        // The longest text first: one text may contain another.
        self.masks
            .sort_by_key(|(varying, _)| std::cmp::Reverse(varying.len()));
        self
    }

    /// Records the objects of a kind at the end of a run.
    #[must_use]
    pub fn watching(mut self, kind: ApiResource) -> Self {
        self.kinds.push(kind);
        self
    }

    /// Records a completed run: the calls of the proxy and the objects of a namespace.
    pub async fn record(
        &self,
        client: &kube::Client,
        namespace: &str,
        calls: &[Call],
    ) -> Recording {
        let mut ends = Vec::new();
        for kind in &self.kinds {
            let api: Api<DynamicObject> = Api::namespaced_with(client.clone(), namespace, kind);
            let objects = api
                .list(&ListParams::default())
                .await
                .unwrap_or_else(|error| panic!("list {} to record them: {error}", kind.plural));
            for object in objects
                .iter()
                .filter(|object| !is_in_every_namespace(kind, object))
            {
                ends.push(self.masked(&end(kind, object)));
            }
        }
        let api: Api<Event> = Api::namespaced(client.clone(), namespace);
        let events = api
            .list(&ListParams::default())
            .await
            .unwrap_or_else(|error| panic!("list events to record them: {error}"));
        let mut events: Vec<String> = events
            .iter()
            .map(|event| self.masked(&describe_event(event)))
            .collect();
        ends.sort_unstable();
        events.sort_unstable();
        // A repeated event may be one event with a count or two events.
        events.dedup();
        Recording {
            writes: self.writes(calls),
            ends,
            events,
        }
    }

    /// Lists the writes by object, in their order.
    fn writes(&self, calls: &[Call]) -> Vec<String> {
        let mut by_object: BTreeMap<String, String> = BTreeMap::new();
        for call in calls
            .iter()
            .filter(|call| call.is_write() && call.resource != "events")
        {
            let object = self.masked(&format!(
                "{} {}/{}",
                call.resource, call.namespace, call.name
            ));
            let writes = by_object.entry(object).or_default();
            let by = if call.manager.is_empty() {
                String::new()
            } else {
                format!(" by {}", call.manager)
            };
            let on = if call.subresource.is_empty() {
                String::new()
            } else {
                format!(" {}", call.subresource)
            };
            let status = call
                .status
                .map_or_else(|| "?".to_owned(), |status| status.to_string());
            writeln!(writes, "  {}{on}{by} -> {status}", call.verb)
                .expect("writing to a string succeeds");
        }
        by_object
            .into_iter()
            .map(|(object, writes)| format!("{object}\n{writes}"))
            .collect()
    }

    fn masked(&self, text: &str) -> String {
        let named = self
            .masks
            .iter()
            .fold(text.to_owned(), |text, (varying, stable)| {
                text.replace(varying, stable)
            });
        mask_times(&named)
    }
}

impl Recording {
    /// Fails the test with a diff unless two runs agree.
    pub fn assert_agrees(&self, other: &Self, on: RecordedParts) {
        let (left, right) = (self.text(on), other.text(on));
        if left == right {
            return;
        }
        let diff = TextDiff::from_lines(&left, &right);
        panic!(
            "two runs of one scenario differ:\n{}",
            diff.unified_diff()
                .context_radius(6)
                .header("first run", "second run")
        );
    }

    /// Formats the recording, for a diff or a golden file.
    pub fn text(&self, on: RecordedParts) -> String {
        let section = |title: &str, lines: &[String]| format!("== {title}\n{}\n", lines.join("\n"));
        match on {
            RecordedParts::EndStates => section("ends", &self.ends),
            RecordedParts::Everything => {
                section("writes", &self.writes)
                    + &section("ends", &self.ends)
                    + &section("events", &self.events)
            }
        }
    }
}

/// Describes the end state of an object: deletion, finalizers and conditions.
fn end(kind: &ApiResource, object: &DynamicObject) -> String {
    let metadata = &object.metadata;
    let mut text = format!(
        "{}/{}",
        kind.kind,
        metadata.name.as_deref().unwrap_or_default()
    );
    if metadata.deletion_timestamp.is_some() {
        text.push_str(" (being deleted)");
    }
    for finalizer in metadata.finalizers.iter().flatten() {
        write!(text, "\n  finalizer {finalizer}").expect("writing to a string succeeds");
    }
    let status = &object.data["status"];
    let mut conditions: Vec<String> = status["conditions"]
        .as_array()
        .into_iter()
        .flatten()
        .map(condition)
        .collect();
    conditions.sort_unstable();
    for condition in conditions {
        write!(text, "\n  {condition}").expect("writing to a string succeeds");
    }
    let observed = status["observedGeneration"].as_i64();
    if let (Some(observed), Some(generation)) = (observed, metadata.generation)
        && observed != generation
    {
        write!(text, "\n  observed {observed} of {generation}")
            .expect("writing to a string succeeds");
    }
    text
}

fn condition(condition: &Value) -> String {
    let field = |name: &str| condition[name].as_str().unwrap_or_default().to_owned();
    format!(
        "{}={} {}: {}",
        field("type"),
        field("status"),
        field("reason"),
        field("message")
    )
}

fn describe_event(event: &Event) -> String {
    let object = &event.involved_object;
    format!(
        "{}/{} {} {}: {}",
        object.kind.as_deref().unwrap_or_default(),
        object.name.as_deref().unwrap_or_default(),
        event.type_.as_deref().unwrap_or_default(),
        event.reason.as_deref().unwrap_or_default(),
        event.message.as_deref().unwrap_or_default()
    )
}

/// Whether Kubernetes creates the object in each namespace.
fn is_in_every_namespace(kind: &ApiResource, object: &DynamicObject) -> bool {
    let name = object.metadata.name.as_deref().unwrap_or_default();
    matches!(
        (kind.kind.as_str(), name),
        ("ConfigMap", "kube-root-ca.crt") | ("ServiceAccount", "default")
    )
}

/// Masks durations in Go's format (`1m0.5s`, `176.163ms`) and RFC 3339 times.
pub fn mask_times(text: &str) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '+' | 'µ');
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let length = from.find(|c| !is_part(c)).unwrap_or(from.len());
        let (word, after) = from.split_at(length);
        masked.push_str(before);
        let bare = word.trim_end_matches(['.', ':']);
        let replaced = if is_timestamp(bare) {
            "TIME"
        } else if is_duration(bare) {
            "DURATION"
        } else {
            bare
        };
        masked.push_str(replaced);
        masked.push_str(&word[bare.len()..]);
        rest = after;
    }
    masked.push_str(rest);
    masked
}

fn is_timestamp(word: &str) -> bool {
    word.len() >= 20 && word.parse::<jiff::Timestamp>().is_ok()
}

/// Whether a word consists of numbers with units.
fn is_duration(word: &str) -> bool {
    let mut rest = word;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let (number, after) = rest.split_at(digits);
        let unit = ["ms", "µs", "us", "ns", "h", "m", "s"]
            .into_iter()
            .find(|unit| after.starts_with(unit));
        let (Some(unit), true) = (unit, number.starts_with(|c: char| c.is_ascii_digit())) else {
            return false;
        };
        rest = &after[unit.len()..];
    }
    !word.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(verb: &'static str, name: &str, status: u16) -> Call {
        Call {
            verb,
            resource: "configmaps".to_owned(),
            namespace: "run-abc".to_owned(),
            name: name.to_owned(),
            manager: "tester".to_owned(),
            status: Some(status),
            ..Call::default()
        }
    }

    #[test]
    fn only_durations_and_times_are_masked() {
        for (text, masked) in [
            (
                "finished in 176.163666ms, next run in 10m0s",
                "finished in DURATION, next run in DURATION",
            ),
            ("at 2026-01-02T03:04:05Z.", "at TIME."),
            (
                "main@sha1:0a1b2c v1.2.3 5 items 3s",
                "main@sha1:0a1b2c v1.2.3 5 items DURATION",
            ),
            ("s m ms 12 x5s", "s m ms 12 x5s"),
        ] {
            assert_eq!(mask_times(text), masked);
        }
    }

    #[test]
    fn order_of_writes_matters_only_within_object() {
        let recorder = Recorder::new().masking("run-abc", "NAMESPACE");
        let one = recorder.writes(&[
            call("create", "a", 201),
            call("create", "b", 201),
            call("delete", "a", 200),
        ]);
        let two = recorder.writes(&[
            call("create", "b", 201),
            call("create", "a", 201),
            call("delete", "a", 200),
        ]);
        assert_eq!(one, two);
        let other = recorder.writes(&[
            call("delete", "a", 200),
            call("create", "a", 201),
            call("create", "b", 201),
        ]);
        assert_ne!(one, other);
        assert_eq!(
            one[0],
            "configmaps NAMESPACE/a\n  create by tester -> 201\n  delete by tester -> 200\n"
        );
    }

    #[test]
    #[should_panic(expected = "-configmaps /b")]
    fn difference_is_shown_as_diff() {
        let recording = |lines: &[&str]| Recording {
            writes: lines.iter().map(ToString::to_string).collect(),
            ..Recording::default()
        };
        recording(&["configmaps /a", "configmaps /b"])
            .assert_agrees(&recording(&["configmaps /a"]), RecordedParts::Everything);
    }
}
