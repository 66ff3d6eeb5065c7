//! Tests `bootstrap git` at CodeCommit with identities of Amazon: keys in the environment, a token
//! for the controllers' role, and the role of a service account.
//!
//! Fake servers replace Amazon. One accepts correctly signed requests under Amazon's name. The
//! other issues role credentials for valid requests.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use k8s_openapi::api::core::v1::{Secret, ServiceAccount};
use kube::api::PostParams;
use serde_json::{Value, json};
use sluice_identity::aws::{AwsCredentials, Repository};
use sluice_system::fs;
use sluice_testkit::git_backend::HttpOptions;
use sluice_testkit::{GitBackend, Sluice};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use url::Url;

use super::{BootstrapFixture, COMPONENTS, NAMESPACE};
use crate::program;
use crate::world::{Kind, condition};

const HOST: &str = "git-codecommit.eu-west-1.amazonaws.com";
const CONTROLLERS: &str = "arn:aws:iam::123456789012:role/controllers";
const TENANT: &str = "arn:aws:iam::123456789012:role/tenant";
const SECRET_KEY: &str = "canary-of-the-key";
const SESSION: &str = "canary-of-the-session";

/// Whether an accepted user signed the request for the repository.
fn is_signed(authorization: &str) -> bool {
    let pair = || {
        let text = BASE64_STANDARD
            .decode(authorization.strip_prefix("Basic ")?)
            .ok()?;
        let text = String::from_utf8(text).ok()?;
        let (user, password) = text.split_once(':')?;
        Some((user.to_owned(), password.to_owned()))
    };
    let Some((user, password)) = pair() else {
        return false;
    };
    let Some((access_key, _)) = user.split_once('%') else {
        return false;
    };
    let time = password.split('Z').next().unwrap_or_default();
    let Ok(time) = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%S", time) else {
        return false;
    };
    let credentials = AwsCredentials {
        access_key: access_key.to_owned(),
        secret_key: SECRET_KEY.into(),
        session_token: Some(SESSION.into()),
        expires: None,
    };
    let url = Url::parse(&format!("https://{HOST}/v1/repos/fleet")).unwrap();
    let time = time.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp();
    let right = Repository::parse(&url)
        .unwrap()
        .sign(&credentials, time.into())
        .value;
    ["ASIAMACHINE", "ASIACONTROLLERS", "ASIATENANT"].contains(&access_key)
        && (user, &password) == (right.username, right.password.expose())
}

/// Starts a proxy for one host name.
async fn proxy(to: std::net::SocketAddr) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(pass(stream, to));
        }
    });
    format!("http://{address}")
}

async fn pass(mut stream: TcpStream, to: std::net::SocketAddr) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    if !String::from_utf8(head)
        .ok()?
        .starts_with(&format!("CONNECT {HOST}:443 "))
    {
        stream
            .write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            .await
            .ok()?;
        return None;
    }
    stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.ok()?;
    let mut host = TcpStream::connect(to).await.ok()?;
    copy_bidirectional(&mut stream, &mut host)
        .await
        .ok()
        .map(drop)
}

/// Requested roles with their session, and the subject of the token.
type RoleRequests = Arc<Mutex<Vec<[String; 4]>>>;

/// Starts a server that issues role credentials.
async fn tokens() -> (RoleRequests, String) {
    let taken = RoleRequests::default();
    let router = Router::new().fallback(give).with_state(taken.clone());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await });
    (taken, format!("http://{address}"))
}

async fn give(State(taken): State<RoleRequests>, form: String) -> Response {
    let given = |name: &str| {
        let mut pairs = url::form_urlencoded::parse(form.as_bytes());
        let found = pairs.find(|(key, _)| key == name);
        found
            .map(|(_, value)| value.into_owned())
            .unwrap_or_default()
    };
    assert_eq!(given("Action"), "AssumeRoleWithWebIdentity");
    assert_eq!(given("Version"), "2011-06-15");
    let claims = |token: &str| -> Option<Value> {
        let payload = BASE64_URL_SAFE_NO_PAD
            .decode(token.split('.').nth(1)?)
            .ok()?;
        serde_json::from_slice(&payload).ok()
    };
    let claims = claims(&given("WebIdentityToken")).unwrap_or_default();
    let of = |text: &Value| text.as_str().unwrap_or_default().to_owned();
    taken.lock().unwrap().push([
        given("RoleArn"),
        given("RoleSessionName"),
        of(&claims["sub"]),
        of(&claims["aud"][0]),
    ]);
    let key = match given("RoleArn").as_str() {
        CONTROLLERS => "ASIACONTROLLERS",
        TENANT => "ASIATENANT",
        _ => return StatusCode::FORBIDDEN.into_response(),
    };
    format!(
        "<R><Credentials><AccessKeyId>{key}</AccessKeyId><SecretAccessKey>{SECRET_KEY}</SecretAccessKey>\
         <SessionToken>{SESSION}</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>"
    )
    .into_response()
}

#[tokio::test(flavor = "multi_thread")]
async fn code_commit_accepts_amazon_identities() {
    let stage = BootstrapFixture::new().await;
    let git = GitBackend::start_with(HttpOptions {
        admits: Some(is_signed),
        tls: true,
        name: Some(HOST),
        ..HttpOptions::default()
    })
    .await;
    git.create("v1/repos/fleet", "main");
    let folder = tempfile::tempdir().unwrap();
    let (ca, token) = (folder.path().join("ca.crt"), folder.path().join("token"));
    fs::write(&ca, git.authority().unwrap().certificate()).unwrap();
    fs::write(&token, "canary-of-the-token").unwrap();
    let (taken, server) = tokens().await;
    let way = [
        ("HTTPS_PROXY", proxy(git.address()).await),
        ("NO_PROXY", "127.0.0.1,localhost".to_owned()),
        ("AWS_ENDPOINT_URL_STS", server),
    ];
    let role = [
        ("AWS_ROLE_ARN", CONTROLLERS.to_owned()),
        ("AWS_WEB_IDENTITY_TOKEN_FILE", token.display().to_string()),
        ("AWS_ROLE_SESSION_NAME", "controllers".to_owned()),
    ];
    let variables: Vec<_> = way.iter().cloned().chain(role).collect();
    let kubeconfig = &stage.world.kubeconfig;
    let controllers = stage.world.controllers_with(kubeconfig, &variables);
    let controllers = controllers.with("--feature-gates=ObjectLevelWorkloadIdentity=true");
    let running = controllers.all();

    let url = format!("https://{HOST}/v1/repos/fleet");
    let line = format!(
        "bootstrap git --timeout=1m --url={url} --path=one {COMPONENTS} --ca-file={}",
        ca.display()
    );
    let (code, said) = bootstrap(&stage, &way, &line, &[]).await;
    assert_eq!(code, Some(1), "{said}");
    let expected =
        "✗ failed to get AWS CodeCommit IAM git credentials: no AWS credentials were found: ";
    assert!(said.contains(expected), "{said}");

    let keys = [
        ("AWS_ACCESS_KEY_ID", "ASIAMACHINE"),
        ("AWS_SECRET_ACCESS_KEY", SECRET_KEY),
        ("AWS_SESSION_TOKEN", SESSION),
    ];
    let (code, said) = bootstrap(&stage, &way, &line, &keys).await;
    assert_eq!(code, Some(0), "{said}\n{}", running.output());
    assert!(!said.contains("canary-of"), "{said}");
    let followed = stage
        .world
        .get(Kind::GitRepository, NAMESPACE)
        .await
        .unwrap();
    assert_eq!(followed.data["spec"]["provider"], "aws");
    assert_eq!(followed.data["spec"]["url"], url.as_str());
    let secret = stage.api::<Secret>().get(NAMESPACE).await.unwrap();
    let names: Vec<String> = secret.data.unwrap_or_default().into_keys().collect();
    assert_eq!(names, ["ca.crt", "password", "username"]);
    let taken_by = |taken: &RoleRequests| std::mem::take(&mut *taken.lock().unwrap());
    let first = taken_by(&taken);
    let controllers_role = [CONTROLLERS, "controllers", "", ""].map(str::to_owned);
    assert!(
        !first.is_empty() && first.iter().all(|who| *who == controllers_role),
        "{first:?}"
    );

    tenant_gets_own_role(&stage, &url).await;
    let mut later = taken_by(&taken);
    later.retain(|who| *who != controllers_role);
    let session = "tenant.flux-system.eu-west-1.fluxcd.io";
    let subject = "system:serviceaccount:flux-system:tenant";
    assert_eq!(
        later,
        [[TENANT, session, subject, "sts.amazonaws.com"].map(str::to_owned)]
    );
    assert!(!running.output().contains("canary-of"));
}

/// Tests a source with the role of its own service account, whose faults are named.
async fn tenant_gets_own_role(stage: &BootstrapFixture, url: &str) {
    let spec = json!({ "provider": "aws", "serviceAccountName": "tenant", "secretRef": { "name": NAMESPACE } });
    stage.world.source("tenant", url, spec).await;
    let (reason, message) = stage.world.failed(Kind::GitRepository, "tenant").await;
    assert_eq!(reason, "AuthenticationFailed");
    let lead = "failed to configure authentication options: failed to get access token for Git repository: failed to get ";
    assert_eq!(
        message,
        format!("{lead}service account 'flux-system/tenant': ServiceAccount \"tenant\" not found")
    );
    let account = |arn: &str| -> ServiceAccount {
        let annotations = json!({ "eks.amazonaws.com/role-arn": arn });
        let metadata =
            json!({ "name": "tenant", "namespace": NAMESPACE, "annotations": annotations });
        serde_json::from_value(json!({ "metadata": metadata })).unwrap()
    };
    let accounts = stage.api::<ServiceAccount>();
    accounts
        .create(&PostParams::default(), &account("tenant"))
        .await
        .unwrap();
    let expected = format!(
        "{lead}provider identity from service account 'flux-system/tenant' annotations: invalid \
         eks.amazonaws.com/role-arn annotation: 'tenant'. must match ^arn:aws[\\w-]*:iam::[0-9]{{1,30}}:role/.{{1,200}}$"
    );
    let told = |object: &crate::world::Live| condition(object, "Ready").2 == expected;
    stage
        .world
        .until(Kind::GitRepository, "tenant", "names the annotation", told)
        .await;
    let patch = json!({ "metadata": { "annotations": { "eks.amazonaws.com/role-arn": TENANT } } });
    let patch = kube::api::Patch::Merge(patch);
    accounts
        .patch("tenant", &kube::api::PatchParams::default(), &patch)
        .await
        .unwrap();
    stage.world.ready(Kind::GitRepository, "tenant").await;
}

/// Runs the command on a machine with these keys. Returns its exit code and its output.
async fn bootstrap(
    stage: &BootstrapFixture,
    way: &[(&str, String)],
    line: &str,
    keys: &[(&str, &str)],
) -> (Option<i32>, String) {
    let kubeconfig = stage.world.bed.kubeconfig().display().to_string();
    let program = Sluice::at(program::flux())
        .variable("KUBECONFIG", kubeconfig)
        .variable("AWS_EC2_METADATA_DISABLED", "true");
    let way = way.iter().map(|(name, value)| (*name, value.as_str()));
    let program = way
        .chain(keys.iter().copied())
        .fold(program, |program, (name, value)| {
            program.variable(name, value)
        });
    program.run(&line.split(' ').collect::<Vec<_>>()).await
}
