//! Scenario files: actions on a namespace, stage by stage, with a goal for each stage.
//!
//! A stage runs its actions in order and then waits until every named release reaches its goal.
//! The inputs of a release come before it. A stage that does not change `Ready` ends with a
//! `request`, and waits until it is handled.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use sluice_testkit::scenarios::condition;

use super::all;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    /// Namespace of the scenario, equal to the name of its file.
    #[serde(skip)]
    pub(super) name: String,
    /// Description for the reader.
    #[serde(rename = "about")]
    _about: String,
    /// Additional flags of the controller.
    #[serde(default)]
    pub(super) flags: Vec<String>,
    /// Whether to read the namespace `NAMESPACE-target`, too.
    #[serde(default, rename = "hasTarget")]
    pub(super) has_target: bool,
    pub(super) stages: Vec<Stage>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    pub(super) name: String,
    #[serde(default)]
    pub(super) does: Vec<Action>,
    /// Goals by the name of a release.
    pub(super) until: BTreeMap<String, Goal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) enum Action {
    /// Publishes a chart as the artifact of a source.
    Chart(Chart),
    /// Removes the archive of a revision from the server.
    Lose(String),
    /// Applies an object by server-side apply as another field manager.
    Apply(Value),
    Patch(Patch),
    Delete(Target),
    Release(Release),
    Annotate(Annotate),
    /// Requests a reconciliation.
    Request(String),
    /// Rewrites the record of a release.
    Record(Record),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chart {
    #[serde(default = "helm_chart")]
    pub(super) kind: String,
    #[serde(default = "chart")]
    pub(super) name: String,
    pub(super) version: String,
    /// The name of the chart.
    #[serde(default = "web", rename = "chart")]
    pub(super) own_name: String,
    /// The revision, if it is not the version.
    pub(super) revision: Option<String>,
    /// Contents by path. `NAMESPACE` stands for the namespace.
    pub(super) files: BTreeMap<String, String>,
    /// A digest that does not match the archive.
    pub(super) digest: Option<String>,
    /// Whether the controller has created the source.
    #[serde(default)]
    pub(super) existing: bool,
}

fn helm_chart() -> String {
    "HelmChart".to_owned()
}

fn chart() -> String {
    "chart".to_owned()
}

fn web() -> String {
    "web".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Patch {
    #[serde(rename = "of")]
    pub(super) target: Target,
    #[serde(rename = "patch")]
    pub(super) change: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Target {
    pub(super) api_version: String,
    pub(super) kind: String,
    pub(super) name: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Release {
    pub(super) name: String,
    /// Overrides the default fields.
    #[serde(default)]
    pub(super) spec: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Annotate {
    pub(super) name: String,
    /// Annotations without the prefix `reconcile.fluxcd.io/`.
    pub(super) with: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Record {
    pub(super) name: String,
    /// The new status.
    pub(super) status: Option<String>,
    /// The new description.
    pub(super) description: Option<String>,
}

/// The expected state of a release.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Goal {
    #[serde(default)]
    pub(super) gone: bool,
    pub(super) ready: Option<bool>,
    pub(super) reason: Option<String>,
    /// Part of the message.
    pub(super) says: Option<String>,
    #[serde(default)]
    pub(super) stalled: bool,
    /// The reason of `Reconciling`.
    pub(super) reconciling: Option<String>,
    /// Chart version of the newest snapshot.
    pub(super) version: Option<String>,
    /// Whether the generation was observed, whatever `Ready` says.
    #[serde(default)]
    pub(super) observed: bool,
}

impl Scenario {
    pub(super) fn read(name: &str) -> Self {
        let scenario: Self = all().read(name);
        let name = name.to_owned();
        Self { name, ..scenario }
    }
}

impl Goal {
    /// Whether an existing release has reached this goal. `token` is a request that it must have
    /// handled.
    pub(super) fn is_reached(&self, object: &Value, token: Option<&str>) -> bool {
        let status = &object["status"];
        let is_observed = status["observedGeneration"] == object["metadata"]["generation"];
        let is_handled = token.is_none_or(|token| status["lastHandledReconcileAt"] == token);
        if self.observed {
            return is_observed && is_handled;
        }
        let Some(ready) = condition(object, "Ready") else {
            return false;
        };
        let is_ready = ready["status"] == "True";
        let message = ready["message"].as_str().unwrap_or_default();
        let reconciling = condition(object, "Reconciling");
        let version = &status["history"][0]["chartVersion"];
        let matches = |wanted: &Option<String>, found: &Value| {
            wanted.as_deref().is_none_or(|wanted| found == wanted)
        };
        ready["status"] != "Unknown"
            && is_handled
            && self.ready.is_none_or(|wanted| wanted == is_ready)
            && (!is_ready || (is_observed && reconciling.is_none()))
            && (!self.stalled || (is_observed && condition(object, "Stalled").is_some()))
            && matches(&self.reason, &ready["reason"])
            && matches(&self.version, version)
            && (self.reconciling.is_none()
                || reconciling.is_some_and(|found| matches(&self.reconciling, &found["reason"])))
            && self
                .says
                .as_deref()
                .is_none_or(|wanted| message.contains(wanted))
    }
}
