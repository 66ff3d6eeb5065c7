//! Implements `debug helmrelease`: prints the status, the history or the composed values.

use std::io::IsTerminal as _;

use serde_json::Value;
use sluice_api::helm::{ValuesReference, ValuesReferenceKind};
use sluice_client::GroupVersionKind;
use sluice_golang::base64;
use sluice_insight::fields::at;
use sluice_insight::kinds::by_kind;
use sluice_object::Object;
use sluice_release::values::{Composer, ValuesLookup, key_of};
use sluice_yaml::v2;

use crate::cluster::{Context, refusal};
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, output};

const KIND: &str = "HelmRelease";
const DOCUMENTATION: &str = "https://fluxcd.io/flux/components/helm/helmreleases/";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the HelmRelease
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Print the release history
    #[arg(long, switch = false)]
    show_history: bool,
    /// Print the status
    #[arg(long, switch = false)]
    show_status: bool,
    /// Print the composed chart values, including those from Secrets
    #[arg(long, switch = false)]
    show_values: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let [name] = args.name.as_slice() else {
        let typed = args.name.len();
        return Err(CommandError::user(format!(
            "accepts 1 arg(s), received {typed}"
        )));
    };
    let show: fn(&Context, &Object) -> Result<String, CommandError> =
        match (args.show_status, args.show_values, args.show_history) {
            (true, false, false) => |_, object| Ok(status(object)),
            (false, true, false) => values,
            (false, false, true) => |_, object| Ok(history(object)),
            _ => {
                return Err(CommandError::user(
                    "exactly one of --show-status, --show-values, or --show-history must be set",
                ));
            }
        };
    let resource =
        by_kind(KIND).ok_or_else(|| CommandError::internal(format!("no kind is called {KIND}")))?;
    let mut object = context.block_on(context.required(resource, name))??;
    spell_out(&mut object);
    output::data(&show(context, &object)?)?;
    Ok(Exit::SUCCESS)
}

/// The values that the controller gives to the chart.
fn values(context: &Context, object: &Object) -> Result<String, CommandError> {
    let from = at(object, "/spec/valuesFrom").cloned().unwrap_or_default();
    let references: Vec<ValuesReference> = if from.is_null() {
        Vec::new()
    } else {
        serde_json::from_value(from)
            .map_err(|error| CommandError::user(format!("spec.valuesFrom: {error}")))?
    };
    let is_secret = |reference: &ValuesReference| reference.kind == ValuesReferenceKind::Secret;
    if references.iter().any(is_secret) && std::io::stdout().is_terminal() {
        context
            .progress
            .warning("some of these values come from Secrets");
    }
    let mut composer = Composer::new(object.namespace(), at(object, "/spec/values"));
    for reference in &references {
        let found = context.block_on(find(context, object.namespace(), reference))??;
        composer.add(reference, found).map_err(CommandError::user)?;
    }
    Ok(v2::to_string(&Value::Object(composer.finish())))
}

/// Reads the data of a reference.
async fn find(
    context: &Context,
    namespace: &str,
    reference: &ValuesReference,
) -> Result<ValuesLookup, CommandError> {
    let gvk = GroupVersionKind::gvk("", "v1", reference.kind.as_str());
    let cluster = context.cluster()?;
    let found = cluster.get(&gvk, Some(namespace), &reference.name).await;
    let found = found.map_err(|error| refusal(&error))?;
    let Some(found) = found else {
        let plural = format!("{}s", reference.kind.as_str().to_lowercase());
        let why = format!("{plural} \"{}\" not found", reference.name);
        return Ok(ValuesLookup::NoObject(why));
    };
    let Some(data) = found["data"][key_of(reference)].as_str() else {
        return Ok(ValuesLookup::NoKey);
    };
    if reference.kind != ValuesReferenceKind::Secret {
        return Ok(ValuesLookup::Data(data.as_bytes().to_vec()));
    }
    let decoded = base64::decode(data.as_bytes());
    let decoded = decoded.map_err(|error| CommandError::cluster(error.to_string()))?;
    Ok(ValuesLookup::Data(decoded))
}

fn status(object: &Object) -> String {
    super::status(object, &format!("{DOCUMENTATION}#helmrelease-status"))
}

fn history(object: &Object) -> String {
    super::history(object, &format!("{DOCUMENTATION}#history"))
}

/// Writes missing times as `null`, as Go marshals an empty time.
fn spell_out(object: &mut Object) {
    let history = object.at_mut(&["status", "history"]);
    let Some(releases) = history.and_then(Value::as_array_mut) else {
        return;
    };
    let fill = |value: &mut Value, fields: &[&str]| {
        if let Some(map) = value.as_object_mut() {
            for field in fields {
                map.entry(*field).or_insert(Value::Null);
            }
        }
    };
    for release in releases {
        fill(release, &["deleted", "firstDeployed", "lastDeployed"]);
        let hooks = release.get_mut("testHooks").and_then(Value::as_object_mut);
        for (_, hook) in hooks.into_iter().flatten() {
            fill(hook, &["lastStarted", "lastCompleted"]);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(status: &Value) -> Object {
        serde_json::from_value(json!({"apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease", "metadata": {"name": "a"}, "status": status}))
        .unwrap()
    }

    #[test]
    fn undeleted_release_has_message_of_flux() {
        let mut object = object(&json!({"history": [
            {"name": "a", "version": 2, "firstDeployed": "2024-01-01T11:00:00Z", "lastDeployed": "2024-01-01T11:00:00Z"},
        ]}));
        spell_out(&mut object);
        assert_eq!(
            history(&object),
            "# History documentation: https://fluxcd.io/flux/components/helm/helmreleases/#history\n\
             - deleted: null\n  firstDeployed: \"2024-01-01T11:00:00Z\"\n  lastDeployed: \"2024-01-01T11:00:00Z\"\n  name: a\n  version: 2\n"
        );
    }

    #[test]
    fn status_follows_comment_and_missing_history_is_empty() {
        let object = object(&json!({"observedGeneration": -1}));
        assert_eq!(
            status(&object),
            "# Status documentation: https://fluxcd.io/flux/components/helm/helmreleases/#helmrelease-status\nobservedGeneration: -1\n"
        );
        assert!(history(&object).ends_with("#history\n[]\n"));
    }
}
