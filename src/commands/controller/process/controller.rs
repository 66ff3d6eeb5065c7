//! One controller with its parsed flags: its checks before the start, and its run.

use sluice_golang::error::chain;
use sluice_host::{FeatureGates, Gate, Host, SharedArgs};

/// The controller whose `--events-addr` is a listen address. For others it is the event receiver.
pub(super) const NOTIFICATION: &str = sluice_notification_controller::NAME;
/// The controller that stores tags.
pub(super) const IMAGE_REFLECTOR: &str = sluice_image_reflector_controller::NAME;
/// The controller that commits images.
pub(super) const IMAGE_AUTOMATION: &str = sluice_image_automation_controller::NAME;
/// The controller of generated artifacts.
pub(super) const SOURCE_WATCHER: &str = sluice_source_watcher_controller::NAME;
/// The controller of Helm releases.
pub(super) const HELM: &str = sluice_helm_controller::NAME;

/// Parsed flags of a controller, ready to run.
#[derive(Clone)]
pub(super) enum Controller {
    Source(sluice_source_controller::Args),
    Kustomize(sluice_kustomize_controller::Args),
    Helm(sluice_helm_controller::Args),
    Notification(sluice_notification_controller::Args),
    ImageReflector(sluice_image_reflector_controller::Args),
    ImageAutomation(sluice_image_automation_controller::Args),
    SourceWatcher(sluice_source_watcher_controller::Args),
}

impl Controller {
    pub(super) fn shared(&self) -> SharedArgs {
        match self {
            Self::Source(args) => args.shared.clone(),
            Self::Kustomize(args) => args.shared.clone(),
            Self::Helm(args) => args.shared.clone(),
            Self::Notification(args) => args.shared(),
            Self::ImageReflector(args) => args.shared.clone(),
            Self::ImageAutomation(args) => args.shared.clone(),
            Self::SourceWatcher(args) => args.shared.clone(),
        }
    }

    fn gates(&self) -> &'static [Gate] {
        match self {
            Self::Source(_) => sluice_source_controller::GATES,
            Self::SourceWatcher(_) => sluice_source_watcher_controller::GATES,
            Self::Notification(_) => sluice_notification_controller::GATES,
            Self::ImageAutomation(_) => sluice_image_automation_controller::GATES,
            Self::Kustomize(_) => sluice_kustomize_controller::GATES,
            Self::ImageReflector(_) => sluice_image_reflector_controller::GATES,
            Self::Helm(_) => sluice_helm_controller::GATES,
        }
    }

    /// Runs start-up checks that flag parsing does not cover. Returns all faults.
    pub(super) fn faults(&self) -> Vec<String> {
        let shared = self.shared();
        let mut faults: Vec<String> = shared.validate().err().iter().map(|it| chain(it)).collect();
        let mut known = Vec::new();
        for gate in &shared.process.feature_gates {
            match FeatureGates::resolve(self.gates(), std::slice::from_ref(gate)) {
                Ok(_) => known.push(gate.clone()),
                Err(error) => faults.push(chain(&error)),
            }
        }
        let gates = FeatureGates::resolve(self.gates(), &known);
        let own = gates
            .map_err(|error| chain(&error))
            .and_then(|gates| match self {
                Self::Kustomize(args) => args.validate(&gates).map_err(|error| chain(&error)),
                Self::ImageReflector(args) => args.validate(&gates).map_err(|error| chain(&error)),
                Self::Helm(args) => args.validate(&gates).map_err(|error| chain(&error)),
                _ => Ok(()),
            });
        faults.extend(own.err());
        faults
    }

    pub(super) async fn run(self, host: Host) -> Result<(), String> {
        match self {
            Self::Source(args) => sluice_source_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::Kustomize(args) => sluice_kustomize_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::Helm(args) => sluice_helm_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::Notification(args) => sluice_notification_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::ImageReflector(args) => sluice_image_reflector_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::ImageAutomation(args) => sluice_image_automation_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
            Self::SourceWatcher(args) => sluice_source_watcher_controller::run(args, host)
                .await
                .map_err(|error| chain(&error)),
        }
    }
}
