//! Waits until a controller's Deployment is ready, and reports the cause if that takes too long.

use std::cell::RefCell;
use std::time::Duration;

use serde_json::Value;
use sluice_client::{GroupVersionKind, ListOptions};
use sluice_insight::fields::{at, text};
use sluice_insight::watch::{WatchTarget, each_state};
use sluice_object::Object;
use sluice_object::status::{Status, compute};
use sluice_system::Clock as _;

use crate::error::Error;
use crate::session::{Session, objects};

/// The part of the time limit that is left for reading the pods.
const POD_TIMEOUT: Duration = Duration::from_secs(1);

/// Waits until the Deployment of a controller is ready.
pub async fn deployed(session: &Session<'_>, name: &str, limit: Duration) -> Result<(), Error> {
    let seen = DeploymentState {
        message: "there is no such Deployment".to_owned(),
        selector: String::new(),
    };
    ready(session, name, seen, limit).await
}

/// Waits for a Deployment that was read before. A ready one needs no request.
pub async fn deployed_since(
    session: &Session<'_>,
    deployment: &Object,
    limit: Duration,
) -> Result<(), Error> {
    match DeploymentState::ready(deployment) {
        Ok(()) => Ok(()),
        Err(seen) => ready(session, deployment.name(), seen, limit).await,
    }
}

/// The last state of a Deployment that is not ready.
struct DeploymentState {
    /// The missing part.
    message: String,
    /// The label selector of its pods.
    selector: String,
}

impl DeploymentState {
    fn ready(deployment: &Object) -> Result<(), Self> {
        let health = compute(deployment, sluice_system::SystemClock.now());
        if health.status == Status::Current {
            return Ok(());
        }
        Err(Self {
            message: health.message,
            selector: selected_by(deployment),
        })
    }
}

async fn ready(
    session: &Session<'_>,
    name: &str,
    seen: DeploymentState,
    limit: Duration,
) -> Result<(), Error> {
    let gvk = GroupVersionKind::gvk("apps", "v1", "Deployment");
    let which = WatchTarget {
        namespace: Some(&session.namespace),
        name: Some(name),
        labels: None,
    };
    let last = RefCell::new(seen);
    let ready = each_state(session.cluster, &gvk, which, |object| {
        Ok::<_, Error>(
            DeploymentState::ready(object)
                .map_err(|seen| last.replace(seen))
                .ok(),
        )
    });
    let ended = tokio::time::timeout(limit, ready).await;
    let not_ready = format!("{name}: deployment not ready");
    match ended {
        Ok(ready) => ready.map_err(|error| error.while_doing(not_ready)),
        Err(_) => {
            let seen = last.into_inner();
            let asked = pods(session, seen.selector);
            let pods = tokio::time::timeout(POD_TIMEOUT, asked).await;
            Err(Error::cluster(format!("{not_ready}: {}", seen.message))
                .details(pods.unwrap_or_default()))
        }
    }
}

/// The label selector of a Deployment.
fn selected_by(deployment: &Object) -> String {
    let labels = at(deployment, "/spec/selector/matchLabels").and_then(Value::as_object);
    let labels = labels.into_iter().flatten();
    let labels = labels.filter_map(|(key, value)| Some(format!("{key}={}", value.as_str()?)));
    labels.collect::<Vec<_>>().join(",")
}

/// The reasons why pods do not run; empty without the right to read them.
async fn pods(session: &Session<'_>, selector: String) -> Vec<String> {
    if selector.is_empty() {
        return Vec::new();
    }
    let gvk = GroupVersionKind::gvk("", "v1", "Pod");
    let options = ListOptions {
        labels: Some(selector),
        ..ListOptions::default()
    };
    let listed = session
        .cluster
        .list(&gvk, Some(&session.namespace), &options);
    match listed.await {
        Ok(list) => objects(list).iter().flat_map(trouble).collect(),
        Err(_) => Vec::new(),
    }
}

/// The reasons why containers of a pod wait, or why the pod is not scheduled.
fn trouble(pod: &Object) -> Vec<String> {
    let mut said = Vec::new();
    let mut say = |reason: &str, message: &str| {
        let colon = if message.is_empty() { "" } else { ": " };
        said.push(format!("Pod {}: {reason}{colon}{message}", pod.name()));
    };
    let list = |pointer| at(pod, pointer).and_then(Value::as_array);
    for status in list("/status/containerStatuses").into_iter().flatten() {
        let waiting = &status["state"]["waiting"];
        if let Some(reason) = waiting["reason"].as_str() {
            say(reason, waiting["message"].as_str().unwrap_or_default());
        }
    }
    for condition in list("/status/conditions").into_iter().flatten() {
        if condition["type"] == "PodScheduled" && condition["status"] == "False" {
            say(
                condition["reason"].as_str().unwrap_or("not scheduled"),
                condition["message"].as_str().unwrap_or_default(),
            );
        }
    }
    if text(pod, "/status/reason") == "Evicted" {
        say("Evicted", text(pod, "/status/message"));
    }
    said
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn waiting_container_has_its_reason() {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a" },
            "status": {
                "conditions": [{ "type": "PodScheduled", "status": "True" }],
                "containerStatuses": [
                    { "state": { "running": {} } },
                    { "state": { "waiting": { "reason": "ImagePullBackOff", "message": "no such host" } } },
                ],
            },
        });
        let pod = Object::try_from(pod).unwrap();
        assert_eq!(trouble(&pod), ["Pod a: ImagePullBackOff: no such host"]);
    }

    #[test]
    fn unscheduled_pod_has_its_reason() {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": { "name": "a" },
            "status": { "conditions": [{
                "type": "PodScheduled", "status": "False", "reason": "Unschedulable",
                "message": "0/1 nodes are available",
            }] },
        });
        let pod = Object::try_from(pod).unwrap();
        assert_eq!(
            trouble(&pod),
            ["Pod a: Unschedulable: 0/1 nodes are available"]
        );
    }
}
