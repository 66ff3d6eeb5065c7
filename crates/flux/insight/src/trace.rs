//! Traces an object to the Kustomization or HelmRelease that applied it, and to its source.
//!
//! The owner labels of the object, or of its Kubernetes owners, name that object: a Pod
//! is traced through its `ReplicaSet` and `Deployment`.

use futures::future::{FutureExt as _, LocalBoxFuture};
use serde_json::Value;
use sluice_client::{Cluster, GroupVersionKind};
use sluice_object::Object;

use crate::error::Error;
use crate::fields::text;
use crate::kinds::{HELM, KUSTOMIZE, by_kind};
use crate::read::require;

/// Maximum number of Kubernetes owners above an object.
const MAX_GENERATIONS: usize = 16;

/// The origin of an object.
#[derive(Debug)]
pub enum Origin {
    /// A Kustomization applied it.
    Kustomization {
        /// The Kustomization.
        owner: Object,
        /// Its source.
        source: Option<Object>,
    },
    /// A HelmRelease applied it.
    HelmRelease {
        /// The HelmRelease.
        owner: Object,
        /// Its `HelmChart`.
        chart: Option<Object>,
        /// The source of the chart.
        source: Option<Object>,
    },
}

/// Namespace and name.
type Key = (String, String);

/// Reads the origin of an object.
pub async fn trace(cluster: &Cluster, object: &Object) -> Result<Origin, Error> {
    if let Some(key) = owner(cluster, object, KUSTOMIZE, MAX_GENERATIONS).await? {
        return kustomization(cluster, &key).await;
    }
    if let Some(key) = owner(cluster, object, HELM, MAX_GENERATIONS).await? {
        return helm_release(cluster, &key).await;
    }
    Err(Error::Untraceable("object not managed by Flux".to_owned()))
}

/// The owner by the labels of an API group, of the object or of its Kubernetes owners.
fn owner<'a>(
    cluster: &'a Cluster,
    object: &'a Object,
    group: &'a str,
    generations: usize,
) -> LocalBoxFuture<'a, Result<Option<Key>, Error>> {
    async move {
        let label = |name: &str| object.label(&format!("{group}/{name}")).unwrap_or_default();
        if !label("name").is_empty() {
            return Ok(Some((
                label("namespace").to_owned(),
                label("name").to_owned(),
            )));
        }
        let references = object.at(&["metadata", "ownerReferences"]);
        let references = references.and_then(Value::as_array);
        for reference in references.into_iter().flatten().take(generations) {
            let field = |name: &str| reference[name].as_str().unwrap_or_default();
            let gvk = GroupVersionKind::new(field("apiVersion"), field("kind"));
            let found = cluster
                .get(&gvk, Some(object.namespace()), field("name"))
                .await?;
            // The garbage collector deletes objects whose owner does not exist.
            let Some(found) = found.and_then(|value| Object::try_from(value).ok()) else {
                continue;
            };
            if let Some(key) = owner(cluster, &found, group, generations - 1).await? {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }
    .boxed_local()
}

async fn kustomization(cluster: &Cluster, key: &Key) -> Result<Origin, Error> {
    let owner = required(cluster, "Kustomization", "kustomization", key).await?;
    let source = match text(&owner, "/spec/sourceRef/kind") {
        kind @ ("GitRepository" | "OCIRepository" | "ExternalArtifact") => {
            Some(referenced(cluster, kind, &owner, "/spec/sourceRef").await?)
        }
        _ => None,
    };
    Ok(Origin::Kustomization { owner, source })
}

async fn helm_release(cluster: &Cluster, key: &Key) -> Result<Origin, Error> {
    let owner = required(cluster, "HelmRelease", "HelmRelease", key).await?;
    let chart = match text(&owner, "/status/helmChart").split_once('/') {
        Some((namespace, name)) => {
            let key = (namespace.to_owned(), name.to_owned());
            Some(required(cluster, "HelmChart", "HelmChart", &key).await?)
        }
        None => None,
    };
    let source = match (
        text(&owner, "/spec/chart/spec/sourceRef/kind"),
        text(&owner, "/spec/chartRef/kind"),
    ) {
        (kind @ ("GitRepository" | "HelmRepository"), _) => {
            Some(referenced(cluster, kind, &owner, "/spec/chart/spec/sourceRef").await?)
        }
        ("", kind @ ("OCIRepository" | "ExternalArtifact")) => {
            Some(referenced(cluster, kind, &owner, "/spec/chartRef").await?)
        }
        _ => None,
    };
    Ok(Origin::HelmRelease {
        owner,
        chart,
        source,
    })
}

/// The object of a reference, by default in the namespace of the referring object.
async fn referenced(
    cluster: &Cluster,
    kind: &str,
    from: &Object,
    reference: &str,
) -> Result<Object, Error> {
    let namespace = match text(from, &format!("{reference}/namespace")) {
        "" => from.namespace(),
        namespace => namespace,
    };
    let name = text(from, &format!("{reference}/name"));
    let key = (namespace.to_owned(), name.to_owned());
    let source = required(cluster, kind, kind, &key).await?;
    if kind == "ExternalArtifact" && source.at(&["spec", "sourceRef"]).is_none() {
        let (namespace, name) = key;
        return Err(Error::Untraceable(format!(
            "ExternalArtifact {namespace}/{name} is missing spec.sourceRef"
        )));
    }
    Ok(source)
}

async fn required(
    cluster: &Cluster,
    kind: &str,
    shown: &str,
    (namespace, name): &Key,
) -> Result<Object, Error> {
    let kind = by_kind(kind).expect("the registry has every kind that a trace reads");
    require(cluster, kind, namespace, name)
        .await
        .map_err(|error| error.context(format!("failed to find {shown}")))
}
