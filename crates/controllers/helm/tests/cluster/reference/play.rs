//! Runs a scenario with one of the two controllers and reads its outcome.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use sluice_client::{DeleteOptions, GroupVersionKind, ListOptions, PatchOptions};
use sluice_testkit::outcome::{self, Outcome};
use sluice_testkit::{self as testkit, EventSink, Reference, Running, Testbed, archive, wait};
use tokio::sync::OnceCell;

use super::lines;
use super::scenario::{Action, Chart, Goal, Record, Scenario, Stage};
use crate::bed::Bed;

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
    ("v1", "PersistentVolumeClaim"),
    ("apps/v1", "Deployment"),
    ("source.toolkit.fluxcd.io/v1", "HelmChart"),
    ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
];

/// Time without events after which all events have arrived.
const QUIET_PERIOD: Duration = Duration::from_secs(2);

/// A finished scenario with its running controller.
pub(super) struct PlayedScenario {
    outcome: Outcome,
    sink: EventSink,
    releases: BTreeSet<String>,
    addresses: Vec<(String, &'static str)>,
    bed: Bed,
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
    let mut addresses = vec![(bed.artifacts.address().to_owned(), "ARTIFACTS")];
    let url = bed.cluster.url().trim_end_matches('/').to_owned();
    let host = url.trim_start_matches("https://").to_owned();
    addresses.extend([(url, "APISERVER"), (host, "APISERVER")]);

    let mut outcome = Outcome::default();
    let mut releases = BTreeSet::new();
    let mut statuses = 0;
    for stage in &scenario.stages {
        let mark = bed.mark().await;
        for action in &stage.does {
            if let Action::Release(release) = action {
                releases.insert(release.name.clone());
            }
            act(&bed, stage, action).await;
        }
        for (name, goal) in &stage.until {
            until(&bed, process.as_ref(), stage, name, goal).await;
        }
        bed.mark().await;
        let mut entries = bed.testbed.audit().since(mark);
        entries.retain(|entry| entry.user == bed.user && entry.is_write());
        let count = entries.len();
        entries.retain(|entry| entry.resource != "helmreleases");
        statuses += count - entries.len();
        look(&bed, scenario, stage, &addresses, &mut outcome).await;
        outcome.push(
            format!("{} writes", stage.name),
            outcome::of_writes(&entries, |_| true),
        );
    }
    outcome.push(
        "cost".to_owned(),
        vec![format!("writes of HelmReleases: {statuses}")],
    );
    PlayedScenario {
        outcome,
        sink,
        releases,
        addresses,
        bed,
        _process: process,
    }
}

impl PlayedScenario {
    /// The outcome with all events so far.
    pub(super) fn outcome(&self) -> Outcome {
        let mut outcome = self.outcome.clone();
        for name in &self.releases {
            let mut events: Vec<String> = self
                .sink
                .about("HelmRelease", &self.bed.namespace, name)
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

    /// Stops our controller.
    pub(super) async fn stop(&mut self) {
        self.bed.stop().await;
    }
}

/// Starts the reference as a process that watches the bed's namespace.
pub(crate) fn start(reference: &Reference, bed: &Bed, flags: &[&str]) -> Running {
    let mut arguments = vec![
        "--watch-all-namespaces=false",
        "--metrics-addr=0",
        "--health-addr=0",
    ];
    arguments.extend(flags);
    reference
        .controller("helm-controller")
        .without_poll_limit()
        .variable("KUBECONFIG", bed.kubeconfig.display().to_string())
        .variable("RUNTIME_NAMESPACE", bed.namespace.clone())
        .start(&arguments)
}

async fn act(bed: &Bed, stage: &Stage, action: &Action) {
    match action {
        Action::Chart(chart) => publish(bed, chart).await,
        Action::Lose(revision) => bed.artifacts.remove(revision),
        Action::Apply(object) => {
            let text = object.to_string().replace("NAMESPACE", &bed.namespace);
            let object: Value = serde_json::from_str(&text).unwrap();
            bed.apply(&object).await;
            if object["kind"] == "RoleBinding" {
                let account = object["subjects"][0]["name"].as_str().unwrap();
                let user = format!("system:serviceaccount:{}:{account}", bed.namespace);
                let everything = json!({"namespace": bed.namespace, "verb": "*", "group": "*",
                    "resource": "*"});
                bed.testbed.until_allowed(&user, everything).await;
            }
        }
        Action::Patch(patch) => {
            let target = &patch.target;
            let gvk = gvk(&target.api_version, &target.kind);
            let options = PatchOptions {
                field_manager: Some("test"),
                ..PatchOptions::default()
            };
            let namespace = Some(&*bed.namespace);
            let patched = bed
                .cluster
                .merge(&gvk, namespace, &target.name, &patch.change, options);
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
        Action::Release(release) => {
            let spec = match &release.spec {
                Value::Null => json!({}),
                spec => spec.clone(),
            };
            let text = spec.to_string().replace("NAMESPACE", &bed.namespace);
            let spec = serde_json::from_str(&text).unwrap();
            bed.release(&release.name, spec).await;
        }
        Action::Annotate(annotate) => {
            let annotations: Map<String, Value> = annotate
                .with
                .iter()
                .map(|(name, value)| (format!("reconcile.fluxcd.io/{name}"), json!(value)))
                .collect();
            bed.annotate(&annotate.name, annotations.into()).await;
        }
        Action::Request(name) => {
            let token = json!({ "reconcile.fluxcd.io/requestedAt": stage.name });
            bed.annotate(name, token).await;
        }
        Action::Record(record) => rewrite(bed, record).await,
    }
}

async fn publish(bed: &Bed, chart: &Chart) {
    let version = &chart.version;
    let own = &chart.own_name;
    let metadata =
        format!("apiVersion: v2\nname: {own}\nversion: {version}\nappVersion: a{version}\n");
    let mut files = vec![("Chart.yaml".to_owned(), metadata)];
    for (path, text) in &chart.files {
        files.retain(|(known, _)| known != path);
        files.push((path.clone(), text.replace("NAMESPACE", &bed.namespace)));
    }
    let files: Vec<(String, String)> = files
        .into_iter()
        .map(|(path, text)| (format!("{own}/{path}"), text))
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let revision = chart.revision.as_ref().unwrap_or(version);
    let mut artifact = bed.artifacts.publish_files(revision, &files);
    if let Some(digest) = &chart.digest {
        artifact = bed
            .artifacts
            .publish(revision, archive::tarball(&files), digest);
    }
    if chart.existing {
        bed.advertise(&chart.kind, &chart.name, &artifact).await;
    } else {
        bed.source(&chart.kind, &chart.name, &artifact).await;
    }
}

/// Changes the newest record of a release.
async fn rewrite(bed: &Bed, record: &Record) {
    let gvk = gvk("v1", "Secret");
    let (secret, mut release) = records(bed, &bed.namespace).await.pop().unwrap();
    assert_eq!(release["name"], *record.name);
    let mut labels = Map::new();
    if let Some(status) = &record.status {
        release["info"]["status"] = json!(status);
        labels.insert("status".to_owned(), json!(status));
    }
    if let Some(description) = &record.description {
        release["info"]["description"] = json!(description);
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(release.to_string().as_bytes()).unwrap();
    let packed = STANDARD.encode(encoder.finish().unwrap());
    let change = json!({
        "metadata": {"labels": labels}, "data": {"release": STANDARD.encode(packed)},
    });
    let name = secret["metadata"]["name"].as_str().unwrap();
    let (namespace, options) = (Some(&*bed.namespace), PatchOptions::default());
    let patched = bed.cluster.merge(&gvk, namespace, name, &change, options);
    patched.await.unwrap();
}

/// The records of all releases in a namespace.
async fn records(bed: &Bed, namespace: &str) -> Vec<(Value, Value)> {
    let options = ListOptions {
        labels: Some("owner=helm".to_owned()),
        ..ListOptions::default()
    };
    let gvk = gvk("v1", "Secret");
    let listed = bed.cluster.list(&gvk, Some(namespace), &options).await;
    let listed = listed.unwrap().items.into_iter();
    let decoded = listed.map(|secret| {
        let release = lines::decode(secret["data"]["release"].as_str().unwrap()).unwrap();
        (secret, release)
    });
    let mut decoded: Vec<(Value, Value)> = decoded.collect();
    decoded.sort_by_key(|(_, release)| {
        let name = release["name"].as_str().unwrap_or_default().to_owned();
        (name, release["version"].as_i64())
    });
    decoded
}

/// Waits for a goal. A timeout shows the output of the reference.
async fn until(bed: &Bed, process: Option<&Running>, stage: &Stage, name: &str, goal: &Goal) {
    let is_asked = |action: &Action| matches!(action, Action::Request(asked) if asked == name);
    let token = stage.does.iter().any(is_asked).then_some(&*stage.name);
    let claim = format!("{name} ends stage {} with {goal:?}", stage.name);
    wait::eventually(&claim, || async {
        match bed.get(&helm_release(), name).await {
            None if goal.gone => Ok(()),
            None => Err("there is none".to_owned()),
            Some(object) if goal.is_reached(&object, token) && !goal.gone => Ok(()),
            Some(object) => {
                let output = process.map(Running::output).unwrap_or_default();
                let status = serde_json::to_string_pretty(&object["status"]).unwrap();
                Err(format!("{status}\n{output}"))
            }
        }
    })
    .await;
}

/// Adds releases, records and objects to the outcome.
async fn look(
    bed: &Bed,
    scenario: &Scenario,
    stage: &Stage,
    addresses: &[(String, &str)],
    outcome: &mut Outcome,
) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let listed = list(bed, &bed.namespace, &helm_release()).await;
    for object in listed {
        let name = text(&object["metadata"]["name"]);
        let title = format!("{} HelmRelease/{name}", stage.name);
        outcome.push(title, lines::of_release(&object, addresses));
    }
    let target = format!("{}-target", bed.namespace);
    let mut namespaces = vec![&bed.namespace];
    namespaces.extend(scenario.has_target.then_some(&target));
    for namespace in namespaces {
        for (secret, release) in records(bed, namespace).await {
            let name = text(&secret["metadata"]["name"]);
            let title = format!("{} {namespace} {name}", stage.name);
            outcome.push(title, lines::of_record(&secret, &release));
        }
        bed.cluster.invalidate_discovery();
        for (api_version, kind) in KINDS {
            for mut object in list(bed, namespace, &gvk(api_version, kind)).await {
                if is_foreign(&object, scenario) {
                    continue;
                }
                let name = text(&object["metadata"]["name"]);
                if *kind == "CustomResourceDefinition" {
                    // The API server fills in most of it.
                    object["spec"].as_object_mut().unwrap().remove("conversion");
                }
                let title = format!("{} {namespace} {kind}/{name}", stage.name);
                outcome.push(title, outcome::of_object(&object));
            }
        }
    }
}

async fn list(bed: &Bed, namespace: &str, kind: &GroupVersionKind) -> Vec<Value> {
    let options = ListOptions::default();
    let listed = bed.cluster.list(kind, Some(namespace), &options).await;
    listed.unwrap().items
}

/// Whether an object is left out: a record, created by Kubernetes, of another scenario, or being
/// deleted, since the time of its end varies.
fn is_foreign(object: &Value, scenario: &Scenario) -> bool {
    let metadata = &object["metadata"];
    let name = metadata["name"].as_str().unwrap_or_default();
    let is_other_definition = object["spec"]["group"].is_string()
        && !name.ends_with(&format!("{}.example.com", scenario.name));
    name == "kube-root-ca.crt"
        || is_other_definition
        || metadata["labels"]["owner"] == "helm"
        || !metadata["deletionTimestamp"].is_null()
}

fn helm_release() -> GroupVersionKind {
    GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease")
}

fn gvk(api_version: &str, kind: &str) -> GroupVersionKind {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    GroupVersionKind::gvk(group, version, kind)
}
