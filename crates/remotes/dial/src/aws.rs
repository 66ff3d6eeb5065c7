//! Amazon's identities, and what Git takes for a password at CodeCommit.
//!
//! Parity: fluxcd/pkg: auth/aws. Who we are is what the environment says ([`Environment`]: the
//! variables and files of Amazon's own tools, a container's or a machine's role), or a role that a
//! token of a Kubernetes service account may take ([`Sts`]). CodeCommit lets in whoever signs the
//! address of the repository with such credentials: [`Repository::sign`]. No error quotes a secret
//! or a token.

mod environment;
mod profile;
mod signature;
mod sts;

use std::time::SystemTime;

use http::StatusCode;
use jiff::Timestamp;
use serde::Deserialize;

use crate::http::{DialError, exchange, printable};
use crate::sensitive::Sensitive;

pub use environment::Environment;
pub use signature::Repository;
pub use sts::{Assume, Sts};

/// Bytes of an answer.
const MAX_ANSWER: usize = 1 << 20;

/// Keys that sign requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwsCredentials {
    /// Whose.
    pub access_key: String,
    /// What signs.
    pub secret_key: Sensitive<String>,
    /// What goes with keys that end.
    pub session_token: Option<Sensitive<String>>,
    /// When they end; those of a user do not.
    pub expires: Option<SystemTime>,
}

/// Why there are no credentials.
#[derive(Debug, thiserror::Error)]
pub enum AwsError {
    /// The repository is not one of CodeCommit.
    #[error("invalid AWS CodeCommit Git URL: {0}")]
    NotCodeCommit(String),
    /// What signs for an address must not be sent in the open.
    #[error("AWS CodeCommit authentication requires an HTTPS Git URL")]
    NotHttps,
    /// Half of what is needed was given, or what cannot be used.
    #[error("{0}")]
    Unusable(String),
    /// A file that the environment names.
    #[error(transparent)]
    File(#[from] sluice_system::fs::Error),
    /// No client could be made.
    #[error(transparent)]
    Dial(#[from] DialError),
    /// Nobody was reached.
    #[error("{action}: {reason}")]
    Network {
        /// What was attempted.
        action: String,
        /// What the network says.
        reason: String,
    },
    /// A refusal.
    #[error("{action}: the answer is {status}{}", detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Refused {
        /// What was attempted.
        action: String,
        /// How.
        status: StatusCode,
        /// In which words.
        detail: Option<String>,
    },
    /// An answer that makes no sense.
    #[error("{action}: the answer holds no credentials{}", detail.as_deref().map(|detail| format!(": {detail}")).unwrap_or_default())]
    Answer {
        /// What was attempted.
        action: String,
        /// What it says instead.
        detail: Option<String>,
    },
}

/// Credentials as containers and machines are told them.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Told {
    access_key_id: Option<String>,
    secret_access_key: Option<String>,
    token: Option<String>,
    expiration: Option<String>,
}

/// Reads what a container or a machine was told.
fn told(body: &str, action: &str) -> Result<AwsCredentials, AwsError> {
    let nothing = || AwsError::Answer {
        action: action.to_owned(),
        detail: words(body).map(|words| printable(&words)),
    };
    let told: Told = serde_json::from_str(body).map_err(|_| nothing())?;
    let (Some(access_key), Some(secret_key)) = (told.access_key_id, told.secret_access_key) else {
        return Err(nothing());
    };
    Ok(AwsCredentials {
        access_key,
        secret_key: secret_key.into(),
        session_token: told.token.map(Sensitive::new),
        expires: told.expiration.as_deref().and_then(moment),
    })
}

/// Why the host of a container or a machine gives no credentials, in its words.
fn words(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    let text = |names: [&str; 2]| names.into_iter().find_map(|name| body.get(name)?.as_str());
    let (code, message) = (text(["Code", "code"])?, text(["Message", "message"])?);
    Some(format!("{code}: {message}"))
}

/// A moment as Amazon writes it.
fn moment(text: &str) -> Option<SystemTime> {
    text.parse::<Timestamp>().ok().map(SystemTime::from)
}

/// Sends a request and reads a good answer; `detail` finds the words of a bad one.
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
        detail: detail(&body).map(|words| printable(&words)),
    })
}

#[cfg(test)]
mod tests;
