//! What the runtime asks of a kind it reconciles: a namespaced custom resource
//! with a status, known at compile time. The runtime itself names none.

use std::fmt::Debug;

use kube::core::NamespaceResourceScope;
use kube::core::object::HasStatus;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a kind's status can do: be compared, written and read again.
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
/// Every `kube::CustomResource` of the `api` crate with a status is one; nobody
/// implements this by hand.
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

/// A kind that is watched: reconciled, read, or only listened to.
///
/// `kube::core::PartialObjectMeta<T>` of any `T` is one as well, and is then
/// fetched as metadata only.
pub trait Watched:
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

impl<K> Watched for K where
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
