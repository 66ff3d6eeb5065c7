//! Table tests for the decisions and reports of a `GitRepository`.
#![expect(
    clippy::needless_pass_by_value,
    reason = "table rows read better without references"
)]

mod checkouts;
mod decisions;
mod killed;
mod reports;

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};
use sluice_api::Artifact;
use sluice_api::source::{GitRepository, GitRepositoryStatus};
use sluice_engine::{Audience, Failure, Outcome, Progress, Requeue, Retry, Severity};
use sluice_git::{Address, Remote};
use sluice_producer::{ArtifactState, TidyReport};

use super::conclude::{self, Draft};
use super::model::NewArtifact;
use super::pack::Remarks;
use super::{GitRepositoryKind, observe, plan};
use crate::fault::{FailureCondition, Fault};
use crate::reconcile::{self, Facts, Step};

const COMMIT: &str = "1eabc9a41ca088515cab83f1cce49eb43e84b67f";
const OTHER: &str = "77beb0e6b2d30ed26cfe6a3d4bba0a4cf0cf6a3d";

fn object(spec: &Value, status: &Value) -> GitRepository {
    let mut whole = json!({ "url": "https://example.com/app.git", "interval": "1m" });
    merge(&mut whole, spec);
    serde_json::from_value(json!({
        "apiVersion": "source.toolkit.fluxcd.io/v1",
        "kind": "GitRepository",
        "metadata": { "name": "app", "namespace": "tenant", "generation": 3 },
        "spec": whole,
        "status": status,
    }))
    .unwrap()
}

fn merge(into: &mut Value, from: &Value) {
    for (key, value) in from.as_object().unwrap() {
        into[key] = value.clone();
    }
}

fn stored(revision: &str) -> Value {
    json!({
        "observedGeneration": 3,
        "artifact": artifact(revision),
        "conditions": [
            condition("Ready", "True", "Succeeded", &format!("stored artifact for revision '{revision}'")),
            condition("ArtifactInStorage", "True", "Succeeded", &format!("stored artifact for revision '{revision}'")),
        ],
    })
}

fn artifact(revision: &str) -> Value {
    json!({
        "digest": "sha256:aa", "lastUpdateTime": "2024-01-01T00:00:00Z", "path": "gitrepository/tenant/app/x.tar.gz",
        "revision": revision, "size": 10, "url": "http://here/gitrepository/tenant/app/x.tar.gz",
    })
}

fn condition(type_: &str, status: &str, reason: &str, message: &str) -> Value {
    json!({
        "type": type_, "status": status, "reason": reason, "message": message,
        "observedGeneration": 3, "lastTransitionTime": "2024-01-01T00:00:00Z",
    })
}

fn now() -> Timestamp {
    "2025-01-01T00:00:00Z".parse().unwrap()
}

fn url(path: &str) -> String {
    format!("http://here/{path}")
}

fn begin(object: &GitRepository) -> Draft {
    reconcile::begin::<GitRepositoryKind>(object, now(), url)
}

fn facts(object: &GitRepository) -> Facts<GitRepositoryKind> {
    Facts::new(object, false)
}

/// Whether the status is shown before the remote is contacted.
fn is_shown_at_start(object: &GitRepository, tidied: TidyReport) -> bool {
    let mut facts = facts(object);
    facts.tidied = Some(tidied);
    let step = Step::Kind(super::Step::Connect);
    let progress = reconcile::progress(object, &facts, step, now(), url);
    matches!(progress, Progress::Show(_))
}

type End = Outcome<sluice_api::source::GitRepositoryStatus>;

/// Formats conditions as `Type=Status/Reason`.
fn conditions(outcome: &End) -> Vec<String> {
    outcome
        .status
        .iter()
        .flat_map(|status| status.conditions.iter())
        .map(|condition| {
            format!(
                "{}={}/{}",
                condition.type_,
                condition.status.as_str(),
                condition.reason
            )
        })
        .collect()
}

/// Formats notices as `Severity Audience Reason`.
fn notices(outcome: &End) -> Vec<String> {
    outcome
        .notices
        .iter()
        .map(|notice| {
            format!(
                "{:?} {:?} {}",
                notice.severity, notice.audience, notice.reason
            )
        })
        .collect()
}

fn new(revision: &str, digest: &str) -> NewArtifact {
    NewArtifact {
        artifact: Artifact {
            digest: digest.to_owned(),
            revision: revision.to_owned(),
            path: "gitrepository/tenant/app/y.tar.gz".to_owned(),
            ..Artifact::default()
        },
        subject: "Change a thing".to_owned(),
        remarks: Remarks::default(),
    }
}

fn valid_artifact() -> TidyReport {
    TidyReport {
        collected: 0,
        state: ArtifactState::Valid,
    }
}
