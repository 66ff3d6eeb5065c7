//! Tests tokens of an issuer on loopback.

use std::sync::Mutex;

use axum::Router;
use axum::extract::State;
use sluice_engine::Metrics;
use sluice_system::SystemClock;

use super::*;
use crate::config::ObjectIdentity;

const TENANT: &str = "6a1e8f7c-0000-4000-8000-000000000001";

type Bodies = Arc<Mutex<Vec<String>>>;

/// Starts an issuer of tokens that records the bodies of its requests.
async fn issuer() -> (String, Bodies) {
    let bodies = Bodies::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let record = async |State(bodies): State<Bodies>, body: String| {
        bodies.lock().unwrap().push(body);
        r#"{"access_token":"canary-access","expires_in":3600}"#
    };
    let router = Router::new()
        .fallback(record)
        .with_state(Arc::clone(&bodies));
    tokio::spawn(async move { axum::serve(listener, router).await });
    (url, bodies)
}

fn tokens(authority: &str, options: IdentityOptions) -> Tokens {
    let environment = [
        ("AZURE_AUTHORITY_HOST", authority),
        ("AZURE_TENANT_ID", TENANT),
        ("AZURE_CLIENT_ID", TENANT),
        ("AZURE_CLIENT_SECRET", "canary-secret"),
    ];
    Tokens::new(
        Arc::new(HttpClients::new("test")),
        Arc::new(SystemClock),
        IdentityOptions {
            environment: environment.into_iter().collect(),
            ..options
        },
    )
}

/// A hub of the public cloud.
fn hub() -> Url {
    let url = "https://ns.servicebus.windows.net/hub/messages";
    url.parse().unwrap()
}

fn config() -> ProviderConfig {
    ProviderConfig {
        identity: ObjectIdentity {
            namespace: "apps".into(),
            name: "hub".into(),
            uid: String::new(),
        },
        ..ProviderConfig::default()
    }
}

/// The scope is that of `pkg: auth/azure/scopes.go`, with two slashes.
#[tokio::test]
async fn event_hub_token_has_the_scope_of_the_reference() {
    let (url, bodies) = issuer().await;
    let metrics = Metrics::new();
    let options = IdentityOptions {
        metrics: Some(metrics.tokens().clone()),
        ..IdentityOptions::default()
    };
    let tokens = tokens(&url, options);
    for _ in 0..2 {
        let value = tokens.event_hub(&config(), &hub()).await.unwrap();
        assert_eq!(value, "Bearer canary-access");
        assert!(value.is_sensitive());
    }
    let bodies = bodies.lock().unwrap();
    assert_eq!(bodies.len(), 1);
    let scope = "scope=https%3A%2F%2Feventhubs.azure.net%2F%2F.default";
    assert!(bodies[0].contains(scope), "{}", bodies[0]);
    for line in [
        r#"gotk_token_cache_events_total{event_type="cache_miss",kind="Provider",name="hub",namespace="apps",operation="post"} 1"#,
        r#"gotk_token_cache_events_total{event_type="cache_hit",kind="Provider",name="hub",namespace="apps",operation="post"} 1"#,
        "gotk_token_cached_items 1",
    ] {
        assert!(metrics.text().contains(line), "{line}");
    }
}

#[tokio::test]
async fn disabled_cache_requests_each_token() {
    let (url, bodies) = issuer().await;
    let options = IdentityOptions {
        max_tokens: 0,
        ..IdentityOptions::default()
    };
    let tokens = tokens(&url, options);
    for _ in 0..2 {
        tokens.event_hub(&config(), &hub()).await.unwrap();
    }
    assert_eq!(bodies.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn own_identity_never_replaces_an_account() {
    let (url, bodies) = issuer().await;
    let tokens = tokens(&url, IdentityOptions::default());
    let config = ProviderConfig {
        service_account: Some("tenant".into()),
        ..config()
    };
    let error = tokens.event_hub(&config, &hub()).await.unwrap_err();
    assert_eq!(error.failure, crate::delivery::Failure::Permanent);
    assert!(error.message.contains("spec.serviceAccountName"), "{error}");
    assert!(bodies.lock().unwrap().is_empty());
}

#[tokio::test]
async fn refused_token_is_an_error_without_the_secret() {
    let tokens = tokens("http://127.0.0.1:1", IdentityOptions::default());
    let error = tokens.event_hub(&config(), &hub()).await.unwrap_err();
    assert!(!error.message.contains("canary"), "{error}");
    assert!(
        error.message.starts_with(
            "failed to create a eventhub using managed identity: failed to get token: "
        ),
        "{error}"
    );
}

#[tokio::test]
async fn own_token_goes_to_its_service_or_a_listed_host() {
    let (url, bodies) = issuer().await;
    let listed_hosts = HostAllowlist::parse(["hub.example.com"]).unwrap();
    let options = IdentityOptions {
        listed_hosts,
        ..IdentityOptions::default()
    };
    let tokens = tokens(&url, options);
    for address in [
        "https://evil.servicebus.example.com/hub",
        "https://evil.example.com/ns.servicebus.windows.net",
        "http://ns.servicebus.windows.net/hub",
    ] {
        let address = address.parse().unwrap();
        let error = tokens.event_hub(&config(), &address).await.unwrap_err();
        assert_eq!(error.failure, crate::delivery::Failure::Permanent);
        assert!(error.message.contains("token of Azure"), "{error}");
        let (identity, config) = (Identity::AzureDevOps, config());
        let devops = tokens.authorization(&identity, &config, None, &address);
        assert!(devops.await.is_err(), "{address}");
    }
    assert!(bodies.lock().unwrap().is_empty());
    let listed = "https://hub.example.com/hub".parse().unwrap();
    tokens.event_hub(&config(), &listed).await.unwrap();
    assert_eq!(bodies.lock().unwrap().len(), 1);
}
