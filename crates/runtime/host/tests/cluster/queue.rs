//! The order of runs on a real API server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use sluice_api::source::GitRepository;
use sluice_engine::{Controller, Outcome, Requeue};
use sluice_host::Component;
use sluice_testkit::{cluster, wait};
use tokio::sync::watch;

use crate::bed::{self, Toy};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn waiting_object_does_not_block_the_worker() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("waiting").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let toy = Toy::new(|object: Arc<GitRepository>, run| {
        async move {
            if object.metadata.name.as_deref() == Some("endless") {
                run.record(&bed::ready(&object, "waiting", Some(run)))
                    .await
                    .unwrap();
                run.release(std::future::pending::<()>()).await;
            }
            bed::done(bed::ready(&object, "done", Some(run)))
        }
        .boxed()
    });
    let running = bed::spawn(
        Controller::with_runner(component.engine(), toy).concurrent(1),
        &component,
    );
    bed::create(&api, "endless").await;
    bed::until_ready(&api, "endless", "waiting").await;
    bed::create(&api, "other").await;
    bed::until_ready(&api, "other", "done").await;
    let metrics = component.metrics().text();
    assert!(
        metrics.contains(r#"sluice_health_waits_active{controller="gitrepository"} 1"#),
        "{metrics}"
    );
    // The endless run is dropped: the shutdown does not wait for it.
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn change_ends_a_wait() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("superseded").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let heard = Arc::new(Mutex::new(String::new()));
    let recorder = Arc::clone(&heard);
    let toy = Toy::new(move |object: Arc<GitRepository>, run| {
        let recorder = Arc::clone(&recorder);
        async move {
            if object.metadata.generation == Some(1) {
                run.record(&bed::ready(&object, "waiting", Some(run)))
                    .await
                    .unwrap();
                let origin = run.release(run.superseded()).await;
                *recorder.lock().unwrap() = origin.to_string();
            }
            let message = format!("generation {}", object.metadata.generation.unwrap());
            bed::done(bed::ready(&object, &message, Some(run)))
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "waiting").await;
    bed::merge(
        &api,
        "apps",
        serde_json::json!({ "spec": { "interval": "3m" } }),
    )
    .await;
    bed::until_ready(&api, "apps", "generation 2").await;
    assert_eq!(
        *heard.lock().unwrap(),
        format!("GitRepository/{namespace}/apps")
    );
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn busy_namespace_does_not_delay_others() {
    const FLOOD: usize = 150;
    let testbed = cluster().await;
    let (noisy, quiet) = (
        testbed.namespace("noisy").await,
        testbed.namespace("quiet").await,
    );
    let shard = testbed.name("shard");
    let label = ("sharding.fluxcd.io/key", shard.as_str());
    let flood = bed::repositories(testbed, &noisy).await;
    for number in 0..FLOOD {
        bed::create_labelled(&flood, &format!("flood-{number}"), label).await;
    }
    let api = bed::repositories(testbed, &quiet).await;
    bed::create_labelled(&api, "only", label).await;

    let selector = format!("--watch-label-selector={}={}", label.0, label.1);
    let host = bed::host(testbed).await;
    let flags = bed::flags(&[&selector]);
    let component = Component::new(&host, "toy-controller", flags, &[]).unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&order);
    // A run of the busy namespace ends while the gate is open.
    let gate = Arc::new(watch::Sender::new(true));
    let passed = Arc::clone(&gate);
    let held = Arc::new(AtomicBool::new(false));
    let holds = Arc::clone(&held);
    // Every object of the busy namespace runs again and again.
    let toy = Toy::new(move |object: Arc<GitRepository>, _| {
        let namespace = object.metadata.namespace.clone().unwrap();
        let generation = object.metadata.generation.unwrap();
        recorded.lock().unwrap().push((namespace, generation));
        let (mut gate, holds) = (passed.subscribe(), Arc::clone(&holds));
        async move {
            if object.metadata.name.as_deref() == Some("only") {
                let message = format!("generation {generation}");
                return bed::done(bed::ready(&object, &message, None));
            }
            holds.store(!*gate.borrow(), Ordering::SeqCst);
            gate.wait_for(|is_open| *is_open).await.unwrap();
            Outcome::untouched(Requeue::After(std::time::Duration::from_millis(1)))
        }
        .boxed()
    });
    let running = bed::spawn(
        Controller::with_runner(component.engine(), toy).concurrent(1),
        &component,
    );
    bed::until_ready(&api, "only", "generation 1").await;
    let first = order
        .lock()
        .unwrap()
        .iter()
        .position(|(namespace, _)| *namespace == quiet);
    // It has its turn when the watch has brought it, not after the flood.
    assert!(
        first.is_some_and(|place| place < FLOOD / 2),
        "its first run was number {first:?}"
    );

    let before = order.lock().unwrap().len();
    wait::eventually("the flood goes on", async || {
        let runs = order.lock().unwrap().len();
        if runs > before + 2 * FLOOD {
            Ok(())
        } else {
            Err(format!("{runs} runs"))
        }
    })
    .await;
    gate.send_replace(false);
    wait::eventually("a run of the flood holds the only permit", async || {
        if held.load(Ordering::SeqCst) {
            Ok(())
        } else {
            Err("no run is held".to_owned())
        }
    })
    .await;
    let edited = order.lock().unwrap().len();
    bed::merge(
        &api,
        "only",
        serde_json::json!({ "spec": { "interval": "3m" } }),
    )
    .await;
    bed::until_ready(&api, "only", "generation 2").await;
    let runs = order.lock().unwrap().split_off(edited);
    assert!(
        runs.iter().all(|(namespace, _)| *namespace == quiet),
        "the held namespace ran: {runs:?}"
    );
    gate.send_replace(true);
    bed::stop(&component, running).await;
}
