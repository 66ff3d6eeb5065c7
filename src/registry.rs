//! Connects a command to a container registry: flags, Docker's credentials and error texts.
//!
//! Credentials come from `--creds`, or from the files and helpers of Docker and Podman, like in
//! go-containerregistry. Start at [`Access::open`].

mod docker;

use sluice_dial::{Dial, Tls};
use sluice_oci::{Client, Login, Reference, Remote, Repository};

use sluice_preview::charts::registry::{SCHEME, client};

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::Choice;

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

const PROVIDERS: Choice = Choice {
    values: &["generic", "aws", "azure", "gcp"],
    refusal: |value| format!("source OCI provider '{value}' is not supported"),
};

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
    /// Parses the address of an artifact and finds its credentials.
    pub fn open(
        &self,
        url: &str,
        insecure: bool,
        context: &Context,
    ) -> Result<OpenedRepository, CommandError> {
        let reference = Reference::parse_url(url).map_err(|error| malformed(url, &error))?;
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
        let repository = Repository::parse_url(url).map_err(|error| malformed(url, &error))?;
        Ok((client(), self.remote(repository, insecure, context)?))
    }

    fn remote(
        &self,
        repository: Repository,
        insecure: bool,
        context: &Context,
    ) -> Result<Remote, CommandError> {
        if self.provider != GENERIC {
            return Err(CommandError::user(format!(
                "error during login with provider: --provider={} is not supported yet",
                self.provider
            ))
            .hint("log in with the cloud's Docker credential helper, or set --creds"));
        }
        let login = match self.creds.as_deref().filter(|creds| !creds.is_empty()) {
            Some(creds) => {
                context
                    .progress
                    .action("logging in to registry with credentials");
                Login::from_credentials(creds).map_err(|error| {
                    CommandError::user(format!("could not login with credentials: {error}"))
                })?
            }
            None => docker::login(&repository)?,
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

fn malformed(url: &str, error: &dyn std::error::Error) -> CommandError {
    if url.starts_with(SCHEME) {
        CommandError::user(format!("'{url}' invalid URL: {error}"))
            .hint("write it as oci://HOST/REPOSITORY:TAG")
    } else {
        CommandError::user("URL must be in format 'oci://<domain>/<org>/<repo>'")
            .hint(format!("write '{url}' as oci://HOST/REPOSITORY:TAG"))
    }
}

/// Returns the only address argument.
pub fn address<'a>(given: &'a [String], missing: &str) -> Result<&'a str, CommandError> {
    given.first().map(String::as_str).ok_or_else(|| {
        CommandError::user(missing).hint("add a URL as an argument: oci://HOST/REPOSITORY:TAG")
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
