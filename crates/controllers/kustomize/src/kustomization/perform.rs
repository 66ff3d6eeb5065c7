//! Performs the steps of a run: fetch, build, apply, prune, check health.
//!
//! Every step writes its results to [`RunReport`], so that the status of a failed run still matches
//! the cluster.

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
    InventoryEntry, SecretValues, WaitRunner,
};
use sluice_artifact::fetch::Download;
use sluice_consumer::{ImpersonatedAccount, is_account_missing};
use sluice_engine::{Notice, ObjectKey, Run};
use sluice_host::{RemoteError, Requester};
use sluice_kustomize::remote::Fetcher;
use sluice_kustomize::{Options, substitute};
use sluice_object::Object;
use sluice_render::{Node, RenderedNode, Waiter, set_common_metadata};
use sluice_sops::Decryptor;
use tokio::task::JoinError;

use super::KustomizationReconciler;
use super::build;
use super::build_slot::BuildSlot;
use super::conclude;
use super::decryption;
use super::failure::{
    after_failure, apply_failure, build_failure, connection_failure, fetch_failure,
    lacks_directory, lines, prune_failure, refuse_encrypted,
};
use super::fault::{Fault, ReportedFailure};
use super::model::{ApplyResult, BuildResult, Facts, Phase, Plan, RunReport, Stage, Step, Work};
use super::remotes::BuildFetcher;
use super::resources::ApplyResources;
use super::variables;

mod health;

#[cfg(test)]
#[path = "tests/perform.rs"]
mod tests;

/// Time that a waiting build or apply keeps its worker.
const WORKER_RELEASE_DELAY: Duration = Duration::from_millis(250);

/// Performs one step and adds its result to the facts. Each step has a boxed future, so that a
/// run holds memory only for its current step.
pub(super) async fn perform(
    reconciler: &KustomizationReconciler,
    step: Step,
    facts: &mut Facts,
    run: &Run<Kustomization>,
) -> Result<(), Fault> {
    // A run that works is not woken by its dependencies.
    reconciler.waiting.remove(run.key());
    if let Step::Remove(removal) = step {
        let removed = Box::pin(reconciler.remove(&removal, run)).await;
        removed.map_err(Fault::NotRemoved)?;
        facts.is_removed = true;
        return Ok(());
    }
    if let Step::Fetch(plan) = &step {
        facts.observed = None;
        facts.work = Some(Work {
            plan: Arc::clone(plan),
            report: RunReport::default(),
            stage: Stage::Empty,
        });
    }
    let Some(Work {
        plan,
        report,
        stage,
    }) = &mut facts.work
    else {
        return Ok(());
    };
    let performer = Performer {
        reconciler,
        plan,
        run,
    };
    report.phase = step.phase();
    *stage = match (step, std::mem::replace(stage, Stage::Empty)) {
        (Step::Fetch(_), _) => Stage::Fetched(Box::pin(performer.fetch()).await?),
        (Step::Build, Stage::Fetched(download)) => {
            Stage::Built(Box::pin(performer.build(download, report)).await?)
        }
        (Step::Apply { recorded }, Stage::Built(built)) => {
            if recorded.is_some() {
                report.inventory.clone_from(&recorded);
                report.recorded = recorded;
            }
            Stage::Applied(Box::pin(performer.apply(built, report)).await?)
        }
        (Step::Prune(stale), Stage::Applied(applied)) => {
            Stage::Applied(Box::pin(performer.prune(applied, &stale, report)).await?)
        }
        (Step::CheckHealth { is_recorded }, Stage::Applied(applied)) => {
            if is_recorded {
                report.recorded.clone_from(&report.inventory);
            }
            Box::pin(performer.check_health(applied, report)).await?;
            Stage::Empty
        }
        // The plan gives each step the stage before it.
        (_, stage) => stage,
    };
    Ok(())
}

impl KustomizationReconciler {
    /// Creates the applier for the object's cluster and service account.
    pub(super) async fn applier(
        &self,
        key: &ObjectKey,
        remote: Option<&KubeConfigReference>,
        account: Option<&ImpersonatedAccount>,
    ) -> Result<Applier, RemoteError> {
        let identity = account.map(|account| &account.identity);
        let connecting = self.clusters.connect(requester(key), remote, identity);
        let cluster = connecting.await?;
        let clock = self.component.clock().clone();
        let ApplyResources { settings, watches } = &self.applies;
        Ok(Applier::new(
            cluster,
            settings.clone(),
            watches.clone(),
            clock,
        ))
    }
}

/// The Kustomization that requests a cluster.
pub(super) fn requester(key: &ObjectKey) -> Requester<'_> {
    Requester {
        kind: "Kustomization",
        key,
    }
}

/// Performs the steps of one run.
struct Performer<'a> {
    reconciler: &'a KustomizationReconciler,
    plan: &'a Plan,
    run: &'a Run<Kustomization>,
}

impl Performer<'_> {
    async fn fetch(&self) -> Result<Arc<Download>, ReportedFailure> {
        let fetching = self
            .reconciler
            .artifacts
            .fetch(&self.plan.artifact, self.run);
        fetching
            .await
            .map_err(|error| fetch_failure(&error, self.plan.requeue_dependency))
    }

    async fn build(
        &self,
        fetched: Arc<Download>,
        report: &mut RunReport,
    ) -> Result<BuildResult, ReportedFailure> {
        let applier = Box::pin(self.connect(report)).await?;
        let node = Box::pin(self.node()).await;
        let (node, decryptor) = node.inspect_err(|_| report.is_attempted = true)?;
        let span = self.run.span().clone();
        let building = Box::pin(async {
            let builds = &self.reconciler.builds;
            let slot = BuildSlot::acquire(&builds.permits, self.run.key().namespace()).await;
            let mut wait_monitor = slot.wait_monitor();
            let remotes = builds.remotes.as_ref();
            let limit = self.plan.timing.timeout;
            let remotes = remotes
                .map(|remotes| Arc::new(BuildFetcher::new(&slot, remotes.for_build(), limit)));
            let options = Options {
                fetcher: remotes.clone().map(|remotes| remotes as Arc<dyn Fetcher>),
                threads: builds.threads,
                ..Options::flux()
            };
            let node = Node {
                decryptor: decryptor.map(|decryptor| (decryptor, slot.clone() as Arc<dyn Waiter>)),
                ..node
            };
            // The build owns the slot and releases it at its end. This run may wait longer for a
            // worker, and must not hold the slot by then.
            let build_cache = Arc::clone(&builds.cache);
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
        let built = building.await;
        report.is_attempted = !matches!(&built, Ok(Err(error)) if lacks_directory(error));
        if !report.is_attempted {
            report.phase = Some(Phase::Fetching);
        }
        let RenderedNode {
            mut objects,
            digest,
            hidden,
        } = match built {
            Ok(built) => built.map_err(|error| build_failure(&error))?,
            Err(error) => return Err(panic_failure(&error)),
        };

        let applier = applier.with_secret_values(Arc::new(hidden));
        report.digest = Some(digest);
        report.phase = Some(Phase::Detecting);
        self.set_metadata(&applier, &mut objects);
        refuse_encrypted(&objects)?;
        Ok(BuildResult {
            intended: intended(&objects),
            applier,
            objects,
        })
    }

    /// Awaits a build that waits for a server, and releases the worker until the build ends. The
    /// build slot still limits its work. Each such build holds a thread and its files, so their
    /// number is limited; the others keep their workers.
    async fn without_worker<F: Future>(&self, building: F) -> F::Output {
        match self.reconciler.builds.detached.try_acquire() {
            Ok(_room) => self.run.release(building).await,
            Err(_) => building.await,
        }
    }

    /// Connects to the cluster. The revision counts as attempted even if that fails, since the
    /// artifact is not the cause.
    async fn connect(&self, report: &mut RunReport) -> Result<Applier, ReportedFailure> {
        let plan = self.plan;
        let (remote, account) = (plan.remote.as_ref(), plan.account.as_ref());
        let connecting = self.reconciler.applier(self.run.key(), remote, account);
        match connecting.await {
            Ok(applier) => Ok(applier
                .with_evaluators(plan.evaluators.clone())
                .with_ignore_rules(plan.ignore.clone().unwrap_or_default())),
            Err(error) => {
                report.is_attempted = true;
                Err(connection_failure(&error))
            }
        }
    }

    /// Reads the inputs of the build and its keys. The render reports unreadable variables.
    async fn node(&self) -> Result<(Node, Option<Arc<Decryptor>>), ReportedFailure> {
        let plan = self.plan;
        let secrets = self.reconciler.component.secrets();
        let decryptor = match &plan.decryption {
            None => None,
            Some(wanted) => {
                let reader = decryption::KeyReader {
                    operator: &self.reconciler.decryption,
                    secrets,
                    clusters: &self.reconciler.clusters,
                    key: self.run.key(),
                };
                let decryptor = reader.decryptor(wanted).await;
                let decryptor = decryptor
                    .map_err(|error| ReportedFailure::retry(reason::BUILD_FAILED, error))?;
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

    async fn apply(
        &self,
        built: BuildResult,
        report: &mut RunReport,
    ) -> Result<ApplyResult, ReportedFailure> {
        let plan = self.plan;
        if let Err(error) = &plan.ignore {
            return Err(apply_failure(&error.to_string(), &ChangeSet::default()));
        }
        let BuildResult {
            applier,
            objects,
            intended,
        } = built;
        let wait_runner = ReleaseWorker(self.run);
        let options = ApplyOptions {
            owner: &plan.owner,
            known: &plan.known,
            force: plan.force,
            wait_runner: Some(&wait_runner),
        };
        let applying = Box::pin(applier.apply_staged(objects, &options));
        let ApplyOutcome { changes, targets } = match applying.await {
            Ok(applied) => applied,
            Err(failure) => {
                report.inventory = Some(after_failure(&plan.known, &intended, &failure));
                let ApplyFailure { error, changes } = failure;
                let message = self.explain_forbidden(error.to_string()).await;
                return Err(apply_failure(&message, &changes));
            }
        };
        self.notify_applied(&changes);
        let mut inventory = Inventory::of(&changes).with_versions_of(&intended);
        if inventory == plan.known {
            // Shares the list in memory during the health check.
            inventory.clone_from(&plan.known);
        }
        report.inventory = Some(inventory.clone());
        Ok(ApplyResult {
            applier,
            inventory,
            has_changes: changes.has_changes(),
            targets,
            pruned: None,
        })
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
        let cluster = self.reconciler.component.cluster();
        match is_account_missing(cluster, namespace, account).await {
            Ok(true) => format!(
                "{message}: service account '{namespace}/{}' not found",
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

    /// Deletes objects that left the manifests.
    async fn prune(
        &self,
        applied: ApplyResult,
        stale: &Inventory,
        report: &mut RunReport,
    ) -> Result<ApplyResult, ReportedFailure> {
        report.record_deleting(&applied.inventory, stale);
        let pruned = applied.applier.prune(stale, &self.plan.owner).await;
        report.record_deleted(&applied.inventory, &pruned.survivors);
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
            None => Ok(ApplyResult {
                pruned: Some(pruned.changes.changed().count()),
                ..applied
            }),
            Some(error) => Err(prune_failure(&error)),
        }
    }

    fn notify(&self, notice: Notice) {
        self.run.notify(conclude::with_revision(self.plan, notice));
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
fn panic_failure(error: &JoinError) -> ReportedFailure {
    tracing::error!(%error, "the build of manifests panicked");
    ReportedFailure::retry(
        reason::BUILD_FAILED,
        "kustomize build failed: internal error, see the log of the controller",
    )
}

/// The directory of the manifests in the artifact.
pub(super) fn directory(plan: &Plan) -> PathBuf {
    Path::new("/").join(&plan.path)
}
