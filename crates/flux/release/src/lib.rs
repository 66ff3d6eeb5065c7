//! Helm releases on a real cluster.
//!
//! [`sluice_helm`] decides, and this crate sends its requests. [`ReleaseCluster`] reads, writes and
//! watches objects. [`ObjectDriver`] keeps records in Secrets or `ConfigMap`s. [`ClusterLookup`]
//! serves the function `lookup`, and [`capabilities()`] reads the features of a cluster.
//! [`BlockingRenderer`] renders outside of the runtime's threads. [`values`] composes the values of
//! a `HelmRelease`, [`names`] derives the names of its release, and [`post_renderer()`] its last
//! step.

mod capabilities;
mod cluster;
mod driver;
mod error;
mod lookup;
pub mod names;
mod patch;
mod post_renderer;
mod renderer;
pub mod values;
mod version;
mod wait;

pub use capabilities::capabilities;
pub use cluster::{LogSink, ReleaseCluster};
pub use driver::ObjectDriver;
pub use lookup::ClusterLookup;
pub use post_renderer::post_renderer;
pub use renderer::BlockingRenderer;
pub use version::digest_version;
