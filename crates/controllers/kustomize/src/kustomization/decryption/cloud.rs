//! Identities for the key services of clouds.
//!
//! The order is: the credentials of the decryption Secret, the service account of
//! `spec.decryption`, the identity of the controller. Parity: `SetAuthOptions` of the
//! reference's `internal/decryptor`.

use std::sync::Arc;

use async_trait::async_trait;
use sluice_dial::{Dial, Sensitive};
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_host::{CountedIdentities, Requester, ServiceAccounts};
use sluice_identity::aws::AwsCredentials;
use sluice_identity::azure::{ClientCertificate, SecretCredentials, check_authority};
use sluice_identity::{Account, AwsLocation, IdentityError, KeyServices, Level};
use sluice_sops::KeyType;
use sluice_sops::import::{AzureCredentials, ImportedKeys};
use sluice_sops::keys::aws::{CredentialSource, StaticCredentials};
use sluice_sops::keys::azure::{ScopeTokenSource, SecretTokens};
use sluice_sops::keys::gcp::{AccessTokenSource, KeyTokens};
use sluice_sops::keys::{Keyring, aws, azure, gcp};
use tokio::sync::OnceCell;

/// Operation labels in the metrics of the token cache.
const DECRYPT_WITH_AWS: &str = "decrypt_with_aws";
const DECRYPT_WITH_AZURE: &str = "decrypt_with_azure";
const DECRYPT_WITH_GCP: &str = "decrypt_with_gcp";

/// The identity of the service account of an object, or of the controller.
pub(super) struct ObjectIdentity {
    pub(super) identities: CountedIdentities,
    /// Reads accounts, among them the operator's default.
    pub(super) accounts: ServiceAccounts,
    pub(super) key: ObjectKey,
    /// The account that the object names.
    pub(super) chosen: Option<String>,
    /// The account, read at its first use.
    pub(super) account: OnceCell<Option<Account>>,
}

/// The operator's rules for credentials in Secrets.
pub(super) struct SecretRules<'a> {
    /// Name of this machine, for the sessions of assumed roles.
    pub(super) host: &'a str,
    /// Whether a Secret may select the managed identity of the node.
    pub(super) allows_managed_identity: bool,
}

/// Adds the key services of clouds to a keyring.
pub(super) fn add_key_services(
    keyring: Keyring,
    imported: &ImportedKeys,
    identity: ObjectIdentity,
    rules: &SecretRules<'_>,
) -> Keyring {
    let services = identity.identities.uncounted().key_services();
    let identity = Arc::new(identity);
    let credentials: Arc<dyn CredentialSource> = match &imported.aws {
        Some(keys) => Arc::new(StaticCredentials(AwsCredentials {
            access_key: keys.access_key_id.clone(),
            secret_key: keys.secret_access_key.clone(),
            session_token: keys.session_token.clone(),
            expires: None,
        })),
        None => identity.clone(),
    };
    let google: Arc<dyn AccessTokenSource> = match &imported.gcp {
        Some(key) => match KeyTokens::new(services.clone(), key.json.expose()) {
            Ok(tokens) => Arc::new(tokens),
            Err(error) => Arc::new(RefusedCredentials(chain(&error))),
        },
        None => identity.clone(),
    };
    let (microsoft, vaults) = match &imported.azure {
        Some(credentials) => azure_tokens(services.clone(), credentials, rules),
        None => (identity as Arc<dyn ScopeTokenSource>, services.clone()),
    };
    let amazon = aws::Kms::new(services.clone(), credentials, rules.host);
    keyring
        .with(KeyType::AwsKms, Arc::new(amazon))
        .with(KeyType::GcpKms, Arc::new(gcp::Kms::new(services, google)))
        .with(
            KeyType::AzureKeyVault,
            Arc::new(azure::KeyVault::new(vaults, microsoft)),
        )
}

/// Returns the tokens of the credentials in a Secret, and the services of their cloud.
fn azure_tokens(
    services: KeyServices,
    credentials: &AzureCredentials,
    rules: &SecretRules<'_>,
) -> (Arc<dyn ScopeTokenSource>, KeyServices) {
    let (credentials, authority) = match secret_credentials(credentials, rules) {
        Ok(found) => found,
        Err(why) => return (Arc::new(RefusedCredentials(why)), services),
    };
    let services = match authority {
        None => services,
        Some(authority) => match check_authority(authority) {
            Ok(()) => services.with_azure_authority(authority),
            Err(error) => return (Arc::new(RefusedCredentials(chain(&error))), services),
        },
    };
    let tokens = SecretTokens::new(services.clone(), credentials);
    (Arc::new(tokens), services)
}

/// Returns the credentials, and the authority that they name.
fn secret_credentials<'c>(
    credentials: &'c AzureCredentials,
    rules: &SecretRules<'_>,
) -> Result<(SecretCredentials, Option<&'c str>), String> {
    match credentials {
        AzureCredentials::Secret {
            tenant,
            client,
            secret,
            authority,
        } => {
            let credentials = SecretCredentials::Secret {
                tenant: tenant.clone(),
                client: client.clone(),
                secret: secret.clone(),
            };
            Ok((credentials, authority.as_deref()))
        }
        AzureCredentials::Certificate {
            tenant,
            client,
            certificate,
            password,
            send_chain,
            authority,
        } => {
            if password.is_some() {
                return Err(
                    "sops.azure-kv: clientCertificatePassword is set, but clientCertificate must \
                     hold a key without encryption"
                        .to_owned(),
                );
            }
            let credentials = SecretCredentials::Certificate {
                tenant: tenant.clone(),
                client: client.clone(),
                certificate: ClientCertificate {
                    bytes: Sensitive::new(certificate.expose().as_bytes().to_vec()),
                    password: None,
                    is_chain_sent: *send_chain,
                },
            };
            Ok((credentials, authority.as_deref()))
        }
        AzureCredentials::Managed { .. } if !rules.allows_managed_identity => Err(
            "sops.azure-kv: the managed identity of the node is not used, because a default \
             service account is set: add tenantId with clientSecret or clientCertificate, or set \
             spec.decryption.serviceAccountName"
                .to_owned(),
        ),
        AzureCredentials::Managed { client } => {
            let client = client.clone();
            Ok((SecretCredentials::Managed { client }, None))
        }
    }
}

/// Credentials that must not be used. The documents that do not need them are decrypted all the
/// same.
struct RefusedCredentials(String);

impl RefusedCredentials {
    fn error(&self) -> IdentityError {
        IdentityError::Unusable(self.0.clone())
    }
}

#[async_trait]
impl AccessTokenSource for RefusedCredentials {
    async fn token(&self) -> Result<Sensitive<String>, IdentityError> {
        Err(self.error())
    }
}

#[async_trait]
impl ScopeTokenSource for RefusedCredentials {
    async fn token(&self, _: &str) -> Result<Sensitive<String>, IdentityError> {
        Err(self.error())
    }
}

impl ObjectIdentity {
    async fn level(&self) -> Result<Level<'_>, IdentityError> {
        let read = async || {
            let found = self
                .accounts
                .account(self.key.namespace(), self.chosen.as_deref());
            found
                .await
                .map_err(|error| IdentityError::Unusable(chain(&error)))
        };
        let account = self.account.get_or_try_init(read).await?;
        Ok(match account {
            None => Level::Controller,
            Some(account) => Level::Object {
                account,
                requests: &self.accounts,
            },
        })
    }

    fn requester(&self) -> Requester<'_> {
        Requester {
            kind: "Kustomization",
            key: &self.key,
        }
    }
}

#[async_trait]
impl CredentialSource for ObjectIdentity {
    async fn credentials(&self, region: &str) -> Result<AwsCredentials, IdentityError> {
        let level = self.level().await?;
        let location = AwsLocation {
            region: Some(region),
            sts_endpoint: None,
        };
        let identities = self.identities.uncounted();
        let found = identities.aws(level, location, &Dial::default()).await;
        self.identities
            .count(self.requester(), DECRYPT_WITH_AWS, found)
    }
}

#[async_trait]
impl AccessTokenSource for ObjectIdentity {
    async fn token(&self) -> Result<Sensitive<String>, IdentityError> {
        let level = self.level().await?;
        let identities = self.identities.uncounted();
        let found = identities.gcp(level, &Dial::default()).await;
        self.identities
            .count(self.requester(), DECRYPT_WITH_GCP, found)
    }
}

#[async_trait]
impl ScopeTokenSource for ObjectIdentity {
    async fn token(&self, scope: &str) -> Result<Sensitive<String>, IdentityError> {
        let level = self.level().await?;
        let identities = self.identities.uncounted();
        let found = identities.azure(level, scope, &Dial::default()).await;
        self.identities
            .count(self.requester(), DECRYPT_WITH_AZURE, found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(allows_managed_identity: bool) -> SecretRules<'static> {
        SecretRules {
            host: "pod",
            allows_managed_identity,
        }
    }

    #[test]
    fn managed_identity_needs_an_open_cluster() {
        let client = "6a1e8f7c-0000-4000-8000-000000000002".to_owned();
        let managed = AzureCredentials::Managed { client };
        assert!(secret_credentials(&managed, &rules(true)).is_ok());
        let refused = secret_credentials(&managed, &rules(false)).unwrap_err();
        assert!(refused.contains("the managed identity of the node is not used"));
    }

    #[test]
    fn encrypted_certificate_is_refused() {
        let certificate = |password: Option<&str>| AzureCredentials::Certificate {
            tenant: "t".to_owned(),
            client: "c".to_owned(),
            certificate: Sensitive::from("canary-key"),
            password: password.map(Sensitive::from),
            send_chain: false,
            authority: None,
        };
        assert!(secret_credentials(&certificate(None), &rules(false)).is_ok());
        let encrypted = certificate(Some("canary-word"));
        let message = secret_credentials(&encrypted, &rules(false)).unwrap_err();
        assert!(!message.contains("canary"), "{message}");
    }
}
