//! Pushes blobs and manifests.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderValue, Method, header};
use sluice_dial::Response;
use sluice_dial::retry::Attempt;
use url::Url;

use super::{Call, Client, Remote, Scope, again};
use crate::error::{Error, ErrorKind};
use crate::reference::Version;
use crate::text::printable;
use sluice_digest::Digest;

/// Size of a chunk. Almost all blobs fit into one, so registries without chunk support work.
const CHUNK: u64 = 16 << 20;

/// The content of a blob.
#[derive(Debug, Clone)]
pub enum Source {
    /// Content in memory.
    Bytes(Bytes),
    /// The start of a file.
    File {
        /// The file.
        file: Arc<File>,
        /// The number of bytes.
        size: u64,
    },
}

impl Source {
    /// The size in bytes.
    pub fn size(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File { size, .. } => *size,
        }
    }

    async fn chunk(&self, from: u64, length: u64) -> std::io::Result<Bytes> {
        let place = |value: u64| usize::try_from(value).expect("a chunk fits in memory");
        match self {
            Self::Bytes(bytes) => Ok(bytes.slice(place(from)..place(from + length))),
            Self::File { file, .. } => {
                let file = Arc::clone(file);
                let length = place(length);
                tokio::task::spawn_blocking(move || {
                    let mut chunk = vec![0; length];
                    file.read_exact_at(&mut chunk, from)?;
                    Ok(chunk.into())
                })
                .await
                .expect("reading a file does not panic")
            }
        }
    }
}

impl Client {
    /// Pushes a blob, unless the repository has it.
    pub async fn push_blob(
        &self,
        remote: &Remote,
        digest: &Digest,
        source: &Source,
    ) -> Result<(), Error> {
        let what = format!("blob {}@{digest}", remote.repository);
        let call = Call::new(Method::HEAD, format!("blobs/{digest}"), Scope::Push);
        match self.send(remote, &call).await {
            Ok(_) => return Ok(()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        // A failed upload is restarted, because its state is unknown.
        self.retry
            .run(|_| async {
                match self.upload(remote, digest, source, &what).await {
                    Ok(()) => Attempt::Done(()),
                    Err(error) => again(error),
                }
            })
            .await
    }

    async fn upload(
        &self,
        remote: &Remote,
        digest: &Digest,
        source: &Source,
        what: &str,
    ) -> Result<(), Error> {
        let call =
            Call::new(Method::POST, "blobs/uploads/".to_owned(), Scope::Push).body(Bytes::new());
        let mut location = location(&self.once(remote, &call).await?, what)?;
        let size = source.size();
        let mut sent = 0;
        loop {
            let length = CHUNK.min(size - sent);
            let chunk = source
                .chunk(sent, length)
                .await
                .map_err(|source| Error::Source {
                    what: what.to_owned(),
                    source,
                })?;
            let mut call = Call::new(Method::PATCH, String::new(), Scope::Push)
                .at(location)
                .header(
                    header::CONTENT_TYPE,
                    HeaderValue::from_static("application/octet-stream"),
                )
                .body(chunk);
            if size > CHUNK {
                let range = format!("{sent}-{}", sent + length - 1);
                let range = HeaderValue::from_str(&range).expect("digits are valid");
                call = call.header(header::CONTENT_RANGE, range);
            }
            location = self::location(&self.once(remote, &call).await?, what)?;
            sent += length;
            if sent == size {
                break;
            }
        }
        location
            .query_pairs_mut()
            .append_pair("digest", &digest.to_string());
        let call = Call::new(Method::PUT, String::new(), Scope::Push)
            .at(location)
            .body(Bytes::new());
        self.once(remote, &call).await.map(drop)
    }

    /// Pushes a document under a tag or its digest.
    pub async fn push_manifest(
        &self,
        remote: &Remote,
        version: &Version,
        media_type: &str,
        bytes: Bytes,
    ) -> Result<(), Error> {
        let action = format!("PUT manifest '{version}' of {}", remote.repository);
        let kind = HeaderValue::from_str(media_type)
            .map_err(|_| Error::invalid(&*action, "its media type cannot be sent"))?;
        let call = Call::new(Method::PUT, format!("manifests/{version}"), Scope::Push)
            .header(header::CONTENT_TYPE, kind)
            .body(bytes);
        self.send(remote, &call).await.map(drop)
    }
}

/// The URL of the next upload request. Another host is allowed, but not plain HTTP after HTTPS.
fn location(response: &Response, what: &str) -> Result<Url, Error> {
    let text = response
        .headers()
        .get(header::LOCATION)
        .and_then(|value| value.to_str().ok())
        .ok_or_else(|| Error::invalid(format!("answer to POST {what}"), "it has no location"))?;
    match response.url().join(text) {
        Ok(url) if url.scheme() == response.url().scheme() || url.scheme() == "https" => Ok(url),
        _ => Err(Error::invalid(
            format!("location for {what}"),
            printable(text.split('?').next().unwrap_or_default(), 200),
        )),
    }
}
