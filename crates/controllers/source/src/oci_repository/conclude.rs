//! The status and the notices of an `OCIRepository`, from the facts of a run. Pure.

use std::fmt::Write as _;

use jiff::Timestamp;
use kube::Resource;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::{FETCH_FAILED, SOURCE_VERIFIED};
use sluice_api::source::{OciRepository, OciRepositoryStatus};
use sluice_engine::{End, Outcome, Progress};
use sluice_oci::Reference;
use sluice_oci::package::{REVISION, SOURCE};

use super::RULES;
use super::model::{Facts, NewArtifact, Step};
use super::plan::{self, ArtifactNeed};
use crate::draft;
use crate::source_storage::{Fault, finish_deletion};

pub(super) type Draft = draft::Draft<OciRepositoryStatus>;

/// The status to show while a step works.
pub(super) fn progress(
    object: &OciRepository,
    facts: &Facts,
    step: Step,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Progress<OciRepositoryStatus> {
    let draft = || draft_of(object, facts, now, url);
    let has_verification = facts
        .first
        .spec
        .as_ref()
        .is_ok_and(|work| work.verify.is_some());
    let is_new = match step {
        Step::Connect => {
            let draft = draft();
            return if draft.has_news {
                Progress::Show(draft.status())
            } else {
                Progress::Silent
            };
        }
        Step::ReadKeys => {
            plan::facts_need(object, facts) == Some(ArtifactNeed::Pull { new_revision: true })
        }
        // With verification, the keys come first.
        Step::Pull { new_revision } => new_revision && !has_verification,
        _ => false,
    };
    if is_new {
        Progress::Show(draft().status())
    } else {
        Progress::Silent
    }
}

/// The result of a run.
pub(super) fn conclude(
    object: &OciRepository,
    end: End<Facts, Fault>,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Outcome<OciRepositoryStatus> {
    let is_deleted = object.meta().deletion_timestamp.is_some();
    match end {
        End::Suspended => begin(object, now, url).suspended(),
        End::Settled(facts) if is_deleted => finish_deletion(Ok(facts.first.deleted == Some(true))),
        End::Stopped(_, fault) if is_deleted => finish_deletion(Err(fault)),
        End::Settled(facts) => {
            let mut draft = draft_of(object, &facts, now, url);
            match (facts.packed, facts.resolved) {
                (Some(packed), _) => stored(&mut draft, object, packed),
                (None, Some(resolved)) => {
                    unchanged(
                        &mut draft,
                        object,
                        &resolved.revision(),
                        facts.first.is_prompt,
                    );
                }
                (None, None) => {}
            }
            draft.done(facts.first.interval(|work| work.interval))
        }
        End::Stopped(facts, fault) => draft_of(object, &facts, now, url).failed(fault),
    }
}

/// Begins a run. `url` returns the current URL of a stored path.
pub(super) fn begin(object: &OciRepository, now: Timestamp, url: impl Fn(&str) -> String) -> Draft {
    Draft::begin(object, &RULES, now, url)
}

/// The draft after the steps so far, without the one that stores an artifact.
fn draft_of(
    object: &OciRepository,
    facts: &Facts,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Draft {
    let mut draft = begin(object, now, url);
    if let Some(tidied) = &facts.first.tidied {
        draft.apply_tidy(tidied.clone());
    }
    let (Some(resolved), Ok(work)) = (&facts.resolved, &facts.first.spec) else {
        return draft;
    };
    let revision = resolved.revision();
    let need = plan::facts_need(object, facts);
    if need == Some(ArtifactNeed::Pull { new_revision: true }) {
        new_revision(&mut draft, &revision, &resolved.reference);
    }
    if facts.is_verified {
        let message = format!("verified signature of revision {revision}");
        draft
            .condition_set
            .set_true(SOURCE_VERIFIED, reason::SUCCEEDED, message);
    }
    if work.verify.is_none() {
        draft.condition_set.remove(SOURCE_VERIFIED);
    }
    draft
}

/// The registry has a new revision.
pub(super) fn new_revision(draft: &mut Draft, revision: &str, reference: &Reference) {
    draft.new_revision(&format!("new revision '{revision}' for '{reference}'"));
}

/// The registry has the stored revision.
pub(super) fn unchanged(
    draft: &mut Draft,
    object: &OciRepository,
    revision: &str,
    is_prompt: bool,
) {
    let message = format!("artifact up-to-date with remote revision: '{revision}'");
    draft.unchanged(reason::ARTIFACT_UP_TO_DATE, message, is_prompt);
    keep_artifact(draft, object);
}

/// The new artifact was stored.
pub(super) fn stored(draft: &mut Draft, object: &OciRepository, done: NewArtifact) {
    let NewArtifact { artifact, link } = done;
    draft.set_artifact(artifact);
    let (status, spec) = (&mut draft.status, &object.spec);
    status.observed_ignore.clone_from(&spec.ignore);
    status
        .observed_layer_selector
        .clone_from(&spec.layer_selector);
    draft.set_link(link);
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
