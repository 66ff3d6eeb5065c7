//! Joins the watches, the queue and the runs of one reconciled kind.
//!
//! A controller crate builds a [`Controller`] and turns it into a [`Task`]. Between an event of a
//! watch and a run, all steps are synchronous: predicate, index, queue.

use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use kube::Resource;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::cause::{Cause, Origin};
use crate::engine::Engine;
use crate::jitter::Jitter;
use crate::journal::{Admission, Journal, Subject};
use crate::key::ObjectKey;
use crate::kind::Watchable;
use crate::outcome::{Failure, Outcome, Requeue, Retry};
use crate::queue::{Limits, Next};
use crate::reconcile::{Reconciler, Reconciliation};
use crate::report::{ReportedKind, Reporter, Session};
use crate::run::Run;
use crate::runner::Runner;
use crate::task::Task;
use crate::watch::index::Index;
use crate::watch::informer::{Change, Informer, Subscription};
use crate::watch::store::{Entry, Store};
use crate::watch::{References, Watch, order, predicate};
use crate::workers::{Permit, WorkResult, Workers};

/// How long working runs may go on after the stop of the process.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(30);

type Hook<K> = Box<dyn FnOnce(Store<K>) -> Pin<Box<dyn Future<Output = ()> + Send>> + Send>;

/// The references to the objects of one secondary watch.
struct ReferenceIndex<K> {
    index: Arc<Mutex<Index>>,
    references: References<K>,
}

/// A kind and how it is reconciled.
pub struct Controller<R: Runner> {
    engine: Engine,
    runner: Arc<R>,
    name: String,
    concurrent: usize,
    owned: Vec<&'static str>,
    grace: Duration,
    timeout: Option<Duration>,
    primary: Arc<Informer<R::Object>>,
    references: Vec<ReferenceIndex<R::Object>>,
    secondary: Vec<StartWatch>,
    before: Option<Hook<R::Object>>,
}

/// Starts one secondary watch when the queue exists.
type StartWatch = Box<dyn FnOnce(&Workers) -> StartedWatch + Send>;

struct StartedWatch {
    synced: Pin<Box<dyn Future<Output = ()> + Send>>,
    subscription: Subscription,
}

impl<R: Reconciler> Controller<Reconciliation<R>> {
    /// Reconciles the kind of `reconciler`. Its name in metrics and logs is the kind in lower case,
    /// as in controller-runtime.
    pub fn new(engine: &Engine, reconciler: R) -> Self {
        Self::with_runner(engine, Reconciliation::new(reconciler))
    }
}

impl<R: Runner> Controller<R> {
    /// Like [`Controller::new`], for a kind that runs by itself.
    pub fn with_runner(engine: &Engine, runner: R) -> Self {
        Self {
            primary: engine.informer::<R::Object>(engine.settings().label_selector.clone()),
            engine: engine.clone(),
            runner: Arc::new(runner),
            name: R::Object::kind(&()).to_lowercase(),
            concurrent: 1,
            owned: vec![READY, RECONCILING, STALLED],
            grace: SHUTDOWN_GRACE,
            timeout: None,
            references: Vec::new(),
            secondary: Vec::new(),
            before: None,
        }
    }

    /// Limits the objects that work at once (`--concurrent`). Waiting objects do not count.
    #[must_use]
    pub fn concurrent(mut self, concurrent: usize) -> Self {
        self.concurrent = concurrent.max(1);
        self
    }

    /// The condition types of this controller. After a conflict, other types keep their live state.
    #[must_use]
    pub fn owns_conditions(mut self, types: impl Into<Vec<&'static str>>) -> Self {
        self.owned = types.into();
        self
    }

    /// Sets how long working runs may go on after the stop of the process.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Ends a run that takes longer, waits included (`--reconciliation-timeout`). The object is
    /// then retried with back-off.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// The objects of the reconciled kind.
    pub fn store(&self) -> Store<R::Object> {
        self.primary.store().clone()
    }

    /// Runs `hook` when all watches have their first snapshot, before the first reconciliation.
    #[must_use]
    pub fn before_first_run<F, B>(mut self, hook: F) -> Self
    where
        F: FnOnce(Store<R::Object>) -> B + Send + 'static,
        B: Future<Output = ()> + Send + 'static,
    {
        self.before = Some(Box::new(move |store| Box::pin(hook(store))));
        self
    }

    /// Enqueues objects when an object changes that they refer to.
    #[must_use]
    pub fn watches<S: Watchable>(mut self, watch: Watch<R::Object, S>) -> Self {
        let Watch {
            references,
            filter,
            dependant_filter,
            dependencies,
            selector,
            index_key,
        } = watch;
        let index = Arc::new(Mutex::new(Index::default()));
        self.references.push(ReferenceIndex {
            index: Arc::clone(&index),
            references,
        });
        let informer = self.engine.informer::<S>(selector.clone());
        let engine = self.engine.clone();
        let primary = self.primary.store().clone();
        self.secondary.push(Box::new(move |workers| {
            let workers = workers.clone();
            let subscription = informer.subscribe(Box::new(move |change: &Change<'_, S>| {
                let (old, new) = (decoded(change.old), decoded(change.new));
                // The first run of each dependant reads the first snapshot.
                if change.initial || !filter(old, new) {
                    return;
                }
                let dependants = index
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .dependants(&index_key(change.key));
                // Decoded one at a time: a source may have thousands of dependants.
                let enqueued = dependants.into_iter().filter_map(|key| {
                    let dependant = primary.get(&key)?;
                    dependant_filter(&dependant, new).then(|| (key, dependencies(&dependant)))
                });
                let enqueued = order::sorted(enqueued.collect());
                let cause = Cause::Related(Origin {
                    kind: S::kind(&()),
                    key: change.key.clone(),
                });
                for key in &enqueued {
                    workers.add(key, cause.clone());
                }
            }));
            engine.start_informer(&informer, selector);
            StartedWatch {
                synced: Box::pin(async move { informer.synced().await }),
                subscription,
            }
        }));
        self
    }

    /// Makes the task that a component runs.
    pub fn into_task(self) -> Task {
        Task::new(self.name.clone(), move |stop| self.serve(stop))
    }

    async fn serve(self, stop: CancellationToken) -> Result<(), Infallible> {
        let Self {
            engine,
            runner,
            name,
            concurrent,
            owned,
            grace,
            timeout,
            primary,
            references,
            secondary,
            before,
        } = self;
        let settings = engine.settings();
        let limits = Limits {
            permits: concurrent,
            min_retry_delay: settings.min_retry_delay,
            max_retry_delay: settings.max_retry_delay,
        };
        let jitter = Jitter::new(settings.interval_jitter_percentage, fastrand::Rng::new());
        let store = primary.store().clone();
        let metrics = engine
            .sinks()
            .metrics
            .kind(&name, &R::Object::kind(&()), concurrent);
        let workers = Workers::new(limits, metrics.clone());
        let _unfinished = metrics.refresh_unfinished(workers.clone());
        let reporter = Arc::new(Reporter::new(
            engine.name(),
            engine.sinks().clone(),
            Arc::clone(&primary),
            ReportedKind {
                controller: name.clone(),
                finalizer: R::FINALIZER,
                owned,
                metrics,
            },
        ));

        // The primary watch starts first: it fills the indexes that the secondary watches use.
        let mut watches = vec![start_primary(
            &engine, &primary, references, &workers, &runner, &reporter,
        )];
        watches.extend(secondary.into_iter().map(|start| start(&workers)));
        let Some(subscriptions) = sync_watches(watches, &stop).await else {
            return Ok(());
        };
        if let Some(before) = before {
            // The hook may wait for another task of this component that has failed, so it must not
            // delay the stop.
            tokio::select! {
                () = before(store) => {}
                () = stop.cancelled() => return Ok(()),
            }
        }
        tracing::info!(controller = %name, "worker count" = concurrent, "Starting workers");

        let attempt = Attempt {
            runner,
            reporter,
            jitter: Arc::new(Mutex::new(jitter)),
            timeout,
            journal: engine.journal().cloned(),
        };
        let ending = attempt.clone();
        let work = move |permit| attempt.clone().run(permit);
        workers
            .run(
                work,
                move |key, ended| ending.next_run(key, ended),
                stop,
                grace,
            )
            .await;
        drop(subscriptions);
        Ok(())
    }
}

/// Waits until each watch has its first snapshot. Returns the subscriptions, or `None` once `stop`
/// is cancelled.
async fn sync_watches(
    watches: Vec<StartedWatch>,
    stop: &CancellationToken,
) -> Option<Vec<Subscription>> {
    let mut subscriptions = Vec::new();
    for StartedWatch {
        synced,
        subscription,
    } in watches
    {
        subscriptions.push(subscription);
        tokio::select! {
            () = synced => {}
            () = stop.cancelled() => return None,
        }
    }
    Some(subscriptions)
}

fn start_primary<R: Runner>(
    engine: &Engine,
    primary: &Arc<Informer<R::Object>>,
    references: Vec<ReferenceIndex<R::Object>>,
    workers: &Workers,
    runner: &Arc<R>,
    reporter: &Arc<Reporter<R::Object>>,
) -> StartedWatch {
    let (workers, runner, reporter) = (workers.clone(), Arc::clone(runner), Arc::clone(reporter));
    let journal = engine.journal().cloned();
    let subscription = primary.subscribe(Box::new(move |change: &Change<'_, R::Object>| {
        let (old, new) = (decoded(change.old), decoded(change.new));
        for ReferenceIndex { index, references } in &references {
            let references = new.map(references).unwrap_or_default();
            index
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .set(change.key, references);
        }
        match (change.new, new) {
            (None, _) => {
                workers.forget(change.key);
                if let Some(journal) = &journal {
                    journal.forget(&R::Object::kind(&()), change.key);
                }
                runner.forget(change.key);
                reporter.forget(change.key);
            }
            (Some(_), Some(new)) => {
                if let Some(cause) = predicate::cause_of(old, new, change.listed) {
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
    engine.start_informer(primary, engine.settings().label_selector.clone());
    let primary = Arc::clone(primary);
    StartedWatch {
        synced: Box::pin(async move { primary.synced().await }),
        subscription,
    }
}

fn decoded<K>(entry: Option<&Entry<K>>) -> Option<&K> {
    match entry? {
        Entry::Object(object) => Some(object.as_ref()),
        Entry::Undecodable { .. } => None,
    }
}

/// The parts that each run needs.
struct Attempt<R: Runner> {
    runner: Arc<R>,
    reporter: Arc<Reporter<R::Object>>,
    jitter: Arc<Mutex<Jitter>>,
    timeout: Option<Duration>,
    journal: Option<Journal>,
}

impl<R: Runner> Clone for Attempt<R> {
    fn clone(&self) -> Self {
        Self {
            runner: Arc::clone(&self.runner),
            reporter: Arc::clone(&self.reporter),
            jitter: Arc::clone(&self.jitter),
            timeout: self.timeout,
            journal: self.journal.clone(),
        }
    }
}

impl<R: Runner> Attempt<R> {
    async fn run(self, permit: Permit) -> Next {
        let key = permit.key().clone();
        let object = match self.reporter.store().entry(&key) {
            Some(Entry::Object(object)) => object,
            Some(Entry::Undecodable { error, .. }) => {
                return Box::pin(self.reporter.undecodable(&key, &error)).await;
            }
            None => return Next::Never,
        };
        if let Some(journal) = &self.journal {
            match journal.admit(Subject::of(object.as_ref())) {
                Admission::Run(entry) => Box::pin(permit.record(entry)).await,
                Admission::Quarantined(deaths) => {
                    return Box::pin(self.reporter.quarantined(&key, deaths)).await;
                }
            }
        }
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
        // In a box: the span would otherwise reserve its size twice.
        let attempt = Box::pin(async {
            tracing::debug!("Reconciling");
            let working = async {
                // Boxed, because thousands of runs may wait, each with the size of its largest
                // step.
                let reconciled = Box::pin(self.runner.run(object, &run));
                let outcome = match self.timeout {
                    None => reconciled.await,
                    Some(timeout) => tokio::time::timeout(timeout, reconciled)
                        .await
                        .unwrap_or_else(|_| timed_out(timeout)),
                };
                // A progress write in flight holds the lock and finishes first, beside this.
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
            Requeue::Interval(interval) | Requeue::StalledInterval(_, interval) => Next::Interval(
                self.jitter
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .apply(*interval),
            ),
            Requeue::Backoff(_) => Next::Backoff,
        }
    }

    fn next_run(&self, key: &ObjectKey, ended: &WorkResult) -> Next {
        match ended {
            WorkResult::Returned(next) => *next,
            WorkResult::Panicked(message) => {
                self.reporter.panicked(key, message);
                Next::Backoff
            }
        }
    }
}

/// The outcome of a run that exceeded its timeout.
fn timed_out<S>(timeout: Duration) -> Outcome<S> {
    let message = format!("the reconciliation did not end within {timeout:?}");
    let failure = Failure::message("ReconciliationTimeout", Retry::Backoff, message);
    Outcome::untouched(Requeue::Backoff(failure))
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
    fn reconcile_id_is_a_version_4_uuid() {
        let id = reconcile_id(&mut fastrand::Rng::with_seed(7));
        let parts: Vec<_> = id.split('-').map(str::len).collect();
        assert_eq!(parts, [8, 4, 4, 4, 12]);
        assert_eq!(&id[14..15], "4");
        assert!("89ab".contains(&id[19..20]), "{id}");
    }
}
