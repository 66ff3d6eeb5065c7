//! Sources: kinds with an artifact, and their look-up.

use std::sync::Arc;

use sluice_api::artifact::Artifact;
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, HelmChart, OciRepository};
use sluice_client::Error;
use sluice_engine::{ObjectKey, Store, Watchable};
use sluice_host::Component;

use crate::read::{ReadError, read};

/// Metadata key of the upstream revision of an artifact.
pub const ORIGIN_REVISION: &str = "org.opencontainers.image.revision";

/// A kind that has an artifact.
pub trait Source: Watchable {
    /// Its artifact, if it has one.
    fn artifact(&self) -> Option<&Artifact>;
}

macro_rules! sources {
    ($($kind:ident),+ $(,)?) => {$(
        impl Source for $kind {
            fn artifact(&self) -> Option<&Artifact> {
                self.status.as_ref()?.artifact.as_ref()
            }
        }
    )+};
}

sources!(
    Bucket,
    ExternalArtifact,
    GitRepository,
    HelmChart,
    OciRepository
);

/// Result of looking up a source.
#[derive(Debug, Clone, PartialEq)]
pub enum SourceLookup {
    /// The source does not exist.
    Missing,
    /// The source does not have an artifact yet.
    NoArtifact,
    /// The source has this artifact.
    Artifact(Box<Artifact>),
    /// The source could not be read.
    Failed(ReadError),
}

/// Looks up sources.
#[derive(Clone)]
pub struct SourceReader {
    component: Component,
    direct: bool,
}

impl SourceReader {
    /// Reads from watches, or always from the API server if `direct`.
    pub fn new(component: &Component, direct: bool) -> Self {
        Self {
            component: component.clone(),
            direct,
        }
    }

    /// Looks up a source in its watch. A requested run is `prompt` and asks the API server. Users
    /// often request the source and its consumer together, and the watch may lag behind.
    pub async fn find<S: Source>(
        &self,
        store: &Store<S>,
        key: &ObjectKey,
        prompt: bool,
    ) -> SourceLookup {
        self.try_find(store, key, prompt)
            .await
            .unwrap_or_else(|error| SourceLookup::Failed(ReadError::new(&error)))
    }

    async fn try_find<S: Source>(
        &self,
        store: &Store<S>,
        key: &ObjectKey,
        prompt: bool,
    ) -> Result<SourceLookup, Error> {
        let found = self.object(store, key, prompt).await?;
        Ok(match found.as_deref().map(Source::artifact) {
            None => SourceLookup::Missing,
            Some(None) => SourceLookup::NoArtifact,
            Some(Some(artifact)) => SourceLookup::Artifact(Box::new(artifact.clone())),
        })
    }
}

impl SourceReader {
    /// Reads a source like [`SourceReader::find`], and returns the whole object.
    pub async fn object<S: Source>(
        &self,
        store: &Store<S>,
        key: &ObjectKey,
        prompt: bool,
    ) -> Result<Option<Arc<S>>, Error> {
        let known = if self.direct || prompt {
            None
        } else {
            store.get(key)
        };
        if known.is_some() {
            return Ok(known);
        }
        // The watch may lag behind, so "not found" needs a read from the API server.
        let found = match read::<S>(self.component.cluster(), key).await {
            // An invalid name cannot exist.
            Err(error) if error.is_invalid_name() => None,
            found => found?.map(Arc::new),
        };
        // The next run must not read an older version from the watch.
        if let Some(found) = &found {
            self.component.update_store(Arc::clone(found));
        }
        Ok(found)
    }
}

/// Upstream revision of the artifact's content.
pub fn origin_revision(artifact: &Artifact) -> Option<String> {
    artifact
        .metadata
        .get(ORIGIN_REVISION)
        .filter(|revision| !revision.is_empty())
        .cloned()
}
