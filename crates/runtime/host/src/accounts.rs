//! Service accounts whose cloud identity an object uses.
//!
//! Parity: `pkg: auth/access_token.go`.

use std::fmt;

use k8s_openapi::api::authentication::v1::{TokenRequest as Request, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::ResourceExt as _;
use sluice_client::{Cluster, typed};
use sluice_dial::Sensitive;
use sluice_identity::{Account, TokenRequest, TokenRequestFuture};

/// Reads service accounts and requests their tokens. Cheap to clone.
#[derive(Clone)]
pub struct ServiceAccounts {
    cluster: Cluster,
    default_account: Option<String>,
}

/// The service account of an object cannot be used. The messages are Flux's.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// The account cannot be read.
    #[error("failed to get service account '{account}': {reason}")]
    Read {
        /// Namespace and name.
        account: String,
        /// The reason.
        reason: String,
    },
    /// The operator's default account does not exist in the namespace.
    #[error(
        "failed to get service account '{0}': the specified default service account does not exist \
         in the object namespace. your cluster is subject to multi-tenant workload identity \
         lockdown, reach out to your cluster administrator for help"
    )]
    NoDefault(String),
}

impl ServiceAccounts {
    /// Serves the objects of a cluster. An empty `default_account` means none: objects that name no
    /// account use the identity of the controller.
    pub fn new(cluster: Cluster, default_account: &str) -> Self {
        Self {
            cluster,
            default_account: Some(default_account.to_owned()).filter(|name| !name.is_empty()),
        }
    }

    /// Whether the operator has a default account: no object uses the controller's identity.
    pub fn has_default(&self) -> bool {
        self.default_account.is_some()
    }

    /// Reads the account of an object in its namespace. `None` means the controller's identity.
    pub async fn find(
        &self,
        namespace: &str,
        chosen: Option<&str>,
    ) -> Result<Option<ServiceAccount>, AccountError> {
        let chosen = chosen.filter(|name| !name.is_empty());
        let Some(name) = chosen.or(self.default_account.as_deref()) else {
            return Ok(None);
        };
        let account = format!("{namespace}/{name}");
        let client = self.cluster.client().clone();
        let found = async {
            let api = typed::namespaced::<ServiceAccount>(client, namespace)?;
            typed::get_opt(&api, name).await
        };
        match found.await {
            Ok(Some(found)) => Ok(Some(found)),
            Ok(None) if chosen.is_none() => Err(AccountError::NoDefault(account)),
            Ok(None) => Err(AccountError::Read {
                account,
                reason: format!("ServiceAccount \"{name}\" not found"),
            }),
            Err(error) => {
                let error = self.cluster.error("get service account", error);
                let reason = error.message();
                Err(AccountError::Read { account, reason })
            }
        }
    }

    /// Reads the identity of an object's account. `None` means the controller's identity.
    pub async fn account(
        &self,
        namespace: &str,
        chosen: Option<&str>,
    ) -> Result<Option<Account>, AccountError> {
        let Some(found) = self.find(namespace, chosen).await? else {
            return Ok(None);
        };
        let (name, uid) = (found.name_any(), found.uid().unwrap_or_default());
        let account = Account::new(namespace, &name, &uid, found.annotations().clone());
        account.map(Some).map_err(|error| AccountError::Read {
            account: format!("{namespace}/{name}"),
            reason: error.to_string(),
        })
    }
}

impl TokenRequest for ServiceAccounts {
    fn request<'a>(
        &'a self,
        account: &'a Account,
        audiences: &'a [String],
    ) -> TokenRequestFuture<'a> {
        Box::pin(async move {
            let request = Request {
                spec: Some(TokenRequestSpec {
                    audiences: Some(audiences.to_vec()),
                    ..TokenRequestSpec::default()
                }),
                ..Request::default()
            };
            let client = self.cluster.client().clone();
            let issued = async {
                let api = typed::namespaced(client, account.namespace())?;
                typed::create_token(&api, account.name(), &request).await
            };
            let issued = issued.await.map_err(|error| {
                let error = self.cluster.error("create token", error);
                error.message()
            })?;
            let status = issued.status.unwrap_or_default();
            let token = status.token.ok_or("the response has no token")?;
            Ok(Sensitive::new(token))
        })
    }
}

impl fmt::Debug for ServiceAccounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceAccounts")
            .field("default_account", &self.default_account)
            .finish_non_exhaustive()
    }
}
