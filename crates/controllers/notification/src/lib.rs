//! Alerts out and webhooks in, as functions of data.
//!
//! The crate decides; it opens no socket and reads no cluster. Its callers fetch objects and
//! Secrets, send the requests that it builds, and apply the changes that it asks for.
//!
//! Parity: `fluxcd/notification-controller` v1.9.3.
//!
//! Where to start:
//! - an event arrives: [`event::decode`], [`event::Duplicates`], [`alert::matches`],
//!   [`alert::dispatch`]
//! - a message leaves: [`provider::request`] over a [`config::ProviderConfig`]
//! - a webhook arrives: [`receiver::verify`], then [`receiver::targets`]

pub mod address;
pub mod alert;
pub mod config;
pub mod error;
pub mod event;
pub mod json;
pub mod kind;
pub mod provider;
pub mod receiver;
pub mod request;
pub mod text;
