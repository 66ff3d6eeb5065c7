//! Exchange of tokens for Google's, and impersonation of accounts.

use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::json;
use sluice_dial::Sensitive;
use url::Url;

use crate::error::IdentityError;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer, form};
use crate::token_cache::Token;

/// Type of a JWT.
pub(super) const JWT: &str = "urn:ietf:params:oauth:token-type:jwt";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const TOKEN_EXCHANGE: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const FORM: &str = "application/x-www-form-urlencoded";
/// Maximum lifetime of a token in seconds.
const MAX_LIFETIME: u64 = 24 * 60 * 60;

/// A token to exchange.
pub(super) struct Exchange<'a> {
    pub(super) audience: &'a str,
    pub(super) token: &'a Sensitive<String>,
    pub(super) token_type: &'a str,
    pub(super) scopes: &'a [&'a str],
}

#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    #[serde(default)]
    expires_in: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ImpersonationResponse {
    access_token: String,
    expire_time: String,
}

/// An error of the token endpoint, or of the other services.
#[derive(Deserialize)]
#[serde(untagged)]
enum Complaint {
    Token {
        error: String,
        #[serde(default)]
        error_description: String,
    },
    Service {
        error: ServiceFault,
    },
}

#[derive(Deserialize)]
struct ServiceFault {
    #[serde(default)]
    status: String,
    #[serde(default)]
    message: String,
}

impl Exchange<'_> {
    /// Requests an access token.
    pub(super) async fn token(
        &self,
        url: &Url,
        transport: Transport<'_>,
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        let action = format!("exchange a token for {} at {}", self.audience, host(url));
        let scopes = self.scopes.join(" ");
        let fields = [
            ("audience", self.audience),
            ("grant_type", TOKEN_EXCHANGE),
            ("requested_token_type", ACCESS_TOKEN),
            ("subject_token_type", self.token_type),
            ("subject_token", self.token.expose()),
            ("scope", &scopes),
        ];
        let secrets = [self.token.expose().as_str()];
        request_token(url, transport, &action, &fields, &secrets, now).await
    }
}

/// Posts a form to a token endpoint.
pub(super) async fn request_token(
    url: &Url,
    transport: Transport<'_>,
    action: &str,
    fields: &[(&str, &str)],
    secrets: &[&str],
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    let purpose = Purpose {
        secrets,
        ..Purpose::new(action, error_message)
    };
    let request = transport
        .remote()?
        .post(url.clone())
        .header(http::header::CONTENT_TYPE, FORM)
        .timeout(TIMEOUT)
        .body(form(fields));
    let body = answer(request, &purpose, RETRY).await?;
    parse_token(body.expose(), now).ok_or_else(|| purpose.fault("the answer holds no access token"))
}

/// Requests a token of an account for the owner of another token.
pub(super) async fn impersonate(
    url: &Url,
    transport: Transport<'_>,
    token: &Sensitive<String>,
    scopes: &[&str],
    delegates: &[String],
) -> Result<Token<Sensitive<String>>, IdentityError> {
    let path = url.path();
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.split(':').next().unwrap_or_default();
    let action = format!("impersonate {name} at {}", host(url));
    let secrets = [token.expose().as_str()];
    let purpose = Purpose {
        secrets: &secrets,
        ..Purpose::new(&action, error_message)
    };
    let mut body = json!({ "lifetime": "3600s", "scope": scopes });
    if !delegates.is_empty() {
        body["delegates"] = json!(delegates);
    }
    let authorization = sluice_dial::Bearer::new(token.expose())
        .map_err(|_| purpose.fault("the exchanged token cannot be sent"))?;
    let request = transport
        .remote()?
        .post(url.clone())
        .header(http::header::AUTHORIZATION, authorization.header())
        .header(http::header::CONTENT_TYPE, "application/json")
        .timeout(TIMEOUT)
        .body(body.to_string());
    let body = answer(request, &purpose, RETRY).await?;
    let impersonated: ImpersonationResponse = serde_json::from_str(body.expose())
        .map_err(|_| purpose.fault("the answer holds no access token"))?;
    let expires: jiff::Timestamp = impersonated
        .expire_time
        .parse()
        .map_err(|_| purpose.fault("the expiry of the token is not a time"))?;
    Ok(Token {
        value: impersonated.access_token.into(),
        expires: expires.into(),
    })
}

/// Parses the answer of a token endpoint.
pub(super) fn parse_token(body: &str, now: SystemTime) -> Option<Token<Sensitive<String>>> {
    let issued: TokenResponse = serde_json::from_str(body).ok()?;
    Some(Token {
        value: issued.access_token.into(),
        expires: now + Duration::from_secs(issued.expires_in.min(MAX_LIFETIME)),
    })
}

pub(super) fn error_message(body: &str) -> Option<String> {
    let (code, words) = match serde_json::from_str(body).ok()? {
        Complaint::Token {
            error,
            error_description,
        } => (error, error_description),
        Complaint::Service { error } => (error.status, error.message),
    };
    Some(if words.is_empty() {
        code
    } else {
        format!("{code}: {words}")
    })
}

fn host(url: &Url) -> &str {
    url.host_str().unwrap_or_default()
}
