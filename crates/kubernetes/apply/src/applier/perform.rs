//! Performs the steps of a stage: rank by rank, the objects of a rank in parallel.
//!
//! After a failure the other objects of the rank are finished, and the next rank is not started.
//! All results are in the change set before the error is returned. Recreated objects of a rank are
//! deleted first and awaited together, so that the caller runs one wait.

use futures::StreamExt as _;
use kube::api::PropagationPolicy;
use sluice_client::{DeleteOptions, Error, PatchOptions};

use super::{
    Action, Applier, ApplyError, ApplyRun, Duration, Object, ObjectFailure, Operation,
    ResolvedObject, Step, Value, WaitRunner, WaitTarget, in_order, order, run_wait,
};
use crate::changes::ChangeSetEntry;
use crate::cleanup;
use crate::wait::WaitOptions;

/// Maximum time for the deletion before a recreation.
const GONE_TIMEOUT: Duration = Duration::from_mins(1);
/// Attempts of a clean-up patch when other writers interfere.
const CLEAN_UP_ATTEMPTS: usize = 10;

impl Applier {
    pub(super) async fn perform_all(
        &self,
        located: Vec<ResolvedObject>,
        steps: Vec<Step>,
        run: &mut ApplyRun<'_>,
    ) -> Result<Vec<WaitTarget>, ApplyError> {
        let mut targets = Vec::with_capacity(located.len());
        let mut queue = located.into_iter().zip(steps).peekable();
        while let Some((first, _)) = queue.peek() {
            let rank = order::rank(first.object.kind());
            let same_rank =
                |(located, _): &(ResolvedObject, Step)| order::rank(located.object.kind()) == rank;
            let mut members = Vec::new();
            while let Some(member) = queue.next_if(same_rank) {
                members.push(member);
            }
            let (members, mut failures) = self
                .delete_recreated(members, run.options.wait_runner)
                .await;
            let performing = members
                .into_iter()
                .map(|(located, step)| self.perform(located, step));
            let settled: Vec<Result<PerformedStep, ObjectFailure>> =
                futures::stream::iter(performing)
                    .buffered(self.settings.concurrency.max(1))
                    .collect()
                    .await;
            let mut defines = false;
            for result in settled {
                match result {
                    Ok(settled) => {
                        defines |= settled.entry.action.is_change()
                            && defines_kinds(&settled.entry.id.kind);
                        run.outcome.changes.extend([settled.entry]);
                        targets.extend(settled.target.map(|target| WaitTarget {
                            selector: Some(run.selector.clone()),
                            ..target
                        }));
                    }
                    Err(failure) => failures.push(failure),
                }
            }
            if defines {
                // Scope, plural and versions of a kind may have changed.
                self.cluster.invalidate_discovery();
            }
            if !failures.is_empty() {
                return Err(ApplyError::Objects(in_order(failures)));
            }
        }
        Ok(targets)
    }

    /// Deletes the objects to recreate and waits for their removal. Failed ones are not in the
    /// returned members.
    async fn delete_recreated(
        &self,
        members: Vec<(ResolvedObject, Step)>,
        wait_runner: Option<&dyn WaitRunner>,
    ) -> (Vec<(ResolvedObject, Step)>, Vec<ObjectFailure>) {
        let (stay, go): (Vec<_>, Vec<_>) = members
            .into_iter()
            .partition(|(_, step)| !matches!(step, Step::Recreate { .. }));
        if go.is_empty() {
            return (stay, Vec::new());
        }
        let deleting = go
            .into_iter()
            .map(|(located, step)| self.request_deletion(located, step));
        let deleted: Vec<Result<(ResolvedObject, Step), ObjectFailure>> =
            futures::stream::iter(deleting)
                .buffered(self.settings.concurrency.max(1))
                .collect()
                .await;
        let going = deleted.into_iter().map(async |deleted| match deleted {
            Ok((located, step)) => self.await_removal(located, step).await,
            Err(failure) => Err(failure),
        });
        let gone = run_wait(wait_runner, futures::future::join_all(going)).await;
        let (mut ready, mut failures) = (stay, Vec::new());
        for result in gone {
            match result {
                Ok(member) => ready.push(member),
                Err(failure) => failures.push(failure),
            }
        }
        (ready, failures)
    }

    async fn perform(
        &self,
        located: ResolvedObject,
        mut step: Step,
    ) -> Result<PerformedStep, ObjectFailure> {
        let desired = &located.object;
        let payload = match &mut step {
            Step::Configure { payload, .. } => payload.take(),
            _ => None,
        };
        let action = match step {
            Step::Skip => {
                return Ok(PerformedStep {
                    entry: ChangeSetEntry::of(desired, Action::Skipped),
                    target: None,
                });
            }
            Step::Keep(state) => {
                return Ok(PerformedStep {
                    entry: ChangeSetEntry::of(desired, Action::Unchanged),
                    target: Some(WaitTarget::of(desired, Some(state))),
                });
            }
            // A recreated object was deleted before.
            Step::Create | Step::Recreate { .. } => Action::Created,
            Step::Configure { clean_up, .. } => {
                if let Some(patch) = clean_up {
                    self.clean_up(&located, patch)
                        .await
                        .map_err(|error| self.failure(desired, Operation::CleanUp, &error))?;
                }
                Action::Configured
            }
        };
        let answer = self
            .send(
                &located,
                payload.as_ref().unwrap_or_else(|| located.desired()),
                false,
            )
            .await
            .map_err(|error| self.failure(desired, Operation::Apply, &error))?;
        Ok(PerformedStep {
            entry: ChangeSetEntry::of(desired, action),
            target: Some(WaitTarget::of(desired, Some(self.waiter.observe(&answer)))),
        })
    }

    /// Sends the clean-up patch. After a conflict it is computed again.
    async fn clean_up(&self, located: &ResolvedObject, mut patch: Value) -> Result<(), Error> {
        let gvk = located.object.gvk();
        let options = PatchOptions {
            field_manager: Some(&self.settings.field_manager),
            ..PatchOptions::default()
        };
        let mut attempt = 1;
        loop {
            let (namespace, name) = (located.namespace(), located.object.name());
            let sent = self
                .cluster
                .json_patch(&gvk, namespace, name, &patch, options)
                .await;
            let Err(error) = sent else { return Ok(()) };
            if !error.is_conflict() || attempt == CLEAN_UP_ATTEMPTS {
                return Err(error);
            }
            attempt += 1;
            let live = self.cluster.get(&gvk, namespace, name).await?;
            let recomputed = live
                .and_then(|value| Object::try_from(value).ok())
                .and_then(|live| cleanup::patch(&live, &self.former, &self.settings.field_manager));
            match recomputed {
                Some(recomputed) => patch = recomputed,
                // Another writer has cleaned up, or the object is gone.
                None => return Ok(()),
            }
        }
    }

    /// Requests the deletion of an object to recreate.
    async fn request_deletion(
        &self,
        located: ResolvedObject,
        step: Step,
    ) -> Result<(ResolvedObject, Step), ObjectFailure> {
        let desired = &located.object;
        let options = DeleteOptions {
            uid: match &step {
                Step::Recreate { uid } => uid.clone(),
                _ => None,
            },
            resource_version: None,
            propagation: Some(PropagationPolicy::Background),
            dry_run: false,
        };
        self.cluster
            .delete(
                &desired.gvk(),
                located.namespace(),
                desired.name(),
                &options,
            )
            .await
            .map_err(|error| self.failure(desired, Operation::Recreate, &error))?;
        Ok((located, step))
    }

    async fn await_removal(
        &self,
        located: ResolvedObject,
        step: Step,
    ) -> Result<(ResolvedObject, Step), ObjectFailure> {
        let options = WaitOptions {
            timeout: GONE_TIMEOUT,
            fail_fast: false,
        };
        let target = WaitTarget::of(&located.object, None);
        match self.wait_gone([target], options).await {
            Ok(()) => Ok((located, step)),
            Err(error) => Err(ObjectFailure::timed_out(
                &located.object,
                Operation::AwaitRecreation,
                &error.to_string(),
            )),
        }
    }
}

/// Whether objects of a kind define or serve kinds.
pub(crate) fn defines_kinds(kind: &str) -> bool {
    matches!(kind, "CustomResourceDefinition" | "APIService")
}

/// The result of a step.
struct PerformedStep {
    entry: ChangeSetEntry,
    target: Option<WaitTarget>,
}
