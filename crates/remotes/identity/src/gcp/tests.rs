//! Tests of Google credentials and tokens.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sluice_dial::{Dial, HttpClients, Proxy};

use super::*;
use crate::fake::{Fake, ok, status};

const ISSUED: &str = r#"{"access_token":"canary-access","expires_in":3599,"token_type":"Bearer"}"#;
const FORM: &str = "content-type: application/x-www-form-urlencoded";
const METADATA: &str = "GET /computeMetadata/v1/instance/service-accounts/default/token";
const POOL: &str = "projects/1/locations/global/workloadIdentityPools/p/providers/q";
const EMAIL: &str = "flux@my-project.iam.gserviceaccount.com";

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(500_000)
}

fn account(annotations: &[(&str, &str)]) -> Account {
    let annotations: BTreeMap<String, String> = annotations
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    Account::new("apps", "flux", "1", annotations).unwrap()
}

async fn token_of(pairs: &[(&str, &str)]) -> Result<Token<Sensitive<String>>, IdentityError> {
    let environment: Environment = pairs.iter().copied().collect();
    let clients = HttpClients::new("test");
    // The metadata service is called without the proxy.
    let dial = Dial {
        proxy: pairs
            .iter()
            .any(|(name, _)| *name == "GCE_METADATA_HOST")
            .then(|| Proxy::new("http://127.0.0.1:1", None).unwrap()),
        ..Dial::default()
    };
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    token(&environment, transport, now()).await
}

/// Writes a key file, and requests a token with it.
async fn token_of_file(file: &Value) -> Result<Token<Sensitive<String>>, IdentityError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("key.json");
    fs::write(&path, file.to_string()).unwrap();
    token_of(&[("GOOGLE_APPLICATION_CREDENTIALS", path.to_str().unwrap())]).await
}

#[tokio::test]
async fn metadata_answer_needs_its_header() {
    let fake = Fake::start(&[(METADATA, ok(ISSUED).with("metadata-flavor", "Google"))]).await;
    let issued = token_of(&[("GCE_METADATA_HOST", fake.host())])
        .await
        .unwrap();
    assert_eq!(issued.value.expose(), "canary-access");
    assert_eq!(issued.expires, now() + Duration::from_secs(3599));
    assert_eq!(
        fake.requests(),
        [format!(
            "{METADATA}?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform%2C\
             https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fuserinfo.email\nmetadata-flavor: Google"
        )]
    );
    let other = Fake::start(&[(METADATA, ok(ISSUED))]).await;
    let message = token_of(&[("GCE_METADATA_HOST", other.host())]).await;
    assert_eq!(
        message.unwrap_err().to_string(),
        "ask this machine's host for a Google token: the answer is of another service"
    );
    let message = token_of(&[("GCE_METADATA_HOST", "127.0.0.1:1")]).await;
    let message = message.unwrap_err().to_string();
    assert!(
        message.starts_with("no Google credentials were found: "),
        "{message}"
    );
}

#[tokio::test]
async fn account_key_signs_a_statement() {
    let fake = Fake::start(&[("POST /token", ok(ISSUED))]).await;
    let pem = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256)
        .unwrap()
        .serialize_pem();
    let file = json!({
        "type": "service_account", "client_email": EMAIL, "private_key": pem,
        "private_key_id": "7", "token_uri": fake.url("/token"),
    });
    token_of_file(&file).await.unwrap();
    let request = fake.requests().remove(0);
    let start = format!(
        "POST /token\n{FORM}\n\
         grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
    );
    let assertion = request.strip_prefix(&start).unwrap();
    let parts: Vec<Value> = assertion
        .split('.')
        .take(2)
        .map(|part| serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
        .collect();
    assert_eq!(parts[0], json!({"alg": "RS256", "typ": "JWT", "kid": "7"}));
    // As `golang.org/x/oauth2/jws`: issued ten seconds ago, for an hour.
    let issued = 500_000 * 3600 - 10;
    assert_eq!(
        parts[1],
        json!({
            "iss": EMAIL, "scope": SCOPES.join(" "), "aud": fake.url("/token"),
            "iat": issued, "exp": issued + 3600,
        })
    );
    let key = Key::parse(&file.to_string()).unwrap();
    assert!(!format!("{key:?}").contains("PRIVATE"));
}

#[tokio::test]
async fn user_key_sends_its_refresh_token() {
    let body = r#"{"error":"invalid_grant","error_description":"canary-refresh is expired"}"#;
    let file = |fake: &Fake| {
        json!({
            "type": "authorized_user", "client_id": "id", "client_secret": "canary-secret",
            "refresh_token": "canary-refresh", "token_uri": fake.url("/token"),
        })
    };
    let fake = Fake::start(&[("POST /token", ok(ISSUED))]).await;
    token_of_file(&file(&fake)).await.unwrap();
    assert_eq!(
        fake.requests(),
        [format!(
            "POST /token\n{FORM}\ngrant_type=refresh_token&refresh_token=canary-refresh&\
             client_id=id&client_secret=canary-secret"
        )]
    );
    let fake = Fake::start(&[("POST /token", status(400, body))]).await;
    assert_eq!(
        token_of_file(&file(&fake)).await.unwrap_err().to_string(),
        "get a Google token for the user of id: the answer is 400 Bad Request: invalid_grant: \
         [redacted] is expired"
    );
}

fn exchange_form(audience: &str, token: &str, scope: &str) -> String {
    format!(
        "{FORM}\naudience={audience}&\
         grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Atoken-exchange&\
         requested_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Aaccess_token&\
         subject_token_type=urn%3Aietf%3Aparams%3Aoauth%3Atoken-type%3Ajwt&\
         subject_token={token}&scope={scope}"
    )
}

const PLATFORM: &str = "https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform";
const BOTH: &str = "https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform+\
                    https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fuserinfo.email";
const IMPERSONATED: &str =
    r#"{"accessToken":"canary-impersonated","expireTime":"2030-01-01T00:00:00Z"}"#;

#[tokio::test]
async fn external_account_exchanges_its_file() {
    let path = format!("POST /v1/projects/-/serviceAccounts/{EMAIL}:generateAccessToken");
    let fake = Fake::start(&[
        ("POST /sts", ok(ISSUED)),
        (&path, ok(IMPERSONATED)),
        ("GET /subject", ok(r#"{"value":"canary-subject"}"#)),
    ])
    .await;
    let file = |source: Value| {
        json!({
            "type": "external_account", "audience": "a",
            "subject_token_type": "urn:ietf:params:oauth:token-type:jwt",
            "token_url": fake.url("/sts"), "credential_source": source,
            "service_account_impersonation_url": fake.url(&path[5..]),
        })
    };
    let source = json!({
        "url": fake.url("/subject"), "headers": {"x-one": "two"},
        "format": {"type": "json", "subject_token_field_name": "value"},
    });
    let issued = token_of_file(&file(source)).await.unwrap();
    assert_eq!(issued.value.expose(), "canary-impersonated");
    let body = r#"{"lifetime":"3600s","scope":["https://www.googleapis.com/auth/cloud-platform","https://www.googleapis.com/auth/userinfo.email"]}"#;
    assert_eq!(
        fake.requests(),
        [
            "GET /subject\nx-one: two".to_owned(),
            format!(
                "POST /sts\n{}",
                exchange_form("a", "canary-subject", PLATFORM)
            ),
            format!(
                "{path}\nauthorization: Bearer canary-access\ncontent-type: application/json\n{body}"
            ),
        ]
    );
    for (source, reason) in [
        (
            json!({"executable": {"command": "/bin/true"}}),
            "never started",
        ),
        (json!({"environment_id": "aws1"}), "another cloud"),
        (json!({}), "empty"),
    ] {
        let message = token_of_file(&file(source)).await.unwrap_err().to_string();
        assert!(message.contains(reason), "{message}");
    }
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn tenant_key_names_no_file_and_no_address() {
    let fake = Fake::start(&[]).await;
    let user = |token_uri: &str| {
        json!({
            "type": "authorized_user", "client_id": "id", "client_secret": "canary-secret",
            "refresh_token": "canary-refresh", "token_uri": token_uri,
        })
    };
    for good in [
        "https://oauth2.googleapis.com/token",
        "https://accounts.google.com/o/oauth2/token",
    ] {
        Key::of_tenant(&user(good).to_string()).unwrap();
    }
    for bad in [
        &fake.url("/token"),
        "http://oauth2.googleapis.com/token",
        "https://evilgoogleapis.com/token",
        "https://googleapis.com.evil.io/token",
        "https://googleapis.com:8443/token",
        "https://user@googleapis.com/token",
    ] {
        let message = Key::of_tenant(&user(bad).to_string())
            .unwrap_err()
            .to_string();
        assert!(message.contains("not an address of Google"), "{message}");
    }
    let external = json!({
        "type": "external_account", "audience": "a", "subject_token_type": "t",
        "token_url": fake.url("/sts"),
        "credential_source": {"file": "/var/run/secrets/kubernetes.io/serviceaccount/token"},
    });
    let message = Key::of_tenant(&external.to_string())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains(POOL_ANNOTATION) && message.contains(EMAIL_ANNOTATION),
        "{message}"
    );
    for bad in ["", "[]", "{}", r#"{"type":"gdch_service_account"}"#] {
        assert!(Key::of_tenant(bad).is_err(), "{bad}");
    }
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn account_token_is_exchanged_by_annotations() {
    let path = format!("POST /v1/projects/-/serviceAccounts/{EMAIL}:generateAccessToken");
    let fake = Fake::start(&[("POST /v1/token", ok(ISSUED)), (&path, ok(IMPERSONATED))]).await;
    let endpoints = Endpoints {
        sts: Url::parse(&fake.url("/v1/token")).unwrap(),
        credentials: Url::parse(&fake.url("/")).unwrap(),
        ..Endpoints::default()
    };
    let clients = HttpClients::new("test");
    let dial = Dial::default();
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    let environment = Environment::default();
    let subject = Sensitive::from("canary-subject");
    for (annotations, scope, expected) in [
        (vec![(POOL_ANNOTATION, POOL)], BOTH, "canary-access"),
        (
            vec![(POOL_ANNOTATION, POOL), (EMAIL_ANNOTATION, EMAIL)],
            PLATFORM,
            "canary-impersonated",
        ),
    ] {
        let account = account(&annotations);
        let cluster = ClusterMetadata::default();
        let audiences = audiences(&environment, transport, &cluster, &account);
        let audiences = audiences.await.unwrap();
        assert_eq!(audiences.token, format!("//iam.googleapis.com/{POOL}"));
        let audience = &audiences.exchange;
        let issued = exchange(&endpoints, transport, &account, &subject, audience, now());
        assert_eq!(issued.await.unwrap().value.expose(), expected);
        let form = exchange_form(
            &format!("%2F%2Fiam.googleapis.com%2F{}", POOL.replace('/', "%2F")),
            "canary-subject",
            scope,
        );
        let requests = fake.requests();
        assert_eq!(requests[0], format!("POST /v1/token\n{form}"));
        assert_eq!(requests.len(), annotations.len());
    }
    let bad = account(&[(EMAIL_ANNOTATION, "a@b.example.com")]);
    assert_eq!(
        email(&bad).unwrap_err().to_string(),
        r"invalid iam.gke.io/gcp-service-account annotation: 'a@b.example.com'. must match ^[a-zA-Z0-9-]{1,100}@[a-zA-Z0-9-]{1,100}\.iam\.gserviceaccount\.com$"
    );
    let bad = account(&[(POOL_ANNOTATION, "projects/1/x")]);
    let cluster = ClusterMetadata::default();
    let refused = audiences(&environment, transport, &cluster, &bad).await;
    let message = refused.unwrap_err().to_string();
    assert!(
        message.contains("'projects/1/x'. must match ^projects/"),
        "{message}"
    );
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn cluster_of_gke_is_read_once() {
    let flavor = |text: &str| ok(text).with("metadata-flavor", "Google");
    let fake = Fake::start(&[
        (
            "GET /computeMetadata/v1/project/project-id",
            flavor("my-project"),
        ),
        (
            "GET /computeMetadata/v1/instance/attributes/cluster-location",
            flavor("europe-west1"),
        ),
        (
            "GET /computeMetadata/v1/instance/attributes/cluster-name",
            flavor("prod"),
        ),
    ])
    .await;
    let clients = HttpClients::new("test");
    let dial = Dial::default();
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    let account = account(&[]);
    let cluster = ClusterMetadata::default();
    let off: Environment = [("GCE_METADATA_HOST", "127.0.0.1:1")].into_iter().collect();
    let refused = audiences(&off, transport, &cluster, &account).await;
    let message = refused.unwrap_err().to_string();
    let start = "failed to get GKE cluster project ID from the metadata service: ";
    assert!(message.starts_with(start), "{message}");
    // A failure is not kept.
    let environment: Environment = [("GCE_METADATA_HOST", fake.host())].into_iter().collect();
    for requests in [3, 0] {
        let found = audiences(&environment, transport, &cluster, &account).await;
        assert_eq!(
            found.unwrap(),
            Audiences {
                token: "my-project.svc.id.goog".to_owned(),
                exchange: "identitynamespace:my-project.svc.id.goog:\
                           https://container.googleapis.com/v1/projects/my-project/locations/\
                           europe-west1/clusters/prod"
                    .to_owned(),
            }
        );
        assert_eq!(fake.requests().len(), requests);
    }
}

/// Each call of this module, with answers that are not its own.
#[tokio::test]
async fn faulty_answers_have_a_reason() {
    let no_token = "the answer holds no access token";
    for (answer, expected) in [
        (ok("<html>"), no_token),
        (ok("{}"), no_token),
        (status(404, "none"), "the answer is 404 Not Found"),
    ] {
        let answer = answer.with("metadata-flavor", "Google");
        let fake = Fake::start(&[(METADATA, answer)]).await;
        let message = token_of(&[("GCE_METADATA_HOST", fake.host())]).await;
        let action = "ask this machine's host for a Google token";
        let expected = format!("{action}: {expected}");
        assert_eq!(message.unwrap_err().to_string(), expected);
    }
    let clients = HttpClients::new("test");
    let dial = Dial::default();
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    let path = format!("POST /v1/projects/-/serviceAccounts/{EMAIL}:generateAccessToken");
    let account = account(&[(POOL_ANNOTATION, POOL), (EMAIL_ANNOTATION, EMAIL)]);
    let subject = Sensitive::from("canary-subject");
    let refusal = r#"{"error":"invalid_grant","error_description":"canary-subject is expired"}"#;
    let denied = r#"{"error":{"status":"PERMISSION_DENIED","message":"canary-access may not"}}"#;
    let late = r#"{"accessToken":"canary-impersonated","expireTime":"soon"}"#;
    let exchanged = "exchange a token for a at 127.0.0.1";
    let impersonated = format!("impersonate {EMAIL} at 127.0.0.1");
    for (first, second, action, expected) in [
        (ok("<html>"), ok(""), exchanged, no_token),
        (ok("{}"), ok(""), exchanged, no_token),
        (
            status(400, refusal),
            ok(""),
            exchanged,
            "the answer is 400 Bad Request: invalid_grant: [redacted] is expired",
        ),
        (ok(ISSUED), ok("<html>"), &impersonated, no_token),
        (ok(ISSUED), ok("{}"), &impersonated, no_token),
        (
            ok(ISSUED),
            ok(late),
            &impersonated,
            "the expiry of the token is not a time",
        ),
        (
            ok(ISSUED),
            status(403, denied),
            &impersonated,
            "the answer is 403 Forbidden: PERMISSION_DENIED: [redacted] may not",
        ),
    ] {
        let fake = Fake::start(&[("POST /v1/token", first), (&path, second)]).await;
        let endpoints = Endpoints {
            sts: Url::parse(&fake.url("/v1/token")).unwrap(),
            credentials: Url::parse(&fake.url("/")).unwrap(),
            ..Endpoints::default()
        };
        let failed = exchange(&endpoints, transport, &account, &subject, "a", now());
        let message = failed.await.unwrap_err().to_string();
        assert_eq!(message, format!("{action}: {expected}"));
    }
}
