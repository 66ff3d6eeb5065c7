//! The Kubernetes client: kubeconfig, impersonation, throttle, cached discovery
//! and REST mapping.
//!
//! Everything of ours that talks to an API server goes through a [`Cluster`]:
//! the CLI loads one with [`kubeconfig::load`], a controller from its service
//! account or, for a tenant's remote cluster, from [`kubeconfig::sanitize`].
//! The crate knows no kind and no field of any object: bodies are
//! [`serde_json::Value`]s, and typed access is left to [`kube::Api`] over
//! [`Cluster::client`], which passes through the same throttle and counters, and to [`typed`] where
//! a user names the object.
//!
//! Why HTTP/1.1: an API server grants 100 streams to a connection, watches take
//! theirs for minutes, and the client library under us waits silently for the
//! hundred-and-first. A pool of plain connections has no such cliff.

mod cluster;
mod connection_limit;
mod discovery;
mod error;
mod identity;
mod idle_timeout;
pub mod kubeconfig;
mod plugin;
mod request;
mod segment;
mod throttle;
mod tokens;
mod transport;
pub mod typed;
pub mod watch;

pub use cluster::{Cluster, ConnectError, Options};
pub use discovery::{NoMatch, Resource};
pub use error::{Error, said, transport_reason};
pub use identity::{Identity, NoIdentity};
pub use request::{
    DeleteOptions, Freshness, List, ListOptions, PatchOptions, WatchOptions, WatchStream,
};
pub use segment::InvalidName;
pub use throttle::Rate;
pub use tokens::{Asked, NoToken, Tokens};
pub use transport::{Observed, Observer};

pub use kube::Config;
pub use kube::core::{ApiResource, WatchEvent};
pub use kube::core::response::{Status, StatusCause};
pub use sluice_gvk::{GroupKind, GroupVersionKind};
