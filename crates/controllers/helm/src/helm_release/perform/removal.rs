//! Uninstalls a release: when its object is deleted, or when the release moves.

use std::sync::Arc;

use sluice_api::helm::{HelmRelease, ReleaseSnapshot};
use sluice_consumer::{ImpersonatedAccount, is_account_missing};
use sluice_engine::Run;
use sluice_golang::error::chain;
use sluice_helm::Context;
use sluice_helm::action::uninstall;
use tokio_util::sync::CancellationToken;

use super::action::uninstall_result;
use super::cluster::ActionCluster;
use super::observer::Recorder;
use super::{Performer, RunState};
use crate::helm_release::fault::Fault;
use crate::helm_release::model::{ActionReport, Removal, Report};
use crate::helm_release::session::Session;
use crate::helm_release::{history, messages, options, spec};

impl Performer {
    /// Uninstalls a release before it is installed elsewhere.
    pub(super) async fn relocate(
        &self,
        change: &str,
        object: &HelmRelease,
        state: &RunState,
        run: &Run<HelmRelease>,
    ) -> Result<Report, Fault> {
        tracing::info!(
            "release target configuration changed ({change}): running uninstall for current release"
        );
        self.remove(object, state, run).await
    }

    /// Uninstalls the release in the status.
    pub(super) async fn remove(
        &self,
        object: &HelmRelease,
        state: &RunState,
        run: &Run<HelmRelease>,
    ) -> Result<Report, Fault> {
        let Some(namespace) = state.facts.stored_namespace() else {
            tracing::info!("skipping Helm release uninstallation: no storage namespace configured");
            return Ok(Report::Removed(Removal::Skipped));
        };
        let session = match &state.session {
            Some(session) => Arc::clone(session),
            None => match self.connect_for_removal(object, run).await? {
                Ok(session) => session,
                Err(removal) => return Ok(Report::Removed(removal)),
            },
        };
        let history = state.facts.history();
        let uninstalling = self.uninstall(object, namespace, &session, history, run);
        let report = uninstalling.await.map(Box::new);
        Ok(Report::Removed(Removal::Ended(report)))
    }

    /// Uninstalls the latest release of a history.
    async fn uninstall(
        &self,
        object: &HelmRelease,
        namespace: &str,
        session: &Session,
        history: &[ReleaseSnapshot],
        run: &Run<HelmRelease>,
    ) -> Option<ActionReport> {
        let current = history::latest(history)?;
        let recorder = Arc::new(Recorder::new(history.to_vec(), None, self.policy.algorithm));
        let store = session.store(namespace).with_observer(recorder.clone());
        let cluster = ActionCluster::new(session, run, false);
        let context = Context {
            cluster: &cluster,
            store: &store,
            clock: &**session.clock(),
            cancel: CancellationToken::new(),
        };
        let options = options::uninstall(object, &self.policy);
        let done = Box::pin(uninstall(&context, &current.name, &options)).await;
        let (target, result) = uninstall_result(done.map(|done| done.release));
        Some(ActionReport {
            target,
            error: result.err(),
            writes: recorder.take().0,
            log: cluster.log_text(),
            ..ActionReport::default()
        })
    }

    /// Connects to the cluster of a deleted object, or returns why nothing is uninstalled.
    async fn connect_for_removal(
        &self,
        object: &HelmRelease,
        run: &Run<HelmRelease>,
    ) -> Result<Result<Arc<Session>, Removal>, Fault> {
        let account = spec::account(object, &self.policy).unwrap_or_default();
        let session = match self
            .connect(object, run.key(), account.as_ref(), Arc::default())
            .await
        {
            Ok(session) => session,
            Err(error) if error.is_not_found() => {
                tracing::error!(
                    error = chain(&error),
                    "skipping Helm release uninstallation"
                );
                return Ok(Err(Removal::Skipped));
            }
            Err(error) => return Ok(Err(Removal::NoConnection(chain(&error)))),
        };
        if object.spec.kube_config.is_none()
            && let Some(account) = &account
            && self.lacks_account(account, run).await?
        {
            tracing::error!(
                "skipping Helm release uninstallation: serviceaccounts \"{}\" not found",
                account.name
            );
            return Ok(Err(Removal::Skipped));
        }
        Ok(Ok(session))
    }

    /// Whether the service account is gone, without which nothing can be uninstalled.
    async fn lacks_account(
        &self,
        account: &ImpersonatedAccount,
        run: &Run<HelmRelease>,
    ) -> Result<bool, Fault> {
        let cluster = self.component.cluster();
        let missing = is_account_missing(cluster, run.key().namespace(), account).await;
        missing.map_err(|error| {
            let (name, why) = (&account.name, error.message());
            let message = format!(
                "failed to confirm ServiceAccount '{name}' can be used to uninstall release: {why}"
            );
            Fault::retry(messages::UNINSTALL_FAILED, message)
        })
    }
}
