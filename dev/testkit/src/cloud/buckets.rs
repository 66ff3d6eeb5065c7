//! Buckets of Google Cloud Storage and containers of Azure in memory, with strict requests.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::{CloudAnswer, CloudRequest};

/// Objects by key.
#[derive(Debug, Default)]
pub struct FakeBuckets {
    objects: Mutex<BTreeMap<String, StoredObject>>,
}

#[derive(Debug, Clone)]
struct StoredObject {
    content: String,
    generation: u64,
}

/// Number of objects on a page.
const PAGE: usize = 2;

impl FakeBuckets {
    /// Writes an object.
    pub fn put(&self, key: &str, content: &str) {
        let mut objects = self.lock();
        let generation = objects.get(key).map_or(1, |object| object.generation + 1);
        let content = content.to_owned();
        objects.insert(
            key.to_owned(),
            StoredObject {
                content,
                generation,
            },
        );
    }

    /// Removes an object.
    pub fn remove(&self, key: &str) {
        self.lock().remove(key);
    }

    /// The keys with their entity tags at Google.
    pub fn google_tags(&self) -> Vec<(String, String)> {
        let objects = self.lock();
        let objects = objects.iter();
        objects
            .map(|(key, object)| (key.clone(), google_tag(object)))
            .collect()
    }

    /// The keys with their entity tags at Azure, in quotes.
    pub fn azure_tags(&self) -> Vec<(String, String)> {
        let objects = self.lock();
        let objects = objects.iter();
        objects
            .map(|(key, object)| (key.clone(), format!("\"{}\"", azure_tag(object))))
            .collect()
    }

    /// Answers as the bucket `apps` of Google Cloud Storage.
    pub fn google(&self, request: &CloudRequest) -> Option<CloudAnswer> {
        let (path, query) = request.parts();
        let rest = path.strip_prefix("/storage/v1/b/")?;
        let Some(rest) = rest.strip_prefix("apps") else {
            return Some(google_error(404, "The specified bucket does not exist."));
        };
        let get = |name: &str| query.get(name).map(String::as_str);
        match (rest, get("fields")) {
            ("", Some("name")) => Some(CloudAnswer::ok(json!({ "name": "apps" }).to_string())),
            ("/o", Some("items(name,etag,generation),nextPageToken")) => {
                assert_eq!(get("maxResults"), Some("1000"));
                let (page, next) = self.page(get("prefix")?, get("pageToken"));
                let items: Vec<Value> = page
                    .iter()
                    .map(|(key, object)| {
                        json!({
                            "name": key, "etag": google_tag(object),
                            "generation": object.generation.to_string(),
                        })
                    })
                    .collect();
                let mut answer = json!({ "items": items });
                if let Some(next) = next {
                    answer["nextPageToken"] = json!(next);
                }
                Some(CloudAnswer::ok(answer.to_string()))
            }
            (path, fields) => {
                let key = decode(path.strip_prefix("/o/")?);
                let Some(object) = self.lock().get(&key).cloned() else {
                    return Some(google_error(404, "No such object"));
                };
                if fields == Some("etag,generation") {
                    let answer = json!({
                        "etag": google_tag(&object), "generation": object.generation.to_string(),
                    });
                    return Some(CloudAnswer::ok(answer.to_string()));
                }
                assert_eq!(get("alt"), Some("media"), "{query:?}");
                if get("ifGenerationMatch")? != object.generation.to_string() {
                    return Some(google_error(
                        412,
                        "At least one of the pre-conditions failed.",
                    ));
                }
                Some(CloudAnswer::ok(object.content))
            }
        }
    }

    /// Answers as the container `apps` of Azure. The caller checks the authorization.
    pub fn azure(&self, request: &CloudRequest) -> Option<CloudAnswer> {
        assert_eq!(request.header("x-ms-version"), "2021-12-02");
        assert!(request.header("x-ms-date").ends_with(" GMT"));
        let (path, query) = request.parts();
        let Some(rest) = path.strip_prefix("/apps") else {
            return Some(azure_error(404, "ContainerNotFound"));
        };
        let get = |name: &str| query.get(name).map(String::as_str);
        if rest.is_empty() {
            assert_eq!(
                (get("restype"), get("comp")),
                (Some("container"), Some("list"))
            );
            let (page, next) = self.page(get("prefix").unwrap_or_default(), get("marker"));
            let blobs: Vec<String> = page
                .iter()
                .map(|(key, object)| {
                    let (key, tag) = (key.replace('&', "&amp;"), azure_tag(object));
                    format!(
                        "<Blob><Name>{key}</Name><Properties><Etag>{tag}</Etag></Properties></Blob>"
                    )
                })
                .collect();
            let (blobs, next) = (blobs.concat(), next.unwrap_or_default());
            return Some(CloudAnswer::ok(format!(
                "\u{feff}<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults>\
                 <Blobs>{blobs}</Blobs><NextMarker>{next}</NextMarker></EnumerationResults>"
            )));
        }
        let key = decode(rest.strip_prefix('/')?);
        let Some(object) = self.lock().get(&key).cloned() else {
            return Some(azure_error(404, "BlobNotFound"));
        };
        let tag = format!("\"{}\"", azure_tag(&object));
        let wanted = request.header("if-match");
        if !wanted.is_empty() && wanted != tag {
            return Some(azure_error(412, "ConditionNotMet"));
        }
        let headers = vec![("etag", tag)];
        Some(CloudAnswer::Reply(200, headers, object.content.into()))
    }

    /// The objects of a page, and the key at which the next one begins.
    fn page(
        &self,
        prefix: &str,
        from: Option<&str>,
    ) -> (Vec<(String, StoredObject)>, Option<String>) {
        let objects = self.lock();
        let mut found = objects
            .iter()
            .filter(|(key, _)| key.starts_with(prefix))
            .skip_while(|(key, _)| from.is_some_and(|from| key.as_str() < from))
            .map(|(key, object)| (key.clone(), object.clone()));
        let page = found.by_ref().take(PAGE).collect();
        (page, found.next().map(|(key, _)| key))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, StoredObject>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn google_tag(object: &StoredObject) -> String {
    format!("CJ{}{}=", object.content.len(), object.generation)
}

fn azure_tag(object: &StoredObject) -> String {
    format!("0x8D{}{}", object.content.len(), object.generation)
}

fn google_error(status: u16, message: &str) -> CloudAnswer {
    let body = json!({ "error": { "code": status, "message": message } });
    CloudAnswer::Reply(status, Vec::new(), body.to_string().into())
}

fn azure_error(status: u16, code: &'static str) -> CloudAnswer {
    let body = format!(
        "<?xml version=\"1.0\"?><Error><Code>{code}</Code><Message>The words of {code}.\n\
         RequestId:1\nTime:2</Message></Error>"
    );
    let headers = vec![("x-ms-error-code", code.to_owned())];
    CloudAnswer::Reply(status, headers, body.into())
}

fn decode(text: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(text);
    decoded.decode_utf8_lossy().into_owned()
}
