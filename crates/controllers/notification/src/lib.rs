//! Alerts out and webhooks in, as functions of data.
//!
//! The crate decides; it opens no socket and reads no cluster. Its callers fetch objects and
//! Secrets, send the requests that it builds, and apply the changes that it asks for.
//!
//! Parity: `fluxcd/notification-controller` v1.9.3. Differences, each with a test:
//! - messages that differ by durations, times or counters only are duplicates
//! - metadata is in the order of its keys where the reference has a random order
//! - a commit must be hexadecimal, a pull request number a number, and no path may leave its host
//! - texts that a service would refuse for their length are cut
//! - half a pair of credentials loses the pair only; an empty token verifies no call
//! - a token that cannot be sent in a header is an error that says so
//! - proxy and certificates apply to every type; Pub/Sub is called by its REST form
//! - ids of Sentry and OTLP are hashes of the event, so a retry repeats nothing
//! - comments are searched beyond the first page
//! - the types `zoom` and `incident.io`, which the reference's main branch has
//!
//! Where to start:
//! - an event arrives: [`event::decode`], [`event::Duplicates`], [`alert::matches`],
//!   [`alert::dispatch`]
//! - a message leaves: [`provider::request`] over a [`config::ProviderConfig`], then
//!   [`delivery::Queue`]
//! - a webhook arrives: [`receiver::verify`], then [`receiver::targets`]

pub mod address;
pub mod alert;
pub mod config;
pub mod delivery;
pub mod error;
pub mod event;
pub mod json;
pub mod kind;
pub mod provider;
pub mod receiver;
pub mod request;
pub mod text;
