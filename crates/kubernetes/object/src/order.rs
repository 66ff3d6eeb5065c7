//! The order in which kinds are applied and deleted, and the stages of an apply.
//!
//! Parity: `pkg: ssa/sort.go`, `ssa/manager_apply.go`.

use std::cmp::Ordering;

use crate::{GroupKind, Object, ObjectId};

/// Kinds applied before all others, in this order.
const FIRST: [&str; 23] = [
    "CustomResourceDefinition",
    "Namespace",
    "ClusterRole",
    "ClusterClass",
    "RuntimeClass",
    "PriorityClass",
    "StorageClass",
    "VolumeSnapshotClass",
    "IngressClass",
    "GatewayClass",
    "ClusterRoleBinding",
    "ResourceQuota",
    "ServiceAccount",
    "Role",
    "RoleBinding",
    "ConfigMap",
    "Secret",
    "Service",
    "LimitRange",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
];

/// Kinds applied after all others, in this order.
const LAST: [&str; 2] = [
    "MutatingWebhookConfiguration",
    "ValidatingWebhookConfiguration",
];

/// The rank of kinds that neither list names.
const MIDDLE: u8 = 100;

/// Returns the rank of a kind. Objects of one rank may be applied or deleted in parallel; ranks
/// follow one another.
pub fn rank(kind: &str) -> u8 {
    let place = |kinds: &[&str], base: usize| {
        kinds
            .iter()
            .position(|named| *named == kind)
            .and_then(|index| u8::try_from(base + index).ok())
    };
    place(&FIRST, 0)
        .or_else(|| place(&LAST, usize::from(MIDDLE) + 1))
        .unwrap_or(MIDDLE)
}

/// Compares two ids in the order of apply: rank, group, kind, namespace, name.
pub fn compare(left: &ObjectId, right: &ObjectId) -> Ordering {
    key(left).cmp(&key(right))
}

fn key(id: &ObjectId) -> (u8, &str, &str, &str, &str) {
    (rank(&id.kind), &id.group, &id.kind, &id.namespace, &id.name)
}

fn object_key(object: &Object) -> (u8, &str, &str, &str, &str) {
    (
        rank(object.kind()),
        object.group(),
        object.kind(),
        object.namespace(),
        object.name(),
    )
}

/// Sorts objects in the order of apply.
pub fn sort(objects: &mut [Object]) {
    objects.sort_by(|left, right| object_key(left).cmp(&object_key(right)));
}

/// Sorts ids in the order of apply.
pub fn sort_ids(ids: &mut [ObjectId]) {
    ids.sort_by(compare);
}

/// Sorts ids in the order of deletion: exactly the reverse of apply.
pub fn sort_for_delete(ids: &mut [ObjectId]) {
    ids.sort_by(|left, right| compare(right, left));
}

/// The stages of an apply. A stage may depend on definitions of an earlier stage, so each one is
/// applied before the next dry-run. Some are also waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Definitions that others refer to: CRDs, Namespaces, `ClusterRole`s.
    Definitions,
    /// Kinds whose name ends in `Class`.
    Classes,
    /// Kinds that a flag of the controller names.
    Custom,
    /// Everything else.
    Rest,
}

impl Stage {
    /// Whether the next stage waits until the objects of this one are Current.
    pub fn is_waited_for(self) -> bool {
        matches!(self, Self::Definitions | Self::Classes)
    }
}

/// Returns the stage of an object. `custom` lists the kinds of the custom stage.
pub fn stage(object: &Object, custom: &[GroupKind]) -> Stage {
    let (group, kind) = (object.group(), object.kind());
    let is_definition = matches!(
        (group, kind),
        ("", "Namespace")
            | ("apiextensions.k8s.io", "CustomResourceDefinition")
            | ("rbac.authorization.k8s.io", "ClusterRole")
    );
    if is_definition {
        Stage::Definitions
    } else if kind.ends_with("Class") {
        Stage::Classes
    } else if custom
        .iter()
        .any(|named| named.kind == kind && named.group == group)
    {
        Stage::Custom
    } else {
        Stage::Rest
    }
}

/// Splits objects into stages, in order, without empty stages.
pub fn split_stages(objects: Vec<Object>, custom: &[GroupKind]) -> Vec<(Stage, Vec<Object>)> {
    let mut stages: Vec<(Stage, Vec<Object>)> = [
        Stage::Definitions,
        Stage::Classes,
        Stage::Custom,
        Stage::Rest,
    ]
    .map(|stage| (stage, Vec::new()))
    .into();
    for object in objects {
        let stage = stage(&object, custom);
        let (_, members) = stages
            .iter_mut()
            .find(|(named, _)| *named == stage)
            .expect("all four stages are listed");
        members.push(object);
    }
    stages.retain(|(_, members)| !members.is_empty());
    for (_, members) in &mut stages {
        sort(members);
    }
    stages
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KINDS: [(&str, &str); 12] = [
        ("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
        ("v1", "Namespace"),
        ("rbac.authorization.k8s.io/v1", "ClusterRole"),
        ("storage.k8s.io/v1", "StorageClass"),
        ("v1", "ServiceAccount"),
        ("v1", "ConfigMap"),
        ("v1", "Secret"),
        ("apps/v1", "Deployment"),
        ("v1", "Pod"),
        ("example.com/v1", "Widget"),
        (
            "admissionregistration.k8s.io/v1",
            "MutatingWebhookConfiguration",
        ),
        (
            "admissionregistration.k8s.io/v1",
            "ValidatingWebhookConfiguration",
        ),
    ];

    fn one_of_each() -> Vec<Object> {
        KINDS
            .iter()
            .map(|(api_version, kind)| Object::new(api_version, kind, "", "a"))
            .collect()
    }

    fn kinds(objects: &[Object]) -> Vec<&str> {
        objects.iter().map(Object::kind).collect()
    }

    #[test]
    fn sort_follows_flux_order() {
        let mut objects = one_of_each();
        objects.reverse();
        sort(&mut objects);
        assert_eq!(kinds(&objects), KINDS.map(|(_, kind)| kind));
    }

    #[test]
    fn equal_ranks_sort_by_group_kind_namespace_and_name() {
        let mut objects = [
            ("z.io/v1", "Alpha", "a", "a"),
            ("a.io/v1", "Zulu", "a", "a"),
            ("a.io/v1", "Alpha", "b", "a"),
            ("a.io/v1", "Alpha", "a", "b"),
            ("a.io/v2", "Alpha", "a", "a"),
        ]
        .map(|(version, kind, namespace, name)| Object::new(version, kind, namespace, name));
        sort(&mut objects);
        assert_eq!(
            objects.map(|object| format!("{} {}", object.group(), object.id())),
            [
                "a.io Alpha/a/a",
                "a.io Alpha/a/b",
                "a.io Alpha/b/a",
                "a.io Zulu/a/a",
                "z.io Alpha/a/a",
            ]
        );
    }

    #[test]
    fn definitions_and_classes_have_their_own_stages() {
        let custom = [GroupKind {
            group: String::new(),
            kind: "Secret".into(),
        }];
        let stages: Vec<_> = split_stages(one_of_each(), &custom)
            .into_iter()
            .map(|(stage, members)| {
                (
                    stage,
                    members
                        .iter()
                        .map(|object| object.kind().to_owned())
                        .collect::<Vec<_>>(),
                )
            })
            .collect();
        let named = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(
            stages,
            [
                (
                    Stage::Definitions,
                    named(&["CustomResourceDefinition", "Namespace", "ClusterRole"])
                ),
                (Stage::Classes, named(&["StorageClass"])),
                (Stage::Custom, named(&["Secret"])),
                (
                    Stage::Rest,
                    named(&[
                        "ServiceAccount",
                        "ConfigMap",
                        "Deployment",
                        "Pod",
                        "Widget",
                        "MutatingWebhookConfiguration",
                        "ValidatingWebhookConfiguration",
                    ])
                ),
            ]
        );
        assert!(Stage::Definitions.is_waited_for() && Stage::Classes.is_waited_for());
        assert!(!Stage::Custom.is_waited_for() && !Stage::Rest.is_waited_for());
    }

    #[test]
    fn namespace_of_another_group_is_in_the_last_stage() {
        let object = Object::new("example.com/v1", "Namespace", "", "a");
        assert_eq!(stage(&object, &[]), Stage::Rest);
    }

    proptest! {
        #[test]
        fn deletion_order_is_the_reverse_of_apply(picks in proptest::collection::vec((0..KINDS.len(), "[a-c]", "[a-c]"), 0..20)) {
            let mut ids: Vec<ObjectId> = picks
                .iter()
                .map(|(index, namespace, name)| {
                    Object::new(KINDS[*index].0, KINDS[*index].1, namespace, name).id()
                })
                .collect();
            let mut reversed = ids.clone();
            sort_ids(&mut ids);
            sort_for_delete(&mut reversed);
            reversed.reverse();
            prop_assert_eq!(ids, reversed);
        }
    }
}
