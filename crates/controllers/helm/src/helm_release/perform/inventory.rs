//! The inventory of a release: its objects without hooks, and the definitions of its chart.
//!
//! Parity: `helm-controller: internal/inventory/inventory.go`.

use sluice_api::inventory::{ResourceInventory, ResourceRef};
use sluice_chart::Chart;
use sluice_helm::cluster::{Cluster, parse};
use sluice_object::Object;

/// The annotation of hooks.
const HOOK: &str = "helm.sh/hook";

/// Builds the inventory of a manifest and a chart, with warnings.
pub(super) async fn build(
    cluster: &dyn Cluster,
    manifest: &str,
    namespace: &str,
    chart: &Chart,
) -> Result<(ResourceInventory, Vec<String>), String> {
    let parsed = parse(manifest).map_err(|error| format!("failed to parse manifest: {error}"))?;
    let mut warnings = Vec::new();
    let mut entries = Vec::new();
    for mut object in parsed {
        if object.annotation(HOOK).is_some() {
            continue;
        }
        if object.namespace().is_empty() {
            match cluster.is_namespaced(&object).await {
                Ok(true) => object.set_namespace(namespace),
                Ok(false) => {}
                Err(error) => warnings.push(format!(
                    "failed to determine if {} is namespace scoped, skipping namespace: {error}",
                    object.kind()
                )),
            }
        }
        entries.push(entry(&object));
    }
    for crd in chart.crds() {
        let text = String::from_utf8_lossy(&crd.data).into_owned();
        let parsed = parse(&text).map_err(|error| {
            let name = &crd.path;
            format!("failed to parse CRD {name}: {error}")
        })?;
        entries.extend(parsed.iter().map(entry));
    }
    Ok((ResourceInventory { entries }, warnings))
}

fn entry(object: &Object) -> ResourceRef {
    ResourceRef {
        id: object.id().inventory(),
        version: object.version().to_owned(),
    }
}
