//! Implements `create receiver`: reconciles objects on a webhook call.

use serde_json::{Value, json};

use super::{Creation, NewObject, reference, required};
use crate::error::CommandError;
use crate::flags::{self, Choice};

/// Types of webhooks.
pub(super) const TYPES: Choice = Choice::new(
    &[
        "generic",
        "generic-hmac",
        "github",
        "gitlab",
        "bitbucket",
        "harbor",
        "dockerhub",
        "quay",
        "gcr",
        "nexus",
        "acr",
        "cdevents",
    ],
    |value| format!("receiver type '{value}' is not supported"),
)
.or_absent("no receiver type given, please specify the receiver type");

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Events that trigger a reconciliation [default: all]
    #[arg(long, value_parser = flags::csv, value_name = "EVENT")]
    event: Vec<Vec<String>>,
    /// Objects to reconcile, as KIND/NAME,…
    #[arg(long, value_parser = flags::csv, value_name = "OBJECT")]
    resource: Vec<Vec<String>>,
    /// Secret with the token
    #[arg(long, value_name = "NAME")]
    secret_ref: Option<String>,
    /// Type of the receiver
    #[arg(long = "type", value_parser = TYPES, value_name = "TYPE")]
    kind: Option<String>,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let kind = required(args.kind.as_deref(), "--type", "Receiver type is required")?;
    let secret = required(
        args.secret_ref.as_deref(),
        "--secret-ref",
        "secret ref is required",
    )?;
    let resources: Vec<Value> = args
        .resource
        .iter()
        .flatten()
        .map(|text| match reference::kind_and_name(text) {
            ("", _) => Err(CommandError::user(format!(
                "invalid event source '{text}', must be in format <kind>/<name>"
            ))),
            (kind, name) => Ok(json!({ "kind": kind, "name": name })),
        })
        .collect::<Result<_, _>>()?;
    if resources.is_empty() {
        return Err(CommandError::missing_flag(
            "atleast one resource is required",
            "--resource",
        ));
    }
    let labels = creation.labels()?;
    let mut spec = json!({
        "type": kind, "resources": resources, "secretRef": { "name": secret },
    });
    let events = args.event.concat();
    if !events.is_empty() {
        spec["events"] = json!(events);
    }
    NewObject::new("Receiver", labels, spec)
}
