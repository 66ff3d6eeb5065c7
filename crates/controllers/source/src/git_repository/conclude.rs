//! The status and the notices of a `GitRepository`, from the facts of a run. Pure.

use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::{
    ARTIFACT_OUTDATED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED,
};
use sluice_api::source::{GitRepository, GitRepositoryStatus};
use sluice_dial::Credentials;
use sluice_engine::Notice;
use sluice_git::{Access, Remote};

use super::model::{NewArtifact, Step};
use super::{GitRepositoryKind, plan, spec};
use crate::draft;
use crate::reconcile::{Conclude, Plan, Source};

/// The maximum length of a commit subject in a message.
const MAX_SUBJECT_CHARS: usize = 50;

pub(super) type Draft = draft::Draft<GitRepositoryStatus>;

impl Conclude for GitRepositoryKind {
    fn is_shown(source: &Source<'_, Self>, step: Step) -> bool {
        match step {
            Step::Connect => source.has_news(),
            Step::Resolve => {
                let inputs = source.facts.inputs.as_ref();
                inputs.is_some_and(|inputs| plan::has_new_includes(source.object, &inputs.included))
            }
            Step::Pack { new_revision } => new_revision,
            Step::ReadInputs | Step::Fetch | Step::Verify => false,
        }
    }

    /// Warns about the spec after an edit, and drops the result of a removed `spec.verify`.
    fn apply_spec(object: &GitRepository, draft: &mut Draft) {
        let ambiguous = "spec.ref has both tag and semver: the tag is used";
        let warnings = [
            spec::is_ambiguous(&object.spec).then_some(ambiguous),
            spec::without_effect(&object.spec),
        ];
        if draft.is_edited {
            let warnings = warnings.into_iter().flatten();
            let warn = |message| Notice::error(reason::GIT_OPERATION_FAILED, message);
            draft.notices.extend(warnings.map(warn));
        }
        // The condition belongs to a `spec.verify` that was removed.
        if object.spec.verify.is_none() {
            draft.condition_set.remove(SOURCE_VERIFIED);
            draft.status.source_verification_mode = None;
        }
    }

    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft) {
        let facts = source.facts;
        if let Some(inputs) = &facts.inputs {
            included(draft, source.object, &inputs.included);
        }
        if let (Some(message), Some(verification)) = (&facts.verified, &source.spec.verification) {
            verified(draft, verification.recorded(), message.clone());
        }
        if let Some(Step::Pack { new_revision: true }) = Self::plan(source)
            && let Some(revision) = facts.revision(source.spec)
        {
            new_revision(draft, &revision);
        }
    }

    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft) {
        let facts = source.facts;
        // Not before a success, which records the generation: each retry would warn again.
        if let Some(remote) = &facts.remote {
            warn_of_plain_http(draft, source.object, remote);
        }
        if let Some(packed) = &facts.packed {
            let inputs = facts.inputs.as_ref();
            let included = inputs.map(|inputs| inputs.included.clone());
            stored(draft, source.object, packed, included.unwrap_or_default());
        } else {
            let revision = facts.revision(source.spec);
            unchanged(draft, &revision.unwrap_or_default());
        }
    }
}

/// Warns about an insecure or contradictory configuration of the remote.
pub(super) fn warn_of_plain_http(draft: &mut Draft, object: &GitRepository, remote: &Remote) {
    let is_plain_http = draft.is_edited && object.spec.url.starts_with("http://");
    let basic = matches!(&remote.access, Access::Http(Credentials::Basic(_)));
    let bearer = matches!(&remote.access, Access::Http(Credentials::Bearer(_)));
    if is_plain_http && (basic || bearer) {
        let message = "credentials are sent over plain HTTP";
        draft
            .notices
            .push(Notice::error(reason::AUTHENTICATION_FAILED, message));
    }
}

/// All includes are available.
pub(super) fn included(draft: &mut Draft, object: &GitRepository, included: &[Artifact]) {
    draft.condition_set.remove(INCLUDE_UNAVAILABLE);
    if !plan::has_new_includes(object, included) {
        return;
    }
    let message = "included artifacts differ from last observed includes";
    if !draft.status.included_artifacts.is_empty() {
        draft
            .condition_set
            .set_true(ARTIFACT_OUTDATED, reason::INCLUDE_CHANGE, message);
    }
    draft
        .condition_set
        .set_progress(true, &format!("building artifact: {message}"));
}

/// The signatures were verified.
pub(super) fn verified(draft: &mut Draft, mode: &str, message: String) {
    draft
        .condition_set
        .set_true(SOURCE_VERIFIED, reason::SUCCEEDED, &message);
    draft.status.source_verification_mode = Some(mode.to_owned());
    draft
        .notices
        .push(Notice::trace(reason::SUCCEEDED, message));
}

/// The remote has the stored revision.
pub(super) fn unchanged(draft: &mut Draft, revision: &str) {
    fetched(draft);
    let message = format!("no changes since last reconciliation: observed revision '{revision}'");
    draft.unchanged(reason::GIT_OPERATION_SUCCEEDED, message);
    keep_artifact(draft, revision);
}

/// The remote has a new revision.
pub(super) fn new_revision(draft: &mut Draft, revision: &str) {
    fetched(draft);
    draft.new_revision(&format!("new upstream revision '{revision}'"));
}

/// The new artifact was stored.
pub(super) fn stored(
    draft: &mut Draft,
    object: &GitRepository,
    new: &NewArtifact,
    included: Vec<Artifact>,
) {
    let NewArtifact {
        artifact,
        subject,
        remarks,
    } = new;
    fetched(draft);
    let subject = match subject.char_indices().nth(MAX_SUBJECT_CHARS) {
        Some((end, _)) => format!("{}...", &subject[..end]),
        None => subject.clone(),
    };
    let reason = reason::GIT_OPERATION_SUCCEEDED;
    if let Some(path) = &remarks.first_pointer {
        let message = format!(
            "'{path}' is a pointer to Git large file storage: the artifact holds the pointer, not \
             the file"
        );
        draft.notices.push(Notice::error(reason, message));
    }
    if let Some(path) = &remarks.first_link {
        let links = remarks.links;
        let message = format!("artifact leaves out {links} symbolic links, the first is '{path}'");
        draft.notices.push(Notice::trace(reason, message));
    }
    if let Some(path) = &remarks.first_clash {
        let message = format!(
            "another name in the directory of '{path}' differs from it by case only: not every \
             file system can hold both"
        );
        draft.notices.push(Notice::error(reason, message));
    }
    draft.set_artifact(artifact.clone());
    let (status, spec) = (&mut draft.status, &object.spec);
    status.observed_ignore.clone_from(&spec.ignore);
    status.observed_recurse_submodules = spec.recurse_submodules;
    status
        .observed_sparse_checkout
        .clone_from(&spec.sparse_checkout);
    status.observed_include.clone_from(&spec.include);
    status.included_artifacts = included;
    keep_artifact(draft, &subject);
}

fn fetched(draft: &mut Draft) {
    draft.condition_set.remove(FETCH_FAILED);
    draft.condition_set.remove(INCLUDE_UNAVAILABLE);
}

fn keep_artifact(draft: &mut Draft, commit: &str) {
    draft.keep_artifact(
        |artifact| format!("stored artifact for revision '{}'", artifact.revision),
        |_| format!("stored artifact for commit '{commit}'"),
    );
}
