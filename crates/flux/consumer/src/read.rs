//! Reads objects that another object refers to.

use sluice_client::typed::{NamespaceResourceScope, Resource};
use sluice_client::{Cluster, Error, typed};
use sluice_engine::{ObjectKey, Watchable};
use sluice_golang::error::chain;

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
