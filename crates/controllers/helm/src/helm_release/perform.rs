//! Performs the steps of a run. Each returns a report, which `steps` adds to the facts.

mod action;
mod chart;
mod cluster;
mod compare;
mod crds;
mod health;
mod inventory;
mod log;
mod observer;
mod removal;
mod renderer;

use std::num::NonZeroUsize;
use std::sync::Arc;

use sluice_api::helm::{self, HelmRelease, HelmReleaseStatus, ReleaseSnapshot};
use sluice_api::meta::reason;
use sluice_apply::{Applier, ApplierSettings, HealthEvaluators, Watches};
use sluice_client::Cluster;
use sluice_consumer::{ArtifactFetcher, ImpersonatedAccount};
use sluice_digest::Algorithm;
use sluice_engine::{ObjectKey, Run};
use sluice_helm::store::StoreError;
use sluice_helm::{Release, Status};
use sluice_host::{Clusters, Component, RemoteError, Requester};
use sluice_system::permits::FairPermits;

use super::HelmReleaseReconciler;
use super::fault::Fault;
use super::model::{Facts, LastRecord, LateRecord, LoadedChart, Report, Step, Verification};
use super::policy::Policy;
use super::session::Session;
use super::{history, journal, messages, observe, spec};
use crate::args::Args;
use crate::metrics::ReleaseMetrics;
use crate::{Error, NAME};

use action::is_unlocked;
use observer::{Recorder, identity};

/// The facts of a run, and the session of its effects. Plans and statuses see only the facts.
pub(crate) struct RunState {
    pub(super) facts: Facts,
    session: Option<Arc<Session>>,
}

impl RunState {
    /// Begins a run without a session.
    pub(super) fn new(facts: Facts) -> Self {
        let session = None;
        Self { facts, session }
    }

    /// The cluster of the release, which the plan has connected.
    fn session(&self) -> Result<&Session, Fault> {
        let session = self.session.as_deref();
        session.ok_or_else(|| Fault::unknown_state("the cluster is not connected"))
    }

    /// The chart, which the plan has loaded.
    fn loaded(&self) -> Result<&LoadedChart, Fault> {
        let loaded = self.facts.loaded.as_deref();
        loaded.ok_or_else(|| Fault::unknown_state("the chart is not loaded"))
    }
}

/// The clients, caches and limits that all runs share.
pub(super) struct Performer {
    pub(super) component: Component,
    policy: Arc<Policy>,
    artifacts: ArtifactFetcher,
    clusters: Clusters,
    settings: Arc<ApplierSettings>,
    watches: Watches,
    pub(super) metrics: ReleaseMetrics,
    /// A namespace has one permit for each core. More renders at once do not end earlier, and each
    /// holds memory.
    renders: FairPermits,
}

impl Performer {
    pub(super) fn new(
        args: &Args,
        component: &Component,
        policy: Arc<Policy>,
    ) -> Result<Self, Error> {
        let gates = component.gates();
        let clusters = args.clusters.options(gates)?;
        let mut settings = ApplierSettings::new(NAME, helm::GROUP);
        settings
            .overridden_managers
            .clone_from(&policy.overridden_managers);
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Ok(Self {
            component: component.clone(),
            policy,
            artifacts: ArtifactFetcher::new(&args.downloads.options(NAME))
                .map_err(Error::Download)?,
            clusters: Clusters::new(component, clusters),
            settings: Arc::new(settings),
            watches: Watches::default(),
            metrics: ReleaseMetrics::register(component.metrics().registry()),
            renders: FairPermits::new(cores),
        })
    }

    /// Connects to the cluster of an object, as its service account if it has one.
    async fn connect(
        &self,
        object: &HelmRelease,
        key: &ObjectKey,
        account: Option<&ImpersonatedAccount>,
        evaluators: Arc<HealthEvaluators>,
    ) -> Result<Arc<Session>, RemoteError> {
        let requester = Requester {
            kind: "HelmRelease",
            key,
        };
        let remote = object.spec.kube_config.as_ref();
        let identity = account.map(|account| &account.identity);
        let connecting = self.clusters.connect(requester, remote, identity);
        let cluster = connecting.await?;
        if object.spec.persistent_client == Some(false) {
            cluster.invalidate_discovery();
        }
        let clock = Arc::clone(self.component.clock());
        let applier = self.applier(cluster).with_evaluators(evaluators);
        let metrics = self.metrics.clone();
        Ok(Arc::new(Session::new(applier, NAME, clock, metrics)))
    }

    fn applier(&self, cluster: Cluster) -> Applier {
        let (settings, watches) = (Arc::clone(&self.settings), self.watches.clone());
        Applier::new(
            cluster,
            settings,
            watches,
            Arc::clone(self.component.clock()),
        )
    }

    /// Connects to the cluster of a release.
    async fn open(
        &self,
        object: &HelmRelease,
        account: Option<&ImpersonatedAccount>,
        evaluators: Arc<HealthEvaluators>,
        run: &Run<HelmRelease>,
    ) -> Result<Arc<Session>, Fault> {
        let connected = self.connect(object, run.key(), account, evaluators).await;
        connected.map_err(|error| {
            let message = match &error {
                RemoteError::NoSecret { key } => format!(
                    "could not get KubeConfig secret '{key}': secrets \"{}\" not found",
                    key.name()
                ),
                error => sluice_golang::error::chain(error),
            };
            if error.is_denied() {
                Fault::terminal(reason::ACCESS_DENIED, message)
            } else {
                Fault::retry(messages::REST_CLIENT_ERROR, message)
            }
        })
    }
}

/// Performs one step, and returns its report.
pub(super) async fn perform(
    reconciler: &HelmReleaseReconciler,
    step: Step,
    object: &Arc<HelmRelease>,
    state: &mut RunState,
    run: &Run<HelmRelease>,
) -> Result<Report, Fault> {
    let performer = &reconciler.performer;
    match step {
        Step::DeleteChart(key) => Box::pin(performer.delete_chart(key)).await,
        Step::ApplyChart(chart) => Ok(Box::pin(performer.apply_chart(chart, object)).await),
        Step::KeepChart(chart) => {
            let change = Ok(None);
            Ok(Report::ChartApplied { chart, change })
        }
        Step::Look(source, expressions) => {
            let written = state.facts.written_chart.as_ref();
            let looking = observe::look(reconciler, &source, &expressions, object, written, run);
            Ok(Report::Observed(Box::pin(looking).await))
        }
        Step::Load(artifact) => {
            reconciler.waiting.remove(run.key());
            let loading = performer.load(artifact, object, run);
            Ok(Report::Loaded(Box::pin(loading).await))
        }
        Step::Connect(account) => {
            let evaluators = state
                .facts
                .spec
                .as_ref()
                .map(|spec| Arc::clone(&spec.evaluators));
            let evaluators = evaluators.unwrap_or_default();
            let opening = performer.open(object, account.as_deref(), evaluators, run);
            state.session = Some(Box::pin(opening).await?);
            Ok(Report::Connected)
        }
        Step::Uninstall => Box::pin(performer.remove(object, state, run)).await,
        Step::Move(change) => Box::pin(performer.relocate(change, object, state, run)).await,
        Step::Determine => Box::pin(determine(object, state, performer.policy.algorithm)).await,
        Step::Compare(ignore) => {
            let session = state.session()?;
            let comparing = performer.compare(object, session, &ignore);
            let found = Box::pin(comparing).await?;
            let changes = found.iter().filter(|drift| drift.is_change());
            performer.metrics.set_drifted(run.key(), changes.count());
            Ok(Report::Compared(found))
        }
        Step::Verify(snapshot) => {
            let verifying = verify(object, state.session()?, *snapshot);
            Ok(Report::Verified(Box::pin(verifying).await))
        }
        Step::CheckHealth => {
            let checking = performer.check_health(object, state, run);
            Ok(Report::HealthChecked(Box::pin(checking).await?))
        }
        Step::Act(action) => Box::pin(performer.act(action, object, state, run)).await,
    }
}

/// Reads the last record.
async fn determine(
    object: &HelmRelease,
    state: &RunState,
    algorithm: Algorithm,
) -> Result<Report, Fault> {
    if let Some(why) = state.facts.reset {
        tracing::debug!("resetting failure count ({why})");
    }
    let store = state.session()?.store(spec::storage_namespace(object));
    let last = match store.last(&spec::short_name(object)).await {
        Ok(last) => last,
        Err(StoreError::NotFound) => return Ok(Report::Determined(None)),
        Err(error) => {
            return Err(Fault::unknown_state(&format!(
                "failed to retrieve last release from storage: {error}"
            )));
        }
    };
    let history = state.facts.history().to_vec();
    let status = object.status.clone().unwrap_or_default();
    let generation = object.metadata.generation.unwrap_or_default();
    let is_current = status.last_attempted_generation.unwrap_or_default() == generation;
    let mut former = None;
    if let Some(known) = journal::replaced(&status, last.version) {
        former = match store.get(&known.name, known.version.into()).await {
            Ok(record) => Some((record, known.clone())),
            Err(StoreError::NotFound) => None,
            Err(error) => return Err(Fault::unknown_state(&error.to_string())),
        };
    }
    let read = move || {
        let record = view(&last, former, &history, &status, algorithm);
        (record, last)
    };
    // On a blocking thread, because the digest covers all of the record.
    let read = tokio::task::spawn_blocking(read).await;
    let (mut record, last) = read.map_err(|error| Fault::unknown_state(&error.to_string()))?;
    if let Some(late) = &mut record.unrecorded {
        late.is_current = is_current;
        let (cluster, chart) = (&state.session()?.cluster, &state.loaded()?.chart);
        let built = inventory::build(cluster, &last.manifest, &last.namespace, chart).await;
        late.inventory = Some(built);
    }
    Ok(Report::Determined(Some(record)))
}

/// Compares a record with the history, and with the status at the begin of the run.
fn view(
    last: &Release,
    former: Option<(Release, ReleaseSnapshot)>,
    history: &[ReleaseSnapshot],
    status: &HelmReleaseStatus,
    algorithm: Algorithm,
) -> LastRecord {
    let identity = history::latest(history).map_or(Ok(()), |current| identity(last, current));
    let is_known = identity.is_ok() && !history.is_empty();
    let unrecorded = (!is_known).then(|| late(last, former, history, status, algorithm));
    let unrecorded = unrecorded.flatten().map(Box::new);
    let is_own = unrecorded.is_some() || journal::has_record(history, last.version);
    let begun = last.info.last_deployed.as_ref().filter(|_| !is_own);
    let (name, version) = last.chart_name_and_version();
    LastRecord {
        status: last.info.status.clone(),
        unrecorded,
        held_since: begun.and_then(|begun| begun.as_str().parse().ok()),
        identity,
        chart_name: name.to_owned(),
        chart_version: version.to_owned(),
    }
}

/// The record of a killed run.
fn late(
    last: &Release,
    former: Option<(Release, ReleaseSnapshot)>,
    history: &[ReleaseSnapshot],
    status: &HelmReleaseStatus,
    algorithm: Algorithm,
) -> Option<LateRecord> {
    let is_unlocked = last.info.status.is_pending() || is_unlocked(&last.info.description);
    let recorder = |digest| Recorder::new(history.to_vec(), digest, algorithm);
    let attempted = recorder(status.last_attempted_revision_digest.clone());
    let mut record = attempted.snapshot(last);
    let action = journal::writer(status, &record, is_unlocked)?;
    if action == "rollback" {
        record = recorder(None).snapshot(last);
    }
    let is_failed = last.info.status == Status::FAILED;
    let failure = is_failed.then(|| journal::failure(action, &last.name, &last.info.description));
    Some(LateRecord {
        action: action.to_owned(),
        failure: failure.flatten(),
        record,
        superseded: former.and_then(|(record, known)| superseded(record, known, &attempted)),
        inventory: None,
        is_current: false,
    })
}

/// The snapshot of a record that has changed only by being replaced.
fn superseded(
    mut record: Release,
    known: ReleaseSnapshot,
    recorder: &Recorder,
) -> Option<ReleaseSnapshot> {
    if record.info.status != Status::SUPERSEDED {
        return None;
    }
    let snapshot = recorder.snapshot(&record);
    record.info.status = Status::DEPLOYED;
    identity(&record, &known).ok()?;
    Some(ReleaseSnapshot {
        action: known.action,
        test_hooks: known.test_hooks,
        ..snapshot
    })
}

/// Reads the record of a snapshot, and compares it.
async fn verify(
    object: &HelmRelease,
    session: &Session,
    snapshot: ReleaseSnapshot,
) -> Verification {
    let store = session.store(spec::storage_namespace(object));
    let record = store.get(&snapshot.name, snapshot.version.into()).await;
    match record {
        Ok(record) => {
            let compare = move || identity(&record, &snapshot);
            match tokio::task::spawn_blocking(compare).await {
                Ok(Ok(())) => Verification::Verified,
                Ok(Err(why)) => Verification::Changed(why),
                Err(error) => Verification::Failed(error.to_string()),
            }
        }
        Err(StoreError::NotFound) => Verification::Changed("release disappeared from storage"),
        Err(error) => Verification::Failed(error.to_string()),
    }
}
