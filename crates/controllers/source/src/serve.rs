//! Starts the controller: turns flags into tasks.

use std::convert::Infallible;
use std::sync::Arc;

use sluice_api::source::{Bucket, GitRepository, HelmChart, HelmRepository, OciRepository};
use sluice_artifact::FileError;
use sluice_artifact::storage::Storage;
use sluice_dial::HttpClients;
use sluice_engine::{Controller, Kind, Reconciliation, Runner, Task};
use sluice_git::{SshAlgorithms, Stores, UnknownAlgorithm};
use sluice_host::args::{ArgsError, listen_address};
use sluice_host::gates::OBJECT_LEVEL_WORKLOAD_IDENTITY;
use sluice_host::{CloudIdentities, Component, ComponentError, Gate, Host};
use sluice_producer::{ArtifactServer, KindStorage, Orphans, StorageReady, storage_owner};
use tokio_util::sync::CancellationToken;

use crate::args::Args;
use crate::bucket::BucketKind;
use crate::git_repository::{self, GitClients, GitRepositoryKind};
use crate::helm::HelmClients;
use crate::helm_chart::{self, HelmChartKind};
use crate::helm_repository::{HelmRepositoryKind, HelmRepositoryRunner};
use crate::oci_repository::OciRepositoryKind;
use crate::reconcile::{self, SourceKind, SourceReconciler};
use crate::signature::{KeylessSettings, REQUIRE_OIDC_IDENTITY};

/// The name of the controller, of its lease and of its Deployment.
pub const NAME: &str = "source-controller";

/// The feature gates of the controller.
pub const GATES: &[Gate] = &[
    Gate::off(sluice_host::gates::CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
    // Flux documents this gate but its binary rejects it. Sluice always works this way.
    Gate::on("OptimizedGitClones"),
    Gate::off(REQUIRE_OIDC_IDENTITY),
];
/// The directory of Git objects in the private storage, before the name of the owner.
const GIT_STORE: &str = "git";

/// Why the controller did not start, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Invalid flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// Invalid `--ssh-kex-algos` or `--ssh-hostkey-algos`.
    #[error(transparent)]
    Algorithm(#[from] UnknownAlgorithm),
    /// The storage cannot be opened.
    #[error("unable to open storage")]
    Storage(#[from] FileError),
    /// A task failed, or leadership was lost.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// Fetched Git objects of an earlier process cannot be removed.
#[derive(Debug, thiserror::Error)]
#[error("unable to tidy up fetched Git objects")]
struct TidyStoresError(#[from] sluice_git::Error);

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared.clone(), GATES)?;
    let http = Arc::new(HttpClients::new(concat!(
        "sluice/",
        env!("CARGO_PKG_VERSION")
    )));
    let algorithms = SshAlgorithms::parse(&args.ssh_kex_algos, &args.ssh_hostkey_algos)?;
    let listen = listen_address("storage-addr", &args.storage.storage_addr)?;
    let storage = Arc::new(args.storage.open()?);
    let owner = storage_owner(NAME, &args.shared.selector.watch_label_selector);
    let stores = open_stores(&args, &storage, &owner)?;
    let identities =
        CloudIdentities::new(&component, &args.identity, &args.identity_host_allowlist)?;
    let clients = GitClients {
        identities: identities.clone(),
        git: sluice_git::Client::new(Arc::clone(&http)).with_ssh_algorithms(algorithms),
        stores: stores.clone(),
    };

    let git = kind_storage::<GitRepository>(&storage, &owner);
    let oci = kind_storage::<OciRepository>(&storage, &owner);
    let bucket = kind_storage::<Bucket>(&storage, &owner);
    let repository = kind_storage::<HelmRepository>(&storage, &owner);
    let chart = kind_storage::<HelmChart>(&storage, &owner);
    let git_repositories = GitRepositoryKind::new(&component, &args, &git, clients);
    let keyless = KeylessSettings::new(
        args.sigstore_trusted_root.clone(),
        component.gates().enabled(REQUIRE_OIDC_IDENTITY),
    );
    let oci_repositories =
        OciRepositoryKind::new(&component, &args, &oci, identities.clone(), keyless.clone());
    let buckets = BucketKind::new(&component, &bucket, Arc::clone(&http), identities.clone());
    let helm = HelmClients::new(&args);
    let helm_repositories = HelmRepositoryKind::new(&component, &repository, helm.clone());
    let helm_charts = HelmChartKind::new(
        &component,
        &chart,
        helm,
        identities.clone(),
        keyless.clone(),
    );

    let storage_ready = StorageReady::default();
    let start = StartKind {
        component: &component,
        args: &args,
        storage_ready: &storage_ready,
    };
    let git_repositories = start.controller(git_repositories);
    let git_repositories = git_repositories.watches(git_repository::includes());
    let mut tasks = vec![trim(stores.clone())];
    if let Some(root) = keyless.public() {
        let clock = Arc::clone(component.clock());
        tasks.push(root.refresh(&args.sigstore_mirror, Arc::clone(&http), clock));
    }
    tasks.extend(start.tasks(&git, git_repositories));
    tasks.extend(start.tasks(&oci, start.controller(oci_repositories)));
    tasks.extend(start.tasks(&bucket, start.controller(buckets)));
    let helm_repositories = start.reconciler(helm_repositories);
    let helm_repositories = HelmRepositoryRunner::new(helm_repositories, &repository);
    let helm_repositories = start.configured::<HelmRepositoryKind, _>(Controller::with_runner(
        component.engine(),
        helm_repositories,
    ));
    tasks.extend(start.tasks(&repository, helm_repositories));
    let helm_charts = start
        .controller(helm_charts)
        .watches(helm_chart::sources::<HelmRepository>())
        .watches(helm_chart::sources::<GitRepository>())
        .watches(helm_chart::sources::<Bucket>());
    tasks.extend(start.tasks(&chart, helm_charts));
    let server = ArtifactServer {
        storage,
        kinds: vec![git, oci, bucket, repository, chart],
        owner,
        listen,
        listing: args.storage.listing(),
    };
    tasks.push(server.into_task(storage_ready, tidy_stores(stores)));
    Ok(component.run(tasks).await?)
}

/// Opens the Git stores of an owner. Shards may share a volume, and a shard must not trim the store
/// of another one.
fn open_stores(args: &Args, storage: &Storage, owner: &str) -> Result<Stores, FileError> {
    let directory = storage.private(&format!("{GIT_STORE}-{owner}"))?;
    let limits = sluice_git::Limits::default();
    Ok(Stores::new(directory, args.git_store_max_size, limits))
}

fn kind_storage<K: Kind>(storage: &Arc<Storage>, owner: &str) -> Arc<KindStorage> {
    Arc::new(KindStorage::of::<K>(Arc::clone(storage), owner.to_owned()))
}

/// Starts the kinds.
struct StartKind<'a> {
    component: &'a Component,
    args: &'a Args,
    storage_ready: &'a StorageReady,
}

impl StartKind<'_> {
    /// The controller of a kind.
    fn controller<K: SourceKind>(
        &self,
        kind: K,
    ) -> Controller<Reconciliation<SourceReconciler<K>>> {
        let controller = Controller::new(self.component.engine(), self.reconciler(kind));
        self.configured::<K, _>(controller)
    }

    /// The reconciler of a kind.
    fn reconciler<K: SourceKind>(&self, kind: K) -> SourceReconciler<K> {
        let retries = &self.args.shared.retries;
        let retry_delays = (retries.min_retry_delay, retries.max_retry_delay);
        SourceReconciler::new(kind, retry_delays)
    }

    /// A controller with the settings of a kind.
    fn configured<K: SourceKind, R: Runner>(&self, controller: Controller<R>) -> Controller<R> {
        controller
            .owns_conditions(reconcile::owned_conditions::<K>())
            .concurrent(self.args.concurrent)
    }

    /// The controller, which waits until the storage is claimed, and the removal of orphans.
    fn tasks<R: Runner>(
        &self,
        source_storage: &Arc<KindStorage>,
        controller: Controller<R>,
    ) -> [Task; 2] {
        let (storage_ready, first) = (self.storage_ready.clone(), Arc::clone(source_storage));
        let controller = controller.before_first_run(async move |store| {
            storage_ready.wait().await;
            first.first_round.begin(store.readable());
        });
        let (ours, round_storage) = (controller.store(), Arc::clone(source_storage));
        let orphans = Orphans::<R::Object>::new(
            Arc::clone(source_storage),
            move |key| ours.contains(key),
            self.component.cluster().clone(),
            self.args.shared.watched_namespace().map(str::to_owned),
        );
        // The set of objects is known only after the first round.
        let round = async move { round_storage.first_round.wait_for_end().await };
        [controller.into_task(), orphans.into_task(round)]
    }
}

/// Removes unfinished packs of a killed process.
async fn tidy_stores(stores: Stores) -> Result<(), TidyStoresError> {
    let removed = stores.remove_unfinished_files().await?;
    if removed > 0 {
        tracing::info!(removed, "removed unfinished packs of an earlier process");
    }
    Ok(())
}

/// Trims the Git store to its size limit at intervals.
fn trim(stores: Stores) -> Task {
    Task::new("git-store", async move |stop: CancellationToken| {
        stop.run_until_cancelled(stores.keep_trimmed()).await;
        Ok::<_, Infallible>(())
    })
}
