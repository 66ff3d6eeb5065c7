//! Reads objects that another object refers to.

use k8s_openapi::api::core::v1::ServiceAccount;
use sluice_client::typed::{Api, NamespaceResourceScope, Resource};
use sluice_client::{Cluster, Error, typed};
use sluice_engine::{ObjectKey, Watchable};
use sluice_golang::error::chain;

use crate::ImpersonatedAccount;

/// Error of reading a referenced object, safe to show to the owner of the reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ReadError(String);

impl From<&str> for ReadError {
    fn from(message: &str) -> Self {
        Self(message.to_owned())
    }
}

impl ReadError {
    /// Hides details that could quote an object of another tenant.
    pub fn new(error: &Error) -> Self {
        tracing::debug!(error = %chain(error), "an object could not be read");
        match error {
            // Details of a malformed answer can quote an object of another tenant.
            Error::Answer { .. } => Self("unexpected answer from the API server".to_owned()),
            error => Self(error.message()),
        }
    }
}

/// Reads one object; `None` if it does not exist.
pub async fn read<S>(cluster: &Cluster, key: &ObjectKey) -> Result<Option<S>, Error>
where
    S: Watchable + Resource<Scope = NamespaceResourceScope>,
{
    let found = async {
        let api = typed::namespaced(cluster.client().clone(), key.namespace())?;
        typed::get_opt(&api, key.name()).await
    };
    let found = found.await;
    found.map_err(|error| cluster.error(format!("get {} {key}", S::kind(&())), error))
}

/// Whether the service account of an object does not exist.
pub async fn is_account_missing(
    cluster: &Cluster,
    namespace: &str,
    account: &ImpersonatedAccount,
) -> Result<bool, Error> {
    let api: Api<ServiceAccount> = Api::namespaced(cluster.client().clone(), namespace);
    let found = typed::get_metadata_opt(&api, &account.name).await;
    let action = || format!("get ServiceAccount {namespace}/{}", account.name);
    found
        .map(|found| found.is_none())
        .map_err(|error| cluster.error(action(), error))
}
