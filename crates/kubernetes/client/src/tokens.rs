//! Bearer tokens that are renewed while a client lives.
//!
//! A wait for health may last longer than the token that it began with. So a client does not
//! hold one: it asks for the token before each request, and whoever gives it keeps it.

use std::future::Future;
use std::pin::Pin;

use sluice_dial::Bearer;

/// A token, or why there is none, in time.
pub type Asked<'a> = Pin<Box<dyn Future<Output = Result<Bearer, NoToken>> + Send + 'a>>;

/// Gives the token for the next request. Must be quick while the token is good.
pub trait Tokens: Send + Sync {
    /// The token.
    fn token(&self) -> Asked<'_>;
}

/// Why there is no token; no part of one is in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoToken(pub String);
