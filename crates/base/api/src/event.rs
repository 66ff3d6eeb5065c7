//! The event that a controller sends to the notification controller.
//!
//! The order of fields is part of the wire format: receivers verify a signature of the serialized
//! event.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{lenient, meta::Time, word::words};

/// Maximum message length of an event, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 39_000;

/// Known metadata keys. The prefix of a key is the API group of the involved object, or
/// [`crate::meta::annotation::EVENT_PREFIX`].
pub mod metadata {
    /// Revision.
    pub const REVISION: &str = "revision";
    /// Origin revision of the artifact.
    pub const ORIGIN_REVISION: &str = "originRevision";
    /// Digest.
    pub const DIGEST: &str = "digest";
    /// Token that makes an event unique.
    pub const TOKEN: &str = "token";
    /// Commit whose status is set.
    pub const COMMIT: &str = "commit";
    /// Requests an update of the commit status.
    pub const COMMIT_STATUS: &str = "commit_status";
    /// Value of [`COMMIT_STATUS`] that requests an update.
    pub const COMMIT_STATUS_UPDATE: &str = "update";
    /// Pull request or merge request for a comment.
    pub const CHANGE_REQUEST: &str = "change_request";
    /// Summary from the user.
    pub const SUMMARY: &str = "summary";
}

words! {
    /// Severity of an event.
    #[derive(Default)]
    pub enum Severity {
        /// Debug information, sent only to the Kubernetes API.
        Trace = "trace",
        /// Normal operation.
        #[default]
        Info = "info",
        /// A failure.
        Error = "error",
    }
}

/// Payload of the requests to `--events-addr`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Object of the event.
    pub involved_object: InvolvedObject,
    /// Severity.
    pub severity: Severity,
    /// Time of the event.
    pub timestamp: Time,
    /// Message for humans.
    pub message: String,
    /// Machine-readable reason, in one word.
    pub reason: String,
    /// Metadata with prefixed keys, see [`metadata`].
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Controller that sends the event.
    pub reporting_controller: String,
    /// Process that sends the event.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    pub reporting_instance: Option<String>,
}

/// Reference to the object of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InvolvedObject {
    /// Kind of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
    /// Namespace of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub namespace: String,
    /// Name of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// UID of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub uid: String,
    /// API version of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub api_version: String,
    /// Resource version of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub resource_version: String,
    /// Field of the object.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub field_path: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn event_fields_have_wire_order() {
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
    fn empty_optional_fields_are_omitted() {
        let text = serde_json::to_string(&Event::default()).unwrap();
        assert!(
            !text.contains("metadata") && !text.contains("reportingInstance"),
            "{text}"
        );
    }
}
