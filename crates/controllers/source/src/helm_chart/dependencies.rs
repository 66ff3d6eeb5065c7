//! Adds the charts that a folder does not have below `charts/`.
//!
//! Parity: source-controller: `internal/helm/chart/dependency_manager.go`.

use std::sync::Arc;

use jiff::Timestamp;
use sluice_api::Artifact;
use sluice_api::source::{HelmChart, HelmRepository, HelmRepositorySpec};
use sluice_chart::index::{self, ChartVersion};
use sluice_chart::{Chart, Dependency, load};
use sluice_client::typed::ResourceExt;
use sluice_engine::Run;
use sluice_golang::error::chain;
use sluice_golang::path::confined;
use sluice_golang::semver::{Constraint, Version};
use sluice_producer::Spool;
use url::Url;

use super::files::{Entry, SourceFiles, is_below};
use super::observe::{no_artifact, unreadable};
use super::perform::Refusal;
use super::{ChartSourceKind as _, HelmChartKind, failure};
use crate::fault::Fault;
use crate::helm::address;
use crate::helm::http::HttpRepository;

/// Maximum number of charts that are added.
const MAX_DEPENDENCIES: usize = 100;
const FILE: &str = "file://";

/// The limits that all added charts share.
pub(super) struct Budget {
    limits: load::Limits,
}

impl Budget {
    pub(super) fn new(missing: &[Dependency], limits: &load::Limits) -> Result<Self, Fault> {
        if missing.len() > MAX_DEPENDENCIES {
            return Err(failure::dependency(format!(
                "{} charts are missing below 'charts', more than the limit of {MAX_DEPENDENCIES}",
                missing.len()
            )));
        }
        Ok(Self { limits: *limits })
    }

    fn take(&mut self, chart: &Chart) {
        let used = size(chart);
        self.limits.total = self.limits.total.saturating_sub(used);
    }
}

/// The bytes of the files of a chart.
fn size(chart: &Chart) -> u64 {
    let files = chart.templates.iter().chain(&chart.files);
    let own: u64 = files.map(|file| file.data.len() as u64).sum();
    own + chart.dependencies.iter().map(size).sum::<u64>()
}

/// The dependencies that a chart does not have. As in Flux, none are sought if their number fits.
pub(super) fn missing_dependencies(chart: &Chart) -> Vec<Dependency> {
    let requested = match &chart.lock {
        Some(lock) => lock.dependencies.as_deref(),
        None => chart.metadata.dependencies.as_deref(),
    };
    let requested = requested.unwrap_or_default();
    if requested.len() == chart.dependencies.len() {
        return Vec::new();
    }
    let has = |name: &str| chart.dependencies.iter().any(|found| found.name() == name);
    let missing = requested.iter().filter(|dependency| !has(name(dependency)));
    missing.cloned().collect()
}

/// The name below `charts/`.
fn name(dependency: &Dependency) -> &str {
    if dependency.alias.is_empty() {
        &dependency.name
    } else {
        &dependency.alias
    }
}

fn is_local(dependency: &Dependency) -> bool {
    dependency.repository.is_empty() || dependency.repository.starts_with(FILE)
}

/// The path of a local dependency, from the root of the artifact.
fn local_path(chart: &str, dependency: &Dependency) -> String {
    match dependency.repository.strip_prefix(FILE) {
        Some(path) => confined(&format!("{chart}/{path}")),
        None => confined(&format!("{chart}/charts/{}", dependency.name)),
    }
}

impl HelmChartKind {
    /// Finds a dependency, and gives it the name that its parent expects.
    pub(super) async fn dependency(
        &self,
        object: &HelmChart,
        artifact: &Artifact,
        chart: &str,
        dependency: &Dependency,
        budget: &mut Budget,
        run: &Run<HelmChart>,
    ) -> Result<Chart, Fault> {
        let shown = name(dependency);
        let found = if is_local(dependency) {
            let path = local_path(chart, dependency);
            let local = self
                .local_dependency(object, artifact, path, dependency, budget, run)
                .await?;
            local.map_err(|why| format!("failed to add local dependency '{shown}': {why}"))
        } else {
            let now = run.started();
            let adding = self.remote_dependency(object, dependency, budget, now);
            let host = dependency_url(&dependency.repository).map(|url| address::host(&url));
            let host = host.unwrap_or_default();
            let remote = self.clients.ask(run, &host, adding).await;
            remote.map_err(|why| format!("failed to add remote dependency '{shown}': {why}"))
        };
        let mut found = found.map_err(failure::dependency)?;
        budget.take(&found);
        if !dependency.alias.is_empty() {
            found.metadata.name.clone_from(&dependency.alias);
        }
        Ok(found)
    }

    async fn local_dependency(
        &self,
        object: &HelmChart,
        artifact: &Artifact,
        path: String,
        dependency: &Dependency,
        budget: &Budget,
        run: &Run<HelmChart>,
    ) -> Result<Result<Chart, String>, Fault> {
        let (artifact, dependency, now) = (artifact.clone(), dependency.clone(), run.started());
        let (limits, archive_limit) = (budget.limits, self.clients.limits.chart);
        let missing = no_artifact(object);
        let loading = self.source_storage.blocking(move |storage| {
            let files = SourceFiles::open(storage, &artifact, |file| is_below(&path, file), now);
            let files = files.map_err(|error| unreadable(error, missing))?;
            Ok(load_local(
                &files,
                &path,
                &dependency,
                &limits,
                archive_limit,
            ))
        });
        loading.await
    }

    async fn remote_dependency(
        &self,
        object: &HelmChart,
        dependency: &Dependency,
        budget: &Budget,
        now: Timestamp,
    ) -> Result<Chart, String> {
        let Dependency {
            name,
            version,
            repository,
            ..
        } = dependency;
        let url = dependency_url(repository)?;
        let known = self.repository_at(object, &url);
        let failed = |fault: Fault| {
            let why = fault.failure.message;
            format!(
                "failed to get chart repository for URL '{}': {why}",
                address::display_url(&url)
            )
        };
        let found = known.unwrap_or_else(|| anonymous(object, &url));
        let not_found = |why: String| {
            format!("failed to get chart '{name}' version '{version}' from '{repository}': {why}")
        };
        let (selected, archive) = if address::is_registry(url.as_str()) {
            let remote = self.registry_repository(&found).await.map_err(failed)?;
            let selecting = remote.version(&self.registry, name, version).await;
            let selected = selecting.map_err(|error| not_found(chain(&error)))?;
            let pulling = async {
                let digest = remote.resolve(&self.registry, name, &selected).await?;
                remote
                    .pull(&self.registry, name, &digest, self.clients.limits.chart)
                    .await
            };
            let archive = pulling.await.map_err(|error| chain(&error));
            (selected, archive)
        } else {
            let remote = self.http_repository(&found).await.map_err(failed)?;
            let entry = self.entry(&remote, &found, (name, version), now);
            let entry = entry.await.map_err(not_found)?;
            let archive = self.download(&remote, &entry).await;
            let archive = archive.map_err(|Refusal { why, .. }| why);
            (entry.version().to_owned(), archive)
        };
        let archive = archive
            .map_err(|why| format!("chart download of version '{selected}' failed: {why}"))?;
        self.load_dependency(archive, selected, budget.limits).await
    }

    async fn load_dependency(
        &self,
        archive: Spool,
        version: String,
        limits: load::Limits,
    ) -> Result<Chart, String> {
        let loading = self.source_storage.blocking(move |_| {
            let bytes = read(&archive)?;
            load::archive(&bytes, &limits).map_err(|error| {
                let error = chain(&error);
                format!("failed to load downloaded archive of version '{version}': {error}")
            })
        });
        loading.await
    }

    /// The repository of the namespace with this address.
    fn repository_at(&self, object: &HelmChart, url: &Url) -> Option<Arc<HelmRepository>> {
        let namespace = object.namespace().unwrap_or_default();
        let store = &self.sources.repositories;
        let mut keys = store.keys();
        keys.retain(|key| key.namespace() == namespace);
        keys.sort();
        keys.iter().find_map(|key| {
            let repository = store.get(key)?;
            let found = address::normalize(&repository.spec.url).ok()?;
            (found == *url).then_some(repository)
        })
    }

    /// The version of a chart that fits, from the stored index of a repository or from a new one.
    async fn entry(
        &self,
        remote: &HttpRepository,
        repository: &HelmRepository,
        wanted: (&str, &str),
        now: Timestamp,
    ) -> Result<ChartVersion, String> {
        let (name, version) = (wanted.0.to_owned(), wanted.1.to_owned());
        let stored = repository.artifact().cloned();
        let downloaded = match &stored {
            Some(_) => None,
            None => Some(self.download_index(remote).await?),
        };
        let searching = self.source_storage.blocking(move |storage| {
            let failed =
                |error: &dyn std::error::Error| format!("failed to load index: {}", chain(error));
            let versions = match (stored, downloaded) {
                (Some(artifact), _) => {
                    let file = storage
                        .open_verified(&artifact.path, &artifact.digest, now)
                        .map_err(|error| failed(&error))?;
                    index::find_stored(file, &name).map_err(|error| failed(&error))?
                }
                (None, Some(text)) => {
                    index::find(&read(&text)?, &name).map_err(|error| failed(&error))?
                }
                (None, None) => None,
            };
            let selected = index::select(versions.as_deref(), &name, &version);
            selected.cloned().map_err(|error| error.to_string())
        });
        searching.await
    }

    async fn download_index(&self, remote: &HttpRepository) -> Result<Spool, String> {
        let url = address::index(remote.url.as_str()).map_err(|error| error.to_string())?;
        let downloading = remote
            .download(&self.clients.http, &url, self.clients.limits.index)
            .await;
        let download = downloading.map_err(|error| {
            let error = chain(&error);
            format!("failed to cache index: failed to cache index to temporary file: {error}")
        })?;
        Ok(download.content)
    }
}

fn load_local(
    files: &SourceFiles,
    path: &str,
    dependency: &Dependency,
    limits: &load::Limits,
    archive_limit: u64,
) -> Result<Chart, String> {
    let (reference, wanted) = (&dependency.repository, &dependency.version);
    if files.entry(path) == Entry::Nothing {
        return Err(format!(
            "no chart found at '/{path}' (reference '{reference}')"
        ));
    }
    let constraint = Constraint::parse(wanted)
        .map_err(|error| format!("invalid version/constraint format '{wanted}': {error}"))?;
    let chart = files.load(path, limits, archive_limit).map_err(|why| {
        format!("failed to load chart from '/{path}' (reference '{reference}'): {why}")
    })?;
    let version = Version::parse(&chart.metadata.version).map_err(|error| error.to_string())?;
    if constraint.matches(&version) {
        Ok(chart)
    } else {
        Err(format!(
            "can't get a valid version for constraint '{wanted}'"
        ))
    }
}

/// The address of the repository of a dependency.
fn dependency_url(repository: &str) -> Result<Url, String> {
    if repository.starts_with('@') {
        return Err(format!(
            "aliased repository dependency is not supported: {repository}/"
        ));
    }
    let url = address::normalize(repository).map_err(|error| error.to_string())?;
    match url.scheme() {
        "http" | "https" | "oci" => Ok(url),
        _ => Err(format!(
            "invalid dependency repository URL: {}",
            address::display_url(&url)
        )),
    }
}

/// A repository without credentials.
fn anonymous(object: &HelmChart, url: &Url) -> Arc<HelmRepository> {
    let mut repository = HelmRepository {
        spec: HelmRepositorySpec {
            url: url.to_string(),
            ..HelmRepositorySpec::default()
        },
        ..HelmRepository::default()
    };
    repository.metadata.namespace = object.namespace();
    Arc::new(repository)
}

fn read(spool: &Spool) -> Result<Vec<u8>, String> {
    use std::io::Read as _;

    let mut bytes = Vec::new();
    let read = spool.whole().read_to_end(&mut bytes);
    read.map_err(|error| chain(&error))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use sluice_chart::Lock;

    use super::*;

    fn dependency(name: &str, alias: &str, repository: &str) -> Dependency {
        Dependency {
            name: name.to_owned(),
            alias: alias.to_owned(),
            repository: repository.to_owned(),
            ..Dependency::default()
        }
    }

    fn chart(name: &str, requested: &[&str], found: &[&str]) -> Chart {
        let mut chart = Chart::default();
        name.clone_into(&mut chart.metadata.name);
        let requested = requested.iter().map(|name| dependency(name, "", ""));
        chart.metadata.dependencies = Some(requested.collect());
        let found = found.iter().map(|name| self::chart(name, &[], &[]));
        chart.dependencies = found.collect();
        chart
    }

    fn names(chart: &Chart) -> Vec<String> {
        let missing = missing_dependencies(chart);
        missing.iter().map(|found| name(found).to_owned()).collect()
    }

    /// Cases of source-controller's `Test_collectMissing`.
    #[test]
    fn missing_dependencies_are_those_without_a_chart() {
        assert_eq!(names(&chart("a", &["one"], &["one"])), [""; 0]);
        assert_eq!(names(&chart("a", &["one", "two"], &["one"])), ["two"]);
        assert_eq!(names(&chart("a", &["one", "two"], &[])), ["one", "two"]);
        // Equal numbers mean that none is missing.
        assert_eq!(names(&chart("a", &["one"], &["other"])), [""; 0]);
        let mut aliased = chart("a", &["two"], &[]);
        aliased.metadata.dependencies = Some(vec![dependency("one", "first", "")]);
        assert_eq!(names(&aliased), ["first"]);
        aliased.lock = Some(Lock {
            dependencies: Some(vec![dependency("locked", "", "")]),
            ..Lock::default()
        });
        assert_eq!(names(&aliased), ["locked"]);
    }

    #[test]
    fn local_path_stays_in_the_artifact() {
        for (repository, expected) in [
            ("", "charts/app/charts/sub"),
            ("file://../lib", "charts/lib"),
            ("file://lib", "charts/app/lib"),
            ("file://../../../../etc", "etc"),
            ("file:///lib", "charts/app/lib"),
        ] {
            let dependency = dependency("sub", "", repository);
            assert_eq!(
                local_path("charts/app", &dependency),
                expected,
                "{repository}"
            );
        }
    }

    #[test]
    fn address_of_a_repository_must_be_remote() {
        assert!(dependency_url("https://a.b/c").is_ok());
        assert!(dependency_url("oci://a.b/c").is_ok());
        assert_eq!(
            dependency_url("@charts").unwrap_err(),
            "aliased repository dependency is not supported: @charts/"
        );
        assert_eq!(
            dependency_url("git://a.b/c").unwrap_err(),
            "invalid dependency repository URL: git://a.b/c/"
        );
    }
}
