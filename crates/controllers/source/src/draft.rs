//! The status of a source during a run: the part that all kinds share. Pure.
//!
//! A kind begins a draft from its object and applies the facts of the run. The draft ends in one of
//! three ways.

use std::time::Duration;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::meta::{CommonStatus, ToolkitResource, reason};
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{
    BucketStatus, GROUP, GitRepositoryStatus, HelmChartStatus, HelmRepositoryStatus,
    OciRepositoryStatus,
};
use sluice_client::typed::HasStatus;
use sluice_engine::conditions::{ConditionSet, Ending, Polarity, Table};
use sluice_engine::draft::{is_edited, progress_message};
use sluice_engine::{Notice, Outcome, Requeue, Retry};
use sluice_producer::{ArtifactState, LINK, TidyReport};

use crate::fault::Fault;

/// The fields of a status that all kinds of sources have.
pub(crate) trait SourceStatus: CommonStatus + Clone + Default {
    fn artifact(&self) -> Option<&Artifact>;
    fn artifact_mut(&mut self) -> &mut Option<Artifact>;

    /// The name of the link to the current artifact.
    const LINK: &'static str = LINK;

    /// The URL of a link to the current artifact, for kinds that have one.
    fn link_mut(&mut self) -> Option<&mut Option<String>> {
        None
    }
}

macro_rules! source_statuses {
    ($($status:ident $(: $link:ident $(= $name:expr)?)?),+ $(,)?) => {$(
        impl SourceStatus for $status {
            fn artifact(&self) -> Option<&Artifact> {
                self.artifact.as_ref()
            }

            fn artifact_mut(&mut self) -> &mut Option<Artifact> {
                &mut self.artifact
            }

            $(
                $(const LINK: &'static str = $name;)?

                fn link_mut(&mut self) -> Option<&mut Option<String>> {
                    Some(&mut self.$link)
                }
            )?
        }
    )+};
}

source_statuses! {
    GitRepositoryStatus,
    OciRepositoryStatus: url,
    BucketStatus: url,
    HelmRepositoryStatus: url = "index.yaml",
    HelmChartStatus: url,
}

/// The status of an object during a run.
#[derive(Debug)]
pub(crate) struct Draft<S> {
    pub(crate) status: S,
    pub(crate) condition_set: ConditionSet,
    pub(crate) notices: Vec<Notice>,
    /// The conditions that `Ready` summarizes.
    table: Table,
    generation: i64,
    /// The digest of the artifact at the start of the run.
    digest_before: Option<String>,
    /// The message of success, once the run knows its result.
    success: Option<String>,
    /// The reason of success, unless it says whether the artifact is new.
    success_reason: Option<&'static str>,
    /// Whether the object was edited since the last run.
    pub(crate) is_edited: bool,
    /// Whether the run shows that nothing changed: it was not caused by a timer, or the storage did
    /// something.
    pub(crate) is_prompt: bool,
    now: Timestamp,
}

impl<S: SourceStatus> Draft<S> {
    /// Begins a run. `url` returns the current URL of a stored path.
    pub(crate) fn begin<K>(
        object: &K,
        table: Table,
        now: Timestamp,
        url: impl Fn(&str) -> String,
    ) -> Self
    where
        K: ToolkitResource + HasStatus<Status = S>,
    {
        let mut status = object.status().cloned().unwrap_or_default();
        let generation = object.meta().generation.unwrap_or_default();
        let conditions = std::mem::take(status.conditions_mut());
        let mut condition_set = ConditionSet::new(conditions, generation, now);
        let digest_before = status.artifact().map(|artifact| artifact.digest.clone());
        // The address of the server may have changed.
        if let Some(artifact) = status.artifact_mut() {
            artifact.url = url(&artifact.path);
            let directory = artifact
                .path
                .rsplit_once('/')
                .map(|(path, _)| path.to_owned());
            if let (Some(Some(link)), Some(directory)) = (status.link_mut(), directory) {
                *link = url(&format!("{directory}/{}", S::LINK));
            }
        }
        if !object.suspended() {
            condition_set.set_progress(false, &progress_message(object));
            condition_set.remove(STORAGE_OPERATION_FAILED);
            if condition_set.conditions().is_false(SOURCE_VERIFIED) {
                condition_set.remove(SOURCE_VERIFIED);
            }
        }
        Self {
            status,
            condition_set,
            notices: Vec::new(),
            table,
            generation,
            digest_before,
            success: None,
            success_reason: None,
            is_edited: is_edited(object),
            is_prompt: false,
            now,
        }
    }

    /// The current status, during the run.
    pub(crate) fn status(&self) -> S {
        let mut status = self.status.clone();
        status
            .conditions_mut()
            .clone_from(self.condition_set.conditions());
        status
    }

    /// Applies the state of the storage.
    pub(crate) fn apply_tidy(&mut self, tidied: TidyReport) {
        let TidyReport { collected, state } = tidied;
        if collected > 0 {
            self.is_prompt = true;
            let message = format!("garbage collected {collected} artifacts");
            self.notices
                .push(Notice::trace(reason::GARBAGE_COLLECTION_SUCCEEDED, message));
        }
        let message = match state {
            ArtifactState::Valid => return,
            ArtifactState::None => "building artifact",
            ArtifactState::Missing => "building artifact: disappeared from storage",
            ArtifactState::Corrupt(why) => {
                let message = format!("failed to verify integrity of artifact: {why}");
                let reason = reason::ARTIFACT_VERIFICATION_FAILED;
                self.notices.push(Notice::error(reason, message));
                "building artifact: disappeared from storage"
            }
        };
        self.condition_set.remove(ARTIFACT_IN_STORAGE);
        self.condition_set.set_progress(true, message);
        *self.status.artifact_mut() = None;
        if let Some(link) = self.status.link_mut() {
            *link = None;
        }
    }

    /// The remote has a new revision.
    pub(crate) fn new_revision(&mut self, message: &str) {
        if self.status.artifact().is_some() {
            self.condition_set
                .set_true(ARTIFACT_OUTDATED, reason::NEW_REVISION, message);
        }
        self.condition_set
            .set_progress(true, &format!("building artifact: {message}"));
    }

    /// Advertises a new artifact.
    pub(crate) fn set_artifact(&mut self, artifact: Artifact) {
        *self.status.artifact_mut() = Some(Artifact {
            last_update_time: self.now.into(),
            ..artifact
        });
    }

    /// Sets the link to the current artifact, or reports why it could not be created.
    pub(crate) fn set_link(&mut self, link: &Result<String, String>) {
        match (link, self.status.link_mut()) {
            (Ok(url), Some(link)) => *link = Some(url.clone()),
            (Ok(_), None) => {}
            (Err(why), _) => {
                let message = format!("failed to update status URL symlink: {why}");
                self.notices
                    .push(Notice::trace(reason::SYMLINK_UPDATE_FAILED, message));
            }
        }
    }

    /// Reports that the remote has the stored revision. A run by a timer only logs it. An event
    /// would be the only write of an idle cluster.
    pub(crate) fn unchanged(&mut self, reason: &'static str, message: String) {
        let notice = Notice::trace(reason, message);
        self.notices.push(if self.is_prompt {
            notice
        } else {
            notice.only_log()
        });
    }

    /// The artifact is current. `stored` is the message of its condition, `success` that of the
    /// run.
    pub(crate) fn keep_artifact(
        &mut self,
        stored: impl FnOnce(&Artifact) -> String,
        success: impl FnOnce(&Artifact) -> String,
    ) {
        self.condition_set.remove(ARTIFACT_OUTDATED);
        if let Some(artifact) = self.status.artifact() {
            let message = stored(artifact);
            self.success = Some(success(artifact));
            self.condition_set
                .set_true(ARTIFACT_IN_STORAGE, reason::SUCCEEDED, message);
        }
    }

    /// Like [`Draft::keep_artifact`], with one reason and one message for all.
    pub(crate) fn keep_artifact_as(&mut self, reason: &'static str, message: &str) {
        self.condition_set.remove(ARTIFACT_OUTDATED);
        self.condition_set
            .set_true(ARTIFACT_IN_STORAGE, reason, message);
        self.success = Some(message.to_owned());
        self.success_reason = Some(reason);
    }

    /// Ends a successful run.
    pub(crate) fn finish(mut self, interval: Duration) -> Outcome<S> {
        if let (Some(artifact), Some(message)) = (self.status.artifact(), self.success.take()) {
            let reason = if self.digest_before.as_ref() != Some(&artifact.digest) {
                Some(reason::NEW_ARTIFACT)
            } else if self.has_recovered() {
                Some(reason::SUCCEEDED)
            } else {
                None
            };
            if let Some(reason) = reason {
                let reason = self.success_reason.unwrap_or(reason);
                let notice = Notice::info(reason, message)
                    .with(format!("{GROUP}/revision"), &artifact.revision)
                    .with(format!("{GROUP}/digest"), &artifact.digest);
                self.notices.push(notice);
            }
        }
        self.observe_generation();
        // As in Flux, an interval of zero disables polling.
        let next = if interval.is_zero() {
            Requeue::Never
        } else {
            Requeue::Interval(interval)
        };
        self.end(&Ending::Done, next)
    }

    /// Ends a failed run. The stored artifact stays advertised.
    pub(crate) fn failed(mut self, fault: Fault) -> Outcome<S> {
        fault.report(&mut self.condition_set);
        let is_wait = fault.is_wait();
        let failure = fault.failure;
        let (reason, message) = (failure.reason.clone(), failure.message.clone());
        self.notices.push(if is_wait {
            // Waiting for another object is not worth an alert.
            Notice::trace(reason, message)
        } else {
            Notice::error(reason, message)
        });
        let ending = if failure.retry == Retry::Stalled {
            self.observe_generation();
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
    pub(crate) fn suspended(mut self) -> Outcome<S> {
        // As in Flux, an object without conditions was never observed.
        if !self.condition_set.conditions().is_empty() {
            self.observe_generation();
        }
        let message = "reconciliation is suspended for this object";
        self.notices
            .push(Notice::info(reason::SUSPENDED, message).only_log());
        self.end(&Ending::Suspended, Requeue::Never)
    }

    fn observe_generation(&mut self) {
        *self.status.observed_generation_mut() = Some(self.generation);
    }

    /// Whether a failure has ended. An outdated artifact is not a failure.
    fn has_recovered(&self) -> bool {
        let is_failure = |type_, polarity| polarity == Polarity::Bad && type_ != ARTIFACT_OUTDATED;
        self.table.iter().any(|(type_, polarity)| {
            is_failure(*type_, *polarity)
                && self.condition_set.before().is_true(type_)
                && !self.condition_set.conditions().is_true(type_)
        })
    }

    fn end(self, ending: &Ending, next: Requeue) -> Outcome<S> {
        let mut status = self.status;
        *status.conditions_mut() = self.condition_set.finish(ending, self.table);
        Outcome {
            notices: self.notices,
            ..Outcome::new(status, next)
        }
    }
}
