//! Inputs of the command line's bench: an overlay on disk and in a cluster, nested Kustomizations,
//! and objects of every kind with statuses.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{Cluster, PatchOptions};
use sluice_object::Object;
use sluice_system::fs;

use crate::bench::cluster::{self, IN_FLIGHT};
use crate::bench::kustomize::inputs::{MAPS, flat};

/// Namespace of all objects.
const NAMESPACE: &str = "flux-system";
/// Directory of the overlay's objects.
const APPLIED: &str = "prod";
/// Objects of each nested Kustomization.
pub(super) const OF_EACH: usize = 50;
/// Edited files of the overlay.
const EDITED: usize = 10;

const COMMIT: &str = "0123456789abcdef0123456789abcdef01234567";

/// A Kustomization on disk with its manifests.
pub(super) struct Local {
    file: PathBuf,
    folder: PathBuf,
    /// The link between Kustomizations.
    sources: Option<PathBuf>,
}

impl Local {
    /// Returns the command line for it.
    pub(super) fn line(&self, verb: &str, more: &str) -> String {
        let (file, folder) = (self.file.display(), self.folder.display());
        let mut line =
            format!("{verb} kustomization apps --path {folder} --kustomization-file {file} {more}");
        if let Some(sources) = &self.sources {
            let root = sources.display();
            let _infallible = write!(
                line,
                " --recursive --local-sources GitRepository/{NAMESPACE}/fleet={root}"
            );
        }
        line
    }

    /// Changes some manifests, as a commit would.
    pub(super) fn edit(&self) -> anyhow::Result<()> {
        for app in 0..EDITED {
            let path = self.folder.join(format!("app-{app}.yaml"));
            let Ok(text) = fs::read_to_string(&path) else {
                break;
            };
            fs::write(&path, text.replace("level: info", "level: debug"))?;
        }
        Ok(())
    }
}

fn kustomization(name: &str, path: &str) -> Value {
    json!({
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
        "metadata": { "name": name, "namespace": NAMESPACE },
        "spec": {
            "interval": "10m", "path": path, "prune": true,
            "sourceRef": { "kind": "GitRepository", "name": "fleet" },
        },
    })
}

/// Creates an overlay with this many objects, including generated ones.
pub(super) fn overlay(place: &Path, objects: usize) -> anyhow::Result<Local> {
    let folder = place.join("overlay");
    flat(&folder, objects.saturating_sub(MAPS))?;
    let file = place.join("apps.yaml");
    fs::write(
        &file,
        sluice_yaml::v2::to_string(&kustomization("apps", "./overlay")),
    )?;
    Ok(Local {
        file,
        folder,
        sources: None,
    })
}

/// Creates nested Kustomizations.
pub(super) fn fleet(place: &Path, count: usize) -> anyhow::Result<Local> {
    let folder = place.join("clusters");
    fs::create_dir_all(&folder)?;
    let mut list = String::from("resources:\n");
    for each in 0..count {
        let name = format!("team-{each:02}");
        let path = format!("./teams/{name}");
        let manifest = sluice_yaml::v2::to_string(&kustomization(&name, &path));
        fs::write(folder.join(format!("{name}.yaml")), manifest)?;
        let _infallible = writeln!(list, "- {name}.yaml");
        team(&place.join(path), &name)?;
    }
    fs::write(folder.join("kustomization.yaml"), list)?;
    let file = place.join("apps.yaml");
    let apps = kustomization("apps", "./clusters");
    fs::write(&file, sluice_yaml::v2::to_string(&apps))?;
    Ok(Local {
        file,
        folder,
        sources: Some(place.to_owned()),
    })
}

fn team(folder: &Path, name: &str) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let mut all = String::new();
    for each in 0..OF_EACH {
        let app = format!("{name}-{each}");
        let _infallible = write!(
            all,
            "---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {app}\n  namespace: {name}\nspec:\n  \
             replicas: 2\n  selector:\n    matchLabels: {{app: {app}}}\n  template:\n    metadata:\n      \
             labels: {{app: {app}}}\n    spec:\n      containers:\n      - name: app\n        \
             image: example.com/app:v1\n        ports:\n        - {{name: http, containerPort: 8080}}\n"
        );
    }
    fs::write(folder.join("all.yaml"), all)?;
    let file =
        "namePrefix: x-\nresources:\n- all.yaml\nimages:\n- name: example.com/app\n  newTag: v2\n";
    Ok(fs::write(folder.join("kustomization.yaml"), file)?)
}

/// Applies built objects with their Kustomization, as the controller does. Returns their number.
pub(super) async fn applied(cluster: &Cluster, built: &str) -> anyhow::Result<usize> {
    cluster::prepare(cluster).await?;
    let namespace =
        json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": APPLIED } });
    cluster::apply(cluster, None, &namespace, "bench", false).await?;
    let mut objects = sluice_yaml::v2::documents(built)?;
    objects.retain(Value::is_object);
    futures::stream::iter(&objects)
        .map(|object| {
            cluster::apply(
                cluster,
                Some(APPLIED),
                object,
                "kustomize-controller",
                false,
            )
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    let entries: Vec<Value> = objects
        .iter()
        .map(|object| {
            let version = object["apiVersion"].as_str().unwrap_or_default();
            let version = version.rsplit('/').next().unwrap_or_default();
            let id = Object::try_from(object.clone()).ok()?.id().inventory();
            Some(json!({ "id": id, "v": version }))
        })
        .collect::<Option<_>>()
        .context("read the built objects")?;
    let mut owner = kustomization("apps", "./overlay");
    cluster::apply(cluster, Some(NAMESPACE), &owner, "bench", false).await?;
    owner["status"] = json!({ "inventory": { "entries": entries } });
    status(cluster, &owner).await?;
    Ok(objects.len())
}

async fn status(cluster: &Cluster, object: &Value) -> anyhow::Result<()> {
    let options = PatchOptions {
        subresource: Some("status"),
        ..PatchOptions::default()
    };
    let name = object["metadata"]["name"].as_str().context("a name")?;
    let status = json!({ "status": object["status"] });
    let gvk = cluster::gvk_of(object)?;
    cluster
        .merge(&gvk, Some(NAMESPACE), name, &status, options)
        .await?;
    Ok(())
}

/// Creates about this many objects, spread over the kinds of `get all`. Returns their number.
pub(super) async fn many(cluster: &Cluster, objects: usize) -> anyhow::Result<usize> {
    cluster::prepare(cluster).await?;
    for component in [
        "helm-controller",
        "notification-controller",
        "image-reflector-controller",
        "image-automation-controller",
    ] {
        let text = sluice_api::crds(component).context("no definitions")?;
        for definition in sluice_yaml::v2::documents(text)? {
            cluster::apply(cluster, None, &definition, "bench", false).await?;
        }
    }
    let kinds = kinds();
    let of_each = objects.div_ceil(kinds.len());
    let all = kinds
        .iter()
        .flat_map(|kind| (0..of_each).map(move |each| kind.object(each)));
    futures::stream::iter(all)
        .map(|object| async move {
            cluster::apply(cluster, Some(NAMESPACE), &object, "bench", false).await?;
            if object["status"].is_object() {
                status(cluster, &object).await?;
            }
            anyhow::Ok(())
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await?;
    let all = of_each * kinds.len();
    ensure!(all > 0, "there is nothing to list");
    Ok(all)
}

/// A kind and the form of its objects.
struct Shape {
    version: &'static str,
    kind: &'static str,
    spec: Value,
    /// Status besides conditions; `None` without a status.
    status: Option<Value>,
}

impl Shape {
    fn object(&self, each: usize) -> Value {
        let (kind, name) = (self.kind, format!("app-{each:04}"));
        let mut object = json!({
            "apiVersion": self.version, "kind": kind,
            "metadata": { "name": name, "namespace": NAMESPACE, "labels": { "app": name, "team": "a" } },
            "spec": self.spec,
        });
        let Some(status) = &self.status else {
            return object;
        };
        // Only messages about revisions are long.
        let message = match self.version {
            "source.toolkit.fluxcd.io/v1" | "kustomize.toolkit.fluxcd.io/v1" => {
                format!("{kind} of app {name} is at revision main@sha1:{COMMIT}")
            }
            _ => format!("{kind} of app {name} is ready"),
        };
        object["status"] = status.clone();
        object["status"]["conditions"] = json!([{
            "type": "Ready", "status": "True", "reason": "Succeeded", "observedGeneration": 1,
            "lastTransitionTime": "2026-01-02T03:04:05Z",
            "message": message,
        }]);
        object
    }
}

fn kinds() -> Vec<Shape> {
    let kind = |version, kind, spec, status| Shape {
        version,
        kind,
        spec,
        status,
    };
    let source = "source.toolkit.fluxcd.io/v1";
    let image = "image.toolkit.fluxcd.io/v1";
    let artifact = || {
        Some(json!({ "artifact": {
            "revision": format!("main@sha1:{COMMIT}"), "digest": format!("sha256:{COMMIT}"),
            "path": "gitrepository/flux-system/app/1.tar.gz", "size": 4096,
            "url": "http://source-controller.flux-system.svc.cluster.local./1.tar.gz",
            "lastUpdateTime": "2026-01-02T03:04:05Z",
        } }))
    };
    let inventory: Vec<Value> = (0..20)
        .map(|each| json!({ "id": format!("prod_app-{each}_apps_Deployment"), "v": "v1" }))
        .collect();
    let fleet = json!({ "kind": "GitRepository", "name": "fleet" });
    let mut shapes: Vec<Shape> = source_specs()
        .into_iter()
        .map(|(name, spec)| kind(source, name, spec, artifact()))
        .collect();
    shapes.extend([
        kind(
            image,
            "ImageRepository",
            json!({ "interval": "10m", "image": "example.com/app" }),
            Some(json!({})),
        ),
        kind(
            image,
            "ImagePolicy",
            json!({ "imageRepositoryRef": { "name": "app" }, "policy": { "semver": { "range": "*" } } }),
            Some(json!({})),
        ),
        kind(
            image,
            "ImageUpdateAutomation",
            json!({ "interval": "10m", "sourceRef": fleet,
                "git": { "commit": { "author": { "email": "bot@example.com" } } } }),
            Some(json!({})),
        ),
        kind(
            "helm.toolkit.fluxcd.io/v2",
            "HelmRelease",
            json!({ "interval": "10m", "chartRef": { "kind": "OCIRepository", "name": "app" } }),
            Some(json!({ "lastAttemptedRevision": "6.5.4" })),
        ),
        kind(
            "kustomize.toolkit.fluxcd.io/v1",
            "Kustomization",
            json!({ "interval": "10m", "prune": true, "path": "./app", "sourceRef": fleet }),
            Some(
                json!({ "lastAppliedRevision": format!("main@sha1:{COMMIT}"),
                "inventory": { "entries": inventory } }),
            ),
        ),
        kind(
            "notification.toolkit.fluxcd.io/v1",
            "Receiver",
            json!({ "type": "generic", "secretRef": { "name": "token" }, "resources": [fleet] }),
            Some(json!({})),
        ),
        kind(
            "notification.toolkit.fluxcd.io/v1beta3",
            "Provider",
            json!({ "type": "generic", "address": "https://example.com/hook" }),
            None,
        ),
        kind(
            "notification.toolkit.fluxcd.io/v1beta3",
            "Alert",
            json!({ "providerRef": { "name": "app" }, "eventSources": [{ "kind": "Kustomization", "name": "*" }] }),
            None,
        ),
    ]);
    shapes
}

/// Kinds with an artifact, and their specs.
fn source_specs() -> [(&'static str, Value); 6] {
    [
        (
            "OCIRepository",
            json!({ "interval": "10m", "url": "oci://example.com/app" }),
        ),
        (
            "Bucket",
            json!({ "interval": "10m", "bucketName": "a", "endpoint": "s3.example.com" }),
        ),
        (
            "GitRepository",
            json!({ "interval": "10m", "url": "https://example.com/app" }),
        ),
        (
            "HelmRepository",
            json!({ "interval": "10m", "url": "https://example.com/charts" }),
        ),
        (
            "HelmChart",
            json!({ "interval": "10m", "chart": "app", "sourceRef": { "kind": "HelmRepository", "name": "a" } }),
        ),
        (
            "ExternalArtifact",
            json!({ "sourceRef": { "kind": "GitRepository", "name": "fleet", "namespace": NAMESPACE } }),
        ),
    ]
}
