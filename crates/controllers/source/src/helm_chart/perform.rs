//! Performs the steps of a `HelmChart`: finds, pulls, packages and stores.

use std::io;

use sluice_api::source::HelmChart;
use sluice_chart::index::ChartVersion;
use sluice_chart::load;
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_producer::{Spool, archive_failure, store_failure};

use super::model::{BuiltChart, ChartOrigin, Facts, NewArtifact, ResolvedChart, Step};
use super::spec::Spec;
use super::{HelmChartKind, failure};
use crate::fault::Fault;
use crate::helm::address;
use crate::helm::http::{Download, DownloadError, HttpRepository};
use crate::reconcile::Perform;

const FOUND: &str = "the plan finds the source before it resolves";
const RESOLVED: &str = "the plan resolves before it builds or stores";
const DOWNLOAD: &str = "failed to download chart for remote reference";

impl Perform for HelmChartKind {
    async fn perform(
        &self,
        step: Step,
        chart: &HelmChart,
        spec: &Spec,
        facts: &mut Facts,
        run: &Run<HelmChart>,
    ) -> Result<(), Fault> {
        match step {
            Step::FindSource => facts.source = Some(self.source(chart).await?),
            Step::Resolve => {
                let source = facts.source.as_ref().expect(FOUND);
                let resolving = Box::pin(self.resolve(chart, spec, source, run.started()));
                facts.resolved = Some(resolving.await?);
            }
            Step::Build => {
                let resolved = facts.resolved.as_ref().expect(RESOLVED);
                facts.built = Some(Box::pin(self.build(resolved, run)).await?);
            }
            Step::Store => facts.stored = Some(self.store(chart, facts).await?),
        }
        Ok(())
    }
}

impl HelmChartKind {
    async fn build(
        &self,
        resolved: &ResolvedChart,
        run: &Run<HelmChart>,
    ) -> Result<BuiltChart, Fault> {
        match &resolved.origin {
            ChartOrigin::Http { repository, entry } => {
                let pulling = Box::pin(self.pull_http(repository, entry));
                let archive = run.release(pulling).await?;
                let archive = self.check(archive).await?;
                Ok(BuiltChart {
                    archive,
                    values_files: Vec::new(),
                    is_packaged: false,
                })
            }
        }
    }

    /// Downloads a chart, and compares it with the digest in the index.
    async fn pull_http(
        &self,
        repository: &HttpRepository,
        entry: &ChartVersion,
    ) -> Result<Spool, Fault> {
        let refused = |why: String| failure::pull(format!("{DOWNLOAD}: {why}"));
        let Some(reference) = entry.urls.iter().flatten().next() else {
            let name = entry.name();
            return Err(refused(format!("chart '{name}' has no downloadable URLs")));
        };
        let url = address::chart(&repository.url, reference)
            .map_err(|error| refused(format!("failed to parse {reference} as URL: {error}")))?;
        let downloading = repository.download(&self.http, &url, self.limits.chart);
        let Download { content, digest } = downloading.await.map_err(|error| {
            let is_denied = error.is_denied();
            let fault = match error {
                DownloadError::TooLarge { limit } => {
                    let file = url.path().rsplit('/').next().unwrap_or_default();
                    failure::pull(too_large(file, limit))
                }
                error => refused(chain(&error)),
            };
            if is_denied {
                failure::denied(&fault)
            } else {
                fault
            }
        })?;
        let expected = entry
            .digest
            .strip_prefix("sha256:")
            .unwrap_or(&entry.digest);
        let is_digest =
            expected.len() == 64 && expected.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_digest && !expected.eq_ignore_ascii_case(digest.hex()) {
            let (url, actual) = (address::shown(&url), digest.hex());
            return Err(refused(format!(
                "digest of {url} is {actual}, but the index says {expected}"
            )));
        }
        Ok(content)
    }

    /// Checks that an archive is one of a chart.
    async fn check(&self, archive: Spool) -> Result<Spool, Fault> {
        let limits = self.limits.of_chart();
        let checking = self.source_storage.blocking(move |_| {
            match load::archive_metadata(archive.whole(), &limits) {
                Ok(_) => Ok(archive),
                Err(error @ sluice_chart::Error::Invalid(_)) => Err(failure::pull(format!(
                    "failed to validate metadata of written chart: {}",
                    chain(&error)
                ))),
                Err(error) => Err(failure::pull(format!(
                    "failed to load chart metadata from written chart: {}",
                    chain(&error)
                ))),
            }
        });
        checking.await
    }

    async fn store(&self, chart: &HelmChart, facts: &mut Facts) -> Result<NewArtifact, Fault> {
        let storage = &self.source_storage;
        let resolved = facts.resolved.as_ref().expect(RESOLVED);
        let built = facts
            .built
            .as_mut()
            .expect("the plan builds before it stores");
        let archive = std::mem::take(&mut built.archive);
        // In a registry, the name may be a path.
        let name = resolved.name.rsplit('/').next().unwrap_or_default();
        let file = format!("{name}-{}.tgz", resolved.version);
        let location = storage.location(&ObjectKey::of(chart))?;
        let mut pending = storage.create(&location, &file).await?;
        let storing = storage.blocking(move |storage| {
            let copied = io::copy(&mut archive.whole(), &mut pending);
            copied.map_err(|error| archive_failure(&error))?;
            storage
                .publish(pending)
                .map_err(|error| store_failure(&error))
        });
        let artifact = storage.artifact(storing.await?, resolved.version.clone());
        let link = storage.link(location, file).await?;
        Ok(NewArtifact { artifact, link })
    }
}

fn too_large(file: &str, limit: u64) -> String {
    format!(
        "failed to load chart metadata from written chart: size of chart '{file}' exceeds \
         '{limit}' bytes limit"
    )
}
