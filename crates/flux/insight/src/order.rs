//! The order in which objects are reconciled.
//!
//! An object comes after its sources and dependencies, also through objects that are not
//! selected. Objects of a dependency cycle, and those behind one, are skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use sluice_object::Object;

use crate::kinds::{Resource, by_kind, is_suspended};
use crate::relation::prerequisites;
use crate::snapshot::{Id, Snapshot};

/// The objects to reconcile, in order.
#[derive(Debug, Default)]
pub struct Plan {
    /// The steps, each after those that it waits for.
    pub steps: Vec<Step>,
    /// The skipped objects.
    pub skipped: Vec<(Id, SkipReason)>,
}

/// One object to reconcile.
#[derive(Debug)]
pub struct Step {
    /// Its kind.
    pub resource: &'static Resource,
    /// The object.
    pub id: Id,
    /// The steps that have to end before.
    pub after: Vec<usize>,
}

/// The reason why a selected object is not reconciled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// It is suspended.
    Suspended,
    /// It is part of this dependency cycle, or depends on it.
    Cycle(Vec<Id>),
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Suspended => f.write_str("suspended"),
            Self::Cycle(ids) => {
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
    /// The steps that can start, because every step before them ended.
    pub fn ready(&self, begun: &[bool], ended: &[Option<bool>]) -> Vec<usize> {
        let is_ready = |(index, step): &(usize, &Step)| {
            !begun[*index] && step.after.iter().all(|before| ended[*before].is_some())
        };
        let steps = self.steps.iter().enumerate();
        steps.filter(is_ready).map(|(index, _)| index).collect()
    }
}

/// Orders the selected objects.
pub fn plan(snapshot: &Snapshot, is_chosen: impl Fn(&Resource, &Object) -> bool) -> Plan {
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
            plan.skipped.push((Id::of(object), SkipReason::Suspended));
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
        // Steps of one rank are ordered by name.
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
    let cycles = open.keys().map(|id| ((*id).clone(), cycle(id, &open)));
    let cycles: Vec<(Id, SkipReason)> = cycles.collect();
    plan.skipped.extend(cycles);
    plan
}

/// The nearest selected prerequisites of an object.
fn nearest(snapshot: &Snapshot, id: &Id, chosen: &BTreeMap<Id, &'static Resource>) -> BTreeSet<Id> {
    let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![id.clone()]);
    while let Some(next) = open.pop() {
        let Some(object) = snapshot.get(&next) else {
            continue;
        };
        for needed in prerequisites(snapshot, object) {
            if chosen.contains_key(&needed) {
                found.insert(needed);
            } else if seen.insert(needed.clone()) {
                open.push(needed);
            }
        }
    }
    found
}

/// The cycle that an object leads to.
fn cycle(from: &Id, open: &BTreeMap<&Id, BTreeSet<Id>>) -> SkipReason {
    let mut path: Vec<Id> = vec![from.clone()];
    loop {
        let last = &path[path.len() - 1];
        let next = open
            .get(last)
            .and_then(|after| after.iter().find(|id| open.contains_key(id)));
        let Some(next) = next else {
            return SkipReason::Cycle(path);
        };
        if let Some(start) = path.iter().position(|id| id == next) {
            return SkipReason::Cycle(path.split_off(start));
        }
        path.push(next.clone());
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

    /// The steps in order: `name<names of earlier steps`.
    fn summary(plan: &Plan) -> Vec<String> {
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
    fn prerequisites_come_first() {
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
            summary(&plan(&snapshot, |_, _| true)),
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
    fn unselected_objects_keep_the_order() {
        let snapshot: Snapshot = release().into_iter().collect();
        let plan = plan(&snapshot, |resource, _| resource.kind != "HelmChart");
        assert_eq!(summary(&plan), ["charts<", "web<charts"]);
    }

    #[test]
    fn suspended_and_static_objects_are_skipped() {
        let snapshot: Snapshot = [
            object("GitRepository", "fleet", json!({ "suspend": true })),
            object("HelmRepository", "oci", json!({ "type": "oci" })),
            kustomization("apps", &[]),
        ]
        .into_iter()
        .collect();
        let plan = plan(&snapshot, |_, _| true);
        assert_eq!(summary(&plan), ["apps<"]);
        let fleet = Id::new("GitRepository", "apps", "fleet");
        assert_eq!(plan.skipped, [(fleet, SkipReason::Suspended)]);
    }

    #[test]
    fn dependency_cycles_are_skipped_with_reason() {
        let snapshot: Snapshot = [
            kustomization("a", &["b"]),
            kustomization("b", &["a"]),
            kustomization("c", &["b"]),
            kustomization("d", &[]),
        ]
        .into_iter()
        .collect();
        let plan = plan(&snapshot, |_, _| true);
        assert_eq!(summary(&plan), ["d<"]);
        let left: Vec<String> = plan
            .skipped
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
    fn step_is_ready_once_earlier_steps_ended() {
        let snapshot: Snapshot = [kustomization("a", &[]), kustomization("b", &["a"])]
            .into_iter()
            .collect();
        let plan = plan(&snapshot, |_, _| true);
        assert_eq!(plan.ready(&[false, false], &[None, None]), [0]);
        assert!(plan.ready(&[true, false], &[None, None]).is_empty());
        assert_eq!(plan.ready(&[true, false], &[Some(false), None]), [1]);
    }
}
