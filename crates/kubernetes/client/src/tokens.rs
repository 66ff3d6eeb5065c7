//! Bearer tokens that are renewed while a client lives.
//!
//! A wait for health may last longer than a token. So a client requests the token before each
//! request, and its source caches it.

use std::future::Future;
use std::pin::Pin;

use sluice_dial::Bearer;

/// A future of a token.
pub type TokenFuture<'a> = Pin<Box<dyn Future<Output = Result<Bearer, TokenError>> + Send + 'a>>;

/// A source of tokens. It must be quick while its token is valid.
pub trait TokenSource: Send + Sync {
    /// Returns the token for the next request.
    fn token(&self) -> TokenFuture<'_>;
}

/// Why no token was returned. The message holds no part of a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TokenError(pub String);
