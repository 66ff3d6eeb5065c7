//! The chart of a release: the `HelmChart` of its template, its values, and the loaded archive.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::Arc;

use sluice_api::artifact::Artifact;
use sluice_api::helm::{HelmRelease, ValuesReference, ValuesReferenceKind};
use sluice_api::source::HelmChart;
use sluice_apply::{Action, ApplyOptions, Inventory, Owner};
use sluice_artifact::fetch::{self, Download};
use sluice_chart::{Chart, Values, load};
use sluice_client::{DeleteOptions, GroupVersionKind};
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_host::{SecretError, Secrets};
use sluice_object::Object;
use sluice_release::values::{Composer, ValuesLookup, key_of};

use super::Performer;
use crate::helm_release::fault::Fault;
use crate::helm_release::model::{ChartChange, LoadReport, Report};

impl Performer {
    /// Deletes the `HelmChart` of a former template.
    pub(super) async fn delete_chart(&self, key: ObjectKey) -> Result<Report, Fault> {
        let gvk = GroupVersionKind::gvk(sluice_api::source::GROUP, "v1", "HelmChart");
        let options = DeleteOptions::default();
        let cluster = self.component.cluster();
        let deleted = cluster.delete(&gvk, Some(key.namespace()), key.name(), &options);
        let existed = deleted.await.map_err(|error| {
            let message = format!("failed to delete HelmChart '{key}': {}", error.message());
            Fault::returned(message)
        })?;
        Ok(Report::ChartDeleted { key, existed })
    }

    /// Creates or updates the `HelmChart` of the template.
    pub(super) async fn apply_chart(&self, chart: Box<HelmChart>, object: &HelmRelease) -> Report {
        let value = serde_json::to_value(&chart).expect("a chart serializes");
        let desired = Object::try_from(value).expect("a chart is an object");
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let owner = Owner {
            name: text(&object.metadata.name),
            namespace: text(&object.metadata.namespace),
        };
        let options = ApplyOptions {
            owner: &owner,
            known: &Inventory::default(),
            force: false,
            wait_runner: None,
        };
        let applier = self.applier(self.component.cluster().clone());
        let applied = applier.apply_staged(vec![desired], &options).await;
        let change = applied.map_err(|failure| failure.error.to_string());
        let change = change.map(|applied| {
            let mut changed = applied.changes.changed();
            changed.next().map(|entry| match entry.action {
                Action::Created => ChartChange::Created,
                _ => ChartChange::Configured,
            })
        });
        Report::ChartApplied { chart, change }
    }

    /// Composes the values, and loads the chart.
    pub(super) async fn load(
        &self,
        artifact: Box<Artifact>,
        object: &HelmRelease,
        run: &Run<HelmRelease>,
    ) -> LoadReport {
        let values = match compose(self.component.secrets(), object).await {
            Ok(values) => values,
            Err(error) => return LoadReport::ValuesFailed(error),
        };
        let fetched = self.artifacts.fetch(&artifact, run).await;
        let cache = self.artifacts.cache();
        self.metrics.set_downloads(cache.hits(), cache.misses());
        let download = match fetched {
            Ok(download) => download,
            Err(fetch::Error::NotFound { .. }) => return LoadReport::ArtifactMissing,
            Err(fetch::Error::Mismatch { expected }) => {
                let error =
                    format!("integrity failure: computed digest doesn't match '{expected}'");
                return LoadReport::ChartFailed(error);
            }
            Err(error) => return LoadReport::ChartFailed(chain(&error)),
        };
        match read_chart(download).await {
            Ok(chart) => LoadReport::Loaded {
                artifact,
                chart: Box::new(chart),
                values,
            },
            Err(error) => LoadReport::ChartFailed(error),
        }
    }
}

/// Reads the chart of an archive, on a blocking thread.
async fn read_chart(download: Arc<Download>) -> Result<Chart, String> {
    let read = move || {
        let mut bytes = Vec::new();
        let read = download.reader().read_to_end(&mut bytes);
        read.map_err(|error| error.to_string())?;
        load::archive(&bytes, &load::Limits::default()).map_err(|error| chain(&error))
    };
    let loaded = tokio::task::spawn_blocking(read).await;
    loaded.unwrap_or_else(|error| Err(error.to_string()))
}

/// Composes the values of a release. Each object is read once.
async fn compose(secrets: &Secrets, object: &HelmRelease) -> Result<Values, String> {
    let namespace = object.metadata.namespace.as_deref().unwrap_or_default();
    let mut composer = Composer::new(namespace, object.spec.values.as_ref());
    let mut objects = HashMap::new();
    for reference in &object.spec.values_from {
        let id = (reference.kind.clone(), reference.name.clone());
        if !objects.contains_key(&id) {
            let found = find(secrets, namespace, reference).await?;
            objects.insert(id.clone(), found);
        }
        let found = match objects.get(&id) {
            Some(Ok(entries)) => match entries.get(key_of(reference)) {
                Some(data) => ValuesLookup::Data(data.clone()),
                None => ValuesLookup::NoKey,
            },
            Some(Err(why)) => ValuesLookup::NoObject(why.clone()),
            None => ValuesLookup::NoKey,
        };
        composer.add(reference, found)?;
    }
    Ok(composer.finish())
}

/// The entries of an object, or why it does not exist.
type Entries = Result<HashMap<String, Vec<u8>>, String>;

/// Reads the object of a reference.
async fn find(
    secrets: &Secrets,
    namespace: &str,
    reference: &ValuesReference,
) -> Result<Entries, String> {
    let name = &reference.name;
    let (found, plural) = match reference.kind {
        ValuesReferenceKind::Secret => {
            let secret = secrets.get(namespace, name).await;
            let entries = secret.map(|secret| {
                let entries = secret.names().map(|name| {
                    let value = secret.entry(name).unwrap_or_default();
                    (name.to_owned(), value.to_vec())
                });
                entries.collect()
            });
            (entries, "secrets")
        }
        ValuesReferenceKind::ConfigMap => {
            let config = secrets.config(namespace, name).await;
            let entries = config.map(|config| {
                let entries = config.data.into_iter();
                entries
                    .map(|(name, value)| (name, value.into_bytes()))
                    .collect()
            });
            (entries, "configmaps")
        }
        // The composer refuses other kinds.
        ValuesReferenceKind::Other(_) => return Ok(Ok(HashMap::new())),
    };
    match found {
        Ok(entries) => Ok(Ok(entries)),
        Err(SecretError::NotFound { .. }) => Ok(Err(format!("{plural} \"{name}\" not found"))),
        Err(error) => Err(chain(&error)),
    }
}
