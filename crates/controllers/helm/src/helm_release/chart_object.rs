//! The `HelmChart` of a release's chart template. Pure.
//!
//! Parity: `helm-controller: internal/reconcile/helmchart_template.go`.

use std::collections::BTreeMap;

use sluice_api::helm::{HelmRelease, label};
use sluice_api::meta::Duration;
use sluice_api::source::{
    ChartVerification, HelmChart, HelmChartSourceReference, HelmChartSpec, ReconcileStrategy,
};

use super::spec;

/// The version of a chart if the template has none.
const ANY_VERSION: &str = "*";

/// The `HelmChart` that a template asks for.
pub(super) fn of_template(object: &HelmRelease) -> Option<HelmChart> {
    let key = spec::chart_key(object)?;
    let template = object.spec.chart.as_ref()?;
    let fields = &template.spec;
    let verify = fields.verify.as_ref().map(|verify| ChartVerification {
        provider: verify.provider.clone(),
        secret_ref: verify.secret_ref.clone(),
        ..ChartVerification::default()
    });
    let mut chart = HelmChart::new(
        key.name(),
        HelmChartSpec {
            chart: fields.chart.clone(),
            ignore_missing_values_files: fields.ignore_missing_values_files,
            interval: as_go_prints(fields.interval.as_ref().unwrap_or(&object.spec.interval)),
            reconcile_strategy: fields.reconcile_strategy.clone(),
            source_ref: HelmChartSourceReference {
                kind: fields.source_ref.kind.clone(),
                name: fields.source_ref.name.clone(),
                ..HelmChartSourceReference::default()
            },
            values_files: fields.values_files.clone(),
            verify,
            version: fields.version.clone(),
            ..HelmChartSpec::default()
        },
    );
    chart.metadata.namespace = Some(key.namespace().to_owned());
    let own = template.metadata.as_ref();
    let mut labels = own.map(|own| own.labels.clone()).unwrap_or_default();
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    labels.insert(label::NAME.to_owned(), text(&object.metadata.name));
    labels.insert(
        label::NAMESPACE.to_owned(),
        text(&object.metadata.namespace),
    );
    chart.metadata.labels = Some(labels);
    let annotations = own.map(|own| own.annotations.clone()).unwrap_or_default();
    chart.metadata.annotations = (!annotations.is_empty()).then_some(annotations);
    Some(chart)
}

/// A duration in the form that Flux writes. Another form would change the object of a takeover.
fn as_go_prints(duration: &Duration) -> Duration {
    let parsed = duration.parse().map(Duration::from);
    parsed.unwrap_or_else(|_| duration.clone())
}

/// Whether a live object is as the template says, so that no request is needed.
pub(super) fn is_in_sync(live: &HelmChart, wanted: &HelmChart) -> bool {
    let has = |live: &Option<BTreeMap<String, String>>,
               wanted: &Option<BTreeMap<String, String>>| {
        let live = live.as_ref();
        let mut wanted = wanted.iter().flatten();
        wanted.all(|(key, value)| live.and_then(|live| live.get(key)) == Some(value))
    };
    let spec = |chart: &HelmChart| {
        let mut spec = chart.spec.clone();
        spec.version.get_or_insert_with(|| ANY_VERSION.to_owned());
        spec.reconcile_strategy
            .get_or_insert(ReconcileStrategy::ChartVersion);
        spec
    };
    live.metadata.deletion_timestamp.is_none()
        && has(&live.metadata.labels, &wanted.metadata.labels)
        && has(&live.metadata.annotations, &wanted.metadata.annotations)
        && spec(live) == spec(wanted)
}

/// Names the source of a `HelmChart` in messages.
pub(super) fn source_name(chart: &HelmChart) -> String {
    let source = &chart.spec.source_ref;
    let namespace = chart.metadata.namespace.as_deref().unwrap_or_default();
    format!("{}/{namespace}/{}", source.kind, source.name)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn release(template: &serde_json::Value) -> HelmRelease {
        serde_json::from_value(json!({
            "apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
            "metadata": {"name": "web", "namespace": "apps"},
            "spec": {"interval": "5m", "chart": template},
        }))
        .unwrap()
    }

    #[test]
    fn template_becomes_a_chart_of_the_sources_namespace() {
        let release = release(&json!({
            "metadata": {"labels": {"team": "a"}, "annotations": {"b": "c"}},
            "spec": {"chart": "web", "version": "1.x", "valuesFiles": ["a.yaml"],
                "sourceRef": {"kind": "HelmRepository", "name": "charts", "namespace": "sources"}},
        }));
        let chart = of_template(&release).unwrap();
        assert_eq!(
            serde_json::to_value(&chart).unwrap(),
            json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "HelmChart",
                "metadata": {"name": "apps-web", "namespace": "sources", "annotations": {"b": "c"},
                    "labels": {"team": "a", "helm.toolkit.fluxcd.io/name": "web",
                        "helm.toolkit.fluxcd.io/namespace": "apps"}},
                "spec": {"chart": "web", "interval": "5m0s", "version": "1.x", "valuesFiles": ["a.yaml"],
                    "sourceRef": {"kind": "HelmRepository", "name": "charts"}},
            })
        );
        assert_eq!(source_name(&chart), "HelmRepository/sources/charts");
        let mut live = chart.clone();
        live.spec.reconcile_strategy = Some(ReconcileStrategy::ChartVersion);
        assert!(is_in_sync(&live, &chart));
        live.spec.values_files.clear();
        assert!(!is_in_sync(&live, &chart));
    }
}
