//! Azure Blob Storage.
//!
//! An entity tag has quotes in a revision, as in Flux after a download. Flux does not download with
//! `If-Match`; here each download names the tag that the listing showed.

mod shared_key;

use http::{HeaderMap, HeaderValue, StatusCode, header};
use sluice_dial::{Bearer, Dial, Response, Sensitive, printable};
use sluice_identity::aws::sigv4::encode;
use sluice_system::blocking;
use url::Url;

use crate::client::{Client, Object};
use crate::error::{Error, ErrorKind};
use crate::listing::{ListedObject, Listing};
use crate::request::{MAX_PAGE_BYTES, send, text};
use crate::xml::{BlobPage, ErrorDocument};

pub use shared_key::SharedKey;

/// Version of the protocol.
const VERSION: &str = "2021-12-02";
const VERSION_HEADER: &str = "x-ms-version";
const DATE_HEADER: &str = "x-ms-date";
const CODE_HEADER: &str = "x-ms-error-code";
const PAGE_SIZE: &str = "1000";

/// A container of blobs.
#[derive(Debug, Clone)]
pub struct Container {
    /// Address of the account.
    pub endpoint: Url,
    /// Name of the container.
    pub name: String,
    /// Credentials.
    pub access: Access,
    /// TLS and proxy.
    pub dial: Dial,
}

/// Credentials for a container.
#[derive(Debug, Clone)]
pub enum Access {
    /// An access token, which is sent over TLS only.
    Bearer(Bearer),
    /// The key of the account.
    SharedKey(SharedKey),
    /// A shared access signature: the query of an address.
    Signature(Sensitive<String>),
}

impl Client {
    pub(crate) async fn azure_exists(&self, container: &Container) -> Result<bool, Error> {
        let query = [
            ("comp", "list"),
            ("maxresults", "1"),
            ("restype", "container"),
        ];
        match self.azure(container, "", &query, None).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NoSuchBucket => Ok(false),
            // A signature of a container that does not exist is refused.
            Err(error) if error.code() == "AuthenticationFailed" => Err(error.within(
                "the specified bucket name may be incorrect, nonexistent, or the caller might lack \
                 sufficient permissions to access it",
            )),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn azure_list(
        &self,
        container: &Container,
        prefix: &str,
        listing: &mut Listing<impl FnMut(ListedObject<'_>)>,
    ) -> Result<(), Error> {
        let mut marker = String::new();
        loop {
            let mut query = vec![
                ("comp", "list"),
                ("maxresults", PAGE_SIZE),
                ("restype", "container"),
            ];
            if !marker.is_empty() {
                query.push(("marker", &marker));
            }
            if !prefix.is_empty() {
                query.push(("prefix", prefix));
            }
            let page = self.azure(container, "", &query, None).await?;
            let page = text(page, MAX_PAGE_BYTES).await?;
            let page = blocking(move || BlobPage::parse(&page)).await;
            let page = page.map_err(|error| Error::local(error.to_string()))?;
            for (key, etag) in &page.blobs {
                listing.object(ListedObject {
                    key,
                    etag,
                    generation: None,
                })?;
            }
            match page.next {
                None => return Ok(()),
                Some(next) => marker = next,
            }
            listing.page(&marker)?;
        }
    }

    pub(crate) async fn azure_get(
        &self,
        container: &Container,
        key: &str,
        etag: Option<&str>,
    ) -> Result<Object, Error> {
        let segments: Vec<String> = key.split('/').map(encode).collect();
        let path = format!("/{}", segments.join("/"));
        let response = self.azure(container, &path, &[], etag).await?;
        let etag = response.headers().get(header::ETAG);
        let etag = etag.and_then(|etag| etag.to_str().ok()).unwrap_or_default();
        Ok(Object::new(etag.to_owned(), response))
    }

    async fn azure(
        &self,
        container: &Container,
        path: &str,
        query: &[(&str, &str)],
        if_match: Option<&str>,
    ) -> Result<Response, Error> {
        let client = self.http_client(&container.dial)?;
        let url = container.url(path, query)?;
        if matches!(container.access, Access::Bearer(_)) && url.scheme() != "https" {
            let host = url.host_str().unwrap_or_default();
            return Err(Error::local(format!(
                "a token is sent over TLS only, but the address of '{host}' is not https"
            )));
        }
        let mut headers = HeaderMap::new();
        headers.insert(VERSION_HEADER, HeaderValue::from_static(VERSION));
        if let Some(etag) = if_match {
            let value = HeaderValue::from_str(etag)
                .map_err(|_| Error::local("the entity tag cannot be sent"))?;
            headers.insert(header::IF_MATCH, value);
        }
        let request = || {
            let mut headers = headers.clone();
            let date = self.clock().now();
            let date = date.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
            if let Ok(date) = HeaderValue::from_str(&date) {
                headers.insert(DATE_HEADER, date);
            }
            let authorization = match &container.access {
                Access::Bearer(bearer) => Some(bearer.header()),
                Access::SharedKey(key) => Some(key.authorize(&url, &headers)),
                Access::Signature(_) => None,
            };
            if let Some(authorization) = authorization {
                headers.insert(header::AUTHORIZATION, authorization);
            }
            client.get(url.clone()).headers(headers)
        };
        let mut shown = url.clone();
        shown.set_query(None);
        send(
            &format!("Get \"{shown}\""),
            request,
            |status, headers, body| read_error(status, headers, body, !path.is_empty()),
        )
        .await
    }
}

impl Container {
    /// Returns the address of a path in the container. Values of a signature replace others.
    fn url(&self, path: &str, query: &[(&str, &str)]) -> Result<Url, Error> {
        let base = self.endpoint.path().trim_end_matches('/');
        let mut url = self.endpoint.clone();
        url.set_path(&format!("{base}/{}{path}", encode(&self.name)));
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        let mut pairs: Vec<(String, String)> = query.iter().copied().map(owned).collect();
        let mut add = |name: String, value: String| {
            if !pairs.iter().any(|(other, _)| *other == name) {
                pairs.push((name, value));
            }
        };
        if let Access::Signature(signature) = &self.access {
            let signature = signature.expose().trim_start_matches('?').as_bytes();
            for (name, value) in url::form_urlencoded::parse(signature) {
                add(name.into_owned(), value.into_owned());
            }
        }
        for (name, value) in self.endpoint.query_pairs() {
            add(name.into_owned(), value.into_owned());
        }
        url.set_query(None);
        if !pairs.is_empty() {
            let text =
                |(name, value): &(String, String)| format!("{}={}", encode(name), encode(value));
            let pairs: Vec<String> = pairs.iter().map(text).collect();
            url.set_query(Some(&pairs.join("&")));
        }
        if url.cannot_be_a_base() || url.host_str().is_none() {
            return Err(Error::local("the endpoint is not the URL of an account"));
        }
        Ok(url)
    }
}

fn read_error(status: StatusCode, headers: &HeaderMap, body: &str, has_key: bool) -> Error {
    let document = ErrorDocument::parse(body.trim_start_matches('\u{feff}')).unwrap_or_default();
    let code = headers.get(CODE_HEADER);
    let code = code.and_then(|code| code.to_str().ok()).unwrap_or_default();
    let code = if code.is_empty() {
        &document.code
    } else {
        code
    };
    // The following lines have ids and times, which would change a condition at each attempt.
    let line = document.message.lines().next().unwrap_or_default();
    let message = match (printable(line), code) {
        (line, "") if line.is_empty() => status.to_string(),
        (line, code) if line.is_empty() => format!("{status}: {}", printable(code)),
        (line, "") => line,
        (line, code) => format!("{}: {line}", printable(code)),
    };
    let code = match (code, status) {
        ("BlobNotFound", _) => "NoSuchKey",
        ("", StatusCode::NOT_FOUND) if has_key => "NoSuchKey",
        ("ContainerNotFound", _) | ("", StatusCode::NOT_FOUND) => "NoSuchBucket",
        (code, _) => code,
    };
    Error::refused(code, message, status)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn container(endpoint: &str, signature: &str) -> Container {
        Container {
            endpoint: Url::parse(endpoint).unwrap(),
            name: "apps".to_owned(),
            access: Access::Signature(Sensitive::from(signature)),
            dial: Dial::default(),
        }
    }

    #[test]
    fn signature_is_merged_into_the_address() {
        for (endpoint, signature, expected) in [
            (
                "https://a.blob.core.windows.net",
                "?sv=2022&sig=a%2Bb%3D",
                "https://a.blob.core.windows.net/apps?comp=list&sv=2022&sig=a%2Bb%3D",
            ),
            (
                "https://a.blob.core.windows.net/?sv=old&x=1",
                "sv=2022",
                "https://a.blob.core.windows.net/apps?comp=list&sv=2022&x=1",
            ),
            (
                "http://127.0.0.1:10000/account/",
                "",
                "http://127.0.0.1:10000/account/apps?comp=list",
            ),
        ] {
            let url = container(endpoint, signature).url("", &[("comp", "list")]);
            assert_eq!(url.unwrap().as_str(), expected);
        }
        let shown = format!("{:?}", container("https://a.b.c", "sig=canary"));
        assert!(!shown.contains("canary"), "{shown}");
    }

    #[test]
    fn error_has_no_ids_of_a_request() {
        let body = "\u{feff}<?xml version=\"1.0\"?><Error><Code>ContainerNotFound</Code><Message>\
                    The specified container does not exist.\nRequestId:1\nTime:2</Message></Error>";
        let error = read_error(StatusCode::NOT_FOUND, &HeaderMap::new(), body, false);
        assert_eq!(error.kind(), ErrorKind::NoSuchBucket);
        assert_eq!(
            error.to_string(),
            "ContainerNotFound: The specified container does not exist."
        );
        let bare = read_error(StatusCode::NOT_FOUND, &HeaderMap::new(), "", true);
        assert_eq!(bare.kind(), ErrorKind::NoSuchKey);
        let changed = read_error(StatusCode::PRECONDITION_FAILED, &HeaderMap::new(), "", true);
        assert_eq!(changed.kind(), ErrorKind::Changed);
    }
}
