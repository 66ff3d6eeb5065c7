//! Faults of calls and of watch events.

use std::time::Duration;

/// A fault of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Kills the client before the server receives the call.
    KillBefore,
    /// Forwards the call and kills the client before it receives the response.
    KillAfter,
    /// Forwards the call after this time.
    Delay(Duration),
    /// Answers with this status. A 429 or 503 has a `Retry-After`.
    Answer {
        /// The status.
        status: u16,
        /// Seconds for `Retry-After`.
        retry_after: Option<u32>,
    },
    /// Closes the connection without a response. The server does not receive the call.
    Drop,
    /// Forwards the call and closes the connection without a response.
    LoseAnswer,
    /// Forwards the call twice and returns the second response.
    SendTwice,
    /// Resets the connection (RST). The server does not receive the call.
    Reset,
    /// Never responds and keeps the connection open. The server does not receive the call.
    Hang,
}

impl Fault {
    /// `429 Too Many Requests`, with a retry after one second.
    pub const TOO_MANY_REQUESTS: Self = Self::Answer {
        status: 429,
        retry_after: Some(1),
    };

    /// `409 Conflict`.
    pub const CONFLICT: Self = Self::Answer {
        status: 409,
        retry_after: None,
    };

    /// `410 Gone`, for a watch or a page whose resource version is too old.
    pub const GONE: Self = Self::Answer {
        status: 410,
        retry_after: None,
    };

    /// `500 Internal Server Error`.
    pub const INTERNAL_ERROR: Self = Self::Answer {
        status: 500,
        retry_after: None,
    };

    /// `503 Service Unavailable`.
    pub const UNAVAILABLE: Self = Self::Answer {
        status: 503,
        retry_after: None,
    };
}

/// A fault of one watch event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchFault {
    /// Ends the watch cleanly before the event, as a server does on shutdown.
    Cut,
    /// Drops the event and continues the watch, which no real server does.
    Skip,
    /// Sends the event twice.
    Repeat,
}
