//! Scans with identities of clouds. The cloud is a fake that checks each request.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use k8s_openapi::api::core::v1::ServiceAccount;
use serde_json::json;
use sluice_api::image::ImageRepository;
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::PostParams;
use sluice_testkit::{Bed, CloudAnswer, CloudRequest, FakeCloud};

use super::{World, ready};

const HOST: &str = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
const STS: &str = "<R><Credentials><AccessKeyId>ASIAROBOT</AccessKeyId><SecretAccessKey>canary-key</SecretAccessKey><SessionToken>canary-session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>";

fn answer(request: &CloudRequest, upstream: &str) -> Option<CloudAnswer> {
    let password = |signer: &str| format!("canary-{signer}");
    match (request.host.as_str(), request.target.as_str()) {
        (HOST, _) => {
            let pair = request.basic();
            let wanted = ["ASIAROBOT", "AKIACONTROLLER"].map(password);
            let is_known =
                pair.is_some_and(|(user, given)| user == "AWS" && wanted.contains(&given));
            Some(if is_known {
                CloudAnswer::Forward(upstream.to_owned())
            } else {
                CloudAnswer::challenge("Basic realm=\"ecr\"")
            })
        }
        (_, "/sts") => {
            let is_role = request
                .body
                .contains("RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2Frobot");
            is_role.then(|| CloudAnswer::ok(STS))
        }
        (_, "/ecr") => {
            let signed = request.header("authorization");
            let signer = signed.split("Credential=").nth(1)?.split('/').next()?;
            let pair = BASE64_STANDARD.encode(format!("AWS:{}", password(signer)));
            Some(CloudAnswer::ok(format!(
                r#"{{"authorizationData":[{{"authorizationToken":"{pair}","expiresAt":4000000000.0}}]}}"#
            )))
        }
        _ => None,
    }
}

/// Starts a controller and a cloud with one image.
async fn stage(prefix: &str, flags: &[&str]) -> (World, FakeCloud, HostileRegistry) {
    let content = HostileRegistry::honest().await;
    content.content().image("v1", "application/x", "layer");
    let upstream = format!("http://{}", content.host());
    let cloud = FakeCloud::start(&[HOST], move |request| answer(request, &upstream)).await;
    let bed = Bed::Shared(sluice_testkit::cluster().await);
    let mut world = World::on(bed, prefix, flags).await;
    world.stop().await;
    let url = cloud.url();
    world.environment = [
        ("AWS_ACCESS_KEY_ID", "AKIACONTROLLER".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "canary-controller".to_owned()),
        ("AWS_ENDPOINT_URL_STS", format!("{url}/sts")),
        ("AWS_ENDPOINT_URL_ECR", format!("{url}/ecr")),
    ]
    .into_iter()
    .collect();
    world.start().await;
    let certificate = cloud.certificate();
    for (name, key, value) in [("proxy", "address", &url), ("ca", "ca.crt", &certificate)] {
        let entries = [(key, value.as_bytes())];
        world
            .bed
            .secret(&world.namespace, name, None, &entries)
            .await;
    }
    let api: Api<ServiceAccount> = Api::namespaced(world.bed.client().await, &world.namespace);
    let account = json!({ "metadata": {
        "name": "robot",
        "annotations": { "eks.amazonaws.com/role-arn": "arn:aws:iam::1:role/robot" },
    } });
    let account = serde_json::from_value(account).unwrap();
    api.create(&PostParams::default(), &account).await.unwrap();
    (world, cloud, content)
}

fn signers(cloud: &FakeCloud) -> Vec<String> {
    let requests = cloud.requests();
    let calls = requests.iter().filter(|request| request.target == "/ecr");
    calls
        .filter_map(|request| {
            let signed = request.header("authorization");
            let signer = signed.split("Credential=").nth(1)?.split('/').next()?;
            Some(signer.to_owned())
        })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identities_scan_a_registry_of_a_cloud() {
    let gate = "--feature-gates=ObjectLevelWorkloadIdentity=true";
    let (world, cloud, _content) = stage("image-cloud", &[gate]).await;
    let image = format!("{HOST}/app");
    let spec = |account: Option<&str>| {
        json!({
            "provider": "aws", "serviceAccountName": account, "insecure": false,
            "proxySecretRef": { "name": "proxy" }, "certSecretRef": { "name": "ca" },
        })
    };
    for (name, account, signer) in [
        ("account", Some("robot"), "ASIAROBOT"),
        ("controller", None, "AKIACONTROLLER"),
    ] {
        world.repository(name, &image, spec(account)).await;
        let repository: ImageRepository = world.is_ready(name).await;
        assert_eq!(signers(&cloud), [signer], "{name}");
        let status = serde_json::to_string(&repository.status).unwrap();
        assert!(status.contains("\"v1\""), "{status}");
        let events = serde_json::to_string(&world.events.events()).unwrap();
        for text in [status, events, world.metrics()] {
            assert!(!text.contains("canary-"), "{text}");
        }
    }
    let foreign = json!({ "provider": "gcp" });
    world.repository("foreign", &image, foreign).await;
    let repository = world
        .sees::<ImageRepository>("foreign", "is refused", |it| {
            ready(it).1 == "AuthenticationFailed"
        })
        .await;
    let message = ready(&repository).2;
    let start = "failed to configure authentication options: invalid GCP registry: '123456789012";
    assert!(message.starts_with(start), "{message}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn default_account_replaces_the_controller() {
    let gate = "--feature-gates=ObjectLevelWorkloadIdentity=true";
    let flags = [gate, "--default-service-account=robot"];
    let (world, cloud, _content) = stage("image-default", &flags).await;
    let spec = json!({
        "provider": "aws", "insecure": false,
        "proxySecretRef": { "name": "proxy" }, "certSecretRef": { "name": "ca" },
    });
    world.repository("app", &format!("{HOST}/app"), spec).await;
    let _scanned: ImageRepository = world.is_ready("app").await;
    assert_eq!(signers(&cloud), ["ASIAROBOT"]);
}
