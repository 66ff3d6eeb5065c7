//! Implements `create secret receiver`: the token of a webhook and the address that follows from
//! it.

use rustls::crypto::SecureRandom;
use sluice_api::notification::webhook;
use sluice_digest::Digest;
use sluice_golang::non_empty;

use super::Secret;
use crate::commands::create::receiver::TYPES;
use crate::commands::create::{Creation, required};
use crate::error::CommandError;

/// Annotation with the address of the webhook.
const WEBHOOK: &str = "notification.toolkit.fluxcd.io/webhook";

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Audience of Google's tokens [default: the webhook URL]
    #[arg(long, value_name = "AUDIENCE")]
    audience_claim: Option<String>,
    /// Email of the Google service account in the tokens
    #[arg(long, value_name = "ADDRESS")]
    email_claim: Option<String>,
    /// Host name of the webhook
    #[arg(long, value_name = "HOST")]
    hostname: Option<String>,
    /// Token to verify requests with [default: random]
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Type of the receiver
    #[arg(long = "type", value_parser = TYPES, value_name = "TYPE")]
    kind: Option<String>,
}

pub(super) fn secret(args: &Args, creation: &Creation<'_>) -> Result<Secret, CommandError> {
    let kind = required(args.kind.as_deref(), "--type", "--type is required")?;
    let host = required(
        args.hostname.as_deref(),
        "--hostname",
        "--hostname is required",
    )?;
    let email = non_empty(args.email_claim.as_deref());
    if kind == "gcr" && email.is_none() {
        return Err(CommandError::user(
            "--email-claim is required for gcr receiver type",
        ));
    }
    let token = match non_empty(args.token.as_deref()) {
        Some(token) => token.to_owned(),
        None => random_token()?,
    };
    let path = webhook::path(
        token.as_bytes(),
        creation.name,
        &creation.context.namespace(),
    );
    let address = format!("https://{host}{path}");
    let mut secret = Secret::new(creation.name);
    if kind == "gcr" {
        let audience = non_empty(args.audience_claim.as_deref()).unwrap_or(&address);
        secret.put("audience", audience);
        secret.put("email", email.unwrap_or_default());
    }
    secret.put("token", token);
    secret.annotations.push((WEBHOOK, address));
    Ok(secret)
}

/// Returns 64 random hexadecimal digits: the digest of 32 random bytes.
fn random_token() -> Result<String, CommandError> {
    let mut bytes = [0; 32];
    let random: &dyn SecureRandom = rustls::crypto::aws_lc_rs::default_provider().secure_random;
    random
        .fill(&mut bytes)
        .map_err(|_| CommandError::internal("the system gave no random bytes for a token"))?;
    Ok(Digest::of(&bytes).hex().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_tokens_differ() {
        let (one, other) = (random_token().unwrap(), random_token().unwrap());
        assert_eq!((one.len(), other.len()), (64, 64));
        assert_ne!(one, other);
    }
}
