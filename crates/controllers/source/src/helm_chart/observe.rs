//! Reads the source of a `HelmChart`, and finds the version that fits.

use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use kube::{Api, ResourceExt};
use regex::Regex;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::{HelmChart, HelmChartSourceKind, HelmRepository};
use sluice_chart::index;
use sluice_client::typed;
use sluice_engine::{Failure, ObjectKey, Retry, Store};
use sluice_golang::error::chain;
use sluice_golang::semver::Version;

use super::model::{ChartOrigin, ChartSource, ResolvedChart};
use super::spec::Spec;
use super::{ChartSourceKind, HelmChartKind, failure};
use crate::fault::Fault;
use crate::helm::http::HttpRepository;
use crate::helm::{access, address};
use crate::timing;

/// Names of charts in repositories.
static CHART_NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([-a-z0-9]+/?\.?)+$").expect("the pattern is well formed"));

const REMOTE: &str = "failed to get chart version for remote reference";

impl HelmChartKind {
    /// Reads the source of a chart.
    pub(super) async fn source(&self, chart: &HelmChart) -> Result<ChartSource, Fault> {
        let source = match &chart.spec.source_ref.kind {
            HelmChartSourceKind::HelmRepository => {
                ChartSource::Repository(self.find(chart, &self.sources.repositories).await?)
            }
            kind => {
                let kind = kind.as_str();
                let message = format!(
                    "failed to get source: unsupported source kind '{kind}', must be one of: \
                     [HelmRepository GitRepository Bucket]"
                );
                let reason = reason::UNSUPPORTED_SOURCE_KIND;
                return Err(Fault::fetch(Failure::message(
                    reason,
                    Retry::Stalled,
                    message,
                )));
            }
        };
        if source.artifact().is_none() {
            return Err(no_artifact(chart));
        }
        Ok(source)
    }

    async fn find<S: ChartSourceKind>(
        &self,
        chart: &HelmChart,
        store: &Store<S>,
    ) -> Result<Arc<S>, Fault> {
        let (namespace, name) = (
            chart.namespace().unwrap_or_default(),
            &chart.spec.source_ref.name,
        );
        if let Some(found) = store.get(&ObjectKey::new(&namespace, name)) {
            return Ok(found);
        }
        // The watch may lag behind.
        let unavailable = |why: String| {
            let message = format!("failed to get source: {why}");
            Fault::retry(reason::SOURCE_UNAVAILABLE, message)
        };
        let cluster = &self.sources.cluster;
        let api: Api<S> = Api::namespaced(cluster.client().clone(), &namespace);
        let found = typed::get_opt(&api, name).await.map_err(|error| {
            let error = cluster.error(format!("get {} {namespace}/{name}", S::RESOURCE), error);
            unavailable(chain(&error))
        })?;
        let missing = || unavailable(format!("{} \"{name}\" not found", S::RESOURCE));
        found.map(Arc::new).ok_or_else(missing)
    }

    /// Finds the version that fits.
    pub(super) async fn resolve(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        source: &ChartSource,
        now: Timestamp,
    ) -> Result<ResolvedChart, Fault> {
        match source {
            ChartSource::Repository(repository) => {
                self.resolve_in_repository(chart, spec, repository, now)
                    .await
            }
        }
    }

    async fn resolve_in_repository(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        repository: &HelmRepository,
        now: Timestamp,
    ) -> Result<ResolvedChart, Fault> {
        let remote = self.http_repository(repository).await?;
        check_name(&chart.spec.chart)?;
        let artifact = repository.status.as_ref();
        let artifact = artifact.and_then(|status| status.artifact.clone());
        let artifact = artifact.ok_or_else(|| no_artifact(chart))?;
        let wanted = chart.spec.version.clone().unwrap_or_default();
        let entry = self.select(chart, artifact, wanted, now).await?;
        let version = with_metadata(entry.version(), &metadata(chart, spec))?;
        Ok(ResolvedChart {
            name: entry.name().to_owned(),
            version,
            origin: ChartOrigin::Http {
                repository: remote,
                entry: Box::new(entry),
            },
        })
    }

    /// Configures the client of a repository.
    async fn http_repository(&self, repository: &HelmRepository) -> Result<HttpRepository, Fault> {
        let spec = &repository.spec;
        let url = address::normalize(&spec.url).map_err(|error| {
            let message = format!("invalid Helm repository URL: {error}");
            failure::outside(reason::URL_INVALID, Retry::Stalled, message)
        })?;
        let scheme = url.scheme();
        if !matches!(scheme, "http" | "https") {
            let message =
                format!("failed to construct Helm client: scheme \"{scheme}\" not supported");
            return Err(failure::outside(reason::FAILED, Retry::Stalled, message));
        }
        let timeout = timing::timeout(spec.timeout.as_ref()).map_err(Fault::fetch)?;
        let namespace = repository.namespace().unwrap_or_default();
        let access = access::read(&self.secrets, &namespace, spec).await;
        let access = access
            .map_err(|why| failure::outside(reason::AUTHENTICATION_FAILED, Retry::Backoff, why))?;
        Ok(HttpRepository::new(url, spec, timeout, access))
    }

    /// Searches a stored index.
    async fn select(
        &self,
        chart: &HelmChart,
        artifact: Artifact,
        wanted: String,
        now: Timestamp,
    ) -> Result<index::ChartVersion, Fault> {
        let missing = no_artifact(chart);
        let name = chart.spec.chart.clone();
        let searching = self.source_storage.blocking(move |storage| {
            let Ok(file) = storage.open_verified(&artifact.path, &artifact.digest, now) else {
                return Err(missing);
            };
            let versions = index::find_stored(file, &name).map_err(|error| {
                let error = chain(&error);
                failure::pull(format!("{REMOTE}: failed to load index: {error}"))
            })?;
            let selected = index::select(versions.as_deref(), &name, &wanted);
            let selected =
                selected.map_err(|error| failure::reference(format!("{REMOTE}: {error}")))?;
            Ok(selected.clone())
        });
        searching.await
    }
}

fn no_artifact(chart: &HelmChart) -> Fault {
    let source = &chart.spec.source_ref;
    let (kind, name) = (source.kind.as_str(), &source.name);
    let message = format!("no artifact available for {kind} source '{name}'");
    Fault::retry(reason::NO_SOURCE_ARTIFACT, message)
}

/// Checks the name of a chart in a repository.
fn check_name(name: &str) -> Result<(), Fault> {
    if name.is_empty() {
        return Err(failure::reference("no name set for remote chart reference"));
    }
    if CHART_NAME.is_match(name) {
        return Ok(());
    }
    Err(failure::reference(format!(
        "invalid chart name '{name}': a valid name must be lower case letters and numbers and MAY \
         be separated with dashes (-), slashes (/) or periods (.)"
    )))
}

/// The build metadata that the spec adds to a version. Consumers notice other values by it.
fn metadata(chart: &HelmChart, spec: &Spec) -> String {
    if spec.values_files.is_empty() {
        return String::new();
    }
    chart.metadata.generation.unwrap_or_default().to_string()
}

/// A version with build metadata.
fn with_metadata(version: &str, metadata: &str) -> Result<String, Fault> {
    if metadata.is_empty() {
        return Ok(version.to_owned());
    }
    let parsed = Version::parse(version).map_err(|error| {
        failure::metadata(format!(
            "failed to parse version from chart metadata as SemVer: {error}"
        ))
    })?;
    let plain = parsed.to_string();
    let plain = plain.split('+').next().unwrap_or_default();
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let mut parts = metadata.split('.');
    if parts.any(|part| part.is_empty() || !part.bytes().all(is_allowed)) {
        return Err(failure::metadata(
            "failed to set SemVer metadata on chart version: invalid metadata string",
        ));
    }
    Ok(format!("{plain}+{metadata}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_charts_follow_flux() {
        for (name, is_valid) in [
            ("podinfo", true),
            ("team/podinfo", true),
            ("pod-info.v2", true),
            ("Podinfo", false),
            ("pod_info", false),
            ("a//b", false),
            ("/a", false),
            ("../a", false),
            ("", false),
        ] {
            assert_eq!(check_name(name).is_ok(), is_valid, "{name}");
        }
    }

    #[test]
    fn build_metadata_replaces_that_of_the_version() {
        assert_eq!(with_metadata("1.2", "").unwrap(), "1.2");
        assert_eq!(with_metadata("v1.2", "3").unwrap(), "1.2.0+3");
        assert_eq!(
            with_metadata("1.2.3-rc.1+a", "b.4").unwrap(),
            "1.2.3-rc.1+b.4"
        );
        let fault = with_metadata("1.2.3", "a..b").unwrap_err();
        assert_eq!(
            fault.failure.message,
            "chart metadata patch error: failed to set SemVer metadata on chart version: invalid \
             metadata string"
        );
    }
}
