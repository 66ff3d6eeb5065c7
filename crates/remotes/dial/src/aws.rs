//! AWS credentials, and Git passwords for CodeCommit.
//!
//! Parity: fluxcd/pkg: auth/aws. Credentials come from the environment ([`Environment`]: variables
//! and files of Amazon's tools, or the role of a container or machine). A Kubernetes service
//! account token can also assume a role ([`Sts`]). CodeCommit accepts a signature over the address
//! of the repository as the password: [`Repository::sign`]. No error quotes a secret or a token.

mod code_commit;
mod environment;
mod lookup;
mod profile;
pub mod sigv4;
mod sts;

use std::time::{Duration, SystemTime};

use http::StatusCode;
use jiff::Timestamp;
use serde::Deserialize;

use crate::http::{DialError, exchange, printable};
use crate::sensitive::Sensitive;

pub use code_commit::Repository;
pub use environment::Environment;
pub use sts::{AssumeRole, Sts};

/// Timeout of each request, except to the metadata service of a machine.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum size of a response in bytes.
const MAX_ANSWER: usize = 1 << 20;

/// Keys that sign requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwsCredentials {
    /// Access key id.
    pub access_key: String,
    /// Secret access key.
    pub secret_key: Sensitive<String>,
    /// Session token of temporary keys.
    pub session_token: Option<Sensitive<String>>,
    /// Expiry. Keys of a user do not expire.
    pub expires: Option<SystemTime>,
}

/// The credentials could not be obtained.
#[derive(Debug, thiserror::Error)]
pub enum AwsError {
    /// The repository is not in CodeCommit.
    #[error("invalid AWS CodeCommit Git URL: {0}")]
    NotCodeCommit(String),
    /// A signature must not be sent without TLS.
    #[error("AWS CodeCommit authentication requires an HTTPS Git URL")]
    NotHttps,
    /// A setting is missing or invalid.
    #[error("{0}")]
    Unusable(String),
    /// A file of the environment could not be read.
    #[error(transparent)]
    File(#[from] sluice_system::fs::Error),
    /// The client could not be created.
    #[error(transparent)]
    Dial(#[from] DialError),
    /// No response arrived.
    #[error("{action}: {reason}")]
    Network {
        /// Action.
        action: String,
        /// Cause.
        reason: String,
    },
    /// The server returned an error.
    #[error("{action}: the answer is {status}{}", detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Refused {
        /// Action.
        action: String,
        /// Status code.
        status: StatusCode,
        /// Message of the server.
        detail: Option<String>,
    },
    /// The response is invalid.
    #[error("{action}: the answer holds no credentials{}", detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Answer {
        /// Action.
        action: String,
        /// Details.
        detail: Option<String>,
    },
}

/// Response of the endpoints for containers and machines.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ProvidedCredentials {
    access_key_id: Option<String>,
    secret_access_key: Option<String>,
    token: Option<String>,
    expiration: Option<String>,
}

/// Parses the credentials of a container or a machine.
fn parse_credentials(body: &str, action: &str) -> Result<AwsCredentials, AwsError> {
    let nothing = || AwsError::Answer {
        action: action.to_owned(),
        detail: error_message(body).map(|message| printable(&message)),
    };
    let provided: ProvidedCredentials = serde_json::from_str(body).map_err(|_| nothing())?;
    let (Some(access_key), Some(secret_key)) = (provided.access_key_id, provided.secret_access_key)
    else {
        return Err(nothing());
    };
    Ok(AwsCredentials {
        access_key,
        secret_key: secret_key.into(),
        session_token: provided.token.map(Sensitive::new),
        expires: provided.expiration.as_deref().and_then(parse_time),
    })
}

/// Returns the error message of the endpoint.
fn error_message(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    let text = |names: [&str; 2]| names.into_iter().find_map(|name| body.get(name)?.as_str());
    let (code, message) = (text(["Code", "code"])?, text(["Message", "message"])?);
    Some(format!("{code}: {message}"))
}

/// Parses a time of AWS.
fn parse_time(text: &str) -> Option<SystemTime> {
    text.parse::<Timestamp>().ok().map(SystemTime::from)
}

/// Sends a request and returns the body of a successful response. `detail` extracts the message of
/// an error response.
async fn answer(
    request: reqwest::RequestBuilder,
    action: &str,
    detail: impl Fn(&str) -> Option<String>,
) -> Result<String, AwsError> {
    let network = |reason| AwsError::Network {
        action: action.to_owned(),
        reason,
    };
    let (status, body) = exchange(request, MAX_ANSWER).await.map_err(network)?;
    let body = String::from_utf8_lossy(&body).into_owned();
    if status.is_success() {
        return Ok(body);
    }
    Err(AwsError::Refused {
        action: action.to_owned(),
        status,
        detail: detail(&body).map(|message| printable(&message)),
    })
}

#[cfg(test)]
mod tests;
