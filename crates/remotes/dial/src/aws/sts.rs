//! A token of somebody that Amazon trusts, for the credentials of a role.
//!
//! Amazon's oldest protocol: a form is posted, and XML comes back. Four texts without markup are
//! read out of it, for which no reader of XML is worth its weight.

use std::time::SystemTime;

use url::Url;

use super::environment::TIMEOUT;
use super::{AwsCredentials, AwsError, answer, moment};
use crate::http::{Dial, HttpClients};
use crate::sensitive::Sensitive;

/// Which version of the protocol.
const VERSION: &str = "2011-06-15";

/// The server that gives credentials of roles.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sts {
    address: String,
}

/// Who takes which role.
#[derive(Debug, Clone)]
pub struct Assume<'a> {
    /// The role.
    pub role: &'a str,
    /// What the role's records call this use of it.
    pub session: &'a str,
    /// The token of who takes it.
    pub token: &'a Sensitive<String>,
}

impl Sts {
    /// That of a region.
    pub fn of_region(region: &str) -> Self {
        let end = if region.starts_with("cn-") { ".cn" } else { "" };
        Self {
            address: format!("https://sts.{region}.amazonaws.com{end}/"),
        }
    }

    /// One at an address, which a private network or a test has.
    pub fn at(address: &str) -> Result<Self, AwsError> {
        match Url::parse(address) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(Self {
                address: url.to_string(),
            }),
            _ => Err(AwsError::Unusable(format!(
                "'{address}' is no address of a security token service"
            ))),
        }
    }

    /// Takes a role by a token.
    pub async fn assume(
        &self,
        clients: &HttpClients,
        dial: &Dial,
        who: &Assume<'_>,
    ) -> Result<AwsCredentials, AwsError> {
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
            // The server may quote the token that it refuses.
            let words = words.replace(who.token.expose().as_str(), "[redacted]");
            Some(format!("{code}: {words}"))
        })
        .await?;
        let text = |name: &str| {
            element(&body, name).ok_or_else(|| AwsError::Answer {
                action: action.clone(),
                detail: None,
            })
        };
        Ok(AwsCredentials {
            access_key: text("AccessKeyId")?,
            secret_key: text("SecretAccessKey")?.into(),
            session_token: Some(text("SessionToken")?.into()),
            expires: element(&body, "Expiration").as_deref().and_then(moment),
        })
    }
}

/// The text of the first element of a name.
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

/// A name for a use of a role that has been given none: unlike others by the time.
pub(super) fn nameless(now: SystemTime) -> String {
    let since = now.duration_since(SystemTime::UNIX_EPOCH);
    format!("sluice-{}", since.unwrap_or_default().as_secs())
}
