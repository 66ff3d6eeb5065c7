//! Credentials of a role, for a web identity token or for other credentials.
//!
//! The protocol posts a form and returns XML. Only four plain texts are needed from it, so an XML
//! parser is not worth its size.

use std::time::SystemTime;

use http::Method;
use sluice_dial::Sensitive;
use url::Url;

use super::region::{Service, check_sts_endpoint};
use super::signed::SignedCall;
use super::{AwsCredentials, NO_CREDENTIALS, parse_time};
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::request::{Purpose, RETRY, TIMEOUT, Transport, answer, form};

/// Version of the protocol.
pub(super) const VERSION: &str = "2011-06-15";
pub(super) const FORM: &str = "application/x-www-form-urlencoded";

/// An STS endpoint.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sts {
    url: Url,
    region: String,
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

impl Environment {
    /// Returns the STS endpoint of a region.
    pub fn sts(&self, region: &str) -> Result<Sts, IdentityError> {
        Ok(Sts {
            url: self.endpoint(Service::Sts, region)?,
            region: region.to_owned(),
        })
    }
}

impl Sts {
    /// Returns an endpoint that an object names, if it is one of Amazon's.
    pub fn of_object(address: &str, region: &str) -> Result<Self, IdentityError> {
        check_sts_endpoint(address)?;
        let url = Url::parse(address)
            .map_err(|_| IdentityError::Unusable(format!("invalid STS endpoint: '{address}'")))?;
        Ok(Self {
            url,
            region: region.to_owned(),
        })
    }

    /// Returns the address.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Assumes a role with a web identity token.
    pub async fn assume(
        &self,
        transport: Transport<'_>,
        who: &AssumeRole<'_>,
    ) -> Result<AwsCredentials, IdentityError> {
        let form = form(&[
            ("Action", "AssumeRoleWithWebIdentity"),
            ("Version", VERSION),
            ("RoleArn", who.role),
            ("RoleSessionName", who.session),
            ("WebIdentityToken", who.token.expose()),
        ]);
        self.post(transport, who.role, form, &[who.token.expose()], None)
            .await
    }

    /// Assumes a role with other credentials.
    pub async fn assume_with(
        &self,
        transport: Transport<'_>,
        role: &str,
        session: &str,
        credentials: &AwsCredentials,
        now: SystemTime,
    ) -> Result<AwsCredentials, IdentityError> {
        let form = form(&[
            ("Action", "AssumeRole"),
            ("Version", VERSION),
            ("RoleArn", role),
            ("RoleSessionName", session),
        ]);
        self.post(transport, role, form, &[], Some((credentials, now)))
            .await
    }

    async fn post(
        &self,
        transport: Transport<'_>,
        role: &str,
        form: String,
        secrets: &[&str],
        signed_by: Option<(&AwsCredentials, SystemTime)>,
    ) -> Result<AwsCredentials, IdentityError> {
        let action = format!("take the AWS role {role} at {}", self.url);
        let purpose = Purpose {
            secrets,
            ..Purpose::new(&action, error_message)
        };
        let body = match signed_by {
            Some((credentials, now)) => {
                let call = SignedCall {
                    credentials,
                    region: &self.region,
                    service: "sts",
                    method: Method::POST,
                    url: &self.url,
                    headers: &[("content-type", FORM)],
                    body: &form,
                };
                call.send(transport, &purpose, now).await?
            }
            None => {
                let request = transport
                    .remote()?
                    .post(self.url.clone())
                    .header(http::header::CONTENT_TYPE, FORM)
                    .timeout(TIMEOUT)
                    .body(form);
                answer(request, &purpose, RETRY).await?
            }
        };
        read_credentials(body.expose(), &purpose)
    }
}

/// Reads the credentials of a response.
pub(super) fn read_credentials(
    body: &str,
    purpose: &Purpose<'_>,
) -> Result<AwsCredentials, IdentityError> {
    let text = |name: &str| element(body, name).ok_or_else(|| purpose.fault(NO_CREDENTIALS));
    Ok(AwsCredentials {
        access_key: text("AccessKeyId")?,
        secret_key: text("SecretAccessKey")?.into(),
        session_token: Some(text("SessionToken")?)
            .filter(|token| !token.is_empty())
            .map(Sensitive::new),
        expires: element(body, "Expiration").as_deref().and_then(parse_time),
    })
}

/// Returns the message of an error response.
pub(super) fn error_message(body: &str) -> Option<String> {
    let (code, words) = (element(body, "Code")?, element(body, "Message")?);
    Some(format!("{code}: {words}"))
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
