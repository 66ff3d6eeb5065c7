//! The fault proxy in front of a real API server.
#![expect(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::StreamExt as _;
use k8s_openapi::api::core::v1::ConfigMap;
use kube::Api;
use kube::api::{ObjectMeta, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use sluice_testkit as testkit;
use testkit::devcluster::process::{Program, is_alive};
use testkit::{Fault, FaultProxy, When};

fn config_map(name: &str) -> ConfigMap {
    ConfigMap {
        metadata: ObjectMeta {
            name: Some(name.to_owned()),
            ..ObjectMeta::default()
        },
        data: Some(BTreeMap::new()),
        ..ConfigMap::default()
    }
}

/// A proxy, config maps of a namespace through it, and the same past it.
async fn proxied() -> (FaultProxy, Api<ConfigMap>, Api<ConfigMap>) {
    let testbed = testkit::cluster().await;
    let namespace = testbed.namespace("faults").await;
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    let through = Api::namespaced(proxy.client().await, &namespace);
    let past = Api::namespaced(testbed.client().await, &namespace);
    (proxy, through, past)
}

fn status_of<T: std::fmt::Debug>(answer: Result<T, kube::Error>) -> u16 {
    match answer {
        Err(kube::Error::Api(status)) => status.code,
        other => panic!("not an answer of the API: {other:?}"),
    }
}

async fn there(api: &Api<ConfigMap>, name: &str) -> bool {
    api.get_opt(name).await.unwrap().is_some()
}

#[tokio::test]
async fn every_call_is_recorded() {
    let (proxy, through, _) = proxied().await;
    through
        .create(&PostParams::default(), &config_map("one"))
        .await
        .unwrap();
    through.get("one").await.unwrap();
    let patch = Patch::Apply(serde_json::json!({
        "apiVersion": "v1", "kind": "ConfigMap", "data": { "key": "value" },
    }));
    through
        .patch("one", &PatchParams::apply("tester").force(), &patch)
        .await
        .unwrap();
    through
        .delete("missing", &kube::api::DeleteParams::default())
        .await
        .unwrap_err();

    let named: Vec<_> = proxy
        .calls()
        .into_iter()
        .map(|call| {
            (
                call.number,
                call.verb,
                call.resource,
                call.name,
                call.status,
            )
        })
        .collect();
    let of = |number, verb, name: &str, status| {
        (
            number,
            verb,
            "configmaps".to_owned(),
            name.to_owned(),
            Some(status),
        )
    };
    assert_eq!(
        named,
        [
            of(1, "create", "one", 201),
            of(2, "get", "one", 200),
            of(3, "apply", "one", 200),
            of(4, "delete", "missing", 404),
        ]
    );
    assert_eq!(proxy.calls()[2].manager, "tester");
    assert_eq!(proxy.writes().len(), 3);
    assert_eq!(proxy.count(&When::any().verb("get")), 1);
}

#[tokio::test]
async fn rule_matches_by_number_or_condition() {
    let (proxy, through, past) = proxied().await;
    proxy.inject(When::write().nth(2), Fault::TOO_MANY_REQUESTS);
    proxy.inject(
        When::any().verb("get").resource("configmaps").times(1),
        Fault::UNAVAILABLE,
    );

    through
        .create(&PostParams::default(), &config_map("one"))
        .await
        .unwrap();
    assert_eq!(status_of(through.get("one").await), 503);
    assert!(through.get("one").await.is_ok());
    assert_eq!(
        status_of(
            through
                .create(&PostParams::default(), &config_map("two"))
                .await
        ),
        429
    );
    assert!(
        !there(&past, "two").await,
        "a call that the proxy answers never reaches the server"
    );
    through
        .create(&PostParams::default(), &config_map("two"))
        .await
        .unwrap();
}

#[tokio::test]
async fn dropped_call_is_not_executed_and_lost_answer_is() {
    let (proxy, through, past) = proxied().await;
    proxy.inject(When::any().name("dropped"), Fault::Drop);
    proxy.inject(When::any().name("reset"), Fault::Reset);
    proxy.inject(When::any().name("lost"), Fault::LoseAnswer);
    for name in ["dropped", "reset", "lost"] {
        through
            .create(&PostParams::default(), &config_map(name))
            .await
            .unwrap_err();
    }
    assert!(!there(&past, "dropped").await);
    assert!(!there(&past, "reset").await);
    assert!(there(&past, "lost").await);
}

#[tokio::test]
async fn reset_reaches_client() {
    let (proxy, through, _) = proxied().await;
    proxy.inject(When::any().verb("list"), Fault::Reset);
    let error = through
        .list(&kube::api::ListParams::default())
        .await
        .unwrap_err();
    let mut chain = Vec::new();
    let mut source: Option<&dyn std::error::Error> = Some(&error);
    while let Some(error) = source {
        chain.push(error.to_string());
        source = error.source();
    }
    assert!(
        chain.iter().any(|text| text.contains("reset by peer")),
        "{chain:?}"
    );
}

#[tokio::test]
async fn doubled_create_returns_conflict() {
    let (proxy, through, past) = proxied().await;
    proxy.inject(When::any().verb("create"), Fault::SendTwice);
    let answer = through
        .create(&PostParams::default(), &config_map("twice"))
        .await;
    assert_eq!(status_of(answer), 409);
    assert!(there(&past, "twice").await);
}

#[tokio::test]
async fn delayed_call_does_not_block_others() {
    let (proxy, through, _) = proxied().await;
    proxy.inject(
        When::any().name("slow"),
        Fault::Delay(Duration::from_secs(5)),
    );
    let order = Mutex::new(Vec::new());
    let get = async |name: &'static str| {
        through.get_opt(name).await.unwrap();
        order.lock().unwrap().push(name);
    };
    tokio::join!(get("slow"), get("quick"));
    assert_eq!(*order.lock().unwrap(), ["quick", "slow"]);
}

#[tokio::test]
async fn hung_call_ends_when_connections_break() {
    let (proxy, through, _) = proxied().await;
    proxy.inject(When::any().name("hung"), Fault::Hang);
    let mut hung = Box::pin(through.get_opt("hung"));
    tokio::select! {
        _ = &mut hung => panic!("a hung call was answered"),
        () = async { while proxy.count(&When::any().name("hung")) == 0 { tokio::task::yield_now().await } } => {}
    }
    proxy.sever();
    hung.await.unwrap_err();
    assert!(
        through.get_opt("other").await.unwrap().is_none(),
        "new connections work"
    );
}

#[tokio::test]
async fn watches_stream_through_and_can_be_cut() {
    let (proxy, through, past) = proxied().await;
    let version = past.list(&kube::api::ListParams::default()).await.unwrap();
    let version = version.metadata.resource_version.unwrap();
    // Kubernetes creates this one in each new namespace, with a delay.
    let ours = WatchParams::default().fields("metadata.name!=kube-root-ca.crt");
    let mut events = through.watch(&ours, &version).await.unwrap().boxed();
    for name in ["one", "two"] {
        past.create(&PostParams::default(), &config_map(name))
            .await
            .unwrap();
        let event = events.next().await.unwrap().unwrap();
        assert!(
            matches!(event, WatchEvent::Added(map) if map.metadata.name.as_deref() == Some(name))
        );
    }
    proxy.cut_watches();
    assert!(
        events.next().await.is_none(),
        "a cut watch ends without an error"
    );
    assert_eq!(proxy.count(&When::any().verb("watch")), 1);
}

#[tokio::test]
async fn kill_happens_before_or_after_execution() {
    let (proxy, through, past) = proxied().await;
    let kills = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&kills);
    proxy.on_kill(move || {
        count.fetch_add(1, Ordering::SeqCst);
    });
    proxy.inject(When::any().name("before"), Fault::KillBefore);
    proxy.inject(When::any().name("after"), Fault::KillAfter);
    for name in ["before", "after"] {
        through
            .create(&PostParams::default(), &config_map(name))
            .await
            .unwrap_err();
    }
    assert_eq!(kills.load(Ordering::SeqCst), 2);
    assert!(!there(&past, "before").await);
    assert!(there(&past, "after").await);
}

#[tokio::test]
async fn child_process_dies_at_selected_call() {
    let testbed = testkit::cluster().await;
    let namespace = testbed.namespace("victim").await;
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    let directory = tempfile::tempdir().unwrap();
    // Any endless program will do.
    let process = Program::new("victim", "/bin/sh")
        .arguments(["-c", "while :; do sleep 0.01; done"])
        .start(Path::new(&directory.path().join("log")))
        .unwrap();
    let pid = process.pid();
    let victim = Mutex::new(process);
    proxy.on_kill(move || victim.lock().unwrap().kill());
    proxy.inject(When::write().nth(2), Fault::KillBefore);

    let api: Api<ConfigMap> = Api::namespaced(proxy.client().await, &namespace);
    api.create(&PostParams::default(), &config_map("one"))
        .await
        .unwrap();
    assert!(is_alive(pid));
    api.create(&PostParams::default(), &config_map("two"))
        .await
        .unwrap_err();
    assert!(!is_alive(pid));
}

#[tokio::test]
async fn impersonation_and_own_tokens_are_passed_on() {
    let testbed = testkit::cluster().await;
    let namespace = testbed.namespace("identity").await;
    let proxy = FaultProxy::start(&testbed.kubeconfig()).await;
    let mut config = kube::Config::from_custom_kubeconfig(
        kube::config::Kubeconfig::read_from(proxy.kubeconfig()).unwrap(),
        &kube::config::KubeConfigOptions::default(),
    )
    .await
    .unwrap();
    config.auth_info.impersonate = Some("jane".to_owned());
    let api: Api<ConfigMap> =
        Api::namespaced(kube::Client::try_from(config.clone()).unwrap(), &namespace);
    let error = api.get("one").await.unwrap_err().to_string();
    assert!(error.contains("User \"jane\" cannot get"), "{error}");
    assert_eq!(proxy.calls()[0].impersonated, "jane");

    config.auth_info.impersonate = None;
    config.auth_info.token = Some("unknown-token".to_owned().into());
    let api: Api<ConfigMap> = Api::namespaced(kube::Client::try_from(config).unwrap(), &namespace);
    assert_eq!(status_of(api.get("one").await), 401);
}
