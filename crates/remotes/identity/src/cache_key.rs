//! Keys of cached credentials: a hash over everything that a credential depends on.
//!
//! Each part has a label and its length, so two different inputs never have one key. The cache
//! holds no secret as a key.

use std::hash::{Hash, Hasher};

use aws_lc_rs::digest::{Context, Digest, SHA256};
use sluice_dial::Dial;

use crate::account::Account;
use crate::provider::Provider;

/// The key of a credential.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CacheKey([u8; 32]);

impl CacheKey {
    /// Returns the hash.
    pub const fn bytes(self) -> [u8; 32] {
        self.0
    }
}

/// Builds a key from parts.
pub struct KeyParts(Context);

impl KeyParts {
    /// Starts a key for a provider and a kind of credential.
    pub fn new(provider: Provider, purpose: &str) -> Self {
        let parts = Self(Context::new(&SHA256));
        parts
            .text("provider", provider.name())
            .text("purpose", purpose)
    }

    /// Adds a text.
    #[must_use]
    pub fn text(mut self, label: &str, value: &str) -> Self {
        self.add(label.as_bytes());
        self.add(value.as_bytes());
        self
    }

    /// Adds a list, in any order.
    #[must_use]
    pub fn list(mut self, label: &str, values: &[&str]) -> Self {
        let mut values = values.to_vec();
        values.sort_unstable();
        self.add(label.as_bytes());
        self.0.update(&(values.len() as u64).to_be_bytes());
        for value in values {
            self.add(value.as_bytes());
        }
        self
    }

    /// Adds the service account and the identity that its annotations name.
    #[must_use]
    pub fn account(self, account: Option<&Account>, identity: &str) -> Self {
        match account {
            None => self.text("level", "controller"),
            Some(account) => self
                .text("level", "object")
                .text("namespace", account.namespace())
                .text("name", account.name())
                .text("uid", account.uid())
                .text("identity", identity),
        }
    }

    /// Adds proxy and certificates.
    #[must_use]
    pub fn dial(self, dial: &Dial) -> Self {
        self.hashed("dial", dial)
    }

    /// Adds all that a value hashes.
    #[must_use]
    pub fn hashed(mut self, label: &str, value: &impl Hash) -> Self {
        self.add(label.as_bytes());
        value.hash(&mut DigestHasher(&mut self.0));
        self
    }

    /// Returns the key.
    pub fn finish(self) -> CacheKey {
        let digest: Digest = self.0.finish();
        let mut key = [0; 32];
        key.copy_from_slice(digest.as_ref());
        CacheKey(key)
    }

    fn add(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }
}

/// Feeds a digest with what a type hashes.
struct DigestHasher<'a>(&'a mut Context);

impl Hasher for DigestHasher<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sluice_dial::Proxy;

    use super::*;

    fn account(namespace: &str, uid: &str) -> Account {
        Account::new(namespace, "flux", uid, BTreeMap::new()).unwrap()
    }

    #[test]
    fn key_depends_on_each_part() {
        let new = || KeyParts::new(Provider::Aws, "token");
        let dial = |user: &str| {
            let proxy = Proxy::new(&format!("http://{user}@127.0.0.1:1"), None).unwrap();
            Dial {
                proxy: Some(proxy),
                ..Dial::default()
            }
        };
        let (one, two) = (account("apps", "1"), account("apps", "2"));
        let other = account("infra", "1");
        let keys = [
            new(),
            KeyParts::new(Provider::Gcp, "token"),
            KeyParts::new(Provider::Aws, "registry"),
            new().account(None, "role"),
            new().account(Some(&one), "role"),
            new().account(Some(&one), "role-2"),
            new().account(Some(&two), "role"),
            new().account(Some(&other), "role"),
            new().text("region", "a").text("endpoint", "b"),
            new().text("region", "ab").text("endpoint", ""),
            new().list("scopes", &["a", "b"]),
            new().list("scopes", &["ab"]),
            new().list("scopes", &["a"]).text("b", ""),
            new().dial(&Dial::default()),
            new().dial(&dial("user:one")),
            new().dial(&dial("user:two")),
        ];
        let keys: Vec<CacheKey> = keys.into_iter().map(KeyParts::finish).collect();
        for (at, key) in keys.iter().enumerate() {
            assert!(!keys[..at].contains(key), "part {at} does not count");
        }
        let sorted = |values: [&str; 2]| new().list("scopes", &values).finish();
        assert_eq!(sorted(["a", "b"]), sorted(["b", "a"]));
    }
}
