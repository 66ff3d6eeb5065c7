//! Defines the result of a verification.

use std::borrow::Cow;

use super::jwt::Claims;
use super::signature::SignatureError;

/// A genuine call.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedCall<'a> {
    /// Body for the filters.
    pub body: Cow<'a, [u8]>,
    /// Claims of the token, for callers with one.
    pub claims: Option<Claims>,
    /// Log message.
    pub message: String,
}

/// Reason to reject a call. The caller gets only status 400.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The Receiver or its Secret is incomplete.
    #[error("{0}")]
    Setup(String),
    /// The signature is wrong.
    #[error("{what}: {source}")]
    Signature {
        /// The header.
        what: &'static str,
        /// Cause.
        source: SignatureError,
    },
    /// The token is wrong.
    #[error("{0}")]
    Token(String),
    /// The body has another form.
    #[error("{0}")]
    Body(String),
    /// The Receiver does not handle the event.
    #[error("the {caller} event {event:?} is not authorised")]
    Event {
        /// Type of the caller.
        caller: &'static str,
        /// Name of the event.
        event: String,
    },
}
