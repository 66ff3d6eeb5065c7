//! Reads the state that a plan depends on: the source's artifact and the dependencies.

use std::sync::Arc;

use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_consumer::{Expressions, SourceLookup, SourceReader, source_key};
use sluice_engine::request::is_requested;
use sluice_engine::{Failure, Run, Store};
use sluice_host::Component;

use super::model::{Facts, InitialState, Observation};
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

/// Parses the spec and reads the state for the plan. Read errors become part of it.
pub(super) async fn observe(
    reconciler: &KustomizationReconciler,
    object: &Kustomization,
    run: &Run<Kustomization>,
) -> Facts {
    let policy = &reconciler.policy;
    let observed = match plan::decide_from_spec(object, policy) {
        Err(start) => InitialState::Spec(start),
        Ok(spec) => {
            let looking = look(reconciler, object, &spec.expressions, run);
            let observation = Box::pin(looking).await;
            InitialState::Cluster(spec, observation)
        }
    };
    Facts {
        policy: Arc::clone(policy),
        observed: Some(Box::new(observed)),
        is_removed: false,
        work: None,
    }
}

/// Reads the source, and the dependencies of an object with an artifact and valid expressions.
async fn look(
    reconciler: &KustomizationReconciler,
    object: &Kustomization,
    expressions: &Result<Arc<Expressions>, Failure>,
    run: &Run<Kustomization>,
) -> Observation {
    let mut observed = Observation {
        source: reconciler.sources.find(object).await,
        unmet: None,
    };
    let (SourceLookup::Artifact(artifact), Ok(expressions)) = (&observed.source, expressions)
    else {
        return observed;
    };
    let (revision, is_additive) = (&artifact.revision, reconciler.policy.additive_expressions);
    observed.unmet = reconciler
        .waiting
        .find_unmet(
            &reconciler.component,
            run,
            expressions,
            revision,
            is_additive,
        )
        .await;
    observed
}
