//! Readiness by the rules of Helm 3.

use sluice_object::{Object, Value};

use super::conditions;

/// Other objects that the rules look at.
#[derive(Debug, Clone, Copy, Default)]
pub struct RelatedObjects<'r> {
    /// The replica sets in the namespace of a deployment.
    pub replica_sets: &'r [Object],
    /// The pods that a replica set or a replication controller selects.
    pub pods: &'r [Object],
}

/// Whether a live object is ready. Jobs are ready at once, unless they are waited for.
///
/// Fails for a job that cannot recover.
pub fn is_ready(
    object: &Object,
    related: RelatedObjects<'_>,
    waits_for_jobs: bool,
) -> Result<bool, String> {
    let (group, kind) = (object.group(), object.kind());
    Ok(match (group, kind) {
        ("", "Pod") => is_pod_ready(object),
        ("batch", "Job") if waits_for_jobs => return is_job_ready(object),
        ("apps", "Deployment") => is_deployment_ready(object, related.replica_sets),
        ("", "PersistentVolumeClaim") => object.str_at(&["status", "phase"]) == Some("Bound"),
        ("", "Service") => is_service_ready(object),
        ("apps", "DaemonSet") => is_daemon_set_ready(object),
        ("apiextensions.k8s.io", "CustomResourceDefinition") => is_definition_ready(object),
        ("apps", "StatefulSet") => is_stateful_set_ready(object),
        ("apps", "ReplicaSet") | ("", "ReplicationController") => {
            is_observed(object) && related.pods.iter().all(is_pod_ready)
        }
        _ => true,
    })
}

/// The result of the job or the pod of a hook, `None` while it runs.
pub fn hook_result(object: &Object) -> Option<Result<(), String>> {
    let name = object.name();
    match (object.group(), object.kind()) {
        ("batch", "Job") => {
            let list = object.at(&["status", "conditions"]);
            let list = list.and_then(Value::as_array);
            list.into_iter().flatten().find_map(|condition| {
                let holds = condition["status"] == "True";
                match condition["type"].as_str() {
                    Some("Complete") if holds => Some(Ok(())),
                    Some("Failed") if holds => {
                        let reason = condition["reason"].as_str().unwrap_or_default();
                        Some(Err(format!("job {name} failed: {reason}")))
                    }
                    _ => None,
                }
            })
        }
        ("", "Pod") => match object.str_at(&["status", "phase"]) {
            Some("Succeeded") => Some(Ok(())),
            Some("Failed") => Some(Err(format!("pod {name} failed"))),
            _ => None,
        },
        _ => Some(Ok(())),
    }
}

fn number(object: &Object, path: &[&str]) -> i64 {
    object.int_at(path).unwrap_or_default()
}

fn is_pod_ready(pod: &Object) -> bool {
    conditions(pod).any(|(kind, holds)| kind == "Ready" && holds)
}

fn is_job_ready(job: &Object) -> Result<bool, String> {
    let limit = job.int_at(&["spec", "backoffLimit"]);
    // The API server always sets the limit.
    if limit.is_some_and(|limit| number(job, &["status", "failed"]) > limit) {
        let (namespace, name) = (job.namespace(), job.name());
        return Err(format!("job is failed: {namespace}/{name}"));
    }
    let succeeded = number(job, &["status", "succeeded"]);
    let completions = job.int_at(&["spec", "completions"]);
    Ok(completions.is_none_or(|completions| succeeded >= completions))
}

fn is_service_ready(service: &Object) -> bool {
    let kind = service.str_at(&["spec", "type"]);
    if kind == Some("ExternalName") {
        return true;
    }
    let address = service.str_at(&["spec", "clusterIP"]);
    if address.is_none_or(str::is_empty) {
        return false;
    }
    let list = |path: &[&str]| service.at(path).and_then(Value::as_array);
    kind != Some("LoadBalancer")
        || list(&["spec", "externalIPs"]).is_some_and(|addresses| !addresses.is_empty())
        || list(&["status", "loadBalancer", "ingress"]).is_some()
}

/// Whether the controller has seen the last change.
fn is_observed(object: &Object) -> bool {
    let seen = number(object, &["status", "observedGeneration"]);
    seen == object.generation().unwrap_or_default()
}

fn is_deployment_ready(deployment: &Object, replica_sets: &[Object]) -> bool {
    // A paused deployment is never done.
    if deployment.at(&["spec", "paused"]).and_then(Value::as_bool) == Some(true) {
        return true;
    }
    let Some(newest) = new_replica_set(deployment, replica_sets) else {
        return false;
    };
    let replicas = deployment.int_at(&["spec", "replicas"]).unwrap_or(1);
    let expected = replicas - max_unavailable(deployment, replicas);
    is_observed(newest)
        && is_observed(deployment)
        && number(newest, &["status", "readyReplicas"]) >= expected
}

/// The oldest replica set of a deployment with its template.
fn new_replica_set<'r>(deployment: &Object, replica_sets: &'r [Object]) -> Option<&'r Object> {
    let template = template(deployment);
    let owned = replica_sets.iter().filter(|set| is_owned(set, deployment));
    let fitting = owned.filter(|set| self::template(set) == template);
    fitting.min_by_key(|set| (set.creation_timestamp(), set.name()))
}

fn is_owned(object: &Object, owner: &Object) -> bool {
    let owners = object.at(&["metadata", "ownerReferences"]);
    let mut owners = owners.and_then(Value::as_array).into_iter().flatten();
    owners.any(|reference| {
        reference["controller"] == true && reference["uid"].as_str() == owner.uid()
    })
}

/// The template of pods without the hash that the controller adds.
fn template(object: &Object) -> Option<Value> {
    let mut template = object.at(&["spec", "template"])?.clone();
    let metadata = template.get_mut("metadata").and_then(Value::as_object_mut);
    if let Some(metadata) = metadata {
        // Go's structs have this field without a value.
        metadata.retain(|key, value| key != "creationTimestamp" || !value.is_null());
        if let Some(labels) = metadata.get_mut("labels").and_then(Value::as_object_mut) {
            labels.shift_remove("pod-template-hash");
        }
        metadata.retain(|_, value| !value.as_object().is_some_and(serde_json::Map::is_empty));
    }
    Some(template)
}

fn max_unavailable(deployment: &Object, replicas: i64) -> i64 {
    let strategy = deployment.str_at(&["spec", "strategy", "type"]);
    if strategy != Some("RollingUpdate") || replicas == 0 {
        return 0;
    }
    let field = |name| deployment.at(&["spec", "strategy", "rollingUpdate", name]);
    let surge = scaled(field("maxSurge"), replicas, true);
    let unavailable = scaled(field("maxUnavailable"), replicas, false);
    let (Some(surge), Some(unavailable)) = (surge, unavailable) else {
        return 0;
    };
    // Rounding down must not stop the rollout.
    let unavailable = if surge == 0 && unavailable == 0 {
        1
    } else {
        unavailable
    };
    unavailable.min(replicas)
}

/// A number, or a percentage of a total. `None` for another text.
fn scaled(value: Option<&Value>, total: i64, rounds_up: bool) -> Option<i64> {
    match value {
        None | Some(Value::Null) => Some(0),
        Some(Value::String(text)) => {
            let percent: i64 = text.strip_suffix('%')?.parse().ok()?;
            let product = percent.saturating_mul(total);
            let rest = i64::from(rounds_up && product % 100 != 0);
            Some(product / 100 + rest)
        }
        Some(value) => value.as_i64(),
    }
}

fn is_daemon_set_ready(set: &Object) -> bool {
    if !is_observed(set) {
        return false;
    }
    if set.str_at(&["spec", "updateStrategy", "type"]) != Some("RollingUpdate") {
        return true;
    }
    let desired = number(set, &["status", "desiredNumberScheduled"]);
    if number(set, &["status", "updatedNumberScheduled"]) != desired {
        return false;
    }
    let limit = set.at(&["spec", "updateStrategy", "rollingUpdate", "maxUnavailable"]);
    let unavailable = match limit {
        None | Some(Value::Null) => desired,
        limit => scaled(limit, desired, true).unwrap_or(desired),
    };
    number(set, &["status", "numberReady"]) >= desired - unavailable
}

/// A conflict of names counts as ready, because waiting would not end it.
fn is_definition_ready(definition: &Object) -> bool {
    let list = definition.at(&["status", "conditions"]);
    let mut list = list.and_then(Value::as_array).into_iter().flatten();
    list.any(|condition| {
        let status = condition["status"].as_str();
        match condition["type"].as_str() {
            Some("Established") => status == Some("True"),
            Some("NamesAccepted") => status == Some("False"),
            _ => false,
        }
    })
}

fn is_stateful_set_ready(set: &Object) -> bool {
    if !is_observed(set) {
        return false;
    }
    if set.str_at(&["spec", "updateStrategy", "type"]) != Some("RollingUpdate") {
        return true;
    }
    let partition = number(
        set,
        &["spec", "updateStrategy", "rollingUpdate", "partition"],
    );
    let replicas = set.int_at(&["spec", "replicas"]).unwrap_or(1);
    let revision = |field| set.str_at(&["status", field]).unwrap_or_default();
    number(set, &["status", "updatedReplicas"]) >= replicas - partition
        && number(set, &["status", "readyReplicas"]) == replicas
        && (partition != 0 || revision("currentRevision") == revision("updateRevision"))
}
