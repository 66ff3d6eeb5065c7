//! The Secret that the cluster reaches the repository with: what it is to hold, whether it does,
//! and writing it. A key pair that is there stays; a token that changed is replaced.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Map, Value, json};
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_dial::Sensitive;
use sluice_git::ssh_setup::{KeyKind, KeyPair};

use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::CommandError;

/// Every entry that says who somebody is to a Git host. One way replaces the others whole.
const ENTRIES: [&str; 7] = [
    "identity",
    "identity.pub",
    "known_hosts",
    "username",
    "password",
    "bearerToken",
    "ca.crt",
];

/// What the Secret is to hold.
pub(super) enum Wanted {
    /// Who the user is, over HTTP(S).
    Token { who: Token, ca: Option<String> },
    /// A key pair of the user's.
    Key {
        pair: KeyPair,
        passphrase: Option<Sensitive<String>>,
    },
    /// A key pair of the cluster's own, made when there is none.
    NewKey(KeyKind),
    /// A token of the cluster's own, made by the host when there is none that is known.
    DeployToken { ca: Option<String> },
}

pub(super) enum Token {
    Basic(String, Sensitive<String>),
    Bearer(Sensitive<String>),
}

/// The entries of a Secret.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Entries(pub(super) BTreeMap<String, Sensitive<String>>);

/// What is to be done about the Secret.
#[derive(PartialEq, Eq)]
pub(super) enum Step {
    Nothing,
    Write {
        entries: Entries,
        /// The key that the host has to be told of.
        public_key: Option<String>,
    },
}

impl Wanted {
    /// Compares with what is there. `known_hosts` is what is to be known of hosts, over SSH.
    pub(super) fn step(
        &self,
        there: Option<&Entries>,
        known_hosts: &str,
    ) -> Result<Step, CommandError> {
        let mut entries = BTreeMap::new();
        let mut put = |key: &str, value: Sensitive<String>| {
            entries.insert(key.to_owned(), value);
        };
        let mut public_key = None;
        match self {
            Self::Token { who, ca } => {
                match who {
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
                if let Some(there) = there.filter(|there| there.0.contains_key("identity")) {
                    return Ok(there.kept_for(known_hosts));
                }
                let pair = KeyPair::generate(*kind)
                    .map_err(|error| CommandError::internal(error.to_string()))?;
                put("identity", pair.private.clone());
                put("identity.pub", format!("{}\n", pair.public).into());
                put("known_hosts", known_hosts.into());
                public_key = Some(pair.public);
            }
            Self::DeployToken { .. } => {
                return Err(CommandError::internal("a deploy token that nobody made"));
            }
        }
        let entries = Entries(entries);
        if there.is_some_and(|there| there.of_git() == entries) {
            return Ok(Step::Nothing);
        }
        Ok(Step::Write {
            entries,
            public_key,
        })
    }

    /// The names of the entries, for a plan.
    pub(super) fn names(&self) -> Vec<&'static str> {
        match self {
            Self::Token { who, ca } => {
                let mut names = match who {
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
    /// The Secret as it is in the cluster, if it is there.
    pub(super) async fn read(context: &Context, name: &str) -> Result<Option<Self>, CommandError> {
        let gvk = GroupVersionKind::gvk("", "v1", "Secret");
        let namespace = context.namespace();
        let found = context.cluster()?.get(&gvk, Some(&namespace), name).await;
        let Some(found) = found.map_err(|error| {
            refusal(&error).while_doing("failed to determine if deploy key secret exists")
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

    /// Those that say who somebody is.
    fn of_git(&self) -> Self {
        let entries = self.0.iter();
        let entries = entries.filter(|(key, _)| ENTRIES.contains(&key.as_str()));
        Self(
            entries
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        )
    }

    /// The same key pair, with other keys of hosts where those that are there do not do.
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

    /// The keys of the hosts, as they were when the Secret was made.
    pub(super) fn known_hosts(&self) -> Option<&str> {
        let known = self.0.get("known_hosts")?;
        Some(known.expose().as_str()).filter(|known| !known.trim().is_empty())
    }

    /// The public half of the key pair.
    pub(super) fn public_key(&self) -> Option<&str> {
        self.0.get("identity.pub").map(|key| key.expose().trim())
    }

    /// A user with a password.
    pub(super) fn login(&self) -> Option<(&str, &Sensitive<String>)> {
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

    /// Creates the Secret, or replaces these entries in the one that is there.
    pub(super) async fn write(&self, context: &Context, name: &str) -> Result<(), CommandError> {
        let gvk = GroupVersionKind::gvk("", "v1", "Secret");
        let namespace = context.namespace();
        let options = PatchOptions {
            field_manager: Some(FIELD_MANAGER),
            ..PatchOptions::default()
        };
        let cluster = context.cluster()?;
        let new = self.manifest(name, &namespace, true);
        let written = match cluster.create(&gvk, Some(&namespace), &new, options).await {
            Err(error) if error.is_already_exists() => {
                let patch = self.manifest(name, &namespace, false);
                cluster
                    .merge(&gvk, Some(&namespace), name, &patch, options)
                    .await
            }
            created => created,
        };
        written.map(drop).map_err(|error| refusal(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn token(password: &str) -> Wanted {
        Wanted::Token {
            who: Token::Basic("me".to_owned(), password.into()),
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
    fn a_token_that_changed_is_replaced_and_one_that_did_not_stays() {
        let (first, key) = written(token("one").step(None, "").unwrap());
        assert!(key.is_none());
        assert!(token("one").step(Some(&first), "").unwrap() == Step::Nothing);
        let (second, _) = written(token("two").step(Some(&first), "").unwrap());
        assert_eq!(second.0["password"].expose(), "two");
        let bearer = Wanted::Token {
            who: Token::Bearer("one".into()),
            ca: None,
        };
        let (entries, _) = written(bearer.step(Some(&first), "").unwrap());
        let patch = entries.manifest("s", "n", false);
        assert_eq!(patch["stringData"], json!({ "bearerToken": "one" }));
        assert_eq!(patch["data"]["password"], Value::Null);
        assert!(patch["data"].as_object().unwrap().contains_key("username"));
    }

    #[test]
    fn a_key_pair_of_the_cluster_is_made_once() {
        let wanted = Wanted::NewKey(KeyKind::Ed25519);
        let (first, key) = written(wanted.step(None, "h ssh-ed25519 AAAA\n").unwrap());
        assert!(key.unwrap().starts_with("ssh-ed25519 "));
        assert_eq!(first.known_hosts(), Some("h ssh-ed25519 AAAA\n"));
        let same = wanted.step(Some(&first), "h ssh-ed25519 AAAA\n").unwrap();
        assert!(same == Step::Nothing);
    }

    #[test]
    fn at_another_host_the_cluster_keeps_its_key_pair() {
        let wanted = Wanted::NewKey(KeyKind::Ed25519);
        let (first, key) = written(wanted.step(None, "h ssh-ed25519 AAAA").unwrap());
        let both = "h ssh-ed25519 AAAA\nother ssh-ed25519 BBBB";
        let (second, again) = written(wanted.step(Some(&first), both).unwrap());
        assert_eq!(second.known_hosts(), Some(both));
        assert!(second.0["identity"] == first.0["identity"]);
        assert!(key.is_some() && key == again, "the new host is told of it");
        assert!(wanted.step(Some(&second), both).unwrap() == Step::Nothing);
    }

    #[test]
    fn what_others_put_into_the_secret_is_no_difference() {
        let (mut there, _) = written(token("one").step(None, "").unwrap());
        there.0.insert("note".to_owned(), "mine".into());
        assert!(token("one").step(Some(&there), "").unwrap() == Step::Nothing);
    }
}
