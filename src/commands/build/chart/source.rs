//! Loads a chart from a directory, an archive, a repository, a registry or a web server.

use std::path::Path;

use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Chart, Error, index};
use sluice_golang::quote::quote;
use url::Url;

use super::registry::{RegistryFlags, SCHEME};
use super::verify::{MAX_PROVENANCE_BYTES, SUFFIX, VerifyFlags, read_provenance};
use super::web::{WebFlags, WebServer, is_http, without_login};
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;

/// The range of `--devel`, which includes pre-releases.
const DEVEL: &str = ">0.0.0-0";

/// Access to charts.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct SourceFlags {
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

impl SourceFlags {
    /// Loads the chart with this name or address.
    pub(super) fn load(&self, name: &str, context: &Context) -> Result<Chart, CommandError> {
        let limits = Limits::default();
        let repository = self.repo.as_deref().filter(|url| !url.is_empty());
        let bytes = if let Some(url) = repository {
            let server = self.web.open(url, context)?;
            let chart = self.find(&server, name, context)?;
            self.download(&server, &chart, &limits, context)?
        } else if name.starts_with(SCHEME) {
            self.pull(name, &limits, context)?
        } else if is_http(name) {
            let server = self.web.open(name, context)?;
            self.download(&server, server.base(), &limits, context)?
        } else {
            return self.local(name, &limits);
        };
        let shown = Url::parse(name).map_or_else(
            |_| name.to_owned(),
            |url| without_login(&url).as_str().to_owned(),
        );
        load::archive(&bytes, &limits).map_err(|error| failed("load", &shown, &error))
    }

    /// The wanted version, tag or range. Empty means the newest release.
    fn wanted(&self) -> &str {
        let version = self.version.as_deref().unwrap_or_default().trim();
        if version.is_empty() && self.devel {
            return DEVEL;
        }
        version
    }

    /// Finds a chart in the index of a repository.
    fn find(&self, server: &WebServer, name: &str, context: &Context) -> Result<Url, CommandError> {
        let base = server.shown();
        let text = server.index(context)?;
        let versions = index::find(&text, name).map_err(|error| {
            let base = quote(base);
            CommandError::user(format!(
                "looks like {base} is not a valid chart repository or cannot be reached: {error}"
            ))
        })?;
        let wanted = self.wanted();
        let described = if wanted.is_empty() {
            format!("chart {}", quote(name))
        } else {
            format!("chart {} version {}", quote(name), quote(wanted))
        };
        let picked = index::pick(versions.as_deref().unwrap_or_default(), wanted);
        let picked = picked.ok_or_else(|| {
            CommandError::user(format!("{described} not found in {base} repository"))
        })?;
        if is_exact(wanted) && picked.version() != wanted {
            context.progress.warning(format!(
                "unable to find exact version requested; falling back to closest available \
                 version: chart={name} requested={wanted} selected={}",
                picked.version()
            ));
        }
        let url = picked.urls.as_ref().and_then(|urls| urls.first());
        let url =
            url.ok_or_else(|| CommandError::user(format!("{described} has no downloadable URLs")))?;
        server.resolve(url)
    }

    /// Downloads an archive, and verifies it if the flag is set.
    fn download(
        &self,
        server: &WebServer,
        url: &Url,
        limits: &Limits,
        context: &Context,
    ) -> Result<Vec<u8>, CommandError> {
        if url.as_str().starts_with(SCHEME) {
            return self.pull(url.as_str(), limits, context);
        }
        let archive = server.get(url, limits.total, context)?;
        if self.verify.is_on() {
            let mut signed = url.clone();
            signed.set_path(&format!("{}{SUFFIX}", url.path()));
            let fetched = server.get(&signed, MAX_PROVENANCE_BYTES, context);
            let provenance = fetched.map_err(|error| {
                let shown = quote(without_login(&signed).as_str());
                let cause = error.message();
                CommandError::cluster(format!("failed to fetch provenance {shown}: {cause}"))
            })?;
            let name = url.path().rsplit('/').next().unwrap_or_default();
            self.verify.check(name, &archive, &provenance)?;
        }
        Ok(archive)
    }

    /// Pulls an archive from a registry, and verifies it if the flag is set.
    fn pull(&self, url: &str, limits: &Limits, context: &Context) -> Result<Vec<u8>, CommandError> {
        let with_provenance = self.verify.is_on();
        let pulled = self.registry.pull(
            url,
            self.wanted(),
            with_provenance,
            limits.total,
            &self.web,
            context,
        )?;
        if let Some(provenance) = &pulled.provenance {
            self.verify
                .check(&pulled.name, &pulled.archive, provenance)?;
        }
        Ok(pulled.archive)
    }

    fn local(&self, name: &str, limits: &Limits) -> Result<Chart, CommandError> {
        let path = Path::new(name);
        if !path.exists() {
            let text = format!("path {} not found", quote(name));
            return Err(CommandError::user(text).hint(ADDRESSES));
        }
        let path =
            std::path::absolute(path).map_err(|error| CommandError::user(error.to_string()))?;
        if self.verify.is_on() {
            let provenance = read_provenance(&path)?;
            let archive = sluice_system::fs::read_limited(&path, limits.total);
            let archive = archive.map_err(|error| failed("load", name, &Error::Read(error)))?;
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            self.verify.check(&file, &archive, &provenance)?;
            let loaded = load::archive(&archive, limits);
            return loaded.map_err(|error| failed("load", name, &error));
        }
        let metadata = path.join("Chart.yaml");
        if path.is_dir() && !metadata.exists() {
            let shown = metadata.display();
            return Err(CommandError::user(format!(
                "failed to load chart '{name}': unable to detect chart at {shown}: open {shown}: \
                 no such file or directory"
            )));
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

/// Returns the only chart argument.
pub(super) fn name(given: &[String]) -> Result<&str, CommandError> {
    match given {
        [name] => Ok(name.trim()),
        [] => Err(CommandError::user("a chart is required").hint(ADDRESSES)),
        _ => Err(CommandError::user("build chart takes one chart")
            .hint("set --name to the name of the release")),
    }
}

const ADDRESSES: &str =
    "CHART is a directory, an archive, oci://… or https://…, or a name with --repo";

/// Returns the error of a chart with Helm's text.
pub(super) fn failed(verb: &str, name: &str, error: &Error) -> CommandError {
    let text = format!("failed to {verb} chart '{name}': {error}");
    let failure = CommandError::user(text);
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}
