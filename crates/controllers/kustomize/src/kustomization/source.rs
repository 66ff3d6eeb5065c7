//! What a Kustomization's source has to be able to do, whatever its kind: hold an
//! artifact.

use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_engine::{ObjectKey, Origin, Watched};

/// Under this key an artifact names the revision that it was made of elsewhere.
const ORIGIN_REVISION: &str = "org.opencontainers.image.revision";

/// A kind that a `sourceRef` may name.
pub(super) trait Source: Watched {
    /// Its name in a `sourceRef`.
    const KIND: SourceKind;

    /// The artifact, once there is one.
    fn artifact(&self) -> Option<&Artifact>;
}

macro_rules! sources {
    ($($kind:ident = $name:ident),+ $(,)?) => {$(
        impl Source for $kind {
            const KIND: SourceKind = SourceKind::$name;

            fn artifact(&self) -> Option<&Artifact> {
                self.status.as_ref()?.artifact.as_ref()
            }
        }
    )+};
}

sources! {
    GitRepository = GitRepository,
    OciRepository = OciRepository,
    Bucket = Bucket,
    ExternalArtifact = ExternalArtifact,
}

/// The namespace and name that a Kustomization's `sourceRef` means.
pub(super) fn key(object: &Kustomization) -> ObjectKey {
    let reference = &object.spec.source_ref;
    let own = object.metadata.namespace.as_deref().unwrap_or_default();
    ObjectKey::new(
        reference.namespace.as_deref().unwrap_or(own),
        &reference.name,
    )
}

/// The source with its kind, for messages: `GitRepository/apps/podinfo`.
pub(super) fn origin(object: &Kustomization) -> Origin {
    Origin {
        kind: object.spec.source_ref.kind.to_string().into(),
        key: key(object),
    }
}

/// The source as the object wrote it: the namespace only where it is given.
pub(super) fn as_written(object: &Kustomization) -> String {
    let reference = &object.spec.source_ref;
    match &reference.namespace {
        Some(namespace) => format!("{}/{namespace}/{}", reference.kind, reference.name),
        None => format!("{}/{}", reference.kind, reference.name),
    }
}

/// The revision that the artifact's content has where it came from.
pub(super) fn origin_revision(artifact: &Artifact) -> Option<String> {
    artifact
        .metadata
        .get(ORIGIN_REVISION)
        .filter(|revision| !revision.is_empty())
        .cloned()
}
