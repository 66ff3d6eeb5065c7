//! The settings of the controller that decisions depend on.

use std::time::Duration;

use sluice_engine::acl::References;
use sluice_host::FeatureGates;
use sluice_host::gates::OBJECT_LEVEL_WORKLOAD_IDENTITY;

use crate::args::{self, Args};

/// The controller's settings for all Kustomizations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Policy {
    /// Service account for objects that do not name one.
    pub(super) default_service_account: Option<String>,
    /// Whether cross-namespace references are allowed.
    pub(super) references: References,
    /// Whether an `ExternalArtifact` can be a source.
    pub(super) external_artifacts: bool,
    /// Whether objects may choose a service account for decryption.
    pub(super) object_level_identity: bool,
    /// Whether `readyExpr` adds to the usual readiness check.
    pub(super) additive_expressions: bool,
    /// Requeue interval for missing artifacts and unmet dependencies.
    pub(super) requeue_dependency: Duration,
}

impl Policy {
    pub(super) fn of(args: &Args, gates: &FeatureGates) -> Self {
        Self {
            default_service_account: args.clusters.default_account(),
            references: References {
                no_cross_namespace: args.clusters.no_cross_namespace_refs,
            },
            external_artifacts: gates.enabled(args::EXTERNAL_ARTIFACT),
            object_level_identity: gates.enabled(OBJECT_LEVEL_WORKLOAD_IDENTITY),
            additive_expressions: gates.enabled(args::ADDITIVE_EXPRESSIONS),
            requeue_dependency: args.requeue_dependency,
        }
    }
}
