//! What a HelmRelease installed, read from the release that Helm stored: its manifest, and the
//! definitions that were applied beside it.
//!
//! Parity: flux2: `cmd/flux/tree_kustomization.go`.

use std::io::Read as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::GzDecoder;
use serde_json::Value;
use sluice_client::{GroupKind, GroupVersionKind, ListOptions};
use sluice_object::{Object, ObjectId, documents};
use sluice_yaml::v2;

use crate::cluster::{Context, objects, refusal};
use crate::error::CommandError;
use crate::resource::{HELM, at, by_kind, text};

const DEFINITION: &str = "CustomResourceDefinition";
const EXTENSIONS: &str = "apiextensions.k8s.io";

/// No release is larger: it was stored in one Secret, which has at most 1 MiB, compressed.
const LARGEST: u64 = 64 << 20;

/// The objects of a HelmRelease; `None` if it is not there.
pub(super) async fn inventory(
    context: &Context,
    id: &ObjectId,
) -> Result<Option<Vec<ObjectId>>, CommandError> {
    let kind = by_kind("HelmRelease")
        .ok_or_else(|| CommandError::internal("the registry lacks HelmRelease"))?;
    let Some(release) = context.find_in(kind, &id.namespace, &id.name).await? else {
        return Ok(None);
    };
    let is_remote = at(&release, "/spec/kubeConfig").is_some_and(|config| !config.is_null());
    let storage = text(&release, "/status/storageNamespace");
    let Some(latest) = latest(&release).filter(|_| !is_remote && !storage.is_empty()) else {
        return Ok(Some(Vec::new()));
    };
    let secrets = GroupVersionKind::gvk("", "v1", "Secret");
    let name = format!("sh.helm.release.v1.{}.v{}", latest.name, latest.version);
    let stored = context
        .cluster()?
        .get(&secrets, Some(storage), &name)
        .await
        .map_err(|error| refusal(&error))?;
    let Some(stored) = stored else {
        return Ok(Some(Vec::new()));
    };
    let manifest = manifest(&stored).map_err(|why| {
        let (namespace, name) = (&id.namespace, &id.name);
        CommandError::cluster(format!(
            "failed to decode the Helm storage object for HelmRelease '{namespace}/{name}': {why}"
        ))
    })?;
    let mut ids = Vec::new();
    for mut object in manifest {
        if object.namespace().is_empty() && is_namespaced(context, &object).await {
            object.set_namespace(latest.namespace);
        }
        ids.push(object.id());
    }
    if applies_definitions(&release) {
        let known: Vec<String> = ids
            .iter()
            .filter(|id| id.kind == DEFINITION)
            .map(|id| id.name.clone())
            .collect();
        ids.extend(
            definitions(context, &release)
                .await
                .into_iter()
                .filter(|id| !known.contains(&id.name)),
        );
    }
    Ok(Some(ids))
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
    // Once by Helm, and once more as every value of a Secret.
    let mut bytes = decode(&decode(data.as_bytes())?)?;
    if bytes.starts_with(&[0x1f, 0x8b, 0x08]) {
        let mut plain = Vec::new();
        GzDecoder::new(bytes.as_slice())
            .take(LARGEST)
            .read_to_end(&mut plain)
            .map_err(|error| error.to_string())?;
        bytes = plain;
    }
    // A parser's message would quote what may be secret.
    let release: Value =
        serde_json::from_slice(&bytes).map_err(|error| format!("line {}", error.line()))?;
    let text = release["manifest"].as_str().unwrap_or_default();
    let values = v2::documents(text).map_err(|_| "its manifest is no YAML".to_owned())?;
    Ok(documents::expand(values))
}

/// What the server does not know is taken for what its manifest says.
async fn is_namespaced(context: &Context, object: &Object) -> bool {
    let Ok(cluster) = context.cluster() else {
        return false;
    };
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

/// The definitions that carry the label of the release. Not being allowed to list them only
/// shortens the tree.
async fn definitions(context: &Context, release: &Object) -> Vec<ObjectId> {
    let (name, namespace) = (release.name(), release.namespace());
    let options = ListOptions {
        labels: Some(format!("{HELM}/name={name},{HELM}/namespace={namespace}")),
        metadata_only: true,
        ..ListOptions::default()
    };
    let gvk = GroupVersionKind::gvk(EXTENSIONS, "v1", DEFINITION);
    let Ok(cluster) = context.cluster() else {
        return Vec::new();
    };
    match cluster.list(&gvk, None, &options).await {
        Ok(list) => objects(list).iter().map(Object::id).collect(),
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
    fn a_release_is_read_with_and_without_compression() {
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
    fn what_cannot_be_read_is_refused_without_being_quoted() {
        for secret in [
            json!({"data": {}}),
            json!({"data": {"release": "canary"}}),
            stored(b"{\"canary\": "),
            stored(b"\x1f\x8b\x08canary"),
            stored(json!({"manifest": "canary: ["}).to_string().as_bytes()),
        ] {
            let why = names(&secret).unwrap_err();
            assert!(!why.contains("canary"), "{why}");
        }
    }

    #[test]
    fn the_newest_release_counts() {
        let release: Object = serde_json::from_value(json!({"apiVersion": "helm.toolkit.fluxcd.io/v2",
            "kind": "HelmRelease", "metadata": {"name": "a"}, "status": {"history": [
                {"name": "a", "namespace": "n", "version": 3}, {"name": "a", "namespace": "n", "version": 12}]}}))
        .unwrap();
        assert_eq!(latest(&release).unwrap().version, 12);
    }
}
