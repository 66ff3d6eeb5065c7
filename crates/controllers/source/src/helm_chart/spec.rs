//! The parsed `spec` of a `HelmChart`. Pure.

use std::time::Duration;

use sluice_api::meta::reason::VERIFICATION_ERROR;
use sluice_api::source::{HelmChart, HelmChartSourceKind, ReconcileStrategy, VerificationProvider};
use sluice_engine::{Failure, Retry};
use sluice_golang::path::clean;

use crate::reconcile::SourceSpec;
use crate::signature::{Verification, unsupported};
use crate::timing;

/// The values of a chart.
const VALUES: &str = "values.yaml";
/// Length of a revision in a version: labels have at most 63 characters.
const SHORT_REVISION: usize = 12;

/// A valid specification, parsed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(super) interval: Duration,
    /// The files that replace the values of the chart.
    pub(super) values_files: Vec<String>,
    /// Whether the revision of the source is part of the version.
    pub(super) has_revision: bool,
    /// How signatures are verified.
    pub(super) verify: Option<Verification>,
}

impl SourceSpec for Spec {
    type Object = HelmChart;

    fn parse(object: &HelmChart) -> Result<Self, Failure> {
        let spec = &object.spec;
        let interval = timing::interval(&spec.interval)?;
        // The chart's own values alone change nothing.
        let is_default = matches!(&*spec.values_files, [only] if clean(only) == VALUES);
        let is_repository = spec.source_ref.kind == HelmChartSourceKind::HelmRepository;
        let strategy = spec.reconcile_strategy.clone().unwrap_or_default();
        Ok(Self {
            interval,
            values_files: if is_default {
                Vec::new()
            } else {
                spec.values_files.clone()
            },
            has_revision: strategy == ReconcileStrategy::Revision && !is_repository,
            verify: verification(object)?,
        })
    }

    fn interval(&self) -> Duration {
        self.interval
    }
}

/// How signatures are verified. Rejects unknown tools.
fn verification(object: &HelmChart) -> Result<Option<Verification>, Failure> {
    let Some(verify) = &object.spec.verify else {
        return Ok(None);
    };
    match (&verify.provider, &verify.secret_ref) {
        (VerificationProvider::Cosign, Some(secret)) => Ok(Some(Verification::Keys {
            secret: secret.name.clone(),
        })),
        (VerificationProvider::Cosign, None) => Ok(Some(Verification::Keyless {
            identities: verify.match_oidc_identity.clone(),
            root: None,
        })),
        (VerificationProvider::Notation, secret) => Ok(Some(Verification::Notation {
            secret: secret.as_ref().map(|secret| secret.name.clone()),
        })),
        (other, _) => {
            let message = unsupported(other);
            Err(Failure::message(
                VERIFICATION_ERROR,
                Retry::Stalled,
                message,
            ))
        }
    }
}

impl Spec {
    /// Whether the version gets build metadata, so that the chart is packaged.
    pub(super) fn changes_version(&self) -> bool {
        self.has_revision || !self.values_files.is_empty()
    }

    /// The build metadata of the version. Consumers notice by it that the chart changed.
    pub(super) fn metadata(&self, generation: i64, revision: &str) -> String {
        let mut parts = Vec::new();
        if self.has_revision {
            parts.push(short_revision(revision));
        }
        if !self.values_files.is_empty() {
            parts.push(generation.to_string());
        }
        parts.join(".")
    }
}

/// The start of the hash in a revision such as `main@sha1:…` or `sha256:…`.
fn short_revision(revision: &str) -> String {
    let hash = revision.rsplit(['@', ':', '/']).next().unwrap_or_default();
    hash.chars().take(SHORT_REVISION).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn revision_is_shortened_to_its_hash() {
        for (revision, expected) in [
            ("main@sha1:0123456789abcdef0123", "0123456789ab"),
            ("sha256:fedcba9876543210", "fedcba987654"),
            ("main/0123456789abcdef", "0123456789ab"),
        ] {
            assert_eq!(short_revision(revision), expected);
        }
    }
}
