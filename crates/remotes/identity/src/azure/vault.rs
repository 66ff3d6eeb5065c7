//! Keys in Azure Key Vaults.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::Method;
use serde::Deserialize;
use serde_json::{Value, json};
use sluice_dial::{Bearer, Sensitive};
use url::Url;

use super::cluster::error_message;
use super::{Cloud, vault_scope};
use crate::allowlist::HostAllowlist;
use crate::error::IdentityError;
use crate::key_call::KeyCall;
use crate::pattern::pattern;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer};

const ALGORITHM: &str = "RSA-OAEP-256";
const API_VERSION: &str = "7.4";

/// A key in a vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VaultKey {
    vault: Url,
    scope: String,
    name: String,
    /// Empty for the latest version.
    version: String,
}

#[derive(Deserialize)]
struct Operation {
    value: String,
}

#[derive(Deserialize)]
struct KeyBundle {
    key: JsonWebKey,
}

#[derive(Deserialize)]
struct JsonWebKey {
    kid: String,
}

impl VaultKey {
    /// Parses a key. Its vault must be one of the cloud, or a listed host.
    pub(crate) fn parse(
        vault: &str,
        name: &str,
        version: &str,
        cloud: &Cloud,
        listed: &HostAllowlist,
    ) -> Result<Self, IdentityError> {
        pattern!(NAME, r"^[0-9a-zA-Z-]{1,127}$");
        let invalid = |what: &str, text: &str| {
            let text = text.escape_debug();
            IdentityError::Unusable(format!("'{text}' is not the {what}"))
        };
        let url = Url::parse(vault).map_err(|_| invalid("address of a Key Vault", vault))?;
        if !NAME.is_match(name) {
            return Err(invalid("name of a key", name));
        }
        if !version.is_empty() && !NAME.is_match(version) {
            return Err(invalid("version of a key", version));
        }
        Ok(Self {
            scope: vault_scope(&url, cloud, listed)?,
            vault: url,
            name: name.to_owned(),
            version: version.to_owned(),
        })
    }

    /// Returns the scope of a token for the vault.
    pub fn scope(&self) -> &str {
        &self.scope
    }

    /// Wraps or unwraps bytes.
    pub(crate) async fn call(
        &self,
        transport: Transport<'_>,
        token: &Sensitive<String>,
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, IdentityError> {
        let action = format!("call the Key Vault at {}", self.vault);
        let secrets = [token.expose().as_str()];
        let purpose = Purpose {
            secrets: &secrets,
            ..Purpose::new(&action, error_message)
        };
        let send = async |method: Method, path: &[&str], body: Option<Value>| {
            let authorization = Bearer::new(token.expose())
                .map_err(|_| purpose.fault("the token cannot be sent"))?;
            let mut request = transport
                .remote()?
                .request(method, self.url(path)?)
                .header(http::header::AUTHORIZATION, authorization.header())
                .timeout(TIMEOUT);
            if let Some(body) = body {
                request = request
                    .header(http::header::CONTENT_TYPE, "application/json")
                    .body(body.to_string());
            }
            answer(request, &purpose, RETRY).await
        };
        let version = if self.version.is_empty() {
            let body = send(Method::GET, &[&self.name], None).await?;
            let bundle: KeyBundle = serde_json::from_str(body.expose())
                .map_err(|_| purpose.fault("the answer describes no key"))?;
            // Only the version counts: the answer must not choose another host.
            let version = bundle.key.kid.rsplit('/').next().unwrap_or_default();
            version.to_owned()
        } else {
            self.version.clone()
        };
        let (verb, bytes) = match call {
            KeyCall::Decrypt(bytes) => ("decrypt", bytes),
            KeyCall::Encrypt(bytes) => ("encrypt", bytes),
        };
        let value = BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let body = json!({ "alg": ALGORITHM, "value": value });
        let path = [self.name.as_str(), &version, verb];
        let body = send(Method::POST, &path, Some(body)).await?;
        let operation: Operation = serde_json::from_str(body.expose())
            .map_err(|_| purpose.fault("the answer holds no result"))?;
        let encoded = Sensitive::new(operation.value);
        let result = BASE64_URL_SAFE_NO_PAD
            .decode(encoded.expose().trim_end_matches('='))
            .map_err(|_| purpose.fault("the result is not base64"))?;
        Ok(Sensitive::new(result))
    }

    fn url(&self, path: &[&str]) -> Result<Url, IdentityError> {
        let mut url = self.vault.clone();
        url.path_segments_mut()
            .map_err(|()| IdentityError::Unusable("the vault has no path".to_owned()))?
            .clear()
            .push("keys")
            .extend(path);
        url.query_pairs_mut()
            .append_pair("api-version", API_VERSION);
        Ok(url)
    }
}

#[cfg(test)]
mod tests {
    use aws_lc_rs::rsa::{
        KeySize, OAEP_SHA256_MGF1SHA256, OaepPrivateDecryptingKey, OaepPublicEncryptingKey,
        PrivateDecryptingKey,
    };
    use sluice_dial::{Dial, HttpClients};
    use sluice_golang::error::chain;

    use super::*;
    use crate::environment::Environment;
    use crate::fake::{Fake, ok, status};

    /// A key whose vault is a fake.
    fn key(fake: &Fake, version: &str) -> VaultKey {
        VaultKey {
            vault: Url::parse(&fake.url("/")).unwrap(),
            scope: "https://vault.azure.net/.default".to_owned(),
            name: "sops".to_owned(),
            version: version.to_owned(),
        }
    }

    async fn call(key: &VaultKey, call: KeyCall<'_>) -> Result<Vec<u8>, IdentityError> {
        let clients = HttpClients::new("test");
        let dial = Dial::default();
        let transport = Transport {
            clients: &clients,
            dial: &dial,
        };
        let token = Sensitive::from("canary-access");
        let result = key.call(transport, &token, call).await?;
        Ok(result.expose().clone())
    }

    fn answer_of(bytes: &[u8]) -> String {
        let value = BASE64_URL_SAFE_NO_PAD.encode(bytes);
        json!({ "kid": "https://evil.example.com/keys/sops/v1", "value": value }).to_string()
    }

    #[tokio::test]
    async fn request_has_version_algorithm_and_bytes() {
        let private = PrivateDecryptingKey::generate(KeySize::Rsa2048).unwrap();
        let public = OaepPublicEncryptingKey::new(private.public_key()).unwrap();
        let mut wrapped = vec![0; public.ciphertext_size()];
        let wrapped = public
            .encrypt(&OAEP_SHA256_MGF1SHA256, b"data key", &mut wrapped, None)
            .unwrap();
        let private = OaepPrivateDecryptingKey::new(private).unwrap();
        let mut plain = vec![0; private.min_output_size()];
        let plain = private
            .decrypt(&OAEP_SHA256_MGF1SHA256, wrapped, &mut plain, None)
            .unwrap();
        let fake = Fake::start(&[
            (
                "GET /keys/sops",
                ok(r#"{"key":{"kid":"https://evil.example.com/keys/sops/v2"}}"#),
            ),
            ("POST /keys/sops/v1/decrypt", ok(answer_of(plain))),
            ("POST /keys/sops/v2/encrypt", ok(answer_of(wrapped))),
        ])
        .await;
        let opened = call(&key(&fake, "v1"), KeyCall::Decrypt(wrapped)).await;
        assert_eq!(opened.unwrap(), b"data key");
        let head = "authorization: Bearer canary-access\ncontent-type: application/json";
        let body = |bytes: &[u8]| {
            let value = BASE64_URL_SAFE_NO_PAD.encode(bytes);
            format!(r#"{{"alg":"RSA-OAEP-256","value":"{value}"}}"#)
        };
        assert_eq!(
            fake.requests(),
            [format!(
                "POST /keys/sops/v1/decrypt?api-version=7.4\n{head}\n{}",
                body(wrapped)
            )]
        );
        // Without a version, the vault names the latest one. Its host does not count.
        let closed = call(&key(&fake, ""), KeyCall::Encrypt(b"data key")).await;
        assert_eq!(closed.unwrap(), wrapped);
        assert_eq!(
            fake.requests(),
            [
                "GET /keys/sops?api-version=7.4\nauthorization: Bearer canary-access".to_owned(),
                format!(
                    "POST /keys/sops/v2/encrypt?api-version=7.4\n{head}\n{}",
                    body(b"data key")
                ),
            ]
        );
    }

    #[tokio::test]
    async fn challenge_of_the_vault_is_not_followed() {
        let other = Fake::start(&[]).await;
        let challenge: &'static str = format!(
            r#"Bearer authorization="{}", resource="https://evil.example.com""#,
            other.url("/")
        )
        .leak();
        let refused = status(
            401,
            r#"{"error":{"code":"Unauthorized","message":"canary-access?"}}"#,
        )
        .with("www-authenticate", challenge);
        let fake = Fake::start(&[("POST /keys/sops/v1/decrypt", refused)]).await;
        let error = call(&key(&fake, "v1"), KeyCall::Decrypt(b"x"))
            .await
            .unwrap_err();
        assert_eq!(
            chain(&error),
            format!(
                "call the Key Vault at {}: the answer is 401 Unauthorized: Unauthorized: [redacted]?",
                fake.url("/")
            )
        );
        assert_eq!(fake.requests().len(), 1);
        assert!(other.requests().is_empty());
    }

    #[tokio::test]
    async fn faulty_answers_have_a_reason() {
        let latest = || ok(r#"{"key":{"kid":"https://a/keys/sops/v1"}}"#);
        for (version, answer, expected) in [
            (ok("<html>"), ok(""), "the answer describes no key"),
            (ok(r#"{"key":{}}"#), ok(""), "the answer describes no key"),
            (latest(), ok("<html>"), "the answer holds no result"),
            (latest(), ok("{}"), "the answer holds no result"),
            (latest(), ok(r#"{"value":"?"}"#), "the result is not base64"),
        ] {
            let decrypt = "POST /keys/sops/v1/decrypt";
            let fake = Fake::start(&[("GET /keys/sops", version), (decrypt, answer)]).await;
            let failed = call(&key(&fake, ""), KeyCall::Decrypt(b"x")).await;
            let expected = format!("call the Key Vault at {}: {expected}", fake.url("/"));
            assert_eq!(chain(&failed.unwrap_err()), expected);
        }
    }

    #[test]
    fn key_is_in_a_vault_of_the_cloud() {
        let cloud = Cloud::of(&Environment::default()).unwrap();
        let listed = HostAllowlist::default();
        let parse = |vault: &str, name: &str, version: &str| {
            VaultKey::parse(vault, name, version, &cloud, &listed)
        };
        let key = parse("https://keys.vault.azure.net", "sops", "0a1b").unwrap();
        assert_eq!(key.scope(), "https://vault.azure.net/.default");
        for (vault, name, version, expected) in [
            (
                "http://169.254.169.254/metadata",
                "sops",
                "",
                "'169.254.169.254' is not the https address of a Key Vault below vault.azure.net or \
                 managedhsm.azure.net; the operator can list other hosts in --identity-host-allowlist",
            ),
            ("x", "sops", "", "'x' is not the address of a Key Vault"),
            (
                "https://keys.vault.azure.net",
                "../secrets/x",
                "",
                "'../secrets/x' is not the name of a key",
            ),
            (
                "https://keys.vault.azure.net",
                "sops",
                "a/b",
                "'a/b' is not the version of a key",
            ),
        ] {
            assert_eq!(
                parse(vault, name, version).unwrap_err().to_string(),
                expected
            );
        }
    }
}
