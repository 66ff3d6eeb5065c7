//! User names and passwords: for registries, and for Git repositories of clouds.

use sluice_dial::{Basic, Bearer, Credentials, Dial};
use url::Url;

use super::{AwsLocation, Credential, Identities, Level, aws_identity, azure_identity};
use crate::aws::{Ecr, Repository};
use crate::cache_key::KeyParts;
use crate::error::IdentityError;
use crate::observer::IdentityStep;
use crate::provider::Provider;
use crate::registry::CloudRegistry;
use crate::token_cache::Lookup;
use crate::{aws, azure, gcp};

impl Identities {
    /// Checks that a provider logs in to the registry of a host.
    pub fn check_registry(
        &self,
        provider: Provider,
        host: &str,
    ) -> Result<CloudRegistry, IdentityError> {
        let suffix = match provider {
            Provider::Azure => azure::registry_suffix(&self.environment)?,
            _ => None,
        };
        CloudRegistry::parse(provider, host, suffix.as_deref())
    }

    /// Drops a password that a registry rejected, and the token that it was made of.
    pub(crate) fn reject(&self, rejected: &Basic) {
        self.cache.remove(|credential| match credential {
            Credential::Basic(basic) => basic == rejected,
            Credential::Bearer(token) => token == &rejected.password,
            Credential::Aws(_) => false,
        });
    }

    /// Returns user name and password for a registry of a cloud.
    pub async fn registry(
        &self,
        provider: Provider,
        level: Level<'_>,
        host: &str,
        dial: &Dial,
    ) -> Result<(Basic, Lookup), IdentityError> {
        let registry = self.check_registry(provider, host)?;
        let failed =
            |error: IdentityError| error.during("failed to get access token for artifact registry");
        let created =
            |error: IdentityError| error.during("failed to create artifact registry credentials");
        let parts = KeyParts::new(provider, "registry").dial(dial);
        let transport = self.transport(dial);
        match registry {
            CloudRegistry::Gar => {
                let (token, lookup) = self.gcp(level, dial).await.map_err(failed)?;
                let password = token.expose().clone();
                Ok((Basic::new(gcp::REGISTRY_USERNAME, password), lookup))
            }
            CloudRegistry::Acr { host } => {
                let cloud = azure::Cloud::of(&self.environment)?;
                let scope = &cloud.registry_scope;
                let (token, _) = self.azure(level, scope, dial).await.map_err(failed)?;
                let address = format!("https://{host}/");
                let url = Url::parse(&address)
                    .map_err(|error| IdentityError::Unusable(format!("{address}: {error}")))?;
                let identity = azure_identity(level);
                let parts = parts
                    .account(level.account(), &identity)
                    .text("registry", &host);
                self.basic(&parts.finish(), async |now| {
                    let login = azure::login(transport, &url, &token, now);
                    let login = self.timed(provider, IdentityStep::Derive, login).await;
                    login.map_err(created)
                })
                .await
            }
            CloudRegistry::Ecr { region } => {
                self.ecr(level, Ecr::Private(&region), &region, parts, dial)
                    .await
            }
            CloudRegistry::PublicEcr => {
                self.ecr(level, Ecr::Public, aws::PUBLIC_REGION, parts, dial)
                    .await
            }
        }
    }

    /// Returns the credentials for a Git repository: of CodeCommit, or of Azure DevOps.
    pub async fn git(
        &self,
        provider: Provider,
        level: Level<'_>,
        url: &Url,
        dial: &Dial,
    ) -> Result<(Credentials, Lookup), IdentityError> {
        let failed =
            |error: IdentityError| error.during("failed to get access token for Git repository");
        match provider {
            Provider::Aws => {
                let repository = Repository::parse(url)?;
                let location = AwsLocation {
                    region: Some(repository.region()),
                    sts_endpoint: None,
                };
                let (keys, _) = self.aws(level, location, dial).await.map_err(failed)?;
                let key = KeyParts::new(provider, "git")
                    .account(level.account(), &aws_identity(level))
                    .text("url", url.as_str())
                    .dial(dial)
                    .finish();
                let signed = async |now| Ok(repository.sign(&keys, now));
                let (password, lookup) = self.basic(&key, signed).await?;
                Ok((Credentials::Basic(password), lookup))
            }
            Provider::Azure => {
                let service = azure::Service::DevOps;
                self.check_azure(service, level, url)?;
                let scope = service.scope();
                let (token, lookup) = self.azure(level, scope, dial).await.map_err(failed)?;
                let bearer = Bearer::new(token.expose()).map_err(|_| {
                    IdentityError::Unusable("the token of Azure cannot be sent".to_owned())
                })?;
                Ok((Credentials::Bearer(bearer), lookup))
            }
            Provider::Gcp | Provider::GitHub | Provider::Generic => Err(IdentityError::Unusable(
                format!("the provider '{provider}' has no credentials for Git by an identity"),
            )),
        }
    }

    async fn ecr(
        &self,
        level: Level<'_>,
        registry: Ecr<'_>,
        region: &str,
        parts: KeyParts,
        dial: &Dial,
    ) -> Result<(Basic, Lookup), IdentityError> {
        let location = AwsLocation {
            region: Some(region),
            sts_endpoint: None,
        };
        let keys = self.aws(level, location, dial).await;
        let (keys, _) =
            keys.map_err(|error| error.during("failed to get access token for artifact registry"))?;
        let name = match registry {
            Ecr::Private(region) => region,
            Ecr::Public => "public",
        };
        let parts = parts
            .account(level.account(), &aws_identity(level))
            .text("registry", name);
        let transport = self.transport(dial);
        self.basic(&parts.finish(), async |now| {
            let login = registry.login(&self.environment, transport, &keys, now);
            let login = self.timed(Provider::Aws, IdentityStep::Derive, login).await;
            login.map_err(|error| error.during("failed to create artifact registry credentials"))
        })
        .await
    }
}
