//! Uninstalls a release: when its object is deleted, or when the release moves.

use std::sync::Arc;

use k8s_openapi::api::core::v1::ServiceAccount;
use sluice_api::helm::HelmRelease;
use sluice_api::meta::condition::READY;
use sluice_client::typed;
use sluice_client::typed::Api;
use sluice_engine::Run;
use sluice_golang::error::chain;
use sluice_helm::Context;
use sluice_helm::action::uninstall;
use tokio_util::sync::CancellationToken;

use super::Performer;
use super::action::uninstall_result;
use super::cluster::ActionCluster;
use super::observer::Recorder;
use crate::helm_release::fault::Fault;
use crate::helm_release::model::{ActionReport, Facts};
use crate::helm_release::session::Session;
use crate::helm_release::spec::{self, Account};
use crate::helm_release::{history, messages, options, results};

impl Performer {
    /// Uninstalls the release in the status.
    pub(super) async fn remove(
        &self,
        object: &HelmRelease,
        facts: &mut Facts,
        run: &Run<HelmRelease>,
    ) -> Result<(), Fault> {
        let is_deletion = object.metadata.deletion_timestamp.is_some();
        let stored = facts.draft.status.storage_namespace.clone();
        let stored = stored.filter(|namespace| !namespace.is_empty());
        let Some(namespace) = stored else {
            tracing::info!("skipping Helm release uninstallation: no storage namespace configured");
            facts.is_uninstalled = true;
            return Ok(());
        };
        let session = match &facts.session {
            Some(session) => Some(Arc::clone(session)),
            None => self.connect_for_removal(object, facts, run).await?,
        };
        let Some(session) = session else {
            facts.is_uninstalled = true;
            return Ok(());
        };
        self.uninstall(object, &namespace, &session, facts, run)
            .await?;
        facts.draft.clear_history();
        if !is_deletion {
            facts.draft.clear_failures();
        }
        facts.draft.status.storage_namespace = None;
        facts.is_uninstalled = true;
        Ok(())
    }

    async fn uninstall(
        &self,
        object: &HelmRelease,
        namespace: &str,
        session: &Session,
        facts: &mut Facts,
        run: &Run<HelmRelease>,
    ) -> Result<(), Fault> {
        let snapshots = facts.draft.status.history.clone();
        let Some(current) = history::latest(&snapshots).cloned() else {
            return Ok(());
        };
        let recorder = Arc::new(Recorder::new(snapshots, None, self.policy.algorithm));
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
        let report = ActionReport {
            target,
            error: result.err(),
            writes: recorder.take().0,
            ..ActionReport::default()
        };
        let applied = results::uninstalled(&mut facts.draft, report);
        applied.map_err(Fault::returned)?;
        tracing::info!("uninstalled Helm release");
        Ok(())
    }

    /// Connects to the cluster of a deleted object; `None` if its credentials are gone.
    async fn connect_for_removal(
        &self,
        object: &HelmRelease,
        facts: &mut Facts,
        run: &Run<HelmRelease>,
    ) -> Result<Option<Arc<Session>>, Fault> {
        let account = spec::account(object, &self.policy).unwrap_or_default();
        let session = match self.connect(object, run.key(), account.as_ref()).await {
            Ok(session) => session,
            Err(error) if error.is_not_found() => {
                tracing::error!(
                    error = chain(&error),
                    "skipping Helm release uninstallation"
                );
                return Ok(None);
            }
            Err(error) => {
                let message = format!(
                    "failed to build REST client getter to uninstall release: {}",
                    chain(&error)
                );
                facts.draft.condition_set.set_false(
                    READY,
                    messages::UNINSTALL_FAILED,
                    message.clone(),
                );
                return Err(Fault::returned(message));
            }
        };
        if object.spec.kube_config.is_none()
            && let Some(account) = &account
            && self.is_account_missing(account, run).await?
        {
            tracing::error!(
                "skipping Helm release uninstallation: serviceaccounts \"{}\" not found",
                account.name
            );
            return Ok(None);
        }
        Ok(Some(session))
    }

    async fn is_account_missing(
        &self,
        account: &Account,
        run: &Run<HelmRelease>,
    ) -> Result<bool, Fault> {
        let client = self.component.cluster().client().clone();
        let api: Api<ServiceAccount> = Api::namespaced(client, run.key().namespace());
        let found = typed::get_metadata_opt(&api, &account.name).await;
        found.map(|found| found.is_none()).map_err(|error| {
            let name = &account.name;
            let message = format!(
                "failed to confirm ServiceAccount '{name}' can be used to uninstall release: {error}"
            );
            Fault::retry(messages::UNINSTALL_FAILED, message)
        })
    }
}
