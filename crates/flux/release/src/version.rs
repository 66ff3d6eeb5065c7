//! The version that the digest of an artifact gives a chart. Pure.

use sluice_api::helm::ChartReferenceKind;
use sluice_golang::semver::Version;

/// Characters of a digest in the version of a chart.
const SHORT_DIGEST: usize = 12;

/// The digest of an artifact of an OCI registry, and the version of the chart with it. Other
/// artifacts have none.
pub fn digest_version(
    kind: &ChartReferenceKind,
    revision: &str,
    chart_version: &str,
) -> Result<Option<(String, String)>, String> {
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
        digest_version(&ChartReferenceKind::from(kind), revision, version)
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
