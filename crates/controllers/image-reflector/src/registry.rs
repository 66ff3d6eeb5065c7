//! Access to the registry of an `ImageRepository`: Secrets, permits and the time limit.

use std::sync::Arc;
use std::time::Duration;

use sluice_api::image::ImageRepository;
use sluice_api::meta::reason;
use sluice_api::source::RegistryProvider;
use sluice_client::typed::ResourceExt as _;
use sluice_dial::{Dial, HttpClients, Proxy, RemotePermit, RemotePermits, Tls};
use sluice_engine::ready::Fault;
use sluice_engine::{Failure, ObjectKey, Retry};
use sluice_golang::error::chain;
use sluice_host::secrets::{SecretData, SecretError};
use sluice_host::{CloudIdentities, IdentityUser, Secrets, registry_cloud};
use sluice_identity::Provider;
use sluice_images::image::ImageName;
use sluice_oci::{Client, Deadline, Error, Keychain, Login, Remote, RequestError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// User agent for registries, the same as Flux's.
const USER_AGENT: &str = "flux/v2";
/// Listings of all registries at once, as a multiple of the workers. Each is in memory.
const LISTINGS_PER_WORKER: usize = 4;
/// Limits of a `Retry-After`.
const RETRY_AFTER: (Duration, Duration) = (Duration::from_secs(1), Duration::from_mins(15));

/// The client of all registries.
pub(crate) struct Registries {
    secrets: Secrets,
    identities: CloudIdentities,
    pub(crate) client: Client,
    permits: RemotePermits,
    listings: Arc<Semaphore>,
}

/// Access to the registry of one object.
#[derive(Debug)]
pub(crate) struct Connection {
    remote: Remote,
    deadline: Deadline,
    _permits: (RemotePermit, OwnedSemaphorePermit),
}

/// Returns the failure of the object after a failed request.
pub(crate) fn classify(error: &RequestError, reason: &'static str, action: &str) -> Fault {
    if let RequestError::Refused(Error::Login { source, .. }) = error {
        return configuration(&chain(&**source));
    }
    let hint = if error.is_denied() {
        ": check spec.secretRef and what its credentials may read"
    } else {
        ""
    };
    let retry = match error {
        RequestError::Refused(Error::Status {
            after: Some(after), ..
        }) => Retry::After((*after).clamp(RETRY_AFTER.0, RETRY_AFTER.1)),
        _ => Retry::Backoff,
    };
    let message = format!("{action}: {}{hint}", error.describe());
    Fault(Failure::message(reason, retry, message))
}

impl Registries {
    /// `workers` is the number of concurrent reconciliations.
    pub(crate) fn new(secrets: Secrets, identities: CloudIdentities, workers: usize) -> Self {
        Self {
            secrets,
            identities,
            client: Client::new(Arc::new(HttpClients::new(USER_AGENT))),
            permits: RemotePermits::new(workers),
            listings: Arc::new(Semaphore::new(workers.max(1) * LISTINGS_PER_WORKER)),
        }
    }

    /// Reads the Secrets of an object.
    pub(crate) async fn remote(
        &self,
        repository: &ImageRepository,
        image: &ImageName,
    ) -> Result<Remote, Fault> {
        let namespace = repository.namespace().unwrap_or_default();
        let spec = &repository.spec;
        let proxy = match &spec.proxy_secret_ref {
            None => None,
            Some(reference) => {
                let secret = self.secrets.get(&namespace, &reference.name).await;
                let proxy = secret.and_then(|secret| secret.proxy());
                Some(proxy.map_err(|error| unauthenticated(&error))?)
            }
        };
        let login = self.login(repository, image, proxy.clone()).await?;
        let tls = match &spec.cert_secret_ref {
            None => Tls::default(),
            Some(reference) => {
                let secret = self.secrets.get(&namespace, &reference.name).await;
                let tls = secret.and_then(|secret| secret.required_tls());
                tls.map_err(|error| match error {
                    SecretError::WithoutTls(_) => configuration(&error.to_string()),
                    error => unauthenticated(&error),
                })?
            }
        };
        Ok(Remote {
            login,
            repository: image.repository().clone(),
            dial: Dial {
                tls,
                proxy,
                ..Dial::default()
            },
            plain: spec.insecure,
        })
    }

    /// Waits for permits to use a registry.
    pub(crate) async fn connect(&self, remote: Remote, limit: Duration) -> Connection {
        let host = self.permits.acquire(remote.repository.registry()).await;
        let listing = Arc::clone(&self.listings).acquire_owned().await;
        Connection {
            deadline: Deadline::after(limit, remote.repository.registry()),
            remote,
            _permits: (host, listing.expect("the semaphore is never closed")),
        }
    }

    /// The login of an object: that of its identity in a cloud, or of its Secrets.
    async fn login(
        &self,
        repository: &ImageRepository,
        image: &ImageName,
        proxy: Option<Proxy>,
    ) -> Result<Login, Fault> {
        let key = ObjectKey::of(repository);
        let Some(provider) = cloud(repository)? else {
            let keychain = self.keychain(repository, key.namespace()).await?;
            return Ok(keychain.resolve(image.repository()));
        };
        if repository.spec.secret_ref.is_some() {
            tracing::warn!(object = %key, "spec.secretRef has no effect: spec.provider is '{provider}'");
        }
        let user = IdentityUser {
            kind: "ImageRepository",
            key: &key,
            namespace: key.namespace(),
            account: repository.spec.service_account_name.as_deref(),
        };
        let issuer = Dial {
            proxy,
            ..Dial::default()
        };
        let host = image.repository().registry();
        let login = self.identities.registry(user, provider, host, &issuer);
        let login = login.await;
        login
            .map(Login::OnDemand)
            .map_err(|error| configuration(&error.to_string()))
    }

    /// The credentials of the Secret of an object, then those of its service account.
    async fn keychain(
        &self,
        repository: &ImageRepository,
        namespace: &str,
    ) -> Result<Keychain, Fault> {
        let spec = &repository.spec;
        let mut names = Vec::new();
        names.extend(spec.secret_ref.iter().map(|secret| secret.name.clone()));
        if let Some(account) = &spec.service_account_name {
            let pull = self.secrets.image_pull_secrets(namespace, account).await;
            names.extend(pull.map_err(|error| unauthenticated(&error))?);
        }
        let mut keychain = Keychain::default();
        for name in names {
            let secret = self.secrets.get(namespace, &name).await;
            add(
                &mut keychain,
                &secret.map_err(|error| unauthenticated(&error))?,
            )?;
        }
        Ok(keychain)
    }
}

impl Connection {
    /// The repository of the registry.
    pub(crate) fn remote(&self) -> Remote {
        self.remote.clone()
    }

    /// The time limit of all requests of the run.
    pub(crate) const fn deadline(&self) -> &Deadline {
        &self.deadline
    }
}

/// Adds the credentials of a pull secret. Like the kubelet, it ignores Secrets of other types.
fn add(keychain: &mut Keychain, secret: &SecretData) -> Result<(), Fault> {
    let added = keychain.add_pull_secret(secret.kind(), |key| secret.entry(key));
    let is_pull_secret =
        added.map_err(|error| configuration(&format!("secret '{}', {error}", secret.key())))?;
    if !is_pull_secret {
        tracing::warn!(
            secret = %secret.key(),
            r#type = secret.kind(),
            "a Secret of this type is not an image pull secret: it has no credentials"
        );
    }
    Ok(())
}

/// The cloud whose identity logs in to the registry of an object.
fn cloud(repository: &ImageRepository) -> Result<Option<Provider>, Fault> {
    let cloud = registry_cloud(
        repository
            .spec
            .provider
            .as_ref()
            .map(RegistryProvider::as_str),
    );
    cloud.map_err(|error| Fault::stalled(reason::AUTHENTICATION_FAILED, error.to_string()))
}

/// Whether an object needs the feature gate of workload identity.
pub(crate) fn needs_workload_identity(repository: &ImageRepository) -> bool {
    let has_account = repository.spec.service_account_name.is_some();
    has_account && cloud(repository).is_ok_and(|cloud| cloud.is_some())
}

fn unauthenticated(error: &SecretError) -> Fault {
    configuration(&chain(error))
}

fn configuration(why: &str) -> Fault {
    let message = format!("failed to configure authentication options: {why}");
    Fault::retried(reason::AUTHENTICATION_FAILED, message)
}
