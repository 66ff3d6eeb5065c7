//! Reads the dependencies and the source of a release.

use sluice_api::helm::{ChartReferenceKind, HelmRelease};
use sluice_api::source::{ExternalArtifact, HelmChart, OciRepository};
use sluice_client::Error;
use sluice_consumer::{ReadError, SourceReader, WaitingObjects};
use sluice_engine::request::is_requested;
use sluice_engine::{ObjectKey, Run, Store};
use sluice_host::Component;

use super::Performer;
use crate::helm_release::model::{Facts, Observation, SourceState};
use crate::helm_release::source;
use crate::helm_release::spec::SourceReference;

/// Looks up the sources that a release can name.
pub(crate) struct Sources {
    reader: SourceReader,
    pub(super) charts: Store<HelmChart>,
    oci: Store<OciRepository>,
    external: Store<ExternalArtifact>,
}

impl Sources {
    /// Reads from watches, or from the API server if `direct`.
    pub(crate) fn new(component: &Component, direct: bool) -> Self {
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
        Ok(None) => source::missing(kind, key),
        Err(error) => SourceState::Failed(ReadError::new(&error).to_string()),
    }
}

impl Performer {
    /// Reads the dependencies and the source.
    pub(super) async fn look(
        &self,
        object: &HelmRelease,
        facts: &Facts,
        run: &Run<HelmRelease>,
        waiting: &WaitingObjects,
    ) -> Observation {
        let Ok(spec) = &facts.spec else {
            return Observation {
                unmet: None,
                source: SourceState::Failed("invalid spec".to_owned()),
            };
        };
        let source = self.sources.find(&spec.source, is_requested(object)).await;
        let unmet = waiting
            .find_unmet(
                &self.component,
                run,
                &spec.expressions,
                "",
                self.policy.additive_expressions,
            )
            .await;
        Observation { unmet, source }
    }
}
