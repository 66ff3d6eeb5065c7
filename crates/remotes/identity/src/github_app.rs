//! GitHub Apps: tokens for Git from the private key of an App.
//!
//! Parity: fluxcd/pkg: auth/githubapp. The App signs a JWT with a lifetime of two minutes. GitHub
//! returns the installation of an organization or user, and an installation token that is valid for
//! an hour.

use std::time::{Duration, SystemTime};

use aws_lc_rs::signature::RsaKeyPair;
use http::header;
use serde::Deserialize;
use sluice_dial::{Basic, Dial, HttpClients, Invalid, Keys, Retry, Sensitive};
use url::Url;

use crate::error::IdentityError;
use crate::jwt::{Algorithm, rsa_key, sign};
use crate::request::{Purpose, answer};
use crate::token_cache::Token;

/// App id.
pub const APP_ID: &str = "githubAppID";
/// Installation id.
pub const INSTALLATION_ID: &str = "githubAppInstallationID";
/// Organization or user of the installation.
pub const INSTALLATION_OWNER: &str = "githubAppInstallationOwner";
/// Private RSA key in PEM.
pub const PRIVATE_KEY: &str = "githubAppPrivateKey";
/// API address of a GitHub Enterprise server.
pub const BASE_URL: &str = "githubAppBaseURL";

/// User name for Git; the token is the password.
const USERNAME: &str = "x-access-token";
const PUBLIC_API: &str = "https://api.github.com/";
/// Maximum lag of GitHub's clock.
const MAX_CLOCK_DRIFT: Duration = Duration::from_secs(30);
/// Lifetime of the JWT.
const JWT_LIFETIME: Duration = Duration::from_mins(2);

/// An App from a Secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GithubApp {
    id: u64,
    installation: Installation,
    private_key: Sensitive<String>,
    api: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Installation {
    Id(u64),
    Owner(String),
}

#[derive(Deserialize)]
struct InstallationResponse {
    id: u64,
}

#[derive(Deserialize)]
struct AppResponse {
    slug: String,
}

#[derive(Deserialize)]
struct TokenResponse {
    token: String,
    expires_at: String,
}

#[derive(Deserialize)]
struct Complaint {
    message: String,
}

impl GithubApp {
    /// Reports whether a Secret has the keys of an App.
    pub fn is_described_by(keys: &dyn Keys) -> bool {
        keys.present(APP_ID).is_some()
    }

    /// Reads an App from a Secret.
    pub fn from_keys(keys: &dyn Keys) -> Result<Self, Invalid> {
        let number = |key| -> Result<Option<u64>, Invalid> {
            keys.text(key)?
                .map(|text| text.trim().parse().map_err(|_| Invalid::NotNumber(key)))
                .transpose()
        };
        let id = number(APP_ID)?.ok_or(Invalid::Missing(APP_ID))?;
        let owner = keys.text(INSTALLATION_OWNER)?;
        let installation = match (number(INSTALLATION_ID)?, owner) {
            (Some(_), Some(_)) => {
                return Err(Invalid::Exclusive(INSTALLATION_ID, INSTALLATION_OWNER));
            }
            (Some(id), None) => Installation::Id(id),
            (None, Some(owner)) => Installation::Owner(owner.to_owned()),
            (None, None) => return Err(Invalid::Missing(INSTALLATION_OWNER)),
        };
        let private_key = keys
            .text(PRIVATE_KEY)?
            .ok_or(Invalid::Missing(PRIVATE_KEY))?;
        // The key is checked here, so that the error names the Secret.
        key_pair(private_key)?;
        Ok(Self {
            id,
            installation,
            private_key: private_key.into(),
            api: keys
                .text(BASE_URL)?
                .map_or_else(|| Ok(PUBLIC_API.to_owned()), api)?,
        })
    }

    /// Requests a token.
    pub async fn token(
        &self,
        clients: &HttpClients,
        dial: &Dial,
        now: SystemTime,
    ) -> Result<Token<Basic>, IdentityError> {
        let statement = self.statement(now)?;
        let api = ApiClient {
            client: clients.get(dial)?,
            authorization: Sensitive::new(format!("Bearer {}", statement.expose())),
        };
        let installation = match &self.installation {
            Installation::Id(id) => *id,
            Installation::Owner(owner) => self.find(&api, owner).await?,
        };
        let action = format!(
            "get a token for installation {installation} of GitHub App {}",
            self.id
        );
        let url = format!("{}app/installations/{installation}/access_tokens", self.api);
        let issued: TokenResponse = api.request(http::Method::POST, &url, &action).await?;
        let expires = issued
            .expires_at
            .parse::<jiff::Timestamp>()
            .map_err(|_| unexpected_answer(&action))?;
        Ok(Token {
            value: Basic::new(USERNAME, issued.token),
            expires: expires.into(),
        })
    }

    /// Returns the name of the App in URLs. The user of the App is `<slug>[bot]`.
    pub async fn slug(
        &self,
        clients: &HttpClients,
        dial: &Dial,
        now: SystemTime,
    ) -> Result<String, IdentityError> {
        let statement = self.statement(now)?;
        let api = ApiClient {
            client: clients.get(dial)?,
            authorization: Sensitive::new(format!("Bearer {}", statement.expose())),
        };
        let action = format!("find the name of GitHub App {}", self.id);
        let url = format!("{}app", self.api);
        let named: AppResponse = api.request(http::Method::GET, &url, &action).await?;
        Ok(named.slug)
    }

    /// Returns the installation of an organization or a user.
    async fn find(&self, api: &ApiClient, owner: &str) -> Result<u64, IdentityError> {
        let owner: String = url::form_urlencoded::byte_serialize(owner.as_bytes()).collect();
        let action = format!(
            "find the installation of GitHub App {} for '{owner}'",
            self.id
        );
        let mut refusal = None;
        for kind in ["orgs", "users"] {
            let url = format!("{}{kind}/{owner}/installation", self.api);
            match api
                .request::<InstallationResponse>(http::Method::GET, &url, &action)
                .await
            {
                Ok(found) => return Ok(found.id),
                Err(error @ IdentityError::Refused { .. }) => refusal = Some(error),
                Err(error) => return Err(error),
            }
        }
        Err(refusal.unwrap_or_else(|| unexpected_answer(&action)))
    }

    /// Returns the JWT of the App.
    fn statement(&self, now: SystemTime) -> Result<Sensitive<String>, IdentityError> {
        let fail = |reason| IdentityError::Sign {
            signer: format!("GitHub App {}", self.id),
            reason,
        };
        let since = now
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_err(|_| fail("the clock is before 1970"))?;
        let issued = since.saturating_sub(MAX_CLOCK_DRIFT).as_secs();
        let expires = issued + JWT_LIFETIME.as_secs();
        let header = r#"{"alg":"RS256","typ":"JWT"}"#;
        let claims = format!(r#"{{"iss":"{}","exp":{expires},"iat":{issued}}}"#, self.id);
        let pair = key_pair(self.private_key.expose()).map_err(|_| fail("the key is unusable"))?;
        sign(header, &claims, &pair, Algorithm::Rs256).map_err(fail)
    }
}

/// A client of GitHub's API for one token.
struct ApiClient {
    client: sluice_dial::Client,
    authorization: Sensitive<String>,
}

impl ApiClient {
    async fn request<T: serde::de::DeserializeOwned>(
        &self,
        method: http::Method,
        url: &str,
        action: &str,
    ) -> Result<T, IdentityError> {
        let request = self
            .client
            .request(method, url)
            .header(header::AUTHORIZATION, self.authorization.expose())
            .header(header::ACCEPT, "application/vnd.github+json")
            .header("X-GitHub-Api-Version", "2022-11-28");
        let purpose = Purpose {
            verdict: "GitHub answered",
            ..Purpose::new(action, error_message)
        };
        let body = answer(request, &purpose, Retry::NEVER).await?;
        serde_json::from_str(body.expose()).map_err(|_| unexpected_answer(action))
    }
}

fn error_message(body: &str) -> Option<String> {
    let complaint: Complaint = serde_json::from_str(body).ok()?;
    Some(complaint.message)
}

fn unexpected_answer(action: &str) -> IdentityError {
    IdentityError::Answer {
        action: action.to_owned(),
        fault: "unexpected answer",
        detail: None,
    }
}

fn key_pair(pem: &str) -> Result<RsaKeyPair, Invalid> {
    rsa_key(pem.as_bytes()).map_err(|reason| Invalid::Pem {
        key: PRIVATE_KEY,
        reason,
    })
}

/// Returns the API address with a trailing slash. It is used as given, because an enterprise server
/// can have any path.
fn api(given: &str) -> Result<String, Invalid> {
    let invalid = |reason: &str| Invalid::BaseUrl(reason.to_owned());
    let mut url = Url::parse(given.trim()).map_err(|_| invalid("not a URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid("the scheme must be http or https"));
    }
    let cleared = url.set_username("").and_then(|()| url.set_password(None));
    if cleared.is_err() || url.query().is_some() || url.fragment().is_some() {
        return Err(invalid("it has more than a scheme, a host and a path"));
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&format!("{path}/"));
    Ok(url.into())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn pem() -> String {
        // A key of 2048 bits for this test.
        rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256)
            .expect("a key")
            .serialize_pem()
    }

    fn keys(pairs: &[(&str, &str)]) -> BTreeMap<String, Vec<u8>> {
        pairs
            .iter()
            .map(|(k, v)| ((*k).to_owned(), v.as_bytes().to_vec()))
            .collect()
    }

    #[test]
    fn app_secret_needs_one_installation() {
        let pem = pem();
        let key = (PRIVATE_KEY, pem.as_str());
        let refused = |pairs: &[(&str, &str)]| {
            GithubApp::from_keys(&keys(pairs))
                .expect_err("incomplete")
                .to_string()
        };
        assert_eq!(refused(&[key]), "key 'githubAppID' not found");
        assert_eq!(
            refused(&[(APP_ID, "x"), key]),
            "key 'githubAppID' is not a number"
        );
        assert_eq!(
            refused(&[(APP_ID, "1"), key]),
            "key 'githubAppInstallationOwner' not found"
        );
        let both = [
            (APP_ID, "1"),
            (INSTALLATION_ID, "2"),
            (INSTALLATION_OWNER, "o"),
            key,
        ];
        assert!(refused(&both).contains("exclude each other"));
        assert_eq!(refused(&both[..2]), "key 'githubAppPrivateKey' not found");
        let bad = [
            (APP_ID, "1"),
            (INSTALLATION_ID, "2"),
            (PRIVATE_KEY, "canary"),
        ];
        let text = refused(&bad);
        assert!(
            text.contains(PRIVATE_KEY) && !text.contains("canary"),
            "{text}"
        );
        let app = GithubApp::from_keys(&keys(&[(APP_ID, "1"), (INSTALLATION_ID, "2"), key]));
        assert!(!format!("{app:?}").contains("PRIVATE KEY"));
    }

    #[test]
    fn unusable_app_key_is_rejected_with_reason() {
        for (pem, reason) in [
            (
                SHORT,
                "it is an RSA key of fewer than 2048 bits, too short to sign with",
            ),
            (CURVE, "it is not an RSA key"),
        ] {
            let refused = key_pair(pem).expect_err("refused").to_string();
            let expected = format!("key 'githubAppPrivateKey' holds no usable PEM: {reason}");
            assert!(refused.starts_with(&expected), "{refused}");
        }
    }

    // openssl genrsa -traditional 1024
    const SHORT: &str = "\
-----BEGIN RSA PRIVATE KEY-----\n\
MIICXQIBAAKBgQD2QM7CL73NQtgqJAec49YlnqPADWPVWIqtz959WuxlFtEXLXMe\n\
o9t2Dpi29IFbiY/XlP7Tfvtbn5GURqlFeQ5nV2jgZhBEqDoKSnCmLXvPojNCtTsy\n\
g4LlCjcdcO3lgeLcboHj3I7HAFf912Xr6v2sRdFmua324B+wT4G5VNw89QIDAQAB\n\
AoGARPEn8Z3EGa9ZLZMgvn/a+HVNivs0tAox6S+FLrtB65tTtpV24WEmlArKHo6d\n\
mK8OomCIZ1XpsWEfNNADm/ukWCW9b7QTIzHMO7v/gLwmpIK53heVzlKXEkTi64wP\n\
To9SxvsTgo7qQYcqTICsNBHuT24rRN+1nFo+rp4KM9MczhECQQD8g9ylyURDcuaj\n\
NmMPNUeV/6Inpr9yMS3wf3vOmwTvRKwnH2Ws//hERqhp+DOYHDTqUa+8/Yx/r0g0\n\
Wutfrt/3AkEA+abSgXOalVcpygH+3hpSHb+kjRQ6P2YS6Ig+I6a5FBQG5dmfziiA\n\
eCZEXS2Vhj+ZOjLSdbTEkUlFmwAodokncwJBAMsUtYizpG3mY6zRmbtqaycsj1n6\n\
Vi/dc4fez1BrBf30KcvRCXGn7x/h/6IyFjR4QupMRdzlwXATJSvOD0xFlSMCQQDj\n\
+vvxS2i3SEnZN8lPeinTENdsHjSzALvzrbdRR0dsln1WGU5eLY5kKk3z6VTKq/l5\n\
tD+NTe7T3l26FoLc/JMRAkAQAv4Cz+IuFBqEAhDitPZWfPs6Qbm0ENEZaqql+09m\n\
PPWsxouaPDB/Z5jAIfa0XDa4C6rlYI+qMGIVAEW12qO/\n\
-----END RSA PRIVATE KEY-----\n\
";

    // openssl ecparam -genkey -name prime256v1 -noout | openssl pkcs8 -topk8 -nocrypt
    const CURVE: &str = "\
-----BEGIN PRIVATE KEY-----\n\
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqYr93g4hhhyAf7sI\n\
BpMSA+v+wvE1TsA7A7noGyxWu+ShRANCAARM/0fSmT5Y7xa6uwzApgY3NAhCQ/Ay\n\
xX98RBX9yIWzzvBEkD2N8jZMtkW9HKAZbHIi3bNPV3/ljF8DoIZ2rsc3\n\
-----END PRIVATE KEY-----\n\
";

    #[test]
    fn api_url_follows_the_base_url() {
        for (given, expected) in [
            ("https://github.example.com", "https://github.example.com/"),
            (
                "https://github.example.com/api/v3",
                "https://github.example.com/api/v3/",
            ),
            (
                "https://u:p@github.example.com/api/v3/",
                "https://github.example.com/api/v3/",
            ),
        ] {
            assert_eq!(api(given).expect(given), expected);
        }
        for bad in [
            "github.example.com",
            "ftp://x",
            "https://x?y",
            "https://x#y",
        ] {
            assert!(api(bad).is_err(), "{bad}");
        }
    }
}
