//! The releases of Flux and the API versions that each has.

use sluice_insight::kinds::RESOURCES;

use crate::error::Error;

/// Releases of Flux with known API versions, newest first.
pub const RELEASES: [&str; 4] = ["2.9", "2.8", "2.7", "2.6"];

/// A release of Flux.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Release(&'static str);

impl Release {
    /// Parses a release; the default is the newest.
    pub fn parse(text: Option<&str>) -> Result<Self, Error> {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(Self(RELEASES[0]));
        };
        let known = RELEASES.into_iter().find(|release| *release == text);
        known.map(Self).ok_or_else(|| {
            Error::user(format!(
                "version {text} is not supported, supported versions are: {}",
                RELEASES.join(", ")
            ))
        })
    }

    /// The latest version of a kind, if the release has the kind.
    pub fn latest(self, group: &str, kind: &str) -> Option<&'static str> {
        let resource = RESOURCES
            .iter()
            .find(|resource| resource.group == group && resource.kind == kind)?;
        // 2.7 promoted image automation to v1 and added generators.
        match (self.0, resource.group) {
            ("2.6", "image.toolkit.fluxcd.io") => Some("v1beta2"),
            ("2.6", "source.extensions.fluxcd.io") => None,
            _ => Some(resource.version),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latest_version_depends_on_the_release() {
        let latest = |release: &str, group: &str, kind: &str| {
            Release::parse(Some(release)).unwrap().latest(group, kind)
        };
        for release in RELEASES {
            assert_eq!(
                latest(release, "source.toolkit.fluxcd.io", "Bucket"),
                Some("v1")
            );
            assert_eq!(
                latest(release, "helm.toolkit.fluxcd.io", "HelmRelease"),
                Some("v2")
            );
            assert_eq!(
                latest(release, "notification.toolkit.fluxcd.io", "Alert"),
                Some("v1beta3")
            );
            assert_eq!(
                latest(release, "notification.toolkit.fluxcd.io", "Receiver"),
                Some("v1")
            );
            assert_eq!(
                latest(release, "kustomize.toolkit.fluxcd.io", "Deployment"),
                None
            );
        }
        let image = "image.toolkit.fluxcd.io";
        assert_eq!(latest("2.9", image, "ImagePolicy"), Some("v1"));
        assert_eq!(latest("2.6", image, "ImagePolicy"), Some("v1beta2"));
        let generators = "source.extensions.fluxcd.io";
        assert_eq!(
            latest("2.7", generators, "ArtifactGenerator"),
            Some("v1beta1")
        );
        assert_eq!(latest("2.6", generators, "ArtifactGenerator"), None);
    }

    #[test]
    fn unknown_release_error_lists_the_known() {
        assert_eq!(Release::parse(None).unwrap(), Release("2.9"));
        assert_eq!(
            Release::parse(Some("2.5")).unwrap_err().message(),
            "version 2.5 is not supported, supported versions are: 2.9, 2.8, 2.7, 2.6"
        );
    }
}
