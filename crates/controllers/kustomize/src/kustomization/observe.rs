//! What is read before anything is decided: the source's artifact and, if there is
//! one, the dependencies.

use std::sync::Arc;

use futures::future::try_join_all;
use kube::Api;
use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::meta::reason;
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_client::Cluster;
use sluice_runtime::frame::is_requested;
use sluice_runtime::{Component, Failure, ObjectKey, Retry, Run, Store, Watched};

use super::dependency::Expressions;
use super::plan::Policy;
use super::source::{self, Source};
use super::{KustomizationReconciler, dependency};

/// What a plan is made of, besides the object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observed {
    /// The source.
    pub(super) source: Found,
    /// The dependencies, in the order of the spec; not read without an artifact.
    pub(super) dependencies: Vec<(ObjectKey, Option<Arc<Kustomization>>)>,
    /// A loop of dependencies through the object, if one of them is not met.
    pub(super) cycle: Option<Vec<ObjectKey>>,
}

impl Observed {
    /// What is said against the dependencies, in the order of the spec.
    pub(super) fn unmet<'o>(
        &'o self,
        object: &'o Kustomization,
        expressions: &'o Expressions,
        revision: &'o str,
        policy: &'o Policy,
    ) -> impl Iterator<Item = String> + 'o {
        let entries = expressions.with(object).zip(&self.dependencies);
        entries.filter_map(move |(entry, (_, found))| {
            let is_additive = policy.additive_expressions;
            dependency::unmet(object, entry, found.as_deref(), revision, is_additive)
        })
    }
}

/// What became of the search for a source.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Found {
    /// There is no such object.
    Nothing,
    /// It has no artifact yet.
    Empty,
    /// It has this one.
    Artifact(Box<Artifact>),
}

/// Where sources are looked up.
pub(super) struct Sources {
    component: Component,
    direct: bool,
    git: Store<GitRepository>,
    oci: Store<OciRepository>,
    bucket: Store<Bucket>,
    external: Store<ExternalArtifact>,
}

impl Sources {
    /// Reads from the watches of a component, or, when `direct`, from the server.
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

    async fn find(&self, object: &Kustomization) -> Result<Found, sluice_client::Error> {
        let key = source::key(object);
        // Who asks for a run has often just asked for one of the source, which its watch may not
        // have told of yet.
        let direct = self.direct || is_requested(object);
        match object.spec.source_ref.kind {
            SourceKind::GitRepository => self.find_in(&self.git, &key, direct).await,
            SourceKind::OciRepository => self.find_in(&self.oci, &key, direct).await,
            SourceKind::Bucket => self.find_in(&self.bucket, &key, direct).await,
            SourceKind::ExternalArtifact => self.find_in(&self.external, &key, direct).await,
            // The plan refuses it before anything is looked up.
            SourceKind::Other(_) => Ok(Found::Nothing),
        }
    }

    async fn find_in<S>(
        &self,
        store: &Store<S>,
        key: &ObjectKey,
        direct: bool,
    ) -> Result<Found, sluice_client::Error>
    where
        S: Source,
    {
        let known = if direct { None } else { store.get(key) };
        let found = match known {
            Some(known) => Some(known),
            // A watch may lag behind, and "not found" is a strong word.
            None => {
                let found = read::<S>(self.component.cluster(), key).await?;
                let found = found.map(Arc::new);
                // The next run must not go back to what the watch had.
                if let Some(found) = &found {
                    self.component.learned(Arc::clone(found));
                }
                found
            }
        };
        Ok(match found {
            None => Found::Nothing,
            Some(found) => found.artifact().map_or(Found::Empty, |artifact| {
                Found::Artifact(Box::new(artifact.clone()))
            }),
        })
    }
}

async fn read<S>(cluster: &Cluster, key: &ObjectKey) -> Result<Option<S>, sluice_client::Error>
where
    S: Watched + kube::Resource<Scope = kube::core::NamespaceResourceScope>,
{
    let api: Api<S> = Api::namespaced(cluster.client().clone(), key.namespace());
    let found = api.get_opt(key.name()).await;
    found.map_err(|error| cluster.error(format!("get {} {key}", S::kind(&())), error))
}

impl KustomizationReconciler {
    /// Reads what the plan needs. A failure is one of the API server, and retried.
    pub(super) async fn observe(
        &self,
        object: &Kustomization,
        expressions: &Arc<Expressions>,
        run: &Run<Kustomization>,
    ) -> Result<Observed, Failure> {
        let failed = |error: sluice_client::Error| {
            Failure::new(reason::ARTIFACT_FAILED, Retry::Backoff, &error)
        };
        let source = self.sources.find(object).await.map_err(failed)?;
        let mut observed = Observed {
            source,
            dependencies: Vec::new(),
            cycle: None,
        };
        let Found::Artifact(artifact) = &observed.source else {
            return Ok(observed);
        };
        let keys = dependency::of(object);
        if keys.is_empty() {
            return Ok(observed);
        }
        // Marked before they are read: one that becomes ready from here on wakes us.
        self.waiting.insert(run.key(), expressions);
        let failed = |error: sluice_client::Error| {
            Failure::new(reason::DEPENDENCY_NOT_READY, Retry::Backoff, &error)
        };
        // Read from the server: a dependency that was edited a moment ago is still
        // ready in the watch.
        let cluster = self.component.cluster();
        let found = try_join_all(keys.iter().map(|key| read::<Kustomization>(cluster, key)))
            .await
            .map_err(failed)?;
        let found = found.into_iter().map(|found| found.map(Arc::new));
        observed.dependencies = keys.into_iter().zip(found).collect();
        let is_unmet = observed
            .unmet(object, expressions, &artifact.revision, &self.policy)
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
        Ok(observed)
    }
}
