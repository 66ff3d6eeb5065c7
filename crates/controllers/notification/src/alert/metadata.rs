//! Combines the metadata of an event from its four sources (Flux RFC 0008).

use std::collections::BTreeMap;

use sluice_api::event::{Event, metadata::SUMMARY};
use sluice_api::meta::annotation::EVENT_PREFIX;
use sluice_api::notification::Alert;

use crate::event::group;

/// Message of the warning about keys that several sources set.
pub const CONFLICT_MESSAGE: &str = "metadata key conflicts detected (please refer to the Alert \
    API docs and Flux RFC 0008 for more information)";

/// Source of a key, from the lowest to the highest precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MetadataSource {
    /// Annotations of the involved object.
    Annotations,
    /// `spec.eventMetadata` of the Alert.
    EventMetadata,
    /// `spec.summary` of the Alert.
    Summary,
    /// The controller of the involved object.
    Controller,
}

impl MetadataSource {
    /// Returns the name in the warning.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Annotations => "involved object annotations",
            Self::EventMetadata => "Alert object .spec.eventMetadata",
            Self::Summary => "Alert object .spec.summary",
            Self::Controller => "involved object controller metadata",
        }
    }
}

/// An event with combined metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CombinedEvent {
    /// The event to send.
    pub event: Event,
    /// Keys that several sources set, with the sources' names, for the warning's annotations.
    pub conflicts: BTreeMap<String, String>,
    /// Whether the Alert uses the deprecated field `spec.summary`.
    pub has_summary: bool,
}

/// Combines the metadata of an event with that of an Alert. Key prefixes are dropped. Without any
/// key, the metadata stays unchanged.
pub fn combine(event: &Event, alert: &Alert) -> CombinedEvent {
    let mut combined: BTreeMap<&str, (&str, Vec<MetadataSource>)> = BTreeMap::new();
    let mut add = |key, value, source| {
        let entry = combined.entry(key).or_insert(("", Vec::new()));
        entry.0 = value;
        entry.1.push(source);
    };
    for (key, value) in &event.metadata {
        if let Some(key) = key.strip_prefix(EVENT_PREFIX) {
            add(key, value, MetadataSource::Annotations);
        }
    }
    for (key, value) in &alert.spec.event_metadata {
        add(key, value, MetadataSource::EventMetadata);
    }
    if let Some(summary) = &alert.spec.summary {
        add(SUMMARY, summary, MetadataSource::Summary);
    }
    let prefix = format!("{}/", group(&event.involved_object));
    for (key, value) in &event.metadata {
        if let Some(key) = key.strip_prefix(&prefix) {
            add(key, value, MetadataSource::Controller);
        }
    }
    let names = |sources: &[MetadataSource]| {
        let names = sources.iter().map(|source| source.name());
        names.collect::<Vec<_>>().join(", ")
    };
    let conflicting = combined
        .iter()
        .filter(|(_, (_, sources))| sources.len() > 1);
    let conflicts = conflicting
        .map(|(key, (_, sources))| ((*key).to_owned(), names(sources)))
        .collect();
    let mut sent = event.clone();
    if !combined.is_empty() {
        let pairs = combined.iter();
        sent.metadata = pairs
            .map(|(key, (value, _))| ((*key).to_owned(), (*value).to_owned()))
            .collect();
    }
    CombinedEvent {
        event: sent,
        conflicts,
        has_summary: alert.spec.summary.is_some(),
    }
}
