//! Downloads artifacts, with a first attempt and a retrying fetcher for each host.
//!
//! Retries can last minutes while source-controller restarts. The first attempt holds the worker,
//! the retries release it. A bounded cache serves objects that read the same artifact.

use std::sync::Arc;
use std::time::Duration;

use sluice_api::artifact::Artifact;
use sluice_artifact::cache::CacheBounds;
use sluice_artifact::fetch::{Download, DownloadCache, Error, Fetcher, Options};
use sluice_dial::{Dial, DialError, HttpClients, Retry};
use sluice_engine::{Kind, Run};

/// Prefix of the host that serves source-watcher's artifacts.
const SOURCE_WATCHER: &str = "source-watcher";

/// Maximum age of cached downloads. Most intervals are shorter.
const MAX_CACHE_AGE: Duration = Duration::from_hours(1);

/// Bounds of the cache for small archives.
const MEMORY_CACHE_BOUNDS: CacheBounds = CacheBounds {
    bytes: 8 << 20,
    age: MAX_CACHE_AGE,
};

/// Bounds of the cache for large archives.
const FILE_CACHE_BOUNDS: CacheBounds = CacheBounds {
    bytes: 128 << 20,
    age: MAX_CACHE_AGE,
};

/// Settings of the downloads.
#[derive(Debug, Clone, Default)]
pub struct FetchOptions {
    /// User agent.
    pub user_agent: String,
    /// Number of attempts (`--http-retry`).
    pub attempts: u32,
    /// Host that replaces the host of source-controller's artifacts; empty for none.
    pub source_controller: String,
    /// Host that replaces the host of source-watcher's artifacts; empty for none.
    pub source_watcher: String,
}

/// Downloads artifacts.
#[derive(Debug)]
pub struct ArtifactFetcher {
    controller: HostFetchers,
    watcher: HostFetchers,
    cache: Arc<DownloadCache>,
}

/// Fetchers for one host.
#[derive(Debug)]
struct HostFetchers {
    first_attempt: Fetcher,
    retrying: Option<Fetcher>,
}

impl ArtifactFetcher {
    /// Creates the fetchers.
    pub fn new(options: &FetchOptions) -> Result<Self, DialError> {
        let client = HttpClients::new(&options.user_agent).get(&Dial::default())?;
        let cache = Arc::new(DownloadCache::new(MEMORY_CACHE_BOUNDS, FILE_CACHE_BOUNDS));
        let pair = |host: &str| {
            let of_retries = |retries| Options {
                retry: Retry::ARTIFACT.times(retries),
                host: (!host.is_empty()).then(|| host.to_owned()),
                cache: Arc::clone(&cache),
                ..Options::default()
            };
            HostFetchers {
                first_attempt: Fetcher::new(client.clone(), of_retries(0)),
                // The first fetcher made the first attempt.
                retrying: options
                    .attempts
                    .checked_sub(1)
                    .map(|left| Fetcher::new(client.clone(), of_retries(left))),
            }
        };
        Ok(Self {
            controller: pair(&options.source_controller),
            watcher: pair(&options.source_watcher),
            cache,
        })
    }

    /// The cache of all downloads.
    pub fn cache(&self) -> &DownloadCache {
        &self.cache
    }

    /// Downloads an artifact and checks its digest.
    pub async fn fetch<K: Kind>(
        &self,
        artifact: &Artifact,
        run: &Run<K>,
    ) -> Result<Arc<Download>, Error> {
        let host = artifact.url.split_once("://").map_or("", |(_, rest)| rest);
        let pair = if host.starts_with(SOURCE_WATCHER) {
            &self.watcher
        } else {
            &self.controller
        };
        let first = pair
            .first_attempt
            .fetch(&artifact.url, &artifact.digest)
            .await;
        match (first, &pair.retrying) {
            (Err(error), Some(retrying)) if is_transient(&error) => {
                tracing::debug!(%error, "artifact not downloaded at once");
                let again = retrying.fetch(&artifact.url, &artifact.digest);
                match run.release(again).await {
                    // The first error is the cause; later ones often say less.
                    Err(last) if is_transient(&last) => Err(error),
                    ended => ended,
                }
            }
            (first, _) => first,
        }
    }
}

fn is_transient(error: &Error) -> bool {
    match error {
        Error::Transport { .. } | Error::IdleTimeout { .. } => true,
        Error::Status { status, .. } => sluice_dial::retry::is_transient(*status),
        _ => false,
    }
}
