//! The status and the notices of an `OCIRepository`, from the facts of a run. Pure.

use std::fmt::Write as _;

use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::{FETCH_FAILED, SOURCE_VERIFIED};
use sluice_api::source::{OciRepository, OciRepositoryStatus};
use sluice_oci::Reference;
use sluice_oci::package::{REVISION, SOURCE};

use super::OciRepositoryKind;
use super::model::{NewArtifact, Step};
use super::plan::{ArtifactNeed, resolved_need};
use crate::draft;
use crate::notation::Verdict;
use crate::reconcile::{Conclude, Source};

pub(super) type Draft = draft::Draft<OciRepositoryStatus>;

impl Conclude for OciRepositoryKind {
    fn is_shown(source: &Source<'_, Self>, step: Step) -> bool {
        match step {
            Step::Connect => source.has_news(),
            Step::ReadSigners => has_new_revision(source),
            // With verification, the signers come first.
            Step::Pull { new_revision } => new_revision && source.spec.verify.is_none(),
            Step::Resolve | Step::Verify => false,
        }
    }

    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft) {
        let Some(resolved) = &source.facts.resolved else {
            return;
        };
        let revision = resolved.revision();
        if has_new_revision(source) {
            new_revision(draft, &revision, &resolved.reference);
        }
        if source.facts.verdict == Some(Verdict::Verified) {
            let verification = source.spec.verify.as_ref();
            let warning = verification.and_then(|found| found.warning(source.object));
            draft.notices.extend(warning);
            let message = format!("verified signature of revision {revision}");
            draft
                .condition_set
                .set_true(SOURCE_VERIFIED, reason::SUCCEEDED, message);
        }
        // A condition of an earlier revision or policy would vouch for an ignored signature.
        if source.spec.verify.is_none() || source.facts.verdict == Some(Verdict::Ignored) {
            draft.condition_set.remove(SOURCE_VERIFIED);
        }
    }

    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft) {
        let (object, facts) = (source.object, source.facts);
        match (&facts.packed, &facts.resolved) {
            (Some(packed), _) => stored(draft, object, packed),
            (None, Some(resolved)) => unchanged(draft, object, &resolved.revision()),
            (None, None) => {}
        }
    }
}

fn has_new_revision(source: &Source<'_, OciRepositoryKind>) -> bool {
    resolved_need(source) == Some(ArtifactNeed::Pull { new_revision: true })
}

/// The registry has a new revision.
pub(super) fn new_revision(draft: &mut Draft, revision: &str, reference: &Reference) {
    draft.new_revision(&format!("new revision '{revision}' for '{reference}'"));
}

/// The registry has the stored revision.
pub(super) fn unchanged(draft: &mut Draft, object: &OciRepository, revision: &str) {
    let message = format!("artifact up-to-date with remote revision: '{revision}'");
    draft.unchanged(reason::ARTIFACT_UP_TO_DATE, message);
    keep_artifact(draft, object);
}

/// The new artifact was stored.
pub(super) fn stored(draft: &mut Draft, object: &OciRepository, new: &NewArtifact) {
    draft.set_artifact(new.artifact.clone());
    let (status, spec) = (&mut draft.status, &object.spec);
    status.observed_ignore.clone_from(&spec.ignore);
    status
        .observed_layer_selector
        .clone_from(&spec.layer_selector);
    draft.set_link(&new.link);
    keep_artifact(draft, object);
}

fn keep_artifact(draft: &mut Draft, object: &OciRepository) {
    draft.condition_set.remove(FETCH_FAILED);
    draft.keep_artifact(
        |artifact| format!("stored artifact for digest '{}'", artifact.revision),
        |artifact| success(artifact, &object.spec.url),
    );
}

/// The message of a successful run.
fn success(artifact: &Artifact, url: &str) -> String {
    let mut message = format!(
        "stored artifact with revision '{}' from '{url}'",
        artifact.revision
    );
    let annotation = |key: &str| artifact.metadata.get(key).filter(|text| !text.is_empty());
    if let (Some(source), Some(revision)) = (annotation(SOURCE), annotation(REVISION)) {
        let _ = write!(
            message,
            ", origin source '{source}', origin revision '{revision}'"
        );
    }
    message
}
