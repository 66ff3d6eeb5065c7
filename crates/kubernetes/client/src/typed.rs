//! Typed requests on objects that a user names.
//!
//! `kube` writes a name into the path unescaped. A name from a reference may be anything, also a
//! path of its own: `a/../../../other/secrets/b`.
//!
//! The types and traits of `kube` that controllers need are exported here, so that few crates
//! depend on `kube` itself.

use k8s_openapi::api::authentication::v1::TokenRequest;
use k8s_openapi::api::core::v1::{Pod, ServiceAccount};
use kube::api::{LogParams, PostParams};
use kube::{Client, Result};
use serde::de::DeserializeOwned;

pub use kube::core::object::HasStatus;
pub use kube::core::{NamespaceResourceScope, PartialObjectMeta};
pub use kube::{Api, Resource, ResourceExt};

use crate::segment::{InvalidName, segment};

const NAME: &str = "resource name";

fn escape(what: &'static str, name: &str) -> Result<String> {
    segment(what, name).map_err(|invalid| kube::Error::Service(Box::new(invalid)))
}

/// The invalid name that caused an error, if there is one.
pub(crate) fn invalid_name(error: &kube::Error) -> Option<&InvalidName> {
    match error {
        kube::Error::Service(cause) => cause.downcast_ref(),
        _ => None,
    }
}

/// The API of a kind in a namespace.
pub fn namespaced<K>(client: Client, namespace: &str) -> Result<Api<K>>
where
    K: Resource<Scope = NamespaceResourceScope, DynamicType: Default>,
{
    Ok(Api::namespaced(client, &escape("namespace", namespace)?))
}

/// Reads an object.
pub async fn get<K>(api: &Api<K>, name: &str) -> Result<K>
where
    K: Clone + DeserializeOwned + std::fmt::Debug,
{
    api.get(&escape(NAME, name)?).await
}

/// Reads an object; `None` if it does not exist, or if its name is invalid.
pub async fn get_opt<K>(api: &Api<K>, name: &str) -> Result<Option<K>>
where
    K: Clone + DeserializeOwned + std::fmt::Debug,
{
    let Ok(name) = segment(NAME, name) else {
        return Ok(None);
    };
    api.get_opt(&name).await
}

/// Reads the metadata of an object; `None` if it does not exist, or if its name is invalid.
pub async fn get_metadata_opt<K>(api: &Api<K>, name: &str) -> Result<Option<PartialObjectMeta<K>>>
where
    K: Clone + DeserializeOwned + std::fmt::Debug,
{
    let Ok(name) = segment(NAME, name) else {
        return Ok(None);
    };
    api.get_metadata_opt(&name).await
}

/// Reads the log of a container.
pub async fn get_log(api: &Api<Pod>, pod: &str, container: &str) -> Result<String> {
    let parameters = LogParams {
        container: Some(container.to_owned()),
        ..LogParams::default()
    };
    api.logs(&escape(NAME, pod)?, &parameters).await
}

/// Requests a token of a service account.
pub async fn create_token(
    api: &Api<ServiceAccount>,
    name: &str,
    request: &TokenRequest,
) -> Result<TokenRequest> {
    let name = escape(NAME, name)?;
    api.create_token_request(&name, &PostParams::default(), request)
        .await
}
