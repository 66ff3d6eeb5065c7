//! Reads the state that a plan depends on: the source's artifact and the dependencies.

use std::sync::Arc;

use futures::future::join_all;
use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_client::{Cluster, Error, typed};
use sluice_engine::frame::is_requested;
use sluice_engine::{ObjectKey, Run, Store, Watched};
use sluice_golang::error::chain;
use sluice_host::Component;

use super::dependency::Expressions;
use super::plan::Policy;
use super::source::{self, Source};
use super::{KustomizationReconciler, dependency};

/// The state that a plan depends on, besides the object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observation {
    /// The lookup of the source.
    pub(super) source: SourceLookup,
    /// The dependencies in the order of the spec; empty without an artifact.
    pub(super) dependencies: Vec<(ObjectKey, DependencyLookup)>,
    /// A dependency cycle through the object, if a dependency is not met.
    pub(super) cycle: Option<Vec<ObjectKey>>,
}

impl Observation {
    /// Messages about unmet dependencies, in the order of the spec.
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
            let found = found.as_ref().map(Option::as_deref);
            dependency::unmet(object, entry, found, revision, is_additive)
        })
    }
}

/// Result of looking up a source.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum SourceLookup {
    /// The source does not exist.
    Missing,
    /// The source does not have an artifact yet.
    NoArtifact,
    /// The source has this artifact.
    Artifact(Box<Artifact>),
    /// The source could not be read.
    Failed(ReadError),
}

/// Result of reading a dependency; `None` if it does not exist.
pub(super) type DependencyLookup = Result<Option<Arc<Kustomization>>, ReadError>;

/// Error of reading a referenced object, safe to show to the owner of the reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct ReadError(pub(super) String);

impl ReadError {
    fn new(error: &Error) -> Self {
        tracing::debug!(error = %chain(error), "an object could not be read");
        match error {
            // Details of a malformed answer can quote an object of another tenant.
            Error::Answer { .. } => Self("unexpected answer from the API server".to_owned()),
            error => Self(error.message()),
        }
    }
}

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

async fn read<S>(cluster: &Cluster, key: &ObjectKey) -> Result<Option<S>, Error>
where
    S: Watched + kube::Resource<Scope = kube::core::NamespaceResourceScope>,
{
    let found = async {
        let api = typed::namespaced(cluster.client().clone(), key.namespace())?;
        typed::get_opt(&api, key.name()).await
    };
    let found = found.await;
    found.map_err(|error| cluster.error(format!("get {} {key}", S::kind(&())), error))
}

impl KustomizationReconciler {
    /// Reads the state for the plan. Read errors become part of it.
    pub(super) async fn observe(
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
        observed
    }
}
