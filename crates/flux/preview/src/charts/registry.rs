//! Pulls charts from registries.

use std::sync::Arc;

use sluice_dial::HttpClients;
use sluice_golang::duration::GoDuration;
use sluice_golang::error::chain;
use sluice_golang::semver::{Constraint, Version};
use sluice_oci::{Client, Digest, ErrorKind, Reference, Remote, Version as OciVersion};

use super::verify::MAX_PROVENANCE_BYTES;
use crate::{Error, Host};

/// Scheme of registry addresses.
pub const SCHEME: &str = "oci://";
/// Flux's user agent at registries and repositories.
pub const USER_AGENT: &str = "flux/v2";
/// Media types of a chart in a registry.
const CHART_LAYERS: [&str; 2] = [
    "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    "application/tar+gzip",
];
/// Media type of a provenance file in a registry.
const PROVENANCE_LAYER: &str = "application/vnd.cncf.helm.chart.provenance.v1.prov";

/// A repository of a registry, with the credentials for it.
#[derive(Debug)]
pub struct RegistryRepository {
    /// Client of the registry.
    pub client: Client,
    /// Repository with its credentials.
    pub remote: Remote,
    /// Parsed name.
    pub reference: Reference,
}

/// A chart of a registry.
pub(super) struct PulledChart {
    /// The archive.
    pub(super) archive: Vec<u8>,
    /// The provenance, if it was asked for.
    pub(super) provenance: Option<Vec<u8>>,
    /// The file name that Helm gives the archive.
    pub(super) name: String,
    /// The tag and the digest, as in the status of an `OCIRepository`.
    pub(super) revision: String,
}

/// Pulls a chart. `wanted` is a version, a tag or a range.
pub(super) fn pull(
    opened: &RegistryRepository,
    url: &str,
    wanted: &str,
    with_provenance: bool,
    limit: u64,
    host: &impl Host,
) -> Result<PulledChart, Error> {
    wait(host, async {
        let RegistryRepository { client, remote, .. } = opened;
        let (digest, tag) = resolve(opened, url, wanted).await?;
        let manifest = client
            .manifest(remote, &digest)
            .await
            .map_err(|error| refusal(&error))?;
        let layer = |kinds: &[&str]| {
            let mut layers = manifest.layers.iter();
            let found = layers.find(|layer| kinds.contains(&&*layer.media_type));
            found.ok_or_else(|| {
                let kind = kinds.first().unwrap_or(&"");
                Error::user(format!(
                    "failed to pull chart '{url}': manifest does not contain a layer with \
                     mediatype {kind}"
                ))
            })
        };
        let archive = client.small_blob(remote, layer(&CHART_LAYERS)?, limit);
        let archive = archive.await.map_err(|error| refusal(&error))?.to_vec();
        let provenance = if with_provenance {
            let layer = layer(&[PROVENANCE_LAYER])?;
            let blob = client.small_blob(remote, layer, MAX_PROVENANCE_BYTES);
            Some(blob.await.map_err(|error| refusal(&error))?.to_vec())
        } else {
            None
        };
        let repository = remote.repository.to_string();
        let base = repository.rsplit('/').next().unwrap_or_default();
        let revision = if tag.is_empty() {
            digest.to_string()
        } else {
            format!("{tag}@{digest}")
        };
        Ok(PulledChart {
            archive,
            provenance,
            name: format!("{base}-{tag}.tgz"),
            revision,
        })
    })
}

/// Returns the digest of a chart, and its tag.
async fn resolve(
    opened: &RegistryRepository,
    url: &str,
    wanted: &str,
) -> Result<(Digest, String), Error> {
    let RegistryRepository { client, remote, .. } = opened;
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
        return Err(Error::user(format!(
            "chart reference and version mismatch: {wanted} is not {tag}"
        )));
    }
    let wanted = if wanted.is_empty() {
        tag.clone().unwrap_or_default()
    } else {
        wanted.to_owned()
    };
    if let Some(version) = named.filter(|_| tag.is_none()) {
        let digest = client
            .resolve(remote, version)
            .await
            .map_err(|error| refusal(&error))?;
        if !wanted.is_empty() {
            check_tag(client, remote, &wanted, &digest).await?;
        }
        return Ok((digest, wanted));
    }
    let tag = if Version::parse(&wanted).is_ok() || tag.is_some() {
        wanted.replace('+', "_")
    } else {
        let tags = client.tags(remote).await.map_err(|error| refusal(&error))?;
        select(&tags, &wanted, &remote.repository.to_string())?
    };
    let digest = client
        .resolve(remote, &tagged(remote, &tag)?.version)
        .await
        .map_err(|error| refusal(&error))?;
    Ok((digest, tag))
}

/// Checks that a tag, if it exists, has this digest.
async fn check_tag(
    client: &Client,
    remote: &Remote,
    tag: &str,
    digest: &Digest,
) -> Result<(), Error> {
    let reference = tagged(remote, &tag.replace('+', "_"))?;
    match client.resolve(remote, &reference.version).await {
        Ok(found) if found != *digest => Err(Error::user(format!(
            "chart reference digest mismatch: {found} is not {digest}"
        ))),
        _ => Ok(()),
    }
}

fn tagged(remote: &Remote, tag: &str) -> Result<Reference, Error> {
    let reference = remote.repository.tag(tag);
    reference.map_err(|error| Error::user(error.to_string()))
}

/// Returns the newest tag within a version range, as Helm selects it.
fn select(tags: &[String], wanted: &str, repository: &str) -> Result<String, Error> {
    if tags.iter().any(|tag| tag == wanted) {
        return Ok(wanted.to_owned());
    }
    let range = if wanted.is_empty() { "*" } else { wanted };
    let range = Constraint::parse(range)
        .map_err(|error| Error::user(format!("invalid --version: {error}")))?;
    let versions = tags.iter().filter_map(|tag| {
        let version = Version::parse_strict(&tag.replace('_', "+")).ok()?;
        range.matches(&version).then_some((version, tag))
    });
    let newest = versions.max_by(|(one, _), (two, _)| one.cmp(two));
    newest.map(|(_, tag)| tag.clone()).ok_or_else(|| {
        Error::user(if tags.is_empty() {
            format!("unable to locate any tags in provided repository: {repository}")
        } else {
            format!("could not locate a version matching provided version string {wanted}")
        })
        .hint("set --version to a version of the chart; pre-releases match a range such as '>0-0'")
    })
}

/// A client of registries.
pub fn client() -> Client {
    Client::new(Arc::new(http_clients()))
}

/// HTTP clients of a command.
pub fn http_clients() -> HttpClients {
    HttpClients::new(USER_AGENT)
}

/// Runs requests to a registry or a repository within the timeout of the command.
pub fn wait<T>(host: &impl Host, work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    let limit = host.timeout();
    host.block_on(async {
        tokio::time::timeout(limit, work).await.unwrap_or_else(|_| {
            Err(Error::cluster(format!(
                "the registry did not answer within {}",
                GoDuration::from_std(limit)
            ))
            .hint("set a longer --timeout"))
        })
    })?
}

/// Returns the error of a registry, with a hint.
pub fn refusal(error: &sluice_oci::Error) -> Error {
    let refused = Error::cluster(chain(error));
    if matches!(error, sluice_oci::Error::Login { .. }) {
        let message = chain(error);
        return Error::user(format!("error during login with provider: {message}"));
    }
    if matches!(error, sluice_oci::Error::Transport { .. }) {
        return refused.hint("check the host of the URL, and that the registry is reachable");
    }
    match error.kind() {
        ErrorKind::Denied => refused.hint("run docker login, or set --creds"),
        ErrorKind::NotFound => refused.hint("list the tags with `list artifacts URL`"),
        _ => refused,
    }
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
