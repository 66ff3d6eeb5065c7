//! Remote bases, as this controller fetches them.
//!
//! Nobody is impersonated on the way, and no key of this pod is used: what is
//! fetched is open to everyone, or says in its URL who may have it. A build that
//! waits for a server lets another one have its core meanwhile.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sluice_kustomize::Fs;
use sluice_kustomize::remote::{FetchError, Fetcher, Repository};
use sluice_trees::{FetchSettings, RemoteFetcher};
use tokio::runtime::Handle;

use super::turn::Turn;
use crate::NAME;

/// No remote base is waited for any longer, whatever its URL asks for.
const PATIENCE: Duration = Duration::from_mins(2);

/// The way to remote bases.
pub(super) fn remotes() -> RemoteFetcher {
    let settings = FetchSettings {
        user_agent: format!("{NAME}/{}", env!("CARGO_PKG_VERSION")),
        ssh: None,
        allow_local: false,
        max_timeout: PATIENCE,
    };
    RemoteFetcher::on(Handle::current(), settings)
}

/// A fetcher for one build that gives the build's turn back while it waits.
pub(super) struct Lent {
    turn: Arc<Turn>,
    fetcher: Arc<dyn Fetcher>,
    was_asked: AtomicBool,
}

impl Lent {
    pub(super) fn new(turn: &Arc<Turn>, fetcher: Arc<dyn Fetcher>) -> Self {
        Self {
            turn: Arc::clone(turn),
            fetcher,
            was_asked: AtomicBool::new(false),
        }
    }

    /// Whether the build has read anything that is not its own.
    pub(super) fn was_asked(&self) -> bool {
        self.was_asked.load(Ordering::Relaxed)
    }

    fn ask<T>(&self, question: impl FnOnce(&dyn Fetcher) -> T) -> T {
        self.was_asked.store(true, Ordering::Relaxed);
        self.turn.pause(|| question(self.fetcher.as_ref()))
    }
}

impl Fetcher for Lent {
    fn fetch_file(&self, url: &str, limit: u64) -> Result<Vec<u8>, FetchError> {
        self.ask(|fetcher| fetcher.fetch_file(url, limit))
    }

    fn fetch_repository(&self, repository: &Repository) -> Result<Arc<dyn Fs>, FetchError> {
        self.ask(|fetcher| fetcher.fetch_repository(repository))
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Semaphore;

    use super::*;

    /// Notes how many turns are free while it is asked.
    struct Looking(Arc<Semaphore>);

    impl Fetcher for Looking {
        fn fetch_file(&self, _url: &str, _limit: u64) -> Result<Vec<u8>, FetchError> {
            Err(FetchError::Failed(self.0.available_permits().to_string()))
        }

        fn fetch_repository(&self, _repository: &Repository) -> Result<Arc<dyn Fs>, FetchError> {
            Err(FetchError::Failed(self.0.available_permits().to_string()))
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_build_that_waits_for_a_server_lets_another_one_run() {
        let builders = Arc::new(Semaphore::new(1));
        let turn = Turn::take(&builders).await;
        assert_eq!(builders.available_permits(), 0);
        let looking = Arc::new(Looking(Arc::clone(&builders)));
        let fetcher = Arc::new(Lent::new(&turn, looking));
        assert!(!fetcher.was_asked());
        let asking = Arc::clone(&fetcher);
        let asked = tokio::task::spawn_blocking(move || asking.fetch_file("http://x", 1));
        assert_eq!(
            asked.await.unwrap(),
            Err(FetchError::Failed("1".to_owned()))
        );
        assert!(fetcher.was_asked());
        drop(fetcher);
        assert_eq!(builders.available_permits(), 0);
        drop(turn);
        assert_eq!(builders.available_permits(), 1);
    }
}
