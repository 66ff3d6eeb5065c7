//! Sources with identities of clouds: the controller's, and those of service accounts.
//!
//! The clouds are fakes that check each request. Tokens of service accounts come from the real API
//! server.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use k8s_openapi::api::core::v1::ServiceAccount;
use serde_json::{Value, json};
use sluice_api::source::OciRepository;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::PostParams;
use sluice_testkit::{CloudAnswer, CloudRequest, FakeCloud};

use crate::oci::{self, Oci};
use crate::{World, commit};

const ECR: &str = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
const GAR: &str = "europe-west1-docker.pkg.dev";
const ACR: &str = "fleet.azurecr.io";
const DEV_OPS: &str = "dev.azure.com";
const TENANT: &str = "6a1e8f7c-0000-4000-8000-000000000001";
const CLIENT: &str = "6a1e8f7c-0000-4000-8000-000000000002";
const GATE: &str = "--feature-gates=ObjectLevelWorkloadIdentity=true";

/// Returns a text that must not be seen anywhere.
fn secret(name: &str) -> String {
    format!("canary-{name}")
}

/// The claims of a token.
fn claims(token: &str) -> Value {
    let body = token.split('.').nth(1).unwrap_or_default();
    let body = BASE64_URL_SAFE_NO_PAD.decode(body).unwrap_or_default();
    serde_json::from_slice(&body).unwrap_or_default()
}

fn form(request: &CloudRequest) -> BTreeMap<String, String> {
    url::form_urlencoded::parse(request.body.as_bytes())
        .into_owned()
        .collect()
}

/// Answers of the issuers of tokens. A token has the name of its service account.
fn issue(request: &CloudRequest) -> Option<CloudAnswer> {
    let form = form(request);
    let owner = |field: &str| {
        let subject = claims(form.get(field)?)["sub"].as_str()?.to_owned();
        Some(subject.rsplit(':').next()?.to_owned())
    };
    let path = request.target.split('?').next().unwrap_or_default();
    match path {
        "/sts" if form["Action"] == "AssumeRoleWithWebIdentity" => {
            let name = owner("WebIdentityToken")?;
            assert_eq!(form["RoleArn"], format!("arn:aws:iam::1:role/{name}"));
            Some(CloudAnswer::ok(format!(
                "<R><Credentials><AccessKeyId>{name}</AccessKeyId><SecretAccessKey>{}\
                 </SecretAccessKey><SessionToken>{}</SessionToken>\
                 <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>",
                secret("key"),
                secret("session"),
            )))
        }
        "/ecr" => {
            assert_eq!(
                request.header("x-amz-target"),
                "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken"
            );
            let signed = request.header("authorization");
            let signer = signed.split("Credential=").nth(1)?.split('/').next()?;
            let pair = BASE64_STANDARD.encode(format!("AWS:{}", secret(signer)));
            Some(CloudAnswer::ok(format!(
                r#"{{"authorizationData":[{{"authorizationToken":"{pair}","expiresAt":4000000000.0}}]}}"#
            )))
        }
        "/computeMetadata/v1/instance/service-accounts/default/token" => {
            assert_eq!(request.header("metadata-flavor"), "Google");
            let token = secret("google");
            let body = format!(r#"{{"access_token":"{token}","expires_in":3600}}"#);
            let flavor = ("metadata-flavor", "Google".to_owned());
            Some(CloudAnswer::Reply(200, vec![flavor], body.into()))
        }
        path if path == format!("/{TENANT}/oauth2/v2.0/token") => {
            let name = owner("client_assertion")?;
            assert_eq!(form["client_id"], CLIENT);
            let token = secret(&name);
            let body = format!(r#"{{"access_token":"{token}","expires_in":3600}}"#);
            Some(CloudAnswer::ok(body))
        }
        _ => None,
    }
}

/// Lets requests with a password pass.
fn password(request: &CloudRequest, user: &str, password: &str) -> Option<CloudAnswer> {
    let wanted = Some((user.to_owned(), password.to_owned()));
    let challenge = "Basic realm=\"registry\"";
    (request.basic() != wanted).then(|| CloudAnswer::challenge(challenge))
}

/// Lets requests with a token pass, which the registry issues for a password.
fn token(request: &CloudRequest, host: &str, user: &str, password: &str) -> Option<CloudAnswer> {
    if request.target.starts_with("/v2/token") {
        let issued = match request.basic() {
            None => "anonymous".to_owned(),
            Some(pair) if pair == (user.to_owned(), password.to_owned()) => secret("bearer"),
            Some(_) => return Some(CloudAnswer::status(401)),
        };
        return Some(CloudAnswer::ok(format!(r#"{{"token":"{issued}"}}"#)));
    }
    let is_public = request.target.contains("/public/");
    match request.header("authorization") {
        "Bearer anonymous" if is_public => None,
        "Bearer anonymous" => Some(CloudAnswer::status(403)),
        given if given == format!("Bearer {}", secret("bearer")) => None,
        _ => Some(CloudAnswer::challenge(&format!(
            "Bearer realm=\"https://{host}/v2/token\",service=\"{host}\""
        ))),
    }
}

/// A controller with identities in the fakes, and service accounts with them.
struct CloudFixture {
    world: Oci,
    cloud: FakeCloud,
    _content: HostileRegistry,
}

impl CloudFixture {
    async fn new(prefix: &str, flags: &[&str]) -> Self {
        let content = HostileRegistry::honest().await;
        let layer = oci::layer(&[("a.yaml", "a: 1\n")]);
        content
            .content()
            .image("latest", sluice_oci::package::CONTENT_TYPE, layer);
        let upstream = format!("http://{}", content.host());
        let mut world = World::new(prefix).await;
        world.stop().await;
        let git = format!("http://{}", world.git.address());
        let answer = move |request: &CloudRequest| {
            let refused = match request.host.as_str() {
                DEV_OPS
                    if request
                        .header("authorization")
                        .starts_with("Bearer canary-") =>
                {
                    return Some(CloudAnswer::Forward(git.clone()));
                }
                DEV_OPS => return Some(CloudAnswer::status(401)),
                ECR => {
                    let names = ["robot", "AKIACONTROLLER"];
                    let known = |name: &&str| password(request, "AWS", &secret(name)).is_none();
                    let is_known = names.iter().any(known);
                    (!is_known).then(|| CloudAnswer::challenge("Basic realm=\"registry\""))
                }
                GAR => token(request, GAR, "oauth2accesstoken", &secret("google")),
                _ => return issue(request),
            };
            refused.or_else(|| Some(CloudAnswer::Forward(upstream.clone())))
        };
        let cloud = FakeCloud::start(&[ECR, GAR, ACR, DEV_OPS], answer).await;
        let url = cloud.url();
        world.environment = [
            ("AWS_ACCESS_KEY_ID", "AKIACONTROLLER".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", secret("controller")),
            ("AWS_ENDPOINT_URL_STS", format!("{url}/sts")),
            ("AWS_ENDPOINT_URL_ECR", format!("{url}/ecr")),
            ("GCE_METADATA_HOST", url.replace("http://", "")),
            ("AZURE_AUTHORITY_HOST", format!("{url}/")),
        ]
        .into_iter()
        .collect();
        world.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
        world.start().await;
        let world = Oci::over(world);
        world.secret("proxy", &[("address", &url)]).await;
        let certificate = cloud.certificate();
        world.secret("ca", &[("ca.crt", &certificate)]).await;
        let api: Api<ServiceAccount> = Api::namespaced(world.bed.client().await, &world.namespace);
        for (name, annotations) in [
            (
                "robot",
                json!({
                    "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/robot",
                    "azure.workload.identity/tenant-id": TENANT,
                    "azure.workload.identity/client-id": CLIENT,
                }),
            ),
            ("bare", json!({})),
        ] {
            let account = json!({ "metadata": { "name": name, "annotations": annotations } });
            let account = serde_json::from_value(account).unwrap();
            api.create(&PostParams::default(), &account).await.unwrap();
        }
        Self {
            world,
            cloud,
            _content: content,
        }
    }

    async fn follow(&self, name: &str, url: &str, spec: Value) {
        let mut whole = json!({
            "proxySecretRef": { "name": "proxy" }, "certSecretRef": { "name": "ca" },
        });
        for (key, value) in spec.as_object().unwrap() {
            whole[key] = value.clone();
        }
        self.world.follow(name, url, &whole).await;
    }

    /// The requests to the issuers of tokens.
    fn issued(&self) -> Vec<CloudRequest> {
        let requests = self.cloud.requests().into_iter();
        let hosts = [ECR, GAR, ACR, DEV_OPS];
        requests
            .filter(|request| !hosts.contains(&request.host.as_str()))
            .collect()
    }

    /// Checks that no secret is in the status of an object, in an event or in a metric.
    fn check_secrets(&self, object: &OciRepository) {
        let status = serde_json::to_string(&object.status).unwrap();
        let events = serde_json::to_string(&self.world.events.events()).unwrap();
        for text in [status, events, self.world.metrics()] {
            assert!(!text.contains("canary-"), "{text}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn account_of_an_object_logs_in_to_ecr() {
    let stage = CloudFixture::new("cloud-ecr", &[GATE]).await;
    let url = format!("oci://{ECR}/app");
    let spec = json!({ "provider": "aws", "serviceAccountName": "robot" });
    stage.follow("app", &url, spec).await;
    let object = stage.world.is_ready("app").await;
    let issued = stage.issued();
    let paths: Vec<_> = issued.iter().map(|request| &*request.target).collect();
    assert_eq!(paths, ["/sts", "/ecr"]);
    let claims = claims(&form(&issued[0])["WebIdentityToken"]);
    let subject = format!("system:serviceaccount:{}:robot", stage.world.namespace);
    assert_eq!(claims["sub"], subject);
    assert_eq!(claims["aud"], json!(["sts.amazonaws.com"]));
    // The next run uses the cache.
    stage.world.ask("app").await;
    assert!(stage.issued().is_empty());
    stage.check_secrets(&object);
    let metrics = stage.world.metrics();
    let miss = format!(
        "gotk_token_cache_events_total{{event_type=\"cache_miss\",kind=\"OCIRepository\",\
         name=\"app\",namespace=\"{}\",operation=\"reconcile\"}} 1",
        stage.world.namespace
    );
    assert!(metrics.contains(&miss), "{metrics}");
    assert!(metrics.contains("gotk_token_cached_items 2"), "{metrics}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn controller_logs_in_to_registries() {
    let stage = CloudFixture::new("cloud-own", &[]).await;
    let public = format!("oci://{GAR}/project/public/app");
    let gcp = || json!({ "provider": "gcp" });
    stage.follow("public", &public, gcp()).await;
    stage.world.is_ready("public").await;
    assert!(stage.issued().is_empty(), "a public image costs a token");

    let private = format!("oci://{GAR}/project/private/app");
    stage.follow("gar", &private, gcp()).await;
    let object = stage.world.is_ready("gar").await;
    stage.check_secrets(&object);
    let issued = stage.issued();
    assert_eq!(issued.len(), 1);
    assert!(issued[0].target.starts_with("/computeMetadata/"));

    let url = format!("oci://{ECR}/app");
    stage
        .follow("ecr", &url, json!({ "provider": "aws" }))
        .await;
    let object = stage.world.is_ready("ecr").await;
    stage.check_secrets(&object);
    let issued = stage.issued();
    let paths: Vec<_> = issued.iter().map(|request| &*request.target).collect();
    assert_eq!(paths, ["/ecr"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn default_account_replaces_the_controller() {
    let flags = [GATE, "--default-service-account=robot"];
    let stage = CloudFixture::new("cloud-default", &flags).await;
    let url = format!("oci://{ECR}/app");
    stage
        .follow("app", &url, json!({ "provider": "aws" }))
        .await;
    stage.world.is_ready("app").await;
    let issued = stage.issued();
    let paths: Vec<_> = issued.iter().map(|request| &*request.target).collect();
    assert_eq!(paths, ["/sts", "/ecr"]);
    assert!(
        issued[1]
            .header("authorization")
            .contains("Credential=robot/")
    );

    let flags = [GATE, "--default-service-account=absent"];
    let stage = CloudFixture::new("cloud-absent", &flags).await;
    stage
        .follow("app", &url, json!({ "provider": "aws" }))
        .await;
    let (_, message) = stage.world.is_refused("app", "AuthenticationFailed").await;
    let start = format!(
        "failed to get credential from aws: failed to get access token for artifact registry: \
         failed to get service account '{}/absent': the specified default service account does \
         not exist",
        stage.world.namespace
    );
    assert!(message.starts_with(&start), "{message}");
    assert!(stage.cloud.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unusable_identity_is_named_and_costs_no_request() {
    let stage = CloudFixture::new("cloud-refused", &[GATE]).await;
    let url = format!("oci://{ECR}/app");
    let account = |name: &str| json!({ "provider": "aws", "serviceAccountName": name });
    let evil = format!("oci://{ECR}.evil.io/app");
    for (name, url, spec, expected) in [
        (
            "host",
            evil.as_str(),
            json!({ "provider": "aws" }),
            "failed to get credential from aws: invalid AWS registry: \
             '123456789012.dkr.ecr.eu-west-1.amazonaws.com.evil.io'. must match ^[0-9]",
        ),
        (
            "provider",
            &url,
            json!({ "provider": "azure" }),
            "failed to get credential from azure: invalid Azure registry: '123456789012",
        ),
        (
            "missing",
            &url,
            account("gone"),
            "failed to get credential: serviceaccount",
        ),
        ("name", &url, account("../x"), "failed to get credential: "),
        (
            "annotation",
            &url,
            account("bare"),
            "failed to get credential from aws: failed to get access token for artifact registry: \
             failed to get provider identity from service account '",
        ),
    ] {
        stage.follow(name, url, spec).await;
        let (_, message) = stage.world.is_refused(name, "AuthenticationFailed").await;
        assert!(message.starts_with(expected), "{name}: {message}");
    }
    assert!(stage.issued().is_empty());

    let stage = CloudFixture::new("cloud-gate", &[]).await;
    stage.follow("app", &url, account("robot")).await;
    let (object, message) = stage.world.is_refused("app", "FeatureGateDisabled").await;
    assert_eq!(
        message,
        "to use spec.serviceAccountName for provider authentication please enable the \
         ObjectLevelWorkloadIdentity feature gate in the controller"
    );
    let conditions = object.status.unwrap().conditions;
    assert!(conditions.is_true("Stalled"));
    assert!(stage.cloud.requests().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn account_of_an_object_reads_azure_devops() {
    let stage = CloudFixture::new("cloud-devops", &[GATE]).await;
    let repository = stage.world.git.create("app", "main").unwrap();
    commit(&repository, "First", &[("a.yaml", "a: 1\n")]);
    let spec = |account: Option<&str>, url: &str| {
        json!({
            "url": url, "provider": "azure", "serviceAccountName": account,
            "proxySecretRef": { "name": "proxy" }, "secretRef": { "name": "ca" },
        })
    };
    let path = stage.world.git.url("app");
    let path = path.rsplit('/').next().unwrap();
    let url = format!("https://{DEV_OPS}/{path}");
    stage.world.create("app", &spec(Some("robot"), &url)).await;
    let object = stage.world.ready("app").await;
    let status = serde_json::to_string(&object.status).unwrap();
    assert!(!status.contains("canary-"), "{status}");
    let issued = stage.issued();
    assert_eq!(issued.len(), 1);
    let form = form(&issued[0]);
    assert_eq!(
        form["scope"],
        "499b84ac-1321-427f-aa17-267ca6975798/.default"
    );
    assert_eq!(
        claims(&form["client_assertion"])["aud"],
        json!(["api://AzureADTokenExchange"])
    );

    // The controller's token stays at Azure.
    let elsewhere = spec(None, "https://git.example.com/app");
    stage.world.create("elsewhere", &elsewhere).await;
    let (_, message) = stage
        .world
        .refused("elsewhere", "AuthenticationFailed")
        .await;
    let expected = "failed to configure authentication options: the controller's token of Azure \
                    is not sent to 'git.example.com'";
    assert!(message.starts_with(expected), "{message}");
}
