//! `vars`: substitutes `$(NAME)` with fields of resources.
//!
//! Vars are collected from bases upwards. [`Variables::add`] attaches each var to its resource once
//! its kustomization has been accumulated. It uses the resource's name at that time. Duplicate
//! names are an error. At the end of the build, when names are final, [`Variables::resolve`]
//! substitutes the values in the fields of the table.
//!
//! Parity: kustomize: `api/internal/accumulator` (`resaccumulator.go`,
//! `refvartransformer.go`), `api/filters/refvar`, and `GetFieldValue` of
//! `kyaml/yaml/rnode.go`.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use sluice_golang::{boolean, number};
use sluice_yaml::tree::{Content, Node, Tag, Text};

use crate::configuration::FieldSpec;
use crate::error::{Code, Error};
use crate::growth::{GrowthBudget, GrowthError};
use crate::id::{Gvk, Id};
use crate::kustomization::fields::{Var, VarTarget};
use crate::resource::Resource;
use crate::resource_map::ResourceMap;
use crate::transform::field_error::FieldError;
use crate::transform::fieldspec::Field;
use crate::transform::{path, twins};

mod expand;

use expand::Expansion;

/// The default field of a var.
const NAME_FIELD: &str = "metadata.name";

/// The vars of a kustomization and its bases.
#[derive(Debug, Clone, Default)]
pub(crate) struct Variables(BTreeMap<String, Variable>);

#[derive(Debug, Clone)]
struct Variable {
    gvk: Gvk,
    field: String,
}

/// The value of a var.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(Text),
    Int(i64),
    Float(f64),
    Bool(bool),
    /// A collection, which cannot be substituted.
    Collection,
}

/// Returns the type of a var's resource; `apiVersion` takes precedence over its parts.
fn target_type(target: &VarTarget) -> Gvk {
    let mut words = target.api_version.split('/');
    let (group, version) = match (words.next(), words.next(), words.next()) {
        _ if target.api_version.is_empty() => (target.group.as_str(), target.version.as_str()),
        (Some(group), Some(version), None) => (group, version),
        (Some(version), None, None) => (target.group.as_str(), version),
        _ => (target.group.as_str(), target.version.as_str()),
    };
    Gvk::from_parts(group, version, &target.kind)
}

/// Formats a var as Go prints its struct.
fn format_var(name: &str, gvk: &Gvk, field: &str) -> String {
    format!("{{{name} {gvk} {{{field}}}}}")
}

impl Variables {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds the vars of a kustomization, and attaches each to its resource.
    pub(crate) fn add(&mut self, vars: &[Var], resources: &mut ResourceMap) -> Result<(), Error> {
        for var in vars {
            let gvk = target_type(&var.objref);
            let wanted = Id {
                gvk: gvk.clone(),
                name: Text::from(&var.objref.name),
                namespace: Text::from(&var.objref.namespace),
                cluster_scoped: false,
            };
            let is_match = |id: &Id| {
                wanted.is_same_type_and_name(id)
                    && (wanted.namespace.is_empty() || wanted.is_same_namespace(id))
            };
            let mut meant = resources.iter().enumerate().filter(|(_, resource)| {
                !resource.is_empty()
                    && (is_match(&resource.cur_id())
                        || resource.previous_ids().any(|id| is_match(&id)))
            });
            let place = meant.next().map(|(place, _)| place);
            let others = meant.count();
            if others > 0 {
                let shown = format_var(&var.name, &gvk, &var.fieldref.field_path);
                let message = format!(
                    "found {} resId matches for var {shown} (unable to disambiguate)",
                    others + 1
                );
                return Err(Error::new(Code::VarAmbiguous, message));
            }
            if let Some(place) = place {
                resources.edit(place, |resource| resource.add_variable(&var.name));
            }
        }
        for var in vars {
            let field = match var.fieldref.field_path.as_str() {
                "" => NAME_FIELD.to_owned(),
                path => path.to_owned(),
            };
            let gvk = target_type(&var.objref);
            self.insert(&var.name, Variable { gvk, field })?;
        }
        Ok(())
    }

    /// Adds the vars of a base.
    pub(crate) fn merge(&mut self, other: Self) -> Result<(), Error> {
        let mut others = other.0.into_iter();
        others.try_for_each(|(name, variable)| self.insert(&name, variable))
    }

    fn insert(&mut self, name: &str, variable: Variable) -> Result<(), Error> {
        match self.0.entry(name.to_owned()) {
            Entry::Vacant(vacant) => {
                vacant.insert(variable);
                Ok(())
            }
            Entry::Occupied(_) => {
                let message = format!("var '{name}' already encountered");
                Err(Error::new(Code::VarDuplicate, message))
            }
        }
    }

    /// Substitutes the values in the fields. Returns the names of unused vars.
    pub(crate) fn resolve(
        &self,
        resources: &mut ResourceMap,
        fields: &[FieldSpec],
    ) -> Result<Vec<String>, Error> {
        if self.is_empty() {
            return Ok(Vec::new());
        }
        let mut values = Values {
            known: BTreeMap::new(),
            growth: resources.growth(),
        };
        let readers = readers(resources);
        for (name, variable) in &self.0 {
            let place = readers.get(name.as_str()).copied();
            let value = value_of(name, variable, place.map(|place| resources.get(place)))?;
            values.known.insert(name.clone(), (value, 0));
        }
        let fields = Field::all(fields, &resources.growth());
        for resource in resources.iter_mut() {
            let gvk = resource.gvk();
            for field in fields.iter().filter(|field| field.is_in(&gvk)) {
                values.put_into(resource, field)?;
            }
        }
        let unused = values.known.into_iter().filter(|(_, (_, uses))| *uses == 0);
        Ok(unused.map(|(name, _)| name).collect())
    }
}

/// Returns the first resource of each var.
fn readers(resources: &ResourceMap) -> BTreeMap<Text, usize> {
    let mut readers = BTreeMap::new();
    for (place, resource) in resources.iter().enumerate() {
        for name in resource.variables() {
            readers.entry(name.clone()).or_insert(place);
        }
    }
    readers
}

fn value_of(name: &str, variable: &Variable, resource: Option<&Resource>) -> Result<Value, Error> {
    let shown = || format_var(name, &variable.gvk, &variable.field);
    let Some(resource) = resource else {
        let message = format!(
            "var '{}' cannot be mapped to a field in the set of known resources",
            shown()
        );
        return Err(Error::new(Code::VarUnmapped, message));
    };
    field_value(resource.node(), &variable.field).ok_or_else(|| {
        let message = format!(
            "field specified in var '{}' not found in corresponding resource",
            shown()
        );
        Error::new(Code::VarUnmapped, message)
    })
}

/// Returns the value of a field, typed by its tag. Upstream has one message for all errors.
fn field_value(root: &Node, field: &str) -> Option<Value> {
    let mut parts = Vec::new();
    for part in path::split_bracketed(field) {
        match index_at_end(&part) {
            Some((name, index)) => {
                if !name.is_empty() {
                    parts.push(name.to_owned());
                }
                parts.push(index.to_owned());
            }
            None => parts.push(part),
        }
    }
    let node = path::lookup(root, &parts).ok()??;
    let Content::Scalar(text) = &node.content else {
        return Some(Value::Collection);
    };
    match node.tag {
        Tag::Int => text.parse().ok().map(Value::Int),
        Tag::Float => number::parse_float(text).map(Value::Float),
        Tag::Bool => boolean::parse(text).ok().map(Value::Bool),
        _ => Some(Value::Text(text.clone())),
    }
}

/// Parses `ports[0]`.
fn index_at_end(part: &str) -> Option<(&str, &str)> {
    let (name, index) = part.strip_suffix(']')?.rsplit_once('[')?;
    let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((name, index))
}

/// The values by name, with the number of uses.
#[derive(Debug)]
struct Values {
    known: BTreeMap<String, (Value, usize)>,
    growth: GrowthBudget,
}

impl Values {
    fn put_into(&mut self, resource: &mut Resource, field: &Field) -> Result<(), Error> {
        if field.marks_lists() {
            field.visit(resource, None, &mut |_| Ok(()))?;
        }
        let mut changes = Vec::new();
        field.seek(resource, &mut |node, location| {
            self.look(node, location, &mut changes)
        })?;
        for (location, value) in changes {
            let root = resource.node_mut();
            let node = path::at_mut(root, &location).expect("the location was just found");
            put(node, value);
            let written = node.clone();
            twins::copy_to_twins(root, &written);
        }
        Ok(())
    }

    fn look(
        &mut self,
        node: &Node,
        location: &[usize],
        changes: &mut Vec<(Vec<usize>, Expansion)>,
    ) -> Result<(), FieldError> {
        if node.is_null() {
            return Ok(());
        }
        let mut replace = |node: &Node, below: Option<usize>| {
            let text = node.as_str().unwrap_or_default();
            if text.contains('$') || node.tag != Tag::Str {
                let location = location.iter().copied().chain(below).collect();
                changes.push((location, self.replaced(text)?));
            }
            Ok::<_, FieldError>(())
        };
        match &node.content {
            Content::Scalar(_) if node.is_str() => replace(node, None)?,
            Content::Scalar(_) | Content::Alias(_) => {}
            Content::Mapping(entries) => {
                for (position, (key, value)) in entries.iter().enumerate() {
                    if !key.is_str() {
                        let message = format!(
                            "invalid map key: value='{}', tag='{}'",
                            key.key_text(),
                            key.tag
                        );
                        return Err(FieldError::new(message));
                    }
                    if value.is_str() {
                        replace(value, Some(position))?;
                    }
                }
            }
            Content::Sequence(items) => {
                for (position, item) in items.iter().enumerate() {
                    if !item.is_str() {
                        return Err(FieldError::new("invalid value type expect a string"));
                    }
                    replace(item, Some(position))?;
                }
            }
        }
        Ok(())
    }

    fn replaced(&mut self, text: &str) -> Result<Expansion, GrowthError> {
        let replaced = expand::expand(text, &mut |name| {
            let (value, uses) = self.known.get_mut(name)?;
            if *value == Value::Collection {
                return None;
            }
            *uses += 1;
            if let Value::Text(text) = value {
                self.growth.add(text.len() as u64).ok()?;
            }
            Some(value.clone())
        });
        self.growth.check()?;
        Ok(replaced)
    }
}

/// Sets a scalar to a substituted value in plain style.
fn put(node: &mut Node, replaced: Expansion) {
    let (text, tag) = match replaced {
        Expansion::Text(text) => (Text::from(text), Tag::Str),
        Expansion::Value(Value::Int(value)) => (Text::from(value.to_string()), Tag::Int),
        Expansion::Value(Value::Float(value)) => (Text::from(value.to_string()), Tag::Float),
        Expansion::Value(Value::Bool(value)) => (Text::from(value.to_string()), Tag::Bool),
        Expansion::Value(Value::Text(text)) => (text, Tag::Str),
        Expansion::Value(Value::Collection) => return,
    };
    let style = sluice_yaml::tree::Style::PLAIN;
    node.content = Content::Scalar(text);
    node.tag = tag;
    node.style = style;
}
