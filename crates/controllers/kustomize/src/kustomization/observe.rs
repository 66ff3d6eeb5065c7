//! What is read before anything is decided: the source's artifact and, if there is
//! one, the dependencies.

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

/// What a plan is made of, besides the object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observed {
    /// The source.
    pub(super) source: Found,
    /// The dependencies, in the order of the spec; not read without an artifact.
    pub(super) dependencies: Vec<(ObjectKey, Read)>,
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
            let found = found.as_ref().map(Option::as_deref);
            dependency::unmet(object, entry, found, revision, is_additive)
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
    /// Nobody knows.
    Unread(Unread),
}

/// A dependency as it was read, if there is one.
pub(super) type Read = Result<Option<Arc<Kustomization>>, Unread>;

/// Why an object that another one names could not be read, in words for whoever owns the other.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct Unread(pub(super) String);

impl Unread {
    fn new(error: &Error) -> Self {
        tracing::debug!(error = %chain(error), "an object could not be read");
        match error {
            // Why an answer makes no sense may quote the object, which may be somebody else's.
            Error::Answer { .. } => Self("unexpected answer from the API server".to_owned()),
            error => Self(error.message()),
        }
    }
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

    async fn find(&self, object: &Kustomization) -> Result<Found, Error> {
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
    ) -> Result<Found, Error>
    where
        S: Source,
    {
        let known = if direct { None } else { store.get(key) };
        let found = match known {
            Some(known) => Some(known),
            // A watch may lag behind, and "not found" is a strong word.
            None => {
                let found = match read::<S>(self.component.cluster(), key).await {
                    // No object is where no path leads to.
                    Err(error) if error.is_invalid_name() => None,
                    found => found?.map(Arc::new),
                };
                // The next run must not go back to what the watch had.
                if let Some(found) = &found {
                    self.component.update_store(Arc::clone(found));
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
    /// Reads what the plan needs. What cannot be read is for the plan to judge.
    pub(super) async fn observe(
        &self,
        object: &Kustomization,
        expressions: &Arc<Expressions>,
        run: &Run<Kustomization>,
    ) -> Observed {
        let source = self.sources.find(object).await;
        let mut observed = Observed {
            source: source.unwrap_or_else(|error| Found::Unread(Unread::new(&error))),
            dependencies: Vec::new(),
            cycle: None,
        };
        let Found::Artifact(artifact) = &observed.source else {
            return observed;
        };
        let keys = dependency::of(object);
        if keys.is_empty() {
            return observed;
        }
        // Marked before they are read: one that becomes ready from here on wakes us.
        self.waiting.insert(run.key(), expressions);
        // Read from the server: a dependency that was edited a moment ago is still
        // ready in the watch.
        let cluster = self.component.cluster();
        let found = join_all(keys.iter().map(|key| read::<Kustomization>(cluster, key))).await;
        let found = found.into_iter().map(|found| match found {
            Ok(found) => Ok(found.map(Arc::new)),
            Err(error) => Err(Unread::new(&error)),
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
