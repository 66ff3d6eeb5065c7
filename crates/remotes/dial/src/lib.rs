//! Credentials, TLS, proxies and the HTTP client.
//!
//! The crate has the types that carry a secret from a Kubernetes Secret to a socket. Only this
//! crate builds a [`Client`]. It reads a Secret through [`secret::Keys`] only: its errors name the
//! key, and callers add the object.
//!
//! Start at [`Dial`], the connection options, and [`HttpClients`], the cache of clients.

mod basic;
mod http;
mod on_demand;
mod permits;
mod progress;
mod proxy;
mod reach;
mod redirect;
pub mod retry;
pub mod secret;
mod sensitive;
mod ssh;
mod tls;
mod upgrade;

/// The HTTP client and its types, so that only this crate depends on the library behind them.
pub use reqwest::{Client, Error, Method, RequestBuilder, Response, StatusCode, Url};

pub use basic::{Basic, Bearer, Credentials};
pub use http::{
    BodyError, Dial, DialError, HttpClients, exchange, explain, printable, printable_within,
    read_body,
};
pub use on_demand::{BasicFuture, BasicSource, OnDemand};
pub use permits::{RemotePermit, RemotePermits};
pub use progress::{Progress, Stage};
pub use proxy::Proxy;
pub use reach::{Reach, has_local_host, has_loopback_host};
pub use redirect::Redirects;
pub use retry::Retry;
pub use secret::{Invalid, Keys};
pub use sensitive::{Sensitive, Wipe, hide};
pub use ssh::SshIdentity;
pub use tls::{ClientCertificate, Tls};
pub use upgrade::{TlsError, TlsStream, start_tls};
