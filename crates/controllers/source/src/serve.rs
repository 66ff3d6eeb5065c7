//! The process side of the controller: flags in, tasks out.

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sluice_api::source::GitRepository;
use sluice_artifact::FileError;
use sluice_artifact::digest::Algorithm;
use sluice_artifact::server::{self, Listing};
use sluice_artifact::storage::{self, ClaimError, Retention, Storage};
use sluice_auth::HttpClients;
use sluice_git::{SshAlgorithms, UnknownAlgorithm};
use sluice_runtime::args::{ArgsError, listen_address};
use sluice_runtime::reconcile::chain;
use sluice_runtime::{Component, ComponentError, Controller, Gate, Host, ObjectKey, Task};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::args::Args;
use crate::first_round::FirstRound;
use crate::git_repository::{self, Context, GitRepositoryReconciler, KIND, OWNED, Tokens};
use crate::oci_repository::{self, OciRepositoryReconciler};
use crate::orphans::Orphans;

/// The name of the controller, of its lease and of its Deployment.
pub const NAME: &str = "source-controller";

const OBJECT_LEVEL_WORKLOAD_IDENTITY: &str = "ObjectLevelWorkloadIdentity";
const GATES: &[Gate] = &[
    Gate::off(sluice_runtime::gates::CACHE_SECRETS_AND_CONFIG_MAPS),
    Gate::off(OBJECT_LEVEL_WORKLOAD_IDENTITY),
    // Flux's documentation has it and its binary refuses it; here it is simply how we work.
    Gate::on("OptimizedGitClones"),
];
/// Below the storage's private directory.
const GIT_STORE: &str = "git";
/// What registries know Flux by.
const REGISTRY_USER_AGENT: &str = "flux/v2";
/// How often fetched objects are held against their limit: fetches add little at a time, and
/// measuring reads every directory.
const TRIM_EVERY: Duration = Duration::from_mins(5);

/// Why the controller did not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// `--ssh-kex-algos` or `--ssh-hostkey-algos`.
    #[error(transparent)]
    Algorithm(#[from] UnknownAlgorithm),
    /// The storage is not there.
    #[error("unable to open storage")]
    Storage(#[from] FileError),
    /// A default for a feature that is off.
    #[error(
        "--default-service-account needs the feature gate {OBJECT_LEVEL_WORKLOAD_IDENTITY} to be on"
    )]
    DefaultServiceAccount,
    /// A task, or leadership, ended.
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
    let component = host.component(NAME, args.shared.clone(), GATES)?;
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
    let stores = sluice_git::Stores::new(
        storage.private(GIT_STORE)?,
        args.git_store_max_size,
        sluice_git::Limits::default(),
    );
    let http = Arc::new(HttpClients::new(concat!(
        "sluice/",
        env!("CARGO_PKG_VERSION")
    )));
    let git = sluice_git::Client::new(Arc::clone(&http)).with_ssh_algorithms(algorithms);
    let opened = Opened::default();
    let first_round = Arc::new(FirstRound::default());
    let round = Arc::clone(&first_round);
    let registry = sluice_oci::Client::new(Arc::new(HttpClients::new(REGISTRY_USER_AGENT)));
    let repositories = OciRepositoryReconciler::new(oci_repository::Context {
        storage: Arc::clone(&storage),
        secrets: component.secrets().clone(),
        registry,
        workload_identity,
    });
    let waiting = opened.clone();
    let oci = Controller::new(&component, repositories)
        .concurrent(args.concurrent)
        .owns_conditions(oci_repository::OWNED)
        .before_first_run(async move |_| waiting.wait().await);
    let reconciler = GitRepositoryReconciler::new(Context {
        storage: Arc::clone(&storage),
        secrets: component.secrets().clone(),
        client: component.cluster().client().clone(),
        http,
        git,
        stores: stores.clone(),
        tokens: Tokens::new(args.token_cache_max_size, args.token_cache_max_duration),
        requeue_dependency: args.requeue_dependency,
        first_round: Arc::clone(&first_round),
        owner: lease(&args.shared.watch_label_selector),
    });
    let waiting = opened.clone();
    let controller = Controller::new(&component, reconciler)
        .concurrent(args.concurrent)
        .owns_conditions(OWNED)
        .watches(git_repository::includes())
        .before_first_run(async move |store| {
            waiting.wait().await;
            first_round.begin(
                store
                    .list()
                    .iter()
                    .map(|object| ObjectKey::of(object.as_ref())),
            );
        });
    let ours = controller.store();
    let orphans = Orphans::<GitRepository>::new(
        KIND,
        Arc::clone(&storage),
        move |key| ours.entry(key).is_some(),
        component.cluster().client().clone(),
        args.shared.watched_namespace().map(str::to_owned),
        lease(&args.shared.watch_label_selector),
    );
    let tasks = [
        artifact_server(&component, &args, listen, storage, opened),
        trim(stores),
        // Before the first round is over, nobody knows which objects there are.
        orphans.into_task(async move { round.ended().await }),
        controller.into_task(),
        oci.into_task(),
    ];
    Ok(component.run(tasks).await?)
}

/// Whether the storage is ours to write; nothing is reconciled before it is.
#[derive(Clone, Default)]
struct Opened(CancellationToken);

impl Opened {
    fn open(&self) {
        self.0.cancel();
    }

    async fn wait(&self) {
        self.0.cancelled().await;
    }
}

/// Claims the storage, clears it of what a killed process left, and serves it: only the leader
/// may, since a standby's clients would find files that are gone.
fn artifact_server(
    component: &Component,
    args: &Args,
    listen: Option<SocketAddr>,
    storage: Arc<Storage>,
    opened: Opened,
) -> Task {
    let lease = lease(&component.shared().watch_label_selector);
    let listing = if args.storage_list_dirs {
        Listing::On
    } else {
        Listing::Off
    };
    Task::new("artifact-server", async move |stop: CancellationToken| {
        let claimed = Arc::clone(&storage);
        let claim = tokio::task::spawn_blocking(move || {
            let claim = claimed.claim(&lease, &holder())?;
            let removed = claimed.sweep(&[KIND, oci_repository::KIND])?;
            if removed > 0 {
                tracing::info!(removed, "removed temporary files of an earlier process");
            }
            Ok::<_, ServeError>(claim)
        })
        .await
        .expect("claiming a storage does not panic");
        let _claim = claim?;
        if let Some(address) = listen {
            let listener = TcpListener::bind(address)
                .await
                .map_err(|source| ServeError::Listen { address, source })?;
            tracing::info!(%address, "serving artifacts");
            opened.open();
            server::serve(listener, server::router(storage, listing), stop)
                .await
                .map_err(ServeError::Serve)
        } else {
            opened.open();
            stop.cancelled().await;
            Ok(())
        }
    })
}

/// Holds fetched Git objects against their limit from time to time.
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

/// Shards that share a volume must not exclude each other.
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
