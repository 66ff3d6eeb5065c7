//! Exchanges documents with `sops` through a fake Key Vault with a real RSA key.

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::rsa::{
    KeySize, OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, OaepPublicEncryptingKey,
    PrivateDecryptingKey,
};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sluice_dial::{Dial, HttpClients, Proxy, Sensitive, Tls};
use sluice_identity::azure::SecretCredentials;
use sluice_identity::{Environment, Identities, KeyServices, TokenCache};
use sluice_sops::keys::Keyring;
use sluice_sops::keys::azure::{KeyVault, SecretTokens};
use sluice_sops::{KeyType, Metadata, Recipient};
use sluice_system::{SystemClock, fs};
use sluice_testkit::{CloudAnswer, CloudRequest, FakeCloud};

use crate::differential::{PLAIN, Sops, encrypted};

const TENANT: &str = "6a1e8f7c-0000-4000-8000-000000000001";
const CLIENT: &str = "6a1e8f7c-0000-4000-8000-000000000002";
const AUTHORITY: &str = "login.microsoftonline.com";
const VAULT: &str = "keys.vault.azure.net";
const VERSION: &str = "0123456789abcdef0123456789abcdef";

/// Both halves of the vault's key.
struct RsaKey {
    private: OaepPrivateDecryptingKey,
    public: OaepPublicEncryptingKey,
}

impl RsaKey {
    fn generate() -> Self {
        let private = PrivateDecryptingKey::generate(KeySize::Rsa2048).unwrap();
        Self {
            public: OaepPublicEncryptingKey::new(private.public_key()).unwrap(),
            private: OaepPrivateDecryptingKey::new(private).unwrap(),
        }
    }

    fn apply(&self, verb: &str, bytes: &[u8]) -> Option<Vec<u8>> {
        let padding = &OAEP_SHA256_MGF1SHA256;
        let result = match verb {
            "encrypt" => {
                let mut output = vec![0; self.public.ciphertext_size()];
                let result = self.public.encrypt(padding, bytes, &mut output, None);
                result.ok()?.to_vec()
            }
            _ => {
                let mut output = vec![0; self.private.min_output_size()];
                let result = self.private.decrypt(padding, bytes, &mut output, None);
                result.ok()?.to_vec()
            }
        };
        Some(result)
    }
}

/// Answers as Entra and the vault.
fn answer(request: &CloudRequest, key: &RsaKey) -> Option<CloudAnswer> {
    let line = request.line();
    let authority = format!("https://{AUTHORITY}/{TENANT}");
    let answer = |body: Value| {
        Some(CloudAnswer::Reply(
            200,
            vec![("content-type", "application/json".to_owned())],
            body.to_string().into(),
        ))
    };
    if line == format!("POST {AUTHORITY}/{TENANT}/oauth2/v2.0/token") {
        let wanted = [
            "client_secret=canary-secret",
            "scope=https%3A%2F%2Fvault.azure.net%2F.default",
        ];
        if !wanted.iter().all(|field| request.body.contains(field)) {
            return None;
        }
        return answer(json!({
            "token_type": "Bearer", "expires_in": 3600, "access_token": "canary-access",
        }));
    }
    // The library of `sops` also asks for these.
    if request.host == AUTHORITY && request.target.contains("/discovery/instance") {
        let metadata = json!([{
            "preferred_network": AUTHORITY, "preferred_cache": AUTHORITY, "aliases": [AUTHORITY],
        }]);
        let endpoint = format!("{authority}/v2.0/.well-known/openid-configuration");
        return answer(json!({
            "tenant_discovery_endpoint": endpoint, "metadata": metadata, "api-version": "1.1",
        }));
    }
    if request.host == AUTHORITY && request.target.contains("/.well-known/openid-configuration") {
        return answer(json!({
            "token_endpoint": format!("{authority}/oauth2/v2.0/token"),
            "authorization_endpoint": format!("{authority}/oauth2/v2.0/authorize"),
            "issuer": format!("{authority}/v2.0"),
        }));
    }
    if request.host != VAULT {
        return None;
    }
    if request.header("authorization").is_empty() {
        let challenge =
            format!(r#"Bearer authorization="{authority}", resource="https://vault.azure.net""#);
        return Some(CloudAnswer::challenge(&challenge));
    }
    if request.header("authorization") != "Bearer canary-access" {
        return None;
    }
    let kid = format!("https://{VAULT}/keys/app/{VERSION}");
    let (path, query) = request.target.split_once('?')?;
    if !query.starts_with("api-version=") {
        return None;
    }
    let path: Vec<&str> = path.trim_matches('/').split('/').collect();
    match path.as_slice() {
        ["keys", "app"] => answer(json!({"key": {"kid": kid, "kty": "RSA"}})),
        ["keys", "app", VERSION, verb @ ("encrypt" | "decrypt")] => {
            let body: Value = serde_json::from_str(&request.body).ok()?;
            if body["alg"] != "RSA-OAEP-256" {
                return None;
            }
            let value = URL_SAFE_NO_PAD.decode(body["value"].as_str()?).ok()?;
            let value = URL_SAFE_NO_PAD.encode(key.apply(verb, &value)?);
            answer(json!({ "kid": kid, "value": value }))
        }
        _ => None,
    }
}

fn services(cloud: &FakeCloud) -> KeyServices {
    let clients = Arc::new(HttpClients::new("test"));
    let cache = TokenCache::new(10, Duration::from_hours(1));
    let clock = Arc::new(SystemClock);
    let identities = Identities::new(clients, clock, Environment::default(), cache);
    identities.key_services().with_dial(Dial {
        proxy: Some(Proxy::new(&cloud.url(), None).unwrap()),
        tls: Tls::with_ca(cloud.certificate().as_bytes()).unwrap(),
        ..Dial::default()
    })
}

fn recipient(version: &str) -> Recipient {
    Recipient::AzureKeyVault {
        vault_url: format!("https://{VAULT}"),
        name: "app".to_owned(),
        version: version.to_owned(),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sops_and_this_crate_exchange_documents_with_azure() {
    let key = RsaKey::generate();
    let cloud = FakeCloud::start(&[AUTHORITY, VAULT], move |request| answer(request, &key)).await;
    let services = services(&cloud);
    let credentials = SecretCredentials::Secret {
        tenant: TENANT.to_owned(),
        client: CLIENT.to_owned(),
        secret: Sensitive::from("canary-secret"),
    };
    let tokens = SecretTokens::new(services.clone(), credentials);
    let vault = KeyVault::new(services, Arc::new(tokens));
    let ring = Keyring::default().with(KeyType::AzureKeyVault, Arc::new(vault));
    let folder = tempfile::tempdir().unwrap();
    let authority = folder.path().join("ca.pem");
    fs::write(&authority, cloud.certificate()).unwrap();
    let sops = Sops::new()
        .with("HTTPS_PROXY", &cloud.url())
        .with("SSL_CERT_FILE", authority.to_str().unwrap())
        .with("AZURE_TENANT_ID", TENANT)
        .with("AZURE_CLIENT_ID", CLIENT)
        .with("AZURE_CLIENT_SECRET", "canary-secret");
    let uri = format!("https://{VAULT}/keys/app/{VERSION}");
    let groups = [vec![recipient(VERSION)]];
    for (name, text) in PLAIN {
        let ours = encrypted(name, text, &ring, &groups, Metadata::default()).await;
        sops.agrees(name, &ours, ring.clone(), "ours").await;
        let theirs = sops.encrypt(name, text, ["--azure-kv", &uri]);
        sops.agrees(name, &theirs, ring.clone(), "theirs").await;
    }
}
