//! Reads the `HelmChart` of a release, its dependencies and its source.
//!
//! The first plan needs the `HelmChart`. A step reads the dependencies and the source, which may be
//! a `HelmChart` that an earlier step has written.

use std::sync::Arc;

use sluice_api::helm::{ChartReferenceKind, HelmRelease};
use sluice_api::source::{ExternalArtifact, HelmChart, OciRepository};
use sluice_client::Error;
use sluice_consumer::{Expressions, ReadError, SourceReader};
use sluice_engine::request::is_requested;
use sluice_engine::{ObjectKey, Run, Store};
use sluice_host::Component;

use super::HelmReleaseReconciler;
use super::model::{Facts, Observation, SourceState};
use super::source;
use super::spec::{self, SourceReference};

/// Looks up the sources that a release can name.
pub(super) struct Sources {
    reader: SourceReader,
    charts: Store<HelmChart>,
    oci: Store<OciRepository>,
    external: Store<ExternalArtifact>,
}

impl Sources {
    /// Reads from watches, or from the API server if `direct`.
    pub(super) fn new(component: &Component, direct: bool) -> Self {
        Self {
            reader: SourceReader::new(component, direct),
            charts: component.store(),
            oci: component.store(),
            external: component.store(),
        }
    }

    async fn find(&self, reference: &SourceReference, prompt: bool) -> SourceState {
        let SourceReference { kind, key } = reference;
        let reader = &self.reader;
        let found = match kind {
            ChartReferenceKind::HelmChart => {
                let found = reader.object(&self.charts, key, prompt).await;
                found.map(|found| found.map(|found| source::state(found.as_ref())))
            }
            ChartReferenceKind::OciRepository => {
                let found = reader.object(&self.oci, key, prompt).await;
                found.map(|found| found.map(|found| source::state(found.as_ref())))
            }
            ChartReferenceKind::ExternalArtifact => {
                let found = reader.object(&self.external, key, prompt).await;
                found.map(|found| found.map(|found| source::external_state(found.as_ref())))
            }
            // The spec refuses other kinds.
            ChartReferenceKind::Other(_) => Ok(None),
        };
        read_state(found, kind, key)
    }
}

fn read_state(
    found: Result<Option<SourceState>, Error>,
    kind: &ChartReferenceKind,
    key: &ObjectKey,
) -> SourceState {
    match found {
        Ok(Some(state)) => state,
        Ok(None) => source::missing_source(kind, key),
        Err(error) => SourceState::Failed(ReadError::new(&error).to_string()),
    }
}

/// Parses the spec, and reads the facts for the first plan.
pub(super) fn observe(
    reconciler: &HelmReleaseReconciler,
    object: &Arc<HelmRelease>,
    run: &Run<HelmRelease>,
) -> Facts {
    let key = spec::chart_key(object);
    Facts {
        live_chart: key.and_then(|key| reconciler.sources.charts.get(&key)),
        ..Facts::begin(object, &reconciler.policy, run.times().now)
    }
}

/// Reads the dependencies and the source. `written` is the chart that this run has written.
pub(super) async fn look(
    reconciler: &HelmReleaseReconciler,
    source: &SourceReference,
    expressions: &Arc<Expressions>,
    object: &HelmRelease,
    written: Option<&ObjectKey>,
    run: &Run<HelmRelease>,
) -> Observation {
    // A watch may not show a chart that this run has written.
    let prompt = is_requested(object) || written == Some(&source.key);
    let source = reconciler.sources.find(source, prompt).await;
    let is_additive = reconciler.policy.additive_expressions;
    let component = &reconciler.performer.component;
    let unmet = reconciler
        .waiting
        .find_unmet(component, run, expressions, "", is_additive);
    Observation {
        unmet: unmet.await,
        source,
    }
}
