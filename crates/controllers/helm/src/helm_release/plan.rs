//! Plans a run from the object and the facts, without side effects.

use std::sync::Arc;

use sluice_api::helm::HelmRelease;
use sluice_api::meta::{FINALIZER, reason};
use sluice_consumer::UnmetDependency;
use sluice_engine::{Decision, Notice, ObjectKey};
use sluice_golang::duration::GoDuration;

use super::fault::{Fault, RetryTime};
use super::model::{Facts, Observation, SourceState, State, Step};
use super::next::{self, NextAction};
use super::policy::Policy;
use super::spec::{Spec, chart_key, release_namespace, short_name, storage_namespace};
use super::{chart_object, drift, messages, recheck, state};

/// The next step of a run.
pub(super) fn plan(object: &HelmRelease, facts: &Facts) -> Decision<Step, Fault> {
    if let Some(fault) = &facts.halt {
        return Decision::Stop(fault.clone());
    }
    if object.metadata.deletion_timestamp.is_some() {
        return removal(object, facts);
    }
    let spec = match &facts.spec {
        Ok(spec) => spec,
        Err(fault) => return Decision::Stop(fault.clone()),
    };
    if let Some(step) = chart_step(object, facts) {
        return Decision::Work(step);
    }
    let Some(observation) = &facts.observation else {
        let source = Box::new(spec.source.clone());
        return Decision::Work(Step::Look(source, Arc::clone(&spec.expressions)));
    };
    let policy = &facts.policy;
    let artifact = match unmet(policy, observation) {
        Some(fault) => return Decision::Stop(fault),
        None => match &observation.source {
            SourceState::Ready(artifact) => artifact,
            SourceState::Failed(why) => {
                let message = format!("could not get Source object: {why}");
                return Decision::Stop(Fault::retry(messages::ARTIFACT_FAILED, message));
            }
            SourceState::NotReady(why) => {
                let next = RetryTime::Interval(policy.requeue_dependency);
                let fault = Fault::prerequisite(messages::SOURCE_NOT_READY, why.clone(), next);
                return Decision::Stop(fault);
            }
        },
    };
    let Some(loaded) = &facts.loaded else {
        return Decision::Work(Step::Load(artifact.clone()));
    };
    if !facts.is_connected {
        let account = spec.account.clone();
        return Decision::Work(Step::Connect(account.map(Box::new)));
    }
    if facts.is_uninstalled {
        return Decision::Stop(Fault::again(RetryTime::Now));
    }
    let name = short_name(object);
    let target = (storage_namespace(object), release_namespace(object), &*name);
    let chart_name = &loaded.chart.metadata.name;
    // A run that has performed an action has recorded its target.
    let is_first = facts.performed.is_empty() && facts.assessment.is_none();
    if is_first && let Some(change) = state::changed_target(&facts.draft, target, chart_name) {
        return Decision::Work(Step::Move(change));
    }
    release_step(spec, facts)
}

/// The next step on the release.
fn release_step(spec: &Spec, facts: &Facts) -> Decision<Step, Fault> {
    let Some(assessment) = &facts.assessment else {
        return Decision::Work(Step::Determine);
    };
    let detection = facts.draft.spec().drift_detection.as_ref();
    let mode = detection.and_then(|detection| detection.mode.as_ref());
    if assessment.state == State::InSync && drift::detects(mode) && facts.drift.is_none() {
        return Decision::Work(Step::Compare(Arc::clone(&spec.ignore)));
    }
    let verification = facts.verification.as_ref();
    let retries_by_default = facts.policy.retries_by_default;
    let performed = &facts.performed;
    match next::next(
        &facts.draft,
        assessment,
        verification,
        performed,
        retries_by_default,
    ) {
        NextAction::Done => Decision::Settled,
        NextAction::Act(action) => Decision::Work(Step::Act(action)),
        NextAction::Verify(snapshot) => Decision::Work(Step::Verify(snapshot)),
        NextAction::Stop(fault) => recheck::stop(facts, assessment, fault),
    }
}

/// The next step of an object in deletion.
fn removal(object: &HelmRelease, facts: &Facts) -> Decision<Step, Fault> {
    let mut finalizers = object.metadata.finalizers.iter().flatten();
    // Without our finalizer nothing was installed, since it is added before the first effect.
    if object.spec.suspend || !finalizers.any(|finalizer| finalizer == FINALIZER) {
        return Decision::Settled;
    }
    if !facts.is_uninstalled {
        return Decision::Work(Step::Uninstall);
    }
    match recorded_chart(facts) {
        Some(key) => Decision::Work(Step::DeleteChart(key)),
        None => Decision::Settled,
    }
}

/// The `HelmChart` in the status.
fn recorded_chart(facts: &Facts) -> Option<ObjectKey> {
    let recorded = facts.draft.status.helm_chart.as_deref()?;
    let (namespace, name) = recorded.split_once('/')?;
    Some(ObjectKey::new(namespace, name))
}

/// The next step on the `HelmChart` of a template.
fn chart_step(object: &HelmRelease, facts: &Facts) -> Option<Step> {
    let wanted = chart_key(object);
    if let Some(recorded) = recorded_chart(facts)
        && Some(&recorded) != wanted.as_ref()
    {
        return Some(Step::DeleteChart(recorded));
    }
    if facts.has_chart {
        return None;
    }
    let chart = Box::new(chart_object::of_template(object)?);
    let live = facts.live_chart.as_ref();
    if live.is_some_and(|live| chart_object::is_in_sync(live, &chart)) {
        return Some(Step::KeepChart(chart));
    }
    Some(Step::ApplyChart(chart))
}

/// The first unmet dependency.
fn unmet(policy: &Policy, observation: &Observation) -> Option<Fault> {
    let UnmetDependency { mut message, cycle } = observation.unmet.clone()?;
    if let Some(cycle) = cycle {
        let names: Vec<String> = cycle.iter().map(ToString::to_string).collect();
        message = format!("{message}: dependency cycle: {}", names.join(" -> "));
    }
    let after = policy.requeue_dependency;
    let retry = format!(
        "dependencies do not meet ready condition ({message}): retrying in {}",
        GoDuration::from_std(after)
    );
    let reason = reason::DEPENDENCY_NOT_READY;
    let notice = Notice::info(reason, message.clone());
    let fault = Fault::dependency(message, after);
    let fault = fault.with_notice(Notice::info(reason, retry).only_log());
    Some(fault.with_notice(notice))
}
