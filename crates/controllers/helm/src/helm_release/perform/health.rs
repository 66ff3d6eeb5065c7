//! Checks the health of the objects of a release, outside of an action.

use std::time::Duration;

use sluice_api::helm::{HelmRelease, ReleaseAction};
use sluice_engine::Run;
use sluice_helm::Delivery;
use sluice_helm::cluster::{Cluster as _, Goal, build};

use super::cluster::ActionCluster;
use super::{Performer, RunState};
use crate::helm_release::fault::Fault;
use crate::helm_release::{options, spec};

/// The time in which healthy objects are found so.
const TIMEOUT: Duration = Duration::from_secs(10);

impl Performer {
    /// Whether the objects of the last record are as the last action has waited for.
    pub(super) async fn check_health(
        &self,
        object: &HelmRelease,
        state: &RunState,
        run: &Run<HelmRelease>,
    ) -> Result<bool, Fault> {
        let session = state.session()?;
        let failed = |error: &dyn std::fmt::Display| Fault::unknown_state(&error.to_string());
        let store = session.store(spec::storage_namespace(object));
        let last = store.last(&spec::short_name(object)).await;
        let last = last.map_err(|error| failed(&error))?;
        let built = build(&session.cluster, &last.manifest, &last.namespace, false).await;
        let objects = built.map_err(|error| failed(&error))?;
        let attempted = state.facts.attempted();
        let Delivery {
            wait,
            waits_for_jobs,
            ..
        } = match attempted {
            Some(ReleaseAction::Install) => options::install(object, &self.policy).delivery,
            _ => options::upgrade(object, &self.policy, &last.apply_method).delivery,
        };
        let goal = if waits_for_jobs {
            Goal::ReadyWithJobs
        } else {
            Goal::Ready
        };
        let cluster = ActionCluster::new(session, run, false);
        Ok(cluster.wait(&objects, goal, wait, TIMEOUT).await.is_ok())
    }
}
