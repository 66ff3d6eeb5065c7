//! The life of a `GitRepository`: first artifact, updates, deletion.

use serde_json::json;
use sluice_testkit::kube::ResourceExt;
use sluice_testkit::kube::api::DeleteParams;
use sluice_testkit::wait;

use crate::{World, artifact, commit, condition, files};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commit_becomes_served_artifact() {
    let world = World::new("fetch").await;
    let repository = world.repository("app");
    world.create("app", &json!({})).await;
    let object = world.ready("app").await;

    let head = repository.head("main").unwrap().unwrap().to_string();
    let stored = artifact(&object);
    assert_eq!(stored.revision, format!("main@sha1:{head}"));
    assert_eq!(
        stored.path,
        format!("gitrepository/{}/app/{head}.tar.gz", world.namespace)
    );
    // The default rules exclude pictures.
    assert_eq!(
        world.download(&object).await,
        [("deploy", ""), ("deploy/app.yaml", "kind: ConfigMap\n")]
            .map(|(path, content)| (path.to_owned(), content.to_owned()))
    );
    assert_eq!(object.finalizers(), ["finalizers.fluxcd.io"]);
    let status = object.status.as_ref().unwrap();
    assert_eq!(status.observed_generation, Some(1));
    let types: Vec<_> = status
        .conditions
        .iter()
        .map(|condition| &*condition.type_)
        .collect();
    assert_eq!(types, ["Ready", "ArtifactInStorage"]);
    let message = format!("stored artifact for revision 'main@sha1:{head}'");
    assert_eq!(condition(&object, "Ready").2, message);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_commit_and_new_rules_make_new_artifacts() {
    let world = World::new("change").await;
    let repository = world.repository("app");
    world.create("app", &json!({})).await;
    world.ready("app").await;

    let second = commit(
        &repository,
        "Second",
        &[("deploy/app.yaml", "kind: Secret\n")],
    );
    let object = world.reconcile("app").await;
    assert_eq!(artifact(&object).revision, format!("main@sha1:{second}"));
    assert_eq!(condition(&object, "Ready").0, "True");
    assert_eq!(world.download(&object).await[1].1, "kind: Secret\n");

    let spec = json!({ "spec": { "ignore": "/deploy\n" } });
    world.patch("app", spec).await;
    let object = world
        .until("app", "observes the rules", |object| {
            let status = object.status.as_ref().unwrap();
            status.observed_ignore.as_deref() == Some("/deploy\n")
                && status.observed_generation == object.metadata.generation
        })
        .await;
    assert_eq!(artifact(&object).revision, format!("main@sha1:{second}"));
    assert_eq!(
        world.download(&object).await,
        [("logo.png".to_owned(), "png".to_owned())]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unchanged_poll_writes_nothing() {
    let world = World::new("idle").await;
    world.repository("app");
    world.create("app", &json!({ "interval": "1s" })).await;
    let before = world.ready("app").await;
    // The reports of the first runs have been written.
    world.polled(2).await;

    let client = world.bed.client().await;
    let audit = world.bed.audit();
    let mark = audit.mark(&client).await;
    let listed = files(&world.artifacts("app"));
    world.polled(5).await;
    audit.mark(&client).await;
    audit.assert_no_writes_by(&world.user, mark, &[]);
    assert_eq!(files(&world.artifacts("app")), listed);
    let after = world.api().await.get("app").await.unwrap();
    assert_eq!(
        after.metadata.resource_version,
        before.metadata.resource_version
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_and_commits_are_followed() {
    let world = World::new("refs").await;
    let repository = world.repository("app");
    let first = repository.head("main").unwrap().unwrap();
    repository.tag("v1", first, None).unwrap();
    commit(&repository, "Second", &[("a.yaml", "a: 1\n")]);
    for (name, reference, label) in [
        ("tag", json!({ "branch": null, "tag": "v1" }), "v1@"),
        (
            "name",
            json!({ "branch": null, "name": "refs/tags/v1" }),
            "refs/tags/v1@",
        ),
        (
            "commit",
            json!({ "branch": null, "commit": first.to_string() }),
            "",
        ),
        (
            "pinned",
            json!({ "branch": "main", "commit": first.to_string() }),
            "main@",
        ),
    ] {
        world.create(name, &json!({ "ref": reference })).await;
        let object = world.ready(name).await;
        assert_eq!(
            artifact(&object).revision,
            format!("{label}sha1:{first}"),
            "{name}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn suspended_object_is_not_reconciled() {
    let world = World::new("suspend").await;
    let repository = world.repository("app");
    world.create("app", &json!({ "suspend": true })).await;
    let object = world.reconcile("app").await;
    let status = object.status.as_ref().unwrap();
    assert!(status.artifact.is_none());
    assert_eq!(status.observed_generation, Some(-1));

    world
        .patch("app", json!({ "spec": { "suspend": false } }))
        .await;
    let resumed = world.ready("app").await;
    world
        .patch("app", json!({ "spec": { "suspend": true } }))
        .await;
    commit(&repository, "Second", &[("a.yaml", "a: 1\n")]);
    let object = world.reconcile("app").await;
    assert_eq!(artifact(&object), artifact(&resumed));
    assert_eq!(condition(&object, "Ready").0, "True");

    // Suspension does not block deletion.
    let api = world.api().await;
    api.delete("app", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "app").await;
    assert!(!world.artifacts("app").exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deletion_removes_artifacts_of_its_object_only() {
    let world = World::new("delete").await;
    world.repository("app");
    for name in ["app", "other"] {
        world.create(name, &json!({})).await;
        world.ready(name).await;
    }
    let api = world.api().await;
    api.delete("app", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "app").await;
    assert!(!world.artifacts("app").exists());
    assert_eq!(files(&world.artifacts("other")).len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn restart_keeps_artifacts_and_writes_nothing() {
    let mut world = World::new("restart").await;
    world.repository("app");
    world.create("app", &json!({})).await;
    let before = world.ready("app").await;
    world.stop().await;
    let left = world.artifacts("app").join(".x.tar.gz.00ff.tmp");
    std::fs::write(&left, b"half").unwrap();

    let client = world.bed.client().await;
    let audit = world.bed.audit();
    let mark = audit.mark(&client).await;
    let asked = world.git.requests().fetches;
    world.start().await;
    wait::eventually("the new process asks the remote", || async {
        let now = world.git.requests().fetches;
        (now > asked)
            .then_some(())
            .ok_or_else(|| format!("{now} requests"))
    })
    .await;
    world.stop().await;
    audit.mark(&client).await;
    // The first look at an object is an event, as in Flux.
    audit.assert_no_writes_by(&world.user, mark, &["events"]);
    let after = world.api().await.get("app").await.unwrap();
    assert_eq!(artifact(&after), artifact(&before));
    assert!(!left.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_or_corrupt_artifact_is_rebuilt() {
    let world = World::new("lost").await;
    world.repository("app");
    world.create("app", &json!({})).await;
    let before = artifact(&world.ready("app").await);
    let path = world.storage().join(&before.path);

    std::fs::remove_file(&path).unwrap();
    let object = world.reconcile("app").await;
    assert_eq!(artifact(&object).digest, before.digest);
    assert_eq!(condition(&object, "Ready").0, "True");
    assert!(path.exists());

    std::fs::write(&path, b"spoilt").unwrap();
    let object = world.reconcile("app").await;
    assert_eq!(artifact(&object).digest, before.digest);
    world.download(&object).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn second_controller_on_same_storage_fails() {
    let world = World::new("claim").await;
    world.repository("app");
    world.create("app", &json!({})).await;
    world.ready("app").await;
    let mut args = world.args();
    args.storage.storage_addr = "127.0.0.1:0".to_owned();
    let error = sluice_source_controller::run(args, world.host().await)
        .await
        .unwrap_err();
    assert!(error.to_string().contains("is in use by"), "{error}");
}
