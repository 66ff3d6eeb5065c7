//! The master keys that wrap a data key, and their form in messages.

use std::fmt;

/// A master key and its location.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Recipient {
    /// An age key.
    Age {
        /// The public key.
        recipient: String,
    },
    /// An OpenPGP key.
    Pgp {
        /// The fingerprint of the key or its encryption subkey.
        fingerprint: String,
    },
    /// A key in AWS KMS.
    AwsKms {
        /// The resource name of the key.
        arn: String,
        /// The role to assume.
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
    /// Returns the kind of the key.
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
            | Self::HuaweiKms { key_id: name } => write!(f, "{kind} {}", redact_name(name)),
            Self::AzureKeyVault {
                vault_url,
                name,
                version,
            } => {
                let (url, name, version) = (
                    redact_name(vault_url),
                    redact_name(name),
                    redact_name(version),
                );
                write!(f, "{kind} {url}/keys/{name}/{version}")
            }
            Self::Vault {
                address,
                engine,
                key,
            } => {
                let (address, engine, key) =
                    (redact_name(address), redact_name(engine), redact_name(key));
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

/// Formats a name from a document for a message: in one line, and truncated, because a
/// post-quantum key has two thousand characters. Redacts an encrypted value.
pub(crate) fn redact_name(name: &str) -> String {
    const MAX_CHARS: usize = 160;
    if name.contains("ENC[") {
        return "<redacted>".to_owned();
    }
    let clean = |character: char| {
        if character.is_control() {
            '\u{fffd}'
        } else {
            character
        }
    };
    let short: String = name.chars().take(MAX_CHARS).map(clean).collect();
    if name.chars().count() > MAX_CHARS {
        format!("{short}…")
    } else {
        short
    }
}
