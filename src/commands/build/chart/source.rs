//! Loads a chart from a directory, an archive, a registry or a web server.

use std::path::Path;

use sluice_chart::load::{self, Limits, Links};
use sluice_chart::{Chart, Error};
use sluice_dial::{Dial, explain, read_body};
use sluice_golang::quote::quote;
use sluice_golang::semver::{Constraint, Version};
use sluice_oci::Reference;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::registry::{self, Access, OpenedRepository};

/// Scheme of registry addresses.
const SCHEME: &str = "oci://";
/// Media types of a chart in a registry.
const CHART_LAYERS: [&str; 2] = [
    "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    "application/tar+gzip",
];

/// Access to charts on other machines.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct SourceFlags {
    /// Chart version or semver range, for registries
    #[arg(long = "version", value_name = "VERSION", id = "chart_version")]
    version: Option<String>,
    #[command(flatten)]
    access: Access,
    /// Allow plain HTTP and unverified certificates for registries
    #[arg(long, switch = false)]
    insecure_registry: bool,
}

impl SourceFlags {
    /// Loads the chart with this name or address.
    pub(super) fn load(&self, name: &str, context: &Context) -> Result<Chart, CommandError> {
        let limits = Limits::default();
        let bytes = if name.starts_with(SCHEME) {
            self.pull(name, limits.total, context)?
        } else if is_http(name) {
            fetch(name, limits.total, context)?
        } else {
            return local(name, &limits);
        };
        load::archive(&bytes, &limits).map_err(|error| failed("load", &without_login(name), &error))
    }

    /// Pulls the archive of a chart from a registry.
    fn pull(&self, url: &str, limit: u64, context: &Context) -> Result<Vec<u8>, CommandError> {
        let (opened, is_exact) = self.open(url, context)?;
        registry::wait(context, async {
            let OpenedRepository { client, remote, .. } = &opened;
            let version = if is_exact {
                opened.reference.version.clone()
            } else {
                let tags = client.tags(remote).await?;
                let wanted = self.version.as_deref().unwrap_or_default();
                let tag = select(&tags, wanted, &remote.repository.to_string())?;
                let reference = remote.repository.tag(&tag);
                reference
                    .map_err(|error| CommandError::user(error.to_string()))?
                    .version
            };
            let digest = client.resolve(remote, &version).await?;
            let manifest = client.manifest(remote, &digest).await?;
            let mut layers = manifest.layers.iter();
            let layer = layers.find(|layer| CHART_LAYERS.contains(&&*layer.media_type));
            let layer = layer.ok_or_else(|| {
                let [kind, _] = CHART_LAYERS;
                CommandError::user(format!(
                    "failed to pull chart '{url}': manifest does not contain a layer with \
                     mediatype {kind}"
                ))
            })?;
            let bytes = client.small_blob(remote, layer, limit).await?;
            Ok(bytes.to_vec())
        })
    }

    /// Opens the repository of a chart. Also returns whether the version is an exact tag.
    fn open(&self, url: &str, context: &Context) -> Result<(OpenedRepository, bool), CommandError> {
        // A tag cannot contain `+`, so Helm writes `_` instead.
        let url = url.replace('+', "_");
        let mut opened = self.access.open(&url, self.insecure_registry, context)?;
        let name = url.strip_prefix(SCHEME).unwrap_or(&url);
        let base = name.rsplit('/').next().unwrap_or(name);
        if base.contains([':', '@']) {
            return Ok((opened, true));
        }
        let wanted = self.version.as_deref().unwrap_or_default();
        if Version::parse_strict(wanted).is_err() {
            return Ok((opened, false));
        }
        let tagged = format!("{name}:{}", wanted.replace('+', "_"));
        let parsed = Reference::parse(&tagged);
        opened.reference = parsed.map_err(|error| CommandError::user(error.to_string()))?;
        Ok((opened, true))
    }
}

/// Returns the newest tag within a version range, as Helm selects it.
fn select(tags: &[String], wanted: &str, repository: &str) -> Result<String, CommandError> {
    if tags.iter().any(|tag| tag == wanted) {
        return Ok(wanted.to_owned());
    }
    let range = if wanted.is_empty() { "*" } else { wanted };
    let range = Constraint::parse(range)
        .map_err(|error| CommandError::user(format!("invalid --version: {error}")))?;
    let versions = tags.iter().filter_map(|tag| {
        let version = Version::parse_strict(&tag.replace('_', "+")).ok()?;
        range.matches(&version).then_some((version, tag))
    });
    let newest = versions.max_by(|(one, _), (two, _)| one.cmp(two));
    newest.map(|(_, tag)| tag.clone()).ok_or_else(|| {
        CommandError::user(if tags.is_empty() {
            format!("unable to locate any tags in provided repository: {repository}")
        } else {
            format!("could not locate a version matching provided version string {wanted}")
        })
        .hint("set --version to a version of the chart; pre-releases match a range such as '>0-0'")
    })
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

const ADDRESSES: &str = "CHART is a directory, an archive, oci://… or https://…";

fn local(name: &str, limits: &Limits) -> Result<Chart, CommandError> {
    let path = Path::new(name);
    if !path.exists() {
        let text = format!("path {} not found", quote(name));
        return Err(CommandError::user(text).hint(ADDRESSES));
    }
    let path = std::path::absolute(path).map_err(|error| CommandError::user(error.to_string()))?;
    let metadata = path.join("Chart.yaml");
    if path.is_dir() && !metadata.exists() {
        let shown = metadata.display();
        return Err(CommandError::user(format!(
            "failed to load chart '{name}': unable to detect chart at {shown}: open {shown}: no \
             such file or directory"
        )));
    }
    // Links are followed as in Helm, because the user owns the directory.
    load::path(&path, Links::Anywhere, limits).map_err(|error| failed("load", name, &error))
}

/// Returns the error of a chart with Helm's text.
pub(super) fn failed(verb: &str, name: &str, error: &Error) -> CommandError {
    let text = format!("failed to {verb} chart '{name}': {error}");
    let failure = CommandError::user(text);
    match error.hint() {
        Some(hint) => failure.hint(hint),
        None => failure,
    }
}

/// Whether a name is an HTTP(S) address.
pub(super) fn is_http(name: &str) -> bool {
    name.starts_with("https://") || name.starts_with("http://")
}

/// Downloads a file from a web server.
pub(super) fn fetch(url: &str, limit: u64, context: &Context) -> Result<Vec<u8>, CommandError> {
    let shown = without_login(url);
    let failed =
        |reason: String| CommandError::cluster(format!("failed to fetch {shown}: {reason}"));
    let client = registry::http_clients().get(&Dial::default());
    let client = client.map_err(|error| failed(error.to_string()))?;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    registry::wait(context, async {
        let response = client.get(url).send().await;
        let response = response.map_err(|error| failed(explain(&error)))?;
        let status = response.status();
        if !status.is_success() {
            return Err(failed(status.to_string()));
        }
        let body = read_body(response, limit).await;
        let body = body.map_err(|error| failed(error.to_string()))?;
        Ok(body.to_vec())
    })
}

/// Removes user and password from an address.
fn without_login(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{select, without_login};

    #[test]
    fn newest_version_within_the_range_is_selected() {
        let tags = ["1.2.0", "1.10.0_a.1", "2.0.0-rc.1", "latest", "v3.0.0"].map(str::to_owned);
        let select = |wanted| select(&tags, wanted, "r").ok();
        assert_eq!(select("").as_deref(), Some("1.10.0_a.1"));
        assert_eq!(select("~1.2").as_deref(), Some("1.2.0"));
        assert_eq!(select(">1.10-0").as_deref(), Some("2.0.0-rc.1"));
        assert_eq!(select("latest").as_deref(), Some("latest"));
        assert_eq!(select("^4"), None);
    }

    #[test]
    fn login_in_an_address_is_not_shown() {
        let shown = without_login("https://user:p@ss@host/a.tgz?x=@");
        assert_eq!(shown, "https://host/a.tgz?x=@");
        assert_eq!(without_login("charts/a@b"), "charts/a@b");
    }
}
