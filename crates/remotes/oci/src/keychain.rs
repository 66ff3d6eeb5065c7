//! Which credentials go to which repository.
//!
//! A pull secret holds entries by host, perhaps with a port and a path. The rules are those of
//! the kubelet: an entry's host may have wildcards within a component, its path is a prefix, and
//! the longest name wins. What no entry names is asked for without credentials.
//!
//! Parity: go-containerregistry: pkg/authn, pkg/authn/kubernetes.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use serde::Deserialize;
use sluice_dial::{Basic, Bearer, Invalid, Sensitive};

use crate::reference::Repository;

/// The key of a pull secret, and its older form.
pub const CONFIG_KEY: &str = ".dockerconfigjson";
/// See [`CONFIG_KEY`].
pub const LEGACY_CONFIG_KEY: &str = ".dockercfg";
/// The type of a Secret that holds [`CONFIG_KEY`].
pub const CONFIG_TYPE: &str = "kubernetes.io/dockerconfigjson";
/// The type of a Secret that holds [`LEGACY_CONFIG_KEY`].
pub const LEGACY_CONFIG_TYPE: &str = "kubernetes.io/dockercfg";

/// How to tell a registry who we are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Login {
    /// Not at all.
    #[default]
    Anonymous,
    /// User and password: sent to the registry, or to the token service it names.
    Basic(Basic),
    /// A token that the token service takes for an access token.
    Identity(Sensitive<String>),
    /// An access token.
    Token(Bearer),
}

impl Login {
    /// Reads `token` or `user:password`, as the flag `--creds` has them.
    pub fn from_credentials(text: &str) -> Result<Self, Invalid> {
        match text.split_once(':') {
            Some((user, password)) => Ok(Self::Basic(Basic::new(user, password))),
            None => Bearer::new(text).map(Self::Token),
        }
    }
}

/// Why a configuration cannot be used. Never holds a value of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidConfig {
    /// It is no JSON of the form that Docker writes.
    #[error("it is no Docker configuration: {0}")]
    Syntax(String),
    /// An entry's `auth` is not base64 of `user:password`.
    #[error("entry '{0}' is invalid: auth must be base64 of username:password")]
    Auth(String),
    /// An entry's name is no address.
    #[error("entry '{0}' is invalid: its name is no registry")]
    Name(String),
    /// An entry's token cannot be sent.
    #[error("entry '{0}' is invalid: registrytoken holds characters that cannot be sent")]
    Token(String),
}

/// Credentials by registry and path.
#[derive(Debug, Clone, Default)]
pub struct Keychain {
    /// By name without scheme; the first credentials of a name are those that count.
    entries: BTreeMap<String, Login>,
}

#[derive(Deserialize)]
struct Config {
    #[serde(default)]
    auths: Option<BTreeMap<String, Entry>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry {
    username: Option<String>,
    password: Option<String>,
    auth: Option<String>,
    identitytoken: Option<String>,
    registrytoken: Option<String>,
}

impl Keychain {
    /// Whether it holds no credentials at all.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds what `.dockerconfigjson`, or Docker's own `config.json`, holds.
    pub fn add_config(&mut self, json: &[u8]) -> Result<(), InvalidConfig> {
        let config: Config = serde_json::from_slice(json).map_err(|error| syntax(&error))?;
        self.add(config.auths.unwrap_or_default())
    }

    /// Adds what `.dockercfg` holds: the entries without a wrapper.
    pub fn add_legacy_config(&mut self, json: &[u8]) -> Result<(), InvalidConfig> {
        self.add(serde_json::from_slice(json).map_err(|error| syntax(&error))?)
    }

    fn add(&mut self, entries: BTreeMap<String, Entry>) -> Result<(), InvalidConfig> {
        for (name, entry) in entries {
            let key = key_of(&name).ok_or_else(|| InvalidConfig::Name(shown(&name)))?;
            let login = entry.login(&name)?;
            self.entries.entry(key).or_insert(login);
        }
        Ok(())
    }

    /// The credentials for a repository.
    pub fn resolve(&self, repository: &Repository) -> Login {
        let target = repository.to_string();
        self.entries
            .iter()
            .rev()
            .find(|(name, _)| names(name, &target))
            .map(|(_, login)| login.clone())
            .unwrap_or_default()
    }

    /// The credentials that Docker's own client would take: the entry of the repository, else
    /// that of its registry, both by their whole name.
    pub fn resolve_exactly(&self, repository: &Repository) -> Login {
        [&repository.to_string(), repository.registry()]
            .into_iter()
            .find_map(|name| self.entries.get(name).cloned())
            .unwrap_or_default()
    }
}

impl Entry {
    fn login(self, name: &str) -> Result<Login, InvalidConfig> {
        let filled = |text: Option<String>| text.filter(|text| !text.is_empty());
        let mut user = filled(self.username);
        let mut password = filled(self.password);
        if let Some(auth) = filled(self.auth) {
            let pair = decode(auth.trim()).ok_or_else(|| InvalidConfig::Auth(shown(name)))?;
            (user, password) = (filled(Some(pair.0)), filled(Some(pair.1)));
        }
        if let Some(token) = filled(self.registrytoken) {
            return Bearer::new(&token)
                .map(Login::Token)
                .map_err(|_| InvalidConfig::Token(shown(name)));
        }
        if let Some(token) = filled(self.identitytoken) {
            return Ok(Login::Identity(Sensitive::new(token)));
        }
        Ok(match (user, password) {
            (None, None) => Login::Anonymous,
            (user, password) => Login::Basic(Basic::new(
                user.unwrap_or_default(),
                password.unwrap_or_default(),
            )),
        })
    }
}

fn decode(auth: &str) -> Option<(String, String)> {
    let bytes = if auth.ends_with('=') {
        BASE64_STANDARD.decode(auth)
    } else {
        BASE64_STANDARD_NO_PAD.decode(auth)
    };
    let text = String::from_utf8(bytes.ok()?).ok()?;
    let (user, password) = text.split_once(':')?;
    Some((user.to_owned(), password.to_owned()))
}

/// The message of a JSON error tells the place; it may quote a value, so only the place is told.
fn syntax(error: &serde_json::Error) -> InvalidConfig {
    InvalidConfig::Syntax(format!(
        "line {} column {} is not what is expected there",
        error.line(),
        error.column()
    ))
}

fn shown(name: &str) -> String {
    crate::error::printable(name, 200)
}

/// The name of an entry without scheme, and without the API version that Docker Hub's has.
fn key_of(name: &str) -> Option<String> {
    let rest = name
        .strip_prefix("https://")
        .or_else(|| name.strip_prefix("http://"))
        .unwrap_or(name);
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = match rest.find('/') {
        Some(at) => rest.split_at(at),
        None => (rest, ""),
    };
    if host.is_empty() || host.contains(['@', ' ']) {
        return None;
    }
    let path = if path.starts_with("/v1/") || path.starts_with("/v2/") {
        &path[3..]
    } else {
        path
    };
    let path = if path == "/" { "" } else { path };
    Some(format!("{host}{path}"))
}

/// Whether an entry of this name is for the target.
fn names(entry: &str, target: &str) -> bool {
    fn split(name: &str) -> (&str, &str, &str) {
        let (host, path) = match name.find('/') {
            Some(at) => name.split_at(at),
            None => (name, ""),
        };
        match host.rsplit_once(':') {
            Some((host, port)) if !port.contains(']') => (host, port, path),
            _ => (host, "", path),
        }
    }
    let (entry_host, entry_port, entry_path) = split(entry);
    let (host, port, path) = split(target);
    let parts: Vec<&str> = host.split('.').collect();
    let patterns: Vec<&str> = entry_host.split('.').collect();
    entry_port == port
        && path.starts_with(entry_path)
        && parts.len() == patterns.len()
        && patterns
            .iter()
            .zip(&parts)
            .all(|(pattern, part)| wildcard(pattern.as_bytes(), part.as_bytes()))
}

/// `*` is any text, `?` any character; the rest of Go's patterns cannot stand in a host.
fn wildcard(pattern: &[u8], text: &[u8]) -> bool {
    match (pattern.split_first(), text.split_first()) {
        (None, None) => true,
        (Some((b'*', rest)), _) => (0..=text.len()).any(|skip| wildcard(rest, &text[skip..])),
        (Some((b'?', pattern)), Some((_, text))) => wildcard(pattern, text),
        (Some((wanted, pattern)), Some((found, text))) if wanted == found => {
            wildcard(pattern, text)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(auths: &str) -> Keychain {
        let mut chain = Keychain::default();
        chain
            .add_config(format!(r#"{{"auths":{{{auths}}}}}"#).as_bytes())
            .unwrap();
        chain
    }

    fn user(chain: &Keychain, repository: &str) -> Option<String> {
        match chain.resolve(&Repository::parse(repository).unwrap()) {
            Login::Basic(basic) => Some(basic.username),
            Login::Anonymous => None,
            other => Some(format!("{other:?}")),
        }
    }

    #[test]
    fn entries_name_hosts_ports_paths_and_wildcards() {
        let entry =
            |name: &str, user: &str| format!(r#""{name}":{{"username":"{user}","password":"x"}}"#);
        let chain = chain(
            &[
                entry("ghcr.io", "host"),
                entry("https://ghcr.io/org", "path"),
                entry("ghcr.io/org/app", "app"),
                entry("*.azurecr.io", "wild"),
                entry("127.0.0.1:5000", "port"),
                entry("https://index.docker.io/v1/", "hub"),
            ]
            .join(","),
        );
        for (repository, expected) in [
            ("ghcr.io/other/app", Some("host")),
            ("ghcr.io/org/other", Some("path")),
            ("ghcr.io/org/app", Some("app")),
            ("eu.azurecr.io/app", Some("wild")),
            ("a.b.azurecr.io/app", None),
            ("azurecr.io/app", None),
            ("127.0.0.1:5000/app", Some("port")),
            ("127.0.0.1:5001/app", None),
            ("app", Some("hub")),
            ("ghcr.io.evil.com/org/app", None),
            ("evil.com/ghcr.io/org", None),
        ] {
            assert_eq!(
                user(&chain, repository).as_deref(),
                expected,
                "{repository}"
            );
        }
    }

    #[test]
    fn an_encoded_pair_wins_and_tokens_win_over_it() {
        let with = |fields: &str| {
            chain(&format!(r#""ghcr.io":{{{fields}}}"#))
                .resolve(&Repository::parse("ghcr.io/a").unwrap())
        };
        assert_eq!(
            with(r#""username":"u","password":"p","auth":"bWU6c2VjcmV0OnR3bw==""#),
            Login::Basic(Basic::new("me", "secret:two"))
        );
        assert_eq!(
            with(r#""auth":"bWU6c2VjcmV0OnR3bw""#),
            Login::Basic(Basic::new("me", "secret:two"))
        );
        assert_eq!(
            with(r#""auth":"bWU6cA==","identitytoken":"i""#),
            Login::Identity(Sensitive::from("i"))
        );
        assert_eq!(
            with(r#""auth":"bWU6cA==","registrytoken":"r""#),
            Login::Token(Bearer::new("r").unwrap())
        );
        assert_eq!(with(""), Login::Anonymous);
    }

    #[test]
    fn the_first_secret_that_names_a_registry_counts() {
        let mut chain = chain(r#""ghcr.io":{"username":"first","password":"x"}"#);
        chain
            .add_legacy_config(br#"{"ghcr.io":{"username":"second","password":"x"}}"#)
            .unwrap();
        assert_eq!(user(&chain, "ghcr.io/a").as_deref(), Some("first"));
    }

    #[test]
    fn a_bad_configuration_is_refused_without_being_quoted() {
        for json in [
            "canary",
            r#"{"auths":{"ghcr.io":"canary"}}"#,
            r#"{"auths":{"ghcr.io":{"auth":"Y2FuYXJ5"}}}"#,
            r#"{"auths":{"ghcr.io":{"auth":"canary!"}}}"#,
            r#"{"auths":{"ghcr.io":{"registrytoken":"can\nary"}}}"#,
        ] {
            let error = Keychain::default().add_config(json.as_bytes()).unwrap_err();
            let text = format!("{error} {error:?}");
            assert!(!text.contains("canary"), "{text}");
        }
        let mut empty = Keychain::default();
        empty.add_config(b"{}").unwrap();
        assert!(empty.is_empty());
    }

    #[test]
    fn credentials_of_a_flag_are_a_pair_or_a_token() {
        assert_eq!(
            Login::from_credentials("user:pass:word"),
            Ok(Login::Basic(Basic::new("user", "pass:word")))
        );
        assert_eq!(
            Login::from_credentials("token"),
            Ok(Login::Token(Bearer::new("token").unwrap()))
        );
        let printed = format!("{:?}", Login::from_credentials("user:canary"));
        assert!(!printed.contains("canary"), "{printed}");
    }
}
