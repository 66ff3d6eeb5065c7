//! Implements `debug helmrelease`: prints the status, the history or the composed values.

use std::io::IsTerminal as _;

use serde_json::Value;
use sluice_api::helm::{HelmRelease, ValuesReferenceKind};
use sluice_insight::kinds::by_kind;
use sluice_object::Object;
use sluice_preview::release::objects::Objects;
use sluice_preview::release::values;
use sluice_yaml::v2;

use crate::cluster::Context;
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
        return Err(CommandError::argument_count(args.name.len()));
    };
    let show: fn(&Context, &Object) -> Result<String, CommandError> =
        match (args.show_status, args.show_values, args.show_history) {
            (true, false, false) => |_, object| Ok(status(object)),
            (false, true, false) => show_values,
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
fn show_values(context: &Context, object: &Object) -> Result<String, CommandError> {
    let release: HelmRelease = serde_json::from_value(object.to_value())
        .map_err(|error| CommandError::user(format!("{KIND} object is invalid: {error}")))?;
    let mut references = release.spec.values_from.iter();
    let has_secret = references.any(|reference| reference.kind == ValuesReferenceKind::Secret);
    if has_secret && std::io::stdout().is_terminal() {
        context
            .progress
            .warning("some of these values come from Secrets");
    }
    let values = values::compose(&Objects::of_cluster(context), &release)?;
    Ok(v2::to_string(&Value::Object(values)))
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
