//! Who we are and how we dial: credentials, TLS, proxies and the one HTTP client.
//!
//! This crate owns every type that holds a secret on its way from a Kubernetes
//! Secret to a socket, and the only place that builds a [`reqwest::Client`].
//! It refuses to know where a secret came from: [`secret::Keys`] is all it sees
//! of a Secret, so that an error can name the key and the caller the object.
//!
//! Start at [`Dial`], which says how to reach a remote, and [`HttpClients`],
//! which turns it into a client and keeps that client for the next caller.

pub mod aws;
mod basic;
pub mod github_app;
mod http;
mod progress;
mod proxy;
mod redirect;
pub mod retry;
pub mod secret;
mod sensitive;
mod service_account;
mod ssh;
mod tls;
mod token_cache;

pub use basic::{Basic, Bearer, Credentials};
pub use github_app::{GithubApp, GithubAppError};
pub use http::{BodyError, Dial, DialError, HttpClients, explain, read_body};
pub use progress::{Progress, Stage};
pub use proxy::Proxy;
pub use redirect::Redirects;
pub use retry::Retry;
pub use secret::{Invalid, Keys};
pub use sensitive::{Sensitive, Wipe, hide};
pub use service_account::{ServiceAccount, UnknownAccount};
pub use ssh::SshIdentity;
pub use tls::{ClientCertificate, Tls};
pub use token_cache::{Lookup, Token, TokenCache};
