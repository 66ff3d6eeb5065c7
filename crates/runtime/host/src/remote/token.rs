//! Tokens for the API servers of other clusters.

use sluice_client::{TokenError, TokenFuture, TokenSource};
use sluice_dial::{Bearer, Dial, Sensitive};
use sluice_golang::error::chain;
use sluice_identity::{
    Account, CloudCluster, IdentityError, Level, Lookup, ServiceAccount as TokenOwner,
};
use sluice_system::blocking;

use super::counted::CountedIdentities;
use crate::accounts::ServiceAccounts;

/// The token of the service account of this pod.
const OWN_TOKEN: &str = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/// The receiver of a token.
#[derive(Debug, Clone)]
pub(super) enum Receiver {
    /// A server that accepts tokens of service accounts for these audiences.
    Audiences(Vec<String>),
    /// The API server of a cluster of a cloud.
    Cluster(CloudCluster),
}

/// The tokens of one identity for one receiver. Renewed for each request that needs it, so that an
/// apply can last longer than a token.
#[derive(Debug)]
pub(super) struct IdentityTokens {
    pub(super) identities: CountedIdentities,
    pub(super) accounts: ServiceAccounts,
    /// The account of the object; `None` for the identity of the controller.
    pub(super) account: Option<Account>,
    pub(super) receiver: Receiver,
}

impl IdentityTokens {
    /// Returns the token, and whether it was cached.
    pub(super) async fn lookup(&self) -> Result<(Sensitive<String>, Lookup), IdentityError> {
        let identities = self.identities.uncounted();
        match &self.receiver {
            Receiver::Audiences(audiences) => {
                let own = match &self.account {
                    Some(_) => None,
                    None => Some(blocking(own_account).await?),
                };
                let account = self.account.as_ref().or(own.as_ref());
                let account = account.ok_or_else(|| unusable("no service account is known"))?;
                identities.generic(account, &self.accounts, audiences).await
            }
            Receiver::Cluster(cluster) => {
                let level = self.level();
                identities
                    .cluster_token(level, cluster, &Dial::default())
                    .await
            }
        }
    }

    /// The owner of the identity.
    pub(super) fn level(&self) -> Level<'_> {
        match &self.account {
            None => Level::Controller,
            Some(account) => Level::Object {
                account,
                requests: &self.accounts,
            },
        }
    }
}

impl TokenSource for IdentityTokens {
    fn token(&self) -> TokenFuture<'_> {
        Box::pin(async {
            let found = self.lookup().await;
            let (token, _) = found.map_err(|error| TokenError(chain(&error)))?;
            bearer(&token)
        })
    }
}

/// Returns a token as a header value.
pub(super) fn bearer(token: &Sensitive<String>) -> Result<Bearer, TokenError> {
    Bearer::new(token.expose()).map_err(|error| TokenError(error.to_string()))
}

fn unusable(why: impl Into<String>) -> IdentityError {
    IdentityError::Unusable(why.into())
}

/// The service account of this process, from its own token.
fn own_account() -> Result<Account, IdentityError> {
    let token = sluice_system::fs::read_to_string(OWN_TOKEN).map_err(|error| {
        unusable(format!(
            "failed to read service account token file {OWN_TOKEN}: {error}"
        ))
    })?;
    let token = Sensitive::new(token);
    match TokenOwner::of_token(token.expose()) {
        Ok(owner) => Account::new(&owner.namespace, &owner.name, "", [].into()),
        Err(_) => Err(unusable(
            "invalid subject format in service account token: it names no account",
        )),
    }
}
