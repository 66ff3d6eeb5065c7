//! Google Cloud Storage by its JSON API.
//!
//! Entity tags are those of the JSON API, as in Flux. A download names the generation that the
//! listing showed, because the tag also changes with the metadata.

use http::{HeaderMap, StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sluice_dial::{Bearer, Dial, Response, printable};
use sluice_identity::aws::sigv4::{canonical_query, encode};
use sluice_system::blocking;
use url::Url;

use crate::client::{Client, Object};
use crate::error::Error;
use crate::listing::{ListedObject, Listing};
use crate::request::{MAX_PAGE_BYTES, send, text};

const PAGE_SIZE: &str = "1000";
const GENERATION_HEADER: &str = "x-goog-generation";

/// A bucket of Google Cloud Storage.
#[derive(Debug, Clone)]
pub struct GoogleBucket {
    /// Address of the service.
    pub service: Url,
    /// Name of the bucket.
    pub name: String,
    /// Access token.
    pub token: Bearer,
    /// TLS and proxy.
    pub dial: Dial,
}

impl GoogleBucket {
    /// The address of the service for all but emulators.
    pub const SERVICE: &str = "https://storage.googleapis.com/";
}

/// One page of a listing of Google Cloud Storage.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GooglePage {
    #[serde(default)]
    pub(crate) items: Vec<Item>,
    pub(crate) next_page_token: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Item {
    #[serde(default)]
    name: String,
    etag: String,
    generation: String,
}

impl GooglePage {
    /// Parses a page. Its token is not empty.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut page: Self = document(text)?;
        page.next_page_token.take_if(|token| token.is_empty());
        Ok(page)
    }

    /// Returns the names of the objects.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.items.iter().map(|item| &*item.name)
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Failure {
    error: FailureBody,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct FailureBody {
    message: String,
}

impl Client {
    pub(crate) async fn google_exists(&self, bucket: &GoogleBucket) -> Result<bool, Error> {
        match self.google(bucket, "", &[("fields", "name")]).await {
            Ok(_) => Ok(true),
            Err(error) if error.status() == Some(StatusCode::NOT_FOUND) => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn google_list(
        &self,
        bucket: &GoogleBucket,
        prefix: &str,
        listing: &mut Listing<impl FnMut(ListedObject<'_>)>,
    ) -> Result<(), Error> {
        let mut next = String::new();
        loop {
            let mut query = vec![
                ("fields", "items(name,etag,generation),nextPageToken"),
                ("maxResults", PAGE_SIZE),
                ("prefix", prefix),
            ];
            if !next.is_empty() {
                query.push(("pageToken", &next));
            }
            let page = text(self.google(bucket, "/o", &query).await?, MAX_PAGE_BYTES).await?;
            let page = blocking(move || GooglePage::parse(&page)).await;
            let page = page.map_err(Error::local)?;
            for item in &page.items {
                listing.object(ListedObject {
                    key: &item.name,
                    etag: &item.etag,
                    generation: Some(&item.generation),
                })?;
            }
            match page.next_page_token {
                None => return Ok(()),
                Some(token) => next = token,
            }
            listing.page(&next)?;
        }
    }

    pub(crate) async fn google_get(
        &self,
        bucket: &GoogleBucket,
        listed: ListedObject<'_>,
    ) -> Result<Object, Error> {
        let path = format!("/o/{}", encode(listed.key));
        let mut query = vec![("alt", "media")];
        query.extend(listed.generation.map(|value| ("ifGenerationMatch", value)));
        let response = self.google(bucket, &path, &query).await;
        let response = response.map_err(Error::for_key)?;
        // An emulator may ignore the condition.
        let generation = response.headers().get(GENERATION_HEADER);
        let generation = generation.and_then(|value| value.to_str().ok());
        if let (Some(found), Some(wanted)) = (generation, listed.generation)
            && found != wanted
        {
            let message = "the object has another generation".to_owned();
            let status = StatusCode::PRECONDITION_FAILED;
            return Err(Error::refused("", message, status));
        }
        Ok(Object::new(listed.etag.to_owned(), response))
    }

    pub(crate) async fn google_get_current(
        &self,
        bucket: &GoogleBucket,
        key: &str,
    ) -> Result<Object, Error> {
        let path = format!("/o/{}", encode(key));
        let query = [("fields", "etag,generation")];
        let found = self.google(bucket, &path, &query).await;
        let item = text(found.map_err(Error::for_key)?, MAX_PAGE_BYTES).await?;
        let item: Item = document(&item).map_err(Error::local)?;
        let listed = ListedObject {
            key,
            etag: &item.etag,
            generation: Some(&item.generation),
        };
        self.google_get(bucket, listed).await
    }

    async fn google(
        &self,
        bucket: &GoogleBucket,
        path: &str,
        query: &[(&str, &str)],
    ) -> Result<Response, Error> {
        let client = self.http_client(&bucket.dial)?;
        let name = encode(&bucket.name);
        let address = format!("{}storage/v1/b/{name}{path}", bucket.service);
        let mut url: Url = address
            .parse()
            .map_err(|error| Error::local(format!("{address}: {error}")))?;
        url.set_query(Some(&canonical_query(query)));
        let request = || {
            let request = client.get(url.clone());
            request.header(header::AUTHORIZATION, bucket.token.header())
        };
        let shown = format!("Get \"{address}\"");
        send(&shown, request, read_error).await
    }
}

fn document<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    serde_json::from_str(text)
        .map_err(|error| format!("the answer is not of the JSON API: {error}"))
}

fn read_error(status: StatusCode, _: &HeaderMap, body: &str) -> Error {
    let failure: Failure = serde_json::from_str(body).unwrap_or_default();
    let message = printable(&failure.error.message);
    let message = if message.is_empty() {
        status.to_string()
    } else {
        message
    };
    Error::refused("", message, status)
}
