//! Two values to a list of changes, each with its path.
//!
//! A list whose entries have names is compared name by name. Any other list is compared by its
//! entries and their order.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};
use sluice_yaml::v2;

/// The fields that name the entries of a list, the best first.
const IDENTIFIERS: [&str; 4] = ["name", "key", "id", "manager"];

/// From how many entries on another field may name them, if its values are unique texts.
const UNUSUAL_IDENTIFIER: usize = 4;

/// A change at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The keys, names and indices that lead there; empty for the value as a whole.
    pub path: Vec<String>,
    /// The differences there.
    pub details: Vec<Detail>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Detail {
    /// Another value, or one of another type.
    Modified { from: Value, to: Value },
    /// A map or list of the entries that went.
    Removed(Value),
    /// A map or list of the entries that came.
    Added(Value),
    /// The entries that stayed, before and after.
    Reordered { from: Vec<Value>, to: Vec<Value> },
}

/// Compares two values.
pub fn compare(from: &Value, to: &Value) -> Vec<Change> {
    let mut changes = Vec::new();
    values(&mut Vec::new(), &printed(from), &printed(to), &mut changes);
    changes
}

/// The value as printed in YAML: the order of keys and the form of numbers.
fn printed(value: &Value) -> Value {
    v2::from_str(&v2::to_string(value)).unwrap_or_else(|_| value.clone())
}

fn values(path: &mut Vec<String>, from: &Value, to: &Value, changes: &mut Vec<Change>) {
    match (from, to) {
        (Value::Object(from), Value::Object(to)) => maps(path, from, to, changes),
        (Value::Array(from), Value::Array(to)) => lists(path, from, to, changes),
        (from, to) if from == to => {}
        (from, to) => changes.push(Change {
            path: path.clone(),
            details: vec![Detail::Modified {
                from: from.clone(),
                to: to.clone(),
            }],
        }),
    }
}

fn below(path: &mut Vec<String>, step: &str, from: &Value, to: &Value, changes: &mut Vec<Change>) {
    path.push(step.to_owned());
    values(path, from, to, changes);
    path.pop();
}

fn maps(
    path: &mut Vec<String>,
    from: &Map<String, Value>,
    to: &Map<String, Value>,
    changes: &mut Vec<Change>,
) {
    let only_in = |one: &Map<String, Value>, other: &Map<String, Value>| -> Map<String, Value> {
        one.iter()
            .filter(|(key, _)| !other.contains_key(*key))
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect()
    };
    let mut details = Vec::new();
    let removed = only_in(from, to);
    if !removed.is_empty() {
        details.push(Detail::Removed(removed.into()));
    }
    let added = only_in(to, from);
    if !added.is_empty() {
        details.push(Detail::Added(added.into()));
    }
    push(path, details, changes);
    for (key, value) in from {
        if let Some(counterpart) = to.get(key) {
            below(path, key, value, counterpart, changes);
        }
    }
}

fn push(path: &[String], details: Vec<Detail>, changes: &mut Vec<Change>) {
    if !details.is_empty() {
        changes.push(Change {
            path: path.to_vec(),
            details,
        });
    }
}

fn lists(path: &mut Vec<String>, from: &[Value], to: &[Value], changes: &mut Vec<Change>) {
    if let (Some(from), Some(to)) = names(from, to) {
        named_lists(path, &from, &to, changes);
    } else if let ([from], [to]) = (from, to) {
        below(path, "0", from, to, changes);
    } else {
        plain_lists(path, from, to, changes);
    }
}

/// An entry and its name.
type NamedEntry<'v> = (String, &'v Value);

/// The entries of two lists with their names, where all have one.
fn names<'v>(
    from: &'v [Value],
    to: &'v [Value],
) -> (Option<Vec<NamedEntry<'v>>>, Option<Vec<NamedEntry<'v>>>) {
    if from.is_empty() || to.is_empty() {
        // An entry with a name on one side only cannot be compared by name.
        let only = if from.is_empty() { to } else { from };
        if only.is_empty() || only.iter().any(|entry| object_name(entry).is_none()) {
            return (None, None);
        }
    }
    let identify = |field: &str| (by_field(from, field), by_field(to, field));
    for field in IDENTIFIERS {
        if let (Some(from), Some(to)) = identify(field) {
            return (Some(from), Some(to));
        }
    }
    if from.len() >= UNUSUAL_IDENTIFIER {
        let first = from.first().and_then(Value::as_object);
        for (field, _) in first.into_iter().flatten() {
            if let (Some(from), Some(to)) = identify(field)
                && is_text(&from, field)
                && is_text(&to, field)
            {
                return (Some(from), Some(to));
            }
        }
    }
    let objects = |list: &'v [Value]| -> Option<Vec<NamedEntry<'v>>> {
        list.iter()
            .map(|entry| Some((object_name(entry)?, entry)))
            .collect()
    };
    (objects(from), objects(to))
}

/// The entries by a field, if each has it and no two have it alike.
fn by_field<'v>(list: &'v [Value], field: &str) -> Option<Vec<NamedEntry<'v>>> {
    let mut seen = HashSet::new();
    let named: Option<Vec<NamedEntry<'v>>> = list
        .iter()
        .map(|entry| {
            let name = scalar(entry.as_object()?.get(field)?);
            seen.insert(name.clone()).then_some((name, entry))
        })
        .collect();
    named.filter(|named| !named.is_empty())
}

fn is_text(named: &[NamedEntry<'_>], field: &str) -> bool {
    named
        .iter()
        .all(|(_, entry)| entry.get(field).is_some_and(Value::is_string))
}

/// Type, namespace and name of an entry that is a Kubernetes object.
fn object_name(entry: &Value) -> Option<String> {
    let metadata = entry.get("metadata")?;
    let mut words = vec![scalar(entry.get("apiVersion")?), scalar(entry.get("kind")?)];
    words.extend(metadata.get("namespace").map(scalar));
    words.push(scalar(metadata.get("name")?));
    Some(words.join("/"))
}

/// A scalar as in YAML, without quotes. Collections have no such text.
pub(super) fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(_) => v2::to_string(value).trim_end().to_owned(),
        Value::Array(_) | Value::Object(_) => String::new(),
    }
}

fn named_lists(
    path: &mut Vec<String>,
    from: &[NamedEntry<'_>],
    to: &[NamedEntry<'_>],
    changes: &mut Vec<Change>,
) {
    let index = |list: &[NamedEntry<'_>]| -> HashMap<String, usize> {
        let mut index = HashMap::new();
        for (place, (name, _)) in list.iter().enumerate() {
            index.entry(name.clone()).or_insert(place);
        }
        index
    };
    let (before, after) = (index(from), index(to));
    let split = |list: &[NamedEntry<'_>], other: &HashMap<String, usize>| {
        let (common, own): (Vec<_>, Vec<_>) = list
            .iter()
            .partition::<Vec<_>, _>(|(name, _)| other.contains_key(name));
        let common: Vec<Value> = common
            .into_iter()
            .map(|(name, _)| name.as_str().into())
            .collect();
        let own: Vec<Value> = own.into_iter().map(|(_, entry)| (*entry).clone()).collect();
        (common, own)
    };
    let (common_before, removed) = split(from, &after);
    let (common_after, added) = split(to, &before);
    push(
        path,
        packed(
            (common_before != common_after).then_some((common_before, common_after)),
            removed,
            added,
        ),
        changes,
    );
    for (name, entry) in from {
        if let Some(&place) = after.get(name) {
            below(path, name, entry, to[place].1, changes);
        }
    }
}

fn plain_lists(path: &[String], from: &[Value], to: &[Value], changes: &mut Vec<Change>) {
    let texts = |list: &[Value]| -> Vec<String> { list.iter().map(content).collect() };
    let (before, after) = (texts(from), texts(to));
    let counts = |texts: &[String]| -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for text in texts {
            *counts.entry(text.clone()).or_default() += 1;
        }
        counts
    };
    let (count_before, count_after) = (counts(&before), counts(&after));
    // Entries that one side has more often, at their first place, with the number of repetitions.
    let surplus =
        |list: &[Value], texts: &[String], own: &HashMap<_, usize>, other: &HashMap<_, _>| {
            let mut told = HashSet::new();
            let mut surplus = Vec::new();
            for (value, text) in list.iter().zip(texts) {
                let there: usize = other.get(text).copied().unwrap_or_default();
                if there == 0 {
                    surplus.push(value.clone());
                } else if told.insert(text.clone()) {
                    let more = own[text].saturating_sub(there);
                    surplus.extend(std::iter::repeat_n(value.clone(), more));
                }
            }
            surplus
        };
    let removed = surplus(from, &before, &count_before, &count_after);
    let added = surplus(to, &after, &count_after, &count_before);
    let common = |list: &[Value], texts: &[String], other: &HashMap<String, usize>| -> Vec<Value> {
        list.iter()
            .zip(texts)
            .filter(|(_, text)| other.contains_key(*text))
            .map(|(value, _)| value.clone())
            .collect()
    };
    let stayed = (
        common(from, &before, &count_after),
        common(to, &after, &count_before),
    );
    let moved = stayed.0.len() == stayed.1.len()
        && stayed
            .0
            .iter()
            .zip(&stayed.1)
            .any(|(from, to)| content(from) != content(to));
    push(
        path,
        packed(moved.then_some(stayed), removed, added),
        changes,
    );
}

/// The content of an entry as text, by which entries are found again. Types do not count.
fn content(value: &Value) -> String {
    fn untyped(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(untyped).collect(),
            Value::Object(fields) => fields
                .iter()
                .map(|(key, value)| (key.clone(), untyped(value)))
                .collect::<Map<_, _>>()
                .into(),
            scalar_value => scalar(scalar_value).into(),
        }
    }
    untyped(value).to_string()
}

fn packed(
    moved: Option<(Vec<Value>, Vec<Value>)>,
    removed: Vec<Value>,
    added: Vec<Value>,
) -> Vec<Detail> {
    let mut details = Vec::new();
    details.extend(moved.map(|(from, to)| Detail::Reordered { from, to }));
    if !removed.is_empty() {
        details.push(Detail::Removed(removed.into()));
    }
    if !added.is_empty() {
        details.push(Detail::Added(added.into()));
    }
    details
}
