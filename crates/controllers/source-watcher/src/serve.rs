//! Starts the controller: turns flags into tasks.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, HelmChart, OciRepository};
use sluice_artifact::FileError;
use sluice_consumer::ArtifactFetcher;
use sluice_dial::DialError;
use sluice_engine::Controller;
use sluice_host::args::{ArgsError, listen_address};
use sluice_host::{Component, ComponentError, Host};
use sluice_producer::{ArtifactServer, KindStorage, Orphans, StorageReady, storage_owner};
use sluice_system::permits::FairPermits;

use crate::args::{Args, DIRECT_SOURCE_FETCH, GATES, NAME};
use crate::artifact_generator::{self, ArtifactGeneratorReconciler, Settings, SourceStores};

/// The conditions that the controller sets.
const CONDITIONS: [&str; 3] = [READY, RECONCILING, STALLED];

/// Runs of a namespace that hold the files of sources at once. Runs of other namespaces may hold
/// one more.
const NAMESPACE_RUNS: NonZeroUsize = NonZeroUsize::new(3).expect("three is not zero");

/// Why the controller did not start, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Invalid flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// The storage cannot be opened.
    #[error("unable to open storage")]
    Storage(#[from] FileError),
    /// Downloads cannot be set up.
    #[error("unable to set up downloads of artifacts")]
    Download(#[source] DialError),
    /// A task failed, or leadership was lost.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared.clone(), GATES)?;
    let listen = listen_address("storage-addr", &args.storage.storage_addr)?;
    let storage = Arc::new(args.storage.open()?);
    let owner = storage_owner(NAME, &args.shared.selector.watch_label_selector);
    let artifacts = KindStorage::of::<ExternalArtifact>(Arc::clone(&storage), owner.clone());
    let artifacts = Arc::new(artifacts);
    let direct = component.gates().enabled(DIRECT_SOURCE_FETCH);
    let reconciler = ArtifactGeneratorReconciler {
        component: component.clone(),
        sources: SourceStores::new(&component, direct),
        downloads: ArtifactFetcher::new(&args.downloads.options(NAME)).map_err(Error::Download)?,
        storage: Arc::clone(&artifacts),
        permits: FairPermits::new(available_parallelism().unwrap_or(NonZeroUsize::MIN)),
        memory: FairPermits::new(NAMESPACE_RUNS),
        settings: Settings {
            no_cross_namespace: args.no_cross_namespace_refs,
            requeue_dependency: args.requeue_dependency,
        },
        timeout: args.reconciliation_timeout,
    };
    let storage_ready = StorageReady::default();
    let ready = storage_ready.clone();
    let controller = Controller::new(component.engine(), reconciler)
        .concurrent(args.concurrent)
        .timeout(args.reconciliation_timeout)
        .owns_conditions(CONDITIONS)
        .watches(artifact_generator::watch_sources::<GitRepository>())
        .watches(artifact_generator::watch_sources::<OciRepository>())
        .watches(artifact_generator::watch_sources::<Bucket>())
        .watches(artifact_generator::watch_sources::<HelmChart>())
        .watches(artifact_generator::watch_sources::<ExternalArtifact>())
        .before_first_run(async move |_| ready.wait().await);
    // The watch of external artifacts has no selector, so each that exists is in its store.
    let existing = component.store::<ExternalArtifact>();
    let orphans = Orphans::<ExternalArtifact>::new(
        Arc::clone(&artifacts),
        move |key| existing.contains(key),
        component.cluster().clone(),
        args.shared.watched_namespace().map(str::to_owned),
    );
    let ready = storage_ready.clone();
    let orphans = orphans.into_task(async move { ready.wait().await });
    let server = ArtifactServer {
        storage,
        kinds: vec![artifacts],
        owner,
        listen,
        listing: args.storage.listing(),
    };
    let server = server.into_task(storage_ready, async {
        Ok::<_, std::convert::Infallible>(())
    });
    let tasks = vec![controller.into_task(), orphans, server];
    Ok(component.run(tasks).await?)
}
