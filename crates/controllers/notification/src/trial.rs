//! Sends one message to a Provider outside of the controller, and returns the response.

use sluice_api::Event;
use sluice_api::notification::{Alert, Provider};
use sluice_dial::Keys;

use crate::alert::commit_status;
use crate::config::{ProviderConfig, Secrets};
use crate::error::Error;
use crate::provider;
use crate::sender::{SendError, Sender};

/// A message that was delivered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trial {
    /// Number of requests. Some types skip some events.
    pub requests: usize,
    /// Status and start of the last response, if any. Secrets are hidden.
    pub answer: Option<(u16, String)>,
    /// Deprecated and ignored settings.
    pub warnings: Vec<String>,
}

/// Error of a trial.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The Provider cannot be used, or cannot express the event.
    #[error(transparent)]
    Provider(#[from] Error),
    /// The service rejected the message.
    #[error(transparent)]
    Send(#[from] SendError),
}

/// Sends an event to the service of a Provider. `credentials` is the Secret of `spec.secretRef`.
pub async fn send(
    sender: &Sender,
    provider: &Provider,
    secrets: Secrets<'_>,
    credentials: Option<&(dyn Keys + Sync)>,
    event: &Event,
) -> Result<Trial, TrialError> {
    let mut alert = Alert::default();
    alert.metadata.name.clone_from(&provider.metadata.name);
    alert
        .metadata
        .namespace
        .clone_from(&provider.metadata.namespace);
    let (mut config, warnings) = ProviderConfig::resolve(provider, &alert, secrets)?;
    config.commit_status = commit_status(provider, &alert, event)?;
    let requests = provider::request(&config, event)?;
    let answer = sender.send(&config, credentials, &requests).await?;
    let answer = answer.map(|answer| {
        let text = String::from_utf8_lossy(&answer.body);
        (answer.status, sluice_dial::printable(&config.hide(&text)))
    });
    Ok(Trial {
        requests: requests.len(),
        answer,
        warnings: warnings
            .iter()
            .map(crate::config::Warning::message)
            .collect(),
    })
}
