//! The identities of one controller: one cache of tokens, and its metrics.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sluice_dial::HttpClients;
use sluice_engine::metrics::{TokenCache as TokenMetrics, TokenUser};
use sluice_identity::{HostAllowlist, Identities, IdentityError, Lookup, TokenCache};

use super::Requester;
use crate::component::Component;

/// Settings of the identities of a controller.
#[derive(Debug, Clone, Default)]
pub struct IdentityOptions {
    /// The hosts that may receive tokens of the controller.
    pub hosts: HostAllowlist,
    /// Maximum number of cached tokens.
    pub max_tokens: usize,
    /// Maximum age of a cached token, regardless of its expiration.
    pub max_token_age: Duration,
}

/// The identities of a controller. Cheap to clone.
#[derive(Clone)]
pub struct CountedIdentities {
    identities: Arc<Identities>,
    metrics: TokenMetrics,
}

impl fmt::Debug for CountedIdentities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CountedIdentities")
            .field(&self.identities)
            .finish()
    }
}

impl CountedIdentities {
    /// Creates the identities of a component.
    pub fn new(component: &Component, options: &IdentityOptions) -> Self {
        let agent = format!("{}/{}", component.name(), env!("CARGO_PKG_VERSION"));
        Self::with_clients(component, Arc::new(HttpClients::new(agent)), options)
    }

    /// Creates the identities of a component that has clients already.
    pub(crate) fn with_clients(
        component: &Component,
        clients: Arc<HttpClients>,
        options: &IdentityOptions,
    ) -> Self {
        let identities = Identities::new(
            clients,
            Arc::clone(component.clock()),
            component.host().environment().clone(),
            TokenCache::new(options.max_tokens, options.max_token_age),
        );
        let metrics = component.metrics().tokens().clone();
        let observed = metrics.clone();
        let identities = identities
            .with_listed_hosts(options.hosts.clone())
            .observed(Box::new(move |provider, step, lasted| {
                observed.observe_request(provider, step, lasted);
            }));
        Self {
            identities: Arc::new(identities),
            metrics,
        }
    }

    /// Returns the identities, whose lookups are not counted.
    pub fn uncounted(&self) -> &Arc<Identities> {
        &self.identities
    }

    /// Counts a lookup of an object and returns its result. `operation` is its name in metrics.
    pub fn count<T>(
        &self,
        requester: Requester<'_>,
        operation: &'static str,
        found: Result<(T, Lookup), IdentityError>,
    ) -> Result<T, IdentityError> {
        let lookup = found.as_ref().ok().map(|(_, lookup)| *lookup);
        self.count_lookup(requester, operation, lookup);
        found.map(|(value, _)| value)
    }

    /// Counts a lookup of an object. `None` is one that failed.
    pub(crate) fn count_lookup(
        &self,
        requester: Requester<'_>,
        operation: &'static str,
        lookup: Option<Lookup>,
    ) {
        let user = TokenUser {
            kind: requester.kind,
            key: requester.key,
            operation,
        };
        self.metrics
            .count_lookup(self.identities.cache(), user, lookup);
    }
}
