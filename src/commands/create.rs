//! Implements `create`: builds an object from flags, then applies it and waits, or prints it with
//! `--export`.
//!
//! Each kind's file has its flags and the resulting spec (`new_object`). This module does the rest:
//! name, labels, interval ([`Creation`]), output, writes and waits. It rejects invalid input in the
//! order and words of Flux.

pub mod alert;
pub mod alert_provider;
pub mod helm_release;
pub mod image;
pub mod kustomization;
pub mod receiver;
mod reference;
pub mod secret;
pub mod source;
pub mod tenant;

use std::time::Duration;

use clap::{ArgMatches, Command, FromArgMatches};
use serde_json::{Map, Value, json};
use sluice_client::PatchOptions;
use sluice_golang::GoDuration;
use sluice_golang::non_empty;
use sluice_insight::fields::text;
use sluice_insight::kinds::{Resource, by_kind};
use sluice_object::{Object, names};

use super::{nouns, waiting};
use crate::cluster::{Context, FIELD_MANAGER, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, flags, output};

/// Flags of every `create` command.
#[derive(clap::Args, Clone, Debug)]
pub struct CreateFlags {
    /// Print the object as YAML without applying it
    #[arg(long, global = true, switch = false)]
    export: bool,
    /// Reconciliation interval
    #[arg(long, global = true, default_value = "1m0s", value_parser = flags::length_of_time, value_name = "DURATION")]
    interval: Duration,
    /// Labels of the object, as KEY=VALUE,…
    #[arg(long = "label", global = true, value_parser = flags::csv, value_name = "KEY=VALUE")]
    labels: Vec<Vec<String>>,
}

pub fn augment(command: Command) -> Command {
    flags::add::<CreateFlags>(command)
        .subcommand(leaf::<alert::Args>("alert", "Create or update an Alert"))
        .subcommand(leaf::<alert_provider::Args>(
            "alert-provider",
            "Create or update a Provider",
        ))
        .subcommand(
            leaf::<helm_release::Args>("helmrelease", "Create or update a HelmRelease").alias("hr"),
        )
        .subcommand(image::augment())
        .subcommand(
            leaf::<kustomization::Args>("kustomization", "Create or update a Kustomization")
                .alias("ks"),
        )
        .subcommand(leaf::<receiver::Args>(
            "receiver",
            "Create or update a Receiver",
        ))
        .subcommand(secret::augment())
        .subcommand(source::augment())
        .subcommand(
            leaf::<tenant::Args>(
                "tenant",
                "Create or update a tenant's namespaces and role bindings",
            )
            .mut_arg("name", |name| name.help("Name of the tenant")),
        )
        .subcommand_required(true)
        .arg_required_else_help(true)
}

/// Creates a command for one kind, with the flags of `A`.
fn leaf<A: clap::Args>(name: &'static str, about: &'static str) -> Command {
    flags::add::<A>(Command::new(name).about(about).arg(nouns::names()))
}

/// Creates a command that only has subcommands.
fn group(name: &'static str, about: &'static str) -> Command {
    Command::new(name)
        .about(about)
        .subcommand_required(true)
        .arg_required_else_help(true)
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let names: Vec<String> = nouns::only(leaf, context).into_iter().collect();
    let creation = &Creation {
        name: name(&names)?,
        common: parsed(leaf)?,
        context,
    };
    match words.as_slice() {
        ["alert"] => creation.finish(&alert::new_object(&parsed(leaf)?, creation)?),
        ["alert-provider"] => {
            creation.finish(&alert_provider::new_object(&parsed(leaf)?, creation)?)
        }
        ["helmrelease"] => creation.finish(&helm_release::new_object(&parsed(leaf)?, creation)?),
        ["image", kind] => image::run(kind, leaf, creation),
        ["kustomization"] => creation.finish(&kustomization::new_object(&parsed(leaf)?, creation)?),
        ["receiver"] => creation.finish(&receiver::new_object(&parsed(leaf)?, creation)?),
        ["secret", kind] => secret::run(kind, leaf, creation),
        ["source", kind] => source::run(kind, leaf, creation),
        ["tenant"] => tenant::run(&parsed(leaf)?, creation),
        other => Err(undeclared(&other.join(" "))),
    }
}

/// Parses the leaf's arguments into the type of its flags.
fn parsed<A: FromArgMatches>(leaf: &ArgMatches) -> Result<A, CommandError> {
    A::from_arg_matches(leaf).map_err(|error| CommandError::user(error.to_string()))
}

fn undeclared(words: &str) -> CommandError {
    CommandError::internal(format!("create {words} is declared nowhere"))
}

/// Returns the name argument, validated as Flux does. It is also an object name for the API server.
fn name(given: &[String]) -> Result<&str, CommandError> {
    let Some(name) = given.first() else {
        return Err(CommandError::missing_name("name is required"));
    };
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_valid = (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|byte| is_plain(byte) || byte == b'-')
        && !name.starts_with('-')
        && !name.ends_with('-');
    if !is_valid {
        return Err(CommandError::user(format!(
            "name '{name}' is invalid, {NAME_RULE}"
        )));
    }
    Ok(name)
}

/// Maximum length of a name.
const MAX_NAME: usize = 63;

/// Flux's rule for names.
const NAME_RULE: &str = "it should adhere to standard defined in RFC 1123, the name can only contain alphanumeric characters or '-'";

/// Formats faults like Go prints a list of strings. Returns `None` without faults.
fn format_faults(faults: &[String]) -> Option<String> {
    (!faults.is_empty()).then(|| format!("[{}]", faults.join(" ")))
}

/// One run of a `create` command.
struct Creation<'a> {
    name: &'a str,
    common: CreateFlags,
    context: &'a Context,
}

/// Object to create.
#[derive(Debug)]
struct NewObject {
    resource: &'static Resource,
    labels: Map<String, Value>,
    spec: Value,
}

impl NewObject {
    fn new(kind: &str, labels: Map<String, Value>, spec: Value) -> Result<Self, CommandError> {
        let resource = by_kind(kind)
            .ok_or_else(|| CommandError::internal(format!("the registry lacks {kind}")))?;
        Ok(Self {
            resource,
            labels,
            spec,
        })
    }

    /// Returns Flux's names of the object in the messages before and after the write. They differ
    /// for some kinds.
    fn called(&self) -> (String, String) {
        let kind = self.resource.kind;
        match kind {
            "GitRepository" | "Bucket" => (format!("{kind} source"), format!("{kind} source")),
            "HelmChart" | "HelmRepository" => (format!("{kind} source"), "source".to_owned()),
            _ => (kind.to_owned(), kind.to_owned()),
        }
    }
}

impl Creation<'_> {
    /// Returns the labels of the flags.
    fn labels(&self) -> Result<Map<String, Value>, CommandError> {
        let refused = |message: String| Err(CommandError::user(message));
        let mut labels = Map::new();
        for pair in self.common.labels.iter().flatten() {
            let Some((key, value)) = pair
                .split_once('=')
                .filter(|(_, value)| !value.contains('='))
            else {
                return refused(format!("invalid label format '{pair}', must be key=value"));
            };
            if let Some(faults) = format_faults(&names::label_key_faults(key)) {
                return refused(format!("invalid label '{key}': {faults}"));
            }
            if let Some(faults) = format_faults(&names::label_value_faults(value)) {
                return refused(format!("invalid label value '{value}': {faults}"));
            }
            labels.insert(key.to_owned(), json!(value));
        }
        Ok(labels)
    }

    /// `spec.interval`.
    fn interval(&self) -> Value {
        duration_value(self.common.interval)
    }

    fn metadata(&self, labels: &Map<String, Value>) -> Value {
        let mut metadata = json!({ "name": self.name, "namespace": self.context.namespace() });
        if !labels.is_empty() {
            metadata["labels"] = Value::Object(labels.clone());
        }
        metadata
    }

    fn manifest(&self, wanted: &NewObject) -> Value {
        json!({
            "apiVersion": wanted.resource.api_version(),
            "kind": wanted.resource.kind,
            "metadata": self.metadata(&wanted.labels),
            "spec": wanted.spec,
        })
    }

    /// Prints the object, or applies it and waits for it.
    fn finish(&self, wanted: &NewObject) -> CommandResult {
        if self.common.export {
            return self.export(wanted);
        }
        self.begin(wanted);
        self.apply(wanted)
    }

    fn export(&self, wanted: &NewObject) -> CommandResult {
        print(&self.manifest(wanted))?;
        Ok(Exit::SUCCESS)
    }

    /// Reports the start, as Flux does.
    fn begin(&self, wanted: &NewObject) {
        // Flux reports neither kind here, except HelmChart with `--export`.
        if !matches!(wanted.resource.kind, "OCIRepository" | "HelmChart") {
            let generated = format!("generating {}", wanted.called().0);
            self.context.progress.generate(generated);
        }
    }

    /// Creates the object, or replaces spec and labels of the existing one, and waits for it.
    fn apply(&self, wanted: &NewObject) -> CommandResult {
        let (context, progress) = (self.context, self.context.progress);
        let (name, resource) = (self.name, wanted.resource);
        let (called, once_written) = wanted.called();
        progress.action(format!("applying {called}"));
        let (object, is_new) = context.block_on(self.write(wanted))??;
        let verb = if is_new { "created" } else { "updated" };
        progress.success(format!("{once_written} {verb}"));
        progress.wait(format!("waiting for {called} reconciliation"));
        let is_static = resource.is_static(&object);
        let object = if is_static {
            object
        } else {
            let settled = |object: &Object| waiting::settled(resource, object);
            let namespace = context.namespace();
            context.block_on(waiting::until(context, resource, &namespace, name, settled))???
        };
        progress.success(match resource.noun {
            ["source" | "image", _] => format!("{called} reconciliation completed"),
            _ => format!("{} {name} is ready", resource.kind),
        });
        let closing = match resource.noun {
            ["source", _] if is_static => None,
            ["source", _] => Some(fetched(&called, &object)?),
            ["kustomization" | "helmrelease"] => {
                sluice_insight::settled::summary(resource, &object)
            }
            ["receiver"] => {
                let path = text(&object, "/status/webhookPath");
                Some(format!("generated webhook URL {path}"))
            }
            _ => None,
        };
        if let Some(closing) = closing {
            progress.success(closing);
        }
        Ok(Exit::SUCCESS)
    }

    /// Writes the object, and returns it with whether it is new.
    async fn write(&self, wanted: &NewObject) -> Result<(Object, bool), CommandError> {
        let (context, resource, name) = (self.context, wanted.resource, self.name);
        let (cluster, gvk, namespace) = (context.cluster()?, resource.gvk(), context.namespace());
        let manifest = self.manifest(wanted);
        // Another client may write between our read and our write. Such a conflict is retried a few
        // times.
        for _ in 0..5 {
            let live = context.find_in(resource, &namespace, name).await?;
            let is_new = live.is_none();
            let written = match live {
                None => {
                    cluster
                        .create(&gvk, Some(&namespace), &manifest, WRITE)
                        .await
                }
                Some(live) => {
                    let mut next = live.into_value();
                    next["spec"] = manifest["spec"].clone();
                    next["metadata"]["labels"] = manifest["metadata"]["labels"].clone();
                    cluster
                        .replace(&gvk, Some(&namespace), name, &next, WRITE)
                        .await
                }
            };
            match written {
                Ok(Value::Object(object)) => return Ok((Object::from_map(object), is_new)),
                Ok(_) => return Err(CommandError::cluster("the API server answers no object")),
                Err(error) if error.is_conflict() || error.is_already_exists() => {}
                Err(error) => return Err(refusal(&error)),
            }
        }
        Err(CommandError::cluster(format!(
            "{} '{namespace}/{name}' is being changed by someone else: try again",
            resource.kind
        )))
    }
}

/// Patch options with the field manager of the write.
const WRITE: PatchOptions<'_> = PatchOptions {
    field_manager: Some(FIELD_MANAGER),
    force: false,
    dry_run: false,
    subresource: None,
    field_validation: None,
};

/// Returns the revision of a ready source.
fn fetched(called: &str, object: &Object) -> Result<String, CommandError> {
    match text(object, "/status/artifact/revision") {
        "" => Err(CommandError::cluster(format!(
            "{called} reconciliation completed but no artifact was found"
        ))),
        revision => Ok(format!("fetched revision: {revision}")),
    }
}

/// Prints a document of `--export`.
fn print(manifest: &Value) -> Result<(), CommandError> {
    output::stdout(&format!("---\n{}", sluice_yaml::v2::to_string(manifest)))
}

/// Returns the text of a required flag.
fn required<'t>(
    text: Option<&'t str>,
    flag: &str,
    otherwise: &str,
) -> Result<&'t str, CommandError> {
    non_empty(text).ok_or_else(|| CommandError::missing_flag(otherwise, flag))
}

/// Sets a field if the text is not empty.
fn put(at: &mut Value, field: &str, text: Option<&str>) {
    if let Some(text) = non_empty(text) {
        at[field] = json!(text);
    }
}

/// Sets a reference to an object of the same namespace, if a name is given.
fn refer(at: &mut Value, field: &str, name: Option<&str>) {
    if let Some(name) = non_empty(name) {
        at[field] = json!({ "name": name });
    }
}

/// Sets a duration, unless it is zero, which means unset.
fn put_time(at: &mut Value, field: &str, duration: Duration) {
    if !duration.is_zero() {
        at[field] = duration_value(duration);
    }
}

/// Formats a duration for manifests.
fn duration_value(duration: Duration) -> Value {
    json!(GoDuration::from_std(duration).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_the_list_form_of_go() {
        assert_eq!(format_faults(&[]), None);
        let faults = ["a b".to_owned(), "c".to_owned()];
        assert_eq!(format_faults(&faults).as_deref(), Some("[a b c]"));
    }

    #[test]
    fn name_follows_rules_of_flux() {
        for good in ["a", "podinfo", "a-b", &"a".repeat(63)] {
            assert!(name(&[good.to_owned()]).is_ok(), "{good}");
        }
        for bad in [
            "",
            "A",
            "a_b",
            "-a",
            "a-",
            "a.b",
            "emoji-😀",
            &"a".repeat(64),
        ] {
            assert!(name(&[bad.to_owned()]).is_err(), "{bad}");
        }
        assert_eq!(name(&[]).unwrap_err().message(), "name is required");
    }

    #[test]
    fn ready_source_needs_an_artifact() {
        let object = |status: Value| -> Object {
            let source = json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "Bucket",
                "metadata": { "name": "a" }, "status": status,
            });
            serde_json::from_value(source).unwrap()
        };
        let stored = object(json!({ "artifact": { "revision": "sha256:69" } }));
        assert_eq!(
            fetched("Bucket source", &stored).unwrap(),
            "fetched revision: sha256:69"
        );
        assert_eq!(
            fetched("Bucket source", &object(json!({})))
                .unwrap_err()
                .message(),
            "Bucket source reconciliation completed but no artifact was found"
        );
    }
}
