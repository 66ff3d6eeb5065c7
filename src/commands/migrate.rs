//! `migrate`: custom resources written in the newest version of their kinds, before an upgrade that
//! drops older ones. In the cluster, what is stored ([`cluster`]); with `--path`, manifests in
//! files ([`files`]).
//!
//! Parity: flux2: `cmd/flux/migrate.go`.

pub(in crate::commands) mod cluster;
mod files;
mod rewrite;

use crate::cluster::Context;
use crate::error::CommandError;
use crate::flags::BooleanFlag as _;
use crate::resource::RESOURCES;
use crate::{CommandResult, flags};

#[derive(clap::Args, Debug)]
pub struct Args {
    /// Say what would be changed in the files, and change nothing
    #[arg(long, switch = false)]
    dry_run: bool,
    /// Endings of the files that are looked at
    #[arg(long, short, value_parser = flags::csv, default_value = ".yaml,.yml", value_name = "ENDING")]
    extensions: Vec<Vec<String>>,
    /// File or directory with manifests, below the current directory (default: migrate what the cluster stores)
    #[arg(long, short = 'f', value_name = "PATH")]
    path: Option<String>,
    /// Version of Flux, as 2.9, that the files are for (default: this one's)
    #[arg(long, short = 'v', value_name = "VERSION")]
    version: Option<String>,
    /// Change files without asking
    #[arg(long, short, switch = false)]
    yes: bool,
}

pub fn run(args: &Args, context: &Context) -> CommandResult {
    match args.path.as_deref().filter(|path| !path.is_empty()) {
        Some(path) => files::migrate(args, path, context),
        None if args.dry_run => Err(CommandError::user(
            "--dry-run is only applicable with --path: what the cluster stores is migrated for good",
        )),
        None => cluster::migrate(context),
    }
}

/// Releases of Flux whose newest versions are known, newest first.
const RELEASES: [&str; 4] = ["2.9", "2.8", "2.7", "2.6"];

/// What a kind's newest version was in a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Release(&'static str);

impl Release {
    fn parse(text: Option<&str>) -> Result<Self, CommandError> {
        let Some(text) = text.filter(|text| !text.is_empty()) else {
            return Ok(Self(RELEASES[0]));
        };
        let known = RELEASES.into_iter().find(|release| *release == text);
        known.map(Self).ok_or_else(|| {
            CommandError::user(format!(
                "version {text} is not supported, supported versions are: {}",
                RELEASES.join(", ")
            ))
        })
    }

    fn latest(self, group: &str, kind: &str) -> Option<&'static str> {
        let resource = RESOURCES
            .iter()
            .find(|resource| resource.group == group && resource.kind == kind)?;
        // Since 2.7 nothing has moved; that release brought image automation to v1, and generators.
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
    fn the_newest_version_depends_on_the_release() {
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
    fn a_release_that_is_not_known_is_refused_with_those_that_are() {
        assert_eq!(Release::parse(None).unwrap(), Release("2.9"));
        assert_eq!(
            Release::parse(Some("2.5")).unwrap_err().message(),
            "version 2.5 is not supported, supported versions are: 2.9, 2.8, 2.7, 2.6"
        );
    }
}
