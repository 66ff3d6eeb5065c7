//! Helm repositories over HTTP and in registries, for both kinds that use them.
//!
//! [`access`] reads the Secrets of a `HelmRepository`. [`http`] downloads indexes and charts,
//! [`registry`] pulls charts, and [`address`] makes URLs.

pub(crate) mod access;
pub(crate) mod address;
pub(crate) mod http;
pub(crate) mod registry;

use std::future::Future;
use std::sync::Arc;

use sluice_dial::{HttpClients, RemotePermits};
use sluice_engine::{Kind, Run};

use crate::args::Args;

/// User agent for repositories over HTTP, the same as Flux's.
const USER_AGENT: &str = "Helm/4.2";

/// The HTTP clients and the limits of both kinds.
#[derive(Debug, Clone)]
pub(crate) struct HelmClients {
    pub(crate) http: Arc<HttpClients>,
    pub(crate) limits: HelmLimits,
    /// Limits the objects that use one host at a time.
    permits: Arc<RemotePermits>,
}

impl HelmClients {
    pub(crate) fn new(args: &Args) -> Self {
        Self {
            http: Arc::new(HttpClients::new(USER_AGENT)),
            limits: HelmLimits::of(args),
            // As many objects may use one host at a time as there are workers.
            permits: Arc::new(RemotePermits::new(args.concurrent)),
        }
    }

    /// Waits for a host without a worker. Only as many objects as there are workers do so at once.
    pub(crate) async fn ask<K: Kind, F: Future>(
        &self,
        run: &Run<K>,
        host: &str,
        asking: F,
    ) -> F::Output {
        let waiting = async {
            let _permit = self.permits.acquire(host).await;
            asking.await
        };
        run.release(Box::pin(waiting)).await
    }
}

/// The limits of `--helm-*-max-size`, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct HelmLimits {
    /// An index, as downloaded.
    pub(crate) index: u64,
    /// The archive of a chart.
    pub(crate) chart: u64,
    /// One file of a chart.
    pub(crate) chart_file: u64,
}

impl HelmLimits {
    fn of(args: &Args) -> Self {
        let size = |flag: i64| u64::try_from(flag).unwrap_or_default();
        Self {
            index: size(args.helm_index_max_size),
            chart: size(args.helm_chart_max_size),
            chart_file: size(args.helm_chart_file_max_size),
        }
    }

    /// The limits of a loaded chart.
    pub(crate) fn of_chart(&self) -> sluice_chart::load::Limits {
        sluice_chart::load::Limits {
            file: self.chart_file,
            ..sluice_chart::load::Limits::default()
        }
    }
}
