//! Stored objects that the current schema rejects.

use k8s_openapi::api::core::v1::Event;
use k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::CustomResourceDefinition;
use kube::Api;
use kube::api::{ListParams, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, DynamicObject};
use serde_json::{Value, json};
use sluice_api::meta::Conditions;
use sluice_api::meta::condition::STALLED;
use sluice_api::source::GitRepository;
use sluice_engine::Controller;
use sluice_testkit::{Testbed, wait};

use crate::bed::{self, deciding};

const DEFINITION: &str = "gitrepositories.source.toolkit.fluxcd.io";

/// Stores `objects` under a schema that accepts everything.
async fn store_unchecked(testbed: &Testbed, namespace: &str, objects: &[Value]) {
    let client = testbed.client().await;
    let definitions: Api<CustomResourceDefinition> = Api::all(client.clone());
    let strict = definitions.get(DEFINITION).await.unwrap().spec;
    let open = json!([{ "op": "replace", "path": "/spec/versions/0/schema/openAPIV3Schema",
        "value": { "type": "object", "x-kubernetes-preserve-unknown-fields": true } }]);
    let patch: Patch<()> = Patch::Json(serde_json::from_value(open).unwrap());
    definitions
        .patch(DEFINITION, &PatchParams::default(), &patch)
        .await
        .unwrap();
    let api: Api<DynamicObject> =
        Api::namespaced_with(client, namespace, &ApiResource::erase::<GitRepository>(&()));
    for object in objects {
        // The new schema is served a moment after it is accepted.
        wait::eventually("the open schema is in force", async || {
            let object = serde_json::from_value(object.clone()).unwrap();
            api.create(&PostParams::default(), &object)
                .await
                .map_err(|error| error.to_string())
        })
        .await;
    }
    let patch = json!([{ "op": "replace", "path": "/spec/versions/0/schema", "value": strict.versions[0].schema }]);
    let patch: Patch<()> = Patch::Json(serde_json::from_value(patch).unwrap());
    definitions
        .patch(DEFINITION, &PatchParams::default(), &patch)
        .await
        .unwrap();
}

fn object(name: &str, spec: &Value) -> Value {
    json!({ "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository", "metadata": { "name": name }, "spec": spec })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn malformed_object_stalls_alone() {
    // A control plane of its own, because the schema changes.
    let testbed = Testbed::start().await;
    let namespace = testbed.namespace("malformed").await;
    let url = "https://example.com/a.git";
    store_unchecked(
        &testbed,
        &namespace,
        &[
            object("list", &json!([1, 2, 3])),
            object(
                "number",
                &json!({ "interval": "1m", "url": { "not": "text" } }),
            ),
            object("garbage", &json!({ "interval": "garbage", "url": url })),
        ],
    )
    .await;
    let api = bed::repositories(&testbed, &namespace).await;
    bed::create(&api, "sound").await;

    let component = bed::component(&testbed, &namespace, &[]).await;
    // A malformed duration is still text: the reconciler decides.
    let toy = deciding(|object: &GitRepository| {
        let message = match object.spec.interval.parse() {
            Ok(_) => "done".to_owned(),
            Err(error) => format!("refused: {error}"),
        };
        bed::done(bed::ready(object, message.split(':').next().unwrap(), None))
    });
    let running = bed::spawn(Controller::with_runner(component.engine(), toy), &component);
    bed::until_ready(&api, "sound", "done").await;
    bed::until_ready(&api, "garbage", "refused").await;

    let client = testbed.client().await;
    let events: Api<Event> = Api::namespaced(client.clone(), &namespace);
    wait::until_all(
        &events,
        &ListParams::default(),
        "both have an event",
        |events| {
            ["list", "number"].iter().all(|name| {
                events.iter().any(|event| {
                    event.involved_object.name.as_deref() == Some(name)
                        && event.reason.as_deref() == Some("InvalidObject")
                })
            })
        },
    )
    .await;
    let untyped: Api<DynamicObject> = Api::namespaced_with(
        client,
        &namespace,
        &ApiResource::erase::<GitRepository>(&()),
    );
    // The schema has a rule on the whole spec. So the server rejects every write to the
    // object whose spec is a list.
    wait::until(&untyped, "number", "is stalled", |object| {
        let conditions = object.and_then(|object| object.data.pointer("/status/conditions"));
        let conditions: Option<Conditions> =
            conditions.and_then(|value| serde_json::from_value(value.clone()).ok());
        conditions.is_some_and(|conditions| {
            conditions
                .find(STALLED)
                .is_some_and(|stalled| stalled.is_true() && stalled.reason == "InvalidObject")
        })
    })
    .await;

    // The watch goes on, and the repaired object is reconciled.
    bed::create(&api, "later").await;
    bed::until_ready(&api, "later", "done").await;
    let repaired = Patch::Merge(json!({ "spec": { "url": url } }));
    untyped
        .patch("number", &PatchParams::default(), &repaired)
        .await
        .unwrap();
    bed::until_ready(&api, "number", "done").await;
    bed::stop(&component, running).await;
}
