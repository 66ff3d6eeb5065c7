//! Logins to registries of Azure (ACR).

use std::time::SystemTime;

use serde::Deserialize;
use sluice_dial::{Basic, Sensitive};
use url::Url;

use crate::error::IdentityError;
use crate::jwt::Claims;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer, form};
use crate::token_cache::Token;

/// User name of a login by token.
const USERNAME: &str = "00000000-0000-0000-0000-000000000000";
const FORM: &str = "application/x-www-form-urlencoded";

#[derive(Deserialize)]
struct ExchangeResponse {
    refresh_token: String,
}

#[derive(Deserialize)]
struct Complaint {
    errors: Vec<Fault>,
}

#[derive(Deserialize)]
struct Fault {
    code: String,
    #[serde(default)]
    message: String,
}

/// Exchanges an access token at a registry for user name and password. `registry` is its address.
pub async fn login(
    transport: Transport<'_>,
    registry: &Url,
    access_token: &Sensitive<String>,
    now: SystemTime,
) -> Result<Token<Basic>, IdentityError> {
    let host = registry.host_str().unwrap_or_default();
    let action = format!("get a registry password at {host}");
    let secrets = [access_token.expose().as_str()];
    let purpose = Purpose {
        secrets: &secrets,
        ..Purpose::new(&action, error_message)
    };
    let mut url = registry.clone();
    url.set_path("/oauth2/exchange");
    let form = form(&[
        ("grant_type", "access_token"),
        ("service", host),
        ("access_token", access_token.expose()),
    ]);
    let request = transport
        .remote()?
        .post(url)
        .header(http::header::CONTENT_TYPE, FORM)
        .timeout(TIMEOUT)
        .body(form);
    let body = answer(request, &purpose, RETRY).await?;
    let exchanged: ExchangeResponse = serde_json::from_str(body.expose())
        .map_err(|_| purpose.fault("the answer holds no refresh token"))?;
    let claims = Claims::of_token(&exchanged.refresh_token)
        .map_err(|_| purpose.fault("the refresh token is not a JWT"))?;
    Ok(Token {
        value: Basic::new(USERNAME, exchanged.refresh_token),
        // Without an expiry, the token is used once.
        expires: claims.expires().unwrap_or(now),
    })
}

fn error_message(body: &str) -> Option<String> {
    let complaint: Complaint = serde_json::from_str(body).ok()?;
    let fault = complaint.errors.into_iter().next()?;
    Some(format!("{}: {}", fault.code, fault.message))
}
