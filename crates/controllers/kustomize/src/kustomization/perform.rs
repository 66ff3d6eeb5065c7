//! Executes a plan: fetch, build, record, apply, prune, await health.
//!
//! Every step writes its results to [`RunReport`], so that the status of a failed run still matches
//! the cluster. The file is long because each step depends on the one before.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use sluice_api::kustomize::{Kustomization, SubstituteStrategy};
use sluice_api::meta::{KubeConfigReference, reason};
use sluice_apply::{
    Applier, ApplyFailure, ApplyOptions, ApplyOutcome, ChangeSet, ChangeSetEntry, Inventory,
    InventoryEntry, PruneError, SecretValues, WaitRunner,
};
use sluice_artifact::fetch;
use sluice_engine::{Notice, ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_host::{RemoteError, Requester};
use sluice_kustomize::remote::Fetcher;
use sluice_kustomize::{Options, substitute};
use sluice_object::Object;
use sluice_render::{Node, RenderError, Rendered, Waiter, set_common_metadata};
use sluice_sops::Decryptor;
use tokio::task::JoinError;

use super::KustomizationReconciler;
use super::build::{self, BuildError};
use super::build_slot::BuildSlot;
use super::conclude::{self, Phase};
use super::decryption;
use super::plan::{Account, Plan};
use super::remotes::BuildFetcher;
use super::timing::text;
use super::variables;

mod health;

#[cfg(test)]
#[path = "tests/perform.rs"]
mod tests;

/// Delay before a slow step reports progress. Most steps end sooner, and an extra write would add
/// load when the API server is already slow.
const PROGRESS_DELAY: Duration = Duration::from_secs(2);
/// Time that a waiting build or apply keeps its worker.
const WORKER_RELEASE_DELAY: Duration = Duration::from_millis(250);

/// Results of a run, up to the step that it reached.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct RunReport {
    /// Whether the build was attempted, so that the revision counts as attempted.
    pub(super) is_attempted: bool,
    /// Digest of the manifests, from just before the apply.
    pub(super) digest: Option<String>,
    /// The objects in the cluster; `None` if unchanged.
    pub(super) inventory: Option<Inventory>,
    /// The inventory that this run wrote last, together with its progress.
    pub(super) recorded: Option<Inventory>,
    /// Result of the health check.
    pub(super) health: Health,
    /// The last step.
    pub(super) phase: Option<Phase>,
    /// Why the run ended early.
    pub(super) failure: Option<WorkFailure>,
}

impl RunReport {
    /// Lists objects that are about to be deleted. They stay in the inventory until the deletion is
    /// confirmed.
    pub(super) fn record_deleting(&mut self, applied: &Inventory, stale: &Inventory) {
        self.inventory = Some(union([applied, stale]));
    }

    /// Whether the stored status shows that the run is in progress, with all objects.
    fn is_recorded(&self) -> bool {
        let Some(recorded) = &self.recorded else {
            return false;
        };
        let held = self.inventory.as_ref();
        held.is_none_or(|held| recorded.covers(held))
    }

    /// Removes deleted objects from the inventory, except for the survivors.
    pub(super) fn record_deleted(&mut self, applied: &Inventory, survivors: &Inventory) {
        self.inventory = Some(union([applied, survivors]));
    }
}

/// Result of a health check.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Health {
    /// The run ended before the check.
    #[default]
    NotReached,
    /// The run has no objects to check.
    Unchecked,
    /// All objects became healthy within this time.
    Passed(Duration),
    /// Some objects are not healthy.
    Failed(String),
    /// The check was cancelled.
    Cancelled,
}

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct WorkFailure {
    /// Flux's reason.
    pub(super) reason: &'static str,
    pub(super) message: String,
    pub(super) next: FailureRetry,
}

/// How a failed run is retried, and whether an event reports it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FailureRetry {
    /// After the retry interval, with an event.
    Retry,
    /// After the requeue interval of dependencies, without an event because the failure is transient.
    Dependency,
    /// At once, because the run was superseded. The event has severity info and this message.
    Now(String),
    /// After an edit of the object, with an event.
    Stalled,
}

impl WorkFailure {
    fn new(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            next: FailureRetry::Retry,
        }
    }
}

impl KustomizationReconciler {
    /// Executes a plan.
    pub(super) async fn work(&self, plan: &Plan, run: &Run<Kustomization>) -> RunReport {
        let mut done = RunReport::default();
        let work = Work {
            reconciler: self,
            plan,
            run,
        };
        // Separate boxes free the memory of the apply before the wait for health, which a thousand
        // runs may be in at once.
        let ended = match Box::pin(work.deploy(&mut done)).await {
            Ok(deployed) => Box::pin(work.check_health(deployed, &mut done)).await,
            Err(failed) => Err(failed),
        };
        done.failure = ended.err();
        done
    }

    /// Creates the applier for the object's cluster and service account.
    pub(super) async fn applier(
        &self,
        key: &ObjectKey,
        remote: Option<&KubeConfigReference>,
        account: Option<&Account>,
    ) -> Result<Applier, RemoteError> {
        let own = self.component.cluster();
        let identity = account.map(|account| &account.identity);
        let cluster = match (remote, identity) {
            (Some(remote), identity) => {
                let requester = Requester {
                    kind: "Kustomization",
                    key,
                };
                self.clusters.cluster(requester, remote, identity).await?
            }
            (None, Some(identity)) => own.impersonate(identity),
            (None, None) => own.clone(),
        };
        let clock = self.component.clock().clone();
        let (settings, watches) = (self.settings.clone(), self.watches.clone());
        Ok(Applier::new(cluster, settings, watches, clock))
    }
}

/// Message of a cluster without a client.
pub(super) fn connection_error(error: &RemoteError) -> String {
    format!("failed to build kube client: {}", chain(error))
}

/// The applied objects, with the applier for the health check.
struct DeployResult {
    applier: Applier,
    applied: ApplyOutcome,
    /// Number of deleted objects.
    pruned: usize,
}

/// Executes the plan of one run.
struct Work<'a> {
    reconciler: &'a KustomizationReconciler,
    plan: &'a Plan,
    run: &'a Run<Kustomization>,
}

impl Work<'_> {
    /// Runs all steps before the health check. Each has a boxed future, so that a run holds memory
    /// only for its current step.
    async fn deploy(&self, done: &mut RunReport) -> Result<DeployResult, WorkFailure> {
        let plan = self.plan;
        done.phase = Some(Phase::Fetching);
        let fetched = Box::pin(self.reconciler.artifacts.fetch(&plan.artifact, self.run));
        let fetched = self
            .report_if_slow(done, fetched)
            .await
            .map_err(|error| self.fetch_failure(&error))?;

        done.phase = Some(Phase::Building);
        let applier = Box::pin(self.connect(done)).await?;
        let node = Box::pin(self.node()).await;
        let (node, decryptor) = node.inspect_err(|_| done.is_attempted = true)?;
        let span = self.run.span().clone();
        let building = Box::pin(async {
            let reconciler = self.reconciler;
            let slot = BuildSlot::acquire(&reconciler.build_permits).await;
            let mut wait_monitor = slot.wait_monitor();
            let remotes = reconciler.remotes.as_ref();
            let remotes =
                remotes.map(|remotes| Arc::new(BuildFetcher::new(&slot, remotes.for_build())));
            let options = Options {
                fetcher: remotes.clone().map(|remotes| remotes as Arc<dyn Fetcher>),
                threads: reconciler.threads,
                ..Options::flux()
            };
            let node = Node {
                decryptor: decryptor.map(|decryptor| (decryptor, slot.clone() as Arc<dyn Waiter>)),
                ..node
            };
            // The build owns the slot and releases it at its end. This run may wait longer for a
            // worker, and must not hold the slot by then.
            let build_cache = Arc::clone(&reconciler.build_cache);
            let mut building = tokio::task::spawn_blocking(move || {
                let build = |node| build::build(&fetched, node, &options);
                let was_used = || remotes.is_some_and(|remotes| remotes.was_used());
                let built =
                    span.in_scope(|| build_cache.build(fetched.digest(), node, build, was_used));
                drop(slot);
                built
            });
            tokio::select! {
                biased;
                built = &mut building => built,
                () = wait_monitor.exceeds(WORKER_RELEASE_DELAY) => self.without_worker(building).await,
            }
        });
        let built = self.report_if_slow(done, building).await;
        // Without the directory the revision does not count as attempted.
        done.is_attempted = !matches!(
            built,
            Ok(Err(BuildError::Render(RenderError::Directory(_))))
        );
        if !done.is_attempted {
            done.phase = Some(Phase::Fetching);
        }
        let Rendered {
            mut objects,
            digest,
            hidden,
        } = match built {
            Ok(built) => built.map_err(|error| build_failure(&error))?,
            Err(error) => return Err(panic_failure(&error)),
        };

        let applier = applier.with_secret_values(Arc::new(hidden));
        done.digest = Some(digest);
        done.phase = Some(Phase::Detecting);
        self.set_metadata(&applier, &mut objects);
        refuse_encrypted(&objects)?;
        let intended = intended(&objects);
        Box::pin(self.record_intended(done, &intended)).await?;

        let applied = Box::pin(self.apply(&applier, done, objects, &intended)).await?;
        drop(intended);
        let mut inventory = Inventory::of(&applied.changes);
        if inventory == plan.known {
            // Shares the list in memory during the health check.
            inventory.clone_from(&plan.known);
        }
        let pruned = Box::pin(self.prune(&applier, done, inventory)).await?;
        Ok(DeployResult {
            applier,
            applied,
            pruned,
        })
    }

    /// Awaits a build that waits for a server, and releases the worker until the build ends. The
    /// build slot still limits its work. Each such build holds a thread and its files, so their
    /// number is limited; the others keep their workers.
    async fn without_worker<F: Future>(&self, building: F) -> F::Output {
        match self.reconciler.detached_builds.try_acquire() {
            Ok(_room) => self.run.release(building).await,
            Err(_) => building.await,
        }
    }

    /// Connects to the cluster. The revision counts as attempted even if that fails, since the
    /// artifact is not the cause.
    async fn connect(&self, done: &mut RunReport) -> Result<Applier, WorkFailure> {
        let plan = self.plan;
        let (remote, account) = (plan.remote.as_ref(), plan.account.as_ref());
        let connecting = self.reconciler.applier(self.run.key(), remote, account);
        let connecting = Box::pin(connecting);
        match self.report_if_slow(done, connecting).await {
            Ok(applier) => Ok(applier
                .with_evaluators(plan.evaluators.clone())
                .with_ignore_rules(plan.ignore.clone())),
            Err(error) => {
                done.is_attempted = true;
                let mut failed =
                    WorkFailure::new(reason::RECONCILIATION_FAILED, connection_error(&error));
                if error.is_terminal() {
                    failed.next = FailureRetry::Stalled;
                }
                Err(failed)
            }
        }
    }

    /// Reads the inputs of the build and its keys. The render reports unreadable variables.
    async fn node(&self) -> Result<(Node, Option<Arc<Decryptor>>), WorkFailure> {
        let plan = self.plan;
        let secrets = self.reconciler.component.secrets();
        let decryptor = match &plan.decryption {
            None => None,
            Some(wanted) => {
                let reader = decryption::KeyReader {
                    operator: &self.reconciler.keys,
                    secrets,
                    clusters: &self.reconciler.clusters,
                    key: self.run.key(),
                };
                let decryptor = reader.decryptor(wanted).await;
                let decryptor =
                    decryptor.map_err(|error| WorkFailure::new(reason::BUILD_FAILED, error))?;
                Some(Arc::new(decryptor))
            }
        };
        let (variables, hidden) = match &plan.post_build {
            None => (None, SecretValues::default()),
            Some(post_build) => {
                let namespace = &plan.owner.namespace;
                let (variables, hidden) = variables::read(secrets, namespace, post_build).await;
                (Some(variables), hidden)
            }
        };
        let strategy = plan.post_build.as_ref();
        let strategy = strategy.and_then(|post_build| post_build.substitute_strategy.as_ref());
        let node = Node {
            directory: directory(plan),
            spec: plan.overlay.clone(),
            decryptor: None,
            variables,
            hidden,
            substitution: substitute::Options {
                strict: self.reconciler.switches.strict_substitution,
                always: strategy == Some(&SubstituteStrategy::Always),
            },
        };
        Ok((node, decryptor))
    }

    /// Sets the owner labels and common metadata.
    fn set_metadata(&self, applier: &Applier, objects: &mut [Object]) {
        applier.set_owner(objects, &self.plan.owner);
        for object in objects {
            set_common_metadata(object, &self.plan.common);
        }
    }

    /// Records the objects before any of them is applied. If the process is killed, the next one
    /// finds them in the inventory. An entry for an object that was never created costs one request.
    async fn record_intended(
        &self,
        done: &mut RunReport,
        intended: &Inventory,
    ) -> Result<(), WorkFailure> {
        let known = &self.plan.known;
        if known.covers(intended) {
            return Ok(());
        }
        done.inventory = Some(union([known, intended]));
        let recorded = self.record(done).await;
        if recorded.is_err() {
            // Nothing was applied. An inventory that is too large would also prevent the final
            // status from being written.
            done.inventory = None;
        }
        recorded
    }

    async fn apply(
        &self,
        applier: &Applier,
        done: &mut RunReport,
        objects: Vec<Object>,
        intended: &Inventory,
    ) -> Result<ApplyOutcome, WorkFailure> {
        let plan = self.plan;
        let wait_runner = ReleaseWorker(self.run);
        let options = ApplyOptions {
            owner: &plan.owner,
            known: &plan.known,
            force: plan.force,
            wait_runner: Some(&wait_runner),
        };
        let applying = Box::pin(applier.apply_staged(objects, &options));
        match self.report_if_slow(done, applying).await {
            Ok(applied) => {
                self.notify_applied(&applied.changes);
                Ok(applied)
            }
            Err(failure) => {
                done.inventory = Some(after_failure(&plan.known, intended, &failure));
                let ApplyFailure { error, changes } = failure;
                let mut message = self.explain_forbidden(error.to_string()).await;
                if changes.has_changes() {
                    message = format!("{message}\n{}", lines(changes.changed()));
                }
                Err(WorkFailure::new(reason::RECONCILIATION_FAILED, message))
            }
        }
    }

    /// Explains "forbidden" errors that are due to a missing service account.
    async fn explain_forbidden(&self, message: String) -> String {
        let Some(account) = self
            .plan
            .account
            .as_ref()
            // A remote cluster has other service accounts.
            .filter(|_| message.contains("forbidden") && self.plan.remote.is_none())
        else {
            return message;
        };
        let namespace = &self.plan.owner.namespace;
        match self.reconciler.is_account_missing(namespace, account).await {
            Ok(true) => format!(
                "service account '{namespace}/{}' not found: {message}",
                account.name
            ),
            _ => message,
        }
    }

    fn notify_applied(&self, changes: &ChangeSet) {
        if changes.is_empty() {
            return;
        }
        let output = log_output(changes, self.reconciler.switches.group_changes);
        let log = Notice::info(reason::PROGRESSING, "server-side apply completed")
            .with("output", output.to_string());
        self.run
            .notify(log.with("revision", self.plan.revision()).only_log());
        if changes.has_changes() {
            self.notify(Notice::info(reason::PROGRESSING, lines(changes.changed())));
        }
    }

    /// Deletes objects that left the manifests and returns their number.
    async fn prune(
        &self,
        applier: &Applier,
        done: &mut RunReport,
        applied: Inventory,
    ) -> Result<usize, WorkFailure> {
        let stale = stale_objects(self.plan, &applied);
        if stale.is_empty() {
            done.inventory = Some(applied);
            return Ok(0);
        }
        done.record_deleting(&applied, &stale);
        let pruning = Box::pin(applier.prune(&stale, &self.plan.owner));
        let pruned = self.report_if_slow(done, pruning).await;
        done.record_deleted(&applied, &pruned.survivors);
        let entries: Vec<&ChangeSetEntry> = pruned.changes.entries.iter().collect();
        if pruned.error.is_none() && !entries.is_empty() {
            let message = lines(entries);
            let log = Notice::info(
                reason::PROGRESSING,
                format!("garbage collection completed: {message}"),
            );
            self.run
                .notify(log.with("revision", self.plan.revision()).only_log());
            self.notify(Notice::info(reason::PROGRESSING, message));
        }
        match pruned.error {
            None => Ok(pruned.changes.changed().count()),
            Some(error) => Err(prune_failure(&error)),
        }
    }

    /// Awaits a step, and reports progress if it is slow.
    async fn report_if_slow<F: Future>(&self, done: &RunReport, step: F) -> F::Output {
        let mut step = std::pin::pin!(step);
        if let Ok(output) = tokio::time::timeout(PROGRESS_DELAY, &mut step).await {
            return output;
        }
        let now = self.reconciler.component.clock().now();
        let status = conclude::progress(&self.run.object(), self.plan, done, now);
        self.run.progress(&status);
        // The step may take long, so the status is freed first.
        drop(status);
        step.await
    }

    /// Writes the results so far to the status.
    async fn record(&self, done: &mut RunReport) -> Result<(), WorkFailure> {
        let now = self.reconciler.component.clock().now();
        let status = conclude::progress(&self.run.object(), self.plan, done, now);
        let recorded = Box::pin(self.run.record(&status)).await;
        recorded.map_err(|error| WorkFailure::new(reason::RECONCILIATION_FAILED, chain(&error)))?;
        done.recorded.clone_from(&done.inventory);
        Ok(())
    }

    fn notify(&self, notice: Notice) {
        self.run.notify(conclude::with_revision(self.plan, notice));
    }

    fn fetch_failure(&self, error: &fetch::Error) -> WorkFailure {
        if matches!(error, fetch::Error::NotFound { .. }) {
            let after = text(self.plan.requeue_dependency);
            let message = format!("Source is not ready, artifact not found, retrying in {after}");
            return WorkFailure {
                reason: reason::ARTIFACT_FAILED,
                message,
                next: FailureRetry::Dependency,
            };
        }
        WorkFailure::new(reason::ARTIFACT_FAILED, chain(error))
    }
}

/// Log output of an apply: actions by object, or objects by action.
fn log_output(changes: &ChangeSet, is_grouped: bool) -> serde_json::Value {
    if is_grouped {
        let groups = changes.grouped().into_iter();
        let groups = groups.map(|(action, ids)| (action.to_string(), ids));
        return serde_json::json!(groups.collect::<BTreeMap<_, _>>());
    }
    let actions = changes.entries.iter();
    let actions = actions.map(|entry| (entry.id.to_string(), entry.action.to_string()));
    serde_json::json!(actions.collect::<BTreeMap<_, _>>())
}

/// The objects that are about to be applied. A cluster-scoped custom object with a namespace keeps
/// it in its id, since only the apply learns the scope.
pub(super) fn intended(objects: &[Object]) -> Inventory {
    objects
        .iter()
        .map(|object| InventoryEntry {
            id: object.id(),
            version: object.version().to_owned(),
        })
        .collect()
}

/// Merges inventories. The first one that has an object gives its version.
pub(super) fn union<const N: usize>(parts: [&Inventory; N]) -> Inventory {
    let mut whole = Inventory::default();
    for part in parts {
        whole.merge(part);
    }
    whole
}

/// The objects that the cluster may hold after a failed apply.
fn after_failure(known: &Inventory, intended: &Inventory, failure: &ApplyFailure) -> Inventory {
    let settled = Inventory::of(&failure.changes);
    if failure.may_have_sent() {
        union([known, &settled, intended])
    } else {
        union([known, &settled])
    }
}

/// The objects to delete after an apply.
pub(super) fn stale_objects(plan: &Plan, applied: &Inventory) -> Inventory {
    if plan.prune {
        plan.known.stale(applied)
    } else {
        Inventory::default()
    }
}

/// Releases the worker while a stage of an apply becomes ready. Most stages are ready at once, so
/// it keeps the worker for a short time first.
struct ReleaseWorker<'a>(&'a Run<Kustomization>);

impl WaitRunner for ReleaseWorker<'_> {
    fn run_wait<'a>(&'a self, mut wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if tokio::time::timeout(WORKER_RELEASE_DELAY, &mut wait)
                .await
                .is_err()
            {
                self.0.release(wait).await;
            }
        })
    }
}

impl fmt::Debug for ReleaseWorker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ReleaseWorker").field(self.0.key()).finish()
    }
}

/// Failure of a build that panicked. Only the log has the panic message, since it may quote a
/// Secret.
fn panic_failure(error: &JoinError) -> WorkFailure {
    tracing::error!(%error, "the build of manifests panicked");
    WorkFailure::new(
        reason::BUILD_FAILED,
        "kustomize build failed: internal error, see the log of the controller",
    )
}

/// The directory of the manifests in the artifact.
pub(super) fn directory(plan: &Plan) -> PathBuf {
    Path::new("/").join(&plan.path)
}

pub(super) fn build_failure(error: &BuildError) -> WorkFailure {
    let reason = match error {
        BuildError::Archive(_) | BuildError::Render(RenderError::Directory(_)) => {
            reason::ARTIFACT_FAILED
        }
        BuildError::Directory(_) => reason::DIRECTORY_CREATION_FAILED,
        BuildError::Render(_) => reason::BUILD_FAILED,
    };
    WorkFailure::new(reason, chain(error))
}

fn prune_failure(error: &PruneError) -> WorkFailure {
    WorkFailure::new(reason::PRUNE_FAILED, error.to_string())
}

/// Rejects encrypted Secrets: applying one would replace a working Secret by ciphertext.
pub(super) fn refuse_encrypted(objects: &[Object]) -> Result<(), WorkFailure> {
    let encrypted = |object: &&Object| {
        let fields = object.as_map();
        sluice_sops::is_encrypted_secret(fields) && !sluice_sops::is_decryption_disabled(fields)
    };
    match objects.iter().find(encrypted) {
        None => Ok(()),
        Some(object) => {
            let message = format!(
                "{} is SOPS encrypted, configuring decryption is required for this secret to be reconciled",
                object.id()
            );
            Err(WorkFailure::new(reason::RECONCILIATION_FAILED, message))
        }
    }
}

/// Formats one line per entry.
pub(super) fn lines<'a>(entries: impl IntoIterator<Item = &'a ChangeSetEntry>) -> String {
    let lines: Vec<String> = entries.into_iter().map(ToString::to_string).collect();
    lines.join("\n")
}
