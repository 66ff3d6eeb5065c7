//! The watches that enqueue objects.
//!
//! A controller watches its reconciled kind and, with [`Watch`], the kinds that its objects refer
//! to. Each watch fills a [`Store`]. A synchronous index maps a referenced object to its
//! dependants. So a change enqueues them without a lookup or a list.
//!
//! An object that cannot be decoded neither stops its watch nor hides the other objects. Watches
//! drop `managedFields`, and request metadata only for `PartialObjectMeta<T>`. Controllers of one
//! process share the watches of the same kind and scope. Start at [`informer`];
//! [`sluice_client::watch`] keeps the connection.

use kube::ResourceExt;

use crate::key::ObjectKey;
use crate::kind::{Kind, Watchable};

mod compress;
pub(crate) mod decode;
pub(crate) mod index;
pub(crate) mod informer;
pub mod informers;
pub mod order;
pub mod predicate;
pub mod store;
pub(crate) mod supervise;

pub use store::{Entry, Store};

/// Returns the keys that an object refers to.
pub(crate) type References<K> = Box<dyn Fn(&K) -> Vec<ObjectKey> + Send + Sync>;
/// Whether a change from the old to the new state is relevant.
pub(crate) type ChangeFilter<S> = Box<dyn Fn(Option<&S>, Option<&S>) -> bool + Send + Sync>;
/// Whether a change of the referenced object enqueues the dependant.
pub(crate) type DependantFilter<K, S> = Box<dyn Fn(&K, Option<&S>) -> bool + Send + Sync>;

/// Returns the key under which the dependants of a changed object are looked up.
pub(crate) type IndexKey = Box<dyn Fn(&ObjectKey) -> ObjectKey + Send + Sync>;

/// A watch on a kind `S` that objects of the reconciled kind `K` refer to.
pub struct Watch<K, S> {
    pub(crate) references: References<K>,
    pub(crate) filter: ChangeFilter<S>,
    pub(crate) dependant_filter: DependantFilter<K, S>,
    pub(crate) dependencies: References<K>,
    pub(crate) selector: Option<String>,
    pub(crate) index_key: IndexKey,
}

impl<K: Kind, S: Watchable> Watch<K, S> {
    /// Watches the objects that `references` returns.
    pub fn on(references: impl Fn(&K) -> Vec<ObjectKey> + Send + Sync + 'static) -> Self {
        Self {
            references: Box::new(references),
            filter: Box::new(resource_version_changed),
            dependant_filter: Box::new(|_, _| true),
            dependencies: Box::new(|_| Vec::new()),
            selector: None,
            index_key: Box::new(ObjectKey::clone),
        }
    }

    /// Looks up the dependants of a changed object under another key than its own. So an object can
    /// refer to all objects of a namespace by one reference.
    #[must_use]
    pub fn indexed_by(
        mut self,
        index_key: impl Fn(&ObjectKey) -> ObjectKey + Send + Sync + 'static,
    ) -> Self {
        self.index_key = Box::new(index_key);
        self
    }

    /// Ignores changes for which `filter` is false. Its arguments are the old state (`None` for a
    /// new object) and the new state (`None` for a deleted one). By default every change of the
    /// resource version is relevant.
    #[must_use]
    pub fn when(
        mut self,
        filter: impl Fn(Option<&S>, Option<&S>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.filter = Box::new(filter);
        self
    }

    /// Enqueues only dependants for which `filter` is true. Its second argument is the referenced
    /// object (`None` for a deleted one).
    #[must_use]
    pub fn wakes(
        mut self,
        filter: impl Fn(&K, Option<&S>) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.dependant_filter = Box::new(filter);
        self
    }

    /// Enqueues each dependant after its `dependencies`, in the order of [`order::sorted`]. By
    /// default dependants are enqueued in the order of their names.
    #[must_use]
    pub fn after(
        mut self,
        dependencies: impl Fn(&K) -> Vec<ObjectKey> + Send + Sync + 'static,
    ) -> Self {
        self.dependencies = Box::new(dependencies);
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

fn resource_version_changed<S: Watchable>(old: Option<&S>, new: Option<&S>) -> bool {
    match (old, new) {
        (Some(old), Some(new)) => old.resource_version() != new.resource_version(),
        _ => true,
    }
}
