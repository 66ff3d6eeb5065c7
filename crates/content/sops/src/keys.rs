//! Master keys, which wrap the data key of a document.
//!
//! The rest of the crate knows a kind of key only as a [`KeyService`]. A [`Keyring`] combines
//! the available services, and an error names a kind without service.
//!
//! No service reads environment variables, starts programs or reads files. The creator of the
//! keyring provides the keys, see [`import`](crate::import).

pub mod age;
pub mod aws;
pub mod azure;
pub mod gcp;
pub mod pgp;
pub mod vault;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;

use crate::data_key::DataKey;
use crate::error::{DataKeyError, KeyFailure};
use crate::metadata::{KeyGroup, MasterKey, Metadata};
use crate::recipient::{KeyType, Recipient};
use crate::shamir;

/// The timeout for all keys of one document. A document may refer to hundreds of servers that
/// do not answer. A caller that waits for them holds a worker.
const KEY_TIMEOUT: Duration = Duration::from_mins(2);

/// The keys of one document that may be asked of servers. A document may list thousands.
const MAX_SERVER_KEYS: usize = 20;

/// Wraps and unwraps parts of data keys with one kind of master key.
#[async_trait]
pub trait KeyService: Send + Sync {
    /// Unwraps the part of a data key.
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError>;

    /// Wraps a part of a data key for a recipient.
    async fn wrap(&self, recipient: &Recipient, part: &DataKey) -> Result<String, KeyError>;
}

/// Why a master key failed. Never contains key material.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct KeyError(String);

impl KeyError {
    /// Creates an error. Its text becomes part of a public status.
    pub fn new(reason: impl Into<String>) -> Self {
        Self(reason.into())
    }
}

/// The available keys.
#[derive(Clone, Default)]
pub struct Keyring {
    /// age identities.
    pub age: age::Identities,
    /// OpenPGP secret keys.
    pub pgp: pgp::SecretKeys,
    services: HashMap<KeyType, Arc<dyn KeyService>>,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut services: Vec<_> = self.services.keys().collect();
        services.sort_unstable();
        f.debug_struct("Keyring")
            .field("age", &self.age)
            .field("pgp", &self.pgp)
            .field("services", &services)
            .finish()
    }
}

impl Keyring {
    /// Adds the service for a kind of key.
    #[must_use]
    pub fn with(mut self, key_type: KeyType, service: Arc<dyn KeyService>) -> Self {
        self.services.insert(key_type, service);
        self
    }

    /// Unwraps the data key of a document.
    ///
    /// Within a group, keys are tried in upstream's order: age, OpenPGP, then the others as
    /// written. With several groups, stops once enough groups have succeeded.
    pub async fn data_key(&self, metadata: &Metadata) -> Result<DataKey, DataKeyError> {
        let groups = &metadata.groups;
        let needed = match metadata.threshold {
            0 => groups.len(),
            threshold => threshold,
        };
        let needed = if groups.len() == 1 { 1 } else { needed };
        let mut parts = Vec::new();
        let mut failures = Vec::new();
        let mut limits = Limits {
            deadline: tokio::time::Instant::now() + KEY_TIMEOUT,
            server_keys: MAX_SERVER_KEYS,
        };
        for (index, group) in groups.iter().enumerate() {
            if parts.len() >= needed {
                break;
            }
            if let Some(part) = self.part(index, group, &mut limits, &mut failures).await {
                parts.push(part);
            }
        }
        if parts.len() < needed {
            return Err(DataKeyError::Groups {
                needed,
                got: parts.len(),
                failures,
            });
        }
        if groups.len() == 1 {
            return Ok(parts.remove(0));
        }
        shamir::combine(&parts).map_err(DataKeyError::Parts)
    }

    async fn part(
        &self,
        index: usize,
        group: &KeyGroup,
        limits: &mut Limits,
        failures: &mut Vec<KeyFailure>,
    ) -> Option<DataKey> {
        let mut keys: Vec<&MasterKey> = group.iter().collect();
        keys.sort_by_key(|key| match key.recipient.key_type() {
            KeyType::Age => 0,
            KeyType::Pgp => 1,
            _ => 2,
        });
        for key in keys {
            match self.unwrap_within(key, limits).await {
                Ok(part) => return Some(part),
                Err(error) => failures.push(KeyFailure {
                    group: index,
                    recipient: key.recipient.clone(),
                    reason: error.to_string(),
                }),
            }
        }
        None
    }

    async fn unwrap_within(
        &self,
        key: &MasterKey,
        limits: &mut Limits,
    ) -> Result<DataKey, KeyError> {
        if !matches!(key.recipient.key_type(), KeyType::Age | KeyType::Pgp) {
            limits.server_keys = limits.server_keys.checked_sub(1).ok_or_else(|| {
                KeyError::new(format!(
                    "skipped, because {MAX_SERVER_KEYS} keys of the document were asked of servers"
                ))
            })?;
        }
        let answer = tokio::time::timeout_at(limits.deadline, self.unwrap(key)).await;
        let late = || Err(KeyError::new("the keys of the document took more than 2m"));
        answer.unwrap_or_else(|_| late())
    }

    /// Wraps a data key for the recipients of every group. Several groups share the key.
    pub async fn wrap_data_key(
        &self,
        key: &DataKey,
        groups: &[Vec<Recipient>],
        threshold: usize,
        now: &str,
    ) -> Result<Vec<KeyGroup>, DataKeyError> {
        let parts = match groups.len() {
            0 | 1 => vec![key.clone()],
            count => shamir::split(key, count, threshold).map_err(DataKeyError::Parts)?,
        };
        let mut wrapped = Vec::new();
        for (index, (group, part)) in groups.iter().zip(&parts).enumerate() {
            let mut keys = KeyGroup::new();
            for recipient in group {
                let text = self.wrap(recipient, part).await;
                let text = text.map_err(|error| DataKeyError::Groups {
                    needed: groups.len(),
                    got: index,
                    failures: vec![KeyFailure {
                        group: index,
                        recipient: recipient.clone(),
                        reason: error.to_string(),
                    }],
                })?;
                let dated = recipient.key_type() != KeyType::Age;
                keys.push(MasterKey {
                    recipient: recipient.clone(),
                    wrapped: text,
                    created_at: dated.then(|| now.to_owned()),
                });
            }
            wrapped.push(keys);
        }
        Ok(wrapped)
    }

    fn service(&self, key_type: KeyType) -> Result<&dyn KeyService, KeyError> {
        match (key_type, self.services.get(&key_type)) {
            (_, Some(service)) => Ok(service.as_ref()),
            (KeyType::Age, None) => Ok(&self.age),
            (KeyType::Pgp, None) => Ok(&self.pgp),
            (KeyType::Vault, None) => Err(KeyError::new(
                "there is neither a token nor a login for Vault or OpenBao: add \
                 sops.vault-token to the Secret of the decryption",
            )),
            (KeyType::HuaweiKms, None) => Err(KeyError::new(
                "unsupported key type: Huawei Cloud KMS is not served",
            )),
            (KeyType::AwsKms | KeyType::GcpKms | KeyType::AzureKeyVault, None) => Err(
                KeyError::new(format!("no identity for {key_type} is known")),
            ),
        }
    }
}

/// The remaining limits for the keys of one document.
struct Limits {
    deadline: tokio::time::Instant,
    server_keys: usize,
}

#[async_trait]
impl KeyService for Keyring {
    async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
        self.service(key.recipient.key_type())?.unwrap(key).await
    }

    async fn wrap(&self, recipient: &Recipient, part: &DataKey) -> Result<String, KeyError> {
        self.service(recipient.key_type())?
            .wrap(recipient, part)
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the wrapped text as the part, unless the text says not to.
    struct FakeService;

    #[async_trait]
    impl KeyService for FakeService {
        async fn unwrap(&self, key: &MasterKey) -> Result<DataKey, KeyError> {
            match key.wrapped.strip_prefix("no: ") {
                Some(reason) => Err(KeyError::new(reason)),
                None => Ok(DataKey::new(hex::decode(&key.wrapped).unwrap())),
            }
        }

        async fn wrap(&self, _: &Recipient, part: &DataKey) -> Result<String, KeyError> {
            Ok(hex::encode(part.expose()))
        }
    }

    fn recipient(name: &str) -> Recipient {
        Recipient::GcpKms {
            resource_id: name.to_owned(),
        }
    }

    fn ring() -> Keyring {
        Keyring::default().with(KeyType::GcpKms, Arc::new(FakeService))
    }

    #[tokio::test]
    async fn two_of_three_groups_suffice_but_not_one() {
        let key = DataKey::generate();
        let groups: Vec<_> = ["a", "b", "c"].map(|name| vec![recipient(name)]).into();
        let wrapped = ring().wrap_data_key(&key, &groups, 2, "").await.unwrap();
        let mut metadata = Metadata {
            groups: wrapped,
            threshold: 2,
            ..Metadata::default()
        };
        assert_eq!(ring().data_key(&metadata).await.unwrap(), key);
        metadata.groups[0][0].wrapped = "no: gone".to_owned();
        assert_eq!(ring().data_key(&metadata).await.unwrap(), key);
        metadata.groups[2][0].wrapped = "no: denied".to_owned();
        assert_eq!(
            ring().data_key(&metadata).await.unwrap_err().to_string(),
            "1 of 2 key groups gave their part: group 0: gcp_kms a: gone; group 2: gcp_kms c: denied"
        );
    }

    /// Never returns.
    struct SilentService;

    #[async_trait]
    impl KeyService for SilentService {
        async fn unwrap(&self, _: &MasterKey) -> Result<DataKey, KeyError> {
            std::future::pending().await
        }

        async fn wrap(&self, _: &Recipient, _: &DataKey) -> Result<String, KeyError> {
            std::future::pending().await
        }
    }

    #[tokio::test(start_paused = true)]
    async fn silent_servers_share_one_timeout() {
        let key = |index: usize| MasterKey {
            recipient: recipient(&index.to_string()),
            wrapped: String::new(),
            created_at: None,
        };
        let metadata = Metadata {
            groups: vec![(0..100).map(key).collect()],
            ..Metadata::default()
        };
        let ring = Keyring::default().with(KeyType::GcpKms, Arc::new(SilentService));
        let started = tokio::time::Instant::now();
        let error = ring.data_key(&metadata).await.unwrap_err().to_string();
        assert!(
            started.elapsed() < KEY_TIMEOUT * 2,
            "{:?}",
            started.elapsed()
        );
        assert!(error.contains("gcp_kms 0: the keys of the document took more than 2m"));
        assert!(error.ends_with("and 80 more keys"), "{error}");
    }

    /// Counts the requests, and fails.
    #[derive(Default)]
    struct CountingService(std::sync::atomic::AtomicUsize);

    #[async_trait]
    impl KeyService for CountingService {
        async fn unwrap(&self, _: &MasterKey) -> Result<DataKey, KeyError> {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Err(KeyError::new("no"))
        }

        async fn wrap(&self, _: &Recipient, _: &DataKey) -> Result<String, KeyError> {
            Err(KeyError::new("no"))
        }
    }

    #[tokio::test]
    async fn servers_are_asked_for_twenty_keys() {
        let service = Arc::new(CountingService::default());
        let ring = Keyring::default().with(KeyType::GcpKms, service.clone());
        let key = |index: usize| MasterKey {
            recipient: recipient(&index.to_string()),
            wrapped: String::new(),
            created_at: None,
        };
        let metadata = Metadata {
            groups: vec![(0..12).map(key).collect(), (0..12).map(key).collect()],
            threshold: 1,
            ..Metadata::default()
        };
        let error = ring.data_key(&metadata).await.unwrap_err();
        assert!(error.to_string().ends_with("and 4 more keys"), "{error}");
        let asked = service.0.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(asked, MAX_SERVER_KEYS);
    }

    #[tokio::test]
    async fn unsupported_kind_of_key_is_named() {
        let key = MasterKey {
            recipient: Recipient::AwsKms {
                arn: "arn:aws:kms:eu-west-1:1:key/a".to_owned(),
                role: String::new(),
                context: Vec::new(),
                profile: String::new(),
            },
            wrapped: "x".to_owned(),
            created_at: None,
        };
        let metadata = Metadata {
            groups: vec![vec![key]],
            ..Metadata::default()
        };
        let error = Keyring::default().data_key(&metadata).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "no key decrypts it: kms arn:aws:kms:eu-west-1:1:key/a: no identity for kms is known"
        );
    }
}
