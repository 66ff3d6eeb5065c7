//! Defines the flags that find a chart: its version, its repository, credentials and keys.

use std::path::PathBuf;

use sluice_chart::Chart;
use sluice_dial::{Basic, ClientCertificate, Dial, Tls};
use sluice_golang::error::chain;
use sluice_oci::Login;
use sluice_preview::Error;
use sluice_preview::charts::registry::RegistryRepository;
use sluice_preview::charts::{ChartFinder, DEVEL};
use sluice_system::fs;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::registry::Access;

/// Maximum size of a certificate or key.
const MAX_PEM_BYTES: u64 = 1 << 20;

/// Access to charts.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct SourceFlags {
    /// Chart version or semver range, for repositories and registries
    #[arg(long = "version", value_name = "VERSION", id = "chart_version")]
    version: Option<String>,
    /// Include pre-releases; the same as --version '>0.0.0-0'
    #[arg(long, switch = false)]
    devel: bool,
    /// URL of the chart repository that has CHART
    #[arg(long, value_name = "URL")]
    repo: Option<String>,
    #[command(flatten)]
    verify: VerifyFlags,
    #[command(flatten)]
    web: WebFlags,
    #[command(flatten)]
    registry: RegistryFlags,
}

/// Verification of charts.
#[derive(clap::Args, Clone, Debug, Default)]
struct VerifyFlags {
    /// Verify the archive with its provenance file
    #[arg(long = "verify", switch = false)]
    is_on: bool,
    #[arg(
        long,
        help = "Public keys for --verify [default: GnuPG's pubring.gpg]",
        value_name = "FILE"
    )]
    keyring: Option<PathBuf>,
}

/// Credentials and TLS of chart repositories.
#[derive(clap::Args, Clone, Debug, Default)]
struct WebFlags {
    /// User name for the chart repository or registry
    #[arg(long, value_name = "NAME")]
    username: Option<String>,
    /// Password for the chart repository or registry
    #[arg(long, value_name = "PASSWORD")]
    password: Option<String>,
    /// Send the user name and password to all hosts
    #[arg(long, switch = false)]
    pass_credentials: bool,
    /// CA certificates of HTTPS servers
    #[arg(long, value_name = "FILE")]
    ca_file: Option<PathBuf>,
    /// Client certificate for HTTPS servers
    #[arg(long, value_name = "FILE")]
    cert_file: Option<PathBuf>,
    /// Key of the client certificate
    #[arg(long, value_name = "FILE")]
    key_file: Option<PathBuf>,
}

/// Access to registries.
#[derive(clap::Args, Clone, Debug, Default)]
struct RegistryFlags {
    #[command(flatten)]
    access: Access,
    /// Allow plain HTTP and unverified certificates for registries
    #[arg(long, switch = false)]
    insecure_registry: bool,
    /// Use plain HTTP for registries
    #[arg(long, switch = false)]
    plain_http: bool,
}

impl SourceFlags {
    /// Loads the chart with this name or address.
    pub fn load(&self, name: &str, context: &Context) -> Result<Chart, CommandError> {
        let open = |url: &str| self.open(url, context);
        let finder = ChartFinder {
            host: context,
            wanted: self.wanted_version(),
            dial: Dial {
                tls: self.web.tls(context)?,
                ..Dial::default()
            },
            basic: self.web.basic(),
            passes_credentials: self.web.pass_credentials,
            keyring: self.verify.keyring(),
            open: &open,
        };
        let repository = self.repo.as_deref().filter(|url| !url.is_empty());
        Ok(finder.load(name, repository)?)
    }

    /// The wanted version, tag or range. Empty means the newest release.
    fn wanted_version(&self) -> &str {
        let version = self.version.as_deref().unwrap_or_default().trim();
        if version.is_empty() && self.devel {
            return DEVEL;
        }
        version
    }

    fn open(&self, url: &str, context: &Context) -> Result<RegistryRepository, Error> {
        let flags = &self.registry;
        let opened = flags.access.open(url, flags.insecure_registry, context)?;
        let mut remote = opened.remote;
        let tls = self.web.tls(context)?;
        let is_insecure = tls.insecure || flags.insecure_registry;
        remote.dial.tls = tls;
        remote.dial.tls.insecure = is_insecure;
        remote.plain |= flags.plain_http;
        if let Some(basic) = self.web.basic() {
            remote.login = Login::Basic(basic);
        }
        Ok(RegistryRepository {
            client: opened.client,
            remote,
            reference: opened.reference,
        })
    }
}

impl VerifyFlags {
    /// The file with the public keys, if charts are verified.
    fn keyring(&self) -> Option<PathBuf> {
        let keyring = || self.keyring.clone().unwrap_or_else(default_keyring);
        self.is_on.then(keyring)
    }
}

impl WebFlags {
    /// Credentials of the flags. Helm ignores one without the other.
    fn basic(&self) -> Option<Basic> {
        let user = self.username.as_deref().filter(|user| !user.is_empty())?;
        let password = self.password.as_deref();
        let password = password.filter(|password| !password.is_empty())?;
        Some(Basic::new(user, password.to_owned()))
    }

    /// TLS options of the flags.
    fn tls(&self, context: &Context) -> Result<Tls, CommandError> {
        let read = |path: &PathBuf| {
            fs::read_limited(path, MAX_PEM_BYTES).map_err(|error| CommandError::user(chain(&error)))
        };
        let invalid = |error: sluice_dial::Invalid| {
            CommandError::user(format!("can't create TLS config for client: {error}"))
        };
        let mut tls = match &self.ca_file {
            Some(path) => Tls::with_ca(&read(path)?)
                .map_err(invalid)?
                .replacing_system(),
            None => Tls::default(),
        };
        if let (Some(certificate), Some(key)) = (&self.cert_file, &self.key_file) {
            let pair = ClientCertificate::new(&read(certificate)?, &read(key)?);
            tls.certificate = Some(pair.map_err(invalid)?);
        }
        tls.insecure = context.globals.insecure_skip_tls_verify;
        Ok(tls)
    }
}

/// Returns the key ring of `GnuPG`, as in Helm.
#[expect(
    clippy::disallowed_methods,
    reason = "the variable belongs to GnuPG, and --keyring replaces it"
)]
fn default_keyring() -> PathBuf {
    let home = std::env::var_os("GNUPGHOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".gnupg")));
    home.unwrap_or_default().join("pubring.gpg")
}
