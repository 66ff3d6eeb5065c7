//! The parsed `spec` of a release. Pure.

use std::sync::Arc;
use std::time::Duration;

use sluice_api::helm::{ChartReferenceKind, HelmRelease, HelmReleaseSpec};
use sluice_api::meta;
use sluice_api::meta::reason;
use sluice_apply::{HealthCheck, HealthEvaluators, IgnoreRule, IgnoreRules};
use sluice_consumer::{Expressions, ImpersonatedAccount, dependency};
use sluice_engine::{ObjectKey, References};
pub(super) use sluice_release::names::{
    release_name, release_namespace, short_name, storage_namespace,
};

use super::fault::{Fault, RECONCILE_ERROR};
use super::policy::Policy;

/// A valid specification, parsed. Expressions and patterns are compiled once per run.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spec {
    pub(super) interval: Duration,
    pub(super) account: Option<ImpersonatedAccount>,
    pub(super) evaluators: Arc<HealthEvaluators>,
    /// `readyExpr` expressions of the dependencies.
    pub(super) expressions: Arc<Expressions>,
    /// Fields that a drift check ignores.
    pub(super) ignore: Arc<IgnoreRules>,
    /// The source of the chart.
    pub(super) source: SourceReference,
}

/// The kind and the name of the source of a chart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SourceReference {
    pub(super) kind: ChartReferenceKind,
    pub(super) key: ObjectKey,
}

impl Spec {
    /// Parses the spec of an object.
    pub(super) fn parse(object: &HelmRelease, policy: &Policy) -> Result<Self, Fault> {
        let spec = &object.spec;
        let evaluators = evaluators(spec)?;
        let source = source(object)
            .ok_or_else(|| Fault::terminal(RECONCILE_ERROR, "invalid Chart reference"))?;
        let interval = duration("interval", &spec.interval)?;
        for (field, value) in timeouts(spec) {
            if let Some(value) = value {
                duration(field, value)?;
            }
        }
        dependency::check_count(object)
            .map_err(|message| Fault::terminal(RECONCILE_ERROR, message))?;
        let expressions = Expressions::of(object).map_err(|error| Fault::expression(&error))?;
        let drift = spec.drift_detection.iter();
        let ignore = IgnoreRules::new(drift.flat_map(|drift| &drift.ignore).map(IgnoreRule::from));
        // The reference reports an invalid rule only when it compares.
        let ignore = ignore.map_err(|error| {
            Fault::terminal(
                "StateError",
                format!("Could not determine release state: {error}"),
            )
        })?;
        check_access(object, policy, &source)?;
        Ok(Self {
            interval,
            account: account(object, policy)?,
            evaluators: Arc::new(evaluators),
            expressions: Arc::new(expressions),
            ignore: Arc::new(ignore),
            source,
        })
    }
}

/// The source of an object, if it has exactly one.
pub(super) fn source(object: &HelmRelease) -> Option<SourceReference> {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let spec = &object.spec;
    match (&spec.chart, &spec.chart_ref) {
        (Some(_), None) => Some(SourceReference {
            kind: ChartReferenceKind::HelmChart,
            key: chart_key(object)?,
        }),
        (None, Some(reference)) => {
            let own = reference.namespace.as_deref().unwrap_or(namespace);
            Some(SourceReference {
                kind: reference.kind.clone(),
                key: ObjectKey::new(own, &reference.name),
            })
        }
        _ => None,
    }
}

/// Namespace and name of the `HelmChart` of a template.
pub(super) fn chart_key(object: &HelmRelease) -> Option<ObjectKey> {
    let template = object.spec.chart.as_ref()?;
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let name = object.metadata.name.as_deref().unwrap_or_default();
    let source = template.spec.source_ref.namespace.as_deref();
    let of_source = source.unwrap_or(namespace);
    Some(ObjectKey::new(of_source, &format!("{namespace}-{name}")))
}

fn check_access(
    object: &HelmRelease,
    policy: &Policy,
    source: &SourceReference,
) -> Result<(), Fault> {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let SourceReference { kind, key } = source;
    let denied = |message| Err(Fault::terminal(reason::ACCESS_DENIED, message));
    if policy.no_cross_namespace && key.namespace() != namespace {
        return denied(format!(
            "cross-namespace references are not allowed: cannot access {kind} {key}"
        ));
    }
    if *kind == ChartReferenceKind::ExternalArtifact && !policy.external_artifacts {
        return denied(format!(
            "can't access '{kind}/{key}', ExternalArtifact feature gate is disabled"
        ));
    }
    let references = References {
        no_cross_namespace: policy.no_cross_namespace,
    };
    dependency::check_access(object, references)
        .map_err(|denied| Fault::terminal(reason::ACCESS_DENIED, denied.to_string()))?;
    if let ChartReferenceKind::Other(kind) = kind {
        let message = format!("spec.chartRef.kind: {kind:?} is not a kind of source");
        return Err(Fault::terminal(RECONCILE_ERROR, message));
    }
    Ok(())
}

fn duration(field: &str, value: &meta::Duration) -> Result<Duration, Fault> {
    value
        .parse()
        .map_err(|error| Fault::terminal(RECONCILE_ERROR, format!("spec.{field}: {error}")))
}

/// The timeouts of the spec by their paths.
fn timeouts(spec: &HelmReleaseSpec) -> [(&'static str, Option<&meta::Duration>); 6] {
    let install = spec.install.as_ref().and_then(|own| own.timeout.as_ref());
    let upgrade = spec.upgrade.as_ref().and_then(|own| own.timeout.as_ref());
    let rollback = spec.rollback.as_ref().and_then(|own| own.timeout.as_ref());
    let uninstall = spec.uninstall.as_ref().and_then(|own| own.timeout.as_ref());
    let test = spec.test.as_ref().and_then(|own| own.timeout.as_ref());
    [
        ("timeout", spec.timeout.as_ref()),
        ("install.timeout", install),
        ("upgrade.timeout", upgrade),
        ("rollback.timeout", rollback),
        ("uninstall.timeout", uninstall),
        ("test.timeout", test),
    ]
}

/// The service account of the object, or the default one; `None` for the controller's own identity.
pub(super) fn account(
    object: &HelmRelease,
    policy: &Policy,
) -> Result<Option<ImpersonatedAccount>, Fault> {
    let account = ImpersonatedAccount::of(
        object.metadata.namespace.as_deref(),
        object.spec.service_account_name.as_deref(),
        policy.default_service_account.as_deref(),
    );
    account.map_err(|error| Fault::terminal(RECONCILE_ERROR, error.to_string()))
}

/// Compiles the health expressions for custom kinds.
fn evaluators(spec: &HelmReleaseSpec) -> Result<HealthEvaluators, Fault> {
    let checks = spec.health_check_exprs.iter().map(|check| HealthCheck {
        api_version: &check.api_version,
        kind: check.kind.as_deref().unwrap_or_default(),
        current: &check.current,
        in_progress: check.in_progress.as_deref().unwrap_or_default(),
        failed: check.failed.as_deref().unwrap_or_default(),
    });
    HealthEvaluators::new(checks).map_err(|error| Fault::expression(&error.to_string()))
}
