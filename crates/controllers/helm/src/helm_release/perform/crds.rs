//! Applies the custom resource definitions of a chart, before its release.
//!
//! Parity: `helm-controller: internal/action/crds.go`, with a policy `Create` that never changes a
//! definition.

use std::time::Duration;

use sluice_api::helm::{CrdPolicy, HelmRelease, label};
use sluice_chart::{Chart, dependency};
use sluice_helm::cluster::{Cluster, ClusterError, Goal, WaitStrategy, build};
use sluice_helm::{Delivery, LogLine};
use sluice_object::Object;

use crate::helm_release::model::{Action, LoadedChart};
use crate::helm_release::{drift, options, spec};

/// The time in which definitions must be established.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Applies the definitions by the policy of an action, and waits until they are established.
pub(super) async fn apply(
    cluster: &dyn Cluster,
    object: &HelmRelease,
    loaded: &LoadedChart,
    action: &Action,
    delivery: Delivery,
) -> Result<(), String> {
    let policy = options::crd_policy(action, &object.spec)?;
    if loaded.chart.crds().is_empty() {
        return Ok(());
    }
    let failed = |error: String| format!("failed to apply CustomResourceDefinitions: {error}");
    if policy == CrdPolicy::Skip {
        let text = format!("skipping CustomResourceDefinition apply: policy is set to {policy}");
        cluster.log(LogLine::debug(text));
        return Ok(());
    }
    let mut definitions = read(cluster, object, loaded).await.map_err(failed)?;
    for definition in &mut definitions {
        let metadata = &object.metadata;
        definition.set_label(label::NAME, metadata.name.as_deref().unwrap_or_default());
        let namespace = metadata.namespace.as_deref().unwrap_or_default();
        definition.set_label(label::NAMESPACE, namespace);
    }
    let text = format!("applying CustomResourceDefinition(s) with policy {policy}");
    cluster.log(LogLine::debug(text));
    let mut changed = Vec::new();
    for definition in definitions {
        let written = match policy {
            CrdPolicy::Create => create(cluster, &definition, delivery).await,
            _ => replace(cluster, &definition, delivery).await,
        };
        if written.map_err(failed)? {
            changed.push(definition);
        }
    }
    if changed.is_empty() {
        return Ok(());
    }
    if delivery.wait != WaitStrategy::HookOnly {
        let waited = cluster.wait(&changed, Goal::Ready, delivery.wait, TIMEOUT);
        waited.await.map_err(|error| {
            let text = format!("failed to wait for CustomResourceDefinition(s): {error}");
            cluster.log(LogLine::error(&text));
            failed(text)
        })?;
    }
    let count = changed.len();
    let text = format!("successfully applied {count} CustomResourceDefinition(s)");
    cluster.log(LogLine::debug(text));
    cluster.log(LogLine::debug("clearing REST mapper cache"));
    cluster.forget_kinds().await;
    Ok(())
}

/// Reads the definitions of a chart with its enabled dependencies. Other objects are left out.
async fn read(
    cluster: &dyn Cluster,
    object: &HelmRelease,
    loaded: &LoadedChart,
) -> Result<Vec<Object>, String> {
    let mut chart = Chart::clone(&loaded.chart);
    dependency::process(&mut chart, &loaded.values)
        .map_err(|error| format!("failed to process chart dependencies: {error}"))?;
    let mut definitions = Vec::new();
    for crd in chart.crds() {
        let text = String::from_utf8_lossy(&crd.data).into_owned();
        let built = build(cluster, &text, spec::release_namespace(object), false).await;
        let built = built.map_err(|error| {
            let path = crd.path.rsplit_once("crds/").map_or("", |(_, name)| name);
            let text =
                format!("failed to parse CustomResourceDefinitions from crds/{path}: {error}");
            cluster.log(LogLine::error(&text));
            text
        })?;
        let (found, others): (Vec<Object>, Vec<Object>) = built
            .into_iter()
            .partition(|object| object.is("apiextensions.k8s.io", "CustomResourceDefinition"));
        definitions.extend(found);
        for other in others {
            let name = drift::resource_name(&other);
            tracing::warn!(
                "{name} in the chart's crds/ directory is ignored: only \
                 CustomResourceDefinitions belong there, move it to templates/"
            );
        }
    }
    Ok(definitions)
}

/// Creates a definition unless it exists. Server-side apply would change an existing one.
async fn create(
    cluster: &dyn Cluster,
    definition: &Object,
    delivery: Delivery,
) -> Result<bool, String> {
    let failed = |error: ClusterError| {
        let name = definition.name();
        let text = format!("failed to create CustomResourceDefinition {name}: {error}");
        cluster.log(LogLine::error(&text));
        text
    };
    let present = || {
        let name = definition.name();
        let text = format!("CustomResourceDefinition {name} is already present. Skipping.");
        cluster.log(LogLine::debug(text));
        Ok(false)
    };
    if cluster.get(definition).await.map_err(failed)?.is_some() {
        return present();
    }
    let created = if delivery.server_side {
        cluster.apply(definition, delivery.force_conflicts).await
    } else {
        cluster.create(definition).await
    };
    match created {
        Ok(()) => Ok(true),
        Err(ClusterError::Exists(_)) => present(),
        Err(error) => Err(failed(error)),
    }
}

/// Creates or replaces a definition.
async fn replace(
    cluster: &dyn Cluster,
    definition: &Object,
    delivery: Delivery,
) -> Result<bool, String> {
    let failed =
        |error: ClusterError| format!("failed to update CustomResourceDefinition(s): {error}");
    if delivery.server_side {
        let applied = cluster.apply(definition, delivery.force_conflicts).await;
        return applied.map(|()| true).map_err(failed);
    }
    let live = cluster.get(definition).await.map_err(failed)?;
    let written = match live {
        Some(_) => cluster.replace(definition).await,
        None => cluster.create(definition).await,
    };
    written.map(|()| true).map_err(failed)
}

#[cfg(test)]
mod tests;
