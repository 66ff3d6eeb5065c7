//! Buckets of clouds: a real store with identities of AWS, and strict fakes of Google and Azure.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_openapi::api::core::v1::ServiceAccount;
use serde_json::{Value, json};
use sluice_digest::Algorithm;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::PostParams;
use sluice_testkit::{CloudAnswer, CloudRequest, FakeBuckets, FakeCloud, ObjectStore};

use super::Buckets;

const ACCOUNT: &str = "fleet.blob.core.windows.net";
const GATE: &str = "--feature-gates=ObjectLevelWorkloadIdentity=true";
const ROLE: &str = "arn:aws:iam::1:role/robot";

/// A controller, a real store, and fakes of the clouds.
struct BucketFixture {
    buckets: Buckets,
    cloud: FakeCloud,
    objects: Arc<FakeBuckets>,
}

/// The keys of the real store, as AWS's token service returns them. The store takes no session
/// token.
fn store_keys() -> CloudAnswer {
    CloudAnswer::ok(format!(
        "<R><Credentials><AccessKeyId>{}</AccessKeyId><SecretAccessKey>{}</SecretAccessKey>\
         <SessionToken></SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration>\
         </Credentials></R>",
        ObjectStore::ACCESS_KEY,
        ObjectStore::SECRET_KEY
    ))
}

fn answer(request: &CloudRequest, objects: &FakeBuckets) -> Option<CloudAnswer> {
    let path = request.target.split('?').next().unwrap_or_default();
    match (request.host.as_str(), path) {
        (ACCOUNT, _) => {
            let (_, query) = request.parts();
            let is_signed = query
                .get("sig")
                .is_some_and(|sig| sig == "canary-signature");
            let is_keyed = request
                .header("authorization")
                .starts_with("SharedKey fleet:");
            if is_signed || is_keyed {
                return objects.azure(request);
            }
            let code = ("x-ms-error-code", "AuthenticationFailed".to_owned());
            Some(CloudAnswer::Reply(403, vec![code], bytes::Bytes::new()))
        }
        (_, "/sts") if request.body.contains("Action=AssumeRoleWithWebIdentity") => {
            Some(store_keys())
        }
        (_, "/ldap") => {
            let is_known = request.body.contains("Action=AssumeRoleWithLDAPIdentity")
                && request.body.contains("LDAPUsername=tenant")
                && request.body.contains("LDAPPassword=canary-ldap");
            Some(if is_known {
                store_keys()
            } else {
                let error = "<E><Code>AccessDenied</Code><Message>no canary-wrong</Message></E>";
                CloudAnswer::Reply(403, Vec::new(), error.into())
            })
        }
        (_, "/computeMetadata/v1/instance/service-accounts/default/token") => {
            let flavor = ("metadata-flavor", "Google".to_owned());
            let body = r#"{"access_token":"canary-google","expires_in":3600}"#;
            Some(CloudAnswer::Reply(200, vec![flavor], body.into()))
        }
        (_, path) if path.starts_with("/storage/") => {
            if request.header("authorization") != "Bearer canary-google" {
                return Some(CloudAnswer::status(401));
            }
            objects.google(request)
        }
        _ => None,
    }
}

impl BucketFixture {
    async fn new(prefix: &str, flags: &[&str]) -> Self {
        let objects = Arc::new(FakeBuckets::default());
        for (key, content) in [("a.yaml", "a: 1\n"), ("deploy/b.yaml", "b: 1\n")] {
            objects.put(key, content);
        }
        let kept = Arc::clone(&objects);
        let cloud = FakeCloud::start(&[ACCOUNT], move |request| answer(request, &kept)).await;
        let mut buckets = Buckets::new(prefix).await;
        let world = &mut buckets.world;
        world.stop().await;
        let url = cloud.url();
        let host = url.trim_start_matches("http://").to_owned();
        world.environment = [
            ("AWS_ACCESS_KEY_ID", ObjectStore::ACCESS_KEY.to_owned()),
            ("AWS_SECRET_ACCESS_KEY", ObjectStore::SECRET_KEY.to_owned()),
            ("AWS_ENDPOINT_URL_STS", format!("{url}/sts")),
            ("GCE_METADATA_HOST", host.clone()),
            ("STORAGE_EMULATOR_HOST", host),
        ]
        .into_iter()
        .collect();
        world.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        world.start().await;
        world.secret("proxy", &[("address", &url)]).await;
        let api: Api<ServiceAccount> = Api::namespaced(world.bed.client().await, &world.namespace);
        let account = json!({ "metadata": {
            "name": "robot", "annotations": { "eks.amazonaws.com/role-arn": ROLE },
        } });
        let account = serde_json::from_value(account).unwrap();
        api.create(&PostParams::default(), &account).await.unwrap();
        buckets.store.put("apps", "a.yaml", "a: 1\n").await;
        Self {
            buckets,
            cloud,
            objects,
        }
    }

    /// Creates an object without a Secret.
    async fn follow(&self, name: &str, spec: Value) {
        let mut whole = json!({ "secretRef": null, "region": ObjectStore::REGION });
        for (key, value) in spec.as_object().unwrap() {
            whole[key] = value.clone();
        }
        self.buckets.follow(name, &whole).await;
    }

    /// Checks that no secret is in a status, an event or a metric.
    async fn check_secrets(&self, name: &str) {
        let api = self.buckets.objects().await;
        let object = api.get(name).await.unwrap();
        let status = serde_json::to_string(&object.status).unwrap();
        let events = serde_json::to_string(&self.buckets.events.events()).unwrap();
        for text in [status, events, self.buckets.metrics()] {
            assert!(!text.contains("canary-"), "{text}");
            assert!(!text.contains(ObjectStore::SECRET_KEY), "{text}");
        }
    }
}

/// The revision that Flux stores for these objects.
fn revision(tags: &[(String, String)]) -> String {
    let lines: Vec<String> = tags
        .iter()
        .map(|(key, tag)| format!("{key} {tag}\n"))
        .collect();
    Algorithm::Sha256
        .digest(lines.concat().as_bytes())
        .to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identities_of_aws_read_a_bucket() {
    let stage = BucketFixture::new("bucket-aws", &[GATE]).await;
    stage
        .follow("controller", json!({ "provider": "aws" }))
        .await;
    stage.buckets.is_ready("controller").await;
    assert!(stage.cloud.requests().is_empty());
    let account = json!({ "provider": "aws", "serviceAccountName": "robot" });
    stage.follow("account", account).await;
    stage.buckets.is_ready("account").await;
    let issued = stage.cloud.requests();
    assert_eq!(issued.len(), 1);
    assert!(
        issued[0]
            .body
            .contains("RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Frobot")
    );
    stage.check_secrets("account").await;

    // An endpoint that is not Amazon's gets no token of the account.
    let sts = json!({ "provider": "aws", "endpoint": "https://evil/?x.sts.amazonaws.com" });
    let spec = json!({ "provider": "aws", "serviceAccountName": "robot", "sts": sts });
    stage.follow("evil", spec).await;
    let message = stage
        .buckets
        .is_refused("evil", "AuthenticationFailed")
        .await;
    assert!(
        message.starts_with("AWS authentication failed: "),
        "{message}"
    );
    assert!(message.contains("invalid STS endpoint"), "{message}");
    assert!(stage.cloud.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ldap_user_reads_a_bucket() {
    let stage = BucketFixture::new("bucket-ldap", &[]).await;
    let login = [("username", "tenant"), ("password", "canary-ldap")];
    stage.buckets.secret("ldap", &login).await;
    let wrong = [("username", "tenant"), ("password", "canary-wrong")];
    stage.buckets.secret("wrong", &wrong).await;
    stage
        .buckets
        .secret("half", &[("username", "tenant")])
        .await;
    let endpoint = format!("{}/ldap", stage.cloud.url());
    let spec = |secret: &str| {
        json!({ "provider": "generic", "sts": {
            "provider": "ldap", "endpoint": endpoint, "secretRef": { "name": secret },
        } })
    };
    stage.follow("app", spec("ldap")).await;
    stage.buckets.is_ready("app").await;
    for (name, expected) in [
        (
            "wrong",
            "LDAP authentication failed: get keys for an LDAP user at 127.0.0.1: ",
        ),
        (
            "half",
            "invalid 'half' secret data for 'ldap' STS provider: required fields username, password",
        ),
    ] {
        stage.follow(name, spec(name)).await;
        let message = stage.buckets.is_refused(name, "AuthenticationFailed").await;
        assert!(message.starts_with(expected), "{message}");
        stage.check_secrets(name).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn google_bucket_is_listed_and_stored() {
    let stage = BucketFixture::new("bucket-gcp", &[]).await;
    let spec = json!({ "provider": "gcp", "endpoint": "storage.googleapis.com" });
    stage.follow("app", spec.clone()).await;
    let object = stage.buckets.is_ready("app").await;
    let artifact = object.status.unwrap().artifact.unwrap();
    assert_eq!(artifact.revision, revision(&stage.objects.google_tags()));
    stage.cloud.requests();
    // A poll without changes lists, and reads no object of the artifact.
    stage.buckets.ask("app").await;
    let requests = stage.cloud.requests();
    let media = requests.iter().filter(|it| it.target.contains("alt=media"));
    assert_eq!(media.count(), 0, "{requests:?}");
    stage.objects.put("a.yaml", "a: 22\n");
    let object = stage.buckets.ask("app").await;
    let artifact = object.status.unwrap().artifact.unwrap();
    assert_eq!(artifact.revision, revision(&stage.objects.google_tags()));
    stage.check_secrets("app").await;

    let external = json!({
        "type": "external_account", "audience": "a", "token_url": "https://evil.io",
        "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
        "credential_source": { "file": "/var/run/secrets/kubernetes.io/serviceaccount/token" },
    });
    let external = external.to_string();
    stage
        .buckets
        .secret("external", &[("serviceaccount", &external)])
        .await;
    stage.buckets.secret("empty", &[("other", "x")]).await;
    for (name, expected) in [
        (
            "empty",
            "invalid 'empty' secret data: required fields 'serviceaccount'",
        ),
        (
            "external",
            "GCP authentication failed: only credentials of the types",
        ),
    ] {
        let mut spec = spec.clone();
        spec["secretRef"] = json!({ "name": name });
        stage.follow(name, spec).await;
        let message = stage.buckets.is_refused(name, "AuthenticationFailed").await;
        assert!(message.starts_with(expected), "{message}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn azure_container_is_read_by_each_secret() {
    let flags = [GATE, "--default-service-account=robot"];
    let stage = BucketFixture::new("bucket-azure", &flags).await;
    let spec = |secret: Option<&str>| {
        json!({
            "provider": "azure", "endpoint": format!("http://{ACCOUNT}"),
            "proxySecretRef": { "name": "proxy" },
            "secretRef": secret.map(|name| json!({ "name": name })),
        })
    };
    let key = BASE64_STANDARD.encode("canary-account");
    stage.buckets.secret("key", &[("accountKey", &key)]).await;
    let signature = "?sv=2022-11-02&sig=canary-signature";
    stage.buckets.secret("sas", &[("sasKey", signature)]).await;
    for name in ["key", "sas"] {
        stage.follow(name, spec(Some(name))).await;
        let object = stage.buckets.is_ready(name).await;
        let artifact = object.status.unwrap().artifact.unwrap();
        assert_eq!(
            artifact.revision,
            revision(&stage.objects.azure_tags()),
            "{name}"
        );
        stage.cloud.requests();
        stage.buckets.ask(name).await;
        let requests = stage.cloud.requests();
        let is_listing = |request: &&CloudRequest| request.target.contains("comp=list");
        // Beside the listing, only the ignore file is asked for.
        assert_eq!(
            requests.iter().filter(is_listing).count(),
            requests.len() - 1
        );
        stage.check_secrets(name).await;
    }
    let wrong = [("sasKey", "sig=canary-other")];
    stage.buckets.secret("wrong", &wrong).await;
    stage
        .buckets
        .secret("node", &[("clientId", "canary-client")])
        .await;
    stage
        .buckets
        .secret("host", &[("authorityHost", "https://login")])
        .await;
    let principal = [
        ("tenantId", "t"),
        ("clientId", "c"),
        ("clientCertificate", "canary-pem"),
    ];
    stage.buckets.secret("certificate", &principal).await;
    for (name, reason, expected) in [
        (
            "wrong",
            "BucketOperationFailed",
            "failed to confirm existence of 'apps' bucket: the specified bucket name may be",
        ),
        (
            "node",
            "AuthenticationFailed",
            "failed to create token credential from 'node' Secret: a managed identity of the node \
             must not be used",
        ),
        (
            "host",
            "AuthenticationFailed",
            "invalid 'host' secret data: requires a 'clientId' or 'accountKey' field",
        ),
        (
            "certificate",
            "AuthenticationFailed",
            "failed to create token credential from 'certificate' Secret: failed to parse client \
             certificates: ",
        ),
    ] {
        stage.follow(name, spec(Some(name))).await;
        let message = stage.buckets.is_refused(name, reason).await;
        assert!(message.starts_with(expected), "{message}");
        stage.check_secrets(name).await;
    }
    stage.follow("plain", spec(None)).await;
    let message = stage
        .buckets
        .is_refused("plain", "AuthenticationFailed")
        .await;
    let expected = "Azure authentication failed: a token of Azure needs an https URL";
    assert!(message.starts_with(expected), "{message}");
    let requests = stage.cloud.requests();
    let has_token = |request: &CloudRequest| request.header("authorization").contains("Bearer");
    assert!(!requests.iter().any(has_token), "{requests:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn token_of_the_controller_stays_at_azure() {
    let stage = BucketFixture::new("bucket-evil", &[]).await;
    let spec = json!({ "provider": "azure", "endpoint": "https://fleet.blob.evil.io" });
    stage.follow("app", spec).await;
    let message = stage
        .buckets
        .is_refused("app", "AuthenticationFailed")
        .await;
    let expected = "Azure authentication failed: the controller's token of Azure is not sent to \
                    'fleet.blob.evil.io'";
    assert!(message.starts_with(expected), "{message}");
    let account = json!({ "provider": "gcp", "serviceAccountName": "robot" });
    stage.follow("gate", account).await;
    let _message = stage
        .buckets
        .is_refused("gate", "FeatureGateDisabled")
        .await;
    let object = stage.buckets.objects().await.get("gate").await.unwrap();
    let conditions = object.status.unwrap().conditions;
    assert!(conditions.is_true("Stalled") && conditions.is_true("FetchFailed"));
    assert!(stage.cloud.requests().is_empty());
}
