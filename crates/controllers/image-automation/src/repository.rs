//! Access to the repository of an automation: its Secrets, tokens and signing key.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::image::{CommitSpec, SigningKeyType};
use sluice_api::meta::reason;
use sluice_api::source::{GitProvider, GitRepository};
use sluice_client::typed::ResourceExt as _;
use sluice_dial::{Credentials, Dial, HttpClients, Retry, Sensitive};
use sluice_engine::ObjectKey;
use sluice_engine::ready::Fault;
use sluice_forge::{Connection, Forge, connect};
use sluice_git::{Access, Client, Remote, Signer, SigningKeyError, Stores, fingerprint};
use sluice_golang::error::chain;
use sluice_host::secrets::SecretData;
use sluice_host::{CloudError, CloudIdentities, IdentityUser, Secrets};
use sluice_identity::{GithubApp, Provider};
use sluice_system::blocking;
use url::Url;

use crate::args::Args;
use crate::pull_request::{PULL_REQUEST_FAILED, PullRequest};
use crate::source::{Source, failed, invalid};

/// The entry with an OpenPGP key ring.
const OPENPGP_KEY: &str = "git.asc";
/// The entry with the passphrase of an OpenPGP key.
const OPENPGP_PASSPHRASE: &str = "passphrase";
/// The entry with an SSH key.
const SSH_KEY: &str = "identity";
/// The entry with the passphrase of an SSH key.
const SSH_PASSPHRASE: &str = "password";

/// The entry with a token for the API of a Git host, as in the Secrets of Providers.
const TOKEN: &str = "token";
/// Retries of requests to Git hosts. A run that fails is retried, too.
const FORGE_RETRY: Retry = Retry {
    retries: 2,
    wait_min: Duration::from_secs(1),
    wait_max: Duration::from_secs(10),
};

/// The clients for all repositories.
pub(crate) struct Repositories {
    pub(crate) secrets: Secrets,
    pub(crate) git: Client,
    pub(crate) stores: Stores,
    http: Arc<HttpClients>,
    identities: CloudIdentities,
}

impl Repositories {
    pub(crate) fn new(
        secrets: Secrets,
        git: Client,
        http: Arc<HttpClients>,
        identities: CloudIdentities,
        args: &Args,
    ) -> Self {
        let limits = sluice_git::Limits::default();
        let stores = Stores::new(args.git_store_path.clone(), args.git_store_max_size, limits);
        Self {
            secrets,
            git,
            stores,
            http,
            identities,
        }
    }

    /// Connects to the API of the host of a repository. The token is that of the Git Secret, or of
    /// the Secret that the annotation names. It goes only to the host of the repository's URL.
    pub(crate) async fn forge(
        &self,
        pull_request: &PullRequest,
        remote: &Remote,
        namespace: &str,
    ) -> Result<Box<dyn Forge>, Fault> {
        let mut dial = remote.dial.clone();
        let token = match &pull_request.secret {
            None => token(&remote.access).ok_or_else(|| {
                unproposed("the Git credentials have no token: set secretRef in the annotation")
            })?,
            Some(name) => {
                let secret = self.secrets.get(namespace, name).await;
                let secret = secret.map_err(|error| unproposed(&chain(&error)))?;
                let tls = secret.tls();
                if let Some(tls) = tls.map_err(|error| unproposed(&chain(&error)))? {
                    dial.tls = tls;
                }
                let token = secret.entry(TOKEN).ok_or_else(|| {
                    unproposed(&format!("Secret '{namespace}/{name}' has no key '{TOKEN}'"))
                })?;
                Sensitive::from(String::from_utf8_lossy(token).trim().to_owned())
            }
        };
        let connection = Connection {
            host: pull_request.host.clone(),
            token,
            http: &self.http,
            dial,
            retry: FORGE_RETRY,
        };
        connect(pull_request.kind, &connection).map_err(|error| unproposed(&error.to_string()))
    }

    /// Reads the Secrets of a repository and configures its remote.
    pub(crate) async fn remote(
        &self,
        repository: &GitRepository,
        source: &Source,
        automation: &ObjectKey,
    ) -> Result<Remote, Fault> {
        let namespace = repository.namespace().unwrap_or_default();
        let spec = &repository.spec;
        let proxy = match &spec.proxy_secret_ref {
            None => None,
            Some(reference) => {
                let secret = self.secrets.get(&namespace, &reference.name).await;
                let proxy = secret.and_then(|secret| secret.proxy());
                Some(proxy.map_err(|error| failed(&chain(&error)))?)
            }
        };
        let mut remote = Remote {
            address: source.address.clone(),
            access: Access::Anonymous,
            identity: None,
            dial: Dial {
                proxy,
                ..Dial::default()
            },
            timeout: source.timeout,
        };
        let secret = match &spec.secret_ref {
            None => None,
            Some(reference) => {
                let secret = self.secrets.get(&namespace, &reference.name).await;
                let name = &reference.name;
                Some(secret.map_err(|error| {
                    let why = chain(&error);
                    failed(&format!(
                        "failed to get auth secret '{namespace}/{name}': {why}"
                    ))
                })?)
            }
        };
        let provider = spec.provider.clone().unwrap_or_default();
        check_app(&provider, secret.as_ref())?;
        let user = IdentityUser {
            kind: "ImageUpdateAutomation",
            key: automation,
            // As in Flux, the account is not that of the namespace of the repository.
            namespace: automation.namespace(),
            account: spec.service_account_name.as_deref(),
        };
        let cloud = match provider {
            GitProvider::Aws => Some(Provider::Aws),
            GitProvider::Azure => Some(Provider::Azure),
            _ => None,
        };
        if let Some(provider) = cloud {
            self.by_identity(user, provider, &spec.url, &mut remote)
                .await?;
            let tls = secret.as_ref().map(SecretData::tls).transpose();
            let tls = tls.map_err(|error| unauthenticated(&error))?;
            remote.dial.tls = tls.flatten().unwrap_or_default();
        } else if let (GitProvider::Github, Some(secret)) = (provider, &secret) {
            self.by_app(user, secret, &mut remote).await?;
        } else {
            by_secret(&spec.url, secret.as_ref(), &mut remote)?;
        }
        Ok(remote)
    }

    /// Gets a token of a GitHub App.
    async fn by_app(
        &self,
        user: IdentityUser<'_>,
        secret: &SecretData,
        remote: &mut Remote,
    ) -> Result<(), Fault> {
        let app = secret
            .github_app()
            .map_err(|error| unauthenticated(&error))?;
        let tls = secret.tls().map_err(|error| unauthenticated(&error))?;
        remote.dial.tls = tls.unwrap_or_default();
        let asking = self.identities.github(user, &app, &remote.dial);
        let token = limited(remote.timeout, "GitHub", asking).await?;
        remote.identity = Some(fingerprint(&app));
        remote.access = Access::Http(Credentials::Basic(token));
        Ok(())
    }

    /// Gets credentials of an identity in a cloud.
    async fn by_identity(
        &self,
        user: IdentityUser<'_>,
        provider: Provider,
        url: &str,
        remote: &mut Remote,
    ) -> Result<(), Fault> {
        let allowed = self.identities.check_gate(user.account);
        allowed
            .map_err(|error| Fault::stalled(reason::FEATURE_GATE_DISABLED, error.to_string()))?;
        let parsed = Url::parse(url).map_err(|error| failed(&error.to_string()))?;
        let asking = self.identities.git(user, provider, &parsed, &remote.dial);
        let found = limited(remote.timeout, provider.name(), asking).await?;
        remote.identity = Some(fingerprint(&(found.owner, url)));
        remote.access = Access::Http(found.credentials);
        Ok(())
    }

    /// Reads the signing key of an automation.
    pub(crate) async fn signer(
        &self,
        namespace: &str,
        commit: &CommitSpec,
        now: Timestamp,
    ) -> Result<Option<Signer>, Fault> {
        let Some(key) = &commit.signing_key else {
            return Ok(None);
        };
        let name = &key.secret_ref.name;
        let secret = self.secrets.get(namespace, name).await.map_err(|error| {
            let why = error.server_message();
            failed(&format!(
                "could not find signing key secret '{name}': {why}"
            ))
        })?;
        let (entry, article, passphrase) = match &key.type_ {
            None | Some(SigningKeyType::Gpg) => (OPENPGP_KEY, "a", OPENPGP_PASSPHRASE),
            Some(SigningKeyType::Ssh) => (SSH_KEY, "an", SSH_PASSPHRASE),
            Some(other) => {
                let other = other.as_str();
                return Err(failed(&format!("unknown signing key type \"{other}\"")));
            }
        };
        let Some(ring) = secret.entry(entry) else {
            return Err(failed(&format!(
                "signing key secret '{name}' does not contain {article} '{entry}' key"
            )));
        };
        let given = secret.entry(passphrase);
        let given = given.map(|bytes| Sensitive::from(String::from_utf8_lossy(bytes).into_owned()));
        let is_given = given.is_some();
        let ring = Sensitive::from(ring.to_vec());
        // The test signature of a large key takes time.
        let read = blocking(move || {
            let now = std::time::SystemTime::from(now);
            if entry == SSH_KEY {
                let text = Sensitive::from(String::from_utf8_lossy(ring.expose()).into_owned());
                Signer::ssh(text.expose(), given.as_ref(), now)
            } else {
                Signer::openpgp(ring.expose(), given.as_ref(), None, now)
            }
        })
        .await;
        read.map(Some).map_err(|error| match error {
            SigningKeyError::Locked if !is_given => failed(&format!(
                "can not use passphrase protected signing key without '{passphrase}' field present \
                 in secret {name}"
            )),
            error => failed(&format!(
                "could not read signing key from secret '{name}': {error}"
            )),
        })
    }
}

/// Returns the token of Git credentials. Over HTTP it is the password.
fn token(access: &Access) -> Option<Sensitive<String>> {
    match access {
        Access::Http(Credentials::Basic(basic)) => Some(basic.password.clone()),
        Access::Http(Credentials::Bearer(bearer)) => Some(bearer.expose().to_owned().into()),
        Access::Anonymous | Access::Ssh(_) | Access::Agent(_) => None,
    }
}

/// The pull request cannot be opened or updated now.
pub(crate) fn unproposed(why: &str) -> Fault {
    let message = format!("failed to update pull request: {why}");
    Fault::retried(PULL_REQUEST_FAILED, message)
}

/// Rejects GitHub App data without the provider, and the provider without the data.
fn check_app(provider: &GitProvider, secret: Option<&SecretData>) -> Result<(), Fault> {
    let is_app = secret.is_some_and(|secret| GithubApp::is_described_by(secret));
    match provider {
        GitProvider::Github if !is_app => Err(invalid(
            "secretRef with github app data must be specified when provider is set to github: \
             invalid source configuration",
        )),
        GitProvider::Generic if is_app => {
            let key = secret
                .map(|secret| secret.key().to_string())
                .unwrap_or_default();
            Err(invalid(format!(
                "secretRef '{key}' has github app data but provider is not set to github: invalid \
                 source configuration"
            )))
        }
        _ => Ok(()),
    }
}

/// Configures a remote with a Secret.
fn by_secret(url: &str, secret: Option<&SecretData>, remote: &mut Remote) -> Result<(), Fault> {
    let scheme = url.split_once(':').map(|(scheme, _)| scheme.to_lowercase());
    let scheme = match scheme.as_deref() {
        Some("http") => Some("http"),
        Some("https") => Some("https"),
        _ => None,
    };
    let Some(secret) = secret else {
        if scheme.is_some() {
            return Ok(());
        }
        return Err(failed(
            "failed to configure authentication options: spec.secretRef with 'identity' and \
             'known_hosts' is required for an ssh:// URL",
        ));
    };
    let Some(scheme) = scheme else {
        let identity = secret.ssh_identity();
        remote.access = Access::Ssh(identity.map_err(|error| unauthenticated(&error))?);
        return Ok(());
    };
    let tls = secret.tls().map_err(|error| unauthenticated(&error))?;
    remote.dial.tls = tls.unwrap_or_default();
    let credentials = secret.git_credentials(scheme);
    if let Some(credentials) = credentials.map_err(|error| unauthenticated(&error))? {
        remote.access = Access::Http(credentials);
    }
    Ok(())
}

fn unauthenticated(error: &dyn std::error::Error) -> Fault {
    let why = chain(error);
    failed(&format!(
        "failed to configure authentication options: {why}"
    ))
}

/// Waits for credentials within the timeout of the repository.
async fn limited<T>(
    limit: Duration,
    issuer: &str,
    asking: impl Future<Output = Result<T, CloudError>>,
) -> Result<T, Fault> {
    let answer = tokio::time::timeout(limit, Box::pin(asking)).await;
    let why = match answer {
        Ok(Ok(found)) => return Ok(found),
        Ok(Err(error)) => error.to_string(),
        Err(_) => {
            let seconds = limit.as_secs_f64();
            format!("get a token from {issuer}: not done within {seconds}s")
        }
    };
    Err(failed(&format!(
        "failed to configure authentication options: {why}"
    )))
}
