//! The waits of Helm 3, which read all objects every two seconds.

use std::time::Duration;

use serde_json::Value;
use sluice_client::{Cluster, Error, GroupVersionKind, ListOptions};
use sluice_helm::cluster::{ClusterError, Goal};
use sluice_helm::wait::legacy::{self, RelatedObjects};
use sluice_object::Object;

use super::{DEADLINE, limit};
use crate::error::{namespace, request_error};

/// The time between reads.
const INTERVAL: Duration = Duration::from_secs(2);
/// How often reading an object may fail in turn.
const MAX_FAILURES: u32 = 30;

/// Waits by reads until all objects have reached a goal.
pub(crate) async fn legacy(
    cluster: &Cluster,
    objects: &[Object],
    goal: Goal,
    timeout: Duration,
) -> Result<(), ClusterError> {
    let polls = async {
        let mut failures = 0;
        let mut interval = tokio::time::interval(INTERVAL);
        loop {
            interval.tick().await;
            match is_reached(cluster, objects, goal).await {
                Ok(true) => return Ok(()),
                Ok(false) => failures = 0,
                Err(Failure::Request(error)) if error.is_transient() && failures < MAX_FAILURES => {
                    failures += 1;
                }
                Err(Failure::Request(error)) => return Err(request_error(&error)),
                Err(Failure::Hook(text)) => return Err(ClusterError::Failed(text)),
            }
        }
    };
    let ended = tokio::time::timeout(limit(timeout), polls).await;
    ended.unwrap_or_else(|_| {
        let text = match goal {
            Goal::HookDone => "timed out waiting for the condition",
            _ => DEADLINE,
        };
        Err(ClusterError::Failed(text.to_owned()))
    })
}

enum Failure {
    Request(Error),
    Hook(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Request(error)
    }
}

async fn is_reached(cluster: &Cluster, objects: &[Object], goal: Goal) -> Result<bool, Failure> {
    for object in objects {
        let live = cluster
            .get(&object.gvk(), namespace(object), object.name())
            .await?;
        let live = live.and_then(|value| Object::try_from(value).ok());
        let is_reached = match (goal, live) {
            (Goal::Deleted, live) => live.is_none(),
            (_, None) => false,
            (Goal::HookDone, Some(live)) => match legacy::hook_result(&live) {
                None => false,
                Some(Ok(())) => true,
                Some(Err(text)) => return Err(Failure::Hook(text)),
            },
            (Goal::Ready | Goal::ReadyWithJobs, Some(live)) => {
                is_ready(cluster, &live, goal == Goal::ReadyWithJobs).await?
            }
        };
        if !is_reached {
            return Ok(false);
        }
    }
    Ok(true)
}

async fn is_ready(cluster: &Cluster, live: &Object, with_jobs: bool) -> Result<bool, Failure> {
    let kind = match (live.group(), live.kind()) {
        ("apps", "Deployment") => Some(GroupVersionKind::gvk("apps", "v1", "ReplicaSet")),
        ("apps", "ReplicaSet") | ("", "ReplicationController") => {
            Some(GroupVersionKind::gvk("", "v1", "Pod"))
        }
        _ => None,
    };
    let related = match kind {
        Some(kind) => {
            let options = ListOptions {
                labels: live.at(&["spec", "selector"]).map(selector),
                without_managers: true,
                ..ListOptions::default()
            };
            let listed = cluster.list(&kind, namespace(live), &options).await?;
            let items = listed.items.into_iter();
            items
                .filter_map(|item| Object::try_from(item).ok())
                .collect()
        }
        None => Vec::new(),
    };
    let related = if live.is("apps", "Deployment") {
        RelatedObjects {
            replica_sets: &related,
            ..RelatedObjects::default()
        }
    } else {
        RelatedObjects {
            pods: &related,
            ..RelatedObjects::default()
        }
    };
    legacy::is_ready(live, related, with_jobs).map_err(Failure::Hook)
}

/// A selector of an object as the query parameter of a list.
fn selector(selector: &Value) -> String {
    let labels = selector.get("matchLabels");
    let expressions = selector.get("matchExpressions");
    // The selector of a replication controller is the labels themselves.
    let labels = match (labels, expressions) {
        (None, None) => Some(selector),
        (labels, _) => labels,
    };
    let labels = labels.and_then(Value::as_object).into_iter().flatten();
    let labels = labels.filter_map(|(key, value)| Some(format!("{key}={}", value.as_str()?)));
    let expressions = expressions.and_then(Value::as_array).into_iter().flatten();
    let expressions = expressions.filter_map(|expression| {
        let key = expression["key"].as_str()?;
        let values = expression["values"].as_array().into_iter().flatten();
        let values: Vec<&str> = values.filter_map(Value::as_str).collect();
        let values = values.join(",");
        Some(match expression["operator"].as_str()? {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            _ => format!("!{key}"),
        })
    });
    labels.chain(expressions).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::selector;

    #[test]
    fn selector_has_labels_and_expressions() {
        let text = selector(&json!({
            "matchLabels": { "app": "web" },
            "matchExpressions": [
                { "key": "tier", "operator": "In", "values": ["a", "b"] },
                { "key": "old", "operator": "DoesNotExist" },
            ],
        }));
        assert_eq!(text, "app=web,tier in (a,b),!old");
        assert_eq!(selector(&json!({ "app": "web" })), "app=web");
    }
}
