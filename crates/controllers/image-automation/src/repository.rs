//! Access to the repository of an automation: its Secrets, tokens and signing key.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use sluice_api::image::{CommitSpec, SigningKeyType};
use sluice_api::meta::reason;
use sluice_api::source::{GitProvider, GitRepository};
use sluice_client::typed::ResourceExt as _;
use sluice_dial::{Basic, Credentials, Dial, HttpClients, Sensitive};
use sluice_engine::ready::Fault;
use sluice_git::{Access, Client, Remote, Signer, SigningKeyError, Stores, fingerprint};
use sluice_golang::error::chain;
use sluice_host::Secrets;
use sluice_host::secrets::SecretData;
use sluice_identity::{Environment, GithubApp, Identities, Level, Provider, TokenCache};
use sluice_system::{Clock, blocking};
use url::Url;

use crate::args::Args;
use crate::source::{Source, failed, invalid};

/// The entry with an OpenPGP key ring.
const OPENPGP_KEY: &str = "git.asc";
/// The entry with the passphrase of an OpenPGP key.
const OPENPGP_PASSPHRASE: &str = "passphrase";
/// The entry with an SSH key.
const SSH_KEY: &str = "identity";
/// The entry with the passphrase of an SSH key.
const SSH_PASSPHRASE: &str = "password";

/// The clients for all repositories.
pub(crate) struct Repositories {
    pub(crate) secrets: Secrets,
    pub(crate) git: Client,
    pub(crate) stores: Stores,
    http: Arc<HttpClients>,
    apps: TokenCache<(GithubApp, Dial), Basic>,
    identities: Identities,
    has_workload_identity: bool,
}

impl Repositories {
    pub(crate) fn new(
        secrets: Secrets,
        git: Client,
        http: Arc<HttpClients>,
        clock: Arc<dyn Clock>,
        args: &Args,
        has_workload_identity: bool,
    ) -> Self {
        let (size, age) = (args.token_cache_max_size, args.token_cache_max_duration);
        let limits = sluice_git::Limits::default();
        let stores = Stores::new(args.git_store_path.clone(), args.git_store_max_size, limits);
        let environment = Environment::of_process();
        Self {
            secrets,
            git,
            stores,
            identities: Identities::new(
                Arc::clone(&http),
                clock,
                environment,
                TokenCache::new(size, age),
            ),
            apps: TokenCache::new(size, age),
            http,
            has_workload_identity,
        }
    }

    /// Reads the Secrets of a repository and configures its remote.
    pub(crate) async fn remote(
        &self,
        repository: &GitRepository,
        source: &Source,
        now: Timestamp,
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
        match provider {
            GitProvider::Aws | GitProvider::Azure => {
                self.by_identity(repository, &provider, &mut remote).await?;
            }
            GitProvider::Github => {
                if let Some(secret) = &secret {
                    self.by_app(secret, &mut remote, now).await?;
                }
            }
            _ => by_secret(&spec.url, secret.as_ref(), &mut remote)?,
        }
        Ok(remote)
    }

    /// Gets a token of a GitHub App.
    async fn by_app(
        &self,
        secret: &SecretData,
        remote: &mut Remote,
        now: Timestamp,
    ) -> Result<(), Fault> {
        let app = secret
            .github_app()
            .map_err(|error| unauthenticated(&error))?;
        let tls = secret.tls(true).map_err(|error| unauthenticated(&error))?;
        remote.dial.tls = tls.unwrap_or_default();
        let key = (app, remote.dial.clone());
        let (app, dial) = &key;
        let asking = self.apps.token(&key, SystemTime::from(now), || {
            app.token(&self.http, dial, now.into())
        });
        let token = limited(remote.timeout, "GitHub", asking).await?;
        let (token, _) = token.map_err(|error| unauthenticated(&error))?;
        remote.identity = Some(fingerprint(app));
        remote.access = Access::Http(Credentials::Basic(token));
        Ok(())
    }

    /// Gets credentials of the controller's identity in a cloud.
    async fn by_identity(
        &self,
        repository: &GitRepository,
        provider: &GitProvider,
        remote: &mut Remote,
    ) -> Result<(), Fault> {
        let spec = &repository.spec;
        if let Some(account) = &spec.service_account_name {
            if !self.has_workload_identity {
                return Err(Fault::stalled(
                    reason::FEATURE_GATE_DISABLED,
                    "to use spec.serviceAccountName for provider authentication please enable the \
                     ObjectLevelWorkloadIdentity feature gate in the controller",
                ));
            }
            return Err(invalid(format!(
                "the identity of service account '{account}' is not supported yet: remove \
                 spec.serviceAccountName from the GitRepository to use the controller's"
            )));
        }
        let url = Url::parse(&spec.url).map_err(|error| failed(&error.to_string()))?;
        let name = provider.as_str();
        let provider = Provider::parse(name);
        let provider = provider.ok_or_else(|| invalid(format!("unknown provider '{name}'")))?;
        let dial = &remote.dial;
        let asking = self.identities.git(provider, Level::Controller, &url, dial);
        let found = limited(remote.timeout, name, asking).await?;
        let (credentials, _) = found.map_err(|error| unauthenticated(&error))?;
        // Passwords change, so access to fetched objects depends on the identity behind them.
        remote.identity = Some(fingerprint(&(name, &spec.url)));
        remote.access = Access::Http(credentials);
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
            let why = chain(&error);
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
            let now = SystemTime::from(now);
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
    let is_http = url
        .split_once(':')
        .is_some_and(|(scheme, _)| matches!(&*scheme.to_lowercase(), "http" | "https"));
    let Some(secret) = secret else {
        if is_http {
            return Ok(());
        }
        return Err(failed(
            "failed to configure authentication options: spec.secretRef with 'identity' and \
             'known_hosts' is required for an ssh:// URL",
        ));
    };
    if !is_http {
        let identity = secret.ssh_identity();
        remote.access = Access::Ssh(identity.map_err(|error| unauthenticated(&error))?);
        return Ok(());
    }
    let tls = secret.tls(true).map_err(|error| unauthenticated(&error))?;
    remote.dial.tls = tls.unwrap_or_default();
    let credentials = secret.credentials();
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

/// Waits for a token.
async fn limited<T>(
    limit: Duration,
    issuer: &str,
    asking: impl Future<Output = T>,
) -> Result<T, Fault> {
    let answer = tokio::time::timeout(limit, Box::pin(asking)).await;
    answer.map_err(|_| {
        let seconds = limit.as_secs_f64();
        failed(&format!(
            "failed to configure authentication options: get a token from {issuer}: not done \
             within {seconds}s"
        ))
    })
}
