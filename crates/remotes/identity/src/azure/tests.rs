//! Tests of Azure credentials and tokens.

use std::collections::BTreeMap;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::Value;
use sluice_dial::{Dial, HttpClients, Proxy};
use url::Url;

use super::*;
use crate::fake::{Fake, ok, status};
use crate::jwt;

const TENANT: &str = "11111111-2222-3333-4444-555555555555";
const CLIENT: &str = "66666666-7777-8888-9999-000000000000";
const TOKEN_PATH: &str = "POST /11111111-2222-3333-4444-555555555555/oauth2/v2.0/token";
const ISSUED: &str = r#"{"token_type":"Bearer","expires_in":3599,"access_token":"canary-access"}"#;
const FORM: &str = "content-type: application/x-www-form-urlencoded";

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_hours(500_000)
}

async fn token_of(pairs: &[(&str, &str)]) -> Result<Token<Sensitive<String>>, IdentityError> {
    let environment: Environment = pairs.iter().copied().collect();
    let clients = HttpClients::new("test");
    let transport = Transport {
        clients: &clients,
        dial: &Dial::default(),
    };
    token(&environment, transport, BLOBS, now()).await
}

fn account(annotations: &[(&str, &str)]) -> Account {
    let annotations: BTreeMap<String, String> = annotations
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    Account::new("apps", "flux", "1", annotations).unwrap()
}

#[tokio::test]
async fn client_secret_is_posted_to_its_tenant() {
    let fake = Fake::start(&[(TOKEN_PATH, ok(ISSUED))]).await;
    let authority = fake.url("/");
    let issued = token_of(&[
        ("AZURE_TENANT_ID", TENANT),
        ("AZURE_CLIENT_ID", CLIENT),
        ("AZURE_CLIENT_SECRET", "canary-secret"),
        ("AZURE_AUTHORITY_HOST", &authority),
        // The secret comes first.
        ("AZURE_FEDERATED_TOKEN_FILE", "/nonexistent"),
    ])
    .await
    .unwrap();
    assert_eq!(issued.value.expose(), "canary-access");
    assert_eq!(issued.expires, now() + Duration::from_secs(3599));
    assert_eq!(
        fake.requests(),
        [format!(
            "{TOKEN_PATH}\n{FORM}\nclient_id={CLIENT}&grant_type=client_credentials&\
             scope=https%3A%2F%2Fstorage.azure.com%2F.default&client_secret=canary-secret"
        )]
    );
}

#[tokio::test]
async fn workload_identity_reads_its_file_each_time() {
    let fake = Fake::start(&[(TOKEN_PATH, ok(ISSUED))]).await;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let authority = fake.url("/");
    let environment = [
        ("AZURE_TENANT_ID", TENANT),
        ("AZURE_CLIENT_ID", CLIENT),
        ("AZURE_FEDERATED_TOKEN_FILE", file.to_str().unwrap()),
        ("AZURE_AUTHORITY_HOST", &authority),
    ];
    for content in ["canary-1", "canary-2\n"] {
        fs::write(&file, content).unwrap();
        token_of(&environment).await.unwrap();
        let expected = format!(
            "client_assertion_type=urn%3Aietf%3Aparams%3Aoauth%3Aclient-assertion-type%3Ajwt-bearer\
             &client_assertion={}",
            content.trim()
        );
        let requests = fake.requests();
        assert!(requests[0].ends_with(&expected), "{requests:?}");
    }
    for content in [String::new(), "a".repeat(65 << 10)] {
        fs::write(&file, content).unwrap();
        let message = token_of(&environment).await.unwrap_err().to_string();
        assert!(message.contains(file.to_str().unwrap()), "{message}");
    }
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn certificate_signs_a_statement() {
    let fake = Fake::start(&[(TOKEN_PATH, ok(ISSUED))]).await;
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let certificate = rcgen::CertificateParams::new(vec!["flux".to_owned()])
        .unwrap()
        .self_signed(&key)
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("client.pem");
    fs::write(
        &file,
        format!("{}{}", key.serialize_pem(), certificate.pem()),
    )
    .unwrap();
    let authority = fake.url("/");
    let environment = [
        ("AZURE_TENANT_ID", TENANT),
        ("AZURE_CLIENT_ID", CLIENT),
        ("AZURE_CLIENT_CERTIFICATE_PATH", file.to_str().unwrap()),
        ("AZURE_CLIENT_SEND_CERTIFICATE_CHAIN", "true"),
        ("AZURE_AUTHORITY_HOST", &authority),
    ];
    token_of(&environment).await.unwrap();
    let request = fake.requests().remove(0);
    let (_, assertion) = request.rsplit_once("client_assertion=").unwrap();
    let parts: Vec<Value> = assertion
        .split('.')
        .take(2)
        .map(|part| serde_json::from_slice(&BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap())
        .collect();
    assert_eq!(parts[0]["alg"], "PS256");
    assert_eq!(parts[0]["x5c"].as_array().unwrap().len(), 1);
    let address = format!("{authority}{TENANT}/oauth2/v2.0/token");
    assert_eq!(parts[1]["aud"], *address);
    assert_eq!(
        (&parts[1]["iss"], &parts[1]["sub"]),
        (&parts[1]["sub"], &Value::from(CLIENT))
    );
    let life = parts[1]["exp"].as_u64().unwrap() - parts[1]["nbf"].as_u64().unwrap();
    assert_eq!(life, 600);
    fs::write(&file, "\u{1}\u{2}").unwrap();
    let message = token_of(&environment).await.unwrap_err().to_string();
    let expected = "client.pem: it is neither PEM nor a PKCS#12 file";
    assert!(message.ends_with(expected), "{message}");
    fs::write(&file, key.serialize_pem()).unwrap();
    let protected = [
        environment.as_slice(),
        &[("AZURE_CLIENT_CERTIFICATE_PASSWORD", "canary")],
    ];
    let message = token_of(&protected.concat()).await.unwrap_err().to_string();
    let expected = "client.pem: it is PEM, whose key must have no password";
    assert!(message.ends_with(expected), "{message}");
}

#[tokio::test]
async fn certificate_of_the_key_signs_whatever_its_place() {
    let issuer = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let key = rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let certificate = |key: &rcgen::KeyPair| {
        let parameters = rcgen::CertificateParams::new(vec!["flux".to_owned()]).unwrap();
        parameters.self_signed(key).unwrap()
    };
    let (other, leaf) = (certificate(&issuer), certificate(&key));
    let signed = async |bytes: &[u8], password: Option<&str>| {
        let certificate = ClientCertificate {
            bytes: Sensitive::new(bytes.to_vec()),
            password: password.map(Sensitive::from),
            is_chain_sent: true,
        };
        let application = Application::new(&Environment::default(), TENANT, CLIENT).unwrap();
        let signed = certificate.assertion("here", &application, now()).await;
        let header = signed.map(|signed| {
            let header = signed.expose().split('.').next().unwrap_or_default();
            let header = BASE64_URL_SAFE_NO_PAD.decode(header).unwrap();
            serde_json::from_slice::<Value>(&header).unwrap()
        });
        header.map_err(|error| error.to_string())
    };
    let thumbprint = |der: &[u8]| {
        let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, der);
        BASE64_URL_SAFE_NO_PAD.encode(hash)
    };
    let pem = format!("{}{}{}", other.pem(), key.serialize_pem(), leaf.pem());
    let header = signed(pem.as_bytes(), None).await.unwrap();
    assert_eq!(header["x5t#S256"], thumbprint(leaf.der()));
    assert_eq!(header["x5c"].as_array().unwrap().len(), 2);
    let foreign = format!("{}{}", other.pem(), key.serialize_pem());
    let message = signed(foreign.as_bytes(), None).await.unwrap_err();
    assert_eq!(message, "here: the key does not belong to a certificate");
    let file = include_bytes!("pkcs12/testdata/rc2.p12");
    let hash = hex::decode(include_str!("pkcs12/testdata/fingerprint.txt").trim());
    let header = signed(file, Some("canary-word")).await.unwrap();
    let expected = BASE64_URL_SAFE_NO_PAD.encode(hash.unwrap());
    assert_eq!(header["x5t#S256"], expected);
    let message = signed(file, Some("canary-other")).await.unwrap_err();
    assert_eq!(message, "here: the password of the PKCS#12 file is wrong");
}

#[tokio::test]
async fn managed_identity_is_asked_without_proxy() {
    let body = r#"{"access_token":"canary-access","expires_in":"86399","resource":"x"}"#;
    let path = "GET /metadata/identity/oauth2/token";
    let fake = Fake::start(&[(path, ok(body))]).await;
    let host = fake.url("");
    let environment: Environment = [
        ("AZURE_POD_IDENTITY_AUTHORITY_HOST", host.as_str()),
        ("AZURE_CLIENT_ID", CLIENT),
    ]
    .into_iter()
    .collect();
    let clients = HttpClients::new("test");
    let dial = Dial {
        proxy: Some(Proxy::new("http://127.0.0.1:1", None).unwrap()),
        ..Dial::default()
    };
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    let issued = token(&environment, transport, DEV_OPS, now())
        .await
        .unwrap();
    assert_eq!(issued.expires, now() + Duration::from_secs(86_399));
    assert_eq!(
        fake.requests(),
        [format!(
            "{path}?api-version=2018-02-01&resource=499b84ac-1321-427f-aa17-267ca6975798&\
             client_id={CLIENT}\nmetadata: true"
        )]
    );
    let message = token_of(&[("AZURE_POD_IDENTITY_AUTHORITY_HOST", "http://127.0.0.1:1")])
        .await
        .unwrap_err()
        .to_string();
    assert!(
        message.starts_with("no Azure credentials were found: "),
        "{message}"
    );
}

#[tokio::test]
async fn error_has_neither_secret_nor_trace() {
    let body = r#"{"error":"invalid_client","error_description":"AADSTS7000215: Invalid client secret canary-secret provided. Trace ID: 1234 Correlation ID: 5678 Timestamp: 2026\r\nTrace ID: 1"}"#;
    let fake = Fake::start(&[(TOKEN_PATH, status(401, body))]).await;
    let authority = fake.url("/");
    let environment = [
        ("AZURE_TENANT_ID", TENANT),
        ("AZURE_CLIENT_ID", CLIENT),
        ("AZURE_CLIENT_SECRET", "canary-secret"),
        ("AZURE_AUTHORITY_HOST", authority.as_str()),
    ];
    let message = token_of(&environment).await.unwrap_err().to_string();
    assert_eq!(
        message,
        format!(
            "get an Azure token for {CLIENT} at {authority}{TENANT}/oauth2/v2.0/token: the answer \
             is 401 Unauthorized: invalid_client: AADSTS7000215: Invalid client secret [redacted] \
             provided."
        )
    );
    let password = [
        &environment[..2],
        &[("AZURE_USERNAME", "me"), ("AZURE_PASSWORD", "canary")],
    ];
    let message = token_of(&password.concat()).await.unwrap_err().to_string();
    assert!(
        message.contains("deprecated") && !message.contains("canary"),
        "{message}"
    );
}

#[tokio::test]
async fn account_needs_both_annotations() {
    let refused =
        |annotations: &[(&str, &str)]| identity(&account(annotations)).unwrap_err().to_string();
    let tenant = (TENANT_ANNOTATION, TENANT);
    assert_eq!(
        refused(&[]),
        "azure tenant ID is not set in the service account annotation \
         azure.workload.identity/tenant-id"
    );
    assert_eq!(
        refused(&[tenant]),
        "azure client ID is not set in the service account annotation \
         azure.workload.identity/client-id"
    );
    assert!(refused(&[tenant, (CLIENT_ANNOTATION, "x")]).contains("not an Azure client ID"));
    for bad in ["../x", "a/b", "a?b", "a..b", "a#b"] {
        let message = refused(&[(TENANT_ANNOTATION, bad), (CLIENT_ANNOTATION, CLIENT)]);
        assert!(message.contains("is not an Azure tenant"), "{message}");
    }
    let good = account(&[tenant, (CLIENT_ANNOTATION, CLIENT)]);
    assert_eq!(identity(&good).unwrap(), (TENANT, CLIENT));
}

#[tokio::test]
async fn registry_login_exchanges_the_token() {
    let refresh = jwt::tests::token(r#"{"exp":1800003601}"#);
    let body = format!(r#"{{"refresh_token":"{refresh}"}}"#);
    let path = "POST /oauth2/exchange";
    let fake = Fake::start(&[(path, ok(body))]).await;
    let url = Url::parse(&fake.url("/")).unwrap();
    let clients = HttpClients::new("test");
    let transport = Transport {
        clients: &clients,
        dial: &Dial::default(),
    };
    let token = Sensitive::from("canary-access");
    let basic = login(transport, &url, &token, now()).await.unwrap();
    assert_eq!(basic.value.username, "00000000-0000-0000-0000-000000000000");
    assert_eq!(*basic.value.password.expose(), refresh);
    assert_eq!(
        basic.expires,
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_003_601)
    );
    assert_eq!(
        fake.requests(),
        [format!(
            "{path}\n{FORM}\ngrant_type=access_token&service=127.0.0.1&access_token=canary-access"
        )]
    );
    let body = r#"{"errors":[{"code":"UNAUTHORIZED","message":"canary-access is not valid"}]}"#;
    let fake = Fake::start(&[(path, status(401, body))]).await;
    let url = Url::parse(&fake.url("/")).unwrap();
    let message = login(transport, &url, &token, now()).await.unwrap_err();
    assert_eq!(
        message.to_string(),
        "get a registry password at 127.0.0.1: the answer is 401 Unauthorized: UNAUTHORIZED: \
         [redacted] is not valid"
    );
}

/// Each call of this module, with answers that are not its own.
#[tokio::test]
async fn faulty_answers_have_a_reason() {
    let no_token = "the answer holds no access token";
    for (answer, expected) in [
        (ok("<html>canary-secret</html>"), no_token),
        (ok(r#"{"token_type":"Bearer"}"#), no_token),
        (
            ok(r#"{"access_token":"canary-access","expires_in":"?"}"#),
            no_token,
        ),
        (status(400, "<html>"), "the answer is 400 Bad Request"),
    ] {
        let fake = Fake::start(&[(TOKEN_PATH, answer)]).await;
        let authority = fake.url("/");
        let environment = [
            ("AZURE_TENANT_ID", TENANT),
            ("AZURE_CLIENT_ID", CLIENT),
            ("AZURE_CLIENT_SECRET", "canary-secret"),
            ("AZURE_AUTHORITY_HOST", &authority),
        ];
        let failed = token_of(&environment);
        let action = format!("get an Azure token for {CLIENT} at {authority}{TENANT}/oauth2");
        let message = failed.await.unwrap_err().to_string();
        assert_eq!(message, format!("{action}/v2.0/token: {expected}"));
    }
    let refusal = r#"{"error":"invalid_request","error_description":"Identity not found"}"#;
    for (answer, expected) in [
        (ok("<html>"), no_token),
        (ok("{}"), no_token),
        (
            status(400, refusal),
            "the answer is 400 Bad Request: invalid_request: Identity not found",
        ),
    ] {
        let fake = Fake::start(&[("GET /metadata/identity/oauth2/token", answer)]).await;
        let failed = token_of(&[("AZURE_POD_IDENTITY_AUTHORITY_HOST", &fake.url(""))]).await;
        let action = "ask this machine's host for an Azure token";
        let message = failed.unwrap_err().to_string();
        assert_eq!(message, format!("{action}: {expected}"));
    }
    let clients = HttpClients::new("test");
    let transport = Transport {
        clients: &clients,
        dial: &Dial::default(),
    };
    let token = Sensitive::from("canary-access");
    for (answer, expected) in [
        (ok("<html>"), "the answer holds no refresh token"),
        (ok("{}"), "the answer holds no refresh token"),
        (
            ok(r#"{"refresh_token":"canary"}"#),
            "the refresh token is not a JWT",
        ),
    ] {
        let fake = Fake::start(&[("POST /oauth2/exchange", answer)]).await;
        let url = Url::parse(&fake.url("/")).unwrap();
        let message = login(transport, &url, &token, now()).await.unwrap_err();
        let expected = format!("get a registry password at 127.0.0.1: {expected}");
        assert_eq!(message.to_string(), expected);
    }
}
