//! What one Kustomization may expect of another: order, readiness, loops.

use std::collections::HashSet;
use std::sync::Arc;

use sluice_api::kustomize::Kustomization;
use sluice_api::meta::condition::READY;
use sluice_runtime::ObjectKey;

use super::source;

/// The dependencies of a Kustomization, as written.
pub(super) fn of(object: &Kustomization) -> Vec<ObjectKey> {
    let own = object.metadata.namespace.as_deref().unwrap_or_default();
    let keys = object.spec.depends_on.iter();
    keys.map(|entry| ObjectKey::new(entry.namespace.as_deref().unwrap_or(own), &entry.name))
        .collect()
}

/// Why a dependency is not met, in Flux's words; `None` when it is.
///
/// One that is fed from the same source must have applied the revision that the
/// dependant is about to apply: else a commit that changes both would meet them in
/// the wrong order.
pub(super) fn unmet(
    dependant: &Kustomization,
    key: &ObjectKey,
    dependency: Option<&Kustomization>,
    revision: &str,
) -> Option<String> {
    let Some(dependency) = dependency else {
        return Some(format!("dependency '{key}' not found"));
    };
    if !is_ready(dependency) {
        return Some(format!("dependency '{key}' is not ready"));
    }
    let (own, theirs) = (&dependant.spec.source_ref, &dependency.spec.source_ref);
    let is_shared = own.kind == theirs.kind && source::key(dependant) == source::key(dependency);
    if is_shared && applied(dependency) != Some(revision) {
        return Some(format!("dependency '{key}' revision is not up to date"));
    }
    None
}

/// Whether an object is Ready, and its spec is the one that was reconciled.
pub(super) fn is_ready(object: &Kustomization) -> bool {
    object.status.as_ref().is_some_and(|status| {
        status.observed_generation == object.metadata.generation && status.conditions.is_true(READY)
    })
}

/// The revision that was applied last.
pub(super) fn applied(object: &Kustomization) -> Option<&str> {
    object.status.as_ref()?.last_applied_revision.as_deref()
}

/// The way from an object over its dependencies back to itself, if there is one.
pub(super) fn cycle(
    start: &ObjectKey,
    dependencies: impl Fn(&ObjectKey) -> Vec<ObjectKey>,
) -> Option<Vec<ObjectKey>> {
    let mut seen = HashSet::from([start.clone()]);
    let mut path = vec![(start.clone(), dependencies(start).into_iter())];
    while let Some((_, rest)) = path.last_mut() {
        let Some(next) = rest.next() else {
            path.pop();
            continue;
        };
        if next == *start {
            let mut keys: Vec<_> = path.into_iter().map(|(key, _)| key).collect();
            keys.push(next);
            return Some(keys);
        }
        if seen.insert(next.clone()) {
            let rest = dependencies(&next).into_iter();
            path.push((next, rest));
        }
    }
    None
}

/// Puts objects so that dependencies come before dependants; a loop is cut where it
/// is met first, in the order of names.
pub(super) fn in_order(mut objects: Vec<Arc<Kustomization>>) -> Vec<Arc<Kustomization>> {
    objects.sort_by_cached_key(|object| ObjectKey::of(object.as_ref()));
    let keys: Vec<ObjectKey> = objects
        .iter()
        .map(|object| ObjectKey::of(object.as_ref()))
        .collect();
    let find = |key: &ObjectKey| keys.binary_search(key).ok();
    let mut placed = vec![false; objects.len()];
    let mut order = Vec::with_capacity(objects.len());
    for start in 0..objects.len() {
        // Depth first without recursion: `true` marks the way back up.
        let mut stack = vec![(start, false)];
        while let Some((index, done)) = stack.pop() {
            if done {
                order.push(index);
            } else if !std::mem::replace(&mut placed[index], true) {
                stack.push((index, true));
                let dependencies = of(&objects[index]);
                stack.extend(
                    dependencies
                        .iter()
                        .rev()
                        .filter_map(find)
                        .map(|index| (index, false)),
                );
            }
        }
    }
    order
        .into_iter()
        .map(|index| Arc::clone(&objects[index]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::plan::tests::{kustomization, ready};
    use super::*;

    fn key(name: &str) -> ObjectKey {
        ObjectKey::new("apps", name)
    }

    #[test]
    fn dependencies_are_judged_in_flux_s_words() {
        let dependant = kustomization("me", |_| ());
        let judged = |dependency: Option<&Kustomization>| {
            unmet(&dependant, &key("dep"), dependency, "main@sha1:2")
        };
        assert_eq!(judged(None).unwrap(), "dependency 'apps/dep' not found");
        let new = kustomization("dep", |_| ());
        assert_eq!(
            judged(Some(&new)).unwrap(),
            "dependency 'apps/dep' is not ready"
        );
        let mut edited = ready("dep", "main@sha1:2");
        edited.metadata.generation = Some(7);
        assert_eq!(
            judged(Some(&edited)).unwrap(),
            "dependency 'apps/dep' is not ready"
        );
        let old = ready("dep", "main@sha1:1");
        assert_eq!(
            judged(Some(&old)).unwrap(),
            "dependency 'apps/dep' revision is not up to date"
        );
        assert_eq!(judged(Some(&ready("dep", "main@sha1:2"))), None);
        let mut other = ready("dep", "main@sha1:1");
        other.spec.source_ref.name = "elsewhere".to_owned();
        assert_eq!(
            judged(Some(&other)),
            None,
            "another source has revisions of its own"
        );
    }

    #[test]
    fn a_loop_is_spelled_out_from_the_object_back_to_it() {
        let edges = |key: &ObjectKey| match key.name() {
            "a" => vec![self::key("x"), self::key("b")],
            "b" => vec![self::key("c")],
            "c" => vec![self::key("a")],
            _ => vec![],
        };
        let names = |path: Option<Vec<ObjectKey>>| {
            path.map(|path| {
                path.iter()
                    .map(|key| key.name().to_owned())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(
            names(cycle(&key("a"), edges)).unwrap(),
            ["a", "b", "c", "a"]
        );
        assert_eq!(names(cycle(&key("x"), edges)), None);
        let beside = |key: &ObjectKey| match key.name() {
            "a" => vec![self::key("b")],
            "x" | "b" => vec![self::key("a")],
            _ => vec![],
        };
        assert_eq!(
            names(cycle(&key("x"), beside)),
            None,
            "a loop that one only leads to is not one's own"
        );
        assert_eq!(
            names(cycle(&key("a"), |_| vec![self::key("a")])).unwrap(),
            ["a", "a"]
        );
    }

    #[test]
    fn dependants_are_woken_after_what_they_depend_on() {
        let on = |name: &str, dependencies: &[&str]| {
            Arc::new(kustomization(name, |spec| {
                spec["dependsOn"] = dependencies
                    .iter()
                    .map(|name| serde_json::json!({ "name": name }))
                    .collect();
            }))
        };
        let order = |objects: Vec<Arc<Kustomization>>| {
            in_order(objects)
                .iter()
                .map(|object| object.metadata.name.clone().unwrap())
                .collect::<Vec<_>>()
        };
        let objects = vec![
            on("a", &["c"]),
            on("b", &[]),
            on("c", &["d", "gone"]),
            on("d", &[]),
        ];
        assert_eq!(order(objects), ["d", "c", "a", "b"]);
        assert_eq!(
            order(vec![on("a", &["b"]), on("b", &["a"])]),
            ["b", "a"],
            "a loop loses nobody"
        );
    }
}
