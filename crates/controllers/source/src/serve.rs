//! Starts the controller: turns flags into tasks.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sluice_api::source::{Bucket, GitRepository, OciRepository};
use sluice_artifact::FileError;
use sluice_artifact::server::{self, Listing};
use sluice_artifact::storage::{self, ClaimError, Retention, Storage};
use sluice_dial::HttpClients;
use sluice_digest::Algorithm;
use sluice_engine::{Controller, Reconciliation, Runner, Task};
use sluice_git::{SshAlgorithms, UnknownAlgorithm};
use sluice_golang::error::chain;
use sluice_host::args::{ArgsError, listen_address};
use sluice_host::{ClusterOptions, Clusters, Component, ComponentError, Gate, Host};
use sluice_identity::Environment;
use tokio_util::sync::CancellationToken;

use crate::args::Args;
use crate::bucket::{BucketKind, StoredIndexes};
use crate::git_repository::{self, AwsIdentities, GitRepositoryKind, Tokens};
use crate::oci_repository::{self, OciRepositoryKind};
use crate::orphans::Orphans;
use crate::reconcile::{self, SourceKind, SourceReconciler};
use crate::source_storage::SourceStorage;

/// The name of the controller, of its lease and of its Deployment.
pub const NAME: &str = "source-controller";

const OBJECT_LEVEL_WORKLOAD_IDENTITY: &str = "ObjectLevelWorkloadIdentity";
/// The feature gates of the controller.
pub const GATES: &[Gate] = &[
    Gate::off(sluice_host::gates::CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
    // Flux documents this gate but its binary rejects it. Sluice always works this way.
    Gate::on("OptimizedGitClones"),
];
/// The directory of Git objects in the private storage, before the name of the lease.
const GIT_STORE: &str = "git";
/// User agent for registries, the same as Flux's.
const REGISTRY_USER_AGENT: &str = "flux/v2";
/// How often the Git store is trimmed: fetches add little at a time, and measuring reads every
/// directory.
const TRIM_EVERY: Duration = Duration::from_mins(5);

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
    /// `--default-service-account` without its feature gate.
    #[error(
        "--default-service-account needs the feature gate {OBJECT_LEVEL_WORKLOAD_IDENTITY} to be on"
    )]
    DefaultServiceAccount,
    /// A task failed, or leadership was lost.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// Why artifacts cannot be served.
#[derive(Debug, thiserror::Error)]
enum ServeError {
    #[error(transparent)]
    Claim(#[from] ClaimError),
    #[error("unable to tidy up storage")]
    Sweep(#[from] FileError),
    #[error("unable to tidy up fetched Git objects")]
    SweepGit(#[from] sluice_git::Error),
    #[error("cannot serve artifacts on {address}")]
    Listen {
        address: SocketAddr,
        source: std::io::Error,
    },
    #[error("artifact server ended")]
    Serve(#[source] std::io::Error),
}

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared.clone(), GATES)?;
    let workload_identity = component.gates().enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY);
    if !args.default_service_account.is_empty() && !workload_identity {
        return Err(Error::DefaultServiceAccount);
    }
    let algorithms = SshAlgorithms::parse(&args.ssh_kex_algos, &args.ssh_hostkey_algos)?;
    let listen = listen_address("storage-addr", &args.storage_addr)?;
    let storage = Arc::new(Storage::open(storage::Options {
        root: args.storage_path.clone(),
        address: advertised(&args),
        algorithm: args.artifact_digest_algo,
        retention: Retention {
            ttl: args.artifact_retention_ttl,
            records: args.artifact_retention_records,
        },
    })?);
    let lease = lease(&args.shared.selector.watch_label_selector);
    let stores = sluice_git::Stores::new(
        // Shards may share a volume, and a shard must not trim the store of another one.
        storage.private(&format!("{GIT_STORE}-{lease}"))?,
        args.git_store_max_size,
        sluice_git::Limits::default(),
    );
    let http = Arc::new(HttpClients::new(concat!(
        "sluice/",
        env!("CARGO_PKG_VERSION")
    )));
    let git = sluice_git::Client::new(Arc::clone(&http)).with_ssh_algorithms(algorithms);
    let git_storage = Arc::new(SourceStorage::of::<GitRepository>(
        Arc::clone(&storage),
        lease.clone(),
    ));
    let oci_storage = Arc::new(SourceStorage::of::<OciRepository>(
        Arc::clone(&storage),
        lease.clone(),
    ));
    let bucket_storage = Arc::new(SourceStorage::of::<Bucket>(Arc::clone(&storage), lease));
    let buckets = BucketKind {
        source_storage: Arc::clone(&bucket_storage),
        secrets: component.secrets().clone(),
        client: sluice_bucket::Client::new(Arc::clone(&http), component.clock().clone()),
        stored_indexes: StoredIndexes::default(),
    };
    let git_repositories = GitRepositoryKind::new(git_repository::Context {
        source_storage: Arc::clone(&git_storage),
        secrets: component.secrets().clone(),
        cluster: component.cluster().clone(),
        http,
        git,
        stores: stores.clone(),
        tokens: Tokens::new(args.token_cache_max_size, args.token_cache_max_duration),
        aws: AwsIdentities {
            environment: Environment::of_process(),
            // The service account tokens need no cache: the credentials they buy are cached.
            accounts: Clusters::new(&component, ClusterOptions::default()),
            object_level: workload_identity,
            default_account: Some(args.default_service_account.clone())
                .filter(|name| !name.is_empty()),
        },
        metrics: component.metrics().clone(),
        requeue_dependency: args.requeue_dependency,
    });
    let registries = oci_repository::Context {
        source_storage: Arc::clone(&oci_storage),
        secrets: component.secrets().clone(),
        registry: sluice_oci::Client::new(Arc::new(HttpClients::new(REGISTRY_USER_AGENT))),
        workload_identity,
    };
    let oci_repositories = OciRepositoryKind::new(registries, args.concurrent);
    let storage_ready = StorageReady::default();
    let mut tasks = vec![trim(stores.clone())];
    let start = StartKind {
        component: &component,
        args: &args,
        storage_ready: &storage_ready,
    };
    let git_repositories = start.controller(git_repositories);
    let git_repositories = git_repositories.watches(git_repository::includes());
    tasks.extend(start.tasks(&git_storage, git_repositories));
    tasks.extend(start.tasks(&oci_storage, start.controller(oci_repositories)));
    tasks.extend(start.tasks(&bucket_storage, start.controller(buckets)));
    let source_storages = vec![git_storage, oci_storage, bucket_storage];
    tasks.push(artifact_server(
        &component,
        &args,
        listen,
        storage,
        source_storages,
        stores,
        storage_ready,
    ));
    Ok(component.run(tasks).await?)
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
        let retries = &self.args.shared.retries;
        let retry_delays = (retries.min_retry_delay, retries.max_retry_delay);
        let reconciler = SourceReconciler::new(kind, retry_delays);
        Controller::new(self.component.engine(), reconciler)
            .owns_conditions(reconcile::owned_conditions::<K>())
            .concurrent(self.args.concurrent)
    }

    /// The controller, which waits until the storage is claimed, and the removal of orphans.
    fn tasks<R: Runner>(
        &self,
        source_storage: &Arc<SourceStorage>,
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

/// Signals that the storage is claimed; reconciling starts after it.
#[derive(Clone, Default)]
struct StorageReady(CancellationToken);

impl StorageReady {
    fn signal(&self) {
        self.0.cancel();
    }

    async fn wait(&self) {
        self.0.cancelled().await;
    }
}

/// Claims the storage, removes temporary files of a killed process, and serves the artifacts.
/// Only the leader serves: clients of a standby would miss files.
fn artifact_server(
    component: &Component,
    args: &Args,
    listen: Option<SocketAddr>,
    storage: Arc<Storage>,
    source_storages: Vec<Arc<SourceStorage>>,
    stores: sluice_git::Stores,
    storage_ready: StorageReady,
) -> Task {
    let lease = lease(&component.shared().selector.watch_label_selector);
    let listing = if args.storage_list_dirs {
        Listing::On
    } else {
        Listing::Off
    };
    Task::new("artifact-server", async move |stop: CancellationToken| {
        let claimed = Arc::clone(&storage);
        let claim = tokio::task::spawn_blocking(move || {
            let claim = claimed.claim(&lease, &holder())?;
            let kinds: Vec<&str> = source_storages
                .iter()
                .map(|source_storage| source_storage.kind())
                .collect();
            let removed = claimed.remove_temporary_files(&kinds)?;
            if removed > 0 {
                tracing::info!(removed, "removed temporary files of an earlier process");
            }
            Ok::<_, ServeError>(claim)
        })
        .await
        .expect("claiming a storage does not panic");
        let _claim = claim?;
        let removed = stores.remove_unfinished_files().await?;
        if removed > 0 {
            tracing::info!(removed, "removed unfinished packs of an earlier process");
        }
        if let Some(address) = listen {
            let listener = sluice_host::listen(address)
                .await
                .map_err(|source| ServeError::Listen { address, source })?;
            tracing::info!(%address, "serving artifacts");
            storage_ready.signal();
            server::serve(listener, server::router(storage, listing), stop)
                .await
                .map_err(ServeError::Serve)
        } else {
            storage_ready.signal();
            stop.cancelled().await;
            Ok(())
        }
    })
}

/// Trims the Git store to its size limit at intervals.
fn trim(stores: sluice_git::Stores) -> Task {
    Task::new("git-store", async move |stop: CancellationToken| {
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok::<_, std::convert::Infallible>(()),
                () = tokio::time::sleep(TRIM_EVERY) => {}
            }
            match stores.trim().await {
                Ok(bytes) => tracing::debug!(bytes, "Git store trimmed"),
                Err(error) => tracing::warn!(error = %chain(&error), "Git store was not trimmed"),
            }
        }
    })
}

/// The name of the lease. Shards that share a volume must not exclude each other.
fn lease(selector: &str) -> String {
    if selector.is_empty() {
        NAME.to_owned()
    } else {
        format!(
            "{NAME}-{}",
            Algorithm::Sha256.digest(selector.as_bytes()).hex()
        )
    }
}

fn advertised(args: &Args) -> String {
    storage::advertised_address(&args.storage_adv_addr, &args.storage_addr, hostname())
}

fn holder() -> String {
    format!("{} (process {})", hostname(), std::process::id())
}

fn hostname() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        rustix::system::uname()
            .nodename()
            .to_string_lossy()
            .into_owned()
    })
}
