//! Fetches remote bases.
//!
//! The fetcher uses neither impersonation nor SSH keys: a remote base is public, or its URL holds
//! the credentials. A build that waits for a server releases its slot.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sluice_kustomize::Fs;
use sluice_kustomize::remote::{FetchError, Fetcher, Repository};
use sluice_trees::{FetchSettings, RemoteFetcher};
use tokio::runtime::Handle;

use super::build_slot::BuildSlot;
use crate::NAME;

/// Maximum timeout of a fetch, whatever its URL asks for.
const MAX_FETCH_TIMEOUT: Duration = Duration::from_mins(2);

/// Returns the fetcher of remote bases.
pub(super) fn remotes() -> RemoteFetcher {
    let settings = FetchSettings {
        user_agent: format!("{NAME}/{}", env!("CARGO_PKG_VERSION")),
        ssh: None,
        allow_local: false,
        max_timeout: MAX_FETCH_TIMEOUT,
    };
    RemoteFetcher::on(Handle::current(), settings)
}

/// A fetcher for one build. It releases the build's slot during requests.
pub(super) struct BuildFetcher {
    slot: Arc<BuildSlot>,
    fetcher: Arc<dyn Fetcher>,
    /// No fetch begins later.
    deadline: Option<Instant>,
    was_used: AtomicBool,
}

impl BuildFetcher {
    /// `limit` is the time of the build. A build has many fetches, and each has a timeout of its
    /// own.
    pub(super) fn new(slot: &Arc<BuildSlot>, fetcher: Arc<dyn Fetcher>, limit: Duration) -> Self {
        Self {
            slot: Arc::clone(slot),
            fetcher,
            deadline: Instant::now().checked_add(limit),
            was_used: AtomicBool::new(false),
        }
    }

    /// Whether the build has read a remote base.
    pub(super) fn was_used(&self) -> bool {
        self.was_used.load(Ordering::Relaxed)
    }

    fn with_slot_released<T>(
        &self,
        request: impl FnOnce(&dyn Fetcher) -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        self.was_used.store(true, Ordering::Relaxed);
        if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            let message = "the build has no time left to fetch remote bases (spec.timeout)";
            return Err(FetchError::Failed(message.to_owned()));
        }
        self.slot.release_while(|| request(self.fetcher.as_ref()))
    }
}

impl Fetcher for BuildFetcher {
    fn fetch_file(&self, url: &str, limit: u64) -> Result<Vec<u8>, FetchError> {
        self.with_slot_released(|fetcher| fetcher.fetch_file(url, limit))
    }

    fn fetch_repository(&self, repository: &Repository) -> Result<Arc<dyn Fs>, FetchError> {
        self.with_slot_released(|fetcher| fetcher.fetch_repository(repository))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroUsize;

    use sluice_system::permits::FairPermits;

    use super::*;

    /// Returns the number of free permits as its error.
    struct PermitCounter(FairPermits);

    impl Fetcher for PermitCounter {
        fn fetch_file(&self, _url: &str, _limit: u64) -> Result<Vec<u8>, FetchError> {
            Err(FetchError::Failed(self.0.free().to_string()))
        }

        fn fetch_repository(&self, _repository: &Repository) -> Result<Arc<dyn Fs>, FetchError> {
            Err(FetchError::Failed(self.0.free().to_string()))
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn fetch_releases_build_slot() {
        let build_permits = FairPermits::new(NonZeroUsize::MIN);
        let slot = BuildSlot::acquire(&build_permits, "apps").await;
        assert_eq!(build_permits.free(), 1);
        let counter = Arc::new(PermitCounter(build_permits.clone()));
        let fetcher = Arc::new(BuildFetcher::new(&slot, counter, MAX_FETCH_TIMEOUT));
        assert!(!fetcher.was_used());
        let shared = Arc::clone(&fetcher);
        let fetch = tokio::task::spawn_blocking(move || shared.fetch_file("http://x", 1));
        assert_eq!(
            fetch.await.unwrap(),
            Err(FetchError::Failed("2".to_owned()))
        );
        assert!(fetcher.was_used());
        drop(fetcher);
        assert_eq!(build_permits.free(), 1);
        drop(slot);
        assert_eq!(build_permits.free(), 2);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn no_fetch_begins_after_the_deadline() {
        let build_permits = FairPermits::new(NonZeroUsize::MIN);
        let slot = BuildSlot::acquire(&build_permits, "apps").await;
        let counter = Arc::new(PermitCounter(build_permits.clone()));
        let fetcher = BuildFetcher::new(&slot, counter, Duration::ZERO);
        let fetched = fetcher.fetch_file("http://x", 1);
        assert!(
            matches!(&fetched, Err(FetchError::Failed(why)) if why.contains("spec.timeout")),
            "{fetched:?}"
        );
    }
}
