//! Checks the health of the applied objects, without holding a worker.

use std::collections::HashSet;
use std::time::Duration;

use sluice_api::kustomize::Kustomization;
use sluice_api::meta::reason;
use sluice_apply::{ApplyOutcome, WaitOptions, WaitTarget};
use sluice_engine::{Notice, Origin};
use sluice_object::ObjectId;
use tokio::time::Instant;

use super::{DeployResult, FailureRetry, Health, RunReport, Work, WorkFailure};
use crate::kustomization::conclude::{self, Phase};
use crate::kustomization::plan::HealthChecks;
use crate::kustomization::timing::text;

/// Poll interval for the deletion of the object while its health check runs.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

impl Work<'_> {
    pub(super) async fn check_health(
        &self,
        deployed: DeployResult,
        done: &mut RunReport,
    ) -> Result<(), WorkFailure> {
        let plan = self.plan;
        let DeployResult {
            applier,
            applied: ApplyOutcome {
                changes, targets, ..
            },
            pruned,
        } = deployed;
        let has_applied = changes.has_changes();
        drop(changes);
        let has_changed = has_applied || pruned > 0;
        let targets = match &plan.health {
            HealthChecks::None => {
                done.health = Health::Unchecked;
                return Ok(());
            }
            HealthChecks::Applied => {
                let mut targets = targets;
                if pruned > 0 {
                    // A deleted object may have been needed, so earlier results do not count.
                    targets.iter_mut().for_each(WaitTarget::discard_state);
                }
                targets
            }
            HealthChecks::Listed(listed) => self::listed(listed, &targets),
        };
        let own = self.own_id();
        let targets: Vec<WaitTarget> = targets
            .into_iter()
            .filter(|target| target.id != own)
            .collect();
        if targets.is_empty() {
            done.health = Health::Unchecked;
            return Ok(());
        }
        done.phase = Some(Phase::CheckingHealth);
        if (has_changed || !plan.is_recheck) && !done.is_recorded() {
            // The status must list the objects in the cluster before the wait. It may already do so
            // from before the apply; a slow wait then reports its phase.
            self.record(done).await?;
        }
        let began = Instant::now();
        let options = WaitOptions {
            timeout: plan.timing.timeout,
            fail_fast: self.reconciler.switches.fail_fast,
        };
        let waiting = Box::pin(async {
            tokio::select! {
                biased;
                ended = applier.wait(targets, options, std::future::pending()) => Ok(ended),
                origin = self.cancellation() => Err(origin),
            }
        });
        let waiting = Box::pin(self.report_if_slow(done, waiting));
        let ended = self.run.release(waiting).await;
        let took = began.elapsed();
        match ended {
            Ok(Ok(())) => {
                done.health = Health::Passed(took);
                if !plan.was_healthy || (plan.is_new_revision && has_applied) {
                    self.notify(Notice::info(
                        reason::PROGRESSING,
                        conclude::passed_message(took),
                    ));
                }
                Ok(())
            }
            Err(origin) => {
                done.health = Health::Cancelled;
                Err(cancelled(origin.as_ref()))
            }
            Ok(Err(error)) => {
                done.health = Health::Failed(error.to_string());
                let message = format!("health check failed after {}: {error}", text(took));
                Err(WorkFailure::new(reason::HEALTH_CHECK_FAILED, message))
            }
        }
    }

    /// Resolves when the health check must end: with the feature gate, when the object is enqueued
    /// again; without it, when the object is deleted.
    async fn cancellation(&self) -> Option<Origin> {
        let store = self.reconciler.component.store::<Kustomization>();
        loop {
            let origin = self.run.superseded().await;
            if self.reconciler.switches.cancel_health_checks {
                return Some(origin);
            }
            let is_deleted = store
                .get(self.run.key())
                .is_none_or(|object| object.metadata.deletion_timestamp.is_some());
            if is_deleted {
                return None;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }

    fn own_id(&self) -> ObjectId {
        ObjectId {
            namespace: self.plan.owner.namespace.clone(),
            name: self.plan.owner.name.clone(),
            group: sluice_api::kustomize::GROUP.to_owned(),
            kind: "Kustomization".to_owned(),
        }
    }
}

/// The objects that a spec lists. An applied object that may expire may also expire here.
fn listed(checks: &[(ObjectId, String)], applied: &[WaitTarget]) -> Vec<WaitTarget> {
    let expiring: HashSet<&ObjectId> = applied
        .iter()
        .filter(|target| target.expires)
        .map(|target| &target.id)
        .collect();
    let checks = checks.iter().map(|(id, version)| {
        let mut target = WaitTarget::new(id.clone(), version.clone());
        target.expires = expiring.contains(id);
        target
    });
    checks.collect()
}

/// The failure of a cancelled health check, with its origin.
fn cancelled(origin: Option<&Origin>) -> WorkFailure {
    let by = origin.map_or_else(
        || "its deletion".to_owned(),
        |origin| format!("new reconciliation triggered by {origin}"),
    );
    let notice = format!("Health checks canceled due to {by}");
    WorkFailure {
        reason: reason::HEALTH_CHECK_CANCELED,
        message: origin.map_or_else(
            || notice.clone(),
            |origin| format!("New reconciliation triggered by {origin}"),
        ),
        next: FailureRetry::Now(notice),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_job_may_expire_if_applied_so() {
        let job = |name: &str| ObjectId {
            namespace: "apps".to_owned(),
            name: name.to_owned(),
            group: "batch".to_owned(),
            kind: "Job".to_owned(),
        };
        let applied = [("a", true), ("b", false), ("unlisted", true)].map(|(name, expires)| {
            let mut target = WaitTarget::new(job(name), "v1");
            target.expires = expires;
            target
        });
        let checks = ["a", "b", "of somebody else"].map(|name| (job(name), "v1".to_owned()));
        let targets = listed(&checks, &applied);
        let shown: Vec<_> = targets
            .iter()
            .map(|target| (target.id.name.as_str(), target.expires))
            .collect();
        assert_eq!(
            shown,
            [("a", true), ("b", false), ("of somebody else", false)]
        );
    }
}
