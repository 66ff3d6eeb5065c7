//! The status and the notices of an `ArtifactGenerator`, from the facts of a run. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use jiff::Timestamp;
use sluice_api::meta::condition::{READY, RECONCILING, STALLED};
use sluice_api::meta::{ToolkitResource as _, reason};
use sluice_api::source_watcher::{
    self, ArtifactGenerator, ArtifactGeneratorStatus, ExternalArtifactReference,
    reason as own_reason,
};
use sluice_client::typed::Resource as _;
use sluice_engine::conditions::ConditionSet;
use sluice_engine::ready::Fault;
use sluice_engine::{End, Failure, Notice, Outcome, Progress, Requeue, Retry, Times};

use super::model::{Facts, PublishedArtifact, Step, Work};
use crate::expand::path_pattern;
use crate::sources::{self, Sources};

/// Time between two checks without a change.
const INTERVAL: Duration = Duration::from_hours(1);
/// The message while artifacts are made.
const IN_PROGRESS: &str = "Reconciliation in progress";

/// The status to show while artifacts are made.
pub(super) fn progress(
    generator: &ArtifactGenerator,
    step: &Step,
    times: Times,
) -> Progress<ArtifactGeneratorStatus> {
    if !matches!(step, Step::Fetch) {
        return Progress::Silent;
    }
    let (status, conditions) = begin_work(generator, times.now);
    Progress::Show(with_conditions(status, conditions))
}

/// Returns the outcome of a run.
pub(super) fn conclude(
    generator: &ArtifactGenerator,
    end: End<Facts, Fault>,
    times: Times,
) -> Outcome<ArtifactGeneratorStatus> {
    let now = times.now;
    if generator.meta().deletion_timestamp.is_some() {
        return match end {
            End::Stopped(_, Fault(failure)) => {
                let notice = Notice::error(failure.reason.clone(), failure.message.clone());
                let failure = Failure {
                    retry: Retry::Backoff,
                    ..failure
                };
                Outcome::untouched(failure.requeue()).with_notice(notice)
            }
            _ => Outcome::untouched(Requeue::Never),
        };
    }
    match end {
        End::Suspended => disabled(generator, now),
        End::Settled(facts) => match (&facts.work, &facts.sources) {
            (Some(work), Ok(found)) => conclude_success(generator, &facts, work, found, now),
            _ => unchanged(generator, &facts),
        },
        End::Stopped(facts, Fault(failure)) => failed(generator, &facts, failure, now),
    }
}

/// The outcome of an object whose reconciliation is disabled. Before its first run, it is ready.
fn disabled(generator: &ArtifactGenerator, now: Timestamp) -> Outcome<ArtifactGeneratorStatus> {
    let (mut status, mut conditions) = begin(generator, now);
    let finalizers = generator.metadata.finalizers.as_deref().unwrap_or_default();
    if !finalizers.iter().any(|it| it == source_watcher::FINALIZER) {
        let message = "Initialized with reconciliation suspended";
        conditions.set_true(READY, own_reason::RECONCILIATION_DISABLED, message);
        conditions.remove(RECONCILING);
    }
    status = with_conditions(status, conditions);
    let notice = Notice::trace(
        own_reason::RECONCILIATION_DISABLED,
        "Reconciliation is disabled",
    );
    Outcome::new(status, Requeue::Never).with_notice(notice)
}

/// The outcome of a run that found no difference.
fn unchanged(generator: &ArtifactGenerator, facts: &Facts) -> Outcome<ArtifactGeneratorStatus> {
    let status = generator.status.clone().unwrap_or_default();
    let count = status.inventory.len();
    let message = format!("No drift detected, {count} artifact(s) up to date");
    let notice = Notice::trace(READY, message);
    // A timer must not cause the only writes of an idle cluster.
    let notice = if facts.is_prompt {
        notice
    } else {
        notice.only_log()
    };
    Outcome::new(status, Requeue::After(INTERVAL)).with_notice(notice)
}

/// The outcome of a run that made all artifacts.
fn conclude_success(
    generator: &ArtifactGenerator,
    facts: &Facts,
    work: &Work,
    found: &Sources,
    now: Timestamp,
) -> Outcome<ArtifactGeneratorStatus> {
    let (mut status, mut conditions) = begin(generator, now);
    let published = &work.finished;
    status.inventory = references(published).cloned().collect();
    status.observed_sources_digest = Some(sources::digest(found));
    let count = published.len();
    let message = format!("reconciliation succeeded, generated {count} artifact(s)");
    conditions.remove(RECONCILING);
    conditions.remove(STALLED);
    conditions.set_true(READY, reason::SUCCEEDED, &message);
    let status = with_conditions(status, conditions);
    let mut outcome = Outcome::new(status, Requeue::Interval(INTERVAL));
    let is_new = |it: &&PublishedArtifact| it.is_new;
    for PublishedArtifact {
        reference,
        revision,
        ..
    } in published.iter().filter(is_new)
    {
        let ExternalArtifactReference {
            name, namespace, ..
        } = reference;
        let message =
            format!("ExternalArtifact/{namespace}/{name} reconciled with revision {revision}");
        outcome = outcome.with_notice(Notice::trace(READY, message));
    }
    outcome = outcome.with_notice(Notice::trace(READY, message));
    outcome = with_changes(outcome, published);
    match path_pattern(&generator.spec) {
        Some(pattern) if published.is_empty() => {
            let removed = facts.removed.unwrap_or_default();
            let message = format!(
                "pathPattern '{pattern}' matches no directory: {removed} artifact(s) were removed"
            );
            outcome.with_notice(Notice::error(reason::NO_ARTIFACT, message))
        }
        _ => outcome,
    }
}

/// Adds the notice of the artifacts with a new digest, for alerts.
fn with_changes(
    outcome: Outcome<ArtifactGeneratorStatus>,
    published: &[PublishedArtifact],
) -> Outcome<ArtifactGeneratorStatus> {
    let changed: Vec<String> = published
        .iter()
        .filter(|it| it.is_new)
        .map(|PublishedArtifact { reference, .. }| {
            let ExternalArtifactReference {
                name,
                namespace,
                digest,
                ..
            } = reference;
            format!("{namespace}/{name} ({digest})")
        })
        .collect();
    if changed.is_empty() {
        return outcome;
    }
    let message = format!("external artifacts reconciled: {}", changed.join("\n"));
    outcome.with_notice(Notice::info(READY, message))
}

/// The outcome of a run that failed. The artifacts that it made are in the inventory, so that a
/// later run can remove them. Their notice is of this run, because the next one finds them
/// unchanged.
fn failed(
    generator: &ArtifactGenerator,
    facts: &Facts,
    failure: Failure,
    now: Timestamp,
) -> Outcome<ArtifactGeneratorStatus> {
    // A new object is in progress until its first success.
    let is_new = generator.conditions().find(READY).is_none();
    let (mut status, mut conditions) = if facts.has_begun || is_new {
        begin_work(generator, now)
    } else {
        begin(generator, now)
    };
    let published = facts.work.as_ref().map(|work| work.finished.as_slice());
    let mut entries = std::mem::take(&mut status.inventory);
    if let (Some(work), Some(_)) = (&facts.work, facts.removed) {
        let kept: BTreeSet<&str> = work.requests.iter().map(|it| &*it.name).collect();
        entries.retain(|entry| kept.contains(&*entry.name));
    }
    let entries = entries
        .iter()
        .chain(references(published.unwrap_or_default()));
    // Later entries replace earlier ones of their name.
    let entries = entries.map(|entry| ((&entry.namespace, &entry.name), entry));
    let entries: BTreeMap<_, _> = entries.collect();
    let inventory = entries.into_values().cloned().collect();
    status.inventory = inventory;
    let (why, message) = (&failure.reason, &failure.message);
    if failure.retry == Retry::Stalled {
        conditions.remove(RECONCILING);
        conditions.set_true(STALLED, why, message);
    } else {
        conditions.remove(STALLED);
        conditions.set_retrying();
    }
    conditions.set_false(READY, why, message);
    let notice = Notice::error(failure.reason.clone(), message.clone());
    let status = with_conditions(status, conditions);
    let outcome = Outcome::new(status, failure.requeue());
    with_changes(outcome, published.unwrap_or_default()).with_notice(notice)
}

fn references(published: &[PublishedArtifact]) -> impl Iterator<Item = &ExternalArtifactReference> {
    published.iter().map(|published| &published.reference)
}

/// The status of the last run, with its conditions apart.
fn begin(generator: &ArtifactGenerator, now: Timestamp) -> (ArtifactGeneratorStatus, ConditionSet) {
    let mut status = generator.status.clone().unwrap_or_default();
    let generation = generator.metadata.generation.unwrap_or_default();
    let conditions = std::mem::take(&mut status.conditions);
    (status, ConditionSet::new(conditions, generation, now))
}

/// The status of the last run, with the conditions of a run that makes artifacts.
fn begin_work(
    generator: &ArtifactGenerator,
    now: Timestamp,
) -> (ArtifactGeneratorStatus, ConditionSet) {
    let (status, mut conditions) = begin(generator, now);
    conditions.set_progress(true, IN_PROGRESS);
    (status, conditions)
}

fn with_conditions(
    mut status: ArtifactGeneratorStatus,
    conditions: ConditionSet,
) -> ArtifactGeneratorStatus {
    status.conditions = conditions.into_conditions();
    status
}
