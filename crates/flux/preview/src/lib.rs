//! Previews of a change: local Kustomizations, `HelmRelease`s and charts are rendered as in a
//! cluster, and compared with it.
//!
//! [`kustomization`] builds a Kustomization. [`release`] renders a `HelmRelease`, and [`charts`]
//! finds its chart. [`comparison`] compares objects with the cluster by dry-runs. [`image_update`]
//! makes the edit of an `ImageUpdateAutomation`. The caller is a [`Host`]: it runs the requests,
//! and prints.

pub mod charts;
pub mod comparison;
mod hints;
pub mod image_update;
pub mod kustomization;
pub mod release;
pub mod remote_bases;

use std::time::Duration;

use sluice_client::{Cluster, GroupVersionKind};
pub use sluice_lifecycle::Error;
use sluice_object::Object;
use tokio::runtime::Handle;

pub use self::hints::next_step;

/// Access to the objects that a render needs: Flux's kinds, config maps and Secrets.
pub trait ObjectLookup {
    /// Returns an object, if it exists.
    fn find(
        &self,
        gvk: &GroupVersionKind,
        namespace: &str,
        name: &str,
    ) -> Result<Option<Object>, Error>;
}

/// The command that asks for a preview.
pub trait Host: ObjectLookup {
    /// Runs async work within the time limit of the command.
    fn block_on<T>(&self, work: impl Future<Output = T>) -> Result<T, Error>;
    /// Returns a handle of the async runtime, for work on other threads.
    fn handle(&self) -> Result<Handle, Error>;
    /// Returns the client of the cluster.
    fn cluster(&self) -> Result<&Cluster, Error>;
    /// Returns the time limit of the command.
    fn timeout(&self) -> Duration;
    /// Returns the time that is left.
    fn remaining(&self) -> Duration;
    /// Prints a warning.
    fn warn(&self, text: &str);
}
