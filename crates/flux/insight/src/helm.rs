//! The objects of a HelmRelease, from the release that Helm stored and the CRDs that were
//! applied beside it. No chart is rendered.
//!
//! Parity: flux2: `cmd/flux/tree_kustomization.go`; helm-controller: `HelmRelease.GetReleaseName`.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;
use sluice_client::{Cluster, GroupKind, GroupVersionKind, ListOptions};
use sluice_object::{Object, ObjectId, documents};
use sluice_yaml::v2;

use crate::error::Error;
use crate::fields::{at, text};
use crate::kinds::HELM;
use crate::read::objects;

const DEFINITION: &str = "CustomResourceDefinition";
const EXTENSIONS: &str = "apiextensions.k8s.io";

/// Maximum size of a release. It is stored compressed in one Secret of at most 1 MiB.
const MAX_RELEASE_BYTES: u64 = 64 << 20;

/// The objects of an installed HelmRelease; `None` if the HelmRelease does not exist.
pub async fn inventory(cluster: &Cluster, id: &ObjectId) -> Result<Option<Vec<ObjectId>>, Error> {
    let gvk = GroupVersionKind::gvk(HELM, "v2", "HelmRelease");
    let found = cluster.get(&gvk, Some(&id.namespace), &id.name).await?;
    let Some(release) = found.and_then(|value| Object::try_from(value).ok()) else {
        return Ok(None);
    };
    let is_remote = at(&release, "/spec/kubeConfig").is_some_and(|config| !config.is_null());
    let storage = text(&release, "/status/storageNamespace");
    let Some(latest) = latest(&release).filter(|_| !is_remote && !storage.is_empty()) else {
        return Ok(Some(Vec::new()));
    };
    let stored = StoredRelease {
        namespace: storage,
        release: latest.name,
        version: latest.version,
    };
    let Some(stored) = stored.read(cluster).await? else {
        return Ok(Some(Vec::new()));
    };
    let manifest = manifest(&stored).map_err(|cause| {
        let (namespace, name) = (&id.namespace, &id.name);
        Error::Malformed(format!(
            "failed to decode the Helm storage object for HelmRelease '{namespace}/{name}': {cause}"
        ))
    })?;
    let mut ids = identify(cluster, manifest, latest.namespace).await;
    if applies_definitions(&release) {
        let known: Vec<String> = ids
            .iter()
            .filter(|id| id.kind == DEFINITION)
            .map(|id| id.name.clone())
            .collect();
        ids.extend(
            definitions(cluster, &release)
                .await
                .into_iter()
                .filter(|id| !known.contains(&id.name)),
        );
    }
    Ok(Some(ids))
}

/// The objects whose health a HelmRelease waits for: those of the newest stored release, which
/// its status names only after success. Empty if they cannot be read or are on another cluster.
pub async fn awaited(cluster: &Cluster, release: &Object) -> Vec<ObjectId> {
    if at(release, "/spec/kubeConfig").is_some_and(|config| !config.is_null()) {
        return Vec::new();
    }
    let first = |fields: &[&'static str]| {
        let texts = fields.iter().map(|field| text(release, field));
        texts.into_iter().find(|text| !text.is_empty())
    };
    let own = "/metadata/namespace";
    let storage = first(&["/status/storageNamespace", "/spec/storageNamespace", own]);
    let target = first(&["/spec/targetNamespace", own]).unwrap_or_default();
    let name = name(release);
    let Some(stored) = newest(cluster, storage.unwrap_or_default(), &name).await else {
        return Vec::new();
    };
    let waits = match stored.version {
        1 => "/spec/install/disableWait",
        _ => "/spec/upgrade/disableWait",
    };
    if at(release, waits).and_then(Value::as_bool) == Some(true) {
        return Vec::new();
    }
    match stored
        .read(cluster)
        .await
        .ok()
        .flatten()
        .as_ref()
        .map(manifest)
    {
        Some(Ok(manifest)) => identify(cluster, manifest, target).await,
        Some(Err(_)) | None => Vec::new(),
    }
}

/// The name of the Helm release. Only the history has a name that the controller shortened.
fn name(release: &Object) -> String {
    if let Some(latest) = latest(release) {
        return latest.name.to_owned();
    }
    match (
        text(release, "/spec/releaseName"),
        text(release, "/spec/targetNamespace"),
    ) {
        ("", "") => release.name().to_owned(),
        ("", target) => format!("{target}-{}", release.name()),
        (given, _) => given.to_owned(),
    }
}

/// A release in Helm's storage.
struct StoredRelease<'s> {
    namespace: &'s str,
    release: &'s str,
    version: i64,
}

impl StoredRelease<'_> {
    /// Its Secret, if it exists.
    async fn read(&self, cluster: &Cluster) -> Result<Option<Value>, Error> {
        let name = format!("sh.helm.release.v1.{}.v{}", self.release, self.version);
        Ok(cluster.get(&secrets(), Some(self.namespace), &name).await?)
    }
}

fn secrets() -> GroupVersionKind {
    GroupVersionKind::gvk("", "v1", "Secret")
}

/// The newest release of a name, deployed or not.
async fn newest<'s>(
    cluster: &Cluster,
    namespace: &'s str,
    release: &'s str,
) -> Option<StoredRelease<'s>> {
    let options = ListOptions {
        labels: Some(format!("owner=helm,name={release}")),
        metadata_only: true,
        ..ListOptions::default()
    };
    let list = cluster.list(&secrets(), Some(namespace), &options).await;
    let list: Vec<Object> = objects(list.ok()?.items).collect();
    let versions = list.iter().filter_map(|secret| secret.label("version"));
    let version = versions.filter_map(|version| version.parse().ok()).max()?;
    Some(StoredRelease {
        namespace,
        release,
        version,
    })
}

/// The ids of a manifest's objects; the manifest omits the namespace of the release.
async fn identify(cluster: &Cluster, manifest: Vec<Object>, namespace: &str) -> Vec<ObjectId> {
    let mut ids = Vec::with_capacity(manifest.len());
    for mut object in manifest {
        if object.namespace().is_empty() && is_namespaced(cluster, &object).await {
            object.set_namespace(namespace);
        }
        ids.push(object.id());
    }
    ids
}

struct Latest<'r> {
    name: &'r str,
    namespace: &'r str,
    version: i64,
}

/// The newest entry of the history.
fn latest(release: &Object) -> Option<Latest<'_>> {
    let entries = at(release, "/status/history").and_then(Value::as_array)?;
    let latest = entries
        .iter()
        .max_by_key(|entry| entry["version"].as_i64())?;
    Some(Latest {
        name: latest["name"].as_str()?,
        namespace: latest["namespace"].as_str().unwrap_or_default(),
        version: latest["version"].as_i64()?,
    })
}

/// The objects of a stored release.
fn manifest(secret: &Value) -> Result<Vec<Object>, String> {
    let decode = |text: &[u8]| STANDARD.decode(text).map_err(|error| error.to_string());
    let data = secret["data"]["release"]
        .as_str()
        .ok_or("it has no release")?;
    // Encoded by Helm, and again as a value of a Secret.
    let mut bytes = decode(&decode(data.as_bytes())?)?;
    if bytes.starts_with(&[0x1f, 0x8b, 0x08]) {
        let mut plain = Vec::new();
        GzDecoder::new(bytes.as_slice())
            .take(MAX_RELEASE_BYTES)
            .read_to_end(&mut plain)
            .map_err(|error| error.to_string())?;
        bytes = plain;
    }
    // The message of the parser could quote a secret value.
    let release: Value =
        serde_json::from_slice(&bytes).map_err(|error| format!("line {}", error.line()))?;
    let text = release["manifest"].as_str().unwrap_or_default();
    let values = v2::documents(text).map_err(|_| "its manifest is not YAML".to_owned())?;
    Ok(documents::expand(values))
}

/// Whether a kind is namespaced; an unknown kind is not.
async fn is_namespaced(cluster: &Cluster, object: &Object) -> bool {
    let kind = GroupKind {
        group: object.group().to_owned(),
        kind: object.kind().to_owned(),
    };
    let resource = cluster.preferred(&kind).await;
    resource.is_ok_and(|resource| resource.namespaced)
}

/// Whether installing or upgrading applies the chart's own definitions.
fn applies_definitions(release: &Object) -> bool {
    ["/spec/install/crds", "/spec/upgrade/crds"]
        .into_iter()
        .any(|field| !["", "Skip"].contains(&text(release, field)))
}

/// The CRDs with the owner labels of the release. They are omitted if they cannot be listed.
async fn definitions(cluster: &Cluster, release: &Object) -> Vec<ObjectId> {
    let (name, namespace) = (release.name(), release.namespace());
    let options = ListOptions {
        labels: Some(format!("{HELM}/name={name},{HELM}/namespace={namespace}")),
        metadata_only: true,
        ..ListOptions::default()
    };
    let gvk = GroupVersionKind::gvk(EXTENSIONS, "v1", DEFINITION);
    match cluster.list(&gvk, None, &options).await {
        Ok(list) => objects(list.items).map(|object| object.id()).collect(),
        Err(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde_json::json;

    use super::*;

    fn stored(bytes: &[u8]) -> Value {
        json!({"data": {"release": STANDARD.encode(STANDARD.encode(bytes))}})
    }

    fn names(secret: &Value) -> Result<Vec<String>, String> {
        manifest(secret).map(|objects| objects.iter().map(|o| o.id().to_string()).collect())
    }

    #[test]
    fn release_is_read_with_and_without_compression() {
        let release = json!({"name": "web", "manifest":
            "---\n# Source: a\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n---\napiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: apps}}]\n"});
        let text = release.to_string();
        let expected = ["Service/web", "Secret/apps/s"];
        assert_eq!(names(&stored(text.as_bytes())).unwrap(), expected);
        let mut packed = GzEncoder::new(Vec::new(), Compression::default());
        packed.write_all(text.as_bytes()).unwrap();
        assert_eq!(names(&stored(&packed.finish().unwrap())).unwrap(), expected);
    }

    #[test]
    fn errors_do_not_quote_the_release() {
        for secret in [
            json!({"data": {}}),
            json!({"data": {"release": "canary"}}),
            stored(b"{\"canary\": "),
            stored(b"\x1f\x8b\x08canary"),
            stored(json!({"manifest": "canary: ["}).to_string().as_bytes()),
        ] {
            let error = names(&secret).unwrap_err();
            assert!(!error.contains("canary"), "{error}");
        }
    }

    #[test]
    fn newest_release_wins() {
        let release: Object = serde_json::from_value(json!({"apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease", "metadata": {"name": "a"}, "status": {"history": [
                {"name": "a", "namespace": "n", "version": 3}, {"name": "a", "namespace": "n", "version": 12}]}}))
        .unwrap();
        assert_eq!(latest(&release).unwrap().version, 12);
    }

    #[test]
    fn release_name_follows_helm_controller() {
        let release = |spec: Value, status: Value| -> Object {
            serde_json::from_value(json!({"apiVersion": "helm.toolkit.fluxcd.io/v2",
                "kind": "HelmRelease", "metadata": {"name": "web", "namespace": "apps"},
                "spec": spec, "status": status}))
            .unwrap()
        };
        let history = json!({"history": [{"name": "old", "namespace": "n", "version": 1}]});
        for (spec, status, expected) in [
            (json!({}), json!({}), "web"),
            (json!({"targetNamespace": "there"}), json!({}), "there-web"),
            (
                json!({"targetNamespace": "there", "releaseName": "given"}),
                json!({}),
                "given",
            ),
            (json!({"releaseName": "given"}), history, "old"),
        ] {
            assert_eq!(name(&release(spec, status)), expected);
        }
    }
}
