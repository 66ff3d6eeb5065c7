//! Finds, downloads and verifies a chart: of a directory, an archive, a repository, a registry or a
//! web server.

pub mod registry;
pub mod repository;
mod verify;

use std::path::{Path, PathBuf};

use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Chart, index};
use sluice_dial::{Basic, Dial};
use sluice_golang::quote::quote;
use url::Url;

use self::registry::{PulledChart, RegistryRepository, SCHEME, pull};
use self::repository::{ChartRepository, is_http, without_login};
pub use self::verify::read_file;
use self::verify::{MAX_PROVENANCE_BYTES, SUFFIX, check, read_provenance};
use crate::{Error, Host};

/// The range of `--devel`, which includes pre-releases.
pub const DEVEL: &str = ">0.0.0-0";

/// Opens a repository of a registry by its address.
pub type OpenRegistry<'a> = dyn Fn(&str) -> Result<RegistryRepository, Error> + 'a;

/// Finds charts for a command.
pub struct ChartFinder<'a, H> {
    /// The command.
    pub host: &'a H,
    /// The wanted version, tag or range. Empty means the newest release.
    pub wanted: &'a str,
    /// Connections to repositories.
    pub dial: Dial,
    /// User name and password for repositories.
    pub basic: Option<Basic>,
    /// Whether other hosts than the repository receive the user name and password.
    pub passes_credentials: bool,
    /// Public keys, if charts are verified.
    pub keyring: Option<PathBuf>,
    /// Opens registries with the credentials of the command.
    pub open: &'a OpenRegistry<'a>,
}

impl<H: Host> ChartFinder<'_, H> {
    /// Loads the chart with this name or address. A repository has charts by name.
    pub fn load(&self, name: &str, repository: Option<&str>) -> Result<Chart, Error> {
        let limits = Limits::default();
        let bytes = if let Some(url) = repository {
            let server = self.server(url)?;
            let chart = self.find(&server, name)?;
            self.download(&server, &chart, &limits)?
        } else if name.starts_with(SCHEME) {
            self.pull(name, &limits)?.archive
        } else if is_http(name) {
            let server = self.server(name)?;
            self.download(&server, server.base(), &limits)?
        } else {
            return self.local(name, &limits);
        };
        let shown = Url::parse(name).map_or_else(
            |_| name.to_owned(),
            |url| without_login(&url).as_str().to_owned(),
        );
        load::archive(&bytes, &limits).map_err(|error| failed("load", &shown, &error))
    }

    /// Loads a chart of a registry. Also returns the revision of the artifact.
    pub fn load_artifact(&self, url: &str) -> Result<(Chart, String), Error> {
        let limits = Limits::default();
        let pulled = self.pull(url, &limits)?;
        let chart = load::archive(&pulled.archive, &limits);
        let chart = chart.map_err(|error| failed("load", url, &error))?;
        Ok((chart, pulled.revision))
    }

    fn server(&self, url: &str) -> Result<ChartRepository, Error> {
        ChartRepository::new(
            url,
            self.dial.clone(),
            self.basic.clone(),
            self.passes_credentials,
        )
    }

    /// Finds a chart in the index of a repository.
    fn find(&self, server: &ChartRepository, name: &str) -> Result<Url, Error> {
        let base = server.display_base();
        let text = server.index(self.host)?;
        let versions = index::find(&text, name).map_err(|error| {
            let base = quote(base);
            Error::user(format!(
                "looks like {base} is not a valid chart repository or cannot be reached: {error}"
            ))
        })?;
        let wanted = self.wanted;
        let described = if wanted.is_empty() {
            format!("chart {}", quote(name))
        } else {
            format!("chart {} version {}", quote(name), quote(wanted))
        };
        let picked = index::pick(versions.as_deref().unwrap_or_default(), wanted);
        let picked = picked
            .ok_or_else(|| Error::user(format!("{described} not found in {base} repository")))?;
        if is_exact(wanted) && picked.version() != wanted {
            self.host.warn(&format!(
                "unable to find exact version requested; falling back to closest available \
                 version: chart={name} requested={wanted} selected={}",
                picked.version()
            ));
        }
        let url = picked.urls.as_ref().and_then(|urls| urls.first());
        let url =
            url.ok_or_else(|| Error::user(format!("{described} has no downloadable URLs")))?;
        server.resolve(url)
    }

    /// Downloads an archive, and verifies it if keys are set.
    fn download(
        &self,
        server: &ChartRepository,
        url: &Url,
        limits: &Limits,
    ) -> Result<Vec<u8>, Error> {
        if url.as_str().starts_with(SCHEME) {
            return Ok(self.pull(url.as_str(), limits)?.archive);
        }
        let archive = server.get(url, limits.total, self.host)?;
        if let Some(keyring) = &self.keyring {
            let mut signed = url.clone();
            signed.set_path(&format!("{}{SUFFIX}", url.path()));
            let fetched = server.get(&signed, MAX_PROVENANCE_BYTES, self.host);
            let provenance = fetched.map_err(|error| {
                let shown = quote(without_login(&signed).as_str());
                let cause = error.message();
                Error::cluster(format!("failed to fetch provenance {shown}: {cause}"))
            })?;
            let name = url.path().rsplit('/').next().unwrap_or_default();
            check(keyring, name, &archive, &provenance)?;
        }
        Ok(archive)
    }

    /// Pulls an archive from a registry, and verifies it if keys are set.
    fn pull(&self, url: &str, limits: &Limits) -> Result<PulledChart, Error> {
        // A tag cannot contain `+`, so Helm writes `_` instead.
        let opened = (self.open)(&url.replace('+', "_"))?;
        let with_provenance = self.keyring.is_some();
        let pulled = pull(
            &opened,
            url,
            self.wanted,
            with_provenance,
            limits.total,
            self.host,
        )?;
        if let (Some(keyring), Some(provenance)) = (&self.keyring, &pulled.provenance) {
            check(keyring, &pulled.name, &pulled.archive, provenance)?;
        }
        Ok(pulled)
    }

    fn local(&self, name: &str, limits: &Limits) -> Result<Chart, Error> {
        let path = Path::new(name);
        if !path.exists() {
            let text = format!("path {} not found", quote(name));
            return Err(Error::user(text).hint(ADDRESSES));
        }
        let path = std::path::absolute(path).map_err(|error| Error::user(error.to_string()))?;
        if let Some(keyring) = &self.keyring {
            let provenance = read_provenance(&path)?;
            let archive = sluice_system::fs::read_limited(&path, limits.total);
            let archive =
                archive.map_err(|error| failed("load", name, &sluice_chart::Error::Read(error)))?;
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            check(keyring, &file, &archive, &provenance)?;
            let loaded = load::archive(&archive, limits);
            return loaded.map_err(|error| failed("load", name, &error));
        }
        let metadata = path.join("Chart.yaml");
        if path.is_dir() && !metadata.exists() {
            let shown = metadata.display();
            return Err(Error::user(format!(
                "failed to load chart '{name}': unable to detect chart at {shown}: open {shown}: \
                 no such file or directory"
            ))
            .hint(ADDRESSES));
        }
        // Links are followed as in Helm, because the user owns the directory.
        load::path(&path, Links::Anywhere, limits).map_err(|error| failed("load", name, &error))
    }
}

/// Whether a version is neither empty nor a range, by Helm's rule.
fn is_exact(wanted: &str) -> bool {
    let core = wanted.split(['-', '+']).next().unwrap_or_default();
    !wanted.is_empty()
        && !wanted.contains(['^', '~', '<', '>', '=', '!', '*'])
        && !wanted.contains("||")
        && !wanted.contains(" - ")
        && !core.contains(['x', 'X'])
}

/// Hint for a missing chart.
pub const ADDRESSES: &str = "CHART is a directory with a Chart.yaml, an archive, oci://… or https://…, or a name with --repo";

/// Returns the error of a chart with Helm's text.
pub fn failed(verb: &str, name: &str, error: &sluice_chart::Error) -> Error {
    let text = format!("failed to {verb} chart '{name}': {error}");
    let failure = Error::user(text);
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
