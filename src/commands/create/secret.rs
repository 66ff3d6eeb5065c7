//! `create secret`: credentials from flags and files, in the form that the controllers read.
//!
//! Owns the Secret itself: printing it, and writing it without touching what others put into
//! it. What it holds is each kind's own file.

pub mod git;
pub mod github_app;
pub mod helm;
pub mod oci;
pub mod proxy;
pub mod tls;

use std::collections::BTreeMap;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use serde_json::{Map, Value, json};
use sluice_client::PatchOptions;
use sluice_system::fs;

use super::Common;
use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::CommandError;
use crate::{CommandResult, Exit, output};

/// The type of a Secret of no type in particular.
const OPAQUE: &str = "Opaque";

pub fn augment() -> Command {
    Command::new("secret")
        .about("Create or update Secrets with credentials")
        .subcommand(
            git::Args::augment_args(Command::new("git"))
                .about("Create or update a Secret for a Git repository"),
        )
        .subcommand(
            github_app::Args::augment_args(Command::new("githubapp"))
                .about("Create or update a Secret for a GitHub App"),
        )
        .subcommand(
            helm::Args::augment_args(Command::new("helm"))
                .about("Create or update a Secret for a repository of Helm charts"),
        )
        .subcommand(
            oci::Args::augment_args(Command::new("oci"))
                .about("Create or update a Secret for a container registry"),
        )
        .subcommand(
            proxy::Args::augment_args(Command::new("proxy"))
                .about("Create or update a Secret for a proxy"),
        )
        .subcommand(
            tls::Args::augment_args(Command::new("tls"))
                .about("Create or update a Secret with certificates"),
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
}

pub fn run(kind: &str, leaf: &ArgMatches, common: &Common, context: &Context) -> CommandResult {
    let parsed = |error: clap::Error| CommandError::user(error.to_string());
    let secret = match kind {
        "git" => git::secret(&git::Args::from_arg_matches(leaf).map_err(parsed)?, context)?,
        "githubapp" => {
            github_app::secret(&github_app::Args::from_arg_matches(leaf).map_err(parsed)?)?
        }
        "helm" => helm::secret(&helm::Args::from_arg_matches(leaf).map_err(parsed)?)?,
        "oci" => oci::secret(&oci::Args::from_arg_matches(leaf).map_err(parsed)?)?,
        "proxy" => proxy::secret(&proxy::Args::from_arg_matches(leaf).map_err(parsed)?)?,
        "tls" => tls::secret(&tls::Args::from_arg_matches(leaf).map_err(parsed)?)?,
        other => {
            return Err(CommandError::internal(format!(
                "create secret {other} is declared nowhere"
            )));
        }
    };
    if common.export {
        return secret.export(kind, common, context);
    }
    if let Some(key) = &secret.deploy_key {
        context.progress.generate(format!("deploy key: {key}"));
    }
    let namespace = context.namespace();
    secret.apply(common, context)?;
    context.progress.action(format!(
        "{kind} secret '{}' created in '{namespace}' namespace",
        secret.name
    ));
    Ok(Exit::SUCCESS)
}

/// A Secret to be.
pub struct Secret {
    pub name: String,
    /// The type, where it is written out.
    pub kind: Option<&'static str>,
    pub entries: Vec<(&'static str, String)>,
    /// What must be made known to the other side.
    pub deploy_key: Option<String>,
}

impl Secret {
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: None,
            entries: Vec::new(),
            deploy_key: None,
        }
    }

    /// Adds an entry.
    pub fn put(&mut self, key: &'static str, value: impl Into<String>) {
        self.entries.push((key, value.into()));
    }

    /// Refuses certificates that no controller could use.
    fn check_certificates(&self) -> Result<(), CommandError> {
        let entries: BTreeMap<String, &str> = self
            .entries
            .iter()
            .map(|(key, value)| ((*key).to_owned(), value.as_str()))
            .collect();
        sluice_auth::Tls::from_keys(&entries)
            .map(drop)
            .map_err(|error| CommandError::user(error.to_string()))
    }

    fn manifest(&self, common: &Common, namespace: &str) -> Result<Value, CommandError> {
        let mut metadata = json!({ "name": self.name, "namespace": namespace });
        let labels = common.labels()?;
        if !labels.is_empty() {
            metadata["labels"] = Value::Object(labels);
        }
        let mut manifest = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata });
        let entries: Map<String, Value> = self
            .entries
            .iter()
            .map(|(key, value)| ((*key).to_owned(), json!(value)))
            .collect();
        manifest["stringData"] = Value::Object(entries);
        if let Some(kind) = self.kind {
            manifest["type"] = json!(kind);
        }
        Ok(manifest)
    }

    /// Prints it; with an empty line after it, but for certificates, as Flux does.
    fn export(&self, kind: &str, common: &Common, context: &Context) -> CommandResult {
        let manifest = self.manifest(common, &context.namespace())?;
        let end = if kind == "tls" { "" } else { "\n" };
        let text = sluice_yaml::v2::to_string(&manifest);
        output::stdout(&format!("---\n{text}{end}"))?;
        Ok(Exit::SUCCESS)
    }

    /// Writes it: entries of the one that is there, and are not ours, stay.
    pub fn apply(&self, common: &Common, context: &Context) -> Result<(), CommandError> {
        let namespace = context.namespace();
        let manifest = self.manifest(common, &namespace)?;
        context.block_on(async {
            let cluster = context.cluster()?;
            let gvk = sluice_client::GroupVersionKind::gvk("", "v1", "Secret");
            let options = PatchOptions {
                field_manager: Some(FIELD_MANAGER),
                ..PatchOptions::default()
            };
            let created = cluster
                .create(&gvk, Some(&namespace), &manifest, options)
                .await;
            match created {
                Ok(_) => Ok(()),
                Err(error) if error.is_already_exists() => {
                    // The type of a Secret cannot be changed: the API server says so.
                    cluster
                        .merge(&gvk, Some(&namespace), &self.name, &manifest, options)
                        .await
                        .map(drop)
                        .map_err(|error| refusal(&error))
                }
                Err(error) => Err(refusal(&error)),
            }
        })?
    }
}

/// Reads a file that a flag names.
pub fn file(flag: &str, path: &str) -> Result<String, CommandError> {
    fs::read_to_string(path)
        .map_err(|error| CommandError::user(format!("unable to read --{flag}: {error}")))
}

/// Both or neither.
pub fn pair<'a>(
    one: (&str, Option<&'a str>),
    two: (&str, Option<&'a str>),
) -> Result<Option<(&'a str, &'a str)>, CommandError> {
    match (one.1, two.1) {
        (Some(first), Some(second)) => Ok(Some((first, second))),
        (None, None) => Ok(None),
        (given, _) => {
            let (given, missing) = if given.is_some() {
                (one.0, two.0)
            } else {
                (two.0, one.0)
            };
            Err(CommandError::user(format!("--{given} needs --{missing}")))
        }
    }
}
