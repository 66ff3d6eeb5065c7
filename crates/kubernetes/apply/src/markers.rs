//! Labels and annotations that control single objects or name their owner.
//!
//! All keys share the API group of the owner as prefix (`kustomize.toolkit.fluxcd.io`,
//! `helm.toolkit.fluxcd.io`). Control markers work as label and as annotation, and their values
//! are case-insensitive.

use std::fmt;

use sluice_object::Object;

/// The keys with one prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Markers {
    name_label: String,
    namespace_label: String,
    prune: String,
    reconcile: String,
    ssa: String,
    force: String,
}

/// Why an object is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// `reconcile: disabled` or `ssa: Ignore` on the desired or the live object.
    Excluded,
    /// `ssa: IfNotPresent`, and the object exists.
    Present,
}

/// The owner of objects, as their owner labels name it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// The name.
    pub name: String,
    /// The namespace.
    pub namespace: String,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

impl Markers {
    /// Creates the keys of an API group.
    pub(crate) fn new(group: &str) -> Self {
        let key = |name: &str| format!("{group}/{name}");
        Self {
            name_label: key("name"),
            namespace_label: key("namespace"),
            prune: key("prune"),
            reconcile: key("reconcile"),
            ssa: key("ssa"),
            force: key("force"),
        }
    }

    /// Sets the owner labels.
    pub(crate) fn set_owner(&self, object: &mut Object, owner: &Owner) {
        object.set_label(&self.name_label, &owner.name);
        object.set_label(&self.namespace_label, &owner.namespace);
    }

    /// Whether an object has both labels of this owner.
    pub(crate) fn is_owned_by(&self, object: &Object, owner: &Owner) -> bool {
        object.label(&self.name_label) == Some(&owner.name)
            && object.label(&self.namespace_label) == Some(&owner.namespace)
    }

    /// Returns the label selector for the objects of this owner.
    pub(crate) fn owner_selector(&self, owner: &Owner) -> String {
        let Self {
            name_label,
            namespace_label,
            ..
        } = self;
        let Owner { name, namespace } = owner;
        format!("{name_label}={name},{namespace_label}={namespace}")
    }

    /// Returns why an object must be skipped.
    pub(crate) fn skip(&self, desired: &Object, live: Option<&Object>) -> Option<Skip> {
        if self.excludes(desired) || live.is_some_and(|live| self.excludes(live)) {
            Some(Skip::Excluded)
        } else if live.is_some() && self.is_create_only(desired) {
            Some(Skip::Present)
        } else {
            None
        }
    }

    /// Whether an object opted out of apply and deletion.
    pub(crate) fn excludes(&self, object: &Object) -> bool {
        has_marker(object, &self.reconcile, "disabled") || has_marker(object, &self.ssa, "Ignore")
    }

    /// Whether an object is only created, never changed.
    pub(crate) fn is_create_only(&self, desired: &Object) -> bool {
        has_marker(desired, &self.ssa, "IfNotPresent")
    }

    /// Whether fields of other managers are kept.
    pub(crate) fn is_merged(&self, desired: &Object, live: Option<&Object>) -> bool {
        has_marker(desired, &self.ssa, "Merge")
            || live.is_some_and(|live| has_marker(live, &self.ssa, "Merge"))
    }

    /// Whether the object asks for recreation after an immutable field is rejected.
    pub(crate) fn is_forced(&self, desired: &Object, live: Option<&Object>) -> bool {
        has_marker(desired, &self.force, "enabled")
            || live.is_some_and(|live| has_marker(live, &self.force, "enabled"))
    }

    /// Whether a live object opted out of deletion.
    pub(crate) fn disables_prune(&self, live: &Object) -> bool {
        has_marker(live, &self.prune, "disabled") || self.excludes(live)
    }
}

fn has_marker(object: &Object, key: &str, value: &str) -> bool {
    let equals = |found: Option<&str>| found.is_some_and(|text| text.eq_ignore_ascii_case(value));
    equals(object.label(key)) || equals(object.annotation(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn markers() -> Markers {
        Markers::new("kustomize.toolkit.fluxcd.io")
    }

    fn plain() -> Object {
        Object::new("v1", "ConfigMap", "shop", "a")
    }

    fn labelled(key: &str, value: &str) -> Object {
        let mut object = plain();
        object.set_label(&format!("kustomize.toolkit.fluxcd.io/{key}"), value);
        object
    }

    fn annotated(key: &str, value: &str) -> Object {
        let mut object = plain();
        object.set_annotation(&format!("kustomize.toolkit.fluxcd.io/{key}"), value);
        object
    }

    #[test]
    fn exclusion_works_as_label_or_annotation() {
        for marked in [
            labelled("reconcile", "disabled"),
            annotated("reconcile", "Disabled"),
            labelled("ssa", "ignore"),
            annotated("ssa", "Ignore"),
        ] {
            assert_eq!(markers().skip(&marked, None), Some(Skip::Excluded));
            assert_eq!(
                markers().skip(&plain(), Some(&marked)),
                Some(Skip::Excluded)
            );
            assert!(markers().disables_prune(&marked));
        }
        for other in [
            plain(),
            labelled("reconcile", "enabled"),
            labelled("ssa", "Override"),
            labelled("ssa", "Merge"),
        ] {
            assert_eq!(markers().skip(&other, Some(&other)), None);
            assert!(!markers().disables_prune(&other));
        }
    }

    #[test]
    fn if_not_present_only_counts_on_the_desired_object() {
        let create_only = annotated("ssa", "IfNotPresent");
        assert_eq!(markers().skip(&create_only, None), None);
        assert_eq!(
            markers().skip(&create_only, Some(&plain())),
            Some(Skip::Present)
        );
        assert_eq!(markers().skip(&plain(), Some(&create_only)), None);
        assert!(!markers().disables_prune(&create_only));
    }

    #[test]
    fn prune_disabled_does_not_skip_the_apply() {
        for marked in [
            labelled("prune", "disabled"),
            annotated("prune", "DISABLED"),
        ] {
            assert!(markers().disables_prune(&marked));
            assert_eq!(markers().skip(&marked, Some(&marked)), None);
        }
    }

    #[test]
    fn force_and_merge_count_on_either_object() {
        let forced = annotated("force", "Enabled");
        let merged = labelled("ssa", "merge");
        assert!(markers().is_forced(&forced, None));
        assert!(markers().is_forced(&plain(), Some(&forced)));
        assert!(!markers().is_forced(&plain(), Some(&plain())));
        assert!(markers().is_merged(&merged, None));
        assert!(markers().is_merged(&plain(), Some(&merged)));
        assert!(!markers().is_merged(&plain(), None));
    }

    #[test]
    fn owned_object_needs_both_labels() {
        let owner = Owner {
            name: "apps".into(),
            namespace: "flux-system".into(),
        };
        let mut object = plain();
        markers().set_owner(&mut object, &owner);
        assert!(markers().is_owned_by(&object, &owner));
        assert_eq!(
            markers().owner_selector(&owner),
            "kustomize.toolkit.fluxcd.io/name=apps,kustomize.toolkit.fluxcd.io/namespace=flux-system"
        );
        object.set_label("kustomize.toolkit.fluxcd.io/namespace", "other");
        assert!(!markers().is_owned_by(&object, &owner));
        assert!(!markers().is_owned_by(&plain(), &owner));
    }
}
