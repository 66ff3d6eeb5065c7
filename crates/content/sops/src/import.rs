//! Reads keys and credentials from a Secret. The names of its entries decide their kind.
//!
//! `*.agekey`, `*.asc` and `sops.vault-token` are used directly. Cloud credentials are parsed,
//! so that invalid ones are reported early, and kept for the key services.

mod cloud;

pub use cloud::{AwsCredentials, AzureCredentials, CloudError, GcpCredentials};

use sluice_dial::Sensitive;

use crate::keys::age::{Identities, IdentityError};
use crate::keys::pgp::{PgpKeyError, SecretKeys};

/// The suffix of an entry with age identities.
pub const AGE_SUFFIX: &str = ".agekey";
/// The suffix of an entry with OpenPGP keys.
pub const PGP_SUFFIX: &str = ".asc";
/// The name of the entry with the Vault token.
pub const VAULT_TOKEN_ENTRY: &str = "sops.vault-token";
const AWS_ENTRY: &str = "sops.aws-kms";
const AZURE_ENTRY: &str = "sops.azure-kv";
const GCP_ENTRY: &str = "sops.gcp-kms";

/// The keys and credentials of a Secret.
#[derive(Debug, Clone, Default)]
pub struct ImportedKeys {
    /// age identities.
    pub age: Identities,
    /// OpenPGP secret keys.
    pub pgp: SecretKeys,
    /// The token for every Vault server.
    pub vault_token: Option<Sensitive<String>>,
    /// Credentials of AWS.
    pub aws: Option<AwsCredentials>,
    /// Credentials of Azure.
    pub azure: Option<AzureCredentials>,
    /// Credentials of Google Cloud.
    pub gcp: Option<GcpCredentials>,
}

/// An invalid entry. Never contains a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to import '{entry}' data from {what} '{secret}': {reason}")]
pub struct ImportError {
    /// The name of the entry.
    pub entry: String,
    /// The kind of Secret.
    what: &'static str,
    /// Its `namespace/name`.
    pub secret: String,
    /// The problem.
    pub reason: EntryError,
}

/// The problem of an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// An age identity is invalid.
    #[error(transparent)]
    Age(#[from] IdentityError),
    /// An OpenPGP key is invalid.
    #[error(transparent)]
    Pgp(#[from] PgpKeyError),
    /// Cloud credentials are invalid.
    #[error(transparent)]
    Cloud(#[from] CloudError),
    /// The entry is not text.
    #[error("it is not UTF-8 text")]
    NotText,
}

/// Reads the Secret that an object refers to. `secret` is its `namespace/name`.
pub fn import<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    secret: &str,
) -> Result<ImportedKeys, ImportError> {
    take_all(entries, "sops decryption Secret", secret)
}

/// Reads the default Secret for objects without their own. It only accepts age identities,
/// because other keys would conflict with workload identity.
pub fn import_age<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    secret: &str,
) -> Result<ImportedKeys, ImportError> {
    let entries = entries
        .into_iter()
        .filter(|(name, _)| name.ends_with(AGE_SUFFIX));
    take_all(entries, "sops SOPS age decryption Secret", secret)
}

fn take_all<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    what: &'static str,
    secret: &str,
) -> Result<ImportedKeys, ImportError> {
    let mut imported = ImportedKeys::default();
    for (name, value) in entries {
        let taken = imported.take(name, value);
        taken.map_err(|reason| ImportError {
            entry: name.to_owned(),
            what,
            secret: secret.to_owned(),
            reason,
        })?;
    }
    Ok(imported)
}

impl ImportedKeys {
    fn take(&mut self, name: &str, value: &[u8]) -> Result<(), EntryError> {
        let text = || str::from_utf8(value).map_err(|_| EntryError::NotText);
        match name {
            _ if name.ends_with(AGE_SUFFIX) => self.age.import(text()?)?,
            _ if name.ends_with(PGP_SUFFIX) => self.pgp.import(value)?,
            VAULT_TOKEN_ENTRY => self.vault_token = Some(Sensitive::from(text()?.trim())),
            AWS_ENTRY => self.aws = Some(AwsCredentials::parse(value)?),
            AZURE_ENTRY => self.azure = Some(AzureCredentials::parse(value)?),
            GCP_ENTRY => self.gcp = Some(GcpCredentials::parse(value)?),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
