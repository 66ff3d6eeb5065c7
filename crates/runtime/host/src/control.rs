//! Runs probes, metrics and the lease apart from reconciliations.
//!
//! A busy runtime answers late. A late probe restarts the process, and a late renewal loses the
//! lease. So a process gives these a runtime thread and a connection of their own.

use std::future::Future;

use sluice_client::{Cluster, Config, ConnectError, Options};
use sluice_system::timed;
use tokio::runtime::Handle;
use tokio_util::task::AbortOnDropHandle;

/// The runtime and the connection of probes, metrics and the lease.
pub(crate) struct ControlRuntime {
    handle: Handle,
    cluster: Cluster,
}

impl ControlRuntime {
    /// Connects on the runtime of `handle`.
    pub(crate) fn connect(
        handle: Handle,
        config: Config,
        options: Options,
    ) -> Result<Self, ConnectError> {
        let entered = handle.enter();
        let cluster = Cluster::connect(config, options)?;
        drop(entered);
        Ok(Self { handle, cluster })
    }

    /// Uses a connection that was made on the runtime of `handle`.
    pub(crate) const fn over(handle: Handle, cluster: Cluster) -> Self {
        Self { handle, cluster }
    }

    /// Shares the current runtime and the connection of reconciliations.
    pub(crate) fn shared(cluster: Cluster) -> Self {
        Self {
            handle: Handle::current(),
            cluster,
        }
    }

    /// The connection. Its requests run on this runtime.
    pub(crate) fn cluster(&self) -> &Cluster {
        &self.cluster
    }

    /// Runs work on this runtime. Dropping the future aborts the work.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> T {
        match AbortOnDropHandle::new(self.handle.spawn(timed(work))).await {
            Ok(result) => result,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            // The runtime ends with the process only.
            Err(_) => std::future::pending().await,
        }
    }
}
