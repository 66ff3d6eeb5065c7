//! Plans the steps of an `OCIRepository` from the object and the facts of the run. No client, no
//! clock.

use kube::Resource;
use sluice_api::Artifact;
use sluice_api::source::OciRepository;
use sluice_api::source::condition::SOURCE_VERIFIED;
use sluice_engine::Decision;

use super::model::{Facts, Step};
use crate::source_storage::Fault;

/// How to handle the artifact of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArtifactNeed {
    /// The artifact is current.
    Keep,
    /// The artifact must be built.
    Pull {
        /// Whether the revision is new. Otherwise only the rules changed.
        new_revision: bool,
    },
}

/// The next step of a run.
pub(super) fn plan(object: &OciRepository, facts: &Facts) -> Decision<Step, Fault> {
    let work = match facts.first.plan(object) {
        Ok(work) => work,
        Err(decision) => return decision,
    };
    if facts.connection.is_none() {
        return Decision::Work(Step::Connect);
    }
    let Some(need) = facts_need(object, facts) else {
        return Decision::Work(Step::Resolve);
    };
    if work.verify.is_some() {
        let Some(keys) = &facts.keys else {
            return Decision::Work(Step::ReadKeys);
        };
        let wants_verification = !keys.are_verified || needs_verification(object, need);
        if wants_verification && !facts.is_verified {
            return Decision::Work(Step::Verify);
        }
    }
    match need {
        ArtifactNeed::Pull { new_revision } if facts.packed.is_none() => {
            Decision::Work(Step::Pull { new_revision })
        }
        _ => Decision::Settled,
    }
}

/// How to handle the artifact of the resolved revision.
pub(super) fn facts_need(object: &OciRepository, facts: &Facts) -> Option<ArtifactNeed> {
    let revision = facts.resolved.as_ref()?.revision();
    Some(artifact_need(
        object,
        facts.first.artifact(object),
        &revision,
    ))
}

/// Whether the last verification failed, or covers another revision or generation.
fn needs_verification(object: &OciRepository, need: ArtifactNeed) -> bool {
    let status = object.status.as_ref();
    let verified = status.and_then(|status| status.conditions.find(SOURCE_VERIFIED));
    need == (ArtifactNeed::Pull { new_revision: true })
        || verified.is_none_or(|verified| {
            verified.is_false() || verified.observed_generation != object.meta().generation
        })
}

/// Decides from the registry's revision and the stored artifact.
pub(super) fn artifact_need(
    object: &OciRepository,
    artifact: Option<&Artifact>,
    revision: &str,
) -> ArtifactNeed {
    let same = artifact.is_some_and(|artifact| artifact.revision == revision);
    if !same {
        return ArtifactNeed::Pull { new_revision: true };
    }
    let made_alike = object.status.as_ref().is_some_and(|status| {
        object.spec.ignore == status.observed_ignore
            && object.spec.layer_selector == status.observed_layer_selector
    });
    if made_alike {
        ArtifactNeed::Keep
    } else {
        ArtifactNeed::Pull {
            new_revision: false,
        }
    }
}
