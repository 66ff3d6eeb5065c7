//! Adds a finalizer to Providers, as the reference does.

use std::sync::Arc;

use sluice_api::notification::Provider;
use sluice_engine::{Finalizer, Outcome, Requeue, Run, Runner, Statusless};

/// Reconciles Providers.
pub(crate) struct ProviderRunner;

impl Runner for ProviderRunner {
    type Object = Statusless<Provider>;

    async fn run(&self, provider: Arc<Self::Object>, _: &Run<Self::Object>) -> Outcome<()> {
        let finalizer = match provider.object.metadata.deletion_timestamp {
            Some(_) => Finalizer::Remove,
            None => Finalizer::Add,
        };
        Outcome::untouched(Requeue::Never).with_finalizer(finalizer)
    }
}
