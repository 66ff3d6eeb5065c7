//! A scenario as a file: what is done to a namespace, stage by stage, and what is waited for.
//!
//! A stage does its actions in order and then waits until every Kustomization it names has reached
//! its goal. One stage should cause one run of each Kustomization that it is about, so that counts
//! compare: what a Kustomization reads is put there before the Kustomization. Where a stage leaves
//! `Ready` as the stage before left it, it ends with a `request`, whose handling is then waited for.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;

use super::folder;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Scenario {
    /// The namespace in which it is played, which is the name of its file.
    #[serde(skip)]
    pub(super) name: String,
    /// What it shows, for the reader.
    #[serde(rename = "about")]
    _about: String,
    /// Further flags of the controller.
    #[serde(default)]
    pub(super) flags: Vec<String>,
    /// Kinds that are looked at beside the usual ones.
    #[serde(default)]
    pub(super) watching: Vec<Kind>,
    pub(super) stages: Vec<Stage>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Kind {
    pub(super) api_version: String,
    pub(super) kind: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    pub(super) name: String,
    pub(super) does: Vec<Action>,
    /// By the name of a Kustomization.
    pub(super) until: BTreeMap<String, Goal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) enum Action {
    /// Gives a source an artifact.
    Publish(Publish),
    /// Takes an artifact's archive off the server.
    Lose(String),
    /// Applies an object as somebody who owns its fields by server-side apply.
    Apply(Value),
    /// Creates an object as `kubectl create` does.
    Create(Value),
    /// Changes an object by a merge patch.
    Patch(Patch),
    Delete(Target),
    Kustomization(Kustomization),
    /// Asks a Kustomization for a run.
    Request(String),
    /// Makes a Secret of a file of the repository.
    SecretOf(SecretOf),
    /// Makes a Secret with the kubeconfig of the controller itself.
    KubeConfig(String),
    /// Makes a config map that leads to the controller's own cluster as the service account
    /// `deployer`.
    KubeConfigMap(String),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Publish {
    #[serde(default = "git_repository")]
    pub(super) kind: String,
    #[serde(default = "source")]
    pub(super) name: String,
    pub(super) revision: String,
    /// The revision of where an OCI artifact was made from.
    pub(super) origin: Option<String>,
    /// Content by path; `NAMESPACE` is the namespace.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    /// Files of the repository by path.
    #[serde(default)]
    pub(super) fixtures: BTreeMap<String, String>,
    /// A digest that is not the archive's.
    pub(super) digest: Option<String>,
}

fn git_repository() -> String {
    "GitRepository".to_owned()
}

fn source() -> String {
    "source".to_owned()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Patch {
    #[serde(rename = "of")]
    pub(super) target: Target,
    /// The field manager who does it.
    pub(super) by: String,
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
pub(super) struct Kustomization {
    pub(super) name: String,
    /// Laid over the usual one.
    #[serde(default)]
    pub(super) spec: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretOf {
    pub(super) name: String,
    pub(super) key: String,
    /// Below the root of the repository.
    pub(super) file: String,
}

/// How a Kustomization has to end.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Goal {
    #[serde(default)]
    pub(super) gone: bool,
    pub(super) ready: Option<bool>,
    pub(super) reason: Option<String>,
    /// The message has to hold this.
    pub(super) says: Option<String>,
    /// The revision that was applied or, where that failed, tried.
    pub(super) revision: Option<String>,
}

impl Scenario {
    pub(super) fn read(name: &str) -> Self {
        Self::at(name, &folder().join(format!("scenarios/{name}.yaml")))
    }

    /// The scenario of a file, which is played in the namespace `name`.
    pub(super) fn at(name: &str, path: &Path) -> Self {
        let text = sluice_system::fs::read_to_string(path).unwrap();
        let value = sluice_yaml::v2::from_str_strict(&text)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let scenario: Self = serde_json::from_value(value)
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self {
            name: name.to_owned(),
            ..scenario
        }
    }
}

impl Goal {
    /// Whether a Kustomization that is there has ended so; `token` names the request that must
    /// have been handled.
    pub(super) fn is_reached(&self, object: &Value, token: Option<&str>) -> bool {
        let status = &object["status"];
        let condition = |kind: &str| {
            let conditions = status["conditions"].as_array();
            let mut conditions = conditions.into_iter().flatten();
            conditions.find(|condition| condition["type"] == kind)
        };
        let Some(ready) = condition("Ready") else {
            return false;
        };
        let is_ready = ready["status"] == "True";
        let revision = if is_ready {
            &status["lastAppliedRevision"]
        } else {
            &status["lastAttemptedRevision"]
        };
        let message = ready["message"].as_str().unwrap_or_default();
        let works = condition("Reconciling").is_some_and(|found| found["reason"] == "Progressing");
        !works
            && ready["status"] != "Unknown"
            && self.ready.is_none_or(|wanted| wanted == is_ready)
            && (!is_ready || status["observedGeneration"] == object["metadata"]["generation"])
            && self
                .reason
                .as_deref()
                .is_none_or(|wanted| ready["reason"] == wanted)
            && self
                .says
                .as_deref()
                .is_none_or(|wanted| message.contains(wanted))
            && self
                .revision
                .as_deref()
                .is_none_or(|wanted| revision == wanted)
            && token.is_none_or(|token| status["lastHandledReconcileAt"] == token)
    }
}
