//! Implements `debug kustomization`: prints the status, the history or the build variables.

use std::fmt::Write as _;
use std::io::IsTerminal as _;

use serde_json::Value;
use sluice_insight::fields::at;
use sluice_insight::kinds::by_kind;
use sluice_object::Object;
use sluice_preview::kustomization::{KIND, Pipeline};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::{CommandResult, Exit, output};

const DOCUMENTATION: &str = "https://fluxcd.io/flux/components/kustomize/kustomizations/";

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Name of the Kustomization
    #[arg(value_name = "NAME")]
    name: Vec<String>,
    /// Print the reconciliation history
    #[arg(long, switch = false)]
    show_history: bool,
    /// Print the status
    #[arg(long, switch = false)]
    show_status: bool,
    /// Print substitution variables as NAME=VALUE, including Secrets
    #[arg(long, switch = false)]
    show_vars: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let [name] = args.name.as_slice() else {
        return Err(CommandError::argument_count(args.name.len()));
    };
    let show: fn(&Context, &Object) -> Result<String, CommandError> =
        match (args.show_status, args.show_vars, args.show_history) {
            (true, false, false) => |_, object| Ok(status(object)),
            (false, true, false) => variables,
            (false, false, true) => |_, object| Ok(history(object)),
            _ => {
                return Err(CommandError::user(
                    "exactly one of --show-status, --show-vars, or --show-history must be set",
                ));
            }
        };
    let resource =
        by_kind(KIND).ok_or_else(|| CommandError::internal(format!("no kind is called {KIND}")))?;
    let object = context.block_on(context.required(resource, name))??;
    output::data(&show(context, &object)?)?;
    Ok(Exit::SUCCESS)
}

fn status(object: &Object) -> String {
    super::status(object, &format!("{DOCUMENTATION}#kustomization-status"))
}

fn history(object: &Object) -> String {
    super::history(object, &format!("{DOCUMENTATION}#history"))
}

fn variables(context: &Context, object: &Object) -> Result<String, CommandError> {
    let Some(post_build) = at(object, "/spec/postBuild").filter(|value| !value.is_null()) else {
        return Err(CommandError::user("no post build substitutions found"));
    };
    let reads_secrets = post_build
        .get("substituteFrom")
        .and_then(Value::as_array)
        .is_some_and(|from| from.iter().any(|reference| reference["kind"] == "Secret"));
    if reads_secrets && std::io::stdout().is_terminal() {
        context
            .progress
            .warning("some of these values come from Secrets");
    }
    let pipeline = Pipeline::of_cluster(context, context.namespace());
    let variables = pipeline
        .variables(object, post_build)
        .map_err(CommandError::cluster)?;
    let mut text = String::new();
    for (name, value) in variables.iter() {
        let _ = writeln!(text, "{name}={value}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(status: &Value) -> Object {
        serde_json::from_value(json!({"apiVersion": "kustomize.toolkit.fluxcd.io/v1",
            "kind": "Kustomization", "metadata": {"name": "a"}, "status": status}))
        .unwrap()
    }

    #[test]
    fn missing_history_is_an_empty_list() {
        assert_eq!(
            history(&object(&json!({}))),
            "# History documentation: https://fluxcd.io/flux/components/kustomize/kustomizations/#history\n[]\n"
        );
    }

    #[test]
    fn status_is_yaml_below_a_comment() {
        assert_eq!(
            status(&object(&json!({"observedGeneration": -1}))),
            "# Status documentation: https://fluxcd.io/flux/components/kustomize/kustomizations/#kustomization-status\nobservedGeneration: -1\n"
        );
    }
}
