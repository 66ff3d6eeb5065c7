//! Implements `reconcile`: requests a reconciliation and waits for its result.

mod all;

use clap::{ArgMatches, Command};
use serde_json::{Map, Value, json};
use sluice_api::meta::annotation::{
    FORCE_REQUESTED_AT as FORCE_AT, RECONCILE_REQUESTED_AT as REQUESTED_AT,
    RESET_REQUESTED_AT as RESET_AT,
};
use sluice_insight::fields::{at, text};
use sluice_insight::kinds::{Resource, by_kind, is_suspended};
use sluice_object::Object;
use sluice_system::Clock as _;

use super::nouns::{self, Form};
use super::waiting;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit, flags};

/// The kind between a source and a HelmRelease.
const CHART: &str = "HelmChart";
/// Status path of the last handled request.
const HANDLED_AT: &str = "/status/lastHandledReconcileAt";

pub fn augment(command: Command) -> Command {
    let command = nouns::add(
        command,
        Form::Singular,
        |resource| resource.verbs.reconciles(),
        |resource, command| {
            let mut command = command
                .about(format!("Reconcile {} objects", resource.kind))
                .arg(nouns::names());
            if matches!(resource.kind, "Kustomization" | "HelmRelease" | "HelmChart") {
                command = command
                    .arg(flags::switch("with-source").help("Reconcile the object's source first"));
            }
            if resource.kind == "HelmRelease" {
                command = command
                    .arg(
                        flags::switch("force")
                            .help("Force one install or upgrade, even without changes"),
                    )
                    .arg(flags::switch("reset").help("Reset the failure counts"));
            }
            command
        },
    );
    command.subcommand(all::augment(Command::new("all")))
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    if words == ["all"] {
        return all::run(leaf, context);
    }
    let resource = nouns::resource(Form::Singular, &words)?;
    let Some(name) = nouns::only(leaf, context) else {
        return Err(CommandError::missing_name(format!(
            "{} name is required",
            resource.human
        )));
    };
    let asked = |flag: &str| {
        leaf.try_get_one::<bool>(flag)
            .ok()
            .flatten()
            .copied()
            .unwrap_or_default()
    };
    let namespace = context.namespace();
    let object = context.block_on(context.required(resource, &name))??;
    refuse_suspended(&object)?;
    if asked("with-source") {
        for source in context.block_on(sources_of(context, resource, &object, &namespace))?? {
            let Source {
                resource,
                namespace,
                name,
            } = source;
            context.block_on(one(context, resource, &namespace, &name, &[]))??;
        }
    }
    let mut annotations = vec![];
    if asked("force") {
        annotations.push(FORCE_AT);
    }
    if asked("reset") {
        annotations.push(RESET_AT);
    }
    context.block_on(one(context, resource, &namespace, &name, &annotations))??;
    Ok(Exit::SUCCESS)
}

fn refuse_suspended(object: &Object) -> Result<(), CommandError> {
    if is_suspended(object) {
        return Err(CommandError::user("resource is suspended"));
    }
    Ok(())
}

struct Source {
    resource: &'static Resource,
    namespace: String,
    name: String,
}

/// Returns the sources for `--with-source`, in their order. The source of a chart comes before it.
async fn sources_of(
    context: &Context,
    resource: &Resource,
    object: &Object,
    namespace: &str,
) -> Result<Vec<Source>, CommandError> {
    let source = source_of(resource, object, namespace)?;
    let is_template = resource.kind == "HelmRelease" && at(object, "/spec/chartRef").is_none();
    let chart = if is_template {
        let chart = by_kind(CHART).ok_or_else(|| CommandError::internal("no kind HelmChart"))?;
        let name = format!("{}-{}", object.namespace(), object.name());
        Source {
            resource: chart,
            namespace: source.namespace.clone(),
            name,
        }
    } else if source.resource.kind == CHART && resource.kind == "HelmRelease" {
        let (namespace, name) = (&source.namespace, &source.name);
        let chart = context
            .required_in(source.resource, namespace, name)
            .await?;
        let of_chart = source_of(source.resource, &chart, namespace)?;
        return Ok(vec![of_chart, source]);
    } else {
        return Ok(vec![source]);
    };
    Ok(vec![source, chart])
}

/// Returns the source that an object names.
fn source_of(
    resource: &Resource,
    object: &Object,
    namespace: &str,
) -> Result<Source, CommandError> {
    let reference = match resource.kind {
        "HelmRelease" if at(object, "/spec/chartRef").is_some() => "/spec/chartRef",
        "HelmRelease" => "/spec/chart/spec/sourceRef",
        _ => "/spec/sourceRef",
    };
    let field = |name: &str| text(object, &format!("{reference}/{name}")).to_owned();
    let kind = field("kind");
    let source = by_kind(&kind)
        .filter(|source| source.verbs.reconciles())
        .ok_or_else(|| CommandError::user(format!("cannot reconcile source of kind {kind}")))?;
    let written = field("namespace");
    Ok(Source {
        resource: source,
        namespace: if written.is_empty() {
            namespace.to_owned()
        } else {
            written
        },
        name: field("name"),
    })
}

/// Requests the reconciliation of one object, and waits until it has settled.
async fn one(
    context: &Context,
    resource: &'static Resource,
    namespace: &str,
    name: &str,
    more: &[&str],
) -> Result<(), CommandError> {
    let object = context.required_in(resource, namespace, name).await?;
    if resource.is_static(&object) {
        context
            .progress
            .success("reconciliation not supported by the object");
        return Ok(());
    }
    refuse_suspended(&object)?;
    context.progress.action(format!(
        "annotating {} {name} in {namespace} namespace",
        resource.kind
    ));
    let requested = request(context, resource, namespace, name, more).await?;
    context
        .progress
        .success(format!("{} annotated", resource.kind));
    context
        .progress
        .wait(format!("waiting for {} reconciliation", resource.kind));
    let object = settle(context, resource, namespace, name, &requested).await?;
    if let Some(summary) = sluice_insight::settled::summary(resource, &object) {
        context.progress.success(summary);
    }
    Ok(())
}

/// A requested reconciliation.
pub(super) struct ReconcileRequest {
    at: String,
    /// The last handled request before this one.
    before: String,
}

impl ReconcileRequest {
    /// The request of the time `at`. `patched` is the object with it.
    pub(super) fn new(at: String, patched: &Value) -> Self {
        let before = patched.pointer(HANDLED_AT).and_then(Value::as_str);
        Self {
            at,
            before: before.unwrap_or_default().to_owned(),
        }
    }

    /// Whether the controller handled the request. Controllers handle the last request only. If
    /// another one replaced it, any newly handled request counts.
    pub(super) fn is_handled(&self, object: &Object) -> bool {
        let handled = text(object, HANDLED_AT);
        handled == self.at
            || (handled != self.before
                && object
                    .annotation(REQUESTED_AT)
                    .is_some_and(|last| last != self.at))
    }
}

/// Asks for a reconciliation.
async fn request(
    context: &Context,
    resource: &Resource,
    namespace: &str,
    name: &str,
    more: &[&str],
) -> Result<ReconcileRequest, CommandError> {
    let now = sluice_system::SystemClock.now().to_string();
    let annotations: Map<String, Value> = std::iter::once(&REQUESTED_AT)
        .chain(more)
        .map(|key| ((*key).to_owned(), json!(now)))
        .collect();
    let asked = context
        .merge_patch_in(
            resource,
            namespace,
            name,
            &json!({ "metadata": { "annotations": annotations } }),
        )
        .await?;
    Ok(ReconcileRequest::new(now, &asked))
}

/// Waits until a request was handled and has settled.
async fn settle(
    context: &Context,
    resource: &Resource,
    namespace: &str,
    name: &str,
    requested: &ReconcileRequest,
) -> Result<Object, CommandError> {
    let handled = |object: &Object| {
        requested
            .is_handled(object)
            .then(|| waiting::settled(resource, object))
            .flatten()
    };
    waiting::until(context, resource, namespace, name, handled)
        .await?
        .map_err(|error| error.while_doing(format!("{} reconciliation failed", resource.kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_is_handled_by_itself_or_a_later_one() {
        let requested = ReconcileRequest {
            at: "2".into(),
            before: "1".into(),
        };
        let is_handled = |annotation: &str, handled: &str| {
            let object = serde_json::from_value(json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
                "metadata": { "name": "a", "annotations": { REQUESTED_AT: annotation } },
                "status": { "lastHandledReconcileAt": handled },
            }));
            requested.is_handled(&object.unwrap())
        };
        assert!(!is_handled("2", "1"), "not yet");
        assert!(is_handled("2", "2"));
        assert!(
            !is_handled("2", "0"),
            "one that came before is being handled"
        );
        assert!(
            !is_handled("3", "1"),
            "somebody else has asked, nothing is handled"
        );
        assert!(is_handled("3", "3"), "in its place");
        assert!(is_handled("3", "2"), "itself, and the next has not begun");
    }
}
