//! Merges lists element by element, by keys or as a set of scalars.
//!
//! Parity: `kyaml: yaml/walk/associative_sequence.go`, and `ElementSetter`, `ElementMatcher`
//! and `FieldMatcher` in `yaml/fns.go`.

use std::collections::HashSet;

use sluice_yaml::tree::{Style, Text};

use super::MergeError;
use super::graph::{Kind, NodeId};
use super::walk::{Merge, Sources};
use crate::openapi::Schema;

type Result<T> = std::result::Result<T, MergeError>;

/// The values of an element for each key; empty where the key is missing.
type Values = Vec<Text>;

impl Merge<'_> {
    pub(super) fn walk_elements(
        &mut self,
        sources: Sources,
        schema: &Schema,
    ) -> Result<Option<NodeId>> {
        let Some(target) = self.visit_elements(sources)? else {
            return Ok(None);
        };
        let sources = Sources {
            target: Some(target),
            ..sources
        };
        let keys = schema.merge_keys().iter();
        let keys: Vec<Text> = keys.map(|key| Text::from(&**key)).collect();
        if keys.is_empty() {
            // A set of scalars is a list with one unnamed key.
            let values = self.distinct(sources, |merge, element| {
                vec![merge.graph[element].text.clone()]
            });
            return self.merge_elements(sources, schema, &[Text::default()], values, target);
        }
        let values = self.distinct(sources, |merge, element| {
            let value = |key: &Text| {
                let (_, value) = merge.graph.field(element, key)?;
                let named = !merge.graph.is_nil_or_empty(value);
                named.then(|| merge.graph[value].text.clone())
            };
            keys.iter()
                .map(|key| value(key).unwrap_or_default())
                .collect()
        });
        self.merge_elements(sources, schema, &keys, values, target)
    }

    /// The distinct values of all elements, the patch's first.
    fn distinct(&self, sources: Sources, values: impl Fn(&Self, NodeId) -> Values) -> Vec<Values> {
        let lists = [sources.patch, sources.target].into_iter().flatten();
        let elements = lists.flat_map(|list| &self.graph[list].children);
        let mut seen = HashSet::new();
        let mut distinct = Vec::new();
        for element in elements {
            let values = values(self, *element);
            if seen.insert(values.clone()) {
                distinct.push(values);
            }
        }
        distinct
    }

    fn merge_elements(
        &mut self,
        sources: Sources,
        schema: &Schema,
        keys: &[Text],
        mut all: Vec<Values>,
        target: NodeId,
    ) -> Result<Option<NodeId>> {
        let merged = self.graph.list();
        let schema = schema.elements(self.schemas);
        if keys.len() > 1 {
            join(&mut all);
        }
        let mut last_keys = Vec::new();
        for values in &all {
            let (used_keys, used_values) = used(&all, values, keys);
            let found = self.elements(sources, &used_keys, &used_values);
            let element = self.walk(found, schema.clone())?.node;
            last_keys.clone_from(&used_keys);
            let element = element.filter(|id| {
                let item = &self.graph[*id];
                let is_empty_map = item.kind == Kind::Mapping && item.children.is_empty();
                !self.graph.is_null(*id) && !is_empty_map
            });
            let Some(element) = element else {
                for _ in &used_keys {
                    self.set_element(target, &used_keys, &used_values, None)?;
                }
                continue;
            };
            for (key, value) in used_keys.iter().zip(&used_values) {
                if self.graph.field(element, key).is_none() && !value.is_empty() {
                    let value = self.graph.scalar(value.clone());
                    if key.is_empty() {
                        self.graph.set_scalar(element, value)?;
                    } else {
                        let style = Style::PLAIN;
                        self.graph
                            .set_field(element, key, Some(value), style, false)?;
                    }
                }
            }
            self.set_element(merged, &used_keys, &used_values, Some(element))?;
        }
        if all.is_empty() {
            return Ok(Some(target));
        }
        // The target's elements follow, and replace merged elements with equal keys.
        self.append(merged, target, &last_keys)?;
        Ok(Some(merged))
    }

    /// The first element with the given values, in each source.
    fn elements(&self, sources: Sources, keys: &[Text], values: &[Text]) -> Sources {
        let (keys, values) = used(&[values.to_vec()], values, keys);
        let first = |list: Option<NodeId>| {
            let list = list.filter(|id| self.graph[*id].kind == Kind::Sequence)?;
            let mut elements = self.graph[list].children.iter().copied();
            elements.find(|element| {
                if keys[0].is_empty() {
                    return self.graph[*element].text == values[0];
                }
                // Null has no fields, and elements that are not maps are skipped.
                let mut wanted = keys.iter().zip(&values);
                !self.graph.is_null(*element)
                    && wanted.all(|(key, value)| {
                        let field = self.graph.field(*element, key);
                        field.is_some_and(|(_, found)| self.graph[found].text == *value)
                    })
            })
        };
        Sources {
            target: first(sources.target),
            patch: first(sources.patch),
        }
    }

    /// Adds every element of a list to another. An element with equal keys is replaced.
    ///
    /// An element that lacks keys is appended once per missing key, and its other keys may remove
    /// elements afterwards. kyaml does the same.
    fn append(&mut self, list: NodeId, from: NodeId, keys: &[Text]) -> Result<()> {
        for element in self.graph[from].children.clone() {
            if keys[0].is_empty() {
                let value = self.graph[element].text.clone();
                self.set_element(list, keys, &[value], Some(element))?;
                continue;
            }
            let mut values = Vec::new();
            for key in keys {
                match self.graph.value(element, key)? {
                    Some(value) => values.push(self.graph[value].text.clone()),
                    None => self.graph[list].children.push(element),
                }
            }
            if keys.len() > 1 {
                self.set_element(list, keys, &values, None)?;
            }
            self.set_element(list, keys, &values, Some(element))?;
        }
        Ok(())
    }

    /// Replaces the elements with the given values, or removes them without a replacement. When
    /// nothing matches, the element is appended. Empty elements are removed.
    pub(super) fn set_element(
        &mut self,
        list: NodeId,
        keys: &[Text],
        values: &[Text],
        element: Option<NodeId>,
    ) -> Result<()> {
        let of_maps = keys.first().is_some_and(|key| !key.is_empty())
            && values.first().is_some_and(|value| !value.is_empty());
        let mut kept = Vec::new();
        let mut replaced = false;
        for id in self.graph[list].children.clone() {
            let item = &self.graph[id];
            let is_map = item.kind == Kind::Mapping;
            if self.graph.is_null(id) || (is_map && item.children.is_empty()) {
                continue;
            }
            if !is_map && of_maps {
                kept.push(id);
                continue;
            }
            if !self.has_values(id, keys, values)? {
                if !values.is_empty() {
                    kept.push(id);
                }
                continue;
            }
            replaced = true;
            kept.extend(element);
        }
        self.graph[list].children = kept;
        if let Some(element) = element.filter(|id| !replaced && !self.graph.is_null(*id)) {
            self.graph[list].children.push(element);
        }
        Ok(())
    }

    /// Whether an element has the value of each key. An empty value matches any. Missing values
    /// at the end are not compared.
    fn has_values(&self, element: NodeId, keys: &[Text], values: &[Text]) -> Result<bool> {
        for (key, value) in keys.iter().zip(values) {
            if key.is_empty() {
                self.graph.expect(Some(element), Kind::Scalar)?;
                if self.graph[element].text != *value {
                    return Ok(false);
                }
                continue;
            }
            let found = self.graph.value(element, key)?;
            let wanted = |id: NodeId| value.is_empty() || self.graph[id].text == *value;
            if !found.is_some_and(wanted) {
                return Ok(false);
            }
        }
        Ok(!values.is_empty())
    }
}

/// Fills in missing keys from elements that agree in the other keys.
fn join(all: &mut [Values]) {
    for first in 0..all.len() {
        let values = all[first].clone();
        for second in 0..all.len() {
            if let Some(joined) = joined(&values, &all[second]) {
                all[first].clone_from(&joined);
                all[second] = joined;
            }
        }
    }
}

fn joined(values: &[Text], others: &[Text]) -> Option<Values> {
    let mut agree = false;
    let mut joined = Vec::new();
    for (value, other) in values.iter().zip(others) {
        agree |= value == other;
        if value != other && !value.is_empty() && !other.is_empty() {
            return None;
        }
        joined.push(if value.is_empty() { other } else { value }.clone());
    }
    agree.then_some(joined)
}

/// The keys that any element has, with the values of this element. All keys if none has any.
fn used(all: &[Values], values: &[Text], keys: &[Text]) -> (Vec<Text>, Values) {
    let is_used = |index: usize| all.iter().any(|values| !values[index].is_empty());
    let indexes: Vec<usize> = (0..keys.len()).filter(|index| is_used(*index)).collect();
    if indexes.is_empty() {
        return (keys.to_vec(), values.to_vec());
    }
    let pick = |from: &[Text]| indexes.iter().map(|index| from[*index].clone()).collect();
    (pick(keys), pick(values))
}
