//! In which order objects are reconciled: a pure function of what was listed.
//!
//! An object comes after its source and what it depends on, and after what those come after, where
//! they themselves are not among the chosen. What depends on itself, or on something that does, is in no
//! order and left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sluice_object::Object;

use crate::resource::{Resource, by_kind, is_suspended};
use crate::why::{Id, Snapshot, before};

/// What is done, and what is not.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// Each behind everything that it comes after.
    pub(super) steps: Vec<Step>,
    pub(super) left_out: Vec<(Id, LeftOut)>,
}

/// One object.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) resource: &'static Resource,
    pub(super) id: Id,
    /// The steps that have to be over before.
    pub(super) after: Vec<usize>,
}

/// Why an object that was chosen is not reconciled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LeftOut {
    Suspended,
    /// These depend on each other, and it on them, if it is none of them.
    Circle(Vec<Id>),
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suspended => f.write_str("suspended"),
            Self::Circle(ids) => {
                f.write_str("a cycle of dependencies: ")?;
                for id in ids {
                    write!(f, "{id} → ")?;
                }
                ids.first().map_or(Ok(()), |first| write!(f, "{first}"))
            }
        }
    }
}

impl Plan {
    /// Steps that can be begun: nothing that they come after is open.
    pub(super) fn ready(&self, begun: &[bool], ended: &[Option<bool>]) -> Vec<usize> {
        let is_ready = |(index, step): &(usize, &Step)| {
            !begun[*index] && step.after.iter().all(|before| ended[*before].is_some())
        };
        let steps = self.steps.iter().enumerate();
        steps.filter(is_ready).map(|(index, _)| index).collect()
    }
}

/// Orders the objects that are chosen.
pub(super) fn of(snapshot: &Snapshot, is_chosen: impl Fn(&Resource, &Object) -> bool) -> Plan {
    let mut plan = Plan::default();
    let mut chosen: BTreeMap<Id, &'static Resource> = BTreeMap::new();
    for object in snapshot.all() {
        let Some(resource) = by_kind(object.kind()).filter(|kind| kind.verbs.reconciles()) else {
            continue;
        };
        if resource.is_static(object) || !is_chosen(resource, object) {
            continue;
        }
        if is_suspended(object) {
            plan.left_out.push((Id::of(object), LeftOut::Suspended));
        } else {
            chosen.insert(Id::of(object), resource);
        }
    }
    let mut open: BTreeMap<&Id, BTreeSet<Id>> = chosen
        .keys()
        .map(|id| (id, nearest(snapshot, id, &chosen)))
        .collect();
    let mut placed: BTreeMap<Id, usize> = BTreeMap::new();
    loop {
        let ready: Vec<&Id> = open
            .iter()
            .filter(|(_, after)| after.iter().all(|id| placed.contains_key(id)))
            .map(|(id, _)| *id)
            .collect();
        if ready.is_empty() {
            break;
        }
        // All of one rank are placed before the next is looked at: their order is by name.
        let mut rank = Vec::new();
        for id in ready {
            let after = open.remove(id).unwrap_or_default();
            let after = after
                .iter()
                .filter_map(|id| placed.get(id))
                .copied()
                .collect();
            rank.push((id, after));
        }
        for (id, after) in rank {
            placed.insert(id.clone(), plan.steps.len());
            plan.steps.push(Step {
                resource: chosen[id],
                id: id.clone(),
                after,
            });
        }
    }
    let circles = open.keys().map(|id| ((*id).clone(), circle(id, &open)));
    let circles: Vec<(Id, LeftOut)> = circles.collect();
    plan.left_out.extend(circles);
    plan
}

/// What an object comes directly after, of those that are chosen.
fn nearest(snapshot: &Snapshot, id: &Id, chosen: &BTreeMap<Id, &'static Resource>) -> BTreeSet<Id> {
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![id.clone()]);
    while let Some(next) = open.pop() {
        let Some(object) = snapshot.get(&next) else {
            continue;
        };
        for needed in before(snapshot, object) {
            if chosen.contains_key(&needed) {
                found.insert(needed);
            } else if seen.insert(needed.clone()) {
                open.push(needed);
            }
        }
    }
    found
}

/// The circle that an object without a place leads to.
fn circle(from: &Id, open: &BTreeMap<&Id, BTreeSet<Id>>) -> LeftOut {
    let mut way: Vec<Id> = vec![from.clone()];
    loop {
        let last = &way[way.len() - 1];
        let next = open
            .get(last)
            .and_then(|after| after.iter().find(|id| open.contains_key(id)));
        let Some(next) = next else {
            return LeftOut::Circle(way);
        };
        if let Some(start) = way.iter().position(|id| id == next) {
            return LeftOut::Circle(way.split_off(start));
        }
        way.push(next.clone());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn object(kind: &str, name: &str, spec: Value) -> Object {
        let mut object = json!({
            "apiVersion": by_kind(kind).unwrap().api_version(), "kind": kind,
            "metadata": { "name": name, "namespace": "apps" },
        });
        object["spec"] = spec;
        serde_json::from_value(object).unwrap()
    }

    fn kustomization(name: &str, depends_on: &[&str]) -> Object {
        let depends_on: Vec<Value> = depends_on
            .iter()
            .map(|name| json!({ "name": name }))
            .collect();
        let spec = json!({ "sourceRef": { "kind": "GitRepository", "name": "fleet" }, "dependsOn": depends_on });
        object("Kustomization", name, spec)
    }

    fn release() -> [Object; 3] {
        let source = json!({ "kind": "HelmRepository", "name": "charts" });
        [
            object(
                "HelmRelease",
                "web",
                json!({ "chart": { "spec": { "chart": "web", "sourceRef": source } } }),
            ),
            object(
                "HelmChart",
                "apps-web",
                json!({ "chart": "web", "sourceRef": source }),
            ),
            object(
                "HelmRepository",
                "charts",
                json!({ "url": "https://example.com" }),
            ),
        ]
    }

    /// The steps in order: `name<the names that it comes after`.
    fn told(plan: &Plan) -> Vec<String> {
        let name = |step: &Step| step.id.name.clone();
        let after = |step: &Step| -> Vec<String> {
            step.after
                .iter()
                .map(|index| name(&plan.steps[*index]))
                .collect()
        };
        plan.steps
            .iter()
            .map(|step| format!("{}<{}", name(step), after(step).join("+")))
            .collect()
    }

    #[test]
    fn sources_come_first_and_dependencies_before_what_waits_for_them() {
        let snapshot: Snapshot = [
            kustomization("apps", &["infra", "nowhere"]),
            kustomization("infra", &["base"]),
            kustomization("base", &[]),
            object("GitRepository", "fleet", json!({})),
        ]
        .into_iter()
        .chain(release())
        .collect();
        assert_eq!(
            told(&of(&snapshot, |_, _| true)),
            [
                "fleet<",
                "charts<",
                "apps-web<charts",
                "base<fleet",
                "web<apps-web",
                "infra<fleet+base",
                "apps<fleet+infra"
            ]
        );
    }

    #[test]
    fn what_lies_between_counts_even_if_it_is_not_chosen() {
        let snapshot: Snapshot = release().into_iter().collect();
        let plan = of(&snapshot, |resource, _| resource.kind != "HelmChart");
        assert_eq!(told(&plan), ["charts<", "web<charts"]);
    }

    #[test]
    fn suspended_and_static_objects_are_left_out() {
        let snapshot: Snapshot = [
            object("GitRepository", "fleet", json!({ "suspend": true })),
            object("HelmRepository", "oci", json!({ "type": "oci" })),
            kustomization("apps", &[]),
        ]
        .into_iter()
        .collect();
        let plan = of(&snapshot, |_, _| true);
        assert_eq!(told(&plan), ["apps<"]);
        let fleet = Id::new("GitRepository", "apps", "fleet");
        assert_eq!(plan.left_out, [(fleet, LeftOut::Suspended)]);
    }

    #[test]
    fn a_circle_and_what_hangs_on_it_are_left_out_and_told() {
        let snapshot: Snapshot = [
            kustomization("a", &["b"]),
            kustomization("b", &["a"]),
            kustomization("c", &["b"]),
            kustomization("d", &[]),
        ]
        .into_iter()
        .collect();
        let plan = of(&snapshot, |_, _| true);
        assert_eq!(told(&plan), ["d<"]);
        let left: Vec<String> = plan
            .left_out
            .iter()
            .map(|(id, why)| format!("{}: {why}", id.name))
            .collect();
        let [a, b] = ["a", "b"].map(|name| format!("Kustomization/apps/{name}"));
        assert_eq!(
            left,
            [
                format!("a: a cycle of dependencies: {a} → {b} → {a}"),
                format!("b: a cycle of dependencies: {b} → {a} → {b}"),
                format!("c: a cycle of dependencies: {b} → {a} → {b}"),
            ]
        );
    }

    #[test]
    fn a_step_is_ready_when_everything_before_it_has_ended() {
        let snapshot: Snapshot = [kustomization("a", &[]), kustomization("b", &["a"])]
            .into_iter()
            .collect();
        let plan = of(&snapshot, |_, _| true);
        assert_eq!(plan.ready(&[false, false], &[None, None]), [0]);
        assert!(plan.ready(&[true, false], &[None, None]).is_empty());
        assert_eq!(plan.ready(&[true, false], &[Some(false), None]), [1]);
    }
}
