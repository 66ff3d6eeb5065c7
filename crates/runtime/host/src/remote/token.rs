//! Tokens of service accounts for other clusters (`TokenRequest`).

use std::sync::Arc;

use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::ServiceAccount;
use kube::Api;
use sluice_client::{TokenError, TokenFuture, TokenSource, typed};
use sluice_dial::Bearer;
use sluice_identity::{Lookup, ServiceAccount as TokenOwner, Token, TokenCache};

use super::system_time;
use crate::component::Component;

/// The token of the service account of this pod.
const OWN_TOKEN: &str = "/var/run/secrets/kubernetes.io/serviceaccount/token";

/// The owner of a token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Account {
    /// The service account of this process.
    OfController,
    /// A service account in the namespace of the requester.
    Named(String),
}

/// The cache key of a token.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct TokenKey {
    pub(super) namespace: String,
    pub(super) account: Account,
    pub(super) audiences: Vec<String>,
}

/// The tokens of one account for one audience.
pub(super) struct AccountTokens {
    pub(super) component: Component,
    pub(super) cache: Arc<TokenCache<TokenKey, Bearer>>,
    pub(super) key: TokenKey,
}

impl AccountTokens {
    /// Returns the token, and whether it was cached.
    pub(super) async fn lookup(&self) -> Result<(Bearer, Lookup), TokenError> {
        let now = system_time(&self.component);
        self.cache.token(&self.key, now, || self.request()).await
    }

    async fn request(&self) -> Result<Token<Bearer>, TokenError> {
        let (namespace, name, whose) = match &self.key.account {
            Account::Named(name) => (self.key.namespace.clone(), name.clone(), ""),
            Account::OfController => {
                let (namespace, name) = own_account()?;
                (namespace, name, "controller ")
            }
        };
        let cluster = self.component.cluster();
        let api: Api<ServiceAccount> = Api::namespaced(cluster.client().clone(), &namespace);
        let request = TokenRequest {
            spec: Some(TokenRequestSpec {
                audiences: Some(self.key.audiences.clone()),
                ..TokenRequestSpec::default()
            }),
            ..TokenRequest::default()
        };
        let failed = |reason: &str| {
            TokenError(format!(
                "failed to create kubernetes token for {whose}service account '{namespace}/{name}': {reason}"
            ))
        };
        let made = typed::create_token(&api, &name, &request).await;
        let made = made.map_err(|error| {
            let error = cluster.error("create token", error);
            if error.is_not_found() {
                // Flux reads the account first and reports this message.
                return TokenError(format!(
                    "failed to get service account '{namespace}/{name}': ServiceAccount \"{name}\" not found"
                ));
            }
            failed(&error.message())
        })?;
        let status = made.status.unwrap_or_default();
        let (Some(token), Some(expires)) = (status.token, status.expiration_timestamp) else {
            return Err(failed("the response has no token"));
        };
        let value = Bearer::new(&token).map_err(|error| failed(&error.to_string()))?;
        Ok(Token {
            value,
            expires: expires.0.into(),
        })
    }
}

impl TokenSource for AccountTokens {
    fn token(&self) -> TokenFuture<'_> {
        Box::pin(async { Ok(self.lookup().await?.0) })
    }
}

/// The service account of this process, from its own token.
fn own_account() -> Result<(String, String), TokenError> {
    let token = sluice_system::fs::read_to_string(OWN_TOKEN).map_err(|error| {
        TokenError(format!(
            "failed to read service account token file {OWN_TOKEN}: {error}"
        ))
    })?;
    match TokenOwner::of_token(&token) {
        Ok(owner) => Ok((owner.namespace, owner.name)),
        Err(_) => Err(TokenError(
            "invalid subject format in service account token: it names no account".to_owned(),
        )),
    }
}
