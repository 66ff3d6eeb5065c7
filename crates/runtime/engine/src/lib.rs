//! The engine of every controller: watches, queue, workers, the reconcile loop and the one
//! reporter.
//!
//! The engine knows no kind by name. It turns events of the cluster into calls of a [`Reconciler`],
//! and the results into writes to the cluster:
//!
//! ```text
//!  watch ──▶ store ──▶ predicate, index ──▶ queue ──▶ run ──▶ outcome ──▶ report
//!  (async)   (shared)  (pure)               (pure)    (yours) (data)      (the only writer)
//! ```
//!
//! # Where to start
//!
//! - [`reconcile`]: the parts of a reconciler and the loop that joins them; [`outcome`]: the
//!   result; [`run`]: the tools of a step.
//! - [`controller`]: one kind with its watches, queue and runs.
//! - [`queue`]: which object runs next, as a pure state machine. [`workers`] is its async shell.
//! - [`watch`]: the events that enqueue an object.
//! - [`report`]: the only writer of status, finalizers, events and metrics.
//! - [`draft`]: the status during a run. [`conditions`]: how conditions are set, and how `Ready`
//!   summarizes them. [`ready`] is for kinds without others.
//! - [`journal`]: which objects are at work, and which of them killed the process.
//! - [`request`]: whether an object has a request for a run, and how its status records it.
//!
//! # Waits do not use workers
//!
//! `--concurrent` limits work. A run that waits for the cluster (health, a dependency, a
//! termination) does so inside [`Run::release`]: another object gets its permit, and the run queues
//! for a new one afterwards. With `--concurrent 1`, an object that waits for ever does not delay
//! the others.
//!
//! # Guarantees for one object
//!
//! - At most one run at a time. A change during a run causes another one, and [`Run::superseded`]
//!   lets a wait end early.
//! - A run sees at least the writes of earlier runs of the same process.
//! - A panic, an undecodable spec or a failing write affects only that object.

pub mod acl;
pub mod cause;
pub mod conditions;
pub mod controller;
pub mod draft;
pub mod engine;
pub mod jitter;
pub mod journal;
pub mod key;
pub mod kind;
pub mod metrics;
pub mod outcome;
pub mod queue;
pub mod ready;
pub mod reconcile;
pub mod report;
pub mod request;
pub mod run;
pub mod runner;
pub mod task;
pub mod watch;
pub mod workers;

pub use acl::{AccessDenied, References};
pub use cause::{Cause, Origin};
pub use conditions::{ConditionSet, Polarity};
pub use controller::Controller;
pub use draft::Draft;
pub use engine::{Engine, Settings};
pub use journal::Journal;
pub use key::ObjectKey;
pub use kind::{Kind, StatusOf, Statusless, Watchable};
pub use metrics::Metrics;
pub use outcome::{Audience, Failure, Finalizer, Notice, Outcome, Requeue, Retry, Severity};
pub use reconcile::{
    Decision, End, MAX_STEP_TIME, Progress, Reconciler, Reconciliation, StepTimeout,
};
pub use report::ReportError;
pub use run::{Run, Times};
pub use runner::Runner;
pub use task::{Task, TaskError};
pub use watch::informers::Informers;
pub use watch::{Store, Watch};
