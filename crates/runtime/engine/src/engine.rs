//! The parts that all kinds of one controller share.

use std::sync::Arc;
use std::time::Duration;

use crate::journal::Journal;
use crate::kind::Watchable;
use crate::report::ReportSinks;
use crate::watch::Store;
use crate::watch::informer::Informer;
use crate::watch::informers::Informers;

/// The settings of one controller, from its flags.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The namespace to watch; `None` is all namespaces.
    pub namespace: Option<String>,
    /// Label selector of the reconciled objects.
    pub label_selector: Option<String>,
    /// First back-off delay.
    pub min_retry_delay: Duration,
    /// Longest back-off delay.
    pub max_retry_delay: Duration,
    /// Percentage by which intervals vary.
    pub interval_jitter_percentage: u8,
}

/// The parts that all kinds of one controller share. Cheap to clone.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    name: &'static str,
    sinks: ReportSinks,
    informers: Informers,
    settings: Settings,
    journal: Option<Journal>,
}

impl Engine {
    /// `name` is Flux's name of the controller: `kustomize-controller`. Without a journal, objects
    /// that kill the process run again after each restart.
    pub fn new(
        name: &'static str,
        sinks: ReportSinks,
        informers: Informers,
        settings: Settings,
        journal: Option<Journal>,
    ) -> Self {
        Self {
            inner: Arc::new(Inner {
                name,
                sinks,
                informers,
                settings,
                journal,
            }),
        }
    }

    /// The name of the controller.
    pub fn name(&self) -> &'static str {
        self.inner.name
    }

    /// The targets of reports.
    pub fn sinks(&self) -> &ReportSinks {
        &self.inner.sinks
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    /// The record of the objects at work.
    pub(crate) fn journal(&self) -> Option<&Journal> {
        self.inner.journal.as_ref()
    }

    /// The objects of a kind that this controller watches without a selector. The store fills when
    /// that watch runs.
    pub fn store<S: Watchable>(&self) -> Store<S> {
        self.informer::<S>(None).store().clone()
    }

    /// Like [`Self::store`], and starts the watch. For kinds that no controller of this process
    /// watches.
    pub fn watched_store<S: Watchable>(&self) -> Store<S> {
        let informer = self.informer::<S>(None);
        self.start_informer(&informer, None);
        informer.store().clone()
    }

    /// Puts an object that was read from the server into [`Self::store`], if it is newer.
    pub fn update_store<S: Watchable>(&self, object: Arc<S>) {
        self.informer::<S>(None).update(object);
    }

    pub(crate) fn informer<S: Watchable>(&self, selector: Option<String>) -> Arc<Informer<S>> {
        let namespace = self.inner.settings.namespace.as_deref();
        self.inner.informers.get::<S>(namespace, selector)
    }

    pub(crate) fn start_informer<S: Watchable>(
        &self,
        informer: &Arc<Informer<S>>,
        selector: Option<String>,
    ) {
        let namespace = self.inner.settings.namespace.as_deref();
        self.inner.informers.start(informer, namespace, selector);
    }
}
