//! The notification controller: alerts out and webhooks in.
//!
//! The decisions are functions of data: which Alert wants an event, which request a service gets,
//! which call is genuine. The effects are in few modules around them.
//!
//! Parity: `fluxcd/notification-controller` v1.9.3. Differences, each with a test:
//! - messages that differ by durations, times or counters only are duplicates
//! - metadata is in the order of its keys where the reference has a random order
//! - a commit must be hexadecimal, a pull request number a number, and no path may leave its host
//! - texts that a service would refuse for their length are cut
//! - half a pair of credentials loses the pair only; an empty token verifies no call
//! - an event passes again for the Alerts whose notification was given up
//! - queues, patterns and expressions have limits
//! - a token that cannot be sent in a header is an error that says so
//! - proxy and certificates apply to every type; Pub/Sub is called by its REST form
//! - ids of Sentry and OTLP are hashes of the event, so a retry repeats nothing
//! - comments are searched beyond the first page
//! - the types `zoom` and `incident.io`, which the reference's main branch has
//!
//! Where to start:
//! - the process: [`run`]
//! - an event arrives: `event_server`, then `dispatcher` with [`event::decode`],
//!   [`event::Duplicates`], [`alert::matches`] and [`alert::dispatch()`]
//! - a message leaves: `deliveries` with [`delivery::Queue`], then `courier` with
//!   [`provider::request`] over a [`config::ProviderConfig`], then [`sender`]
//! - a webhook arrives: `webhook_server` with [`receiver::verify()`] and [`receiver::targets`],
//!   then `annotator`
//! - an object changes: `reconcilers`

pub mod address;
pub mod alert;
mod annotator;
mod args;
pub mod config;
mod courier;
mod deliveries;
pub mod delivery;
mod dispatcher;
pub mod error;
pub mod event;
mod event_server;
mod http_server;
mod issuers;
pub mod json;
pub mod kind;
#[cfg(test)]
mod lockdown_tests;
mod metadata;
mod metrics;
mod preview;
pub mod provider;
pub mod receiver;
mod reconcilers;
pub mod request;
pub mod sender;
mod serve;
pub mod text;
pub mod trial;
mod webhook_server;

pub use args::{Args, GATES, NAME};
pub use preview::{Preview, Show};
pub use serve::{Error, preview, run};
