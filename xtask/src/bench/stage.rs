//! A control plane for benches of one controller. The bench publishes the artifacts, so no
//! source-controller runs. Most functions are for Kustomizations.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_client::{Cluster, DeleteOptions, GroupVersionKind, PatchOptions};
use sluice_devcluster::{ControlPlane, Options, Toolbox};
use sluice_testkit::ArtifactServer;

use super::cluster::{self, NAMESPACE, TIMEOUT, is_ready, kustomization_kind, source_kind};
use super::controller::Subject;
use super::process::MeasuredProcess;
use super::target::Target;

pub(super) struct Stage {
    pub(super) cluster: Cluster,
    plane: ControlPlane,
    artifacts: ArtifactServer,
    state: tempfile::TempDir,
    log: Option<PathBuf>,
}

/// Name and revision of the warm-up.
const WARM_UP: &str = "warm-up";

/// A manifest in a file of a source.
pub(super) type File = (String, String);

impl Stage {
    pub(super) async fn start(log: Option<&Path>) -> anyhow::Result<Self> {
        let toolbox = Toolbox::from_environment()?.on_progress(|step| eprintln!("{step}"));
        let plane = ControlPlane::start(Options::new(toolbox)).await?;
        let cluster = cluster::connect(plane.kubeconfig())?;
        cluster::prepare(&cluster).await?;
        Ok(Self {
            cluster,
            plane,
            artifacts: ArtifactServer::start().await,
            state: tempfile::tempdir()?,
            log: log.map(Path::to_owned),
        })
    }

    /// Starts a kustomize-controller with further flags.
    pub(super) fn start_controller(
        &self,
        subject: &Subject,
        flags: &[&str],
    ) -> anyhow::Result<MeasuredProcess> {
        let (process, _) = self.start_other("kustomize-controller", subject, flags)?;
        Ok(process)
    }

    /// Starts a controller with further flags. Returns it with the port of its metrics.
    pub(super) fn start_other(
        &self,
        controller: &str,
        subject: &Subject,
        flags: &[&str],
    ) -> anyhow::Result<(MeasuredProcess, u16)> {
        let [metrics, health] = cluster::free_ports::<2>()?;
        let mut all = vec![
            format!("--metrics-addr=127.0.0.1:{metrics}"),
            format!("--health-addr=127.0.0.1:{health}"),
        ];
        all.extend(flags.iter().map(|flag| (*flag).to_owned()));
        let log = match &self.log {
            Some(path) => path.clone(),
            None => self.state.path().join("controller.log"),
        };
        let process = subject.start(controller, &all, &self.plane, &log)?;
        Ok((process, metrics))
    }

    /// Starts a controller and waits for a warm-up, because the start does not count.
    pub(super) async fn controller(
        &self,
        subject: &Subject,
        flags: &[&str],
    ) -> anyhow::Result<MeasuredProcess> {
        let process = self.start_controller(subject, flags)?;
        let files = [("a.yaml".to_owned(), config_map(WARM_UP, "1"))];
        self.publish(WARM_UP, WARM_UP, &files).await?;
        self.kustomization(WARM_UP, WARM_UP, json!({})).await?;
        self.until_applied(1, WARM_UP).await?;
        self.remove(WARM_UP).await?;
        Ok(process)
    }

    /// Creates an empty directory for the storage of a controller.
    pub(super) fn storage(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.state.path().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(path)
    }

    /// Returns the target part of a Kustomization's spec.
    pub(super) async fn target(&self, target: Target) -> anyhow::Result<Value> {
        let kubeconfig = self.plane.kubeconfig();
        target.spec(&self.cluster, NAMESPACE, kubeconfig).await
    }

    /// Publishes an artifact of these files; creates the source first if necessary.
    pub(super) async fn publish(
        &self,
        source: &str,
        revision: &str,
        files: &[File],
    ) -> anyhow::Result<()> {
        let object = json!({
            "apiVersion": "source.toolkit.fluxcd.io/v1", "kind": "GitRepository",
            "metadata": { "name": source, "namespace": NAMESPACE },
            "spec": { "interval": "60m", "url": "https://example.com/source" },
        });
        cluster::apply(&self.cluster, Some(NAMESPACE), &object, "bench", false).await?;
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let archived = format!("{source}-{revision}");
        let mut artifact = self.artifacts.publish_files(&archived, &files);
        artifact["revision"] = json!(revision);
        let options = PatchOptions {
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        let status = json!({ "status": { "artifact": artifact } });
        self.cluster
            .merge(&source_kind(), Some(NAMESPACE), source, &status, options)
            .await?;
        Ok(())
    }

    /// Creates a Kustomization; `spec` overrides defaults.
    pub(super) async fn kustomization(
        &self,
        name: &str,
        source: &str,
        spec: Value,
    ) -> anyhow::Result<()> {
        let mut whole = json!({
            "interval": "60m", "path": "./", "prune": true,
            "sourceRef": { "kind": "GitRepository", "name": source },
        });
        if let (Some(whole), Value::Object(spec)) = (whole.as_object_mut(), spec) {
            whole.extend(spec);
        }
        let object = json!({
            "apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization",
            "metadata": { "name": name, "namespace": NAMESPACE }, "spec": whole,
        });
        let options = PatchOptions::default();
        self.cluster
            .create(&kustomization_kind(), Some(NAMESPACE), &object, options)
            .await?;
        Ok(())
    }

    /// Requests a reconciliation.
    pub(super) async fn request(&self, name: &str, token: &str) -> anyhow::Result<()> {
        let patch =
            json!({ "metadata": { "annotations": { "reconcile.fluxcd.io/requestedAt": token } } });
        let options = PatchOptions::default();
        self.cluster
            .merge(
                &kustomization_kind(),
                Some(NAMESPACE),
                name,
                &patch,
                options,
            )
            .await?;
        Ok(())
    }

    /// Waits until a condition has held for this many objects.
    pub(super) async fn until(
        &self,
        kind: &GroupVersionKind,
        count: usize,
        is_wanted: impl Fn(&Value) -> bool,
    ) -> anyhow::Result<()> {
        let all = cluster::all(&self.cluster, kind, count, is_wanted);
        let waited = tokio::time::timeout(TIMEOUT, all).await;
        waited.with_context(|| format!("{count} {} are not done after {TIMEOUT:?}", kind.kind))?
    }

    /// Waits until this many Kustomizations have applied a revision.
    pub(super) async fn until_applied(&self, count: usize, revision: &str) -> anyhow::Result<()> {
        self.until(&kustomization_kind(), count, |object| {
            has_applied(object, revision)
        })
        .await
    }

    /// Measures the time until a request is handled.
    pub(super) async fn answer(&self, name: &str, token: &str) -> anyhow::Result<Duration> {
        let began = Instant::now();
        self.request(name, token).await?;
        self.until(&kustomization_kind(), 1, |object| {
            object["metadata"]["name"] == name
                && object["status"]["lastHandledReconcileAt"] == token
        })
        .await?;
        Ok(began.elapsed())
    }

    /// Deletes a Kustomization and waits until its objects are gone.
    pub(super) async fn remove(&self, name: &str) -> anyhow::Result<Duration> {
        let began = Instant::now();
        let (kind, options) = (kustomization_kind(), DeleteOptions::default());
        self.cluster
            .delete(&kind, Some(NAMESPACE), name, &options)
            .await?;
        while self
            .cluster
            .get(&kind, Some(NAMESPACE), name)
            .await?
            .is_some()
        {
            anyhow::ensure!(
                began.elapsed() < TIMEOUT,
                "{name} is not gone after {TIMEOUT:?}"
            );
            tokio::time::sleep(cluster::POLL).await;
        }
        Ok(began.elapsed())
    }
}

fn has_applied(object: &Value, revision: &str) -> bool {
    is_ready(object) && object["status"]["lastAppliedRevision"] == revision
}

/// A config map as a manifest.
pub(super) fn config_map(name: &str, value: &str) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {name}\n  namespace: {NAMESPACE}\ndata:\n  key: \"{value}\"\n"
    )
}

/// Formats the manifests of a file.
pub(super) fn joined(documents: impl IntoIterator<Item = String>) -> String {
    documents.into_iter().collect::<Vec<_>>().join("---\n")
}
