//! When objects count as ready, by the strategies of Helm.
//!
//! The functions are pure: a caller reads the objects, and asks again when they change.

pub mod legacy;

use jiff::Timestamp;
use sluice_object::status::{self, Health, Status};
use sluice_object::{Object, Value};

use crate::cluster::Goal;

/// Whether the strategy `watcher` waits for an object. It never does for paused deployments.
pub fn is_awaited(object: &Object) -> bool {
    let is_paused = object.at(&["spec", "paused"]).and_then(Value::as_bool);
    !(object.is("apps", "Deployment") && is_paused == Some(true))
}

/// The health of a live object, as the strategy `watcher` sees it.
pub fn health(object: Option<&Object>, goal: Goal, now: Timestamp) -> Health {
    let Some(object) = object else {
        return Health::not_found();
    };
    let is_job = object.is("batch", "Job");
    match goal {
        Goal::HookDone | Goal::ReadyWithJobs if is_job => finished_job(object),
        Goal::HookDone if object.is("", "Pod") => finished_pod(object),
        // Other hooks are ready as soon as they exist.
        Goal::HookDone => Health::current("Resource is current"),
        Goal::Ready if is_job => started_job(object, now),
        Goal::Ready | Goal::ReadyWithJobs | Goal::Deleted => status::compute(object, now),
    }
}

/// Whether a wait for a goal is over. Failed objects do not change any more.
pub fn is_over(status: Status, goal: Goal) -> bool {
    match goal {
        Goal::Deleted => matches!(status, Status::NotFound | Status::Unknown),
        _ => matches!(status, Status::Current | Status::Failed),
    }
}

/// The error of an object that has not reached a goal when the wait ends.
pub fn problem(object: &Object, health: &Health, goal: Goal) -> Option<String> {
    let (kind, namespace, name) = (object.kind(), object.namespace(), object.name());
    let state = match goal {
        Goal::Deleted if is_over(health.status, goal) => return None,
        Goal::Deleted => "still exists",
        _ if health.status == Status::Current => return None,
        _ => "not ready",
    };
    let (status, message) = (health.status, &health.message);
    Some(format!(
        "resource {kind}/{namespace}/{name} {state}. status: {status}, message: {message}"
    ))
}

/// The numbers of a job, and whether a condition holds.
fn job_numbers(job: &Object) -> (i64, i64, i64) {
    let parallelism = job.int_at(&["spec", "parallelism"]).unwrap_or(1);
    let completions = job.int_at(&["spec", "completions"]);
    let count = |field| job.int_at(&["status", field]).unwrap_or_default();
    let completions = completions.unwrap_or(parallelism);
    (count("succeeded"), count("failed"), completions)
}

/// The health of a job that has ended. The first condition that holds decides.
fn ended_job(job: &Object) -> Option<Health> {
    let (succeeded, failed, completions) = job_numbers(job);
    conditions(job).find_map(|(kind, holds)| match kind {
        "Complete" if holds => Some(Health::current(format!(
            "Job Completed. succeeded: {succeeded}/{completions}"
        ))),
        "Failed" if holds => Some(Health::failed(format!(
            "Job Failed. failed: {failed}/{completions}"
        ))),
        _ => None,
    })
}

/// A job must be complete.
fn finished_job(job: &Object) -> Health {
    ended_job(job).unwrap_or_else(|| Health::in_progress("Job in progress"))
}

/// A job must be started.
fn started_job(job: &Object, now: Timestamp) -> Health {
    if job.deletion_timestamp().is_some() {
        // The general rules of another kind, which look at the metadata only.
        let mut other = job.clone();
        other.as_map_mut().insert("kind".into(), "Any".into());
        return status::compute(&other, now);
    }
    ended_job(job).unwrap_or_else(|| {
        let started = job.str_at(&["status", "startTime"]).unwrap_or_default();
        if started.is_empty() {
            return Health::in_progress("Job not started");
        }
        let (succeeded, failed, _) = job_numbers(job);
        let active = job.int_at(&["status", "active"]).unwrap_or_default();
        Health::current(format!(
            "Job in progress. success:{succeeded}, active: {active}, failed: {failed}"
        ))
    })
}

/// A pod must have succeeded.
fn finished_pod(pod: &Object) -> Health {
    let name = pod.name();
    match pod.str_at(&["status", "phase"]) {
        Some("Succeeded") => Health::current(format!("pod {name} succeeded")),
        Some("Failed") => Health::failed(format!("pod {name} failed")),
        _ => Health::in_progress("Pod in progress"),
    }
}

/// The types of conditions, and whether they are true.
fn conditions(object: &Object) -> impl Iterator<Item = (&str, bool)> {
    let conditions = object.at(&["status", "conditions"]);
    let conditions = conditions.and_then(|list| list.as_array());
    conditions.into_iter().flatten().map(|condition| {
        let kind = condition["type"].as_str().unwrap_or_default();
        (kind, condition["status"] == "True")
    })
}

#[cfg(test)]
mod tests;
