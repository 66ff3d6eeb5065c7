//! Keys of Google Cloud KMS.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::json;
use sluice_dial::{Bearer, Sensitive, has_loopback_host};
use url::Url;

use super::federation::error_message;
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::key_call::KeyCall;
use crate::pattern::pattern;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer};

const PATTERN: &str = r"^projects/[^/]+/locations/[^/]+/keyRings/[^/]+/cryptoKeys/[^/]+$";
const ENDPOINT: &str = "https://cloudkms.googleapis.com/";
const ENDPOINT_VARIABLE: &str = "SOPS_GCP_KMS_ENDPOINT";
const UNIVERSE_VARIABLE: &str = "SOPS_GCP_KMS_UNIVERSE_DOMAIN";

/// A key by its resource ID.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KmsKey(String);

#[derive(Deserialize)]
struct KmsResponse {
    plaintext: Option<String>,
    ciphertext: Option<String>,
}

impl KmsKey {
    /// Parses a resource ID.
    pub fn parse(id: &str) -> Result<Self, IdentityError> {
        pattern!(KEY, PATTERN);
        if KEY.is_match(id) && !id.split('/').any(|part| matches!(part, "." | "..")) {
            return Ok(Self(id.to_owned()));
        }
        let id = id.escape_debug();
        Err(IdentityError::Unusable(format!(
            "no valid resource ID found in '{id}'"
        )))
    }

    /// Wraps or unwraps bytes.
    pub(crate) async fn call(
        &self,
        environment: &Environment,
        transport: Transport<'_>,
        token: &Sensitive<String>,
        call: KeyCall<'_>,
    ) -> Result<Sensitive<Vec<u8>>, IdentityError> {
        let mut url = endpoint(environment)?;
        let action = format!("call Google Cloud KMS at {url}");
        let secrets = [token.expose().as_str()];
        let purpose = Purpose {
            secrets: &secrets,
            ..Purpose::new(&action, error_message)
        };
        let (verb, field, bytes) = match call {
            KeyCall::Decrypt(bytes) => ("decrypt", "ciphertext", bytes),
            KeyCall::Encrypt(bytes) => ("encrypt", "plaintext", bytes),
        };
        let path = format!("v1/{}:{verb}", self.0);
        url.path_segments_mut()
            .map_err(|()| purpose.fault("the endpoint has no path"))?
            .clear()
            .extend(path.split('/'));
        let authorization =
            Bearer::new(token.expose()).map_err(|_| purpose.fault("the token cannot be sent"))?;
        let body = Sensitive::new(json!({ field: BASE64_STANDARD.encode(bytes) }).to_string());
        let request = transport
            .remote()?
            .post(url)
            .header(http::header::AUTHORIZATION, authorization.header())
            .header(http::header::CONTENT_TYPE, "application/json")
            .timeout(TIMEOUT)
            .body(body.expose().clone());
        let answer = answer(request, &purpose, RETRY).await?;
        let answer: KmsResponse = serde_json::from_str(answer.expose())
            .map_err(|_| purpose.fault("the answer is not JSON"))?;
        let result = match call {
            KeyCall::Decrypt(_) => answer.plaintext,
            KeyCall::Encrypt(_) => answer.ciphertext,
        };
        let result = result.map(Sensitive::new);
        let result = result.ok_or_else(|| purpose.fault("the answer holds no result"))?;
        let result = BASE64_STANDARD.decode(result.expose());
        let result = result.map_err(|_| purpose.fault("the result is not base64"))?;
        Ok(Sensitive::new(result))
    }
}

/// Returns the endpoint: as variables name it, or Google's own. It receives a token, so it needs
/// TLS, except on loopback.
fn endpoint(environment: &Environment) -> Result<Url, IdentityError> {
    let (variable, address) = if let Some(address) = environment.get(ENDPOINT_VARIABLE) {
        (ENDPOINT_VARIABLE, address.to_owned())
    } else if let Some(domain) = environment.get(UNIVERSE_VARIABLE) {
        (UNIVERSE_VARIABLE, format!("https://cloudkms.{domain}/"))
    } else {
        (ENDPOINT_VARIABLE, ENDPOINT.to_owned())
    };
    let full = if address.contains("://") {
        address.clone()
    } else {
        format!("https://{address}/")
    };
    let url = Url::parse(&full).ok();
    url.filter(|url| url.scheme() == "https" || (url.scheme() == "http" && has_loopback_host(url)))
        .ok_or_else(|| {
            let address = address.escape_debug();
            IdentityError::Unusable(format!("{variable}: '{address}' is not an https address"))
        })
}

#[cfg(test)]
mod tests {
    use sluice_dial::{Dial, HttpClients};
    use sluice_golang::error::chain;

    use super::*;
    use crate::fake::{Fake, ok, status};

    const KEY: &str = "projects/p/locations/global/keyRings/r/cryptoKeys/k";

    async fn call(fake: &Fake, id: &str, call: KeyCall<'_>) -> Result<Vec<u8>, IdentityError> {
        let address = fake.url("");
        let environment = [(ENDPOINT_VARIABLE, &address)].into_iter().collect();
        let clients = HttpClients::new("test");
        let dial = Dial::default();
        let transport = Transport {
            clients: &clients,
            dial: &dial,
        };
        let token = Sensitive::from("canary-access");
        let key = KmsKey::parse(id).unwrap();
        let result = key.call(&environment, transport, &token, call).await?;
        Ok(result.expose().clone())
    }

    #[tokio::test]
    async fn request_has_path_token_and_bytes() {
        let decrypt = format!("POST /v1/{KEY}:decrypt");
        let encrypt = format!("POST /v1/{KEY}:encrypt");
        let fake = Fake::start(&[
            (&decrypt, ok(r#"{"plaintext":"cGxhaW4="}"#)),
            (&encrypt, ok(r#"{"ciphertext":"d3JhcHBlZA=="}"#)),
        ])
        .await;
        let plain = call(&fake, KEY, KeyCall::Decrypt(b"wrapped")).await;
        assert_eq!(plain.unwrap(), b"plain");
        let wrapped = call(&fake, KEY, KeyCall::Encrypt(b"plain")).await;
        assert_eq!(wrapped.unwrap(), b"wrapped");
        let head = "authorization: Bearer canary-access\ncontent-type: application/json";
        assert_eq!(
            fake.requests(),
            [
                format!("{decrypt}\n{head}\n{{\"ciphertext\":\"d3JhcHBlZA==\"}}"),
                format!("{encrypt}\n{head}\n{{\"plaintext\":\"cGxhaW4=\"}}"),
            ]
        );
        // Characters of an address are escaped.
        let odd = "projects/p/locations/global/keyRings/r/cryptoKeys/k?x#y";
        assert!(call(&fake, odd, KeyCall::Decrypt(b"x")).await.is_err());
        assert!(fake.requests()[0].contains("/cryptoKeys/k%3Fx%23y:decrypt\n"));
    }

    #[tokio::test]
    async fn faulty_answers_have_a_reason() {
        let line = format!("POST /v1/{KEY}:decrypt");
        let refusal = r#"{"error":{"code":403,"message":"canary-access may not","status":"PERMISSION_DENIED"}}"#;
        for (answer, expected) in [
            (
                status(403, refusal),
                "the answer is 403 Forbidden: PERMISSION_DENIED: [redacted] may not",
            ),
            (ok("<html>"), "the answer is not JSON"),
            (ok("{}"), "the answer holds no result"),
            (ok(r#"{"plaintext":"?"}"#), "the result is not base64"),
        ] {
            let fake = Fake::start(&[(&line, answer)]).await;
            let error = call(&fake, KEY, KeyCall::Decrypt(b"x")).await.unwrap_err();
            let expected = format!("call Google Cloud KMS at {}: {expected}", fake.url("/"));
            assert_eq!(chain(&error), expected);
        }
    }

    #[test]
    fn endpoint_needs_tls_except_on_loopback() {
        let of = |name: &str, value: &str| endpoint(&[(name, value)].into_iter().collect());
        for (name, value, expected) in [
            (ENDPOINT_VARIABLE, "", ENDPOINT),
            (
                ENDPOINT_VARIABLE,
                "kms.example.com:443",
                "https://kms.example.com/",
            ),
            (
                ENDPOINT_VARIABLE,
                "http://127.0.0.1:1",
                "http://127.0.0.1:1/",
            ),
            (
                UNIVERSE_VARIABLE,
                "s3nsapis.fr",
                "https://cloudkms.s3nsapis.fr/",
            ),
        ] {
            assert_eq!(of(name, value).unwrap().as_str(), expected);
        }
        let error = of(ENDPOINT_VARIABLE, "http://kms.example.com").unwrap_err();
        assert_eq!(
            error.to_string(),
            "SOPS_GCP_KMS_ENDPOINT: 'http://kms.example.com' is not an https address"
        );
    }

    #[test]
    fn resource_id_must_match_whole_pattern() {
        for bad in [
            "",
            "k",
            &format!("{KEY}/cryptoKeyVersions/1"),
            &KEY.replace("/r/", "/../"),
        ] {
            let message = KmsKey::parse(bad).unwrap_err().to_string();
            assert_eq!(message, format!("no valid resource ID found in '{bad}'"));
        }
    }
}
