//! Scenario files: actions on remotes and a namespace, stage by stage, with a goal for each stage.
//!
//! A stage runs its actions in order and then waits until every named object reaches its goal. The
//! outcome has the object as it was then. A remote that changes needs a `request`, which the stage
//! waits for.
//!
//! `NAMESPACE`, addresses of remotes (`OPEN_GIT`, …) and names of commits and images stand for
//! their values. The outcome has these names again.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use sluice_testkit::scenarios::condition;

use super::all;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    /// Description for the reader.
    #[serde(rename = "about")]
    _about: String,
    /// Additional flags of the controller.
    #[serde(default)]
    pub(super) flags: Vec<String>,
    pub(super) stages: Vec<Stage>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    pub(super) name: String,
    #[serde(default)]
    pub(super) does: Vec<Action>,
    /// Goals by kind and name of an object.
    pub(super) until: BTreeMap<String, Goal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) enum Action {
    Repository(Repository),
    Commit(Commit),
    Image(Image),
    Chart(Chart),
    File(File),
    Bucket(String),
    Object(Object),
    Secret(Secret),
    Source(Source),
    Patch(Patch),
    /// Deletes an object by kind and name.
    Delete(String),
    /// Requests a reconciliation of an object by kind and name.
    Request(String),
}

/// A Git repository without commits.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Repository {
    pub(super) name: String,
    #[serde(default)]
    pub(super) locked: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Commit {
    /// The repository.
    #[serde(rename = "to")]
    pub(super) repository: String,
    #[serde(default)]
    pub(super) locked: bool,
    #[serde(default = "main")]
    pub(super) branch: String,
    /// The name of the commit in texts.
    pub(super) name: String,
    pub(super) message: String,
    /// Contents by path.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    #[serde(default)]
    pub(super) tags: Vec<String>,
}

fn main() -> String {
    "main".to_owned()
}

/// An artifact in a registry.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Image {
    pub(super) repository: String,
    pub(super) tag: String,
    #[serde(default)]
    pub(super) locked: bool,
    /// The name of the digest in texts.
    pub(super) name: Option<String>,
    pub(super) media_type: Option<String>,
    /// Contents by path.
    pub(super) files: BTreeMap<String, String>,
}

/// A chart in a repository over HTTP.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Chart {
    pub(super) name: String,
    pub(super) version: String,
    #[serde(default)]
    pub(super) locked: bool,
    /// Contents by path, besides `Chart.yaml`.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
}

/// A file in a repository over HTTP.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub(super) path: String,
    pub(super) content: String,
}

/// An object in a bucket.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Object {
    pub(super) bucket: String,
    pub(super) key: String,
    pub(super) content: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Secret {
    pub(super) name: String,
    #[serde(default = "opaque", rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) data: BTreeMap<String, String>,
}

fn opaque() -> String {
    "Opaque".to_owned()
}

/// A custom resource.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    pub(super) kind: String,
    pub(super) name: String,
    /// The spec, without its interval.
    pub(super) spec: Value,
}

/// A change of a spec.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Patch {
    /// Kind and name of the object.
    pub(super) of: String,
    pub(super) spec: Value,
}

/// The expected state of an object.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Goal {
    #[serde(default)]
    pub(super) gone: bool,
    /// Whether to take the object as it is, as a suspended one has no goal.
    #[serde(default)]
    pub(super) any: bool,
    /// Whether the object becomes ready. Otherwise it fails.
    #[serde(default)]
    pub(super) ready: bool,
    /// Whether both are right.
    #[serde(default)]
    pub(super) either: bool,
}

impl Scenario {
    pub(super) fn read(name: &str) -> Self {
        all().read(name)
    }

    /// Whether a text occurs in an action.
    pub(super) fn mentions(&self, text: &str) -> bool {
        format!("{:?}", self.stages).contains(text)
    }
}

impl Goal {
    /// Whether an existing object has reached this goal. `token` is a request that it must have
    /// handled.
    pub(super) fn is_reached(&self, object: &Value, token: Option<&str>) -> bool {
        if self.gone || self.any {
            return self.any;
        }
        let (status, generation) = (&object["status"], &object["metadata"]["generation"]);
        let Some(ready) = condition(object, "Ready") else {
            return false;
        };
        let is_ready = ready["status"] == "True";
        // A run has ended.
        let is_final = match condition(object, "Reconciling") {
            _ if ready["status"] == "Unknown" => false,
            None if is_ready => status["observedGeneration"] == *generation,
            None => condition(object, "Stalled").is_some(),
            Some(reconciling) => !is_ready && reconciling["reason"] == "ProgressingWithRetry",
        };
        is_final
            && (self.either || self.ready == is_ready)
            && ready["observedGeneration"] == *generation
            && token.is_none_or(|token| status["lastHandledReconcileAt"] == token)
    }
}
