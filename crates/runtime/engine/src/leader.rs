//! Leader election: one of several replicas works, and never beside a Flux
//! controller of the same name, since the Lease and its timings are Flux's.
//!
//! What to do with a lease is decided in [`election`], purely; here are the requests
//! and the clock. Time is counted from when *we* saw a change, never by the holder's
//! clock, so replicas may disagree about the hour.

use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::Api;
use kube::api::{ObjectMeta, PostParams};
use sluice_client::Cluster;
use sluice_digest::Digest;
use sluice_system::Clock;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::args::SharedArgs;
use crate::jitter::Jitter;
use crate::metrics::Metrics;

mod election;

use election::{Election, Step};

/// How often the release of a lease is tried: only the one renewal that was under way can be in
/// its way.
const RELEASES: u32 = 2;

/// How many attempts fit into the deadline of a renewal at least: the connection of one may be
/// dead without anybody's knowledge.
const RENEWALS: u32 = 3;

/// Which lease, and how patiently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LeaseOptions {
    namespace: String,
    name: String,
    duration: Duration,
    renew_deadline: Duration,
    retry_period: Duration,
    release: bool,
}

impl LeaseOptions {
    pub(crate) fn new(controller: &str, shared: &SharedArgs) -> Self {
        Self {
            namespace: shared.runtime_namespace.clone(),
            name: lease_name(controller, &shared.watch_label_selector),
            duration: shared.leader_election_lease_duration,
            renew_deadline: shared.leader_election_renew_deadline,
            retry_period: shared.leader_election_retry_period,
            release: shared.leader_election_release_on_cancel,
        }
    }
}

/// The name of the lease: with a label selector, its hash keeps shards apart.
fn lease_name(controller: &str, selector: &str) -> String {
    if selector.is_empty() {
        return format!("{controller}-leader-election");
    }
    let digest = Digest::of(selector.as_bytes());
    format!("{controller}-leader-election-{:.8}", digest.hex())
}

/// A lease that we hold, until it is lost or given up.
pub(crate) struct Lead {
    candidate: Candidate,
    lost: CancellationToken,
    renewal: JoinHandle<()>,
}

/// Whose lease it is after an attempt.
enum Standing {
    Ours,
    Theirs,
    Contended,
}

#[derive(Clone)]
struct Candidate {
    api: Api<Lease>,
    cluster: Cluster,
    options: LeaseOptions,
    identity: String,
    clock: Arc<dyn Clock>,
    metrics: Metrics,
    origin: Instant,
}

impl Lead {
    /// Waits until the lease is ours; `None` when told to stop before.
    pub(crate) async fn acquire(
        cluster: Cluster,
        options: LeaseOptions,
        metrics: Metrics,
        clock: &Arc<dyn Clock>,
        stop: &CancellationToken,
    ) -> Option<Self> {
        let host = rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned();
        let candidate = Candidate {
            api: Api::namespaced(cluster.urgent(), &options.namespace),
            cluster,
            identity: format!("{host}_{:032x}", fastrand::Rng::new().u128(..)),
            clock: Arc::clone(clock),
            metrics,
            origin: Instant::now(),
            options,
        };
        let mut election = Election::new(&candidate.identity, candidate.options.duration);
        tracing::info!(lease = %candidate.options.name, "attempting to acquire leader lease");
        candidate.metrics.leading(&candidate.options.name, false);
        // client-go spreads candidates by up to 1.2 periods, so that they do not meet.
        let mut jitter = Jitter::new(20, fastrand::Rng::new());
        let mut complained = false;
        loop {
            let attempt = tokio::select! {
                attempt = candidate.attempt(&mut election) => attempt,
                () = stop.cancelled() => return None,
            };
            match attempt {
                Ok(Standing::Ours) => break,
                // Once is enough until something else happens: this may go on for long.
                Err(error) if !std::mem::replace(&mut complained, true) => {
                    tracing::error!(lease = %candidate.options.name, error = %error, "leader lease cannot be acquired");
                }
                Ok(Standing::Theirs | Standing::Contended) | Err(_) => {}
            }
            tokio::select! {
                () = tokio::time::sleep(jitter.apply(candidate.options.retry_period)) => {}
                () = stop.cancelled() => return None,
            }
        }
        tracing::info!(lease = %candidate.options.name, "successfully acquired lease");
        candidate.metrics.leading(&candidate.options.name, true);
        let lost = CancellationToken::new();
        let renewal = tokio::spawn(candidate.clone().renew(election, lost.clone()));
        Some(Self {
            candidate,
            lost,
            renewal,
        })
    }

    /// Resolves when the lease is lost.
    pub(crate) async fn lost(&self) {
        self.lost.cancelled().await;
    }

    /// Stops leading, and gives the lease up if that is wanted and it is still ours.
    pub(crate) async fn end(self) {
        let is_lost = self.lost.is_cancelled();
        self.renewal.abort();
        // Aborted or ended: either way it renews no more.
        let _ended = self.renewal.await;
        self.candidate
            .metrics
            .leading(&self.candidate.options.name, false);
        if !self.candidate.options.release || is_lost {
            return;
        }
        if let Err(error) = self.candidate.release().await {
            tracing::error!(lease = %self.candidate.options.name, error = %error, "failed to release lease");
        }
    }
}

impl Candidate {
    async fn renew(self, mut election: Election, lost: CancellationToken) {
        // However this ends, a panic included: who does not renew does not lead.
        let _lost = lost.drop_guard();
        let patience = self.options.renew_deadline / RENEWALS;
        let mut renewed = Instant::now();
        loop {
            let deadline = renewed + self.options.renew_deadline;
            tokio::time::sleep(self.options.retry_period).await;
            // Rivals count from the write, which happens before its answer comes.
            let asked = Instant::now();
            let until = deadline.min(asked + patience);
            match tokio::time::timeout_at(until, self.attempt(&mut election)).await {
                Ok(Ok(Standing::Ours)) => {
                    renewed = asked;
                    continue;
                }
                // No use waiting for the deadline: two must never work at once.
                Ok(Ok(Standing::Theirs)) => break,
                Ok(Ok(Standing::Contended)) | Err(_) => {}
                Ok(Err(error)) => {
                    tracing::error!(lease = %self.options.name, error = %error, "failed to renew lease");
                }
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        self.metrics.leading(&self.options.name, false);
    }

    /// Reads the lease and does what the election says.
    async fn attempt(&self, election: &mut Election) -> Result<Standing, sluice_client::Error> {
        let live = self
            .api
            .get_opt(&self.options.name)
            .await
            .map_err(|error| self.failed("get", error))?;
        let spec = live
            .as_ref()
            .map(|lease| lease.spec.clone().unwrap_or_default());
        let written = match election.decide(spec.as_ref(), self.clock.now(), self.origin.elapsed())
        {
            Step::Wait => return Ok(Standing::Theirs),
            Step::Create(spec) => self.create(spec).await,
            Step::Update(spec) => self.update(live.unwrap_or_default(), spec).await,
        };
        match written {
            Ok(lease) => {
                election.wrote(lease.spec.unwrap_or_default(), self.origin.elapsed());
                Ok(Standing::Ours)
            }
            // Somebody wrote in between; the next look tells who.
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(Standing::Contended),
            Err(error) => Err(self.failed("write", error)),
        }
    }

    /// Leaves the lease to whoever comes first. The last renewal may arrive between our look and
    /// our word, so a conflict is looked at again.
    async fn release(&self) -> Result<(), sluice_client::Error> {
        let mut attempt = 1;
        loop {
            let live = self
                .api
                .get(&self.options.name)
                .await
                .map_err(|error| self.failed("get", error))?;
            let spec = live.spec.clone().unwrap_or_default();
            let Some(spec) = election::release(&spec, &self.identity, self.clock.now()) else {
                return Ok(());
            };
            match self.update(live, spec).await {
                Err(kube::Error::Api(status)) if status.code == 409 && attempt < RELEASES => {
                    attempt += 1;
                }
                released => {
                    return released
                        .map(drop)
                        .map_err(|error| self.failed("release", error));
                }
            }
        }
    }

    async fn create(&self, spec: LeaseSpec) -> Result<Lease, kube::Error> {
        let metadata = ObjectMeta {
            name: Some(self.options.name.clone()),
            namespace: Some(self.options.namespace.clone()),
            ..ObjectMeta::default()
        };
        self.api
            .create(
                &PostParams::default(),
                &Lease {
                    metadata,
                    spec: Some(spec),
                },
            )
            .await
    }

    async fn update(&self, live: Lease, spec: LeaseSpec) -> Result<Lease, kube::Error> {
        let lease = Lease {
            spec: Some(spec),
            ..live
        };
        self.api
            .replace(&self.options.name, &PostParams::default(), &lease)
            .await
    }

    fn failed(&self, action: &str, error: kube::Error) -> sluice_client::Error {
        self.cluster.error(
            format!(
                "{action} Lease {}/{}",
                self.options.namespace, self.options.name
            ),
            error,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_leases_of_their_own() {
        assert_eq!(
            lease_name("kustomize-controller", ""),
            "kustomize-controller-leader-election"
        );
        assert_eq!(
            lease_name("kustomize-controller", "sharding.fluxcd.io/key=shard1"),
            "kustomize-controller-leader-election-73fdc1be"
        );
    }
}
