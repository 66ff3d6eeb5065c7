//! One side of the comparison: an API server and a kustomize-controller.
//!
//! Both sides do the same in the same order. The controller watches only objects with the label
//! [`PLAYED`], so that applied Kustomizations are treated like other objects.

mod ground;
mod stage;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use serde_json::{Value, json};
use sluice_client::{Cluster, GroupVersionKind, PatchOptions};
use sluice_object::{GroupKind, Object, ObjectId};
use sluice_testkit::outcome::Outcome;
use sluice_testkit::{ArtifactServer, EventSink, Reference, Running, Sluice, Testbed};

use super::corpus::{Corpus, Native, Subject};
use super::definitions::Definitions;
use stage::Board;

/// The label of watched objects.
const PLAYED: &str = "conformance.sluice.dev/played";

/// The user of the controller.
const USER: &str = "kustomize-controller";

/// The user that prepares and removes objects.
const MANAGER: &str = "test";

/// Timeout of a run, on a busy machine.
const ENTRY_TIMEOUT: Duration = Duration::from_mins(4);

/// Timeout of a deletion.
const REMOVAL: Duration = Duration::from_mins(1);

/// Poll interval.
const POLL: Duration = Duration::from_millis(100);

/// Time without writes after which a run is complete.
const REST: Duration = Duration::from_millis(400);

/// Time without events after which all have arrived.
const SILENCE: Duration = Duration::from_millis(700);

pub(super) struct Side {
    pub(super) definitions: Definitions,
    testbed: Testbed,
    cluster: Cluster,
    way: PathBuf,
    process: Running,
    sink: EventSink,
    artifacts: ArtifactServer,
    /// Texts that differ between the sides, with replacements.
    addresses: Vec<(String, &'static str)>,
    /// Names of [`Self::definitions`] that exist now.
    defined: BTreeSet<GroupKind>,
    /// Makes requests and revisions unique.
    turn: usize,
}

impl Side {
    pub(super) async fn reference(reference: &Reference) -> anyhow::Result<Self> {
        Self::start(reference.controller("kustomize-controller"), &[]).await
    }

    pub(super) async fn ours(program: &Path) -> anyhow::Result<Self> {
        let words = ["controller", "kustomize-controller"];
        Self::start(Sluice::at(program).without_poll_limit(), &words).await
    }

    async fn start(program: Sluice, words: &[&str]) -> anyhow::Result<Self> {
        let testbed = Testbed::start_with(|options| {
            options.fake_node = false;
            // Webhooks of the corpus have no server.
            options.api_server_arguments.push(
                "--disable-admission-plugins=MutatingAdmissionWebhook,ValidatingAdmissionWebhook,\
                 ValidatingAdmissionPolicy,MutatingAdmissionPolicy"
                    .to_owned(),
            );
        })
        .await;
        let cluster = testbed.connect().await;
        let way = testbed.kubeconfig_for(USER);
        let (sink, artifacts) = (EventSink::start().await, ArtifactServer::start().await);
        let events = format!("--events-addr={}", sink.url());
        let selector = format!("--watch-label-selector={PLAYED}");
        let mut arguments = words.to_vec();
        arguments.extend([
            "--metrics-addr=0",
            "--health-addr=0",
            "--interval-jitter-percentage=0",
            "--requeue-dependency=5s",
            "--no-remote-bases=true",
            "--feature-gates=ExternalArtifact=true",
            &events,
            &selector,
        ]);
        let process = program
            .variable("KUBECONFIG", way.display().to_string())
            .variable("RUNTIME_NAMESPACE", "flux-system")
            .start(&arguments);
        let mut addresses = vec![(artifacts.address().to_owned(), "ARTIFACTS")];
        let url = cluster.url().trim_end_matches('/').to_owned();
        let host = url.trim_start_matches("https://").to_owned();
        addresses.extend([(url, "APISERVER"), (host, "APISERVER")]);
        Ok(Self {
            definitions: Definitions::new(),
            testbed,
            cluster,
            way,
            process,
            sink,
            artifacts,
            addresses,
            defined: BTreeSet::new(),
            turn: 0,
        })
    }

    /// Kinds that the server serves itself.
    pub(super) async fn kinds(&self) -> anyhow::Result<Native> {
        let resources = self.cluster.resources().await?;
        let of = |resource: &sluice_client::Resource| {
            let kind = GroupKind {
                group: resource.api.group.clone(),
                kind: resource.api.kind.clone(),
            };
            (kind, resource.namespaced)
        };
        Ok(resources.iter().map(of).collect())
    }

    /// Reconciles Kustomizations that share nothing, all at once.
    pub(super) async fn play(
        &mut self,
        corpus: &Corpus,
        subjects: &[&Subject],
    ) -> anyhow::Result<Vec<Outcome>> {
        self.turn += 1;
        self.prepare(corpus, subjects).await?;
        let mut board = Board::of(subjects, self.sink.events().len());

        let mark = self.mark().await;
        for subject in subjects {
            self.create(subject).await?;
        }
        board.objects = self.until(subjects, "create", stage::has_ended).await?;
        self.look(&mut board, mark, "create").await;

        let mark = self.mark().await;
        let token = format!("again-{}", self.turn);
        let patch =
            json!({ "metadata": { "annotations": { "reconcile.fluxcd.io/requestedAt": token } } });
        for subject in subjects {
            let (namespace, name) = subject.key();
            let options = PatchOptions::default();
            self.cluster
                .merge(&kustomizations(), Some(namespace), name, &patch, options)
                .await?;
        }
        let is_handled = |object: &Value| {
            stage::has_ended(object) && object["status"]["lastHandledReconcileAt"] == token
        };
        board.objects = self.until(subjects, "again", is_handled).await?;
        self.look(&mut board, mark, "again").await;

        let mark = self.mark().await;
        let revision = self.publish(corpus, subjects, "further").await?;
        let is_tried = |object: &Value| stage::has_tried(object, &revision);
        board.objects = self.until(subjects, "revision", is_tried).await?;
        self.look(&mut board, mark, "revision").await;

        let mark = self.mark().await;
        for subject in subjects {
            let (namespace, name) = subject.key();
            self.delete(&kustomizations(), namespace, name).await?;
        }
        board.objects = self.until_gone(subjects).await?;
        self.look(&mut board, mark, "delete").await;

        self.sink.until_quiet(SILENCE).await;
        let (outcomes, applied) = self.complete_outcomes(board);
        self.clear(corpus, subjects, &applied).await?;
        Ok(outcomes)
    }

    async fn create(&self, subject: &Subject) -> anyhow::Result<()> {
        let mut object = subject.object.clone();
        object.set_label(PLAYED, "yes");
        let options = PatchOptions {
            field_manager: Some(MANAGER),
            ..PatchOptions::default()
        };
        let (namespace, object) = (subject.key().0, object.into_value());
        self.cluster
            .create(&kustomizations(), Some(namespace), &object, options)
            .await
            .with_context(|| format!("create {}", subject.about))?;
        Ok(())
    }

    async fn mark(&self) -> sluice_testkit::audit::Mark {
        self.testbed.audit().mark(self.cluster.client()).await
    }

    /// Applies a prepared object.
    async fn apply(&self, object: &Value) -> anyhow::Result<()> {
        let metadata = &object["metadata"];
        let name = metadata["name"].as_str().unwrap_or_default();
        let namespace = metadata["namespace"].as_str();
        let options = PatchOptions {
            field_manager: Some(MANAGER),
            force: true,
            ..PatchOptions::default()
        };
        self.cluster
            .apply(&gvk_of(object), namespace, name, object, options)
            .await?;
        Ok(())
    }

    async fn delete(
        &self,
        kind: &GroupVersionKind,
        namespace: &str,
        name: &str,
    ) -> anyhow::Result<()> {
        let options = sluice_client::DeleteOptions::default();
        let namespace = Some(namespace).filter(|name| !name.is_empty());
        self.cluster.delete(kind, namespace, name, &options).await?;
        Ok(())
    }

    /// Returns the end of the controller's log.
    fn printed(&self) -> String {
        let output = self.process.output();
        let lines: Vec<&str> = output.lines().rev().take(5).collect();
        lines.into_iter().rev().collect::<Vec<_>>().join("\n")
    }
}

fn kustomizations() -> GroupVersionKind {
    GroupVersionKind::gvk("kustomize.toolkit.fluxcd.io", "v1", "Kustomization")
}

fn gvk(api_version: &str, kind: &str) -> GroupVersionKind {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    GroupVersionKind::gvk(group, version, kind)
}

fn gvk_of(object: &Value) -> GroupVersionKind {
    let text = |name: &str| object[name].as_str().unwrap_or_default();
    gvk(text("apiVersion"), text("kind"))
}

/// An inventory entry: an id and a version.
type Entry = (ObjectId, String);

/// Returns the inventory of a Kustomization.
fn inventory(object: &Value) -> Vec<Entry> {
    let entries = object["status"]["inventory"]["entries"].as_array();
    entries
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let id = ObjectId::parse_inventory(entry["id"].as_str()?).ok()?;
            Some((id, entry["v"].as_str()?.to_owned()))
        })
        .collect()
}

fn entry_of(object: &Object) -> Entry {
    (object.id(), object.version().to_owned())
}

fn kind_of((id, version): &Entry) -> GroupVersionKind {
    GroupVersionKind::gvk(&id.group, version, &id.kind)
}
