//! One at a time.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures::FutureExt;
use k8s_openapi::api::coordination::v1::Lease;
use kube::Api;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use sluice_api::source::GitRepository;
use sluice_engine::{Component, ComponentError, Controller, Outcome, Requeue};
use sluice_testkit::{Fault, FaultProxy, Testbed, When, cluster, wait};

use crate::bed::{self, Toy, deciding};

const LEASE: &str = "toy-controller-leader-election";

/// Looks at the lease often, and loses it to nobody but a thief, however slow the server is.
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
    let controller = Controller::new(&component, toy);
    (component, controller)
}

/// A candidate whose way to the API server can be spoiled.
async fn spoiled(testbed: &Testbed, namespace: &str) -> (FaultProxy, Component) {
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    let host = bed::host_at(proxy.kubeconfig()).await;
    let flags = bed::flags_in(namespace, QUICK);
    let component = host.component("toy-controller", flags, &[]).unwrap();
    (proxy, component)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_standby_takes_over_when_the_leader_gives_up() {
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
async fn a_renewal_that_is_never_answered_does_not_cost_the_lease() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("hangs").await;
    let api = bed::repositories(testbed, &namespace).await;
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    let host = bed::host_at(proxy.kubeconfig()).await;
    // A third of the deadline is what one attempt may take.
    let flags = [
        &QUICK[..2],
        &["--leader-election-renew-deadline=15s", QUICK[3]],
    ]
    .concat();
    let flags = bed::flags_in(&namespace, &flags);
    let leader = host.component("toy-controller", flags, &[]).unwrap();
    let toy = deciding(|object: &GitRepository| bed::done(bed::ready(object, "leading", None)));
    let running = bed::spawn(Controller::new(&leader, toy), &leader);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "leading").await;
    let renewals = || When::any().resource("leases");
    proxy.forget();
    proxy.inject(renewals().times(1), Fault::Hang);
    wait::eventually("the lease is renewed behind one that hangs", async || {
        // The one that hangs, a look and a write, and a look behind that.
        match proxy.count(&renewals()) {
            asked @ 0..4 => Err(format!("{asked} requests")),
            _ => Ok(()),
        }
    })
    .await;
    bed::stop(&leader, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_renewal_that_is_refused_for_now_does_not_cost_the_lease() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("refused").await;
    let api = bed::repositories(testbed, &namespace).await;
    let (proxy, leader) = spoiled(testbed, &namespace).await;
    let toy = deciding(|object: &GitRepository| bed::done(bed::ready(object, "leading", None)));
    let running = bed::spawn(Controller::new(&leader, toy), &leader);
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
            match (proxy.count(&writes().met(&fault)), proxy.count(&renewed)) {
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
async fn a_lease_is_released_though_a_last_renewal_is_in_the_way() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("released").await;
    let api = bed::repositories(testbed, &namespace).await;
    let leases: Api<Lease> = Api::namespaced(testbed.client().await, &namespace);
    let (proxy, leader) = spoiled(testbed, &namespace).await;
    let toy = deciding(|object: &GitRepository| bed::done(bed::ready(object, "leading", None)));
    let running = bed::spawn(Controller::new(&leader, toy), &leader);
    // Whoever reconciles leads; the lease alone may be there before its holder knows.
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "leading").await;
    // What the server says where somebody wrote since we looked.
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
async fn a_lost_lease_stops_its_controller_and_no_other_of_the_process() {
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
async fn nothing_that_was_held_back_is_written_after_the_lease_was_lost() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("afterwards").await;
    let api = bed::repositories(testbed, &namespace).await;
    let leases: Api<Lease> = Api::namespaced(testbed.client().await, &namespace);
    let (proxy, leader) = spoiled(testbed, &namespace).await;
    // A run without end, which has something to show all the time: one message is written
    // and the next is held back.
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
    let running = bed::spawn(Controller::new(&leader, toy), &leader);
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
    // What was sent and is not answered yet is not of afterwards.
    proxy.sever();
    let before = proxy.count(&writes);

    // Time passes: whoever comes next works for longer than anything is held back.
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
    let running = bed::spawn(Controller::new(&successor, toy), &successor);
    bed::until_ready(&api, "apps", "run 3").await;
    assert_eq!(proxy.count(&writes), before, "{:?}", proxy.calls().last());
    bed::stop(&successor, running).await;
}
