//! Requests to stores with the API of S3.

use bytes::{Bytes, BytesMut};
use http::{Method, header};
use sluice_dial::{Dial, HttpClients, Redirects, Response, explain};
use sluice_identity::aws::AwsCredentials;
use sluice_identity::aws::sigv4::{Payload, Request, Signer, canonical_query};
use sluice_system::{Clock, blocking};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use url::Url;

use crate::endpoint::Endpoint;
use crate::error::{Error, ErrorKind};
use crate::listing::{ListedObject, Listing};
use crate::request::{MAX_ERROR_BYTES, MAX_PAGE_BYTES, send, text};
use crate::xml::{ErrorDocument, Page, location};

/// Keys that sign requests.
pub type Credentials = AwsCredentials;

/// Region of stores that have none.
const DEFAULT_REGION: &str = "us-east-1";
/// Query of the request for the region.
const LOCATION: &str = "location";
const PAGE_SIZE: &str = "1000";

/// A bucket with the access to it.
#[derive(Debug, Clone)]
pub struct Bucket {
    /// Address of the store.
    pub endpoint: Endpoint,
    /// Name of the bucket.
    pub name: String,
    /// Region, if it is known.
    pub region: Option<String>,
    /// Keys; anonymous without.
    pub credentials: Option<Credentials>,
    /// TLS and proxy.
    pub dial: Dial,
}

/// Sends requests to object stores. Share one per process.
#[derive(Debug)]
pub struct Client {
    http: Arc<HttpClients>,
    clock: Arc<dyn Clock>,
    /// Regions by authority of the bucket, as the stores report them.
    regions: Mutex<HashMap<String, String>>,
}

/// An object during its download.
#[derive(Debug)]
pub struct Object {
    etag: String,
    response: Response,
}

impl Object {
    pub(crate) fn new(etag: String, response: Response) -> Self {
        Self { etag, response }
    }

    /// The entity tag, as a listing shows it.
    pub fn etag(&self) -> &str {
        &self.etag
    }

    /// The next part of the content; `None` at its end.
    pub async fn chunk(&mut self) -> Result<Option<Bytes>, Error> {
        let chunk = self.response.chunk().await;
        chunk.map_err(|error| Error::local(format!("read the object: {}", explain(&error))))
    }
}

impl Object {
    /// Reads the content, at most `limit` bytes of it.
    pub async fn read(mut self, limit: usize) -> Result<Bytes, Error> {
        let mut content = BytesMut::new();
        while let Some(chunk) = self.chunk().await? {
            let room = limit - content.len();
            content.extend_from_slice(&chunk[..chunk.len().min(room)]);
        }
        Ok(content.freeze())
    }
}

/// A request to a bucket.
#[derive(Debug, Default)]
struct Call<'a> {
    method: Method,
    key: &'a str,
    query: Vec<(&'static str, String)>,
    if_match: Option<&'a str>,
}

impl Client {
    /// Creates a client.
    pub fn new(http: Arc<HttpClients>, clock: Arc<dyn Clock>) -> Self {
        Self {
            http,
            clock,
            regions: Mutex::default(),
        }
    }

    /// The client for a store. A redirect would carry the credentials in an address elsewhere.
    pub(crate) fn http_client(&self, dial: &Dial) -> Result<sluice_dial::Client, Error> {
        let client = self.http.get(&Dial {
            redirects: Redirects::Refuse,
            ..dial.clone()
        });
        client.map_err(|error| Error::local(error.to_string()))
    }

    pub(crate) fn clock(&self) -> &dyn Clock {
        &*self.clock
    }

    /// Whether the bucket exists.
    pub async fn exists(&self, bucket: &Bucket) -> Result<bool, Error> {
        let call = Call {
            method: Method::HEAD,
            ..Call::default()
        };
        match self.send(bucket, &call).await {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == ErrorKind::NoSuchBucket => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn s3_list(
        &self,
        bucket: &Bucket,
        prefix: &str,
        listing: &mut Listing<impl FnMut(ListedObject<'_>)>,
    ) -> Result<(), Error> {
        let is_first_version = bucket.endpoint.is_google();
        let mut next: Option<String> = None;
        loop {
            let mut query = vec![
                ("delimiter", String::new()),
                ("encoding-type", "url".to_owned()),
                ("max-keys", PAGE_SIZE.to_owned()),
                ("prefix", prefix.to_owned()),
            ];
            if !is_first_version {
                query.push(("fetch-owner", "true".to_owned()));
                query.push(("list-type", "2".to_owned()));
            }
            if let Some(next) = next.take() {
                let name = if is_first_version {
                    "marker"
                } else {
                    "continuation-token"
                };
                query.push((name, next));
            }
            let call = Call {
                query,
                ..Call::default()
            };
            let page = self.document(bucket, &call).await?;
            let page = blocking(move || Page::parse(&page)).await;
            let page = page.map_err(|error| Error::local(error.to_string()))?;
            for (key, etag) in &page.objects {
                listing.object(ListedObject {
                    key,
                    etag,
                    generation: None,
                })?;
            }
            if !page.is_truncated {
                return Ok(());
            }
            let last = page.objects.last().map(|(key, _)| key.clone());
            let token = page.next.or_else(|| last.filter(|_| is_first_version));
            let Some(token) = token else {
                return Err(Error::local("the listing is truncated without a token"));
            };
            listing.page(&token)?;
            next = Some(token);
        }
    }

    /// Begins the download of an object. With an entity tag, a changed object is an error of kind
    /// [`ErrorKind::Changed`].
    pub async fn get(
        &self,
        bucket: &Bucket,
        key: &str,
        etag: Option<&str>,
    ) -> Result<Object, Error> {
        let call = Call {
            key,
            if_match: etag,
            ..Call::default()
        };
        let response = self.send(bucket, &call).await?;
        let etag = response.headers().get(header::ETAG);
        let etag = etag.and_then(|etag| etag.to_str().ok()).unwrap_or_default();
        Ok(Object {
            etag: etag.trim_matches('"').to_owned(),
            response,
        })
    }

    async fn document(&self, bucket: &Bucket, call: &Call<'_>) -> Result<String, Error> {
        let response = self.send(bucket, call).await?;
        text(response, MAX_PAGE_BYTES).await
    }

    /// Sends a request, once more if the store names another region.
    async fn send(&self, bucket: &Bucket, call: &Call<'_>) -> Result<Response, Error> {
        let region = self.region(bucket).await?;
        match self.send_to(bucket, call, &region).await {
            Err(error) => match error.region().filter(|other| *other != region) {
                Some(other) => {
                    self.remember(bucket, other);
                    self.send_to(bucket, call, other).await
                }
                None => Err(error),
            },
            sent => sent,
        }
    }

    /// The region of a bucket: as configured, as the host says, or as the store reports it.
    async fn region(&self, bucket: &Bucket) -> Result<String, Error> {
        if let Some(known) = self.known_region(bucket) {
            return Ok(known);
        }
        let call = Call {
            query: vec![(LOCATION, String::new())],
            ..Call::default()
        };
        let region = match self.send_to(bucket, &call, DEFAULT_REGION).await {
            Ok(response) => {
                let document = text(response, MAX_ERROR_BYTES).await?;
                location(&document).map_err(|error| Error::local(error.to_string()))?
            }
            Err(error) => match (error.region(), error.kind()) {
                (Some(region), _) => region.to_owned(),
                (None, ErrorKind::Denied) => DEFAULT_REGION.to_owned(),
                (None, _) if error.is_unimplemented() => DEFAULT_REGION.to_owned(),
                // The request itself reports a missing bucket.
                (None, ErrorKind::NoSuchBucket) => return Ok(DEFAULT_REGION.to_owned()),
                (None, _) => return Err(error),
            },
        };
        self.remember(bucket, &region);
        Ok(region)
    }

    fn known_region(&self, bucket: &Bucket) -> Option<String> {
        let configured = bucket
            .region
            .as_deref()
            .or_else(|| bucket.endpoint.region());
        if let Some(region) = configured.filter(|region| !region.is_empty()) {
            return Some(region.to_owned());
        }
        if bucket.credentials.is_none() {
            return Some(DEFAULT_REGION.to_owned());
        }
        let regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        regions.get(&region_key(bucket)).cloned()
    }

    fn remember(&self, bucket: &Bucket, region: &str) {
        let mut regions = self.regions.lock().unwrap_or_else(PoisonError::into_inner);
        regions.insert(region_key(bucket), region.to_owned());
    }

    async fn send_to(
        &self,
        bucket: &Bucket,
        call: &Call<'_>,
        region: &str,
    ) -> Result<Response, Error> {
        let client = self.http_client(&bucket.dial)?;
        let (endpoint, name) = (&bucket.endpoint, &bucket.name);
        let (authority, path) = (endpoint.authority(name), endpoint.path(name, call.key));
        let pairs = call.query.iter();
        let pairs: Vec<(&str, &str)> = pairs.map(|(name, value)| (*name, value.as_str())).collect();
        let query = canonical_query(&pairs);
        let address = format!("{}://{authority}{path}", endpoint.scheme());
        let mut url: Url = address
            .parse()
            .map_err(|error| Error::local(format!("{address}: {error}")))?;
        if !query.is_empty() {
            url.set_query(Some(&query));
        }
        let if_match = call.if_match.map(|etag| format!("\"{etag}\""));
        let mut headers = vec![("host", authority.as_str())];
        if let Some(etag) = &if_match {
            headers.push(("if-match", etag));
        }
        let unsigned = Request {
            method: call.method.as_str(),
            path: &path,
            query: &pairs,
            headers: &headers,
            payload: Payload::Body(b""),
        };
        let request = || {
            let mut request = client.request(call.method.clone(), url.clone());
            if let Some(etag) = &if_match {
                request = request.header(header::IF_MATCH, etag);
            }
            if let Some(credentials) = &bucket.credentials {
                let signer = Signer {
                    credentials,
                    region,
                    service: "s3",
                };
                for (name, value) in signer.sign(&unsigned, self.clock.now()) {
                    request = request.header(name, value);
                }
            }
            request
        };
        // As Go prints the method of a failed request.
        let method = match call.method {
            Method::HEAD => "Head",
            _ => "Get",
        };
        // Other queries have long texts.
        let query = match &*call.query {
            [(name, _)] if *name == LOCATION => format!("?{LOCATION}="),
            _ => String::new(),
        };
        let shown = format!("{method} \"{address}{query}\"");
        let has_key = !call.key.is_empty();
        send(&shown, request, |status, headers, body| {
            let document = ErrorDocument::parse(body).ok();
            Error::response(status, headers, document, has_key)
        })
        .await
    }
}

fn region_key(bucket: &Bucket) -> String {
    format!(
        "{}/{}",
        bucket.endpoint.authority(&bucket.name),
        bucket.name
    )
}
