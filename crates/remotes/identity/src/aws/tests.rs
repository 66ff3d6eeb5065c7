//! Tests of AWS credentials and tokens.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use sluice_dial::{Dial, HttpClients, Proxy};
use sluice_system::fs;
use url::Url;

use super::*;
use crate::environment::Environment;
use crate::request::Transport;

mod services;

/// The time of every test: 2026-05-03 14:30.
const NOW: Duration = Duration::from_mins(29_630_310);
const ROLE: &str = "arn:aws:iam::123456789012:role/flux";

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + NOW
}

fn keys(session: Option<&str>) -> AwsCredentials {
    AwsCredentials {
        access_key: "AKIDEXAMPLE".to_owned(),
        secret_key: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY".into(),
        session_token: session.map(Sensitive::from),
        expires: None,
    }
}

fn repository(url: &str) -> Result<Repository, IdentityError> {
    Repository::parse(&Url::parse(url).unwrap())
}

#[test]
fn only_code_commit_over_https_is_signed() {
    for (url, region) in [
        (
            "https://git-codecommit.us-east-1.amazonaws.com/v1/repos/a",
            "us-east-1",
        ),
        (
            "https://git-codecommit-fips.us-west-2.amazonaws.com/v1/repos/a",
            "us-west-2",
        ),
        (
            "https://git-codecommit.cn-north-1.amazonaws.com.cn/v1/repos/a",
            "cn-north-1",
        ),
    ] {
        assert_eq!(repository(url).unwrap().region(), region);
    }
    for (url, message) in [
        (
            "http://git-codecommit.us-east-1.amazonaws.com/v1/repos/a",
            "AWS CodeCommit authentication requires an HTTPS Git URL",
        ),
        (
            "https://github.com/a/b",
            "invalid AWS CodeCommit Git URL: github.com",
        ),
        (
            "https://git-codecommit.us-east-1.amazonaws.com.example.org/a",
            "invalid AWS CodeCommit Git URL: git-codecommit.us-east-1.amazonaws.com.example.org",
        ),
        (
            "https://evil-git-codecommit.us-east-1.amazonaws.com/a",
            "invalid AWS CodeCommit Git URL: evil-git-codecommit.us-east-1.amazonaws.com",
        ),
        (
            "https://git-codecommit.amazonaws.com/a",
            "invalid AWS CodeCommit Git URL: git-codecommit.amazonaws.com",
        ),
    ] {
        assert_eq!(repository(url).unwrap_err().to_string(), message);
    }
}

/// Recorded with `fluxcd/pkg/auth` v0.54.2 and these keys, at the time at the start of each
/// password.
#[test]
fn password_equals_that_of_flux() {
    for line in include_str!("recorded.txt").lines() {
        let [url, session, username, password] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        let (time, _) = password.split_once('Z').unwrap();
        let time = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%S", time).unwrap();
        let time = time.to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp();
        let token = repository(url)
            .unwrap()
            .sign(&keys(Some(session)), time.into());
        assert_eq!(token.value.username, username);
        assert_eq!(token.value.password.expose(), password);
    }
}

#[test]
fn signature_expires_with_keys_or_after_15_minutes() {
    let repository =
        repository("https://git-codecommit.us-east-1.amazonaws.com/v1/repos/a").unwrap();
    let ends = |expires: Option<u64>| {
        let credentials = AwsCredentials {
            expires: expires.map(|seconds| now() + Duration::from_secs(seconds)),
            ..keys(None)
        };
        let token = repository.sign(&credentials, now());
        token.expires.duration_since(now()).unwrap().as_secs()
    };
    assert_eq!(ends(None), 900);
    assert_eq!(ends(Some(3600)), 900);
    assert_eq!(ends(Some(60)), 60);
    // Keys of a user have no session token.
    assert_eq!(
        repository.sign(&keys(None), now()).value.username,
        "AKIDEXAMPLE"
    );
}

/// A server that records requests and responds by path.
#[derive(Clone, Default)]
struct Host {
    requests: Arc<Mutex<Vec<String>>>,
}

impl Host {
    async fn start() -> (Self, String) {
        let host = Self::default();
        let router = Router::new().fallback(serve).with_state(host.clone());
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move { axum::serve(listener, router).await });
        (host, format!("http://{address}"))
    }

    fn requests(&self) -> Vec<String> {
        std::mem::take(&mut *self.requests.lock().unwrap())
    }
}

async fn serve(State(host): State<Host>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let header = |name: &str| {
        let value = parts
            .headers
            .get(name)
            .and_then(|value| value.to_str().ok());
        value.unwrap_or("-").to_owned()
    };
    let body = axum::body::to_bytes(body, 1 << 16).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    let line = format!(
        "{} {} {} {} {} {body}",
        parts.method,
        parts.uri,
        header("authorization"),
        header("x-aws-ec2-metadata-token-ttl-seconds"),
        header("x-aws-ec2-metadata-token"),
    );
    host.requests
        .lock()
        .unwrap()
        .push(line.trim_end().to_owned());
    let response = r#"{"Code":"Success","AccessKeyId":"ASIA1","SecretAccessKey":"canary-key","Token":"canary-session","Expiration":"2026-05-03T15:30:00Z"}"#;
    match parts.uri.path() {
        "/sts" if body.contains("refused") => (
            http::StatusCode::FORBIDDEN,
            "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>Not authorized &amp; not known: canary-token-refused</Message></Error></ErrorResponse>",
        )
            .into_response(),
        "/sts" => "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials><AccessKeyId>ASIA2</AccessKeyId><SecretAccessKey>canary-key</SecretAccessKey><SessionToken>canary-session</SessionToken><Expiration>2026-05-03T15:30:00Z</Expiration></Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>".into_response(),
        "/refused" => (
            http::StatusCode::BAD_REQUEST,
            r#"{"code":"AccessDenied","message":"no association"}"#,
        )
            .into_response(),
        "/empty" => r#"{"Code":"AssumeRoleUnauthorizedAccess","Message":"no trust"}"#.into_response(),
        "/latest/api/token" => "canary-machine".into_response(),
        "/latest/meta-data/iam/security-credentials/" => "the-role\n".into_response(),
        "/container" | "/latest/meta-data/iam/security-credentials/the-role" => response.into_response(),
        _ => http::StatusCode::NOT_FOUND.into_response(),
    }
}

async fn found(environment: &[(&str, &str)]) -> Result<AwsCredentials, IdentityError> {
    found_through(false, environment).await
}

async fn found_through(
    through: bool,
    environment: &[(&str, &str)],
) -> Result<AwsCredentials, IdentityError> {
    let environment: Environment = environment.iter().copied().collect();
    let clients = HttpClients::new("test");
    // Local endpoints are called without the proxy.
    let dial = Dial {
        proxy: through.then(|| Proxy::new("http://127.0.0.1:1", None).unwrap()),
        ..Dial::default()
    };
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    environment.credentials(transport, "eu-west-1", now()).await
}

async fn refused(environment: &[(&str, &str)]) -> String {
    let message = found(environment).await.unwrap_err().to_string();
    assert!(!message.contains("canary"), "{message}");
    message
}

#[tokio::test]
async fn keys_in_variables_come_first() {
    let both = [
        ("AWS_ACCESS_KEY_ID", "AKID"),
        ("AWS_SECRET_ACCESS_KEY", "canary-key"),
        ("AWS_SESSION_TOKEN", "canary-session"),
        ("AWS_WEB_IDENTITY_TOKEN_FILE", "/nonexistent"),
        ("AWS_PROFILE", "other"),
    ];
    let credentials = found(&both).await.unwrap();
    assert_eq!(credentials.access_key, "AKID");
    assert_eq!(
        credentials.session_token.as_ref().unwrap().expose(),
        "canary-session"
    );
    assert!(!format!("{credentials:?}").contains("canary"));
    assert_eq!(
        refused(&both[..1]).await,
        "AWS_ACCESS_KEY_ID is set, and AWS_SECRET_ACCESS_KEY is not"
    );
}

#[tokio::test]
async fn pod_assumes_role_with_its_token_file() {
    let (host, address) = Host::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "canary-token\n").unwrap();
    let (file, sts) = (file.to_str().unwrap(), format!("{address}/sts"));
    let environment = [
        ("AWS_WEB_IDENTITY_TOKEN_FILE", file),
        ("AWS_ROLE_ARN", ROLE),
        ("AWS_ROLE_SESSION_NAME", "a session"),
        ("AWS_ENDPOINT_URL_STS", sts.as_str()),
    ];
    let credentials = found(&environment).await.unwrap();
    assert_eq!(credentials.access_key, "ASIA2");
    assert_eq!(credentials.expires, parse_time("2026-05-03T15:30:00Z"));
    assert_eq!(
        host.requests(),
        [
            "POST /sts - - - Action=AssumeRoleWithWebIdentity&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A123456789012%3Arole%2Fflux&RoleSessionName=a+session&WebIdentityToken=canary-token"
        ]
    );
    fs::write(file, "canary-token-refused").unwrap();
    assert_eq!(
        refused(&environment).await,
        format!(
            "take the AWS role {ROLE} at {sts}: the answer is 403 Forbidden: AccessDenied: Not authorized & not known: [redacted]"
        )
    );
    assert_eq!(
        refused(&environment[..1]).await,
        "a file with a web identity's token is set, and AWS_ROLE_ARN is not"
    );
}

#[tokio::test]
async fn profile_is_read_from_both_files() {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().to_str().unwrap();
    fs::create_dir(folder.path().join(".aws")).unwrap();
    let write = |name: &str, text: &str| {
        fs::write(folder.path().join(".aws").join(name), text).unwrap();
    };
    write(
        "credentials",
        "# mine\n[default]\naws_access_key_id = AKID0\naws_secret_access_key=canary-key\n[work]\naws_access_key_id = AKID1 # old\naws_secret_access_key = canary-key\n",
    );
    write(
        "config",
        "[default]\nregion = eu-west-1\n[profile work]\naws_session_token = canary-session\ns3 =\n  addressing_style = path\n[profile login]\nsso_session = main\n[profile machine]\ncredential_source = Ec2InstanceMetadata\n[profile alone]\nrole_arn = arn:aws:iam::1:role/a\naws_access_key_id = AKID2\naws_secret_access_key = canary-key\n[profile half]\naws_access_key_id = AKID3\n[sso-session main]\nsso_region = eu-west-1\n",
    );
    let of = |profile: &'static str| [("HOME", home), ("AWS_PROFILE", profile)];
    assert_eq!(
        found(&of("default")[..1]).await.unwrap().access_key,
        "AKID0"
    );
    let work = found(&of("work")).await.unwrap();
    assert_eq!(work.access_key, "AKID1");
    assert_eq!(work.session_token.unwrap().expose(), "canary-session");
    for (profile, source) in [
        ("login", "sso_session"),
        ("machine", "credential_source"),
        ("alone", "role_arn"),
    ] {
        let message = refused(&of(profile)).await;
        let lead = format!("the AWS profile '{profile}' takes its credentials from {source}, ");
        let way = format!("aws configure export-credentials --profile {profile} --format env");
        assert!(
            message.starts_with(&lead) && message.contains(&way),
            "{message}"
        );
    }
    assert_eq!(
        refused(&of("half")).await,
        "aws_access_key_id is set, and aws_secret_access_key is not"
    );
    assert_eq!(
        refused(&of("other")).await,
        "there is no AWS profile 'other'"
    );
}

#[tokio::test]
async fn container_token_goes_only_to_its_host() {
    let (host, address) = Host::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    fs::write(&file, "canary-container\n").unwrap();
    let address = format!("{address}/container");
    let environment = [
        ("AWS_CONTAINER_CREDENTIALS_FULL_URI", address.as_str()),
        (
            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
            file.to_str().unwrap(),
        ),
    ];
    let credentials = found_through(true, &environment).await.unwrap();
    assert_eq!(credentials.access_key, "ASIA1");
    assert_eq!(host.requests(), ["GET /container canary-container - -"]);
    for (path, response) in [
        (
            "refused",
            "the answer is 400 Bad Request: AccessDenied: no association",
        ),
        (
            "empty",
            "the answer holds no credentials: AssumeRoleUnauthorizedAccess: no trust",
        ),
    ] {
        let address = address.replace("container", path);
        let message = refused(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", &address)]).await;
        let action = "ask this container's host for AWS credentials";
        assert_eq!(message, format!("{action}: {response}"));
    }
    for stranger in ["http://192.0.2.1/container", "http://9.254.170.2/container"] {
        assert_eq!(
            refused(&[("AWS_CONTAINER_CREDENTIALS_FULL_URI", stranger)]).await,
            format!(
                "AWS_CONTAINER_CREDENTIALS_FULL_URI is '{stranger}', which is neither https nor this container's host"
            )
        );
    }
}

#[tokio::test]
async fn machine_metadata_comes_last_and_needs_a_token() {
    let (host, address) = Host::start().await;
    let environment = [("AWS_EC2_METADATA_SERVICE_ENDPOINT", address.as_str())];
    let credentials = found_through(true, &environment).await.unwrap();
    assert_eq!(
        credentials.session_token.unwrap().expose(),
        "canary-session"
    );
    assert_eq!(
        host.requests(),
        [
            "PUT /latest/api/token - 300 -",
            "GET /latest/meta-data/iam/security-credentials/ - - canary-machine",
            "GET /latest/meta-data/iam/security-credentials/the-role - - canary-machine",
        ]
    );
    let message = refused(&[("AWS_EC2_METADATA_DISABLED", "true")]).await;
    assert!(
        message.starts_with("no AWS credentials were found: "),
        "{message}"
    );
}

#[tokio::test]
async fn profile_assumes_the_roles_of_its_sources() {
    let (host, address) = Host::start().await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("config");
    let config = |text: &str| fs::write(&file, text).unwrap();
    let sts = format!("{address}/sts");
    let environment = [
        ("AWS_CONFIG_FILE", file.to_str().unwrap()),
        ("AWS_PROFILE", "work"),
        ("AWS_ENDPOINT_URL_STS", &sts),
    ];
    config(
        "[default]\naws_access_key_id = AKID0\naws_secret_access_key = canary-key\n\
         [profile middle]\nrole_arn = arn:aws:iam::1:role/a\nsource_profile = default\n\
         role_session_name = me\n\
         [profile work]\nrole_arn = arn:aws:iam::1:role/b\nsource_profile = middle\n",
    );
    assert_eq!(found(&environment).await.unwrap().access_key, "ASIA2");
    let requests = host.requests();
    let signed = |key: &str, names: &str| {
        format!(
            "POST /sts AWS4-HMAC-SHA256 Credential={key}/20260503/eu-west-1/sts/aws4_request, \
             SignedHeaders=content-type;host;x-amz-date{names}, Signature="
        )
    };
    let form = |role: &str, session: &str| {
        format!(
            "Action=AssumeRole&Version=2011-06-15&RoleArn=arn%3Aaws%3Aiam%3A%3A1%3Arole%2F{role}&\
             RoleSessionName={session}"
        )
    };
    assert!(
        requests[0].starts_with(&signed("AKID0", "")),
        "{requests:?}"
    );
    assert!(requests[0].ends_with(&form("a", "me")), "{requests:?}");
    let second = signed("ASIA2", ";x-amz-security-token");
    assert!(requests[1].starts_with(&second), "{requests:?}");
    let since = now().duration_since(SystemTime::UNIX_EPOCH).unwrap();
    let session = format!("sluice-{}", since.as_secs());
    assert!(requests[1].ends_with(&form("b", &session)), "{requests:?}");
    config(
        "[profile work]\nrole_arn = r\nsource_profile = b\n\
         [profile b]\nrole_arn = r\nsource_profile = work\n",
    );
    assert_eq!(
        refused(&environment).await,
        "the AWS profiles work > b > work are a circle, or more than 5"
    );
    config("[profile work]\nrole_arn = r\nsource_profile = none\n");
    assert_eq!(
        refused(&environment).await,
        "there is no AWS profile 'none'"
    );
}
