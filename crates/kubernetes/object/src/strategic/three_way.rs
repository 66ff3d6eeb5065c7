//! Three-way strategic merge patches, as kubectl and Helm create them.
//!
//! A patch adds and changes whatever the live object lacks, and deletes what the original had and
//! the target lacks. The metadata of fields are those of the Go types of Kubernetes 1.36, in
//! `patch-metadata.txt`, which `crates/kubernetes/object/patches` prints.
//!
//! Parity: `apimachinery: util/strategicpatch`, `CreateThreeWayMergePatch` with overwriting.

mod merge;

use std::collections::HashMap;
use std::sync::LazyLock;

use serde_json::{Map, json};

use crate::Value;

const METADATA: &str = include_str!("patch-metadata.txt");
const SET_ORDER: &str = "$setElementOrder/";
const DELETE_SCALARS: &str = "$deleteFromPrimitiveList/";
const RETAIN_KEYS: &str = "$retainKeys";

static TABLE: LazyLock<Table> = LazyLock::new(|| Table::parse(METADATA));

/// Why a patch could not be created.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiffError {
    /// An element of a list does not have the key that identifies it.
    #[error("an element of a list does not contain the declared merge key: {0}")]
    NoMergeKey(&'static str),
}

/// The type of a map, by the name of its Go type; `None` if none of its fields has metadata.
type TypeName = Option<&'static str>;

/// The metadata of a field.
#[derive(Debug, Clone, Copy, Default)]
struct Field {
    of: TypeName,
    merges: bool,
    replaces: bool,
    retains_keys: bool,
    key: &'static str,
}

#[derive(Debug, Default)]
struct Table {
    kinds: HashMap<(&'static str, &'static str), TypeName>,
    types: HashMap<&'static str, HashMap<&'static str, Field>>,
}

impl Table {
    fn parse(text: &'static str) -> Self {
        let mut table = Self::default();
        let mut current = "";
        let known = |name: &'static str| (name != "-").then_some(name);
        for line in text.lines() {
            let words: Vec<&'static str> = line.split(' ').collect();
            match words.as_slice() {
                ["k", version, kind, of] => {
                    table.kinds.insert((version, kind), known(of));
                }
                ["t", name] => current = name,
                ["f", name, of, strategies, key] => {
                    let has = |strategy: &str| strategies.split(',').any(|known| known == strategy);
                    let field = Field {
                        of: known(of),
                        merges: has("merge"),
                        replaces: has("replace"),
                        retains_keys: has("retainKeys"),
                        key,
                    };
                    table.types.entry(current).or_default().insert(name, field);
                }
                _ => {}
            }
        }
        table
    }

    fn field(&self, of: TypeName, name: &str) -> Field {
        let fields = of.and_then(|of| self.types.get(of));
        let field = fields.and_then(|fields| fields.get(name));
        field.copied().unwrap_or_default()
    }
}

/// Whether strategic patches exist for a kind: it is part of Kubernetes.
pub fn is_builtin(api_version: &str, kind: &str) -> bool {
    TABLE.kinds.contains_key(&(api_version, kind))
}

/// Creates the patch from an original to a target, compared with the live object.
///
/// `None` stands for no change. The kind of the target is a built-in one ([`is_builtin`]).
pub fn three_way(
    original: &Value,
    target: &Value,
    live: &Value,
) -> Result<Option<Value>, DiffError> {
    let text = |field: &str| target[field].as_str().unwrap_or_default();
    let kind = (text("apiVersion"), text("kind"));
    let of = TABLE.kinds.get(&kind).copied().flatten();
    let empty = Map::new();
    let map = |value: &'_ Value| value.as_object().cloned().unwrap_or_else(|| empty.clone());
    let (original, target, live) = (map(original), map(target), map(live));
    let delta = diff_maps(&live, &target, of, Mode::Additions, false)?;
    let mut patch = diff_maps(&original, &target, of, Mode::Deletions, false)?;
    merge::maps(&mut patch, delta, of);
    Ok((!patch.is_empty()).then_some(Value::Object(patch)))
}

/// The part of the difference that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Additions and changes.
    Additions,
    /// Deletions.
    Deletions,
}

type Fields = Map<String, Value>;

fn diff_maps(
    original: &Fields,
    modified: &Fields,
    of: TypeName,
    mode: Mode,
    retains_keys: bool,
) -> Result<Fields, DiffError> {
    let mut patch = Fields::new();
    for (key, value) in modified {
        match (original.get(key), value) {
            (Some(Value::Object(old)), Value::Object(new)) => {
                diff_field(key, old, new, of, mode, &mut patch)?;
            }
            (Some(Value::Array(old)), Value::Array(new)) => {
                diff_list(key, old, new, of, mode, &mut patch)?;
            }
            (Some(old), new) if old == new => {}
            _ if mode == Mode::Additions => {
                patch.insert(key.clone(), value.clone());
            }
            _ => {}
        }
    }
    if mode == Mode::Deletions {
        for key in original.keys().filter(|key| !modified.contains_key(*key)) {
            patch.insert(key.clone(), Value::Null);
        }
    }
    if retains_keys {
        let is_lost =
            |(key, value): (&String, &Value)| !value.is_null() && !modified.contains_key(key);
        let kept = modified.iter().filter(|(_, value)| !value.is_null());
        let mut kept: Vec<&String> = kept.map(|(key, _)| key).collect();
        if !kept.is_empty() && (!patch.is_empty() || original.iter().any(is_lost)) {
            kept.sort_unstable();
            patch.insert(RETAIN_KEYS.to_owned(), json!(kept));
        }
    }
    Ok(patch)
}

fn diff_field(
    key: &str,
    original: &Fields,
    modified: &Fields,
    of: TypeName,
    mode: Mode,
    patch: &mut Fields,
) -> Result<(), DiffError> {
    let field = TABLE.field(of, key);
    if field.replaces {
        if mode == Mode::Additions {
            patch.insert(key.to_owned(), Value::Object(modified.clone()));
        }
        return Ok(());
    }
    let below = diff_maps(original, modified, field.of, mode, field.retains_keys)?;
    if !below.is_empty() {
        patch.insert(key.to_owned(), Value::Object(below));
    }
    Ok(())
}

fn diff_list(
    key: &str,
    original: &[Value],
    modified: &[Value],
    of: TypeName,
    mode: Mode,
    patch: &mut Fields,
) -> Result<(), DiffError> {
    let field = TABLE.field(of, key);
    let mut replace = || {
        if mode == Mode::Additions && original != modified {
            patch.insert(key.to_owned(), modified.into());
        }
    };
    let mut all = original.iter().chain(modified);
    if !field.merges || original.is_empty() {
        replace();
    } else if all.all(Value::is_object) {
        let (changed, order) = diff_elements(original, modified, field, mode)?;
        if !changed.is_empty() {
            patch.insert(key.to_owned(), Value::Array(changed));
        }
        if let Some(order) = order {
            patch.insert(format!("{SET_ORDER}{key}"), Value::Array(order));
        }
    } else {
        let lacks = |list: &[Value], item: &Value| !list.contains(item);
        match mode {
            Mode::Additions if original != modified => {
                let added = modified.iter().filter(|item| lacks(original, item));
                let added: Vec<Value> = added.cloned().collect();
                if !added.is_empty() {
                    patch.insert(key.to_owned(), Value::Array(added));
                }
                patch.insert(format!("{SET_ORDER}{key}"), modified.into());
            }
            Mode::Additions => {}
            Mode::Deletions => {
                let deleted = original.iter().filter(|item| lacks(modified, item));
                let deleted: Vec<Value> = deleted.cloned().collect();
                if !deleted.is_empty() {
                    patch.insert(format!("{DELETE_SCALARS}{key}"), Value::Array(deleted));
                    patch.insert(format!("{SET_ORDER}{key}"), modified.into());
                }
            }
        }
    }
    Ok(())
}

/// The changed elements of a list of maps, and the order of all if it matters.
fn diff_elements(
    original: &[Value],
    modified: &[Value],
    field: Field,
    mode: Mode,
) -> Result<(Vec<Value>, Option<Vec<Value>>), DiffError> {
    let key = field.key;
    let old = keyed(original, key)?;
    let new = keyed(modified, key)?;
    let mut changed = Vec::new();
    // Elements of one key are paired by their places.
    let mut used = vec![false; old.len()];
    for (id, element) in &new {
        let pair = (0..old.len()).find(|index| !used[*index] && old[*index].0 == *id);
        match pair {
            Some(index) => {
                used[index] = true;
                let former = old[index].1;
                let mut below = diff_maps(former, element, field.of, mode, field.retains_keys)?;
                if !below.is_empty() {
                    below.insert(key.to_owned(), element[key].clone());
                    changed.push(Value::Object(below));
                }
            }
            None if mode == Mode::Additions => changed.push(Value::Object((*element).clone())),
            None => {}
        }
    }
    if mode == Mode::Deletions {
        let deleted = old.iter().zip(&used).filter(|(_, used)| !**used);
        changed.extend(
            deleted.map(|((_, element), _)| json!({ "$patch": "delete", (key): element[key] })),
        );
    }
    let is_same_order =
        old.len() == new.len() && old.iter().zip(&new).all(|((old, _), (new, _))| old == new);
    let has_order = !changed.is_empty() || (mode == Mode::Additions && !is_same_order);
    let order = has_order.then(|| {
        let elements = new.iter();
        elements
            .map(|(_, element)| json!({ (key): element[key] }))
            .collect()
    });
    Ok((changed, order))
}

/// Elements with the texts of their keys.
fn keyed<'v>(
    elements: &'v [Value],
    key: &'static str,
) -> Result<Vec<(String, &'v Fields)>, DiffError> {
    let elements = elements.iter().filter_map(Value::as_object);
    elements
        .map(|element| match element.get(key) {
            None => Err(DiffError::NoMergeKey(key)),
            Some(Value::String(text)) => Ok((text.clone(), element)),
            Some(other) => Ok((other.to_string(), element)),
        })
        .collect()
}

#[cfg(test)]
mod tests;
