//! Checks the health of the applied objects, without holding a worker.

use std::collections::HashSet;
use std::time::Duration;

use sluice_api::kustomize::Kustomization;
use sluice_api::meta::reason;
use sluice_apply::{WaitOptions, WaitTarget};
use sluice_engine::{Notice, Origin};
use sluice_object::ObjectId;
use tokio::time::Instant;

use super::Performer;
use crate::kustomization::conclude;
use crate::kustomization::fault::{FailureEvent, ReportedFailure};
use crate::kustomization::model::{ApplyResult, Health, HealthChecks, RunReport};
use crate::kustomization::plan::own_id;
use crate::kustomization::timing::text;

/// Poll interval for the deletion of the object while its health check runs.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

impl Performer<'_> {
    pub(super) async fn check_health(
        &self,
        applied: ApplyResult,
        report: &mut RunReport,
    ) -> Result<(), ReportedFailure> {
        let plan = self.plan;
        let ApplyResult {
            applier,
            has_changes,
            mut targets,
            pruned,
            ..
        } = applied;
        if pruned.is_some_and(|pruned| pruned > 0) {
            // A deleted object may have been needed, so earlier results do not count.
            targets.iter_mut().for_each(WaitTarget::discard_state);
        }
        if let HealthChecks::Listed(listed) = &plan.health {
            targets = self::listed(listed, &targets);
        }
        let own = own_id(&plan.owner);
        targets.retain(|target| target.id != own);
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
        let ended = self.run.release(waiting).await;
        let took = began.elapsed();
        match ended {
            Ok(Ok(())) => {
                report.health = Health::Passed(took);
                if !plan.was_healthy || (plan.is_new_revision && has_changes) {
                    self.notify(Notice::info(
                        reason::PROGRESSING,
                        conclude::passed_message(took),
                    ));
                }
                Ok(())
            }
            Err(origin) => {
                report.health = Health::Cancelled;
                Err(cancelled(origin.as_ref()))
            }
            Ok(Err(error)) => {
                report.health = Health::Failed(error.to_string());
                let message = format!("health check failed after {}: {error}", text(took));
                Err(ReportedFailure::retry(reason::HEALTH_CHECK_FAILED, message))
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
fn cancelled(origin: Option<&Origin>) -> ReportedFailure {
    let by = origin.map_or_else(
        || "its deletion".to_owned(),
        |origin| format!("new reconciliation triggered by {origin}"),
    );
    let notice = format!("Health checks canceled due to {by}");
    let message = origin.map_or_else(
        || notice.clone(),
        |origin| format!("New reconciliation triggered by {origin}"),
    );
    ReportedFailure {
        event: FailureEvent::Superseded(notice),
        ..ReportedFailure::retry(reason::HEALTH_CHECK_CANCELED, message)
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
