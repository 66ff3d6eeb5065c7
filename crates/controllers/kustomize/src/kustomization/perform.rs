//! The effects of a run: fetch, build, record, apply, prune, await health.
//!
//! Every step leaves what it has done in [`Done`], so that a run that fails half-way
//! still tells the whole truth about the cluster.
//!
//! One file, although a long one: it is one sequence, and each step reads what the one before left.

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
use super::conclude::{self, Phase};
use super::decryption;
use super::plan::{Account, Plan};
use super::remotes::Lent;
use super::timing::text;
use super::turn::Turn;
use super::variables;

mod health;

#[cfg(test)]
#[path = "tests/perform.rs"]
mod tests;

/// Progress younger than this is usually overtaken by the next step. A write for it would come
/// just when the API server is slow, and make it slower.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a wait in the middle of a build or an apply keeps its worker.
const TURN: Duration = Duration::from_millis(250);

/// What a run of work has done, as far as it came.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Done {
    /// Whether manifests were built: the revision counts as attempted.
    pub(super) is_attempted: bool,
    /// The digest of the manifests, once they were about to be applied.
    pub(super) digest: Option<String>,
    /// What the cluster holds of ours now; `None` is as before.
    pub(super) inventory: Option<Inventory>,
    /// The inventory that this run wrote last, with the word that it is under way.
    pub(super) recorded: Option<Inventory>,
    /// How the health check ended.
    pub(super) health: Health,
    /// What the last step was about to do.
    pub(super) phase: Option<Phase>,
    /// Why the run ended early.
    pub(super) failure: Option<Failed>,
}

impl Done {
    /// Objects are about to be deleted. They are there until it is confirmed that they are
    /// gone: progress that is shown meanwhile must not lose track of them.
    pub(super) fn deleting(&mut self, applied: &Inventory, stale: &Inventory) {
        self.inventory = Some(union([applied, stale]));
    }

    /// Whether anybody who looks sees that work is under way, and on what.
    fn is_on_record(&self) -> bool {
        let Some(recorded) = &self.recorded else {
            return false;
        };
        let held = self.inventory.as_ref();
        held.is_none_or(|held| recorded.covers(held))
    }

    /// They were deleted, but for the survivors.
    pub(super) fn deleted(&mut self, applied: &Inventory, survivors: &Inventory) {
        self.inventory = Some(union([applied, survivors]));
    }
}

/// How a health check ended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Health {
    /// It was not come to.
    #[default]
    NotReached,
    /// There is nothing to check.
    Unchecked,
    /// All are healthy, after this time.
    Passed(Duration),
    /// Some are not.
    Failed(String),
    /// It was called off.
    Cancelled,
}

/// Why a run ended early.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failed {
    /// Flux's reason.
    pub(super) reason: &'static str,
    pub(super) message: String,
    pub(super) next: Next,
}

/// When a failed run is repeated, and who is told.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Next {
    /// After the retry interval; everyone is told.
    Retry,
    /// After the interval for dependencies; nobody is told, since it will pass.
    Dependency,
    /// At once: something newer waits. This is told as good news.
    Now(String),
    /// Only after an edit, ours or the object's; everyone is told.
    Stalled,
}

impl Failed {
    fn new(reason: &'static str, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            next: Next::Retry,
        }
    }
}

impl KustomizationReconciler {
    /// Brings a plan about.
    pub(super) async fn work(&self, plan: &Plan, run: &Run<Kustomization>) -> Done {
        let mut done = Done::default();
        let work = Work {
            reconciler: self,
            plan,
            run,
        };
        // Each in a box of its own: a thousand runs may wait for health at once, and what came
        // before it needs no room any more then.
        let ended = match Box::pin(work.bring(&mut done)).await {
            Ok(brought) => Box::pin(work.check_health(brought, &mut done)).await,
            Err(failed) => Err(failed),
        };
        done.failure = ended.err();
        done
    }

    /// The hand of an object on its cluster: ours, or the one that it names, as its account.
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
                let asker = Requester {
                    kind: "Kustomization",
                    key,
                };
                self.clusters.cluster(asker, remote, identity).await?
            }
            (None, Some(identity)) => own.impersonate(identity),
            (None, None) => own.clone(),
        };
        let clock = self.component.clock().clone();
        let (settings, watches) = (self.settings.clone(), self.watches.clone());
        Ok(Applier::new(cluster, settings, watches, clock))
    }
}

/// What is said of a cluster for which there is no client.
pub(super) fn unconnected(error: &RemoteError) -> String {
    format!("failed to build kube client: {}", chain(error))
}

/// What is in the cluster, and the hand that brought it there.
struct Brought {
    applier: Applier,
    applied: ApplyOutcome,
    /// How many objects went.
    pruned: usize,
}

/// One run of work.
struct Work<'a> {
    reconciler: &'a KustomizationReconciler,
    plan: &'a Plan,
    run: &'a Run<Kustomization>,
}

impl Work<'_> {
    /// The steps until the cluster has what it shall have, each with a future of its own: a run keeps
    /// room for the step that it is at.
    async fn bring(&self, done: &mut Done) -> Result<Brought, Failed> {
        let plan = self.plan;
        done.phase = Some(Phase::Fetching);
        let fetched = Box::pin(self.reconciler.artifacts.fetch(&plan.artifact, self.run));
        let fetched = self
            .slowly(done, fetched)
            .await
            .map_err(|error| self.unfetched(&error))?;

        done.phase = Some(Phase::Building);
        let applier = Box::pin(self.connect(done)).await?;
        let node = Box::pin(self.node()).await;
        let (node, decryptor) = node.inspect_err(|_| done.is_attempted = true)?;
        let span = self.run.span().clone();
        let building = Box::pin(async {
            let reconciler = self.reconciler;
            let turn = Turn::take(&reconciler.builders).await;
            let mut absence = turn.absence();
            let remotes = reconciler.remotes.as_ref();
            let remotes = remotes.map(|remotes| Arc::new(Lent::new(&turn, remotes.for_build())));
            let options = Options {
                fetcher: remotes.clone().map(|remotes| remotes as Arc<dyn Fetcher>),
                threads: reconciler.threads,
                ..Options::flux()
            };
            let node = Node {
                decryptor: decryptor.map(|decryptor| (decryptor, turn.clone() as Arc<dyn Waiter>)),
                ..node
            };
            // The turn goes with the build: it ends there, and not only when this run has a
            // worker again, for which others may wait who have theirs.
            let memo = Arc::clone(&reconciler.memo);
            let mut building = tokio::task::spawn_blocking(move || {
                let build = |node| build::build(&fetched, node, &options);
                let was_asked = || remotes.is_some_and(|remotes| remotes.was_asked());
                let built = span.in_scope(|| memo.build(fetched.digest(), node, build, was_asked));
                drop(turn);
                built
            });
            tokio::select! {
                biased;
                built = &mut building => built,
                () = absence.lasts(TURN) => self.without_worker(building).await,
            }
        });
        let built = self.slowly(done, building).await;
        // An artifact without the folder was not attempted: nothing of it could be.
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
            Ok(built) => built.map_err(|error| unbuilt(&error))?,
            Err(error) => return Err(crashed(&error)),
        };

        let applier = applier.with_secret_values(Arc::new(hidden));
        done.digest = Some(digest);
        done.phase = Some(Phase::Detecting);
        self.mark(&applier, &mut objects);
        refuse_encrypted(&objects)?;
        let intended = intended(&objects);
        Box::pin(self.announce(done, &intended)).await?;

        let applied = Box::pin(self.apply(&applier, done, objects, &intended)).await?;
        drop(intended);
        let mut inventory = Inventory::of(&applied.changes);
        if inventory == plan.known {
            // One list for both, for as long as it is waited for.
            inventory.clone_from(&plan.known);
        }
        let pruned = Box::pin(self.prune(&applier, done, inventory)).await?;
        Ok(Brought {
            applier,
            applied,
            pruned,
        })
    }

    /// Awaits a build that waits for a server, and lends its worker to others until it is done:
    /// what it still has to do is counted by its turn. Each holds a thread and its files, so that
    /// only so many may; the others keep their workers.
    async fn without_worker<F: Future>(&self, building: F) -> F::Output {
        match self.reconciler.absent.try_acquire() {
            Ok(_room) => self.run.release(building).await,
            Err(_) => building.await,
        }
    }

    /// The way to the cluster. Without one the revision counts as attempted all the same: it is
    /// not the artifact's fault.
    async fn connect(&self, done: &mut Done) -> Result<Applier, Failed> {
        let plan = self.plan;
        let (remote, account) = (plan.remote.as_ref(), plan.account.as_ref());
        let connecting = self.reconciler.applier(self.run.key(), remote, account);
        let connecting = Box::pin(connecting);
        match self.slowly(done, connecting).await {
            Ok(applier) => Ok(applier
                .with_evaluators(plan.evaluators.clone())
                .with_ignore_rules(plan.ignore.clone())),
            Err(error) => {
                done.is_attempted = true;
                let mut failed = Failed::new(reason::RECONCILIATION_FAILED, unconnected(&error));
                if error.is_terminal() {
                    failed.next = Next::Stalled;
                }
                Err(failed)
            }
        }
    }

    /// The node to build and its decryptor. The render reports variables that cannot be read.
    async fn node(&self) -> Result<(Node, Option<Arc<Decryptor>>), Failed> {
        let plan = self.plan;
        let secrets = self.reconciler.component.secrets();
        let decryptor = match &plan.decryption {
            None => None,
            Some(wanted) => {
                let reader = decryption::Reader {
                    operator: &self.reconciler.keys,
                    secrets,
                    clusters: &self.reconciler.clusters,
                    key: self.run.key(),
                };
                let decryptor = reader.decryptor(wanted).await;
                let decryptor =
                    decryptor.map_err(|error| Failed::new(reason::BUILD_FAILED, error))?;
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

    /// Puts on what every object of ours carries.
    fn mark(&self, applier: &Applier, objects: &mut [Object]) {
        applier.set_owner(objects, &self.plan.owner);
        for object in objects {
            set_common_metadata(object, &self.plan.common);
        }
    }

    /// Records what is about to be applied, before any of it is. Should we die in
    /// between, the next process finds in the inventory whatever it has to answer
    /// for; an entry for something that was never made costs it one look.
    async fn announce(&self, done: &mut Done, intended: &Inventory) -> Result<(), Failed> {
        let known = &self.plan.known;
        if known.covers(intended) {
            return Ok(());
        }
        done.inventory = Some(union([known, intended]));
        let recorded = self.record(done).await;
        if recorded.is_err() {
            // Nothing was applied. What could not be written, as it is too large for one object,
            // would keep the end of the run from being written as well.
            done.inventory = None;
        }
        recorded
    }

    async fn apply(
        &self,
        applier: &Applier,
        done: &mut Done,
        objects: Vec<Object>,
        intended: &Inventory,
    ) -> Result<ApplyOutcome, Failed> {
        let plan = self.plan;
        let wait_runner = Lend(self.run);
        let options = ApplyOptions {
            owner: &plan.owner,
            known: &plan.known,
            force: plan.force,
            wait_runner: Some(&wait_runner),
        };
        let applying = Box::pin(applier.apply_staged(objects, &options));
        match self.slowly(done, applying).await {
            Ok(applied) => {
                self.tell_applied(&applied.changes);
                Ok(applied)
            }
            Err(failure) => {
                done.inventory = Some(after_failure(&plan.known, intended, &failure));
                let ApplyFailure { error, changes } = failure;
                let mut message = self.explain(error.to_string()).await;
                if changes.has_changes() {
                    message = format!("{message}\n{}", lines(changes.changed()));
                }
                Err(Failed::new(reason::RECONCILIATION_FAILED, message))
            }
        }
    }

    /// A missing service account reads as "forbidden": say what it is.
    async fn explain(&self, message: String) -> String {
        let Some(account) = self
            .plan
            .account
            .as_ref()
            // Elsewhere, accounts of the same name are other ones.
            .filter(|_| message.contains("forbidden") && self.plan.remote.is_none())
        else {
            return message;
        };
        let namespace = &self.plan.owner.namespace;
        match self.reconciler.is_gone(namespace, account).await {
            Ok(true) => format!(
                "service account '{namespace}/{}' not found: {message}",
                account.name
            ),
            _ => message,
        }
    }

    fn tell_applied(&self, changes: &ChangeSet) {
        if changes.is_empty() {
            return;
        }
        let output = logged(changes, self.reconciler.switches.group_changes);
        let log = Notice::info(reason::PROGRESSING, "server-side apply completed")
            .with("output", output.to_string());
        self.run
            .notify(log.with("revision", self.plan.revision()).only_log());
        if changes.has_changes() {
            self.tell(Notice::info(reason::PROGRESSING, lines(changes.changed())));
        }
    }

    /// Deletes what left the manifests; gives the number of objects that went.
    async fn prune(
        &self,
        applier: &Applier,
        done: &mut Done,
        applied: Inventory,
    ) -> Result<usize, Failed> {
        let stale = doomed(self.plan, &applied);
        if stale.is_empty() {
            done.inventory = Some(applied);
            return Ok(0);
        }
        done.deleting(&applied, &stale);
        let pruning = Box::pin(applier.prune(&stale, &self.plan.owner));
        let pruned = self.slowly(done, pruning).await;
        done.deleted(&applied, &pruned.survivors);
        let told: Vec<&ChangeSetEntry> = pruned.changes.entries.iter().collect();
        if pruned.error.is_none() && !told.is_empty() {
            let message = lines(told);
            let log = Notice::info(
                reason::PROGRESSING,
                format!("garbage collection completed: {message}"),
            );
            self.run
                .notify(log.with("revision", self.plan.revision()).only_log());
            self.tell(Notice::info(reason::PROGRESSING, message));
        }
        match pruned.error {
            None => Ok(pruned.changes.changed().count()),
            Some(error) => Err(unpruned(&error)),
        }
    }

    /// Awaits a step and shows what it does if it takes long.
    async fn slowly<F: Future>(&self, done: &Done, step: F) -> F::Output {
        let mut step = std::pin::pin!(step);
        if let Ok(output) = tokio::time::timeout(PATIENCE, &mut step).await {
            return output;
        }
        let now = self.reconciler.component.clock().now();
        let status = conclude::progress(&self.run.object(), self.plan, done, now);
        self.run.progress(&status);
        // Not kept for as long as the step takes.
        drop(status);
        step.await
    }

    /// Writes what is done so far, and goes on only when it is written.
    async fn record(&self, done: &mut Done) -> Result<(), Failed> {
        let now = self.reconciler.component.clock().now();
        let status = conclude::progress(&self.run.object(), self.plan, done, now);
        let recorded = Box::pin(self.run.record(&status)).await;
        recorded.map_err(|error| Failed::new(reason::RECONCILIATION_FAILED, chain(&error)))?;
        done.recorded.clone_from(&done.inventory);
        Ok(())
    }

    fn tell(&self, notice: Notice) {
        self.run.notify(conclude::about(self.plan, notice));
    }

    fn unfetched(&self, error: &fetch::Error) -> Failed {
        if matches!(error, fetch::Error::NotFound { .. }) {
            let after = text(self.plan.requeue_dependency);
            let message = format!("Source is not ready, artifact not found, retrying in {after}");
            return Failed {
                reason: reason::ARTIFACT_FAILED,
                message,
                next: Next::Dependency,
            };
        }
        Failed::new(reason::ARTIFACT_FAILED, chain(error))
    }
}

/// What an apply did, for the log: each object with its action, or each action with its objects.
fn logged(changes: &ChangeSet, is_grouped: bool) -> serde_json::Value {
    if is_grouped {
        let groups = changes.grouped().into_iter();
        let groups = groups.map(|(action, ids)| (action.to_string(), ids));
        return serde_json::json!(groups.collect::<BTreeMap<_, _>>());
    }
    let actions = changes.entries.iter();
    let actions = actions.map(|entry| (entry.id.to_string(), entry.action.to_string()));
    serde_json::json!(actions.collect::<BTreeMap<_, _>>())
}

/// What is about to be applied. A namespace that a cluster-scoped custom object carries
/// by mistake is still in its id: only the apply finds out.
pub(super) fn intended(objects: &[Object]) -> Inventory {
    objects
        .iter()
        .map(|object| InventoryEntry {
            id: object.id(),
            version: object.version().to_owned(),
        })
        .collect()
}

/// What is known, joined; the first that names an object gives its version.
pub(super) fn union<const N: usize>(parts: [&Inventory; N]) -> Inventory {
    let mut whole = Inventory::default();
    for part in parts {
        whole.merge(part);
    }
    whole
}

/// What the cluster may hold after an apply that failed.
fn after_failure(known: &Inventory, intended: &Inventory, failure: &ApplyFailure) -> Inventory {
    let settled = Inventory::of(&failure.changes);
    if failure.may_have_sent() {
        union([known, &settled, intended])
    } else {
        union([known, &settled])
    }
}

/// What is to be deleted after an apply.
pub(super) fn doomed(plan: &Plan, applied: &Inventory) -> Inventory {
    if plan.prune {
        plan.known.stale(applied)
    } else {
        Inventory::default()
    }
}

/// Lends the worker to others while a stage of an apply becomes ready. Most are at
/// once, and then it is not worth giving up one's turn.
struct Lend<'a>(&'a Run<Kustomization>);

impl WaitRunner for Lend<'_> {
    fn run_wait<'a>(&'a self, mut wait: BoxFuture<'a, ()>) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if tokio::time::timeout(TURN, &mut wait).await.is_err() {
                self.0.release(wait).await;
            }
        })
    }
}

impl fmt::Debug for Lend<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Lend").field(self.0.key()).finish()
    }
}

/// A build that panicked. What a panic says is for us: it may quote anything, a Secret
/// included, and conditions and events are read by many.
fn crashed(error: &JoinError) -> Failed {
    tracing::error!(%error, "the build of manifests panicked");
    Failed::new(
        reason::BUILD_FAILED,
        "kustomize build failed: internal error, see the log of the controller",
    )
}

/// The directory of the manifests in the tree of the artifact.
pub(super) fn directory(plan: &Plan) -> PathBuf {
    Path::new("/").join(&plan.path)
}

pub(super) fn unbuilt(error: &BuildError) -> Failed {
    let reason = match error {
        BuildError::Archive(_) | BuildError::Render(RenderError::Directory(_)) => {
            reason::ARTIFACT_FAILED
        }
        BuildError::Directory(_) => reason::DIRECTORY_CREATION_FAILED,
        BuildError::Render(_) => reason::BUILD_FAILED,
    };
    Failed::new(reason, chain(error))
}

fn unpruned(error: &PruneError) -> Failed {
    Failed::new(reason::PRUNE_FAILED, error.to_string())
}

/// A Secret that is still encrypted would replace the one that works by ciphertext.
pub(super) fn refuse_encrypted(objects: &[Object]) -> Result<(), Failed> {
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
            Err(Failed::new(reason::RECONCILIATION_FAILED, message))
        }
    }
}

/// One line per entry.
pub(super) fn lines<'a>(entries: impl IntoIterator<Item = &'a ChangeSetEntry>) -> String {
    let lines: Vec<String> = entries.into_iter().map(ToString::to_string).collect();
    lines.join("\n")
}
