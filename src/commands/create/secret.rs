//! Implements `create secret`: stores credentials from flags and files as the controllers read
//! them.
//!
//! This module prints the Secret, or writes it without changes to foreign entries. Each kind's file
//! has the content.

pub mod git;
pub mod github_app;
pub mod helm;
pub mod notation;
pub mod oci;
pub mod proxy;
pub mod receiver;
pub mod sops;
pub mod tls;

use std::borrow::Cow;
use std::collections::BTreeMap;

use clap::{ArgMatches, Command};
use serde_json::{Map, Value, json};
use sluice_client::GroupVersionKind;
use sluice_system::fs;

use super::{Creation, WRITE, group, leaf, parsed, undeclared};
use crate::cluster::refusal;
use crate::error::CommandError;
use crate::{CommandResult, Exit, compat, output};
use sluice_golang::non_empty;

/// Default type of a Secret.
const OPAQUE: &str = "Opaque";

pub(super) fn augment() -> Command {
    let of_secret =
        |command: Command| command.mut_arg("name", |name| name.help("Name of the Secret"));
    let leaves = [
        leaf::<git::Args>("git", "Create or update a Secret for a Git repository"),
        leaf::<github_app::Args>("githubapp", "Create or update a Secret for a GitHub App"),
        leaf::<helm::Args>("helm", "Create or update a Secret for a Helm repository"),
        leaf::<notation::Args>(
            "notation",
            "Create or update a Secret to verify Notation signatures",
        ),
        leaf::<oci::Args>("oci", "Create or update a Secret for a container registry"),
        leaf::<proxy::Args>("proxy", "Create or update a Secret for a proxy"),
        leaf::<receiver::Args>(
            "receiver",
            "Create or update a Secret for the webhook of a Receiver",
        ),
        leaf::<sops::Args>(
            "sops",
            "Create or update a Secret with SOPS decryption keys",
        ),
        leaf::<tls::Args>("tls", "Create or update a Secret with TLS certificates"),
    ];
    group("secret", "Create or update Secrets with credentials").subcommands(leaves.map(of_secret))
}

pub(super) fn run(kind: &str, leaf: &ArgMatches, creation: &Creation<'_>) -> CommandResult {
    let name = creation.name;
    let secret = match kind {
        "git" => git::secret(name, &parsed(leaf)?, creation.context)?,
        "githubapp" => github_app::secret(name, &parsed(leaf)?)?,
        "helm" => helm::secret(name, &parsed(leaf)?)?,
        "notation" => notation::secret(&parsed(leaf)?, creation)?,
        "oci" => oci::secret(name, &parsed(leaf)?)?,
        "proxy" => proxy::secret(name, &parsed(leaf)?)?,
        "receiver" => receiver::secret(&parsed(leaf)?, creation)?,
        "sops" => sops::secret(name, &parsed(leaf)?)?,
        "tls" => tls::secret(name, &parsed(leaf)?)?,
        other => return Err(undeclared(&format!("secret {other}"))),
    };
    if creation.common.export {
        return secret.export(kind, creation);
    }
    let progress = creation.context.progress;
    if let Some(key) = &secret.deploy_key {
        progress.generate(format!("deploy key: {key}"));
    }
    secret.apply(creation)?;
    let human = match kind {
        "notation" => "notation configuration",
        other => other,
    };
    progress.action(format!(
        "{human} secret '{name}' created in '{}' namespace",
        creation.context.namespace()
    ));
    Ok(Exit::SUCCESS)
}

/// A Secret to create.
pub struct Secret {
    pub name: String,
    /// Type, if the manifest contains it.
    kind: Option<&'static str>,
    annotations: Vec<(&'static str, String)>,
    pub entries: Vec<(Cow<'static, str>, String)>,
    /// Public key, which the user must add to the host.
    pub deploy_key: Option<String>,
}

impl Secret {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: None,
            annotations: Vec::new(),
            entries: Vec::new(),
            deploy_key: None,
        }
    }

    /// Adds an entry.
    pub fn put(&mut self, key: impl Into<Cow<'static, str>>, value: impl Into<String>) {
        self.entries.push((key.into(), value.into()));
    }

    /// Returns the entries as the controllers read them.
    fn keys(&self) -> BTreeMap<String, &str> {
        self.entries
            .iter()
            .map(|(key, value)| (key.to_string(), value.as_str()))
            .collect()
    }

    /// Rejects certificates that the controllers cannot use, unless Flux's results are wanted.
    fn check_certificates(&self) -> Result<(), CommandError> {
        // Flux does not read them.
        if compat::is_strict() {
            return Ok(());
        }
        sluice_dial::Tls::from_keys(&self.keys())
            .map(drop)
            .map_err(|error| CommandError::user(error.to_string()))
    }

    fn manifest(&self, creation: &Creation<'_>) -> Result<Value, CommandError> {
        let mut metadata = creation.metadata(&creation.labels()?);
        metadata["name"] = json!(self.name);
        if !self.annotations.is_empty() {
            metadata["annotations"] = texts(&self.annotations);
        }
        let mut manifest = json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": metadata,
            "stringData": texts(&self.entries),
        });
        if let Some(kind) = self.kind {
            manifest["type"] = json!(kind);
        }
        Ok(manifest)
    }

    /// Prints the Secret. As in Flux, an empty line follows, except for certificates.
    fn export(&self, kind: &str, creation: &Creation<'_>) -> CommandResult {
        let text = sluice_yaml::v2::to_string(&self.manifest(creation)?);
        let end = if kind == "tls" { "" } else { "\n" };
        output::stdout(&format!("---\n{text}{end}"))?;
        Ok(Exit::SUCCESS)
    }

    /// Writes the Secret. Foreign entries of an existing one stay.
    pub(super) fn apply(&self, creation: &Creation<'_>) -> Result<(), CommandError> {
        let context = creation.context;
        let (manifest, namespace) = (self.manifest(creation)?, context.namespace());
        context.block_on(async {
            let cluster = context.cluster()?;
            let gvk = GroupVersionKind::gvk("", "v1", "Secret");
            let created = cluster
                .create(&gvk, Some(&namespace), &manifest, WRITE)
                .await;
            let written = match created {
                Err(error) if error.is_already_exists() => {
                    // The type of a Secret is immutable. As in Flux, an existing Secret keeps its
                    // type, since older Flux versions set none.
                    let mut patch = manifest;
                    if let Some(fields) = patch.as_object_mut() {
                        fields.remove("type");
                    }
                    cluster
                        .merge(&gvk, Some(&namespace), &self.name, &patch, WRITE)
                        .await
                }
                other => other,
            };
            written.map(drop).map_err(|error| refusal(&error))
        })?
    }
}

/// Returns keys and texts as a map.
fn texts<K: AsRef<str>>(pairs: &[(K, String)]) -> Value {
    let pairs = pairs
        .iter()
        .map(|(key, text)| (key.as_ref().to_owned(), json!(text)));
    Value::Object(pairs.collect::<Map<String, Value>>())
}

/// Reads a flag's file.
fn file(flag: &str, path: &str) -> Result<String, CommandError> {
    fs::read_to_string(path).map_err(|error| unreadable(flag, &error))
}

/// The error of a flag's file that cannot be read, in the words of Flux and Go.
fn unreadable(flag: &str, error: &fs::Error) -> CommandError {
    let action = match flag {
        "ca-file" | "ca-crt-file" => "unable to read TLS CA file".to_owned(),
        "cert-file" | "tls-crt-file" => "failed to read cert file".to_owned(),
        "key-file" | "tls-key-file" => "failed to read key file".to_owned(),
        "app-private-key" => "unable to read private key file".to_owned(),
        flag => format!("unable to read --{flag}"),
    };
    CommandError::user(format!("{action}: {}", error.go_message()))
        .hint(format!("set --{flag} to a readable file"))
}

/// Returns the files of a client certificate and its key, or none. One of them alone is an error.
/// Each argument is the flag's name and its value.
fn certificate_pair<'a>(
    chain: (&str, Option<&'a str>),
    key: (&str, Option<&'a str>),
) -> Result<Option<(&'a str, &'a str)>, CommandError> {
    let lacks = |message: &str, flag: &str| {
        Err(CommandError::user(message).hint(format!("set --{flag} to its file")))
    };
    match (non_empty(chain.1), non_empty(key.1)) {
        (Some(chain), Some(key)) => Ok(Some((chain, key))),
        (None, None) => Ok(None),
        (Some(_), None) => lacks("found certificate but missing private key", key.0),
        (None, Some(_)) => lacks("found private key but missing certificate", chain.0),
    }
}
