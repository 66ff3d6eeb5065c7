//! The Secret that the cluster reads the repository with. An existing key pair stays; a changed
//! token is replaced.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};
use sluice_client::GroupVersionKind;
use sluice_dial::Sensitive;
use sluice_git::ssh_setup::{KeyKind, KeyPair};
use sluice_lifecycle::{Error, Session};

/// Every entry with credentials. New credentials replace all of them.
const ENTRIES: [&str; 7] = [
    "identity",
    "identity.pub",
    "known_hosts",
    "username",
    "password",
    "bearerToken",
    "ca.crt",
];

/// The credentials of the cluster.
pub(crate) enum ClusterCredentials {
    /// A token of the user for HTTP(S).
    Token {
        /// The token.
        token: Token,
        /// The certificate authority of the host.
        ca: Option<String>,
    },
    /// A key pair of the user.
    Key {
        /// The key pair.
        pair: KeyPair,
        /// The passphrase of the key.
        passphrase: Option<Sensitive<String>>,
    },
    /// A key pair of the cluster, created if it has none.
    NewKey(KeyKind),
    /// A deploy token, created by the host if it does not know the current one.
    DeployToken {
        /// The certificate authority of the host.
        ca: Option<String>,
    },
}

/// A token for HTTP(S).
pub(crate) enum Token {
    /// A user and a password.
    Basic(String, Sensitive<String>),
    /// A bearer token.
    Bearer(Sensitive<String>),
}

/// The entries of a Secret.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Entries(pub(crate) BTreeMap<String, Sensitive<String>>);

/// The change of the Secret.
#[derive(PartialEq, Eq)]
pub(crate) enum Step {
    /// The Secret stays.
    Nothing,
    /// The Secret is written.
    Write {
        /// The new entries.
        entries: Entries,
        /// The key that the host has to accept.
        public_key: Option<String>,
    },
}

impl ClusterCredentials {
    /// Compares with the current Secret. `known_hosts` has the host keys for SSH.
    pub(crate) fn step(&self, current: Option<&Entries>, known_hosts: &str) -> Result<Step, Error> {
        let mut entries = BTreeMap::new();
        let mut put = |key: &str, value: Sensitive<String>| {
            entries.insert(key.to_owned(), value);
        };
        let mut public_key = None;
        match self {
            Self::Token { token, ca } => {
                match token {
                    Token::Basic(username, password) => {
                        put("username", username.as_str().into());
                        put("password", password.clone());
                    }
                    Token::Bearer(token) => put("bearerToken", token.clone()),
                }
                if let Some(ca) = ca {
                    put("ca.crt", ca.as_str().into());
                }
            }
            Self::Key { pair, passphrase } => {
                put("identity", pair.private.clone());
                put("identity.pub", format!("{}\n", pair.public).into());
                put("known_hosts", known_hosts.into());
                if let Some(passphrase) = passphrase {
                    put("password", passphrase.clone());
                }
                public_key = Some(pair.public.clone());
            }
            Self::NewKey(kind) => {
                if let Some(current) = current.filter(|current| current.0.contains_key("identity"))
                {
                    return Ok(current.kept_for(known_hosts));
                }
                let pair =
                    KeyPair::generate(*kind).map_err(|error| Error::internal(error.to_string()))?;
                put("identity", pair.private.clone());
                put("identity.pub", format!("{}\n", pair.public).into());
                put("known_hosts", known_hosts.into());
                public_key = Some(pair.public);
            }
            Self::DeployToken { .. } => {
                return Err(Error::internal("no deploy token was created"));
            }
        }
        let entries = Entries(entries);
        if current.is_some_and(|current| current.of_git() == entries) {
            return Ok(Step::Nothing);
        }
        Ok(Step::Write {
            entries,
            public_key,
        })
    }

    /// The names of the entries, for a plan.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Token { token, ca } => {
                let mut names = match token {
                    Token::Basic(..) => vec!["username", "password"],
                    Token::Bearer(_) => vec!["bearerToken"],
                };
                names.extend(ca.as_ref().map(|_| "ca.crt"));
                names
            }
            Self::DeployToken { ca } => {
                let mut names = vec!["username", "password"];
                names.extend(ca.as_ref().map(|_| "ca.crt"));
                names
            }
            Self::Key { .. } | Self::NewKey(_) => vec!["identity", "identity.pub", "known_hosts"],
        }
    }
}

impl Entries {
    /// Reads the Secret, if it exists.
    pub(crate) async fn read(session: &Session<'_>, name: &str) -> Result<Option<Self>, Error> {
        let gvk = GroupVersionKind::gvk("", "v1", "Secret");
        let namespace = &session.namespace;
        let found = session.cluster.get(&gvk, Some(namespace), name).await;
        let Some(found) = found.map_err(|error| {
            Error::from(error).while_doing("failed to determine if deploy key secret exists")
        })?
        else {
            return Ok(None);
        };
        let data = found["data"].as_object().cloned().unwrap_or_default();
        let entries = data.into_iter().filter_map(|(key, value)| {
            let bytes = BASE64_STANDARD.decode(value.as_str()?).ok()?;
            Some((key, Sensitive::from(String::from_utf8(bytes).ok()?)))
        });
        Ok(Some(Self(entries.collect())))
    }

    /// The entries with credentials.
    fn of_git(&self) -> Self {
        let entries = self.0.iter();
        let entries = entries.filter(|(key, _)| ENTRIES.contains(&key.as_str()));
        Self(
            entries
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        )
    }

    /// Keeps the key pair and updates the host keys.
    fn kept_for(&self, known_hosts: &str) -> Step {
        if self.known_hosts().unwrap_or_default() == known_hosts {
            return Step::Nothing;
        }
        let mut entries = self.of_git();
        entries
            .0
            .insert("known_hosts".to_owned(), known_hosts.into());
        Step::Write {
            entries,
            public_key: self.public_key().map(str::to_owned),
        }
    }

    /// The host keys of the Secret.
    pub(crate) fn known_hosts(&self) -> Option<&str> {
        let known = self.0.get("known_hosts")?;
        Some(known.expose().as_str()).filter(|known| !known.trim().is_empty())
    }

    /// The public key.
    pub(crate) fn public_key(&self) -> Option<&str> {
        self.0.get("identity.pub").map(|key| key.expose().trim())
    }

    /// User and password.
    pub(crate) fn login(&self) -> Option<(&str, &Sensitive<String>)> {
        let user = self.0.get("username")?;
        Some((user.expose(), self.0.get("password")?))
    }

    fn manifest(&self, name: &str, namespace: &str, is_new: bool) -> Value {
        let texts = self.0.iter();
        let texts: Map<String, Value> = texts
            .map(|(key, value)| (key.clone(), json!(value.expose())))
            .collect();
        let mut manifest = json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": { "name": name, "namespace": namespace },
            "stringData": texts,
        });
        if !is_new {
            let stale = ENTRIES.iter().filter(|key| !self.0.contains_key(**key));
            let stale: Map<String, Value> =
                stale.map(|key| ((*key).to_owned(), Value::Null)).collect();
            manifest["data"] = Value::Object(stale);
        }
        manifest
    }

    /// Creates the Secret or replaces its entries.
    pub(crate) async fn write(&self, session: &Session<'_>, name: &str) -> Result<(), Error> {
        let namespace = &session.namespace;
        let new = self.manifest(name, namespace, true);
        let patch = || self.manifest(name, namespace, false);
        session.write_secret(name, &new, patch).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(password: &str) -> ClusterCredentials {
        ClusterCredentials::Token {
            token: Token::Basic("me".to_owned(), password.into()),
            ca: None,
        }
    }

    fn written(step: Step) -> (Entries, Option<String>) {
        match step {
            Step::Nothing => panic!("nothing is written"),
            Step::Write {
                entries,
                public_key,
            } => (entries, public_key),
        }
    }

    #[test]
    fn changed_token_is_replaced() {
        let (first, key) = written(token("one").step(None, "").unwrap());
        assert!(key.is_none());
        assert!(token("one").step(Some(&first), "").unwrap() == Step::Nothing);
        let (second, _) = written(token("two").step(Some(&first), "").unwrap());
        assert_eq!(second.0["password"].expose(), "two");
        let bearer = ClusterCredentials::Token {
            token: Token::Bearer("one".into()),
            ca: None,
        };
        let (entries, _) = written(bearer.step(Some(&first), "").unwrap());
        let patch = entries.manifest("s", "n", false);
        assert_eq!(patch["stringData"], json!({ "bearerToken": "one" }));
        assert_eq!(patch["data"]["password"], Value::Null);
        assert!(patch["data"].as_object().unwrap().contains_key("username"));
    }

    #[test]
    fn cluster_key_pair_is_created_once() {
        let wanted = ClusterCredentials::NewKey(KeyKind::Ed25519);
        let (first, key) = written(wanted.step(None, "h ssh-ed25519 AAAA\n").unwrap());
        assert!(key.unwrap().starts_with("ssh-ed25519 "));
        assert_eq!(first.known_hosts(), Some("h ssh-ed25519 AAAA\n"));
        let same = wanted.step(Some(&first), "h ssh-ed25519 AAAA\n").unwrap();
        assert!(same == Step::Nothing);
    }

    #[test]
    fn key_pair_is_kept_at_another_host() {
        let wanted = ClusterCredentials::NewKey(KeyKind::Ed25519);
        let (first, key) = written(wanted.step(None, "h ssh-ed25519 AAAA").unwrap());
        let both = "h ssh-ed25519 AAAA\nother ssh-ed25519 BBBB";
        let (second, again) = written(wanted.step(Some(&first), both).unwrap());
        assert_eq!(second.known_hosts(), Some(both));
        assert!(second.0["identity"] == first.0["identity"]);
        assert!(key.is_some() && key == again, "the new host is told of it");
        assert!(wanted.step(Some(&second), both).unwrap() == Step::Nothing);
    }

    #[test]
    fn foreign_entries_do_not_count() {
        let (mut current, _) = written(token("one").step(None, "").unwrap());
        current.0.insert("note".to_owned(), "mine".into());
        assert!(token("one").step(Some(&current), "").unwrap() == Step::Nothing);
    }
}
