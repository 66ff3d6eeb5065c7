//! The steps of a stage carried out: ranks one after the other, the objects of a rank side by
//! side.
//!
//! When an object fails, the others of its rank are finished and the next rank is not begun.
//! Everything that is settled by then is written to the change set before the error leaves.
//! What is recreated is deleted first, and all of a rank is waited for together, so that the
//! caller spends one wait.

use futures::StreamExt as _;
use kube::api::PropagationPolicy;
use sluice_client::{DeleteOptions, Error, PatchOptions};

use super::{
    Action, Applier, ApplyError, Duration, Located, Object, ObjectFailure, Operation, Run, Step,
    Value, WaitRunner, WaitTarget, in_order, order, run_wait,
};
use crate::changes::ChangeSetEntry;
use crate::cleanup;
use crate::wait::WaitOptions;

/// How long a recreated object's predecessor may take to go.
const GONE_TIMEOUT: Duration = Duration::from_mins(1);
/// How often a clean-up patch is computed anew when someone else writes in between.
const CLEAN_UP_ATTEMPTS: usize = 10;

impl Applier {
    pub(super) async fn perform_all(
        &self,
        located: Vec<Located>,
        steps: Vec<Step>,
        run: &mut Run<'_>,
    ) -> Result<Vec<WaitTarget>, ApplyError> {
        let mut targets = Vec::with_capacity(located.len());
        let mut queue = located.into_iter().zip(steps).peekable();
        while let Some((first, _)) = queue.peek() {
            let rank = order::rank(first.object.kind());
            let same_rank =
                |(located, _): &(Located, Step)| order::rank(located.object.kind()) == rank;
            let mut members = Vec::new();
            while let Some(member) = queue.next_if(same_rank) {
                members.push(member);
            }
            let (members, mut failures) = self.make_way(members, run.options.wait_runner).await;
            let performing = members
                .into_iter()
                .map(|(located, step)| self.perform(located, step));
            let settled: Vec<Result<Settled, ObjectFailure>> = futures::stream::iter(performing)
                .buffered(self.settings.concurrency.max(1))
                .collect()
                .await;
            let mut defines = false;
            for result in settled {
                match result {
                    Ok(settled) => {
                        defines |= settled.entry.action.is_change()
                            && defines_kinds(&settled.entry.id.kind);
                        run.applied.changes.extend([settled.entry]);
                        targets.extend(settled.target.map(|target| WaitTarget {
                            selector: Some(run.selector.clone()),
                            ..target
                        }));
                    }
                    Err(failure) => failures.push(failure),
                }
            }
            if defines {
                // Scope, plural or versions of a kind may be other ones now.
                self.cluster.invalidate_discovery();
            }
            if !failures.is_empty() {
                return Err(ApplyError::Objects(in_order(failures)));
            }
        }
        Ok(targets)
    }

    /// Deletes what cannot be changed, and waits until all of it is gone. What could not be
    /// removed is not among the members that come back.
    async fn make_way(
        &self,
        members: Vec<(Located, Step)>,
        wait_runner: Option<&dyn WaitRunner>,
    ) -> (Vec<(Located, Step)>, Vec<ObjectFailure>) {
        let (stay, go): (Vec<_>, Vec<_>) = members
            .into_iter()
            .partition(|(_, step)| !matches!(step, Step::Recreate { .. }));
        if go.is_empty() {
            return (stay, Vec::new());
        }
        let deleting = go
            .into_iter()
            .map(|(located, step)| self.delete_for_good(located, step));
        let deleted: Vec<Result<(Located, Step), ObjectFailure>> = futures::stream::iter(deleting)
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

    async fn perform(&self, located: Located, mut step: Step) -> Result<Settled, ObjectFailure> {
        let desired = &located.object;
        let payload = match &mut step {
            Step::Configure { payload, .. } => payload.take(),
            _ => None,
        };
        let action = match step {
            Step::Skip => {
                return Ok(Settled {
                    entry: ChangeSetEntry::of(desired, Action::Skipped),
                    target: None,
                });
            }
            Step::Keep(seen) => {
                return Ok(Settled {
                    entry: ChangeSetEntry::of(desired, Action::Unchanged),
                    target: Some(WaitTarget::of(desired, Some(seen))),
                });
            }
            // The predecessor of what is recreated is gone by now.
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
        Ok(Settled {
            entry: ChangeSetEntry::of(desired, action),
            target: Some(WaitTarget::of(desired, Some(self.see(&answer)))),
        })
    }

    /// Sends the clean-up patch, computed anew while others write in between.
    async fn clean_up(&self, located: &Located, mut patch: Value) -> Result<(), Error> {
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
            let anew = live
                .and_then(|value| Object::try_from(value).ok())
                .and_then(|live| cleanup::patch(&live, &self.former, &self.settings.field_manager));
            match anew {
                Some(anew) => patch = anew,
                // Someone else cleaned up, or the object is gone: either way nothing is left.
                None => return Ok(()),
            }
        }
    }

    /// Asks for the deletion of what is to be recreated.
    async fn delete_for_good(
        &self,
        located: Located,
        step: Step,
    ) -> Result<(Located, Step), ObjectFailure> {
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
        located: Located,
        step: Step,
    ) -> Result<(Located, Step), ObjectFailure> {
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

/// Whether objects of a kind say which kinds there are.
pub(crate) fn defines_kinds(kind: &str) -> bool {
    matches!(kind, "CustomResourceDefinition" | "APIService")
}

/// One object's end.
struct Settled {
    entry: ChangeSetEntry,
    target: Option<WaitTarget>,
}
