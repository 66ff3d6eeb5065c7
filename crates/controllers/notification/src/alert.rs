//! Decides which Alerts an event matches, and builds the event to send.
//!
//! [`matches()`] compares an event with an Alert. [`dispatch()`] decides about the delivery, and
//! [`combine`] builds the metadata that leaves the cluster.
//!
//! Parity: notification-controller: `internal/server/{event_handlers,provider_commit_status}.go`.

mod commit_status;
mod dispatch;
mod matching;
mod metadata;
mod recovery;
mod slow_alerts;

pub use commit_status::commit_status;
pub use dispatch::{Dispatch, Gates, Skip, dispatch};
pub use matching::{
    Labels, Match, Notice, Rejection, has_severity, is_source, matches, needs_labels,
    needs_patterns, pattern_budget,
};
pub use metadata::{CONFLICT_MESSAGE, CombinedEvent, MetadataSource, combine};
pub use recovery::{MAX_FAILING, NOTIFY_RECOVERY, Recoveries};
pub use slow_alerts::{MAX_SLOW, SlowAlerts};

#[cfg(test)]
mod tests;
