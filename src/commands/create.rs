//! `create`: an object from flags, applied and awaited, or printed with `--export`.

pub mod kustomization;
pub mod secret;
pub mod source_git;
pub mod source_oci;

use std::fmt::Write as _;

use clap::{ArgMatches, Args as _, Command, FromArgMatches as _};
use serde_json::{Map, Value, json};
use std::time::Duration;

use super::{nouns, settled};
use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::resource::{Resource, by_kind};
use crate::{CommandResult, Exit, flags, output};
use sluice_client::PatchOptions;

/// Flags of every `create` command.
#[derive(clap::Args, Clone, Debug)]
pub struct Common {
    /// Print the object as YAML and change nothing
    #[arg(long, global = true, switch = false)]
    pub export: bool,
    /// How often to reconcile
    #[arg(long, global = true, default_value = "1m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    pub interval: Duration,
    /// Labels of the object, as KEY=VALUE,…
    #[arg(long = "label", global = true, value_parser = flags::csv, value_name = "KEY=VALUE")]
    labels: Vec<Vec<String>>,
}

pub fn augment(command: Command) -> Command {
    Common::augment_args(command)
        .subcommand(
            kustomization::Args::augment_args(Command::new("kustomization"))
                .alias("ks")
                .about("Create or update a Kustomization"),
        )
        .subcommand(secret::augment())
        .subcommand(
            source_git::Group::augment_args(Command::new("source"))
                .about("Create or update sources")
                .subcommand(
                    source_git::Args::augment_args(Command::new("git"))
                        .about("Create or update a GitRepository"),
                )
                .subcommand(
                    source_oci::Args::augment_args(Command::new("oci"))
                        .about("Create or update an OCIRepository"),
                )
                .subcommand_required(true)
                .arg_required_else_help(true),
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let parsed = |error: clap::Error| CommandError::user(error.to_string());
    let common = Common::from_arg_matches(leaf).map_err(parsed)?;
    match words.as_slice() {
        ["kustomization"] => kustomization::run(
            &kustomization::Args::from_arg_matches(leaf).map_err(parsed)?,
            &common,
            context,
        ),
        ["source", "git"] => source_git::run(
            &source_git::Args::from_arg_matches(leaf).map_err(parsed)?,
            &source_git::Group::from_arg_matches(leaf).map_err(parsed)?,
            &common,
            context,
        ),
        ["secret", kind] => secret::run(kind, leaf, &common, context),
        ["source", "oci"] => source_oci::run(
            &source_oci::Args::from_arg_matches(leaf).map_err(parsed)?,
            &source_git::Group::from_arg_matches(leaf).map_err(parsed)?,
            &common,
            context,
        ),
        other => Err(CommandError::internal(format!(
            "create {} is declared nowhere",
            other.join(" ")
        ))),
    }
}

impl Common {
    fn labels(&self) -> Result<Map<String, Value>, CommandError> {
        let mut labels = Map::new();
        for pair in self.labels.iter().flatten() {
            let (key, value) = pair
                .split_once('=')
                .filter(|(key, value)| !key.is_empty() && !value.contains('='))
                .ok_or_else(|| {
                    CommandError::user(format!("invalid label format '{pair}', must be key=value"))
                })?;
            labels.insert(key.to_owned(), json!(value));
        }
        Ok(labels)
    }
}

/// The name a `create` command was given, as the API server would accept it.
fn name(given: &[String]) -> Result<&str, CommandError> {
    let Some(name) = given.first() else {
        return Err(CommandError::user("name is required"));
    };
    let label = |label: &str| {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        !label.is_empty()
            && label.bytes().all(allowed)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    if name.len() > 253 || !name.split('.').all(label) {
        return Err(CommandError::user(format!(
            "name '{name}' is invalid: it must be lower-case letters, digits, '-' and '.', and begin and end with a letter or digit"
        )));
    }
    Ok(name)
}

/// What was asked for: an object of a kind.
struct Wanted {
    resource: &'static Resource,
    name: String,
    spec: Value,
}

impl Wanted {
    fn new(kind: &str, name: &str, spec: Value) -> Result<Self, CommandError> {
        let resource = by_kind(kind)
            .ok_or_else(|| CommandError::internal(format!("the registry lacks {kind}")))?;
        Ok(Self {
            resource,
            name: name.to_owned(),
            spec,
        })
    }

    fn manifest(&self, common: &Common, namespace: &str) -> Result<Value, CommandError> {
        let mut metadata = json!({ "name": self.name, "namespace": namespace });
        let labels = common.labels()?;
        if !labels.is_empty() {
            metadata["labels"] = Value::Object(labels);
        }
        Ok(json!({
            "apiVersion": self.resource.api_version(),
            "kind": self.resource.kind,
            "metadata": metadata,
            "spec": self.spec,
        }))
    }
}

/// Prints the manifest.
fn export(wanted: &Wanted, common: &Common, context: &Context) -> CommandResult {
    let manifest = wanted.manifest(common, &context.namespace())?;
    let mut text = String::from("---\n");
    let _ = write!(text, "{}", sluice_yaml::v2::to_string(&manifest));
    output::stdout(&text)?;
    Ok(Exit::SUCCESS)
}

/// Creates the object, or replaces the spec and labels of the one that is there, and waits for it.
fn apply(wanted: &Wanted, common: &Common, context: &Context) -> CommandResult {
    let progress = context.progress;
    let namespace = context.namespace();
    let (kind, human) = (wanted.resource.kind, &wanted.name);
    let manifest = wanted.manifest(common, &namespace)?;
    progress.action(format!("applying {kind}"));
    let updated = context.block_on(write(wanted, manifest, context, &namespace))??;
    progress.success(format!(
        "{kind} {}",
        if updated { "updated" } else { "created" }
    ));
    progress.waiting(format!("waiting for {kind} reconciliation"));
    let object = context.block_on(context.until(wanted.resource, human, |object| {
        settled::of(wanted.resource, object)
    }))???;
    progress.success(format!("{kind} {human} is ready"));
    if let Some(summary) = settled::summary(wanted.resource, &object) {
        progress.success(summary);
    }
    Ok(Exit::SUCCESS)
}

async fn write(
    wanted: &Wanted,
    mut manifest: Value,
    context: &Context,
    namespace: &str,
) -> Result<bool, CommandError> {
    let options = PatchOptions {
        field_manager: Some(FIELD_MANAGER),
        ..PatchOptions::default()
    };
    let cluster = context.cluster()?;
    let gvk = wanted.resource.gvk();
    // Someone may write between our read and our write: read again, a bounded number of times.
    for _ in 0..5 {
        let live = context
            .find_in(wanted.resource, namespace, &wanted.name)
            .await?;
        let written = match &live {
            None => {
                cluster
                    .create(&gvk, Some(namespace), &manifest, options)
                    .await
            }
            Some(live) => {
                let mut next = live.to_value();
                next["spec"] = manifest["spec"].clone();
                next["metadata"]["labels"] = manifest["metadata"]["labels"].take();
                manifest["metadata"]["labels"] = next["metadata"]["labels"].clone();
                cluster
                    .replace(&gvk, Some(namespace), &wanted.name, &next, options)
                    .await
            }
        };
        match written {
            Ok(_) => return Ok(live.is_some()),
            Err(error) if error.is_conflict() || error.is_already_exists() => {}
            Err(error) => return Err(refusal(&error)),
        }
    }
    Err(CommandError::cluster(format!(
        "{} '{namespace}/{}' is being changed by someone else: try again",
        wanted.resource.kind, wanted.name
    )))
}

/// A duration as manifests write it.
fn written(duration: Duration) -> String {
    sluice_golang::duration::GoDuration::from_std(duration).to_string()
}

/// `spec.ignore` of a source: a line for each pattern of `--ignore-paths`, nothing without one.
fn ignore(uses: &[Vec<String>]) -> Option<Value> {
    let lines = uses.concat();
    (!lines.is_empty()).then(|| lines.join("\n").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_the_api_server_accepts() {
        for good in ["a", "podinfo", "podinfo.v2", "a-b"] {
            assert!(name(&[good.to_owned()]).is_ok(), "{good}");
        }
        for bad in ["", "A", "a_b", "-a", "a-", "a..b", "emoji-😀"] {
            assert!(name(&[bad.to_owned()]).is_err(), "{bad}");
        }
        assert_eq!(name(&[]).unwrap_err().message(), "name is required");
    }
}
