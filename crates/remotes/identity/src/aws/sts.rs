//! Credentials of a role for a web identity token.
//!
//! The protocol posts a form and returns XML. Only four plain texts are needed from it, so an XML
//! parser is not worth its size.

use std::time::SystemTime;

use sluice_dial::{Dial, HttpClients, Sensitive};
use url::Url;

use super::{AwsCredentials, NO_CREDENTIALS, answer, parse_time};
use crate::error::IdentityError;
use crate::request::TIMEOUT;

/// Version of the protocol.
const VERSION: &str = "2011-06-15";

/// An STS endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sts {
    address: String,
}

/// Parameters of assuming a role.
#[derive(Debug, Clone)]
pub struct AssumeRole<'a> {
    /// Role.
    pub role: &'a str,
    /// Session name in AWS's logs.
    pub session: &'a str,
    /// Web identity token.
    pub token: &'a Sensitive<String>,
}

impl Sts {
    /// Returns the endpoint of a region.
    pub fn of_region(region: &str) -> Self {
        let end = if region.starts_with("cn-") { ".cn" } else { "" };
        Self {
            address: format!("https://sts.{region}.amazonaws.com{end}/"),
        }
    }

    /// Returns an endpoint at an address, for private networks and tests.
    pub fn at(address: &str) -> Result<Self, IdentityError> {
        match Url::parse(address) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Self {
                address: url.to_string(),
            }),
            _ => Err(IdentityError::Unusable(format!(
                "'{address}' is not the address of a security token service"
            ))),
        }
    }

    /// Assumes a role.
    pub async fn assume(
        &self,
        clients: &HttpClients,
        dial: &Dial,
        who: &AssumeRole<'_>,
    ) -> Result<AwsCredentials, IdentityError> {
        let action = format!("take the AWS role {} at {}", who.role, self.address);
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("Action", "AssumeRoleWithWebIdentity")
            .append_pair("Version", VERSION)
            .append_pair("RoleArn", who.role)
            .append_pair("RoleSessionName", who.session)
            .append_pair("WebIdentityToken", who.token.expose())
            .finish();
        let request = clients
            .get(dial)?
            .post(&self.address)
            .header(
                http::header::CONTENT_TYPE,
                "application/x-www-form-urlencoded",
            )
            .timeout(TIMEOUT)
            .body(form);
        let body = answer(request, &action, |body| {
            let (code, words) = (element(body, "Code")?, element(body, "Message")?);
            // The server may quote the rejected token.
            let words = words.replace(who.token.expose().as_str(), "[redacted]");
            Some(format!("{code}: {words}"))
        })
        .await?;
        let text = |name: &str| {
            element(body.expose(), name).ok_or_else(|| IdentityError::Answer {
                action: action.clone(),
                fault: NO_CREDENTIALS,
                detail: None,
            })
        };
        Ok(AwsCredentials {
            access_key: text("AccessKeyId")?,
            secret_key: text("SecretAccessKey")?.into(),
            session_token: Some(text("SessionToken")?.into()),
            expires: element(body.expose(), "Expiration")
                .as_deref()
                .and_then(parse_time),
        })
    }
}

/// Returns the text of the first element with a name.
fn element(document: &str, name: &str) -> Option<String> {
    let (_, rest) = document.split_once(&format!("<{name}>"))?;
    let (text, _) = rest.split_once(&format!("</{name}>"))?;
    let unescaped = text
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&apos;", "'")
        .replace("&amp;", "&");
    Some(unescaped.trim().to_owned())
}

/// Returns a session name that is unique by time.
pub(super) fn generate_session_name(now: SystemTime) -> String {
    let since = now.duration_since(SystemTime::UNIX_EPOCH);
    format!("sluice-{}", since.unwrap_or_default().as_secs())
}
