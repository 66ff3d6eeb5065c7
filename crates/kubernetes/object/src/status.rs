//! The health of an object by its own status (kstatus).
//!
//! [`compute`] checks one object: first the general rules (deletion, observed generation,
//! `Reconciling`, `Stalled`), then the rule of its kind, then `Ready`. An object without any of
//! these is Current. [`with_pods`] includes the pods of a workload, and [`aggregate`] combines a
//! set. The rules of kinds are in `status/workloads.rs` and `status/kinds.rs`.
//!
//! Nothing here reads a clock. One rule depends on the time, that of an unschedulable pod. It
//! takes `now` and returns in [`Health::valid_until`] when its answer changes.
//!
//! Parity: `cli-utils: pkg/kstatus`, `pkg: runtime/statusreaders/job.go`.

mod kinds;
mod workloads;

use std::fmt;

use jiff::Timestamp;

use crate::{Object, Value};

/// The status of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The controller has not finished, or has not seen the object.
    InProgress,
    /// The controller has given up.
    Failed,
    /// The object is as desired.
    Current,
    /// The object is being deleted.
    Terminating,
    /// The object does not exist.
    NotFound,
    /// The object could not be read, or its status is malformed.
    Unknown,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::InProgress => "InProgress",
            Self::Failed => "Failed",
            Self::Current => "Current",
            Self::Terminating => "Terminating",
            Self::NotFound => "NotFound",
            Self::Unknown => "Unknown",
        })
    }
}

/// A status with its explanation and its time limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Health {
    /// The status.
    pub status: Status,
    /// The explanation.
    pub message: String,
    /// When the status of an unchanged object changes.
    pub valid_until: Option<Timestamp>,
}

impl Health {
    /// A status that is valid until the object changes.
    pub fn new(status: Status, message: impl Into<String>) -> Self {
        Self {
            status,
            message: message.into(),
            valid_until: None,
        }
    }

    /// The object is as desired.
    pub fn current(message: impl Into<String>) -> Self {
        Self::new(Status::Current, message)
    }

    /// The object is not ready yet.
    pub fn in_progress(message: impl Into<String>) -> Self {
        Self::new(Status::InProgress, message)
    }

    /// The object has failed.
    pub fn failed(message: impl Into<String>) -> Self {
        Self::new(Status::Failed, message)
    }

    /// The object does not exist.
    pub fn not_found() -> Self {
        Self::new(Status::NotFound, "Resource not found")
    }

    /// The object could not be read or understood.
    pub fn unknown(error: impl Into<String>) -> Self {
        Self::new(Status::Unknown, error)
    }
}

/// Computes the health of an object.
pub fn compute(object: &Object, now: Timestamp) -> Health {
    // Flux has its own reader for Jobs, which skips the general rules.
    if object.is("batch", "Job") {
        return conditions(object).map_or_else(Health::unknown, |conditions| {
            kinds::job(object, &conditions)
        });
    }
    if object.deletion_timestamp().is_some() {
        return Health::new(Status::Terminating, "Resource scheduled for deletion");
    }
    match unobserved_generation(object) {
        Ok(None) => {}
        Ok(Some(health)) => return health,
        Err(error) => return Health::unknown(error),
    }
    let conditions = match conditions(object) {
        Ok(conditions) => conditions,
        Err(error) => return Health::unknown(error),
    };
    // The first abnormal condition in the list decides.
    for condition in &conditions {
        match (condition.kind, condition.status) {
            ("Reconciling", "True") => return Health::in_progress(condition.message),
            ("Stalled", "True") => return Health::failed(condition.message),
            _ => {}
        }
    }
    by_kind(object, &conditions, now)
        .or_else(|| ready(&conditions))
        .unwrap_or_else(|| Health::current("Resource is current"))
}

/// Applies the rule of a built-in kind.
fn by_kind(object: &Object, conditions: &[Condition<'_>], now: Timestamp) -> Option<Health> {
    Some(match (object.group(), object.kind()) {
        ("", "Service") => kinds::service(object),
        ("", "Pod") => kinds::pod(object, conditions, now),
        ("", "Secret" | "ConfigMap") | ("batch", "CronJob") => {
            Health::current("Resource is always ready")
        }
        ("", "PersistentVolumeClaim") => kinds::persistent_volume_claim(object),
        ("apps", "StatefulSet") => workloads::stateful_set(object),
        ("apps" | "extensions", "DaemonSet") => workloads::daemon_set(object),
        ("apps" | "extensions", "Deployment") => workloads::deployment(object, conditions),
        ("apps" | "extensions", "ReplicaSet") => workloads::replica_set(object, conditions),
        ("policy", "PodDisruptionBudget") => {
            Health::current("AllowedDisruptions has been computed.")
        }
        ("apiextensions.k8s.io", "CustomResourceDefinition") => {
            kinds::custom_resource_definition(conditions)
        }
        _ => return None,
    })
}

/// Reports a status that belongs to an older generation.
fn unobserved_generation(object: &Object) -> Result<Option<Health>, String> {
    let generation = integer(object, ["metadata", "generation"])?;
    let Some(generation) = generation else {
        return Ok(None);
    };
    let observed = integer(object, ["status", "observedGeneration"])?;
    let stale = observed.filter(|observed| *observed != generation);
    Ok(stale.map(|observed| {
        Health::in_progress(format!(
            "{} generation is {generation}, but latest observed generation is {observed}",
            object.kind()
        ))
    }))
}

/// Reads an integer, which may be absent but not of another type.
fn integer(object: &Object, path: [&str; 2]) -> Result<Option<i64>, String> {
    let Some(value) = object.at(&path) else {
        return Ok(None);
    };
    if let Some(number) = value.as_i64() {
        return Ok(Some(number));
    }
    let (shown, found) = match value {
        Value::Null => ("<nil>".to_owned(), "<nil>"),
        Value::Bool(value) => (value.to_string(), "bool"),
        Value::Number(value) => (value.to_string(), "float64"),
        Value::String(text) => (text.clone(), "string"),
        Value::Array(_) => (value.to_string(), "[]interface {}"),
        Value::Object(_) => (value.to_string(), "map[string]interface {}"),
    };
    let path = path.join(".");
    Err(format!(
        "looking up {path} from resource: .{path} accessor error: {shown} is of the type {found}, expected int64"
    ))
}

/// Reads the `Ready` condition.
fn ready(conditions: &[Condition<'_>]) -> Option<Health> {
    conditions
        .iter()
        .filter(|condition| condition.kind == "Ready")
        .find_map(|condition| match condition.status {
            "True" => Some(Health::current("Resource is Ready")),
            "False" | "Unknown" => Some(Health::in_progress(condition.message)),
            _ => None,
        })
}

/// The health of a `ReplicaSet` or `StatefulSet` with its pods: in progress becomes failed when
/// a pod has failed.
///
/// Pods that are being deleted belong to a rollout, and an autoscaler may help unschedulable
/// pods, so both are ignored.
pub fn with_pods<'a>(
    controller: Health,
    pods: impl IntoIterator<Item = &'a Object>,
    now: Timestamp,
) -> Health {
    let failed = pods
        .into_iter()
        .filter(|pod| fails_controller(pod, now))
        .count();
    with_failed_pods(controller, failed)
}

/// Like [`with_pods`], with the number of failed pods.
pub fn with_failed_pods(controller: Health, failed: usize) -> Health {
    if failed == 0 || controller.status != Status::InProgress {
        controller
    } else {
        Health::failed(format!("{failed} pods have failed"))
    }
}

/// Whether a pod has failed in a way that its controller cannot repair.
pub fn fails_controller(pod: &Object, now: Timestamp) -> bool {
    pod.deletion_timestamp().is_none()
        && !kinds::is_unschedulable(pod)
        && compute(pod, now).status == Status::Failed
}

/// Whether the health of a kind depends on its pods; see [`with_pods`].
pub fn depends_on_pods(group: &str, kind: &str) -> bool {
    group == "apps" && matches!(kind, "ReplicaSet" | "StatefulSet")
}

/// Returns the label selector of a workload's pods in query syntax, or `None` when it cannot be
/// expressed.
pub fn pod_selector(workload: &Object) -> Option<String> {
    let selector = workload.at(&["spec", "selector"])?;
    let mut terms = Vec::new();
    for (key, value) in selector
        .get("matchLabels")
        .and_then(Value::as_object)
        .into_iter()
        .flatten()
    {
        terms.push(format!("{key}={}", value.as_str()?));
    }
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    for expression in expressions.into_iter().flatten() {
        let key = expression.get("key")?.as_str()?;
        let values: Vec<&str> = expression
            .get("values")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let values = values.join(",");
        terms.push(match expression.get("operator")?.as_str()? {
            "In" => format!("{key} in ({values})"),
            "NotIn" => format!("{key} notin ({values})"),
            "Exists" => key.to_owned(),
            "DoesNotExist" => format!("!{key}"),
            _ => return None,
        });
    }
    (!terms.is_empty()).then(|| terms.join(","))
}

/// Whether an object that looks Current may not have been seen by its controller yet. This holds
/// for custom objects without a status.
pub fn awaits_first_status(object: &Object) -> bool {
    let group = object.group();
    let is_built_in = group.is_empty() || !group.contains('.') || group.ends_with(".k8s.io");
    !is_built_in && object.deletion_timestamp().is_none() && object.get("status").is_none()
}

/// Whether nothing but its deletion can make an object of a built-in kind other than Current, once
/// it is.
pub fn only_deletion_matters(object: &Object) -> bool {
    matches!(
        (object.group(), object.kind()),
        (
            "",
            "ConfigMap" | "LimitRange" | "Secret" | "Service" | "ServiceAccount"
        ) | (
            "networking.k8s.io",
            "Ingress" | "IngressClass" | "NetworkPolicy"
        ) | ("rbac.authorization.k8s.io", _)
            | ("scheduling.k8s.io", "PriorityClass")
            | ("storage.k8s.io", "StorageClass")
    )
}

/// Combines statuses: Failed and then Unknown take precedence, and Current needs all.
pub fn aggregate(statuses: impl IntoIterator<Item = Status>) -> Status {
    let mut sum = Status::Current;
    for status in statuses {
        match status {
            Status::Failed => return Status::Failed,
            Status::Unknown => sum = Status::Unknown,
            Status::Current => {}
            _ if sum == Status::Current => sum = Status::InProgress,
            _ => {}
        }
    }
    sum
}

/// An element of `status.conditions`.
struct Condition<'a> {
    kind: &'a str,
    status: &'a str,
    reason: &'a str,
    message: &'a str,
}

/// Reads `status.conditions`. Anything but a list of maps with strings is an error.
fn conditions(object: &Object) -> Result<Vec<Condition<'_>>, String> {
    let list = match object.at(&["status", "conditions"]) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err("status.conditions is not a list".to_owned()),
    };
    list.iter()
        .map(|condition| {
            let field = |name: &str| match condition.get(name) {
                None | Some(Value::Null) => Ok(""),
                Some(Value::String(text)) => Ok(text.as_str()),
                Some(_) => Err(format!("status.conditions: {name} is not a string")),
            };
            if !condition.is_object() {
                return Err("status.conditions contains an element that is not a map".to_owned());
            }
            Ok(Condition {
                kind: field("type")?,
                status: field("status")?,
                reason: field("reason")?,
                message: field("message")?,
            })
        })
        .collect()
}

#[cfg(test)]
mod tests;
