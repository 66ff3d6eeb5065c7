//! Charts in registries.

use std::future::Future;
use std::time::Duration;

use http::StatusCode;
use jiff::Timestamp;
use sluice_api::source::HelmRepositorySpec;
use sluice_dial::Dial;
use sluice_engine::Retry;
use sluice_golang::GoDuration;
use sluice_golang::error::chain;
use sluice_golang::semver::{Constraint, Version};
use sluice_host::secrets::SecretData;
use sluice_oci::keychain::{CONFIG_KEY, CONFIG_TYPE};
use sluice_oci::{Client, Digest, ErrorKind, Keychain, Login, Reference, Remote, Repository};
use sluice_producer::Spool;
use url::Url;

use super::access::HelmAccess;
use super::address::host;
use crate::notation::{Revocation, Verdict};
use crate::signature::{SignatureError, Signers};

/// User agent for registries, the same as Flux's.
pub(crate) const USER_AGENT: &str = "flux/v2/helm/v4/oras/v2";

/// The media types of the layer with the chart, the current one first.
const CHART_LAYERS: [&str; 2] = [
    "application/vnd.cncf.helm.chart.content.v1.tar+gzip",
    "application/tar+gzip",
];

/// The media type of the configuration of a chart.
const CHART_CONFIG: &str = "application/vnd.cncf.helm.config.v1+json";

/// A repository in a registry, with its credentials.
#[derive(Debug, Clone)]
pub(crate) struct RegistryRepository {
    /// The address, without a slash at its end.
    url: Url,
    login: Login,
    dial: Dial,
    is_plain: bool,
    timeout: Duration,
}

/// Why a registry did not give a chart.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RegistryError {
    #[error(transparent)]
    Registry(#[from] sluice_oci::Error),
    /// The manifest of a version could not be read.
    #[error("{message}")]
    Reference {
        message: String,
        error: sluice_oci::Error,
    },
    #[error("{0}")]
    Content(String),
    #[error("registry did not answer within spec.timeout of {0}")]
    TooLate(GoDuration),
    #[error("{0}")]
    TooLarge(String),
    #[error("failed to buffer the chart: {0}")]
    Disk(#[from] std::io::Error),
}

/// Why a chart was not verified.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VerifyChartError {
    #[error(transparent)]
    Registry(#[from] RegistryError),
    #[error(transparent)]
    Signature(#[from] SignatureError),
}

impl VerifyChartError {
    pub(crate) const fn retry(&self) -> Retry {
        match self {
            Self::Registry(_) => Retry::Backoff,
            Self::Signature(error) => error.retry(),
        }
    }
}

impl RegistryError {
    /// The message of the condition, if the identity of a cloud could not log in.
    pub(crate) fn login_failure(&self) -> Option<String> {
        match self.registry_error() {
            Some(sluice_oci::Error::Login { issuer, source }) => Some(format!(
                "failed to get credential from '{issuer}': {}",
                chain(&**source)
            )),
            _ => None,
        }
    }

    /// Whether credentials or certificates are the cause.
    pub(crate) fn is_denied(&self) -> bool {
        match self.registry_error() {
            Some(sluice_oci::Error::Login { .. }) | None => false,
            Some(error) if error.kind() == ErrorKind::Denied => true,
            Some(error) => {
                let text = error.to_string().to_ascii_lowercase();
                text.contains("certificate") || text.contains("tls")
            }
        }
    }

    const fn registry_error(&self) -> Option<&sluice_oci::Error> {
        match self {
            Self::Registry(error) | Self::Reference { error, .. } => Some(error),
            _ => None,
        }
    }
}

/// The credentials of the Secret for a registry. The error is the message of the condition.
pub(crate) fn login(url: &Url, access: &HelmAccess) -> Result<Login, String> {
    let Some(secret) = &access.secret else {
        return Ok(Login::Anonymous);
    };
    let login = if secret.kind() == CONFIG_TYPE {
        docker_login(url, secret)
    } else {
        Ok(access.basic.clone().map_or(Login::Anonymous, Login::Basic))
    };
    login.map_err(|why| format!("failed to configure OCI registry authentication: {why}"))
}

fn docker_login(url: &Url, secret: &SecretData) -> Result<Login, String> {
    let name = secret.key().name();
    let host = host(url);
    let mut keychain = Keychain::default();
    let config = secret.entry(CONFIG_KEY).unwrap_or_default();
    keychain
        .add_config(config)
        .map_err(|error| format!("unable to load Docker config from Secret '{name}': {error}"))?;
    let repository =
        Repository::parse(&format!("{host}/any")).map_err(|error| error.to_string())?;
    match keychain.resolve_exactly(&repository) {
        Login::Anonymous => Err(format!(
            "no auth config for '{host}' in the docker-registry Secret '{name}'"
        )),
        login => Ok(login),
    }
}

impl RegistryRepository {
    pub(crate) fn new(
        url: Url,
        spec: &HelmRepositorySpec,
        timeout: Duration,
        access: HelmAccess,
        login: Login,
    ) -> Self {
        Self {
            url,
            login,
            dial: Dial {
                tls: access.tls,
                ..Dial::default()
            },
            is_plain: spec.insecure,
            timeout,
        }
    }

    /// The host of the registry.
    pub(crate) fn host(&self) -> String {
        host(&self.url)
    }

    /// The address of a chart.
    pub(crate) fn chart_url(&self, chart: &str) -> String {
        format!("{}/{chart}", self.url)
    }

    /// The remote of a chart.
    fn remote(&self, chart: &str) -> Result<Remote, RegistryError> {
        let repository = Repository::parse_url(&self.chart_url(chart))
            .map_err(|error| RegistryError::Content(error.to_string()))?;
        Ok(Remote {
            repository,
            login: self.login.clone(),
            dial: self.dial.clone(),
            plain: self.is_plain,
        })
    }

    /// The version that fits. A concrete one needs no request.
    pub(crate) async fn version(
        &self,
        client: &Client,
        chart: &str,
        wanted: &str,
    ) -> Result<String, RegistryError> {
        if Version::parse_tag(wanted).is_ok() {
            return Ok(wanted.to_owned());
        }
        let remote = self.remote(chart)?;
        let tags = self.within(client.tags(&remote)).await?;
        let versions = tags.iter().map(|tag| tag.replace('_', "+"));
        // Helm sees strict versions only.
        let versions: Vec<String> = versions
            .filter(|version| Version::parse_strict(version).is_ok())
            .collect();
        let url = self.chart_url(chart);
        select(&versions, wanted, &url).map_err(RegistryError::Content)
    }

    /// The digest of a version.
    pub(crate) async fn resolve(
        &self,
        client: &Client,
        chart: &str,
        version: &str,
    ) -> Result<Digest, RegistryError> {
        let remote = self.remote(chart)?;
        let reference = tagged(&remote, version)?;
        let resolving = self.within(client.resolve(&remote, &reference.version));
        resolving.await.map_err(|error| match error {
            RegistryError::Registry(error) => RegistryError::Reference {
                message: reference_message(&reference, &error),
                error,
            },
            error => error,
        })
    }

    /// Pulls the chart of a digest.
    pub(crate) async fn pull(
        &self,
        client: &Client,
        chart: &str,
        digest: &Digest,
        limit: u64,
    ) -> Result<Spool, RegistryError> {
        let remote = self.remote(chart)?;
        let manifest = self.within(client.manifest(&remote, digest)).await?;
        let layer = CHART_LAYERS.iter().find_map(|media_type| {
            let mut layers = manifest.layers.iter();
            layers.find(|layer| layer.media_type == *media_type)
        });
        let missing = || {
            let media_type = CHART_LAYERS[0];
            // Helm counts the manifest, its own configuration and the chart.
            let message = if manifest.config.media_type == CHART_CONFIG {
                format!("manifest does not contain a layer with mediatype {media_type}")
            } else {
                "manifest does not contain minimum number of descriptors (2), descriptors found: 1"
                    .to_owned()
            };
            RegistryError::Content(message)
        };
        let layer = layer.ok_or_else(missing)?;
        if layer.size > limit {
            return Err(RegistryError::TooLarge(format!(
                "failed to load chart metadata from written chart: size of chart '{chart}' \
                 exceeds '{limit}' bytes limit"
            )));
        }
        let downloading = async {
            let mut blob = client.blob(&remote, layer).await?;
            let mut content = Spool::default();
            while let Some(chunk) = blob.next().await? {
                content = content.append(chunk).await?;
            }
            Ok(content)
        };
        self.timed(downloading).await
    }

    /// Verifies that one of the signers signed a digest.
    pub(crate) async fn verify(
        &self,
        client: &Client,
        chart: &str,
        digest: &Digest,
        signers: &Signers,
        revocation: &Revocation,
        now: Timestamp,
    ) -> Result<Verdict, VerifyChartError> {
        let remote = self.remote(chart)?;
        let verifying = signers.verify(client, &remote, digest, revocation, now);
        match tokio::time::timeout(self.timeout, Box::pin(verifying)).await {
            Ok(verified) => Ok(verified?),
            Err(_) => Err(self.too_late().into()),
        }
    }

    async fn within<T>(
        &self,
        asking: impl Future<Output = Result<T, sluice_oci::Error>>,
    ) -> Result<T, RegistryError> {
        self.timed(async { Ok(asking.await?) }).await
    }

    async fn timed<T>(
        &self,
        asking: impl Future<Output = Result<T, RegistryError>>,
    ) -> Result<T, RegistryError> {
        tokio::time::timeout(self.timeout, Box::pin(asking))
            .await
            .unwrap_or_else(|_| Err(self.too_late()))
    }

    fn too_late(&self) -> RegistryError {
        RegistryError::TooLate(GoDuration::from_std(self.timeout))
    }
}

/// Why the manifest of a version was not read, in the words of ORAS, with which Helm pulls.
fn reference_message(reference: &Reference, error: &sluice_oci::Error) -> String {
    let cause = match error {
        sluice_oci::Error::Status { status, .. } if *status == StatusCode::NOT_FOUND => {
            format!("{reference}: not found")
        }
        sluice_oci::Error::Status {
            request,
            status,
            code,
            message,
            ..
        } => {
            let (method, url) = request.split_once(' ').unwrap_or(("GET", request));
            let code = code.to_ascii_lowercase().replace('_', " ");
            let reason = match (&*code, &**message) {
                ("", _) => status.canonical_reason().unwrap_or_default().to_owned(),
                (code, "") => code.to_owned(),
                // The detail is behind the message.
                (code, message) => format!("{code}: {}", message.replacen("; ", ": ", 1)),
            };
            let number = status.as_u16();
            format!("{method} {url:?}: response status code {number}: {reason}")
        }
        error => chain(error),
    };
    format!("failed to perform \"FetchReference\" on source: {cause}")
}

/// The reference of a version. Tags cannot have a plus.
fn tagged(remote: &Remote, version: &str) -> Result<Reference, RegistryError> {
    let tag = version.replace('+', "_");
    let reference = remote.repository.tag(&tag);
    reference.map_err(|error| RegistryError::Content(error.to_string()))
}

/// The version of exactly this text, or the newest one in the range.
///
/// Parity: source-controller: `getLastMatchingVersionOrConstraint`.
fn select(versions: &[String], wanted: &str, url: &str) -> Result<String, String> {
    if versions.is_empty() {
        return Err(format!(
            "unable to locate any tags in provided repository: {url}"
        ));
    }
    if versions.iter().any(|version| version == wanted) {
        return Ok(wanted.to_owned());
    }
    let constraint = Constraint::parse(if wanted.is_empty() { "*" } else { wanted });
    let constraint = constraint.map_err(|error| error.to_string())?;
    let parsed = versions.iter().filter_map(|version| {
        let parsed = Version::parse_tag(version).ok()?;
        constraint.matches(&parsed).then_some(parsed)
    });
    let newest = parsed.max().ok_or_else(|| {
        format!("could not locate a version matching provided version string {wanted}")
    })?;
    Ok(newest.original().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cases of source-controller's `TestOCIChartRepository_Get`.
    #[test]
    fn newest_version_in_range_is_selected() {
        let versions = ["1.0.0", "1.1.0", "0.1.0+5", "2.0.0-rc.1"].map(str::to_owned);
        for (wanted, expected) in [
            ("", Ok("1.1.0")),
            ("*", Ok("1.1.0")),
            ("<1.1.0", Ok("1.0.0")),
            (">=2.0.0-0", Ok("2.0.0-rc.1")),
            ("0.1.0+5", Ok("0.1.0+5")),
            (
                ">3.0.0",
                Err("could not locate a version matching provided version string >3.0.0"),
            ),
        ] {
            let found = select(&versions, wanted, "oci://a/b");
            let expected = expected.map(str::to_owned).map_err(str::to_owned);
            assert_eq!(found, expected, "{wanted}");
        }
    }

    /// The words are those of oras-go 2.6.1, recorded in `helm-chart-registries.txt`.
    #[test]
    fn failed_manifest_is_named_in_words_of_oras() {
        let reference = Reference::parse("localhost/app:1.0.0").unwrap();
        let refused = |status, code: &str, message: &str| sluice_oci::Error::Status {
            request: "GET http://localhost/v2/app/manifests/1.0.0".to_owned(),
            status,
            code: code.to_owned(),
            message: message.to_owned(),
            after: None,
        };
        let answered = "GET \"http://localhost/v2/app/manifests/1.0.0\": response status code ";
        for (error, cause) in [
            (
                refused(StatusCode::NOT_FOUND, "MANIFEST_UNKNOWN", "unknown"),
                "localhost/app:1.0.0: not found".to_owned(),
            ),
            (
                refused(
                    StatusCode::UNAUTHORIZED,
                    "UNAUTHORIZED",
                    "log in first; [detail]",
                ),
                format!("{answered}401: unauthorized: log in first: [detail]"),
            ),
            (
                refused(StatusCode::BAD_GATEWAY, "", "a page"),
                format!("{answered}502: Bad Gateway"),
            ),
        ] {
            let expected = format!("failed to perform \"FetchReference\" on source: {cause}");
            assert_eq!(reference_message(&reference, &error), expected);
        }
    }
}
