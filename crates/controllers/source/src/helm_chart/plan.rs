//! Plans the steps of a `HelmChart` from the object and the facts of the run. No client, no clock.

use sluice_engine::draft::is_edited;

use super::HelmChartKind;
use super::model::{ResolvedChart, Step};
use crate::reconcile::{Plan, Source};

impl Plan for HelmChartKind {
    fn plan(source: &Source<'_, Self>) -> Option<Step> {
        let facts = source.facts;
        if facts.source.is_none() {
            return Some(Step::FindSource);
        }
        let Some(resolved) = &facts.resolved else {
            return Some(Step::Resolve);
        };
        if source.spec.verify.is_some() && facts.verified.is_none() {
            // As in Flux, each run verifies.
            return Some(Step::Verify);
        }
        if facts.stored.is_some() || is_current(source, resolved) {
            None
        } else if facts.built.is_none() {
            Some(Step::Build)
        } else {
            Some(Step::Store)
        }
    }
}

/// Whether the chart is stored. An edit may change it under the same version, and so may a
/// registry: the signature of another digest would vouch for the stored one.
pub(super) fn is_current(source: &Source<'_, HelmChartKind>, resolved: &ResolvedChart) -> bool {
    let verified = source.facts.verified.as_ref();
    has_chart(source, resolved)
        && !is_edited(source.object)
        && verified.is_none_or(|verified| verified.is_stored)
}

/// Whether the artifact has this name and version.
pub(super) fn has_chart(source: &Source<'_, HelmChartKind>, resolved: &ResolvedChart) -> bool {
    let status = source.object.status.as_ref();
    let name = status.and_then(|status| status.observed_chart_name.as_deref());
    let artifact = source.artifact();
    name == Some(&*resolved.name)
        && artifact.is_some_and(|artifact| artifact.revision == resolved.version)
}
