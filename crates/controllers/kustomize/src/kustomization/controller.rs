//! Joins the reconciler with its watches.

use std::sync::Arc;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use sluice_api::kustomize::SubstituteReferenceKind;
use sluice_api::meta::condition::{HEALTHY, READY, RECONCILING, STALLED};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_consumer::{ArtifactFetcher, WaitingObjects};
use sluice_engine::{Controller, Reconciliation};
use sluice_host::{Clusters, Component};

use super::KustomizationReconciler;
use super::decryption::DecryptionSettings;
use super::observe::Sources;
use super::policy::Policy;
use super::resources::{ApplyResources, BuildResources, Switches};
use super::watches;
use crate::args::{self, Args, FlagError};
use crate::{Error, NAME};

/// Condition types that only this controller writes.
const CONDITIONS: &[&str] = &[READY, RECONCILING, STALLED, HEALTHY];

/// Builds the controller with its watches.
pub(crate) fn controller(
    args: &Args,
    component: &Component,
) -> Result<Controller<Reconciliation<KustomizationReconciler>>, Error> {
    let gates = component.gates();
    args.validate(gates)?;
    let waiting = WaitingObjects::default();
    let reconciler = KustomizationReconciler::new(args, component, waiting.clone())?;
    let selector = &args.shared.config_selector.watch_configs_label_selector;
    let mut controller = Controller::new(component.engine(), reconciler)
        .concurrent(args.concurrent)
        .owns_conditions(CONDITIONS)
        .watches(watches::source::<GitRepository>())
        .watches(watches::source::<OciRepository>())
        .watches(watches::source::<Bucket>())
        .watches(watches::dependencies(waiting.clone()))
        .watches(watches::expressions(waiting));
    if !gates.enabled(args::DISABLE_CONFIG_WATCHERS) {
        controller = controller
            .watches(watches::configs::<ConfigMap>(
                SubstituteReferenceKind::ConfigMap,
                selector,
            ))
            .watches(watches::configs::<Secret>(
                SubstituteReferenceKind::Secret,
                selector,
            ));
    }
    if gates.enabled(args::EXTERNAL_ARTIFACT) {
        controller = controller.watches(watches::source::<ExternalArtifact>());
    }
    Ok(controller)
}

impl KustomizationReconciler {
    fn new(args: &Args, component: &Component, waiting: WaitingObjects) -> Result<Self, Error> {
        let gates = component.gates();
        let applies = ApplyResources::of(args, gates)?;
        Ok(Self {
            component: component.clone(),
            policy: Arc::new(Policy::of(args, gates)),
            switches: Switches::of(gates),
            sources: Sources::new(component, gates.enabled(args::DIRECT_SOURCE_FETCH)),
            artifacts: ArtifactFetcher::new(&args.downloads.options(NAME))
                .map_err(Error::Download)?,
            clusters: Clusters::new(component, args.clusters.options(gates)?),
            decryption: DecryptionSettings::of(args).map_err(FlagError::from)?,
            builds: BuildResources::of(args),
            applies,
            waiting,
        })
    }
}
