//! Access tokens of Google Cloud.
//!
//! Parity: fluxcd/pkg: auth/gcp. The controller's identity comes from a key file, or from the
//! metadata service of the machine. The token of a service account is exchanged: with the pool of
//! its annotation, or with the pool of the GKE cluster. With an email in its annotations, the
//! result impersonates that account. No program is started.

mod cluster;
mod federation;
mod key_file;
mod kms;
mod metadata;

use std::path::PathBuf;
use std::time::SystemTime;

use sluice_dial::Sensitive;
use sluice_system::fs;
use url::Url;

use crate::account::Account;
use crate::environment::{Environment, MAX_TOKEN_FILE};
use crate::error::IdentityError;
use crate::pattern::pattern;
use crate::request::Transport;
use crate::token_cache::Token;

pub use cluster::Cluster;
pub use key_file::Key;
pub use kms::KmsKey;
pub use metadata::ClusterMetadata;

/// Scopes of access tokens.
pub const SCOPES: [&str; 2] = [
    "https://www.googleapis.com/auth/cloud-platform",
    "https://www.googleapis.com/auth/userinfo.email",
];
/// Scope of the content of buckets, without writes.
pub const READ_BUCKETS: &str = "https://www.googleapis.com/auth/devstorage.read_only";
/// User name of registries, with a token as the password.
pub const REGISTRY_USERNAME: &str = "oauth2accesstoken";

const POOL_ANNOTATION: &str = "gcp.auth.fluxcd.io/workload-identity-provider";
const POOL_PATTERN: &str =
    r"^projects/\d{1,30}/locations/global/workloadIdentityPools/[^/]{1,100}/providers/[^/]{1,100}$";
const EMAIL_ANNOTATION: &str = "iam.gke.io/gcp-service-account";
const EMAIL_PATTERN: &str = r"^[a-zA-Z0-9-]{1,100}@[a-zA-Z0-9-]{1,100}\.iam\.gserviceaccount\.com$";

/// Addresses of Google's services. Other ones serve tests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoints {
    /// Token exchange.
    pub sts: Url,
    /// Impersonation of accounts.
    pub credentials: Url,
    /// Clusters.
    pub container: Url,
}

impl Default for Endpoints {
    fn default() -> Self {
        let url = |text| Url::parse(text).expect("the address is valid");
        Self {
            sts: url("https://sts.googleapis.com/v1/token"),
            credentials: url("https://iamcredentials.googleapis.com/"),
            container: url("https://container.googleapis.com/"),
        }
    }
}

/// Returns a token of the controller's own identity.
pub async fn token(
    environment: &Environment,
    transport: Transport<'_>,
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    if let Some((path, text)) = read_key(environment)? {
        let key = Key::parse(text.expose())
            .map_err(|error| IdentityError::Unusable(format!("{path}: {error}")))?;
        return key.token(transport, &SCOPES, now).await;
    }
    metadata::token(environment, transport, now).await
}

/// Exchanges the token of a service account.
pub async fn exchange(
    endpoints: &Endpoints,
    transport: Transport<'_>,
    account: &Account,
    token: &Sensitive<String>,
    audience: &str,
    now: SystemTime,
) -> Result<Token<Sensitive<String>>, IdentityError> {
    let email = email(account)?;
    let (platform, all) = (&SCOPES[..1], &SCOPES[..]);
    let exchange = federation::Exchange {
        audience,
        token,
        token_type: federation::JWT,
        scopes: if email.is_some() { platform } else { all },
    };
    let federated = exchange.token(&endpoints.sts, transport, now).await?;
    match email {
        None => Ok(federated),
        Some(email) => {
            let mut url = endpoints.credentials.clone();
            url.set_path(&format!(
                "/v1/projects/-/serviceAccounts/{email}:generateAccessToken"
            ));
            federation::impersonate(&url, transport, &federated.value, all, &[]).await
        }
    }
}

/// The audiences of a service account: of its token, and of the exchange.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audiences {
    /// Audience of the token of the API server.
    pub token: String,
    /// Audience of the exchange.
    pub exchange: String,
}

/// Returns the audiences of a service account.
pub async fn audiences(
    environment: &Environment,
    transport: Transport<'_>,
    cluster: &ClusterMetadata,
    account: &Account,
) -> Result<Audiences, IdentityError> {
    pattern!(POOL, POOL_PATTERN);
    let Some(pool) = account.annotation(POOL_ANNOTATION) else {
        return cluster.audiences(environment, transport).await;
    };
    if !POOL.is_match(pool) {
        return Err(invalid_annotation(POOL_ANNOTATION, pool, POOL_PATTERN));
    }
    let audience = format!("//iam.googleapis.com/{pool}");
    Ok(Audiences {
        token: audience.clone(),
        exchange: audience,
    })
}

/// Returns the email of the account to impersonate.
pub fn email(account: &Account) -> Result<Option<&str>, IdentityError> {
    pattern!(EMAIL, EMAIL_PATTERN);
    match account.annotation(EMAIL_ANNOTATION) {
        Some(email) if !EMAIL.is_match(email) => {
            Err(invalid_annotation(EMAIL_ANNOTATION, email, EMAIL_PATTERN))
        }
        found => Ok(found),
    }
}

/// Returns the identity in the annotations of a service account, for cache keys.
pub(crate) fn identity_text(account: &Account) -> String {
    let text = |key| account.annotation(key).unwrap_or_default();
    format!("{} {}", text(POOL_ANNOTATION), text(EMAIL_ANNOTATION))
}

fn invalid_annotation(key: &str, value: &str, pattern: &str) -> IdentityError {
    IdentityError::Unusable(format!(
        "invalid {key} annotation: '{value}'. must match {pattern}"
    ))
}

/// Reads the key file that a variable names, or the one of Google's tools.
fn read_key(
    environment: &Environment,
) -> Result<Option<(String, Sensitive<String>)>, IdentityError> {
    let given = environment.get("GOOGLE_APPLICATION_CREDENTIALS");
    let usual = || {
        let folder = PathBuf::from(environment.get("HOME")?);
        Some(folder.join(".config/gcloud/application_default_credentials.json"))
    };
    let Some(path) = given.map(PathBuf::from).or_else(usual) else {
        return Ok(None);
    };
    match fs::read_limited(&path, MAX_TOKEN_FILE) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            Ok(Some((path.display().to_string(), Sensitive::new(text))))
        }
        // The default file need not exist.
        Err(error) if given.is_none() && error.is_not_found() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests;
