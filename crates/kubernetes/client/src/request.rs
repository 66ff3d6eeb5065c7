//! Requests on objects of any kind, with JSON values as bodies.
//!
//! A path that is not served ([`Error::is_unserved`]) is looked up once more. A removed kind is
//! then [`Error::NoMatch`], and not a missing object.
//!
//! Only [`segment`] writes names into paths. An object with an invalid name
//! ([`Error::InvalidName`]) cannot exist: a read finds nothing, a delete is done, a write fails.

mod options;
mod pages;
mod watch;

use futures::FutureExt as _;
use http::Request as HttpRequest;
use kube::api::{DeleteParams, GetParams, ListParams, Patch, PatchParams, PostParams};
use kube::core::Request;
use kube::core::params::Preconditions;
use serde_json::Value;
use sluice_gvk::GroupVersionKind;

pub use self::options::{
    DeleteOptions, FieldValidation, Freshness, List, ListOptions, PatchOptions, WatchOptions,
};
pub use self::watch::WatchStream;
use crate::cluster::Cluster;
use crate::decode::{decode, decode_each};
use crate::discovery::Resource;
use crate::error::Error;
use crate::segment::{InvalidName, segment};
use crate::transport::json;

/// Objects per page of a list.
const PAGE_SIZE: u32 = 500;

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

/// A request, or why it is invalid.
type BuiltRequest = Result<HttpRequest<Vec<u8>>, BuildError>;

/// Why a request is invalid.
enum BuildError {
    Name(InvalidName),
    Rest(kube::core::request::Error),
}

impl From<InvalidName> for BuildError {
    fn from(invalid: InvalidName) -> Self {
        Self::Name(invalid)
    }
}

impl From<kube::core::request::Error> for BuildError {
    fn from(error: kube::core::request::Error) -> Self {
        Self::Rest(error)
    }
}

impl Cluster {
    /// Reads an object; `None` if it does not exist.
    pub async fn get(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
    ) -> Result<Option<Value>, Error> {
        let action = action("get", gvk, namespace, name);
        let request = |resource: &Resource| {
            let (path, name) = object_path(resource, namespace, name)?;
            Ok(path.get(&name, &GetParams::default())?)
        };
        match self.request(gvk, action, request).await {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_not_found() || error.is_invalid_name() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Reads identity, labels and annotations of an object; `None` if it does not exist.
    pub async fn get_metadata(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        freshness: Freshness,
    ) -> Result<Option<Value>, Error> {
        let action = action("get", gvk, namespace, name);
        let params = match freshness {
            Freshness::Latest => GetParams::default(),
            Freshness::Cached => GetParams::any(),
        };
        let request = |resource: &Resource| {
            let (path, name) = object_path(resource, namespace, name)?;
            Ok(path.get_metadata(&name, &params)?)
        };
        match self.request(gvk, action, request).await {
            Ok(mut value) => {
                set_kind(&mut value, gvk);
                Ok(Some(value))
            }
            Err(error) if error.is_not_found() || error.is_invalid_name() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Lists objects, page by page; without a namespace, of all namespaces.
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

    /// Like [`Cluster::list`], but passes each object to `each` when it is read, without holding a
    /// page. After an error the passed objects are incomplete. Returns the version from which a
    /// watch continues.
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
        let mut listing = Listing {
            cluster: self.clone(),
            kind: kind.clone(),
            namespace: namespace.map(str::to_owned),
            metadata_only: options.metadata_only,
            params: ListParams {
                label_selector: options.labels.clone(),
                field_selector: options.fields.clone(),
                limit: Some(PAGE_SIZE),
                ..ListParams::default()
            },
        };
        let mut version = String::new();
        let mut page = listing.clone().page().await?;
        loop {
            // The next page is requested while this one is read.
            let ahead = pages::next_of(&page).map(|next| {
                listing.params.continue_token = Some(next);
                let (work, page) = listing.clone().page().remote_handle();
                sluice_system::spawn(work);
                page
            });
            let without_managers = options.without_managers;
            let reading = decode_each(
                page,
                move |page, each| pages::read(page, without_managers, each),
                |mut item| {
                    // A list does not repeat the kind on each item.
                    set_kind(&mut item, gvk);
                    each(item);
                },
            );
            let end = reading
                .await
                .map_err(|error| self.error(listing.action(), kube::Error::SerdeError(error)))?;
            if version.is_empty() {
                version = end.resource_version.unwrap_or_default();
            }
            page = match (ahead, end.next.filter(|next| !next.is_empty())) {
                (_, None) => return Ok(version),
                (Some(ahead), _) => ahead.await?,
                (None, next) => {
                    listing.params.continue_token = next;
                    listing.clone().page().await?
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
        self.request(gvk, action, |resource| {
            let request = collection(resource, namespace)?.create(&params, body(object))?;
            with_field_validation(request, options)
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
        self.request(gvk, action, |resource| {
            let (path, name) = object_path(resource, namespace, name)?;
            #[expect(
                clippy::disallowed_methods,
                reason = "controllers do not name one: `xtask layers` bans it outside of engine::report"
            )]
            let request = match options.subresource {
                Some(part) => path.replace_subresource(part, &name, &params, body(object)),
                None => path.replace(&name, &params, body(object)),
            }?;
            with_field_validation(request, options)
        })
        .await
    }

    /// Applies an object server-side.
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

    /// Like [`Cluster::apply`], with a resolved resource.
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

    /// Changes an object of a built-in kind by a strategic merge patch.
    pub async fn strategic_merge(
        &self,
        gvk: &GroupVersionKind,
        namespace: Option<&str>,
        name: &str,
        patch: &Value,
        options: PatchOptions<'_>,
    ) -> Result<Value, Error> {
        let resource = self.resolve(gvk).await?;
        let patch = Patch::Strategic(patch);
        self.patch(&resource, namespace, name, &patch, options)
            .await
    }

    /// Changes an object by an RFC 6902 JSON patch, an array of operations.
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
        self.request_on(resource.clone(), action, |resource| {
            let (path, name) = object_path(resource, namespace, name)?;
            #[expect(
                clippy::disallowed_methods,
                reason = "controllers do not name one: `xtask layers` bans it outside of engine::report"
            )]
            let request = match options.subresource {
                Some(part) => path.patch_subresource(part, &name, &params, patch),
                None => path.patch(&name, &params, patch),
            }?;
            with_field_validation(request, options)
        })
        .await
    }

    /// Deletes an object; `false` if it did not exist.
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
            let (path, name) = object_path(resource, namespace, name)?;
            Ok(path.delete(&name, &params)?)
        };
        match self.request(gvk, action, request).await {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() || error.is_invalid_name() => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Sends any other request and decodes the JSON response.
    pub async fn raw(&self, action: &str, request: HttpRequest<Vec<u8>>) -> Result<Value, Error> {
        self.client()
            .request(json(request))
            .await
            .map_err(|error| self.error(action, error))
    }

    /// Sends a request on a kind. If the path is not served, the kind is resolved again.
    async fn request(
        &self,
        gvk: &GroupVersionKind,
        action: String,
        request: impl Fn(&Resource) -> BuiltRequest,
    ) -> Result<Value, Error> {
        let resource = self.resolve(gvk).await?;
        self.request_on(resource, action, request).await
    }

    /// Like [`Cluster::request`], with a resolved resource.
    async fn request_on(
        &self,
        resource: Resource,
        action: String,
        request: impl Fn(&Resource) -> BuiltRequest,
    ) -> Result<Value, Error> {
        let text = self.request_text(resource, action.clone(), request).await?;
        let decoded = decode(text).await;
        decoded.map_err(|error| self.error(action, kube::Error::SerdeError(error)))
    }

    /// Like [`Cluster::request_on`], without decoding the response.
    async fn request_text(
        &self,
        resource: Resource,
        action: String,
        request: impl Fn(&Resource) -> BuiltRequest,
    ) -> Result<String, Error> {
        let number = self.discovery_number();
        let sent = self.send(action.clone(), request(&resource)).await;
        match sent {
            // The path does not exist, so the request had no effect.
            Err(error) if error.is_unserved() => {
                let resource = self.resolve_again(&resource.gvk(), number).await?;
                self.send(action, request(&resource)).await
            }
            sent => sent,
        }
    }

    async fn send(&self, action: String, request: BuiltRequest) -> Result<String, Error> {
        let request = self.build(&action, request)?;
        match self.client().request_text(json(request)).await {
            Ok(text) => Ok(text),
            Err(error) => Err(self.error(action, error)),
        }
    }

    fn build(&self, action: &str, request: BuiltRequest) -> Result<HttpRequest<Vec<u8>>, Error> {
        request.map_err(|error| match error {
            BuildError::Name(invalid) => Error::InvalidName {
                action: action.to_owned(),
                invalid,
            },
            BuildError::Rest(error) => self.error(action, kube::Error::BuildRequest(error)),
        })
    }
}

/// Requests on the objects of a kind.
fn collection(resource: &Resource, namespace: Option<&str>) -> Result<Request, InvalidName> {
    Ok(Request::new(resource.path(namespace)?))
}

/// Requests on an object, and its escaped name.
fn object_path(
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
) -> Result<(Request, String), InvalidName> {
    let path = collection(resource, namespace)?;
    Ok((path, segment("resource name", name)?))
}

/// A list request, page by page.
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
                cluster.request_text(resource, self.action(), request).await
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

/// Adds `fieldValidation` to the query, which `kube` does for patches only.
fn with_field_validation(
    mut request: HttpRequest<Vec<u8>>,
    options: PatchOptions<'_>,
) -> BuiltRequest {
    if let Some(validation) = options.field_validation {
        // The path of `kube` always ends in a query, even if it is empty.
        let uri = format!("{}&fieldValidation={}", request.uri(), validation.as_str());
        *request.uri_mut() = uri
            .parse()
            .map_err(|error| kube::core::request::Error::BuildRequest(http::Error::from(error)))?;
    }
    Ok(request)
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

/// Sets `apiVersion` and `kind` of an object. Lists omit them, and metadata requests return those
/// of the envelope.
fn set_kind(value: &mut Value, gvk: &GroupVersionKind) {
    if let Value::Object(map) = value {
        map.insert("apiVersion".to_owned(), Value::String(gvk.api_version()));
        map.insert("kind".to_owned(), Value::String(gvk.kind.clone()));
    }
}
