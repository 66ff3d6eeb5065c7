//! Tests which events become messages.

use serde_json::json;
use sluice_testkit::wait;

use super::sink::Sink;
use super::{World, marked};

#[tokio::test(flavor = "multi_thread")]
async fn event_arrives_as_generic_and_slack_payload() {
    let world = World::new("notify-slice").await;
    let sink = Sink::start().await;
    world.secret("slack", &[("token", "canary-token")]).await;
    let generic = json!({ "type": "generic", "address": format!("{}/generic", sink.url) });
    world.alert("generic", generic, json!({})).await;
    let slack = json!({
        "type": "slack", "address": format!("{}/slack", sink.url), "channel": "ops",
        "secretRef": { "name": "slack" },
    });
    let metadata = json!({ "eventMetadata": { "cluster": "prod" } });
    world.alert("slack", slack, metadata).await;

    assert_eq!(world.post(json!({})).await, 202);
    let requests = sink.wait(2).await;
    let of = |path: &str| requests.iter().find(|it| it.target == path).unwrap();
    let generic = of("/generic");
    assert_eq!(generic.method, "POST");
    assert_eq!(generic.headers["gotk-component"], "kustomize-controller");
    assert_eq!(generic.body["message"], "Applied revision");
    assert_eq!(
        generic.body["metadata"]["revision"],
        "main@sha1:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
    );
    let slack = of("/slack");
    assert_eq!(slack.headers["authorization"], "Bearer canary-token");
    assert_eq!(slack.body["channel"], "ops");
    let attachment = &slack.body["attachments"][0];
    assert_eq!(attachment["color"], "good");
    assert_eq!(attachment["text"], "Applied revision");
    assert_eq!(attachment["fields"][0]["title"], "cluster");
    for line in [
        "gotk_event_http_request_duration_seconds_count{code=\"202\",handler=\"/\",method=\"POST\",service=\"\"} 1",
        "sluice_notifications_total{outcome=\"delivered\",type=\"slack\"} 1",
    ] {
        // The delivery is counted after the response.
        wait::eventually(line, || async {
            let metrics = world.metrics();
            metrics.contains(line).then_some(()).ok_or(metrics)
        })
        .await;
    }
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicate_event_is_answered_with_429() {
    let world = World::new("notify-dup").await;
    assert_eq!(world.post(json!({ "message": "took 5s" })).await, 202);
    assert_eq!(world.post(json!({ "message": "took 7s" })).await, 429);
    assert_eq!(world.post(json!({ "message": "failed" })).await, 202);
    let url = format!("http://127.0.0.1:{}/any/path", world.events);
    let answer = world.http.put(url).body("{").send().await.unwrap();
    assert_eq!(answer.status(), 400);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn provider_that_was_down_gets_each_message_once() {
    let world = World::new("notify-down").await;
    let sink = Sink::start().await;
    sink.answer(503, "canary-answer");
    let provider = json!({ "type": "generic", "address": sink.url });
    world.alert("generic", provider, json!({})).await;
    for message in ["first", "second"] {
        assert_eq!(world.post(json!({ "message": message })).await, 202);
    }
    let requests = sink.wait(3).await;
    let messages: Vec<_> = requests
        .iter()
        .map(|it| it.body["message"].clone())
        .collect();
    assert_eq!(messages, ["first", "first", "second"]);
    let text = "failed to send notification for Kustomization/";
    world.warning("NotificationDispatchFailed", text).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_message_is_given_up_with_an_event() {
    let world = World::new("notify-refused").await;
    let sink = Sink::start().await;
    sink.answer(400, "channel_not_found for canary-token");
    world.secret("token", &[("token", "canary-token")]).await;
    let provider = json!({
        "type": "slack", "address": sink.url, "secretRef": { "name": "token" },
    });
    world.alert("slack", provider, json!({})).await;
    let other = Sink::start().await;
    let provider = json!({ "type": "generic", "address": other.url });
    world.alert("generic", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    let warning = world
        .warning("NotificationDispatchFailed", "channel_not_found for *****")
        .await;
    assert!(!format!("{warning:?}").contains("canary"));
    let event = world
        .warning("NotificationGivenUp", "of Alert 'slack'")
        .await;
    assert_eq!(event.involved_object.kind.as_deref(), Some("Provider"));
    // The message was not delivered, so the same event passes again, but not to the other Alert.
    assert_eq!(world.post(json!({})).await, 202);
    sink.wait(2).await;
    assert_eq!(other.wait(1).await.len(), 1);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_secret_and_provider_are_warnings() {
    let world = World::new("notify-missing").await;
    let provider = json!({
        "type": "slack", "address": "https://hooks.invalid", "secretRef": { "name": "absent" },
    });
    world.alert("slack", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    let text = format!(
        "failed to dispatch notification for Kustomization/{0}/apps: failed to initialize notifier \
         for provider 'slack': failed to get secret '{0}/absent': secrets \"absent\" not found",
        world.namespace
    );
    world.warning("NotificationDispatchFailed", &text).await;
    let spec = json!({
        "providerRef": { "name": "nowhere" },
        "eventSources": [{ "kind": "GitRepository", "name": "app" }],
    });
    world.create("Alert", "lost", marked(), spec).await;
    world.until_stored("Alert", "lost").await;
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "namespace": world.namespace, "name": "app",
    });
    assert_eq!(world.post(json!({ "involvedObject": object })).await, 202);
    let text = "failed to read provider: \
                Provider.notification.toolkit.fluxcd.io \"nowhere\" not found";
    world.warning("NotificationDispatchFailed", text).await;
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commit_status_is_set_unless_it_is_the_newest() {
    let world = World::new("notify-status").await;
    let sink = Sink::start().await;
    world.secret("token", &[("token", "canary-token")]).await;
    let provider = json!({
        "type": "gitea", "address": format!("{}/fluxcd/flux", sink.url),
        "secretRef": { "name": "token" },
        "commitStatusExpr": "'ci/' + event.involvedObject.name + '/' + provider.metadata.name",
    });
    world.alert("gitea", provider, json!({})).await;
    // An event of severity info needs a commit in its metadata.
    assert_eq!(world.post(json!({ "message": "skipped" })).await, 202);
    let key = "kustomize.toolkit.fluxcd.io/commit_status";
    let revision = "kustomize.toolkit.fluxcd.io/revision";
    let metadata = json!({
        key: "update", revision: "main@sha1:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567",
    });
    assert_eq!(world.post(json!({ "metadata": metadata })).await, 202);
    let requests = sink.wait(2).await;
    assert_eq!(requests[0].method, "GET");
    let created = &requests[1];
    assert_eq!(
        created.target,
        "/api/v1/repos/fluxcd/flux/statuses/0a1b2c3d4e5f60718293a4b5c6d7e8f901234567"
    );
    assert_eq!(created.body["context"], "ci/apps/gitea");
    assert_eq!(created.body["state"], "success");
    sink.answer(
        200,
        &json!([{
            "context": "ci/apps/gitea", "status": "success",
            "description": created.body["description"],
        }])
        .to_string(),
    );
    let again = json!({ "metadata": metadata, "message": "again" });
    assert_eq!(world.post(again).await, 202);
    // A Provider sends in order, so the status of this event follows without another one.
    let marker = json!({ "metadata": metadata, "severity": "error", "message": "broken" });
    assert_eq!(world.post(marker).await, 202);
    let requests = sink.wait(5).await;
    let methods: Vec<_> = requests[2..].iter().map(|it| it.method.as_str()).collect();
    assert_eq!(methods, ["GET", "GET", "POST"]);
    assert_eq!(requests[4].body["state"], "failure");
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn recovery_is_sent_once_to_annotated_alerts() {
    let world = World::new("notify-recovery").await;
    let sink = Sink::start().await;
    let provider = json!({ "type": "generic", "address": sink.url });
    let errors = json!({ "eventSeverity": "error" });
    let annotations = json!({ "sluice.dev/notify-recovery": "true" });
    world
        .annotated_alert("generic", provider, errors, annotations)
        .await;
    for (severity, message) in [
        ("info", "well"),
        ("error", "broken"),
        ("info", "well again"),
        ("info", "still well"),
        ("error", "broken again"),
    ] {
        let event = json!({ "severity": severity, "message": message });
        assert_eq!(world.post(event).await, 202);
    }
    let requests = sink.wait(3).await;
    let messages: Vec<_> = requests
        .iter()
        .map(|it| it.body["message"].clone())
        .collect();
    assert_eq!(messages, ["broken", "well again", "broken again"]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_of_object_select_alerts() {
    let world = World::new("notify-labels").await;
    let sink = Sink::start().await;
    for (name, team) in [("app", "a"), ("docs", "b")] {
        let labels = json!({ "labels": { "team": team } });
        let spec = json!({ "url": "https://example.com/app", "interval": "1h" });
        world.create("GitRepository", name, labels, spec).await;
    }
    let provider =
        |name: &str| json!({ "type": "generic", "address": format!("{}/{name}", sink.url) });
    let source = |team: &str| json!([{ "kind": "GitRepository", "name": "*", "matchLabels": { "team": team } }]);
    let alert = json!({ "eventSources": source("a") });
    world.alert("own", provider("own"), alert).await;
    let other = json!({ "eventSources": source("b") });
    world.alert("other", provider("other"), other).await;
    for name in ["app", "docs"] {
        let object = json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
            "namespace": world.namespace, "name": name,
        });
        assert_eq!(world.post(json!({ "involvedObject": object })).await, 202);
    }
    let requests = sink.wait(2).await;
    let mut sent: Vec<_> = requests
        .iter()
        .map(|it| {
            (
                it.target.as_str(),
                it.body["involvedObject"]["name"].clone(),
            )
        })
        .collect();
    sent.sort_by_key(|(target, _)| *target);
    // A Provider sends in order, so a message about `app` would precede the one about `docs`.
    assert_eq!(sent, [("/other", json!("docs")), ("/own", json!("app"))]);
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_event_is_refused_by_flag() {
    let world = World::with("notify-acl", &["--no-cross-namespace-refs"]).await;
    let sink = Sink::start().await;
    let provider = json!({ "type": "generic", "address": sink.url });
    let source = json!([{ "kind": "Kustomization", "name": "*", "namespace": "other" }]);
    world
        .alert("generic", provider, json!({ "eventSources": source }))
        .await;
    let object = json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "namespace": "other", "name": "apps",
    });
    assert_eq!(world.post(json!({ "involvedObject": object })).await, 202);
    let text = "cross-namespace references have been blocked";
    world.warning("NotificationDispatchFailed", text).await;
    assert!(sink.requests().is_empty());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn redirect_is_not_followed() {
    let world = World::new("notify-redirect").await;
    let (sink, other) = (Sink::start().await, Sink::start().await);
    sink.answer(307, &other.url);
    let provider = json!({ "type": "generic", "address": sink.url });
    world.alert("generic", provider, json!({})).await;
    assert_eq!(world.post(json!({})).await, 202);
    world
        .warning("NotificationDispatchFailed", "redirects are not followed")
        .await;
    assert!(other.requests().is_empty());
    world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn provider_has_a_finalizer_until_it_is_deleted() {
    let world = World::new("notify-finalizer").await;
    let spec = json!({ "type": "generic", "address": "https://example.com" });
    world.create("Provider", "web", json!({}), spec).await;
    let finalizers = json!(["finalizers.fluxcd.io"]);
    world
        .until("Provider", "web", |it| {
            it["metadata"]["finalizers"] == finalizers
        })
        .await;
    world.delete("Provider", "web").await;
    world
        .until("Provider", "web", serde_json::Value::is_null)
        .await;
    let spec = json!({ "providerRef": { "name": "web" }, "eventSources": [] });
    world
        .create("Alert", "old", json!({ "finalizers": finalizers }), spec)
        .await;
    world
        .until("Alert", "old", |it| it["metadata"]["finalizers"].is_null())
        .await;
    world.warning("Migration", "removed finalizer").await;
    world.stop().await;
}
