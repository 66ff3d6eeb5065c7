//! The contract between a controller and the engine.
//!
//! A [`Reconciler`] looks at one object and returns an [`Outcome`]. It performs its own effects
//! (fetch, apply, store) but never writes status, finalizers, events, metrics or requeue times:
//! [`crate::report`] is the only writer.

use std::future::Future;
use std::sync::Arc;

use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::outcome::Outcome;
use crate::run::Run;

/// The reconciliation of one kind.
///
/// The engine calls it for an existing object, at most once at a time per object. A run that waits
/// in [`Run::release`] may be dropped there when the process drains. So its effects must be
/// resumable from the state of the cluster.
pub trait Reconciler: Send + Sync + 'static {
    /// The kind.
    type Object: Kind;

    /// The finalizer that this controller puts on its objects.
    const FINALIZER: &'static str = sluice_api::meta::FINALIZER;

    /// Brings the cluster closer to the state that `object` asks for.
    fn reconcile(
        &self,
        object: Arc<Self::Object>,
        run: &Run<Self::Object>,
    ) -> impl Future<Output = Outcome<StatusOf<Self::Object>>> + Send;

    /// Drops cached data of an object that no longer exists.
    fn forget(&self, _key: &ObjectKey) {}
}
