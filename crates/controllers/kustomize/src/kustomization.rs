//! Reconciles Kustomizations.
//!
//! ```text
//! spec      the parsed spec                                         pure
//! model     the plan, the steps and their results                   data
//! observe   the source's artifact, the dependencies                 reads only
//! plan      remove, refuse, wait, or the next step                  pure
//! perform   one step: fetch, build, apply, prune, check health
//! conclude  conditions, inventory, history, events, requeue         pure
//! ```
//!
//! The status inventory names every object before it is applied. A process that is killed at any
//! point therefore leaves no object that the next process cannot find. The worker serves other
//! Kustomizations while objects become healthy.
//!
//! `controller` joins the reconciler with its watches. `resources` holds what runs share.
//!
//! A run on an applied and healthy revision writes no progress, unless it is slow or finds changes.

mod build;
mod build_cache;
mod build_slot;
mod conclude;
mod controller;
mod decryption;
mod failure;
mod fault;
mod model;
mod observe;
mod perform;
mod plan;
mod policy;
mod remotes;
mod removal;
mod resources;
#[cfg(any(test, feature = "fuzz"))]
pub mod simulation;
mod source;
mod spec;
mod timing;
mod variables;
mod watches;

use std::sync::Arc;
use std::time::Duration;

use sluice_api::kustomize::{Kustomization, KustomizationStatus};
use sluice_consumer::{ArtifactFetcher, WaitingObjects};
use sluice_engine::{Decision, End, ObjectKey, Outcome, Progress, Reconciler, Run, Times};
use sluice_host::{Clusters, Component};

pub(crate) use controller::controller;
use decryption::DecryptionSettings;
use fault::Fault;
use model::{Facts, Step};
use observe::Sources;
use policy::Policy;
use resources::{ApplyResources, BuildResources, Switches};
use timing::Timing;

/// Reconciles Kustomizations.
pub(crate) struct KustomizationReconciler {
    component: Component,
    policy: Arc<Policy>,
    switches: Switches,
    sources: Sources,
    artifacts: ArtifactFetcher,
    clusters: Clusters,
    decryption: DecryptionSettings,
    builds: BuildResources,
    applies: ApplyResources,
    waiting: WaitingObjects,
}

impl Reconciler for KustomizationReconciler {
    type Object = Kustomization;
    type Facts = Facts;
    type Step = Step;
    type Fault = Fault;

    async fn observe(&self, object: &Arc<Kustomization>, run: &Run<Kustomization>) -> Facts {
        observe::observe(self, object, run).await
    }

    fn plan(&self, object: &Kustomization, facts: &Facts) -> Decision<Step, Fault> {
        plan::plan(object, facts)
    }

    fn progress(
        &self,
        object: &Arc<Kustomization>,
        facts: &Facts,
        step: &Step,
        times: Times,
    ) -> Progress<KustomizationStatus> {
        conclude::progress(object, facts, step, times)
    }

    fn time_limit(&self, object: &Kustomization, _: &Facts, _: &Step) -> Duration {
        Timing::step_limit(&object.spec)
    }

    async fn perform(
        &self,
        step: Step,
        _object: &Arc<Kustomization>,
        facts: &mut Facts,
        run: &Run<Kustomization>,
    ) -> Result<(), Fault> {
        perform::perform(self, step, facts, run).await
    }

    fn ended(&self, key: &ObjectKey, end: &End<Facts, Fault>) {
        // `observe` adds waiting objects before it reads their dependencies.
        let is_waiting = matches!(
            end,
            End::Stopped(_, Fault::Waiting(pending)) if pending.is_for_dependencies()
        );
        if !is_waiting {
            self.waiting.remove(key);
        }
    }

    fn conclude(
        &self,
        object: &Kustomization,
        end: End<Facts, Fault>,
        times: Times,
    ) -> Outcome<KustomizationStatus> {
        conclude::conclude(object, end, times)
    }

    fn forget(&self, key: &ObjectKey) {
        self.waiting.remove(key);
    }
}

#[cfg(test)]
#[path = "kustomization/tests/dependency.rs"]
mod dependency_tests;
