//! The labels and annotations by which users steer single objects, and those that say who owns
//! them.
//!
//! All keys share one prefix, the API group of the owner (`kustomize.toolkit.fluxcd.io`,
//! `helm.toolkit.fluxcd.io`). A marker counts as label and as annotation alike, its value in any
//! case.

use std::fmt;

use sluice_object::Object;

/// Reads and writes the keys under one prefix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Markers {
    name_label: String,
    namespace_label: String,
    prune: String,
    reconcile: String,
    ssa: String,
    force: String,
}

/// Why an object is not applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// `reconcile: disabled` or `ssa: Ignore`, desired or live.
    Excluded,
    /// `ssa: IfNotPresent`, and it is present.
    Present,
}

/// The owner of objects: who their owner labels name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Its name, the value of the label `name`.
    pub name: String,
    /// Its namespace, the value of the label `namespace`.
    pub namespace: String,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.namespace, self.name)
    }
}

impl Markers {
    /// The keys under an API group.
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

    /// Labels an object as owned.
    pub(crate) fn set_owner(&self, object: &mut Object, owner: &Owner) {
        object.set_label(&self.name_label, &owner.name);
        object.set_label(&self.namespace_label, &owner.namespace);
    }

    /// Tells whether an object carries both owner labels of this owner.
    pub(crate) fn is_owned_by(&self, object: &Object, owner: &Owner) -> bool {
        object.label(&self.name_label) == Some(&owner.name)
            && object.label(&self.namespace_label) == Some(&owner.namespace)
    }

    /// Returns the label selector that finds the objects of this owner.
    pub(crate) fn owner_selector(&self, owner: &Owner) -> String {
        let Self {
            name_label,
            namespace_label,
            ..
        } = self;
        let Owner { name, namespace } = owner;
        format!("{name_label}={name},{namespace_label}={namespace}")
    }

    /// Decides whether an object must not be applied.
    pub(crate) fn skip(&self, desired: &Object, live: Option<&Object>) -> Option<Skip> {
        if self.excludes(desired) || live.is_some_and(|live| self.excludes(live)) {
            Some(Skip::Excluded)
        } else if live.is_some() && self.is_create_only(desired) {
            Some(Skip::Present)
        } else {
            None
        }
    }

    /// Tells whether an object opted out of apply (and of deletion).
    pub(crate) fn excludes(&self, object: &Object) -> bool {
        marked(object, &self.reconcile, "disabled") || marked(object, &self.ssa, "Ignore")
    }

    /// Tells whether an object is only ever created, never patched.
    pub(crate) fn is_create_only(&self, desired: &Object) -> bool {
        marked(desired, &self.ssa, "IfNotPresent")
    }

    /// Tells whether fields of others on the object are left as they are.
    pub(crate) fn is_merged(&self, desired: &Object, live: Option<&Object>) -> bool {
        marked(desired, &self.ssa, "Merge")
            || live.is_some_and(|live| marked(live, &self.ssa, "Merge"))
    }

    /// Tells whether an object asks to be recreated when a change is refused as immutable.
    pub(crate) fn is_forced(&self, desired: &Object, live: Option<&Object>) -> bool {
        marked(desired, &self.force, "enabled")
            || live.is_some_and(|live| marked(live, &self.force, "enabled"))
    }

    /// Tells whether a live object opted out of deletion.
    pub(crate) fn is_kept(&self, live: &Object) -> bool {
        marked(live, &self.prune, "disabled") || self.excludes(live)
    }
}

fn marked(object: &Object, key: &str, value: &str) -> bool {
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
    fn exclusions_count_on_either_side_as_label_or_annotation_in_any_case() {
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
            assert!(markers().is_kept(&marked));
        }
        for other in [
            plain(),
            labelled("reconcile", "enabled"),
            labelled("ssa", "Override"),
            labelled("ssa", "Merge"),
        ] {
            assert_eq!(markers().skip(&other, Some(&other)), None);
            assert!(!markers().is_kept(&other));
        }
    }

    #[test]
    fn if_not_present_counts_on_the_desired_object_only() {
        let create_only = annotated("ssa", "IfNotPresent");
        assert_eq!(markers().skip(&create_only, None), None);
        assert_eq!(
            markers().skip(&create_only, Some(&plain())),
            Some(Skip::Present)
        );
        assert_eq!(markers().skip(&plain(), Some(&create_only)), None);
        assert!(!markers().is_kept(&create_only));
    }

    #[test]
    fn prune_disabled_keeps_an_object_but_does_not_stop_its_apply() {
        for marked in [
            labelled("prune", "disabled"),
            annotated("prune", "DISABLED"),
        ] {
            assert!(markers().is_kept(&marked));
            assert_eq!(markers().skip(&marked, Some(&marked)), None);
        }
    }

    #[test]
    fn force_and_merge_count_on_either_side() {
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
    fn an_object_is_owned_only_with_both_labels() {
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
