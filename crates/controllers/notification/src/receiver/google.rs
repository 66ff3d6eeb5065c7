//! Verifies calls of Google registries: a Pub/Sub message with a token of Google.

use std::borrow::Cow;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jiff::Timestamp;
use serde::Serialize;
use sluice_dial::Keys;

use super::call::Call;
use super::jwt::verify_token;
use super::oidc::{KeySource, bearer};
use super::outcome::{Refusal, VerifiedCall};
use super::payload::{Fields, first_value, parse};
use super::signature::is_equal;

/// Issuer whose keys sign the tokens. The claim may omit the scheme.
const ISSUER: &str = "https://accounts.google.com";
const BARE_ISSUER: &str = "accounts.google.com";

/// The event within the message. Filters see only this.
#[derive(Serialize)]
struct Push {
    action: String,
    digest: String,
    tag: String,
}

pub(super) fn verify<'a>(
    secret: &dyn Keys,
    call: &Call<'a>,
    keys: &dyn KeySource,
    now: Timestamp,
) -> Result<VerifiedCall<'a>, Refusal> {
    let required = |key: &'static str| {
        let text = secret.text(key).ok().flatten();
        text.ok_or_else(|| {
            Refusal::Setup(format!(
                "invalid secret data: required field '{key}' for GCR receiver"
            ))
        })
    };
    let (email, audience) = (required("email")?, required("audience")?);
    authenticate(call, email, audience, keys, now)
        .map_err(|error| Refusal::Token(format!("cannot authenticate GCR request: {error}")))?;
    let push = read(call.body)
        .map_err(|error| Refusal::Body(format!("cannot decode GCR webhook payload: {error}")))?;
    Ok(VerifiedCall {
        claims: None,
        message: format!(
            "handling GCR event from {} for tag {}",
            push.digest, push.tag
        ),
        body: Cow::Owned(crate::json::to_vec(&push)),
    })
}

fn authenticate(
    call: &Call<'_>,
    email: &str,
    audience: &str,
    keys: &dyn KeySource,
    now: Timestamp,
) -> Result<(), String> {
    let token = bearer(call)?;
    let issuer_keys = keys.keys(ISSUER)?;
    let claims = verify_token(&token, &issuer_keys, audience, now)
        .map_err(|error| format!("invalid ID token: {error}"))?;
    let text = |name: &str| claims[name].as_str().unwrap_or_default();
    let issuer = text("iss");
    if issuer != ISSUER && issuer != BARE_ISSUER {
        return Err(format!(
            "token issuer is '{issuer}', want '{BARE_ISSUER}' or '{ISSUER}'"
        ));
    }
    if !is_equal(text("email").as_bytes(), email.as_bytes()) {
        return Err(format!(
            "token email is '{}', not the wanted one",
            text("email")
        ));
    }
    if claims["email_verified"] == true {
        Ok(())
    } else {
        Err(format!("token email '{email}' is not verified"))
    }
}

fn read(body: &[u8]) -> Result<Push, String> {
    let message = Fields::of(first_value(body)?)?.object("message")?;
    message.text("messageId")?;
    message.text("subscription")?;
    let data = BASE64_STANDARD
        .decode(message.text("data")?)
        .map_err(|_| "the data is not base64".to_owned())?;
    let fields = Fields::of(parse(&data)?)?;
    Ok(Push {
        action: fields.text("action")?,
        digest: fields.text("digest")?,
        tag: fields.text("tag")?,
    })
}
