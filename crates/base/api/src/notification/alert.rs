//! `Alert`: which events go to which provider.

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

/// Which events to tell, and to whom.
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
    /// Facts that are added to every event.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub event_metadata: BTreeMap<String, String>,
    /// The least grave events that are told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("default" = "info"))]
    pub event_severity: Option<EventSeverity>,
    /// The objects whose events are told.
    pub event_sources: Vec<SubjectReference>,
    /// Regular expressions; an event whose message matches one is not told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclusion_list: Vec<String>,
    /// Regular expressions; only an event whose message matches one is told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inclusion_list: Vec<String>,
    /// The provider that is told.
    pub provider_ref: LocalObjectReference,
    /// A few words added to every event; an older way to say `eventMetadata.summary`.
    #[serde(
        default,
        deserialize_with = "lenient::text",
        skip_serializing_if = "Option::is_none"
    )]
    #[schemars(length(max = 255))]
    pub summary: Option<String>,
    /// Tells nothing for now.
    #[serde(default, skip_serializing_if = "lenient::is_false")]
    pub suspend: bool,
}

words! {
    /// The least grave events that an alert tells.
    #[derive(Default)]
    pub enum EventSeverity {
        /// All of them.
        #[default]
        Info = "info",
        /// Failures only.
        Error = "error",
    }
}

toolkit_resource!(Alert, suspended: spec.suspend, conditions: never, observed: never, handled: never);
