//! Implements `create alert`: forwards events of objects to a provider.

use serde_json::{Value, json};
use sluice_golang::non_empty;

use super::{Creation, NewObject, put, reference, required};
use crate::error::CommandError;
use crate::flags;

const SEVERITIES: [&str; 2] = ["info", "error"];

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Minimum event severity: info or error
    #[arg(long, value_name = "SEVERITY")]
    event_severity: Option<String>,
    /// Objects to report, as KIND/NAME[.NAMESPACE],…; * matches all names
    #[arg(long, value_parser = flags::csv, value_name = "OBJECT")]
    event_source: Vec<Vec<String>>,
    /// Provider to send events to
    #[arg(long, value_name = "NAME")]
    provider_ref: Option<String>,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let provider = required(
        args.provider_ref.as_deref(),
        "--provider-ref",
        "provider ref is required",
    )?;
    let sources: Vec<Value> = args
        .event_source
        .iter()
        .flatten()
        .map(|text| source(text))
        .collect::<Result<_, _>>()?;
    if sources.is_empty() {
        return Err(CommandError::missing_flag(
            "at least one event source is required",
            "--event-source",
        ));
    }
    let severity = non_empty(args.event_severity.as_deref());
    if let Some(severity) = severity
        && !SEVERITIES.contains(&severity)
    {
        return Err(CommandError::user(format!(
            "event severity '{severity}' is not supported, must be one of: {}",
            SEVERITIES.join(", ")
        )));
    }
    let labels = creation.labels()?;
    let mut spec = json!({ "eventSources": sources, "providerRef": { "name": provider } });
    put(&mut spec, "eventSeverity", severity);
    NewObject::new("Alert", labels, spec)
}

fn source(text: &str) -> Result<Value, CommandError> {
    let source = reference::whole(text);
    if source.kind.is_empty() {
        return Err(CommandError::user(format!(
            "invalid event source '{text}', must be in format <kind>/<name>"
        )));
    }
    Ok(source.to_value())
}
