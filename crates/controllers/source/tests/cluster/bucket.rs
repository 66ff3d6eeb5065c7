//! `Bucket` with a real object store.

mod clouds;

use std::io::Read as _;
use std::ops::Deref;

use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::source::Bucket;
use sluice_artifact::untar::{Entries, Limits, Links};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{DeleteParams, Patch, PatchParams, PostParams};
use sluice_testkit::{ObjectStore, wait};

use crate::World;

/// A test environment for `Bucket` objects.
struct Buckets {
    world: World,
    store: ObjectStore,
}

impl Deref for Buckets {
    type Target = World;

    fn deref(&self) -> &World {
        &self.world
    }
}

impl Buckets {
    /// Starts a store with the bucket `apps` and a Secret with its keys.
    async fn new(prefix: &str) -> Self {
        let (world, store) = tokio::join!(World::new(prefix), ObjectStore::start());
        store.create("apps").await;
        let keys = [
            ("accesskey", ObjectStore::ACCESS_KEY),
            ("secretkey", ObjectStore::SECRET_KEY),
        ];
        world.secret("keys", &keys).await;
        Self { world, store }
    }

    async fn objects(&self) -> Api<Bucket> {
        Api::namespaced(self.bed.client().await, &self.namespace)
    }

    /// Creates an object that follows the bucket `apps`, with these changes to its spec.
    async fn follow(&self, name: &str, spec: &Value) {
        let mut whole = json!({
            "endpoint": self.store.host(), "bucketName": "apps", "insecure": true,
            "interval": "1h", "secretRef": { "name": "keys" },
        });
        for (key, value) in spec.as_object().unwrap() {
            whole[key] = value.clone();
        }
        let object = serde_json::from_value(json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1",
            "kind": "Bucket",
            "metadata": { "name": name, "namespace": self.namespace },
            "spec": whole,
        }))
        .unwrap();
        let api = self.objects().await;
        api.create(&PostParams::default(), &object).await.unwrap();
    }

    async fn change(&self, name: &str, patch: Value) {
        let api = self.objects().await;
        let patch = Patch::Merge(patch);
        api.patch(name, &PatchParams::default(), &patch)
            .await
            .unwrap();
    }

    /// Requests a reconciliation and waits until it was handled.
    async fn ask(&self, name: &str) -> Bucket {
        let token = self.bed.name("request");
        let annotations = json!({ "reconcile.fluxcd.io/requestedAt": token });
        self.change(name, json!({ "metadata": { "annotations": annotations } }))
            .await;
        self.sees(name, "handles the request", |object| {
            let status = object.status.as_ref();
            status.and_then(|status| status.last_handled_reconcile_at.as_deref()) == Some(&*token)
        })
        .await
    }

    async fn sees(&self, name: &str, claim: &str, holds: impl Fn(&Bucket) -> bool) -> Bucket {
        let api = self.objects().await;
        let seen = wait::until(&api, name, claim, |object| object.is_some_and(&holds));
        seen.await.unwrap()
    }

    async fn is_ready(&self, name: &str) -> Bucket {
        self.sees(name, "becomes Ready", |object| {
            ready(object).is_some_and(|(status, ..)| status == "True")
        })
        .await
    }

    /// Waits until `Ready` is false for this reason, and returns the message.
    async fn is_refused(&self, name: &str, reason: &str) -> String {
        let object = self
            .sees(name, &format!("is refused as {reason}"), |object| {
                ready(object).is_some_and(|(status, why, _)| status == "False" && why == reason)
            })
            .await;
        ready(&object).unwrap().2
    }

    /// The files of the stored artifact, with their content.
    fn content(&self, object: &Bucket) -> Vec<(String, String)> {
        let path = self.storage().join(artifact(object).path);
        let archive = std::fs::read(path).unwrap();
        let mut entries = Entries::new(&archive[..], Links::Skip, Limits::default());
        let mut files = Vec::new();
        while let Some(mut entry) = entries.next_entry().unwrap() {
            let path = entry.path().display().to_string();
            let mut content = String::new();
            entry.read_to_string(&mut content).unwrap();
            if !entry.is_directory() {
                files.push((path, content));
            }
        }
        files
    }
}

/// Status, reason and message of `Ready`.
fn ready(object: &Bucket) -> Option<(String, String, String)> {
    let ready = object.status.as_ref()?.conditions.find("Ready")?;
    let status = ready.status.as_str().to_owned();
    Some((status, ready.reason.clone(), ready.message.clone()))
}

fn artifact(object: &Bucket) -> Artifact {
    let status = object.status.as_ref();
    let artifact = status.and_then(|status| status.artifact.clone());
    artifact.expect("the status has an artifact")
}

fn file(path: &str, content: &str) -> (String, String) {
    (path.to_owned(), content.to_owned())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bucket_is_stored_and_follows_changes() {
    let world = Buckets::new("bucket").await;
    for (key, text) in [
        ("deploy/app.yaml", "kind: ConfigMap\n"),
        ("README.md", "text"),
    ] {
        world.store.put("apps", key, text).await;
    }
    world.store.put("apps", ".sourceignore", "*.md\n").await;
    world.follow("apps", &json!({})).await;
    let object = world.is_ready("apps").await;
    let first = artifact(&object);
    // The digest over "deploy/app.yaml" and the MD5 of its content.
    assert_eq!(
        first.revision,
        "sha256:eeaef0bf11f9ff4e5fdf0e801044c7f471b1fad9cbbef19b71605ccdb5a66b35"
    );
    let message = format!("stored artifact: revision '{}'", first.revision);
    assert_eq!(ready(&object).unwrap().2, message);
    assert_eq!(
        world.content(&object),
        [
            file(".sourceignore", "*.md\n"),
            file("deploy/app.yaml", "kind: ConfigMap\n")
        ]
    );
    let link = object.status.as_ref().unwrap().url.clone().unwrap();
    assert!(link.ends_with("/apps/latest.tar.gz"), "{link}");

    let again = world.ask("apps").await;
    assert_eq!(artifact(&again), first, "nothing has changed");

    world
        .store
        .put("apps", "deploy/app.yaml", "kind: Secret\n")
        .await;
    world
        .store
        .put("apps", "deploy/new.yaml", "kind: ConfigMap\n")
        .await;
    let changed = world.ask("apps").await;
    assert_ne!(artifact(&changed).revision, first.revision);
    assert_eq!(
        world.content(&changed)[1..],
        [
            file("deploy/app.yaml", "kind: Secret\n"),
            file("deploy/new.yaml", "kind: ConfigMap\n")
        ]
    );

    let api = world.objects().await;
    api.delete("apps", &DeleteParams::default()).await.unwrap();
    wait::until(&api, "apps", "is gone", |object| object.is_none()).await;
    let directory = world.storage().join("bucket").join(&world.namespace);
    assert_eq!(crate::files(&directory), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unchanged_object_is_not_downloaded_again() {
    let world = Buckets::new("bucket-unchanged").await;
    for key in ["deploy/a.yaml", "deploy/b.yaml"] {
        world.store.put("apps", key, "first").await;
    }
    world.store.put("apps", ".sourceignore", "# none\n").await;
    world.follow("apps", &json!({})).await;
    let first = artifact(&world.is_ready("apps").await);

    // A download would see this content.
    world
        .store
        .replace_content("apps", "deploy/a.yaml", "other");
    world.store.put("apps", "deploy/b.yaml", "second").await;
    world.store.put("apps", ".sourceignore", "# some\n").await;
    let changed = world.ask("apps").await;
    assert_ne!(artifact(&changed).revision, first.revision);
    assert_eq!(
        world.content(&changed),
        [
            file(".sourceignore", "# some\n"),
            file("deploy/a.yaml", "first"),
            file("deploy/b.yaml", "second")
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn prefix_and_spec_ignore_select_objects() {
    let world = Buckets::new("bucket-prefix").await;
    for key in ["a/one.yaml", "a/two.txt", "b/three.yaml"] {
        world.store.put("apps", key, key).await;
    }
    world
        .follow("apps", &json!({ "prefix": "a/", "ignore": "*.txt" }))
        .await;
    let object = world.is_ready("apps").await;
    assert_eq!(world.content(&object), [file("a/one.yaml", "a/one.yaml")]);
    world
        .change("apps", json!({ "spec": { "ignore": "!*.txt" } }))
        .await;
    let first = artifact(&object).revision;
    let object = world
        .sees("apps", "is stored anew", |object| {
            artifact(object).revision != first
        })
        .await;
    assert_eq!(
        world.content(&object),
        [
            file("a/one.yaml", "a/one.yaml"),
            file("a/two.txt", "a/two.txt")
        ]
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn failures_have_texts_of_flux() {
    let world = Buckets::new("bucket-failures").await;
    world
        .secret("wrong", &[("accesskey", "sluice"), ("secretkey", "canary")])
        .await;
    world.secret("incomplete", &[("accesskey", "sluice")]).await;
    for (name, spec) in [
        ("missing", json!({ "bucketName": "other" })),
        ("denied", json!({ "secretRef": { "name": "wrong" } })),
        (
            "incomplete",
            json!({ "secretRef": { "name": "incomplete" } }),
        ),
        ("endpoint", json!({ "endpoint": "http://store" })),
        (
            "authority",
            json!({ "certSecretRef": { "name": "incomplete" } }),
        ),
    ] {
        world.follow(name, &spec).await;
    }
    for (name, reason, message) in [
        (
            "missing",
            "BucketOperationFailed",
            "bucket 'other' not found",
        ),
        (
            "denied",
            "BucketOperationFailed",
            "failed to confirm existence of 'apps' bucket: Access Denied.",
        ),
        (
            "incomplete",
            "AuthenticationFailed",
            "invalid 'incomplete' secret data: required fields 'accesskey' and 'secretkey'",
        ),
        (
            "endpoint",
            "AuthenticationFailed",
            "Endpoint url cannot have fully qualified paths.",
        ),
        (
            "authority",
            "AuthenticationFailed",
            "failed to get TLS config: secret 'NAMESPACE/incomplete' must contain either \
             'ca.crt' or both 'tls.crt' and 'tls.key'",
        ),
    ] {
        let message = message.replace("NAMESPACE", &world.namespace);
        assert_eq!(world.is_refused(name, reason).await, message, "{name}");
    }
}
