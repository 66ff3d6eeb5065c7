//! Performs the steps of a run. Each adds its result to the facts.

mod action;
mod chart;
mod cluster;
mod compare;
mod crds;
mod inventory;
mod look;
mod observer;
mod removal;

use std::sync::Arc;

use sluice_api::helm::{self, HelmRelease, ReleaseSnapshot};
use sluice_apply::{Applier, ApplierSettings, Watches};
use sluice_client::Cluster;
use sluice_consumer::ArtifactFetcher;
use sluice_engine::{ObjectKey, Run};
use sluice_helm::Release;
use sluice_helm::store::StoreError;
use sluice_host::{Clusters, Component, RemoteError, Requester};
use tokio::sync::Semaphore;

use super::HelmReleaseReconciler;
use super::fault::Fault;
use super::model::{Assessment, Facts, LastRecord, LoadedChart, State, Step, Verification};
use super::policy::Policy;
use super::session::Session;
use super::spec::Account;
use super::state;
use super::{digest, drift, history, messages, next, results, spec};
use crate::args::Args;
use crate::{Error, NAME};

pub(super) use look::Sources;
use observer::identity;

/// The least renders at once. One may wait for a lookup.
const MIN_RENDERS: usize = 2;

/// The clients, caches and limits that all runs share.
pub(super) struct Performer {
    pub(super) component: Component,
    pub(super) policy: Policy,
    pub(super) sources: Sources,
    pub(super) artifacts: ArtifactFetcher,
    clusters: Clusters,
    settings: Arc<ApplierSettings>,
    watches: Watches,
    /// One permit for each core. More renders at once do not end earlier, and each holds memory.
    renders: Arc<Semaphore>,
}

impl Performer {
    pub(super) fn new(args: &Args, component: &Component, policy: Policy) -> Result<Self, Error> {
        let gates = component.gates();
        let clusters = args.clusters(gates)?;
        let mut settings = ApplierSettings::new(NAME, helm::GROUP);
        settings
            .overridden_managers
            .clone_from(&policy.overridden_managers);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            component: component.clone(),
            sources: Sources::new(component, gates.enabled(crate::args::DIRECT_SOURCE_FETCH)),
            policy,
            artifacts: ArtifactFetcher::new(&args.downloads()).map_err(Error::Download)?,
            clusters: Clusters::new(component, clusters),
            settings: Arc::new(settings),
            watches: Watches::default(),
            renders: Arc::new(Semaphore::new(cores.max(MIN_RENDERS))),
        })
    }

    /// Connects to the cluster of an object, as its service account if it has one.
    async fn connect(
        &self,
        object: &HelmRelease,
        key: &ObjectKey,
        account: Option<&Account>,
    ) -> Result<Arc<Session>, RemoteError> {
        let own = self.component.cluster();
        let identity = account.map(|account| &account.identity);
        let cluster = match (&object.spec.kube_config, identity) {
            (Some(remote), identity) => {
                let requester = Requester {
                    kind: "HelmRelease",
                    key,
                };
                self.clusters.cluster(requester, remote, identity).await?
            }
            (None, Some(identity)) => own.impersonate(identity),
            (None, None) => own.clone(),
        };
        if object.spec.persistent_client == Some(false) {
            cluster.invalidate_discovery();
        }
        let clock = Arc::clone(self.component.clock());
        Ok(Arc::new(Session::new(self.applier(cluster), NAME, clock)))
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
}

impl HelmReleaseReconciler {
    /// Performs one step and adds its result to the facts.
    pub(super) async fn step(
        &self,
        step: Step,
        object: &Arc<HelmRelease>,
        facts: &mut Facts,
        run: &Run<HelmRelease>,
    ) -> Result<(), Fault> {
        let performed = match step {
            Step::DeleteChart(key) => Box::pin(self.performer.delete_chart(&key, facts)).await,
            Step::ApplyChart(chart) => {
                Box::pin(self.performer.apply_chart(*chart, object, facts)).await
            }
            Step::Look => {
                let looking = self.performer.look(object, facts, run, &self.waiting);
                facts.observation = Some(Box::pin(looking).await);
                Ok(())
            }
            Step::Load(artifact) => {
                self.waiting.remove(run.key());
                Box::pin(self.performer.load(&artifact, object, facts, run)).await
            }
            Step::Connect => Box::pin(self.open(object, facts, run)).await,
            Step::Uninstall => Box::pin(self.performer.remove(object, facts, run)).await,
            Step::Move(change) => {
                tracing::info!(
                    "release target configuration changed ({change}): running uninstall for \
                     current release"
                );
                Box::pin(self.performer.remove(object, facts, run)).await
            }
            Step::Determine => Box::pin(self.determine(object, facts)).await,
            Step::Compare => Box::pin(self.compare(object, facts)).await,
            Step::Verify(snapshot) => {
                let verification = Box::pin(verify(object, facts, *snapshot)).await;
                log_verification(&verification);
                facts.verification = Some(verification);
                Ok(())
            }
            Step::Act(action) => {
                if let Some(assessment) = &facts.assessment {
                    next::prepare(&mut facts.draft, assessment, self.policy.retries_by_default);
                }
                results::begin(&mut facts.draft, &action);
                let report = self.performer.act(&action, object, facts, run);
                let report = Box::pin(report).await;
                facts.draft.condition_set.set_now(run.times().now);
                self.conclude_action(facts, &action, report);
                Ok(())
            }
        };
        facts.draft.condition_set.set_now(run.times().now);
        performed
    }

    /// Applies the report of an action, and decides how the run goes on.
    fn conclude_action(
        &self,
        facts: &mut Facts,
        action: &super::model::Action,
        report: super::model::ActionReport,
    ) {
        let Some(loaded) = facts.loaded.clone() else {
            return;
        };
        let retries_by_default = self.policy.retries_by_default;
        let superseded_by = report.superseded_by.clone();
        let draft = &mut facts.draft;
        let applied = results::apply(draft, action, report, &loaded, retries_by_default);
        facts.halt = match superseded_by {
            Some(origin) => Some(action::superseded(&origin)),
            None => next::after_action(draft, action, applied.err(), retries_by_default),
        };
        facts.performed.push(action.kind());
        facts.assessment = None;
        facts.drift = None;
        facts.verification = None;
    }

    async fn open(
        &self,
        object: &HelmRelease,
        facts: &mut Facts,
        run: &Run<HelmRelease>,
    ) -> Result<(), Fault> {
        let spec = facts.spec.as_ref().map_err(Clone::clone)?;
        let account = spec.account.as_ref();
        let connected = self.performer.connect(object, run.key(), account).await;
        let session = connected.map_err(|error| {
            let message = sluice_golang::error::chain(&error);
            let fault = Fault::retry(messages::REST_CLIENT_ERROR, message);
            if error.is_terminal() {
                Fault::terminal(messages::REST_CLIENT_ERROR, fault.message)
            } else {
                fault
            }
        })?;
        facts.draft.clear_ready(&[messages::REST_CLIENT_ERROR]);
        facts.session = Some(session);
        Ok(())
    }

    /// Reads the last record, and determines the state of the release.
    async fn determine(&self, object: &HelmRelease, facts: &mut Facts) -> Result<(), Fault> {
        let (Some(session), Some(loaded)) = (facts.session.clone(), facts.loaded.clone()) else {
            return Ok(());
        };
        if facts.performed.is_empty() {
            attempt(object, facts, &loaded);
        }
        let store = session.store(spec::storage_namespace(object));
        let name = spec::short_name(object);
        let last = match store.last(&name).await {
            Ok(last) => Some(last),
            Err(StoreError::NotFound) => None,
            Err(error) => {
                return Err(state_error(&format!(
                    "failed to retrieve last release from storage: {error}"
                )));
            }
        };
        let current = history::latest(&facts.draft.status.history).cloned();
        let last = match last {
            Some(last) => Some(view(last, current).await),
            None => None,
        };
        let determined = state::determine(last.as_ref(), &facts.draft, &loaded);
        let state = determined.map_err(|error| state_error(&error))?;
        log_state(&state);
        let is_forced = facts.draft.takes_force_request();
        facts.assessment = Some(Assessment { state, is_forced });
        Ok(())
    }

    /// Compares the release with the cluster.
    async fn compare(&self, object: &HelmRelease, facts: &mut Facts) -> Result<(), Fault> {
        let Some(session) = facts.session.clone() else {
            return Ok(());
        };
        let spec = facts.spec.as_ref().map_err(Clone::clone)?;
        let compared = self.performer.compare(object, &session, &spec.ignore).await;
        let found = compared.map_err(|error| state_error(&error))?;
        let has_changes = found.iter().any(super::model::Drift::is_change);
        if has_changes {
            tracing::info!(
                "detected changes in cluster state: {}",
                drift::brief(&found)
            );
            if let Some(assessment) = &mut facts.assessment {
                assessment.state = State::Drifted(found.clone());
            }
        }
        facts.drift = Some(found);
        Ok(())
    }
}

/// Records the attempt in the status.
fn attempt(object: &HelmRelease, facts: &mut Facts, loaded: &LoadedChart) {
    let draft = &mut facts.draft;
    draft.status.storage_namespace = Some(spec::storage_namespace(object).to_owned());
    if let Some(why) = state::resets_failures(draft, loaded) {
        tracing::debug!("resetting failure count ({why})");
        draft.clear_failures();
    }
    let algorithm = draft.algorithm();
    let status = &mut draft.status;
    status.last_attempted_generation = object.metadata.generation;
    status.last_attempted_revision = Some(loaded.chart.metadata.version.clone());
    status
        .last_attempted_revision_digest
        .clone_from(&loaded.oci_digest);
    status.last_attempted_config_digest = Some(digest::of_values(algorithm, &loaded.values));
    status.last_attempted_values_checksum = None;
    status.last_release_revision = None;
}

fn state_error(error: &str) -> Fault {
    Fault::retry(
        messages::STATE_ERROR,
        format!("Could not determine release state: {error}"),
    )
}

fn log_state(state: &State) {
    match state {
        State::InSync => tracing::info!("release in-sync with desired state"),
        State::Locked(why) => tracing::info!("release locked: {why}"),
        State::Absent(why) => tracing::info!("release not installed: {why}"),
        State::Unmanaged(why) => tracing::info!("release not managed by controller: {why}"),
        State::OutOfSync(why) => tracing::info!("release out-of-sync with desired state: {why}"),
        State::Failed(why) => tracing::info!("release is in a failed state: {why}"),
        State::Untested => tracing::info!("release has not been tested"),
        State::Drifted(_) => {}
    }
}

/// Compares a record with the latest snapshot, on a blocking thread: the digest covers all of it.
async fn view(last: Release, current: Option<ReleaseSnapshot>) -> LastRecord {
    let status = last.info.status.clone();
    let (name, version) = last.chart_name_and_version();
    let (chart_name, chart_version) = (name.to_owned(), version.to_owned());
    let compare = move || current.map_or(Ok(()), |current| identity(&last, &current));
    let identity = tokio::task::spawn_blocking(compare).await;
    LastRecord {
        status,
        identity: identity.unwrap_or(Err(state::NOT_OBSERVED)),
        chart_name,
        chart_version,
    }
}

/// Reads the record of a snapshot, and compares it.
async fn verify(object: &HelmRelease, facts: &Facts, snapshot: ReleaseSnapshot) -> Verification {
    let Some(session) = &facts.session else {
        return Verification::Failed("not connected".to_owned());
    };
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

fn log_verification(verification: &Verification) {
    if let Verification::Changed(why) = verification {
        tracing::info!("unable to verify previous release in storage to roll back to: {why}");
    }
}
