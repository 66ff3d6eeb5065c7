//! Downloads: one fetcher for the first try, one that is patient.
//!
//! A source controller that restarts is away for a while, and a patient download
//! lasts minutes. It must not keep a worker from others meanwhile; so the first try
//! is made with the worker, and only the repeats without. What was downloaded is kept for a
//! while, within bounds: many Kustomizations read one artifact, and each reads it again at each
//! interval.

use std::sync::Arc;

use sluice_api::artifact::Artifact;
use sluice_api::kustomize::Kustomization;
use sluice_artifact::cache::CacheBounds;
use sluice_artifact::fetch::{Download, DownloadCache, Error, Fetcher, Options};
use sluice_dial::{Dial, DialError, HttpClients, Retry};
use sluice_engine::Run;

use super::KEPT;
use crate::NAME;
use crate::args::Args;

/// The host that source-watcher's artifacts are served under begins so.
const SOURCE_WATCHER: &str = "source-watcher";

/// Archives that are kept for other Kustomizations and further runs: small ones.
const IN_MEMORY: CacheBounds = CacheBounds {
    bytes: 8 << 20,
    age: KEPT,
};

/// Large ones.
const IN_FILES: CacheBounds = CacheBounds {
    bytes: 128 << 20,
    age: KEPT,
};

/// Downloads artifacts.
#[derive(Debug)]
pub(super) struct Artifacts {
    controller: Pair,
    watcher: Pair,
}

/// The same way to a host, with and without patience.
#[derive(Debug)]
struct Pair {
    eager: Fetcher,
    patient: Option<Fetcher>,
}

impl Artifacts {
    pub(super) fn new(args: &Args) -> Result<Self, DialError> {
        let client = HttpClients::new(format!("{NAME}/{}", env!("CARGO_PKG_VERSION")))
            .get(&Dial::default())?;
        let kept = Arc::new(DownloadCache::new(IN_MEMORY, IN_FILES));
        let pair = |host: &str| {
            let options = |retries| Options {
                retry: Retry::ARTIFACT.times(retries),
                host: (!host.is_empty()).then(|| host.to_owned()),
                cache: Arc::clone(&kept),
                ..Options::default()
            };
            Pair {
                eager: Fetcher::new(client.clone(), options(0)),
                // The eager try was the first attempt.
                patient: args
                    .http_retry
                    .checked_sub(1)
                    .map(|left| Fetcher::new(client.clone(), options(left))),
            }
        };
        Ok(Self {
            controller: pair(&args.source_controller_localhost),
            watcher: pair(&args.source_watcher_localhost),
        })
    }

    /// Downloads an artifact and checks its digest.
    pub(super) async fn fetch(
        &self,
        artifact: &Artifact,
        run: &Run<Kustomization>,
    ) -> Result<Arc<Download>, Error> {
        let host = artifact.url.split_once("://").map_or("", |(_, rest)| rest);
        let pair = if host.starts_with(SOURCE_WATCHER) {
            &self.watcher
        } else {
            &self.controller
        };
        let first = pair.eager.fetch(&artifact.url, &artifact.digest).await;
        match (first, &pair.patient) {
            (Err(error), Some(patient)) if is_transient(&error) => {
                tracing::debug!(%error, "artifact not downloaded at once");
                let again = patient.fetch(&artifact.url, &artifact.digest);
                match run.release(again).await {
                    // What came first is the cause; what came of it says less.
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
