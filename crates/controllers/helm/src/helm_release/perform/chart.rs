//! The chart of a release: the `HelmChart` of its template, its values, and the loaded archive.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::Arc;

use sluice_api::artifact::Artifact;
use sluice_api::helm::{HelmRelease, ValuesReference, ValuesReferenceKind};
use sluice_api::meta::reason;
use sluice_api::source::HelmChart;
use sluice_apply::{Action, ApplyOptions, Inventory, Owner};
use sluice_artifact::fetch;
use sluice_chart::{Chart, Values, load};
use sluice_client::{DeleteOptions, GroupVersionKind};
use sluice_engine::{Notice, ObjectKey, Run};
use sluice_golang::duration::GoDuration;
use sluice_golang::error::chain;
use sluice_host::{SecretError, Secrets};
use sluice_object::Object;
use sluice_release::digest_version;
use sluice_release::values::{Composer, ValuesLookup, key_of};

use super::Performer;
use crate::helm_release::fault::{Fault, RetryTime};
use crate::helm_release::model::{Facts, LoadedChart};
use crate::helm_release::{chart_object, messages};

impl Performer {
    /// Deletes the `HelmChart` of a former template.
    pub(super) async fn delete_chart(
        &self,
        key: &ObjectKey,
        facts: &mut Facts,
    ) -> Result<(), Fault> {
        let gvk = GroupVersionKind::gvk(sluice_api::source::GROUP, "v1", "HelmChart");
        let options = DeleteOptions::default();
        let cluster = self.component.cluster();
        let deleted = cluster.delete(&gvk, Some(key.namespace()), key.name(), &options);
        match deleted.await {
            Ok(found) => {
                if found {
                    let message = format!("deleted HelmChart '{key}'");
                    let notice = Notice::trace("HelmChartDeleted", message);
                    facts.draft.notices.push(notice);
                }
                facts.draft.status.helm_chart = None;
                Ok(())
            }
            Err(error) => {
                let message = format!("failed to delete HelmChart '{key}': {}", error.message());
                Err(Fault::returned(message))
            }
        }
    }

    /// Creates or updates the `HelmChart` of the template.
    pub(super) async fn apply_chart(
        &self,
        wanted: HelmChart,
        object: &HelmRelease,
        facts: &mut Facts,
    ) -> Result<(), Fault> {
        let key = ObjectKey::of(&wanted);
        let live = self.sources.charts.get(&key);
        let is_in_sync = live.is_some_and(|live| chart_object::is_in_sync(&live, &wanted));
        if !is_in_sync {
            self.write_chart(&wanted, object, facts).await?;
        }
        facts.has_chart = true;
        facts.draft.status.helm_chart = Some(key.to_string());
        Ok(())
    }

    async fn write_chart(
        &self,
        wanted: &HelmChart,
        object: &HelmRelease,
        facts: &mut Facts,
    ) -> Result<(), Fault> {
        let value = serde_json::to_value(wanted).expect("a chart serializes");
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
        let changes = match applied {
            Ok(applied) => applied.changes,
            Err(failure) => {
                let message = format!("failed to run server-side apply: {}", failure.error);
                let notice = Notice::trace("HelmChartSyncErr", message.clone());
                facts.draft.notices.push(notice);
                return Err(Fault::returned(message));
            }
        };
        let source = chart_object::source_name(wanted);
        let name = ObjectKey::of(wanted);
        for entry in changes.changed() {
            let verb = match entry.action {
                Action::Created => "Created",
                _ => "Configured",
            };
            let message = format!("{verb} HelmChart/{name} with SourceRef '{source}'");
            let notice = Notice::trace(format!("HelmChart{verb}"), message);
            facts.draft.notices.push(notice);
        }
        Ok(())
    }

    /// Composes the values, and loads the chart.
    pub(super) async fn load(
        &self,
        artifact: &Artifact,
        object: &HelmRelease,
        facts: &mut Facts,
        run: &Run<HelmRelease>,
    ) -> Result<(), Fault> {
        facts.draft.clear_ready(&[
            reason::DEPENDENCY_NOT_READY,
            reason::ACCESS_DENIED,
            messages::ARTIFACT_FAILED,
            messages::SOURCE_NOT_READY,
        ]);
        let values = compose(self.component.secrets(), object).await;
        let values =
            values.map_err(|message| Fault::retry(messages::VALUES_ERROR, message).with_event())?;
        facts.draft.clear_ready(&[messages::VALUES_ERROR]);
        let mut chart = self.chart(artifact, run).await?;
        facts.draft.clear_ready(&[messages::ARTIFACT_FAILED]);
        let spec = facts.spec.as_ref().map_err(Clone::clone)?;
        let versioned =
            digest_version(&spec.source.kind, &artifact.revision, &chart.metadata.version);
        let versioned =
            versioned.map_err(|error| Fault::retry(messages::CHART_MUTATE_ERROR, error))?;
        let mut oci_digest = None;
        if let Some((digest, version)) = versioned {
            oci_digest = Some(digest);
            if self.policy.tracks_digest {
                chart.metadata.version = version;
            }
        }
        facts.loaded = Some(Arc::new(LoadedChart {
            chart: Arc::new(chart),
            values,
            oci_digest,
        }));
        Ok(())
    }

    /// Downloads an artifact, and reads the chart in it on a blocking thread.
    async fn chart(&self, artifact: &Artifact, run: &Run<HelmRelease>) -> Result<Chart, Fault> {
        let fetched = self.artifacts.fetch(artifact, run).await;
        let download = fetched.map_err(|error| {
            if matches!(error, fetch::Error::NotFound { .. }) {
                let after = self.policy.requeue_dependency;
                let message = format!(
                    "Source not ready: artifact not found. Retrying in {}",
                    GoDuration::from_std(after)
                );
                return Fault::waiting(messages::ARTIFACT_FAILED, message, RetryTime::After(after));
            }
            load_error(&chain(&error))
        })?;
        let read = move || {
            let mut bytes = Vec::new();
            let read = download.reader().read_to_end(&mut bytes);
            read.map_err(|error| error.to_string())?;
            load::archive(&bytes, &load::Limits::default()).map_err(|error| chain(&error))
        };
        let loaded = tokio::task::spawn_blocking(read).await;
        let loaded = loaded.unwrap_or_else(|error| Err(error.to_string()));
        loaded.map_err(|error| load_error(&error))
    }
}

fn load_error(error: &str) -> Fault {
    let message = format!("Could not load chart: {error}");
    let notice = Notice::error(messages::ARTIFACT_FAILED, error);
    Fault::retry(messages::ARTIFACT_FAILED, message).with_notice(notice)
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
