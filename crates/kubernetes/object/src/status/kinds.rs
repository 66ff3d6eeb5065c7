//! Status rules of pods, jobs, volume claims, services and definitions.

use jiff::{SignedDuration, Timestamp};

use super::{Condition, Health, Status, conditions};
use crate::{Object, Value};

/// How long a pod may be unschedulable before it counts as failed.
const SCHEDULE_WINDOW: SignedDuration = SignedDuration::from_secs(15);

pub(super) fn pod(object: &Object, conditions: &[Condition<'_>], now: Timestamp) -> Health {
    match object.str_at(&["status", "phase"]).unwrap_or_default() {
        "Succeeded" => Health::current("Pod has completed successfully"),
        // A bare pod that has failed does not change any more; Flux treats it as Current.
        "Failed" => Health::current("Pod has completed, but not successfully"),
        "Running" => running(object, conditions),
        "Pending" if conditions.iter().any(is_unschedulable_condition) => unscheduled(object, now),
        "Pending" => Health::in_progress("Pod is in the Pending phase"),
        "" => Health::in_progress("Pod phase not available"),
        phase => Health::unknown(format!("unknown phase {phase}")),
    }
}

fn running(object: &Object, conditions: &[Condition<'_>]) -> Health {
    if conditions
        .iter()
        .any(|condition| condition.kind == "Ready" && condition.status == "True")
    {
        return Health::current("Pod is Ready");
    }
    let looping = crash_looping(object);
    if looping.is_empty() {
        Health::in_progress("Pod is running but is not Ready")
    } else {
        Health::failed(format!(
            "Containers in CrashLoop state: {}",
            looping.join(",")
        ))
    }
}

fn crash_looping(object: &Object) -> Vec<&str> {
    object
        .at(&["status", "containerStatuses"])
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter(|status| {
            status
                .pointer("/state/waiting/reason")
                .and_then(Value::as_str)
                == Some("CrashLoopBackOff")
        })
        .filter_map(|status| status.get("name")?.as_str())
        .collect()
}

fn unscheduled(object: &Object, now: Timestamp) -> Health {
    // Without a readable creation time, the window counts as over.
    let deadline = object
        .creation_timestamp()
        .and_then(|created| created.parse::<Timestamp>().ok())
        .and_then(|created| created.checked_add(SCHEDULE_WINDOW).ok());
    match deadline {
        Some(deadline) if now < deadline => Health {
            status: Status::InProgress,
            message: "Pod has not been scheduled".to_owned(),
            valid_until: Some(deadline),
        },
        _ => Health::failed("Pod could not be scheduled"),
    }
}

fn is_unschedulable_condition(condition: &Condition<'_>) -> bool {
    condition.kind == "PodScheduled"
        && condition.status == "False"
        && condition.reason == "Unschedulable"
}

/// Whether a pod is unschedulable, in any phase.
pub(super) fn is_unschedulable(pod: &Object) -> bool {
    conditions(pod).is_ok_and(|conditions| conditions.iter().any(is_unschedulable_condition))
}

/// Flux's rule: a Job is Current when it is complete or suspended, not while it runs.
pub(super) fn job(object: &Object, conditions: &[Condition<'_>]) -> Health {
    if object.at(&["spec", "suspend"]).and_then(Value::as_bool) == Some(true) {
        return Health::current("Job is suspended");
    }
    let parallelism = object.int_at(&["spec", "parallelism"]).unwrap_or(1);
    let completions = object
        .int_at(&["spec", "completions"])
        .unwrap_or(parallelism);
    let count = |field| object.int_at(&["status", field]).unwrap_or(0);
    let (active, succeeded, failed) = (count("active"), count("succeeded"), count("failed"));
    for condition in conditions {
        match (condition.kind, condition.status) {
            ("Complete", "True") => {
                return Health::current(format!(
                    "Job Completed. succeeded: {succeeded}/{completions}"
                ));
            }
            ("Failed", "True") => {
                return Health::failed(format!("Job Failed. failed: {failed}/{completions}"));
            }
            _ => {}
        }
    }
    if object
        .str_at(&["status", "startTime"])
        .is_none_or(str::is_empty)
    {
        return Health::in_progress(format!("Job not started. active: 0/{parallelism}"));
    }
    Health::in_progress(format!(
        "Job in progress. success:{succeeded}, active: {active}, failed: {failed}"
    ))
}

pub(super) fn persistent_volume_claim(object: &Object) -> Health {
    match object.str_at(&["status", "phase"]).unwrap_or("unknown") {
        "Bound" => Health::current("PVC is Bound"),
        phase => Health::in_progress(format!("PVC is not Bound. phase: {phase}")),
    }
}

pub(super) fn service(object: &Object) -> Health {
    let is_load_balancer = object.str_at(&["spec", "type"]) == Some("LoadBalancer");
    let has_address = object
        .str_at(&["spec", "clusterIP"])
        .is_some_and(|address| !address.is_empty());
    if is_load_balancer && !has_address {
        Health::in_progress("ClusterIP not set. Service type: LoadBalancer")
    } else {
        Health::current("Service is ready")
    }
}

pub(super) fn custom_resource_definition(conditions: &[Condition<'_>]) -> Health {
    for condition in conditions {
        match (condition.kind, condition.status) {
            ("NamesAccepted", "False") => return Health::failed(condition.message),
            ("Established", "False") if condition.reason != "Installing" => {
                return Health::failed(condition.message);
            }
            ("Established", "True") => return Health::current("CRD is established"),
            _ => {}
        }
    }
    Health::in_progress("Install in progress")
}
