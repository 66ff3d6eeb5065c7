//! The status and the notices of a `HelmChart`, from the facts of a run. Pure.

use std::fmt::Write as _;

use sluice_api::meta::reason;
use sluice_api::source::HelmChartStatus;
use sluice_api::source::condition::{
    ARTIFACT_OUTDATED, BUILD_FAILED, FETCH_FAILED, SOURCE_VERIFIED,
};

use sluice_engine::Notice;

use super::HelmChartKind;
use super::model::{ResolvedChart, Step};
use super::plan::{has_chart, is_current};
use crate::draft;
use crate::notation::Verdict;
use crate::reconcile::{Conclude, Source};

type Draft = draft::Draft<HelmChartStatus>;

impl Conclude for HelmChartKind {
    fn is_shown(source: &Source<'_, Self>, step: Step) -> bool {
        match step {
            Step::FindSource => source.has_news(),
            Step::Resolve | Step::Verify | Step::Build => false,
            Step::Store => true,
        }
    }

    fn apply_facts(source: &Source<'_, Self>, draft: &mut Draft) {
        let facts = source.facts;
        let verdict = facts.verified.as_ref().map(|verified| verified.verdict);
        let artifact = facts.source.as_ref().and_then(|source| source.artifact());
        if let Some(artifact) = artifact {
            draft.status.observed_source_artifact_revision = Some(artifact.revision.clone());
        }
        if let Some(complete) = complete(source) {
            if !has_chart(source, complete.resolved) {
                let summary = complete.summary();
                if draft.status.artifact.is_some() {
                    let reason = reason::NEW_CHART;
                    draft
                        .condition_set
                        .set_true(ARTIFACT_OUTDATED, reason, &*summary);
                }
                let progress = format!("building artifact: {summary}");
                draft.condition_set.set_progress(true, &progress);
            }
            draft.condition_set.remove(FETCH_FAILED);
            draft.condition_set.remove(BUILD_FAILED);
            if verdict == Some(Verdict::Verified) {
                let verification = source.spec.verify.as_ref();
                let warning = verification.and_then(|found| found.warning(source.object));
                draft.notices.extend(warning);
                let version = &complete.resolved.version;
                let message = format!("verified signature of version {version}");
                let reason = reason::SUCCEEDED;
                draft
                    .condition_set
                    .set_true(SOURCE_VERIFIED, reason, message);
            }
        }
        // A condition of an earlier version or policy would vouch for an ignored signature.
        if source.object.spec.verify.is_none() || verdict == Some(Verdict::Ignored) {
            draft.condition_set.remove(SOURCE_VERIFIED);
        }
    }

    fn apply_result(source: &Source<'_, Self>, draft: &mut Draft) {
        let Some(complete) = complete(source) else {
            return;
        };
        if let Some(stored) = &source.facts.stored {
            draft.set_artifact(stored.artifact.clone());
            let status = &mut draft.status;
            status.observed_chart_name = Some(complete.resolved.name.clone());
            status.observed_values_files = if source.object.spec.ignore_missing_values_files {
                complete.values_files.to_vec()
            } else {
                Vec::new()
            };
            draft.set_link(&stored.link);
            let added = source
                .facts
                .built
                .as_ref()
                .map_or(0, |built| built.dependencies);
            if added > 0 {
                let message = format!("resolved {added} chart dependencies");
                let notice = Notice::trace(reason::RESOLVED_DEPENDENCIES, message);
                draft.notices.push(notice);
            }
        } else {
            let version = &complete.resolved.version;
            let message = format!("artifact up-to-date with remote revision: '{version}'");
            draft.unchanged(reason::ARTIFACT_UP_TO_DATE, message);
        }
        let reason = if complete.is_packaged {
            reason::CHART_PACKAGE_SUCCEEDED
        } else {
            reason::CHART_PULL_SUCCEEDED
        };
        draft.keep_artifact_as(reason, &complete.summary());
    }
}

/// A chart that is built, or stored already.
struct CompleteChart<'a> {
    resolved: &'a ResolvedChart,
    values_files: &'a [String],
    is_packaged: bool,
}

fn complete<'a>(source: &Source<'a, HelmChartKind>) -> Option<CompleteChart<'a>> {
    let resolved = source.facts.resolved.as_ref()?;
    if let Some(built) = &source.facts.built {
        return Some(CompleteChart {
            resolved,
            values_files: &built.values_files,
            is_packaged: built.is_packaged,
        });
    }
    if !is_current(source, resolved) {
        return None;
    }
    let observed = source.object.status.as_ref();
    let observed = observed.map(|status| &*status.observed_values_files);
    let observed = observed.filter(|files| !files.is_empty());
    Some(CompleteChart {
        resolved,
        values_files: observed.unwrap_or(&source.spec.values_files),
        is_packaged: source.spec.changes_version() || resolved.is_folder(),
    })
}

impl CompleteChart<'_> {
    /// The message of success.
    fn summary(&self) -> String {
        let action = if self.is_packaged {
            "packaged"
        } else {
            "pulled"
        };
        let ResolvedChart { name, version, .. } = self.resolved;
        let mut summary = format!("{action} '{name}' chart with version '{version}'");
        if !self.values_files.is_empty() {
            let files = self.values_files.join(" ");
            let _ = write!(summary, " and merged values files [{files}]");
        }
        summary
    }
}
