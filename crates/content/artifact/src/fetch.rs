//! Bringing an artifact in: download, check, only then use.
//!
//! Owns retries, the digest check and a cache that lets many consumers of one artifact download
//! it once. Refuses to give out a byte before the whole download has the expected digest, so an
//! archive is never opened that somebody else could have packed. Start at [`Fetcher::fetch`].

mod cache;
mod spool;

use std::sync::Arc;
use std::time::Duration;

use reqwest::{StatusCode, Url};
use sluice_dial::retry::{self, Attempt, Retry};

use crate::digest::{self, Digest};
use cache::Cache;
pub use cache::Downloads;
use spool::Spooler;
pub use spool::{Fetched, FetchedReader};

/// How artifacts are fetched.
#[derive(Debug, Clone)]
pub struct Options {
    /// How often and how patiently a failed attempt is repeated.
    pub retry: Retry,
    /// Replaces host and port of every URL, for controllers that run outside the cluster.
    pub host: Option<String>,
    /// The largest download that is accepted.
    pub size_limit: Option<u64>,
    /// How long a server may be silent, before its answer and in the middle of it.
    pub silence: Duration,
    /// Downloads that are kept for further consumers. With none, only consumers that come
    /// while a download runs share it.
    pub kept: Arc<Downloads>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            retry: Retry::ARTIFACT,
            host: None,
            size_limit: None,
            silence: Duration::from_secs(30),
            kept: Arc::default(),
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
    /// The server fell silent.
    #[error("failed to download archive from {url}: nothing was heard for {}s", .silence.as_secs_f32())]
    Silent {
        /// Where it was asked for.
        url: String,
        /// For how long.
        silence: Duration,
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
        let cache = Cache::new(Arc::clone(&options.kept));
        Self {
            client,
            options,
            cache,
        }
    }

    /// Downloads an artifact, or joins a download of it, and checks its digest.
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
        self.options
            .retry
            .run(async |attempt| {
                let outcome = self.attempt(&url, &expected).await;
                if let Attempt::Again { error, .. } = &outcome {
                    tracing::debug!(%error, attempt, "artifact download failed");
                }
                outcome
            })
            .await
    }

    async fn attempt(&self, url: &Url, expected: &Digest) -> Attempt<Fetched, Error> {
        let mut response = match self.heard(url, self.client.get(url.clone()).send()).await {
            Ok(response) => response,
            Err(failed) => return failed,
        };
        match response.status() {
            StatusCode::OK => {}
            StatusCode::NOT_FOUND => {
                return Attempt::Failed(Error::NotFound {
                    url: url.to_string(),
                });
            }
            status => {
                let error = Error::Status {
                    url: url.to_string(),
                    status,
                };
                return if retry::is_transient(status) {
                    let after = retry::retry_after(response.headers());
                    Attempt::Again { error, after }
                } else {
                    Attempt::Failed(error)
                };
            }
        }
        let limit = self.options.size_limit.unwrap_or(u64::MAX);
        let spool = |source| {
            Attempt::Failed(Error::Spool {
                url: url.to_string(),
                source,
            })
        };
        let mut spooler = Spooler::new(expected.algorithm());
        loop {
            let chunk = match self.heard(url, response.chunk()).await {
                Ok(Some(chunk)) => chunk,
                Ok(None) => break,
                Err(failed) => return failed,
            };
            if spooler.size() + chunk.len() as u64 > limit {
                return Attempt::Failed(Error::TooLarge {
                    url: url.to_string(),
                    limit,
                });
            }
            if let Err(error) = spooler.push(&chunk).await {
                return spool(error);
            }
        }
        match spooler.finish().await {
            Err(error) => spool(error),
            Ok(fetched) if fetched.digest() == expected => Attempt::Done(fetched),
            Ok(fetched) => Attempt::Failed(Error::Mismatch {
                computed: fetched.digest().clone(),
                expected: expected.clone(),
            }),
        }
    }
}

impl Fetcher {
    /// Awaits the next word of a server, which must not be silent for long: a download holds a
    /// worker.
    async fn heard<T, U>(
        &self,
        url: &Url,
        word: impl Future<Output = Result<T, reqwest::Error>>,
    ) -> Result<T, Attempt<U, Error>> {
        let silence = self.options.silence;
        match tokio::time::timeout(silence, word).await {
            Ok(heard) => heard.map_err(|error| broken(url, error)),
            Err(_) => Err(Attempt::Again {
                error: Error::Silent {
                    url: url.to_string(),
                    silence,
                },
                after: None,
            }),
        }
    }
}

/// A request without an answer, or an answer that broke off.
fn broken<T>(url: &Url, error: reqwest::Error) -> Attempt<T, Error> {
    let transient = retry::is_transient_failure(&error);
    let error = Error::Transport {
        url: url.to_string(),
        source: error.without_url(),
    };
    if transient {
        Attempt::Again { error, after: None }
    } else {
        Attempt::Failed(error)
    }
}
