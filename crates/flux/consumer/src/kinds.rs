//! The dependent kinds.

use sluice_api::helm::HelmRelease;
use sluice_api::kustomize::{DependencyReference, Kustomization};
use sluice_engine::ObjectKey;

use crate::dependency::Dependent;

impl Dependent for Kustomization {
    fn depends_on(&self) -> &[DependencyReference] {
        &self.spec.depends_on
    }

    /// Only a dependency with the same source has the same revisions.
    fn is_outdated(&self, dependency: &Self, revision: &str) -> bool {
        let (own, theirs) = (&self.spec.source_ref, &dependency.spec.source_ref);
        let is_shared = own.kind == theirs.kind && source_key(self) == source_key(dependency);
        let status = dependency.status.as_ref();
        let applied = status.and_then(|status| status.last_applied_revision.as_deref());
        is_shared && applied != Some(revision)
    }
}

impl Dependent for HelmRelease {
    fn depends_on(&self) -> &[DependencyReference] {
        &self.spec.depends_on
    }

    fn unread_message(key: &ObjectKey, why: &dyn std::fmt::Display) -> String {
        format!("unable to get '{key}' dependency: {why}")
    }
}

/// Namespace and name of the source of a Kustomization.
pub fn source_key(object: &Kustomization) -> ObjectKey {
    let reference = &object.spec.source_ref;
    let own = object.metadata.namespace.as_deref().unwrap_or_default();
    ObjectKey::new(
        reference.namespace.as_deref().unwrap_or(own),
        &reference.name,
    )
}
