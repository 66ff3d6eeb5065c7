//! The common interface of the kinds that a `sourceRef` can name.

use sluice_api::artifact::Artifact;
use sluice_api::kustomize::{Kustomization, SourceKind};
use sluice_api::source::{Bucket, ExternalArtifact, GitRepository, OciRepository};
use sluice_engine::{ObjectKey, Origin, Watched};

/// Metadata key of the upstream revision of an artifact.
const ORIGIN_REVISION: &str = "org.opencontainers.image.revision";

/// A kind that a `sourceRef` can name.
pub(super) trait Source: Watched {
    /// Its kind in a `sourceRef`.
    const KIND: SourceKind;

    /// Its artifact, if it has one.
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

/// Namespace and name of the source.
pub(super) fn key(object: &Kustomization) -> ObjectKey {
    let reference = &object.spec.source_ref;
    let own = object.metadata.namespace.as_deref().unwrap_or_default();
    ObjectKey::new(
        reference.namespace.as_deref().unwrap_or(own),
        &reference.name,
    )
}

/// Kind, namespace and name of the source, for messages: `GitRepository/apps/podinfo`.
pub(super) fn origin(object: &Kustomization) -> Origin {
    Origin {
        kind: object.spec.source_ref.kind.to_string().into(),
        key: key(object),
    }
}

/// The source as written in the spec: with a namespace only if the spec has one.
pub(super) fn as_written(object: &Kustomization) -> String {
    let reference = &object.spec.source_ref;
    match &reference.namespace {
        Some(namespace) => format!("{}/{namespace}/{}", reference.kind, reference.name),
        None => format!("{}/{}", reference.kind, reference.name),
    }
}

/// Upstream revision of the artifact's content.
pub(super) fn origin_revision(artifact: &Artifact) -> Option<String> {
    artifact
        .metadata
        .get(ORIGIN_REVISION)
        .filter(|revision| !revision.is_empty())
        .cloned()
}
