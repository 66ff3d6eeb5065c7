//! Failures of a `GitRepository` and their reports.

use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use serde_json::json;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{Patch, PatchParams, PostParams};
use sluice_testkit::{Bed, wait};

use crate::{World, condition};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn invalid_spec_stalls() {
    let world = World::new("stalled").await;
    world.repository("app");
    for (name, spec, reason, named) in [
        ("url", json!({ "url": "https://" }), "URLInvalid", "https"),
        (
            "reference",
            json!({ "ref": { "branch": "--x" } }),
            "GitOperationFailed",
            "'--x'",
        ),
        (
            "semver",
            json!({ "ref": { "branch": null, "semver": ">1 <" } }),
            "GitOperationFailed",
            "byte 4 of '>1 <'",
        ),
    ] {
        world.create(name, &spec).await;
        let (object, message) = world.refused(name, reason).await;
        assert_eq!(condition(&object, "Stalled").0, "True", "{name}");
        assert_eq!(condition(&object, "FetchFailed").1, reason, "{name}");
        assert_eq!(
            object.status.unwrap().observed_generation,
            Some(1),
            "{name}"
        );
        assert!(message.contains(named), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn missing_dependency_is_named_and_retried() {
    let world = World::new("absent").await;
    let repository = world.repository("app");
    world.git.create("empty", "main").unwrap();
    for (name, spec, reason, named) in [
        (
            "branch",
            json!({ "ref": { "branch": "later" } }),
            "GitOperationFailed",
            "': couldn't find remote ref \"refs/heads/later\"",
        ),
        (
            "repository",
            json!({ "url": world.git.url("nowhere") }),
            "GitOperationFailed",
            "': repository not found",
        ),
        (
            "empty",
            json!({ "url": world.git.url("empty") }),
            "EmptyGitRepository",
            "git repository is empty",
        ),
        (
            "server",
            json!({ "url": "http://127.0.0.1:1/app", "timeout": "1s" }),
            "GitOperationFailed",
            "dial tcp 127.0.0.1:1: connect: connection refused",
        ),
        (
            "secret",
            json!({ "secretRef": { "name": "later" } }),
            "AuthenticationFailed",
            "secrets \"later\" not found",
        ),
    ] {
        world.create(name, &spec).await;
        let (object, message) = world.refused(name, reason).await;
        assert!(message.contains(named), "{message}");
        assert_eq!(
            condition(&object, "Reconciling").1,
            "ProgressingWithRetry",
            "{name}"
        );
        assert_eq!(condition(&object, "Stalled").0, "", "{name}");
        assert_ne!(
            object.status.unwrap().observed_generation,
            Some(1),
            "{name}"
        );
    }
    let change = sluice_git::serve::Change::write("a.yaml", "a: 1\n");
    repository.commit("later", "Later", &[change]).unwrap();
    world.ready("branch").await;
    world
        .secret(
            "later",
            &[("username", "anybody"), ("password", "anything")],
        )
        .await;
    world.ready("secret").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_repository_needs_credentials() {
    let credentials = ("flux".to_owned(), "canary-right".to_owned());
    let world = World::with_git("auth", Some(credentials)).await;
    world.repository("app");
    for (name, entries) in [
        (
            "wrong",
            [("username", "flux"), ("password", "canary-wrong")].as_slice(),
        ),
        // Git hosts may take a token as the user name.
        ("half", &[("username", "flux")]),
        ("nameless", &[("password", "canary-right")]),
        (
            "right",
            &[("username", "flux"), ("password", "canary-right")],
        ),
    ] {
        world.secret(name, entries).await;
        world
            .create(name, &json!({ "secretRef": { "name": name } }))
            .await;
    }
    world.create("nobody", &json!({})).await;

    world.ready("right").await;
    for (name, reason) in [
        ("wrong", "GitOperationFailed"),
        ("nobody", "GitOperationFailed"),
        ("half", "GitOperationFailed"),
        ("nameless", "AuthenticationFailed"),
    ] {
        let (object, message) = world.refused(name, reason).await;
        let text = serde_json::to_string(&object).unwrap();
        assert!(!text.contains("canary"), "{text}");
        assert!(object.status.unwrap().artifact.is_none());
        if name == "nameless" {
            let expected = "failed to configure authentication options: invalid 'http' auth \
                            option: 'password' requires 'username' to be set";
            assert_eq!(message, expected);
        }
    }
}

/// A stored object may predate its schema, or come from a restored backup.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_stored_interval_stalls_only_its_object() {
    // An own control plane, since the test loosens its schema.
    let bed = Bed::own().await;
    let definitions: Api<CustomResourceDefinition> = Api::all(bed.client().await);
    let name = "gitrepositories.source.toolkit.fluxcd.io";
    let path =
        "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/interval/pattern";
    let patch = serde_json::from_value(json!([{ "op": "remove", "path": path }])).unwrap();
    definitions
        .patch(name, &PatchParams::default(), &Patch::<()>::Json(patch))
        .await
        .unwrap();

    let world = World::on(bed, "garbage", None).await;
    world.repository("app");
    // The API server takes a moment to serve the new schema.
    let api = world.api().await;
    wait::eventually("the loosened schema is served", || async {
        let object = world.object("garbage", &json!({ "interval": "soon" }));
        api.create(&PostParams::default(), &object)
            .await
            .map_err(|error| error.to_string())
    })
    .await;
    world.create("fine", &json!({})).await;
    world.ready("fine").await;
    let (object, message) = world.refused("garbage", "ValidationFailed").await;
    assert_eq!(condition(&object, "Stalled").0, "True");
    assert!(
        message.contains("spec.interval") && message.contains("soon"),
        "{message}"
    );
    let version = object.metadata.resource_version;
    // After a run of the other object, the events of this one are processed as well.
    world.reconcile("fine").await;
    let later = api.get("garbage").await.unwrap();
    assert_eq!(
        later.metadata.resource_version, version,
        "the stalled object was not written again"
    );
}
