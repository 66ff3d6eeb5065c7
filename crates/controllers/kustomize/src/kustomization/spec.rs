//! The parsed `spec` of a Kustomization. Pure.

use std::sync::Arc;

use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::meta::reason;
use sluice_apply::{HealthCheck, HealthEvaluators, IgnoreRule, IgnoreRules, InvalidIgnoreRule};
use sluice_consumer::{Expressions, ImpersonatedAccount, dependency};
use sluice_engine::{Failure, Retry};
use sluice_host::gates::OBJECT_LEVEL_WORKLOAD_IDENTITY;

use super::policy::Policy;
use super::source;
use super::timing::Timing;

/// A valid specification, parsed. Expressions and patterns are compiled once per run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spec {
    pub(super) timing: Timing,
    pub(super) account: Option<ImpersonatedAccount>,
    /// As in Flux, a rule that cannot be read fails the apply.
    pub(super) ignore: Result<Arc<IgnoreRules>, InvalidIgnoreRule>,
    pub(super) evaluators: Arc<HealthEvaluators>,
    /// `readyExpr` expressions of the dependencies. As in Flux, an invalid one counts once the
    /// source has an artifact.
    pub(super) expressions: Result<Arc<Expressions>, Failure>,
}

impl Spec {
    /// Parses the spec of an object.
    pub(super) fn parse(object: &Kustomization, policy: &Policy) -> Result<Self, Failure> {
        let refuse = |reason, message: String| Err(stalled(reason, message));
        let evaluators = evaluators(object)?;
        let decryption = object.spec.decryption.as_ref();
        let decryption_account =
            decryption.and_then(|wanted| wanted.service_account_name.as_deref());
        if decryption_account.is_some_and(|name| !name.is_empty()) && !policy.object_level_identity
        {
            return refuse(
                reason::FEATURE_GATE_DISABLED,
                format!(
                    "to use spec.decryption.serviceAccountName for decryption authentication please enable the \
                     {OBJECT_LEVEL_WORKLOAD_IDENTITY} feature gate in the controller"
                ),
            );
        }
        dependency::check_count(object)
            .map_err(|message| stalled(reason::RECONCILIATION_FAILED, message))?;
        let expressions = Expressions::of(object).map_err(|error| {
            let message =
                format!("Reconciliation failed terminally due to configuration error: {error}");
            stalled(reason::INVALID_CEL_EXPRESSION, message)
        });
        let ignore = IgnoreRules::new(object.spec.ignore.iter().map(IgnoreRule::from));
        let timing = Timing::of(&object.spec)
            .map_err(|message| stalled(reason::RECONCILIATION_FAILED, message))?;
        if let SourceKind::Other(kind) = &object.spec.source_ref.kind {
            return refuse(
                reason::RECONCILIATION_FAILED,
                format!("spec.sourceRef.kind: {kind:?} is not a kind of source"),
            );
        }
        let source = source::origin(object);
        if object.spec.source_ref.kind == SourceKind::ExternalArtifact && !policy.external_artifacts
        {
            let message =
                format!("can't access '{source}', ExternalArtifact feature gate is disabled");
            return refuse(reason::ACCESS_DENIED, message);
        }
        let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
        policy
            .references
            .check(namespace, &source)
            .map_err(|denied| stalled(reason::ACCESS_DENIED, denied.to_string()))?;
        dependency::check_access(object, policy.references)
            .map_err(|denied| stalled(reason::ACCESS_DENIED, denied.to_string()))?;
        Ok(Self {
            timing,
            account: account(object, policy)?,
            ignore: ignore.map(Arc::new),
            evaluators: Arc::new(evaluators),
            expressions: expressions.map(Arc::new),
        })
    }
}

/// The service account of the object, or the default one; `None` for the controller's own identity.
pub(super) fn account(
    object: &Kustomization,
    policy: &Policy,
) -> Result<Option<ImpersonatedAccount>, Failure> {
    let account = ImpersonatedAccount::of(
        object.metadata.namespace.as_deref(),
        object.spec.service_account_name.as_deref(),
        policy.default_service_account.as_deref(),
    );
    account.map_err(|error| stalled(reason::RECONCILIATION_FAILED, error.to_string()))
}

/// Compiles the health expressions for custom kinds.
fn evaluators(object: &Kustomization) -> Result<HealthEvaluators, Failure> {
    let checks = object
        .spec
        .health_check_exprs
        .iter()
        .map(|check| HealthCheck {
            api_version: &check.api_version,
            kind: check.kind.as_deref().unwrap_or_default(),
            current: &check.current,
            in_progress: check.in_progress.as_deref().unwrap_or_default(),
            failed: check.failed.as_deref().unwrap_or_default(),
        });
    HealthEvaluators::new(checks).map_err(|error| {
        let message =
            format!("Reconciliation failed terminally due to configuration error: {error}");
        stalled(reason::INVALID_CEL_EXPRESSION, message)
    })
}

/// A failure that only an edit of the object lifts.
fn stalled(reason: &'static str, message: impl Into<String>) -> Failure {
    Failure::message(reason, Retry::Stalled, message)
}

#[cfg(test)]
#[path = "tests/lockdown.rs"]
mod lockdown;
