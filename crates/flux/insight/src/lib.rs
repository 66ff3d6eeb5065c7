//! Explains why Flux objects fail or wait, and traces their sources.
//!
//! The answers are pure functions over observed objects: [`explain`](explain::explain)
//! finds the cause of a failure. [`order`] and [`progress`] plan and judge waits,
//! [`stats`] counts. [`difference`] compares two versions of a value. [`observe`], [`trace`],
//! [`tree`], [`health`] and [`helm`] read the objects of an answer through a
//! [`Cluster`](sluice_client::Cluster), and [`watch`] follows them.
//! Nothing here prints.
//!
//! Start at [`explain`].

mod advice;
mod controller;
mod diagnosis;
pub mod difference;
mod error;
pub mod explain;
pub mod fields;
pub mod health;
pub mod helm;
pub mod kinds;
mod messages;
mod model;
pub mod observe;
pub mod order;
pub mod progress;
pub mod read;
mod relation;
pub mod settled;
mod snapshot;
mod state;
pub mod stats;
pub mod trace;
pub mod tree;
pub mod wait_report;
pub mod watch;
mod workload;

pub use error::Error;
pub use model::{Detail, Diagnosis, Fault, Step};
pub use snapshot::{Id, Snapshot};
