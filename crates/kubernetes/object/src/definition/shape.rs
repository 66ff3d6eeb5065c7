//! Whether an object can be read as one of its kind: the fields that it has, and of which types
//! their values are.
//!
//! A server-side apply begins with this, and goes no further if it fails. Formats, bounds and all
//! that is said of values are not looked at, and a null passes for anything.

use std::collections::{HashMap, HashSet};

use serde_json::Map;

use super::schema::{Additional, Node};
use super::{Budget, Exhausted, metadata, print};
use crate::Value;

/// What it costs to tell of a fault.
const FAULT: usize = 1000;

/// The faults, as the server lists them, if there are any.
pub(super) fn check(
    schema: &Node,
    object: &Value,
    budget: &mut Budget,
) -> Result<Option<String>, Exhausted> {
    let mut shape = Shape {
        budget,
        faults: Vec::new(),
    };
    let root = Place {
        is_object: true,
        ..Place::of(schema, false)
    };
    shape.look(root, object, "")?;
    Ok(match shape.faults.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("errors:\n  {}", several.join("\n  "))),
    })
}

struct Shape<'b> {
    budget: &'b mut Budget,
    faults: Vec<String>,
}

/// A place in the schema, with what it has from the places around it.
#[derive(Clone, Copy)]
struct Place<'n> {
    node: &'n Node,
    keeps_unknown: bool,
    /// Whether it is a whole object, whose metadata need not be declared.
    is_object: bool,
}

/// What a field or an item may be.
enum Below<'n> {
    Place(Place<'n>),
    Anything,
    Undeclared,
}

impl<'n> Place<'n> {
    fn of(node: &'n Node, keeps_unknown: bool) -> Self {
        Self {
            node,
            keeps_unknown: keeps_unknown || node.keeps_unknown,
            is_object: node.is_embedded,
        }
    }

    fn field(&self, name: &str) -> Below<'n> {
        let below = |node| Below::Place(Self::of(node, self.keeps_unknown));
        if self.is_object
            && let Some(node) = metadata::schema_of(name)
        {
            // The schema of metadata comes from elsewhere, and keeps nothing.
            return Below::Place(Self::of(node, false));
        }
        if let Some(node) = self.node.properties.get(name) {
            return below(node);
        }
        match &self.node.additional {
            Additional::Of(node) => below(node),
            Additional::Allowed(true) => Below::Anything,
            Additional::Allowed(false) => Below::Undeclared,
            Additional::Unsaid => {
                let is_free = self.node.properties.is_empty() && !self.is_object;
                if is_free || self.keeps_unknown {
                    Below::Anything
                } else {
                    Below::Undeclared
                }
            }
        }
    }
}

impl Shape<'_> {
    fn fault(&mut self, path: &str, message: &str) -> Result<(), Exhausted> {
        self.budget.charge(FAULT + path.len() + message.len())?;
        self.faults.push(if path.is_empty() {
            message.to_owned()
        } else {
            format!("{path}: {message}")
        });
        Ok(())
    }

    fn look(&mut self, place: Place<'_>, value: &Value, path: &str) -> Result<(), Exhausted> {
        self.budget.charge(10 + path.len())?;
        let expected = match (place.node.kind.as_str(), value) {
            ("" | "object", Value::Object(fields)) => return self.fields(place, fields, path),
            ("" | "array", Value::Array(items)) => return self.items(place, items, path),
            (_, Value::Null)
            | ("integer" | "number", Value::Number(_))
            | ("boolean", Value::Bool(_))
            | ("string", Value::String(_)) => return Ok(()),
            ("string", value) if is_scalar_of_a_format(place.node) => match value {
                Value::Array(_) | Value::Object(_) => {
                    format!("expected any scalar, got {}", print::plain(value))
                }
                _ => return Ok(()),
            },
            ("object", value) => format!("expected map, got {}", print::plain(value)),
            ("array", value) => format!("expected list, got {}", print::plain(value)),
            ("integer" | "number", value) => {
                let found = print::type_name(value);
                format!("expected numeric (int or float), got {found}")
            }
            ("boolean", value) => format!("expected boolean, got {}", print::plain(value)),
            ("string", value) => format!("expected string, got {}", print::literal(value)),
            // Anything, or a type that no definition can have.
            _ => return Ok(()),
        };
        self.fault(path, &expected)
    }

    fn fields(
        &mut self,
        place: Place<'_>,
        fields: &Map<String, Value>,
        path: &str,
    ) -> Result<(), Exhausted> {
        for (name, value) in fields {
            let path = format!("{path}.{name}");
            match place.field(name) {
                Below::Place(place) => self.look(place, value, &path)?,
                Below::Anything => {}
                Below::Undeclared => self.fault(&path, "field not declared in schema")?,
            }
        }
        Ok(())
    }

    fn items(&mut self, place: Place<'_>, items: &[Value], path: &str) -> Result<(), Exhausted> {
        let below = place.node.items.as_deref();
        let below = below.map(|node| Place::of(node, place.keeps_unknown));
        let mut known = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            let part = if place.node.is_associative() {
                match part_of(place.node, item) {
                    Ok(part) => part,
                    Err(problem) => {
                        // The others cannot be told apart from it.
                        return self.fault(path, &format!("element {index}: {problem}"));
                    }
                }
            } else {
                format!("[{index}]")
            };
            if place.node.is_associative() && !known.insert(part.clone()) {
                self.fault(path, &format!("duplicate entries for key {part}"))?;
            }
            if let Some(below) = below {
                self.look(below, item, &format!("{path}{part}"))?;
            } else {
                self.budget.charge(1)?;
            }
        }
        Ok(())
    }
}

/// Texts of a format are read as anything that is no list and no map.
fn is_scalar_of_a_format(node: &Node) -> bool {
    node.format
        .as_deref()
        .is_some_and(|format| format != "byte")
}

/// What tells an item of a set or of a map apart from the others.
fn part_of(list: &Node, item: &Value) -> Result<String, String> {
    if list.map_keys.is_empty() {
        let problem = match item {
            Value::Object(_) => "associative list without keys has an element that's a map type",
            Value::Array(_) => "not supported: associative list with lists as elements",
            Value::Null => "associative list without keys has an element that's an explicit null",
            value => return Ok(format!("[={}]", print::key(value))),
        };
        return Err(problem.to_owned());
    }
    let fields = match item {
        Value::Object(fields) => fields,
        Value::Null => {
            return Err("associative list with keys may not have a null element".to_owned());
        }
        _ => return Err("associative list with keys may not have non-map elements".to_owned()),
    };
    let default = |name: &str| {
        let item = list.items.as_ref()?;
        item.properties.get(name)?.default.as_ref()
    };
    let names = list.map_keys.iter();
    let keys: HashMap<&str, &Value> = names
        .filter_map(|name| Some((name.as_str(), fields.get(name).or_else(|| default(name))?)))
        .collect();
    if keys.is_empty() {
        let names: Vec<String> = list
            .map_keys
            .iter()
            .map(|name| sluice_golang::quote::quote(name))
            .collect();
        return Err(format!(
            "associative list with keys has an element that omits all key fields [{}] (and doesn't have default values for any key fields)",
            names.join(" ")
        ));
    }
    let mut keys: Vec<(&str, &Value)> = keys.into_iter().collect();
    keys.sort_unstable_by_key(|(name, _)| *name);
    let keys: Vec<String> = keys
        .iter()
        .map(|(name, value)| format!("{name}={}", print::key(value)))
        .collect();
    Ok(format!("[{}]", keys.join(",")))
}
