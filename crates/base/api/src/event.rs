//! The event: what a controller tells the notification controller.
//!
//! The field order is that of the wire. Receivers verify signatures over the
//! serialised event, so whoever re-serialises one must keep it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{lenient, meta::Time, word::words};

/// The longest message an event carries, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 39_000;

/// Metadata keys with a meaning; a key is prefixed by the API group of the
/// involved object, or by [`crate::meta::annotation::EVENT_PREFIX`].
pub mod metadata {
    /// The revision that the event speaks of.
    pub const REVISION: &str = "revision";
    /// The revision of the source that an artifact was derived from.
    pub const ORIGIN_REVISION: &str = "originRevision";
    /// The digest that the event speaks of.
    pub const DIGEST: &str = "digest";
    /// Tells apart events that would otherwise be duplicates.
    pub const TOKEN: &str = "token";
    /// The commit that a status is set on.
    pub const COMMIT: &str = "commit";
    /// Asks for the status of a commit to be refreshed.
    pub const COMMIT_STATUS: &str = "commit_status";
    /// The value of [`COMMIT_STATUS`] that does so.
    pub const COMMIT_STATUS_UPDATE: &str = "update";
    /// The pull or merge request that a comment goes to.
    pub const CHANGE_REQUEST: &str = "change_request";
    /// What users say about the object in their own words.
    pub const SUMMARY: &str = "summary";
}

words! {
    /// How grave an event is.
    #[derive(Default)]
    pub enum Severity {
        /// Of interest to whoever debugs; sent to the Kubernetes API only.
        Trace = "trace",
        /// All is well.
        #[default]
        Info = "info",
        /// Something failed.
        Error = "error",
    }
}

/// The payload posted to `--events-addr`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The object that the event is about.
    pub involved_object: InvolvedObject,
    /// How grave it is.
    pub severity: Severity,
    /// When it happened.
    pub timestamp: Time,
    /// What happened, for a human.
    pub message: String,
    /// What happened, in one word.
    pub reason: String,
    /// Facts for programs; keys are prefixed, see [`metadata`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// The controller that tells it.
    pub reporting_controller: String,
    /// The process that tells it.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub reporting_instance: Option<String>,
}

/// The object that an event is about, as Kubernetes refers to objects.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvolvedObject {
    /// The kind of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// The namespace of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// The name of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The identity of the object over time.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// The API version of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// The version of the object that was looked at.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub resource_version: String,
    /// The part of the object that the event is about.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub field_path: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_written_in_the_order_of_the_wire() {
        let event = Event {
            involved_object: InvolvedObject {
                kind: "Kustomization".into(),
                namespace: "flux-system".into(),
                name: "apps".into(),
                uid: "1".into(),
                api_version: "kustomize.toolkit.fluxcd.io/v1".into(),
                resource_version: "7".into(),
                field_path: String::new(),
            },
            severity: Severity::Error,
            timestamp: Time::new("2024-05-01T10:00:00Z"),
            message: "it failed".into(),
            reason: "BuildFailed".into(),
            metadata: BTreeMap::from([(
                "kustomize.toolkit.fluxcd.io/revision".into(),
                "main@sha1:1".into(),
            )]),
            reporting_controller: "kustomize-controller".into(),
            reporting_instance: Some("kustomize-controller-0".into()),
        };
        let text = serde_json::to_string(&event).unwrap();
        assert_eq!(
            text,
            r#"{"involvedObject":{"kind":"Kustomization","namespace":"flux-system","name":"apps","uid":"1","#.to_owned()
                + r#""apiVersion":"kustomize.toolkit.fluxcd.io/v1","resourceVersion":"7"},"severity":"error","#
                + r#""timestamp":"2024-05-01T10:00:00Z","message":"it failed","reason":"BuildFailed","#
                + r#""metadata":{"kustomize.toolkit.fluxcd.io/revision":"main@sha1:1"},"#
                + r#""reportingController":"kustomize-controller","reportingInstance":"kustomize-controller-0"}"#
        );
        assert_eq!(serde_json::from_str::<Event>(&text).unwrap(), event);
    }

    #[test]
    fn empty_optional_fields_are_left_out() {
        let text = serde_json::to_string(&Event::default()).unwrap();
        assert!(
            !text.contains("metadata") && !text.contains("reportingInstance"),
            "{text}"
        );
    }
}
