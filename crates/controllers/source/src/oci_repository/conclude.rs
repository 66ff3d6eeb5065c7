//! The status and the notices of an `OCIRepository`: how they change during a run, and how they are
//! left at its end. Pure.

use std::fmt::Write as _;
use std::time::Duration;

use jiff::Timestamp;
use kube::Resource;
use sluice_api::Artifact;
use sluice_api::meta::{ToolkitResource, reason};
use sluice_api::source::condition::{
    ARTIFACT_IN_STORAGE, ARTIFACT_OUTDATED, FETCH_FAILED, SOURCE_VERIFIED, STORAGE_OPERATION_FAILED,
};
use sluice_api::source::{GROUP, LayerSelector, OciRepository, OciRepositoryStatus};
use sluice_engine::{Notice, Outcome, Requeue, Retry};
use sluice_oci::Reference;
use sluice_oci::package::{REVISION, SOURCE};

use super::SUMMARY;
use super::perform::Done;
use super::plan::Step;
use crate::conditions::{Ending, Ledger};
use crate::shelf::{Fault, Tidied};

/// The end of these is good news.
const FAILURES: [&str; 2] = [FETCH_FAILED, STORAGE_OPERATION_FAILED];

/// The status of an object during a run.
#[derive(Debug)]
pub(super) struct Draft {
    status: OciRepositoryStatus,
    ledger: Ledger,
    notices: Vec<Notice>,
    generation: i64,
    /// What was asked for by annotation.
    requested: Option<String>,
    /// The digest that was advertised when the run began.
    digest_before: Option<String>,
    ignore: Option<String>,
    selector: Option<LayerSelector>,
    url: String,
    /// Set once the run knows its result.
    success: bool,
    news: bool,
    now: Timestamp,
}

impl Draft {
    /// Begins a run. `url` tells where a stored path is served now.
    pub(super) fn begin(
        object: &OciRepository,
        now: Timestamp,
        url: impl Fn(&str) -> String,
    ) -> Self {
        let mut status = object.status.clone().unwrap_or_default();
        let generation = object.meta().generation.unwrap_or_default();
        let requested = object.reconcile_requested_at().map(str::to_owned);
        let observed = status.observed_generation.unwrap_or_default();
        let edited = observed != generation;
        let asked = requested.is_some() && requested != status.last_handled_reconcile_at;

        let conditions = std::mem::take(&mut status.conditions);
        let mut ledger = Ledger::open(conditions, generation, now);
        let digest_before = status
            .artifact
            .as_ref()
            .map(|artifact| artifact.digest.clone());
        // The server may have moved since.
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
                ledger.progress(false, &message);
            } else {
                ledger.progress(false, "reconciliation in progress");
            }
            ledger.drop(STORAGE_OPERATION_FAILED);
            if ledger.conditions().is_false(SOURCE_VERIFIED) {
                ledger.drop(SOURCE_VERIFIED);
            }
        }
        Self {
            status,
            ledger,
            notices: Vec::new(),
            generation,
            requested,
            digest_before,
            ignore: object.spec.ignore.clone(),
            selector: object.spec.layer_selector.clone(),
            url: object.spec.url.clone(),
            success: false,
            news: edited || asked,
            now,
        }
    }

    /// Whether there is something to show before the remote answers.
    pub(super) fn is_news(&self) -> bool {
        self.news
    }

    /// The status as it stands, mid-way.
    pub(super) fn status(&self) -> OciRepositoryStatus {
        OciRepositoryStatus {
            conditions: self.ledger.conditions().clone(),
            ..self.status.clone()
        }
    }

    /// The artifact that is in storage.
    pub(super) fn artifact(&self) -> Option<&Artifact> {
        self.status.artifact.as_ref()
    }

    /// Takes in the state of the storage.
    pub(super) fn tidied(&mut self, tidied: Tidied) {
        if !tidied.tell(&mut self.ledger, &mut self.notices) {
            return;
        }
        self.status.artifact = None;
        self.status.url = None;
        self.news = true;
    }

    /// The registry has something new.
    pub(super) fn new_revision(&mut self, revision: &str, reference: &Reference) {
        let message = format!("new revision '{revision}' for '{reference}'");
        if self.status.artifact.is_some() {
            self.ledger
                .hold(ARTIFACT_OUTDATED, reason::NEW_REVISION, &message);
        }
        self.ledger
            .progress(true, &format!("building artifact: {message}"));
    }

    /// Whether the verdict that stands was found for something else, or was a refusal.
    pub(super) fn wants_verification(&self, step: &Step) -> bool {
        *step == (Step::Pull { new_revision: true })
            || self
                .ledger
                .conditions()
                .find(SOURCE_VERIFIED)
                .is_none_or(|verified| verified.observed_generation != Some(self.generation))
    }

    /// One of the keys signed it.
    pub(super) fn verified(&mut self, revision: &str) {
        let message = format!("verified signature of revision {revision}");
        self.ledger
            .hold(SOURCE_VERIFIED, reason::SUCCEEDED, message);
    }

    /// Nobody asks who signed it.
    pub(super) fn unverified(&mut self) {
        self.ledger.drop(SOURCE_VERIFIED);
    }

    /// The registry has what is in storage.
    pub(super) fn unchanged(&mut self, revision: &str, prompt: bool) {
        let message = format!("artifact up-to-date with remote revision: '{revision}'");
        let notice = Notice::trace(reason::ARTIFACT_UP_TO_DATE, message);
        // An event per object and interval would be the only write of an idle cluster.
        self.notices
            .push(if prompt { notice } else { notice.only_log() });
        self.kept();
    }

    /// It was stored.
    pub(super) fn stored(&mut self, done: Done) {
        let Done { artifact, link } = done;
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
        self.kept();
    }

    fn kept(&mut self) {
        self.ledger.drop(FETCH_FAILED);
        self.ledger.drop(ARTIFACT_OUTDATED);
        if let Some(artifact) = &self.status.artifact {
            let message = format!("stored artifact for digest '{}'", artifact.revision);
            self.ledger
                .hold(ARTIFACT_IN_STORAGE, reason::SUCCEEDED, message);
        }
        self.success = true;
    }

    /// What a run that ended well is told by.
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

    /// Ends a run that did what there was to do.
    pub(super) fn done(mut self, interval: Duration) -> Outcome<OciRepositoryStatus> {
        if let Some(artifact) = self.status.artifact.as_ref().filter(|_| self.success) {
            let message = self.message(artifact);
            let reason = if self.digest_before.as_ref() != Some(&artifact.digest) {
                Some(reason::NEW_ARTIFACT)
            } else if self.recovered() {
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
        // As in Flux: an interval of zero asks for no poll at all.
        let next = if interval.is_zero() {
            Requeue::Never
        } else {
            Requeue::Interval(interval)
        };
        self.end(&Ending::Done, next)
    }

    /// Ends a run that failed. What was stored before stays advertised.
    pub(super) fn failed(mut self, fault: Fault) -> Outcome<OciRepositoryStatus> {
        fault.tell(&mut self.ledger);
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

    /// Ends a run of a suspended object.
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

    fn recovered(&self) -> bool {
        FAILURES.iter().any(|type_| {
            self.ledger.before().is_true(type_) && !self.ledger.conditions().is_true(type_)
        })
    }

    fn end(self, ending: &Ending, next: Requeue) -> Outcome<OciRepositoryStatus> {
        let mut status = self.status;
        if self.requested.is_some() {
            status.last_handled_reconcile_at = self.requested;
        }
        status.conditions = self.ledger.close(ending, SUMMARY);
        Outcome {
            notices: self.notices,
            ..Outcome::new(status, next)
        }
    }
}
