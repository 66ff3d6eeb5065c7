//! Credentials that are issued when the registry asks for them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use sluice_dial::{Basic, BasicFuture, BasicSource, OnDemand, Proxy, Tls};
use sluice_golang::error::chain;
use sluice_oci::{Login, Remote, Version};
use sluice_testkit::hostile::HostileRegistry;
use sluice_testkit::{CloudAnswer, CloudRequest, FakeCloud};

use crate::{client, remote};

const HOST: &str = "registry.example.com";
const MEDIA_TYPE: &str = "application/vnd.oci.image.layer.v1.tar+gzip";

/// Issues the passwords of a list. A rejection moves to the next one.
#[derive(Debug)]
struct Issuer {
    passwords: Mutex<Vec<&'static str>>,
    calls: Arc<Mutex<Vec<&'static str>>>,
    fails: bool,
}

impl BasicSource for Issuer {
    fn fingerprint(&self) -> [u8; 32] {
        [7; 32]
    }

    fn issuer(&self) -> &'static str {
        "aws"
    }

    fn issue(&self) -> BasicFuture<'_> {
        self.calls.lock().unwrap().push("issue");
        let password = self.passwords.lock().unwrap()[0];
        let fails = self.fails;
        Box::pin(async move {
            if fails {
                return Err("STS answered 403".into());
            }
            Ok(Basic::new("robot", password))
        })
    }

    fn reject(&self) -> bool {
        self.calls.lock().unwrap().push("reject");
        let mut passwords = self.passwords.lock().unwrap();
        let has_more = passwords.len() > 1;
        if has_more {
            passwords.remove(0);
        }
        has_more
    }
}

/// A registry behind TLS, and a remote with an issuer of credentials.
struct RegistryFixture {
    cloud: FakeCloud,
    _content: HostileRegistry,
    remote: Remote,
    digest: String,
    calls: Arc<Mutex<Vec<&'static str>>>,
}

impl RegistryFixture {
    /// `hook` answers what the registry does not.
    async fn new(
        passwords: &[&'static str],
        hook: impl Fn(&CloudRequest) -> Option<CloudAnswer> + Send + Sync + 'static,
    ) -> Self {
        let content = HostileRegistry::honest().await;
        let digest = content.content().image("v1", MEDIA_TYPE, "layer");
        let upstream = format!("http://{}", content.host());
        let cloud = FakeCloud::start(&[HOST], move |asked| {
            hook(asked).or_else(|| Some(CloudAnswer::Forward(upstream.clone())))
        })
        .await;
        let calls = Arc::default();
        let mut remote = remote(&format!("oci://{HOST}/app"));
        remote.dial.proxy = Some(Proxy::new(&cloud.url(), None).unwrap());
        remote.dial.tls = Tls::with_ca(cloud.certificate().as_bytes()).unwrap();
        remote.login = Login::OnDemand(OnDemand::new(Issuer {
            passwords: Mutex::new(passwords.to_vec()),
            calls: Arc::clone(&calls),
            fails: passwords == [""],
        }));
        Self {
            cloud,
            _content: content,
            remote,
            digest,
            calls,
        }
    }

    async fn resolve(&self, client: &sluice_oci::Client) -> Result<String, String> {
        let tag = Version::Tag("v1".to_owned());
        let resolved = client.resolve(&self.remote, &tag).await;
        resolved
            .map(|digest| digest.to_string())
            .map_err(|error| chain(&error))
    }

    fn calls(&self) -> Vec<&'static str> {
        std::mem::take(&mut *self.calls.lock().unwrap())
    }

    /// The value of `Authorization` of each request, by path.
    fn authorizations(&self) -> Vec<String> {
        let requests = self.cloud.requests();
        requests
            .iter()
            .map(|asked| match asked.basic() {
                Some((_, password)) => format!("basic {password}"),
                None => asked.header("authorization").to_lowercase(),
            })
            .collect()
    }
}

/// Requires a password.
fn password(good: &'static str) -> impl Fn(&CloudRequest) -> Option<CloudAnswer> {
    move |asked| match asked.basic() {
        Some((_, given)) if given == good => None,
        _ => Some(CloudAnswer::challenge("Basic realm=\"registry\"")),
    }
}

/// Requires a token. Without credentials the token service issues `anonymous`, which reads only
/// public content.
fn token(is_public: Arc<AtomicBool>) -> impl Fn(&CloudRequest) -> Option<CloudAnswer> {
    move |asked| {
        if asked.target.starts_with("/token") {
            let token = match asked.basic() {
                None => "anonymous",
                Some((_, given)) if given == "good" => "full",
                Some(_) => return Some(CloudAnswer::status(401)),
            };
            return Some(CloudAnswer::ok(format!(r#"{{"token":"{token}"}}"#)));
        }
        match asked.header("authorization") {
            "Bearer full" => None,
            "Bearer anonymous" if is_public.load(Ordering::Relaxed) => None,
            "Bearer anonymous" => Some(CloudAnswer::status(403)),
            _ => Some(CloudAnswer::challenge(&format!(
                "Bearer realm=\"https://{HOST}/token\",service=\"s\""
            ))),
        }
    }
}

#[tokio::test]
async fn open_registry_costs_no_credentials() {
    let stage = RegistryFixture::new(&["good"], |_| None).await;
    let client = client();
    assert_eq!(stage.resolve(&client).await, Ok(stage.digest.clone()));
    assert_eq!(stage.authorizations(), [""]);
    assert!(stage.calls().is_empty());
}

#[tokio::test]
async fn password_is_issued_on_challenge() {
    let stage = RegistryFixture::new(&["good"], password("good")).await;
    let client = client();
    for expected in [&["", "basic good"][..], &["basic good"]] {
        assert_eq!(stage.resolve(&client).await, Ok(stage.digest.clone()));
        assert_eq!(stage.authorizations(), expected);
    }
    assert_eq!(stage.calls(), ["issue"]);
}

#[tokio::test]
async fn rejected_password_is_renewed_once() {
    let stage = RegistryFixture::new(&["old", "good"], password("good")).await;
    let client = client();
    assert_eq!(stage.resolve(&client).await, Ok(stage.digest.clone()));
    assert_eq!(stage.authorizations(), ["", "basic old", "basic good"]);
    assert_eq!(stage.calls(), ["issue", "reject", "issue"]);

    let stage = RegistryFixture::new(&["old", "other"], password("good")).await;
    let error = stage.resolve(&client).await.unwrap_err();
    assert!(error.contains("401"), "{error}");
    // A failed `HEAD` is repeated as `GET`, whose answer has a message.
    let repeated = ["issue", "reject"];
    assert_eq!(
        stage.calls(),
        [&["issue", "reject", "issue"][..], &repeated].concat()
    );

    // A password that does not come from a cache would be the same again.
    let stage = RegistryFixture::new(&["old"], password("good")).await;
    stage.resolve(&client).await.unwrap_err();
    assert_eq!(stage.calls(), [repeated, repeated].concat());
}

#[tokio::test]
async fn public_image_needs_no_credentials() {
    let is_public = Arc::new(AtomicBool::new(true));
    let stage = RegistryFixture::new(&["good"], token(Arc::clone(&is_public))).await;
    let client = client();
    assert_eq!(stage.resolve(&client).await, Ok(stage.digest.clone()));
    assert!(stage.calls().is_empty());
    // The image becomes private while the token without credentials is cached.
    is_public.store(false, Ordering::Relaxed);
    assert_eq!(stage.resolve(&client).await, Ok(stage.digest.clone()));
    assert_eq!(stage.calls(), ["issue"]);
    stage.authorizations();
    assert_eq!(stage.resolve(&client).await, Ok(stage.digest.clone()));
    assert_eq!(stage.authorizations(), ["bearer full"]);
}

#[tokio::test]
async fn failed_issue_is_reported_each_time() {
    let stage = RegistryFixture::new(&[""], token(Arc::default())).await;
    let client = client();
    for _ in 0..2 {
        let error = stage.resolve(&client).await.unwrap_err();
        assert_eq!(error, "failed to get credential from aws: STS answered 403");
        assert_eq!(stage.calls(), ["issue"]);
    }
}

#[tokio::test]
async fn credentials_stay_at_their_host() {
    let elsewhere = |_: &CloudRequest| {
        let challenge = "Bearer realm=\"https://evil.example.com/token\"";
        Some(CloudAnswer::challenge(challenge))
    };
    let stage = RegistryFixture::new(&["good"], elsewhere).await;
    let error = stage.resolve(&client()).await.unwrap_err();
    assert_eq!(
        error,
        "authenticate to registry registry.example.com: an identity's credentials are not sent to \
         a token service on another host"
    );
    assert_eq!(stage.authorizations(), [""]);
    assert!(stage.calls().is_empty());

    let plain = HostileRegistry::start(|_, _| {
        let challenge = [("www-authenticate", "Basic realm=\"x\"")];
        Some(axum::response::IntoResponse::into_response((
            axum::http::StatusCode::UNAUTHORIZED,
            challenge,
        )))
    })
    .await;
    let mut remote = remote(&format!("oci://{}/app", plain.host()));
    remote.login = stage.remote.login.clone();
    let tag = Version::Tag("v1".to_owned());
    let error = client().resolve(&remote, &tag).await.unwrap_err();
    assert!(error.to_string().ends_with("are sent over TLS only"));
    assert!(stage.calls().is_empty());
}
