//! Plans the steps of an `OCIRepository` from the object and the facts of the run. No client, no
//! clock.

use sluice_api::Artifact;
use sluice_api::source::OciRepository;
use sluice_api::source::condition::SOURCE_VERIFIED;
use sluice_client::typed::Resource;

use super::OciRepositoryKind;
use super::model::Step;
use crate::reconcile::{Plan, Source};

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

impl Plan for OciRepositoryKind {
    fn plan(source: &Source<'_, Self>) -> Option<Step> {
        let facts = source.facts;
        if facts.connection.is_none() {
            return Some(Step::Connect);
        }
        let Some(need) = resolved_need(source) else {
            return Some(Step::Resolve);
        };
        if source.spec.verify.is_some() {
            let Some(signers) = &facts.signers else {
                return Some(Step::ReadSigners);
            };
            let wants_verification =
                !signers.are_verified || needs_verification(source.object, need);
            if wants_verification && facts.verdict.is_none() {
                return Some(Step::Verify);
            }
        }
        match need {
            ArtifactNeed::Pull { new_revision } if facts.packed.is_none() => {
                Some(Step::Pull { new_revision })
            }
            _ => None,
        }
    }
}

/// How to handle the artifact of the resolved revision.
pub(super) fn resolved_need(source: &Source<'_, OciRepositoryKind>) -> Option<ArtifactNeed> {
    let revision = source.facts.resolved.as_ref()?.revision();
    Some(artifact_need(source.object, source.artifact(), &revision))
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
