//! Clusters and key services of clouds: a fake of each cloud, and a proxy to the API server that
//! accepts its tokens.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use sluice_sops::{DataKey, Format, MasterKey, Recipient};
use sluice_system::{Clock as _, ManualClock, SystemClock, fs};
use sluice_testkit::audit::Mark;
use sluice_testkit::{FaultProxy, Testbed};

use crate::bed::{Bed, config};
use crate::cloud_server::{CloudRequest, CloudServer};
use crate::decryption::{CANARY, of_data, sealed, value, with_keys};
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

/// Whether a user has written a config map since a mark.
async fn writes_config_map(bed: &Bed, since: Mark, user: &str) -> bool {
    bed.mark().await;
    let entries = bed.testbed.audit().since(since);
    let mut writes = entries
        .iter()
        .filter(|entry| entry.resource == "configmaps" && entry.verb == "patch");
    writes.any(|entry| entry.user == user)
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
    // The first session ends. The next watch uses a token of the second one.
    clock.advance(Duration::from_hours(2));
    oldest.store(2, Ordering::Relaxed);
    server.cut_watches();
    set_phase(&bed, "a", "ready").await;
    bed.until_applied("app", "1").await;
    assert_eq!(cloud.requests_to("POST /sts").len(), 2);
    assert!(writes_config_map(&bed, mark, &user).await);
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
        "spec.kubeConfig.configMapRef: config map '{}/place' has no \
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
async fn gke_is_entered_with_the_key_of_the_controller() {
    let testbed = sluice_testkit::cluster().await;
    let (server, user) = server(testbed, "gke").await;
    server.accept_tokens(|token| token == "canary-google");
    let (address, authority) = address(&server);
    let cloud = key_services("unused").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.json");
    let key = json!({
        "type": "authorized_user", "client_id": "c", "client_secret": "canary-secret",
        "refresh_token": "canary-refresh", "token_uri": cloud.url("/token"),
    });
    fs::write(&file, key.to_string()).unwrap();
    let file = file.to_str().unwrap().to_owned();
    let variables = [("GOOGLE_APPLICATION_CREDENTIALS", file)];
    let bed = Bed::in_cloud(Arc::new(SystemClock), &variables, &[]).await;
    bed.publish("1", &[("a.yaml", &config("a", "1"))]).await;
    let authority = String::from_utf8(decoded(&authority)).unwrap();
    place(
        &bed,
        json!({"provider": "gcp", "address": address, "ca.crt": authority}),
    )
    .await;
    let mark = bed.mark().await;
    bed.kustomization("app", by_config()).await;
    bed.until_applied("app", "1").await;
    // One token serves all requests to the cluster.
    assert_eq!(cloud.requests_to("POST /token").len(), 1);
    assert!(writes_config_map(&bed, mark, &user).await);
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
        "failed to get access token for cluster: failed to get \
         service account '{}/absent': the specified default service account does not exist in the \
         object namespace. your cluster is subject to multi-tenant workload identity lockdown, \
         reach out to your cluster administrator for help",
        bed.namespace
    );
    assert_eq!(message, expected);
}

/// The data key that the fakes unwrap.
const DATA_KEY: [u8; 32] = [7; 32];
const KMS_KEY: &str = "arn:aws:kms:eu-west-1:123456789012:alias/team/app";
const GOOGLE_KEY: &str = "projects/p/locations/global/keyRings/r/cryptoKeys/k";

/// A Secret with a password, encrypted for one recipient.
fn sealed_secret(namespace: &str, name: &str, recipient: Recipient) -> String {
    let plain = format!(
        "apiVersion: v1\nkind: Secret\nmetadata:\n  name: {name}\n  namespace: {namespace}\nstringData:\n  password: {CANARY}\n"
    );
    let key = MasterKey {
        recipient,
        wrapped: "d3JhcHBlZCEh".to_owned(),
        created_at: Some("2026-01-01T00:00:00Z".to_owned()),
    };
    let data_key = DataKey::new(DATA_KEY.to_vec());
    sealed(&plain, Format::Yaml, of_data(), &data_key, vec![vec![key]])
}

fn of_kms(role: &str) -> Recipient {
    Recipient::AwsKms {
        arn: KMS_KEY.to_owned(),
        role: role.to_owned(),
        context: vec![("App".to_owned(), "web".to_owned())],
        profile: "ignored".to_owned(),
    }
}

/// Credentials of a role session, as STS returns them.
fn role_session(key: &str) -> String {
    format!(
        "<R><Credentials><AccessKeyId>{key}</AccessKeyId><SecretAccessKey>canary-key</SecretAccessKey>\
         <SessionToken>canary-session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>"
    )
}

/// The key services. AWS KMS accepts only the credentials with this access key.
async fn key_services(access_key: &'static str) -> CloudServer {
    let plain = k8s_openapi::ByteString(DATA_KEY.to_vec());
    CloudServer::start(move |request: &CloudRequest| {
        let header = |name: &str| request.headers.get(name).map_or("", String::as_str);
        let answer = match request.line.as_str() {
            "POST /sts" => match request.field("Action")?.as_str() {
                "AssumeRoleWithWebIdentity" => return Some((200, role_session("ASIAWEB"))),
                "AssumeRole" => return Some((200, role_session("ASIAROLE"))),
                _ => return None,
            },
            "POST /kms" => {
                let body: Value = serde_json::from_str(&request.body).ok()?;
                let expected = json!({
                    "KeyId": KMS_KEY, "CiphertextBlob": "d3JhcHBlZCEh",
                    "EncryptionContext": {"App": "web"},
                });
                let credential = format!("Credential={access_key}/");
                if body != expected || !header("authorization").contains(&credential) {
                    let fault = json!({"__type": "AccessDeniedException", "message": "no"});
                    return Some((400, fault.to_string()));
                }
                json!({ "Plaintext": plain })
            }
            "POST /token" => json!({"access_token": "canary-google", "expires_in": 3600}),
            line if line == format!("POST /v1/{GOOGLE_KEY}:decrypt") => {
                if header("authorization") != "Bearer canary-google" {
                    return None;
                }
                json!({ "plaintext": plain })
            }
            _ => return None,
        };
        Some((200, answer.to_string()))
    })
    .await
}

#[tokio::test]
async fn kms_keys_are_unwrapped_as_account_and_role() {
    let cloud = key_services("ASIAROLE").await;
    let variables = [
        ("AWS_ENDPOINT_URL_STS", cloud.url("/sts")),
        ("AWS_ENDPOINT_URL_KMS", cloud.url("/kms")),
    ];
    let bed = Bed::in_cloud(Arc::new(SystemClock), &variables, &[OBJECT_LEVEL]).await;
    bed.apply(
        &json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata":
        {"name": "opener", "annotations": {"eks.amazonaws.com/role-arn": ROLE}}}),
    )
    .await;
    let files = ["one", "two"].map(|name| sealed_secret(&bed.namespace, name, of_kms(ROLE)));
    let files = [("one.yaml", files[0].as_str()), ("two.yaml", &files[1])];
    bed.publish("1", &files).await;
    let decryption = json!({"provider": "sops", "serviceAccountName": "opener"});
    bed.kustomization("app", json!({ "decryption": decryption }))
        .await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "two", "password").await, CANARY);
    // One session of the account, and one of the role that the documents name.
    let sessions = cloud.requests_to("POST /sts");
    let actions: Vec<_> = sessions
        .iter()
        .filter_map(|session| session.field("Action"))
        .collect();
    assert_eq!(actions, ["AssumeRoleWithWebIdentity", "AssumeRole"]);
    let name = sessions[1].field("RoleSessionName").unwrap();
    assert!(name.starts_with("sops@"), "{name}");
    // Both documents have one data key.
    assert_eq!(cloud.requests_to("POST /kms").len(), 1);
    let count = format!(
        r#"gotk_token_cache_events_total{{event_type="cache_miss",kind="Kustomization",name="app",namespace="{}",operation="decrypt_with_aws"}} 1"#,
        bed.namespace
    );
    let metrics = bed.metrics();
    assert!(metrics.contains(&count), "{metrics}");
    assert!(metrics.contains(r#"operation="decrypt_with_aws"}"#));
}

#[tokio::test]
async fn keys_of_the_secret_precede_the_account() {
    let cloud = key_services("AKIDSECRET").await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key.json");
    let key = json!({
        "type": "authorized_user", "client_id": "c", "client_secret": "canary-secret",
        "refresh_token": "canary-refresh", "token_uri": cloud.url("/token"),
    });
    fs::write(&file, key.to_string()).unwrap();
    let variables = [
        ("AWS_ENDPOINT_URL_STS", cloud.url("/sts")),
        ("AWS_ENDPOINT_URL_KMS", cloud.url("/kms")),
        ("SOPS_GCP_KMS_ENDPOINT", cloud.url("")),
        (
            "GOOGLE_APPLICATION_CREDENTIALS",
            file.to_str().unwrap().to_owned(),
        ),
    ];
    let bed = Bed::in_cloud(Arc::new(SystemClock), &variables, &[OBJECT_LEVEL]).await;
    let keys = "aws_access_key_id: AKIDSECRET\naws_secret_access_key: canary-own\n";
    bed.secret("keys", json!({ "sops.aws-kms": keys }), true)
        .await;
    let google = Recipient::GcpKms {
        resource_id: GOOGLE_KEY.to_owned(),
    };
    let files = [
        sealed_secret(&bed.namespace, "one", of_kms("")),
        // The Secret has no key for this one, so the identity of the controller is used.
        sealed_secret(&bed.namespace, "two", google),
    ];
    let files = [("one.yaml", files[0].as_str()), ("two.yaml", &files[1])];
    bed.publish("1", &files).await;
    bed.kustomization("app", with_keys()).await;
    bed.until_applied("app", "1").await;
    assert_eq!(value(&bed, "one", "password").await, CANARY);
    assert_eq!(value(&bed, "two", "password").await, CANARY);
    assert!(cloud.requests_to("POST /sts").is_empty());
    // A key that may not decrypt is named.
    let other = "aws_access_key_id: AKIDOTHER\naws_secret_access_key: canary-own\n";
    bed.secret("keys", json!({ "sops.aws-kms": other }), true)
        .await;
    bed.request("app", "with another key").await;
    let message = bed.until_failed("app", "BuildFailed").await;
    let expected = format!(
        "kms {KMS_KEY}: failed to decrypt sops data key with AWS KMS: call AWS KMS at {}: the \
         answer is 400 Bad Request: AccessDeniedException: no",
        cloud.url("/kms")
    );
    assert!(message.contains(&expected), "{message}");
    assert!(!message.contains("canary"), "{message}");
}

#[tokio::test]
async fn unusable_credentials_name_the_remedy() {
    let bed = Bed::start(&[OBJECT_LEVEL, "--default-decryption-service-account=absent"]).await;
    let external = json!({
        "type": "external_account", "audience": "a", "subject_token_type": "t",
        "token_url": "https://evil.example.com",
        "credential_source": {"file": "/var/run/secrets/kubernetes.io/serviceaccount/token"},
    });
    let entries = json!({
        "sops.gcp-kms": external.to_string(),
        "sops.azure-kv": "clientId: 6a1e8f7c-0000-4000-8000-000000000002\n",
    });
    bed.secret("keys", entries, true).await;
    let google = Recipient::GcpKms {
        resource_id: GOOGLE_KEY.to_owned(),
    };
    let vault = |url: &str| Recipient::AzureKeyVault {
        vault_url: url.to_owned(),
        name: "sops".to_owned(),
        version: String::new(),
    };
    for (name, recipient, expected) in [
        (
            "google",
            google,
            "failed to decrypt sops data key with GCP KMS key: only credentials of the types \
             'service_account' and 'authorized_user' may be in a Secret",
        ),
        (
            "azure",
            vault("https://keys.vault.azure.net"),
            "failed to decrypt sops data key with Azure Key Vault key \
             'https://keys.vault.azure.net/keys/sops/': sops.azure-kv: the managed identity of the \
             node is not used",
        ),
        (
            "metadata",
            vault("https://169.254.169.254"),
            "'169.254.169.254' is not the https address of a Key Vault below",
        ),
        (
            "amazon",
            of_kms(""),
            "failed to decrypt sops data key with AWS KMS: failed to get service account",
        ),
    ] {
        let file = sealed_secret(&bed.namespace, name, recipient);
        bed.publish(name, &[("s.yaml", &file)]).await;
        bed.kustomization(name, with_keys()).await;
        let message = bed.until_failed(name, "BuildFailed").await;
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains("canary"), "{message}");
    }
}
