//! Requests on objects of any kind, named by group, version, kind, namespace and
//! name, with bodies as JSON values.
//!
//! A path that proves not to be served ([`Error::is_unserved`]) is looked up anew, once:
//! a kind that has gone is then [`Error::NoMatch`], and never mistaken for an object that
//! is not there.
//!
//! Names go into paths by [`segment`] alone. An object whose name makes no path
//! ([`Error::InvalidName`]) cannot be there: reading it finds nothing and deleting it is done,
//! as for any other that is missing; writing it is refused.

mod pages;

use std::time::Duration;

use futures::FutureExt as _;
use futures::stream::{BoxStream, StreamExt as _};
use http::Request as HttpRequest;
use kube::api::{DeleteParams, GetParams, ListParams, Patch, PatchParams, PostParams, WatchParams};
use kube::core::params::{Preconditions, PropagationPolicy};
use kube::core::{Request, WatchEvent};
use serde_json::Value;
use sluice_gvk::GroupVersionKind;

use crate::cluster::Cluster;
use crate::discovery::Resource;
use crate::error::Error;
use crate::segment::{InvalidName, segment};
use crate::transport::{json, uncompressed};

/// Objects asked for at once.
const PAGE: u32 = 500;
/// Longest life of one watch. The server is asked to end it a little earlier; a
/// connection that died without a word is given up here.
const WATCH_LIFE: Duration = Duration::from_mins(5);

/// How to change an object.
#[derive(Debug, Clone, Copy, Default)]
pub struct PatchOptions<'a> {
    /// Who makes the change; required by [`Cluster::apply`].
    pub field_manager: Option<&'a str>,
    /// Takes fields over from other managers. Only for [`Cluster::apply`].
    pub force: bool,
    /// Asks what would happen, and changes nothing.
    pub dry_run: bool,
    /// The part to change, such as `status`.
    pub subresource: Option<&'a str>,
}

/// How old what is read may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// It is as it is now.
    Now,
    /// It is as the server has it at hand: of a moment ago at worst, and cheaper for the server.
    AtHand,
}

/// How to delete an object.
#[derive(Debug, Clone, Default)]
pub struct DeleteOptions {
    /// Only if the object is still this one.
    pub uid: Option<String>,
    /// Only if nothing of the object has changed since this version.
    pub resource_version: Option<String>,
    /// What becomes of dependants; `None` is the server's choice for the kind.
    pub propagation: Option<PropagationPolicy>,
    /// Asks what would happen, and changes nothing.
    pub dry_run: bool,
}

/// Which objects to list.
#[derive(Debug, Clone, Default)]
pub struct ListOptions {
    /// Label selector.
    pub labels: Option<String>,
    /// Field selector.
    pub fields: Option<String>,
    /// Asks for identity, labels and annotations only.
    pub metadata_only: bool,
    /// Leaves out of each object who wrote which of its fields, which is often most of it.
    pub without_managers: bool,
}

/// How to watch.
#[derive(Debug, Clone, Default)]
pub struct WatchOptions {
    /// Label selector.
    pub labels: Option<String>,
    /// Field selector, such as `metadata.name=web`.
    pub fields: Option<String>,
    /// Asks for identity, labels and annotations only.
    pub metadata_only: bool,
    /// Begins with what exists and marks the end of it by a bookmark.
    pub initial: bool,
}

/// A kind, and how requests find its path.
#[derive(Debug, Clone)]
pub(crate) enum KindPath {
    /// By discovery, which is repeated when the path is not served.
    Discovered(GroupVersionKind),
    /// Without discovery.
    Fixed(Resource),
}

impl KindPath {
    pub(crate) fn gvk(&self) -> GroupVersionKind {
        match self {
            Self::Discovered(gvk) => gvk.clone(),
            Self::Fixed(resource) => resource.gvk(),
        }
    }

    pub(crate) fn kind(&self) -> &str {
        match self {
            Self::Discovered(gvk) => &gvk.kind,
            Self::Fixed(resource) => &resource.api.kind,
        }
    }
}

/// What a list gave.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct List {
    /// The objects, each with `apiVersion` and `kind`.
    pub items: Vec<Value>,
    /// Where a watch goes on from.
    pub resource_version: String,
}

/// A request, or why it cannot be written.
type Written = Result<HttpRequest<Vec<u8>>, Unwritten>;

/// Why a request cannot be written.
enum Unwritten {
    Name(InvalidName),
    Rest(kube::core::request::Error),
}

impl From<InvalidName> for Unwritten {
    fn from(invalid: InvalidName) -> Self {
        Self::Name(invalid)
    }
}

impl From<kube::core::request::Error> for Unwritten {
    fn from(error: kube::core::request::Error) -> Self {
        Self::Rest(error)
    }
}

/// Events of a watch.
pub type WatchStream = BoxStream<'static, Result<WatchEvent<Value>, Error>>;

impl Cluster {
    /// Reads an object; `None` when it is not there.
    pub async fn get(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Option<Value>, Error> {
        let action = action("get", gvk, namespace, name);
        let request = |resource: &Resource| {
            let (path, name) = place(resource, namespace, name)?;
            Ok(path.get(&name, &GetParams::default())?)
        };
        match self.ask(gvk, action, request).await {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_not_found() || error.is_invalid_name() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads an object's identity, labels and annotations; `None` when it is not
    /// there.
    pub async fn get_metadata(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        freshness: Freshness,
    ) -> Result<Option<Value>, Error> {
        let action = action("get", gvk, namespace, name);
        let params = match freshness {
            Freshness::Now => GetParams::default(),
            Freshness::AtHand => GetParams::any(),
        };
        let request = |resource: &Resource| {
            let (path, name) = place(resource, namespace, name)?;
            Ok(path.get_metadata(&name, &params)?)
        };
        match self.ask(gvk, action, request).await {
            Ok(mut value) => {
                name_kind(&mut value, gvk);
                Ok(Some(value))
            }
            Err(error) if error.is_not_found() || error.is_invalid_name() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Lists objects, page by page; without a namespace, in all of them.
    pub async fn list(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        options: &ListOptions,
    ) -> Result<List, Error> {
        let mut items = Vec::new();
        let resource_version = self
            .list_each(gvk, namespace, options, |item| items.push(item))
            .await?;
        Ok(List {
            items,
            resource_version,
        })
    }

    /// As [`Cluster::list`], for who keeps little of each object: `each` is given them one after
    /// the other as they are read, and no page is held together. What it was given before an
    /// error is not the list. Tells where a watch goes on from.
    pub async fn list_each(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        options: &ListOptions,
        each: impl FnMut(Value),
    ) -> Result<String, Error> {
        let kind = KindPath::Discovered(gvk.clone());
        self.list_objects(&kind, namespace, options, each).await
    }

    pub(crate) async fn list_objects(
        &self,
        kind: &KindPath,
        namespace: Option<&str>,
        options: &ListOptions,
        mut each: impl FnMut(Value),
    ) -> Result<String, Error> {
        let gvk = &kind.gvk();
        let mut asked = Listing {
            cluster: self.clone(),
            kind: kind.clone(),
            namespace: namespace.map(str::to_owned),
            metadata_only: options.metadata_only,
            params: ListParams {
                label_selector: options.labels.clone(),
                field_selector: options.fields.clone(),
                limit: Some(PAGE),
                ..ListParams::default()
            },
        };
        let mut version = String::new();
        let mut page = asked.clone().page().await?;
        loop {
            // The server is at work on the next page while this one is read.
            let ahead = pages::next_of(&page).map(|next| {
                asked.params.continue_token = Some(next);
                let (work, page) = asked.clone().page().remote_handle();
                tokio::spawn(work);
                page
            });
            let read = pages::read(&page, options.without_managers, |mut item| {
                // A list does not repeat the kind on each item.
                name_kind(&mut item, gvk);
                each(item);
            });
            drop(page);
            let end =
                read.map_err(|error| self.error(asked.action(), kube::Error::SerdeError(error)))?;
            if version.is_empty() {
                version = end.resource_version.unwrap_or_default();
            }
            page = match (ahead, end.next.filter(|next| !next.is_empty())) {
                (_, None) => return Ok(version),
                (Some(ahead), _) => ahead.await?,
                (None, next) => {
                    asked.params.continue_token = next;
                    asked.clone().page().await?
                }
            };
        }
    }

    /// Creates an object.
    pub async fn create(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        object: &Value,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        let name = object["metadata"]["name"].as_str().unwrap_or_default();
        let action = action("create", gvk, namespace, name);
        let params = post_params(options);
        self.ask(gvk, action, |resource| {
            Ok(collection(resource, namespace)?.create(&params, body(object))?)
        })
        .await
    }

    /// Replaces an object by one that carries the resource version it was read at.
    pub async fn replace(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        object: &Value,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        let action = action("update", gvk, namespace, name);
        let params = post_params(options);
        self.ask(gvk, action, |resource| {
            let (path, name) = place(resource, namespace, name)?;
            Ok(match options.subresource {
                Some(part) => path.replace_subresource(part, &name, &params, body(object)),
                None => path.replace(&name, &params, body(object)),
            }?)
        })
        .await
    }

    /// Applies an object server-side. The object says its kind; the caller, where
    /// it goes.
    pub async fn apply(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        object: &Value,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        let resource = self.resolve(gvk).await?;
        self.apply_to(&resource, namespace, name, object, options)
            .await
    }

    /// As [`Cluster::apply`], to a resource that was resolved before.
    pub async fn apply_to(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
        object: &Value,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        self.patch(resource, namespace, name, &Patch::Apply(object), options)
            .await
    }

    /// Changes an object by an RFC 7386 merge patch.
    pub async fn merge(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        patch: &Value,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        let resource = self.resolve(gvk).await?;
        self.patch(&resource, namespace, name, &Patch::Merge(patch), options)
            .await
    }

    /// Changes an object by an RFC 6902 JSON patch, given as the array of its
    /// operations.
    pub async fn json_patch(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        operations: &Value,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        let action = action("patch", gvk, namespace, name);
        let resource = self.resolve(gvk).await?;
        let operations =
            serde_json::from_value(operations.clone()).map_err(|error| Error::Request {
                action,
                reason: format!("not a JSON patch: {error}"),
            })?;
        self.patch(
            &resource,
            namespace,
            name,
            &Patch::Json::<()>(operations),
            options,
        )
        .await
    }

    async fn patch<P: serde::Serialize + Sync>(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
        patch: &Patch<P>,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        let verb = match (patch, options.dry_run) {
            (Patch::Apply(_), false) => "apply",
            (Patch::Apply(_), true) => "dry-run apply",
            _ => "patch",
        };
        let action = action(verb, &resource.gvk(), namespace, name);
        let params = PatchParams {
            dry_run: options.dry_run,
            force: options.force,
            field_manager: options.field_manager.map(ToOwned::to_owned),
            field_validation: None,
        };
        self.ask_of(resource.clone(), action, |resource| {
            let (path, name) = place(resource, namespace, name)?;
            Ok(match options.subresource {
                Some(part) => path.patch_subresource(part, &name, &params, patch),
                None => path.patch(&name, &params, patch),
            }?)
        })
        .await
    }

    /// Deletes an object. `false` when it was not there.
    pub async fn delete(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        options: &DeleteOptions,
    ) -> Result<bool, Error> {
        let action = action("delete", gvk, namespace, name);
        let (uid, resource_version) = (options.uid.clone(), options.resource_version.clone());
        let is_conditional = uid.is_some() || resource_version.is_some();
        let params = DeleteParams {
            dry_run: options.dry_run,
            propagation_policy: options.propagation.clone(),
            preconditions: is_conditional.then_some(Preconditions {
                resource_version,
                uid,
            }),
            ..DeleteParams::default()
        };
        let request = |resource: &Resource| {
            let (path, name) = place(resource, namespace, name)?;
            Ok(path.delete(&name, &params)?)
        };
        match self.ask(gvk, action, request).await {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() || error.is_invalid_name() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Opens one watch after a resource version; empty or `0` begins with the existing objects.
    ///
    /// The stream ends when the server ends it. [`crate::watch::Watcher`] resumes it.
    pub async fn watch(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        resource_version: &str,
        options: &WatchOptions,
    ) -> Result<WatchStream, Error> {
        let kind = KindPath::Discovered(gvk.clone());
        self.open_watch(&kind, namespace, resource_version, options)
            .await
    }

    pub(crate) async fn open_watch(
        &self,
        kind: &KindPath,
        namespace: Option<&str>,
        resource_version: &str,
        options: &WatchOptions,
    ) -> Result<WatchStream, Error> {
        let gvk = kind.gvk();
        let action = action("watch", &gvk, namespace, "");
        let params = WatchParams {
            label_selector: options.labels.clone(),
            field_selector: options.fields.clone(),
            bookmarks: true,
            send_initial_events: options.initial,
            ..WatchParams::default()
        };
        let request = |resource: &Resource| {
            let path = collection(resource, namespace)?;
            Ok(if options.metadata_only {
                path.watch_metadata(&params, resource_version)
            } else {
                path.watch(&params, resource_version)
            }?)
        };
        let open = async |resource: &Resource| {
            let request = self.written(&action, request(resource))?;
            self.client()
                .request_events::<Value>(uncompressed(request))
                .await
                .map_err(|error| self.error(action.clone(), error))
        };
        let events = match kind {
            KindPath::Fixed(resource) => open(resource).await?,
            KindPath::Discovered(gvk) => {
                let resource = self.resolve(gvk).await?;
                let number = self.discovery_number();
                match open(&resource).await {
                    Err(error) if error.is_unserved() => {
                        open(&self.resolve_anew(gvk, number).await?).await?
                    }
                    opened => opened?,
                }
            }
        };
        let host = self.host().to_owned();
        let events = events
            .map(move |event: Result<WatchEvent<Value>, kube::Error>| {
                event
                    .map(|event| named(event, &gvk))
                    .map_err(|error| Error::new(action.clone(), &host, error))
            })
            .take_until(tokio::time::sleep(WATCH_LIFE));
        Ok(events.boxed())
    }

    /// Sends a request of any other form and reads the answer as JSON.
    pub async fn raw(&self, action: &str, request: HttpRequest<Vec<u8>>) -> Result<Value, Error> {
        self.client()
            .request(json(request))
            .await
            .map_err(|error| self.error(action, error))
    }

    /// Sends a request on a kind; where its path is not served, on the kind as it is found
    /// anew.
    async fn ask(
        &self,
        gvk: &GroupVersionKind,
        action: String,
        request: impl Fn(&Resource) -> Written,
    ) -> Result<Value, Error> {
        let resource = self.resolve(gvk).await?;
        self.ask_of(resource, action, request).await
    }

    /// As [`Cluster::ask`], to a resource that was resolved before.
    async fn ask_of(
        &self,
        resource: Resource,
        action: String,
        request: impl Fn(&Resource) -> Written,
    ) -> Result<Value, Error> {
        let text = self.text_of(resource, action.clone(), request).await?;
        serde_json::from_str(&text)
            .map_err(|error| self.error(action, kube::Error::SerdeError(error)))
    }

    /// As [`Cluster::ask_of`], for who reads the answer himself.
    async fn text_of(
        &self,
        resource: Resource,
        action: String,
        request: impl Fn(&Resource) -> Written,
    ) -> Result<String, Error> {
        let number = self.discovery_number();
        let sent = self.send(action.clone(), request(&resource)).await;
        match sent {
            // Nothing was done: there is no such path to do it at.
            Err(error) if error.is_unserved() => {
                let resource = self.resolve_anew(&resource.gvk(), number).await?;
                self.send(action, request(&resource)).await
            }
            sent => sent,
        }
    }

    async fn send(&self, action: String, request: Written) -> Result<String, Error> {
        let request = self.written(&action, request)?;
        match self.client().request_text(json(request)).await {
            Ok(text) => Ok(text),
            Err(error) => Err(self.error(action, error)),
        }
    }

    fn written(&self, action: &str, request: Written) -> Result<HttpRequest<Vec<u8>>, Error> {
        request.map_err(|error| match error {
            Unwritten::Name(invalid) => Error::InvalidName {
                action: action.to_owned(),
                invalid,
            },
            Unwritten::Rest(error) => self.error(action, kube::Error::BuildRequest(error)),
        })
    }
}

/// Requests on the objects of a kind.
fn collection(resource: &Resource, namespace: Option<&str>) -> Result<Request, InvalidName> {
    Ok(Request::new(resource.path(namespace)?))
}

/// Requests on an object, and its name as they take it.
fn place(
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
) -> Result<(Request, String), InvalidName> {
    let path = collection(resource, namespace)?;
    Ok((path, segment("resource name", name)?))
}

/// A list that is being asked for, page by page.
#[derive(Clone)]
struct Listing {
    cluster: Cluster,
    kind: KindPath,
    namespace: Option<String>,
    metadata_only: bool,
    params: ListParams,
}

impl Listing {
    async fn page(self) -> Result<String, Error> {
        let request = |resource: &Resource| {
            let path = collection(resource, self.namespace.as_deref())?;
            Ok(if self.metadata_only {
                path.list_metadata(&self.params)
            } else {
                path.list(&self.params)
            }?)
        };
        let cluster = &self.cluster;
        match &self.kind {
            KindPath::Fixed(resource) => cluster.send(self.action(), request(resource)).await,
            KindPath::Discovered(gvk) => {
                let resource = cluster.resolve(gvk).await?;
                cluster.text_of(resource, self.action(), request).await
            }
        }
    }

    fn action(&self) -> String {
        action("list", &self.kind.gvk(), self.namespace.as_deref(), "")
    }
}

fn post_params(options: PatchOptions<'_>) -> PostParams {
    PostParams {
        dry_run: options.dry_run,
        field_manager: options.field_manager.map(ToOwned::to_owned),
    }
}

fn body(object: &Value) -> Vec<u8> {
    serde_json::to_vec(object).expect("a JSON value always serialises")
}

/// `get Deployment apps/web`.
fn action(verb: &str, gvk: &GroupVersionKind, namespace: Option<&str>, name: &str) -> String {
    let kind = &gvk.kind;
    match (namespace.filter(|namespace| !namespace.is_empty()), name) {
        (Some(namespace), "") => format!("{verb} {kind} in {namespace}"),
        (None, "") => format!("{verb} {kind}"),
        (Some(namespace), name) => format!("{verb} {kind} {namespace}/{name}"),
        (None, name) => format!("{verb} {kind} {name}"),
    }
}

/// Puts `apiVersion` and `kind` on an object that a list or a metadata request
/// gave without them, or with those of the envelope.
fn name_kind(value: &mut Value, gvk: &GroupVersionKind) {
    if let Value::Object(map) = value {
        map.insert("apiVersion".to_owned(), Value::String(gvk.api_version()));
        map.insert("kind".to_owned(), Value::String(gvk.kind.clone()));
    }
}

fn named(event: WatchEvent<Value>, gvk: &GroupVersionKind) -> WatchEvent<Value> {
    let name = |mut value: Value| {
        name_kind(&mut value, gvk);
        value
    };
    match event {
        WatchEvent::Added(value) => WatchEvent::Added(name(value)),
        WatchEvent::Modified(value) => WatchEvent::Modified(name(value)),
        WatchEvent::Deleted(value) => WatchEvent::Deleted(name(value)),
        other => other,
    }
}
