//! The source of a Kustomization, in messages.

use sluice_api::kustomize::Kustomization;
use sluice_api::source::GROUP;
use sluice_consumer::source_key;
use sluice_engine::Origin;

/// Kind, namespace and name of the source, for messages: `GitRepository/apps/podinfo`.
pub(super) fn origin(object: &Kustomization) -> Origin {
    Origin {
        kind: object.spec.source_ref.kind.to_string().into(),
        key: source_key(object),
    }
}

/// The API server's message for a source that does not exist.
pub(super) fn not_found(object: &Kustomization) -> String {
    let reference = &object.spec.source_ref;
    format!(
        "{}.{GROUP} \"{}\" not found",
        reference.kind, reference.name
    )
}

/// The source as written in the spec: with a namespace only if the spec has one.
pub(super) fn as_written(object: &Kustomization) -> String {
    let reference = &object.spec.source_ref;
    match &reference.namespace {
        Some(namespace) => format!("{}/{namespace}/{}", reference.kind, reference.name),
        None => format!("{}/{}", reference.kind, reference.name),
    }
}
