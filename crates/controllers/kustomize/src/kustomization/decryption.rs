//! Reads decryption keys from Secrets, the environment and Vault.
//!
//! Keys come from the Secret of `spec.decryption` or else from the controller's Secret of age keys.
//! The token for Vault comes from that Secret, from a service account login or from the
//! environment, in this order. [`cloud`] finds the identity for the key services of clouds.
//!
//! Messages match the reference's `internal/decryptor`.

mod cloud;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use sluice_api::kustomize::Decryption;
use sluice_dial::{Dial, HttpClients, Sensitive};
use sluice_engine::ObjectKey;
use sluice_golang::error::chain;
use sluice_host::{Clusters, Requester, SecretData, SecretError, Secrets, host_name};
use sluice_sops::import::{self, AzureCredentials, ImportedKeys};
use sluice_sops::keys::vault::{
    Allowlist, CONFIG_KEY, Client, KubernetesLogin, LoginPaths, ServiceAccountTokenSource,
    StaticToken, TokenSource, Transit, WithheldToken,
};
use sluice_sops::keys::{KeyError, Keyring};
use sluice_sops::{Decryptor, KeyType};
use sluice_system::blocking;
use tokio::sync::OnceCell;

use crate::NAME;
use crate::args::Args;

use cloud::{ObjectIdentity, SecretRules};

/// Operation label of Vault tokens in the metrics of the token cache.
const DECRYPT_WITH_VAULT: &str = "decrypt_with_vault";

/// The controller's settings for decryption, from flags and the environment.
#[derive(Clone)]
pub(super) struct DecryptionSettings {
    /// Namespace of the controller's own Secrets.
    namespace: String,
    age_secret: Option<String>,
    vault_config: Option<String>,
    default_account: Option<String>,
    vault_token: Option<Arc<dyn TokenSource>>,
    age_key: Option<Sensitive<String>>,
    age_key_file: Option<PathBuf>,
    vault: Client,
    host: String,
    allows_managed_identity: bool,
    /// The Secrets for which a warning was logged.
    warned: Arc<Mutex<HashSet<ObjectKey>>>,
}

impl DecryptionSettings {
    pub(super) fn of(args: &Args) -> Result<Self, KeyError> {
        let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let http = HttpClients::new(format!("{NAME}/{}", env!("CARGO_PKG_VERSION")));
        let vault = Client::new(Arc::new(http), Dial::default())
            .in_namespace(some(&args.vault_namespace))
            .with_allowlist(Allowlist::parse(&args.vault_allowlist)?);
        Ok(Self {
            namespace: args.shared.process.runtime_namespace.clone(),
            age_secret: some(&args.sops_age_secret),
            vault_config: some(&args.sops_vault_configmap),
            default_account: some(&args.default_decryption_service_account),
            vault_token: vault_token(args),
            age_key: args.age_key.clone(),
            age_key_file: some(&args.age_key_file).map(PathBuf::from),
            vault,
            host: host_name(),
            allows_managed_identity: !args.has_default_account(),
            warned: Arc::default(),
        })
    }
}

/// Reads the keys of one object.
pub(super) struct KeyReader<'a> {
    pub(super) operator: &'a DecryptionSettings,
    pub(super) secrets: &'a Secrets,
    pub(super) clusters: &'a Clusters,
    pub(super) key: &'a ObjectKey,
}

impl KeyReader<'_> {
    /// Collects the keys for one run.
    pub(super) async fn decryptor(&self, wanted: &Decryption) -> Result<Decryptor, String> {
        let mut imported = self.imported(wanted).await?;
        if imported.age.is_empty() {
            self.import_environment_keys(&mut imported.age).await?;
        }
        let mut keyring = self.with_clouds(wanted, &imported);
        keyring.age = imported.age;
        keyring.pgp = imported.pgp;
        if let Some(tokens) = self.vault_tokens(wanted, imported.vault_token).await? {
            let transit = Transit::new(self.operator.vault.clone(), tokens);
            keyring = keyring.with(KeyType::Vault, Arc::new(transit));
        }
        Ok(Decryptor::new(keyring))
    }

    /// Returns a keyring with the key services of clouds.
    fn with_clouds(&self, wanted: &Decryption, imported: &ImportedKeys) -> Keyring {
        let operator = self.operator;
        let default = operator.default_account.as_deref();
        let identity = ObjectIdentity {
            identities: self.clusters.identities().clone(),
            accounts: self.clusters.accounts_with_default(default),
            key: self.key.clone(),
            chosen: wanted.service_account_name.clone(),
            account: OnceCell::new(),
        };
        let rules = SecretRules {
            host: &operator.host,
            allows_managed_identity: operator.allows_managed_identity,
        };
        if let (Some(AzureCredentials::Managed { .. }), Some(secret)) =
            (&imported.azure, &wanted.secret_ref)
            && operator.allows_managed_identity
        {
            self.warn(&secret.name);
        }
        cloud::add_key_services(Keyring::default(), imported, identity, &rules)
    }

    /// Logs once that a Secret selects the identity of the node, which all tenants share.
    fn warn(&self, secret: &str) {
        let key = ObjectKey::new(self.key.namespace(), secret);
        let warned = self.operator.warned.lock();
        let mut warned = warned.unwrap_or_else(PoisonError::into_inner);
        if warned.insert(key.clone()) {
            tracing::warn!(secret = %key, "sops.azure-kv uses the managed identity of the node");
        }
    }

    async fn imported(&self, wanted: &Decryption) -> Result<ImportedKeys, String> {
        let operator = self.operator;
        if let Some(reference) = &wanted.secret_ref {
            let key = ObjectKey::new(self.key.namespace(), &reference.name);
            let secret = self.secret(&key, "decryption Secret").await?;
            return import::import(entries(&secret), &key.to_string())
                .map_err(|error| chain(&error));
        }
        match &operator.age_secret {
            Some(name) => {
                let key = ObjectKey::new(&operator.namespace, name);
                let secret = self.secret(&key, "SOPS age decryption Secret").await?;
                import::import_age(entries(&secret), &key.to_string())
                    .map_err(|error| chain(&error))
            }
            None => Ok(ImportedKeys::default()),
        }
    }

    async fn secret(&self, key: &ObjectKey, what: &str) -> Result<SecretData, String> {
        let found = self.secrets.get(key.namespace(), key.name()).await;
        found.map_err(|error| match error {
            SecretError::NotFound { .. } => format!("secrets \"{}\" not found", key.name()),
            error => format!("cannot get sops {what} '{key}': {}", chain(&error)),
        })
    }

    /// Adds the age keys from the environment.
    async fn import_environment_keys(
        &self,
        age: &mut sluice_sops::keys::age::Identities,
    ) -> Result<(), String> {
        let operator = self.operator;
        if let Some(key) = &operator.age_key {
            age.import(key.expose())
                .map_err(|error| format!("SOPS_AGE_KEY: {}", chain(&error)))?;
        }
        if let Some(path) = &operator.age_key_file {
            let path = path.clone();
            let text = blocking(move || sluice_system::fs::read_to_string(&path)).await;
            let text = text.map_err(|error| format!("SOPS_AGE_KEY_FILE: {}", chain(&error)))?;
            let text = Sensitive::new(text);
            age.import(text.expose())
                .map_err(|error| format!("SOPS_AGE_KEY_FILE: {}", chain(&error)))?;
        }
        Ok(())
    }

    async fn vault_tokens(
        &self,
        wanted: &Decryption,
        imported: Option<Sensitive<String>>,
    ) -> Result<Option<Arc<dyn TokenSource>>, String> {
        let operator = self.operator;
        if let Some(token) = imported {
            return Ok(Some(Arc::new(StaticToken(token))));
        }
        if let Some(name) = &operator.vault_config {
            let key = ObjectKey::new(&operator.namespace, name);
            let config = self.secrets.config(key.namespace(), key.name()).await;
            let config = config.map_err(|error| {
                format!("failed to get Vault ConfigMap '{key}': {}", chain(&error))
            })?;
            let text = config.data.get(CONFIG_KEY).map(String::as_str);
            let paths = LoginPaths::parse(text.unwrap_or_default(), key.to_string())
                .map_err(|error| chain(&error))?;
            let own = wanted.service_account_name.clone();
            let account = Account {
                clusters: self.clusters.clone(),
                key: self.key.clone(),
                name: own
                    .filter(|name| !name.is_empty())
                    .or_else(|| operator.default_account.clone()),
            };
            let login = KubernetesLogin::new(operator.vault.clone(), paths, Arc::new(account));
            return Ok(Some(Arc::new(login)));
        }
        Ok(operator.vault_token.clone())
    }
}

/// Returns the token of the environment. Locked-down tenants may only send it to listed servers.
fn vault_token(args: &Args) -> Option<Arc<dyn TokenSource>> {
    let token = args.vault_token.clone()?;
    if args.clusters.is_locked_down() && args.vault_allowlist.is_empty() {
        return Some(Arc::new(WithheldToken));
    }
    Some(Arc::new(StaticToken(token)))
}

fn entries(secret: &SecretData) -> impl Iterator<Item = (&str, &[u8])> {
    secret
        .names()
        .map(|name| (name, secret.entry(name).unwrap_or_default()))
}

/// Service account for a Vault login.
struct Account {
    clusters: Clusters,
    key: ObjectKey,
    name: Option<String>,
}

#[async_trait]
impl ServiceAccountTokenSource for Account {
    async fn token(&self, audience: &str) -> Result<Sensitive<String>, KeyError> {
        let requester = Requester {
            kind: "Kustomization",
            key: &self.key,
        };
        let token = self
            .clusters
            .token(
                requester,
                self.name.as_deref(),
                audience,
                DECRYPT_WITH_VAULT,
            )
            .await
            .map_err(|error| KeyError::new(error.to_string()))?;
        Ok(token.expose().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn own_vault_token_needs_allowlist_under_lockdown() {
        let list = "--vault-allowlist=https://vault.example.com";
        for (flags, expected) in [
            (&[][..], true),
            (&["--no-cross-namespace-refs"], false),
            (&["--default-service-account=default"], false),
            (&["--default-service-account=default", list], true),
        ] {
            let line = ["--vault-token=s.canary"].iter().chain(flags);
            let args = crate::args::tests::parse(&line.copied().collect::<Vec<_>>());
            let source = vault_token(&args).unwrap();
            let token = source.token("https://evil.example.com").await;
            assert_eq!(token.is_ok(), expected, "{flags:?}");
            if let Err(error) = token {
                let message = error.to_string();
                assert!(message.contains("SOPS_HC_VAULT_ALLOWLIST"), "{message}");
                assert!(!message.contains("canary"), "{message}");
            }
        }
    }
}
