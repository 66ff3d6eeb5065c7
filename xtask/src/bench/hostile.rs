//! The wait of one tenant while another one sends hostile input, on one CPU with 1 GiB.
//!
//! The inputs are those of the test `hostile_tenant_does_not_stop_others`. The tenant reconciles a
//! Kustomization and upgrades a release. The base line is this tenant alone. Each input is measured
//! alone: until its objects have a condition, and for a minimum time.

use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, ListOptions, PatchOptions};
use sluice_devcluster::{ControlPlane, GitOptions, GitServer, Options, Toolbox};
use sluice_git::serve::Change;
use sluice_testkit::hostile::{MemoryLimit, TenantInput, TenantServers, tenant};
use sluice_testkit::{Running, Sluice};

use super::CommonFlags;
use super::cluster::{self, float, kustomization_kind, release_kind, source_kind};
use super::controller::Subject;
use super::report::{Report, percentile};

/// The memory of the container in the manifests.
const MEMORY: u64 = 1 << 30;
/// The namespaces of the hostile tenant and of the other one.
const HOSTILE: &str = "tenant-a";
const OTHER: &str = "tenant-b";
/// The other tenant's release, and its source.
const RELEASE: &str = "b-release";
/// How long an input may go without a condition.
const TIMEOUT: Duration = Duration::from_mins(3);
/// Poll interval of a request, which is shorter than any run.
const POLL: Duration = Duration::from_millis(5);

#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Least seconds of each measurement
    #[arg(long, default_value_t = 20)]
    seconds: u64,
    /// Measure this input only
    #[arg(long)]
    input: Option<String>,
    #[command(flatten)]
    common: CommonFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<()> {
    let subject = [Subject::ours(args.common.binary.as_deref())?];
    let mut report = Report::new(Subject::programs(&subject))?;
    let (_, binary) = Subject::programs(&subject).next().context("no program")?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let bench = HostileBench::start(binary).await?;
        let least = Duration::from_secs(args.seconds);
        bench.measure(&mut report, "alone", least, None).await?;
        let inputs = tenant::inputs(&bench.servers);
        let wanted = |input: &&TenantInput| {
            let name = args.input.as_deref();
            name.is_none_or(|name| name == input.name)
        };
        for input in inputs.iter().filter(wanted) {
            bench
                .measure(&mut report, input.name, least, Some(input))
                .await?;
        }
        if args.input.is_none() {
            for input in &inputs {
                bench.send(input).await?;
            }
            bench
                .measure(&mut report, "all at once", least, None)
                .await?;
        }
        anyhow::Ok(())
    })?;
    report.save(args.common.record.as_deref())
}

struct HostileBench {
    cluster: Cluster,
    git: GitServer,
    servers: TenantServers,
    running: Running,
    limit: MemoryLimit,
    _plane: ControlPlane,
    _state: tempfile::TempDir,
}

impl HostileBench {
    async fn start(binary: &std::path::Path) -> anyhow::Result<Self> {
        let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
        let plane = ControlPlane::start(Options::new(toolbox)).await?;
        let cluster = cluster::connect(plane.kubeconfig())?;
        cluster::prepare(&cluster).await?;
        cluster::define(&cluster, "helm-controller", &[release_kind()]).await?;
        for name in [HOSTILE, OTHER] {
            let namespace =
                json!({ "apiVersion": "v1", "kind": "Namespace", "metadata": { "name": name } });
            cluster::apply(&cluster, None, &namespace, "bench", false).await?;
        }
        let state = tempfile::tempdir()?;
        let git = GitServer::start(GitOptions::new(state.path())).await?;
        let [files] = cluster::free_ports::<1>()?;
        let storage = state.path().join("storage");
        std::fs::create_dir_all(&storage)?;
        let sluice = Sluice::at(binary)
            .without_poll_limit()
            .variable("KUBECONFIG", plane.kubeconfig().display().to_string())
            .variable("RUNTIME_NAMESPACE", "flux-system")
            .variable("GOMEMLIMIT", MEMORY.to_string());
        let running = sluice.start_on_one_cpu(&[
            "controller",
            "all",
            "--metrics-addr=0",
            "--health-addr=0",
            &format!("--source-controller.storage-path={}", storage.display()),
            &format!("--source-controller.storage-addr=127.0.0.1:{files}"),
            &format!("--source-controller.storage-adv-addr=127.0.0.1:{files}"),
        ]);
        let bench = Self {
            limit: MemoryLimit::of(&running, MEMORY),
            servers: TenantServers::start().await,
            cluster,
            git,
            running,
            _plane: plane,
            _state: state,
        };
        let config_map = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n  namespace: \
                          tenant-b\ndata:\n  key: value\n";
        let files = [("b.yaml".to_owned(), config_map.into())];
        let url = bench.publish("b", &files)?;
        bench
            .create_pair(OTHER, "b", &url, &json!({}), Some(&json!({})))
            .await?;
        let metadata = "apiVersion: v2\nname: b\nversion: 1.0.0\n";
        let files = [("Chart.yaml", metadata), ("templates/b.yaml", config_map)];
        let files = files.map(|(path, text)| (format!("chart/{path}"), text.into()));
        let url = bench.publish(RELEASE, &files)?;
        let none = json!({});
        bench.create_pair(OTHER, RELEASE, &url, &none, None).await?;
        bench.create_release(OTHER, RELEASE, &none).await?;
        bench.reconcile("warm-up").await?;
        bench.upgrade("warm-up").await?;
        Ok(bench)
    }

    fn publish(&self, name: &str, files: &[(String, Vec<u8>)]) -> anyhow::Result<String> {
        let repository = self.git.create(name, "main")?;
        let changes: Vec<Change> = files
            .iter()
            .map(|(path, content)| Change::write(path.as_str(), content.as_slice()))
            .collect();
        if !changes.is_empty() {
            repository.commit("main", "Change", &changes)?;
        }
        Ok(self.git.url(name))
    }

    async fn create_pair(
        &self,
        namespace: &str,
        name: &str,
        url: &str,
        source: &Value,
        kustomization: Option<&Value>,
    ) -> anyhow::Result<()> {
        let spec = json!({ "interval": "1h", "url": url, "ref": { "branch": "main" } });
        let repository = object(&source_kind(), namespace, name, spec, source);
        self.create(&source_kind(), namespace, &repository).await?;
        if let Some(more) = kustomization {
            let spec = json!({ "interval": "1h", "retryInterval": "1h", "path": "./",
                "prune": true, "sourceRef": { "kind": "GitRepository", "name": name } });
            let applied = object(&kustomization_kind(), namespace, name, spec, more);
            self.create(&kustomization_kind(), namespace, &applied)
                .await?;
        }
        Ok(())
    }

    async fn create(
        &self,
        kind: &GroupVersionKind,
        namespace: &str,
        object: &Value,
    ) -> anyhow::Result<()> {
        let options = PatchOptions::default();
        self.cluster
            .create(kind, Some(namespace), object, options)
            .await?;
        Ok(())
    }

    async fn send(&self, input: &TenantInput) -> anyhow::Result<()> {
        for (kind, name, content) in &input.configs {
            let mut object = json!({ "apiVersion": "v1", "kind": kind,
                "metadata": { "name": name, "namespace": HOSTILE } });
            if let (Some(object), Some(content)) = (object.as_object_mut(), content.as_object()) {
                object.extend(content.clone());
            }
            cluster::apply(&self.cluster, Some(HOSTILE), &object, "bench", false).await?;
        }
        let url = match &input.url {
            Some(url) => url.clone(),
            None => self.publish(&format!("{}-{}", input.name, unused_name()), &input.files)?,
        };
        let kustomization = input.kustomization.as_ref();
        self.create_pair(HOSTILE, input.name, &url, &input.source, kustomization)
            .await?;
        if let Some(more) = &input.release {
            self.create_release(HOSTILE, input.name, more).await?;
        }
        Ok(())
    }

    /// Creates a release of the chart in a source of its name.
    async fn create_release(
        &self,
        namespace: &str,
        name: &str,
        more: &Value,
    ) -> anyhow::Result<()> {
        let source = json!({ "kind": "GitRepository", "name": name });
        let chart = json!({ "chart": tenant::CHART, "interval": "1h", "sourceRef": source });
        let spec = json!({ "interval": "1h", "chart": { "spec": chart } });
        let release = object(&release_kind(), namespace, name, spec, more);
        self.create(&release_kind(), namespace, &release).await
    }

    /// Measures the other tenant while an input works.
    async fn measure(
        &self,
        report: &mut Report,
        name: &str,
        least: Duration,
        input: Option<&TenantInput>,
    ) -> anyhow::Result<()> {
        self.limit.take_most_mib();
        if let Some(input) = input {
            self.send(input).await?;
        }
        let began = Instant::now();
        let (mut waits, mut upgrades) = (Vec::new(), Vec::new());
        let mut decided = None;
        while began.elapsed() < least || decided.is_none() {
            let token = format!("{name}-{}", waits.len());
            let asked = Instant::now();
            self.reconcile(&token).await?;
            waits.push(asked.elapsed());
            let asked = Instant::now();
            self.upgrade(&token).await?;
            upgrades.push(asked.elapsed());
            if decided.is_none() && self.is_decided().await? {
                decided = Some(began.elapsed());
            }
            ensure!(
                began.elapsed() < TIMEOUT,
                "{name}: no condition after {TIMEOUT:?}"
            );
        }
        let mebibytes = usize::try_from(self.limit.take_most_mib()).unwrap_or(usize::MAX);
        report.add(
            "ours",
            name,
            &[
                ("runs", float(waits.len())),
                ("p50 s", percentile(&mut waits, 50)),
                ("p99 s", percentile(&mut waits, 99)),
                ("max s", percentile(&mut waits, 100)),
                ("upgrade p50 s", percentile(&mut upgrades, 50)),
                ("upgrade p99 s", percentile(&mut upgrades, 99)),
                ("upgrade max s", percentile(&mut upgrades, 100)),
                (
                    "condition s",
                    decided.map_or(f64::NAN, |decided| decided.as_secs_f64()),
                ),
                ("peak MiB", float(mebibytes)),
            ],
        );
        for (kind, name, message) in self.conditions().await? {
            eprintln!("    {kind} {name}: {message}");
        }
        self.remove_all().await
    }

    /// Requests a reconciliation of the other tenant's Kustomization and waits for its end.
    async fn reconcile(&self, token: &str) -> anyhow::Result<()> {
        let annotations = json!({ "reconcile.fluxcd.io/requestedAt": token });
        let handled = "lastHandledReconcileAt";
        self.request(&kustomization_kind(), "b", &annotations, handled)
            .await
    }

    /// Requests an upgrade of the other tenant's release, which renders its chart, and waits for
    /// its end.
    async fn upgrade(&self, token: &str) -> anyhow::Result<()> {
        let annotations = json!({ "reconcile.fluxcd.io/requestedAt": token,
            "reconcile.fluxcd.io/forceAt": token });
        let handled = "lastHandledForceAt";
        self.request(&release_kind(), RELEASE, &annotations, handled)
            .await
    }

    /// Annotates an object of the other tenant, and waits until a field of its status has the
    /// token.
    async fn request(
        &self,
        kind: &GroupVersionKind,
        name: &str,
        annotations: &Value,
        handled: &str,
    ) -> anyhow::Result<()> {
        let token = &annotations["reconcile.fluxcd.io/requestedAt"];
        let patch = json!({ "metadata": { "annotations": annotations } });
        let options = PatchOptions::default();
        self.cluster
            .merge(kind, Some(OTHER), name, &patch, options)
            .await?;
        let asked = Instant::now();
        loop {
            let object = self.cluster.get(kind, Some(OTHER), name).await?;
            let object = object.with_context(|| format!("{} {name} is gone", kind.kind))?;
            if object["status"][handled] == *token && cluster::is_ready(&object) {
                return Ok(());
            }
            ensure!(self.running.is_running(), "the process died");
            ensure!(
                asked.elapsed() < TIMEOUT,
                "the other tenant waits for {TIMEOUT:?}"
            );
            tokio::time::sleep(POLL).await;
        }
    }

    async fn objects(&self) -> anyhow::Result<Vec<(&'static str, Value)>> {
        let mut all = Vec::new();
        for (name, kind) in kinds() {
            let options = ListOptions::default();
            let list = self.cluster.list(&kind, Some(HOSTILE), &options).await?;
            all.extend(list.items.into_iter().map(|object| (name, object)));
        }
        Ok(all)
    }

    /// Whether each object of the hostile tenant has succeeded, failed, or waits for one that has.
    async fn is_decided(&self) -> anyhow::Result<bool> {
        let is_decided = |object: &Value| {
            let ready = ready(object);
            matches!(ready["status"].as_str(), Some("True" | "False"))
                || ready["reason"] == "DependencyNotReady"
        };
        Ok(self
            .objects()
            .await?
            .iter()
            .all(|(_, object)| is_decided(object)))
    }

    async fn conditions(&self) -> anyhow::Result<Vec<(&'static str, String, String)>> {
        let objects = self.objects().await?.into_iter();
        Ok(objects
            .map(|(kind, object)| {
                let ready = ready(&object);
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let message: String = text(&ready["message"]).chars().take(160).collect();
                let message = format!("{} {message}", text(&ready["reason"]));
                (kind, text(&object["metadata"]["name"]), message)
            })
            .collect())
    }

    async fn remove_all(&self) -> anyhow::Result<()> {
        let objects = self.objects().await?;
        for (short, kind) in kinds() {
            for (_, object) in objects.iter().filter(|(of, _)| *of == short) {
                let name = object["metadata"]["name"].as_str().unwrap_or_default();
                let options = DeleteOptions::default();
                let deleted = self.cluster.delete(&kind, Some(HOSTILE), name, &options);
                // The chart of a release goes with it.
                drop(deleted.await);
            }
        }
        let asked = Instant::now();
        while !self.objects().await?.is_empty() {
            ensure!(asked.elapsed() < TIMEOUT, "the objects are not removed");
            tokio::time::sleep(cluster::POLL).await;
        }
        Ok(())
    }
}

/// The kinds of objects that are measured, those that use others first.
fn kinds() -> [(&'static str, GroupVersionKind); 4] {
    let chart = GroupVersionKind::gvk("source.toolkit.fluxcd.io", "v1", "HelmChart");
    [
        ("release", release_kind()),
        ("chart", chart),
        ("kustomization", kustomization_kind()),
        ("source", source_kind()),
    ]
}

/// An object with a spec, and more fields of it.
fn object(
    kind: &GroupVersionKind,
    namespace: &str,
    name: &str,
    mut spec: Value,
    more: &Value,
) -> Value {
    if let (Some(spec), Some(more)) = (spec.as_object_mut(), more.as_object()) {
        spec.extend(more.clone());
    }
    json!({ "apiVersion": kind.api_version(), "kind": kind.kind,
        "metadata": { "name": name, "namespace": namespace }, "spec": spec })
}

fn ready(object: &Value) -> &Value {
    let conditions = object["status"]["conditions"].as_array();
    let mut conditions = conditions.into_iter().flatten();
    conditions
        .find(|condition| condition["type"] == "Ready")
        .unwrap_or(&Value::Null)
}

/// A name for a repository that exists once.
fn unused_name() -> String {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    COUNT.fetch_add(1, Ordering::Relaxed).to_string()
}
