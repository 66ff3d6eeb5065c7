//! Removes the finalizer that old versions of Flux put on Alerts.

use std::sync::Arc;

use sluice_api::meta::FINALIZER;
use sluice_api::notification::Alert;
use sluice_engine::{Finalizer, Notice, Outcome, Requeue, Run, Runner, Statusless};

/// Reconciles Alerts.
pub(crate) struct AlertRunner;

impl Runner for AlertRunner {
    type Object = Statusless<Alert>;

    async fn run(&self, alert: Arc<Self::Object>, _: &Run<Self::Object>) -> Outcome<()> {
        conclude(&alert.object)
    }
}

fn conclude(alert: &Alert) -> Outcome<()> {
    let outcome = Outcome::untouched(Requeue::Never);
    let finalizers = alert.metadata.finalizers.iter().flatten();
    let has_finalizer = finalizers.into_iter().any(|it| it == FINALIZER);
    let is_in_deletion = alert.metadata.deletion_timestamp.is_some();
    if !has_finalizer || (alert.spec.suspend && !is_in_deletion) {
        return outcome;
    }
    let message = "removed finalizer from Alert to migrate to static Alert";
    outcome
        .with_finalizer(Finalizer::Remove)
        .with_notice(Notice::info("Migration", message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_finalizers_are_removed() {
        let mut alert = Alert::default();
        assert_eq!(conclude(&alert).finalizer, Finalizer::Keep);
        alert.metadata.finalizers = Some(vec![FINALIZER.to_owned()]);
        assert_eq!(conclude(&alert).finalizer, Finalizer::Remove);
        assert_eq!(conclude(&alert).notices[0].reason, "Migration");
        alert.spec.suspend = true;
        assert_eq!(conclude(&alert).finalizer, Finalizer::Keep);
    }
}
