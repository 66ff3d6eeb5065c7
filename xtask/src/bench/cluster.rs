//! Shared by all benches with controllers: the cluster, its objects, and waits.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use futures::StreamExt as _;
use serde_json::{Value, json};
use sluice_client::{
    Cluster, GroupVersionKind, ListOptions, PatchOptions, WatchEvent, WatchOptions,
};

pub(super) const NAMESPACE: &str = "mttp";
/// Maximum number of parallel requests of the bench.
pub(super) const IN_FLIGHT: usize = 20;
pub(super) const TIMEOUT: Duration = Duration::from_mins(15);
/// Poll interval where nothing can be watched.
pub(super) const POLL: Duration = Duration::from_millis(20);
/// Kinds that Kustomizations of benches apply.
const APPLIED: &[&str] = &[
    "configmaps",
    "deployments",
    "ingresses",
    "networkpolicies",
    "secrets",
    "serviceaccounts",
    "services",
];

/// Converts a count: all counts are below 2³².
pub(super) fn float(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::NAN, f64::from)
}

pub(super) fn connect(kubeconfig: &Path) -> anyhow::Result<Cluster> {
    let flags = sluice_client::kubeconfig::Flags {
        kubeconfig: Some(kubeconfig.to_owned()),
        ..Default::default()
    };
    let loaded = sluice_client::kubeconfig::load(
        &flags,
        &sluice_client::kubeconfig::Environment::of_process(),
    )?;
    let mut options = sluice_client::Options::new("sluice-bench");
    options.rate = None;
    Ok(Cluster::connect(loaded.config, options)?)
}

pub(super) fn free_ports<const N: usize>() -> anyhow::Result<[u16; N]> {
    let mut ports = [0; N];
    let mut held = Vec::new();
    for port in &mut ports {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0))?;
        *port = listener.local_addr()?.port();
        held.push(listener);
    }
    Ok(ports)
}

pub(super) async fn apply(
    cluster: &Cluster,
    namespace: Option<&str>,
    object: &Value,
    manager: &str,
    dry_run: bool,
) -> anyhow::Result<()> {
    let gvk = gvk_of(object)?;
    let options = PatchOptions {
        field_manager: Some(manager),
        force: true,
        dry_run,
        ..PatchOptions::default()
    };
    let name = object["metadata"]["name"].as_str().context("no name")?;
    cluster
        .apply(&gvk, namespace, name, object, options)
        .await?;
    Ok(())
}

pub(super) fn gvk_of(object: &Value) -> anyhow::Result<GroupVersionKind> {
    let version = object["apiVersion"].as_str().context("no apiVersion")?;
    let kind = object["kind"].as_str().context("no kind")?;
    let (group, version) = version.split_once('/').unwrap_or(("", version));
    Ok(GroupVersionKind::gvk(group, version, kind))
}

/// Creates definitions, namespaces and the applying account.
pub(super) async fn prepare(cluster: &Cluster) -> anyhow::Result<()> {
    for component in ["source-controller", "kustomize-controller"] {
        let text = sluice_api::crds(component).context("no definitions")?;
        for definition in sluice_yaml::v2::documents(text)? {
            apply(cluster, None, &definition, "bench", false).await?;
        }
    }
    for name in ["flux-system", NAMESPACE] {
        let namespace =
            json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
        apply(cluster, None, &namespace, "bench", false).await?;
    }
    let account = json!({
        "apiVersion": "v1", "kind": "ServiceAccount",
        "metadata": { "name": "applier", "namespace": NAMESPACE },
    });
    apply(cluster, Some(NAMESPACE), &account, "bench", false).await?;
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding",
        "metadata": { "name": "applier", "namespace": NAMESPACE },
        "roleRef": {
            "apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin",
        },
        "subjects": [{ "kind": "ServiceAccount", "name": "applier", "namespace": NAMESPACE }],
    });
    apply(cluster, Some(NAMESPACE), &binding, "bench", false).await?;
    // Definitions are served shortly after they are established.
    for _ in 0..100 {
        cluster.invalidate_discovery();
        let kinds = [source_kind(), kustomization_kind()];
        let mut served = true;
        for kind in &kinds {
            served &= cluster
                .list(kind, Some(NAMESPACE), &ListOptions::default())
                .await
                .is_ok();
        }
        if served {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    bail!("the definitions are not served")
}

/// Creates the definitions of a controller, and waits until these kinds are served.
pub(super) async fn define(
    cluster: &Cluster,
    controller: &str,
    kinds: &[GroupVersionKind],
) -> anyhow::Result<()> {
    let text = sluice_api::crds(controller).context("no definitions")?;
    for definition in sluice_yaml::v2::documents(text)? {
        apply(cluster, None, &definition, "bench", false).await?;
    }
    let began = Instant::now();
    let options = ListOptions::default();
    for kind in kinds {
        while cluster.list(kind, Some(NAMESPACE), &options).await.is_err() {
            ensure!(began.elapsed() < TIMEOUT, "{} is not served", kind.kind);
            tokio::time::sleep(POLL).await;
            cluster.invalidate_discovery();
        }
    }
    Ok(())
}

pub(super) fn release_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease")
}

pub(super) fn source_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "GitRepository")
}

pub(super) fn kustomization_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization")
}

pub(super) fn name(index: usize) -> String {
    format!("app-{index:04}")
}

/// The four objects of one pair in a version.
pub(super) fn manifests(name: &str, version: usize) -> [Value; 4] {
    let metadata = json!({ "name": name, "namespace": NAMESPACE });
    [
        json!({ "apiVersion": "v1", "kind": "ServiceAccount", "metadata": metadata }),
        json!({
            "apiVersion": "v1", "kind": "Service", "metadata": metadata,
            "spec": {
                "selector": { "app": name },
                "ports": [{ "name": "http", "port": 80, "targetPort": 8080, "protocol": "TCP" }],
            },
        }),
        json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata,
            "spec": {
                "replicas": 0,
                "selector": { "matchLabels": { "app": name } },
                "template": {
                    "metadata": { "labels": { "app": name } },
                    "spec": {
                        "serviceAccountName": name,
                        "containers": [{
                            "name": "app",
                            "image": format!("example.com/app:v{version}"),
                            "ports": [{ "name": "http", "containerPort": 8080, "protocol": "TCP" }],
                            "resources": { "requests": { "cpu": "100m", "memory": "64Mi" } },
                        }],
                    },
                },
            },
        }),
        json!({
            "apiVersion": "networking.k8s.io/v1", "kind": "Ingress", "metadata": metadata,
            "spec": {
                "rules": [{
                    "host": format!("{name}.example.com"),
                    "http": { "paths": [{
                        "path": "/", "pathType": "Prefix",
                        "backend": { "service": { "name": name, "port": { "name": "http" } } },
                    }] },
                }],
            },
        }),
    ]
}

pub(super) fn is_ready(object: &Value) -> bool {
    object["status"]["conditions"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

/// The four objects of one pair as a file.
pub(super) fn file(name: &str, version: usize) -> String {
    let documents = manifests(name, version).map(|object| sluice_yaml::v2::to_string(&object));
    documents.join("---\n")
}

/// Waits until this many objects of a kind are ready.
pub(super) async fn all_ready(
    cluster: &Cluster,
    kind: &GroupVersionKind,
    count: usize,
) -> anyhow::Result<()> {
    all(cluster, kind, count, is_ready).await
}

/// Waits until a condition has held for this many objects of a kind.
pub(super) async fn all(
    cluster: &Cluster,
    kind: &GroupVersionKind,
    count: usize,
    is_wanted: impl Fn(&Value) -> bool,
) -> anyhow::Result<()> {
    let mut seen = HashSet::new();
    let options = WatchOptions {
        initial: true,
        ..WatchOptions::default()
    };
    while seen.len() < count {
        let mut events = cluster.watch(kind, Some(NAMESPACE), "", &options).await?;
        while let Some(event) = events.next().await {
            if let WatchEvent::Added(object) | WatchEvent::Modified(object) = event?
                && is_wanted(&object)
                && let Some(name) = object["metadata"]["name"].as_str()
            {
                seen.insert(name.to_owned());
                if seen.len() == count {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Returns the difference to an earlier count of requests.
pub(super) fn since(
    before: &BTreeMap<String, f64>,
    after: BTreeMap<String, f64>,
) -> BTreeMap<String, f64> {
    after
        .into_iter()
        .map(|(name, count)| {
            let earlier = before.get(&name).copied().unwrap_or_default();
            (name, count - earlier)
        })
        .filter(|(_, count)| *count > 0.0)
        .collect()
}

/// Counts the API server's requests by verb and resource, without watches, which count at their
/// end.
pub(super) async fn requests(cluster: &Cluster) -> anyhow::Result<BTreeMap<String, f64>> {
    let request = http::Request::get("/metrics").body(Vec::new())?;
    let text = cluster.client().request_text(request).await?;
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let Some((labels, value)) = line
            .strip_prefix("apiserver_request_total{")
            .and_then(|rest| rest.split_once("} "))
        else {
            continue;
        };
        let label = |name: &str| {
            let from = labels.find(&format!("{name}=\""))? + name.len() + 2;
            labels[from..].split('"').next()
        };
        let resource = label("resource").unwrap_or_default();
        let ours = label("group").is_some_and(|group| group.ends_with("toolkit.fluxcd.io"));
        let applied = APPLIED.contains(&resource);
        let verb = label("verb").unwrap_or_default();
        let event = resource == "events" && ["POST", "PATCH"].contains(&verb);
        let counted =
            ours || event || applied && ["APPLY", "PATCH", "GET", "LIST", "DELETE"].contains(&verb);
        if !counted || verb == "WATCH" {
            continue;
        }
        let mut name = format!("{verb} {resource}");
        if let Some(subresource) = label("subresource").filter(|name| !name.is_empty()) {
            name = format!("{name}/{subresource}");
        }
        if label("dry_run").is_some_and(|value| !value.is_empty()) {
            name.push_str(" (dry run)");
        }
        *counts.entry(name).or_default() += value.parse::<f64>().unwrap_or_default();
    }
    Ok(counts)
}
