//! The lookup of credentials, in the order of Amazon's tools.
//!
//! The order is: keys in variables, a web identity token (as on EKS), a profile, the container's
//! endpoint, the machine's endpoint. The first one present counts. If it is invalid, the lookup
//! fails instead of trying the next one.

use std::time::{Duration, SystemTime};

use sluice_dial::{Retry, Sensitive};
use url::{Host, Url};

use super::environment::{WebIdentity, incomplete_pair, web_identity};
use super::profile::{ProfileChain, ProfileCredentials, ProfileRole};
use super::sts::generate_session_name;
use super::{AssumeRole, AwsCredentials, Sts, error_message, parse_credentials};
use crate::environment::Environment;
use crate::environment::read_token;
use crate::error::IdentityError;
use crate::request::{Purpose, TIMEOUT, Transport, answer};

/// Credentials endpoint of a container.
const CONTAINER_HOST: &str = "http://169.254.170.2";
/// Metadata service of a machine.
const METADATA_HOST: &str = "http://169.254.169.254";
/// Timeout of the metadata service. It is local to the machine, or absent.
const METADATA_TIMEOUT: Duration = Duration::from_secs(2);
/// Link-local addresses that are trusted without TLS.
const LOCAL_HOSTS: [&str; 3] = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"];

impl Environment {
    /// Returns credentials, with the STS endpoint of a region.
    pub async fn credentials(
        &self,
        transport: Transport<'_>,
        region: &str,
        now: SystemTime,
    ) -> Result<AwsCredentials, IdentityError> {
        let sts = self.sts(region)?;
        self.credentials_at(transport, &sts, now).await
    }

    /// Returns credentials. Local endpoints are called without a proxy, which would see the
    /// credentials.
    pub async fn credentials_at(
        &self,
        transport: Transport<'_>,
        sts: &Sts,
        now: SystemTime,
    ) -> Result<AwsCredentials, IdentityError> {
        if let Some(keys) = self.keys()? {
            return Ok(keys);
        }
        let token = self.get("AWS_WEB_IDENTITY_TOKEN_FILE");
        if let Some(web) = web_identity(token, self.get("AWS_ROLE_ARN"), "AWS_ROLE_ARN")? {
            return self.assume(&web, transport, sts, now).await;
        }
        let profile = self
            .get("AWS_PROFILE")
            .or_else(|| self.get("AWS_DEFAULT_PROFILE"));
        if let Some(keys) = self.profile(profile, transport, sts, now).await? {
            return Ok(keys);
        }
        let client = transport.local()?;
        if let Some(request) = self.container(&client)? {
            let action = "ask this container's host for AWS credentials";
            let purpose = Purpose::new(action, error_message);
            let request = request.timeout(TIMEOUT);
            let body = answer(request, &purpose, Retry::NEVER).await?;
            return parse_credentials(body.expose(), action);
        }
        self.machine(&client).await
    }

    /// Returns the credentials of a profile. Profiles that name another one as their source assume
    /// a role each.
    async fn profile(
        &self,
        named: Option<&str>,
        transport: Transport<'_>,
        sts: &Sts,
        now: SystemTime,
    ) -> Result<Option<AwsCredentials>, IdentityError> {
        let Some(ProfileChain { source, roles }) = ProfileChain::read(self, named)? else {
            return Ok(None);
        };
        let mut credentials = match source {
            ProfileCredentials::Keys(keys) => keys,
            ProfileCredentials::Web(web) => self.assume(&web, transport, sts, now).await?,
        };
        for ProfileRole { arn, session } in roles {
            let session = session.unwrap_or_else(|| generate_session_name(now));
            credentials = sts
                .assume_with(transport, &arn, &session, &credentials, now)
                .await?;
        }
        Ok(Some(credentials))
    }

    /// Returns the keys in variables.
    fn keys(&self) -> Result<Option<AwsCredentials>, IdentityError> {
        let either = |name, older| self.get(name).or_else(|| self.get(older));
        let access = either("AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY");
        let secret = either("AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY");
        match (access, secret) {
            (Some(access), Some(secret)) => Ok(Some(AwsCredentials {
                access_key: access.to_owned(),
                secret_key: secret.into(),
                session_token: self.get("AWS_SESSION_TOKEN").map(Sensitive::from),
                expires: None,
            })),
            (None, None) => Ok(None),
            (Some(_), None) => Err(incomplete_pair(
                "AWS_ACCESS_KEY_ID",
                "AWS_SECRET_ACCESS_KEY",
            )),
            (None, Some(_)) => Err(incomplete_pair(
                "AWS_SECRET_ACCESS_KEY",
                "AWS_ACCESS_KEY_ID",
            )),
        }
    }

    async fn assume(
        &self,
        web: &WebIdentity,
        transport: Transport<'_>,
        sts: &Sts,
        now: SystemTime,
    ) -> Result<AwsCredentials, IdentityError> {
        let session = match self.get("AWS_ROLE_SESSION_NAME") {
            Some(name) => name.to_owned(),
            None => generate_session_name(now),
        };
        let who = AssumeRole {
            role: &web.role,
            session: &session,
            token: &web.token,
        };
        sts.assume(transport, &who).await
    }

    /// Returns the request to the container's endpoint, if one is set.
    fn container(
        &self,
        client: &sluice_dial::Client,
    ) -> Result<Option<sluice_dial::RequestBuilder>, IdentityError> {
        let address = match (
            self.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
            self.get("AWS_CONTAINER_CREDENTIALS_FULL_URI"),
        ) {
            (Some(path), _) => format!("{CONTAINER_HOST}{path}"),
            (None, Some(address)) => check_container_url(address)?,
            (None, None) => return Ok(None),
        };
        let mut request = client.get(address);
        let token = match self.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
            Some(file) => Some(read_token(file)?),
            None => self
                .get("AWS_CONTAINER_AUTHORIZATION_TOKEN")
                .map(Sensitive::from),
        };
        if let Some(token) = token {
            let mut value = http::HeaderValue::from_str(token.expose()).map_err(|_| {
                IdentityError::Unusable(
                    "the token for this container's host cannot be sent".to_owned(),
                )
            })?;
            value.set_sensitive(true);
            request = request.header(http::header::AUTHORIZATION, value);
        }
        Ok(Some(request))
    }

    /// Requests credentials from the metadata service by version 2 of its protocol.
    async fn machine(&self, client: &sluice_dial::Client) -> Result<AwsCredentials, IdentityError> {
        let not_found = || {
            IdentityError::Unusable(
                "no AWS credentials were found: neither in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor a token in \
                 AWS_WEB_IDENTITY_TOKEN_FILE, nor in a profile, nor at the host of this container or machine (which is asked by version 2 of its \
                 protocol: a hop limit of 1 keeps pods from it)"
                    .to_owned(),
            )
        };
        let disabled = self.get("AWS_EC2_METADATA_DISABLED");
        if disabled.is_some_and(|text| text.eq_ignore_ascii_case("true")) {
            return Err(not_found());
        }
        let host = self
            .get("AWS_EC2_METADATA_SERVICE_ENDPOINT")
            .unwrap_or(METADATA_HOST);
        let host = host.trim_end_matches('/');
        let action = "ask this machine's host for AWS credentials";
        let purpose = Purpose::new(action, error_message);
        let request = client
            .put(format!("{host}/latest/api/token"))
            .header("X-aws-ec2-metadata-token-ttl-seconds", "300")
            .timeout(METADATA_TIMEOUT);
        // Without a response, this machine is not in AWS.
        let token = match answer(request, &purpose, Retry::NEVER).await {
            Ok(token) => token,
            Err(IdentityError::Network { .. } | IdentityError::Refused { .. }) => {
                return Err(not_found());
            }
            Err(error) => return Err(error),
        };
        let ask = |path: &str| {
            client
                .get(format!(
                    "{host}/latest/meta-data/iam/security-credentials/{path}"
                ))
                .header("X-aws-ec2-metadata-token", token.expose().as_str())
                .timeout(METADATA_TIMEOUT)
        };
        let roles = answer(ask(""), &purpose, Retry::NEVER).await?;
        let role = roles.expose().lines().next().unwrap_or_default().trim();
        if role.is_empty() {
            return Err(IdentityError::Unusable(format!(
                "{action}: no role is attached to this machine"
            )));
        }
        let body = answer(ask(role), &purpose, Retry::NEVER).await?;
        parse_credentials(body.expose(), action)
    }
}

/// Checks the URL of the container's endpoint, which receives a token. Without TLS it must be
/// local.
fn check_container_url(address: &str) -> Result<String, IdentityError> {
    let refused = || {
        IdentityError::Unusable(format!(
            "AWS_CONTAINER_CREDENTIALS_FULL_URI is '{address}', which is neither https nor this container's host"
        ))
    };
    let url = Url::parse(address).map_err(|_| refused())?;
    let is_near = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback() || LOCAL_HOSTS.contains(&ip.to_string().as_str()),
        Some(Host::Ipv6(ip)) => ip.is_loopback() || LOCAL_HOSTS.contains(&ip.to_string().as_str()),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    if url.scheme() == "https" || (url.scheme() == "http" && is_near) {
        Ok(url.to_string())
    } else {
        Err(refused())
    }
}
