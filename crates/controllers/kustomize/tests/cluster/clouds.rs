//! Clusters of clouds: a fake of each cloud, and a proxy to the API server that accepts its tokens.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use sluice_system::{Clock as _, ManualClock, SystemClock, fs};
use sluice_testkit::{FaultProxy, Testbed};

use crate::bed::{Bed, config};
use crate::cloud_server::{CloudRequest, CloudServer};
use crate::health::{phases, set_phase, until_checking};
use crate::remote::{OBJECT_LEVEL, by_config, decoded, field};

const ARN: &str = "arn:aws:eks:eu-west-1:123456789012:cluster/prod";
const ROLE: &str = "arn:aws:iam::123456789012:role/deployer";
const AKS: &str = "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/prod";

/// A proxy to the API server, as another user than the controller.
async fn server(testbed: &Testbed, user: &str) -> (FaultProxy, String) {
    let user = testbed.name(user);
    let proxy = FaultProxy::start(&testbed.kubeconfig_for(&user)).await;
    (proxy, user)
}

/// The address of a proxy, and its certificate authority in base64.
fn address(proxy: &FaultProxy) -> (String, String) {
    let kubeconfig = fs::read_to_string(proxy.kubeconfig()).unwrap();
    let field = |key| field(&kubeconfig, key).to_owned();
    (field("server"), field("certificate-authority-data"))
}

/// Decodes base64 for URLs, without padding.
fn unpadded(text: &str) -> String {
    let mut text = text.replace('-', "+").replace('_', "/");
    text.push_str(&"=".repeat((4 - text.len() % 4) % 4));
    String::from_utf8(decoded(&text)).unwrap()
}

/// The claims of a token.
fn claims(token: &str) -> Value {
    let body = token.split('.').nth(1).unwrap();
    serde_json::from_str(&unpadded(body)).unwrap()
}

/// The API of Amazon. Each role session has its own number.
async fn amazon(server: &FaultProxy) -> CloudServer {
    let (address, authority) = address(server);
    let sessions = AtomicUsize::new(0);
    CloudServer::start(move |request: &CloudRequest| match request.line.as_str() {
        "POST /sts" => {
            let number = sessions.fetch_add(1, Ordering::Relaxed) + 1;
            Some((200, format!(
                "<R><Credentials><AccessKeyId>ASIA{number}</AccessKeyId><SecretAccessKey>canary-key</SecretAccessKey>\
                 <SessionToken>canary-session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>"
            )))
        }
        "GET /clusters/prod" => {
            let cluster = json!({"endpoint": address, "certificateAuthority": {"data": authority}});
            Some((200, json!({ "cluster": cluster }).to_string()))
        }
        _ => None,
    })
    .await
}

/// The number of the role session that signed a token for the cluster.
fn session(token: &str) -> Option<usize> {
    let url = unpadded(token.strip_prefix("k8s-aws-v1.")?);
    let (_, key) = url.split_once("&X-Amz-Credential=ASIA")?;
    let (number, _) = key.split_once("%2F")?;
    let is_bound = url.contains("&X-Amz-SignedHeaders=host%3Bx-k8s-aws-id&");
    number.parse().ok().filter(|_| is_bound)
}

/// Applies the config map `place`.
async fn place(bed: &Bed, data: Value) {
    let labels = json!({"reconcile.fluxcd.io/watch": "Enabled"});
    let metadata = json!({"name": "place", "labels": labels});
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ConfigMap", "data": data, "metadata": metadata}),
    )
    .await;
}

#[tokio::test]
async fn eks_token_is_renewed_during_a_wait() {
    let testbed = sluice_testkit::cluster().await;
    let (server, user) = server(testbed, "eks").await;
    let cloud = amazon(&server).await;
    let oldest = Arc::new(AtomicUsize::new(1));
    let accepted = Arc::clone(&oldest);
    server.accept_tokens(move |token| {
        session(token).is_some_and(|number| number >= accepted.load(Ordering::Relaxed))
    });
    let clock = Arc::new(ManualClock::at(SystemClock.now()));
    let variables = [
        ("AWS_ENDPOINT_URL_STS", cloud.url("/sts")),
        ("AWS_ENDPOINT_URL_EKS", cloud.url("/")),
    ];
    let bed = Bed::in_cloud(clock.clone(), &variables, &[OBJECT_LEVEL]).await;
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata":
        {"name": "deployer", "annotations": {"eks.amazonaws.com/role-arn": ROLE}}}),
    )
    .await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    place(
        &bed,
        json!({"provider": "aws", "cluster": ARN, "serviceAccountName": "deployer"}),
    )
    .await;
    let mark = bed.mark().await;
    let mut spec = by_config();
    spec["wait"] = json!(true);
    spec["healthCheckExprs"] = phases();
    bed.kustomization("app", spec).await;
    until_checking(&bed).await;
    let sessions = cloud.requests_to("POST /sts");
    assert_eq!(sessions.len(), 1, "the session is cached");
    assert_eq!(sessions[0].field("RoleArn").as_deref(), Some(ROLE));
    let claims = claims(&sessions[0].field("WebIdentityToken").unwrap());
    let subject = format!("system:serviceaccount:{}:deployer", bed.namespace);
    assert_eq!(claims["sub"], subject);
    assert_eq!(claims["aud"], json!(["sts.amazonaws.com"]));
    // The first session ends. The watch begins anew with a token of the second one.
    clock.advance(Duration::from_hours(2));
    oldest.store(2, Ordering::Relaxed);
    server.cut_watches();
    set_phase(&bed, "a", "ready").await;
    bed.until_applied("app", "1").await;
    assert_eq!(cloud.requests_to("POST /sts").len(), 2);
    bed.mark().await;
    let entries = bed.testbed.audit().since(mark);
    let mut writes = entries
        .iter()
        .filter(|entry| entry.resource == "configmaps" && entry.verb == "patch");
    assert!(writes.any(|entry| entry.user == user));
}

#[tokio::test]
async fn own_azure_token_goes_to_named_cluster_only() {
    let testbed = sluice_testkit::cluster().await;
    let (named, _) = server(testbed, "aks").await;
    let (stranger, _) = server(testbed, "stranger").await;
    named.accept_tokens(|token| token == "canary-cluster");
    let (address_of_named, authority) = address(&named);
    let (address_of_stranger, _) = address(&stranger);
    let kubeconfig = json!({
        "current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "a"}}],
        "clusters": [{"name": "a", "cluster": {
            "server": address_of_named, "certificate-authority-data": authority,
        }}],
    });
    let kubeconfig = k8s_openapi::ByteString(kubeconfig.to_string().into_bytes());
    let cloud = CloudServer::start(move |request| {
        let list = format!("POST {AKS}/listClusterUserCredential");
        let body = match request.line.as_str() {
            "POST /tenant/oauth2/v2.0/token" => {
                let scope = request.field("scope").unwrap_or_default();
                let is_cluster = scope == "6dae42f8-4368-4678-94ff-3960e28e3630/.default";
                let name = if is_cluster { "cluster" } else { "manager" };
                json!({"access_token": format!("canary-{name}"), "expires_in": 3600})
            }
            line if line == format!("GET {AKS}") => json!({"properties": {"aadProfile": {}}}),
            line if line == list => {
                json!({"kubeconfigs": [{"name": "user", "value": kubeconfig}]})
            }
            _ => return None,
        };
        Some((200, body.to_string()))
    })
    .await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cloud.json");
    let settings = json!({
        "resourceManagerEndpoint": cloud.url(""), "tokenAudience": "https://manager.example.com",
    });
    fs::write(&file, settings.to_string()).unwrap();
    let variables = [
        ("AZURE_AUTHORITY_HOST", cloud.url("/")),
        (
            "AZURE_ENVIRONMENT_FILEPATH",
            file.to_str().unwrap().to_owned(),
        ),
        ("AZURE_TENANT_ID", "tenant".to_owned()),
        ("AZURE_CLIENT_ID", "client".to_owned()),
        ("AZURE_CLIENT_SECRET", "canary-secret".to_owned()),
    ];
    let clock = Arc::new(SystemClock);
    let bed = Bed::in_cloud(clock, &variables, &["--no-cross-namespace-refs"]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let chosen = json!({"provider": "azure", "cluster": AKS, "address": address_of_stranger});
    place(&bed, chosen).await;
    bed.kustomization("app", by_config()).await;
    let message = bed.until_failed("app", "AccessDenied").await;
    let expected = format!(
        "failed to build kube client: spec.kubeConfig.configMapRef: config map '{}/place' has no \
         serviceAccountName, and a token of the controller is not sent to 127.0.0.1: the tenants \
         of this cluster are locked down",
        bed.namespace
    );
    assert!(message.starts_with(&expected), "{message}");
    assert!(message.contains("no kubeconfig found for AKS cluster"));
    assert!(!message.contains("canary"), "{message}");
    bed.until("app", "is stalled", |status| {
        status.conditions.is_true("Stalled")
    })
    .await;
    place(&bed, json!({"provider": "azure", "cluster": AKS})).await;
    bed.until_applied("app", "1").await;
    assert!(stranger.calls().is_empty());
}

#[tokio::test]
async fn missing_default_account_names_the_lockdown() {
    let flags = [OBJECT_LEVEL, "--default-kubeconfig-service-account=absent"];
    let bed = Bed::start(&flags).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    place(
        &bed,
        json!({"provider": "gcp", "cluster": "projects/p/locations/l/clusters/c"}),
    )
    .await;
    bed.kustomization("app", by_config()).await;
    let message = bed.until_failed("app", "ReconciliationFailed").await;
    let expected = format!(
        "failed to build kube client: failed to get access token for cluster: failed to get \
         service account '{}/absent': the specified default service account does not exist in the \
         object namespace. your cluster is subject to multi-tenant workload identity lockdown, \
         reach out to your cluster administrator for help",
        bed.namespace
    );
    assert_eq!(message, expected);
}
