//! Reads the state that a plan depends on: the source's artifact and the dependencies.

use std::sync::Arc;

use futures::future::join_all;
use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_client::Error;
use sluice_engine::frame::is_requested;
use sluice_engine::{ObjectKey, Run, Store};
use sluice_host::Component;

use super::dependency::Expressions;
use super::model::{Facts, Observation, Observed, SourceLookup};
use super::read::{ReadError, read};
use super::source::{self, Source};
use super::{KustomizationReconciler, dependency, plan};

/// Looks up sources.
pub(super) struct Sources {
    component: Component,
    direct: bool,
    git: Store<GitRepository>,
    oci: Store<OciRepository>,
    bucket: Store<Bucket>,
    external: Store<ExternalArtifact>,
}

impl Sources {
    /// Reads from watches, or from the API server if `direct`.
    pub(super) fn new(component: &Component, direct: bool) -> Self {
        Self {
            component: component.clone(),
            direct,
            git: component.store(),
            oci: component.store(),
            bucket: component.store(),
            external: component.store(),
        }
    }

    async fn find(&self, object: &Kustomization) -> Result<SourceLookup, Error> {
        let key = source::key(object);
        // A user often requests the source and this object together. The watch of the source may
        // lag behind.
        let direct = self.direct || is_requested(object);
        match object.spec.source_ref.kind {
            SourceKind::GitRepository => self.find_in(&self.git, &key, direct).await,
            SourceKind::OciRepository => self.find_in(&self.oci, &key, direct).await,
            SourceKind::Bucket => self.find_in(&self.bucket, &key, direct).await,
            SourceKind::ExternalArtifact => self.find_in(&self.external, &key, direct).await,
            // The plan refuses this kind before the lookup.
            SourceKind::Other(_) => Ok(SourceLookup::Missing),
        }
    }

    async fn find_in<S>(
        &self,
        store: &Store<S>,
        key: &ObjectKey,
        direct: bool,
    ) -> Result<SourceLookup, Error>
    where
        S: Source,
    {
        let known = if direct { None } else { store.get(key) };
        let found = match known {
            Some(known) => Some(known),
            // The watch may lag behind, so "not found" needs a read from the API server.
            None => {
                let found = match read::<S>(self.component.cluster(), key).await {
                    // An invalid name cannot exist.
                    Err(error) if error.is_invalid_name() => None,
                    found => found?.map(Arc::new),
                };
                // The next run must not read an older version from the watch.
                if let Some(found) = &found {
                    self.component.update_store(Arc::clone(found));
                }
                found
            }
        };
        Ok(match found {
            None => SourceLookup::Missing,
            Some(found) => found
                .artifact()
                .map_or(SourceLookup::NoArtifact, |artifact| {
                    SourceLookup::Artifact(Box::new(artifact.clone()))
                }),
        })
    }
}

impl KustomizationReconciler {
    /// Validates the spec and reads the state for the plan. Read errors become part of it.
    pub(super) async fn read_facts(
        &self,
        object: &Kustomization,
        run: &Run<Kustomization>,
    ) -> Facts {
        let observed = match plan::decide_from_spec(object, &self.policy) {
            Err(start) => Observed::Spec(start),
            Ok(checked) => {
                let looking = self.look(object, &checked.expressions, run);
                let observation = Box::pin(looking).await;
                Observed::Cluster(checked, observation)
            }
        };
        Facts {
            observed: Some(Box::new(observed)),
            is_removed: false,
            work: None,
        }
    }

    async fn look(
        &self,
        object: &Kustomization,
        expressions: &Arc<Expressions>,
        run: &Run<Kustomization>,
    ) -> Observation {
        let source = self.sources.find(object).await;
        let mut observed = Observation {
            source: source.unwrap_or_else(|error| SourceLookup::Failed(ReadError::new(&error))),
            dependencies: Vec::new(),
            cycle: None,
        };
        let SourceLookup::Artifact(artifact) = &observed.source else {
            return observed;
        };
        let keys = dependency::of(object);
        if keys.is_empty() {
            return observed;
        }
        // Added before the read: a dependency that becomes ready from here on wakes the object.
        self.waiting.insert(run.key(), expressions);
        // The watch may still show an edited dependency as ready, so the API server is read.
        let cluster = self.component.cluster();
        let found = join_all(keys.iter().map(|key| read::<Kustomization>(cluster, key))).await;
        let found = found.into_iter().map(|found| match found {
            Ok(found) => Ok(found.map(Arc::new)),
            Err(error) => Err(ReadError::new(&error)),
        });
        observed.dependencies = keys.into_iter().zip(found).collect();
        let is_additive = self.policy.additive_expressions;
        let (found, revision) = (&observed.dependencies, &artifact.revision);
        let is_unmet = dependency::all_unmet(object, expressions, found, revision, is_additive)
            .next()
            .is_some();
        if is_unmet {
            let store = self.component.store::<Kustomization>();
            let of = |key: &ObjectKey| {
                store
                    .get(key)
                    .map(|object| dependency::of(&object))
                    .unwrap_or_default()
            };
            observed.cycle = dependency::cycle(run.key(), of);
        }
        observed
    }
}
