//! The source of a chart: whether it is ready, and the version that its artifact gives the chart.
//! Pure.
//!
//! Parity: `helm-controller: internal/controller/helmrelease_controller.go`.

use sluice_api::artifact::Artifact;
use sluice_api::helm::ChartReferenceKind;
use sluice_api::meta::ToolkitResource;
use sluice_api::meta::condition::{READY, STALLED};
use sluice_consumer::Source;
use sluice_engine::ObjectKey;
use sluice_golang::semver::Version;

use super::model::SourceState;

/// Characters of a digest in the version of a chart.
const SHORT_DIGEST: usize = 12;

/// The state of a source that is not there.
pub(super) fn missing(kind: &ChartReferenceKind, key: &ObjectKey) -> SourceState {
    SourceState::Failed(format!(
        "{kind}.source.toolkit.fluxcd.io \"{}\" not found",
        key.name()
    ))
}

/// The state of a source with conditions.
pub(super) fn state<S: Source + ToolkitResource>(source: &S) -> SourceState {
    let conditions = source.conditions();
    let message = |type_: &str| {
        let condition = conditions.find(type_);
        condition.map(|condition| condition.message.clone())
    };
    let why = if source.meta().generation.unwrap_or_default()
        != source.observed_generation().unwrap_or_default()
    {
        let failed = message(READY).filter(|_| conditions.is_false(READY));
        let default = "latest generation of object has not been reconciled";
        failed.unwrap_or_else(|| default.to_owned())
    } else if conditions.is_true(STALLED) {
        message(STALLED).unwrap_or_default()
    } else {
        match source.artifact() {
            Some(artifact) => return SourceState::Ready(Box::new(artifact.clone())),
            None => NO_ARTIFACT.to_owned(),
        }
    };
    not_ready(source, &why)
}

/// The state of an `ExternalArtifact`, whose conditions do not count.
pub(super) fn external_state<S: Source>(source: &S) -> SourceState {
    match source.artifact() {
        Some(artifact) => SourceState::Ready(Box::new(artifact.clone())),
        None => not_ready(source, NO_ARTIFACT),
    }
}

const NO_ARTIFACT: &str = "does not have an artifact";

fn not_ready<S: Source>(source: &S, why: &str) -> SourceState {
    let (kind, key) = (S::kind(&()), ObjectKey::of(source));
    SourceState::NotReady(format!("{kind} '{key}' is not ready: {why}"))
}

/// The digest of an artifact of an OCI registry, and the version with it. Other artifacts have
/// none.
pub(super) fn digest_version(
    kind: &ChartReferenceKind,
    artifact: &Artifact,
    chart_version: &str,
) -> Result<Option<(String, String)>, String> {
    let revision = &*artifact.revision;
    let has_digest = match kind {
        ChartReferenceKind::OciRepository => true,
        ChartReferenceKind::ExternalArtifact => revision.contains(':'),
        _ => false,
    };
    if !has_digest {
        return Ok(None);
    }
    let version = Version::parse(chart_version)
        .map_err(|_| format!("invalid chart version {chart_version}"))?;
    let (tag, digest) = match revision.split_once('@') {
        Some((tag, digest)) => (tag.replace('_', "+"), Some(digest)),
        None => (revision.to_owned(), None),
    };
    let digest = match Version::parse(&tag) {
        Ok(tagged) => digest
            .filter(|digest| !digest.contains('@') && is_equal(&tagged, &version))
            .ok_or_else(|| {
                let tag = revision.split('@').next().unwrap_or_default();
                format!("artifact revision {tag} does not match chart version {chart_version}")
            })?,
        Err(_) => revision,
    };
    let mut parts = digest.split(':').skip(1);
    let hash = match (parts.next(), parts.next()) {
        (Some(hash), None) if hash.len() >= SHORT_DIGEST && hash.is_ascii() => hash,
        _ => return Err(format!("invalid artifact revision {digest}")),
    };
    let version = with_build(&version, &hash[..SHORT_DIGEST]);
    Ok(Some((digest.to_owned(), version)))
}

/// Whether two versions are equal, without their builds.
fn is_equal(one: &Version, two: &Version) -> bool {
    let numbers = |version: &Version| (version.major(), version.minor(), version.patch());
    numbers(one) == numbers(two) && one.prerelease() == two.prerelease()
}

/// A version with another build.
fn with_build(version: &Version, build: &str) -> String {
    let (major, minor, patch) = (version.major(), version.minor(), version.patch());
    let prerelease = match version.prerelease() {
        "" => String::new(),
        prerelease => format!("-{prerelease}"),
    };
    format!("{major}.{minor}.{patch}{prerelease}+{build}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str, revision: &str, version: &str) -> Result<Option<(String, String)>, String> {
        let artifact = Artifact {
            revision: revision.to_owned(),
            ..Artifact::default()
        };
        digest_version(&ChartReferenceKind::from(kind), &artifact, version)
    }

    /// Cases of `Test_TryMutateChartWithSourceRevision` of the reference.
    #[test]
    fn oci_digest_becomes_build_of_the_version() {
        let hash = "adebc1e3cb7b8d1ba33d4eb34e0c0e2c1b8b8cbf9d2b1d3bfa4e84dba38ad1f1";
        let digest = format!("sha256:{hash}");
        let expected = |version: &str| Some((digest.clone(), version.to_owned()));
        let oci = |revision: &str, version| of("OCIRepository", revision, version);
        let tagged = |tag: &str| format!("{tag}@{digest}");
        assert_eq!(
            oci(&tagged("1.2.3"), "1.2.3").unwrap(),
            expected("1.2.3+adebc1e3cb7b")
        );
        assert_eq!(
            oci(&tagged("1.2.3_a"), "1.2.3+b").unwrap(),
            expected("1.2.3+adebc1e3cb7b")
        );
        assert_eq!(
            oci(&tagged("latest"), "1.2.3-rc.1").unwrap(),
            Some((tagged("latest"), "1.2.3-rc.1+adebc1e3cb7b".to_owned()))
        );
        assert_eq!(
            oci(&digest, "1.2.3").unwrap(),
            expected("1.2.3+adebc1e3cb7b")
        );
        assert_eq!(
            oci(&tagged("1.2.4"), "1.2.3").unwrap_err(),
            "artifact revision 1.2.4 does not match chart version 1.2.3"
        );
        assert_eq!(
            oci("sha256:abc", "1.2.3").unwrap_err(),
            "invalid artifact revision sha256:abc"
        );
        assert_eq!(
            oci(&digest, "one").unwrap_err(),
            "invalid chart version one"
        );
        assert_eq!(of("HelmChart", &digest, "1.2.3").unwrap(), None);
        assert_eq!(of("ExternalArtifact", "1.2.3", "1.2.3").unwrap(), None);
    }
}
