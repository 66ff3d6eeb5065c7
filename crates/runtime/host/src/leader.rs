//! Leader election: one of several replicas works, and never beside a Flux controller of the same
//! name. The Lease and its timings are Flux's.
//!
//! [`election`] decides, purely; this module sends the requests. The age of a lease is measured
//! from its observed change, never by the clock of the holder. So the clocks of replicas may
//! differ.

use std::sync::Arc;
use std::time::Duration;

use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use kube::Api;
use kube::api::{ObjectMeta, PostParams};
use sluice_client::{Cluster, Fence};
use sluice_digest::Digest;
use sluice_engine::Metrics;
use sluice_engine::jitter::Jitter;
use sluice_system::Clock;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::args::SharedArgs;
use crate::host::host_name;

mod election;

use election::{Election, Step};

/// Attempts to release a lease. Only the renewal in flight can conflict.
const MAX_RELEASE_ATTEMPTS: u32 = 2;

/// Attempts that fit into the renewal deadline, because the connection of one may be dead.
const RENEWAL_ATTEMPTS: u32 = 3;

/// The name and the timings of a lease.
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
            namespace: shared.process.runtime_namespace.clone(),
            name: lease_name(controller, &shared.selector.watch_label_selector),
            duration: shared.process.leader_election_lease_duration,
            renew_deadline: shared.process.leader_election_renew_deadline,
            retry_period: shared.process.leader_election_retry_period,
            release: shared.process.leader_election_release_on_cancel,
        }
    }
}

/// The name of the lease. With a label selector, its hash separates shards.
fn lease_name(controller: &str, selector: &str) -> String {
    if selector.is_empty() {
        return format!("{controller}-leader-election");
    }
    let digest = Digest::of(selector.as_bytes());
    format!("{controller}-leader-election-{:.8}", digest.hex())
}

/// A lease held by this process.
pub(crate) struct Leadership {
    candidate: Candidate,
    lost: CancellationToken,
    renewal: JoinHandle<()>,
}

/// The holder of the lease after an attempt.
enum Holder {
    ThisProcess,
    Other,
    /// Another process wrote at the same time.
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
    fence: Fence,
    origin: Instant,
}

impl Leadership {
    /// Waits until this process holds the lease; `None` if `stop` is cancelled before.
    pub(crate) async fn acquire(
        cluster: Cluster,
        options: LeaseOptions,
        metrics: Metrics,
        clock: Arc<dyn Clock>,
        fence: Fence,
        stop: CancellationToken,
    ) -> Option<Self> {
        let host = host_name();
        let candidate = Candidate {
            api: Api::namespaced(cluster.unthrottled_client(), &options.namespace),
            cluster,
            identity: format!("{host}_{:032x}", fastrand::Rng::new().u128(..)),
            clock,
            metrics,
            fence,
            origin: Instant::now(),
            options,
        };
        let mut election = Election::new(&candidate.identity, candidate.options.duration);
        tracing::info!(lease = %candidate.options.name, "attempting to acquire leader lease");
        candidate
            .metrics
            .set_leading(&candidate.options.name, false);
        // client-go spreads candidates by up to 1.2 periods, so that they do not meet.
        let mut jitter = Jitter::new(20, fastrand::Rng::new());
        let mut is_failure_logged = false;
        let asked = loop {
            let asked = Instant::now();
            let attempt = tokio::select! {
                attempt = candidate.attempt(&mut election) => attempt,
                () = stop.cancelled() => return None,
            };
            match attempt {
                Ok(Holder::ThisProcess) => break asked,
                // Logged once: this may go on for long.
                Err(error) if !std::mem::replace(&mut is_failure_logged, true) => {
                    tracing::error!(lease = %candidate.options.name, error = %error, "failed to acquire lease");
                }
                Ok(Holder::Other | Holder::Contended) | Err(_) => {}
            }
            tokio::select! {
                () = tokio::time::sleep(jitter.apply(candidate.options.retry_period)) => {}
                () = stop.cancelled() => return None,
            }
        };
        candidate.extend_fence(asked);
        tracing::info!(lease = %candidate.options.name, "successfully acquired lease");
        candidate.metrics.set_leading(&candidate.options.name, true);
        let lost = CancellationToken::new();
        let renewal = sluice_system::spawn(candidate.clone().renew(election, lost.clone()));
        Some(Self {
            candidate,
            lost,
            renewal,
        })
    }

    /// Resolves when the lease is lost.
    pub(crate) async fn wait_for_loss(&self) {
        self.lost.cancelled().await;
        // A renewal that panicked did not close it.
        self.candidate.fence.close();
    }

    /// Stops leading, and releases the lease if configured.
    pub(crate) async fn end(self) {
        let is_lost = self.lost.is_cancelled();
        self.renewal.abort();
        // The result does not matter: it does not renew any more.
        let _ended = self.renewal.await;
        self.candidate
            .metrics
            .set_leading(&self.candidate.options.name, false);
        if is_lost {
            return;
        }
        // The tasks have ended. Events that wait may still be written.
        self.candidate.fence.open();
        if !self.candidate.options.release {
            return;
        }
        if let Err(error) = self.candidate.release().await {
            tracing::error!(lease = %self.candidate.options.name, error = %error, "failed to release lease");
        }
    }
}

impl Candidate {
    async fn renew(self, mut election: Election, lost: CancellationToken) {
        // The lease counts as lost when this ends, also by a panic.
        let _lost = lost.drop_guard();
        let attempt_timeout = self.options.renew_deadline / RENEWAL_ATTEMPTS;
        let mut renewed = Instant::now();
        loop {
            let deadline = renewed + self.options.renew_deadline;
            tokio::time::sleep(self.options.retry_period).await;
            // Other candidates measure from the write, which precedes its response.
            let asked = Instant::now();
            let until = deadline.min(asked + attempt_timeout);
            match tokio::time::timeout_at(until, self.attempt(&mut election)).await {
                Ok(Ok(Holder::ThisProcess)) => {
                    renewed = asked;
                    self.extend_fence(asked);
                    continue;
                }
                // Two leaders must never work at once.
                Ok(Ok(Holder::Other)) => break,
                Ok(Ok(Holder::Contended)) | Err(_) => {}
                Ok(Err(error)) => {
                    tracing::error!(lease = %self.options.name, error = %error, "failed to renew lease");
                }
            }
            if Instant::now() >= deadline {
                break;
            }
        }
        self.fence.close();
        self.metrics.set_leading(&self.options.name, false);
    }

    /// Lets writes pass until the deadline of the next renewal. Other candidates wait longer: until
    /// the lease ends.
    fn extend_fence(&self, asked: Instant) {
        self.fence.set_end(asked + self.options.renew_deadline);
    }

    /// Reads the lease and performs the next step.
    async fn attempt(&self, election: &mut Election) -> Result<Holder, sluice_client::Error> {
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
            Step::Wait => return Ok(Holder::Other),
            Step::Create(spec) => self.create(spec).await,
            Step::Update(spec) => self.update(live.unwrap_or_default(), spec).await,
        };
        match written {
            Ok(lease) => {
                election.record(lease.spec.unwrap_or_default(), self.origin.elapsed());
                Ok(Holder::ThisProcess)
            }
            // Another process wrote in between. The next attempt shows the holder.
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(Holder::Contended),
            Err(error) => Err(self.failed("write", error)),
        }
    }

    /// Releases the lease. The last renewal may arrive between the read and the write, so a
    /// conflict is retried.
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
                Err(kube::Error::Api(status))
                    if status.code == 409 && attempt < MAX_RELEASE_ATTEMPTS =>
                {
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
    fn label_selector_changes_the_lease_name() {
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
