//! Tasks without the lease, timeouts of runs, finalizers per kind, and stores without a controller.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube::api::PostParams;
use kube::core::PartialObjectMeta;
use serde_json::json;
use sluice_api::source::GitRepository;
use sluice_engine::{
    Controller, Finalizer, ObjectKey, Outcome, Requeue, Run, Runner, StatusOf, Task,
};
use sluice_testkit::{cluster, wait};
use tokio::sync::oneshot;

use crate::bed::{self, Entry, Toy};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn task_on_every_replica_runs_without_the_lease() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("replica").await;
    let leases: Api<Lease> = Api::namespaced(testbed.client().await, &namespace);
    let lease = json!({
        "apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": { "name": "toy-controller-leader-election" },
        "spec": { "holderIdentity": "another", "leaseDurationSeconds": 3600 },
    });
    let lease: Lease = serde_json::from_value(lease).unwrap();
    leases.create(&PostParams::default(), &lease).await.unwrap();

    let component = bed::component(testbed, &namespace, &["--enable-leader-election"]).await;
    let (started, has_started) = oneshot::channel();
    let always = Task::new("always", move |stop| async move {
        started.send(()).unwrap();
        stop.cancelled().await;
        Ok::<_, Infallible>(())
    });
    let leading = Task::new("leading", |_| async {
        Err::<(), _>(std::io::Error::other("it needs the lease"))
    });
    let tasks = [always.on_every_replica(), leading];
    let running = tokio::spawn(component.clone().run(tasks));
    has_started.await.unwrap();
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_ends_at_its_timeout_and_is_retried() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("timeout").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &["--min-retry-delay=10ms"]).await;
    let toy = Toy::new(|_: Arc<GitRepository>, run| {
        async {
            run.release(std::future::pending::<()>()).await;
            Outcome::untouched(Requeue::Never)
        }
        .boxed()
    });
    let controller =
        Controller::with_runner(component.engine(), toy).timeout(Duration::from_millis(100));
    let running = bed::spawn(controller, &component);
    bed::create(&api, "apps").await;
    wait::eventually("two runs failed", async || {
        let metrics = component.metrics().text();
        let failures = metrics.lines().find_map(|line| {
            line.strip_prefix(
                "controller_runtime_reconcile_errors_total{controller=\"gitrepository\"} ",
            )
        });
        match failures.and_then(|count| count.parse::<u64>().ok()) {
            Some(2..) => Ok(()),
            count => Err(format!("{count:?}")),
        }
    })
    .await;
    bed::stop(&component, running).await;
}

/// A reconciler with a finalizer of its own.
struct Watcher;

const OWN_FINALIZER: &str = "example.com/watcher";

impl Runner for Watcher {
    type Object = GitRepository;

    const FINALIZER: &'static str = OWN_FINALIZER;

    fn run(
        &self,
        object: Arc<GitRepository>,
        _: &Run<GitRepository>,
    ) -> impl Future<Output = Outcome<StatusOf<GitRepository>>> + Send {
        let outcome = match bed::enter(&object, Self::FINALIZER) {
            Entry::Adopt => Outcome::untouched(Requeue::Now).with_finalizer(Finalizer::Add),
            _ => bed::done(bed::ready(&object, "adopted", None)),
        };
        async move { outcome }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reconciler_adds_its_own_finalizer() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("finalizer").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let running = bed::spawn(
        Controller::with_runner(component.engine(), Watcher),
        &component,
    );
    bed::create(&api, "apps").await;
    let object = bed::until_ready(&api, "apps", "adopted").await;
    let finalizers = object.metadata.finalizers.unwrap_or_default();
    assert_eq!(finalizers, [OWN_FINALIZER]);
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn watched_store_fills_without_a_controller() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("store").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let store = component
        .engine()
        .watched_store::<PartialObjectMeta<GitRepository>>();
    bed::create(&api, "apps").await;
    let key = ObjectKey::new(&namespace, "apps");
    wait::eventually("the object is in the store", async || {
        if store.contains(&key) {
            Ok(())
        } else {
            Err(format!("{:?}", store.keys()))
        }
    })
    .await;
    component.host().shutdown().cancel();
}
