//! The parsed `spec` of an `OCIRepository`, and the choice of a tag. Pure.

use std::time::Duration;

use regex::Regex;
use sluice_api::meta::reason;
use sluice_api::source::{
    LayerOperation, OciReference, OciRepository, OciRepositorySpec, RegistryProvider,
    VerificationProvider,
};
use sluice_engine::{Failure, Retry};
use sluice_golang::semver::{Constraint, Version as Semver};
use sluice_host::registry_cloud;
use sluice_identity::Provider;
use sluice_oci::{Repository, Version};

use crate::reconcile::SourceSpec;
use crate::signature::{Verification, unsupported};
use crate::timing;

const DEFAULT_TAG: &str = "latest";
/// Media type of Helm charts. Helm writes the `+` of a version as `_` in its tag.
const HELM_CHART: &str = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/// A valid specification, parsed.
#[derive(Debug, PartialEq)]
pub(crate) struct Spec {
    pub(super) repository: Repository,
    pub(super) wanted: WantedVersion,
    /// The poll interval. Zero disables polling.
    pub(super) interval: Duration,
    /// The time limit for all requests of one run.
    pub(super) timeout: Duration,
    /// The media type of the layer. `None` selects the first layer.
    pub(super) media_type: Option<String>,
    pub(super) operation: Operation,
    /// The cloud whose identity logs in without a Secret.
    pub(super) provider: Option<Provider>,
    /// How signatures are verified.
    pub(super) verify: Option<Verification>,
}

/// How to store a layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Extract,
    Copy,
}

/// The wanted version.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WantedVersion {
    /// A tag or digest.
    Exactly(Version),
    /// The newest version in a range.
    Newest(Range),
}

/// A version range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Range {
    constraint: String,
    filter: Option<String>,
    /// Whether the tags name Helm charts.
    chart: bool,
}

fn stalled(reason: &'static str, message: impl Into<String>) -> Failure {
    Failure::message(reason, Retry::Stalled, message)
}

impl SourceSpec for Spec {
    type Object = OciRepository;

    /// Parses a specification. A failure stands until an edit.
    fn parse(object: &OciRepository) -> Result<Self, Failure> {
        let spec = &object.spec;
        let interval = timing::interval(&spec.interval)?;
        let timeout = timing::timeout(spec.timeout.as_ref())?;
        let repository = Repository::parse_url(&spec.url).map_err(|error| {
            let message = match without_user(&spec.url) {
                // The URL may hold a password, so neither the URL nor the error may show it.
                Some(url) => format!(
                    "URL validation failed for '{url}': URL must not contain user information; use \
                     spec.secretRef"
                ),
                None => format!("URL validation failed for '{}': {error}", spec.url),
            };
            stalled(reason::URL_INVALID, message)
        })?;
        let selector = spec.layer_selector.clone().unwrap_or_default();
        let media_type = selector.media_type.filter(|text| !text.is_empty());
        let operation = match selector.operation.unwrap_or_default() {
            LayerOperation::Extract => Operation::Extract,
            LayerOperation::Copy => Operation::Copy,
            LayerOperation::Other(other) => {
                let message = format!("unsupported layer operation: {other}");
                return Err(stalled(
                    reason::OCI_ARTIFACT_LAYER_OPERATION_FAILED,
                    message,
                ));
            }
        };
        let chart = media_type.as_deref() == Some(HELM_CHART);
        let wanted = wanted_version(&spec.url, &repository, spec.reference.as_ref(), chart)?;
        let provider = registry_cloud(spec.provider.as_ref().map(RegistryProvider::as_str))
            .map_err(|error| stalled(reason::INVALID_PROVIDER_CONFIGURATION, error.to_string()))?;
        Ok(Self {
            repository,
            wanted,
            interval,
            timeout,
            media_type,
            operation,
            provider,
            verify: verification(spec)?,
        })
    }

    fn interval(&self) -> Duration {
        self.interval
    }

    fn timeout(&self) -> Duration {
        self.timeout
    }
}

/// Removes the user information of a URL. Returns `None` if it has none. A password may hold any
/// character, so it ends at the last `@` that does not begin a digest.
fn without_user(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_at(url.find("://").map_or(0, |at| at + 3));
    let (name, digest) = match rest.rsplit_once('@') {
        Some((name, digest)) if digest.starts_with("sha256:") || digest.starts_with("sha512:") => {
            (name, format!("@{digest}"))
        }
        _ => (rest, String::new()),
    };
    let (_, name) = name.rsplit_once('@')?;
    Some(format!("{scheme}{name}{digest}"))
}

/// How signatures are verified. Rejects unknown tools.
fn verification(spec: &OciRepositorySpec) -> Result<Option<Verification>, Failure> {
    let Some(verify) = &spec.verify else {
        return Ok(None);
    };
    match (&verify.provider, &verify.secret_ref) {
        (VerificationProvider::Cosign, Some(secret)) => Ok(Some(Verification::Keys {
            secret: secret.name.clone(),
        })),
        (VerificationProvider::Cosign, None) => Ok(Some(Verification::Keyless {
            identities: verify.match_oidc_identity.clone(),
            root: verify
                .trusted_root_secret_ref
                .as_ref()
                .map(|secret| secret.name.clone()),
        })),
        (VerificationProvider::Notation, secret) => Ok(Some(Verification::Notation {
            secret: secret.as_ref().map(|secret| secret.name.clone()),
        })),
        (other, _) => Err(stalled(reason::VERIFICATION_ERROR, unsupported(other))),
    }
}

/// Picks the effective field: a digest, then a range, then a tag.
fn wanted_version(
    url: &str,
    repository: &Repository,
    reference: Option<&OciReference>,
    chart: bool,
) -> Result<WantedVersion, Failure> {
    let filled = |text: Option<&String>| text.filter(|text| !text.is_empty()).cloned();
    let digest = filled(reference.and_then(|reference| reference.digest.as_ref()));
    let semver = filled(reference.and_then(|reference| reference.semver.as_ref()));
    let tag = filled(reference.and_then(|reference| reference.tag.as_ref()));
    if let Some(digest) = digest {
        let digest = digest.parse().map_err(|error| {
            let message = format!("failed to determine artifact digest: spec.ref.digest: {error}");
            stalled(reason::OCI_ARTIFACT_PULL_FAILED, message)
        })?;
        return Ok(WantedVersion::Exactly(Version::Digest(digest)));
    }
    let undetermined = |why: String| {
        let message = format!("failed to determine the artifact tag for '{url}': {why}");
        stalled(reason::READ_OPERATION_FAILED, message)
    };
    if let Some(constraint) = semver {
        let filter = filled(reference.and_then(|reference| reference.semver_filter.as_ref()));
        // An invalid range or filter needs an edit, so the tags are not listed.
        Constraint::parse(&constraint).map_err(|error| {
            let at = error.position();
            undetermined(format!(
                "semver '{constraint}' parse error at position {at}: {error}"
            ))
        })?;
        if let Some(filter) = &filter {
            Regex::new(filter).map_err(|error| {
                undetermined(format!("spec.ref.semverFilter '{filter}': {error}"))
            })?;
        }
        return Ok(WantedVersion::Newest(Range {
            constraint,
            filter,
            chart,
        }));
    }
    let tag = tag.as_deref().unwrap_or(DEFAULT_TAG);
    let reference = repository
        .tag(tag)
        .map_err(|error| undetermined(error.to_string()))?;
    Ok(WantedVersion::Exactly(reference.version))
}

/// The newest tag in a range.
pub(super) fn newest(range: &Range, tags: &[String]) -> Result<String, String> {
    let constraint = Constraint::parse(&range.constraint).map_err(|error| error.to_string())?;
    let filter = range
        .filter
        .as_deref()
        .map(Regex::new)
        .transpose()
        .map_err(|error| error.to_string())?;
    tags.iter()
        .filter(|tag| filter.as_ref().is_none_or(|filter| filter.is_match(tag)))
        .filter_map(|tag| {
            let text = if range.chart {
                tag.replace('_', "+")
            } else {
                tag.clone()
            };
            let version = Semver::parse_tag(&text).ok()?;
            constraint.matches(&version).then_some((version, tag))
        })
        .max_by(|(left, _), (right, _)| left.cmp(right))
        .map(|(_, tag)| tag.clone())
        .ok_or_else(|| format!("no match found for semver: {}", range.constraint))
}
