//! Scans of image repositories.

use k8s_openapi::api::core::v1::{LocalObjectReference, ServiceAccount};
use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageRepository, ScanResult};
use sluice_testkit::kube::api::{DeleteParams, ObjectMeta, PostParams};
use sluice_testkit::kube::{Api, ResourceExt as _};
use sluice_testkit::{Registry, RegistryOptions, wait};

use super::{World, image, push, ready};

const PULL_SECRET: &str = "kubernetes.io/dockerconfigjson";

fn scan(repository: &ImageRepository) -> ScanResult {
    let status = repository.status.as_ref().unwrap();
    status.last_scan_result.clone().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scan_finds_tags_and_policy_selects_latest() {
    let (world, registry) = (World::new("image-scan").await, Registry::start().await);
    for tag in ["v1.0.0", "v1.1.0", "v2.0.0-rc.1", "latest", "v1.0.0.sig"] {
        push(&registry, "team/app", tag).await;
    }
    let image = image(&registry, "team/app");
    let spec = json!({ "exclusionList": ["\\.sig$"], "insecure": false });
    world.repository("app", &image, spec).await;
    let semver = json!({ "policy": { "semver": { "range": "^1.0.0" } } });
    world.policy("app", semver).await;

    let repository: ImageRepository = world.is_ready("app").await;
    let found = scan(&repository);
    assert_eq!(
        found.latest_tags,
        ["v2.0.0-rc.1", "v1.1.0", "v1.0.0", "latest"]
    );
    assert_eq!(found.tag_count, 4);
    // The Adler-32 checksum of `["v2.0.0-rc.1","v1.1.0","v1.0.0","latest"]`, by Python's zlib.
    assert_eq!(found.revision.as_deref(), Some(ADLER));
    let status = repository.status.as_ref().unwrap();
    assert_eq!(status.canonical_image_name.as_deref(), Some(&*image));
    assert_eq!(status.observed_exclusion_list, ["\\.sig$"]);
    assert_eq!(status.observed_generation, Some(1));
    let types: Vec<_> = status.conditions.iter().map(|it| &*it.type_).collect();
    assert_eq!(types, ["Ready"]);
    let message = format!("successful scan: found 4 tags with checksum {ADLER}");
    let expected = ("True".to_owned(), "Succeeded".to_owned(), message.clone());
    assert_eq!(ready(&repository), expected);
    assert_eq!(repository.finalizers(), ["finalizers.fluxcd.io"]);

    let policy = world.selects("app", "v1.1.0").await;
    let text = format!("Latest image tag for {image} resolved to v1.1.0");
    assert_eq!(ready(&policy).2, text);
    for (kind, message) in [("ImageRepository", message), ("ImagePolicy", text)] {
        let claim = format!("{kind} reports {message}");
        let is_it = |event: &sluice_api::event::Event| {
            event.involved_object.kind == kind && event.message == message
        };
        world.events.wait_for(&claim, is_it).await;
    }

    push(&registry, "team/app", "v1.2.0").await;
    let repository: ImageRepository = world.ask("app").await;
    assert_eq!(scan(&repository).tag_count, 5);
    let policy = world.selects("app", "v1.2.0").await;
    let status = policy.status.as_ref().unwrap();
    let previous = status.observed_previous_ref.as_ref().unwrap();
    assert_eq!(previous.tag, "v1.1.0");
    let metrics = world.metrics();
    for metric in ["sluice_image_tags{", "gotk_reconcile_duration_seconds"] {
        assert!(metrics.contains(metric), "{metric}");
    }
}

/// See the first test.
const ADLER: &str = "3546221158";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tags_survive_restart_and_go_with_their_object() {
    let (mut world, registry) = (World::new("image-store").await, Registry::start().await);
    push(&registry, "app", "1.0.0").await;
    world
        .repository("app", &image(&registry, "app"), json!({}))
        .await;
    world.policy("app", json!({})).await;
    let before = scan(&world.is_ready::<ImageRepository>("app").await);
    world.selects("app", "1.0.0").await;
    world.stop().await;
    let scans = registry.log().matches("tags/list").count();

    world.start().await;
    // A new policy selects from the stored tags.
    world
        .create::<ImagePolicy>(
            "other",
            json!({
                "imageRepositoryRef": { "name": "app" }, "policy": { "alphabetical": {} },
            }),
        )
        .await;
    world.selects("other", "1.0.0").await;
    let repository: ImageRepository = world.is_ready("app").await;
    assert_eq!(scan(&repository), before);
    assert_eq!(registry.log().matches("tags/list").count(), scans);

    let api: Api<ImageRepository> = world.api().await;
    let directory = world
        .storage()
        .join("imagerepository")
        .join(&world.namespace);
    assert!(directory.join("app/tags.txt").exists());
    api.delete("app", &DeleteParams::default()).await.unwrap();
    wait::gone(&api, "app").await;
    assert!(!directory.join("app").exists());
    world
        .patch::<ImagePolicy>(
            "other",
            json!({ "spec": { "policy": { "alphabetical": { "order": "desc" } } } }),
        )
        .await;
    let message = world
        .reports::<ImagePolicy>("other", "DependencyNotReady")
        .await;
    let missing = "failed to get the referred ImageRepository: referenced ImageRepository does not \
                   exist: ImageRepository.image.toolkit.fluxcd.io \"app\" not found";
    assert_eq!(message, missing);
}

/// The Pod was replaced, so the store is empty. The policy stays ready, and no Warning is sent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_store_is_refilled_without_a_warning() {
    let (mut world, registry) = (World::new("image-lost").await, Registry::start().await);
    push(&registry, "app", "1.0.0").await;
    world
        .repository("app", &image(&registry, "app"), json!({}))
        .await;
    world.policy("app", json!({})).await;
    world.selects("app", "1.0.0").await;
    let policy = world.is_ready::<ImagePolicy>("app").await;
    world.stop().await;
    sluice_system::fs::remove_dir_all(world.storage()).unwrap();
    world.start().await;
    let directory = world
        .storage()
        .join("imagerepository")
        .join(&world.namespace);
    wait::eventually("the store is filled", || async {
        let file = directory.join("app/tags.txt");
        file.exists()
            .then_some(())
            .ok_or_else(|| "missing".to_owned())
    })
    .await;
    world.is_ready::<ImageRepository>("app").await;
    let after = world.ask::<ImagePolicy>("app").await;
    assert_eq!(ready(&after), ready(&policy));
    let warnings = world.events.events();
    let is_warning = |event: &&sluice_api::event::Event| event.severity.as_str() == "error";
    assert_eq!(warnings.iter().find(is_warning), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn private_registry_needs_credentials() {
    let world = World::new("image-auth").await;
    for (kind, options) in [
        (
            "basic",
            RegistryOptions {
                basic: true,
                ..RegistryOptions::default()
            },
        ),
        (
            "token",
            RegistryOptions {
                token: true,
                ..RegistryOptions::default()
            },
        ),
    ] {
        let registry = Registry::start_with(options).await;
        push(&registry, "app", "1.0.0").await;
        let config = registry.docker_config();
        let wrong = config.replace(Registry::PASSWORD, "canary-wrong");
        let name = |what: &str| format!("{kind}-{what}");
        for (what, config) in [("right", &config), ("wrong", &wrong)] {
            let entries = [(".dockerconfigjson", config.as_bytes())];
            world.secret(&name(what), Some(PULL_SECRET), &entries).await;
        }
        let account = ServiceAccount {
            metadata: ObjectMeta {
                name: Some(name("account")),
                ..ObjectMeta::default()
            },
            image_pull_secrets: Some(vec![LocalObjectReference {
                name: name("right"),
            }]),
            ..ServiceAccount::default()
        };
        let api: Api<ServiceAccount> = Api::namespaced(world.bed.client().await, &world.namespace);
        api.create(&PostParams::default(), &account).await.unwrap();
        let image = image(&registry, "app");
        for (what, spec) in [
            ("right", json!({ "secretRef": { "name": name("right") } })),
            ("account", json!({ "serviceAccountName": name("account") })),
            ("wrong", json!({ "secretRef": { "name": name("wrong") } })),
            ("none", json!({})),
        ] {
            world.repository(&name(what), &image, spec).await;
        }
        for what in ["right", "account"] {
            let repository = world.is_ready::<ImageRepository>(&name(what)).await;
            assert_eq!(scan(&repository).tag_count, 1);
        }
        // The digest of a policy is fetched with the same credentials.
        let digest = json!({ "digestReflectionPolicy": "IfNotPresent" });
        world.policy(&name("right"), digest).await;
        let policy = world.selects(&name("right"), "1.0.0").await;
        let latest = policy.status.unwrap().latest_ref.unwrap();
        assert!(latest.digest.unwrap().starts_with("sha256:"));
        for what in ["wrong", "none"] {
            let name = name(what);
            let message = world
                .reports::<ImageRepository>(&name, "ReadOperationFailed")
                .await;
            assert!(message.starts_with("scan failed: "), "{message}");
            assert!(!message.contains("canary"), "{message}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn certificates_open_registry() {
    let world = World::new("image-tls").await;
    let registry = Registry::start_with(RegistryOptions {
        tls: true,
        client_certificate: true,
        ..RegistryOptions::default()
    })
    .await;
    push(&registry, "app", "1.0.0").await;
    let authority = registry.authority().unwrap();
    let client = authority.client("tenant", None).unwrap();
    let certificate = authority.certificate();
    let entries = [
        ("ca.crt", certificate.as_bytes()),
        ("tls.crt", client.certificate.as_bytes()),
        ("tls.key", client.key.as_bytes()),
    ];
    world.secret("whole", None, &entries).await;
    world.secret("empty", None, &[("other", b"x")]).await;
    let image = image(&registry, "app");
    for (name, spec) in [
        (
            "whole",
            json!({ "certSecretRef": { "name": "whole" }, "insecure": false }),
        ),
        ("empty", json!({ "certSecretRef": { "name": "empty" } })),
        ("absent", json!({ "certSecretRef": { "name": "absent" } })),
        ("none", json!({ "insecure": false, "timeout": "10s" })),
    ] {
        world.repository(name, &image, spec).await;
    }
    let repository = world.is_ready::<ImageRepository>("whole").await;
    assert_eq!(scan(&repository).tag_count, 1);
    for (name, said) in [("empty", "ca.crt"), ("absent", "/absent'")] {
        let message = world
            .reports::<ImageRepository>(name, "AuthenticationFailed")
            .await;
        let start = "failed to configure authentication options: ";
        assert!(
            message.starts_with(start) && message.contains(said),
            "{message}"
        );
    }
    world
        .reports::<ImageRepository>("none", "ReadOperationFailed")
        .await;
    // The Secret is fixed, and the object is ready without an edit.
    world.secret("absent", None, &entries).await;
    world.is_ready::<ImageRepository>("absent").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_suspension_and_invalid_specs() {
    let (world, registry) = (World::new("image-edit").await, Registry::start().await);
    for tag in ["1.0.0", "1.0.1"] {
        push(&registry, "app", tag).await;
    }
    let image = image(&registry, "app");
    world.repository("app", &image, json!({})).await;
    assert_eq!(
        scan(&world.is_ready::<ImageRepository>("app").await).tag_count,
        2
    );
    world
        .patch::<ImageRepository>("app", json!({ "spec": { "exclusionList": ["1$"] } }))
        .await;
    world
        .sees("app", "excludes a tag", |it: &ImageRepository| {
            scan(it).tag_count == 1
        })
        .await;
    world
        .patch::<ImageRepository>("app", json!({ "spec": { "image": format!("{image}:v1") } }))
        .await;
    let message = world
        .reports::<ImageRepository>("app", "ImageURLInvalid")
        .await;
    let text = format!("image '{image}:v1' should not include a tag; remove ':v1'");
    assert_eq!(message, text);
    let stalled: ImageRepository = world.ask("app").await;
    assert!(
        stalled
            .status
            .as_ref()
            .unwrap()
            .conditions
            .is_true("Stalled")
    );
    let back = json!({ "spec": { "image": image, "suspend": true } });
    world.patch::<ImageRepository>("app", back).await;
    // A suspended object handles a request, and changes nothing else.
    let asleep: ImageRepository = world.ask("app").await;
    assert_eq!(ready(&asleep).1, "ImageURLInvalid");
    world
        .patch::<ImageRepository>("app", json!({ "spec": { "suspend": false } }))
        .await;
    world.is_ready::<ImageRepository>("app").await;
}

/// Plain HTTP is tried for `127.0.0.1` in any case. Another address needs the field.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn insecure_allows_plain_http() {
    let world = World::new("image-plain").await;
    let listener = tokio::net::TcpListener::bind(("127.0.0.2", 0))
        .await
        .unwrap();
    let image = format!("{}/app", listener.local_addr().unwrap());
    let tags = ["main-2-aa", "main-10-bb", "pr-11-cc"];
    let list = json!({ "name": "app", "tags": tags }).to_string();
    let router = axum::Router::new()
        .route("/v2/", axum::routing::get(async || ""))
        .route("/v2/app/tags/list", axum::routing::get(async move || list));
    tokio::spawn(async move { axum::serve(listener, router).await });
    for (name, is_insecure) in [("plain", true), ("tls", false)] {
        let spec = json!({ "insecure": is_insecure, "timeout": "10s" });
        world.repository(name, &image, spec).await;
    }
    let found: ImageRepository = world.is_ready("plain").await;
    assert_eq!(scan(&found).tag_count, 3);
    world
        .reports::<ImageRepository>("tls", "ReadOperationFailed")
        .await;
    // The filter drops the third tag, and the second one has the greatest number.
    let filter = json!({
        "imageRepositoryRef": { "name": "plain" }, "policy": { "numerical": {} },
        "filterTags": { "pattern": "^main-(?P<number>[0-9]+)-", "extract": "$number" },
    });
    world.create::<ImagePolicy>("filtered", filter).await;
    world.selects("filtered", "main-10-bb").await;
}
