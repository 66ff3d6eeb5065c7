//! Scenario files: actions on a namespace, stage by stage, with a goal for each stage.
//!
//! A stage runs its actions in order and then waits until every named Kustomization reaches its
//! goal. Each stage should cause one run of each Kustomization, so that counts are comparable.
//! Therefore the inputs of a Kustomization come before it. A stage that does not change `Ready`
//! ends with a `request`, and waits until it is handled.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use sluice_testkit::scenarios::{self, condition};

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
    /// Kinds to read beside the default ones.
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
    /// Goals by the name of a Kustomization.
    pub(super) until: BTreeMap<String, Goal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) enum Action {
    /// Publishes an artifact of a source.
    Publish(Publish),
    /// Removes the archive of an artifact from the server.
    Lose(String),
    /// Applies an object by server-side apply as another field manager.
    Apply(Value),
    /// Creates an object as `kubectl create` does.
    Create(Value),
    /// Changes an object with a merge patch.
    Patch(Patch),
    Delete(Target),
    Kustomization(Kustomization),
    /// Requests a reconciliation.
    Request(String),
    /// Creates a Secret from a file of the repository.
    SecretOf(SecretOf),
    /// Creates a Secret with the kubeconfig of the controller.
    KubeConfig(String),
    /// Creates a config map for the controller's own cluster with the service account `deployer`.
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
    /// Upstream revision of an OCI artifact.
    pub(super) origin: Option<String>,
    /// Contents by path; `NAMESPACE` stands for the namespace.
    #[serde(default)]
    pub(super) files: BTreeMap<String, String>,
    /// Files of the repository by path.
    #[serde(default)]
    pub(super) fixtures: BTreeMap<String, String>,
    /// A digest that does not match the archive.
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
    /// Its field manager.
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
    /// Overrides the default fields.
    #[serde(default)]
    pub(super) spec: Value,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretOf {
    pub(super) name: String,
    pub(super) key: String,
    /// Path from the root of the repository.
    pub(super) file: String,
}

/// The expected state of a Kustomization.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Goal {
    #[serde(default)]
    pub(super) gone: bool,
    pub(super) ready: Option<bool>,
    pub(super) reason: Option<String>,
    /// Part of the message.
    pub(super) says: Option<String>,
    /// The applied revision or, after a failure, the attempted one.
    pub(super) revision: Option<String>,
}

impl Scenario {
    pub(super) fn read(name: &str) -> Self {
        all().read::<Self>(name).called(name)
    }

    /// Reads the scenario of a file for the namespace `name`.
    pub(super) fn at(name: &str, path: &Path) -> Self {
        scenarios::read::<Self>(path).called(name)
    }

    fn called(self, name: &str) -> Self {
        let name = name.to_owned();
        Self { name, ..self }
    }
}

impl Goal {
    /// Whether an existing Kustomization has reached this goal. `token` is a request that it must
    /// have handled.
    pub(super) fn is_reached(&self, object: &Value, token: Option<&str>) -> bool {
        let status = &object["status"];
        let Some(ready) = condition(object, "Ready") else {
            return false;
        };
        let is_ready = ready["status"] == "True";
        let revision = if is_ready {
            &status["lastAppliedRevision"]
        } else {
            &status["lastAttemptedRevision"]
        };
        let message = ready["message"].as_str().unwrap_or_default();
        let works =
            condition(object, "Reconciling").is_some_and(|found| found["reason"] == "Progressing");
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
