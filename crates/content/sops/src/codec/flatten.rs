//! Flattens a section: `age__list_0__map_enc` is the field `enc` of the first item of `age`.
//!
//! Parity: sops: stores/flatten.go.

use std::collections::BTreeMap;

use crate::error::{EmitError, LoadError};
use crate::tree::{Branch, Element, Item, Value};

const MAP: &str = "__map_";
const LIST: &str = "__list_";

/// The maximum depth and length of an unflattened section.
const MAX_DEPTH: usize = 16;
const MAX_LENGTH: usize = 4096;

/// A step of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// A node of the unflattened tree.
#[derive(Default)]
struct FlatNode<'a> {
    value: Option<&'a Value>,
    keys: BTreeMap<&'a str, Self>,
    items: BTreeMap<usize, Self>,
}

/// Flattens a section.
pub(super) fn flatten(section: &Branch) -> Result<Branch, EmitError> {
    let mut flat = Branch::default();
    for (key, value) in section.entries() {
        put(&mut flat, key.to_owned(), value)?;
    }
    Ok(flat)
}

fn put(flat: &mut Branch, path: String, value: &Value) -> Result<(), EmitError> {
    match value {
        Value::Branch(branch) => {
            for (key, value) in branch.entries() {
                put(flat, format!("{path}{MAP}{key}"), value)?;
            }
        }
        Value::List(items) => {
            let values = items.iter().filter_map(|item| match item {
                Element::Value(value) => Some(value),
                Element::Comment(_) => None,
            });
            for (index, value) in values.enumerate() {
                put(flat, format!("{path}{LIST}{index}"), value)?;
            }
        }
        _ if flat.get(&path).is_some() => return Err(EmitError::Collision(path)),
        scalar => flat.push(path, scalar.clone()),
    }
    Ok(())
}

/// Restores the nesting of a flat section.
pub(super) fn unflatten(flat: &Branch) -> Result<Branch, LoadError> {
    let mut root = FlatNode::default();
    for item in &flat.0 {
        let Item::Entry(key, value) = item else {
            continue;
        };
        let path = steps(key).ok_or_else(|| conflict_error("Incomplete list"))?;
        let place = path.into_iter().fold(&mut root, |place, step| match step {
            Step::Key(key) => place.keys.entry(key).or_default(),
            Step::Index(index) => place.items.entry(index).or_default(),
        });
        if place.value.replace(value).is_some() {
            return Err(conflict_error("Duplicate value"));
        }
    }
    match assembled(root)? {
        Value::Branch(branch) => Ok(branch),
        _ => Err(conflict_error("Type mismatch")),
    }
}

fn conflict_error(what: &str) -> LoadError {
    LoadError::Shape(format!("Error while unflattening: {what}"))
}

fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let (mut start, mut at, mut kind) = (0, 0, MAP);
    let mut steps = Vec::new();
    loop {
        let next = [MAP, LIST]
            .into_iter()
            .find(|mark| path[at..].starts_with(mark));
        if next.is_some() || at == path.len() {
            let text = &path[start..at];
            steps.push(if kind == MAP {
                Step::Key(text)
            } else {
                // Upstream treats an invalid number as zero.
                Step::Index(text.parse().unwrap_or(0))
            });
            if steps.len() > MAX_DEPTH {
                return None;
            }
        }
        match next {
            Some(mark) => {
                kind = mark;
                at += mark.len();
                start = at;
            }
            None if at == path.len() => return Some(steps),
            None => at += path[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
}

fn assembled(place: FlatNode<'_>) -> Result<Value, LoadError> {
    let FlatNode { value, keys, items } = place;
    let kinds = [value.is_some(), !keys.is_empty(), !items.is_empty()];
    if kinds.into_iter().filter(|kind| *kind).count() > 1 {
        return Err(conflict_error("Type mismatch"));
    }
    if let Some(value) = value {
        return Ok(value.clone());
    }
    if items.is_empty() {
        let mut branch = Branch::default();
        for (key, place) in keys {
            branch.push(key, assembled(place)?);
        }
        return Ok(Value::Branch(branch));
    }
    let is_complete = items.keys().copied().eq(0..items.len());
    if !is_complete || items.len() > MAX_LENGTH {
        return Err(conflict_error("Incomplete list"));
    }
    let items = items
        .into_values()
        .map(|place| assembled(place).map(Element::Value));
    Ok(Value::List(items.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat(fields: &[(&str, &str)]) -> Branch {
        let mut branch = Branch::default();
        for (key, value) in fields {
            branch.push(*key, Value::text(*value));
        }
        branch
    }

    #[test]
    fn flat_section_is_restored() {
        let fields = flat(&[
            ("age__list_0__map_enc", "a"),
            ("age__list_0__map_recipient", "b"),
            ("age__list_1__map_enc", "c"),
            ("mac", "d"),
        ]);
        let nested = unflatten(&fields).unwrap();
        assert!(matches!(nested.get("age"), Some(Value::List(items)) if items.len() == 2));
        assert_eq!(flatten(&nested).unwrap(), fields);
    }

    #[test]
    fn conflicting_fields_are_rejected() {
        for fields in [
            flat(&[("a__list_1", "x")]),
            flat(&[("a__list_0", "x"), ("a__map_b", "y")]),
            flat(&[("a", "x"), ("a__map_b", "y")]),
            flat(&[("a", "x"), ("a", "y")]),
        ] {
            assert!(unflatten(&fields).is_err());
        }
        let deep = "a__map_b".repeat(40);
        assert!(unflatten(&flat(&[(&deep, "x")])).is_err());
    }
}
