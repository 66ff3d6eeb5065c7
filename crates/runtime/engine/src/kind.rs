//! The requirements for a reconciled kind: a namespaced custom resource with a status, known at
//! compile time.

use std::borrow::Cow;
use std::fmt::Debug;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use kube::core::NamespaceResourceScope;
use kube::core::object::HasStatus;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The requirements for the status of a kind.
pub trait Status:
    Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

impl<S> Status for S where
    S: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
}

/// A kind that a controller reconciles.
///
/// Every `kube::CustomResource` of the `api` crate with a status implements it.
pub trait Kind:
    kube::Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + HasStatus<Status: Status>
    + Clone
    + Debug
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
}

impl<K> Kind for K where
    K: kube::Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + HasStatus<Status: Status>
        + Clone
        + Debug
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static
{
}

/// The status type of a kind.
pub type StatusOf<K> = <K as HasStatus>::Status;

/// A kind that can be watched.
///
/// `kube::core::PartialObjectMeta<T>` implements it too; its watch requests metadata only.
pub trait Watchable:
    kube::Resource<DynamicType = (), Scope = NamespaceResourceScope>
    + Clone
    + Debug
    + Serialize
    + DeserializeOwned
    + Send
    + Sync
    + 'static
{
}

impl<K> Watchable for K where
    K: kube::Resource<DynamicType = (), Scope = NamespaceResourceScope>
        + Clone
        + Debug
        + Serialize
        + DeserializeOwned
        + Send
        + Sync
        + 'static
{
}

/// Makes a kind without a status a [`Kind`]. A reconciler of it returns
/// [`Outcome::untouched`](crate::Outcome::untouched).
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Statusless<K> {
    /// The object.
    pub object: K,
    #[serde(skip)]
    status: Option<()>,
}

impl<K> HasStatus for Statusless<K> {
    type Status = ();

    fn status(&self) -> Option<&()> {
        self.status.as_ref()
    }

    fn status_mut(&mut self) -> &mut Option<()> {
        &mut self.status
    }
}

impl<K: kube::Resource> kube::Resource for Statusless<K> {
    type DynamicType = K::DynamicType;
    type Scope = K::Scope;

    fn kind(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::kind(dt)
    }

    fn group(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::group(dt)
    }

    fn version(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::version(dt)
    }

    fn plural(dt: &Self::DynamicType) -> Cow<'_, str> {
        K::plural(dt)
    }

    fn meta(&self) -> &ObjectMeta {
        self.object.meta()
    }

    fn meta_mut(&mut self) -> &mut ObjectMeta {
        self.object.meta_mut()
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;
    use serde_json::json;

    use super::*;

    #[test]
    fn statusless_object_is_a_kind_and_keeps_its_form() {
        fn is_kind<K: Kind>(_: &K) {}
        let value = json!({"apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": "a", "namespace": "apps"}, "data": {"key": "value"}});
        let object: Statusless<ConfigMap> = serde_json::from_value(value.clone()).unwrap();
        is_kind(&object);
        assert_eq!(object.status(), None);
        assert_eq!(serde_json::to_value(&object).unwrap(), value);
    }
}
