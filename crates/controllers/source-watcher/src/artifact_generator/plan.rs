//! Plans the steps of an `ArtifactGenerator`. Pure.

use std::collections::BTreeSet;

use sluice_api::artifact::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::ExternalArtifact;
use sluice_api::source_watcher::{ArtifactGenerator, OutputArtifact, reason as own_reason};
use sluice_client::typed::Resource as _;
use sluice_consumer::source::ORIGIN_REVISION;
use sluice_engine::ready::Fault;
use sluice_engine::{Decision, Failure, Retry};

use super::drift::{self, Drift};
use super::model::{Current, Facts, Removal, Step, Work};
use crate::external_artifact::{is_owned, owner};
use crate::sources::{self, Sources};

/// Returns the next step.
pub(super) fn plan(generator: &ArtifactGenerator, facts: &Facts) -> Decision<Step, Fault> {
    if generator.meta().deletion_timestamp.is_some() {
        return remove(generator, facts).map_or(Decision::Settled, Decision::Work);
    }
    if let Err(fault) = &facts.spec {
        return Decision::Stop(fault.clone());
    }
    let found = match &facts.sources {
        Ok(found) => found,
        Err(why) => return Decision::Stop(unfetched(facts, &format!("get sources failed: {why}"))),
    };
    let Some(work) = &facts.work else {
        return begin(generator, facts, found);
    };
    if !work.is_looked_up {
        return Decision::Work(Step::LookUp);
    }
    if let Some(decision) = make(generator, facts, work, found) {
        // Another generator may wait for a name that this one gives up, and block it in turn.
        let is_blocked = matches!(decision, Decision::Stop(_));
        let removal = remove(generator, facts).filter(|_| is_blocked);
        return removal.map_or(decision, Decision::Work);
    }
    if let Some(step) = remove(generator, facts) {
        return Decision::Work(step);
    }
    if work.is_collected {
        Decision::Settled
    } else {
        Decision::Work(Step::Collect)
    }
}

/// A source cannot be used yet. The retry does not grow, because the source is at work.
pub(super) fn unfetched(facts: &Facts, message: &str) -> Fault {
    let retry = Retry::After(facts.settings.requeue_dependency);
    Fault(Failure::message(
        own_reason::SOURCE_FETCH_FAILED,
        retry,
        message,
    ))
}

/// Looks for a reason to rebuild the artifacts.
fn begin(generator: &ArtifactGenerator, facts: &Facts, found: &Sources) -> Decision<Step, Fault> {
    match (drift(generator, facts, found), &facts.stored) {
        (Some(_), _) => Decision::Work(Step::Fetch),
        (None, None) => Decision::Work(Step::Verify),
        (None, Some(_)) => Decision::Settled,
    }
}

/// The reason to rebuild the artifacts.
pub(super) fn drift(
    generator: &ArtifactGenerator,
    facts: &Facts,
    found: &Sources,
) -> Option<Drift> {
    drift::early(generator, facts, found).or_else(|| drift::late(facts.stored.as_ref()?))
}

/// The next step for the artifacts, or `None` after the last.
fn make(
    generator: &ArtifactGenerator,
    facts: &Facts,
    work: &Work,
    found: &Sources,
) -> Option<Decision<Step, Fault>> {
    let index = work.finished.len();
    let request = work.requests.get(index)?;
    let output = generator.spec.artifacts.get(request.template)?;
    let name = &request.name;
    if let Some(live) = facts
        .live
        .get(name)
        .filter(|live| !is_owned(live, generator))
    {
        return Some(Decision::Stop(name_conflict(name, live)));
    }
    Some(Decision::Work(match &work.current {
        Current::Nothing => Step::Build { index },
        Current::Built(_) => Step::Store { index },
        Current::Stored(artifact) => Step::Publish {
            index,
            artifact: Box::new(with_revisions(artifact, output, found)),
        },
    }))
}

/// The name of an artifact is that of an object with another owner.
pub(super) fn name_conflict(name: &str, live: &ExternalArtifact) -> Fault {
    let namespace = live.metadata.namespace.as_deref().unwrap_or_default();
    let message = format!(
        "{name} reconcile failed: ExternalArtifact '{namespace}/{name}' belongs to {}: rename the \
         artifact, or delete the object",
        owner(live)
    );
    Fault::retried(reason::RECONCILIATION_FAILED, message)
}

/// Adds the revisions of sources to an artifact.
fn with_revisions(artifact: &Artifact, output: &OutputArtifact, found: &Sources) -> Artifact {
    let source = |reference: &Option<String>| {
        let reference = reference.as_deref().filter(|it| !it.is_empty())?;
        sources::find(found, reference)
    };
    let mut artifact = artifact.clone();
    artifact.metadata.clear();
    artifact.revision = match source(&output.revision) {
        Some(source) => source.revision.clone(),
        None => format!("latest@{}", artifact.digest),
    };
    if let Some(source) = source(&output.origin_revision) {
        let origin = sources::origin(source);
        artifact.metadata.insert(ORIGIN_REVISION.to_owned(), origin);
    }
    artifact
}

/// The next step of a removal: of all artifacts of a generator in deletion, else of those that it
/// does not make.
fn remove(generator: &ArtifactGenerator, facts: &Facts) -> Option<Step> {
    let Some(owned) = &facts.owned else {
        return Some(Step::FindOwned);
    };
    if facts.removed.is_some() {
        return None;
    }
    let requests = facts.work.iter().flat_map(|work| &work.requests);
    let kept: BTreeSet<&str> = requests.map(|request| &*request.name).collect();
    let is_deleted = generator.meta().deletion_timestamp.is_some();
    let removals = owned.iter().filter_map(|(name, uid)| {
        let is_kept = !is_deleted && kept.contains(&**name);
        (!is_kept).then(|| Removal {
            name: name.clone(),
            uid: uid.clone(),
        })
    });
    Some(Step::Remove(removals.collect()))
}
