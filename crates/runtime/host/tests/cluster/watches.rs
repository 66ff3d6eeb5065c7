//! Watches across kinds.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use kube::api::{Patch, PatchParams, PostParams};
use kube::core::PartialObjectMeta;
use serde_json::json;
use sluice_api::kustomize::Kustomization;
use sluice_api::source::GitRepository;
use sluice_engine::{Controller, ObjectKey, Outcome, Requeue, Watch};
use sluice_host::Component;
use sluice_testkit::{Testbed, cluster, wait};

use crate::bed::{self, deciding};

fn source_of(object: &Kustomization) -> Vec<ObjectKey> {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    vec![ObjectKey::new(namespace, &object.spec.source_ref.name)]
}

fn revision(object: Option<&GitRepository>) -> Option<&str> {
    object?
        .status
        .as_ref()?
        .artifact
        .as_ref()
        .map(|artifact| artifact.revision.as_str())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn change_of_a_reference_enqueues_the_object() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("watches").await;
    let client = testbed.client().await;
    let kustomizations: Api<Kustomization> = Api::namespaced(client.clone(), &namespace);
    let configs: Api<ConfigMap> = Api::namespaced(client, &namespace);
    let repositories = bed::repositories(testbed, &namespace).await;

    let component = bed::component(testbed, &namespace, &[]).await;
    let sources = component.store::<GitRepository>();
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&runs);
    let toy = deciding(move |object: &Kustomization| {
        counted.fetch_add(1, Ordering::SeqCst);
        let source = sources.get(&source_of(object)[0]);
        let mut status = object.status.clone().unwrap_or_default();
        status.last_applied_revision = revision(source.as_deref()).map(str::to_owned);
        status.last_handled_reconcile_at = Some(counted.load(Ordering::SeqCst).to_string());
        Outcome::new(status, Requeue::Never)
    });
    let namespace_of = namespace.clone();
    let controller = Controller::with_runner(component.engine(), toy)
        .watches(
            Watch::<_, GitRepository>::on(source_of)
                .when(|old, new| revision(old) != revision(new)),
        )
        .watches(
            Watch::<_, PartialObjectMeta<ConfigMap>>::on(move |_| {
                vec![ObjectKey::new(&namespace_of, "vars")]
            })
            .selected("reconcile.fluxcd.io/watch=Enabled"),
        );
    let running = bed::spawn(controller, &component);
    let object = serde_json::from_value(json!({
        "metadata": { "name": "apps" },
        "spec": { "interval": "1m", "prune": true, "sourceRef": { "kind": "GitRepository", "name": "source" } },
    }))
    .unwrap();
    kustomizations
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    let ran = async |times: usize| {
        wait::until(
            &kustomizations,
            "apps",
            &format!("ran {times} times"),
            |object| {
                let handled = object
                    .and_then(|object| object.status.as_ref()?.last_handled_reconcile_at.clone());
                handled == Some(times.to_string())
            },
        )
        .await
        .unwrap()
    };
    ran(1).await;

    // Only a source with an artifact is relevant.
    bed::create(&repositories, "source").await;
    let artifact = json!({ "path": "p", "url": "http://x/", "revision": "main@sha1:1", "digest": "sha256:00",
        "lastUpdateTime": "2024-01-01T00:00:00Z" });
    let patch = Patch::Merge(json!({ "status": { "artifact": artifact } }));
    repositories
        .patch_subresource("status", "source", &PatchParams::default(), &patch)
        .await
        .unwrap();
    let object = ran(2).await;
    assert_eq!(
        object.status.unwrap().last_applied_revision.as_deref(),
        Some("main@sha1:1")
    );

    // Only a ConfigMap with the label is seen.
    let config = |labels: serde_json::Value| {
        serde_json::from_value::<ConfigMap>(
            json!({ "metadata": { "name": "vars", "labels": labels }, "data": { "a": "1" } }),
        )
        .unwrap()
    };
    configs
        .create(&PostParams::default(), &config(json!({})))
        .await
        .unwrap();
    let patch = Patch::Merge(
        json!({ "metadata": { "labels": { "reconcile.fluxcd.io/watch": "Enabled" } } }),
    );
    configs
        .patch("vars", &PatchParams::default(), &patch)
        .await
        .unwrap();
    ran(3).await;
    configs
        .delete("vars", &kube::api::DeleteParams::default())
        .await
        .unwrap();
    ran(4).await;
    assert_eq!(runs.load(Ordering::SeqCst), 4);
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn controllers_of_one_process_share_watches() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("shared").await;
    let client = testbed.client().await;
    let kustomizations: Api<Kustomization> = Api::namespaced(client, &namespace);
    let repositories = bed::repositories(testbed, &namespace).await;
    let audit = testbed.audit();
    let mark = audit.mark(&testbed.client().await).await;

    let host = bed::host(testbed).await;
    let flags = bed::flags_in(&namespace, &[]);
    let fetching = Component::new(&host, "source-toy", flags.clone(), &[]).unwrap();
    let applying = Component::new(&host, "kustomize-toy", flags, &[]).unwrap();
    let artifact = json!({ "path": "p", "url": "http://x/", "revision": "main@sha1:1", "digest": "sha256:00",
        "lastUpdateTime": "2024-01-01T00:00:00Z" });
    let fetch = deciding(move |object: &GitRepository| {
        let mut status = bed::ready(object, "stored", None);
        status.artifact = Some(serde_json::from_value(artifact.clone()).unwrap());
        bed::done(status)
    });
    let sources = applying.store::<GitRepository>();
    let apply = deciding(move |object: &Kustomization| {
        let source = sources.get(&source_of(object)[0]);
        let mut status = object.status.clone().unwrap_or_default();
        status.last_applied_revision = revision(source.as_deref()).map(str::to_owned);
        Outcome::new(status, Requeue::Never)
    });
    let fetch = bed::spawn(Controller::with_runner(fetching.engine(), fetch), &fetching);
    let watch =
        Watch::<_, GitRepository>::on(source_of).when(|old, new| revision(old) != revision(new));
    let apply = bed::spawn(
        Controller::with_runner(applying.engine(), apply).watches(watch),
        &applying,
    );

    let object = serde_json::from_value(json!({
        "metadata": { "name": "apps" },
        "spec": { "interval": "1m", "prune": true, "sourceRef": { "kind": "GitRepository", "name": "source" } },
    }))
    .unwrap();
    kustomizations
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    bed::create(&repositories, "source").await;
    wait::until(&kustomizations, "apps", "has applied", |object| {
        let status = object.and_then(|object| object.status.as_ref());
        status.and_then(|status| status.last_applied_revision.as_deref()) == Some("main@sha1:1")
    })
    .await;
    let ours = |resource: &str| {
        let watches = audit.since(mark).into_iter();
        let path = format!("/namespaces/{namespace}/{resource}?");
        watches
            .filter(|entry| {
                entry.verb == "watch" && entry.uri.contains(&path) && entry.agent == "sluice-test"
            })
            .count()
    };
    assert_eq!(ours("gitrepositories"), 1);
    bed::stop(&fetching, fetch).await;
    bed::stop(&applying, apply).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_without_watch_lists_is_watched() {
    let testbed = Testbed::start_with(|options| {
        options
            .api_server_arguments
            .push("--feature-gates=WatchList=false".to_owned());
    })
    .await;
    let namespace = testbed.namespace("old").await;
    let api = bed::repositories(&testbed, &namespace).await;
    bed::create(&api, "before").await;
    let component = bed::component(&testbed, &namespace, &[]).await;
    let toy = deciding(|object: &GitRepository| bed::done(bed::ready(object, "done", None)));
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::until_ready(&api, "before", "done").await;
    bed::create(&api, "after").await;
    bed::until_ready(&api, "after", "done").await;
    bed::stop(&component, running).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn panic_over_one_object_does_not_hide_others() {
    let testbed = cluster().await;
    let namespace = testbed.namespace("poison").await;
    let client = testbed.client().await;
    let kustomizations: Api<Kustomization> = Api::namespaced(client, &namespace);
    let repositories = bed::repositories(testbed, &namespace).await;
    let component = bed::component(testbed, &namespace, &[]).await;
    let sources = component.store::<GitRepository>();
    let toy = deciding(move |object: &Kustomization| {
        let mut status = object.status.clone().unwrap_or_default();
        let found = sources.get(&source_of(object)[0]).is_some();
        status.last_handled_reconcile_at = Some(found.to_string());
        Outcome::new(status, Requeue::Never)
    });
    let watch = Watch::<_, GitRepository>::on(source_of).when(|_, new: Option<&GitRepository>| {
        let name = new.and_then(|new| new.metadata.name.as_deref());
        assert_ne!(name, Some("poison"), "on purpose");
        true
    });
    let running = bed::spawn(
        Controller::with_runner(component.engine(), toy).watches(watch),
        &component,
    );
    let object = serde_json::from_value(json!({
        "metadata": { "name": "apps" },
        "spec": { "interval": "1m", "prune": true, "sourceRef": { "kind": "GitRepository", "name": "source" } },
    }))
    .unwrap();
    kustomizations
        .create(&PostParams::default(), &object)
        .await
        .unwrap();
    let handled = async |found: &str| {
        wait::until(&kustomizations, "apps", "has run", |object| {
            object.and_then(|object| object.status.as_ref()?.last_handled_reconcile_at.as_deref())
                == Some(found)
        })
        .await;
    };
    handled("false").await;
    bed::create(&repositories, "poison").await;
    bed::create(&repositories, "source").await;
    handled("true").await;
    bed::stop(&component, running).await;
}
