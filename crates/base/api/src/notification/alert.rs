//! `Alert`: the events to send to a provider.

use std::collections::BTreeMap;

use kube::CustomResource;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::subject::SubjectReference;
use crate::{
    lenient,
    meta::{LocalObjectReference, resource::toolkit_resource},
    word::words,
};

/// Desired state of an alert.
#[derive(CustomResource, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[kube(
    group = "notification.toolkit.fluxcd.io",
    version = "v1beta3",
    kind = "Alert",
    plural = "alerts",
    category = "all",
    category = "fluxcd",
    category = "fluxcd-notifications",
    namespaced,
    derive = "Default",
    derive = "PartialEq",
    doc = "A rule that sends the events of some objects to a provider.",
    printcolumn(
        name = "Age",
        type_ = "date",
        json_path = ".metadata.creationTimestamp"
    )
)]
#[serde(rename_all = "camelCase")]
pub struct AlertSpec {
    /// Metadata to add to every event.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub event_metadata: BTreeMap<String, String>,
    /// Minimum severity of events.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "info"))]
    pub event_severity: Option<EventSeverity>,
    /// Objects whose events are sent.
    pub event_sources: Vec<SubjectReference>,
    /// Regular expressions. An event whose message matches one is not sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclusion_list: Vec<String>,
    /// Regular expressions. Only an event whose message matches one is sent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inclusion_list: Vec<String>,
    /// Provider that receives the events.
    pub provider_ref: LocalObjectReference,
    /// Summary added to every event. Deprecated, use `eventMetadata.summary`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 255))]
    pub summary: Option<String>,
    /// Suspends the sending of events.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
}

words! {
    /// Minimum severity of an alert.
    #[derive(Default)]
    pub enum EventSeverity {
        /// All events.
        #[default]
        Info = "info",
        /// Only failures.
        Error = "error",
    }
}

toolkit_resource!(Alert, suspended: spec.suspend, conditions: never, observed: never, handled: never);
