//! Performs the actions on a release.

use std::sync::Arc;

use sluice_api::helm::HelmRelease;
use sluice_chart::{Chart, TemplateOptions, render};
use sluice_engine::Run;
use sluice_helm::action::{install, rollback, test, uninstall, upgrade};
use sluice_helm::store::{Store, StoreError};
use sluice_helm::{Context, Failure, Release, Status, Templates};
use sluice_release::{ClusterLookup, capabilities};
use tokio_util::sync::CancellationToken;

use super::cluster::ActionCluster;
use super::observer::Recorder;
use super::renderer::{self, LimitedRenderer};
use super::{Performer, RunState, compare, crds, inventory};
use crate::helm_release::fault::Fault;
use crate::helm_release::model::{Action, ActionError, ActionReport, LoadedChart, Report};
use crate::helm_release::session::Session;
use crate::helm_release::{options, spec};

/// Start of the description of a record that was pending.
const UNLOCKED: &str = "Release unlocked from stale ";

/// The inputs of one action, and its clients.
struct ActionContext<'a> {
    performer: &'a Performer,
    object: &'a HelmRelease,
    session: &'a Session,
    loaded: &'a LoadedChart,
    cluster: &'a ActionCluster<'a>,
    store: &'a Store,
}

impl Performer {
    /// Performs an action, and reports what it has done.
    pub(super) async fn act(
        &self,
        action: Action,
        object: &HelmRelease,
        state: &RunState,
        run: &Run<HelmRelease>,
    ) -> Result<Report, Fault> {
        let timeout = action.timeout(&object.spec);
        let timeout = sluice_golang::duration::GoDuration::from_std(timeout);
        tracing::info!(
            "running '{}' action with timeout of {timeout}",
            action.name()
        );
        let started = run.times().now;
        let report = match &action {
            Action::Correct(found) => compare::correct(state.session()?, found).await,
            action => self.act_on_release(action, object, state, run).await?,
        };
        let elapsed = run.times().now.duration_since(started);
        let elapsed = elapsed.try_into().unwrap_or_default();
        let (name, is_success) = (action.name(), report.error.is_none());
        self.metrics.action(name, is_success, elapsed);
        Ok(Report::Acted(action, Box::new(report)))
    }

    async fn act_on_release(
        &self,
        action: &Action,
        object: &HelmRelease,
        state: &RunState,
        run: &Run<HelmRelease>,
    ) -> Result<ActionReport, Fault> {
        let (session, loaded) = (state.session()?, state.loaded()?);
        let started = run.times().now;
        let new_digest = match action {
            Action::Install | Action::Upgrade => loaded.oci_digest.clone(),
            _ => None,
        };
        let history = state.facts.history().to_vec();
        let recorder = Recorder::new(history, new_digest, self.policy.algorithm);
        let recorder = Arc::new(recorder);
        let namespace = spec::storage_namespace(object);
        let mut store = session.store(namespace).with_observer(recorder.clone());
        store.max_history = options::max_history(action, &object.spec);
        let cluster = ActionCluster::new(session, run, self.policy.cancels_waits);
        let context = ActionContext {
            performer: self,
            object,
            session,
            loaded,
            cluster: &cluster,
            store: &store,
        };
        let mut report = ActionReport::default();
        let result = Box::pin(context.perform(action, &recorder, &mut report)).await;
        report.error = result.err();
        let (writes, manifest) = recorder.take();
        report.writes = writes;
        report.superseded_by = cluster.superseded_by();
        report.is_stopped = cluster.is_stopped();
        report.log = cluster.log_text();
        let chart = match action {
            Action::Install | Action::Upgrade | Action::Rollback(_) => Some(&*loaded.chart),
            _ => None,
        };
        if let (Some(chart), Some((manifest, namespace))) = (chart, manifest) {
            let owner = facts_name(object);
            let built = inventory::build(&session.cluster, &manifest, &namespace, chart).await;
            report.inventory = Some(
                built.map_err(|error| format!("failed to build inventory for {owner}: {error}")),
            );
        }
        let now = run.times().now;
        report.elapsed = now.duration_since(started).try_into().unwrap_or_default();
        Ok(report)
    }
}

fn facts_name(object: &HelmRelease) -> String {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let name = object.metadata.name.as_deref().unwrap_or_default();
    format!("{namespace}/{name}")
}

impl ActionContext<'_> {
    fn context(&self) -> Context<'_> {
        Context {
            cluster: self.cluster,
            store: self.store,
            clock: &**self.session.clock(),
            cancel: CancellationToken::new(),
        }
    }

    async fn renderer(&self, action: &Action) -> Result<LimitedRenderer, ActionError> {
        let client = self.session.client.clone();
        let capabilities = capabilities(&client).await.map_err(|error| {
            let text = error.message();
            failed(format!(
                "could not get server version from Kubernetes: {text}"
            ))
        })?;
        let runtime = tokio::runtime::Handle::current();
        let policy = &self.performer.policy;
        let allows_dns = policy.allows_dns;
        let lookup = move || -> Box<dyn render::Cluster> {
            let lookup = ClusterLookup::new(client.clone(), runtime.clone());
            Box::new(lookup.with_names(allows_dns))
        };
        Ok(LimitedRenderer {
            templates: Templates {
                options: TemplateOptions {
                    capabilities,
                    skips_schema: options::skips_schema(action, &self.object.spec),
                    ..TemplateOptions::default()
                },
                post_renderer: options::post_renderer(self.object, policy),
                lookup: Some(Arc::new(lookup)),
            },
            permits: self.performer.renders.clone(),
            namespace: self.object.metadata.namespace.clone().unwrap_or_default(),
            limit: renderer::limit_of(action.timeout(&self.object.spec)),
            metrics: self.performer.metrics.clone(),
        })
    }

    async fn perform(
        &self,
        action: &Action,
        recorder: &Recorder,
        report: &mut ActionReport,
    ) -> Result<(), ActionError> {
        let (object, policy) = (self.object, &self.performer.policy);
        match action {
            Action::Install => self.install().await,
            Action::Upgrade => Box::pin(self.upgrade()).await,
            Action::Rollback(to) => {
                let version = i64::from(to.version);
                let previous = self.store.get(&to.name, version).await;
                let method = previous.map(|previous| previous.apply_method);
                let method = method.unwrap_or_default();
                let timeout = action.timeout(&object.spec);
                let options = options::rollback(object, policy, version, timeout, &method);
                let done = rollback(&self.context(), &to.name, &options).await;
                done.map(drop)
                    .map_err(|failure| failed(failure.to_string()))
            }
            Action::Uninstall => {
                let options = options::uninstall(object, policy);
                let name = spec::short_name(object);
                let done = uninstall(&self.context(), &name, &options).await;
                let done = done.map(|done| done.release);
                let (target, result) = uninstall_result(done);
                report.target = target;
                result
            }
            Action::Test => {
                let name = spec::short_name(object);
                match test(&self.context(), &name, &options::test(object)).await {
                    Ok(release) => {
                        report.target = Some(target(&release));
                        Ok(())
                    }
                    Err(failure) => Err(failed(failure.to_string())),
                }
            }
            Action::Unlock => self.unlock(recorder, report).await,
            Action::Correct(_) => Ok(()),
        }
    }

    async fn install(&self) -> Result<(), ActionError> {
        let (object, loaded) = (self.object, self.loaded);
        let options = options::install(object, &self.performer.policy);
        let action = &Action::Install;
        let applied = crds::apply(self.cluster, object, loaded, action, options.delivery).await;
        applied.map_err(failed)?;
        let renderer = self.renderer(action).await?;
        let (chart, values) = (Chart::clone(&loaded.chart), loaded.values.clone());
        let done = install(&self.context(), chart, values, &options, &renderer).await;
        done.map(drop)
            .map_err(|failure| failed(failure.to_string()))
    }

    async fn upgrade(&self) -> Result<(), ActionError> {
        let (object, loaded) = (self.object, self.loaded);
        let name = spec::short_name(object);
        let last = match self.store.last(&name).await {
            Ok(last) => last,
            Err(StoreError::NotFound) => {
                return Err(failed(StoreError::NoDeployed(name).to_string()));
            }
            Err(error) => return Err(failed(error.to_string())),
        };
        let options = options::upgrade(object, &self.performer.policy, &last.apply_method);
        let action = &Action::Upgrade;
        let applied = crds::apply(self.cluster, object, loaded, action, options.delivery).await;
        applied.map_err(failed)?;
        let renderer = self.renderer(action).await?;
        let (chart, values) = (Chart::clone(&loaded.chart), loaded.values.clone());
        let done = upgrade(&self.context(), &name, chart, values, &options, &renderer).await;
        done.map(drop)
            .map_err(|failure| failed(failure.to_string()))
    }

    /// Marks a pending record as failed. Its process is gone, because a release has one controller.
    async fn unlock(
        &self,
        recorder: &Recorder,
        report: &mut ActionReport,
    ) -> Result<(), ActionError> {
        let name = spec::short_name(self.object);
        let mut last = match self.store.last(&name).await {
            Ok(last) => last,
            Err(StoreError::NotFound) => return Ok(()),
            Err(error) => return Err(failed(error.to_string())),
        };
        let status = last.info.status.to_string();
        if !last.info.status.is_pending() {
            return Ok(());
        }
        report.unlocked = Some((status.clone(), recorder.snapshot(&last)));
        let description = format!("{UNLOCKED}'{status}' state");
        last.set_status(Status::FAILED, description);
        let updated = self.store.update(&last).await;
        updated.map_err(|error| failed(error.to_string()))
    }
}

/// Whether a description is of a record that was pending.
pub(super) fn is_unlocked(description: &str) -> bool {
    description.starts_with(UNLOCKED)
}

fn failed(text: String) -> ActionError {
    ActionError::Failed(text)
}

fn target(release: &Release) -> (String, String, i64) {
    (
        release.name.clone(),
        release.namespace.clone(),
        release.version,
    )
}

/// Name, namespace and version of a release.
type Target = (String, String, i64);

/// The release that was uninstalled, and the error.
pub(super) fn uninstall_result(
    done: Result<Release, Failure>,
) -> (Option<Target>, Result<(), ActionError>) {
    match done {
        Ok(release) => (Some(target(&release)), Ok(())),
        Err(failure) => {
            let text = failure.to_string();
            let uninstalled = failure.release.as_deref().map(target);
            let error = if uninstalled.is_none() && text.ends_with("release: not found") {
                ActionError::NotFound(text)
            } else {
                ActionError::Failed(text)
            };
            (uninstalled, Err(error))
        }
    }
}
