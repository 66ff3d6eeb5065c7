//! What a document says about its own encryption: the section `sops`.
//!
//! Read from and written as a [`Branch`], which is how it stands in YAML and JSON;
//! the other formats flatten it first. Reading is as lenient as upstream's: numbers
//! and booleans may be texts, unknown fields are passed over.
//!
//! Parity: sops: stores/stores.go and stores/metadata.go.

mod read;
mod write;

use std::fmt;

use crate::error::shown;
use crate::rules::Rule;
#[cfg(doc)]
use crate::tree::Branch;

/// How many master keys a document may name. Each may cost a request.
const MAX_KEYS: usize = 512;

/// What a document says about its own encryption.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Metadata {
    /// Who can decrypt it: any key of one group, or one key of each of several groups.
    pub groups: Vec<KeyGroup>,
    /// How many groups suffice, where there are several.
    pub threshold: usize,
    /// Which values are encrypted.
    pub rule: Rule,
    /// The message authentication code, encrypted.
    pub mac: String,
    /// The code covers encrypted values only.
    pub mac_only_encrypted: bool,
    /// When it was encrypted, as in RFC 3339 to the second.
    pub last_modified: String,
    /// The version of the program that wrote it.
    pub version: String,
}

/// Master keys, each of which gives the same part of the data key.
pub type KeyGroup = Vec<MasterKey>;

/// A master key, and the part of the data key that it wraps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MasterKey {
    /// Which key, and where it is.
    pub recipient: Recipient,
    /// The part of the data key, wrapped.
    pub wrapped: String,
    /// When it was wrapped; age keys do not say.
    pub created_at: Option<String>,
}

/// A key that wraps data keys, and where it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Recipient {
    /// An age key.
    Age {
        /// The public key.
        recipient: String,
    },
    /// An OpenPGP key.
    Pgp {
        /// The fingerprint of the key, or of its part that encrypts.
        fingerprint: String,
    },
    /// A key in AWS KMS.
    AwsKms {
        /// The resource name of the key.
        arn: String,
        /// The role to take on before.
        role: String,
        /// The encryption context.
        context: Vec<(String, String)>,
        /// The profile of the command line.
        profile: String,
    },
    /// A key in Google's KMS.
    GcpKms {
        /// The resource name of the key.
        resource_id: String,
    },
    /// A key in an Azure Key Vault.
    AzureKeyVault {
        /// The address of the vault.
        vault_url: String,
        /// The name of the key.
        name: String,
        /// The version of the key.
        version: String,
    },
    /// A key of the transit engine of Vault or `OpenBao`.
    Vault {
        /// The address of the server.
        address: String,
        /// The path of the engine.
        engine: String,
        /// The name of the key.
        key: String,
    },
    /// A key in Huawei Cloud's KMS.
    HuaweiKms {
        /// The region and the identifier of the key.
        key_id: String,
    },
}

/// The kinds of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyType {
    /// age
    Age,
    /// OpenPGP
    Pgp,
    /// AWS KMS
    AwsKms,
    /// Google Cloud KMS
    GcpKms,
    /// Azure Key Vault
    AzureKeyVault,
    /// Vault or `OpenBao` transit
    Vault,
    /// Huawei Cloud KMS
    HuaweiKms,
}

impl Recipient {
    /// What kind of key it is.
    pub fn key_type(&self) -> KeyType {
        match self {
            Self::Age { .. } => KeyType::Age,
            Self::Pgp { .. } => KeyType::Pgp,
            Self::AwsKms { .. } => KeyType::AwsKms,
            Self::GcpKms { .. } => KeyType::GcpKms,
            Self::AzureKeyVault { .. } => KeyType::AzureKeyVault,
            Self::Vault { .. } => KeyType::Vault,
            Self::HuaweiKms { .. } => KeyType::HuaweiKms,
        }
    }
}

impl fmt::Display for Recipient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.key_type();
        match self {
            Self::Age { recipient: name }
            | Self::Pgp { fingerprint: name }
            | Self::AwsKms { arn: name, .. }
            | Self::GcpKms { resource_id: name }
            | Self::HuaweiKms { key_id: name } => write!(f, "{kind} {}", shown(name)),
            Self::AzureKeyVault {
                vault_url,
                name,
                version,
            } => {
                let (url, name, version) = (shown(vault_url), shown(name), shown(version));
                write!(f, "{kind} {url}/keys/{name}/{version}")
            }
            Self::Vault {
                address,
                engine,
                key,
            } => {
                let (address, engine, key) = (shown(address), shown(engine), shown(key));
                write!(f, "{kind} {address}/v1/{engine}/keys/{key}")
            }
        }
    }
}

impl fmt::Display for KeyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Age => "age",
            Self::Pgp => "pgp",
            Self::AwsKms => "kms",
            Self::GcpKms => "gcp_kms",
            Self::AzureKeyVault => "azure_kv",
            Self::Vault => "hc_vault",
            Self::HuaweiKms => "hckms",
        })
    }
}

/// Whether a text is a time as in RFC 3339.
pub(crate) fn is_time(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() >= "2006-01-02T15:04:05Z".len()
        && bytes[4] == b'-'
        && bytes[7] == b'-'
        && bytes[10] == b'T'
        && bytes[13] == b':'
        && bytes[16] == b':'
        && (text.ends_with('Z') || matches!(bytes[bytes.len() - 6], b'+' | b'-'))
        && text.parse::<jiff::Timestamp>().is_ok()
}

/// The time to the second, in the zone in which it is written.
fn to_the_second(time: &str) -> Option<String> {
    if !is_time(time) {
        return None;
    }
    let (seconds, rest) = time.split_at("2006-01-02T15:04:05".len());
    let zone = rest.find(['Z', '+', '-']).map_or("", |at| &rest[at..]);
    let zone = if matches!(zone, "+00:00" | "-00:00") {
        "Z"
    } else {
        zone
    };
    Some(format!("{seconds}{zone}"))
}

#[cfg(test)]
mod tests;
