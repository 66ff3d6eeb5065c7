//! Watching: what wakes an object up.
//!
//! A controller watches the kind it reconciles and, with [`Watch`], whatever its
//! objects refer to. Each watch feeds a [`Store`], and a synchronous index from the
//! referred object to its dependants turns a change into requests: no lookup, no
//! list, no task in between.
//!
//! Watches are guarded (one object that is not of its kind's shape neither stops
//! the watch nor hides the others), start as a streaming list where the server has
//! it, drop `managedFields` on entry, and fetch metadata only where the type says so
//! (`PartialObjectMeta<T>`). In one process with several controllers, watches of the
//! same kind and scope are one watch.

use kube::ResourceExt;

use crate::key::ObjectKey;
use crate::kind::{Kind, Watched};

mod compress;
pub(crate) mod decode;
pub(crate) mod index;
pub(crate) mod informer;
pub mod order;
pub mod predicate;
pub mod store;
pub(crate) mod supervise;

pub use store::{Entry, Store};

/// The keys that an object refers to.
pub(crate) type References<K> = Box<dyn Fn(&K) -> Vec<ObjectKey> + Send + Sync>;
/// Whether a change from the old to the new state is of interest.
pub(crate) type Matters<S> = Box<dyn Fn(Option<&S>, Option<&S>) -> bool + Send + Sync>;
/// Whether a dependant is woken by what it refers to.
pub(crate) type Wakes<K, S> = Box<dyn Fn(&K, Option<&S>) -> bool + Send + Sync>;

/// A watch on a kind `S` that objects of the reconciled kind `K` refer to.
pub struct Watch<K, S> {
    pub(crate) references: References<K>,
    pub(crate) matters: Matters<S>,
    pub(crate) wakes: Wakes<K, S>,
    pub(crate) after: References<K>,
    pub(crate) selector: Option<String>,
}

impl<K: Kind, S: Watched> Watch<K, S> {
    /// Watches what `references` names: the keys of the `S` that an object refers to.
    pub fn on(references: impl Fn(&K) -> Vec<ObjectKey> + Send + Sync + 'static) -> Self {
        Self {
            references: Box::new(references),
            matters: Box::new(resource_version_changed),
            wakes: Box::new(|_, _| true),
            after: Box::new(|_| Vec::new()),
            selector: None,
        }
    }

    /// Looks only at changes that matter: from what it was (`None`: it is new) to what
    /// it is (`None`: it is gone). Without this, every change of the resource version.
    #[must_use]
    pub fn when(
        mut self,
        matters: impl Fn(Option<&S>, Option<&S>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.matters = Box::new(matters);
        self
    }

    /// Wakes only dependants for which this holds, given what they refer to now
    /// (`None`: it is gone).
    #[must_use]
    pub fn wakes(mut self, wakes: impl Fn(&K, Option<&S>) -> bool + Send + Sync + 'static) -> Self {
        self.wakes = Box::new(wakes);
        self
    }

    /// Wakes each dependant after those that `after` names of it, as [`order::sorted`] puts them;
    /// without this, in the order of their names.
    #[must_use]
    pub fn after(mut self, after: impl Fn(&K) -> Vec<ObjectKey> + Send + Sync + 'static) -> Self {
        self.after = Box::new(after);
        self
    }

    /// Watches only objects whose labels match (`--watch-configs-label-selector`).
    #[must_use]
    pub fn selected(mut self, selector: impl Into<String>) -> Self {
        let selector = selector.into();
        self.selector = (!selector.is_empty()).then_some(selector);
        self
    }
}

fn resource_version_changed<S: Watched>(old: Option<&S>, new: Option<&S>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => old.resource_version() != new.resource_version(),
        _ => true,
    }
}
