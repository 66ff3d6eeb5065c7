//! Takeover of 30 releases and more, as helm-controller 1.6.3 has left them: nothing is upgraded,
//! and no record is written. Then the releases are given back, and everything is as it was.
//!
//! `takeover/recorded.json` holds the statuses and the records that the reference has written.
//! `RECORD=1` with its `helm-controller` in `REFERENCE_BIN_DIR` records them again, and gives the
//! releases back to it. [`reference`](crate::reference) says how to build it.

mod cases;

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Secret;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sluice_api::helm::HelmReleaseStatus;
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_testkit::Reference;
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{ListParams, PostParams};

use crate::bed::Bed;
use crate::reference;
use cases::{Case, Outcome};

/// The namespace of the records, which is part of their digests.
const NAMESPACE: &str = "helm-takeover";
/// Where some of the records are.
const STORAGE: &str = "helm-takeover-storage";
const RECORDED: &str = include_str!("takeover/recorded.json");
/// The digest of the artifact of the release from a registry.
const OCI_DIGEST: &str = "sha256:abcdef012345abcdef012345abcdef012345abcdef012345abcdef012345abcd";

/// A release as the reference has left it.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct RecordedRelease {
    status: Value,
    /// The Secrets, without fields of the API server.
    records: Vec<Value>,
}

impl Bed {
    fn secrets(&self, namespace: &str) -> Api<Secret> {
        Api::namespaced(self.cluster.client().clone(), namespace)
    }

    /// Publishes the chart of a revision, and applies the object with its values. The same edits
    /// give the object the same generation.
    async fn revise(&self, case: &Case, revision: usize) {
        let (kind, source) = case.source();
        let chart = &case.charts[revision];
        let mut artifact = {
            // The server keeps one archive of each revision.
            let name = format!("{}-{}", chart.version, case.name);
            self.chart_of(&chart.metadata(), &name, &chart.templates())
        };
        artifact["revision"] = if case.is_oci {
            format!("{}@{OCI_DIGEST}", chart.version).into()
        } else {
            chart.version.clone().into()
        };
        self.source(kind, &source, &artifact).await;
        let mut spec = case.spec.clone();
        spec["chartRef"] = json!({ "kind": kind, "name": source });
        spec["values"] = case.values[revision].clone();
        self.release(case.name, spec).await;
    }

    /// Suspends a release that is suspended in the end.
    async fn suspend(&self, case: &Case) {
        if case.is_suspended {
            let gvk = GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease");
            let patch = json!({ "spec": { "suspend": true } });
            let (namespace, options) = (Some(&*self.namespace), PatchOptions::default());
            let patched = self
                .cluster
                .merge(&gvk, namespace, case.name, &patch, options);
            patched.await.unwrap();
        }
    }

    /// Waits until the last action of a release has ended.
    async fn until_ended(&self, case: &Case, revision: usize) -> HelmReleaseStatus {
        let is_last = revision + 1 == case.charts.len();
        let fails = is_last && case.outcome == Outcome::Failed;
        let version = i32::try_from(revision + 1).unwrap();
        let claim = format!("has ended revision {version}");
        self.until(case.name, &claim, |status| {
            let latest = status.history.first();
            let conditions = &status.conditions;
            latest.is_some_and(|latest| latest.version == version)
                && conditions.find("Reconciling").is_none()
                && conditions.is_true(if fails { "Stalled" } else { "Ready" })
        })
        .await
    }

    /// The state of a release.
    async fn left(&self, case: &Case) -> RecordedRelease {
        let object = self.releases().get(case.name).await.unwrap();
        let selector = format!("owner=helm,name={}", case.release_name());
        let selector = ListParams::default().labels(&selector);
        let secrets = self.secrets(case.storage()).list(&selector).await.unwrap();
        let records = secrets.into_iter().map(|secret| {
            json!({
                "metadata": {"name": secret.metadata.name, "labels": secret.metadata.labels},
                "type": secret.type_, "data": secret.data,
            })
        });
        RecordedRelease {
            status: serde_json::to_value(&object.status).unwrap(),
            records: records.collect(),
        }
    }

    /// Creates the records, the source, the object and its status.
    async fn restore(&self, case: &Case, recorded: &RecordedRelease) {
        for record in &recorded.records {
            let secret: Secret = serde_json::from_value(record.clone()).unwrap();
            let created = self.secrets(case.storage());
            created
                .create(&PostParams::default(), &secret)
                .await
                .unwrap();
        }
        for revision in 0..case.charts.len() {
            self.revise(case, revision).await;
        }
        self.suspend(case).await;
        let gvk = GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease");
        let finalizer = json!({ "metadata": { "finalizers": ["finalizers.fluxcd.io"] } });
        let status = json!({ "status": recorded.status });
        for (patch, subresource) in [(finalizer, None), (status, Some("status"))] {
            let options = PatchOptions {
                field_manager: Some("helm-controller"),
                subresource,
                ..PatchOptions::default()
            };
            let namespace = Some(&*self.namespace);
            let patched = self
                .cluster
                .merge(&gvk, namespace, case.name, &patch, options);
            patched.await.unwrap();
        }
    }

    /// The resource versions of all records.
    async fn record_versions(&self) -> BTreeMap<String, String> {
        let mut versions = BTreeMap::new();
        for namespace in [NAMESPACE, STORAGE] {
            let selector = ListParams::default().labels("owner=helm");
            for secret in self.secrets(namespace).list(&selector).await.unwrap() {
                let metadata = secret.metadata;
                versions.insert(metadata.name.unwrap(), metadata.resource_version.unwrap());
            }
        }
        versions
    }
}

/// The status without the handled request. Each run sets `Stalled` again, as in Flux.
fn comparable(status: &HelmReleaseStatus) -> Value {
    let mut status = serde_json::to_value(status).unwrap();
    let fields = status.as_object_mut().unwrap();
    fields.remove("lastHandledReconcileAt");
    let conditions = fields["conditions"].as_array_mut().unwrap();
    conditions.sort_by_key(|condition| condition["type"].to_string());
    for condition in conditions {
        if condition["type"] == "Stalled" {
            condition["lastTransitionTime"].take();
        }
    }
    status
}

/// Returns the writes of a controller that concern releases and their objects.
fn writes(asked: Vec<String>) -> Vec<String> {
    let is_bookkeeping = |request: &String| {
        let resource = request.rsplit(' ').next().unwrap_or_default();
        ["events", "leases", "helmreleases"].contains(&resource)
    };
    let is_write = |request: &String| {
        let verbs = ["create", "update", "patch", "delete", "deletecollection"];
        verbs
            .iter()
            .any(|verb| request.starts_with(&format!("{verb} ")))
    };
    let asked = asked.into_iter();
    asked
        .filter(|request| is_write(request) && !is_bookkeeping(request))
        .collect()
}

/// Lets the reference install all releases, and writes the file of the test.
async fn record(bed: &Bed, reference: &Reference, cases: &[Case]) {
    let running = reference::start(reference, bed, &["--concurrent=8"]);
    let revisions = cases.iter().map(|case| case.charts.len()).max();
    for revision in 0..revisions.unwrap_or_default() {
        let with_revision = || cases.iter().filter(|case| revision < case.charts.len());
        for case in with_revision() {
            bed.revise(case, revision).await;
        }
        for case in with_revision() {
            bed.until_ended(case, revision).await;
        }
    }
    for case in cases {
        bed.suspend(case).await;
    }
    let is_suspended = |status: &HelmReleaseStatus| status.observed_generation == Some(2);
    for case in cases.iter().filter(|case| case.is_suspended) {
        bed.until(case.name, "is suspended", is_suspended).await;
    }
    let mut recorded = BTreeMap::new();
    for case in cases {
        recorded.insert(case.name, bed.left(case).await);
    }
    running.kill();
    let text = serde_json::to_string(&recorded).unwrap() + "\n";
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("tests/cluster/takeover/recorded.json");
    sluice_system::fs::write(path, text.replace("},\"", "},\n\"")).unwrap();
}

/// Requests a run of each release that is not suspended.
async fn request_all(bed: &Bed, cases: &[Case]) {
    let is_at_rest = |status: &HelmReleaseStatus| status.conditions.find("Reconciling").is_none();
    for case in cases.iter().filter(|case| !case.is_suspended) {
        bed.request(case.name).await;
        bed.until(case.name, "is at rest", is_at_rest).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn releases_are_taken_over_and_given_back() {
    let cases = cases::all();
    assert!(cases.len() >= 30, "{}", cases.len());
    let mut bed = Bed::idle_in(NAMESPACE).await;
    bed.testbed.namespace_called(STORAGE).await;
    let reference = Reference::find();
    if Reference::is_recording() {
        record(&bed, &reference.unwrap(), &cases).await;
        return;
    }
    let recorded: BTreeMap<String, RecordedRelease> = serde_json::from_str(RECORDED).unwrap();
    for case in &cases {
        bed.restore(case, &recorded[case.name]).await;
    }
    let statuses = async |bed: &Bed| {
        let objects = bed.releases().list(&ListParams::default()).await.unwrap();
        let status = |object: sluice_api::helm::HelmRelease| {
            let name = object.metadata.name.unwrap();
            (name, comparable(&object.status.unwrap()))
        };
        objects.into_iter().map(status).collect::<BTreeMap<_, _>>()
    };
    let (before, records) = (statuses(&bed).await, bed.record_versions().await);
    for life in ["takeover", "give-back"] {
        let since = bed.mark().await;
        match &reference {
            Some(reference) if life == "give-back" => {
                let running = reference::start(reference, &bed, &["--concurrent=8"]);
                request_all(&bed, &cases).await;
                running.kill();
            }
            // Without the reference, another process of ours stands for it.
            _ => {
                bed.run(&["--concurrent=8"]);
                request_all(&bed, &cases).await;
                bed.stop().await;
            }
        }
        let asked = bed.asked(since).await;
        assert_eq!(writes(asked), Vec::<String>::new(), "{life}");
        assert_eq!(bed.record_versions().await, records, "{life}");
        let after = statuses(&bed).await;
        for (name, before) in &before {
            assert_eq!(&after[name], before, "{name}, {life}");
        }
    }

    // Each release goes on from its history.
    let is_deployed = |case: &&Case| case.outcome != Outcome::Failed && !case.is_suspended;
    bed.run(&["--concurrent=8"]);
    for case in cases.iter().filter(is_deployed) {
        let mut edited = case.clone();
        let last = edited.values.last_mut().unwrap();
        last["edited"] = true.into();
        bed.revise(&edited, edited.charts.len() - 1).await;
    }
    for case in cases.iter().filter(is_deployed) {
        bed.until_ended(case, case.charts.len()).await;
        let count = bed.left(case).await.records.len();
        assert_eq!(count, case.charts.len() + 1, "{}", case.name);
    }
}
