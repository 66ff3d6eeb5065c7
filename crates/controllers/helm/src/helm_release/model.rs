//! The steps of a run, their reports, and the facts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::artifact::Artifact;
use sluice_api::helm::{
    HelmRelease, HelmReleaseSpec, ReleaseAction, ReleaseSnapshot, TestHookStatus,
};
use sluice_api::inventory::ResourceInventory;
use sluice_api::meta::reason;
use sluice_api::source::HelmChart;
use sluice_apply::IgnoreRules;
use sluice_chart::{Chart, Values};
use sluice_consumer::{Expressions, ImpersonatedAccount, UnmetDependency};
use sluice_engine::{MAX_STEP_TIME, ObjectKey};
use sluice_helm::Status;
use sluice_object::Object;

use super::draft::Draft;
use super::fault::Fault;
use super::journal;
use super::policy::Policy;
use super::spec::{SourceReference, Spec};

/// One step of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    /// Deletes the `HelmChart` of a former template.
    DeleteChart(ObjectKey),
    /// Creates or updates the `HelmChart` of the template.
    ApplyChart(Box<HelmChart>),
    /// Records a `HelmChart` that is as the template says. No request is needed.
    KeepChart(Box<HelmChart>),
    /// Reads the dependencies and the source.
    Look(Box<SourceReference>, Arc<Expressions>),
    /// Composes the values, and loads the chart.
    Load(Box<Artifact>),
    /// Connects to the cluster of the release, as this account if the spec has one.
    Connect(Option<Box<ImpersonatedAccount>>),
    /// Uninstalls the release of a deleted object.
    Uninstall,
    /// Uninstalls a release that is installed elsewhere next, because this part of its target
    /// changed.
    Move(&'static str),
    /// Reads the last record of the release.
    Determine,
    /// Compares the release with the cluster, except for these fields.
    Compare(Arc<IgnoreRules>),
    /// Reads the record to roll back to.
    Verify(Box<ReleaseSnapshot>),
    /// Checks the health of the objects of the last record.
    CheckHealth,
    /// Performs an action.
    Act(Action),
}

impl Step {
    /// The most time of the step. An action has many waits, such as one for each hook.
    pub(super) fn time_limit(&self, spec: &HelmReleaseSpec) -> Duration {
        let timeout = match self {
            Self::Act(action) => action.timeout(spec),
            Self::Uninstall | Self::Move(_) => Action::Uninstall.timeout(spec),
            _ => Duration::ZERO,
        };
        timeout.saturating_mul(MAX_WAITS).max(MAX_STEP_TIME)
    }
}

/// An action on a release.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Action {
    Install,
    Upgrade,
    /// Rolls back to a snapshot.
    Rollback(Box<ReleaseSnapshot>),
    /// Uninstalls a failed release.
    Uninstall,
    Test,
    /// Marks a pending record as failed.
    Unlock,
    /// Reverts changes in the cluster.
    Correct(Vec<Drift>),
}

/// The type of an action. A run performs one action of each type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ActionType {
    Release,
    Remediate,
    Test,
    Unlock,
    DriftCorrection,
}

impl Action {
    /// The name in messages.
    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::Install => "install",
            Self::Upgrade => "upgrade",
            Self::Rollback(_) => "rollback",
            Self::Uninstall => "uninstall",
            Self::Test => "test",
            Self::Unlock => "unlock",
            Self::Correct(_) => "correct cluster drift",
        }
    }

    pub(super) fn kind(&self) -> ActionType {
        match self {
            Self::Install | Self::Upgrade => ActionType::Release,
            Self::Rollback(_) | Self::Uninstall => ActionType::Remediate,
            Self::Test => ActionType::Test,
            Self::Unlock => ActionType::Unlock,
            Self::Correct(_) => ActionType::DriftCorrection,
        }
    }

    /// The timeout of each wait.
    pub(super) fn timeout(&self, spec: &HelmReleaseSpec) -> Duration {
        let own = match self {
            Self::Install => spec.install.as_ref().and_then(|own| own.timeout.as_ref()),
            Self::Upgrade => spec.upgrade.as_ref().and_then(|own| own.timeout.as_ref()),
            Self::Test => spec.test.as_ref().and_then(|own| own.timeout.as_ref()),
            Self::Rollback(_) => spec.rollback.as_ref().and_then(|own| own.timeout.as_ref()),
            Self::Uninstall => spec.uninstall.as_ref().and_then(|own| own.timeout.as_ref()),
            Self::Unlock | Self::Correct(_) => None,
        };
        let timeout = own.or(spec.timeout.as_ref());
        timeout
            .and_then(|timeout| timeout.parse().ok())
            .unwrap_or(DEFAULT_TIMEOUT)
    }
}

/// Number of waits of an action that may take all of their time.
const MAX_WAITS: u32 = 10;

/// Timeout of waits if the spec has none.
const DEFAULT_TIMEOUT: Duration = Duration::from_mins(5);

/// A difference between the release and the cluster.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Drift {
    /// The object of the release.
    pub(super) desired: Object,
    /// The change that reverts the difference.
    pub(super) change: Change,
}

/// A change that reverts a difference.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Change {
    /// The object is missing.
    Create,
    /// The object differs by these operations of a JSON patch.
    Patch(Vec<serde_json::Value>),
    /// The object is excluded from the comparison.
    Excluded,
}

impl Drift {
    /// Whether the cluster has to change.
    pub(super) fn is_change(&self) -> bool {
        self.change != Change::Excluded
    }
}

/// The source of the chart.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SourceState {
    /// The source could not be read.
    Failed(String),
    /// The source has no usable artifact.
    NotReady(String),
    /// The artifact.
    Ready(Box<Artifact>),
}

/// The dependencies and the source.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observation {
    /// The first unmet dependency.
    pub(super) unmet: Option<UnmetDependency>,
    pub(super) source: SourceState,
}

/// The inputs of a release.
#[derive(Clone)]
pub(super) struct LoadedChart {
    /// The chart, with the version that the release gets.
    pub(super) chart: Arc<Chart>,
    pub(super) values: Values,
    /// The digest of the OCI artifact.
    pub(super) oci_digest: Option<String>,
}

/// The result of reading the record to roll back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verification {
    /// The record is as it was.
    Verified,
    /// The record is not known or has changed, for this reason.
    Changed(&'static str),
    /// The record could not be read.
    Failed(String),
}

/// The state of a release. The texts are the reasons in the log.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum State {
    /// The release is not installed.
    Absent(String),
    /// The last action has not ended.
    Locked(String),
    /// Another client may still perform the last action, until this time.
    Held(String, Timestamp),
    /// The record was not made for this object, or was changed.
    Unmanaged(String),
    /// The last action or a test has failed.
    Failed(String),
    /// The chart, the values or the post-renderers have changed.
    OutOfSync(String),
    /// The tests have not run.
    Untested,
    /// The cluster differs from the record.
    Drifted(Vec<Drift>),
    /// Nothing to do.
    InSync,
}

/// The last record of a release.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastRecord {
    pub(super) status: Status,
    /// The writes of a killed run.
    pub(super) unrecorded: Option<Box<LateRecord>>,
    /// When another client has begun the pending action of the record.
    pub(super) held_since: Option<Timestamp>,
    /// Whether the record is the one of the latest snapshot, or why not.
    pub(super) identity: Result<(), &'static str>,
    pub(super) chart_name: String,
    pub(super) chart_version: String,
}

/// Records of a run that did not write its result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LateRecord {
    /// The action of the run.
    pub(super) action: String,
    /// Its record.
    pub(super) record: ReleaseSnapshot,
    /// The record that it replaced.
    pub(super) superseded: Option<ReleaseSnapshot>,
    /// The objects of the release, and warnings about them.
    pub(super) inventory: Option<Result<(ResourceInventory, Vec<String>), String>>,
    /// The error of the action, if the record is a failed one.
    pub(super) failure: Option<String>,
    /// Whether the run was of the present generation.
    pub(super) is_current: bool,
}

/// The state of the release, and whether an upgrade is forced.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Assessment {
    pub(super) state: State,
    pub(super) is_forced: bool,
}

/// The report of a step.
pub(super) enum Report {
    /// A `HelmChart` does not exist any more.
    ChartDeleted {
        key: ObjectKey,
        /// Whether it existed before.
        existed: bool,
    },
    /// The `HelmChart` of the template was applied, or could not be.
    ChartApplied {
        chart: Box<HelmChart>,
        change: Result<Option<ChartChange>, String>,
    },
    /// The dependencies and the source were read.
    Observed(Observation),
    /// The values and the chart were read.
    Loaded(LoadReport),
    /// The cluster of the release is connected.
    Connected,
    /// The release was uninstalled for a deletion or a move.
    Removed(Removal),
    /// The last record was read. `None` without a record.
    Determined(Option<LastRecord>),
    /// The release was compared with the cluster.
    Compared(Vec<Drift>),
    /// The record to roll back to was read.
    Verified(Verification),
    /// Whether all objects of the last record are healthy.
    HealthChecked(bool),
    /// An action was performed.
    Acted(Action, Box<ActionReport>),
}

/// The change of a `HelmChart`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChartChange {
    Created,
    Configured,
}

/// The report of the step that loads a chart.
pub(super) enum LoadReport {
    /// The chart of an artifact, and the values.
    Loaded {
        artifact: Box<Artifact>,
        chart: Box<Chart>,
        values: Values,
    },
    /// The values could not be composed.
    ValuesFailed(String),
    /// The server does not have the artifact.
    ArtifactMissing,
    /// The chart could not be read.
    ChartFailed(String),
}

/// The report of an uninstall for a deletion or a move.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Removal {
    /// Nothing is stored, or the credentials of its cluster are gone.
    Skipped,
    /// The cluster could not be connected.
    NoConnection(String),
    /// The action has ended. `None` without a release in the history.
    Ended(Option<Box<ActionReport>>),
}

/// The report of an action.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ActionReport {
    pub(super) elapsed: Duration,
    /// The revisions that were written, each in its last form.
    pub(super) writes: Vec<Write>,
    /// The objects of the release, and warnings about them.
    pub(super) inventory: Option<Result<(ResourceInventory, Vec<String>), String>>,
    pub(super) error: Option<ActionError>,
    /// Whether the action failed because the process stopped.
    pub(super) is_stopped: bool,
    /// Name, namespace and version of the release that the action was performed on.
    pub(super) target: Option<(String, String, i64)>,
    /// The status of the record before an unlock, and the record.
    pub(super) unlocked: Option<(String, ReleaseSnapshot)>,
    /// The changes of a drift correction.
    pub(super) corrections: Vec<String>,
    /// The last lines that Helm has logged.
    pub(super) log: String,
    /// The object that cancelled the action.
    pub(super) superseded_by: Option<String>,
}

/// Why an action failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ActionError {
    /// The release does not exist.
    NotFound(String),
    /// Anything else.
    Failed(String),
}

impl ActionError {
    pub(super) fn text(&self) -> &str {
        let (Self::NotFound(text) | Self::Failed(text)) = self;
        text.trim()
    }
}

/// A write of a record.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Write {
    pub(super) snapshot: ReleaseSnapshot,
    /// The results of all tests of the record.
    pub(super) tests: BTreeMap<String, TestHookStatus>,
}

/// The facts of a run.
pub(crate) struct Facts {
    pub(super) policy: Arc<Policy>,
    pub(super) spec: Result<Spec, Fault>,
    /// The status so far. Only `steps` and `conclude` change it.
    pub(super) draft: Draft,
    /// The `HelmChart` of the template, as the first plan finds it.
    pub(super) live_chart: Option<Arc<HelmChart>>,
    /// Whether the `HelmChart` is as the template says.
    pub(super) has_chart: bool,
    /// The `HelmChart` that this run has written, which a watch may not show yet.
    pub(super) written_chart: Option<ObjectKey>,
    pub(super) observation: Option<Observation>,
    pub(super) loaded: Option<Arc<LoadedChart>>,
    /// Whether the cluster of the release is connected.
    pub(super) is_connected: bool,
    /// Why the attempt that begins has reset the counts of failures.
    pub(super) reset: Option<&'static str>,
    pub(super) assessment: Option<Assessment>,
    /// The result of the comparison with the cluster.
    pub(super) drift: Option<Vec<Drift>>,
    pub(super) verification: Option<Verification>,
    /// Whether the objects of the last record are healthy, if the run has checked it.
    pub(super) is_healthy: Option<bool>,
    /// The types of the actions that were performed.
    pub(super) performed: Vec<ActionType>,
    /// Whether the release was uninstalled.
    pub(super) is_uninstalled: bool,
    /// Why the run ends.
    pub(super) halt: Option<Fault>,
}

impl Facts {
    /// Begins a run.
    pub(super) fn begin(object: &Arc<HelmRelease>, policy: &Arc<Policy>, now: Timestamp) -> Self {
        let mut draft = Draft::begin(object, policy.algorithm, now);
        // An action that a killed run has begun stays named until its record was read.
        let is_running = journal::running(draft.condition_set.conditions()).is_some();
        if object.metadata.deletion_timestamp.is_none() && !is_running {
            draft.set_reconciling(reason::PROGRESSING, "Fulfilling prerequisites");
        }
        Self {
            policy: Arc::clone(policy),
            spec: Spec::parse(object, policy),
            draft,
            live_chart: None,
            has_chart: false,
            written_chart: None,
            observation: None,
            loaded: None,
            is_connected: false,
            reset: None,
            assessment: None,
            drift: None,
            verification: None,
            is_healthy: None,
            performed: Vec::new(),
            is_uninstalled: false,
            halt: None,
        }
    }

    /// Whether the record was read, so that the action of a killed run is known.
    pub(super) fn has_read_record(&self) -> bool {
        self.assessment.is_some() || !self.performed.is_empty()
    }

    /// The releases in the status, newest first.
    pub(super) fn history(&self) -> &[ReleaseSnapshot] {
        &self.draft.status.history
    }

    /// The last action that was attempted.
    pub(super) fn attempted(&self) -> Option<&ReleaseAction> {
        self.draft.status.last_attempted_release_action.as_ref()
    }

    /// The namespace of the records in the status.
    pub(super) fn stored_namespace(&self) -> Option<&str> {
        let stored = self.draft.status.storage_namespace.as_deref();
        stored.filter(|namespace| !namespace.is_empty())
    }
}
