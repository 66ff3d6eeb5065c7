//! Clusters and registries.

use std::time::Duration;

use sluice_dial::{Dial, HttpClients};

use super::*;
use crate::fake::{Fake, ok, status};

/// Signed by botocore 1.44.5 (`SigV4QueryAuth` with a lifetime of 900 s), for these keys and time.
#[test]
fn cluster_token_equals_that_of_botocore() {
    use base64::Engine as _;
    use base64::prelude::BASE64_URL_SAFE_NO_PAD;

    let cluster = Cluster::parse("arn:aws:eks:eu-west-1:123456789012:cluster/prod").unwrap();
    let sts = Environment::default().sts(cluster.region()).unwrap();
    let token = cluster.token(&sts, &keys(Some("canary-session")), now());
    let text = token.value.expose().strip_prefix("k8s-aws-v1.").unwrap();
    let url = String::from_utf8(BASE64_URL_SAFE_NO_PAD.decode(text).unwrap()).unwrap();
    assert_eq!(
        url,
        "https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15&\
         X-Amz-Algorithm=AWS4-HMAC-SHA256&\
         X-Amz-Credential=AKIDEXAMPLE%2F20260503%2Feu-west-1%2Fsts%2Faws4_request&\
         X-Amz-Date=20260503T143000Z&X-Amz-Expires=900&X-Amz-Security-Token=canary-session&\
         X-Amz-SignedHeaders=host%3Bx-k8s-aws-id&\
         X-Amz-Signature=a9cac8f40b903b42aa470ad9f15adbc06e8c2086def0b2f8a3b63628c6755fd5"
    );
    assert_eq!(token.expires, now() + Duration::from_mins(15));
    for bad in [
        "arn:aws:eks:eu-west-1:1:nodegroup/prod",
        "arn:aws:eks:eu-west-1/evil:1:cluster/prod",
        "prod",
    ] {
        assert!(Cluster::parse(bad).is_err(), "{bad}");
    }
}

/// The recorded requests without their signature, which has tests of its own.
fn unsigned(requests: &[String]) -> Vec<String> {
    let lines = requests.iter().flat_map(|request| request.lines());
    let lines = lines.filter(|line| !line.starts_with("authorization: AWS4-HMAC-SHA256 "));
    lines.map(str::to_owned).collect()
}

#[tokio::test]
async fn cluster_is_described_by_its_name() {
    let body = r#"{"cluster":{"endpoint":"https://1.eks.example.com","certificateAuthority":{"data":"Y2E="}}}"#;
    let fake = Fake::start(&[("GET /clusters/prod", ok(body))]).await;
    let address = fake.url("/");
    let environment: Environment = [("AWS_ENDPOINT_URL_EKS", &address)].into_iter().collect();
    let clients = HttpClients::new("test");
    let dial = Dial::default();
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    let describe = async |name: &str| {
        let arn = format!("arn:aws:eks:eu-west-1:123456789012:cluster/{name}");
        let cluster = Cluster::parse(&arn).unwrap();
        let keys = keys(None);
        cluster
            .describe(&environment, transport, &keys, now())
            .await
    };
    let access = describe("prod").await.unwrap();
    assert_eq!(access.address, "https://1.eks.example.com");
    assert_eq!(access.ca, b"ca");
    let requests = fake.requests();
    assert_eq!(
        unsigned(&requests),
        ["GET /clusters/prod", "x-amz-date: 20260503T143000Z"]
    );
    let message = describe("../x?y").await.unwrap_err().to_string();
    assert_eq!(
        message,
        "failed to describe EKS cluster '../x?y': the answer is 418 I'm a teapot"
    );
    assert!(fake.requests()[0].starts_with("GET /clusters/..%2Fx%3Fy\n"));
}

#[tokio::test]
async fn registry_password_comes_from_ecr() {
    // base64 of "AWS:canary-password"
    let data = r#"{"authorizationToken":"QVdTOmNhbmFyeS1wYXNzd29yZA==","expiresAt":1777861801.5}"#;
    let clients = HttpClients::new("test");
    let dial = Dial::default();
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    let login = async |fake: &Fake, registry: Ecr<'_>| {
        let address = fake.url("/");
        let environment: Environment = [("AWS_ENDPOINT_URL", &address)].into_iter().collect();
        let keys = keys(Some("canary-session"));
        registry.login(&environment, transport, &keys, now()).await
    };
    for (registry, body, target) in [
        (
            Ecr::Private("eu-west-1"),
            format!("{{\"authorizationData\":[{data}]}}"),
            "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken",
        ),
        (
            Ecr::Public,
            format!("{{\"authorizationData\":{data}}}"),
            "SpencerFrontendService.GetAuthorizationToken",
        ),
    ] {
        let fake = Fake::start(&[("POST /", ok(body))]).await;
        let token = login(&fake, registry).await.unwrap();
        assert_eq!(token.value.username, "AWS");
        assert_eq!(token.value.password.expose(), "canary-password");
        assert_eq!(
            token.expires,
            SystemTime::UNIX_EPOCH + Duration::from_secs(1_777_861_801)
        );
        let target = format!("x-amz-target: {target}");
        assert_eq!(
            unsigned(&fake.requests()),
            [
                "POST /",
                "content-type: application/x-amz-json-1.1",
                "x-amz-date: 20260503T143000Z",
                "x-amz-security-token: canary-session",
                target.as_str(),
                "{}",
            ]
        );
    }
    for (answer, fault) in [
        (ok("{}"), "no authorization data returned"),
        (
            ok(r#"{"authorizationData":[]}"#),
            "no authorization data returned",
        ),
        (
            ok(r#"{"authorizationData":[{"authorizationToken":"QVdT","expiresAt":1}]}"#),
            "invalid authorization token format",
        ),
        (ok("<html>canary</html>"), "the answer is not JSON"),
        (
            status(
                400,
                r#"{"__type":"com.amazon#AccessDeniedException","message":"no eyJ0.eyJ1.x"}"#,
            ),
            "the answer is 400 Bad Request: AccessDeniedException: no [redacted]",
        ),
    ] {
        let fake = Fake::start(&[("POST /", answer)]).await;
        let error = login(&fake, Ecr::Private("eu-west-1")).await.unwrap_err();
        let expected = format!("get a registry password at {}: {fault}", fake.url("/"));
        assert_eq!(error.to_string(), expected);
    }
}

#[tokio::test]
async fn refused_signature_is_repeated_at_server_time() {
    let body = r#"{"__type":"InvalidSignatureException","message":"Signature expired"}"#;
    let refused = |date| status(403, body).with("date", date);
    for (date, expected) in [
        (
            "Sun, 03 May 2026 14:40:00 GMT",
            vec![
                "x-amz-date: 20260503T143000Z",
                "x-amz-date: 20260503T144000Z",
            ],
        ),
        (
            "Sun, 03 May 2026 14:30:09 GMT",
            vec!["x-amz-date: 20260503T143000Z"],
        ),
        ("today", vec!["x-amz-date: 20260503T143000Z"]),
    ] {
        let fake = Fake::start(&[("POST /", refused(date))]).await;
        let address = fake.url("/");
        let environment: Environment = [("AWS_ENDPOINT_URL", &address)].into_iter().collect();
        let clients = HttpClients::new("test");
        let dial = Dial::default();
        let transport = Transport {
            clients: &clients,
            dial: &dial,
        };
        let (registry, keys) = (Ecr::Private("eu-west-1"), keys(None));
        let login = registry.login(&environment, transport, &keys, now());
        let message = login.await.unwrap_err().to_string();
        let end = "the answer is 403 Forbidden: InvalidSignatureException: Signature expired";
        assert!(message.ends_with(end), "{message}");
        let requests = fake.requests();
        let lines = requests.iter().flat_map(|request| request.lines());
        let dates: Vec<&str> = lines
            .filter(|line| line.starts_with("x-amz-date"))
            .collect();
        assert_eq!(dates, expected);
    }
}

/// Each call of this module, with answers that are not its own.
#[tokio::test]
async fn faulty_answers_have_a_reason() {
    let clients = HttpClients::new("test");
    let dial = Dial::default();
    let transport = Transport {
        clients: &clients,
        dial: &dial,
    };
    let subject = Sensitive::from("canary-token");
    let half = "<R><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>canary</SecretAccessKey></R>";
    for (answer, expected) in [
        (ok("<html>canary</html>"), "the answer holds no credentials"),
        (ok(""), "the answer holds no credentials"),
        (ok(half), "the answer holds no credentials"),
        (status(400, "<html>canary"), "the answer is 400 Bad Request"),
    ] {
        let fake = Fake::start(&[("POST /", answer)]).await;
        let address = fake.url("/");
        let environment: Environment = [("AWS_ENDPOINT_URL_STS", &address)].into_iter().collect();
        let sts = environment.sts("eu-west-1").unwrap();
        let who = AssumeRole {
            role: ROLE,
            session: "s",
            token: &subject,
        };
        let by_token = sts.assume(transport, &who).await;
        let keys = keys(None);
        let by_keys = sts.assume_with(transport, ROLE, "s", &keys, now());
        for failed in [by_token, by_keys.await] {
            let message = failed.unwrap_err().to_string();
            assert_eq!(
                message,
                format!("take the AWS role {ROLE} at {address}: {expected}")
            );
        }
    }
    let refusal = r#"{"__type":"AccessDeniedException","message":"not authorized"}"#;
    let bad_ca = r#"{"cluster":{"endpoint":"https://a","certificateAuthority":{"data":"?"}}}"#;
    for (answer, expected) in [
        (ok("<html>"), "the answer names no endpoint"),
        (ok(r#"{"cluster":{}}"#), "the answer names no endpoint"),
        (ok(bad_ca), "failed to decode EKS CA certificate"),
        (
            status(403, refusal),
            "the answer is 403 Forbidden: AccessDeniedException: not authorized",
        ),
    ] {
        let fake = Fake::start(&[("GET /clusters/prod", answer)]).await;
        let address = fake.url("/");
        let environment: Environment = [("AWS_ENDPOINT_URL_EKS", &address)].into_iter().collect();
        let cluster = Cluster::parse("arn:aws:eks:eu-west-1:1:cluster/prod").unwrap();
        let keys = keys(None);
        let described = cluster.describe(&environment, transport, &keys, now());
        let message = described.await.unwrap_err().to_string();
        assert_eq!(
            message,
            format!("failed to describe EKS cluster 'prod': {expected}")
        );
    }
    let list = "GET /latest/meta-data/iam/security-credentials/";
    let role = format!("{list}r");
    for (roles, answer, expected) in [
        (ok(""), ok(""), "no role is attached to this machine"),
        (ok("r"), ok("<html>"), "the answer holds no credentials"),
        (
            ok("r"),
            ok(r#"{"Code":"Failed","Message":"no"}"#),
            "the answer holds no credentials: Failed: no",
        ),
        (status(404, ""), ok(""), "the answer is 404 Not Found"),
    ] {
        let token = ("PUT /latest/api/token", ok("canary-machine"));
        let fake = Fake::start(&[token, (list, roles), (&role, answer)]).await;
        let address = fake.url("");
        let message = refused(&[("AWS_EC2_METADATA_SERVICE_ENDPOINT", &address)]).await;
        let action = "ask this machine's host for AWS credentials";
        assert_eq!(message, format!("{action}: {expected}"));
    }
}
