//! The status and the notices of a `GitRepository`, from the facts of a run. Pure.

use jiff::Timestamp;
use kube::Resource;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::{
    ARTIFACT_OUTDATED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED,
};
use sluice_api::source::{GitRepository, GitRepositoryStatus};
use sluice_dial::Credentials;
use sluice_engine::{Decision, End, Notice, Outcome, Progress};
use sluice_git::{Access, Remote};

use super::model::{Facts, NewArtifact, Step};
use super::{RULES, plan, spec};
use crate::draft;
use crate::source_storage::{Fault, finish_deletion};

/// The maximum length of a commit subject in a message.
const MAX_SUBJECT_CHARS: usize = 50;

/// The status to show while a step works.
pub(super) fn progress(
    object: &GitRepository,
    facts: &Facts,
    step: Step,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Progress<GitRepositoryStatus> {
    let has_news = |draft: &Draft| match step {
        Step::Connect => draft.base.has_news,
        Step::Resolve => draft.has_new_includes,
        Step::Pack { new_revision } => new_revision,
        _ => false,
    };
    if !matches!(step, Step::Connect | Step::Resolve | Step::Pack { .. }) {
        return Progress::Silent;
    }
    let draft = Draft::of(object, facts, now, url);
    if has_news(&draft) {
        Progress::Show(draft.base.status())
    } else {
        Progress::Silent
    }
}

/// The result of a run.
pub(super) fn conclude(
    object: &GitRepository,
    end: End<Facts, Fault>,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Outcome<GitRepositoryStatus> {
    let is_deleted = object.meta().deletion_timestamp.is_some();
    match end {
        End::Suspended => Draft::begin(object, now, url).base.suspended(),
        End::Settled(facts) if is_deleted => finish_deletion(Ok(facts.first.deleted == Some(true))),
        End::Stopped(_, fault) if is_deleted => finish_deletion(Err(fault)),
        End::Settled(facts) => {
            let mut draft = Draft::of(object, &facts, now, url);
            let revision = facts.revision();
            let interval = facts.first.interval(|work| work.interval);
            let Facts {
                packed,
                inputs,
                first,
                ..
            } = facts;
            match packed {
                Some(packed) => {
                    let included = inputs.map(|inputs| inputs.included);
                    draft.stored(object, packed, included.unwrap_or_default());
                }
                None => draft.unchanged(&revision.unwrap_or_default(), first.is_prompt),
            }
            draft.base.done(interval)
        }
        End::Stopped(facts, fault) => Draft::of(object, &facts, now, url).base.failed(fault),
    }
}

/// The status of an object during a run.
#[derive(Debug)]
pub(super) struct Draft {
    pub(super) base: draft::Draft<GitRepositoryStatus>,
    is_plain_http: bool,
    /// Whether the included artifacts differ from those of the stored artifact.
    pub(super) has_new_includes: bool,
}

impl Draft {
    /// Begins a run. `url` returns the current URL of a stored path.
    pub(super) fn begin(
        object: &GitRepository,
        now: Timestamp,
        url: impl Fn(&str) -> String,
    ) -> Self {
        let mut base = draft::Draft::begin(object, &RULES, now, url);
        if !object.spec.suspend {
            let ambiguous = "spec.ref has both tag and semver: the tag is used";
            let warnings = [
                spec::is_ambiguous(&object.spec).then_some(ambiguous),
                spec::without_effect(&object.spec),
            ];
            if base.is_edited {
                let warnings = warnings.into_iter().flatten();
                let warn = |message| Notice::error(reason::GIT_OPERATION_FAILED, message);
                base.notices.extend(warnings.map(warn));
            }
            // The condition belongs to a `spec.verify` that was removed.
            if object.spec.verify.is_none() {
                base.condition_set.remove(SOURCE_VERIFIED);
                base.status.source_verification_mode = None;
            }
        }
        Self {
            is_plain_http: base.is_edited && object.spec.url.starts_with("http://"),
            base,
            has_new_includes: false,
        }
    }

    /// The draft after the steps so far, without the one that stores an artifact.
    fn of(
        object: &GitRepository,
        facts: &Facts,
        now: Timestamp,
        url: impl Fn(&str) -> String,
    ) -> Self {
        let mut draft = Self::begin(object, now, url);
        if let Some(tidied) = &facts.first.tidied {
            draft.base.apply_tidy(tidied.clone());
        }
        if let Some(remote) = &facts.remote {
            draft.warn_of_plain_http(remote);
        }
        if let Some(inputs) = &facts.inputs {
            draft.included(&inputs.included);
        }
        if let (Some(message), Ok(work)) = (&facts.verified, &facts.first.spec)
            && let Some(verification) = &work.verification
        {
            draft.verified(verification.recorded(), message.clone());
        }
        let next = plan::plan(object, facts);
        if let Decision::Work(Step::Pack { new_revision: true }) = next
            && let Some(revision) = facts.revision()
        {
            draft.new_revision(&revision);
        }
        draft
    }

    /// Warns about an insecure or contradictory configuration of the remote.
    pub(super) fn warn_of_plain_http(&mut self, remote: &Remote) {
        let basic = matches!(&remote.access, Access::Http(Credentials::Basic(_)));
        let bearer = matches!(&remote.access, Access::Http(Credentials::Bearer(_)));
        if self.is_plain_http && (basic || bearer) {
            let message = "credentials are sent over plain HTTP";
            self.base
                .notices
                .push(Notice::error(reason::AUTHENTICATION_FAILED, message));
        }
    }

    /// All includes are available.
    pub(super) fn included(&mut self, included: &[Artifact]) {
        self.base.condition_set.remove(INCLUDE_UNAVAILABLE);
        if plan::same_artifacts(included, &self.base.status.included_artifacts) {
            return;
        }
        self.has_new_includes = true;
        let message = "included artifacts differ from last observed includes";
        if !self.base.status.included_artifacts.is_empty() {
            self.base
                .condition_set
                .set_true(ARTIFACT_OUTDATED, "IncludeChange", message);
        }
        self.base
            .condition_set
            .set_progress(true, &format!("building artifact: {message}"));
    }

    /// The signatures were verified.
    pub(super) fn verified(&mut self, mode: &str, message: String) {
        self.base
            .condition_set
            .set_true(SOURCE_VERIFIED, reason::SUCCEEDED, &message);
        self.base.status.source_verification_mode = Some(mode.to_owned());
        self.base
            .notices
            .push(Notice::trace(reason::SUCCEEDED, message));
    }

    /// The remote has the stored revision.
    pub(super) fn unchanged(&mut self, revision: &str, is_prompt: bool) {
        self.fetched();
        let message =
            format!("no changes since last reconcilation: observed revision '{revision}'");
        let reason = reason::GIT_OPERATION_SUCCEEDED;
        self.base.unchanged(reason, message, is_prompt);
        self.keep_artifact(revision);
    }

    /// The remote has a new revision.
    pub(super) fn new_revision(&mut self, revision: &str) {
        self.fetched();
        self.base
            .new_revision(&format!("new upstream revision '{revision}'"));
    }

    /// The new artifact was stored.
    pub(super) fn stored(
        &mut self,
        object: &GitRepository,
        done: NewArtifact,
        included: Vec<Artifact>,
    ) {
        let NewArtifact {
            artifact,
            subject,
            remarks,
        } = done;
        self.fetched();
        let subject: String = match subject.char_indices().nth(MAX_SUBJECT_CHARS) {
            Some((end, _)) => format!("{}...", &subject[..end]),
            None => subject,
        };
        if let Some(path) = remarks.first_pointer {
            let message = format!(
                "'{path}' is a pointer to Git large file storage: the artifact holds the pointer, \
                 not the file"
            );
            self.base
                .notices
                .push(Notice::error(reason::GIT_OPERATION_SUCCEEDED, message));
        }
        if let Some(path) = remarks.first_link {
            let links = remarks.links;
            let message =
                format!("artifact leaves out {links} symbolic links, the first is '{path}'");
            self.base
                .notices
                .push(Notice::trace(reason::GIT_OPERATION_SUCCEEDED, message));
        }
        self.base.set_artifact(artifact);
        if let Some(path) = remarks.first_clash {
            let message = format!(
                "another name in the directory of '{path}' differs from it by case only: not \
                 every file system can hold both"
            );
            self.base
                .notices
                .push(Notice::error(reason::GIT_OPERATION_SUCCEEDED, message));
        }
        let (status, spec) = (&mut self.base.status, &object.spec);
        status.observed_ignore.clone_from(&spec.ignore);
        status.observed_recurse_submodules = spec.recurse_submodules;
        status
            .observed_sparse_checkout
            .clone_from(&spec.sparse_checkout);
        status.observed_include.clone_from(&spec.include);
        status.included_artifacts = included;
        self.keep_artifact(&subject);
    }

    fn fetched(&mut self) {
        self.base.condition_set.remove(FETCH_FAILED);
        self.base.condition_set.remove(INCLUDE_UNAVAILABLE);
    }

    fn keep_artifact(&mut self, commit: &str) {
        self.base.keep_artifact(
            |artifact| format!("stored artifact for revision '{}'", artifact.revision),
            |_| format!("stored artifact for commit '{commit}'"),
        );
    }
}
