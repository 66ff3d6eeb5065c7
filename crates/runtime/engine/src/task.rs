//! A part of a controller that runs until it is cancelled: a reconciled kind, a server, a sweep.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;

use futures::FutureExt;
use tokio_util::sync::CancellationToken;

use sluice_golang::error::chain;

/// A part of a controller.
pub struct Task {
    name: String,
    run: Box<dyn FnOnce(CancellationToken) -> TaskRun + Send>,
    needs_lease: bool,
}

type TaskRun = Pin<Box<dyn Future<Output = Result<(), TaskError>> + Send>>;

/// Why a [`Task`] ended before it was cancelled.
#[derive(Debug, thiserror::Error)]
#[error("{task}: {message}")]
pub struct TaskError {
    /// The name of the task.
    pub task: String,
    /// The error chain.
    pub message: String,
}

impl Task {
    /// Runs `work` while the component leads. It must return soon after the token is cancelled.
    /// An error stops the component.
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
                        message: chain(&error),
                    })
                })
            }),
            needs_lease: true,
        }
    }

    /// Runs it on every replica, with or without the lease.
    #[must_use]
    pub fn on_every_replica(mut self) -> Self {
        self.needs_lease = false;
        self
    }

    /// Whether it runs only while the component leads.
    pub fn needs_lease(&self) -> bool {
        self.needs_lease
    }

    /// Runs it until it ends. A panic is an error.
    pub fn run(
        self,
        stop: CancellationToken,
    ) -> impl Future<Output = Result<(), TaskError>> + Send + use<> {
        let Self { name, run, .. } = self;
        let work = AssertUnwindSafe(run(stop)).catch_unwind();
        async move {
            work.await.unwrap_or_else(|_| {
                Err(TaskError {
                    task: name,
                    message: "the task panicked".to_owned(),
                })
            })
        }
    }
}
