//! Reads objects that a Kustomization refers to.

use sluice_client::{Cluster, Error, typed};
use sluice_engine::{ObjectKey, Watched};
use sluice_golang::error::chain;

/// Error of reading a referenced object, safe to show to the owner of the reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct ReadError(pub(super) String);

impl ReadError {
    pub(super) fn new(error: &Error) -> Self {
        tracing::debug!(error = %chain(error), "an object could not be read");
        match error {
            // Details of a malformed answer can quote an object of another tenant.
            Error::Answer { .. } => Self("unexpected answer from the API server".to_owned()),
            error => Self(error.message()),
        }
    }
}

/// Reads one object; `None` if it does not exist.
pub(super) async fn read<S>(cluster: &Cluster, key: &ObjectKey) -> Result<Option<S>, Error>
where
    S: Watched + kube::Resource<Scope = kube::core::NamespaceResourceScope>,
{
    let found = async {
        let api = typed::namespaced(cluster.client().clone(), key.namespace())?;
        typed::get_opt(&api, key.name()).await
    };
    let found = found.await;
    found.map_err(|error| cluster.error(format!("get {} {key}", S::kind(&())), error))
}
