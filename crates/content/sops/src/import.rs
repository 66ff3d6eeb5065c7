//! Keys and credentials out of a Secret: what an entry is, its name says.
//!
//! `*.agekey`, `*.asc` and `sops.vault-token` are put to use; the credentials of
//! clouds are read, so that a broken one is told now, and kept for the services that
//! use them.

mod cloud;

pub use cloud::{AwsCredentials, AzureCredentials, CloudError, GcpCredentials};

use sluice_dial::Sensitive;

use crate::keys::age::{Identities, IdentityError};
use crate::keys::pgp::{PgpKeyError, SecretKeys};

/// How the name of an entry with age identities ends.
pub const AGE: &str = ".agekey";
/// How the name of an entry with OpenPGP keys ends.
pub const PGP: &str = ".asc";
/// The name of the entry with the token for Vault.
pub const VAULT_TOKEN: &str = "sops.vault-token";
const AWS: &str = "sops.aws-kms";
const AZURE: &str = "sops.azure-kv";
const GCP: &str = "sops.gcp-kms";

/// What a Secret brought.
#[derive(Debug, Clone, Default)]
pub struct Imported {
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

/// An entry that is not what its name says. Never holds a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to import '{entry}' data from {what} '{secret}': {reason}")]
pub struct ImportError {
    /// The name of the entry.
    pub entry: String,
    /// What kind of Secret.
    what: &'static str,
    /// Its `namespace/name`.
    pub secret: String,
    /// What is wrong.
    pub reason: EntryError,
}

/// What is wrong with an entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EntryError {
    /// As an age identity.
    #[error(transparent)]
    Age(#[from] IdentityError),
    /// As an OpenPGP key.
    #[error(transparent)]
    Pgp(#[from] PgpKeyError),
    /// As the credentials of a cloud.
    #[error(transparent)]
    Cloud(#[from] CloudError),
    /// As a text.
    #[error("it is not UTF-8 text")]
    NotText,
}

/// Reads the Secret that an object names. `secret` is its `namespace/name`.
pub fn import<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    secret: &str,
) -> Result<Imported, ImportError> {
    take_all(entries, "sops decryption Secret", secret)
}

/// Reads the Secret that serves objects without one of their own: age identities
/// only, since anything else would stand in the way of workload identity.
pub fn import_age<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    secret: &str,
) -> Result<Imported, ImportError> {
    let entries = entries.into_iter().filter(|(name, _)| name.ends_with(AGE));
    take_all(entries, "sops SOPS age decryption Secret", secret)
}

fn take_all<'a>(
    entries: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    what: &'static str,
    secret: &str,
) -> Result<Imported, ImportError> {
    let mut imported = Imported::default();
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

impl Imported {
    fn take(&mut self, name: &str, value: &[u8]) -> Result<(), EntryError> {
        let text = || str::from_utf8(value).map_err(|_| EntryError::NotText);
        match name {
            _ if name.ends_with(AGE) => self.age.import(text()?)?,
            _ if name.ends_with(PGP) => self.pgp.import(value)?,
            VAULT_TOKEN => self.vault_token = Some(Sensitive::from(text()?.trim())),
            AWS => self.aws = Some(AwsCredentials::parse(value)?),
            AZURE => self.azure = Some(AzureCredentials::parse(value)?),
            GCP => self.gcp = Some(GcpCredentials::parse(value)?),
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
