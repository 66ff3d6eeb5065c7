//! The number, the order and the conflicts of writes.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use axum::Json;
use axum::http::StatusCode;
use axum::routing::post;
use futures::FutureExt;
use futures::future::BoxFuture;
use kube::api::{Patch, PatchParams};
use serde_json::{Value, json};
use sluice_api::meta::{Condition, ConditionStatus};
use sluice_api::source::GitRepository;
use sluice_engine::{Controller, Notice, ReportError, Run};
use sluice_host::Component;
use sluice_testkit::{Fault, FaultProxy, When, cluster, wait};

use crate::bed::{self, Status, Toy, deciding};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn conditions_that_others_write_meanwhile_survive_ours() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("conflict").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let (other, first) = (api.clone(), Arc::new(AtomicBool::new(true)));
    let toy = Toy::new(move |object: Arc<GitRepository>, run| {
        let (other, first) = (other.clone(), Arc::clone(&first));
        async move {
            if first.swap(false, Ordering::SeqCst) {
                let theirs = json!({ "type": "Theirs", "status": "True", "reason": "Foreign", "message": "kept",
                    "lastTransitionTime": "2024-01-01T00:00:00Z" });
                let patch = Patch::Merge(json!({ "status": { "conditions": [theirs] } }));
                other.patch_subresource("status", "apps", &PatchParams::default(), &patch).await.unwrap();
            }
            bed::done(bed::ready(&object, "ours", Some(run)))
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    let object = bed::until_ready(&api, "apps", "ours").await;
    let conditions = object.status.unwrap().conditions;
    assert_eq!(
        conditions
            .find("Theirs")
            .map(|condition| condition.message.as_str()),
        Some("kept")
    );
    bed::stop(&component, running).await;
}

/// Changes the status of `apps` during its first run, like another writer, and lets that run write.
/// The other status must stay.
async fn overtaken(
    write: impl for<'a> Fn(Status, &'a Run<GitRepository>) -> BoxFuture<'a, Result<(), ReportError>>
    + Send
    + Sync
    + 'static,
) {
    let testbed = cluster().await;
    let namespace = testbed.namespace("overtaken").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let (other, first) = (api.clone(), AtomicBool::new(true));
    let (first, write) = (Arc::new(first), Arc::new(write));
    let toy = Toy::new(move |object: Arc<GitRepository>, run| {
        let (other, first, write) = (other.clone(), Arc::clone(&first), Arc::clone(&write));
        async move {
            if !first.swap(false, Ordering::SeqCst) {
                return bed::done(bed::ready(&object, "later", Some(run)));
            }
            let theirs = Patch::Merge(json!({ "status": { "lastHandledReconcileAt": "theirs" } }));
            let options = PatchParams::default();
            other
                .patch_subresource("status", "apps", &options, &theirs)
                .await
                .unwrap();
            let mut ours = bed::ready(&object, "first", Some(run));
            ours.last_handled_reconcile_at = Some("ours".to_owned());
            let written = write(ours.clone(), run).await;
            assert!(matches!(written, Err(ReportError::Conflict)), "{written:?}");
            bed::done(ours)
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    let object = bed::until_ready(&api, "apps", "later").await;
    let handled = object.status.unwrap().last_handled_reconcile_at;
    assert_eq!(handled.as_deref(), Some("theirs"));
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outdated_run_writes_nothing() {
    overtaken(|ours, run| async move { run.record(&ours).await }.boxed()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outdated_run_does_not_add_its_finalizer() {
    overtaken(|_, run| run.ensure_finalizer().boxed()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_response_does_not_outdate_the_run() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("lost-answer").await;
    let api = bed::repositories(testbed, &namespace).await;
    let proxy = Arc::new(FaultProxy::start(&testbed.kubeconfig_for("lost-answer")).await);
    let host = bed::host_at(proxy.kubeconfig()).await;
    let shared = bed::flags_in(&namespace, &[]);
    let component = Component::new(&host, "toy-controller", shared, &[]).unwrap();
    let faults = Arc::clone(&proxy);
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let toy = Toy::new(move |object: Arc<GitRepository>, run| {
        let faults = Arc::clone(&faults);
        counted.fetch_add(1, Ordering::SeqCst);
        async move {
            let writes = When::any().verb("patch").resource("gitrepositories/status");
            faults.inject(writes.times(1), Fault::LoseAnswer);
            let mut status = bed::ready(&object, "recorded", Some(run));
            status.last_handled_reconcile_at = Some("ours".to_owned());
            let recorded = run.record(&status).await;
            assert!(recorded.is_err(), "{recorded:?}");
            // The last status has more work than the one whose response was lost.
            status = bed::ready(&object, "done", Some(run));
            status.last_handled_reconcile_at = Some("ours, and more".to_owned());
            bed::done(status)
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "done").await;
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quick_progress_is_written_once() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("progress").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let toy = Toy::new(|object: Arc<GitRepository>, run| {
        async move {
            let mut status = object.status.clone().unwrap_or_default();
            for step in ["fetching", "building", "applying", "almost there"] {
                let condition =
                    Condition::new("Reconciling", ConditionStatus::True, "Progressing", step);
                status.conditions.set(condition, run.started());
                if step == "fetching" {
                    run.record(&status).await.unwrap();
                } else {
                    run.progress(&status);
                }
            }
            bed::done(bed::ready(&object, "done", Some(run)))
        }
        .boxed()
    });
    let audit = testbed.audit();
    let mark = audit.mark(&testbed.client().await).await;
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "done").await;
    bed::stop(&component, running).await;
    // The record and the outcome. A third write only if the machine is so slow that
    // 250 ms pass in between.
    let patches = || {
        audit
            .since(mark)
            .into_iter()
            .filter(|entry| entry.namespace == namespace && entry.subresource == "status")
    };
    wait::eventually("the writes are in the audit log", async || {
        let count = patches().count();
        if (2..=3).contains(&count) {
            Ok(())
        } else {
            Err(format!("{count} patches"))
        }
    })
    .await;

    // The same outcome again writes nothing.
    let component = bed::component(testbed, &namespace, &[]).await;
    let looked = Arc::new(AtomicBool::new(false));
    let looking = Arc::clone(&looked);
    let toy = deciding(move |object: &GitRepository| {
        looking.store(true, Ordering::SeqCst);
        bed::done(object.status.clone().unwrap_or_default())
    });
    let mark = audit.mark(&testbed.client().await).await;
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    wait::eventually("it was looked at", async || {
        if looked.load(Ordering::SeqCst) {
            Ok(())
        } else {
            Err(String::new())
        }
    })
    .await;
    bed::stop(&component, running).await;
    // Requests are recorded in order: all writes precede this mark.
    let _end = audit.mark(&testbed.client().await).await;
    let writes: Vec<_> = audit
        .since(mark)
        .into_iter()
        .filter(|entry| {
            // Other clients write into a new namespace too.
            entry.namespace == namespace && entry.is_write() && entry.agent == "sluice-test"
        })
        .collect();
    assert_eq!(writes, []);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn first_words_are_shown_when_the_run_takes_long() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("first-words").await;
    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let seen = api.clone();
    let toy = Toy::new(move |object: Arc<GitRepository>, run| {
        let seen = seen.clone();
        async move {
            let mut status = object.status.clone().unwrap_or_default();
            let words = Condition::new(
                "Reconciling",
                ConditionStatus::True,
                "Progressing",
                "fetching",
            );
            status.conditions.set(words, run.started());
            run.progress(&status);
            // The run ends after both were written.
            wait::eventually("the first words are shown", || async {
                let object = seen.get("apps").await.map_err(|error| error.to_string())?;
                let status = object.status.unwrap_or_default();
                match status.conditions.find("Reconciling") {
                    Some(condition) if condition.message.as_str() == "fetching" => Ok(()),
                    other => Err(format!("{other:?}")),
                }
            })
            .await;
            bed::done(bed::ready(&object, "done", Some(run)))
        }
        .boxed()
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::create(&api, "apps").await;
    bed::until_ready(&api, "apps", "done").await;
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_progress_writes_are_limited() {
    const ALL: usize = 20;
    const AT_ONCE: usize = 8;
    let testbed = cluster().await;
    let namespace = testbed.namespace("many-words").await;
    let api = bed::repositories(testbed, &namespace).await;
    let proxy = FaultProxy::start(&testbed.kubeconfig_for("many-words")).await;
    let host = bed::host_at(proxy.kubeconfig()).await;
    let shared = bed::flags_in(&namespace, &[]);
    let component = Component::new(&host, "toy-controller", shared, &[]).unwrap();
    // The first run sets a condition, so that progress of the second one is written.
    let (end, ended) = tokio::sync::watch::channel(false);
    let toy = Toy::new(move |object: Arc<GitRepository>, run| {
        let mut ended = ended.clone();
        async move {
            let mut status = object.status.clone().unwrap_or_default();
            if status.conditions.find("Ready").is_none() {
                return bed::done(bed::ready(&object, "before", Some(run)));
            }
            let words = ("Reconciling", ConditionStatus::True, "Progressing", "busy");
            let words = Condition::new(words.0, words.1, words.2, words.3);
            status.conditions.set(words, run.started());
            run.progress(&status);
            let end = async { drop(ended.wait_for(|is_over| *is_over).await.unwrap()) };
            run.release(end).await;
            bed::done(bed::ready(&object, "after", Some(run)))
        }
        .boxed()
    });
    // An ending run waits for its own write in flight, and keeps its permit.
    let controller = Controller::with_runner(component.engine(), toy).concurrent(ALL);
    let running = bed::spawn(controller, &component);
    let names: Vec<_> = (0..ALL).map(|number| format!("apps-{number}")).collect();
    for name in &names {
        bed::create(&api, name).await;
    }
    for name in &names {
        bed::until_ready(&api, name, "before").await;
    }

    let showing = || {
        let said =
            |call: &sluice_testkit::Call| String::from_utf8_lossy(&call.body).contains("busy");
        When::any()
            .verb("patch")
            .resource("gitrepositories/status")
            .and(said)
    };
    proxy.inject(showing(), Fault::Hang);
    let request =
        json!({ "metadata": { "annotations": { "reconcile.fluxcd.io/requestedAt": "now" } } });
    for name in &names {
        bed::merge(&api, name, request.clone()).await;
    }
    wait::eventually("some show what they do", || async {
        match proxy.count(&showing()) {
            AT_ONCE => Ok(()),
            count => Err(count.to_string()),
        }
    })
    .await;
    end.send_replace(true);
    wait::eventually("the others end without", || async {
        let list = api.list(&kube::api::ListParams::default()).await;
        let list = list.map_err(|error| error.to_string())?;
        let is_over = |object: &&GitRepository| {
            let status = object.status.as_ref();
            let ready = status.and_then(|status| status.conditions.find("Ready"));
            ready.is_some_and(|ready| ready.message == "after")
        };
        match list.iter().filter(is_over).count() {
            over if over == ALL - AT_ONCE => Ok(()),
            over => Err(over.to_string()),
        }
    })
    .await;
    assert_eq!(proxy.count(&showing()), AT_ONCE);
    proxy.sever();
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_reach_the_notification_controller() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("events").await;
    let received = Arc::new(Mutex::new(Vec::<Value>::new()));
    let sink = Arc::clone(&received);
    let router = axum::Router::new().route(
        "/",
        post(async move |Json(event): Json<Value>| {
            let mut received = sink.lock().unwrap();
            received.push(event);
            // The event after a fault is sent again; a duplicate is not.
            if received.len() == 1 {
                StatusCode::BAD_GATEWAY
            } else {
                StatusCode::TOO_MANY_REQUESTS
            }
        }),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("--events-addr=http://{}/", listener.local_addr().unwrap());
    drop(tokio::spawn(
        async move { axum::serve(listener, router).await },
    ));

    let api = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[&address]).await;
    let toy = deciding(|object: &GitRepository| {
        bed::done(bed::ready(object, "done", None))
            .with_notice(Notice::trace("Quiet", "for the cluster only"))
            .with_notice(
                Notice::error("BuildFailed", "it failed")
                    .with("source.toolkit.fluxcd.io/revision", "r1"),
            )
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    let mut object = bed::repository("apps");
    object.metadata.annotations =
        Some([("event.toolkit.fluxcd.io/team".to_owned(), "blue".to_owned())].into());
    api.create(&kube::api::PostParams::default(), &object)
        .await
        .unwrap();
    wait::eventually("the event arrived twice", async || {
        let count = received.lock().unwrap().len();
        if count == 2 {
            Ok(())
        } else {
            Err(format!("{count} times"))
        }
    })
    .await;
    bed::stop(&component, running).await;

    let received = received.lock().unwrap();
    assert_eq!(received.len(), 2, "429 is not tried again");
    let event = &received[1];
    assert_eq!(event["severity"], "error");
    assert_eq!(event["reason"], "BuildFailed");
    assert_eq!(event["reportingController"], "toy-controller");
    assert_eq!(event["involvedObject"]["kind"], "GitRepository");
    assert_eq!(
        event["metadata"],
        json!({ "event.toolkit.fluxcd.io/team": "blue", "source.toolkit.fluxcd.io/revision": "r1" })
    );
}
