//! AWS credentials, and access to registries, clusters and CodeCommit.
//!
//! Parity: fluxcd/pkg: auth/aws. Credentials come from the [`crate::Environment`]: variables and
//! files of Amazon's tools, or the role of a container or machine. A token of a service account can
//! also assume a role ([`Sts`]). CodeCommit accepts a signature over the address of the repository
//! as the password: [`Repository::sign`]. No error quotes a secret or a token.

mod account;
mod code_commit;
mod ecr;
mod eks;
mod environment;
mod kms;
mod ldap;
mod lookup;
mod profile;
mod region;
mod signed;
pub mod sigv4;
mod sts;

use std::time::SystemTime;

use jiff::Timestamp;
use serde::Deserialize;
use sluice_dial::Sensitive;

use crate::error::IdentityError;
use crate::request::redact;

pub use account::{AUDIENCE, role, session_name};
pub use code_commit::Repository;
pub use ecr::Ecr;
pub(crate) use ecr::PUBLIC_REGION;
pub use eks::Cluster;
pub use kms::KmsKey;
pub(crate) use ldap::ldap_keys;
pub use region::{EndpointOptions, Service, check_region, check_sts_endpoint};
pub use sts::{AssumeRole, Sts};

/// The fault of a response without keys.
const NO_CREDENTIALS: &str = "the answer holds no credentials";

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
fn parse_credentials(body: &str, action: &str) -> Result<AwsCredentials, IdentityError> {
    let nothing = || IdentityError::Answer {
        action: action.to_owned(),
        fault: NO_CREDENTIALS,
        detail: error_message(body).map(|message| redact(&message, &[])),
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

/// Returns the error message of an endpoint. Services name the code `__type`, after a namespace.
fn error_message(body: &str) -> Option<String> {
    let body: serde_json::Value = serde_json::from_str(body).ok()?;
    let text = |names: &[&str]| names.iter().find_map(|name| body.get(name)?.as_str());
    let code = text(&["Code", "code", "__type"])?;
    let code = code.rsplit('#').next().unwrap_or_default();
    let message = text(&["Message", "message"])?;
    Some(format!("{code}: {message}"))
}

/// Parses a time of AWS.
fn parse_time(text: &str) -> Option<SystemTime> {
    text.parse::<Timestamp>().ok().map(SystemTime::from)
}

#[cfg(test)]
mod tests;
