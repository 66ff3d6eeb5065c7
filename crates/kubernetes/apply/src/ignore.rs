//! Fields that other managers control: `spec.ignore` of a Kustomization.
//!
//! [`IgnoreRules`] select fields (JSON pointers) of objects. A difference in such a field alone is
//! not drift. When an object is written for another reason, the payload must not take the field
//! back. If another manager *applies* the field, the payload omits it, which ends our ownership.
//! Otherwise the payload contains the live value, because omitting it would remove the field.
//!
//! Rules do not apply to objects that are created, and pointers to missing fields have no effect.
//! Parity: `pkg: ssa/manager_apply.go`. Flux only uses the last of several rules without a target.

use serde_json::Map;
use sluice_api::kustomize;
use sluice_golang::regexp::{self, PatternError, Regex};
use sluice_object::selector::{InvalidSelector, Selector};
use sluice_object::{Object, Value};

use crate::fields;

/// Maximum size of a compiled pattern.
const MAX_PATTERN_BYTES: usize = 1 << 20;

/// A rule as written.
#[derive(Clone, Copy, Debug, Default)]
pub struct IgnoreRule<'a> {
    /// JSON pointers to the fields.
    pub paths: &'a [String],
    /// The objects; all objects when absent.
    pub target: Option<IgnoreTarget<'a>>,
}

/// The objects of a rule. The first five fields are patterns for the whole text. Empty fields match
/// everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct IgnoreTarget<'a> {
    /// Pattern for the API group.
    pub group: &'a str,
    /// Pattern for the version without its group.
    pub version: &'a str,
    /// Pattern for the kind.
    pub kind: &'a str,
    /// Pattern for the name.
    pub name: &'a str,
    /// Pattern for the namespace.
    pub namespace: &'a str,
    /// Label selector in the syntax of `kubectl get --selector`.
    pub label_selector: &'a str,
    /// Annotation selector in the same syntax.
    pub annotation_selector: &'a str,
}

impl<'a> From<&'a kustomize::IgnoreRule> for IgnoreRule<'a> {
    fn from(rule: &'a kustomize::IgnoreRule) -> Self {
        fn text(field: Option<&String>) -> &str {
            field.map(String::as_str).unwrap_or_default()
        }
        Self {
            paths: &rule.paths,
            target: rule.target.as_ref().map(|target| IgnoreTarget {
                group: text(target.group.as_ref()),
                version: text(target.version.as_ref()),
                kind: text(target.kind.as_ref()),
                name: text(target.name.as_ref()),
                namespace: text(target.namespace.as_ref()),
                label_selector: text(target.label_selector.as_ref()),
                annotation_selector: text(target.annotation_selector.as_ref()),
            }),
        }
    }
}

/// Why a rule is invalid, in Flux's words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("failed to create ignore rule selector: invalid {part}: {reason}")]
pub struct InvalidIgnoreRule {
    part: String,
    reason: String,
}

/// Parsed rules.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IgnoreRules(Vec<Rule>);

#[derive(Clone, Debug, PartialEq)]
struct Rule {
    paths: Vec<Pointer>,
    target: Option<TargetMatcher>,
}

/// A collection that contains a value.
enum Parent<'o> {
    Fields(&'o mut Map<String, Value>),
    Items(&'o mut Vec<Value>),
}

/// A decoded JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pointer(Vec<String>);

#[derive(Clone, Debug, Default, PartialEq)]
struct TargetMatcher {
    group: Option<Pattern>,
    version: Option<Pattern>,
    kind: Option<Pattern>,
    name: Option<Pattern>,
    namespace: Option<Pattern>,
    labels: Selector,
    annotations: Selector,
}

#[derive(Clone, Debug)]
struct Pattern(Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl IgnoreRules {
    /// Parses rules.
    pub fn new<'a>(
        rules: impl IntoIterator<Item = IgnoreRule<'a>>,
    ) -> Result<Self, InvalidIgnoreRule> {
        rules
            .into_iter()
            .map(|rule| {
                Ok(Rule {
                    paths: rule
                        .paths
                        .iter()
                        .filter_map(|path| Pointer::new(path))
                        .collect(),
                    target: rule.target.map(TargetMatcher::new).transpose()?,
                })
            })
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// A copy of an object without the ignored fields.
    pub fn strip(&self, object: &Object) -> Object {
        without(object, &self.fields_of(object))
    }

    /// The ignored fields of an object.
    pub(crate) fn fields_of(&self, object: &Object) -> Vec<&Pointer> {
        self.0
            .iter()
            .filter(|rule| {
                rule.target
                    .as_ref()
                    .is_none_or(|target| target.matches(object))
            })
            .flat_map(|rule| &rule.paths)
            .collect()
    }
}

impl TargetMatcher {
    fn new(written: IgnoreTarget<'_>) -> Result<Self, InvalidIgnoreRule> {
        Ok(Self {
            group: pattern("group", written.group)?,
            version: pattern("version", written.version)?,
            kind: pattern("kind", written.kind)?,
            name: pattern("name", written.name)?,
            namespace: pattern("namespace", written.namespace)?,
            labels: selector("label selector", written.label_selector)?,
            annotations: selector("annotation selector", written.annotation_selector)?,
        })
    }

    fn matches(&self, object: &Object) -> bool {
        let fits = |pattern: &Option<Pattern>, text: &str| {
            pattern
                .as_ref()
                .is_none_or(|pattern| pattern.0.is_match(text))
        };
        fits(&self.namespace, object.namespace())
            && fits(&self.name, object.name())
            && fits(&self.group, object.group())
            && fits(&self.version, object.version())
            && fits(&self.kind, object.kind())
            && self.labels.matches(|key| object.label(key))
            && self.annotations.matches(|key| object.annotation(key))
    }
}

fn pattern(field: &str, text: &str) -> Result<Option<Pattern>, InvalidIgnoreRule> {
    if text.is_empty() {
        return Ok(None);
    }
    regexp::compile(&format!("^(?:{text})$"), MAX_PATTERN_BYTES)
        .map(|regex| Some(Pattern(regex)))
        .map_err(|error: PatternError| InvalidIgnoreRule {
            part: format!("{field} regex"),
            reason: error.to_string(),
        })
}

fn selector(part: &str, text: &str) -> Result<Selector, InvalidIgnoreRule> {
    Selector::parse(text).map_err(|error: InvalidSelector| InvalidIgnoreRule {
        part: part.to_owned(),
        reason: error.to_string(),
    })
}

impl Pointer {
    /// Parses a pointer. A text without a leading slash is ignored.
    fn new(text: &str) -> Option<Self> {
        let segments = text.strip_prefix('/')?.split('/');
        let unescaped = segments.map(|segment| segment.replace("~1", "/").replace("~0", "~"));
        Some(Self(unescaped.collect()))
    }

    fn find<'v>(&self, object: &'v Object) -> Option<&'v Value> {
        let (first, rest) = self.0.split_first()?;
        rest.iter()
            .try_fold(object.get(first)?, |value, segment| step(value, segment))
    }

    /// Removes the field.
    fn remove(&self, object: &mut Object) {
        let Some((parent, last)) = self.parent_in(object) else {
            return;
        };
        match parent {
            Parent::Fields(fields) => drop(fields.shift_remove(last)),
            Parent::Items(items) => {
                if let Some(index) = index(last).filter(|index| *index < items.len()) {
                    items.remove(index);
                }
            }
        }
    }

    /// Sets the field. In lists it only replaces an existing item.
    fn set(&self, object: &mut Object, value: Value) {
        let Some((parent, last)) = self.parent_in(object) else {
            return;
        };
        match parent {
            Parent::Fields(fields) => drop(fields.insert(last.to_owned(), value)),
            Parent::Items(items) => {
                if let Some(item) = index(last).and_then(|index| items.get_mut(index)) {
                    *item = value;
                }
            }
        }
    }

    /// Returns the collection of the field and the last segment.
    fn parent_in<'o>(&self, object: &'o mut Object) -> Option<(Parent<'o>, &str)> {
        let (last, parents) = self.0.split_last()?;
        let Some((first, rest)) = parents.split_first() else {
            return Some((Parent::Fields(object.as_map_mut()), last));
        };
        let parent = object.as_map_mut().get_mut(first)?;
        let parent = rest
            .iter()
            .try_fold(parent, |value, segment| step_mut(value, segment))?;
        match parent {
            Value::Object(fields) => Some((Parent::Fields(fields), last)),
            Value::Array(items) => Some((Parent::Items(items), last)),
            _ => None,
        }
    }

    /// Converts the pointer to the path in a field set, where list items have keys instead of
    /// indexes. `None` when `sets` do not contain the item.
    fn in_fields(&self, live: &Object, sets: &[&Map<String, Value>]) -> Option<Vec<String>> {
        let mut path = Vec::with_capacity(self.0.len());
        let mut at: Option<&Value> = None;
        for (depth, segment) in self.0.iter().enumerate() {
            let item = at
                .and_then(Value::as_array)
                .and_then(|items| items.get(index(segment)?));
            path.push(match at {
                Some(Value::Array(_)) => fields::key_of(sets, &path, item?)?,
                _ => format!("f:{segment}"),
            });
            at = match depth {
                0 => live.get(segment),
                _ => at.and_then(|value| step(value, segment)),
            };
        }
        Some(path)
    }
}

fn step<'v>(value: &'v Value, segment: &str) -> Option<&'v Value> {
    match value {
        Value::Object(fields) => fields.get(segment),
        Value::Array(items) => items.get(index(segment)?),
        _ => None,
    }
}

fn step_mut<'v>(value: &'v mut Value, segment: &str) -> Option<&'v mut Value> {
    match value {
        Value::Object(fields) => fields.get_mut(segment),
        Value::Array(items) => items.get_mut(index(segment)?),
        _ => None,
    }
}

fn index(segment: &str) -> Option<usize> {
    segment.parse().ok()
}

/// Returns an object without some of its fields.
pub(crate) fn without(object: &Object, fields: &[&Pointer]) -> Object {
    let mut rest = object.clone();
    for field in fields {
        field.remove(&mut rest);
    }
    rest
}

/// Returns the payload that leaves ignored fields unchanged, or `None` without differences in them.
///
/// `is_other` selects the managers that are neither we nor taken over.
pub(crate) fn payload(
    desired: &Object,
    live: &Object,
    dry_run: &Object,
    ignored: &[&Pointer],
    is_other: impl Fn(&Value) -> bool,
) -> Option<Object> {
    let entries = live
        .at(&["metadata", "managedFields"])
        .and_then(Value::as_array);
    let applied: Vec<(&Value, &Map<String, Value>)> = entries
        .into_iter()
        .flatten()
        .filter(|entry| {
            entry.get("operation").and_then(Value::as_str) == Some("Apply")
                && entry
                    .get("subresource")
                    .and_then(Value::as_str)
                    .unwrap_or_default()
                    .is_empty()
        })
        .filter_map(|entry| Some((entry, entry.get("fieldsV1")?.as_object()?)))
        .collect();
    let sets: Vec<&Map<String, Value>> = applied.iter().map(|(_, set)| *set).collect();
    let differing: Vec<&Pointer> = ignored
        .iter()
        .copied()
        .filter(|field| field.find(live) != field.find(dry_run))
        .collect();
    if differing.is_empty() {
        return None;
    }
    let is_theirs = |field: &Pointer| {
        field.in_fields(live, &sets).is_some_and(|path| {
            applied
                .iter()
                .any(|(entry, set)| is_other(entry) && fields::contains(set, &path))
        })
    };
    let mut payload = desired.clone();
    for field in &differing {
        if is_theirs(field) {
            field.remove(&mut payload);
        }
    }
    for field in &differing {
        if !is_theirs(field) {
            match field.find(live) {
                Some(value) => field.set(&mut payload, value.clone()),
                // Another manager removed the field; sending it would restore it.
                None => field.remove(&mut payload),
            }
        }
    }
    Some(payload)
}

#[cfg(test)]
mod tests;
