//! Repositories that are opened by an identity: a GitHub App, and a service account in Azure or
//! AWS.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use sluice_api::image::ImageUpdateAutomation;
use sluice_api::source::GitRepository;
use sluice_identity::aws::{AwsCredentials, Repository};
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{ApiResource, PostParams};
use sluice_testkit::kube::core::{DynamicObject, GroupVersionKind};
use sluice_testkit::{Bed, CloudAnswer, CloudRequest, FakeCloud, GitBackend};
use url::Url;

use super::signatures::run;
use super::{World, commit, head, last_push, manifest};

const DEV_OPS: &str = "dev.azure.com";
const TENANT: &str = "6a1e8f7c-0000-4000-8000-000000000001";
const CLIENT: &str = "6a1e8f7c-0000-4000-8000-000000000002";
/// The answer of the issuer of tokens.
const TOKEN: &str = r#"{"access_token":"canary-token","expires_in":3600}"#;

/// Waits until the automation has pushed, and looks for secrets in its outputs.
async fn is_pushed_without_secrets(world: &World, repository: &sluice_git::serve::Repository) {
    let object = world.pushes("auto", None).await;
    assert_eq!(head(repository, "main"), Some(last_push(&object)));
    let status = serde_json::to_string(&object.status).unwrap();
    let events = serde_json::to_string(&world.events.events()).unwrap();
    for text in [status, events, world.metrics()] {
        assert!(!text.contains("canary"), "{text}");
    }
}

/// Creates a service account with an identity.
async fn robot(world: &World, namespace: &str, annotations: Value) {
    let object = json!({
        "apiVersion": "v1", "kind": "ServiceAccount",
        "metadata": { "name": "robot", "annotations": annotations },
    });
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "ServiceAccount"));
    let client = world.bed.client().await;
    let api: Api<DynamicObject> = Api::namespaced_with(client, namespace, &resource);
    let object: DynamicObject = serde_json::from_value(object).unwrap();
    api.create(&PostParams::default(), &object).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn service_account_pushes_to_azure_devops() {
    let mut world = World::idle("iua-azure").await;
    let repository = world.git.create("fleet.git", "main");
    commit(
        &repository,
        &[("app.yaml", &manifest(&world, "app", "1.0.0"))],
    );
    let git = format!("http://{}", world.git.address());
    let answer = move |request: &CloudRequest| match request.host.as_str() {
        DEV_OPS if request.header("authorization") == "Bearer canary-token" => {
            Some(CloudAnswer::Forward(git.clone()))
        }
        DEV_OPS => Some(CloudAnswer::status(401)),
        _ => {
            let is_issuer = request.target == format!("/{TENANT}/oauth2/v2.0/token");
            is_issuer.then(|| CloudAnswer::ok(TOKEN))
        }
    };
    let cloud = FakeCloud::start(&[DEV_OPS], answer).await;
    let authority = ("AZURE_AUTHORITY_HOST", format!("{}/", cloud.url()));
    let gate = "--feature-gates=ObjectLevelWorkloadIdentity=true";
    world
        .start(&[gate], [authority].into_iter().collect())
        .await;
    let (url, certificate) = (cloud.url(), cloud.certificate());
    for (name, key, value) in [("proxy", "address", &url), ("ca", "ca.crt", &certificate)] {
        let entries = [(key, value.as_bytes())];
        let namespace = &world.namespace;
        world.bed.secret(namespace, name, None, &entries).await;
    }
    let identity = json!({
        "azure.workload.identity/tenant-id": TENANT,
        "azure.workload.identity/client-id": CLIENT,
    });
    robot(&world, &world.namespace, identity).await;
    let spec = json!({
        "url": format!("https://{DEV_OPS}/fleet.git"), "interval": "1h",
        "ref": { "branch": "main" }, "provider": "azure", "serviceAccountName": "robot",
        "proxySecretRef": { "name": "proxy" }, "secretRef": { "name": "ca" },
    });
    world.create::<GitRepository>("fleet", spec).await;
    world.policy("app", "1.1.0").await;
    world.automation("auto", "fleet", json!({})).await;
    is_pushed_without_secrets(&world, &repository).await;
}

const CODE_COMMIT: &str = "git-codecommit.eu-west-1.amazonaws.com";

/// The keys that a role gets.
fn keys() -> AwsCredentials {
    AwsCredentials {
        access_key: "AKIAROBOT".to_owned(),
        secret_key: "canary-key".into(),
        session_token: Some("canary-session".into()),
        expires: None,
    }
}

/// Whether a request has the user and the signature that CodeCommit wants of these keys. The
/// signatures of [`Repository::sign`] are recorded ones of AWS in `crates/remotes/identity`.
fn is_signed(request: &CloudRequest, url: &str) -> bool {
    let Some((user, password)) = request.basic() else {
        return false;
    };
    let (time, _) = password.split_once('Z').unwrap();
    let time = DateTime::strptime("%Y%m%dT%H%M%S", time).unwrap();
    let time = time.to_zoned(TimeZone::UTC).unwrap().timestamp();
    let repository = Repository::parse(&Url::parse(url).unwrap()).unwrap();
    let wanted = repository.sign(&keys(), time.into()).value;
    (user, &*password) == (wanted.username, wanted.password.expose())
}

/// The repository and its Secrets are in another namespace, with another account of this name. As
/// in Flux, the account is that of the automation's namespace.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn account_of_the_automation_pushes_to_code_commit() {
    let mut world = World::on(Bed::own().await, "iua-aws").await;
    let repository = world.git.create("fleet.git", "main");
    commit(
        &repository,
        &[("app.yaml", &manifest(&world, "app", "1.0.0"))],
    );
    let git = format!("http://{}", world.git.address());
    let url = format!("https://{CODE_COMMIT}/fleet.git");
    let address = url.clone();
    let answer = move |request: &CloudRequest| {
        if request.host == CODE_COMMIT {
            return Some(if is_signed(request, &address) {
                CloudAnswer::Forward(git.clone())
            } else {
                CloudAnswer::challenge("Basic realm=\"CodeCommit\"")
            });
        }
        let form = url::form_urlencoded::parse(request.body.as_bytes());
        let role = form.into_owned().find(|(key, _)| key == "RoleArn");
        let is_own = role.is_some_and(|(_, role)| role == "arn:aws:iam::1:role/own");
        is_own.then(|| {
            CloudAnswer::ok(
                "<R><Credentials><AccessKeyId>AKIAROBOT</AccessKeyId>\
                 <SecretAccessKey>canary-key</SecretAccessKey>\
                 <SessionToken>canary-session</SessionToken>\
                 <Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>",
            )
        })
    };
    let cloud = FakeCloud::start(&[CODE_COMMIT], answer).await;
    let issuer = ("AWS_ENDPOINT_URL_STS", format!("{}/sts", cloud.url()));
    let flags = [
        "--feature-gates=ObjectLevelWorkloadIdentity=true",
        "--watch-all-namespaces=true",
    ];
    world.start(&flags, [issuer].into_iter().collect()).await;
    let sources = world.bed.namespace("iua-aws-sources").await;
    for (namespace, role) in [(&world.namespace, "own"), (&sources, "other")] {
        let role = format!("arn:aws:iam::1:role/{role}");
        robot(
            &world,
            namespace,
            json!({ "eks.amazonaws.com/role-arn": role }),
        )
        .await;
    }
    let (proxy, certificate) = (cloud.url(), cloud.certificate());
    for (name, key, value) in [("proxy", "address", &proxy), ("ca", "ca.crt", &certificate)] {
        let entries = [(key, value.as_bytes())];
        world.bed.secret(&sources, name, None, &entries).await;
    }
    let object = json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
        "metadata": { "name": "fleet", "namespace": sources },
        "spec": {
            "url": url, "interval": "1h", "ref": { "branch": "main" }, "provider": "aws",
            "serviceAccountName": "robot", "proxySecretRef": { "name": "proxy" },
            "secretRef": { "name": "ca" },
        },
    });
    let api: Api<GitRepository> = Api::namespaced(world.bed.client().await, &sources);
    let object = serde_json::from_value(object).unwrap();
    api.create(&PostParams::default(), &object).await.unwrap();
    world.policy("app", "1.1.0").await;
    let spec = json!({
        "interval": "1h",
        "sourceRef": { "kind": "GitRepository", "name": "fleet", "namespace": sources },
        "git": { "commit": { "author": { "email": "bot@example.com" } } },
        "update": { "strategy": "Setters" },
    });
    world.create::<ImageUpdateAutomation>("auto", spec).await;
    is_pushed_without_secrets(&world, &repository).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn github_app_pushes_with_its_token() {
    let world = World::new("iua-app").await;
    let github = FakeCloud::start(&[], |request: &CloudRequest| {
        let is_token = request
            .line()
            .ends_with("/app/installations/7/access_tokens");
        let is_signed = request.header("authorization").starts_with("Bearer ");
        let token = json!({ "token": "canary-token", "expires_at": "2099-01-01T00:00:00Z" });
        let created = CloudAnswer::Reply(201, Vec::new(), token.to_string().into());
        (is_token && is_signed).then_some(created)
    })
    .await;
    let server = GitBackend::start_with(HttpOptions {
        basic: Some(("x-access-token".to_owned(), "canary-token".to_owned())),
        ..HttpOptions::default()
    })
    .await;
    let repository = server.create("fleet.git", "main");
    commit(
        &repository,
        &[("app.yaml", &manifest(&world, "app", "1.0.0"))],
    );
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("key");
    let key = path.display().to_string();
    let form = ["-q", "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", ""];
    run("ssh-keygen", &[&form[..], &["-f", &key]].concat()).await;
    let key = std::fs::read(&path).unwrap();
    let base = format!("{}/api/v3", github.url());
    let app = [
        ("githubAppID", b"42".as_slice()),
        ("githubAppInstallationID", b"7"),
        ("githubAppPrivateKey", &key),
        ("githubAppBaseURL", base.as_bytes()),
    ];
    world.bed.secret(&world.namespace, "app", None, &app).await;
    let spec = json!({
        "url": server.url("fleet.git"), "interval": "1h", "ref": { "branch": "main" },
        "provider": "github", "secretRef": { "name": "app" },
    });
    world.create::<GitRepository>("fleet", spec).await;
    world.policy("app", "1.1.0").await;
    world.automation("auto", "fleet", json!({})).await;
    let object = world.pushes("auto", None).await;
    assert_eq!(head(&repository, "main"), Some(last_push(&object)));
    assert_eq!(github.requests().len(), 1);
}
