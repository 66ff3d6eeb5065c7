//! The status and the notices of an `OCIRepository`, from the facts of a run. Pure.

use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;
use kube::Resource;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{GROUP, LayerSelector, OciRepository, OciRepositoryStatus};
use sluice_engine::frame::is_requested;
use sluice_engine::{End, Notice, Outcome, Progress, Requeue, Retry};
use sluice_oci::Reference;
use sluice_oci::package::{REVISION, SOURCE};

use super::SUMMARY;
use super::model::{Facts, NewArtifact, Step};
use super::plan::{self, ArtifactNeed};
use crate::conditions::{ConditionSet, Ending};
use crate::source_storage::{Fault, TidyReport, finish_deletion};

/// Failure conditions. The end of one is reported as a recovery.
const FAILURES: [&str; 2] = [FETCH_FAILED, STORAGE_OPERATION_FAILED];

/// The status to show while a step works.
pub(super) fn progress(
    object: &OciRepository,
    facts: &Facts,
    step: Step,
    now: Timestamp,
    url: impl Fn(&str) -> String,
) -> Progress<OciRepositoryStatus> {
    let draft = || Draft::of(object, facts, now, url);
    let has_verification = facts.spec.as_ref().is_ok_and(|work| work.verify.is_some());
    let is_new = match step {
        Step::Connect => {
            let draft = draft();
            return if draft.news {
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
        End::Suspended => Draft::begin(object, now, url).suspended(),
        End::Settled(facts) if is_deleted => finish_deletion(Ok(facts.deleted == Some(true))),
        End::Stopped(_, fault) if is_deleted => finish_deletion(Err(fault)),
        End::Settled(facts) => {
            let mut draft = Draft::of(object, &facts, now, url);
            match (facts.packed, facts.resolved) {
                (Some(packed), _) => draft.stored(packed),
                (None, Some(resolved)) => draft.unchanged(&resolved.revision(), facts.is_prompt),
                (None, None) => {}
            }
            draft.done(facts.spec.map(|work| work.interval).unwrap_or_default())
        }
        End::Stopped(facts, fault) => Draft::of(object, &facts, now, url).failed(fault),
    }
}

/// The status of an object during a run.
#[derive(Debug)]
pub(super) struct Draft {
    status: OciRepositoryStatus,
    condition_set: ConditionSet,
    notices: Vec<Notice>,
    generation: i64,
    /// The digest of the artifact at the start of the run.
    digest_before: Option<String>,
    ignore: Option<String>,
    selector: Option<LayerSelector>,
    url: String,
    /// Set once the run knows its result.
    success: bool,
    /// Whether the status changed before the registry is contacted.
    pub(super) news: bool,
    now: Timestamp,
}

impl Draft {
    /// Begins a run. `url` returns the current URL of a stored path.
    pub(super) fn begin(
        object: &OciRepository,
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
            if status.url.is_some()
                && let Some((directory, _)) = artifact.path.rsplit_once('/')
            {
                status.url = Some(url(&format!("{directory}/latest.tar.gz")));
            }
        }
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
        }
        Self {
            status,
            condition_set,
            notices: Vec::new(),
            generation,
            digest_before,
            ignore: object.spec.ignore.clone(),
            selector: object.spec.layer_selector.clone(),
            url: object.spec.url.clone(),
            success: false,
            news: edited || asked,
            now,
        }
    }

    /// The draft after the steps so far, without the one that stores an artifact.
    fn of(
        object: &OciRepository,
        facts: &Facts,
        now: Timestamp,
        url: impl Fn(&str) -> String,
    ) -> Self {
        let mut draft = Self::begin(object, now, url);
        if let Some(tidied) = &facts.tidied {
            draft.apply_tidy(tidied.clone());
        }
        let (Some(resolved), Ok(work)) = (&facts.resolved, &facts.spec) else {
            return draft;
        };
        let revision = resolved.revision();
        let need = plan::facts_need(object, facts);
        if need == Some(ArtifactNeed::Pull { new_revision: true }) {
            draft.new_revision(&revision, &resolved.reference);
        }
        if facts.is_verified {
            draft.verified(&revision);
        }
        if work.verify.is_none() {
            draft.condition_set.remove(SOURCE_VERIFIED);
        }
        draft
    }

    /// The current status, during the run.
    pub(super) fn status(&self) -> OciRepositoryStatus {
        OciRepositoryStatus {
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
        self.status.url = None;
        self.news = true;
    }

    /// The registry has a new revision.
    pub(super) fn new_revision(&mut self, revision: &str, reference: &Reference) {
        let message = format!("new revision '{revision}' for '{reference}'");
        if self.status.artifact.is_some() {
            self.condition_set
                .set_true(ARTIFACT_OUTDATED, reason::NEW_REVISION, &message);
        }
        self.condition_set
            .set_progress(true, &format!("building artifact: {message}"));
    }

    /// A key verified the signature.
    pub(super) fn verified(&mut self, revision: &str) {
        let message = format!("verified signature of revision {revision}");
        self.condition_set
            .set_true(SOURCE_VERIFIED, reason::SUCCEEDED, message);
    }

    /// The registry has the stored revision.
    pub(super) fn unchanged(&mut self, revision: &str, prompt: bool) {
        let message = format!("artifact up-to-date with remote revision: '{revision}'");
        let notice = Notice::trace(reason::ARTIFACT_UP_TO_DATE, message);
        // Otherwise this event would be the only write of an idle cluster.
        self.notices
            .push(if prompt { notice } else { notice.only_log() });
        self.keep_artifact();
    }

    /// The new artifact was stored.
    pub(super) fn stored(&mut self, done: NewArtifact) {
        let NewArtifact { artifact, link } = done;
        self.status.artifact = Some(Artifact {
            last_update_time: self.now.into(),
            ..artifact
        });
        self.status.observed_ignore.clone_from(&self.ignore);
        self.status
            .observed_layer_selector
            .clone_from(&self.selector);
        match link {
            Ok(url) => self.status.url = Some(url),
            Err(why) => {
                let message = format!("failed to update status URL symlink: {why}");
                self.notices
                    .push(Notice::trace(reason::SYMLINK_UPDATE_FAILED, message));
            }
        }
        self.keep_artifact();
    }

    fn keep_artifact(&mut self) {
        self.condition_set.remove(FETCH_FAILED);
        self.condition_set.remove(ARTIFACT_OUTDATED);
        if let Some(artifact) = &self.status.artifact {
            let message = format!("stored artifact for digest '{}'", artifact.revision);
            self.condition_set
                .set_true(ARTIFACT_IN_STORAGE, reason::SUCCEEDED, message);
        }
        self.success = true;
    }

    /// The message of a successful run.
    fn message(&self, artifact: &Artifact) -> String {
        let mut message = format!(
            "stored artifact with revision '{}' from '{}'",
            artifact.revision, self.url
        );
        let said = |key: &str| artifact.metadata.get(key).filter(|text| !text.is_empty());
        if let (Some(source), Some(revision)) = (said(SOURCE), said(REVISION)) {
            let _ = write!(
                message,
                ", origin source '{source}', origin revision '{revision}'"
            );
        }
        message
    }

    /// Ends a successful run.
    pub(super) fn done(mut self, interval: Duration) -> Outcome<OciRepositoryStatus> {
        if let Some(artifact) = self.status.artifact.as_ref().filter(|_| self.success) {
            let message = self.message(artifact);
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
    pub(super) fn failed(mut self, fault: Fault) -> Outcome<OciRepositoryStatus> {
        fault.report(&mut self.condition_set);
        let failure = fault.failure;
        self.notices.push(Notice::error(
            failure.reason.clone(),
            failure.message.clone(),
        ));
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
    pub(super) fn suspended(mut self) -> Outcome<OciRepositoryStatus> {
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

    fn end(self, ending: &Ending, next: Requeue) -> Outcome<OciRepositoryStatus> {
        let mut status = self.status;
        status.conditions = self.condition_set.finish(ending, SUMMARY);
        Outcome {
            notices: self.notices,
            ..Outcome::new(status, next)
        }
    }
}
