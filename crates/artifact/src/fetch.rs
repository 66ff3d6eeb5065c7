//! Bringing an artifact in: download, check, only then use.
//!
//! Owns retries, the digest check and a cache that lets many consumers of one artifact download
//! it once. Refuses to give out a byte before the whole download has the expected digest, so an
//! archive is never opened that somebody else could have packed. Start at [`Fetcher::fetch`].

mod cache;
mod spool;

use std::sync::Arc;
use std::time::Duration;

use reqwest::{StatusCode, Url, header};

use crate::digest::{self, Digest};
use cache::Cache;
use spool::Spooler;
pub use spool::{Fetched, FetchedReader};

/// How artifacts are fetched.
#[derive(Debug, Clone)]
pub struct Options {
    /// How often a failed attempt is repeated.
    pub retries: u32,
    /// The pause before the first repetition; it doubles each time.
    pub pause: Duration,
    /// The longest pause.
    pub pause_limit: Duration,
    /// Replaces host and port of every URL, for controllers that run outside the cluster.
    pub host: Option<String>,
    /// The largest download that is accepted.
    pub size_limit: Option<u64>,
    /// Downloads kept for further consumers, in bytes. With none, only consumers that come
    /// while a download runs share it.
    pub cached: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            retries: 9,
            pause: Duration::from_secs(5),
            pause_limit: Duration::from_secs(30),
            host: None,
            size_limit: None,
            cached: 0,
        }
    }
}

/// Why an artifact could not be had.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server does not have it: the source has moved on, or has lost it.
    #[error("artifact not found at {url}")]
    NotFound {
        /// Where it should have been.
        url: String,
    },
    /// The server answered something else than content.
    #[error("failed to download archive from {url}, status: {status}")]
    Status {
        /// Where it was asked for.
        url: String,
        /// What came back.
        status: StatusCode,
    },
    /// No answer, or one that broke off.
    #[error("failed to download archive from {url}")]
    Transport {
        /// Where it was asked for.
        url: String,
        /// What happened.
        source: reqwest::Error,
    },
    /// The URL in the status is none.
    #[error("invalid artifact URL '{url}'")]
    Url {
        /// As given.
        url: String,
    },
    /// The digest in the status cannot be checked.
    #[error("invalid artifact digest")]
    Digest(#[from] digest::ParseError),
    /// The download is not what the status promises.
    #[error("failed to verify archive: computed digest '{computed}' doesn't match '{expected}'")]
    Mismatch {
        /// What came.
        computed: Digest,
        /// What should have come.
        expected: Digest,
    },
    /// The download is larger than the limit.
    #[error("artifact at {url} is larger than {limit} bytes")]
    TooLarge {
        /// Where it was asked for.
        url: String,
        /// The limit.
        limit: u64,
    },
    /// The download could not be kept.
    #[error("spool download of {url}")]
    Spool {
        /// Where it came from.
        url: String,
        /// What failed.
        source: std::io::Error,
    },
}

impl Error {
    /// Whether asking again may help.
    fn transient(&self) -> bool {
        match self {
            Self::Transport { .. } => true,
            Self::Status { status, .. } => {
                status.is_server_error() || *status == StatusCode::TOO_MANY_REQUESTS
            }
            _ => false,
        }
    }
}

/// Fetches artifacts; one serves all consumers of a process.
#[derive(Debug)]
pub struct Fetcher {
    client: reqwest::Client,
    options: Options,
    cache: Cache,
}

impl Fetcher {
    /// Makes a fetcher over an HTTP client, whose proxy and trust the caller has settled.
    pub fn new(client: reqwest::Client, options: Options) -> Self {
        let cache = Cache::new(options.cached);
        Self {
            client,
            options,
            cache,
        }
    }

    /// Downloads an artifact, or joins a download of it, and checks its digest.
    ///
    /// The cache is keyed by URL and digest: by digest alone, whoever knows a digest could have
    /// bytes from a server that would refuse them.
    pub async fn fetch(&self, url: &str, digest: &str) -> Result<Arc<Fetched>, Error> {
        let expected: Digest = digest.parse()?;
        let url = self.target(url)?;
        let key = (url.to_string(), expected.clone());
        self.cache.get(key, || self.download(url, expected)).await
    }

    fn target(&self, text: &str) -> Result<Url, Error> {
        let invalid = || Error::Url {
            url: text.to_owned(),
        };
        let mut url = Url::parse(text).map_err(|_| invalid())?;
        if let Some(override_) = self.options.host.as_deref().filter(|host| !host.is_empty()) {
            let (host, port) = match override_.rsplit_once(':') {
                Some((host, port)) if !host.ends_with(':') => {
                    (host, Some(port.parse().map_err(|_| invalid())?))
                }
                _ => (override_, None),
            };
            url.set_host(Some(host)).map_err(|_| invalid())?;
            url.set_port(port).map_err(|()| invalid())?;
        }
        Ok(url)
    }

    async fn download(&self, url: Url, expected: Digest) -> Result<Fetched, Error> {
        let mut pause = self.options.pause;
        let mut left = self.options.retries;
        loop {
            let (error, asked) = match self.attempt(&url, &expected).await {
                Ok(fetched) => return Ok(fetched),
                Err(failed) => failed,
            };
            if left == 0 || !error.transient() {
                return Err(error);
            }
            left -= 1;
            let wait = asked.unwrap_or(pause).min(self.options.pause_limit);
            tracing::debug!(%error, ?wait, "retrying artifact download");
            tokio::time::sleep(wait).await;
            pause = (pause * 2).min(self.options.pause_limit);
        }
    }

    /// One attempt; with a failure comes the pause that the server asked for.
    async fn attempt(
        &self,
        url: &Url,
        expected: &Digest,
    ) -> Result<Fetched, (Error, Option<Duration>)> {
        let transport = |source: reqwest::Error| {
            let error = Error::Transport {
                url: url.to_string(),
                source: source.without_url(),
            };
            (error, None)
        };
        let mut response = self
            .client
            .get(url.clone())
            .send()
            .await
            .map_err(transport)?;
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => {
                let error = Error::NotFound {
                    url: url.to_string(),
                };
                return Err((error, None));
            }
            status => {
                let asked = response
                    .headers()
                    .get(header::RETRY_AFTER)
                    .and_then(|value| value.to_str().ok()?.parse().ok())
                    .map(Duration::from_secs);
                let error = Error::Status {
                    url: url.to_string(),
                    status,
                };
                return Err((error, asked));
            }
        }
        let limit = self.options.size_limit.unwrap_or(u64::MAX);
        let spool = |source| {
            let error = Error::Spool {
                url: url.to_string(),
                source,
            };
            (error, None)
        };
        let mut spooler = Spooler::new(expected.algorithm());
        while let Some(chunk) = response.chunk().await.map_err(transport)? {
            if spooler.size() + chunk.len() as u64 > limit {
                let error = Error::TooLarge {
                    url: url.to_string(),
                    limit,
                };
                return Err((error, None));
            }
            spooler.push(&chunk).await.map_err(spool)?;
        }
        let fetched = spooler.finish().await.map_err(spool)?;
        if fetched.digest() == expected {
            Ok(fetched)
        } else {
            let error = Error::Mismatch {
                computed: fetched.digest().clone(),
                expected: expected.clone(),
            };
            Err((error, None))
        }
    }
}
