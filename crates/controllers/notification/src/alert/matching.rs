//! Matches events with Alerts.

use std::collections::BTreeMap;

use sluice_api::event::{Event, Severity};
use sluice_api::notification::alert::EventSeverity;
use sluice_api::notification::{Alert, SubjectReference};
use sluice_golang::regexp;
use sluice_object::names;

use crate::text::object_path;

/// Maximum size of a compiled pattern.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// Labels of the involved object.
#[derive(Clone, Copy, Debug)]
pub enum Labels<'a> {
    /// The labels.
    Known(&'a BTreeMap<String, String>),
    /// The object could not be read.
    Unreadable,
}

/// Reason why an event does not match an Alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The Alert is suspended.
    Suspended,
    /// The event sources do not include the object.
    Source,
    /// The severity is below that of the Alert.
    Severity,
    /// The labels of the object differ, or are unknown.
    Labels,
    /// No pattern of the inclusion list matches.
    NotIncluded,
    /// A pattern of the exclusion list matches.
    Excluded(String),
}

/// A Warning event to emit on the Alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Reason.
    pub reason: &'static str,
    /// Message.
    pub message: String,
}

/// Match result, with faults of the Alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Whether the Alert wants the event.
    pub outcome: Result<(), Rejection>,
    /// Faults of the Alert.
    pub notices: Vec<Notice>,
}

/// Whether the object's labels must be read for the decision.
pub fn needs_labels(alert: &Alert, event: &Event) -> bool {
    if alert.spec.suspend {
        return false;
    }
    let mut named = alert.spec.event_sources.iter();
    let mut labelled = named.clone();
    let is_named = |source: &SubjectReference| names(source, alert, event);
    let needs = labelled.any(|source| is_named(source) && !source.match_labels.is_empty());
    // A source without labels that includes the object decides alone.
    needs
        && has_severity(alert, event)
        && !named.any(|source| is_named(source) && source.match_labels.is_empty())
}

/// Decides whether an event matches an Alert. `labels` matter only if [`needs_labels`] returns
/// true.
pub fn matches(alert: &Alert, event: &Event, labels: Labels<'_>) -> Match {
    let mut notices = Vec::new();
    let outcome = decide(alert, event, labels, &mut notices);
    Match { outcome, notices }
}

fn decide(
    alert: &Alert,
    event: &Event,
    labels: Labels<'_>,
    notices: &mut Vec<Notice>,
) -> Result<(), Rejection> {
    if alert.spec.suspend {
        return Err(Rejection::Suspended);
    }
    let sources = alert.spec.event_sources.iter();
    let named: Vec<_> = sources
        .filter(|source| names(source, alert, event))
        .collect();
    if named.is_empty() {
        return Err(Rejection::Source);
    }
    if !has_severity(alert, event) {
        return Err(Rejection::Severity);
    }
    let has_labels = named
        .into_iter()
        .any(|source| has_labels(source, event, labels, notices));
    if !has_labels {
        return Err(Rejection::Labels);
    }
    let included = &alert.spec.inclusion_list;
    if !included.is_empty() && first_match(included, "inclusion", event, notices).is_none() {
        return Err(Rejection::NotIncluded);
    }
    match first_match(&alert.spec.exclusion_list, "exclusion", event, notices) {
        Some(pattern) => Err(Rejection::Excluded(pattern.to_owned())),
        None => Ok(()),
    }
}

/// Whether a source includes the object, without regard to labels and API version.
fn names(source: &SubjectReference, alert: &Alert, event: &Event) -> bool {
    let object = &event.involved_object;
    let own = alert.metadata.namespace.as_deref().unwrap_or_default();
    let namespace = source.namespace.as_deref().unwrap_or(own);
    namespace == object.namespace
        && source.kind.as_str() == object.kind
        && (source.name == "*" || source.name == object.name)
}

/// Whether the severity matches. `info` matches all.
fn has_severity(alert: &Alert, event: &Event) -> bool {
    match alert.spec.event_severity.clone().unwrap_or_default() {
        EventSeverity::Info => true,
        EventSeverity::Error => event.severity == Severity::Error,
        EventSeverity::Other(word) => event.severity.as_str() == word,
    }
}

fn has_labels(
    source: &SubjectReference,
    event: &Event,
    labels: Labels<'_>,
    notices: &mut Vec<Notice>,
) -> bool {
    if source.match_labels.is_empty() {
        return true;
    }
    let Labels::Known(labels) = labels else {
        notices.push(Notice {
            reason: "SourceFetchFailed",
            message: format!("error getting source object {}", object_path(event)),
        });
        return false;
    };
    let mut wanted = source.match_labels.iter();
    if !wanted.clone().all(|(key, value)| {
        names::label_key_faults(key).is_empty() && names::label_value_faults(value).is_empty()
    }) {
        let namespace = source.namespace.as_deref().unwrap_or_default();
        notices.push(Notice {
            reason: "InvalidConfig",
            message: format!(
                "error using matchLabels from event source {}/{namespace}/{}",
                source.kind, source.name
            ),
        });
        return false;
    }
    wanted.all(|(key, value)| labels.get(key) == Some(value))
}

/// Returns the first pattern that matches the message. Invalid patterns are reported and skipped.
fn first_match<'p>(
    patterns: &'p [String],
    list: &str,
    event: &Event,
    notices: &mut Vec<Notice>,
) -> Option<&'p str> {
    patterns.iter().map(String::as_str).find(|pattern| {
        match regexp::compile(pattern, MAX_PATTERN_BYTES) {
            Ok(compiled) => compiled.is_match(&event.message),
            Err(_) => {
                notices.push(Notice {
                    reason: "InvalidConfig",
                    message: format!("failed to compile {list} regex: {pattern}"),
                });
                false
            }
        }
    })
}
