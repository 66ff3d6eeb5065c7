//! Status rules of workloads.
//!
//! Each rule checks the steps of a rollout in order and reports the first unfinished one.

use super::{Condition, Health};
use crate::Object;

/// The stored value for "no progress deadline". Such a Deployment never gets a `Progressing`
/// condition.
const NO_DEADLINE: i64 = i32::MAX as i64;

struct Counts<'a>(&'a Object);

impl Counts<'_> {
    fn spec(&self, field: &str) -> Option<i64> {
        self.0.int_at(&["spec", field])
    }

    /// The desired replicas; the default is one.
    fn desired_replicas(&self) -> i64 {
        self.spec("replicas").unwrap_or(1)
    }

    fn status(&self, field: &str) -> i64 {
        self.0.int_at(&["status", field]).unwrap_or(0)
    }
}

/// Reports `label: have/want` as in progress when there are too few.
fn at_least(label: &str, have: i64, want: i64) -> Result<(), Health> {
    if have < want {
        Err(Health::in_progress(format!("{label}: {have}/{want}")))
    } else {
        Ok(())
    }
}

/// Reports surplus replicas as in progress.
fn no_extra(have: i64, want: i64) -> Result<(), Health> {
    if have > want {
        Err(Health::in_progress(format!(
            "Pending termination: {}",
            have - want
        )))
    } else {
        Ok(())
    }
}

/// Returns the health in either case.
fn merge(result: Result<Health, Health>) -> Health {
    result.unwrap_or_else(|unfinished| unfinished)
}

pub(super) fn deployment(object: &Object, conditions: &[Condition<'_>]) -> Health {
    let counts = Counts(object);
    let deadline = counts
        .spec("progressDeadlineSeconds")
        .unwrap_or(NO_DEADLINE);
    let mut progressing = deadline == NO_DEADLINE;
    let mut available = false;
    for condition in conditions {
        match condition.kind {
            "Progressing" if condition.reason == "ProgressDeadlineExceeded" => {
                return Health::failed("Progress deadline exceeded");
            }
            "Progressing"
                if condition.status == "True" && condition.reason == "NewReplicaSetAvailable" =>
            {
                progressing = true;
            }
            "Available" if condition.status == "True" => available = true,
            _ => {}
        }
    }
    let walk = || {
        let wanted = counts.desired_replicas();
        let replicas = counts.status("replicas");
        let updated = counts.status("updatedReplicas");
        at_least("Replicas", replicas, wanted)?;
        at_least("Updated", updated, wanted)?;
        no_extra(replicas, wanted)?;
        at_least("Available", counts.status("availableReplicas"), updated)?;
        at_least("Ready", counts.status("readyReplicas"), wanted)?;
        if !progressing {
            return Err(Health::in_progress("ReplicaSet not Available"));
        }
        if !available {
            return Err(Health::in_progress("Deployment not Available"));
        }
        Ok(Health::current(format!(
            "Deployment is available. Replicas: {replicas}"
        )))
    };
    merge(walk())
}

pub(super) fn replica_set(object: &Object, conditions: &[Condition<'_>]) -> Health {
    let counts = Counts(object);
    let walk = || {
        if conditions
            .iter()
            .any(|condition| condition.kind == "ReplicaFailure" && condition.status == "True")
        {
            return Err(Health::in_progress("Replica Failure condition. Check Pods"));
        }
        let wanted = counts.desired_replicas();
        let replicas = counts.status("replicas");
        at_least("Labelled", counts.status("fullyLabeledReplicas"), wanted)?;
        at_least("Available", counts.status("availableReplicas"), wanted)?;
        at_least("Ready", counts.status("readyReplicas"), wanted)?;
        no_extra(replicas, wanted)?;
        Ok(Health::current(format!(
            "ReplicaSet is available. Replicas: {replicas}"
        )))
    };
    merge(walk())
}

pub(super) fn stateful_set(object: &Object) -> Health {
    if object.str_at(&["spec", "updateStrategy", "type"]) == Some("OnDelete") {
        return Health::current("StatefulSet is using the ondelete update strategy");
    }
    let counts = Counts(object);
    let walk = || {
        let wanted = counts.desired_replicas();
        let replicas = counts.status("replicas");
        let updated = counts.status("updatedReplicas");
        at_least("Replicas", replicas, wanted)?;
        at_least("Ready", counts.status("readyReplicas"), wanted)?;
        no_extra(replicas, wanted)?;
        let partition = object
            .int_at(&["spec", "updateStrategy", "rollingUpdate", "partition"])
            .filter(|partition| *partition != -1);
        if let Some(partition) = partition {
            // Pods below the partition keep the old revision.
            at_least("updated", updated, wanted - partition)?;
            return Ok(Health::current(format!(
                "Partition rollout complete. updated: {updated}"
            )));
        }
        at_least("current", counts.status("currentReplicas"), wanted)?;
        let revision = |field| object.str_at(&["status", field]).unwrap_or_default();
        if revision("currentRevision") != revision("updateRevision") {
            return Err(Health::in_progress(
                "Waiting for updated revision to match current",
            ));
        }
        Ok(Health::current(format!(
            "All replicas scheduled as expected. Replicas: {replicas}"
        )))
    };
    merge(walk())
}

pub(super) fn daemon_set(object: &Object) -> Health {
    let kind = object.kind();
    // Unlike the general rule, an absent generation means that the controller has not seen the
    // object yet.
    if object.generation().is_none() {
        return Health::in_progress(format!("{kind} metadata.generation not found"));
    }
    if object.int_at(&["status", "observedGeneration"]).is_none() {
        return Health::in_progress(format!("{kind} status.observedGeneration not found"));
    }
    let counts = Counts(object);
    let walk = || {
        let desired = object
            .int_at(&["status", "desiredNumberScheduled"])
            .filter(|desired| *desired != -1)
            .ok_or_else(|| Health::in_progress("Missing .status.desiredNumberScheduled"))?;
        at_least("Current", counts.status("currentNumberScheduled"), desired)?;
        at_least("Updated", counts.status("updatedNumberScheduled"), desired)?;
        at_least("Available", counts.status("numberAvailable"), desired)?;
        at_least("Ready", counts.status("numberReady"), desired)?;
        Ok(Health::current(format!(
            "All replicas scheduled as expected. Replicas: {desired}"
        )))
    };
    merge(walk())
}
