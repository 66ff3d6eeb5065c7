//! Helm releases: records, storage, post-rendering, hooks and actions.
//!
//! The engine does to a cluster what Helm 4.2 does, and leaves the same records. Charts are
//! loaded and rendered by [`sluice_chart`].
//!
//! Where to start: [`Release`] is a record, [`store`] keeps records.

pub mod post_render;
pub mod record;
pub mod store;

pub use record::{Hook, Info, Release, Status};
