//! Pulls charts from registries.

use sluice_golang::semver::{Constraint, Version};
use sluice_oci::{Client, Digest, Login, Reference, Remote, Version as OciVersion};

use super::verify::MAX_PROVENANCE_BYTES;
use super::web::WebFlags;
use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::registry::{self, Access, OpenedRepository};

/// Scheme of registry addresses.
pub(super) const SCHEME: &str = "oci://";
/// Media types of a chart in a registry.
const CHART_LAYERS: [&str; 2] = [
    "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    "application/tar+gzip",
];
/// Media type of a provenance file in a registry.
const PROVENANCE_LAYER: &str = "application/vnd.cncf.helm.chart.provenance.v1.prov";

/// Access to registries.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct RegistryFlags {
    #[command(flatten)]
    access: Access,
    /// Allow plain HTTP and unverified certificates for registries
    #[arg(long, switch = false)]
    insecure_registry: bool,
    /// Use plain HTTP for registries
    #[arg(long, switch = false)]
    plain_http: bool,
}

/// A chart of a registry.
pub(super) struct PulledChart {
    /// The archive.
    pub(super) archive: Vec<u8>,
    /// The provenance, if it was asked for.
    pub(super) provenance: Option<Vec<u8>>,
    /// The file name that Helm gives the archive.
    pub(super) name: String,
}

impl RegistryFlags {
    /// Pulls a chart. `wanted` is a version, a tag or a range.
    pub(super) fn pull(
        &self,
        url: &str,
        wanted: &str,
        with_provenance: bool,
        limit: u64,
        web: &WebFlags,
        context: &Context,
    ) -> Result<PulledChart, CommandError> {
        let opened = self.open(url, web, context)?;
        registry::wait(context, async {
            let OpenedRepository { client, remote, .. } = &opened;
            let (digest, tag) = resolve(&opened, url, wanted).await?;
            let manifest = client.manifest(remote, &digest).await?;
            let layer = |kinds: &[&str]| {
                let mut layers = manifest.layers.iter();
                let found = layers.find(|layer| kinds.contains(&&*layer.media_type));
                found.ok_or_else(|| {
                    let kind = kinds.first().unwrap_or(&"");
                    CommandError::user(format!(
                        "failed to pull chart '{url}': manifest does not contain a layer with \
                         mediatype {kind}"
                    ))
                })
            };
            let archive = client.small_blob(remote, layer(&CHART_LAYERS)?, limit);
            let archive = archive.await?.to_vec();
            let provenance = if with_provenance {
                let layer = layer(&[PROVENANCE_LAYER])?;
                let blob = client.small_blob(remote, layer, MAX_PROVENANCE_BYTES);
                Some(blob.await?.to_vec())
            } else {
                None
            };
            let repository = remote.repository.to_string();
            let base = repository.rsplit('/').next().unwrap_or_default();
            Ok(PulledChart {
                archive,
                provenance,
                name: format!("{base}-{tag}.tgz"),
            })
        })
    }

    fn open(
        &self,
        url: &str,
        web: &WebFlags,
        context: &Context,
    ) -> Result<OpenedRepository, CommandError> {
        // A tag cannot contain `+`, so Helm writes `_` instead.
        let url = url.replace('+', "_");
        let mut opened = self.access.open(&url, self.insecure_registry, context)?;
        let tls = web.tls(context)?;
        let is_insecure = tls.insecure || self.insecure_registry;
        opened.remote.dial.tls = tls;
        opened.remote.dial.tls.insecure = is_insecure;
        opened.remote.plain |= self.plain_http;
        if let Some(basic) = web.basic() {
            opened.remote.login = Login::Basic(basic);
        }
        Ok(opened)
    }
}

/// Returns the digest of a chart, and its tag.
async fn resolve(
    opened: &OpenedRepository,
    url: &str,
    wanted: &str,
) -> Result<(Digest, String), CommandError> {
    let OpenedRepository { client, remote, .. } = opened;
    let name = url.rsplit('/').next().unwrap_or(url);
    let named = (name.contains([':', '@'])).then_some(&opened.reference.version);
    let tag = match named {
        Some(OciVersion::Tag(tag)) => Some(tag.clone()),
        _ => None,
    };
    if let Some(tag) = tag
        .as_ref()
        .filter(|tag| !wanted.is_empty() && **tag != wanted)
    {
        return Err(CommandError::user(format!(
            "chart reference and version mismatch: {wanted} is not {tag}"
        )));
    }
    let wanted = if wanted.is_empty() {
        tag.clone().unwrap_or_default()
    } else {
        wanted.to_owned()
    };
    if let Some(version) = named.filter(|_| tag.is_none()) {
        let digest = client.resolve(remote, version).await?;
        if !wanted.is_empty() {
            check_tag(client, remote, &wanted, &digest).await?;
        }
        return Ok((digest, wanted));
    }
    let tag = if Version::parse(&wanted).is_ok() || tag.is_some() {
        wanted.replace('+', "_")
    } else {
        let tags = client.tags(remote).await?;
        select(&tags, &wanted, &remote.repository.to_string())?
    };
    let digest = client
        .resolve(remote, &tagged(remote, &tag)?.version)
        .await?;
    Ok((digest, tag))
}

/// Checks that a tag, if it exists, has this digest.
async fn check_tag(
    client: &Client,
    remote: &Remote,
    tag: &str,
    digest: &Digest,
) -> Result<(), CommandError> {
    let reference = tagged(remote, &tag.replace('+', "_"))?;
    match client.resolve(remote, &reference.version).await {
        Ok(found) if found != *digest => Err(CommandError::user(format!(
            "chart reference digest mismatch: {found} is not {digest}"
        ))),
        _ => Ok(()),
    }
}

fn tagged(remote: &Remote, tag: &str) -> Result<Reference, CommandError> {
    let reference = remote.repository.tag(tag);
    reference.map_err(|error| CommandError::user(error.to_string()))
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

#[cfg(test)]
mod tests {
    use super::select;

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
}
