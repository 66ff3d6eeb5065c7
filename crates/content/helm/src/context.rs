//! The surroundings of actions: the cluster, the history, the clock, and how objects are reached.

use std::future::Future;
use std::time::Duration;

use async_trait::async_trait;
use sluice_chart::values::Values;
use sluice_chart::{Chart, RenderedChart, render};
use sluice_object::Object;
use sluice_system::clock::Clock;
use tokio_util::sync::CancellationToken;

use crate::cluster::{Cluster, ClusterError, WaitStrategy};
use crate::log::LogLine;
use crate::ownership;
use crate::record::{Release, Status, Time};
use crate::store::{Store, StoreError};

/// How an action reaches its objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivery {
    /// Whether the API server merges objects.
    pub server_side: bool,
    /// Whether fields of other managers are taken over.
    pub force_conflicts: bool,
    /// Whether objects are replaced instead of patched.
    pub force_replace: bool,
    /// Whether objects of others become part of the release.
    pub take_ownership: bool,
    /// Whether objects are validated before they are sent.
    pub validates: bool,
    /// Whether hooks run.
    pub runs_hooks: bool,
    /// How to wait.
    pub wait: WaitStrategy,
    /// Whether jobs must be complete.
    pub waits_for_jobs: bool,
    /// The time of each wait.
    pub timeout: Duration,
}

impl Default for Delivery {
    fn default() -> Self {
        Self {
            server_side: true,
            force_conflicts: false,
            force_replace: false,
            take_ownership: false,
            validates: true,
            runs_hooks: true,
            wait: WaitStrategy::default(),
            waits_for_jobs: false,
            timeout: Duration::from_mins(5),
        }
    }
}

/// Renders the chart of a release.
#[async_trait]
pub trait Renderer: Send + Sync {
    /// Renders a chart. Custom resource definitions are in the cluster by then.
    async fn render(
        &self,
        chart: Chart,
        values: &Values,
        release: &render::Release,
    ) -> Result<RenderedChart, sluice_chart::Error>;
}

/// The surroundings of an action.
pub struct Context<'c> {
    /// The cluster.
    pub cluster: &'c dyn Cluster,
    /// The history.
    pub store: &'c Store,
    /// The clock of the records.
    pub clock: &'c dyn Clock,
    /// Ends waits. The release counts as failed then.
    pub cancel: CancellationToken,
}

impl Context<'_> {
    pub(crate) fn log(&self, line: LogLine) {
        self.cluster.log(line);
    }

    pub(crate) fn now(&self) -> Time {
        Time::new(self.clock.now())
    }

    /// Stores a changed release. An action goes on if that fails.
    pub(crate) async fn record(&self, release: &Release) {
        if let Err(error) = self.store.update(release).await {
            let (name, revision) = (&release.name, release.version);
            tracing::warn!(name, revision, %error, "failed to update release");
            let line = LogLine::warning("failed to update release").with("name", &**name);
            self.log(line.with("revision", revision).with_error());
        }
    }

    /// Marks all deployed revisions of a release as superseded.
    pub(crate) async fn supersede_deployed(&self, name: &str) -> Result<(), StoreError> {
        let deployed = match self.store.deployed_all(name).await {
            Ok(deployed) => deployed,
            Err(StoreError::NoDeployed(_)) => Vec::new(),
            Err(error) => return Err(error),
        };
        for mut release in deployed {
            let line = LogLine::debug("superseding previous deployment");
            self.log(line.with("version", release.version));
            release.info.status = Status::SUPERSEDED;
            self.record(&release).await;
        }
        Ok(())
    }

    /// Ends a request when the action is cancelled.
    pub(crate) async fn until_cancelled<T>(
        &self,
        request: impl Future<Output = Result<T, ClusterError>>,
    ) -> Result<T, ClusterError> {
        let done = self.cancel.run_until_cancelled(request).await;
        done.unwrap_or(Err(ClusterError::Cancelled))
    }
}

/// Why an action failed.
#[derive(Debug, thiserror::Error)]
pub enum ActionError {
    /// The name is in use.
    #[error("release name check failed: cannot reuse a name that is still in use")]
    NameInUse,
    /// The name cannot be that of a release.
    #[error("{0}")]
    Name(String),
    /// Another action has begun and not ended.
    #[error("another operation (install/upgrade/rollback) is in progress")]
    Pending,
    /// The history could not be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The chart could not be rendered.
    #[error(transparent)]
    Chart(#[from] sluice_chart::Error),
    /// Labels of the user are those of Helm.
    #[error(
        "user supplied labels contains system reserved label name. System labels: [name owner \
         status version createdAt modifiedAt]"
    )]
    SystemLabels,
    /// A request or a wait failed.
    #[error("{0}")]
    Failed(String),
}

/// A failed action, with the release as far as it came.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct Failure {
    /// The reason.
    pub error: ActionError,
    /// The release, if there is one.
    pub release: Option<Box<Release>>,
}

impl<E: Into<ActionError>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self {
            error: error.into(),
            release: None,
        }
    }
}

impl From<String> for ActionError {
    fn from(text: String) -> Self {
        Self::Failed(text)
    }
}

/// Finds the objects that exist already.
///
/// Fails if they belong to another release, unless the release takes them over.
pub(crate) async fn find_existing(
    cluster: &dyn Cluster,
    objects: &[Object],
    release: &Release,
    take: bool,
) -> Result<Vec<Object>, String> {
    let mut found = Vec::new();
    for object in objects {
        let generates = object.str_at(&["metadata", "generateName"]);
        if generates.is_some_and(|name| !name.is_empty()) {
            if object.name().is_empty() {
                continue;
            }
            let text = "metadata.name and metadata.generateName cannot both be set";
            return Err(text.to_owned());
        }
        let shown = ownership::describe(object);
        let live = cluster.get(object).await.map_err(|error| {
            format!("could not get information about the resource {shown}: {error}")
        })?;
        let Some(live) = live else { continue };
        if !take {
            let owned = ownership::check(&live, &release.name, &release.namespace);
            owned.map_err(|error| {
                format!("{shown} exists and cannot be imported into the current release: {error}")
            })?;
        }
        found.push(object.clone());
    }
    Ok(found)
}
