//! Helm releases: records, storage, post-rendering, hooks and actions.
//!
//! The engine does to a cluster what Helm 4.2 does, and leaves the same records. Charts are
//! loaded and rendered by [`sluice_chart`].
//!
//! Where to start: [`Release`] is a record, [`store`] keeps records, [`action`] changes releases.

pub mod action;
pub mod cluster;
mod context;
mod hook;
mod log;
pub mod ownership;
pub mod post_render;
pub mod record;
mod resources;
pub mod store;
mod templates;
pub mod wait;

pub use context::{ActionError, Context, Delivery, Failure, Renderer};
pub use log::LogLine;
pub use record::{Hook, Info, Release, Status};
pub use templates::{Lookup, Templates};
