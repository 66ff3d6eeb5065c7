//! Takeover of 30 releases and more, of which `helm` has written the records: nothing is upgraded,
//! and no record is written. Later, another controller finds everything as it was.
//!
//! `takeover/recorded.json` holds the records of Helm 4.2.4 on an API server, and their digests by
//! the Go program in `crates/content/helm/tests/oracle`. With a `helm` in `REFERENCE_BIN_DIR`,
//! `RECORD=1` records them again. The statuses are those that helm-controller 1.6.3 leaves.

mod cases;
mod record;

use std::collections::BTreeMap;

use k8s_openapi::api::core::v1::Secret;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sluice_api::helm::HelmReleaseStatus;
use sluice_client::{GroupVersionKind, PatchOptions};
use sluice_testkit::kube::Api;
use sluice_testkit::kube::api::{ListParams, PostParams};

use crate::bed::Bed;
use cases::{Case, Outcome};

/// The namespace of the records, which is part of their digests.
const NAMESPACE: &str = "helm-takeover";
/// Where some of the records are.
const STORAGE: &str = "helm-takeover-storage";
const RECORDED: &str = include_str!("takeover/recorded.json");
/// The digest of the artifact of the release from a registry.
const OCI_DIGEST: &str = "sha256:abcdef012345abcdef012345abcdef012345abcdef012345abcdef012345abcd";

/// A record of Helm.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct ReleaseRecord {
    /// The Secret, without fields of the API server.
    secret: Value,
    /// The digest of the record, which is in the history.
    digest: String,
    /// The digest of the values.
    config_digest: String,
    first_deployed: String,
    last_deployed: String,
    status: String,
    /// The chart's version and application version.
    chart: [String; 2],
    /// Phases of the tests that have run.
    tests: BTreeMap<String, String>,
}

impl ReleaseRecord {
    /// The version of the revision.
    fn version(&self) -> i64 {
        let version = &self.secret["metadata"]["labels"]["version"];
        version.as_str().unwrap().parse().unwrap()
    }

    /// The snapshot of the record, as Flux keeps it in the history.
    fn snapshot(&self, case: &Case, action: &str) -> Value {
        let mut snapshot = json!({
            "apiVersion": "v2", "digest": self.digest, "name": case.release_name(),
            "namespace": case.namespace(), "version": self.version(), "status": self.status,
            "action": action, "chartName": "web", "chartVersion": self.chart[0],
            "appVersion": self.chart[1], "configDigest": self.config_digest,
            "firstDeployed": self.first_deployed, "lastDeployed": self.last_deployed,
        });
        if case.is_oci {
            snapshot["ociDigest"] = OCI_DIGEST.into();
        }
        if case.outcome == Outcome::Tested {
            let test = |phase: &String| json!({ "phase": phase });
            let tests = self.tests.iter().map(|(name, phase)| (name, test(phase)));
            let tests: serde_json::Map<_, _> =
                tests.map(|(name, test)| (name.clone(), test)).collect();
            snapshot["testHooks"] = tests.into();
        }
        snapshot
    }
}

/// The status that helm-controller leaves after the last action.
fn status(case: &Case, records: &[ReleaseRecord]) -> Value {
    let mut records: Vec<&ReleaseRecord> = records.iter().collect();
    records.sort_by_key(|record| -record.version());
    let latest = records[0];
    let (action, done) = match latest.version() {
        1 => ("install", "Install"),
        _ => ("upgrade", "Upgrade"),
    };
    let history = records.iter().map(|record| {
        let action = if record.version() == 1 {
            "install"
        } else {
            "upgrade"
        };
        record.snapshot(case, action)
    });
    // Flux keeps the predecessor of a deployed revision, and no older ones.
    let history: Vec<Value> = history.take(2).collect();
    let release = format!("{}/{}", case.namespace(), case.release_name());
    let chart = format!("web@{}", latest.chart[0]);
    let condition = |type_: &str, status: &str, reason: &str, message: &str| {
        json!({
            "type": type_, "status": status, "reason": reason, "message": message,
            "observedGeneration": 1, "lastTransitionTime": "2026-01-02T03:04:05Z",
        })
    };
    let full = format!("{release}.v{}", latest.version());
    let succeeded = format!("Helm {action} succeeded for release {full} with chart {chart}");
    let mut status = json!({
        "observedGeneration": 1, "lastAttemptedGeneration": 1,
        "lastAttemptedReleaseAction": action, "lastAttemptedRevision": latest.chart[0],
        "lastAttemptedConfigDigest": latest.config_digest,
        "storageNamespace": case.storage(), "history": history,
    });
    if case.is_oci {
        status["lastAttemptedRevisionDigest"] = OCI_DIGEST.into();
    }
    status["conditions"] = match case.outcome {
        Outcome::Failed => {
            let failed =
                format!("Helm {action} failed for release {release} with chart {chart}: boom");
            let retries = format!("Failed to {action} after 1 attempt(s)");
            status["failures"] = 1.into();
            status[format!("{action}Failures")] = 1.into();
            json!([
                condition("Ready", "False", &format!("{done}Failed"), &failed),
                condition("Stalled", "True", "RetriesExceeded", &retries),
                condition("Released", "False", &format!("{done}Failed"), &failed),
            ])
        }
        Outcome::Tested => {
            let tested = format!(
                "Helm test succeeded for release {full} with chart {chart}: 1 test hook completed \
                 successfully"
            );
            json!([
                condition("Ready", "True", "TestSucceeded", &tested),
                condition("Released", "True", &format!("{done}Succeeded"), &succeeded),
                condition("TestSuccess", "True", "TestSucceeded", &tested),
            ])
        }
        Outcome::Deployed => json!([
            condition("Ready", "True", &format!("{done}Succeeded"), &succeeded),
            condition("Released", "True", &format!("{done}Succeeded"), &succeeded),
        ]),
    };
    status
}

impl Bed {
    fn secrets(&self, namespace: &str) -> Api<Secret> {
        Api::namespaced(self.cluster.client().clone(), namespace)
    }

    /// Creates the records, the source, the object and its status.
    async fn restore(&self, case: &Case, records: &[ReleaseRecord]) {
        for record in records {
            let secret: Secret = serde_json::from_value(record.secret.clone()).unwrap();
            let created = self.secrets(case.storage());
            created
                .create(&PostParams::default(), &secret)
                .await
                .unwrap();
        }
        let (kind, source) = case.source();
        let last = case.charts.last().unwrap();
        let mut artifact = {
            // The server keeps one archive of each revision.
            let revision = format!("{}-{}", last.version, case.name);
            self.chart_of(&last.metadata(), &revision, &last.templates())
        };
        if case.is_oci {
            artifact["revision"] = format!("{}@{OCI_DIGEST}", last.version).into();
        }
        self.source(kind, &source, &artifact).await;
        let mut spec = case.spec.clone();
        spec["chartRef"] = json!({ "kind": kind, "name": source });
        spec["values"] = case.values.last().unwrap().clone();
        self.release(case.name, spec).await;
        let gvk = GroupVersionKind::gvk("helm.toolkit.fluxcd.io", "v2", "HelmRelease");
        let finalizer = json!({ "metadata": { "finalizers": ["finalizers.fluxcd.io"] } });
        let (namespace, options) = (Some(&*self.namespace), PatchOptions::default());
        let patched = self
            .cluster
            .merge(&gvk, namespace, case.name, &finalizer, options);
        patched.await.unwrap();
        let options = PatchOptions {
            subresource: Some("status"),
            ..PatchOptions::default()
        };
        let status = json!({ "status": status(case, records) });
        let patched = self
            .cluster
            .merge(&gvk, namespace, case.name, &status, options);
        patched.await.unwrap();
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn releases_of_helm_are_taken_over_and_given_back() {
    let cases = cases::all();
    assert!(cases.len() >= 30, "{}", cases.len());
    let mut bed = Bed::idle_in(NAMESPACE).await;
    bed.testbed.namespace_called(STORAGE).await;
    if sluice_testkit::Reference::is_recording() {
        record::record(&bed, &cases).await;
        return;
    }
    let recorded: BTreeMap<String, Vec<ReleaseRecord>> = serde_json::from_str(RECORDED).unwrap();
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
    // The second life stands for the controller to which the releases are given back.
    for life in 1..=2 {
        let since = bed.mark().await;
        bed.run(&["--concurrent=8"]);
        for case in cases.iter().filter(|case| !case.is_suspended()) {
            bed.request(case.name).await;
        }
        bed.stop().await;
        let asked = bed.asked(since).await;
        assert_eq!(writes(asked), Vec::<String>::new(), "life {life}");
        assert_eq!(bed.record_versions().await, records, "life {life}");
        let after = statuses(&bed).await;
        for (name, before) in &before {
            assert_eq!(&after[name], before, "{name}, life {life}");
        }
    }
}
