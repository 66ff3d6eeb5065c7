//! Implements `test provider`: sends one message to a Provider's service, and prints the response.
//!
//! The message uses the code of the notification controller, so both report the same errors.
//! Secrets of the Provider are hidden.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sluice_api::Event;
use sluice_api::event::{InvolvedObject, Severity};
use sluice_api::meta::LocalObjectReference;
use sluice_api::notification::Provider;
use sluice_dial::{HttpClients, Keys};
use sluice_golang::error::chain;
use sluice_insight::kinds::by_kind;
use sluice_notification_controller::config::Secrets;
use sluice_notification_controller::sender::{IdentityOptions, Sender};
use sluice_notification_controller::trial::{self, TrialError};
use sluice_system::{Clock as _, SystemClock};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::{CommandResult, Exit};

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name of the Provider
    #[arg(value_name = "NAME")]
    name: String,
    /// Message text
    #[arg(long, default_value = "Test message from sluice", value_name = "TEXT")]
    message: String,
    /// Message severity: info or error
    #[arg(long, default_value = "info", value_parser = ["info", "error"], value_name = "SEVERITY")]
    severity: String,
    /// Revision to report on, for Git commit status providers
    #[arg(long, value_name = "REVISION")]
    revision: Option<String>,
    /// Pull request number, for pull request comment providers
    #[arg(long, value_name = "N")]
    change_request: Option<String>,
}

type Data = BTreeMap<String, Vec<u8>>;

pub fn run(args: &Args, context: &Context) -> CommandResult {
    let resource = by_kind("Provider")
        .ok_or_else(|| CommandError::internal("the kind Provider is not registered"))?;
    let namespace = context.namespace();
    let trial = context.block_on(async {
        let object = context.required(resource, &args.name).await?;
        let provider: Provider = serde_json::from_value(object.to_value()).map_err(|error| {
            CommandError::user(format!("Provider {namespace}/{}: {error}", args.name))
        })?;
        let spec = &provider.spec;
        let credentials = read(context, &namespace, spec.secret_ref.as_ref()).await?;
        let certificate = read(context, &namespace, spec.cert_secret_ref.as_ref()).await?;
        let proxy = read(context, &namespace, spec.proxy_secret_ref.as_ref()).await?;
        let secrets = Secrets {
            credentials: credentials.as_ref().map(|data| data as &dyn Keys),
            certificate: certificate.as_ref().map(|data| data as &dyn Keys),
            proxy: proxy.as_ref().map(|data| data as &dyn Keys),
        };
        let type_ = spec.type_.as_str();
        context.progress.action(format!(
            "sending a test message to Provider {namespace}/{} ({type_})",
            args.name
        ));
        let clients = Arc::new(HttpClients::new(concat!(
            "sluice/",
            env!("CARGO_PKG_VERSION")
        )));
        let identities = IdentityOptions::of_cluster(context.cluster()?.clone());
        let sender = Sender::new(clients, Arc::new(SystemClock), identities);
        let keys = credentials.as_ref().map(|data| data as &(dyn Keys + Sync));
        let event = event(args, &provider);
        let sent = trial::send(&sender, &provider, secrets, keys, &event).await;
        sent.map_err(|error| refusal(args, &namespace, &error))
    })??;
    for warning in &trial.warnings {
        context.progress.failure(warning);
    }
    match &trial.answer {
        _ if trial.requests == 0 => context
            .progress
            .success("the type sends no message for this event"),
        Some((status, body)) if body.is_empty() => context
            .progress
            .success(format!("the service answered {status}")),
        Some((status, body)) => context
            .progress
            .success(format!("the service answered {status}: {body}")),
        None => context.progress.success("the message was sent"),
    }
    Ok(Exit::SUCCESS)
}

/// Reads the data of a Secret.
async fn read(
    context: &Context,
    namespace: &str,
    reference: Option<&LocalObjectReference>,
) -> Result<Option<Data>, CommandError> {
    let Some(reference) = reference else {
        return Ok(None);
    };
    let secret = context.secret(namespace, &reference.name).await?;
    let data = secret.get("data").and_then(serde_json::Value::as_object);
    let pairs = data.into_iter().flatten();
    let decoded = pairs.filter_map(|(key, value)| {
        let bytes = BASE64_STANDARD.decode(value.as_str()?).ok()?;
        Some((key.clone(), bytes))
    });
    Ok(Some(decoded.collect()))
}

/// Returns the event of the message. Its object is the Provider itself.
fn event(args: &Args, provider: &Provider) -> Event {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let metadata = [
        ("revision", &args.revision),
        ("change_request", &args.change_request),
    ];
    let metadata = metadata
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)));
    Event {
        involved_object: InvolvedObject {
            api_version: "notification.toolkit.fluxcd.io/v1beta3".to_owned(),
            kind: "Provider".to_owned(),
            namespace: text(&provider.metadata.namespace),
            name: text(&provider.metadata.name),
            uid: text(&provider.metadata.uid),
            ..InvolvedObject::default()
        },
        severity: match args.severity.as_str() {
            "error" => Severity::Error,
            _ => Severity::Info,
        },
        timestamp: SystemClock.now().into(),
        message: args.message.clone(),
        reason: "Test".to_owned(),
        metadata: metadata.collect(),
        reporting_controller: "sluice".to_owned(),
        ..Event::default()
    }
}

fn refusal(args: &Args, namespace: &str, error: &TrialError) -> CommandError {
    let message = format!(
        "failed to send a message to Provider '{namespace}/{}': {}",
        args.name,
        chain(error)
    );
    match error {
        TrialError::Provider(cause) => CommandError::user(message).hint(cause.hint().to_owned()),
        TrialError::Send(_) => CommandError::cluster(message),
    }
}
