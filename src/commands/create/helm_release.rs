//! Implements `create helmrelease`: installs a chart with values.

use std::time::Duration;

use serde_json::{Map, Value, json};
use sluice_system::fs;
use sluice_yaml::v2;

use super::reference::{self, Reference};
use super::{Creation, NewObject, put, put_time};
use crate::error::CommandError;
use crate::flags::{self, BooleanFlag as _, Choice, Offer};
use sluice_golang::non_empty;

/// Kinds that `spec.chartRef` may reference.
const CHARTS: [&str; 2] = ["OCIRepository", "HelmChart"];
/// Kinds that may hold values.
const VALUES: [&str; 2] = ["Secret", "ConfigMap"];
const CRDS: Choice = Choice::new(&["Skip", "Create", "CreateReplace"], |value| {
    format!("unsupported upgrade CRDs policy '{value}'")
})
.or_absent("no upgrade CRDs policy given, must be one of: Skip, Create, CreateReplace");
/// Accepted reconcile strategies of a chart.
pub(super) const STRATEGIES: Offer = Offer(&["Revision", "ChartVersion"]);

#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Name or path of the chart in the source
    #[arg(long, value_name = "CHART")]
    chart: Option<String>,
    /// Interval for checking the chart [default: interval of the release]
    #[arg(long, default_value = "0s", hide_default_value = true, value_parser = flags::length_of_time, value_name = "DURATION")]
    chart_interval: Duration,
    /// Chart object, as OCIRepository|HelmChart/NAME[.NAMESPACE]
    #[arg(long, value_name = "OBJECT")]
    chart_ref: Option<String>,
    /// Chart version or semver range
    #[arg(long, value_name = "RANGE")]
    chart_version: Option<String>,
    /// Policy for the chart's CRDs on upgrade
    #[arg(long, value_parser = CRDS, value_name = "POLICY")]
    crds: Option<String>,
    /// Create the target namespace if it is missing
    #[arg(long, switch = false)]
    create_target_namespace: bool,
    /// Helm releases that must be ready first, as NAMESPACE/NAME@CEL,…
    #[arg(long, value_parser = flags::csv, value_name = "NAME")]
    depends_on: Vec<Vec<String>>,
    /// Secret with the kubeconfig of a remote cluster to install to
    #[arg(long, value_name = "NAME")]
    kubeconfig_secret_ref: Option<String>,
    /// Create a chart artifact for each chart version or source revision
    #[arg(long, default_value = "ChartVersion", value_parser = STRATEGIES, value_name = "STRATEGY")]
    reconcile_strategy: String,
    /// Name of the Helm release [default: [TARGET-NAMESPACE-]NAME]
    #[arg(long, value_name = "NAME")]
    release_name: Option<String>,
    /// Service account to impersonate
    #[arg(long, value_name = "NAME")]
    service_account: Option<String>,
    /// Source of the chart, as KIND/NAME[.NAMESPACE]
    #[arg(long, value_parser = reference::chart_source, value_name = "SOURCE")]
    source: Option<Reference>,
    /// Namespace of the release records [default: the target namespace]
    #[arg(long, value_name = "NAMESPACE")]
    storage_namespace: Option<String>,
    /// Namespace to install the release in
    #[arg(long, value_name = "NAMESPACE")]
    target_namespace: Option<String>,
    /// Files with chart values; later ones win
    #[arg(long, value_parser = flags::csv, value_name = "FILE")]
    values: Vec<Vec<String>>,
    /// Values from key values.yaml of objects, as Secret|ConfigMap/NAME,…
    #[arg(long, value_parser = flags::csv, value_name = "OBJECT")]
    values_from: Vec<Vec<String>>,
}

pub(super) fn new_object(args: &Args, creation: &Creation<'_>) -> Result<NewObject, CommandError> {
    let chart = match (
        non_empty(args.chart.as_deref()),
        non_empty(args.chart_ref.as_deref()),
    ) {
        (None, None) => {
            return Err(CommandError::user("chart or chart-ref is required")
                .hint("set --chart and --source, or --chart-ref"));
        }
        (Some(_), Some(_)) => {
            return Err(CommandError::user(
                "cannot use --chart in combination with --chart-ref",
            ));
        }
        (Some(chart), None) => Chart::OfSource(chart),
        (None, Some(reference)) => Chart::Is(reference),
    };
    let labels = creation.labels()?;
    strategy(&args.reconcile_strategy)?;
    let mut spec = json!({ "interval": creation.interval() });
    put(&mut spec, "releaseName", args.release_name.as_deref());
    let target = non_empty(args.target_namespace.as_deref());
    put(&mut spec, "targetNamespace", target);
    let storage = non_empty(args.storage_namespace.as_deref()).or(target);
    put(&mut spec, "storageNamespace", storage);
    if let Some(depends_on) = reference::depends_on(&args.depends_on) {
        spec["dependsOn"] = depends_on;
    }
    match chart {
        Chart::OfSource(chart) => spec["chart"] = json!({ "spec": template(chart, args)? }),
        Chart::Is(reference) => spec["chartRef"] = chart_reference(reference)?,
    }
    if let Some(secret) = non_empty(args.kubeconfig_secret_ref.as_deref()) {
        spec["kubeConfig"] = json!({ "secretRef": { "name": secret } });
    }
    if args.create_target_namespace {
        spec["install"]["createNamespace"] = json!(true);
    }
    put(
        &mut spec,
        "serviceAccountName",
        args.service_account.as_deref(),
    );
    if let Some(policy) = &args.crds {
        spec["install"]["crds"] = json!("Create");
        spec["upgrade"] = json!({ "crds": policy });
    }
    let files = args.values.concat();
    if !files.is_empty() {
        spec["values"] = Value::Object(values(&files)?);
    }
    let objects = args.values_from.concat();
    if !objects.is_empty() {
        let objects: Result<Vec<Value>, _> = objects.iter().map(|text| values_from(text)).collect();
        spec["valuesFrom"] = json!(objects?);
    }
    NewObject::new("HelmRelease", labels, spec)
}

/// Reference to the chart.
enum Chart<'a> {
    /// Chart name or path within a source.
    OfSource(&'a str),
    /// Object that is the chart itself.
    Is(&'a str),
}

/// Rejects unknown reconcile strategies.
pub(super) fn strategy(strategy: &str) -> Result<(), CommandError> {
    if STRATEGIES.0.contains(&strategy) {
        return Ok(());
    }
    Err(CommandError::user(format!(
        "'{strategy}' is an invalid reconcile strategy(valid: Revision, ChartVersion)"
    )))
}

/// Returns the chart template.
fn template(chart: &str, args: &Args) -> Result<Value, CommandError> {
    let source = args.source.as_ref().ok_or_else(|| {
        CommandError::user("source is required with --chart")
            .hint("set --source to the source of the chart, as KIND/NAME")
    })?;
    let mut spec = json!({
        "chart": chart,
        "reconcileStrategy": args.reconcile_strategy,
        "sourceRef": source.to_value(),
    });
    put(&mut spec, "version", args.chart_version.as_deref());
    put_time(&mut spec, "interval", args.chart_interval);
    Ok(spec)
}

fn chart_reference(text: &str) -> Result<Value, CommandError> {
    let reference = reference::whole(text);
    if CHARTS.contains(&reference.kind.as_str()) {
        return Ok(reference.to_value());
    }
    let unsupported = CommandError::user(format!(
        "chart reference kind '{}' is not supported, must be one of: {}",
        reference.kind,
        CHARTS.join(", ")
    ));
    Err(unsupported.hint("set --chart-ref as KIND/NAME, such as HelmChart/podinfo"))
}

/// Merges the values of all files. Maps are merged, other values are replaced.
fn values(files: &[String]) -> Result<Map<String, Value>, CommandError> {
    let mut all = Map::new();
    for file in files {
        let text = fs::read(file).map_err(|error| {
            CommandError::user(format!(
                "reading values from {file} failed: {}",
                error.go_message()
            ))
            .hint("set --values to a readable file with values")
        })?;
        let read = v2::from_slice(&text).map_err(|error| {
            CommandError::user(format!(
                "converting values to JSON from {file} failed: {error}"
            ))
        })?;
        match read {
            Value::Null => {}
            Value::Object(map) => merge(&mut all, map),
            _ => {
                return Err(CommandError::user(format!(
                    "unmarshaling values from {file} failed: values are a map, and it holds something else"
                )));
            }
        }
    }
    Ok(all)
}

fn merge(into: &mut Map<String, Value>, values: Map<String, Value>) {
    for (key, value) in values {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(there)), Value::Object(value)) => merge(there, value),
            (_, value) => drop(into.insert(key, value)),
        }
    }
}

fn values_from(text: &str) -> Result<Value, CommandError> {
    let (kind, name) = reference::kind_and_name(text);
    if kind.is_empty() {
        return Err(CommandError::user(format!(
            "invalid Kubernetes object reference '{text}', must be in format <kind>/<name>"
        )));
    }
    match reference::spelled(kind, &VALUES) {
        Some(kind) => Ok(json!({ "kind": kind, "name": name })),
        None => Err(CommandError::user(format!(
            "reference kind '{kind}' is not supported, must be one of: {}",
            VALUES.join(", ")
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_values_win_and_only_maps_are_merged() {
        let map = |value: Value| value.as_object().unwrap().clone();
        let mut all = map(json!({ "a": { "x": 1, "y": [1] }, "b": { "z": 1 }, "c": 1 }));
        merge(
            &mut all,
            map(json!({ "a": { "y": [2], "w": null }, "b": 2, "c": { "d": 3 } })),
        );
        assert_eq!(
            Value::Object(all),
            json!({ "a": { "x": 1, "y": [2], "w": null }, "b": 2, "c": { "d": 3 } })
        );
    }

    #[test]
    fn values_come_from_secrets_and_config_maps() {
        assert_eq!(
            values_from("configmap/web.v1").unwrap(),
            json!({ "kind": "ConfigMap", "name": "web.v1" })
        );
        for (bad, said) in [
            (
                "web",
                "invalid Kubernetes object reference 'web', must be in format <kind>/<name>",
            ),
            (
                "Pod/web",
                "reference kind 'Pod' is not supported, must be one of: Secret, ConfigMap",
            ),
        ] {
            assert_eq!(values_from(bad).unwrap_err().message(), said);
        }
    }
}
