//! Identities: credentials of clouds and of GitHub Apps.
//!
//! A caller names a provider and what it needs: a region, an audience or a scope. It gets a token
//! with its expiry. The crate knows no Kubernetes client and starts no program. Errors and `Debug`
//! never show a secret.
//!
//! Start at [`aws::Environment`] and [`GithubApp`] for credentials, and at [`TokenCache`].

pub mod aws;
mod error;
pub mod github_app;
mod request;
mod service_account;
mod token_cache;

pub use error::IdentityError;
pub use github_app::GithubApp;
pub use service_account::{ServiceAccount, UnknownAccount};
pub use token_cache::{Lookup, Token, TokenCache};
