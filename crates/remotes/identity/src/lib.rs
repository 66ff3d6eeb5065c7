//! Identities: credentials of clouds and of GitHub Apps.
//!
//! A caller names a provider, the level and what it needs: a region, an audience or a scope. It
//! gets a credential from one cache. The crate knows no Kubernetes client: the caller hands in the
//! service account and issues its tokens ([`TokenRequest`]). No program is started. Errors and
//! `Debug` never show a secret. Metadata services are called without a proxy.
//!
//! Start at [`Identities`]; [`CloudRegistry`] tells which provider logs in to a registry.

mod account;
mod allowlist;
pub mod aws;
pub mod azure;
mod cache_key;
mod cluster;
mod environment;
mod error;
#[cfg(test)]
mod fake;
pub mod gcp;
pub mod github_app;
mod identities;
mod jwt;
mod pattern;
mod provider;
mod registry;
mod request;
mod service_account;
mod token_cache;

pub use account::{Account, TokenRequest, TokenRequestFuture};
pub use allowlist::HostAllowlist;
pub use cache_key::{CacheKey, KeyParts};
pub use cluster::ClusterAccess;
pub use environment::Environment;
pub use error::IdentityError;
pub use github_app::GithubApp;
pub use identities::{AwsLocation, Credential, Identities, Level};
pub use provider::Provider;
pub use registry::CloudRegistry;
pub use request::Transport;
pub use service_account::{ServiceAccount, UnknownAccount};
pub use token_cache::{Lookup, Token, TokenCache};
