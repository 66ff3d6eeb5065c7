//! Packages a chart with other values, or from the files of an artifact.
//!
//! Parity: source-controller: internal/helm/chart/builder_{local,remote}.go.

use std::io::Read as _;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::source::HelmChart;
use sluice_chart::{Chart, ValuesFiles, load, package};
use sluice_engine::Run;
use sluice_golang::error::chain;
use sluice_golang::path::confined;
use sluice_producer::{Spool, archive_failure};

use super::dependencies::{self, Budget};
use super::files::{SourceFiles, is_below};
use super::model::{BuiltChart, ChartOrigin, ResolvedChart};
use super::observe::{no_artifact, unreadable};
use super::spec::Spec;
use super::{HelmChartKind, failure};
use crate::fault::Fault;

impl HelmChartKind {
    /// Packages a pulled chart with other values.
    pub(super) async fn repackage(
        &self,
        object: &HelmChart,
        spec: &Spec,
        resolved: &ResolvedChart,
        archive: Spool,
    ) -> Result<BuiltChart, Fault> {
        let limits = self.clients.limits.of_chart();
        let version = resolved.version.clone();
        let paths = spec.values_files.clone();
        let ignores_missing = object.spec.ignore_missing_values_files;
        let packaging = self.source_storage.blocking(move |_| {
            let mut bytes = Vec::new();
            let read = archive.whole().read_to_end(&mut bytes);
            read.map_err(|error| archive_failure(&error))?;
            let mut chart = load::archive(&bytes, &limits).map_err(|error| {
                let error = chain(&error);
                failure::package(format!("failed to load downloaded chart: {error}"))
            })?;
            drop(bytes);
            chart.metadata.version = version;
            let merged =
                ValuesFiles::in_chart(&chart, &paths, ignores_missing).map_err(|error| {
                    failure::values(format!("failed to merge chart values: {error}"))
                })?;
            let values_files = merged.replace(&mut chart).map_err(failure::values)?;
            packaged(&chart, values_files, 0)
        });
        packaging.await
    }

    /// Copies an archive from an artifact.
    pub(super) async fn copy(
        &self,
        object: &HelmChart,
        artifact: &Artifact,
        path: &str,
        now: Timestamp,
    ) -> Result<Spool, Fault> {
        let (artifact, path) = (artifact.clone(), path.to_owned());
        let (limit, missing) = (self.clients.limits.chart, no_artifact(object));
        let copying = self.source_storage.blocking(move |storage| {
            let files = SourceFiles::open(storage, &artifact, |file| file == path, now);
            let files = files.map_err(|error| unreadable(error, missing))?;
            let archive = files.archive(&path, limit).map_err(failure::pull)?;
            spool(&archive)
        });
        copying.await
    }

    /// Packages a chart from the files of an artifact.
    pub(super) async fn build_from_files(
        &self,
        object: &HelmChart,
        spec: &Spec,
        resolved: &ResolvedChart,
        run: &Run<HelmChart>,
    ) -> Result<BuiltChart, Fault> {
        let ChartOrigin::Files {
            artifact,
            path,
            is_folder,
        } = &resolved.origin
        else {
            return Err(failure::package("the chart is not one of an artifact"));
        };
        let (mut chart, values_files) = self
            .load_from_files(object, spec, artifact, path, run.started())
            .await?;
        chart.metadata.version.clone_from(&resolved.version);
        let mut added = 0;
        if *is_folder {
            let missing = dependencies::missing_dependencies(&chart);
            let mut budget = Budget::new(&missing, &self.clients.limits.of_chart())?;
            for dependency in &missing {
                let adding = self.dependency(object, artifact, path, dependency, &mut budget, run);
                let found = Box::pin(adding).await?;
                chart.dependencies.push(found);
                added += 1;
            }
        }
        let packaging = self
            .source_storage
            .blocking(move |_| packaged(&chart, values_files, added));
        packaging.await
    }

    async fn load_from_files(
        &self,
        object: &HelmChart,
        spec: &Spec,
        artifact: &Artifact,
        path: &str,
        now: Timestamp,
    ) -> Result<(Chart, Vec<String>), Fault> {
        let (artifact, path, paths) =
            (artifact.clone(), path.to_owned(), spec.values_files.clone());
        let (limits, archive_limit) = (self.clients.limits.of_chart(), self.clients.limits.chart);
        let ignores_missing = object.spec.ignore_missing_values_files;
        let missing = no_artifact(object);
        let loading = self.source_storage.blocking(move |storage| {
            let values: Vec<String> = paths.iter().map(|path| confined(path)).collect();
            let is_wanted =
                |file: &str| is_below(&path, file) || values.iter().any(|path| path == file);
            let files = SourceFiles::open(storage, &artifact, is_wanted, now);
            let files = files.map_err(|error| unreadable(error, missing))?;
            let merged = merge_in_files(&files, &paths, ignores_missing);
            let merged = merged.map_err(failure::values)?;
            let mut chart = files
                .load(&path, &limits, archive_limit)
                .map_err(failure::package)?;
            let values_files = if paths.is_empty() {
                Vec::new()
            } else {
                merged.replace(&mut chart).map_err(failure::values)?
            };
            Ok::<_, Fault>((chart, values_files))
        });
        loading.await
    }
}

/// Merges files by their paths from the root of an artifact.
fn merge_in_files(
    files: &SourceFiles,
    paths: &[String],
    ignores_missing: bool,
) -> Result<ValuesFiles, String> {
    let mut merged = ValuesFiles::default();
    for path in paths {
        let at = confined(path);
        match files.values(&at)? {
            Some(text) => merged.add(path, &text)?,
            None if ignores_missing => {}
            None => {
                return Err(format!(
                    "no values file found at path '/{at}' (reference '{path}')"
                ));
            }
        }
    }
    Ok(merged)
}

/// Writes a chart as an archive.
fn packaged(
    chart: &Chart,
    values_files: Vec<String>,
    dependencies: usize,
) -> Result<BuiltChart, Fault> {
    let archive = package(chart, Spool::default()).map_err(|error| {
        let error = chain(&error);
        failure::package(format!("failed to package chart: {error}"))
    })?;
    Ok(BuiltChart {
        archive,
        values_files,
        is_packaged: true,
        dependencies,
    })
}

fn spool(bytes: &[u8]) -> Result<Spool, Fault> {
    use std::io::Write as _;

    let mut spool = Spool::default();
    spool
        .write_all(bytes)
        .map_err(|error| archive_failure(&error))?;
    Ok(spool)
}
