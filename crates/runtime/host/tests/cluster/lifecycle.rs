//! One object from creation to deletion.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use futures::FutureExt;
use k8s_openapi::api::core::v1::Event;
use kube::Api;
use kube::api::{DeleteParams, ListParams, Patch, PatchParams};
use serde_json::json;
use sluice_api::meta::FINALIZER;
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;
use sluice_api::source::GitRepository;
use sluice_engine::request;
use sluice_engine::{Controller, Finalizer, Notice, Outcome, Requeue};
use sluice_testkit::{cluster, wait};

use crate::bed::{self, Entry, Toy, deciding};

/// Adds the finalizer, reports Ready, removes the finalizer.
fn decide(object: &GitRepository) -> Outcome<bed::Status> {
    match bed::enter(object, FINALIZER) {
        Entry::Adopt => Outcome::untouched(Requeue::Now).with_finalizer(Finalizer::Add),
        Entry::Finalize => Outcome::untouched(Requeue::Never).with_finalizer(Finalizer::Remove),
        Entry::Leave => Outcome::untouched(Requeue::Never),
        Entry::Sleep | Entry::Work => {
            let generation = object.metadata.generation.unwrap_or_default();
            let message = format!("generation {generation}");
            let mut status = bed::ready(object, &message, None);
            status.last_handled_reconcile_at = request::handled(object);
            let notice = Notice::info("Succeeded", message)
                .with("source.toolkit.fluxcd.io/revision", "main@sha1:1");
            bed::done(status).with_notice(notice)
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn object_passes_its_whole_lifecycle() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("lifecycle").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let running = bed::spawn(
        Controller::with_runner(component.engine(), deciding(decide)),
        &component,
    );

    bed::create(&api, "apps").await;
    let object = bed::until_ready(&api, "apps", "generation 1").await;
    assert_eq!(object.metadata.finalizers, Some(vec![FINALIZER.to_owned()]));
    let managers: Vec<_> = object
        .metadata
        .managed_fields
        .iter()
        .flatten()
        .filter_map(|entry| entry.manager.as_deref())
        .collect();
    assert!(managers.contains(&"toy-controller"), "{managers:?}");

    bed::merge(&api, "apps", json!({ "spec": { "interval": "2m" } })).await;
    bed::until_ready(&api, "apps", "generation 2").await;

    bed::merge(
        &api,
        "apps",
        json!({ "metadata": { "annotations": { RECONCILE_REQUESTED_AT: "now" } } }),
    )
    .await;
    wait::until(&api, "apps", "has handled the request", |object| {
        object.and_then(|object| object.status.as_ref()?.last_handled_reconcile_at.as_deref())
            == Some("now")
    })
    .await;
    let metrics = component.metrics().text();
    assert!(
        metrics.contains(&format!("name=\"apps\",namespace=\"{namespace}\"")),
        "{metrics}"
    );

    let events: Api<Event> = Api::namespaced(testbed.client().await, &namespace);
    let events = wait::until_all(
        &events,
        &ListParams::default(),
        "both generations have an event",
        |events| {
            events
                .iter()
                .filter(|event| event.reason.as_deref() == Some("Succeeded"))
                .count()
                == 2
        },
    )
    .await;
    let event = &events[0];
    assert_eq!(event.type_.as_deref(), Some("Normal"));
    assert_eq!(event.reporting_component.as_deref(), Some("toy-controller"));
    assert_eq!(event.involved_object.kind.as_deref(), Some("GitRepository"));
    let annotations = event.metadata.annotations.clone().unwrap_or_default();
    assert_eq!(
        annotations
            .get("source.toolkit.fluxcd.io/revision")
            .map(String::as_str),
        Some("main@sha1:1")
    );

    api.delete("apps", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "apps").await;
    wait::eventually("its metrics are gone", async || {
        let metrics = component.metrics().text();
        if metrics.contains("name=\"apps\"") {
            Err(metrics)
        } else {
            Ok(())
        }
    })
    .await;
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_to_status_and_metadata_cause_no_run() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("quiet").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let toy = deciding(move |object: &GitRepository| {
        let number = if object.metadata.name.as_deref() == Some("apps") {
            counted.fetch_add(1, Ordering::SeqCst) + 1
        } else {
            0
        };
        bed::done(bed::ready(object, &format!("run {number}"), None))
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);

    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "run 1").await;
    bed::merge(
        &api,
        "apps",
        json!({ "metadata": { "labels": { "colour": "blue" } } }),
    )
    .await;
    // Later events of the same watch are reconciled, so earlier ones were seen.
    bed::create(&api, "marker").await;
    bed::until_ready(&api, "marker", "run 0").await;
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn run_sees_earlier_writes() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("own-writes").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    // Each run counts on from the status; a stale status would repeat a number.
    let toy = deciding(|object: &GitRepository| {
        let number: u32 = object
            .status
            .as_ref()
            .and_then(|status| {
                status
                    .conditions
                    .find("Ready")?
                    .message
                    .strip_prefix("run ")?
                    .parse()
                    .ok()
            })
            .unwrap_or_default();
        let status = bed::ready(object, &format!("run {}", number + 1), None);
        Outcome::new(
            status,
            if number < 4 {
                Requeue::Now
            } else {
                Requeue::Never
            },
        )
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "run 5").await;
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn panic_affects_one_object_and_is_counted() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("panic").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &["--min-retry-delay=10ms"]).await;
    let attempts = AtomicUsize::new(0);
    let toy = Toy::new(move |object: Arc<GitRepository>, _| {
        let shaky = object.metadata.name.as_deref() == Some("shaky");
        let fails = shaky && attempts.fetch_add(1, Ordering::SeqCst) < 2;
        async move {
            assert!(!fails, "on purpose");
            bed::done(bed::ready(&object, "done", None))
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "shaky").await;
    bed::create(&api, "sound").await;
    bed::until_ready(&api, "sound", "done").await;
    bed::until_ready(&api, "shaky", "done").await;
    let metrics = component.metrics().text();
    assert!(
        metrics
            .contains(r#"controller_runtime_reconcile_panics_total{controller="gitrepository"} 2"#),
        "{metrics}"
    );
    bed::stop(&component, running).await;
}

/// An earlier leader may write after the read of its successor. The objects that it recorded must
/// be cleaned up as well.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn finalizer_stays_with_an_unseen_status() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("late-words").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let (other, notes) = (api.clone(), Arc::clone(&seen));
    let toy = Toy::new(move |object: Arc<GitRepository>, _| {
        let (other, notes) = (other.clone(), Arc::clone(&notes));
        async move {
            if bed::enter(&object, FINALIZER) != Entry::Finalize {
                return decide(&object);
            }
            let ignored = object.status.as_ref();
            let ignored = ignored.and_then(|status| status.observed_ignore.clone());
            let is_first = {
                let mut notes = notes.lock().unwrap();
                notes.push(ignored);
                notes.len() == 1
            };
            if is_first {
                let late = Patch::Merge(json!({ "status": { "observedIgnore": "late" } }));
                let options = PatchParams::default();
                let written = other.patch_subresource("status", "apps", &options, &late);
                written.await.unwrap();
            }
            decide(&object)
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "generation 1").await;
    api.delete("apps", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "apps").await;
    bed::stop(&component, running).await;
    let last = seen.lock().unwrap().last().cloned().unwrap();
    assert_eq!(last.as_deref(), Some("late"));
}
