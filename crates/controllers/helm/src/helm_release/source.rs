//! The source of a chart: whether it is ready. Pure.
//!
//! Parity: `helm-controller: internal/controller/helmrelease_controller.go`.

use sluice_api::helm::ChartReferenceKind;
use sluice_api::meta::ToolkitResource;
use sluice_api::meta::condition::{READY, STALLED};
use sluice_consumer::Source;
use sluice_engine::ObjectKey;

use super::model::SourceState;

/// The state of a source that is not there.
pub(super) fn missing_source(kind: &ChartReferenceKind, key: &ObjectKey) -> SourceState {
    SourceState::Failed(format!(
        "{kind}.source.toolkit.fluxcd.io \"{}\" not found",
        key.name()
    ))
}

/// The state of a source with conditions.
pub(super) fn state<S: Source + ToolkitResource>(source: &S) -> SourceState {
    let conditions = source.conditions();
    let message = |type_: &str| {
        let condition = conditions.find(type_);
        condition.map(|condition| condition.message.clone())
    };
    let why = if source.meta().generation.unwrap_or_default()
        != source.observed_generation().unwrap_or_default()
    {
        let failed = message(READY).filter(|_| conditions.is_false(READY));
        let default = "latest generation of object has not been reconciled";
        failed.unwrap_or_else(|| default.to_owned())
    } else if conditions.is_true(STALLED) {
        message(STALLED).unwrap_or_default()
    } else {
        match source.artifact() {
            Some(artifact) => return SourceState::Ready(Box::new(artifact.clone())),
            None => NO_ARTIFACT.to_owned(),
        }
    };
    not_ready(source, &why)
}

/// The state of an `ExternalArtifact`, whose conditions do not count.
pub(super) fn external_state<S: Source>(source: &S) -> SourceState {
    match source.artifact() {
        Some(artifact) => SourceState::Ready(Box::new(artifact.clone())),
        None => not_ready(source, NO_ARTIFACT),
    }
}

const NO_ARTIFACT: &str = "does not have an artifact";

fn not_ready<S: Source>(source: &S, why: &str) -> SourceState {
    let (kind, key) = (S::kind(&()), ObjectKey::of(source));
    SourceState::NotReady(format!("{kind} '{key}' is not ready: {why}"))
}
