//! Implements `resume`: resumes reconciliation, and waits for the result of a named object.

use clap::parser::ValueSource;
use clap::{ArgMatches, Command};
use futures::future::join_all;
use sluice_insight::kinds::Resource;
use sluice_object::Object;
use sluice_system::Clock as _;

use super::nouns::{self, Form};
use super::reconcile::ReconcileRequest;
use super::{suspend, waiting};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit, compat, flags};

pub fn augment(command: Command) -> Command {
    let command = command
        .arg(
            flags::switch("all")
                .global(true)
                .help("Resume all objects in the namespace"),
        )
        .arg(
            flags::switch("wait")
                .global(true)
                .help("Wait until the resumed objects are reconciled"),
        );
    nouns::add(
        command,
        Form::Singular,
        |resource| resource.verbs.changes(),
        |resource, command| {
            command
                .about(format!(
                    "Resume reconciliation of {} objects",
                    resource.kind
                ))
                .arg(nouns::names())
        },
    )
}

pub fn run(matches: &ArgMatches, context: &Context) -> CommandResult {
    let (words, leaf) = nouns::leaf(matches);
    let resource = nouns::resource(Form::Singular, &words)?;
    let namespace = context.namespace();
    let not_found = |name: &str, namespace: &str| {
        let kind = resource.kind;
        format!("{kind} object '{name}' not found in {namespace} namespace")
    };
    let (mut names, missing) = suspend::select(context, resource, leaf, not_found)?;
    names.sort_unstable();
    let is_none = names.is_empty() && !missing;
    if is_none {
        let kind = resource.kind;
        let failure = format!("no {kind} objects found in {namespace} namespace");
        context.progress.failure(failure);
    }
    // `--wait` is on by default for one name, and off for a whole namespace.
    let is_said = leaf.value_source("wait") == Some(ValueSource::CommandLine);
    let is_one = nouns::typed(leaf).len() == 1;
    let wait = leaf.get_flag("wait") || (is_one && !is_said);
    let mut requests = Vec::new();
    for name in &names {
        context.progress.action(format!(
            "resuming {} {name} in {namespace} namespace",
            resource.human
        ));
        let now = sluice_system::SystemClock.now().to_string();
        let patch = suspend::patch(resource, false, &now);
        let patching = context.merge_patch_in(resource, &namespace, name, &patch);
        let patched = context.block_on(patching)??;
        // Without a new generation, only a handled request shows that the object was reconciled.
        let is_requested = patch.pointer("/metadata/annotations").is_some();
        requests.push(is_requested.then(|| ReconcileRequest::new(now, &patched)));
        context
            .progress
            .success(format!("{} resumed", resource.human));
    }
    let ended = if missing || is_none {
        compat::reported_failure()
    } else {
        Exit::SUCCESS
    };
    if !wait || names.is_empty() {
        return Ok(ended);
    }
    context
        .progress
        .wait(format!("waiting for {} reconciliation", resource.kind));
    let results = context.block_on(join_all(
        names
            .iter()
            .zip(&requests)
            .map(|(name, request)| one(context, resource, name, request.as_ref())),
    ))?;
    let mut failures = 0;
    for (name, result) in names.iter().zip(results) {
        match result {
            Ok(done) => {
                context
                    .progress
                    .success(format!("{} {name} reconciliation completed", resource.kind));
                if let Some(done) = done {
                    context.progress.success(done);
                }
            }
            Err(error) => {
                failures += 1;
                let failed = format!("{} {name} reconciliation failed", resource.kind);
                context.progress.error(&error.while_doing(failed));
            }
        }
    }
    if failures > 0 {
        return Err(CommandError::cluster(format!(
            "reconciliation failed for {failures} {}(s)",
            resource.kind
        )));
    }
    Ok(ended)
}

async fn one(
    context: &Context,
    resource: &'static Resource,
    name: &str,
    request: Option<&ReconcileRequest>,
) -> Result<Option<String>, CommandError> {
    let object = context.required(resource, name).await?;
    if resource.is_static(&object) {
        return Ok(None);
    }
    let (namespace, settled) = (context.namespace(), |object: &Object| {
        verdict(resource, object, request)
    });
    let object = waiting::until(context, resource, &namespace, name, settled).await??;
    Ok(sluice_insight::settled::summary(resource, &object))
}

/// The result of a reconciliation; `None` while it is in progress, or its request is not handled.
fn verdict(
    resource: &Resource,
    object: &Object,
    request: Option<&ReconcileRequest>,
) -> Option<Result<Object, CommandError>> {
    let is_handled = request.is_none_or(|request| request.is_handled(object));
    is_handled
        .then(|| waiting::settled(resource, object))
        .flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_insight::kinds::by_kind;

    use super::*;

    #[test]
    fn resumed_generator_is_awaited_by_its_request() {
        let resource = by_kind("ArtifactGenerator").unwrap();
        let patch = suspend::patch(resource, false, "2");
        let requested = "reconcile.fluxcd.io/requestedAt";
        assert_eq!(patch["metadata"]["annotations"][requested], "2");
        let request = ReconcileRequest::new("2".to_owned(), &json!({}));
        let is_settled = |handled: &str| {
            let object = serde_json::from_value(json!({
                "apiVersion": "source.extensions.fluxcd.io/v1beta1", "kind": "ArtifactGenerator",
                "metadata": {
                    "name": "split", "generation": 1, "annotations": { requested: "2" },
                },
                "status": {
                    "lastHandledReconcileAt": handled,
                    "conditions": [{
                        "type": "Ready", "status": "True", "observedGeneration": 1,
                    }],
                },
            }));
            verdict(resource, &object.unwrap(), Some(&request)).is_some()
        };
        // `Ready` is of the run before the suspension.
        assert!(!is_settled(""));
        assert!(is_settled("2"));
    }
}
