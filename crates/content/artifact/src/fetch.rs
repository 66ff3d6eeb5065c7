//! Downloads artifacts and verifies their digests.
//!
//! No byte is returned before the digest of the whole download matches, so a forged archive is
//! never unpacked. Failed downloads are retried. Consumers of one artifact share one download
//! through a cache. Start at [`Fetcher::fetch`].

mod cache;
mod spool;

use std::sync::Arc;
use std::time::Duration;

use sluice_dial::retry::{self, Attempt, Retry};
use sluice_dial::{StatusCode, Url};

pub use cache::DownloadCache;
use cache::RunningDownloads;
use sluice_digest::Digest;
use spool::Spooler;
pub use spool::{Download, DownloadReader};

/// Options of a fetcher.
#[derive(Debug, Clone)]
pub struct Options {
    /// The retry policy.
    pub retry: Retry,
    /// Replaces host and port of each URL, for controllers outside of the cluster.
    pub host: Option<String>,
    /// Maximum size of a download in bytes.
    pub size_limit: Option<u64>,
    /// Maximum time without data, before and during the response.
    pub idle_timeout: Duration,
    /// The cache. The default one holds nothing, so only concurrent consumers share a download.
    pub cache: Arc<DownloadCache>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            retry: Retry::ARTIFACT,
            host: None,
            size_limit: None,
            idle_timeout: Duration::from_secs(30),
            cache: Arc::default(),
        }
    }
}

/// Why a download failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server does not have the artifact: the source has a newer one, or lost it.
    #[error("artifact not found at {url}")]
    NotFound {
        /// The requested URL.
        url: String,
    },
    /// The server returned another status.
    #[error("failed to download archive from {url}, status: {status}")]
    Status {
        /// Where it was asked for.
        url: String,
        /// The status.
        status: StatusCode,
    },
    /// The request failed, or the response was interrupted.
    #[error("failed to download archive from {url}")]
    Transport {
        /// Where it was asked for.
        url: String,
        /// The cause.
        source: sluice_dial::Error,
    },
    /// The server sent no data in time.
    #[error("failed to download archive from {url}: no data received for {}s", .timeout.as_secs_f32())]
    IdleTimeout {
        /// Where it was asked for.
        url: String,
        /// The time without data.
        timeout: Duration,
    },
    /// The artifact's URL is invalid.
    #[error("invalid artifact URL '{url}'")]
    Url {
        /// The URL.
        url: String,
    },
    /// The artifact's digest is invalid.
    #[error("invalid artifact digest")]
    Digest(#[from] sluice_digest::ParseError),
    /// The digest of the download is not the expected one.
    #[error(
        "failed to verify archive: computed digest doesn't match provided '{expected}' (check whether file size exceeds max download size)"
    )]
    Mismatch {
        /// The expected digest.
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
    /// The download could not be stored temporarily.
    #[error("spool download of {url}")]
    Spool {
        /// The requested URL.
        url: String,
        /// The cause.
        source: std::io::Error,
    },
}

/// Fetches artifacts. One fetcher serves all consumers of a process.
#[derive(Debug)]
pub struct Fetcher {
    client: sluice_dial::Client,
    options: Options,
    downloads: RunningDownloads,
}

impl Fetcher {
    /// Creates a fetcher. The HTTP client has the proxy and trust settings of the caller.
    pub fn new(client: sluice_dial::Client, options: Options) -> Self {
        let downloads = RunningDownloads::new(Arc::clone(&options.cache));
        Self {
            client,
            options,
            downloads,
        }
    }

    /// Downloads an artifact, or joins a running download, and verifies its digest.
    pub async fn fetch(&self, url: &str, digest: &str) -> Result<Arc<Download>, Error> {
        let expected = Digest::parse_artifact(digest)?;
        let url = self.target(url)?;
        let key = (url.to_string(), expected.clone());
        self.downloads
            .get(key, || self.download(url, expected))
            .await
    }

    fn target(&self, text: &str) -> Result<Url, Error> {
        let invalid = || Error::Url {
            url: text.to_owned(),
        };
        let mut url = Url::parse(text).map_err(|_| invalid())?;
        if let Some(authority) = self.options.host.as_deref().filter(|host| !host.is_empty()) {
            let (host, port) = match authority.rsplit_once(':') {
                Some((host, port)) if !host.ends_with(':') => {
                    (host, Some(port.parse().map_err(|_| invalid())?))
                }
                _ => (authority, None),
            };
            url.set_host(Some(host)).map_err(|_| invalid())?;
            url.set_port(port).map_err(|()| invalid())?;
        }
        Ok(url)
    }

    async fn download(&self, url: Url, expected: Digest) -> Result<Download, Error> {
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

    async fn attempt(&self, url: &Url, expected: &Digest) -> Attempt<Download, Error> {
        let mut response = match self
            .within_idle_timeout(url, self.client.get(url.clone()).send())
            .await
        {
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
            let chunk = match self.within_idle_timeout(url, response.chunk()).await {
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
            Ok(_) => Attempt::Failed(Error::Mismatch {
                expected: expected.clone(),
            }),
        }
    }
}

impl Fetcher {
    /// Waits for the next response part within the idle timeout, because a download holds a permit.
    async fn within_idle_timeout<T, U>(
        &self,
        url: &Url,
        part: impl Future<Output = Result<T, sluice_dial::Error>>,
    ) -> Result<T, Attempt<U, Error>> {
        let timeout = self.options.idle_timeout;
        match tokio::time::timeout(timeout, part).await {
            Ok(part) => part.map_err(|error| transport_error(url, error)),
            Err(_) => Err(Attempt::Again {
                error: Error::IdleTimeout {
                    url: url.to_string(),
                    timeout,
                },
                after: None,
            }),
        }
    }
}

/// A failed request or an interrupted response.
fn transport_error<T>(url: &Url, error: sluice_dial::Error) -> Attempt<T, Error> {
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
