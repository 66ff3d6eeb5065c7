//! Leader election on a real API server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use futures::FutureExt;
use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use sluice_api::source::GitRepository;
use sluice_engine::{Controller, Metrics, Outcome, Requeue};
use sluice_host::{Component, ComponentError, Host};
use sluice_testkit::{Fault, FaultProxy, Testbed, When, cluster, wait};
use tokio::runtime;
use tokio::sync::watch;

use crate::bed::{self, Toy, deciding};

const LEASE: &str = "toy-controller-leader-election";

/// Flags with short intervals that survive a slow server.
const QUICK: &[&str] = &[
    "--enable-leader-election",
    "--leader-election-lease-duration=60s",
    "--leader-election-renew-deadline=30s",
    "--leader-election-retry-period=200ms",
];

async fn candidate(
    testbed: &Testbed,
    namespace: &str,
    message: &'static str,
) -> (Component, Controller<bed::Toy<GitRepository>>) {
    let component = bed::component(testbed, namespace, QUICK).await;
    let toy = deciding(move |object: &GitRepository| bed::done(bed::ready(object, message, None)));
    let controller = Controller::with_runner(component.engine(), toy);
    (component, controller)
}

/// A candidate behind a fault proxy.
async fn spoiled(testbed: &Testbed, namespace: &str) -> (FaultProxy, Component) {
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    let host = bed::host_at(proxy.kubeconfig()).await;
    let flags = bed::flags_in(namespace, QUICK);
    let component = Component::new(&host, "toy-controller", flags, &[]).unwrap();
    (proxy, component)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn standby_takes_over_a_released_lease() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("leader").await;
    let api = bed::repositories(testbed, &namespace).await;
    let leases: Api<Lease> = Api::namespaced(testbed.client().await, &namespace);

    let (first, controller) = candidate(testbed, &namespace, "first").await;
    let first_running = bed::spawn(controller, &first);
    let lease = wait::until(&leases, LEASE, "is held", |lease| lease.is_some())
        .await
        .unwrap()
        .spec
        .unwrap();
    assert_eq!(
        (lease.lease_duration_seconds, lease.lease_transitions),
        (Some(60), Some(0))
    );
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "first").await;

    let (second, controller) = candidate(testbed, &namespace, "second").await;
    let second_running = bed::spawn(controller, &second);
    bed::stop(&first, first_running).await;
    bed::until_ready(&api, "apps", "second").await;
    let lease = leases.get(LEASE).await.unwrap().spec.unwrap();
    assert_eq!(lease.lease_transitions, Some(1));
    let metrics = second.metrics().text();
    assert!(
        metrics
            .contains("leader_election_master_status{name=\"toy-controller-leader-election\"} 1"),
        "{metrics}"
    );
    bed::stop(&second, second_running).await;
    let lease = leases.get(LEASE).await.unwrap().spec.unwrap();
    assert_eq!(lease.holder_identity.as_deref(), Some(""), "released");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unanswered_renewal_keeps_the_lease() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("hangs").await;
    let api = bed::repositories(testbed, &namespace).await;
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    let host = bed::host_at(proxy.kubeconfig()).await;
    // One attempt may take a third of the deadline.
    let flags = [
        &QUICK[..2],
        &["--leader-election-renew-deadline=15s", QUICK[3]],
    ]
    .concat();
    let flags = bed::flags_in(&namespace, &flags);
    let leader = Component::new(&host, "toy-controller", flags, &[]).unwrap();
    let toy = deciding(|object: &GitRepository| bed::done(bed::ready(object, "leading", None)));
    let running = bed::spawn(Controller::with_runner(leader.engine(), toy), &leader);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "leading").await;
    let renewals = || When::any().resource("leases");
    proxy.forget();
    proxy.inject(renewals().times(1), Fault::Hang);
    wait::eventually("the lease is renewed behind one that hangs", async || {
        // The hanging request, a read and a write, and another read.
        match proxy.count(&renewals()) {
            asked @ 0..4 => Err(format!("{asked} requests")),
            _ => Ok(()),
        }
    })
    .await;
    bed::stop(&leader, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rejected_renewal_keeps_the_lease() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("refused").await;
    let api = bed::repositories(testbed, &namespace).await;
    let (proxy, leader) = spoiled(testbed, &namespace).await;
    let toy = deciding(|object: &GitRepository| bed::done(bed::ready(object, "leading", None)));
    let running = bed::spawn(Controller::with_runner(leader.engine(), toy), &leader);
    bed::create(&api, "before").await;
    bed::until_ready(&api, "before", "leading").await;
    for fault in [
        Fault::TOO_MANY_REQUESTS,
        Fault::INTERNAL_ERROR,
        Fault::UNAVAILABLE,
    ] {
        proxy.forget();
        let writes = || When::any().resource("leases").verb("update");
        proxy.inject(writes().times(2), fault.clone());
        wait::eventually("the lease is renewed after two refusals", async || {
            let renewed = writes().and(|call| call.fault.is_none());
            match (
                proxy.count(&writes().with_fault(&fault)),
                proxy.count(&renewed),
            ) {
                (2, 1..) => Ok(()),
                counts => Err(format!("{fault:?}: {counts:?}")),
            }
        })
        .await;
    }
    bed::create(&api, "after").await;
    bed::until_ready(&api, "after", "leading").await;
    bed::stop(&leader, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn leader_whose_renewal_stalls_writes_nothing() {
    const SHORT: &[&str] = &[
        "--enable-leader-election",
        "--leader-election-lease-duration=10s",
        "--leader-election-renew-deadline=8s",
        "--leader-election-retry-period=200ms",
    ];
    let testbed = cluster().await;
    let namespace = testbed.namespace("stalled").await;
    let api = bed::repositories(testbed, &namespace).await;
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    // The lease of the leader has a thread and a connection of its own, as in a process.
    let control = runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let kubeconfig = proxy.kubeconfig().to_owned();
    let connection = control.spawn(async move { bed::cluster_at(&kubeconfig).await });
    let host = Host::with_control(
        bed::cluster_at(proxy.kubeconfig()).await,
        Metrics::new(),
        control.handle().clone(),
        connection.await.unwrap(),
    );
    let flags = bed::flags_in(&namespace, SHORT);
    let leader = Component::new(&host, "toy-controller", flags, &[]).unwrap();
    let (runs, mut leader_runs) = watch::channel(0);
    let toy = deciding(move |object: &GitRepository| {
        runs.send_modify(|runs| *runs += 1);
        bed::done(bed::ready(object, "first", None))
    });
    let running = bed::spawn(Controller::with_runner(leader.engine(), toy), &leader);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "first").await;

    let (release, stall) = mpsc::channel::<()>();
    control.spawn(async move {
        let _released = stall.recv();
    });
    let successor = bed::component(testbed, &namespace, SHORT).await;
    let toy = deciding(|object: &GitRepository| {
        let generation = object.metadata.generation.unwrap_or_default();
        bed::done(bed::ready(object, &format!("second {generation}"), None))
    });
    let successor_running =
        bed::spawn(Controller::with_runner(successor.engine(), toy), &successor);
    bed::until_ready(&api, "apps", "second 1").await;

    // The first leader does not know of its loss, and works for each change.
    let before = proxy.writes().len();
    for generation in 2..5 {
        let interval = format!("{generation}m");
        bed::merge(&api, "apps", json!({ "spec": { "interval": interval } })).await;
        bed::until_ready(&api, "apps", &format!("second {generation}")).await;
    }
    leader_runs.wait_for(|runs| *runs > 1).await.unwrap();
    drop(release);
    let ended = running.await.unwrap();
    assert!(matches!(ended, Err(ComponentError::LeaseLost)), "{ended:?}");
    let writes = proxy.writes();
    assert!(writes[before..].is_empty(), "{:#?}", &writes[before..]);
    bed::stop(&successor, successor_running).await;
    control.shutdown_background();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn release_survives_a_late_renewal() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("released").await;
    let api = bed::repositories(testbed, &namespace).await;
    let leases: Api<Lease> = Api::namespaced(testbed.client().await, &namespace);
    let (proxy, leader) = spoiled(testbed, &namespace).await;
    let toy = deciding(|object: &GitRepository| bed::done(bed::ready(object, "leading", None)));
    let running = bed::spawn(Controller::with_runner(leader.engine(), toy), &leader);
    // A reconciling controller leads; the Lease may exist before its holder knows.
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "leading").await;
    // The response after a concurrent write.
    let releases = || {
        When::any().resource("leases").and(|call| {
            let body: Value = serde_json::from_slice(&call.body).unwrap_or_default();
            body["spec"]["holderIdentity"] == ""
        })
    };
    let conflict = Fault::Answer {
        status: 409,
        retry_after: None,
    };
    proxy.inject(releases().times(1), conflict);
    bed::stop(&leader, running).await;
    assert_eq!(proxy.count(&releases()), 2);
    let lease = leases.get(LEASE).await.unwrap().spec.unwrap();
    assert_eq!(lease.holder_identity.as_deref(), Some(""));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_lease_stops_its_controller_only() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("lost").await;
    let api = bed::repositories(testbed, &namespace).await;
    let leases: Api<Lease> = Api::namespaced(testbed.client().await, &namespace);
    let (component, controller) = candidate(testbed, &namespace, "leading").await;
    let running = bed::spawn(controller, &component);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "leading").await;

    let stolen = Patch::Merge(json!({ "spec": { "holderIdentity": "somebody-else" } }));
    leases
        .patch(LEASE, &PatchParams::default(), &stolen)
        .await
        .unwrap();
    let ended = running.await.unwrap();
    assert!(matches!(ended, Err(ComponentError::LeaseLost)), "{ended:?}");
    assert!(!component.host().shutdown().is_cancelled());
    let lease = leases.get(LEASE).await.unwrap().spec.unwrap();
    assert_eq!(
        lease.holder_identity.as_deref(),
        Some("somebody-else"),
        "left to its holder"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_lease_drops_pending_progress() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("afterwards").await;
    let api = bed::repositories(testbed, &namespace).await;
    let leases: Api<Lease> = Api::namespaced(testbed.client().await, &namespace);
    let (proxy, leader) = spoiled(testbed, &namespace).await;
    // An endless run with progress: one message is written
    // and the next one is pending.
    let toy = Toy::new(|object: Arc<GitRepository>, run| {
        async move {
            let mut ticks = tokio::time::interval(Duration::from_millis(10));
            for step in 0.. {
                ticks.tick().await;
                let status = bed::ready(&object, &format!("step {step}"), Some(run));
                run.progress(&status);
            }
            Outcome::untouched(Requeue::Never)
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(leader.engine(), toy), &leader);
    bed::create(&api, "apps").await;
    let writes = When::any().verb("patch").resource("gitrepositories/status");
    let written = async |count: usize| {
        wait::eventually("progress is written", || async {
            match proxy.count(&writes) {
                found if found >= count => Ok(()),
                found => Err(found.to_string()),
            }
        })
        .await;
    };
    written(3).await;

    let stolen = Patch::Merge(json!({ "spec": { "holderIdentity": "somebody-else" } }));
    leases
        .patch(LEASE, &PatchParams::default(), &stolen)
        .await
        .unwrap();
    let ended = running.await.unwrap();
    assert!(matches!(ended, Err(ComponentError::LeaseLost)), "{ended:?}");
    // A request without a response was sent before the loss.
    proxy.sever();
    let before = proxy.count(&writes);

    // The successor works for longer than any progress is pending.
    let successor = bed::component(testbed, &namespace, &[]).await;
    let runs = AtomicUsize::new(0);
    let toy = deciding(move |object: &GitRepository| {
        let run = runs.fetch_add(1, Ordering::SeqCst);
        let status = bed::ready(object, &format!("run {run}"), None);
        let next = match run {
            0..3 => Requeue::After(Duration::from_millis(250)),
            _ => Requeue::Never,
        };
        Outcome::new(status, next)
    });
    let running = bed::spawn(Controller::with_runner(successor.engine(), toy), &successor);
    bed::until_ready(&api, "apps", "run 3").await;
    assert_eq!(proxy.count(&writes), before, "{:?}", proxy.calls().last());
    bed::stop(&successor, running).await;
}
