//! The status and the notices of a `GitRepository`, from the facts of a run. Pure.

use std::time::Duration;

use jiff::Timestamp;
use kube::Resource;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, INCLUDE_UNAVAILABLE, SOURCE_VERIFIED,
    STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{GROUP, GitInclude, GitRepository, GitRepositoryStatus};
use sluice_dial::Credentials;
use sluice_engine::frame::is_requested;
use sluice_engine::{Decision, End, Notice, Outcome, Progress, Requeue, Retry};
use sluice_git::{Access, Remote};

use super::model::{Facts, NewArtifact, Step};
use super::{SUMMARY, plan, spec};
use crate::conditions::{ConditionSet, Ending};
use crate::source_storage::{FailureCondition, Fault, TidyReport, finish_deletion};

/// Failure conditions. The end of one is reported as a recovery.
const FAILURES: [&str; 3] = [FETCH_FAILED, INCLUDE_UNAVAILABLE, STORAGE_OPERATION_FAILED];
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
        Step::Connect => draft.news,
        Step::Resolve => draft.has_new_includes,
        Step::Pack { new_revision } => new_revision,
        _ => false,
    };
    if !matches!(step, Step::Connect | Step::Resolve | Step::Pack { .. }) {
        return Progress::Silent;
    }
    let draft = Draft::of(object, facts, now, url);
    if has_news(&draft) {
        Progress::Show(draft.status())
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
        End::Suspended => Draft::begin(object, now, url).suspended(),
        End::Settled(facts) if is_deleted => finish_deletion(Ok(facts.deleted == Some(true))),
        End::Stopped(_, fault) if is_deleted => finish_deletion(Err(fault)),
        End::Settled(facts) => {
            let mut draft = Draft::of(object, &facts, now, url);
            let revision = facts.revision();
            let interval = facts.spec.as_ref().map(|work| work.interval);
            let Facts {
                packed,
                inputs,
                is_prompt,
                ..
            } = facts;
            match packed {
                Some(packed) => {
                    let included = inputs.map(|inputs| inputs.included);
                    draft.stored(packed, included.unwrap_or_default());
                }
                None => draft.unchanged(&revision.unwrap_or_default(), is_prompt),
            }
            draft.done(interval.unwrap_or_default())
        }
        End::Stopped(facts, fault) => Draft::of(object, &facts, now, url).failed(fault),
    }
}

/// The fields of a spec that a status records with an artifact.
#[derive(Debug, Clone)]
struct Observed {
    ignore: Option<String>,
    submodules: bool,
    include: Vec<GitInclude>,
    sparse: Vec<String>,
}

impl Observed {
    fn of(object: &GitRepository) -> Self {
        let spec = &object.spec;
        Self {
            ignore: spec.ignore.clone(),
            submodules: spec.recurse_submodules,
            include: spec.include.clone(),
            sparse: spec.sparse_checkout.clone(),
        }
    }
}

/// The status of an object during a run.
#[derive(Debug)]
pub(super) struct Draft {
    status: GitRepositoryStatus,
    condition_set: ConditionSet,
    notices: Vec<Notice>,
    generation: i64,
    /// The digest of the artifact at the start of the run.
    digest_before: Option<String>,
    /// The spec fields for an artifact made in this run.
    spec: Observed,
    plain_http: bool,
    /// The message of success, once the run knows its result.
    success: Option<String>,
    /// Whether the status changed before the remote is contacted.
    pub(super) news: bool,
    /// Whether the included artifacts differ from those of the stored artifact.
    pub(super) has_new_includes: bool,
    now: Timestamp,
}

impl Draft {
    /// Begins a run. `url` returns the current URL of a stored path.
    pub(super) fn begin(
        object: &GitRepository,
        now: Timestamp,
        url: impl Fn(&str) -> String,
    ) -> Self {
        let mut status = object.status.clone().unwrap_or_default();
        let generation = object.meta().generation.unwrap_or_default();
        let observed = status.observed_generation.unwrap_or_default();
        let edited = observed != generation;
        let asked = is_requested(object);

        let conditions = std::mem::take(&mut status.conditions);
        let mut condition_set = ConditionSet::new(conditions, generation, now);
        let digest_before = status
            .artifact
            .as_ref()
            .map(|artifact| artifact.digest.clone());
        // The address of the server may have changed.
        if let Some(artifact) = &mut status.artifact {
            artifact.url = url(&artifact.path);
        }
        let mut notices = Vec::new();
        if !object.spec.suspend {
            if edited {
                let message =
                    format!("processing object: new generation {observed} -> {generation}");
                condition_set.set_progress(false, &message);
            } else {
                condition_set.set_progress(false, "reconciliation in progress");
            }
            condition_set.remove(STORAGE_OPERATION_FAILED);
            if condition_set.conditions().is_false(SOURCE_VERIFIED) {
                condition_set.remove(SOURCE_VERIFIED);
            }
            if edited && spec::is_ambiguous(&object.spec) {
                let message = "spec.ref has both tag and semver: the tag is used";
                notices.push(Notice::error(reason::GIT_OPERATION_FAILED, message));
            }
            if let Some(message) = spec::without_effect(&object.spec).filter(|_| edited) {
                notices.push(Notice::error(reason::GIT_OPERATION_FAILED, message));
            }
            // The condition belongs to a `spec.verify` that was removed.
            if object.spec.verify.is_none() {
                condition_set.remove(SOURCE_VERIFIED);
                status.source_verification_mode = None;
            }
        }
        Self {
            status,
            condition_set,
            notices,
            generation,
            digest_before,
            spec: Observed::of(object),
            plain_http: edited && object.spec.url.starts_with("http://"),
            success: None,
            news: edited || asked,
            has_new_includes: false,
            now,
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
        if let Some(tidied) = &facts.tidied {
            draft.apply_tidy(tidied.clone());
        }
        if let Some(remote) = &facts.remote {
            draft.warn_of_plain_http(remote);
        }
        if let Some(inputs) = &facts.inputs {
            draft.included(&inputs.included);
        }
        if let (Some(message), Ok(work)) = (&facts.verified, &facts.spec)
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

    /// The current status, during the run.
    pub(super) fn status(&self) -> GitRepositoryStatus {
        GitRepositoryStatus {
            conditions: self.condition_set.conditions().clone(),
            ..self.status.clone()
        }
    }

    /// Applies the state of the storage.
    pub(super) fn apply_tidy(&mut self, tidied: TidyReport) {
        if !tidied.report(&mut self.condition_set, &mut self.notices) {
            return;
        }
        self.status.artifact = None;
        self.news = true;
    }

    /// Warns about an insecure or contradictory configuration of the remote.
    pub(super) fn warn_of_plain_http(&mut self, remote: &Remote) {
        let basic = matches!(&remote.access, Access::Http(Credentials::Basic(_)));
        let bearer = matches!(&remote.access, Access::Http(Credentials::Bearer(_)));
        if self.plain_http && (basic || bearer) {
            let message = "credentials are sent over plain HTTP";
            self.notices
                .push(Notice::error(reason::AUTHENTICATION_FAILED, message));
        }
    }

    /// All includes are available.
    pub(super) fn included(&mut self, included: &[Artifact]) {
        self.condition_set.remove(INCLUDE_UNAVAILABLE);
        if plan::same_artifacts(included, &self.status.included_artifacts) {
            return;
        }
        self.has_new_includes = true;
        let message = "included artifacts differ from last observed includes";
        if !self.status.included_artifacts.is_empty() {
            self.condition_set
                .set_true(ARTIFACT_OUTDATED, "IncludeChange", message);
        }
        self.condition_set
            .set_progress(true, &format!("building artifact: {message}"));
    }

    /// The signatures were verified.
    pub(super) fn verified(&mut self, mode: &str, message: String) {
        self.condition_set
            .set_true(SOURCE_VERIFIED, reason::SUCCEEDED, &message);
        self.status.source_verification_mode = Some(mode.to_owned());
        self.notices.push(Notice::trace(reason::SUCCEEDED, message));
    }

    /// The remote has the stored revision.
    pub(super) fn unchanged(&mut self, revision: &str, prompt: bool) {
        self.fetched();
        let message =
            format!("no changes since last reconcilation: observed revision '{revision}'");
        let notice = Notice::trace(reason::GIT_OPERATION_SUCCEEDED, message);
        // Otherwise this event would be the only write of an idle cluster.
        self.notices
            .push(if prompt { notice } else { notice.only_log() });
        self.keep_artifact(revision);
    }

    /// The remote has a new revision.
    pub(super) fn new_revision(&mut self, revision: &str) {
        self.fetched();
        let message = format!("new upstream revision '{revision}'");
        if self.status.artifact.is_some() {
            self.condition_set
                .set_true(ARTIFACT_OUTDATED, reason::NEW_REVISION, &message);
        }
        self.condition_set
            .set_progress(true, &format!("building artifact: {message}"));
    }

    /// The new artifact was stored.
    pub(super) fn stored(&mut self, done: NewArtifact, included: Vec<Artifact>) {
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
            self.notices
                .push(Notice::error(reason::GIT_OPERATION_SUCCEEDED, message));
        }
        if let Some(path) = remarks.first_link {
            let links = remarks.links;
            let message =
                format!("artifact leaves out {links} symbolic links, the first is '{path}'");
            self.notices
                .push(Notice::trace(reason::GIT_OPERATION_SUCCEEDED, message));
        }
        self.status.artifact = Some(Artifact {
            last_update_time: self.now.into(),
            ..artifact
        });
        if let Some(path) = remarks.first_clash {
            let message = format!(
                "another name in the directory of '{path}' differs from it by case only: not \
                 every file system can hold both"
            );
            self.notices
                .push(Notice::error(reason::GIT_OPERATION_SUCCEEDED, message));
        }
        let spec = self.spec.clone();
        self.status.observed_ignore = spec.ignore;
        self.status.observed_recurse_submodules = spec.submodules;
        self.status.observed_include = spec.include;
        self.status.observed_sparse_checkout = spec.sparse;
        self.status.included_artifacts = included;
        self.keep_artifact(&subject);
    }

    fn fetched(&mut self) {
        self.condition_set.remove(FETCH_FAILED);
        self.condition_set.remove(INCLUDE_UNAVAILABLE);
    }

    fn keep_artifact(&mut self, commit: &str) {
        self.condition_set.remove(ARTIFACT_OUTDATED);
        if let Some(artifact) = &self.status.artifact {
            let message = format!("stored artifact for revision '{}'", artifact.revision);
            self.condition_set
                .set_true(ARTIFACT_IN_STORAGE, reason::SUCCEEDED, message);
        }
        self.success = Some(format!("stored artifact for commit '{commit}'"));
    }

    /// Ends a successful run.
    pub(super) fn done(mut self, interval: Duration) -> Outcome<GitRepositoryStatus> {
        if let (Some(artifact), Some(message)) = (&self.status.artifact, self.success.take()) {
            let reason = if self.digest_before.as_ref() != Some(&artifact.digest) {
                Some(reason::NEW_ARTIFACT)
            } else if self.has_recovered() {
                Some(reason::SUCCEEDED)
            } else {
                None
            };
            if let Some(reason) = reason {
                let notice = Notice::info(reason, message)
                    .with(format!("{GROUP}/revision"), &artifact.revision)
                    .with(format!("{GROUP}/digest"), &artifact.digest);
                self.notices.push(notice);
            }
        }
        self.observe();
        // As in Flux, an interval of zero disables polling.
        let next = if interval.is_zero() {
            Requeue::Never
        } else {
            Requeue::Interval(interval)
        };
        self.end(&Ending::Done, next)
    }

    /// Ends a failed run. The stored artifact stays advertised.
    pub(super) fn failed(mut self, fault: Fault) -> Outcome<GitRepositoryStatus> {
        fault.report(&mut self.condition_set);
        let failure = fault.failure;
        let (reason, message) = (failure.reason.clone(), failure.message.clone());
        self.notices.push(
            if fault.condition == FailureCondition::True(INCLUDE_UNAVAILABLE) {
                // Waiting for an include is not worth an alert.
                Notice::trace(reason, message)
            } else {
                Notice::error(reason, message)
            },
        );
        let ending = if failure.retry == Retry::Stalled {
            self.observe();
            Ending::Stalled {
                reason: failure.reason.clone().into_owned(),
                message: failure.message.clone(),
            }
        } else {
            Ending::Failed
        };
        self.end(&ending, failure.requeue())
    }

    /// Ends the run of a suspended object.
    pub(super) fn suspended(mut self) -> Outcome<GitRepositoryStatus> {
        self.observe();
        self.notices.push(
            Notice::info(
                reason::SUSPENDED,
                "reconciliation is suspended for this object",
            )
            .only_log(),
        );
        self.end(&Ending::Suspended, Requeue::Never)
    }

    fn observe(&mut self) {
        self.status.observed_generation = Some(self.generation);
    }

    fn has_recovered(&self) -> bool {
        FAILURES.iter().any(|type_| {
            self.condition_set.before().is_true(type_)
                && !self.condition_set.conditions().is_true(type_)
        })
    }

    fn end(self, ending: &Ending, next: Requeue) -> Outcome<GitRepositoryStatus> {
        let mut status = self.status;
        status.conditions = self.condition_set.finish(ending, SUMMARY);
        Outcome {
            notices: self.notices,
            ..Outcome::new(status, next)
        }
    }
}
