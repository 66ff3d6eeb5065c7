//! Plans the steps of an `ImageRepository`. No client, no clock.

use sluice_api::image::{ImageRepository, ImageRepositoryStatus};
use sluice_api::meta::ToolkitResource as _;
use sluice_client::typed::Resource as _;
use sluice_engine::Decision;
use sluice_engine::ready::Fault;
use sluice_images::scan::{ScanDecision, ScanFacts, decide};

use super::model::{Facts, Listing, Step};
use super::spec::Spec;

/// Returns the next step.
pub(super) fn plan(repository: &ImageRepository, facts: &Facts) -> Decision<Step, Fault> {
    if repository.meta().deletion_timestamp.is_some() {
        return if facts.is_removed {
            Decision::Settled
        } else {
            Decision::Work(Step::Remove)
        };
    }
    let spec = match &facts.spec {
        Ok(spec) => spec,
        Err(fault) => return Decision::Stop(fault.clone()),
    };
    if facts.scanned.is_some() {
        return Decision::Settled;
    }
    let decision = decision(repository, spec, facts);
    match (decision, &facts.listing) {
        // The Secrets are checked in each run, so that a broken one shows before the next scan.
        (decision, _) if !facts.is_configured => Decision::Work(Step::Connect {
            is_scan_due: matches!(decision, ScanDecision::Scan(_)),
        }),
        (ScanDecision::Wait(_), _) => Decision::Settled,
        (ScanDecision::Scan(reason), None) => Decision::Work(Step::List { reason }),
        (
            _,
            Some(Listing {
                suspicion: Some(suspicion),
                ..
            }),
        ) => Decision::Work(Step::Confirm {
            suspicion: *suspicion,
        }),
        (_, Some(_)) => Decision::Work(Step::Store),
    }
}

/// Decides whether to scan.
pub(super) fn decision(repository: &ImageRepository, spec: &Spec, facts: &Facts) -> ScanDecision {
    let none = ImageRepositoryStatus::default();
    decide(&ScanFacts {
        spec: &repository.spec,
        status: repository.status.as_ref().unwrap_or(&none),
        requested_at: repository.reconcile_requested_at(),
        canonical_name: &spec.image.to_string(),
        interval: spec.interval,
        has_tags: facts.has_tags,
        now: facts.now,
    })
}
