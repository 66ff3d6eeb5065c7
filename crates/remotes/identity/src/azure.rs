//! Access tokens of Microsoft Entra ID.
//!
//! Parity: fluxcd/pkg: auth/azure. The controller's identity is the first one that is configured: a
//! client secret, a client certificate, workload identity, the managed identity of the machine.
//! With the annotations of a service account, its token is exchanged. No program is started, and
//! the deprecated flow by user name and password is refused.

mod assertion;
mod cloud;
mod cluster;
mod entra;
mod managed;
mod pkcs12;
mod principal;
mod registry;
mod secret;
mod service;
mod vault;

use std::time::SystemTime;

use sluice_dial::Sensitive;
use sluice_system::fs;

use crate::account::Account;
use crate::environment::{Environment, MAX_TOKEN_FILE, read_token};
use crate::error::IdentityError;
use crate::request::Transport;
use crate::token_cache::Token;

pub use assertion::ClientCertificate;
pub use cloud::Cloud;
pub(crate) use cloud::registry_suffix;
pub use cluster::Cluster;
pub use entra::{Application, Proof};
pub use principal::{PrincipalProof, ServicePrincipal};
pub use registry::login;
pub use secret::{SecretCredentials, check_authority};
pub use service::Service;
use service::vault_scope;
pub use vault::VaultKey;

/// The audience of service account tokens for Azure.
pub const AUDIENCE: &str = "api://AzureADTokenExchange";
/// Scope of Azure DevOps.
pub const DEV_OPS: &str = "499b84ac-1321-427f-aa17-267ca6975798/.default";
/// Scope of blobs.
pub const BLOBS: &str = "https://storage.azure.com/.default";
/// Scope of Event Hubs.
pub const EVENT_HUBS: &str = "https://eventhubs.azure.net//.default";
/// Scope of the API of AKS clusters.
pub const CLUSTERS: &str = "6dae42f8-4368-4678-94ff-3960e28e3630/.default";

const TENANT_ANNOTATION: &str = "azure.workload.identity/tenant-id";
const CLIENT_ANNOTATION: &str = "azure.workload.identity/client-id";

/// Returns a token of the controller's own identity.
pub async fn token(
    environment: &Environment,
    transport: Transport<'_>,
    scope: &str,
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    let client = environment.get("AZURE_CLIENT_ID");
    let tenant = environment.get("AZURE_TENANT_ID");
    if let (Some(tenant), Some(client)) = (tenant, client) {
        let application = || Application::new(environment, tenant, client);
        if let Some(secret) = environment.get("AZURE_CLIENT_SECRET") {
            let secret = Sensitive::from(secret);
            let proof = Proof::Secret(&secret);
            return application()?.token(transport, &proof, scope, now).await;
        }
        if let Some(path) = environment.get("AZURE_CLIENT_CERTIFICATE_PATH") {
            let application = application()?;
            let certificate = read_certificate(environment, path)?;
            let assertion = certificate.assertion(path, &application, now).await?;
            let proof = Proof::Assertion(&assertion);
            return application.token(transport, &proof, scope, now).await;
        }
        if environment.get("AZURE_USERNAME").is_some() {
            return Err(IdentityError::Unusable(
                "AZURE_USERNAME selects a flow that Microsoft has deprecated: set \
                 AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE_PATH or AZURE_FEDERATED_TOKEN_FILE"
                    .to_owned(),
            ));
        }
        if let (Some(file), Some(_)) = (
            environment.get("AZURE_FEDERATED_TOKEN_FILE"),
            environment.get("AZURE_AUTHORITY_HOST"),
        ) {
            let assertion = read_token(file)?;
            let proof = Proof::Assertion(&assertion);
            return application()?.token(transport, &proof, scope, now).await;
        }
    }
    managed::token(environment, transport, client, scope, now).await
}

/// Returns a token of a managed identity of this machine, by its client.
pub(crate) async fn managed_token(
    environment: &Environment,
    transport: Transport<'_>,
    client: &str,
    scope: &str,
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    managed::token(environment, transport, Some(client), scope, now).await
}

/// Exchanges the token of a service account.
pub async fn exchange(
    environment: &Environment,
    transport: Transport<'_>,
    account: &Account,
    token: &Sensitive<String>,
    scope: &str,
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    let (tenant, client) = identity(account)?;
    let application = Application::new(environment, tenant, client)?;
    let proof = Proof::Assertion(token);
    application.token(transport, &proof, scope, now).await
}

/// Returns tenant and client in the annotations of a service account.
pub fn identity(account: &Account) -> Result<(&str, &str), IdentityError> {
    let find = |noun: &str, key: &str| {
        account.annotation(key).ok_or_else(|| {
            IdentityError::Unusable(format!(
                "azure {noun} ID is not set in the service account annotation {key}"
            ))
        })
    };
    let tenant = find("tenant", TENANT_ANNOTATION)?;
    let client = find("client", CLIENT_ANNOTATION)?;
    entra::check_tenant(tenant)?;
    entra::check_client(client)?;
    Ok((tenant, client))
}

fn read_certificate(
    environment: &Environment,
    path: &str,
) -> Result<ClientCertificate, IdentityError> {
    let password = environment.get("AZURE_CLIENT_CERTIFICATE_PASSWORD");
    let value = environment.get("AZURE_CLIENT_SEND_CERTIFICATE_CHAIN");
    Ok(ClientCertificate {
        bytes: Sensitive::new(fs::read_limited(path, MAX_TOKEN_FILE)?),
        password: password.map(Sensitive::from),
        is_chain_sent: value
            .is_some_and(|value| value == "1" || value.eq_ignore_ascii_case("true")),
    })
}

#[cfg(test)]
mod tests;
