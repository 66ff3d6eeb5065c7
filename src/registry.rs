//! Connects a command to a container registry: flags, Docker's credentials and error texts.
//!
//! Credentials come from `--provider`, `--creds`, or from the files and helpers of Docker and
//! Podman, like in go-containerregistry. Start at [`Access::open`].

mod docker;

use std::sync::Arc;
use std::time::Duration;

use sluice_dial::{Dial, OnDemand, Tls};
use sluice_golang::error::chain;
use sluice_identity::{
    Environment, Identities, IdentityError, Owner, Provider, RegistryLogin, TokenCache,
};
use sluice_oci::{Client, Login, Reference, Remote, Repository};
use sluice_preview::charts::registry::{SCHEME, client, http_clients};
use sluice_system::SystemClock;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::Choice;

/// Maximum number of tokens that a command needs: of the cloud, and of the registry.
const MAX_TOKENS: usize = 8;
const MAX_TOKEN_AGE: Duration = Duration::from_hours(1);

/// Access to a registry.
#[derive(clap::Args, Clone, Debug)]
pub struct Access {
    /// Credentials as USER:PASSWORD, or a token
    #[arg(long, value_name = "CREDENTIALS")]
    creds: Option<String>,
    /// Cloud provider to authenticate with
    #[arg(long, value_name = "PROVIDER", value_parser = PROVIDERS, default_value = GENERIC)]
    provider: String,
}

/// The provider without a cloud.
const GENERIC: &str = "generic";

const PROVIDERS: Choice = Choice::new(&["generic", "aws", "azure", "gcp"], |value| {
    format!("source OCI provider '{value}' is not supported")
})
.or_absent("no source OCI provider given, please specify the OCI provider name");

/// A registry client with a parsed reference and credentials.
#[derive(Debug)]
pub struct OpenedRepository {
    /// Client of the registry.
    pub client: Client,
    /// Repository with its credentials.
    pub remote: Remote,
    /// Parsed name.
    pub reference: Reference,
    /// The name as it was typed, without the scheme.
    pub typed: String,
}

impl Default for Access {
    fn default() -> Self {
        Self {
            creds: None,
            provider: GENERIC.to_owned(),
        }
    }
}

impl Access {
    /// Returns the access of an object with this provider.
    pub fn of_provider(provider: Option<&str>) -> Self {
        Self {
            creds: None,
            provider: provider.unwrap_or(GENERIC).to_owned(),
        }
    }

    /// Parses the address of an artifact and finds its credentials.
    pub fn open(
        &self,
        url: &str,
        insecure: bool,
        context: &Context,
    ) -> Result<OpenedRepository, CommandError> {
        let reference =
            Reference::parse_url(url).map_err(|error| malformed(url, ARTIFACT, &error))?;
        let typed = url.trim_start_matches(SCHEME).to_owned();
        let remote = self.remote(reference.repository.clone(), insecure, context)?;
        Ok(OpenedRepository {
            client: client(),
            remote,
            reference,
            typed,
        })
    }

    /// Parses the address of a repository without a tag, and finds its credentials.
    pub fn open_repository(
        &self,
        url: &str,
        insecure: bool,
        context: &Context,
    ) -> Result<(Client, Remote), CommandError> {
        let repository =
            Repository::parse_url(url).map_err(|error| malformed(url, REPOSITORY, &error))?;
        Ok((client(), self.remote(repository, insecure, context)?))
    }

    /// Finds the credentials of a repository that a file names, which anyone may have written. It
    /// cannot send the login of this machine to the network without TLS.
    pub fn remote_of_file(
        &self,
        repository: Repository,
        insecure: bool,
        context: &Context,
    ) -> Result<Remote, CommandError> {
        let remote = if insecure && !repository.is_local() {
            Remote::anonymous(repository)
        } else {
            self.remote(repository, false, context)?
        };
        Ok(Remote {
            plain: insecure,
            ..remote
        })
    }

    /// The cloud whose identity logs in.
    fn cloud(&self) -> Option<Provider> {
        let provider = Provider::parse(&self.provider);
        provider.filter(|provider| *provider != Provider::Generic)
    }

    /// Finds the credentials of a repository.
    pub fn remote(
        &self,
        repository: Repository,
        insecure: bool,
        context: &Context,
    ) -> Result<Remote, CommandError> {
        let creds = self.creds.as_deref().filter(|creds| !creds.is_empty());
        let login = match (self.cloud(), creds) {
            (Some(provider), _) => {
                context
                    .progress
                    .action("logging in to registry with provider credentials");
                cloud_login(provider, &repository).map_err(|error| {
                    CommandError::user(format!(
                        "error during login with provider: {}",
                        chain(&error)
                    ))
                })?
            }
            (None, Some(creds)) => {
                context
                    .progress
                    .action("logging in to registry with credentials");
                Login::from_credentials(creds).map_err(|error| {
                    CommandError::user(format!("could not login with credentials: {error}"))
                })?
            }
            (None, None) => docker::login(&repository)?,
        };
        let tls = Tls {
            insecure,
            ..Tls::default()
        };
        Ok(Remote {
            repository,
            login,
            dial: Dial {
                tls,
                ..Dial::default()
            },
            plain: insecure,
        })
    }
}

/// Logs in with the identity of this process in a cloud, when the registry asks for it.
fn cloud_login(provider: Provider, repository: &Repository) -> Result<Login, IdentityError> {
    let identities = Arc::new(Identities::new(
        Arc::new(http_clients()),
        Arc::new(SystemClock),
        Environment::of_process(),
        TokenCache::new(MAX_TOKENS, MAX_TOKEN_AGE),
    ));
    let (owner, host) = (Owner::Controller, repository.registry());
    let login = RegistryLogin::new(identities, provider, owner, host, Dial::default())?;
    Ok(Login::OnDemand(OnDemand::new(login)))
}

fn malformed(url: &str, form: &str, error: &dyn std::error::Error) -> CommandError {
    if url.starts_with(SCHEME) {
        let refused = CommandError::user(format!("'{url}' invalid URL: {error}"));
        if url.contains('@') {
            refused.hint("a digest is sha256: and 64 hexadecimal digits")
        } else {
            refused.hint(format!("write it as {form}"))
        }
    } else {
        CommandError::user("URL must be in format 'oci://<domain>/<org>/<repo>'")
            .hint(format!("write '{url}' as {form}"))
    }
}

/// The form of the URL of an artifact.
pub const ARTIFACT: &str = "oci://HOST/REPOSITORY:TAG";
/// The form of the URL of a repository.
pub const REPOSITORY: &str = "oci://HOST/REPOSITORY";

/// Returns the only address argument, which has this form.
pub fn address<'a>(
    given: &'a [String],
    form: &str,
    missing: &str,
) -> Result<&'a str, CommandError> {
    given.first().map(String::as_str).ok_or_else(|| {
        CommandError::user(missing).hint(format!("add a URL as an argument: {form}"))
    })
}

/// Runs a registry operation within the command's timeout.
pub fn wait<T>(
    context: &Context,
    work: impl Future<Output = Result<T, CommandError>>,
) -> Result<T, CommandError> {
    let work = async { Ok(work.await?) };
    Ok(sluice_preview::charts::registry::wait(context, work)?)
}
