//! Repositories that are opened by an identity: a GitHub App, and a service account in Azure.

use serde_json::json;
use sluice_api::source::GitRepository;
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{ApiResource, PostParams};
use sluice_testkit::kube::core::{DynamicObject, GroupVersionKind};
use sluice_testkit::{CloudAnswer, CloudRequest, FakeCloud, GitBackend};

use super::signatures::run;
use super::{World, commit, head, last_push, manifest};

const DEV_OPS: &str = "dev.azure.com";
const TENANT: &str = "6a1e8f7c-0000-4000-8000-000000000001";
const CLIENT: &str = "6a1e8f7c-0000-4000-8000-000000000002";
/// The answer of the issuer of tokens.
const TOKEN: &str = r#"{"access_token":"canary-token","expires_in":3600}"#;

/// Creates a service account with an identity in Azure.
async fn robot(world: &World) {
    let object = json!({
        "apiVersion": "v1", "kind": "ServiceAccount",
        "metadata": { "name": "robot", "annotations": {
            "azure.workload.identity/tenant-id": TENANT,
            "azure.workload.identity/client-id": CLIENT,
        } },
    });
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "ServiceAccount"));
    let client = world.bed.client().await;
    let api: Api<DynamicObject> = Api::namespaced_with(client, &world.namespace, &resource);
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
    robot(&world).await;
    let spec = json!({
        "url": format!("https://{DEV_OPS}/fleet.git"), "interval": "1h",
        "ref": { "branch": "main" }, "provider": "azure", "serviceAccountName": "robot",
        "proxySecretRef": { "name": "proxy" }, "secretRef": { "name": "ca" },
    });
    world.create::<GitRepository>("fleet", spec).await;
    world.policy("app", "1.1.0").await;
    world.automation("auto", "fleet", json!({})).await;
    let object = world.pushes("auto", None).await;
    assert_eq!(head(&repository, "main"), Some(last_push(&object)));
    let status = serde_json::to_string(&object.status).unwrap();
    let events = serde_json::to_string(&world.events.events()).unwrap();
    for text in [status, events, world.metrics()] {
        assert!(!text.contains("canary"), "{text}");
    }
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
