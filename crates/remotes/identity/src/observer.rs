//! The steps to a credential, for a metric of how long their requests take.

use std::time::Duration;

use crate::provider::Provider;

/// A step to a credential that sends requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdentityStep {
    /// The API server issues a token of a service account.
    TokenRequest,
    /// A cloud exchanges a proof for a token.
    Exchange,
    /// A service of the cloud makes a password or an address of the token.
    Derive,
}

impl IdentityStep {
    /// Returns the name in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TokenRequest => "token_request",
            Self::Exchange => "exchange",
            Self::Derive => "derive",
        }
    }
}

/// Observes how long a step took, whether or not it succeeded.
pub type IdentityObserver = Box<dyn Fn(Provider, IdentityStep, Duration) + Send + Sync>;
