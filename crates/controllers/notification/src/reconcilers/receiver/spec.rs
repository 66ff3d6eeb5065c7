//! The parsed `spec` of a Receiver. Pure.

use std::time::Duration;

use sluice_api::notification::Receiver;
use sluice_engine::{Failure, Retry};

use crate::receiver::check;

/// Default interval of a Receiver.
const DEFAULT_INTERVAL: Duration = Duration::from_mins(10);
/// Prefix of messages about an invalid spec.
const TERMINAL: &str = "Reconciliation failed terminally due to configuration error";

/// A valid specification, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    /// Name of the Secret with the token, which OIDC receivers lack.
    pub(super) secret: Option<String>,
}

impl Spec {
    /// Parses the spec of an object.
    pub(super) fn parse(receiver: &Receiver) -> Result<Self, Failure> {
        check(&receiver.spec).map_err(|error| {
            let message = format!("{TERMINAL}: {}", error.message);
            Failure::message(error.reason, Retry::Stalled, message)
        })?;
        let secret = receiver.spec.secret_ref.as_ref();
        Ok(Self {
            secret: secret.map(|reference| reference.name.clone()),
        })
    }
}

/// The interval. The default replaces an invalid one, which an older schema accepted.
pub(super) fn interval(receiver: &Receiver) -> Duration {
    let interval = receiver.spec.interval.as_ref();
    let parsed = interval.and_then(|interval| interval.parse().ok());
    parsed.unwrap_or(DEFAULT_INTERVAL)
}
