//! Registries that lie, repeat themselves or never end.

use std::sync::atomic::{AtomicUsize, Ordering};

use axum::response::{IntoResponse as _, Response};
use http::{StatusCode, header};
use serde_json::json;
use sluice_api::image::{ImagePolicy, ImageRepository};
use sluice_testkit::hostile::HostileRegistry;

use super::{World, ready};

fn page(tags: &[String], next: Option<&str>) -> Response {
    let body = json!({ "name": "app", "tags": tags }).to_string();
    match next {
        Some(next) => ([(header::LINK, format!("<{next}>; rel=\"next\""))], body).into_response(),
        None => body.into_response(),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endless_and_false_listings_are_refused() {
    let world = World::new("image-lies").await;
    let count = AtomicUsize::new(0);
    let endless = HostileRegistry::start(move |asked, _| {
        let number = count.fetch_add(1, Ordering::Relaxed);
        let next = format!("/v2/app/tags/list?last={number}");
        asked
            .is(&http::Method::GET, "tags/list")
            .then(|| page(&[format!("v{number}")], Some(&next)))
    })
    .await;
    let repeated = HostileRegistry::start(|asked, _| {
        asked
            .is(&http::Method::GET, "tags/list")
            .then(|| page(&["v1".to_owned()], Some("/v2/app/tags/list?last=v1")))
    })
    .await;
    let elsewhere = HostileRegistry::start(|asked, _| {
        asked
            .is(&http::Method::GET, "tags/list")
            .then(|| page(&[], Some("http://127.0.0.2:1/v2/app/tags/list")))
    })
    .await;
    let garbage = HostileRegistry::start(|asked, _| {
        asked
            .is(&http::Method::GET, "tags/list")
            .then(|| "<html>".into_response())
    })
    .await;
    let huge = HostileRegistry::start(|asked, _| {
        asked.is(&http::Method::GET, "tags/list").then(|| {
            let tags: Vec<_> = (0..400_000).map(|number| format!("v{number}")).collect();
            page(&tags, Some("/v2/app/tags/list?last=x"))
        })
    })
    .await;
    for (name, registry, said) in [
        ("endless", &endless, "it has no end"),
        ("repeated", &repeated, "it has no end"),
        ("elsewhere", &elsewhere, "it goes on at another host"),
        ("garbage", &garbage, "it is not a list of tags"),
        ("huge", &huge, "there are more than 500000 of them"),
    ] {
        let image = format!("{}/app", registry.host());
        world
            .repository(name, &image, json!({ "timeout": "60s" }))
            .await;
        let message = world
            .reports::<ImageRepository>(name, "ReadOperationFailed")
            .await;
        assert!(message.starts_with("scan failed: "), "{name}: {message}");
        assert!(message.contains(said), "{name}: {message}");
    }
}

/// Tags of an attacker: control characters, huge ones, and an empty one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unusual_tags_are_ignored_and_reported() {
    let world = World::new("image-tags").await;
    let registry = HostileRegistry::start(|asked, _| {
        let tags = ["v1", "v2\nv9", "", "\u{1b}[2J"].map(str::to_owned);
        let mut tags = Vec::from(tags);
        tags.push("x".repeat(64 << 10));
        asked
            .is(&http::Method::GET, "tags/list")
            .then(|| page(&tags, None))
    })
    .await;
    let image = format!("{}/app", registry.host());
    world.repository("app", &image, json!({})).await;
    let repository: ImageRepository = world.is_ready("app").await;
    assert!(
        ready(&repository)
            .2
            .starts_with("successful scan: found 1 tags")
    );
    let claim = "the tags are reported";
    let event = world
        .events
        .wait_for(claim, |it| it.reason == "TagsRejected")
        .await;
    assert!(event.message.contains("lists 4 tags"), "{}", event.message);
}

/// A registry in trouble lists nothing for a moment. The stored tags stay.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_tags_are_confirmed_before_they_go() {
    let world = World::new("image-loss").await;
    let count = AtomicUsize::new(0);
    let registry = HostileRegistry::start(move |asked, _| {
        asked.is(&http::Method::GET, "tags/list").then(|| {
            let tags: Vec<_> = (0..30).map(|number| format!("1.{number}.0")).collect();
            match count.fetch_add(1, Ordering::Relaxed) {
                1 => page(&[], None),
                _ => page(&tags, None),
            }
        })
    })
    .await;
    let image = format!("{}/app", registry.host());
    world.repository("app", &image, json!({})).await;
    world.policy("app", json!({})).await;
    world.selects("app", "1.29.0").await;
    let repository: ImageRepository = world.ask("app").await;
    let result = repository.status.unwrap().last_scan_result.unwrap();
    assert_eq!(result.tag_count, 30);
    let lists = registry.asked();
    let lists = lists.iter().filter(|it| it.target.contains("tags/list"));
    assert_eq!(lists.count(), 3);
}

/// The registry lost its latest tag for good. Only the policy with the annotation keeps it, until
/// the repository excludes the tag.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn annotation_keeps_the_later_tag() {
    let world = World::new("image-keep").await;
    let count = AtomicUsize::new(0);
    let registry = HostileRegistry::start(move |asked, _| {
        asked.is(&http::Method::GET, "tags/list").then(|| {
            let tags = ["1.0.0".to_owned(), "1.1.0".to_owned()];
            let listed = if count.fetch_add(1, Ordering::Relaxed) == 0 {
                &tags[..]
            } else {
                &tags[..1]
            };
            page(listed, None)
        })
    })
    .await;
    let image = format!("{}/app", registry.host());
    world.repository("app", &image, json!({})).await;
    for name in ["plain", "keeps"] {
        let reference = json!({ "imageRepositoryRef": { "name": "app" } });
        world.policy(name, reference).await;
        world.selects(name, "1.1.0").await;
    }
    let annotation = json!({ "sluice.dev/prevent-downgrade": "true" });
    let change = json!({ "metadata": { "annotations": annotation } });
    world.patch::<ImagePolicy>("keeps", change).await;
    world.ask::<ImageRepository>("app").await;
    world.selects("plain", "1.0.0").await;
    let keeps = |policy: &ImagePolicy| {
        ready(policy)
            .2
            .ends_with("which is kept: the latest listed tag is 1.0.0")
    };
    let policy = world.sees("keeps", "keeps its tag", keeps).await;
    assert_eq!(policy.status.unwrap().latest_ref.unwrap().tag, "1.1.0");
    let change = json!({ "spec": { "exclusionList": [r"^1\.1\."] } });
    world.patch::<ImageRepository>("app", change).await;
    world.selects("keeps", "1.0.0").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn throttled_scan_waits_as_long_as_asked() {
    let world = World::new("image-429").await;
    let count = AtomicUsize::new(0);
    let registry = HostileRegistry::start(move |asked, _| {
        asked.is(&http::Method::GET, "tags/list").then(|| {
            if count.fetch_add(1, Ordering::Relaxed) < 3 {
                let headers = [(header::RETRY_AFTER, "1")];
                return (StatusCode::TOO_MANY_REQUESTS, headers).into_response();
            }
            page(&["1.0.0".to_owned()], None)
        })
    })
    .await;
    let image = format!("{}/app", registry.host());
    world.repository("app", &image, json!({})).await;
    world
        .reports::<ImageRepository>("app", "ReadOperationFailed")
        .await;
    world.is_ready::<ImageRepository>("app").await;
    // The requests of one scan are retried twice, so two scans made four requests.
    let lists = registry.asked();
    let lists = lists.iter().filter(|it| it.target.contains("tags/list"));
    assert_eq!(lists.count(), 4);
    assert!(
        world
            .metrics()
            .contains("sluice_image_scans_throttled_total 1")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_registry_ends_with_the_timeout() {
    let world = World::new("image-slow").await;
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0))
        .await
        .unwrap();
    let host = listener.local_addr().unwrap();
    let spec = json!({ "timeout": "1s" });
    world.repository("app", &format!("{host}/app"), spec).await;
    let message = world
        .reports::<ImageRepository>("app", "ReadOperationFailed")
        .await;
    let text = format!("scan failed: registry {host} did not answer within 1s");
    assert_eq!(message, text);
}
