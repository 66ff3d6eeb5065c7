//! The contract between [`Controller`](crate::Controller) and the code of one kind.
//!
//! [`Reconciliation`](crate::reconcile::Reconciliation) implements it for each
//! [`Reconciler`](crate::Reconciler). A kind implements it directly only if the steps of a
//! reconciler do not fit. An example is a kind without a status.

use std::future::Future;
use std::sync::Arc;

use crate::key::ObjectKey;
use crate::kind::{Kind, StatusOf};
use crate::outcome::Outcome;
use crate::run::Run;

/// Runs one kind.
///
/// The engine calls it for an existing object, at most once at a time per object. A run that waits
/// in [`Run::release`] may be dropped there when the process drains. So its effects must be
/// resumable from the state of the cluster.
pub trait Runner: Send + Sync + 'static {
    /// The kind.
    type Object: Kind;

    /// The finalizer that this controller puts on its objects.
    const FINALIZER: &'static str = sluice_api::meta::FINALIZER;

    /// Brings the cluster closer to the state that `object` asks for.
    fn run(
        &self,
        object: Arc<Self::Object>,
        run: &Run<Self::Object>,
    ) -> impl Future<Output = Outcome<StatusOf<Self::Object>>> + Send;

    /// Drops cached data of an object that no longer exists.
    fn forget(&self, _key: &ObjectKey) {}
}
