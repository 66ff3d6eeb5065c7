//! The loop completes an outcome with the handled request and the finalizer.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::Time;
use sluice_api::kustomize::{Kustomization, KustomizationSpec, KustomizationStatus};
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;

use super::*;
use crate::outcome::Requeue;

fn object(is_deleted: bool) -> Kustomization {
    let mut object = Kustomization::new("apps", KustomizationSpec::default());
    object.metadata.annotations =
        Some([(RECONCILE_REQUESTED_AT.to_owned(), "now".to_owned())].into());
    object.metadata.deletion_timestamp =
        is_deleted.then(|| Time("2024-05-01T10:00:00Z".parse().unwrap()));
    object
}

fn with_status() -> Outcome<KustomizationStatus> {
    Outcome::new(KustomizationStatus::default(), Requeue::Never)
}

#[test]
fn outcome_gets_handled_request_and_finalizer() {
    let outcome = complete(&object(false), true, with_status());
    assert_eq!(outcome.finalizer, Finalizer::Add);
    let status = outcome.status.unwrap();
    assert_eq!(status.last_handled_reconcile_at.as_deref(), Some("now"));
}

#[test]
fn outcome_without_status_adds_no_finalizer() {
    let outcome: Outcome<KustomizationStatus> = Outcome::untouched(Requeue::Never);
    assert_eq!(complete(&object(false), false, outcome.clone()), outcome);
}

#[test]
fn only_settled_deletion_removes_finalizer() {
    let finalizer = |has_settled| complete(&object(true), has_settled, with_status()).finalizer;
    assert_eq!(finalizer(true), Finalizer::Remove);
    assert_eq!(finalizer(false), Finalizer::Keep);
}

#[test]
fn elapsed_time_is_not_negative() {
    let now: Timestamp = "2024-05-01T10:00:00Z".parse().unwrap();
    let later = now + Duration::from_secs(3);
    let elapsed = |started, now| Times { started, now }.elapsed();
    assert_eq!(elapsed(now, later), Duration::from_secs(3));
    assert_eq!(elapsed(later, now), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn step_ends_at_its_time_limit() {
    let limit = Duration::from_mins(5);
    // A server that answers a byte per second.
    let dripping = async {
        for _ in 0..3600 {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        Ok(())
    };
    let began = tokio::time::Instant::now();
    let ended: Result<(), StepTimeout> = end_within(limit, dripping).await;
    assert_eq!(ended, Err(StepTimeout { limit }));
    assert_eq!(began.elapsed(), limit);
    assert_eq!(
        StepTimeout { limit }.to_string(),
        "the step exceeds its time limit of 5m0s"
    );
    let short = async {
        Err(StepTimeout {
            limit: Duration::ZERO,
        })
    };
    let ended = end_within(limit, short).await;
    assert_eq!(
        ended,
        Err(StepTimeout {
            limit: Duration::ZERO
        })
    );
}
