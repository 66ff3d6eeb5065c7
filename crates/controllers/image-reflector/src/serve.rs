//! Starts the controller from its flags.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use sluice_api::image::ImageRepository;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_engine::{Controller, Store, Task};
use sluice_golang::error::chain;
use sluice_host::args::ArgsError;
use sluice_host::gates::OBJECT_LEVEL_WORKLOAD_IDENTITY;
use sluice_host::{CloudIdentities, Component, ComponentError, Host};
use sluice_system::blocking;
use tokio_util::sync::CancellationToken;

use crate::args::{Args, GATES, InvalidFlag, NAME};
use crate::image_policy::{self, ImagePolicyReconciler};
use crate::image_repository::ImageRepositoryReconciler;
use crate::metrics::ScanMetrics;
use crate::registry::Registries;
use crate::store::{Key, StoreError, TagStore};

/// The conditions that the controller sets.
const CONDITIONS: [&str; 3] = [READY, RECONCILING, STALLED];

/// Why the controller did not start, or why it ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Invalid flag.
    #[error(transparent)]
    Args(#[from] ArgsError),
    /// Invalid flag of this controller.
    #[error(transparent)]
    Flag(#[from] InvalidFlag),
    /// The storage cannot be opened.
    #[error("unable to open storage")]
    Store(#[from] StoreError),
    /// A task failed, or leadership was lost.
    #[error(transparent)]
    Component(#[from] ComponentError),
}

/// Runs the controller until the host shuts down.
pub async fn run(args: Args, host: Host) -> Result<(), Error> {
    let component = Component::new(&host, NAME, args.shared.clone(), GATES)?;
    let gates = component.gates();
    let identities = CloudIdentities::new(&component, &args.identity, &[])?;
    args.validate(gates)?;
    if args.has_value_log_size() {
        tracing::info!("--storage-value-log-file-size has no effect: tags are stored in files");
    }
    let (path, threshold) = (args.storage_path.clone(), args.threshold());
    let store = blocking(move || TagStore::open(path, threshold)).await?;
    let metrics = ScanMetrics::register(component.metrics().registry());
    let registries = Registries::new(component.secrets().clone(), identities, args.concurrent);
    let registries = Arc::new(registries);
    let has_workload_identity = gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY);

    let repositories = ImageRepositoryReconciler {
        registries: Arc::clone(&registries),
        store: store.clone(),
        revision_form: Args::revision_form(gates),
        has_workload_identity,
        tag_count_warning: args.tag_count_warning,
        metrics: metrics.clone(),
    };
    let is_synced = Arc::new(AtomicBool::default());
    let synced = Arc::clone(&is_synced);
    let repositories = Controller::new(component.engine(), repositories)
        .concurrent(args.concurrent)
        .owns_conditions(CONDITIONS)
        .before_first_run(async move |_| synced.store(true, Ordering::Release));
    let objects = repositories.store();
    let policies = ImagePolicyReconciler {
        registries,
        store: store.clone(),
        repositories: objects.clone(),
        cluster: component.cluster().clone(),
        has_workload_identity,
        no_cross_namespace_refs: args.no_cross_namespace_refs,
        requeue_dependency: args.requeue_dependency,
    };
    let selector = &args.shared.selector.watch_label_selector;
    let policies = Controller::new(component.engine(), policies)
        .concurrent(args.concurrent)
        .owns_conditions(CONDITIONS)
        .watches(image_policy::repositories(selector));
    let mut tasks = vec![repositories.into_task(), policies.into_task()];
    if let Some(interval) = args.garbage_collection() {
        let collector = GarbageCollector {
            store,
            objects,
            is_synced,
            metrics,
        };
        tasks.push(collector.into_task(interval));
    }
    Ok(component.run(tasks).await?)
}

/// Removes the tags of objects that do not exist.
struct GarbageCollector {
    store: TagStore,
    objects: Store<ImageRepository>,
    /// Whether the objects are known.
    is_synced: Arc<AtomicBool>,
    metrics: ScanMetrics,
}

impl GarbageCollector {
    fn into_task(self, interval: Duration) -> Task {
        Task::new(
            "tag-garbage-collection",
            async move |stop: CancellationToken| {
                loop {
                    tokio::select! {
                        () = stop.cancelled() => return Ok::<_, Infallible>(()),
                        () = tokio::time::sleep(interval) => {}
                    }
                    if self.is_synced.load(Ordering::Acquire) {
                        self.collect().await;
                    }
                }
            },
        )
    }

    async fn collect(&self) {
        let existing: HashSet<Key> = self.objects.keys().iter().map(Key::of).collect();
        let store = self.store.clone();
        let collected = blocking(move || {
            let removed = store.collect_garbage(&existing)?;
            Ok::<_, StoreError>((removed, store.size()?))
        });
        match collected.await {
            Ok((removed, bytes)) => {
                self.metrics.set_store_bytes(bytes);
                tracing::debug!(removed, bytes, "unused tags removed");
            }
            Err(error) => tracing::warn!(error = %chain(&error), "unused tags were not removed"),
        }
    }
}
