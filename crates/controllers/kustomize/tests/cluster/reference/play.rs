//! Runs a scenario with one of the two controllers and reads its outcome.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};
use sluice_client::{DeleteOptions, GroupVersionKind, ListOptions, PatchOptions};
use sluice_digest::Algorithm;
use sluice_testkit::audit::Entry;
use sluice_testkit::expected_differences::ScenarioDifferences;
use sluice_testkit::outcome::{self, Outcome};
use sluice_testkit::{self as testkit, EventSink, Reference, Running, Testbed, wait};
use tokio::sync::OnceCell;

use super::scenario::{Action, Goal, Kind, Publish, Scenario, Stage};
use crate::bed::{Bed, archive};
use crate::remote::place_of;

/// The controller that runs the scenario.
pub(super) enum Actor {
    Ours,
    Reference(Reference),
}

/// API server of the reference, since both controllers use the same namespaces.
static APART: OnceCell<Testbed> = OnceCell::const_new();

/// Kinds that every scenario reads.
const KINDS: &[(&str, &str)] = &[
    ("v1", "ConfigMap"),
    ("v1", "Secret"),
    ("v1", "Service"),
    ("v1", "ServiceAccount"),
    ("apps/v1", "Deployment"),
    ("batch/v1", "Job"),
];

/// Label of unmanaged objects whose content differs between runs.
const UNRECORDED: &str = "unrecorded";

/// Time without events after which all events have arrived.
const QUIET_PERIOD: Duration = Duration::from_secs(2);

/// A finished scenario with its running controller.
pub(super) struct PlayedScenario {
    outcome: Outcome,
    sink: EventSink,
    namespace: String,
    kustomizations: BTreeSet<String>,
    addresses: Vec<(String, &'static str)>,
    _bed: Bed,
    _process: Option<Running>,
}

pub(super) async fn play(scenario: &Scenario, actor: &Actor) -> PlayedScenario {
    let testbed = match actor {
        Actor::Ours => testkit::cluster().await,
        Actor::Reference(_) => APART.get_or_init(Testbed::start).await,
    };
    let namespace = scenario.name.clone();
    testbed.namespace_called(&namespace).await;
    // API server messages contain the user, so it must be the same in each run.
    let user = format!("controller-of-{namespace}");
    let mut bed = Bed::of(testbed, user, namespace.clone()).await;
    let sink = EventSink::start().await;
    let mut flags: Vec<String> = vec![
        format!("--events-addr={}", sink.url()),
        "--interval-jitter-percentage=0".to_owned(),
        "--requeue-dependency=5s".to_owned(),
    ];
    flags.extend(scenario.flags.iter().cloned());
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let process = match actor {
        Actor::Ours => {
            bed.run(&flags);
            None
        }
        Actor::Reference(reference) => Some(start(reference, &bed, &flags)),
    };
    let mut addresses = vec![(bed.server().to_owned(), "ARTIFACTS")];
    let url = bed.cluster.url().trim_end_matches('/').to_owned();
    let host = url.trim_start_matches("https://").to_owned();
    addresses.extend([(url, "APISERVER"), (host, "APISERVER")]);

    let mut outcome = Outcome::default();
    let mut kustomizations = BTreeSet::new();
    let mut statuses = 0;
    for stage in &scenario.stages {
        let mark = bed.mark().await;
        for action in &stage.does {
            if let Action::Kustomization(kustomization) = action {
                kustomizations.insert(kustomization.name.clone());
            }
            act(&bed, stage, action).await;
        }
        for (name, goal) in &stage.until {
            until(&bed, process.as_ref(), stage, name, goal).await;
        }
        let entries = asked(&bed, mark).await;
        statuses += outcome::count_of_statuses(&entries);
        look(&bed, scenario, stage, &addresses, &mut outcome).await;
        outcome.push(
            format!("{} writes", stage.name),
            outcome::of_writes(&entries, |_| true),
        );
    }
    outcome.push(
        "cost".to_owned(),
        vec![format!("writes of Kustomizations: {statuses}")],
    );
    PlayedScenario {
        outcome,
        sink,
        namespace,
        kustomizations,
        addresses,
        _bed: bed,
        _process: process,
    }
}

impl PlayedScenario {
    /// The outcome with all events so far.
    pub(super) fn outcome(&self) -> Outcome {
        let mut outcome = self.outcome.clone();
        for name in &self.kustomizations {
            let mut events: Vec<String> = self
                .sink
                .about("Kustomization", &self.namespace, name)
                .iter()
                .map(|event| outcome::of_event(event, &self.addresses))
                .collect();
            // The number of repeated events depends on time.
            events.dedup();
            outcome.push(format!("events of {name}"), events);
        }
        outcome
    }

    /// The outcome after the last event, for a recording.
    pub(super) async fn rested(&self) -> Outcome {
        self.sink.until_quiet(QUIET_PERIOD).await;
        self.outcome()
    }

    /// Whether everything except events matches the reference or is an intended difference.
    pub(super) fn is_alike_but_for_events(
        &self,
        reference: &Outcome,
        explained: &ScenarioDifferences,
    ) -> bool {
        let is_state = |title: &str| !title.starts_with("events of ");
        explained
            .unexplained(reference, &self.outcome, is_state, &mut BTreeSet::new())
            .is_empty()
    }
}

/// Starts the reference as a process that watches the bed's namespace.
pub(super) fn start(reference: &Reference, bed: &Bed, flags: &[&str]) -> Running {
    let mut arguments = vec![
        "--watch-all-namespaces=false",
        "--metrics-addr=0",
        "--health-addr=0",
    ];
    arguments.extend(flags);
    reference
        .controller("kustomize-controller")
        .variable("KUBECONFIG", bed.kubeconfig.display().to_string())
        .variable("RUNTIME_NAMESPACE", bed.namespace.clone())
        .start(&arguments)
}

pub(super) async fn act(bed: &Bed, stage: &Stage, action: &Action) {
    match action {
        Action::Publish(publish) => self::publish(bed, publish).await,
        Action::Lose(revision) => bed.lose(revision),
        Action::Apply(object) => {
            bed.apply(object).await;
            if object["kind"] == "RoleBinding" {
                let account = object["subjects"][0]["name"].as_str().unwrap();
                bed.until_permitted(account).await;
            }
        }
        Action::Create(object) => {
            let options = PatchOptions {
                field_manager: Some("kubectl-create"),
                ..PatchOptions::default()
            };
            let gvk = gvk_of(object);
            let created = bed
                .cluster
                .create(&gvk, Some(&bed.namespace), object, options);
            created.await.unwrap();
        }
        Action::Patch(patch) => {
            let options = PatchOptions {
                field_manager: Some(&patch.by),
                ..PatchOptions::default()
            };
            let target = &patch.target;
            let gvk = gvk(&target.api_version, &target.kind);
            let patched = bed.cluster.merge(
                &gvk,
                Some(&bed.namespace),
                &target.name,
                &patch.change,
                options,
            );
            patched.await.unwrap();
        }
        Action::Delete(target) => {
            let gvk = gvk(&target.api_version, &target.kind);
            let options = DeleteOptions::default();
            let deleted = bed
                .cluster
                .delete(&gvk, Some(&bed.namespace), &target.name, &options)
                .await;
            assert!(deleted.unwrap(), "{target:?} is not there");
        }
        Action::Kustomization(kustomization) => {
            let spec = match &kustomization.spec {
                Value::Null => json!({}),
                spec => spec.clone(),
            };
            bed.kustomization(&kustomization.name, spec).await;
        }
        Action::Request(name) => bed.request(name, &stage.name).await,
        Action::SecretOf(secret) => {
            let text = sluice_system::fs::read_to_string(repository().join(&secret.file)).unwrap();
            unrecorded_secret(bed, &secret.name, &secret.key, &text).await;
        }
        Action::KubeConfig(name) => {
            let text = sluice_system::fs::read_to_string(&bed.kubeconfig).unwrap();
            unrecorded_secret(bed, name, "value", &text).await;
        }
        Action::KubeConfigMap(name) => {
            let data = place_of(bed);
            bed.apply(&json!({"apiVersion": "v1", "kind": "ConfigMap",
                "metadata": {"name": name, "labels": {UNRECORDED: "yes"}}, "data": data}))
                .await;
        }
    }
}

async fn unrecorded_secret(bed: &Bed, name: &str, key: &str, text: &str) {
    bed.apply(&json!({"apiVersion": "v1", "kind": "Secret",
        "metadata": {"name": name, "labels": {UNRECORDED: "yes"}}, "stringData": {key: text}}))
        .await;
}

async fn publish(bed: &Bed, publish: &Publish) {
    let mut files: BTreeMap<&str, String> = publish
        .files
        .iter()
        .map(|(path, text)| (path.as_str(), text.replace("NAMESPACE", &bed.namespace)))
        .collect();
    for (path, file) in &publish.fixtures {
        let text = sluice_system::fs::read_to_string(repository().join(file)).unwrap();
        files.insert(path, text);
    }
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let archive = archive(&files);
    let digest = match &publish.digest {
        Some(digest) => digest.clone(),
        None => Algorithm::Sha256.digest(&archive).to_string(),
    };
    let spec = match publish.kind.as_str() {
        "OCIRepository" => json!({"interval": "1h", "url": "oci://example.com/source"}),
        "Bucket" => json!({"interval": "1h", "bucketName": "source", "endpoint": "example.com"}),
        _ => json!({"interval": "1h", "url": "https://example.com/source"}),
    };
    bed.apply(
        &json!({"apiVersion": "source.toolkit.fluxcd.io/v1", "kind": publish.kind,
        "metadata": {"name": publish.name}, "spec": spec}),
    )
    .await;
    let mut artifact = bed.offer(&publish.revision, archive, &digest);
    if let Some(origin) = &publish.origin {
        artifact["metadata"] = json!({"org.opencontainers.image.revision": origin});
    }
    bed.advertise(&publish.kind, &publish.name, &artifact).await;
}

/// Waits for a goal. A timeout shows the output of the reference.
pub(super) async fn until(
    bed: &Bed,
    process: Option<&Running>,
    stage: &Stage,
    name: &str,
    goal: &Goal,
) {
    let is_asked = |action: &Action| matches!(action, Action::Request(asked) if asked == name);
    let token = stage.does.iter().any(is_asked).then_some(&*stage.name);
    let gvk = gvk("kustomize.toolkit.fluxcd.io/v1", "Kustomization");
    let claim = format!("{name} ends stage {} with {goal:?}", stage.name);
    wait::eventually(&claim, || async {
        let reached = match bed.get(&gvk, name).await {
            None => goal.gone,
            Some(object) if goal.is_reached(&object, token) && !goal.gone => true,
            Some(object) => {
                let output = process.map(Running::output).unwrap_or_default();
                let status = serde_json::to_string_pretty(&object["status"]).unwrap();
                return Err(format!("{status}\n{output}"));
            }
        };
        if reached {
            Ok(())
        } else {
            Err("there is none".to_owned())
        }
    })
    .await;
}

/// The controller's API requests since a mark.
pub(super) async fn asked(bed: &Bed, since: testkit::audit::Mark) -> Vec<Entry> {
    bed.mark().await;
    let mut entries = bed.testbed.audit().since(since);
    entries.retain(|entry| entry.user == bed.user);
    entries
}

/// Adds the objects of the namespace and its cluster-scoped objects to the outcome.
async fn look(
    bed: &Bed,
    scenario: &Scenario,
    stage: &Stage,
    addresses: &[(String, &str)],
    outcome: &mut Outcome,
) {
    let title = |object: &Value| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (kind, name) = (text(&object["kind"]), text(&object["metadata"]["name"]));
        format!("{} {kind}/{name}", stage.name)
    };
    for object in objects(bed, &scenario.watching).await {
        outcome.push(title(&object), outcome::of_object(&object));
    }
    for object in kustomizations(bed).await {
        outcome.push(
            title(&object),
            outcome::of_kustomization(&object, addresses),
        );
    }
}

/// The objects of the namespace and its cluster-scoped objects.
pub(super) async fn objects(bed: &Bed, watching: &[Kind]) -> Vec<Value> {
    bed.cluster.invalidate_discovery();
    let mut objects = Vec::new();
    let kinds = KINDS.iter().map(|(version, kind)| gvk(version, kind));
    let further = watching
        .iter()
        .map(|Kind { api_version, kind }| gvk(api_version, kind));
    for kind in kinds.chain(further) {
        // A kind that the scenario creates may not exist yet.
        let Ok(resource) = bed.cluster.resolve(&kind).await else {
            continue;
        };
        let labels = (!resource.namespaced)
            .then(|| format!("kustomize.toolkit.fluxcd.io/namespace={}", bed.namespace));
        let options = ListOptions {
            labels,
            ..ListOptions::default()
        };
        match bed
            .cluster
            .list(&kind, Some(&bed.namespace), &options)
            .await
        {
            Ok(list) => objects.extend(list.items),
            Err(error) => assert!(error.has_no_match() || error.is_unserved(), "{error}"),
        }
    }
    objects.retain(|object| !is_foreign(object));
    objects
}

pub(super) async fn kustomizations(bed: &Bed) -> Vec<Value> {
    let kind = gvk("kustomize.toolkit.fluxcd.io/v1", "Kustomization");
    let options = ListOptions::default();
    let list = bed
        .cluster
        .list(&kind, Some(&bed.namespace), &options)
        .await
        .unwrap();
    list.items
}

/// Whether an object is left out: created by Kubernetes, different in each run, or being deleted,
/// since the time of its end varies.
fn is_foreign(object: &Value) -> bool {
    let name = &object["metadata"]["name"];
    name == "kube-root-ca.crt"
        || (name == "default" && object["kind"] == "ServiceAccount")
        || object["metadata"]["labels"][UNRECORDED] == "yes"
        || !object["metadata"]["deletionTimestamp"].is_null()
}

fn gvk(api_version: &str, kind: &str) -> GroupVersionKind {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    GroupVersionKind::gvk(group, version, kind)
}

pub(super) fn gvk_of(object: &Value) -> GroupVersionKind {
    let text = |name: &str| object[name].as_str().unwrap_or_default();
    gvk(text("apiVersion"), text("kind"))
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}
