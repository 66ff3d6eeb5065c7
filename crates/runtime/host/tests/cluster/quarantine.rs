//! An object that was at work at two ends of the process.

use std::path::Path;
use std::sync::Arc;

use futures::FutureExt;
use kube::Api;
use serde_json::json;
use sluice_api::meta::annotation::RECONCILE_REQUESTED_AT;
use sluice_api::meta::condition::{READY, STALLED};
use sluice_api::source::GitRepository;
use sluice_engine::{Controller, Journal, Metrics};
use sluice_host::{Component, Host};
use sluice_system::fs;
use sluice_testkit::{Testbed, cluster, wait};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::bed::{self, Toy};

/// A component whose journal starts from a copy of `files`, as after the death of its process.
async fn restart(testbed: &Testbed, namespace: &str, files: &Path, directory: &Path) -> Component {
    if files.exists() {
        fs::copy_dir_all(files, directory).unwrap();
    }
    let journal = Journal::open(directory).unwrap().unwrap();
    let host = Host::with_journal(testbed.connect().await, Metrics::new(), journal);
    let flags = bed::flags_in(namespace, &[]);
    Component::new(&host, "toy-controller", flags, &[]).unwrap()
}

/// A controller that never ends a run of `killer`, and reports when it begins one.
fn hanging(
    component: &Component,
    started: UnboundedSender<String>,
) -> Controller<Toy<GitRepository>> {
    let toy = Toy::new(move |object: Arc<GitRepository>, run| {
        let started = started.clone();
        async move {
            if object.spec.url.ends_with("killer.git") {
                started.send(run.key().name().to_owned()).unwrap();
                std::future::pending::<()>().await;
            }
            bed::done(bed::ready(&object, "done", Some(run)))
        }
        .boxed()
    });
    Controller::with_runner(component.engine(), toy).concurrent(4)
}

async fn until_quarantined(api: &Api<GitRepository>, name: &str) {
    wait::until(api, name, "is quarantined", |object| {
        let conditions = object.and_then(|object| Some(&object.status.as_ref()?.conditions));
        conditions.is_some_and(|conditions| {
            let reason = |type_| {
                conditions
                    .find(type_)
                    .map(|found| (found.is_true(), found.reason.as_str()))
            };
            reason(STALLED) == Some((true, "Quarantined"))
                && reason(READY) == Some((false, "Quarantined"))
        })
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn object_left_at_work_twice_is_quarantined_alone() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("quarantine").await;
    let api = bed::repositories(testbed, &namespace).await;
    let root = tempfile::tempdir().unwrap();
    bed::create(&api, "killer").await;
    bed::create(&api, "neighbour").await;
    let killer = json!({ "spec": { "url": "https://example.com/killer.git" } });
    bed::merge(&api, "killer", killer).await;

    let (started, mut starts) = unbounded_channel();
    let mut files = root.path().join("none");
    for start in 0..2 {
        let live = root.path().join(format!("live-{start}"));
        let component = restart(testbed, &namespace, &files, &live).await;
        let running = bed::spawn(hanging(&component, started.clone()), &component);
        assert_eq!(starts.recv().await.as_deref(), Some("killer"));
        bed::until_ready(&api, "neighbour", "done").await;
        // The files as a killed process leaves them.
        files = root.path().join(format!("dead-{start}"));
        fs::copy_dir_all(&live, &files).unwrap();
        running.abort();
        let _aborted = running.await;
    }

    let live = root.path().join("quarantine");
    let component = restart(testbed, &namespace, &files, &live).await;
    let running = bed::spawn(hanging(&component, started.clone()), &component);
    until_quarantined(&api, "killer").await;
    bed::create(&api, "newcomer").await;
    bed::until_ready(&api, "newcomer", "done").await;
    assert!(starts.try_recv().is_err(), "it did not run");

    let request = json!({ "metadata": { "annotations": { RECONCILE_REQUESTED_AT: "now" } } });
    bed::merge(&api, "killer", request).await;
    assert_eq!(starts.recv().await.as_deref(), Some("killer"));
    running.abort();
    let _aborted = running.await;

    let mended = json!({ "spec": { "url": "https://example.com/mended.git" } });
    bed::merge(&api, "killer", mended).await;
    let component = restart(testbed, &namespace, &files, &root.path().join("mended")).await;
    let running = bed::spawn(hanging(&component, started), &component);
    let object = bed::until_ready(&api, "killer", "done").await;
    assert_eq!(object.metadata.generation, Some(3));
    bed::stop(&component, running).await;
}
