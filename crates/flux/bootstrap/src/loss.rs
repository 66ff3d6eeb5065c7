//! The controllers that new manifests leave out, and the objects that are deleted with them. Pure.
//!
//! The cluster's own Kustomization prunes whatever leaves the repository. A definition takes the
//! objects of its kind along.

use std::collections::{BTreeMap, BTreeSet};

use sluice_api::KINDS;
use sluice_lifecycle::takeover::{applied_by, component_of};
use sluice_manifests::COMPONENTS;
use sluice_object::Object;

/// The components of the manifests and of the cluster that new manifests lack, in the order of an
/// installation.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Loss {
    /// The components that the Kustomization deletes.
    pub(crate) deleted: Vec<&'static str>,
    /// The components that stay installed without updates.
    pub(crate) orphaned: Vec<&'static str>,
}

impl Loss {
    /// Compares the committed manifests and the installed Deployments with the new manifests.
    /// `namespace` is that of the Kustomization, and its name.
    pub(crate) fn of(
        committed: &[Object],
        installed: &[Object],
        new: &[Object],
        namespace: &str,
    ) -> Self {
        let is_followed = |one: &&Object| applied_by(one) == Some((namespace, namespace));
        let kept = components(new);
        let mut deleted = components(committed);
        deleted.extend(components(installed.iter().filter(is_followed)));
        let installed = components(installed);
        let left_out = |among: &BTreeSet<&str>| {
            let names = COMPONENTS.iter().map(|component| component.name);
            let names = names.filter(|name| among.contains(name) && !kept.contains(name));
            names.collect::<Vec<_>>()
        };
        let mut orphaned = left_out(&installed);
        orphaned.retain(|name| !deleted.contains(name));
        Self {
            deleted: left_out(&deleted),
            orphaned,
        }
    }

    /// Whether the cluster deletes a component.
    pub(crate) fn is_deletion(&self) -> bool {
        !self.deleted.is_empty()
    }

    /// The warnings. `objects` are those of the deleted components' kinds.
    pub(crate) fn warnings(&self, objects: &[Object]) -> Vec<String> {
        let mut lines = Vec::new();
        if self.is_deletion() {
            let names = self.deleted.join(", ");
            lines.push(format!(
                "the new manifests leave out {names}: each is deleted with its CRDs"
            ));
        }
        let counts = count(objects);
        if !counts.is_empty() {
            let counts = counts.join(", ");
            lines.push(format!(
                "these objects are deleted with their CRDs: {counts}"
            ));
        }
        if objects.iter().any(|object| object.kind() == "HelmRelease") {
            lines.push("a deleted HelmRelease uninstalls its release".to_owned());
        }
        if !self.orphaned.is_empty() {
            let names = self.orphaned.join(", ");
            lines.push(format!(
                "the new manifests leave out {names}: each stays installed without updates"
            ));
        }
        let names = [self.deleted.as_slice(), self.orphaned.as_slice()].concat();
        if !names.is_empty() {
            let names = names.join(",");
            lines.push(format!(
                "add --components-extra={names} to keep what they leave out"
            ));
        }
        lines
    }
}

/// The components of Deployments, by name or image, and of definitions, by kind.
fn components<'o>(objects: impl IntoIterator<Item = &'o Object>) -> BTreeSet<&'static str> {
    let of = |object: &Object| match object.kind() {
        "Deployment" => component_of(object),
        "CustomResourceDefinition" => {
            let info = KINDS.iter().find(|info| info.crd_name() == object.name());
            info.map(|info| info.component)
        }
        _ => None,
    };
    objects.into_iter().filter_map(of).collect()
}

/// The number of objects of each kind, in the order of kinds.
fn count(objects: &[Object]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for object in objects {
        *counts.entry(object.kind()).or_default() += 1;
    }
    let kinds = KINDS.iter().filter_map(|info| {
        let count = counts.get(info.kind)?;
        Some(format!("{count} {}", info.kind))
    });
    kinds.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use sluice_manifests::{Options, generate};

    use super::*;

    const OWN: &str = "flux-system";

    fn manifests(components: &[&str]) -> Vec<Object> {
        let options = Options {
            components: components.iter().map(|&name| name.to_owned()).collect(),
            ..Options::default()
        };
        generate(&options).unwrap().objects
    }

    fn all_of(components: &[&str], label: bool) -> Vec<Object> {
        let mut objects = manifests(components);
        for object in &mut objects {
            if label {
                object.set_label("kustomize.toolkit.fluxcd.io/namespace", OWN);
                object.set_label("kustomize.toolkit.fluxcd.io/name", OWN);
            }
        }
        objects
    }

    fn object(kind: &str) -> Object {
        let info = KINDS.iter().find(|info| info.kind == kind).unwrap();
        let object = json!({
            "apiVersion": info.api_version(), "kind": kind, "metadata": { "name": "a" },
        });
        Object::try_from(object).unwrap()
    }

    const TWO: [&str; 2] = ["source-controller", "kustomize-controller"];
    const THREE: [&str; 3] = [
        "source-controller",
        "kustomize-controller",
        "helm-controller",
    ];

    #[test]
    fn kept_components_are_not_a_loss() {
        let three = manifests(&THREE);
        for (committed, installed) in [
            (vec![], vec![]),
            (manifests(&THREE), all_of(&THREE, true)),
            (manifests(&TWO), all_of(&THREE, false)),
        ] {
            let loss = Loss::of(&committed, &installed, &three, OWN);
            assert_eq!(loss, Loss::default());
            assert!(loss.warnings(&[]).is_empty());
        }
    }

    #[test]
    fn single_deployment_has_all_components() {
        let single = Options {
            topology: sluice_manifests::Topology::Single,
            ..Options::default()
        };
        let single = generate(&single).unwrap().objects;
        let apart = generate(&Options::default()).unwrap().objects;
        for (before, after) in [(&single, &apart), (&apart, &single)] {
            assert_eq!(Loss::of(before, before, after, OWN), Loss::default());
        }
    }

    #[test]
    fn left_out_component_of_the_repository_is_deleted() {
        let two = manifests(&TWO);
        for (committed, installed) in [
            (manifests(&THREE), vec![]),
            (vec![], all_of(&THREE, true)),
            (manifests(&THREE), all_of(&THREE, true)),
        ] {
            let loss = Loss::of(&committed, &installed, &two, OWN);
            let objects = ["HelmRelease", "HelmRelease"].map(object);
            assert_eq!(
                loss.warnings(&objects),
                [
                    "the new manifests leave out helm-controller: each is deleted with its CRDs",
                    "these objects are deleted with their CRDs: 2 HelmRelease",
                    "a deleted HelmRelease uninstalls its release",
                    "add --components-extra=helm-controller to keep what they leave out",
                ]
            );
            assert_eq!(loss.warnings(&[]).len(), 2);
        }
    }

    #[test]
    fn component_installed_without_git_is_orphaned() {
        let loss = Loss::of(
            &manifests(&TWO),
            &all_of(&THREE, false),
            &manifests(&TWO),
            OWN,
        );
        assert_eq!(
            loss.warnings(&[]),
            [
                "the new manifests leave out helm-controller: each stays installed without updates",
                "add --components-extra=helm-controller to keep what they leave out",
            ]
        );
    }
}
