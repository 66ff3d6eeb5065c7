//! Downloads indexes and charts over HTTP.

use std::time::Duration;

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use sluice_api::source::HelmRepositorySpec;
use sluice_dial::{Basic, Dial, DialError, HttpClients, explain};
use sluice_digest::{Algorithm, Digest};
use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use sluice_producer::Spool;
use url::Url;

use super::access::HelmAccess;
use super::address::{display_url, is_same_host};

/// A repository over HTTP, with its credentials.
#[derive(Debug, Clone)]
pub(crate) struct HttpRepository {
    /// The address, with one slash at its end.
    pub(crate) url: Url,
    dial: Dial,
    basic: Option<Basic>,
    passes_credentials: bool,
    timeout: Duration,
}

/// A downloaded file.
#[derive(Debug)]
pub(crate) struct Download {
    pub(crate) content: Spool,
    pub(crate) digest: Digest,
    /// The headers for the question whether the file changed.
    pub(crate) validators: Validators,
}

/// The headers of a response that a later request repeats.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Validators {
    etag: Option<HeaderValue>,
    modified: Option<HeaderValue>,
}

impl Validators {
    fn of(headers: &HeaderMap) -> Self {
        Self {
            etag: headers.get(header::ETAG).cloned(),
            modified: headers.get(header::LAST_MODIFIED).cloned(),
        }
    }

    /// Whether a request with them can find out that the file is the same.
    pub(crate) fn are_usable(&self) -> bool {
        self.etag.is_some() || self.modified.is_some()
    }

    fn headers(&self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let etag = self.etag.clone().map(|etag| (header::IF_NONE_MATCH, etag));
        let modified = self.modified.clone();
        let modified = modified.map(|modified| (header::IF_MODIFIED_SINCE, modified));
        etag.into_iter().chain(modified)
    }
}

/// Why a download failed. The words are those of Helm and of Go.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DownloadError {
    #[error("failed to fetch {url} : {}", status_text(*status))]
    Status { url: String, status: StatusCode },
    #[error("Get \"{url}\": {reason}")]
    Transport { url: String, reason: String },
    #[error("Get \"{url}\": unsupported protocol scheme \"{scheme}\"")]
    Scheme { url: String, scheme: String },
    #[error(transparent)]
    Dial(#[from] DialError),
    #[error("exceeds the maximum size of {limit} bytes")]
    TooLarge { limit: u64 },
    #[error("failed to buffer the download: {}", chain(.0))]
    Disk(std::io::Error),
}

fn status_text(status: StatusCode) -> String {
    let reason = status.canonical_reason().unwrap_or_default();
    format!("{} {reason}", status.as_u16())
}

impl DownloadError {
    /// Whether credentials or certificates are the cause.
    pub(crate) fn is_denied(&self) -> bool {
        match self {
            Self::Status { status, .. } => *status == StatusCode::UNAUTHORIZED,
            Self::Transport { reason, .. } => {
                let reason = reason.to_ascii_lowercase();
                reason.contains("certificate") || reason.contains("tls")
            }
            Self::Dial(_) => true,
            _ => false,
        }
    }
}

impl HttpRepository {
    pub(crate) fn new(
        url: Url,
        spec: &HelmRepositorySpec,
        timeout: Duration,
        access: HelmAccess,
    ) -> Self {
        Self {
            url,
            dial: Dial {
                tls: access.tls,
                ..Dial::default()
            },
            basic: access.basic,
            passes_credentials: spec.pass_credentials,
            timeout,
        }
    }

    /// Downloads a file of at most `limit` bytes.
    pub(crate) async fn download(
        &self,
        http: &HttpClients,
        url: &Url,
        limit: u64,
    ) -> Result<Download, DownloadError> {
        let validators = Validators::default();
        let download = self.download_changed(http, url, limit, &validators).await?;
        download.ok_or_else(|| DownloadError::Status {
            url: display_url(url),
            status: StatusCode::NOT_MODIFIED,
        })
    }

    /// Downloads a file, unless it is the one that the validators are of.
    pub(crate) async fn download_changed(
        &self,
        http: &HttpClients,
        url: &Url,
        limit: u64,
        validators: &Validators,
    ) -> Result<Option<Download>, DownloadError> {
        let timeout = self.timeout;
        let downloading = Box::pin(self.stream(http, url, limit, validators));
        tokio::time::timeout(timeout, downloading)
            .await
            .unwrap_or_else(|_| {
                let limit = GoDuration::from_std(timeout);
                Err(DownloadError::Transport {
                    url: display_url(url),
                    reason: format!("no complete answer within spec.timeout of {limit}"),
                })
            })
    }

    async fn stream(
        &self,
        http: &HttpClients,
        url: &Url,
        limit: u64,
        validators: &Validators,
    ) -> Result<Option<Download>, DownloadError> {
        let broken = |error: &sluice_dial::Error| DownloadError::Transport {
            url: display_url(url),
            reason: explain(error),
        };
        if !matches!(url.scheme(), "http" | "https") {
            return Err(DownloadError::Scheme {
                url: display_url(url),
                scheme: url.scheme().to_owned(),
            });
        }
        let mut request = http.get(&self.dial)?.get(url.clone());
        // A chart may lie on a host that must not see the credentials.
        if let Some(basic) = &self.basic
            && (self.passes_credentials || is_same_host(&self.url, url))
        {
            request = request.header(header::AUTHORIZATION, basic.header());
        }
        for (name, value) in validators.headers() {
            request = request.header(name, value);
        }
        let mut response = request.send().await.map_err(|error| broken(&error))?;
        if response.status() == StatusCode::NOT_MODIFIED && validators.are_usable() {
            return Ok(None);
        }
        if response.status() != StatusCode::OK {
            return Err(DownloadError::Status {
                url: display_url(url),
                status: response.status(),
            });
        }
        let validators = Validators::of(response.headers());
        let mut hasher = Algorithm::Sha256.hasher();
        let mut content = Spool::default();
        while let Some(chunk) = response.chunk().await.map_err(|error| broken(&error))? {
            if content.size() + chunk.len() as u64 > limit {
                return Err(DownloadError::TooLarge { limit });
            }
            hasher.update(&chunk);
            content = content.append(chunk).await.map_err(DownloadError::Disk)?;
        }
        Ok(Some(Download {
            content,
            digest: hasher.finish(),
            validators,
        }))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    /// Answers `/drip` by a byte at a time, and everything else by a request to wait for a day.
    async fn hostile_server() -> Url {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut head = [0; 1024];
                let read = stream.read(&mut head).await.unwrap();
                let answer = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 86400\r\n\
                              content-length: 0\r\nconnection: close\r\n\r\n";
                if !head[..read].starts_with(b"GET /drip") {
                    stream.write_all(answer.as_bytes()).await.unwrap();
                    continue;
                }
                tokio::spawn(async move {
                    let answer = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n";
                    stream.write_all(answer.as_bytes()).await.unwrap();
                    // The write fails once the client has gone.
                    while stream.write_all(b"0").await.is_ok() {
                        tokio::time::sleep(Duration::from_millis(20)).await;
                    }
                });
            }
        });
        Url::parse(&url).unwrap()
    }

    #[tokio::test]
    async fn download_ends_for_servers_that_drip_or_ask_to_wait() {
        let url = hostile_server().await;
        let (spec, access) = (HelmRepositorySpec::default(), HelmAccess::default());
        let timeout = Duration::from_millis(500);
        let repository = HttpRepository::new(url.clone(), &spec, timeout, access);
        let http = HttpClients::new("test");
        let download = async |path: &str| {
            let url = url.join(path).unwrap();
            let downloaded = repository.download(&http, &url, 1 << 20).await;
            downloaded.unwrap_err().to_string()
        };
        let dripping = download("drip").await;
        let expected = "no complete answer within spec.timeout of 500ms";
        assert!(dripping.ends_with(expected), "{dripping}");
        let later = download("later").await;
        assert!(later.ends_with("429 Too Many Requests"), "{later}");
    }
}
