//! Logins to registries of Amazon (ECR).

use std::time::SystemTime;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use http::Method;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use sluice_dial::{Basic, Sensitive};
use url::Url;

use super::region::Service;
use super::signed::SignedCall;
use super::{AwsCredentials, error_message};
use crate::environment::Environment;
use crate::error::IdentityError;
use crate::request::{Purpose, Transport};
use crate::token_cache::Token;

/// Region of the public registry's tokens.
pub(crate) const PUBLIC_REGION: &str = "us-east-1";
const PUBLIC_ENDPOINT: &str = "https://api.ecr-public.us-east-1.amazonaws.com/";
const CONTENT_TYPE: &str = "application/x-amz-json-1.1";

/// An authorization in a response. The time is in seconds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Authorization {
    authorization_token: String,
    expires_at: f64,
}

/// A registry service of Amazon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ecr<'a> {
    /// The private registries of a region.
    Private(&'a str),
    /// `public.ecr.aws`.
    Public,
}

impl Ecr<'_> {
    /// Requests user name and password of the registry.
    pub async fn login(
        self,
        environment: &Environment,
        transport: Transport<'_>,
        credentials: &AwsCredentials,
        now: SystemTime,
    ) -> Result<Token<Basic>, IdentityError> {
        let (url, region, service, target) = match self {
            Self::Private(region) => (
                environment.endpoint(Service::Ecr, region)?,
                region,
                "ecr",
                "AmazonEC2ContainerRegistry_V20150921.GetAuthorizationToken",
            ),
            Self::Public => (
                environment.public_ecr()?,
                PUBLIC_REGION,
                "ecr-public",
                "SpencerFrontendService.GetAuthorizationToken",
            ),
        };
        let action = format!("get a registry password at {url}");
        let purpose = Purpose::new(&action, error_message);
        let call = SignedCall {
            credentials,
            region,
            service,
            method: Method::POST,
            url: &url,
            headers: &[("content-type", CONTENT_TYPE), ("x-amz-target", target)],
            body: "{}",
        };
        let body = call.send(transport, &purpose, now).await?;
        parse(body.expose()).map_err(|fault| purpose.fault(fault))
    }
}

impl Environment {
    fn public_ecr(&self) -> Result<Url, IdentityError> {
        let address = self
            .get("AWS_ENDPOINT_URL_ECR_PUBLIC")
            .or_else(|| self.get("AWS_ENDPOINT_URL"))
            .unwrap_or(PUBLIC_ENDPOINT);
        Url::parse(address)
            .map_err(|_| IdentityError::Unusable(format!("'{address}' is not a URL")))
    }
}

/// Parses the response: a list of authorizations, or one for the public registry.
fn parse(body: &str) -> Result<Token<Basic>, &'static str> {
    let body: Value = serde_json::from_str(body).map_err(|_| "the answer is not JSON")?;
    let data = body.get("authorizationData").unwrap_or(&Value::Null);
    let data = data.get(0).unwrap_or(data);
    if !data.is_object() {
        return Err("no authorization data returned");
    }
    let data = Authorization::deserialize(data)
        .map_err(|_| "the authorization has no token or no expiry")?;
    let encoded = Sensitive::new(data.authorization_token);
    let text = BASE64_STANDARD
        .decode(encoded.expose())
        .map_err(|_| "the authorization token is not base64")?;
    let text = Sensitive::new(String::from_utf8(text).map_err(|_| "the token is not text")?);
    let (username, password) = text
        .expose()
        .split_once(':')
        .filter(|(_, password)| !password.contains(':'))
        .ok_or("invalid authorization token format")?;
    #[expect(clippy::cast_possible_truncation, reason = "a time beyond is refused")]
    let expires =
        Timestamp::from_second(data.expires_at as i64).map_err(|_| "the expiry is not a time")?;
    Ok(Token {
        value: Basic::new(username, password),
        expires: expires.into(),
    })
}
