//! The task that claims the storage and serves its artifacts.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};

use hyper_util::service::TowerToHyperService;
use sluice_artifact::FileError;
use sluice_artifact::server::{self, CHUNK_BYTES, Listing};
use sluice_artifact::storage::{self, Claim, ClaimError, Storage};
use sluice_digest::Algorithm;
use sluice_engine::Task;
use sluice_host::{ConnectionLimits, serve_connections};
use tokio_util::sync::CancellationToken;

use crate::storage::KindStorage;

/// The limits of the server.
const LIMITS: ConnectionLimits = ConnectionLimits {
    // Limits the memory of a slow client: hyper's default buffer is 400 KiB.
    buffer_bytes: CHUNK_BYTES,
    header_timeout: None,
    connections: None,
};

/// Signals that the storage is claimed; reconciling starts after it.
#[derive(Debug, Clone, Default)]
pub struct StorageReady(CancellationToken);

impl StorageReady {
    fn signal(&self) {
        self.0.cancel();
    }

    /// Waits for the signal.
    pub async fn wait(&self) {
        self.0.cancelled().await;
    }
}

/// Serves artifacts. Only the leader serves: clients of a standby would miss files.
#[derive(Debug)]
pub struct ArtifactServer {
    /// The files.
    pub storage: Arc<Storage>,
    /// The kinds whose artifacts the storage holds.
    pub kinds: Vec<Arc<KindStorage>>,
    /// The owner of the storage, by [`storage_owner`].
    pub owner: String,
    /// The address to serve on, if any.
    pub listen: Option<SocketAddr>,
    /// Whether requests for directories are answered.
    pub listing: Listing,
}

/// Why artifacts cannot be served.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error("unable to tidy up storage")]
    Sweep(#[from] FileError),
    #[error(transparent)]
    Prepare(Box<dyn Error + Send + Sync>),
    #[error("cannot serve artifacts on {address}")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
}

impl ArtifactServer {
    /// Claims the storage, removes temporary files of a killed process, awaits `prepare`, signals
    /// `ready` and serves the artifacts.
    pub fn into_task<E>(
        self,
        ready: StorageReady,
        prepare: impl Future<Output = Result<(), E>> + Send + 'static,
    ) -> Task
    where
        E: Error + Send + Sync + 'static,
    {
        Task::new("artifact-server", async move |stop: CancellationToken| {
            let Self {
                storage,
                kinds,
                owner,
                listen,
                listing,
            } = self;
            let claimed = Arc::clone(&storage);
            let claiming = tokio::task::spawn_blocking(move || claim(&claimed, &kinds, &owner));
            let _claim = claiming.await.expect("claiming a storage does not panic")?;
            prepare
                .await
                .map_err(|error| ServeError::Prepare(error.into()))?;
            if let Some(address) = listen {
                let listener = sluice_host::listen(address)
                    .await
                    .map_err(|source| ServeError::Listen { address, source })?;
                tracing::info!(%address, "serving artifacts");
                ready.signal();
                let router = server::router(storage, listing);
                let service = || TowerToHyperService::new(router.clone());
                serve_connections(listener, LIMITS, service, stop).await;
            } else {
                ready.signal();
                stop.cancelled().await;
            }
            Ok::<(), ServeError>(())
        })
    }
}

/// Claims the storage and removes temporary files of a killed process. Blocks.
fn claim(storage: &Storage, kinds: &[Arc<KindStorage>], owner: &str) -> Result<Claim, ServeError> {
    let holder = format!("{} (process {})", hostname(), std::process::id());
    let claim = storage.claim(owner, &holder)?;
    let kinds: Vec<&str> = kinds.iter().map(|storage| storage.kind()).collect();
    let removed = storage.remove_temporary_files(&kinds)?;
    if removed > 0 {
        tracing::info!(removed, "removed temporary files of an earlier process");
    }
    Ok(claim)
}

/// The name under which a controller owns storage. Shards that share a volume must not exclude
/// each other.
pub fn storage_owner(controller: &str, selector: &str) -> String {
    if selector.is_empty() {
        controller.to_owned()
    } else {
        let shard = Algorithm::Sha256.digest(selector.as_bytes());
        format!("{controller}-{}", shard.hex())
    }
}

/// The address in the URLs of artifacts, from `--storage-adv-addr` and `--storage-addr`.
pub(crate) fn advertised_address(given: &str, listen: &str) -> String {
    storage::advertised_address(given, listen, hostname())
}

fn hostname() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned()
    })
}
