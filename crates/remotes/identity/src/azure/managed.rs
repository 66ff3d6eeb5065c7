//! The managed identity of a machine.

use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::Value;
use sluice_dial::Sensitive;
use url::Url;

use super::entra::{MAX_LIFETIME, error_message};
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::request::{Purpose, RETRY, Transport, answer};
use crate::token_cache::Token;

const HOST: &str = "http://169.254.169.254";
const PATH: &str = "/metadata/identity/oauth2/token";
const API_VERSION: &str = "2018-02-01";
/// Timeout of the metadata service. It is local to the machine, or absent.
const TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    /// Seconds, as a number or as text.
    #[serde(default)]
    expires_in: Value,
}

/// Requests a token from the metadata service.
pub(super) async fn token(
    environment: &Environment,
    transport: Transport<'_>,
    client: Option<&str>,
    scope: &str,
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    let host = environment
        .get("AZURE_POD_IDENTITY_AUTHORITY_HOST")
        .unwrap_or(HOST);
    let invalid = || IdentityError::Unusable(format!("'{host}' is not a URL"));
    let mut url = Url::parse(host).map_err(|_| invalid())?;
    url.set_path(PATH);
    let resource = scope.strip_suffix("/.default").unwrap_or(scope);
    url.query_pairs_mut()
        .append_pair("api-version", API_VERSION)
        .append_pair("resource", resource);
    if let Some(client) = client {
        url.query_pairs_mut().append_pair("client_id", client);
    }
    let action = "ask this machine's host for an Azure token";
    let purpose = Purpose {
        is_local: true,
        ..Purpose::new(action, error_message)
    };
    let request = transport
        .local()?
        .get(url)
        .header("Metadata", "true")
        .timeout(TIMEOUT);
    let body = match answer(request, &purpose, RETRY).await {
        // Without a response, this machine is not in Azure.
        Err(IdentityError::Network { .. }) => {
            return Err(IdentityError::Unusable(
                "no Azure credentials were found: neither AZURE_TENANT_ID and AZURE_CLIENT_ID with \
                 AZURE_CLIENT_SECRET, AZURE_CLIENT_CERTIFICATE_PATH or AZURE_FEDERATED_TOKEN_FILE, \
                 nor a managed identity of this machine"
                    .to_owned(),
            ));
        }
        answered => answered?,
    };
    let issued: TokenResponse = serde_json::from_str(body.expose())
        .map_err(|_| purpose.fault("the answer holds no access token"))?;
    let seconds = match &issued.expires_in {
        Value::String(text) => text.parse().unwrap_or(0),
        number => number.as_u64().unwrap_or(0),
    };
    Ok(Token {
        value: issued.access_token.into(),
        expires: now + Duration::from_secs(seconds.min(MAX_LIFETIME)),
    })
}
