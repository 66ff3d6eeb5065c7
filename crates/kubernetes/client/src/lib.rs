//! The Kubernetes client: kubeconfig, impersonation, throttle, cached discovery, REST mapping and
//! watches.
//!
//! Every request to an API server goes through a [`Cluster`]. The CLI loads one with
//! [`kubeconfig::load`]. A controller uses its service account or, for the remote cluster of a
//! tenant, [`kubeconfig::sanitize`]. [`watch`] follows the objects of a kind.
//!
//! Bodies are [`serde_json::Value`]s. Typed access uses [`typed::Api`] over [`Cluster::client`],
//! with the same throttle and counters. The functions of [`typed`] are for objects that a user
//! names.
//!
//! The client uses HTTP/1.1, because an API server limits an HTTP/2 connection to 100 streams.
//! Watches keep their streams for minutes, and further requests would wait silently.

mod cluster;
mod connection_limit;
mod decode;
mod discovery;
mod error;
mod fence;
mod identity;
pub mod kubeconfig;
mod no_match;
mod plugin;
mod request;
mod response_body;
mod segment;
mod throttle;
mod tokens;
mod transport;
pub mod typed;
pub mod watch;

pub use cluster::{Cluster, ConnectError, Options};
pub use discovery::Resource;
pub use error::{Error, status_message, transport_reason};
pub use fence::Fence;
pub use identity::{Identity, IdentityError};
pub use no_match::NoMatch;
pub use request::{
    DeleteOptions, FieldValidation, Freshness, List, ListOptions, PatchOptions, WatchOptions,
    WatchStream,
};
pub use segment::InvalidName;
pub use throttle::Rate;
pub use tokens::{TokenError, TokenFuture, TokenSource};
pub use transport::{ObservedRequest, Observer};

pub use kube::Config;
pub use kube::core::params::PropagationPolicy;
pub use kube::core::response::{Status, StatusCause};
pub use kube::core::{ApiResource, Version, WatchEvent};
pub use sluice_gvk::{GroupKind, GroupVersionKind};
