//! Tests the identity of a service account with tokens of a real API server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use k8s_openapi::api::core::v1::ServiceAccount;
use serde_json::{Value, json};
use sluice_api::Event;
use sluice_api::notification::Provider;
use sluice_dial::{HttpClients, Keys};
use sluice_engine::Metrics;
use sluice_host::ServiceAccounts;
use sluice_identity::HostAllowlist;
use sluice_notification_controller::config::Secrets;
use sluice_notification_controller::sender::{IdentityOptions, Sender};
use sluice_notification_controller::trial;
use sluice_system::SystemClock;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::PostParams;
use sluice_testkit::{CloudAnswer, FakeCloud};

use super::World;
use super::sink::Sink;

const TENANT: &str = "6a1e8f7c-0000-4000-8000-000000000001";
const CLIENT: &str = "6a1e8f7c-0000-4000-8000-000000000002";
const TOKEN: &str = r#"{"access_token":"canary-access","expires_in":3600}"#;

/// A sender in a namespace with the accounts `azure` and `google`.
struct SenderFixture {
    world: World,
    issuer: Sink,
    metrics: Metrics,
}

impl SenderFixture {
    async fn new(prefix: &str) -> Self {
        let world = World::new(prefix).await;
        let client = world.bed.client().await;
        let api: Api<ServiceAccount> = Api::namespaced(client, &world.namespace);
        for (name, annotations) in [
            (
                "azure",
                json!({
                    "azure.workload.identity/tenant-id": TENANT,
                    "azure.workload.identity/client-id": CLIENT,
                }),
            ),
            (
                "google",
                json!({
                    "gcp.auth.fluxcd.io/workload-identity-provider":
                        "projects/1/locations/global/workloadIdentityPools/p/providers/k",
                }),
            ),
            ("bare", json!({})),
        ] {
            let account = json!({ "metadata": { "name": name, "annotations": annotations } });
            let account = serde_json::from_value(account).unwrap();
            api.create(&PostParams::default(), &account).await.unwrap();
        }
        Self {
            issuer: Sink::start().await,
            metrics: Metrics::new(),
            world,
        }
    }

    async fn sender(&self, default_account: &str) -> Sender {
        self.sender_at(default_account, &self.issuer.url).await
    }

    /// A sender whose tokens of Azure come from this address.
    async fn sender_at(&self, default_account: &str, authority: &str) -> Sender {
        let cluster = self.world.connect(&self.metrics).await;
        let options = IdentityOptions {
            accounts: Some(ServiceAccounts::new(cluster, default_account)),
            environment: [
                ("AZURE_AUTHORITY_HOST", authority),
                ("AZURE_TENANT_ID", TENANT),
                ("AZURE_CLIENT_ID", CLIENT),
                ("AZURE_CLIENT_SECRET", "canary-secret"),
            ]
            .into_iter()
            .collect(),
            listed_hosts: HostAllowlist::default(),
            max_tokens: 10,
            max_token_age: Duration::from_hours(1),
            metrics: Some(self.metrics.tokens().clone()),
        };
        let clients = Arc::new(HttpClients::new("test"));
        Sender::new(clients, Arc::new(SystemClock), options)
    }

    /// Sends an event through a Provider to servers of a cloud. Returns the error.
    async fn send_to(&self, cloud: &FakeCloud, sender: &Sender, spec: Value) -> Result<(), String> {
        let ca = cloud.certificate();
        self.send(sender, spec, Some(&cloud.url()), Some(&ca)).await
    }

    /// Sends an event through a Provider. Returns the error.
    async fn send(
        &self,
        sender: &Sender,
        spec: Value,
        proxy: Option<&str>,
        ca: Option<&str>,
    ) -> Result<(), String> {
        let provider: Provider = serde_json::from_value(json!({
            "apiVersion": "notification.toolkit.fluxcd.io/v1beta3", "kind": "Provider",
            "metadata": { "name": "cloud", "namespace": self.world.namespace, "uid": "u-1" },
            "spec": spec,
        }))
        .unwrap();
        let event: Event = serde_json::from_value(json!({
            "involvedObject": {
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                "namespace": self.world.namespace, "name": "apps", "uid": "7e2c",
            },
            "severity": "info", "timestamp": "2026-01-02T03:04:05Z", "message": "Applied",
            "reason": "ReconciliationSucceeded", "reportingController": "kustomize-controller",
            "metadata": { "revision": "main@sha1:0a1b2c3d4e5f60718293a4b5c6d7e8f901234567" },
        }))
        .unwrap();
        let secret =
            |key: &str, value: &str| BTreeMap::from([(key.to_owned(), value.as_bytes().to_vec())]);
        let proxy = proxy.map(|address| secret("address", address));
        let certificate = ca.map(|ca| secret("ca.crt", ca));
        let secrets = Secrets {
            certificate: certificate.as_ref().map(|keys| keys as &dyn Keys),
            proxy: proxy.as_ref().map(|keys| keys as &dyn Keys),
            ..Secrets::default()
        };
        let sent = trial::send(sender, &provider, secrets, None, &event).await;
        sent.map(|_| ())
            .map_err(|error| sluice_golang::error::chain(&error))
    }
}

/// Returns the claims of a token.
fn claims(token: &str) -> Value {
    let body = token.split('.').nth(1).unwrap();
    let body = BASE64_URL_SAFE_NO_PAD.decode(body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

/// Azure DevOps, and the issuer of its tokens.
async fn azure_cloud() -> FakeCloud {
    FakeCloud::start(&["dev.azure.com"], |request| {
        match (request.host.as_str(), request.target.as_str()) {
            ("dev.azure.com", _) => Some(CloudAnswer::ok("[]")),
            (_, target) if target == token_path() => Some(CloudAnswer::ok(TOKEN)),
            _ => None,
        }
    })
    .await
}

fn token_path() -> String {
    format!("/{TENANT}/oauth2/v2.0/token")
}

/// The fields of a body in the form of a query.
fn form(body: &str) -> BTreeMap<String, String> {
    let pairs = url::form_urlencoded::parse(body.as_bytes());
    pairs.into_owned().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn token_of_service_account_sets_azure_status() {
    let stage = SenderFixture::new("notify-azure").await;
    let cloud = azure_cloud().await;
    let sender = stage.sender_at("", &cloud.url()).await;
    let spec = json!({
        "type": "azuredevops", "serviceAccountName": "azure",
        "address": "https://dev.azure.com/org/project/_git/repo",
    });
    for _ in 0..2 {
        stage.send_to(&cloud, &sender, spec.clone()).await.unwrap();
    }
    // The second message uses the cached token.
    let requests = cloud.requests();
    let (sent, issued): (Vec<_>, Vec<_>) = requests
        .iter()
        .partition(|request| request.host == "dev.azure.com");
    assert_eq!(issued.len(), 1);
    let form = form(&issued[0].body);
    assert_eq!(form["client_id"], CLIENT);
    assert_eq!(
        form["scope"],
        "499b84ac-1321-427f-aa17-267ca6975798/.default"
    );
    let claims = claims(&form["client_assertion"]);
    let subject = format!("system:serviceaccount:{}:azure", stage.world.namespace);
    assert_eq!(claims["sub"], subject);
    assert_eq!(claims["aud"], json!(["api://AzureADTokenExchange"]));
    let basic = format!("Basic {}", BASE64_STANDARD.encode(":canary-access"));
    assert_eq!(sent.len(), 4);
    assert!(sent.iter().all(|it| it.header("authorization") == basic));
    for event in ["cache_miss", "cache_hit"] {
        let line = format!(
            r#"gotk_token_cache_events_total{{event_type="{event}",kind="Provider",name="cloud",namespace="{}",operation="post"}} 1"#,
            stage.world.namespace
        );
        // A status has two requests, and the token of the second one is cached.
        let line = if event == "cache_hit" {
            line.replace("} 1", "} 3")
        } else {
            line
        };
        let metrics = stage.metrics.text();
        assert!(metrics.contains(&line), "{line}\n{metrics}");
    }
    stage.world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn default_account_serves_providers_without_one() {
    let stage = SenderFixture::new("notify-default").await;
    let cloud = azure_cloud().await;
    let spec = json!({
        "type": "azuredevops", "address": "https://dev.azure.com/org/project/_git/repo",
    });
    let sender = stage.sender_at("azure", &cloud.url()).await;
    stage.send_to(&cloud, &sender, spec.clone()).await.unwrap();
    let requests = cloud.requests();
    let issued = requests.iter().find(|it| it.target == token_path());
    assert!(form(&issued.unwrap().body).contains_key("client_assertion"));
    let sender = stage.sender_at("absent", &cloud.url()).await;
    let error = stage.send_to(&cloud, &sender, spec).await.unwrap_err();
    assert!(
        error.contains("the specified default service account does not exist"),
        "{error}"
    );
    stage.world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn token_of_the_controller_stays_at_azure() {
    let stage = SenderFixture::new("notify-own").await;
    let cloud = azure_cloud().await;
    let sender = stage.sender_at("", &cloud.url()).await;
    let devops = |server: &str| {
        let address = format!("{server}/org/project/_git/repo");
        json!({ "type": "azuredevops", "address": address })
    };
    let hub = json!({
        "type": "azureeventhub", "address": "hub", "channel": "evil.servicebus.example.com",
    });
    for (spec, expected) in [
        (
            devops("https://evil.example.com"),
            "the controller's token of Azure is not sent to 'evil.example.com'",
        ),
        (
            devops("http://dev.azure.com"),
            "a token of Azure needs an https URL",
        ),
        (
            hub,
            "the controller's token of Azure is not sent to 'evil.servicebus.example.com'",
        ),
    ] {
        let error = stage.send_to(&cloud, &sender, spec).await.unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
    assert!(cloud.requests().is_empty());
    let own = devops("https://dev.azure.com");
    stage.send_to(&cloud, &sender, own).await.unwrap();
    let requests = cloud.requests();
    let issued = requests.iter().find(|it| it.target == token_path());
    assert!(form(&issued.unwrap().body).contains_key("client_secret"));
    stage.world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unusable_accounts_are_clear_errors() {
    let stage = SenderFixture::new("notify-account").await;
    let sender = stage.sender("").await;
    let namespace = &stage.world.namespace;
    let azure = |account: &str| {
        json!({
            "type": "azuredevops", "serviceAccountName": account,
            "address": "https://127.0.0.1:1/org/project/_git/repo",
        })
    };
    let hub = json!({
        "type": "azureeventhub", "address": "hub", "channel": "ns", "serviceAccountName": "absent",
    });
    for (spec, expected) in [
        (
            azure("absent"),
            format!(
                "failed to acquire azure devops token: failed to get token: failed to get service \
                 account '{namespace}/absent': ServiceAccount \"absent\" not found"
            ),
        ),
        (
            azure("a/../../x"),
            format!("failed to get service account '{namespace}/a/../../x'"),
        ),
        (
            azure("bare"),
            "azure tenant ID is not set in the service account annotation \
             azure.workload.identity/tenant-id"
                .to_owned(),
        ),
        (
            hub,
            "failed to create a eventhub using managed identity: failed to get token".to_owned(),
        ),
    ] {
        let error = stage.send(&sender, spec, None, None).await.unwrap_err();
        assert!(error.contains(&expected), "{error}");
    }
    assert!(stage.issuer.requests().is_empty());
    stage.world.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn token_of_google_is_requested_through_the_proxy() {
    let stage = SenderFixture::new("notify-google").await;
    let sender = stage.sender("").await;
    let proxy = Sink::start().await;
    for _ in 0..8 {
        proxy.answer(403, "");
    }
    let spec = json!({
        "type": "googlepubsub", "address": "project", "channel": "topic",
        "serviceAccountName": "google",
    });
    let proxied = stage.send(&sender, spec, Some(&proxy.url), None).await;
    assert!(proxied.unwrap_err().contains("sts.googleapis.com"));
    let calls = proxy.requests();
    assert_eq!(calls[0].target, "sts.googleapis.com:443");
    assert_eq!(calls[0].method, "CONNECT");
    stage.world.stop().await;
}
