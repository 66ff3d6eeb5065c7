//! Sorts objects that depend on each other.

use crate::key::ObjectKey;

/// Sorts objects, each given with its dependencies, so that dependencies come first. A cycle is cut
/// at its first object in the order of names.
pub fn sorted(mut objects: Vec<(ObjectKey, Vec<ObjectKey>)>) -> Vec<ObjectKey> {
    objects.sort_by(|(left, _), (right, _)| left.cmp(right));
    let find = |wanted: &ObjectKey| objects.binary_search_by(|(key, _)| key.cmp(wanted)).ok();
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
                let dependencies = objects[index].1.iter().rev().filter_map(find);
                stack.extend(dependencies.map(|index| (index, false)));
            }
        }
    }
    order
        .into_iter()
        .map(|index| objects[index].0.clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(objects: &[(&str, &[&str])]) -> Vec<String> {
        let key = |name: &&str| ObjectKey::new("apps", name);
        let objects = objects
            .iter()
            .map(|(name, after)| (key(name), after.iter().map(key).collect()));
        let keys = sorted(objects.collect()).into_iter();
        keys.map(|key| key.name().to_owned()).collect()
    }

    #[test]
    fn dependencies_come_first() {
        let objects: &[(&str, &[&str])] =
            &[("a", &["c"]), ("b", &[]), ("c", &["d", "gone"]), ("d", &[])];
        assert_eq!(order(objects), ["d", "c", "a", "b"]);
    }

    #[test]
    fn cycle_keeps_all_objects() {
        assert_eq!(order(&[("a", &["b"]), ("b", &["a"])]), ["b", "a"]);
    }

    #[test]
    fn independent_objects_are_sorted_by_name() {
        assert_eq!(order(&[("b", &[]), ("a", &[])]), ["a", "b"]);
    }
}
