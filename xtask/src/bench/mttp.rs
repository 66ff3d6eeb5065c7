//! Mean time to production: N pairs of GitRepository and Kustomization created at once, each with
//! a Deployment at zero replicas, a ServiceAccount, a Service and an Ingress, `wait: true`, under
//! an impersonated ServiceAccount; measured until all are Ready. With `--source oci`, N
//! `OCIRepository` objects alone.

mod oci;

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use futures::{StreamExt as _, TryStreamExt as _};
use serde_json::{Value, json};
use sluice_client::{
    Cluster, DeleteOptions, GroupVersionKind, ListOptions, PatchOptions, WatchEvent, WatchOptions,
};
use sluice_devcluster::{ControlPlane, GitOptions, GitServer, Options, Toolbox};
use sluice_git::serve::{Change, Repository};

use super::Usual;
use super::floor;
use super::process::{Measured, Usage};

pub(super) const NAMESPACE: &str = "mttp";
/// Requests under way at most where the bench itself writes.
pub(super) const IN_FLIGHT: usize = 20;
pub(super) const PATIENCE: Duration = Duration::from_mins(15);
/// The kinds that Kustomizations of benches apply.
const APPLIED: &[&str] = &[
    "configmaps",
    "deployments",
    "ingresses",
    "networkpolicies",
    "secrets",
    "serviceaccounts",
    "services",
];

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Numbers of pairs, one run each
    #[arg(long, value_delimiter = ',', default_value = "100")]
    objects: Vec<usize>,
    /// Pairs with a `GitRepository` each, or `OCIRepository` objects alone
    #[arg(long, value_enum, default_value = "git")]
    source: SourceKind,
    #[command(flatten)]
    usual: Usual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum SourceKind {
    Git,
    Oci,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let binary = match &args.usual.binary {
        Some(path) => path.clone(),
        None => release_build()?,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let mut results = Vec::new();
    if args.source == SourceKind::Oci {
        println!("{}", oci::Outcome::HEADER);
        for count in &args.objects {
            let measured = oci::measure(*count, &binary, args.usual.log.as_deref());
            let result = runtime.block_on(measured)?;
            println!("{}", result.row());
            results.push(result.to_value());
        }
        return record(args, &results);
    }
    println!(
        "| pairs | floor | all Ready | × floor | API requests per pair | peak RSS (anonymous) | CPU per Kustomization | deleted |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for count in &args.objects {
        let result = runtime.block_on(measure(*count, &binary, args.usual.log.as_deref()))?;
        println!("{}", result.row());
        for (name, requests) in &result.requests {
            eprintln!("    {:6.2} × {name}", result.per_pair(*requests));
        }
        results.push(result.to_value());
    }
    record(args, &results)
}

fn record(args: &Args, results: &[Value]) -> anyhow::Result<()> {
    if let Some(path) = &args.usual.record {
        let objects: Vec<String> = args.objects.iter().map(ToString::to_string).collect();
        let record = json!({
            "command": format!("cargo xtask bench mttp --objects {}", objects.join(",")),
            "cores": std::thread::available_parallelism()?.get(),
            "runs": results,
        });
        std::fs::write(path, serde_json::to_string_pretty(&record)? + "\n")
            .with_context(|| format!("write {}", path.display()))?;
    }
    Ok(())
}

pub(super) fn release_build() -> anyhow::Result<PathBuf> {
    let status = Command::new("cargo")
        .args(["build", "--locked", "--release", "--package", "sluice"])
        .status()
        .context("start cargo build")?;
    ensure!(status.success(), "cargo build --release failed");
    let metadata = cargo_metadata::MetadataCommand::new().no_deps().exec()?;
    Ok(metadata.target_directory.join("release/sluice").into())
}

struct Outcome {
    count: usize,
    floor: Duration,
    ready: Duration,
    deleted: Duration,
    /// Requests between the first creation and the last Ready, by verb and resource.
    requests: BTreeMap<String, f64>,
    /// Until the last is deleted.
    memory: Usage,
    cpu: Duration,
}

impl Outcome {
    fn per_pair(&self, total: f64) -> f64 {
        total / float(self.count)
    }

    fn row(&self) -> String {
        format!(
            "| {} | {:.1} s | {:.1} s | {:.2} | {:.1} | {:.0} MiB ({:.0}) | {:.1} ms | {:.1} s |",
            self.count,
            self.floor.as_secs_f64(),
            self.ready.as_secs_f64(),
            self.ready.as_secs_f64() / self.floor.as_secs_f64(),
            self.per_pair(self.requests.values().sum()),
            self.memory.peak_mib,
            self.memory.peak_anonymous_mib,
            self.per_pair(self.cpu.as_secs_f64() * 1000.0),
            self.deleted.as_secs_f64(),
        )
    }

    fn to_value(&self) -> Value {
        json!({
            "pairs": self.count,
            "floorSeconds": self.floor.as_secs_f64(),
            "readySeconds": self.ready.as_secs_f64(),
            "deletedSeconds": self.deleted.as_secs_f64(),
            "requestsPerPair": self
                .requests
                .iter()
                .map(|(name, count)| (name.clone(), json!(self.per_pair(*count))))
                .collect::<serde_json::Map<_, _>>(),
            "peakMiB": self.memory.peak_mib,
            "peakAnonymousMiB": self.memory.peak_anonymous_mib,
            "cpuMillisecondsPerKustomization": self.per_pair(self.cpu.as_secs_f64() * 1000.0),
        })
    }
}

async fn measure(count: usize, binary: &Path, log: Option<&Path>) -> anyhow::Result<Outcome> {
    let state = tempfile::tempdir()?;
    let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
    let plane = ControlPlane::start(Options::new(toolbox)).await?;
    let cluster = connect(plane.kubeconfig())?;
    prepare(&cluster).await?;

    let floor = floor::measure(&cluster, count).await?;

    let git = serve(state.path(), count).await?;
    let storage = state.path().join("storage");
    std::fs::create_dir_all(&storage)?;
    let ports = free_ports::<3>()?;
    let log = log.map_or_else(|| state.path().join("controllers.log"), Path::to_owned);
    let arguments = [
        "controller".to_owned(),
        "all".to_owned(),
        format!("--metrics-addr=127.0.0.1:{}", ports[0]),
        format!("--health-addr=127.0.0.1:{}", ports[1]),
        format!("--source-controller.storage-path={}", storage.display()),
        format!("--source-controller.storage-addr=127.0.0.1:{}", ports[2]),
        format!(
            "--source-controller.storage-adv-addr=127.0.0.1:{}",
            ports[2]
        ),
        "--source-controller.concurrent=10".to_owned(),
        "--kustomize-controller.concurrent=20".to_owned(),
    ];
    let controllers = Measured::start(binary, &arguments, plane.kubeconfig(), &log)?;
    let before = requests(&cluster).await?;

    let began = Instant::now();
    create(&cluster, &git, count).await?;
    let waited =
        tokio::time::timeout(PATIENCE, all_ready(&cluster, &kustomization_kind(), count)).await;
    if waited.is_err() {
        bail!("not all Ready after {PATIENCE:?}; log: {}", log.display());
    }
    waited??;
    let ready = began.elapsed();
    let after = requests(&cluster).await?;
    let usage = controllers.usage()?;

    let began = Instant::now();
    delete(&cluster, count).await?;
    let deleted = began.elapsed();
    let memory = controllers.usage()?;
    drop(controllers);
    plane.stop();
    Ok(Outcome {
        count,
        floor,
        ready,
        deleted,
        requests: since(&before, after),
        memory,
        cpu: usage.cpu,
    })
}

/// A count as a figure to calculate with: there are fewer than 2³² of anything here.
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

/// Definitions, the namespaces, and the account that applies.
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
    // The definitions are served a moment after they are established.
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

pub(super) fn source_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "GitRepository")
}

pub(super) fn kustomization_kind() -> GroupVersionKind {
    GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization")
}

pub(super) fn name(index: usize) -> String {
    format!("app-{index:04}")
}

/// The four objects of one pair.
pub(super) fn manifests(name: &str) -> [Value; 4] {
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
                            "image": "example.com/app:v1",
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

/// One small repository for each pair, behind one server that does not fork.
async fn serve(state: &Path, count: usize) -> anyhow::Result<GitServer> {
    let root = state.join("git");
    for index in 0..count {
        let repository = Repository::init_bare(root.join(name(index)), "main")?;
        let documents: Vec<String> = manifests(&name(index))
            .iter()
            .map(sluice_yaml::v2::to_string)
            .collect();
        let text = documents.join("---\n");
        repository.commit("main", "Add app", &[Change::write("app.yaml", text)])?;
    }
    Ok(GitServer::start(GitOptions::new(root)).await?)
}

async fn create(cluster: &Cluster, git: &GitServer, count: usize) -> anyhow::Result<()> {
    futures::stream::iter(0..count)
        .map(|index| async move {
            let name = name(index);
            let metadata = json!({ "name": name, "namespace": NAMESPACE });
            let source = json!({
                "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
                "metadata": metadata,
                "spec": {
                    "interval": "60m",
                    "url": git.url(&name),
                    "ref": { "branch": "main" },
                },
            });
            let applied = json!({
                "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
                "metadata": metadata,
                "spec": {
                    "interval": "60m",
                    "path": "./",
                    "prune": true,
                    "wait": true,
                    "timeout": "5m",
                    "serviceAccountName": "applier",
                    "sourceRef": { "kind": "GitRepository", "name": name },
                },
            });
            for (kind, object) in [(source_kind(), source), (kustomization_kind(), applied)] {
                cluster
                    .create(&kind, Some(NAMESPACE), &object, PatchOptions::default())
                    .await?;
            }
            Ok::<_, anyhow::Error>(())
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<()>()
        .await
}

pub(super) fn is_ready(object: &Value) -> bool {
    object["status"]["conditions"]
        .as_array()
        .into_iter()
        .flatten()
        .any(|condition| condition["type"] == "Ready" && condition["status"] == "True")
}

/// Waits until as many objects of a kind are ready.
pub(super) async fn all_ready(
    cluster: &Cluster,
    kind: &GroupVersionKind,
    count: usize,
) -> anyhow::Result<()> {
    all(cluster, kind, count, is_ready).await
}

/// Waits until as many objects of a kind have been as wanted, each at one time or another.
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

async fn delete(cluster: &Cluster, count: usize) -> anyhow::Result<()> {
    futures::stream::iter(0..count)
        .map(|index| async move {
            cluster
                .delete(
                    &kustomization_kind(),
                    Some(NAMESPACE),
                    &name(index),
                    &DeleteOptions::default(),
                )
                .await
        })
        .buffer_unordered(IN_FLIGHT)
        .try_collect::<Vec<bool>>()
        .await?;
    let deadline = Instant::now() + PATIENCE;
    loop {
        let list = cluster
            .list(
                &kustomization_kind(),
                Some(NAMESPACE),
                &ListOptions::default(),
            )
            .await?;
        if list.items.is_empty() {
            return Ok(());
        }
        ensure!(Instant::now() < deadline, "{} remain", list.items.len());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Which requests came after an earlier count.
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

/// What the API server has answered so far, by verb and resource; watches are left out, for they
/// are counted when they end.
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
        let told = resource == "events" && ["POST", "PATCH"].contains(&verb);
        let counted =
            ours || told || applied && ["APPLY", "PATCH", "GET", "LIST", "DELETE"].contains(&verb);
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
