//! Selects the credentials for a repository.
//!
//! A pull secret has entries for hosts with optional port and path. The rules are those of the
//! kubelet: hosts may have wildcards within a component, paths are prefixes, and the longest name
//! wins. Without a matching entry, no credentials are sent.
//!
//! Parity: go-containerregistry: pkg/authn, pkg/authn/kubernetes.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_STANDARD_NO_PAD};
use serde::Deserialize;
use sluice_dial::{Basic, Bearer, Invalid, OnDemand, Sensitive};

use crate::reference::Repository;

/// The key of a pull secret.
pub const CONFIG_KEY: &str = ".dockerconfigjson";
/// The older key of a pull secret.
pub const LEGACY_CONFIG_KEY: &str = ".dockercfg";
/// The type of a Secret with [`CONFIG_KEY`].
pub const CONFIG_TYPE: &str = "kubernetes.io/dockerconfigjson";
/// The type of a Secret with [`LEGACY_CONFIG_KEY`].
pub const LEGACY_CONFIG_TYPE: &str = "kubernetes.io/dockercfg";

/// Credentials for a registry.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Login {
    /// Anonymous access.
    #[default]
    Anonymous,
    /// User and password, for the registry or its token service.
    Basic(Basic),
    /// A refresh token for the token service.
    Identity(Sensitive<String>),
    /// An access token.
    Token(Bearer),
    /// User and password that are issued when the registry asks for them. They are sent to the
    /// registry's own host only, over TLS.
    OnDemand(OnDemand),
}

impl Login {
    /// Parses `token` or `user:password`, as in the flag `--creds`.
    pub fn from_credentials(text: &str) -> Result<Self, Invalid> {
        match text.split_once(':') {
            Some((user, password)) => Ok(Self::Basic(Basic::new(user, password))),
            None => Bearer::new(text).map(Self::Token),
        }
    }
}

/// An invalid configuration. The error never quotes a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidConfig {
    /// It is not a Docker configuration.
    #[error("it is not a Docker configuration: {0}")]
    Syntax(String),
    /// An entry's `auth` is not base64 of `user:password`.
    #[error("entry '{0}' is invalid: auth must be base64 of username:password")]
    Auth(String),
    /// The name of an entry is invalid.
    #[error("entry '{0}' is invalid: its name is not a registry")]
    Name(String),
    /// The token of an entry has invalid characters.
    #[error("entry '{0}' is invalid: registrytoken holds characters that cannot be sent")]
    Token(String),
}

/// An invalid pull secret. The error never quotes a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("key '{key}': {error}")]
pub struct InvalidPullSecret {
    /// The key of the configuration.
    key: &'static str,
    error: InvalidConfig,
}

/// Credentials by registry and path.
#[derive(Debug, Clone, Default)]
pub struct Keychain {
    /// By name without scheme. The first credentials of a name win.
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
    /// Whether the keychain is empty.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds the entries of a `.dockerconfigjson` or Docker's `config.json`.
    pub fn add_config(&mut self, json: &[u8]) -> Result<(), InvalidConfig> {
        let config: Config = serde_json::from_slice(json).map_err(|error| syntax(&error))?;
        self.add(config.auths.unwrap_or_default())
    }

    /// Adds the entries of a `.dockercfg`, which has no wrapper object.
    pub fn add_legacy_config(&mut self, json: &[u8]) -> Result<(), InvalidConfig> {
        self.add(serde_json::from_slice(json).map_err(|error| syntax(&error))?)
    }

    /// Adds the entries of a pull secret of Kubernetes. Returns whether its type is one of those.
    /// Like the kubelet, it ignores a Secret without the key of its type.
    pub fn add_pull_secret<'s>(
        &mut self,
        type_: &str,
        entry: impl FnOnce(&'static str) -> Option<&'s [u8]>,
    ) -> Result<bool, InvalidPullSecret> {
        let (key, added) = match type_ {
            CONFIG_TYPE => {
                let config = entry(CONFIG_KEY);
                (CONFIG_KEY, config.map(|json| self.add_config(json)))
            }
            LEGACY_CONFIG_TYPE => {
                let config = entry(LEGACY_CONFIG_KEY);
                let added = config.map(|json| self.add_legacy_config(json));
                (LEGACY_CONFIG_KEY, added)
            }
            _ => return Ok(false),
        };
        match added {
            Some(Err(error)) => Err(InvalidPullSecret { key, error }),
            _ => Ok(true),
        }
    }

    fn add(&mut self, entries: BTreeMap<String, Entry>) -> Result<(), InvalidConfig> {
        for (name, entry) in entries {
            let key = key_of(&name).ok_or_else(|| InvalidConfig::Name(display_name(&name)))?;
            let login = entry.login(&name)?;
            self.entries.entry(key).or_insert(login);
        }
        Ok(())
    }

    /// Returns the credentials for a repository.
    pub fn resolve(&self, repository: &Repository) -> Login {
        let target = repository.to_string();
        self.entries
            .iter()
            .rev()
            .find(|(name, _)| names(name, &target))
            .map(|(_, login)| login.clone())
            .unwrap_or_default()
    }

    /// Returns the credentials that Docker's client would use: the exact entry of the repository or
    /// of its registry.
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
            let pair =
                decode(auth.trim()).ok_or_else(|| InvalidConfig::Auth(display_name(name)))?;
            (user, password) = (filled(Some(pair.0)), filled(Some(pair.1)));
        }
        if let Some(token) = filled(self.registrytoken) {
            return Bearer::new(&token)
                .map(Login::Token)
                .map_err(|_| InvalidConfig::Token(display_name(name)));
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

/// Returns only the position of a JSON error, because its message may quote a value.
fn syntax(error: &serde_json::Error) -> InvalidConfig {
    InvalidConfig::Syntax(format!(
        "line {} column {} is not what is expected there",
        error.line(),
        error.column()
    ))
}

fn display_name(name: &str) -> String {
    crate::text::printable(name, 200)
}

/// The name of an entry without scheme and without the API version of Docker Hub.
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

/// Whether an entry with this name applies to the target.
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

/// Matches `*` for any text and `?` for any character. The other syntax of Go's patterns cannot
/// occur in a host.
///
/// Only the last star is widened after a mismatch, so the steps are at most the product of both
/// lengths. Tenants write the patterns.
fn wildcard(pattern: &[u8], text: &[u8]) -> bool {
    let (mut at, mut position) = (0, 0);
    // The position after the last star, and where its text ends.
    let mut star = None;
    while position < text.len() {
        match pattern.get(at) {
            Some(b'*') => {
                at += 1;
                star = Some((at, position));
            }
            Some(&wanted) if wanted == b'?' || wanted == text[position] => {
                at += 1;
                position += 1;
            }
            _ => {
                let Some((after, end)) = star else {
                    return false;
                };
                star = Some((after, end + 1));
                at = after;
                position = end + 1;
            }
        }
    }
    pattern[at..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use sluice_testkit::wait;

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
    fn entries_match_hosts_ports_paths_and_wildcards() {
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
    fn wildcard_with_many_stars_is_fast() {
        let stars = "*a".repeat(30);
        let matched = wait::until_done("the match", move || {
            let matches = |pattern: &str| wildcard(pattern.as_bytes(), &[b'a'; 60]);
            [matches(&stars), matches(&format!("{stars}b"))]
        });
        assert_eq!(matched, [true, false]);
        for (pattern, text, matches) in [
            ("", "", true),
            ("", "a", false),
            ("*", "", true),
            ("?", "", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("*ab", "aab", true),
            ("a?c", "abc", true),
            ("**", "x", true),
        ] {
            assert_eq!(
                wildcard(pattern.as_bytes(), text.as_bytes()),
                matches,
                "{pattern} {text}"
            );
        }
    }

    #[test]
    fn auth_overrides_pair_and_tokens_override_auth() {
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
    fn first_secret_with_registry_wins() {
        let mut chain = chain(r#""ghcr.io":{"username":"first","password":"x"}"#);
        chain
            .add_legacy_config(br#"{"ghcr.io":{"username":"second","password":"x"}}"#)
            .unwrap();
        assert_eq!(user(&chain, "ghcr.io/a").as_deref(), Some("first"));
    }

    #[test]
    fn invalid_configuration_error_has_no_values() {
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
    fn flag_credentials_are_pair_or_token() {
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
