//! Publishes artifacts as external artifacts, and removes those that are not made any more.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::StreamExt as _;
use serde_json::Value;
use sluice_api::artifact::Artifact;
use sluice_api::meta::reason;
use sluice_api::source::ExternalArtifact;
use sluice_api::source_watcher::{self, ArtifactGenerator, ExternalArtifactReference};
use sluice_client::{DeleteOptions, Error, ListOptions, PatchOptions};
use sluice_consumer::read;
use sluice_engine::ready::Fault;
use sluice_engine::report::apply_status;
use sluice_engine::{ObjectKey, Run};
use sluice_golang::error::chain;
use sluice_producer::StorageFailure;

use super::ArtifactGeneratorReconciler;
use crate::args::NAME;
use crate::artifact_generator::drift;
use crate::artifact_generator::model::{Current, Facts, PublishedArtifact, Removal};
use crate::artifact_generator::observe::find_objects;
use crate::artifact_generator::owned::{Candidates, candidates};
use crate::artifact_generator::plan::name_conflict;
use crate::external_artifact::{desired, gvk, is_published, names_as_source, over, status};

/// Reads of objects at once.
const CONCURRENT_READS: usize = 8;

/// Why an external artifact was not published.
#[derive(Debug, thiserror::Error)]
enum PublishError {
    #[error("failed to apply ExternalArtifact")]
    Apply(#[source] Error),
    #[error("failed to patch ExternalArtifact status")]
    Status(#[source] Error),
    #[error("unexpected answer from the API server")]
    Answer(#[from] serde_json::Error),
}

/// Whether the API server does not serve external artifacts, so that none exists. Otherwise the
/// deletion of a generator would wait for its objects for ever.
fn is_kind_gone(error: &Error) -> bool {
    error.has_no_match() || error.is_unserved()
}

impl ArtifactGeneratorReconciler {
    /// Reads the objects with the names of the artifacts, unless the watch has them.
    pub(super) async fn look_up(
        &self,
        facts: &mut Facts,
        run: &Run<ArtifactGenerator>,
    ) -> Result<(), Fault> {
        let Some(work) = &mut facts.work else {
            return Ok(());
        };
        let namespace = run.key().namespace();
        let names = work.requests.iter().map(|it| it.name.clone());
        let names: Vec<String> = names.collect();
        let known = find_objects(&self.sources.external, namespace, names.clone()).await;
        let unknown = names.iter().filter(|name| !known.contains_key(*name));
        let unknown = unknown
            .map(|name| ObjectKey::new(namespace, name))
            .collect();
        facts.live.extend(known);
        for (key, object) in self.read_all(unknown).await? {
            match object {
                Some(object) => facts.live.insert(key.name().to_owned(), object),
                None => facts.live.remove(key.name()),
            };
        }
        work.is_looked_up = true;
        Ok(())
    }

    /// Reads objects from the API server.
    async fn read_all(
        &self,
        keys: Vec<ObjectKey>,
    ) -> Result<Vec<(ObjectKey, Option<Arc<ExternalArtifact>>)>, Fault> {
        let cluster = self.component.cluster();
        let reads = futures::stream::iter(keys).map(|key| async {
            let found = read::<ExternalArtifact>(cluster, &key).await;
            (key, found)
        });
        let found: Vec<_> = reads.buffer_unordered(CONCURRENT_READS).collect().await;
        let read = found.into_iter().map(|(key, found)| match found {
            Ok(found) => Ok((key, found.map(Arc::new))),
            Err(error) => {
                let message = format!(
                    "failed to read ExternalArtifact '{key}': {}",
                    error.message()
                );
                Err(Fault::retried(reason::RECONCILIATION_FAILED, message))
            }
        });
        read.collect()
    }

    /// Publishes an artifact.
    pub(super) async fn publish(
        &self,
        index: usize,
        artifact: &Artifact,
        generator: &ArtifactGenerator,
        facts: &mut Facts,
        run: &Run<ArtifactGenerator>,
    ) -> Result<(), Fault> {
        let Some(work) = &mut facts.work else {
            return Ok(());
        };
        let request = &work.requests[index];
        let name = &request.name;
        let object = desired(generator, name, &request.labels());
        let live = facts.live.get(name).filter(|_| !facts.is_prompt);
        let now = run.times().now;
        if !live.is_some_and(|live| is_published(live, &object, artifact, now)) {
            self.write(name, object, artifact, generator, run).await?;
        }
        let filename = artifact.path.rsplit('/').next().unwrap_or_default();
        let reference = ExternalArtifactReference {
            name: name.clone(),
            namespace: run.key().namespace().to_owned(),
            digest: artifact.digest.clone(),
            filename: filename.to_owned(),
        };
        let is_known = drift::inventory(generator).iter().any(|entry| {
            let is_same = entry.name == reference.name && entry.namespace == reference.namespace;
            is_same && entry.digest == reference.digest
        });
        work.finished.push(PublishedArtifact {
            reference,
            revision: artifact.revision.clone(),
            is_new: !is_known,
        });
        work.current = Current::Nothing;
        Ok(())
    }

    /// Writes an external artifact over that of the same owner.
    async fn write(
        &self,
        name: &str,
        object: Value,
        artifact: &Artifact,
        generator: &ArtifactGenerator,
        run: &Run<ArtifactGenerator>,
    ) -> Result<(), Fault> {
        let key = ObjectKey::new(run.key().namespace(), name);
        // The owner may have changed while the artifact was made.
        let live = self.read_all(vec![key]).await?;
        let live = live.into_iter().find_map(|(_, object)| object);
        let object =
            over(object, live.as_deref(), generator).map_err(|live| name_conflict(name, live))?;
        let applied = self.apply(name, &object, artifact, run).await;
        let applied = applied.map_err(|error| {
            let message = format!("{name} reconcile failed: {}", chain(&error));
            Fault::retried(reason::RECONCILIATION_FAILED, message)
        })?;
        self.component.update_store(Arc::new(applied));
        Ok(())
    }

    /// Applies an object, and its status if that differs.
    async fn apply(
        &self,
        name: &str,
        object: &Value,
        artifact: &Artifact,
        run: &Run<ArtifactGenerator>,
    ) -> Result<ExternalArtifact, PublishError> {
        let (cluster, namespace) = (self.component.cluster(), run.key().namespace());
        let gvk = gvk();
        let options = PatchOptions {
            field_manager: Some(NAME),
            force: true,
            ..PatchOptions::default()
        };
        let applied = cluster.apply(&gvk, Some(namespace), name, object, options);
        let applied = applied.await.map_err(PublishError::Apply)?;
        let applied: ExternalArtifact = serde_json::from_value(applied)?;
        let Some(status) = status(&applied, artifact, run.times().now) else {
            return Ok(applied);
        };
        let key = ObjectKey::new(namespace, name);
        let applied = apply_status(cluster, &gvk, &key, &status, NAME);
        let applied = applied.await.map_err(PublishError::Status)?;
        Ok(serde_json::from_value(applied)?)
    }

    /// Finds the objects of a generator by its label, and the owners of the names in its inventory.
    pub(super) async fn find_owned(
        &self,
        generator: &ArtifactGenerator,
        facts: &Facts,
        run: &Run<ArtifactGenerator>,
    ) -> Result<BTreeMap<String, String>, Fault> {
        let (gvk, namespace) = (gvk(), run.key().namespace());
        let uid = generator.metadata.uid.as_deref().unwrap_or_default();
        let options = ListOptions {
            labels: Some(format!("{}={uid}", source_watcher::label::GENERATOR)),
            metadata_only: true,
            ..ListOptions::default()
        };
        let listed = self
            .component
            .cluster()
            .list(&gvk, Some(namespace), &options);
        let listed = match listed.await {
            Ok(listed) => listed,
            Err(error) if is_kind_gone(&error) => return Ok(BTreeMap::new()),
            Err(error) => {
                let message = format!("failed to list ExternalArtifacts: {}", error.message());
                return Err(Fault::retried(reason::RECONCILIATION_FAILED, message));
            }
        };
        let labelled = listed.items.iter().map(|object| {
            let text = |field: &str| object["metadata"][field].as_str().unwrap_or_default();
            (text("name").to_owned(), text("uid").to_owned())
        });
        let Candidates { mut owned, unknown } = candidates(generator, facts, labelled);
        let keys = unknown.iter().map(|name| ObjectKey::new(namespace, name));
        for (key, object) in self.read_all(keys.collect()).await? {
            // The files of a missing object may be of a later object with another owner. The sweep
            // of orphans removes them.
            let own = object.filter(|object| names_as_source(object, generator));
            let uid = own.and_then(|object| object.metadata.uid.clone());
            owned.extend(uid.map(|uid| (key.name().to_owned(), uid)));
        }
        Ok(owned)
    }

    /// Removes published artifacts. The object goes first: its uid shows that the files are of this
    /// generator. The sweep of orphans removes files that a crash leaves behind.
    pub(super) async fn remove(
        &self,
        removals: &[Removal],
        run: &Run<ArtifactGenerator>,
    ) -> Result<usize, Fault> {
        let (gvk, namespace) = (gvk(), run.key().namespace());
        let failed = |message: String| Fault::retried(reason::GARBAGE_COLLECTION_FAILED, message);
        for Removal { name, uid } in removals {
            let key = ObjectKey::new(namespace, name);
            let options = DeleteOptions {
                uid: Some(uid.clone()),
                ..DeleteOptions::default()
            };
            let cluster = self.component.cluster();
            let deleted = cluster.delete(&gvk, Some(namespace), name, &options);
            match deleted.await {
                Ok(_) => {}
                Err(error) if is_kind_gone(&error) => {}
                Err(error) => {
                    let why = error.message();
                    let message = format!("failed to delete ExternalArtifact '{key}': {why}");
                    return Err(failed(message));
                }
            }
            let deleted = self.storage.delete(&key).await;
            deleted.map_err(|StorageFailure(error)| failed(error.message))?;
            tracing::info!(object = %key, "external artifact deleted");
        }
        Ok(removals.len())
    }
}

#[cfg(test)]
mod tests {
    use sluice_client::Status;

    use super::*;

    #[test]
    fn missing_kind_has_no_objects_to_remove() {
        let failed = |code| Error::Api {
            action: "list ExternalArtifact".to_owned(),
            status: Box::new(Status {
                code,
                ..Status::default()
            }),
        };
        assert!(is_kind_gone(&failed(404)));
        assert!(!is_kind_gone(&failed(403)) && !is_kind_gone(&failed(503)));
    }
}
