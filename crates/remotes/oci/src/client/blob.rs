//! Streams a blob: counts and hashes it, and resumes interrupted downloads.

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode, header};
use sluice_dial::{Response, explain};

use super::{Call, Client, Remote, Scope};
use crate::error::Error;
use crate::manifest::Descriptor;
use sluice_digest::{Digest, Hasher};

/// Maximum number of resumptions.
const RESUMPTIONS: u32 = 3;

/// A blob that is being downloaded. Its content is not verified before [`Blob::next`] returns the
/// end.
#[derive(Debug)]
pub struct Blob {
    client: Client,
    remote: Remote,
    digest: Digest,
    size: u64,
    hasher: Option<Hasher>,
    seen: u64,
    resumed: u32,
    /// Bytes to skip, because the server cannot resume.
    skip: u64,
    response: Response,
}

impl Blob {
    pub(super) async fn open(
        client: Client,
        remote: Remote,
        descriptor: &Descriptor,
    ) -> Result<Self, Error> {
        let response = request(&client, &remote, &descriptor.digest, 0).await?;
        let what = what(&remote, &descriptor.digest);
        if let Some(length) = response.content_length()
            && length != descriptor.size
        {
            return Err(Error::Size {
                what,
                expected: descriptor.size,
                actual: length,
            });
        }
        Ok(Self {
            client,
            remote,
            hasher: Some(descriptor.digest.algorithm().hasher()),
            digest: descriptor.digest.clone(),
            size: descriptor.size,
            seen: 0,
            resumed: 0,
            skip: 0,
            response,
        })
    }

    /// The announced size.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The number of received bytes.
    pub const fn received_bytes(&self) -> u64 {
        self.seen
    }

    /// Returns the next bytes, or `None` at the end of a verified blob.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Error> {
        loop {
            let chunk = match self.response.chunk().await {
                Ok(Some(chunk)) => chunk,
                Ok(None) if self.seen == self.size => return self.end(),
                Ok(None) => {
                    let reason = format!("it ended after {} of {} bytes", self.seen, self.size);
                    self.resume(reason).await?;
                    continue;
                }
                Err(error) => {
                    let reason = format!(
                        "{} after {} of {} bytes",
                        explain(&error),
                        self.seen,
                        self.size
                    );
                    self.resume(reason).await?;
                    continue;
                }
            };
            let mut chunk = chunk;
            if self.skip > 0 {
                let skipped =
                    usize::try_from(self.skip).map_or(chunk.len(), |skip| skip.min(chunk.len()));
                self.skip -= skipped as u64;
                chunk = chunk.slice(skipped..);
            }
            if chunk.is_empty() {
                continue;
            }
            self.seen += chunk.len() as u64;
            if self.seen > self.size {
                return Err(Error::Size {
                    what: what(&self.remote, &self.digest),
                    expected: self.size,
                    actual: self.seen,
                });
            }
            if let Some(hasher) = &mut self.hasher {
                hasher.update(&chunk);
            }
            return Ok(Some(chunk));
        }
    }

    fn end(&mut self) -> Result<Option<Bytes>, Error> {
        // A call after the end returns the end again.
        let Some(hasher) = self.hasher.take() else {
            return Ok(None);
        };
        let actual = hasher.finish();
        if actual == self.digest {
            Ok(None)
        } else {
            Err(Error::Mismatch {
                what: what(&self.remote, &self.digest),
                expected: self.digest.clone(),
                actual,
            })
        }
    }

    async fn resume(&mut self, reason: String) -> Result<(), Error> {
        if self.resumed >= RESUMPTIONS {
            return Err(Error::Transport {
                action: format!("GET {}", what(&self.remote, &self.digest)),
                reason,
                transient: true,
            });
        }
        self.resumed += 1;
        self.response = request(&self.client, &self.remote, &self.digest, self.seen).await?;
        self.skip = if self.response.status() == StatusCode::PARTIAL_CONTENT {
            0
        } else {
            self.seen
        };
        Ok(())
    }
}

fn what(remote: &Remote, digest: &Digest) -> String {
    format!("blob {}@{digest}", remote.repository)
}

async fn request(
    client: &Client,
    remote: &Remote,
    digest: &Digest,
    from: u64,
) -> Result<Response, Error> {
    let mut call = Call::new(Method::GET, format!("blobs/{digest}"), Scope::Pull);
    if from > 0 {
        let range = HeaderValue::from_str(&format!("bytes={from}-")).expect("digits are valid");
        call = call.header(header::RANGE, range);
    }
    client.send(remote, &call).await
}
