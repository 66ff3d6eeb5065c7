//! Reads the state that a plan depends on: the source's artifact and the dependencies.

use std::sync::Arc;

use futures::future::join_all;
use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_consumer::{
    Expressions, ReadError, SourceLookup, SourceReader, dependency, read, source_key,
};
use sluice_engine::request::is_requested;
use sluice_engine::{ObjectKey, Run, Store};
use sluice_host::Component;

use super::model::{Facts, Observation, Observed};
use super::{KustomizationReconciler, plan};

/// Looks up the sources that a `sourceRef` can name.
pub(super) struct Sources {
    reader: SourceReader,
    git: Store<GitRepository>,
    oci: Store<OciRepository>,
    bucket: Store<Bucket>,
    external: Store<ExternalArtifact>,
}

impl Sources {
    /// Reads from watches, or from the API server if `direct`.
    pub(super) fn new(component: &Component, direct: bool) -> Self {
        Self {
            reader: SourceReader::new(component, direct),
            git: component.store(),
            oci: component.store(),
            bucket: component.store(),
            external: component.store(),
        }
    }

    async fn find(&self, object: &Kustomization) -> SourceLookup {
        let (reader, key) = (&self.reader, source_key(object));
        let prompt = is_requested(object);
        match object.spec.source_ref.kind {
            SourceKind::GitRepository => reader.find(&self.git, &key, prompt).await,
            SourceKind::OciRepository => reader.find(&self.oci, &key, prompt).await,
            SourceKind::Bucket => reader.find(&self.bucket, &key, prompt).await,
            SourceKind::ExternalArtifact => reader.find(&self.external, &key, prompt).await,
            // The plan refuses this kind before the lookup.
            SourceKind::Other(_) => SourceLookup::Missing,
        }
    }
}

impl KustomizationReconciler {
    /// Parses the spec and reads the state for the plan. Read errors become part of it.
    pub(super) async fn read_facts(
        &self,
        object: &Kustomization,
        run: &Run<Kustomization>,
    ) -> Facts {
        let observed = match plan::decide_from_spec(object, &self.policy) {
            Err(start) => Observed::Spec(start),
            Ok(spec) => {
                let looking = self.look(object, &spec.expressions, run);
                let observation = Box::pin(looking).await;
                Observed::Cluster(spec, observation)
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
        let mut observed = Observation {
            source: self.sources.find(object).await,
            unmet: None,
            cycle: None,
        };
        let SourceLookup::Artifact(artifact) = &observed.source else {
            return observed;
        };
        let keys = dependency::of(object);
        if keys.is_empty() {
            return observed;
        }
        // Subscribes before the read: a dependency that becomes ready from here on wakes the object.
        self.waiting.insert(run.key());
        // The watch may still show an edited dependency as ready, so the API server is read.
        let cluster = self.component.cluster();
        let found = join_all(keys.iter().map(|key| read::<Kustomization>(cluster, key))).await;
        let found = found.into_iter().map(|found| match found {
            Ok(found) => Ok(found.map(Arc::new)),
            Err(error) => Err(ReadError::new(&error)),
        });
        let found: Vec<_> = keys.into_iter().zip(found).collect();
        let (is_additive, revision) = (self.policy.additive_expressions, artifact.revision.clone());
        let (object, expressions) = (run.object(), Arc::clone(expressions));
        // Expressions compute for long, so they leave the threads of the runtime.
        let judging = tokio::task::spawn_blocking(move || {
            let object = object.as_ref();
            dependency::all_unmet(object, &expressions, &found, &revision, is_additive).next()
        });
        observed.unmet = match judging.await {
            Ok(unmet) => unmet,
            Err(error) => std::panic::resume_unwind(error.into_panic()),
        };
        if observed.unmet.is_some() {
            let store = self.component.store::<Kustomization>();
            let of = |key: &ObjectKey| {
                store
                    .get(key)
                    .map(|object| dependency::of(object.as_ref()))
                    .unwrap_or_default()
            };
            observed.cycle = dependency::cycle(run.key(), of);
        }
        observed
    }
}
