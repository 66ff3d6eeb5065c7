//! Waits until the cluster has the pushed commit.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use serde_json::{Value, json};
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT as REQUESTED_AT;
use sluice_client::PatchOptions;
use sluice_insight::fields::{at, text};
use sluice_insight::observe;
use sluice_insight::watch::{WatchTarget, each_state};
use sluice_lifecycle::{Error, FIELD_MANAGER, Session};
use sluice_object::Object;
use sluice_system::Clock as _;

use crate::cluster::{check_suspended, resource};

/// Waits until an object has a revision, and requests a reconciliation if it has another one.
pub(crate) async fn reconciled(
    session: &Session<'_>,
    kind: &'static str,
    revision: &str,
    limit: Duration,
) -> Result<(), Error> {
    let gvk = resource(kind)?.gvk();
    let (cluster, namespace) = (session.cluster, session.namespace.as_str());
    let last = RefCell::new(None);
    let token = sluice_system::SystemClock.now().to_string();
    let asked = Cell::new(false);
    let wait = async {
        loop {
            let which = WatchTarget {
                namespace: Some(namespace),
                name: Some(namespace),
                labels: None,
            };
            // Ends when the object is ready, or a reconciliation has to be requested.
            let seen = each_state(cluster, &gvk, which, |object| {
                last.replace(Some(object.clone()));
                Ok::<_, Error>(match judge(kind, object, revision, &token)? {
                    Verdict::Reached => Some(true),
                    Verdict::Request if !asked.get() => Some(false),
                    Verdict::Request | Verdict::Wait => None,
                })
            });
            if seen.await? {
                return Ok::<(), Error>(());
            }
            asked.set(true);
            let patch = json!({ "metadata": { "annotations": { REQUESTED_AT: token } } });
            let options = PatchOptions {
                field_manager: Some(FIELD_MANAGER),
                ..PatchOptions::default()
            };
            cluster
                .merge(&gvk, Some(namespace), namespace, &patch, options)
                .await?;
        }
    };
    let failed = |reason: String| {
        Error::cluster(format!(
            "error while waiting for {kind} to be ready: '{reason}'"
        ))
    };
    match tokio::time::timeout(limit, wait).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error)) => Err(failed(error.message().to_owned())),
        Err(_) => {
            let last = last.take();
            let said = match &last {
                Some(object) => observe::wait_report(cluster, object).await.lines(),
                None => vec!["it was never seen".to_owned()],
            };
            Err(failed(format!("not at {revision} in time")).details(said))
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    /// It has the revision.
    Reached,
    /// It has another one, and was not requested since.
    Request,
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

/// Whether an object has a revision, or a reconciliation has to be requested. A failure counts if
/// it belongs to the revision, or follows the request.
fn judge(kind: &str, object: &Object, revision: &str, token: &str) -> Result<Verdict, Error> {
    check_suspended(kind, object)?;
    let observed = at(object, "/status/observedGeneration").and_then(Value::as_i64);
    if observed != object.generation() {
        // Its controller reconciles a new generation without a request.
        return Ok(Verdict::Wait);
    }
    let found = match kind {
        "GitRepository" => text(object, "/status/artifact/revision"),
        _ => text(object, "/status/lastAttemptedRevision"),
    };
    let ready = condition(object, "Ready").and_then(|ready| ready["status"].as_str());
    let was_asked = text(object, "/status/lastHandledReconcileAt") == token;
    match ready {
        Some("True") if found == revision => Ok(Verdict::Reached),
        Some("False") if was_asked || (kind != "GitRepository" && found == revision) => {
            Err(Error::cluster(message(object)))
        }
        Some("True" | "False") => Ok(Verdict::Request),
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
    fn repository_is_ready_with_the_pushed_commit() {
        let asked = |revision, ready| of_repository(2, revision, ready, "");
        assert_eq!(asked(REVISION, "True"), Ok(Verdict::Reached));
        assert_eq!(asked("main@sha1:bb", "True"), Ok(Verdict::Request));
        assert_eq!(asked(REVISION, "Unknown"), Ok(Verdict::Wait));
        assert_eq!(of_repository(1, REVISION, "True", ""), Ok(Verdict::Wait));
        assert_eq!(
            asked("", "False"),
            Ok(Verdict::Request),
            "it may be an old failure"
        );
        assert_eq!(
            of_repository(2, "", "False", "token"),
            Err("no route".to_owned())
        );
    }

    #[test]
    fn kustomization_fails_by_its_attempted_revision() {
        let verdict = |revision: &str, ready: &str| {
            let status = json!({
                "observedGeneration": 2, "lastAttemptedRevision": revision,
                "conditions": [{ "type": "Ready", "status": ready, "message": "bad" }],
            });
            let object = live("Kustomization", &status);
            judge("Kustomization", &object, REVISION, "token").map_err(|e| e.message().to_owned())
        };
        assert_eq!(verdict(REVISION, "True"), Ok(Verdict::Reached));
        assert_eq!(verdict("main@sha1:bb", "False"), Ok(Verdict::Request));
        assert_eq!(verdict(REVISION, "False"), Err("bad".to_owned()));
    }
}
