//! Who the environment says we are, in the order in which Amazon's own tools look.
//!
//! Keys in variables, a token of a web identity (as a pod on EKS has), a profile, what a container
//! is told, what a machine is told. The first that is there counts: one that is there and wrong is
//! an error, never passed over.

use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

use sluice_system::fs;
use url::{Host, Url};

use super::profile::{Found, Profile};
use super::sts::nameless;
use super::{Assume, AwsCredentials, AwsError, Sts, answer, told, words};
use crate::http::{Dial, HttpClients};
use crate::sensitive::Sensitive;

/// Where a container's host answers.
const CONTAINER: &str = "http://169.254.170.2";
/// Where a machine's host answers.
const MACHINE: &str = "http://169.254.169.254";
/// A machine's host is beside it, and on no network that has none.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long anybody else may take.
pub(super) const TIMEOUT: Duration = Duration::from_secs(10);
/// Addresses beside this one that may be asked without TLS.
const BESIDE: [&str; 3] = ["169.254.170.2", "169.254.170.23", "fd00:ec2::23"];
/// A file with keys is small.
pub(super) const MAX_FILE: u64 = 1 << 20;

/// The variables of a process.
#[derive(Clone, Default)]
pub struct Environment {
    variables: BTreeMap<String, String>,
}

/// Names only: what they hold may be secret.
impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.variables.keys()).finish()
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Environment {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(variables: T) -> Self {
        let owned = variables.into_iter();
        Self {
            variables: owned
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        }
    }
}

impl Environment {
    /// That of this process.
    pub fn of_process() -> Self {
        let variables = std::env::vars_os();
        variables
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .filter(|(name, _)| name.starts_with("AWS_") || name == "HOME")
            .collect()
    }

    /// What a variable holds, if that is anything.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let value = self.variables.get(name)?;
        (!value.is_empty()).then_some(value.as_str())
    }

    /// The server that gives credentials of roles, for a region.
    pub fn sts(&self, region: &str) -> Result<Sts, AwsError> {
        match self.get("AWS_ENDPOINT_URL_STS") {
            Some(address) => Sts::at(address),
            None => Ok(Sts::of_region(region)),
        }
    }

    /// Finds credentials. The way out is that to servers of roles: hosts beside this one are asked
    /// without a proxy, which would be shown what is for nobody else.
    pub async fn credentials(
        &self,
        clients: &HttpClients,
        dial: &Dial,
        region: &str,
        now: SystemTime,
    ) -> Result<AwsCredentials, AwsError> {
        if let Some(keys) = self.keys()? {
            return Ok(keys);
        }
        let token = self.get("AWS_WEB_IDENTITY_TOKEN_FILE");
        if let Some(web) = web_identity(token, self.get("AWS_ROLE_ARN"), "AWS_ROLE_ARN")? {
            return self.assume(&web, clients, dial, region, now).await;
        }
        let profile = self
            .get("AWS_PROFILE")
            .or_else(|| self.get("AWS_DEFAULT_PROFILE"));
        match Profile::read(self, profile)?.found()? {
            Some(Found::Keys(keys)) => return Ok(keys),
            Some(Found::Web(web)) => return self.assume(&web, clients, dial, region, now).await,
            None => {}
        }
        let client = clients.get(&Dial {
            direct: true,
            ..Dial::default()
        })?;
        if let Some(request) = self.container(&client)? {
            let action = "ask this container's host for AWS credentials";
            let body = answer(request.timeout(TIMEOUT), action, words).await?;
            return told(&body, action);
        }
        self.machine(&client).await
    }

    /// Keys in variables.
    fn keys(&self) -> Result<Option<AwsCredentials>, AwsError> {
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
            (Some(_), None) => Err(half("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")),
            (None, Some(_)) => Err(half("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID")),
        }
    }

    async fn assume(
        &self,
        web: &WebIdentity,
        clients: &HttpClients,
        dial: &Dial,
        region: &str,
        now: SystemTime,
    ) -> Result<AwsCredentials, AwsError> {
        let session = match self.get("AWS_ROLE_SESSION_NAME") {
            Some(name) => name.to_owned(),
            None => nameless(now),
        };
        let who = Assume {
            role: &web.role,
            session: &session,
            token: &web.token,
        };
        self.sts(region)?.assume(clients, dial, &who).await
    }

    /// The question to a container's host, if this is one.
    fn container(
        &self,
        client: &reqwest::Client,
    ) -> Result<Option<reqwest::RequestBuilder>, AwsError> {
        let address = match (
            self.get("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"),
            self.get("AWS_CONTAINER_CREDENTIALS_FULL_URI"),
        ) {
            (Some(path), _) => format!("{CONTAINER}{path}"),
            (None, Some(address)) => beside(address)?,
            (None, None) => return Ok(None),
        };
        let mut request = client.get(address);
        let token = match self.get("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
            Some(file) => {
                let text = String::from_utf8_lossy(&fs::read_limited(file, MAX_FILE)?).into_owned();
                Some(Sensitive::new(text.trim().to_owned()))
            }
            None => self
                .get("AWS_CONTAINER_AUTHORIZATION_TOKEN")
                .map(Sensitive::from),
        };
        if let Some(token) = token {
            let mut value = http::HeaderValue::from_str(token.expose()).map_err(|_| {
                AwsError::Unusable("the token for this container's host cannot be sent".to_owned())
            })?;
            value.set_sensitive(true);
            request = request.header(http::header::AUTHORIZATION, value);
        }
        Ok(Some(request))
    }

    /// Asks a machine's host, by the second version of its protocol.
    async fn machine(&self, client: &reqwest::Client) -> Result<AwsCredentials, AwsError> {
        let nobody = || {
            AwsError::Unusable(
                "no AWS credentials were found: neither in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, nor a token in \
                 AWS_WEB_IDENTITY_TOKEN_FILE, nor in a profile, nor at the host of this container or machine (which is asked by version 2 of its \
                 protocol: a hop limit of 1 keeps pods from it)"
                    .to_owned(),
            )
        };
        let disabled = self.get("AWS_EC2_METADATA_DISABLED");
        if disabled.is_some_and(|text| text.eq_ignore_ascii_case("true")) {
            return Err(nobody());
        }
        let host = self
            .get("AWS_EC2_METADATA_SERVICE_ENDPOINT")
            .unwrap_or(MACHINE);
        let host = host.trim_end_matches('/');
        let action = "ask this machine's host for AWS credentials";
        let request = client
            .put(format!("{host}/latest/api/token"))
            .header("X-aws-ec2-metadata-token-ttl-seconds", "300")
            .timeout(PATIENCE);
        // Whoever answers nothing here is no machine of Amazon's.
        let token = match answer(request, action, words).await {
            Ok(token) => Sensitive::new(token),
            Err(AwsError::Network { .. } | AwsError::Refused { .. }) => return Err(nobody()),
            Err(error) => return Err(error),
        };
        let ask = |path: &str| {
            client
                .get(format!(
                    "{host}/latest/meta-data/iam/security-credentials/{path}"
                ))
                .header("X-aws-ec2-metadata-token", token.expose().as_str())
                .timeout(PATIENCE)
        };
        let roles = answer(ask(""), action, words).await?;
        let role = roles.lines().next().unwrap_or_default().trim();
        if role.is_empty() {
            return Err(AwsError::Unusable(format!(
                "{action}: no role is attached to this machine"
            )));
        }
        let body = answer(ask(role), action, words).await?;
        told(&body, action)
    }
}

/// A token and the role that it is for.
pub(super) struct WebIdentity {
    role: String,
    token: Sensitive<String>,
}

/// A token in a file, and the role that it is for, which the setting `named` tells.
pub(super) fn web_identity(
    file: Option<&str>,
    role: Option<&str>,
    named: &str,
) -> Result<Option<WebIdentity>, AwsError> {
    let Some(file) = file else {
        return Ok(None);
    };
    let Some(role) = role else {
        return Err(half("a file with a web identity's token", named));
    };
    let text = String::from_utf8_lossy(&fs::read_limited(file, MAX_FILE)?).into_owned();
    let token = Sensitive::new(text.trim().to_owned());
    if token.expose().is_empty() {
        return Err(AwsError::Unusable(format!("{file} holds no token")));
    }
    Ok(Some(WebIdentity {
        role: role.to_owned(),
        token,
    }))
}

pub(super) fn half(present: &str, absent: &str) -> AwsError {
    AwsError::Unusable(format!("{present} is set, and {absent} is not"))
}

/// An address that may be told a token: over TLS anyone, in the open nobody but this host.
fn beside(address: &str) -> Result<String, AwsError> {
    let refused = || {
        AwsError::Unusable(format!(
            "AWS_CONTAINER_CREDENTIALS_FULL_URI is '{address}', which is neither https nor this container's host"
        ))
    };
    let url = Url::parse(address).map_err(|_| refused())?;
    let is_near = match url.host() {
        Some(Host::Ipv4(ip)) => ip.is_loopback() || BESIDE.contains(&ip.to_string().as_str()),
        Some(Host::Ipv6(ip)) => ip.is_loopback() || BESIDE.contains(&ip.to_string().as_str()),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    };
    if url.scheme() == "https" || (url.scheme() == "http" && is_near) {
        Ok(url.to_string())
    } else {
        Err(refused())
    }
}
