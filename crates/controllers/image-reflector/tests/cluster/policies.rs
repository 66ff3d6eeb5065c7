//! Image policies: access, digests and faults.

use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageRepository};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{Patch, PatchParams, PostParams};
use sluice_testkit::{Bed, Registry};

use super::{World, image, push, ready};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn digests_follow_their_policy() {
    let (world, registry) = (World::new("image-digest").await, Registry::start().await);
    let first = push(&registry, "app", "1.0.0").await;
    let image = image(&registry, "app");
    world.repository("app", &image, json!({})).await;
    world.is_ready::<ImageRepository>("app").await;
    let of = |policy: &str| {
        let mut spec = json!({
            "imageRepositoryRef": { "name": "app" }, "policy": { "semver": { "range": "*" } },
            "digestReflectionPolicy": policy,
        });
        if policy == "Always" {
            spec["interval"] = "1h".into();
        }
        spec
    };
    for (name, policy) in [
        ("never", "Never"),
        ("once", "IfNotPresent"),
        ("always", "Always"),
    ] {
        world.create::<ImagePolicy>(name, of(policy)).await;
    }
    let digest = |policy: &ImagePolicy| {
        let status = policy.status.as_ref().unwrap();
        status.latest_ref.as_ref().unwrap().digest.clone()
    };
    for (name, expected) in [
        ("never", None),
        ("once", Some(&first)),
        ("always", Some(&first)),
    ] {
        let policy = world.selects(name, "1.0.0").await;
        assert_eq!(digest(&policy).as_ref(), expected, "{name}");
    }
    let always = world.is_ready::<ImagePolicy>("always").await;
    let message = format!("Latest image tag for {image} resolved to 1.0.0 with digest {first}");
    assert_eq!(ready(&always).2, message);

    // The tag moves: only one policy follows it.
    let registry_image = super::push_layer(&registry, "app", "1.0.0", "another layer").await;
    assert_ne!(registry_image, first);
    for (name, expected) in [("once", &first), ("always", &registry_image)] {
        let policy: ImagePolicy = world.ask(name).await;
        assert_eq!(digest(&policy).as_ref(), Some(expected), "{name}");
    }
    let always = world.is_ready::<ImagePolicy>("always").await;
    let previous = format!("(previously {image}:1.0.0@{first})");
    assert!(
        ready(&always).2.ends_with(&previous),
        "{}",
        ready(&always).2
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_namespace_needs_access() {
    let bed = Bed::own().await;
    let registry = Registry::start().await;
    push(&registry, "app", "1.0.0").await;
    let other = bed.namespace("image-owner").await;
    let spec = json!({ "image": image(&registry, "app"), "interval": "1h" });
    let object = json!({
        "apiVersion": super::GROUP, "kind": "ImageRepository",
        "metadata": { "name": "app", "namespace": other }, "spec": spec,
    });
    let owner: Api<ImageRepository> = Api::namespaced(bed.client().await, &other);
    let object = serde_json::from_value(object).unwrap();
    owner.create(&PostParams::default(), &object).await.unwrap();

    let everywhere = "--watch-all-namespaces=true";
    let mut world = World::on(bed.clone(), "image-acl", &[everywhere]).await;
    let reference = json!({ "imageRepositoryRef": { "name": "app", "namespace": other } });
    world.policy("app", reference.clone()).await;
    let message = world.reports::<ImagePolicy>("app", "AccessDenied").await;
    let start = "failed to get the referred ImageRepository: access denied: ";
    let text =
        format!("{start}'{other}/app' can't be accessed due to missing ACL labels on 'accessFrom'");
    assert_eq!(message, text);
    let labels = |value: &str| {
        let label = json!({ "team": value });
        json!({ "spec": { "accessFrom": { "namespaceSelectors": [{ "matchLabels": label }] } } })
    };
    let parameters = PatchParams::default();
    let change = labels("a");
    owner
        .patch("app", &parameters, &Patch::Merge(&change))
        .await
        .unwrap();
    let mismatch = format!(
        "{start}'{other}/app' can't be accessed due to ACL labels mismatch on namespace '{}'",
        world.namespace
    );
    world
        .sees("app", "is denied by labels", |it: &ImagePolicy| {
            ready(it).2 == mismatch
        })
        .await;
    let namespaces: Api<k8s_openapi::api::core::v1::Namespace> = Api::all(bed.client().await);
    let change = json!({ "metadata": { "labels": { "team": "a" } } });
    let change = Patch::Merge(&change);
    let labelled = namespaces.patch(&world.namespace, &parameters, &change);
    labelled.await.unwrap();
    world.selects("app", "1.0.0").await;

    // The flag blocks the reference whatever the labels say.
    world.stop().await;
    let flags = [everywhere, "--no-cross-namespace-refs=true"];
    let blocked = World::on(bed, "image-block", &flags).await;
    blocked.policy("blocked", reference).await;
    let message = blocked
        .reports::<ImagePolicy>("blocked", "AccessDenied")
        .await;
    let text = format!(
        "failed to get the referred ImageRepository: cannot access 'ImageRepository/{other}/app', \
         cross-namespace references have been blocked"
    );
    assert_eq!(message, text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn faults_name_their_reason() {
    let (world, registry) = (World::new("image-fault").await, Registry::start().await);
    push(&registry, "app", "1.0.0").await;
    let image = image(&registry, "app");
    world
        .repository("app", &image, json!({ "exclusionList": ["^2"] }))
        .await;
    world.is_ready::<ImageRepository>("app").await;
    let of = |policy: serde_json::Value| json!({ "imageRepositoryRef": { "name": "app" }, "policy": policy });
    for (name, spec) in [
        ("range", of(json!({ "semver": { "range": ">=" } }))),
        ("none", of(json!({ "semver": { "range": ">3" } }))),
        ("words", of(json!({ "numerical": {} }))),
    ] {
        world.create::<ImagePolicy>(name, spec).await;
    }
    let mut filtered = of(json!({ "alphabetical": {} }));
    filtered["filterTags"] = json!({ "pattern": "a(?=b)" });
    world.create::<ImagePolicy>("pattern", filtered).await;
    for (name, reason, said) in [
        ("range", "InvalidPolicy", "invalid policy: "),
        (
            "pattern",
            "InvalidPolicy",
            "failed to filter tags: invalid regular expression",
        ),
        (
            "none",
            "Failure",
            "unable to determine latest version from provided list",
        ),
        (
            "words",
            "Failure",
            "failed to parse invalid numeric value '1.0.0'",
        ),
    ] {
        let message = world.reports::<ImagePolicy>(name, reason).await;
        assert!(message.starts_with(said), "{name}: {message}");
    }
    // Without tags the policy waits.
    world
        .patch::<ImageRepository>("app", json!({ "spec": { "exclusionList": ["."] } }))
        .await;
    world
        .sees("app", "has no tags", |it: &ImageRepository| {
            it.status
                .as_ref()
                .unwrap()
                .last_scan_result
                .as_ref()
                .unwrap()
                .tag_count
                == 0
        })
        .await;
    world
        .create::<ImagePolicy>("empty", of(json!({ "alphabetical": {} })))
        .await;
    let message = world
        .reports::<ImagePolicy>("empty", "DependencyNotReady")
        .await;
    assert_eq!(message, "retrying in 1s error: no tags in database");
    world
        .patch::<ImageRepository>("app", json!({ "spec": { "exclusionList": null } }))
        .await;
    world.selects("empty", "1.0.0").await;
}
