//! Keeps the trusted root of the public instance current.
//!
//! The root is part of the binary. The first use of it begins a refresh in the background, which is
//! repeated each day. No reconciliation waits for it. A refused answer changes nothing.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use http::StatusCode;
use sluice_attest::sigstore::tuf::{InvalidMetadata, MAX_METADATA_BYTES, Repository};
use sluice_attest::sigstore::{InvalidRoot, PUBLIC_ROOT, TrustedRoot};
use sluice_dial::{Client, Dial, DialError, HttpClients, exchange};
use sluice_engine::Task;
use sluice_golang::error::chain;
use sluice_system::Clock;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The time between refreshes, and after a failed one.
const INTERVAL: Duration = Duration::from_hours(24);
const RETRY: Duration = Duration::from_mins(10);
/// The time limit of a refresh.
const TIMEOUT: Duration = Duration::from_secs(30);
/// Maximum number of new root files in a refresh.
const MAX_ROOTS: usize = 64;

/// The trusted root of the public instance.
#[derive(Debug)]
pub(crate) struct PublicRoot {
    current: RwLock<Arc<[u8]>>,
    used: Notify,
}

/// Why a refresh failed.
#[derive(Debug, thiserror::Error)]
enum RefreshError {
    #[error(transparent)]
    Dial(#[from] DialError),
    #[error("failed to fetch {path}: {why}")]
    Fetch { path: String, why: String },
    #[error(transparent)]
    Metadata(#[from] InvalidMetadata),
    #[error("the trusted root is not the one that its metadata names")]
    Target,
    #[error(transparent)]
    Root(#[from] InvalidRoot),
    #[error("the metadata has more than {MAX_ROOTS} new roots")]
    Roots,
    #[error("the refresh took longer than {}s", TIMEOUT.as_secs())]
    TooLate,
}

impl PublicRoot {
    /// The root in the binary.
    pub(super) fn embedded() -> Self {
        Self {
            current: RwLock::new(PUBLIC_ROOT.into()),
            used: Notify::new(),
        }
    }

    /// The current root.
    pub(super) fn get(&self) -> Arc<[u8]> {
        self.used.notify_one();
        let current = self.current.read();
        Arc::clone(&current.unwrap_or_else(PoisonError::into_inner))
    }

    fn set(&self, root: Arc<[u8]>) {
        *self.current.write().unwrap_or_else(PoisonError::into_inner) = root;
    }

    /// Refreshes the root from a mirror, once it is used.
    pub(crate) fn refresh(
        self: &Arc<Self>,
        mirror: &str,
        http: Arc<HttpClients>,
        clock: Arc<dyn Clock>,
    ) -> Task {
        let root = Arc::clone(self);
        let mirror = mirror.trim_end_matches('/').to_owned();
        Task::new("sigstore-root", async move |stop: CancellationToken| {
            let mut repository = None;
            loop {
                tokio::select! {
                    () = stop.cancelled() => return Ok::<_, std::convert::Infallible>(()),
                    () = root.used.notified() => {}
                }
                let refreshing = root.refresh_once(&mirror, &http, &*clock, &mut repository);
                let refreshed = tokio::time::timeout(TIMEOUT, refreshing).await;
                let pause = match refreshed.unwrap_or(Err(RefreshError::TooLate)) {
                    Ok(()) => INTERVAL,
                    Err(error) => {
                        tracing::warn!(error = %chain(&error), "trusted root of Sigstore was not refreshed");
                        RETRY
                    }
                };
                tokio::select! {
                    () = stop.cancelled() => return Ok(()),
                    () = tokio::time::sleep(pause) => {}
                }
            }
        })
    }

    /// Fetches the metadata and the root that it names. The repository keeps the versions that were
    /// seen, so that they do not go back.
    async fn refresh_once(
        &self,
        mirror: &str,
        http: &HttpClients,
        clock: &dyn Clock,
        known: &mut Option<Repository>,
    ) -> Result<(), RefreshError> {
        let mirror = Mirror {
            address: mirror,
            client: http.get(&Dial::default())?,
        };
        let mut repository = match known {
            Some(repository) => repository.clone(),
            None => Repository::public()?,
        };
        for count in 0.. {
            let Some(root) = mirror.find(&repository.next_root()).await? else {
                break;
            };
            if count >= MAX_ROOTS {
                return Err(RefreshError::Roots);
            }
            repository.update_root(&root)?;
        }
        let now = clock.now();
        let timestamp = mirror.fetch("timestamp.json").await?;
        let path = repository.update_timestamp(&timestamp, now)?;
        let path = repository.update_snapshot(&mirror.fetch(&path).await?, now)?;
        let file = repository.update_targets(&mirror.fetch(&path).await?, now)?;
        let root = mirror.fetch(&file.path).await?;
        if !file.matches(&root) {
            return Err(RefreshError::Target);
        }
        TrustedRoot::parse(&root)?;
        self.set(root.as_slice().into());
        *known = Some(repository);
        tracing::debug!("trusted root of Sigstore refreshed");
        Ok(())
    }
}

/// The server of the metadata.
struct Mirror<'a> {
    address: &'a str,
    client: Client,
}

impl Mirror<'_> {
    /// Fetches a file, or returns `None` if it does not exist.
    async fn find(&self, path: &str) -> Result<Option<Vec<u8>>, RefreshError> {
        let failed = |why: String| RefreshError::Fetch {
            path: path.to_owned(),
            why,
        };
        let request = self.client.get(format!("{}/{path}", self.address));
        let (status, body) = exchange(request, MAX_METADATA_BYTES)
            .await
            .map_err(failed)?;
        match status {
            StatusCode::OK => Ok(Some(body.into())),
            // The store of the public mirror answers so for a missing file.
            StatusCode::NOT_FOUND | StatusCode::FORBIDDEN => Ok(None),
            other => Err(failed(format!("server answered {other}"))),
        }
    }

    async fn fetch(&self, path: &str) -> Result<Vec<u8>, RefreshError> {
        let found = self.find(path).await?;
        found.ok_or_else(|| RefreshError::Fetch {
            path: path.to_owned(),
            why: "it does not exist".to_owned(),
        })
    }
}

#[cfg(test)]
mod tests;
