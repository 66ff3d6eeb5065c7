//! Reads the source of a `HelmChart`, and finds the version that fits.

use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use regex::Regex;
use sluice_api::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::{
    HelmChart, HelmChartSourceKind, HelmRepository, HelmRepositoryType, RegistryProvider,
};
use sluice_chart::index;
use sluice_client::typed;
use sluice_client::typed::{Api, ResourceExt};
use sluice_dial::Dial;
use sluice_engine::{Failure, ObjectKey, Retry, Run, Store};
use sluice_golang::error::chain;
use sluice_golang::path::confined;
use sluice_golang::semver::Version;
use sluice_host::{IdentityUser, registry_cloud};
use sluice_oci::Login;
use url::Url;

use super::files::{Entry, OpenError, SourceFiles, below};
use super::model::{ChartOrigin, ChartSource, ResolvedChart};
use super::spec::Spec;
use super::{ChartSourceKind, HelmChartKind, failure};
use crate::fault::Fault;
use crate::helm::access::{self, HelmAccess};
use crate::helm::address;
use crate::helm::http::HttpRepository;
use crate::helm::registry::{self, RegistryError, RegistryRepository};
use crate::timing;

/// Names of charts in repositories.
static CHART_NAME: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^([-a-z0-9]+/?\.?)+$").expect("the pattern is well formed"));

const REMOTE: &str = "failed to get chart version for remote reference";

impl HelmChartKind {
    /// Reads the source of a chart.
    pub(super) async fn source(&self, chart: &HelmChart) -> Result<ChartSource, Fault> {
        let sources = &self.sources;
        let artifact = match &chart.spec.source_ref.kind {
            HelmChartSourceKind::HelmRepository => {
                let repository = self.find(chart, &sources.repositories).await?;
                let is_registry = repository.spec.type_ == Some(HelmRepositoryType::Oci);
                if !is_registry && repository.artifact().is_none() {
                    return Err(no_artifact(chart));
                }
                return Ok(ChartSource::Repository(repository));
            }
            HelmChartSourceKind::GitRepository => {
                self.find(chart, &sources.git).await?.artifact().cloned()
            }
            HelmChartSourceKind::Bucket => self
                .find(chart, &sources.buckets)
                .await?
                .artifact()
                .cloned(),
            HelmChartSourceKind::Other(kind) => {
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
        let artifact = artifact.ok_or_else(|| no_artifact(chart))?;
        Ok(ChartSource::Artifact(Box::new(artifact)))
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
            let error = cluster.error(format!("get {} {namespace}/{name}", S::NAME), error);
            unavailable(chain(&error))
        })?;
        let missing = || unavailable(format!("{} \"{name}\" not found", S::NAME));
        found.map(Arc::new).ok_or_else(missing)
    }

    /// Finds the version that fits.
    pub(super) async fn resolve(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        source: &ChartSource,
        run: &Run<HelmChart>,
    ) -> Result<ResolvedChart, Fault> {
        match source {
            ChartSource::Artifact(artifact) => {
                self.resolve_in_artifact(chart, spec, artifact, run.started())
                    .await
            }
            ChartSource::Repository(repository) => {
                check_name(&chart.spec.chart)?;
                if repository.spec.type_ == Some(HelmRepositoryType::Oci) {
                    self.resolve_in_registry(chart, spec, repository, run).await
                } else {
                    self.resolve_in_index(chart, spec, repository, run.started())
                        .await
                }
            }
        }
    }

    async fn resolve_in_index(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        repository: &HelmRepository,
        now: Timestamp,
    ) -> Result<ResolvedChart, Fault> {
        let remote = self.http_repository(repository).await?;
        let artifact = repository.artifact().cloned();
        let artifact = artifact.ok_or_else(|| no_artifact(chart))?;
        let entry = self.select(chart, artifact, now).await?;
        let version = with_metadata(entry.version(), &metadata(chart, spec, ""))?;
        Ok(ResolvedChart {
            name: entry.name().to_owned(),
            version,
            origin: ChartOrigin::Http {
                repository: Box::new(remote),
                entry: Box::new(entry),
            },
        })
    }

    async fn resolve_in_registry(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        repository: &HelmRepository,
        run: &Run<HelmChart>,
    ) -> Result<ResolvedChart, Fault> {
        let remote = self.registry_repository(repository).await?;
        let name = &chart.spec.chart;
        let wanted = chart.spec.version.as_deref().unwrap_or_default();
        let selecting = remote.version(&self.registry, name, wanted);
        let host = remote.host();
        let selecting = self.clients.ask(run, &host, selecting);
        let found = selecting.await.map_err(|error| {
            if let Some(why) = error.login_failure() {
                return failure::unauthenticated(why);
            }
            let why = if error.is_denied() || matches!(error, RegistryError::Registry(_)) {
                let url = remote.chart_url(name);
                format!(
                    "could not get tags for \"{name}\": could not fetch tags for \"{url}\": {error}"
                )
            } else {
                error.to_string()
            };
            let fault = failure::pull(format!("{REMOTE}: {why}"));
            if error.is_denied() {
                failure::denied(&fault)
            } else {
                fault
            }
        })?;
        let version = with_metadata(&found, &metadata(chart, spec, ""))?;
        Ok(ResolvedChart {
            name: name.clone(),
            version,
            origin: ChartOrigin::Registry {
                repository: Box::new(remote),
                version: found,
            },
        })
    }

    async fn resolve_in_artifact(
        &self,
        chart: &HelmChart,
        spec: &Spec,
        artifact: &Artifact,
        now: Timestamp,
    ) -> Result<ResolvedChart, Fault> {
        if chart.spec.chart.is_empty() {
            return Err(failure::reference("no path set for local chart reference"));
        }
        if chart.spec.chart.starts_with('/') {
            let why = "local chart reference path is expected to be relative";
            return Err(failure::reference(why));
        }
        let path = confined(&chart.spec.chart);
        let (limits, archive_limit) = (self.clients.limits.of_chart(), self.clients.limits.chart);
        let (wanted, source) = (path.clone(), artifact.clone());
        let missing = no_artifact(chart);
        let reading = self.source_storage.blocking(move |storage| {
            let names = [
                below(&wanted, "Chart.yaml"),
                below(&wanted, "requirements.yaml"),
            ];
            let wanted_files = |path: &str| path == wanted || names.iter().any(|name| name == path);
            let files = SourceFiles::open(storage, &source, wanted_files, now);
            let files = files.map_err(|error| unreadable(error, missing))?;
            let metadata = files.metadata(&wanted, &limits, archive_limit);
            let metadata = metadata.map_err(failure::reference)?;
            Ok::<_, Fault>((metadata, files.entry(&wanted) == Entry::Folder))
        });
        let (found, is_folder) = reading.await?;
        let added = metadata(chart, spec, &artifact.revision);
        Ok(ResolvedChart {
            name: found.name,
            version: with_metadata(&found.version, &added)?,
            origin: ChartOrigin::Files {
                artifact: Box::new(artifact.clone()),
                path,
                is_folder,
            },
        })
    }

    /// Configures the client of a repository over HTTP.
    pub(super) async fn http_repository(
        &self,
        repository: &HelmRepository,
    ) -> Result<HttpRepository, Fault> {
        let url = repository_url(repository)?;
        let scheme = url.scheme();
        if !matches!(scheme, "http" | "https") {
            let message =
                format!("failed to construct Helm client: scheme \"{scheme}\" not supported");
            return Err(failure::outside(reason::FAILED, Retry::Stalled, message));
        }
        let timeout = timing::timeout(repository.spec.timeout.as_ref()).map_err(Fault::fetch)?;
        let access = self.access(repository).await?;
        Ok(HttpRepository::new(url, &repository.spec, timeout, access))
    }

    /// Configures the client of a repository in a registry.
    pub(super) async fn registry_repository(
        &self,
        repository: &HelmRepository,
    ) -> Result<RegistryRepository, Fault> {
        let url = repository_url(repository)?;
        if !address::is_registry(url.as_str()) {
            let url = address::display_url(&url);
            let message =
                format!("failed to construct Helm client: invalid OCI registry URL: {url}");
            return Err(failure::outside(reason::FAILED, Retry::Stalled, message));
        }
        let timeout = timing::timeout(repository.spec.timeout.as_ref()).map_err(Fault::fetch)?;
        let access = self.access(repository).await?;
        let login = self.login(repository, &url, &access).await?;
        Ok(RegistryRepository::new(
            url,
            &repository.spec,
            timeout,
            access,
            login,
        ))
    }

    /// The login of the Secret, or that of an identity in a cloud.
    ///
    /// A `HelmRepository` names no service account. The operator's default account serves it, while
    /// Flux uses the identity of the controller even then.
    async fn login(
        &self,
        repository: &HelmRepository,
        url: &Url,
        access: &HelmAccess,
    ) -> Result<Login, Fault> {
        let provider = registry_cloud(
            repository
                .spec
                .provider
                .as_ref()
                .map(RegistryProvider::as_str),
        );
        let provider = match provider.map_err(|error| {
            let reason = reason::INVALID_PROVIDER_CONFIGURATION;
            failure::outside(reason, Retry::Stalled, error.to_string())
        })? {
            Some(provider) if access.secret.is_none() => provider,
            _ => return registry::login(url, access).map_err(failure::unauthenticated),
        };
        let key = ObjectKey::of(repository);
        let user = IdentityUser {
            kind: "HelmRepository",
            key: &key,
            namespace: key.namespace(),
            account: None,
        };
        let (host, dial) = (address::host(url), Dial::default());
        let login = self.identities.registry(user, provider, &host, &dial);
        let login = login.await.map_err(|error| {
            failure::unauthenticated(format!(
                "failed to get credential from '{provider}': {error}"
            ))
        })?;
        Ok(Login::OnDemand(login))
    }

    async fn access(&self, repository: &HelmRepository) -> Result<HelmAccess, Fault> {
        let namespace = repository.namespace().unwrap_or_default();
        let access = access::read(&self.secrets, &namespace, &repository.spec).await;
        access.map_err(failure::unauthenticated)
    }

    /// Searches a stored index.
    async fn select(
        &self,
        chart: &HelmChart,
        artifact: Artifact,
        now: Timestamp,
    ) -> Result<index::ChartVersion, Fault> {
        let missing = no_artifact(chart);
        let name = chart.spec.chart.clone();
        let wanted = chart.spec.version.clone().unwrap_or_default();
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

pub(super) fn no_artifact(chart: &HelmChart) -> Fault {
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

/// An artifact that could not be opened or unpacked.
pub(super) fn unreadable(error: OpenError, missing: Fault) -> Fault {
    match error {
        OpenError::Missing => missing,
        OpenError::Untar(why) => {
            let message = format!("artifact untar error: {why}");
            failure::outside(reason::FAILED, Retry::Backoff, message)
        }
    }
}

fn repository_url(repository: &HelmRepository) -> Result<Url, Fault> {
    address::normalize(&repository.spec.url).map_err(|error| {
        let message = format!("invalid Helm repository URL: {error}");
        failure::outside(reason::URL_INVALID, Retry::Stalled, message)
    })
}

fn metadata(chart: &HelmChart, spec: &Spec, revision: &str) -> String {
    spec.metadata(chart.metadata.generation.unwrap_or_default(), revision)
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
