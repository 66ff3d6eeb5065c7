//! Field sets of `managedFields`: tries of `f:name`, `k:{…}`, `v:…` and `i:n` segments. A node is a
//! member when it is a leaf or contains `.`.

use serde_json::Map;
use sluice_object::Value;

/// Marks a node with children as a member.
const SELF: &str = ".";

/// Unites two field sets. Anything that is not a map counts as the empty set.
pub(crate) fn union(left: Option<&Value>, right: Option<&Value>) -> Value {
    let empty = Map::new();
    let trie = |side: Option<&Value>| match side {
        Some(Value::Object(trie)) => trie.clone(),
        _ => empty.clone(),
    };
    let mut united = unite(trie(left), trie(right));
    sort(&mut united);
    Value::Object(united)
}

/// Whether a set contains a field or a nested field.
pub(crate) fn contains(set: &Map<String, Value>, path: &[String]) -> bool {
    !path.is_empty() && below(set, path).is_some()
}

/// Finds the key of a list item in the field sets.
pub(crate) fn key_of(
    sets: &[&Map<String, Value>],
    path: &[String],
    item: &Value,
) -> Option<String> {
    let is_item = |key: &&String| {
        let keys = key.strip_prefix("k:")?;
        let keys: Map<String, Value> = serde_json::from_str(keys).ok()?;
        keys.iter()
            .all(|(name, value)| item.get(name) == Some(value))
            .then_some(())
    };
    sets.iter()
        .filter_map(|set| below(set, path)?.as_object())
        .flat_map(Map::keys)
        .find(|key| is_item(key).is_some())
        .cloned()
}

fn below<'s>(set: &'s Map<String, Value>, path: &[String]) -> Option<&'s Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(set.get(first)?, |node, segment| node.get(segment))
}

fn unite(mut left: Map<String, Value>, right: Map<String, Value>) -> Map<String, Value> {
    for (segment, node) in right {
        match left.get_mut(&segment) {
            None => {
                left.insert(segment, node);
            }
            Some(own) => {
                let (mut one, mut other) = (children(own), children(&node));
                // A leaf is a member. With children, the mark keeps it a member.
                if one.is_empty() != other.is_empty() {
                    one.insert(SELF.into(), Map::new().into());
                    other.insert(SELF.into(), Map::new().into());
                }
                *own = Value::Object(unite(one, other));
            }
        }
    }
    left
}

fn children(node: &Value) -> Map<String, Value> {
    node.as_object().cloned().unwrap_or_default()
}

/// Sorts the segments, so that equal sets print equally.
fn sort(trie: &mut Map<String, Value>) {
    trie.sort_keys();
    for node in trie.values_mut() {
        if let Value::Object(children) = node {
            sort(children);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn united(left: &Value, right: &Value) -> Value {
        union(Some(left), Some(right))
    }

    #[test]
    fn union_contains_members_of_both_sets() {
        for (left, right, result) in [
            (json!({}), json!({"f:a": {}}), json!({"f:a": {}})),
            (json!({"f:a": {}}), json!({"f:a": {}}), json!({"f:a": {}})),
            (
                json!({"f:a": {}}),
                json!({"f:b": {}}),
                json!({"f:a": {}, "f:b": {}}),
            ),
            (
                json!({"f:spec": {"f:a": {}}}),
                json!({"f:spec": {"f:b": {}}}),
                json!({"f:spec": {"f:a": {}, "f:b": {}}}),
            ),
            // A leaf on one side stays a member when the other side has children.
            (
                json!({"f:a": {}}),
                json!({"f:a": {"f:b": {}}}),
                json!({"f:a": {".": {}, "f:b": {}}}),
            ),
            (
                json!({"f:a": {"f:b": {}}}),
                json!({"f:a": {}}),
                json!({"f:a": {".": {}, "f:b": {}}}),
            ),
            (
                json!({"f:a": {".": {}, "f:b": {}}}),
                json!({"f:a": {"f:c": {}}}),
                json!({"f:a": {".": {}, "f:b": {}, "f:c": {}}}),
            ),
            (
                json!({"f:l": {"k:{\"n\":1}": {".": {}, "f:x": {}}}}),
                json!({"f:l": {"k:{\"n\":1}": {"f:y": {}}, "v:2": {}, "i:3": {}}}),
                json!({"f:l": {"k:{\"n\":1}": {".": {}, "f:x": {}, "f:y": {}}, "v:2": {}, "i:3": {}}}),
            ),
        ] {
            assert_eq!(united(&left, &right), result, "{left} ∪ {right}");
        }
    }

    #[test]
    fn missing_set_is_empty() {
        let set = json!({"f:a": {}});
        assert_eq!(union(None, Some(&set)), set);
        assert_eq!(union(Some(&set), None), set);
        assert_eq!(union(Some(&json!("x")), Some(&set)), set);
    }

    fn trie() -> impl Strategy<Value = Value> {
        Just(json!({})).prop_recursive(4, 16, 3, |inner| {
            proptest::collection::btree_map("(\\.|f:[a-c]|i:[0-2])", inner, 0..4).prop_map(|map| {
                Value::Object(
                    map.into_iter()
                        .map(|(segment, node)| {
                            let node = if segment == SELF { json!({}) } else { node };
                            (segment, node)
                        })
                        .collect(),
                )
            })
        })
    }

    proptest! {
        #[test]
        fn union_is_commutative_and_idempotent(left in trie(), right in trie()) {
            let both = united(&left, &right);
            prop_assert_eq!(&both, &united(&right, &left));
            prop_assert_eq!(&both, &united(&both, &left));
            prop_assert_eq!(&both, &united(&both, &right));
        }
    }
}
