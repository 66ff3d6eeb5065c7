//! Joins the reconciler with its watches.

use std::sync::Arc;

use k8s_openapi::api::core::v1::{ConfigMap, Secret};
use sluice_api::helm::ValuesReferenceKind;
use sluice_api::helm::condition::{RELEASED, REMEDIATED, TEST_SUCCESS};
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::source::{ExternalArtifact, HelmChart, OciRepository};
use sluice_consumer::WaitingObjects;
use sluice_engine::{Controller, Reconciliation};
use sluice_host::Component;

use super::next::DRIFTED;
use super::observe::Sources;
use super::perform::Performer;
use super::policy::Policy;
use super::{HelmReleaseReconciler, watches};
use crate::Error;
use crate::args::{self, Args};

/// Condition types that only this controller writes.
const CONDITIONS: &[&str] = &[
    READY,
    RECONCILING,
    STALLED,
    RELEASED,
    REMEDIATED,
    TEST_SUCCESS,
    DRIFTED,
];

/// Builds the controller with its watches.
pub(crate) fn controller(
    args: &Args,
    component: &Component,
) -> Result<Controller<Reconciliation<HelmReleaseReconciler>>, Error> {
    let gates = component.gates();
    args.validate(gates)?;
    let policy = Arc::new(Policy::of(args, gates)?);
    let waiting = WaitingObjects::default();
    let reconciler = HelmReleaseReconciler {
        performer: Performer::new(args, component, Arc::clone(&policy))?,
        sources: Sources::new(component, gates.enabled(args::DIRECT_SOURCE_FETCH)),
        policy,
        waiting: waiting.clone(),
    };
    let selector = &args.shared.config_selector.watch_configs_label_selector;
    let mut controller = Controller::new(component.engine(), reconciler)
        .concurrent(args.concurrent)
        .grace(args.graceful_shutdown_timeout)
        .owns_conditions(CONDITIONS)
        .watches(watches::source::<HelmChart>())
        .watches(watches::source::<OciRepository>())
        .watches(watches::dependencies(waiting.clone()))
        .watches(watches::expressions(waiting));
    if !gates.enabled(args::DISABLE_CONFIG_WATCHERS) {
        controller = controller
            .watches(watches::configs::<ConfigMap>(
                ValuesReferenceKind::ConfigMap,
                selector,
            ))
            .watches(watches::configs::<Secret>(
                ValuesReferenceKind::Secret,
                selector,
            ));
    }
    if gates.enabled(args::EXTERNAL_ARTIFACT) {
        controller = controller.watches(watches::source::<ExternalArtifact>());
    }
    Ok(controller)
}
