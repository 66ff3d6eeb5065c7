//! One reconciled kind: its watches, its queue and its runs, tied together.
//!
//! [`Controller`] is built by a controller crate and turned into a [`Task`] that a
//! [`crate::Component`] runs while it leads. What happens between an event of a watch
//! and a run is synchronous: predicate, index, queue.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kube::Resource;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::component::Component;
use crate::jitter::Jitter;
use crate::key::ObjectKey;
use crate::kind::Watched;
use crate::queue::{Limits, Next};
use crate::reconcile::{Cause, Origin, Reconciler, Requeue};
use crate::report::{Reporter, Session};
use crate::run::Run;
use crate::watch::index::Index;
use crate::watch::informer::{Change, Informer, Subscription};
use crate::watch::store::{Entry, Store};
use crate::watch::{References, Watch, order, predicate};
use crate::workers::{Ended, Permit, Workers};

/// How long working runs may go on once the process is told to stop.
const GRACE: Duration = Duration::from_secs(30);

type Hook<K> = Box<dyn FnOnce(Store<K>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// What the objects of one secondary watch are referred to by.
struct Referrers<K> {
    index: Arc<Mutex<Index>>,
    references: References<K>,
}

/// Something a [`Component`] does while it leads: a controller, a server, a sweep.
pub struct Task {
    pub(crate) name: String,
    pub(crate) run: Box<dyn FnOnce(CancellationToken) -> TaskRun + Send>,
}

type TaskRun = Pin<Box<dyn Future<Output = Result<(), TaskError>> + Send>>;

/// Why a [`Task`] ended before it was told to.
#[derive(Debug, thiserror::Error)]
#[error("{task}: {message}")]
pub struct TaskError {
    /// Which one.
    pub task: String,
    /// Why.
    pub message: String,
}

impl Task {
    /// Runs `work` while the component leads. It must return soon after the token is
    /// cancelled; an error stops the component.
    pub fn new<F, R, E>(name: impl Into<String>, work: F) -> Self
    where
        F: FnOnce(CancellationToken) -> R + Send + 'static,
        R: Future<Output = Result<(), E>> + Send + 'static,
        E: std::error::Error,
    {
        let name = name.into();
        let task = name.clone();
        Self {
            name,
            run: Box::new(move |stop| {
                let work = work(stop);
                Box::pin(async move {
                    work.await.map_err(|error| TaskError {
                        task,
                        message: sluice_golang::error::chain(&error),
                    })
                })
            }),
        }
    }
}

/// A kind and how it is reconciled.
pub struct Controller<R: Reconciler> {
    component: Component,
    reconciler: Arc<R>,
    name: String,
    concurrent: usize,
    owned: &'static [&'static str],
    grace: Duration,
    primary: Arc<Informer<R::Object>>,
    references: Vec<Referrers<R::Object>>,
    wire: Vec<Wire>,
    before: Option<Hook<R::Object>>,
}

/// Subscribes one secondary watch to its informer, once the queue exists.
type Wire = Box<dyn FnOnce(&Workers) -> Wired + Send>;

struct Wired {
    synced: Pin<Box<dyn Future<Output = ()> + Send>>,
    subscription: Subscription,
}

impl<R: Reconciler> Controller<R> {
    /// Reconciles the kind of `reconciler`. The controller's name in metrics and logs
    /// is the kind in lower case, as in controller-runtime.
    pub fn new(component: &Component, reconciler: R) -> Self {
        Self {
            primary: component.informer::<R::Object>(component.label_selector()),
            component: component.clone(),
            reconciler: Arc::new(reconciler),
            name: R::Object::kind(&()).to_lowercase(),
            concurrent: 1,
            owned: &["Ready", "Reconciling", "Stalled"],
            grace: GRACE,
            references: Vec::new(),
            wire: Vec::new(),
            before: None,
        }
    }

    /// Works on at most this many objects at once (`--concurrent`). Those that wait do
    /// not count.
    #[must_use]
    pub fn concurrent(mut self, concurrent: usize) -> Self {
        self.concurrent = concurrent.max(1);
        self
    }

    /// The condition types that only this controller writes. Others are left as they
    /// are when somebody else wrote them meanwhile.
    #[must_use]
    pub fn owns_conditions(mut self, types: &'static [&'static str]) -> Self {
        self.owned = types;
        self
    }

    /// Lets working runs go on for this long when the process stops.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// The objects of the reconciled kind.
    pub fn store(&self) -> Store<R::Object> {
        self.primary.store().clone()
    }

    /// Runs once all watches have their first list and before the first object is
    /// reconciled.
    #[must_use]
    pub fn before_first_run<F, B>(mut self, hook: F) -> Self
    where
        F: FnOnce(Store<R::Object>) -> B + Send + 'static,
        B: Future<Output = ()> + Send + 'static,
    {
        self.before = Some(Box::new(move |store| Box::pin(hook(store))));
        self
    }

    /// Wakes objects when something they refer to changes.
    #[must_use]
    pub fn watches<S: Watched>(mut self, watch: Watch<R::Object, S>) -> Self {
        let Watch {
            references,
            matters,
            wakes,
            after,
            selector,
        } = watch;
        let index = Arc::new(Mutex::new(Index::default()));
        self.references.push(Referrers {
            index: Arc::clone(&index),
            references,
        });
        let informer = self.component.informer::<S>(selector.clone());
        let component = self.component.clone();
        let primary = self.primary.store().clone();
        self.wire.push(Box::new(move |workers| {
            let workers = workers.clone();
            let subscription = informer.subscribe(Box::new(move |change: &Change<'_, S>| {
                let (old, new) = (readable(change.old), readable(change.new));
                // What is there before anyone runs is looked at by everyone's own first run.
                if change.initial || !matters(old, new) {
                    return;
                }
                let dependants = index
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .dependants(change.key);
                // One at a time: a source may have thousands of dependants.
                let woken = dependants.into_iter().filter_map(|key| {
                    let dependant = primary.get(&key)?;
                    wakes(&dependant, new).then(|| (key, after(&dependant)))
                });
                let woken = order::sorted(woken.collect());
                let cause = Cause::Related(Origin {
                    kind: S::kind(&()),
                    key: change.key.clone(),
                });
                for key in &woken {
                    workers.add(key, cause.clone());
                }
            }));
            component.start_informer(&informer, selector);
            Wired {
                synced: Box::pin(async move { informer.synced().await }),
                subscription,
            }
        }));
        self
    }

    /// Makes the task that a component runs.
    pub fn into_task(self) -> Task {
        let name = self.name.clone();
        Task {
            name,
            run: Box::new(move |stop| Box::pin(self.serve(stop))),
        }
    }

    async fn serve(self, stop: CancellationToken) -> Result<(), TaskError> {
        let Self {
            component,
            reconciler,
            name,
            concurrent,
            owned,
            grace,
            primary,
            references,
            wire,
            before,
        } = self;
        let shared = component.shared();
        let limits = Limits {
            permits: concurrent,
            min_retry_delay: shared.min_retry_delay,
            max_retry_delay: shared.max_retry_delay,
        };
        let jitter = Jitter::new(shared.interval_jitter_percentage, fastrand::Rng::new());
        let store = primary.store().clone();
        let metrics = component
            .metrics()
            .kind(&name, &R::Object::kind(&()), concurrent);
        let workers = Workers::new(limits, metrics.clone());
        let _unfinished = metrics.watch_unfinished(workers.clone());
        let reporter = Arc::new(Reporter::new(
            &component,
            name.clone(),
            owned,
            metrics,
            Arc::clone(&primary),
        ));

        // The primary watch comes first: indexes must be filled before a referred
        // object can change.
        let mut wired = vec![wire_primary(
            &component,
            &primary,
            references,
            &workers,
            &reconciler,
            &reporter,
        )];
        wired.extend(wire.into_iter().map(|wire| wire(&workers)));
        let mut subscriptions = Vec::new();
        for Wired {
            synced,
            subscription,
        } in wired
        {
            subscriptions.push(subscription);
            tokio::select! {
                () = synced => {}
                () = stop.cancelled() => return Ok(()),
            }
        }
        if let Some(before) = before {
            // It may wait for another task of this component, which may have failed: whoever is
            // told to stop must not go on leading without working.
            tokio::select! {
                () = before(store) => {}
                () = stop.cancelled() => return Ok(()),
            }
        }
        tracing::info!(controller = %name, "worker count" = concurrent, "Starting workers");

        let attempt = Attempt {
            reconciler,
            reporter,
            jitter: Arc::new(Mutex::new(jitter)),
        };
        let judge = attempt.clone();
        let work = move |permit| attempt.clone().run(permit);
        workers
            .run(work, move |key, ended| judge.judge(key, ended), stop, grace)
            .await;
        drop(subscriptions);
        Ok(())
    }
}

fn wire_primary<R: Reconciler>(
    component: &Component,
    primary: &Arc<Informer<R::Object>>,
    references: Vec<Referrers<R::Object>>,
    workers: &Workers,
    reconciler: &Arc<R>,
    reporter: &Arc<Reporter<R::Object>>,
) -> Wired {
    let (workers, reconciler, reporter) = (
        workers.clone(),
        Arc::clone(reconciler),
        Arc::clone(reporter),
    );
    let subscription = primary.subscribe(Box::new(move |change: &Change<'_, R::Object>| {
        let (old, new) = (readable(change.old), readable(change.new));
        for Referrers { index, references } in &references {
            let references = new.map(references).unwrap_or_default();
            index
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .set(change.key, references);
        }
        match (change.new, new) {
            (None, _) => {
                workers.forget(change.key);
                reconciler.forget(change.key);
                reporter.forget(change.key);
            }
            (Some(_), Some(new)) => {
                if let Some(cause) = predicate::wakes(old, new, change.listed) {
                    workers.add(change.key, cause);
                }
            }
            (Some(undecodable), None) => {
                if !change.old.is_some_and(|old| old.is_same_fault(undecodable)) {
                    workers.add(change.key, Cause::Edited);
                }
            }
        }
    }));
    component.start_informer(primary, component.label_selector());
    let primary = Arc::clone(primary);
    Wired {
        synced: Box::pin(async move { primary.synced().await }),
        subscription,
    }
}

fn readable<K>(entry: Option<&Entry<K>>) -> Option<&K> {
    match entry? {
        Entry::Object(object) => Some(object.as_ref()),
        Entry::Undecodable { .. } => None,
    }
}

/// What one run of one object needs.
struct Attempt<R: Reconciler> {
    reconciler: Arc<R>,
    reporter: Arc<Reporter<R::Object>>,
    jitter: Arc<Mutex<Jitter>>,
}

impl<R: Reconciler> Clone for Attempt<R> {
    fn clone(&self) -> Self {
        Self {
            reconciler: Arc::clone(&self.reconciler),
            reporter: Arc::clone(&self.reporter),
            jitter: Arc::clone(&self.jitter),
        }
    }
}

impl<R: Reconciler> Attempt<R> {
    async fn run(self, permit: Permit) -> Next {
        let key = permit.key().clone();
        let object = match self.reporter.store().entry(&key) {
            Some(Entry::Object(object)) => object,
            Some(Entry::Undecodable { error, .. }) => {
                return Box::pin(self.reporter.undecodable(&key, &error)).await;
            }
            None => return Next::Never,
        };
        let id = reconcile_id(&mut fastrand::Rng::new());
        let span = self.reporter.span(&key, &id);
        let began = tokio::time::Instant::now();
        let session = Session::new(Arc::clone(&self.reporter), Arc::clone(&object));
        let run = Run::new(
            permit,
            Arc::clone(&session),
            id,
            self.reporter.now(),
            span.clone(),
        );
        // In a box, as what puts it into the span would keep room for it twice.
        let attempt = Box::pin(async {
            tracing::debug!("Reconciling");
            let working = async {
                // Boxed, here and where a run waits: thousands of runs may wait at once, each with
                // room for the largest step it could ever take.
                let outcome = Box::pin(self.reconciler.reconcile(object, &run)).await;
                // A write that is under way is finished first, beside this: it has the lock.
                Box::pin(session.conclude(outcome)).await
            };
            let requeue = tokio::select! {
                biased;
                requeue = working => requeue,
                never = session.keep_flushing() => match never {},
            };
            self.reporter.ended(&key, &requeue, began.elapsed());
            self.plan(&requeue)
        });
        attempt.instrument(span).await
    }

    fn plan(&self, requeue: &Requeue) -> Next {
        match requeue {
            Requeue::Never | Requeue::Stalled(_) => Next::Never,
            Requeue::Now => Next::Now,
            Requeue::After(delay) => Next::After(*delay),
            Requeue::Interval(interval) => Next::Interval(
                self.jitter
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .apply(*interval),
            ),
            Requeue::Backoff(_) => Next::Backoff,
        }
    }

    fn judge(&self, key: &ObjectKey, ended: &Ended) -> Next {
        match ended {
            Ended::Returned(next) => *next,
            Ended::Panicked(message) => {
                self.reporter.panicked(key, message);
                Next::Backoff
            }
        }
    }
}

/// A random UUID, version 4, as controller-runtime makes one for each run.
fn reconcile_id(random: &mut fastrand::Rng) -> String {
    let high = (random.u64(..) & 0xffff_ffff_ffff_0fff) | 0x4000;
    let low = (random.u64(..) & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reconcile_ids_are_version_4_uuids() {
        let id = reconcile_id(&mut fastrand::Rng::with_seed(7));
        let parts: Vec<_> = id.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(&id[14..15], "4");
        assert!("89ab".contains(&id[19..20]), "{id}");
    }
}
