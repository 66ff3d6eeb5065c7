//! Puts canaries into every secret place, and searches all outputs for them.

use k8s_openapi::api::core::v1::Event as ClusterEvent;
use serde_json::{Value, json};
use sluice_testkit::canary::{LeakDetector, SIGNAL, canary, detect_leaks};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::ListParams;

use super::World;
use super::sink::Sink;

#[test]
fn secrets_reach_no_output() {
    detect_leaks(sluice_host::log::CLIENT_FILTER, 1, exercise_secrets);
}

/// Type and spec of a Provider, with the entries of its Secret.
type Row = (&'static str, Value, Vec<(&'static str, String)>);

/// A port on which nothing listens.
const CLOSED: &str = "http://127.0.0.1:1";

/// Providers with secrets in addresses, tokens and headers.
fn web_rows() -> Vec<Row> {
    let address = |place: &str| format!("{CLOSED}/{}", canary(place));
    vec![
        // An address that cannot be parsed must not be quoted.
        (
            "generic",
            json!({}),
            vec![("address", canary("odd address"))],
        ),
        ("generic", json!({}), vec![("address", address("hook"))]),
        (
            "generic-hmac",
            json!({ "address": CLOSED }),
            vec![
                ("token", canary("hmac")),
                ("headers", format!("X-Key: {}\n", canary("header"))),
            ],
        ),
        (
            "generic",
            json!({ "address": CLOSED }),
            vec![("headers", format!("- {}\n", canary("list")))],
        ),
        (
            "slack",
            json!({ "address": CLOSED }),
            vec![("token", format!("{}\n", canary("line break")))],
        ),
        (
            "grafana",
            json!({ "address": CLOSED }),
            vec![("username", "u".into()), ("password", canary("basic"))],
        ),
    ]
}

/// Providers with secrets in other places.
fn other_rows(echo: &str) -> Vec<Row> {
    vec![
        (
            "nats",
            json!({ "address": "nats://127.0.0.1:1", "channel": "c" }),
            vec![("creds", canary("creds")), ("nkey", canary("nkey"))],
        ),
        (
            "nats",
            json!({ "channel": "c" }),
            vec![("address", format!("nats://{}@127.0.0.1:1", canary("nats")))],
        ),
        (
            "azureeventhub",
            json!({}),
            vec![(
                "address",
                format!("SharedAccessKey={};Endpoint=sb://x y/", canary("sas")),
            )],
        ),
        (
            "googlepubsub",
            json!({ "address": "p", "channel": "t" }),
            vec![("token", format!("{{\"type\":\"{}\"", canary("json")))],
        ),
        (
            "githubdispatch",
            json!({ "address": "https://github.com/a/b" }),
            vec![
                ("githubAppID", "1".into()),
                ("githubAppInstallationID", "2".into()),
                ("githubAppPrivateKey", canary("app")),
            ],
        ),
        (
            "sentry",
            json!({}),
            vec![("address", format!("http://{}@127.0.0.1:1/1", canary("dsn")))],
        ),
        (
            "telegram",
            json!({ "channel": "1", "proxySecretRef": { "name": "proxy" } }),
            vec![("token", canary("bot"))],
        ),
        (
            "generic",
            json!({ "address": CLOSED, "certSecretRef": { "name": "cert" } }),
            vec![("token", canary("unused"))],
        ),
        // The service repeats the token.
        (
            "slack",
            json!({ "address": echo }),
            vec![("token", canary("echo"))],
        ),
    ]
}

/// Creates a Provider of each row with a Secret, and waits for the warning about it.
async fn exercise_secrets(detector: LeakDetector) {
    tracing::info!("{SIGNAL}");
    let world = World::with("notify-canary", &["--delivery-max-age=0s"]).await;
    let sink = Sink::start().await;
    let proxy = format!("http://127.0.0.1:1/{}", canary("path"));
    let proxy = [
        ("address", proxy.as_str()),
        ("username", "u"),
        ("password", &canary("proxy")),
    ];
    world.secret("proxy", &proxy).await;
    let cert = [("tls.crt", &*canary("crt")), ("tls.key", &*canary("key"))];
    world.secret("cert", &cert).await;
    sink.answer(400, &format!("no access for {}", canary("echo")));
    let rows = [web_rows(), other_rows(&sink.url)].concat();
    for (number, (type_, mut spec, entries)) in rows.into_iter().enumerate() {
        let name = format!("p{number}");
        let entries: Vec<_> = entries
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect();
        world.secret(&name, &entries).await;
        spec["type"] = type_.into();
        spec["secretRef"] = json!({ "name": name });
        // Too short for a retry.
        spec["timeout"] = "1s".into();
        let source = json!({ "eventSources": [{ "kind": "Bucket", "name": name }] });
        world.alert(&name, spec, source).await;
        let object = json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "Bucket",
            "namespace": world.namespace, "name": name,
        });
        assert_eq!(world.post(json!({ "involvedObject": object })).await, 202);
        world
            .warning("NotificationGivenUp", &format!("of Alert '{name}'"))
            .await;
    }
    exercise_receiver(&world).await;
    inspect(&world, &detector).await;
    world.stop().await;
}

/// Shows all outputs of the controller to the detector.
async fn inspect(world: &World, detector: &LeakDetector) {
    let events: Api<ClusterEvent> = Api::namespaced(world.bed.client().await, &world.namespace);
    for event in events.list(&ListParams::default()).await.unwrap() {
        detector.inspect(&serde_json::to_string(&event).unwrap());
    }
    for kind in ["Alert", "Provider", "Receiver"] {
        let objects = world.objects(kind).await;
        for object in objects.list(&ListParams::default()).await.unwrap() {
            detector.inspect(&serde_json::to_string(&object).unwrap());
        }
    }
    let metrics = world.metrics();
    assert!(metrics.contains("sluice_webhook_calls_total"), "{metrics}");
    detector.inspect(&metrics);
}

/// Calls a Receiver with wrong credentials.
async fn exercise_receiver(world: &World) {
    world
        .secret("hook", &[("token", canary("receiver").as_str())])
        .await;
    let spec = json!({
        "type": "gitlab", "secretRef": { "name": "hook" },
        "resources": [{ "kind": "GitRepository", "name": "absent" }],
    });
    world.create("Receiver", "hook", json!({}), spec).await;
    let path = world.served("hook").await;
    let guess = format!("x{}", canary("guess"));
    let wrong = [
        ("X-Gitlab-Token", guess.as_str()),
        ("X-Gitlab-Event", "Push Hook"),
    ];
    assert_eq!(world.call(&path, &wrong, "{}").await, 400);
    let right = canary("receiver");
    let right = [
        ("X-Gitlab-Token", right.as_str()),
        ("X-Gitlab-Event", "Push Hook"),
    ];
    assert_eq!(world.call(&path, &right, "{}").await, 500);
}
