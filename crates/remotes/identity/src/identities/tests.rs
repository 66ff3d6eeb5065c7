//! Tests of the cache of identities and tokens.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use sluice_dial::Credentials;
use sluice_golang::error::chain;
use sluice_system::SystemClock;

use super::*;
use crate::account::TokenRequestFuture;
use crate::azure::{PrincipalProof, ServicePrincipal};
use crate::fake::{Fake, ok, status};
use crate::jwt;

pub(super) const STS_ANSWER: &str = "<R><Credentials><AccessKeyId>ASIA2</AccessKeyId><SecretAccessKey>canary-key</SecretAccessKey><SessionToken>canary-session</SessionToken><Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></R>";
const ROLE: &str = "arn:aws:iam::123456789012:role/flux";

/// An API server that issues tokens, and records their service accounts.
#[derive(Default)]
pub(super) struct Issuer {
    pub(super) issued: Mutex<Vec<String>>,
    /// The subject of its tokens, if it lies.
    subject: Option<&'static str>,
}

impl TokenRequest for Issuer {
    fn request<'a>(
        &'a self,
        account: &'a Account,
        audiences: &'a [String],
    ) -> TokenRequestFuture<'a> {
        Box::pin(async move {
            self.issued
                .lock()
                .unwrap()
                .push(format!("{account} {}", audiences.join(",")));
            let owner = format!(
                "system:serviceaccount:{}:{}",
                account.namespace(),
                account.name()
            );
            let subject = self.subject.unwrap_or(&owner);
            let claims =
                serde_json::json!({"sub": subject, "aud": audiences, "exp": 4_000_000_000_u64});
            Ok(jwt::tests::token(&claims.to_string()).into())
        })
    }
}

pub(super) fn account(namespace: &str, uid: &str, annotations: &[(&str, &str)]) -> Account {
    let annotations: BTreeMap<String, String> = annotations
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
        .collect();
    Account::new(namespace, "flux", uid, annotations).unwrap()
}

pub(super) fn with_role(namespace: &str, uid: &str) -> Account {
    account(namespace, uid, &[("eks.amazonaws.com/role-arn", ROLE)])
}

pub(super) fn identities(pairs: &[(&str, &str)]) -> Identities {
    Identities::new(
        Arc::new(HttpClients::new("test")),
        Arc::new(SystemClock),
        pairs.iter().copied().collect(),
        TokenCache::new(100, Duration::from_hours(1)),
    )
}

fn in_region(region: &str) -> AwsLocation<'_> {
    AwsLocation {
        region: Some(region),
        sts_endpoint: None,
    }
}

#[tokio::test]
async fn one_exchange_serves_many_objects() {
    let fake = Fake::start(&[("POST /", ok(STS_ANSWER))]).await;
    let address = fake.url("/");
    let identities = identities(&[("AWS_ENDPOINT_URL_STS", &address)]);
    let (issuer, account) = (Issuer::default(), with_role("apps", "1"));
    let level = Level::Object {
        account: &account,
        requests: &issuer,
    };
    let dial = Dial::default();
    for number in 0..1000 {
        let location = in_region("eu-west-1");
        let (keys, lookup) = identities.aws(level, location, &dial).await.unwrap();
        assert_eq!(keys.access_key, "ASIA2");
        assert_eq!(lookup == Lookup::Miss, number == 0);
    }
    let requests = fake.requests();
    assert_eq!(requests.len(), 1);
    let session = "&RoleSessionName=flux.apps.eu-west-1.fluxcd.io&WebIdentityToken=e30.";
    assert!(requests[0].contains(session), "{requests:?}");
    assert_eq!(
        *issuer.issued.lock().unwrap(),
        ["apps/flux sts.amazonaws.com"]
    );
}

#[tokio::test]
async fn cached_token_belongs_to_one_account() {
    let fake = Fake::start(&[("POST /", ok(STS_ANSWER))]).await;
    let address = fake.url("/");
    let identities = identities(&[("AWS_ENDPOINT_URL_STS", &address)]);
    let issuer = Issuer::default();
    let dial = Dial::default();
    let other_role = [("eks.amazonaws.com/role-arn", "arn:aws:iam::1:role/other")];
    for account in [
        with_role("apps", "1"),
        // Another namespace, a re-created account, a changed annotation.
        with_role("infra", "1"),
        with_role("apps", "2"),
        account("apps", "1", &other_role),
    ] {
        let level = Level::Object {
            account: &account,
            requests: &issuer,
        };
        let (_, lookup) = identities
            .aws(level, in_region("eu-west-1"), &dial)
            .await
            .unwrap();
        assert_eq!(lookup, Lookup::Miss, "{account:?}");
    }
    let (account, region) = (with_role("apps", "1"), in_region("eu-north-1"));
    let level = Level::Object {
        account: &account,
        requests: &issuer,
    };
    let (_, lookup) = identities.aws(level, region, &dial).await.unwrap();
    assert_eq!(lookup, Lookup::Miss, "another region");
    assert_eq!(fake.requests().len(), 5);
}

#[tokio::test]
async fn steps_of_an_identity_are_timed() {
    let fake = Fake::start(&[
        ("POST /sts", ok(STS_ANSWER)),
        ("POST /ecr", ok(ecr_answer("canary-1"))),
    ])
    .await;
    let (sts, ecr) = (fake.url("/sts"), fake.url("/ecr"));
    let steps: Arc<Mutex<Vec<(Provider, &str)>>> = Arc::default();
    let observed = Arc::clone(&steps);
    let identities = identities(&[
        ("AWS_ENDPOINT_URL_STS", &sts),
        ("AWS_ENDPOINT_URL_ECR", &ecr),
    ])
    .observed(Box::new(move |provider, step, _| {
        observed.lock().unwrap().push((provider, step.name()));
    }));
    let (issuer, account) = (Issuer::default(), with_role("apps", "1"));
    let level = Level::Object {
        account: &account,
        requests: &issuer,
    };
    let host = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
    for _ in 0..2 {
        let dial = Dial::default();
        let login = identities.registry(Provider::Aws, level, host, &dial);
        login.await.unwrap();
    }
    let expected = ["token_request", "exchange", "derive"];
    assert_eq!(
        *steps.lock().unwrap(),
        expected.map(|step| (Provider::Aws, step))
    );
}

#[tokio::test]
async fn object_never_gets_the_identity_of_the_controller() {
    let fake = Fake::start(&[(
        "POST /",
        status(
            403,
            "<Error><Code>AccessDenied</Code><Message>no</Message></Error>",
        ),
    )])
    .await;
    let address = fake.url("/");
    let identities = identities(&[
        ("AWS_ENDPOINT_URL", &address),
        ("AWS_ACCESS_KEY_ID", "AKID"),
        ("AWS_SECRET_ACCESS_KEY", "canary-key"),
        ("AZURE_TENANT_ID", "t"),
        ("AZURE_CLIENT_ID", "c"),
        ("AZURE_CLIENT_SECRET", "canary-secret"),
        ("AZURE_AUTHORITY_HOST", &address),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/nonexistent"),
        ("GCE_METADATA_HOST", fake.host()),
    ]);
    let (issuer, dial) = (Issuer::default(), Dial::default());
    let (bare, ready) = (account("apps", "1", &[]), with_role("apps", "1"));
    let level = |account| Level::Object {
        account,
        requests: &issuer,
    };
    let location = in_region("eu-west-1");
    let refused = identities.aws(level(&bare), location, &dial).await;
    assert_eq!(
        chain(&refused.unwrap_err()),
        r"failed to get provider identity from service account 'apps/flux' annotations: invalid eks.amazonaws.com/role-arn annotation: ''. must match ^arn:aws[\w-]*:iam::[0-9]{1,30}:role/.{1,200}$"
    );
    let refused = identities.azure(level(&bare), azure::BLOBS, &dial).await;
    assert_eq!(
        chain(&refused.unwrap_err()),
        "failed to get provider identity from service account 'apps/flux' annotations: azure \
         tenant ID is not set in the service account annotation azure.workload.identity/tenant-id"
    );
    let refused = identities.gcp(level(&bare), &dial).await;
    let message = chain(&refused.unwrap_err());
    let start = "failed to get provider audience: failed to get GKE cluster project ID from the \
                 metadata service: ";
    assert!(message.starts_with(start), "{message}");
    fake.requests();
    let refused = identities.aws(level(&ready), location, &dial).await;
    assert_eq!(
        chain(&refused.unwrap_err()),
        format!(
            "failed to create provider access token for service account 'apps/flux': take the AWS \
             role {ROLE} at {address}: the answer is 403 Forbidden: AccessDenied: no"
        )
    );
    let requests = fake.requests();
    assert_eq!(requests.len(), 1);
    assert!(!requests[0].contains("canary"), "{requests:?}");
    assert!(identities.cache().is_empty());
}

#[tokio::test]
async fn token_of_another_account_is_refused() {
    let fake = Fake::start(&[("POST /", ok(STS_ANSWER))]).await;
    let address = fake.url("/");
    let identities = identities(&[("AWS_ENDPOINT_URL_STS", &address)]);
    let issuer = Issuer {
        subject: Some("system:serviceaccount:infra:flux"),
        ..Issuer::default()
    };
    let account = with_role("apps", "1");
    let level = Level::Object {
        account: &account,
        requests: &issuer,
    };
    let refused = identities
        .aws(level, in_region("eu-west-1"), &Dial::default())
        .await;
    assert_eq!(
        chain(&refused.unwrap_err()),
        "failed to create kubernetes token for service account 'apps/flux': it is the token of \
         another service account"
    );
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn region_and_endpoint_are_checked_before_a_request() {
    let issuer = Issuer::default();
    let account = with_role("apps", "1");
    let object = Level::Object {
        account: &account,
        requests: &issuer,
    };
    let identities = identities(&[]);
    let dial = Dial::default();
    for (level, region, endpoint, expected) in [
        (
            object,
            None,
            None,
            "failed to create provider access token for service account 'apps/flux': an AWS region \
             is required for authenticating with a service account. please configure one in the \
             object spec",
        ),
        (
            Level::Controller,
            None,
            None,
            "failed to create provider access token for the controller: AWS_REGION environment \
             variable is not set in the Flux controller. ",
        ),
        (
            object,
            Some("eu-west-1/x"),
            None,
            "'eu-west-1/x' is not an AWS region",
        ),
        (
            object,
            Some("eu-west-1"),
            Some("https://evil.io/?x.sts.amazonaws.com"),
            "failed to create provider access token for service account 'apps/flux': invalid STS \
             endpoint: 'https://evil.io/?x.sts.amazonaws.com'. must match ",
        ),
    ] {
        let location = AwsLocation {
            region,
            sts_endpoint: endpoint,
        };
        let refused = identities.aws(level, location, &dial).await;
        let message = chain(&refused.unwrap_err());
        assert!(message.starts_with(expected), "{message}");
    }
}

#[tokio::test]
async fn registry_and_repository_use_one_cache() {
    // base64 of "AWS:canary-password"
    let body = r#"{"authorizationData":[{"authorizationToken":"QVdTOmNhbmFyeS1wYXNzd29yZA==","expiresAt":4070908800}]}"#;
    let fake = Fake::start(&[("POST /sts", ok(STS_ANSWER)), ("POST /ecr", ok(body))]).await;
    let (sts, ecr) = (fake.url("/sts"), fake.url("/ecr"));
    let identities = identities(&[
        ("AWS_ENDPOINT_URL_STS", &sts),
        ("AWS_ENDPOINT_URL_ECR", &ecr),
    ]);
    let (issuer, account) = (Issuer::default(), with_role("apps", "1"));
    let level = Level::Object {
        account: &account,
        requests: &issuer,
    };
    let dial = Dial::default();
    let host = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
    for expected in [Lookup::Miss, Lookup::Hit] {
        let login = identities.registry(Provider::Aws, level, host, &dial).await;
        let (basic, lookup) = login.unwrap();
        assert_eq!((basic.username.as_str(), lookup), ("AWS", expected));
    }
    let url = "https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/a";
    let url = Url::parse(url).unwrap();
    let git = identities.git(Provider::Aws, level, &url, &dial).await;
    assert!(matches!(
        git.unwrap(),
        (Credentials::Basic(_), Lookup::Miss)
    ));
    // One exchange serves both; the cache holds keys, registry and repository.
    assert_eq!((fake.requests().len(), identities.cache().len()), (2, 3));
    let refused = identities.registry(Provider::Gcp, level, host, &dial).await;
    let message = refused.unwrap_err().to_string();
    assert!(message.starts_with(&format!("invalid GCP registry: '{host}'. must match ")));
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn token_of_the_controller_goes_to_azure_only() {
    let path = "POST /t/oauth2/v2.0/token";
    let body = r#"{"access_token":"canary-access","expires_in":3599}"#;
    let fake = Fake::start(&[(path, ok(body))]).await;
    let address = fake.url("/");
    let identities = identities(&[
        ("AZURE_TENANT_ID", "t"),
        ("AZURE_CLIENT_ID", "c"),
        ("AZURE_CLIENT_SECRET", "canary-secret"),
        ("AZURE_AUTHORITY_HOST", &address),
    ]);
    let dial = Dial::default();
    let git = async |address: &str| {
        let url = Url::parse(address).unwrap();
        let level = Level::Controller;
        identities.git(Provider::Azure, level, &url, &dial).await
    };
    for (address, expected) in [
        (
            "http://dev.azure.com/org/_git/repo",
            "a token of Azure needs an https URL without user information, not one of \
             'dev.azure.com'",
        ),
        (
            "https://evil.io/org/_git/repo",
            "the controller's token of Azure is not sent to 'evil.io': set a service account in \
             the object, or list the host in --identity-host-allowlist",
        ),
    ] {
        assert_eq!(git(address).await.unwrap_err().to_string(), expected);
    }
    let secret = Sensitive::from("canary-secret".to_owned());
    for authority in [&*address, "https://169.254.169.254"] {
        let principal = ServicePrincipal {
            tenant: "t",
            client: "c",
            authority: Some(authority),
            proof: PrincipalProof::Secret(&secret),
        };
        let refused = identities.service_principal(&principal, azure::BLOBS, &dial);
        let expected = format!("authorityHost: '{authority}' is not the https address of an");
        assert!(refused.await.unwrap_err().to_string().contains(&expected));
    }
    let node = Url::parse("https://evil.io/container").unwrap();
    let refused = identities.managed_blobs("canary-client", &node).await;
    let expected = "the controller's token of Azure is not sent to 'evil.io': ";
    assert!(refused.unwrap_err().to_string().starts_with(expected));
    assert!(fake.requests().is_empty());
    let (credentials, lookup) = git("https://dev.azure.com/org/_git/repo").await.unwrap();
    let Credentials::Bearer(bearer) = credentials else {
        panic!("not a bearer token");
    };
    assert_eq!((bearer.expose(), lookup), ("canary-access", Lookup::Miss));
    let scope = "&scope=499b84ac-1321-427f-aa17-267ca6975798%2F.default&";
    assert!(fake.requests()[0].contains(scope));
}

#[tokio::test]
async fn generic_token_is_cached_by_audience() {
    let identities = identities(&[]);
    let (issuer, account) = (Issuer::default(), account("apps", "1", &[]));
    for (audience, expected) in [
        ("https://a", Lookup::Miss),
        ("https://a", Lookup::Hit),
        ("https://b", Lookup::Miss),
    ] {
        let audiences = [audience.to_owned()];
        let found = identities.generic(&account, &issuer, &audiences).await;
        assert_eq!(found.unwrap().1, expected);
    }
    assert_eq!(
        *issuer.issued.lock().unwrap(),
        ["apps/flux https://a", "apps/flux https://b"]
    );
}

fn ecr_answer(password: &str) -> String {
    use base64::Engine as _;
    let pair = base64::prelude::BASE64_STANDARD.encode(format!("AWS:{password}"));
    format!(
        r#"{{"authorizationData":[{{"authorizationToken":"{pair}","expiresAt":4000000000.0}}]}}"#
    )
}

#[tokio::test]
async fn rejected_registry_password_leaves_the_cache() {
    use sluice_dial::BasicSource as _;
    let fake = Fake::start(&[("POST /", ok(ecr_answer("canary-1")))]).await;
    let address = fake.url("/");
    let identities = Arc::new(identities(&[
        ("AWS_ACCESS_KEY_ID", "AKIA"),
        ("AWS_SECRET_ACCESS_KEY", "canary-key"),
        ("AWS_ENDPOINT_URL_ECR", &address),
    ]));
    let login = |owner: crate::Owner| {
        let host = "123456789012.dkr.ecr.eu-west-1.amazonaws.com";
        let identities = Arc::clone(&identities);
        crate::RegistryLogin::new(identities, Provider::Aws, owner, host, Dial::default()).unwrap()
    };
    let first = login(crate::Owner::Controller);
    assert_eq!(first.issue().await.unwrap(), Basic::new("AWS", "canary-1"));
    // A password that is not from the cache is not asked for again.
    assert!(!first.reject());
    let second = login(crate::Owner::Controller);
    assert_eq!(first.fingerprint(), second.fingerprint());
    second.issue().await.unwrap();
    assert_eq!(fake.requests().len(), 1);
    assert!(second.reject());
    second.issue().await.unwrap();
    assert_eq!(fake.requests().len(), 1);
    assert!(!second.reject());
    assert!(!format!("{second:?}").contains("canary"));
}

#[test]
fn fingerprint_of_a_login_depends_on_its_owner() {
    use sluice_dial::BasicSource as _;
    let identities = Arc::new(identities(&[]));
    let fingerprint = |owner: crate::Owner, host: &str| {
        let identities = Arc::clone(&identities);
        let login =
            crate::RegistryLogin::new(identities, Provider::Gcp, owner, host, Dial::default());
        login.unwrap().fingerprint()
    };
    let owner = |account: Account| crate::Owner::Object {
        account,
        requests: Arc::new(Issuer::default()),
    };
    let prints = [
        fingerprint(crate::Owner::Controller, "gcr.io"),
        fingerprint(crate::Owner::Controller, "eu.gcr.io"),
        fingerprint(owner(account("a", "1", &[])), "gcr.io"),
        fingerprint(owner(account("b", "1", &[])), "gcr.io"),
        fingerprint(owner(account("a", "2", &[])), "gcr.io"),
        fingerprint(owner(account("a", "1", &[("k", "v")])), "gcr.io"),
    ];
    for (at, print) in prints.iter().enumerate() {
        assert!(!prints[..at].contains(print), "{at}");
    }
    let host = "gcr.io.evil.io";
    let refused = crate::RegistryLogin::new(
        Arc::clone(&identities),
        Provider::Gcp,
        crate::Owner::Controller,
        host,
        Dial::default(),
    );
    assert!(refused.unwrap_err().to_string().contains(host));
}
