//! Questions to the cluster: at the start, whether it can be changed, and at the end, whether it has the
//! commit.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use serde_json::{Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_insight::fields::{at, text};
use sluice_insight::kinds::{Resource, by_kind, is_suspended};
use sluice_object::Object;
use sluice_system::Clock as _;

use crate::cluster::{Context, FIELD_MANAGER, object, refusal};
use crate::commands::check;
use crate::commands::components::refuse_other_manager;
use crate::commands::waiting;
use crate::error::CommandError;
use crate::watch::{Which, each_state};

/// The annotation that asks for a reconciliation.
const REQUESTED_AT: &str = "reconcile.fluxcd.io/requestedAt";

/// Refuses a cluster that another installation manages, or that we must not change.
pub(super) async fn may_be_changed(context: &Context, force: bool) -> Result<(), CommandError> {
    let cluster = context.cluster()?;
    let version = cluster.client().apiserver_version().await;
    let version = version
        .map_err(|error| refusal(&cluster.error("read the Kubernetes version", error)))?
        .git_version;
    if check::is_supported(&version) == Some(false) {
        return Err(
            CommandError::cluster(check::too_old(version.trim_start_matches('v')))
                .hint("nothing was changed, neither in the repository nor in the cluster"),
        );
    }
    if !force {
        refuse_other_manager(context, "bootstrap").await?;
    }
    let gvk = GroupVersionKind::gvk("authorization.k8s.io", "v1", "SelfSubjectAccessReview");
    let review = json!({
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "metadata": {},
        "spec": { "resourceAttributes": { "verb": "*", "group": "*", "resource": "*" } },
    });
    let options = PatchOptions::default();
    let answer = cluster.create(&gvk, None, &review, options).await;
    let answer = answer.map_err(|error| refusal(&error))?;
    if answer["status"]["allowed"] == Value::Bool(true) {
        return Ok(());
    }
    Err(CommandError::cluster(
        "the user of the kubeconfig is no administrator of the cluster: the controllers get rights that only such a one can give",
    )
    .hint("nothing was changed, neither in the repository nor in the cluster"))
}

fn resource(kind: &str) -> Result<&'static Resource, CommandError> {
    by_kind(kind).ok_or_else(|| CommandError::internal(format!("the registry lacks {kind}")))
}

/// The Kustomization of the cluster itself, as far as there is one.
pub(super) struct Synced {
    kustomization: Option<Object>,
}

impl Synced {
    pub(super) async fn read(context: &Context) -> Result<Self, CommandError> {
        let resource = resource("Kustomization")?;
        let namespace = context.namespace();
        let found = context
            .cluster()?
            .get(&resource.gvk(), Some(&namespace), &namespace)
            .await;
        let kustomization = match found {
            Ok(found) => found.and_then(object),
            Err(error) if error.is_no_match() => None,
            Err(error) => return Err(refusal(&error)),
        };
        Ok(Self { kustomization })
    }

    /// Refuses to point the cluster at another folder: what it has would be pruned.
    pub(super) fn check(&self, path: &str) -> Result<(), CommandError> {
        let Some(live) = &self.kustomization else {
            return Ok(());
        };
        let current = text(live, "/spec/path");
        if super::safe_path(current) != super::safe_path(path) {
            let quote = sluice_golang::quote::quote;
            return Err(CommandError::user(format!(
                "sync path configuration ({}) would overwrite path ({}) of existing Kustomization",
                quote(path),
                quote(current)
            ))
            .hint(
                "a cluster follows one folder; what it has from the other one would be deleted",
            ));
        }
        suspended("Kustomization", live)
    }

    /// Whether a controller has applied something already: upgrades are its business then.
    pub(super) fn is_running(&self) -> bool {
        let live = self.kustomization.as_ref();
        live.is_some_and(|live| !text(live, "/status/lastAppliedRevision").is_empty())
    }
}

fn suspended(kind: &str, live: &Object) -> Result<(), CommandError> {
    if !is_suspended(live) {
        return Ok(());
    }
    let (namespace, name) = (live.namespace(), live.name());
    let noun = match kind {
        "GitRepository" => "source git",
        _ => "kustomization",
    };
    Err(
        CommandError::cluster(format!("{kind} '{namespace}/{name}' is suspended"))
            .hint(format!("resume {noun} {name} -n {namespace}")),
    )
}

/// Waits until an object has a revision, and asks for it where that is not yet so.
pub(super) async fn reconciled(
    context: &Context,
    kind: &'static str,
    revision: &str,
    limit: Duration,
) -> Result<(), CommandError> {
    let resource = resource(kind)?;
    let namespace = context.namespace();
    let last = RefCell::new(None);
    let token = sluice_system::SystemClock.now().to_string();
    let cluster = context.cluster()?;
    let gvk = resource.gvk();
    let asked = Cell::new(false);
    let wait = async {
        loop {
            let which = Which {
                namespace: Some(&namespace),
                name: Some(&namespace),
                labels: None,
            };
            // Until it is there or it is time to ask for it.
            let seen = each_state(cluster, &gvk, which, |object| {
                last.replace(Some(object.clone()));
                Ok(match judge(kind, object, revision, &token)? {
                    Verdict::There => Some(true),
                    Verdict::Ask if !asked.get() => Some(false),
                    Verdict::Ask | Verdict::Wait => None,
                })
            });
            if seen.await? {
                return Ok::<(), CommandError>(());
            }
            asked.set(true);
            let patch = json!({ "metadata": { "annotations": { REQUESTED_AT: token } } });
            let options = PatchOptions {
                field_manager: Some(FIELD_MANAGER),
                ..PatchOptions::default()
            };
            cluster
                .merge(&gvk, Some(&namespace), &namespace, &patch, options)
                .await
                .map_err(|error| refusal(&error))?;
        }
    };
    let failed = |reason: String| {
        CommandError::cluster(format!(
            "error while waiting for {kind} to be ready: '{reason}'"
        ))
    };
    match tokio::time::timeout(limit, wait).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(failed(error.message().to_owned())),
        Err(_) => {
            let last = last.take();
            let said = match &last {
                Some(object) => waiting::stand(context, object).await,
                None => vec!["it was never seen".to_owned()],
            };
            Err(failed(format!("not at {revision} in time")).details(said))
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// It has the revision.
    There,
    /// It has another one, and was not requested since.
    Ask,
    Wait,
}

fn condition<'o>(object: &'o Object, kind: &str) -> Option<&'o Value> {
    let conditions = at(object, "/status/conditions").and_then(Value::as_array)?;
    conditions
        .iter()
        .find(|condition| condition["type"].as_str() == Some(kind))
}

fn message(object: &Object) -> String {
    let said = |kind| condition(object, kind)?["message"].as_str();
    said("Ready").unwrap_or_default().to_owned()
}

/// Whether an object has a revision, and what to do if not. A failure counts when it is one of
/// that revision, or came after it was asked.
fn judge(
    kind: &str,
    object: &Object,
    revision: &str,
    token: &str,
) -> Result<Verdict, CommandError> {
    suspended(kind, object)?;
    let observed = at(object, "/status/observedGeneration").and_then(Value::as_i64);
    if observed != object.generation() {
        // It is new to its controller, which looks at it without being asked.
        return Ok(Verdict::Wait);
    }
    let found = match kind {
        "GitRepository" => text(object, "/status/artifact/revision"),
        _ => text(object, "/status/lastAttemptedRevision"),
    };
    let ready = condition(object, "Ready").and_then(|ready| ready["status"].as_str());
    let was_asked = text(object, "/status/lastHandledReconcileAt") == token;
    match ready {
        Some("True") if found == revision => Ok(Verdict::There),
        Some("False") if was_asked || (kind != "GitRepository" && found == revision) => {
            Err(CommandError::cluster(message(object)))
        }
        Some("True" | "False") => Ok(Verdict::Ask),
        _ => Ok(Verdict::Wait),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REVISION: &str = "main@sha1:aa";

    fn live(kind: &str, status: &Value) -> Object {
        let object = json!({
            "apiVersion": "x/v1", "kind": kind,
            "metadata": { "name": "flux-system", "namespace": "flux-system", "generation": 2 },
            "spec": { "path": "./clusters/one" }, "status": status,
        });
        serde_json::from_value(object).unwrap()
    }

    fn of_repository(
        generation: i64,
        revision: &str,
        ready: &str,
        handled: &str,
    ) -> Result<Verdict, String> {
        let status = json!({
            "observedGeneration": generation,
            "artifact": { "revision": revision },
            "lastHandledReconcileAt": handled,
            "conditions": [{ "type": "Ready", "status": ready, "message": "no route" }],
        });
        let object = live("GitRepository", &status);
        judge("GitRepository", &object, REVISION, "token").map_err(|e| e.message().to_owned())
    }

    #[test]
    fn a_repository_is_there_with_the_commit_that_was_pushed() {
        let asked = |revision, ready| of_repository(2, revision, ready, "");
        assert_eq!(asked(REVISION, "True"), Ok(Verdict::There));
        assert_eq!(asked("main@sha1:bb", "True"), Ok(Verdict::Ask));
        assert_eq!(asked(REVISION, "Unknown"), Ok(Verdict::Wait));
        assert_eq!(of_repository(1, REVISION, "True", ""), Ok(Verdict::Wait));
        assert_eq!(
            asked("", "False"),
            Ok(Verdict::Ask),
            "it may be an old failure"
        );
        assert_eq!(
            of_repository(2, "", "False", "token"),
            Err("no route".to_owned())
        );
    }

    #[test]
    fn a_kustomization_fails_by_the_revision_that_it_tried() {
        let verdict = |revision: &str, ready: &str| {
            let status = json!({
                "observedGeneration": 2, "lastAttemptedRevision": revision,
                "conditions": [{ "type": "Ready", "status": ready, "message": "bad" }],
            });
            let object = live("Kustomization", &status);
            judge("Kustomization", &object, REVISION, "token").map_err(|e| e.message().to_owned())
        };
        assert_eq!(verdict(REVISION, "True"), Ok(Verdict::There));
        assert_eq!(verdict("main@sha1:bb", "False"), Ok(Verdict::Ask));
        assert_eq!(verdict(REVISION, "False"), Err("bad".to_owned()));
    }

    #[test]
    fn another_folder_and_a_suspended_object_are_refused() {
        let synced = |object| Synced {
            kustomization: Some(object),
        };
        let live = |suspend: bool| {
            let mut object = live("Kustomization", &json!({})).into_value();
            object["spec"]["suspend"] = json!(suspend);
            Object::try_from(object).unwrap()
        };
        let refusal = |object, path| {
            let refused = synced(object).check(path).err();
            refused.map(|error| error.message().to_owned())
        };
        for same in ["clusters/one", "./clusters/one/"] {
            assert_eq!(refusal(live(false), same), None, "{same}");
        }
        assert_eq!(
            refusal(live(false), "./b").as_deref(),
            Some(
                "sync path configuration (\"./b\") would overwrite path (\"./clusters/one\") of existing Kustomization"
            )
        );
        assert_eq!(
            refusal(live(true), "clusters/one").as_deref(),
            Some("Kustomization 'flux-system/flux-system' is suspended")
        );
    }
}
