//! Reads from registries: resolves tags, fetches documents and blobs, and lists tags and referrers.

use std::fmt;

use bytes::{Bytes, BytesMut};
use http::{Method, StatusCode, header};
use sluice_dial::{Response, explain};
use url::Url;

use super::{Blob, Call, Client, Remote, Scope, same_place};
use crate::error::{Error, ErrorKind};
use crate::manifest::{self, Descriptor, Document, Manifest};
use crate::reference::Version;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use sluice_digest::Digest;

/// Maximum size of a page of tags or referrers.
const PAGE_LIMIT: u64 = 8 << 20;
/// Maximum number of pages, to detect endless lists.
const MAX_PAGES: usize = 1000;
/// Maximum size of all pages of a list, which is held in memory.
const LIST_LIMIT: u64 = 32 << 20;
const MAX_TAGS: usize = 500_000;
const DIGEST_HEADER: &str = "docker-content-digest";

/// A document with its bytes and digest.
#[derive(Debug, Clone)]
pub struct Content {
    /// The digest.
    pub digest: Digest,
    /// The bytes.
    pub bytes: Bytes,
    /// The parsed document.
    pub document: Document,
}

#[derive(Deserialize)]
struct Tags {
    #[serde(default)]
    tags: Option<Names>,
}

/// Names up to the limit, and whether there are more.
struct Names {
    names: Vec<String>,
    more: bool,
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Names;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a list of names")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while names.len() < MAX_TAGS {
                    match list.next_element()? {
                        Some(name) => names.push(name),
                        None => return Ok(Names { names, more: false }),
                    }
                }
                let mut more = false;
                while list.next_element::<IgnoredAny>()?.is_some() {
                    more = true;
                }
                Ok(Names { names, more })
            }
        }

        deserializer.deserialize_seq(Reader)
    }
}

/// Whether to read further pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageDemand {
    Wanted,
    Enough,
}

impl Client {
    /// Resolves a version to a digest, with one `HEAD` request if possible.
    ///
    /// The registry's response is not verified. Content that is fetched by the digest is.
    pub async fn resolve(&self, remote: &Remote, version: &Version) -> Result<Digest, Error> {
        let tag = match version {
            Version::Digest(digest) => return Ok(digest.clone()),
            Version::Tag(tag) => tag,
        };
        let call = Call::new(Method::HEAD, format!("manifests/{tag}"), Scope::Pull)
            .accept(manifest::ACCEPTED);
        let told = match self.send(remote, &call).await {
            Ok(response) => response
                .headers()
                .get(DIGEST_HEADER)
                .and_then(|value| value.to_str().ok())
                .and_then(|text| text.parse().ok()),
            // The `GET` request below returns an error with a reason.
            Err(Error::Status { .. }) => None,
            Err(error) => return Err(error),
        };
        match told {
            Some(digest) => Ok(digest),
            None => Ok(Digest::of(&self.raw(remote, version).await?)),
        }
    }

    /// Fetches a document by digest, or by tag without verification.
    pub async fn document(&self, remote: &Remote, version: &Version) -> Result<Content, Error> {
        let bytes = self.raw(remote, version).await?;
        let what = named(remote, version);
        let digest = match version {
            Version::Digest(digest) => digest.clone(),
            Version::Tag(_) => Digest::of(&bytes),
        };
        Ok(Content {
            document: Document::parse(&bytes, &what)?,
            digest,
            bytes,
        })
    }

    async fn raw(&self, remote: &Remote, version: &Version) -> Result<Bytes, Error> {
        let what = named(remote, version);
        let call = Call::new(Method::GET, format!("manifests/{version}"), Scope::Pull)
            .accept(manifest::ACCEPTED);
        let response = self.send(remote, &call).await?;
        let bytes = whole(response, manifest::LIMIT, &what).await?;
        if let Version::Digest(expected) = version {
            checked(expected, &bytes, &what)?;
        }
        Ok(bytes)
    }

    /// Fetches a manifest by digest. For an index, fetches the manifest of the default platform.
    pub async fn manifest(&self, remote: &Remote, digest: &Digest) -> Result<Manifest, Error> {
        let version = Version::Digest(digest.clone());
        let index = match self.document(remote, &version).await?.document {
            Document::Manifest(manifest) => return Ok(*manifest),
            Document::Index(index) => index,
        };
        let child = index.choose(&named(remote, &version))?;
        let version = Version::Digest(child.digest.clone());
        match self.document(remote, &version).await?.document {
            Document::Manifest(manifest) => Ok(*manifest),
            Document::Index(_) => Err(Error::invalid(
                named(remote, &version),
                "it is an index within an index",
            )),
        }
    }

    /// Lists all tags in the registry's order.
    pub async fn tags(&self, remote: &Remote) -> Result<Vec<String>, Error> {
        let what = format!("tags of {}", remote.repository);
        let mut tags = Vec::new();
        let call = Call::new(Method::GET, "tags/list?n=1000".to_owned(), Scope::Pull);
        self.pages(remote, call, &what, |page| {
            let page: Tags = serde_json::from_slice(page)
                .map_err(|_| Error::invalid(&*what, "it is not a list of tags"))?;
            if let Some(Names { names, more }) = page.tags {
                if more || tags.len() + names.len() > MAX_TAGS {
                    let reason = format!("there are more than {MAX_TAGS} of them");
                    return Err(Error::invalid(&*what, reason));
                }
                tags.extend(names);
            }
            Ok(PageDemand::Wanted)
        })
        .await?;
        Ok(tags)
    }

    /// Lists at most `most` referrers of a digest, by the referrers API or by the fallback tag.
    /// Further pages are not read.
    pub async fn referrers(
        &self,
        remote: &Remote,
        digest: &Digest,
        most: usize,
    ) -> Result<Vec<Descriptor>, Error> {
        let what = format!("referrers of {}@{digest}", remote.repository);
        let call = Call::new(Method::GET, format!("referrers/{digest}"), Scope::Pull)
            .accept(manifest::INDEX);
        let mut found = Vec::new();
        let listed = self
            .pages(remote, call, &what, |page| {
                let Document::Index(index) = Document::parse(page, &what)? else {
                    return Err(Error::invalid(&*what, "it is not an index"));
                };
                let left = most - found.len();
                found.extend(index.manifests.into_iter().take(left));
                Ok(if found.len() < most {
                    PageDemand::Wanted
                } else {
                    PageDemand::Enough
                })
            })
            .await;
        match listed {
            Ok(true) => return Ok(found),
            Ok(false)
            | Err(Error::Status {
                status:
                    StatusCode::NOT_FOUND
                    | StatusCode::BAD_REQUEST
                    | StatusCode::NOT_ACCEPTABLE
                    | StatusCode::METHOD_NOT_ALLOWED,
                ..
            }) => {}
            Err(error) => return Err(error),
        }
        let tag = format!("{}-{}", digest.algorithm(), digest.hex());
        match self.document(remote, &Version::Tag(tag)).await {
            Ok(Content {
                document: Document::Index(index),
                ..
            }) => {
                let mut found = index.manifests;
                found.truncate(most);
                Ok(found)
            }
            Ok(_) => Ok(Vec::new()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Reads all pages. Returns `false` if the first response is not a document of the registry,
    /// for example of a proxy.
    async fn pages(
        &self,
        remote: &Remote,
        mut call: Call,
        what: &str,
        mut read: impl FnMut(&[u8]) -> Result<PageDemand, Error>,
    ) -> Result<bool, Error> {
        let mut bytes = 0;
        for _ in 0..MAX_PAGES {
            let response = self.send(remote, &call).await?;
            let html = response
                .headers()
                .get(header::CONTENT_TYPE)
                .is_some_and(|value| value.as_bytes().starts_with(b"text/"));
            if html && call.url.is_none() && call.path.starts_with("referrers/") {
                return Ok(false);
            }
            let next = next_page(&response, what)?;
            let page = whole(response, PAGE_LIMIT, what).await?;
            bytes += page.len() as u64;
            if bytes > LIST_LIMIT {
                return Err(Error::TooLarge {
                    what: what.to_owned(),
                    limit: LIST_LIMIT,
                });
            }
            match (read(&page)?, next) {
                (PageDemand::Wanted, Some(url)) => call = call.at(url),
                _ => return Ok(true),
            }
        }
        Err(Error::invalid(what, "it has no end"))
    }

    /// Starts to download a blob. Size and digest are verified while it is read.
    pub async fn blob(&self, remote: &Remote, descriptor: &Descriptor) -> Result<Blob, Error> {
        Blob::open(self.clone(), remote.clone(), descriptor).await
    }

    /// Fetches a blob of at most `limit` bytes.
    pub async fn small_blob(
        &self,
        remote: &Remote,
        descriptor: &Descriptor,
        limit: u64,
    ) -> Result<Bytes, Error> {
        if descriptor.size > limit {
            return Err(Error::TooLarge {
                what: format!("blob {}@{}", remote.repository, descriptor.digest),
                limit,
            });
        }
        let mut blob = self.blob(remote, descriptor).await?;
        let mut bytes = BytesMut::new();
        while let Some(chunk) = blob.next().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.freeze())
    }
}

fn named(remote: &Remote, version: &Version) -> String {
    match version {
        Version::Tag(tag) => format!("manifest {}:{tag}", remote.repository),
        Version::Digest(digest) => format!("manifest {}@{digest}", remote.repository),
    }
}

pub(super) fn checked(expected: &Digest, bytes: &[u8], what: &str) -> Result<(), Error> {
    if expected.matches(bytes) {
        return Ok(());
    }
    Err(Error::Mismatch {
        what: what.to_owned(),
        expected: expected.clone(),
        actual: Digest::of(bytes),
    })
}

/// Reads a response of at most `limit` bytes.
async fn whole(mut response: Response, limit: u64, what: &str) -> Result<Bytes, Error> {
    let mut bytes = BytesMut::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| Error::Transport {
        action: format!("read {what}"),
        reason: explain(&error),
        transient: true,
    })? {
        if bytes.len() as u64 + chunk.len() as u64 > limit {
            return Err(Error::TooLarge {
                what: what.to_owned(),
                limit,
            });
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}

/// The URL of the next page. It must be at the same registry, because the request has credentials.
fn next_page(response: &Response, what: &str) -> Result<Option<Url>, Error> {
    let Some(link) = response
        .headers()
        .get(header::LINK)
        .and_then(|value| value.to_str().ok())
    else {
        return Ok(None);
    };
    let target = link.split(',').find_map(|link| {
        let (target, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let next = parameters
            .split(';')
            .any(|parameter| matches!(parameter.trim(), "rel=\"next\"" | "rel=next"));
        next.then_some(target)
    });
    let Some(target) = target else {
        return Ok(None);
    };
    match response.url().join(target) {
        Ok(url) if same_place(response.url(), &url) => Ok(Some(url)),
        _ => Err(Error::invalid(what, "it goes on at another host")),
    }
}
