//! Performs the steps of a `HelmChart`: finds, verifies, pulls and stores. `build` packages.

use std::io;

use sluice_api::source::HelmChart;
use sluice_chart::index::ChartVersion;
use sluice_chart::load;
use sluice_client::typed::ResourceExt;
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_oci::Digest;
use sluice_producer::{Spool, archive_failure, store_failure};

use super::model::{
    BuiltChart, ChartOrigin, Facts, NewArtifact, ResolvedChart, Step, VerifiedChart,
};
use super::spec::Spec;
use super::{HelmChartKind, failure};
use crate::fault::Fault;
use crate::helm::address::{self, host};
use crate::helm::http::{Download, DownloadError, HttpRepository};
use crate::helm::registry::{RegistryError, RegistryRepository};
use crate::reconcile::Perform;
use crate::signature::Signers;

const FOUND: &str = "the plan finds the source before it resolves";
const RESOLVED: &str = "the plan resolves before it verifies, builds or stores";
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
                let resolving = Box::pin(self.resolve(chart, spec, source, run));
                facts.resolved = Some(resolving.await?);
            }
            Step::Verify => {
                let resolved = facts.resolved.as_ref().expect(RESOLVED);
                let verifying = Box::pin(self.verify(chart, spec, resolved, run));
                facts.verified = Some(verifying.await?);
            }
            Step::Build => facts.built = Some(Box::pin(self.build(chart, spec, facts, run)).await?),
            Step::Store => {
                let stored = self.store(chart, facts).await?;
                self.record_verified(run.key(), facts, &stored);
                facts.stored = Some(stored);
            }
        }
        Ok(())
    }
}

impl HelmChartKind {
    /// Verifies the signature of the chart.
    async fn verify(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        resolved: &ResolvedChart,
        run: &Run<HelmChart>,
    ) -> Result<VerifiedChart, Fault> {
        let ChartOrigin::Registry {
            repository,
            version,
        } = &resolved.origin
        else {
            return Err(failure::verification("not implemented"));
        };
        let namespace = chart.namespace().unwrap_or_default();
        let verification = spec.verify.as_ref();
        let verification = verification.expect("the plan verifies only if the spec asks for it");
        let (secrets, keyless, what) = (&self.secrets, &self.keyless, chart.name_any());
        let signers = Signers::read(secrets, keyless, &namespace, verification, &what, None).await;
        let signers = signers.map_err(failure::signers)?;
        let name = &chart.spec.chart;
        let verifying = async {
            let digest = repository.resolve(&self.registry, name, version).await;
            let digest = digest.map_err(|error| refused(repository, name, version, &error))?;
            let verified = repository
                .verify(
                    &self.registry,
                    name,
                    &digest,
                    &signers,
                    &self.revocation,
                    run.started(),
                )
                .await;
            let verdict = verified.map_err(|error| {
                let url = format!("{}:{version}", repository.chart_url(name));
                let fault = failure::verification(format!("failed to verify {url}: {error}"));
                failure::retried(fault, error.retry())
            })?;
            let status = chart.status.as_ref();
            let artifact = status.and_then(|status| status.artifact.as_ref());
            let is_stored = artifact.is_some_and(|artifact| {
                let pair = (digest.clone(), artifact.digest.clone());
                self.verified_charts.contains(run.key(), &pair)
            });
            Ok(VerifiedChart {
                digest,
                verdict,
                is_stored,
            })
        };
        self.clients.ask(run, &repository.host(), verifying).await
    }

    async fn build(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        facts: &Facts,
        run: &Run<HelmChart>,
    ) -> Result<BuiltChart, Fault> {
        let resolved = facts.resolved.as_ref().expect(RESOLVED);
        let archive = match &resolved.origin {
            ChartOrigin::Http { repository, entry } => {
                let (pulling, host) = (self.pull_http(repository, entry), host(&repository.url));
                self.clients.ask(run, &host, pulling).await?
            }
            ChartOrigin::Registry {
                repository,
                version,
            } => {
                let verified = facts.verified.as_ref().map(|verified| &verified.digest);
                let pulling = self.pull_registry(repository, &chart.spec.chart, version, verified);
                self.clients.ask(run, &repository.host(), pulling).await?
            }
            ChartOrigin::Files {
                artifact,
                path,
                is_folder,
            } => {
                let is_changed = *is_folder || spec.changes_version();
                if is_changed {
                    return Box::pin(self.build_from_files(chart, spec, resolved, run)).await;
                }
                let copying = self.copy(chart, artifact, path, run.started());
                return Ok(BuiltChart::pulled(copying.await?));
            }
        };
        if spec.values_files.is_empty() {
            return Ok(BuiltChart::pulled(self.check(archive).await?));
        }
        self.repackage(chart, spec, resolved, archive).await
    }

    /// Downloads a chart, and compares it with the digest in the index.
    pub(super) async fn pull_http(
        &self,
        repository: &HttpRepository,
        entry: &ChartVersion,
    ) -> Result<Spool, Fault> {
        let downloading = self.download(repository, entry).await;
        downloading.map_err(|Refusal { why, is_denied }| {
            let fault = failure::pull(format!("{DOWNLOAD}: {why}"));
            if is_denied {
                failure::denied(&fault)
            } else {
                fault
            }
        })
    }

    /// Downloads a chart of an index.
    pub(super) async fn download(
        &self,
        repository: &HttpRepository,
        entry: &ChartVersion,
    ) -> Result<Spool, Refusal> {
        let Some(reference) = entry.urls.iter().flatten().next() else {
            let name = entry.name();
            return Err(format!("chart '{name}' has no downloadable URLs").into());
        };
        let url = address::chart(&repository.url, reference)
            .map_err(|error| format!("failed to parse {reference} as URL: {error}"))?;
        let downloading = repository.download(&self.clients.http, &url, self.clients.limits.chart);
        let Download {
            content, digest, ..
        } = downloading.await.map_err(|error| {
            let is_denied = error.is_denied();
            let why = match error {
                DownloadError::TooLarge { limit } => {
                    let file = url.path().rsplit('/').next().unwrap_or_default();
                    format!("size of chart '{file}' exceeds '{limit}' bytes limit")
                }
                error => chain(&error),
            };
            Refusal { why, is_denied }
        })?;
        let expected = entry
            .digest
            .strip_prefix("sha256:")
            .unwrap_or(&entry.digest);
        let is_digest =
            expected.len() == 64 && expected.bytes().all(|byte| byte.is_ascii_hexdigit());
        if is_digest && !expected.eq_ignore_ascii_case(digest.hex()) {
            let (url, actual) = (address::display_url(&url), digest.hex());
            let why = format!("digest of {url} is {actual}, but the index says {expected}");
            return Err(why.into());
        }
        Ok(content)
    }

    /// Pulls a chart, by the digest that was verified if there is one.
    async fn pull_registry(
        &self,
        repository: &RegistryRepository,
        name: &str,
        version: &str,
        verified: Option<&Digest>,
    ) -> Result<Spool, Fault> {
        let pulling = async {
            let digest = match verified {
                Some(digest) => digest.clone(),
                None => repository.resolve(&self.registry, name, version).await?,
            };
            repository
                .pull(&self.registry, name, &digest, self.clients.limits.chart)
                .await
        };
        pulling
            .await
            .map_err(|error| refused(repository, name, version, &error))
    }

    /// Checks that an archive is one of a chart.
    async fn check(&self, archive: Spool) -> Result<Spool, Fault> {
        let limits = self.clients.limits.of_chart();
        let checking = self.source_storage.blocking(move |_| {
            let metadata = load::archive_metadata(archive.whole(), &limits);
            metadata.map_err(|error| {
                let action = match error {
                    sluice_chart::Error::Invalid(_) => "validate metadata of written chart",
                    _ => "load chart metadata from written chart",
                };
                failure::pull(format!("failed to {action}: {}", chain(&error)))
            })?;
            Ok(archive)
        });
        checking.await
    }

    async fn store(&self, chart: &HelmChart, facts: &mut Facts) -> Result<NewArtifact, Fault> {
        let storage = &self.source_storage;
        let resolved = facts.resolved.as_ref().expect(RESOLVED);
        let built = facts.built.as_mut();
        let built = built.expect("the plan builds before it stores");
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

    /// Records the verified digest that a new artifact was made of.
    fn record_verified(&self, key: &ObjectKey, facts: &Facts, stored: &NewArtifact) {
        match &facts.verified {
            Some(verified) => {
                let pair = (verified.digest.clone(), stored.artifact.digest.clone());
                self.verified_charts.record(key, pair);
            }
            None => self.verified_charts.forget(key),
        }
    }
}

/// Why a repository did not give a chart.
#[derive(Debug)]
pub(super) struct Refusal {
    pub(super) why: String,
    /// Whether credentials or certificates are the cause.
    pub(super) is_denied: bool,
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self {
            why,
            is_denied: false,
        }
    }
}

impl BuiltChart {
    /// A chart that nothing changed.
    fn pulled(archive: Spool) -> Self {
        Self {
            archive,
            values_files: Vec::new(),
            is_packaged: false,
            dependencies: 0,
        }
    }
}

fn refused(
    repository: &RegistryRepository,
    name: &str,
    version: &str,
    error: &RegistryError,
) -> Fault {
    if let Some(why) = error.login_failure() {
        return failure::unauthenticated(why);
    }
    let url = repository.chart_url(name);
    let why = chain(error);
    let fault = failure::pull(format!(
        "{DOWNLOAD}: failed to get '{url}:{version}': {why}"
    ));
    if error.is_denied() {
        failure::denied(&fault)
    } else {
        fault
    }
}
