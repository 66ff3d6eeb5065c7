//! Token requests to Microsoft Entra ID.

use std::time::{Duration, SystemTime};

use serde::Deserialize;
use sluice_dial::Sensitive;
use url::Url;

use super::cloud::authority;
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::pattern::pattern;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer, form};
use crate::token_cache::Token;

const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const FORM: &str = "application/x-www-form-urlencoded";

/// An application or a managed identity in a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Application {
    pub(super) client: String,
    pub(super) endpoint: Url,
}

/// The proof that the caller is an application.
#[derive(Debug)]
pub enum Proof<'a> {
    /// A secret.
    Secret(&'a Sensitive<String>),
    /// A signed statement, or the token of a service account.
    Assertion(&'a Sensitive<String>),
}

#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    #[serde(default)]
    expires_in: u64,
}

#[derive(Deserialize)]
struct Complaint {
    error: String,
    #[serde(default)]
    error_description: String,
}

impl Application {
    /// Creates an application of a tenant.
    pub fn new(
        environment: &Environment,
        tenant: &str,
        client: &str,
    ) -> Result<Self, IdentityError> {
        check_tenant(tenant)?;
        let mut endpoint = authority(environment)?;
        endpoint.set_path(&format!("/{tenant}/oauth2/v2.0/token"));
        Ok(Self {
            client: client.to_owned(),
            endpoint,
        })
    }

    /// Requests an access token for a scope.
    pub async fn token(
        &self,
        transport: Transport<'_>,
        proof: &Proof<'_>,
        scope: &str,
        now: SystemTime,
    ) -> Result<Token<Sensitive<String>>, IdentityError> {
        let mut fields = vec![
            ("client_id", self.client.as_str()),
            ("grant_type", "client_credentials"),
            ("scope", scope),
        ];
        let secret = match proof {
            Proof::Secret(secret) => {
                fields.push(("client_secret", secret.expose()));
                secret
            }
            Proof::Assertion(assertion) => {
                fields.push(("client_assertion_type", ASSERTION_TYPE));
                fields.push(("client_assertion", assertion.expose()));
                assertion
            }
        };
        let action = format!(
            "get an Azure token for {} at {}",
            self.client, self.endpoint
        );
        let secrets = [secret.expose().as_str()];
        let purpose = Purpose {
            secrets: &secrets,
            ..Purpose::new(&action, error_message)
        };
        let request = transport
            .remote()?
            .post(self.endpoint.clone())
            .header(http::header::CONTENT_TYPE, FORM)
            .timeout(TIMEOUT)
            .body(form(&fields));
        let body = answer(request, &purpose, RETRY).await?;
        let issued: TokenResponse = serde_json::from_str(body.expose())
            .map_err(|_| purpose.fault("the answer holds no access token"))?;
        Ok(Token {
            value: issued.access_token.into(),
            expires: now + Duration::from_secs(issued.expires_in.min(MAX_LIFETIME)),
        })
    }
}

/// Maximum lifetime of a token in seconds.
pub(super) const MAX_LIFETIME: u64 = 24 * 60 * 60;

/// Returns code and first sentence of an error. The ids of a trace differ each time, so they would
/// change a condition at each attempt.
pub(super) fn error_message(body: &str) -> Option<String> {
    let complaint: Complaint = serde_json::from_str(body).ok()?;
    let description = complaint.error_description;
    let line = description.lines().next().unwrap_or_default();
    let line = line.split(" Trace ID:").next().unwrap_or_default().trim();
    if line.is_empty() {
        return Some(complaint.error);
    }
    Some(format!("{}: {line}", complaint.error))
}

/// Checks a tenant before it becomes part of a path: an id, or a domain.
pub(super) fn check_tenant(tenant: &str) -> Result<(), IdentityError> {
    pattern!(TENANT, r"^[a-zA-Z0-9]([a-zA-Z0-9.-]{0,251}[a-zA-Z0-9])?$");
    if TENANT.is_match(tenant) && !tenant.contains("..") {
        return Ok(());
    }
    let tenant = tenant.escape_debug();
    Err(IdentityError::Unusable(format!(
        "'{tenant}' is not an Azure tenant: it must be an ID or a domain"
    )))
}

/// Checks the id of a client.
pub(super) fn check_client(client: &str) -> Result<(), IdentityError> {
    pattern!(
        CLIENT,
        r"^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$"
    );
    if CLIENT.is_match(client) {
        return Ok(());
    }
    let client = client.escape_debug();
    Err(IdentityError::Unusable(format!(
        "'{client}' is not an Azure client ID"
    )))
}
