//! Gets the identity token of a CI job: from a flag, from the environment, or from GitHub or
//! Forgejo Actions. Both Actions services use the same protocol.

use sluice_dial::{explain, read_body};
use sluice_golang::non_empty;
use url::Url;

use super::{Args, Client};
use crate::error::CommandError;

const TOKEN: &str = "FLUX_TRIGGER_RECEIVER_OIDC_TOKEN";
const REQUEST_URL: &str = "ACTIONS_ID_TOKEN_REQUEST_URL";
const REQUEST_TOKEN: &str = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";
/// Default audience of the token.
const AUDIENCE: &str = "notification-controller";
/// Maximum size of a token response.
const LARGEST: usize = 1 << 20;

#[expect(
    clippy::disallowed_methods,
    reason = "unlike a flag, a variable beside --oidc-provider is not a contradiction"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

pub(super) async fn token(args: &Args, client: &Client) -> Result<String, CommandError> {
    if non_empty(args.oidc_provider.as_deref()).is_some() {
        let audience = non_empty(args.oidc_audience.as_deref()).unwrap_or(AUDIENCE);
        return fetch(client, audience).await;
    }
    non_empty(args.oidc_token.as_deref())
        .map(str::to_owned)
        .or_else(|| variable(TOKEN))
        .ok_or_else(|| {
            CommandError::user(format!(
                "no OIDC token provided: set --oidc-provider, --oidc-token or the {TOKEN} environment variable"
            ))
        })
}

async fn fetch(client: &Client, audience: &str) -> Result<String, CommandError> {
    let (Some(address), Some(bearer)) = (variable(REQUEST_URL), variable(REQUEST_TOKEN)) else {
        return Err(CommandError::user(format!(
            "{REQUEST_URL} and {REQUEST_TOKEN} must be set in the environment"
        ))
        .hint("the job needs the permission 'id-token: write'"));
    };
    let address = Url::parse(&address)
        .map_err(|error| CommandError::user(format!("invalid {REQUEST_URL}: {error}")))?;
    let failed = |why: String| CommandError::cluster(format!("OIDC token request failed{why}"));
    let response = client
        .get(addressed(address, audience).as_str())
        .header("Authorization", format!("bearer {bearer}"))
        .send()
        .await
        .map_err(|error| failed(format!(": {}", explain(&error))))?;
    let status = response.status();
    let body = read_body(response, LARGEST)
        .await
        .map_err(|error| failed(format!(": {error}")))?;
    let text = String::from_utf8_lossy(&body);
    if status.as_u16() != 200 {
        return Err(failed(format!(" with status {status}: {}", text.trim())));
    }
    // A parser error would quote the body, which may contain the token.
    let answer: serde_json::Value = serde_json::from_slice(&body)
        .map_err(|_| CommandError::cluster("failed to decode the OIDC token response"))?;
    match answer["value"].as_str() {
        Some(token) if !token.is_empty() => Ok(token.to_owned()),
        _ => Err(CommandError::cluster(
            "the OIDC token response did not contain a token",
        )),
    }
}

/// Sets the audience in the query of an address.
fn addressed(mut address: Url, audience: &str) -> Url {
    let kept: Vec<(String, String)> = address
        .query_pairs()
        .filter(|(name, _)| name != "audience")
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    address
        .query_pairs_mut()
        .clear()
        .extend_pairs(kept)
        .append_pair("audience", audience);
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn audience_flag_replaces_that_of_the_url() {
        let address = |text: &str| addressed(Url::parse(text).unwrap(), "a b").to_string();
        assert_eq!(
            address("https://ci.example.com/token?api-version=2.0&audience=x"),
            "https://ci.example.com/token?api-version=2.0&audience=a+b"
        );
        assert_eq!(
            address("https://ci.example.com/token"),
            "https://ci.example.com/token?audience=a+b"
        );
    }
}
