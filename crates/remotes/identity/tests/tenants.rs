//! Identities of tenants in one process: each credential stays with its owner, and goes to the
//! cloud only. The cloud maps each credential to the account that it was issued for.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sluice_dial::{Credentials, Dial, HttpClients, Proxy, Sensitive, Tls};
use sluice_identity::{
    Account, AwsLocation, CloudCluster, Identities, IdentityError, Level, Provider, TokenCache,
    TokenRequest, TokenRequestFuture, aws,
};
use sluice_system::SystemClock;
use sluice_testkit::{CloudAnswer, CloudRequest, FakeCloud};
use url::Url;

const STS: &str = "sts.eu-west-1.amazonaws.com";
const PUBLIC_STS: &str = "sts.us-east-1.amazonaws.com";
const ECR: &str = "api.ecr.eu-west-1.amazonaws.com";
const PUBLIC_ECR: &str = "api.ecr-public.us-east-1.amazonaws.com";
const EKS: &str = "eks.eu-west-1.amazonaws.com";
const ENTRA: &str = "login.microsoftonline.com";
const ACR: &str = "fleet.azurecr.io";
const GOOGLE: &str = "sts.googleapis.com";
const IAM: &str = "iamcredentials.googleapis.com";
const GKE: &str = "container.googleapis.com";
const HOSTS: [&str; 10] = [
    STS, PUBLIC_STS, ECR, PUBLIC_ECR, EKS, ENTRA, ACR, GOOGLE, IAM, GKE,
];
const TENANT: &str = "11111111-2222-3333-4444-555555555555";
const ARN: &str = "arn:aws:eks:eu-west-1:123456789012:cluster/prod";
const CLUSTER: &str = "projects/p/locations/l/clusters/c";
const CODE_COMMIT: &str = "https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/a";
/// Another namespace, an account that was created again, and changed annotations.
const ACCOUNTS: [(&str, &str, u8); 4] = [
    ("apps", "1", 1),
    ("infra", "1", 2),
    ("apps", "2", 1),
    ("apps", "1", 3),
];

/// Issues tokens that name their owner.
struct Issuer;

impl TokenRequest for Issuer {
    fn request<'a>(
        &'a self,
        account: &'a Account,
        audiences: &'a [String],
    ) -> TokenRequestFuture<'a> {
        Box::pin(async move {
            let subject = format!(
                "system:serviceaccount:{}:{}",
                account.namespace(),
                account.name()
            );
            let mark = account.annotation("mark").unwrap_or_default();
            let claims = json!({
                "sub": subject, "aud": audiences, "exp": 4_000_000_000_u64,
                "owner": owner(account.namespace(), account.uid(), mark),
            });
            Ok(Sensitive::new(token(&claims)))
        })
    }
}

fn owner(namespace: &str, uid: &str, mark: &str) -> String {
    format!("owner-{namespace}-{uid}-{mark}")
}

fn token(claims: &Value) -> String {
    let encode = |text: &str| BASE64_URL_SAFE_NO_PAD.encode(text);
    format!("{}.{}.s", encode("{}"), encode(&claims.to_string()))
}

fn client(mark: u8) -> String {
    format!("66666666-7777-8888-9999-00000000000{mark}")
}

/// An account whose annotations have a mark.
fn account(namespace: &str, uid: &str, mark: u8) -> Account {
    let provider = format!("projects/1/locations/global/workloadIdentityPools/p/providers/m{mark}");
    let annotations = [
        ("mark", mark.to_string()),
        (
            "eks.amazonaws.com/role-arn",
            format!("arn:aws:iam::123456789012:role/m{mark}"),
        ),
        ("azure.workload.identity/tenant-id", TENANT.to_owned()),
        ("azure.workload.identity/client-id", client(mark)),
        ("gcp.auth.fluxcd.io/workload-identity-provider", provider),
        (
            "iam.gke.io/gcp-service-account",
            format!("m{mark}@p.iam.gserviceaccount.com"),
        ),
    ];
    let annotations = annotations.map(|(key, value)| (key.to_owned(), value));
    Account::new(namespace, "flux", uid, annotations.into()).unwrap()
}

/// A text with all that its base64 parts hide.
fn plain(text: &str) -> String {
    let parts = text.split(['.', ' ', '&', '=', '"', '/']);
    let decoded = parts.filter_map(|part| {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(part).ok()?;
        String::from_utf8(bytes).ok()
    });
    let decoded: Vec<String> = decoded.collect();
    format!("{text} {}", decoded.join(" "))
}

/// The owners that a text names.
fn owners(text: &str) -> BTreeSet<String> {
    let text = plain(text);
    let parts = text.match_indices("owner-").map(|(at, _)| &text[at..]);
    let is_part = |character: &char| character.is_ascii_alphanumeric() || *character == '-';
    parts
        .map(|part| part.chars().take_while(is_part).collect())
        .collect()
}

/// All credentials of a request.
fn sent(request: &CloudRequest) -> String {
    let headers = ["authorization", "x-amz-security-token"];
    let headers = headers.map(|name| request.header(name));
    format!("{} {} {}", headers.join(" "), request.body, request.target)
}

/// A cloud whose credentials name the owner of the proof.
fn answer(request: &CloudRequest) -> Option<CloudAnswer> {
    let owners = owners(&sent(request));
    let owner = owners.first()?.as_str();
    let mark = owner.rsplit('-').next()?;
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(request.body.as_bytes())
        .into_owned()
        .collect();
    let field = |name: &str| form.get(name).map_or("", String::as_str);
    let body = match request.host.as_str() {
        STS | PUBLIC_STS => {
            assert!(field("RoleArn").ends_with(&format!("/m{mark}")), "{form:?}");
            format!(
                "<R><AccessKeyId>{owner}</AccessKeyId><SecretAccessKey>{owner}</SecretAccessKey>\
                 <SessionToken>{owner}</SessionToken>\
                 <Expiration>2099-01-01T00:00:00Z</Expiration></R>"
            )
        }
        ECR | PUBLIC_ECR => {
            let pair = BASE64_STANDARD.encode(format!("AWS:{owner}"));
            let data = json!({ "authorizationToken": pair, "expiresAt": 4_000_000_000_u64 });
            let is_public = request.host == PUBLIC_ECR;
            let data = if is_public { data } else { json!([data]) };
            json!({ "authorizationData": data }).to_string()
        }
        EKS => json!({ "cluster": {
            "endpoint": "https://1.eks", "certificateAuthority": { "data": "Y2E=" },
        }})
        .to_string(),
        ENTRA => {
            let number: u8 = mark.parse().unwrap();
            assert_eq!(field("client_id"), client(number));
            json!({ "access_token": owner, "expires_in": 3599 }).to_string()
        }
        ACR => {
            let claims = json!({ "owner": owner, "exp": 4_000_000_000_u64 });
            json!({ "refresh_token": token(&claims) }).to_string()
        }
        GOOGLE => {
            let audience = field("audience");
            assert!(audience.ends_with(&format!("/m{mark}")), "{form:?}");
            json!({ "access_token": owner, "expires_in": 3599 }).to_string()
        }
        IAM => {
            let path = format!("/m{mark}@p.iam.gserviceaccount.com:generateAccessToken");
            assert!(request.target.ends_with(&path), "{}", request.target);
            json!({ "accessToken": owner, "expireTime": "2099-01-01T00:00:00Z" }).to_string()
        }
        GKE => json!({
            "endpoint": "192.0.2.1", "masterAuth": { "clusterCaCertificate": "Y2E=" },
        })
        .to_string(),
        _ => return None,
    };
    Some(CloudAnswer::ok(body))
}

fn dial(cloud: &FakeCloud) -> Dial {
    Dial {
        proxy: Some(Proxy::new(&cloud.url(), None).unwrap()),
        tls: Tls::with_ca(cloud.certificate().as_bytes()).unwrap(),
        ..Dial::default()
    }
}

fn identities(max_tokens: usize, variables: &[(&str, &str)]) -> Identities {
    Identities::new(
        Arc::new(HttpClients::new("test")),
        Arc::new(SystemClock),
        variables.iter().copied().collect(),
        TokenCache::new(max_tokens, Duration::from_hours(1)),
    )
}

fn in_region(region: &str) -> AwsLocation<'_> {
    AwsLocation {
        region: Some(region),
        sts_endpoint: None,
    }
}

/// The credentials of an account for each consumer.
async fn credentials(
    identities: &Identities,
    level: Level<'_>,
    account: &Account,
    dial: &Dial,
) -> Result<Vec<(&'static str, String)>, IdentityError> {
    let mut found = Vec::new();
    let (keys, _) = identities.aws(level, in_region("eu-west-1"), dial).await?;
    found.push(("keys", keys.access_key.clone()));
    for (provider, host) in [
        (
            Provider::Aws,
            "123456789012.dkr.ecr.eu-west-1.amazonaws.com",
        ),
        (Provider::Aws, "public.ecr.aws"),
        (Provider::Azure, ACR),
        (Provider::Gcp, "gcr.io"),
    ] {
        let (basic, _) = identities.registry(provider, level, host, dial).await?;
        found.push((host, basic.password.expose().clone()));
    }
    for (provider, url) in [
        (Provider::Aws, CODE_COMMIT),
        (Provider::Azure, "https://dev.azure.com/org/_git/repo"),
    ] {
        let address = Url::parse(url).unwrap();
        let (credentials, _) = identities.git(provider, level, &address, dial).await?;
        let text = match &credentials {
            Credentials::Bearer(bearer) => bearer.expose().to_owned(),
            Credentials::Basic(basic) => basic.username.clone(),
        };
        found.push((url, text));
    }
    let store = Url::parse("https://fleet.blob.core.windows.net").unwrap();
    let (blobs, _) = identities.blobs(level, &store, dial).await?;
    found.push(("blobs", blobs.expose().clone()));
    for (provider, name) in [
        (Provider::Aws, Some(ARN)),
        (Provider::Gcp, Some(CLUSTER)),
        (Provider::Azure, None),
    ] {
        let cluster = CloudCluster::parse(provider, name)?;
        let (token, _) = identities.cluster_token(level, &cluster, dial).await?;
        found.push((provider.name(), token.expose().clone()));
        if name.is_some() {
            identities
                .cluster_access(level, &cluster, None, dial)
                .await?;
        }
    }
    let audiences = ["https://vault".to_owned()];
    let (token, _) = identities.generic(account, &Issuer, &audiences).await?;
    found.push(("generic", token.expose().clone()));
    Ok(found)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn credential_never_leaves_its_account() {
    let cloud = FakeCloud::start(&HOSTS, answer).await;
    let dial = dial(&cloud);
    for max_tokens in [0, 1, 100] {
        let identities = identities(max_tokens, &[]);
        for round in 0..2 {
            for (namespace, uid, mark) in ACCOUNTS {
                let account = account(namespace, uid, mark);
                let level = Level::Object {
                    account: &account,
                    requests: &Issuer,
                };
                let found = credentials(&identities, level, &account, &dial).await;
                let expected = BTreeSet::from([owner(namespace, uid, &mark.to_string())]);
                for (consumer, credential) in found.unwrap() {
                    let found = owners(&credential);
                    // The account's own token does not depend on its annotations.
                    let account = owner(namespace, uid, "");
                    let is_own = found.iter().all(|it| it.starts_with(&account));
                    let is_expected = found == expected || (consumer == "generic" && is_own);
                    assert!(is_expected, "{consumer}, round {round}: {found:?}");
                }
                let requests = cloud.requests();
                let is_cached = round == 1 && max_tokens == 100;
                assert_eq!(requests.is_empty(), is_cached, "{requests:?}");
                for request in requests {
                    let owners = owners(&sent(&request));
                    assert_eq!(owners, expected, "{}", request.line());
                }
            }
        }
    }
}

/// The identity of a controller in all clouds.
const OWN: [(&str, &str); 6] = [
    ("AWS_ACCESS_KEY_ID", "canary-access"),
    ("AWS_SECRET_ACCESS_KEY", "canary-secret"),
    ("AWS_SESSION_TOKEN", "canary-session"),
    ("AZURE_TENANT_ID", TENANT),
    ("AZURE_CLIENT_ID", "66666666-7777-8888-9999-000000000001"),
    ("AZURE_CLIENT_SECRET", "canary-secret"),
];

/// Checks that an input is refused before any request.
fn refused<T>(cloud: &FakeCloud, input: &str, found: &Result<T, IdentityError>) {
    assert!(found.is_err(), "{input} is accepted");
    let requests = cloud.requests();
    assert!(requests.is_empty(), "{input}: {requests:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_address_receives_no_credential() {
    let cloud = FakeCloud::start(&HOSTS, answer).await;
    let dial = dial(&cloud);
    let identities = identities(100, &OWN);
    let tenant = account("apps", "1", 1);
    let object = Level::Object {
        account: &tenant,
        requests: &Issuer,
    };
    for level in [Level::Controller, object] {
        for endpoint in [
            "https://evil.io/?x.sts.amazonaws.com",
            "https://evil.io#.sts.amazonaws.com",
            "https://sts.amazonaws.com.evil.io",
            "https://user@sts.amazonaws.com",
            "http://sts.eu-west-1.amazonaws.com",
        ] {
            let location = AwsLocation {
                region: Some("eu-west-1"),
                sts_endpoint: Some(endpoint),
            };
            let found = identities.aws(level, location, &dial).await;
            refused(&cloud, endpoint, &found);
        }
        for region in ["eu-west-1.evil.io", "evil.io/", "eu-west-1@evil.io", ""] {
            let found = identities.aws(level, in_region(region), &dial).await;
            refused(&cloud, region, &found);
        }
        for (provider, host) in [
            (Provider::Aws, "1.dkr.ecr.eu-west-1.amazonaws.com.evil.io"),
            (Provider::Aws, "1.dkr.ecr.eu-west-1.amazonaws.com:8443"),
            (Provider::Azure, "fleet.azurecr.io.evil.io"),
            (Provider::Gcp, "evilgcr.io"),
            (Provider::Gcp, ACR),
        ] {
            let found = identities.registry(provider, level, host, &dial).await;
            refused(&cloud, host, &found);
        }
        for (provider, url) in [
            (
                Provider::Aws,
                "https://git-codecommit.eu-west-1.evil.io/v1/repos/a",
            ),
            (Provider::Azure, "http://dev.azure.com/org/_git/repo"),
        ] {
            let address = Url::parse(url).unwrap();
            let found = identities.git(provider, level, &address, &dial).await;
            refused(&cloud, url, &found);
        }
    }
    for url in [
        "https://evil.io/_git/repo",
        "https://dev.azure.com.evil.io/a",
    ] {
        let address = Url::parse(url).unwrap();
        let level = Level::Controller;
        let git = identities.git(Provider::Azure, level, &address, &dial);
        refused(&cloud, url, &git.await);
        let blobs = identities.blobs(level, &address, &dial).await;
        refused(&cloud, url, &blobs);
        let node = identities.managed_blobs("canary-client", &address).await;
        refused(&cloud, url, &node);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_secret_or_account_costs_no_request() {
    let cloud = FakeCloud::start(&HOSTS, answer).await;
    let dial = dial(&cloud);
    let identities = identities(100, &OWN);
    for key in [
        r#"{"type":"external_account","token_url":"https://evil.io","audience":"a"}"#,
        r#"{"type":"service_account","token_uri":"https://evil.io/token"}"#,
        r#"{"type":"authorized_user","token_uri":"https://accounts.google.com.evil.io/"}"#,
    ] {
        let found = identities.google_key(key, "scope", &dial).await;
        refused(&cloud, key, &found);
    }
    for vault in [
        "https://keys.vault.azure.net.evil.io",
        "http://169.254.169.254/metadata",
        "https://keys.vault.azure.net:8443",
    ] {
        let key = identities.key_services().vault_key(vault, "sops", "");
        refused(&cloud, vault, &key);
    }
    for arn in [
        "arn:aws:kms:evil.io/:1:key/a",
        "arn:aws:kms:x@evil.io:1:key/a",
    ] {
        refused(&cloud, arn, &aws::KmsKey::parse(arn));
    }
    let bare = Account::new("apps", "flux", "1", BTreeMap::new()).unwrap();
    let bare = Level::Object {
        account: &bare,
        requests: &Issuer,
    };
    let keys = identities.aws(bare, in_region("eu-west-1"), &dial).await;
    refused(&cloud, "an account without a role", &keys);
    let store = Url::parse("https://fleet.blob.core.windows.net").unwrap();
    let blobs = identities.blobs(bare, &store, &dial).await;
    refused(&cloud, "an account without a client", &blobs);
}
