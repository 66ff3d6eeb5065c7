//! A webhook call, with the decision whether to process it.

use http::HeaderMap;
use sluice_api::notification::Receiver;

use crate::event::MAX_BODY_BYTES;

/// A request to the webhook server.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Headers.
    pub headers: &'a HeaderMap,
    /// Body.
    pub body: &'a [u8],
}

impl<'a> Call<'a> {
    /// Returns the first value of a header. An absent header is empty.
    pub fn header(&self, name: &str) -> &'a [u8] {
        let value = self.headers.get(name);
        value.map(http::HeaderValue::as_bytes).unwrap_or_default()
    }

    /// Returns the first value of a header as text.
    pub fn text(&self, name: &str) -> String {
        String::from_utf8_lossy(self.header(name)).into_owned()
    }
}

/// Status of the response, which has no body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallStatus {
    /// The reconciliation of all objects was requested.
    Accepted = 200,
    /// The call is not genuine.
    Invalid = 400,
    /// No Receiver has the path.
    Unknown = 404,
    /// The body is too large.
    TooLarge = 413,
    /// A filter or an object failed.
    Failed = 500,
    /// The Receiver is suspended or not ready.
    Unavailable = 503,
}

impl CallStatus {
    /// Returns the status code.
    pub const fn status(self) -> u16 {
        self as u16
    }
}

/// Decides whether to process a call. The size is checked before the path, so that a large body
/// does not reveal a path.
pub fn admit(receiver: Option<&Receiver>, body_bytes: usize) -> Result<&Receiver, CallStatus> {
    if body_bytes > MAX_BODY_BYTES {
        return Err(CallStatus::TooLarge);
    }
    let receiver = receiver.ok_or(CallStatus::Unknown)?;
    let conditions = receiver.status.as_ref().map(|status| &status.conditions);
    let is_ready = conditions.is_some_and(|conditions| conditions.is_true("Ready"));
    if is_ready && !receiver.spec.suspend {
        Ok(receiver)
    } else {
        Err(CallStatus::Unavailable)
    }
}
