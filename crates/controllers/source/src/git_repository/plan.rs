//! Plans the steps of a `GitRepository` from the object and the facts of the run. No client, no
//! clock.

use sluice_api::Artifact;
use sluice_api::source::{GitRepository, GitRepositoryStatus, GitVerificationMode};

use super::GitRepositoryKind;
use super::model::{Inputs, Step};
use super::spec::Spec;
use crate::reconcile::{Plan, Source};

/// How to handle the artifact of a revision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ArtifactNeed {
    /// The artifact is current.
    Keep,
    /// The artifact is current, but its signatures must be verified again.
    Verify,
    /// The artifact must be packed.
    Pack {
        /// Whether the revision is new. Otherwise only the packing rules changed.
        new_revision: bool,
    },
}

impl Plan for GitRepositoryKind {
    fn plan(source: &Source<'_, Self>) -> Option<Step> {
        let facts = source.facts;
        if facts.remote.is_none() {
            return Some(Step::Connect);
        }
        let Some(inputs) = &facts.inputs else {
            return Some(Step::ReadInputs);
        };
        let Some(checkout) = &facts.checkout else {
            let revision = match &facts.resolved {
                None => source.spec.reference.pinned_revision(),
                // Tags of equal version are ordered by the time of their commits.
                Some(resolved) => resolved.ties.is_empty().then(|| resolved.revision()),
            };
            let is_current = revision.is_some_and(|revision| {
                artifact_need(source, &revision, inputs) == ArtifactNeed::Keep
            });
            return match &facts.resolved {
                _ if is_current => None,
                None => Some(Step::Resolve),
                Some(_) => Some(Step::Fetch),
            };
        };
        let need = artifact_need(source, &checkout.commit.revision(), inputs);
        if need != ArtifactNeed::Keep && inputs.keys.is_some() && facts.verified.is_none() {
            return Some(Step::Verify);
        }
        match need {
            ArtifactNeed::Pack { new_revision } if facts.packed.is_none() => {
                Some(Step::Pack { new_revision })
            }
            _ => None,
        }
    }
}

/// Decides from a revision and the stored artifact.
pub(super) fn artifact_need(
    source: &Source<'_, GitRepositoryKind>,
    revision: &str,
    inputs: &Inputs,
) -> ArtifactNeed {
    let (Some(artifact), Some(status)) = (source.artifact(), &source.object.status) else {
        return ArtifactNeed::Pack { new_revision: true };
    };
    if !same_revision(&artifact.revision, revision) {
        return ArtifactNeed::Pack { new_revision: true };
    }
    let spec = &source.object.spec;
    let same_content = spec.ignore == status.observed_ignore
        && spec.recurse_submodules == status.observed_recurse_submodules
        && spec.sparse_checkout == status.observed_sparse_checkout
        && spec.include == status.observed_include
        && same_artifacts(&inputs.included, &status.included_artifacts);
    if !same_content {
        ArtifactNeed::Pack {
            new_revision: false,
        }
    } else if needs_verification(source.spec, status, inputs.keys_changed) {
        ArtifactNeed::Verify
    } else {
        ArtifactNeed::Keep
    }
}

/// Whether the includes differ from those of the stored artifact.
pub(super) fn has_new_includes(object: &GitRepository, included: &[Artifact]) -> bool {
    let status = object.status.as_ref();
    let stored = status.map_or(&[][..], |status| &status.included_artifacts);
    !same_artifacts(included, stored)
}

/// Whether two lists of included artifacts are equal.
fn same_artifacts(one: &[Artifact], two: &[Artifact]) -> bool {
    one.len() == two.len()
        && one.iter().zip(two).all(|(one, two)| {
            same_revision(&one.revision, &two.revision) && one.digest == two.digest
        })
}

/// Whether signatures must be verified although the revision is unchanged.
fn needs_verification(spec: &Spec, status: &GitRepositoryStatus, keys_changed: bool) -> bool {
    let Some(verification) = &spec.verification else {
        return false;
    };
    let recorded = status.source_verification_mode.as_deref();
    let tag = GitVerificationMode::Tag.as_str();
    let head = GitVerificationMode::Head.as_str();
    keys_changed
        || match recorded {
            None => true,
            Some(recorded) if recorded == tag => verification.of_head(),
            Some(recorded) if recorded == head => verification.of_tag(),
            Some(_) => false,
        }
}

/// Compares revisions across the formats of Flux versions.
fn same_revision(stored: &str, wanted: &str) -> bool {
    fn modern(revision: &str) -> String {
        if revision.contains(':') {
            return revision.to_owned();
        }
        match revision.rsplit_once('/') {
            None => format!("sha1:{revision}"),
            Some(("HEAD", commit)) => format!("sha1:{commit}"),
            Some((name, commit)) => format!("{name}@sha1:{commit}"),
        }
    }
    stored == wanted || modern(stored) == wanted
}
