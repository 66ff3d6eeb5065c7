//! Reads the token and computes the path.

use sluice_api::notification::{Receiver, webhook};

use super::ReceiverReconciler;
use super::fault::Fault;
use super::model::{Facts, Step};
use crate::config::TOKEN;

/// Performs a step.
pub(super) async fn perform(
    reconciler: &ReceiverReconciler,
    step: Step,
    receiver: &Receiver,
    facts: &mut Facts,
) -> Result<(), Fault> {
    let namespace = receiver.metadata.namespace.as_deref().unwrap_or_default();
    let name = receiver.metadata.name.as_deref().unwrap_or_default();
    let Step::ComputePath { secret } = step;
    let path = match secret {
        None => webhook::path(b"", name, namespace),
        Some(secret) => {
            let read = reconciler.secrets.get(namespace, &secret).await;
            let read = read.map_err(|error| {
                Fault::token(format!(
                    "unable to read token from secret '{namespace}/{secret}' error: {}",
                    error.server_message()
                ))
            })?;
            let token = read.entry(TOKEN).ok_or_else(|| {
                Fault::token(format!(
                    "invalid '{namespace}/{secret}' secret data: required fields '{TOKEN}'"
                ))
            })?;
            webhook::path(token, name, namespace)
        }
    };
    facts.path = Some(path);
    Ok(())
}
