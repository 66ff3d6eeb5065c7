//! Checks the fields of an object and the types of their values.
//!
//! A server-side apply begins with this check and stops when it fails. Formats and bounds do not
//! matter here, and null is valid everywhere.

use std::collections::{HashMap, HashSet};

use serde_json::Map;
use sluice_object::Value;

use super::node::{AdditionalFields, Node};
use super::{Budget, BudgetExceeded, metadata, print};

/// Cost of an error.
const ERROR_COST: usize = 1000;

/// The errors as the server lists them, or `None`.
pub(super) fn check(
    schema: &Node,
    object: &Value,
    budget: &mut Budget,
) -> Result<Option<String>, BudgetExceeded> {
    let mut checker = ShapeChecker {
        budget,
        errors: Vec::new(),
    };
    let root = Position {
        is_object: true,
        ..Position::new(schema, false)
    };
    checker.check_value(root, object, "")?;
    Ok(match checker.errors.as_slice() {
        [] => None,
        [one] => Some(one.clone()),
        several => Some(format!("errors:\n  {}", several.join("\n  "))),
    })
}

struct ShapeChecker<'b> {
    budget: &'b mut Budget,
    errors: Vec<String>,
}

/// A schema node with the settings that it inherits.
#[derive(Clone, Copy)]
struct Position<'n> {
    node: &'n Node,
    keeps_unknown: bool,
    /// Whether this is a whole object, whose metadata is not declared.
    is_object: bool,
}

/// The declaration of a field.
enum Declaration<'n> {
    Declared(Position<'n>),
    Anything,
    Undeclared,
}

impl<'n> Position<'n> {
    fn new(node: &'n Node, keeps_unknown: bool) -> Self {
        Self {
            node,
            keeps_unknown: keeps_unknown || node.keeps_unknown,
            is_object: node.is_embedded,
        }
    }

    fn field(&self, name: &str) -> Declaration<'n> {
        let declared = |node| Declaration::Declared(Self::new(node, self.keeps_unknown));
        if self.is_object
            && let Some(node) = metadata::schema_of(name)
        {
            // The built-in schema of metadata rejects unknown fields.
            return Declaration::Declared(Self::new(node, false));
        }
        if let Some(node) = self.node.properties.get(name) {
            return declared(node);
        }
        match &self.node.additional {
            AdditionalFields::Of(node) => declared(node),
            AdditionalFields::Allowed(true) => Declaration::Anything,
            AdditionalFields::Allowed(false) => Declaration::Undeclared,
            AdditionalFields::Unset => {
                let is_free = self.node.properties.is_empty() && !self.is_object;
                if is_free || self.keeps_unknown {
                    Declaration::Anything
                } else {
                    Declaration::Undeclared
                }
            }
        }
    }
}

impl ShapeChecker<'_> {
    fn add_error(&mut self, path: &str, message: &str) -> Result<(), BudgetExceeded> {
        self.budget
            .charge(ERROR_COST + path.len() + message.len())?;
        self.errors.push(if path.is_empty() {
            message.to_owned()
        } else {
            format!("{path}: {message}")
        });
        Ok(())
    }

    fn check_value(
        &mut self,
        position: Position<'_>,
        value: &Value,
        path: &str,
    ) -> Result<(), BudgetExceeded> {
        self.budget.charge(10 + path.len())?;
        let expected = match (position.node.kind.as_str(), value) {
            ("" | "object", Value::Object(fields)) => {
                return self.check_fields(position, fields, path);
            }
            ("" | "array", Value::Array(items)) => return self.check_items(position, items, path),
            (_, Value::Null)
            | ("integer" | "number", Value::Number(_))
            | ("boolean", Value::Bool(_))
            | ("string", Value::String(_)) => return Ok(()),
            ("string", value) if is_formatted_scalar(position.node) => match value {
                Value::Array(_) | Value::Object(_) => {
                    format!(
                        "expected any scalar, got {}",
                        print::verb_v_of_struct(value)
                    )
                }
                _ => return Ok(()),
            },
            ("object", value) => format!("expected map, got {}", print::verb_v_of_struct(value)),
            ("array", value) => format!("expected list, got {}", print::verb_v_of_struct(value)),
            ("integer" | "number", value) => {
                let found = print::type_name(value);
                format!("expected numeric (int or float), got {found}")
            }
            ("boolean", value) => {
                format!("expected boolean, got {}", print::verb_v_of_struct(value))
            }
            ("string", value) => format!("expected string, got {}", print::verb_sharp_v(value)),
            // Any type, or one that definitions cannot declare.
            _ => return Ok(()),
        };
        self.add_error(path, &expected)
    }

    fn check_fields(
        &mut self,
        position: Position<'_>,
        fields: &Map<String, Value>,
        path: &str,
    ) -> Result<(), BudgetExceeded> {
        for (name, value) in fields {
            let path = format!("{path}.{name}");
            match position.field(name) {
                Declaration::Declared(position) => self.check_value(position, value, &path)?,
                Declaration::Anything => {}
                Declaration::Undeclared => self.add_error(&path, "field not declared in schema")?,
            }
        }
        Ok(())
    }

    fn check_items(
        &mut self,
        position: Position<'_>,
        items: &[Value],
        path: &str,
    ) -> Result<(), BudgetExceeded> {
        let list = position.node;
        let below = list.items.as_deref();
        let below = below.map(|node| Position::new(node, position.keeps_unknown));
        let mut known = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            let key = if list.is_associative() {
                match item_key(list, item) {
                    Ok(key) => key,
                    Err(problem) => {
                        // Without a key, duplicates cannot be found.
                        return self.add_error(path, &format!("element {index}: {problem}"));
                    }
                }
            } else {
                format!("[{index}]")
            };
            if list.is_associative() && !known.insert(key.clone()) {
                self.add_error(path, &format!("duplicate entries for key {key}"))?;
            }
            if let Some(below) = below {
                self.check_value(below, item, &format!("{path}{key}"))?;
            } else {
                self.budget.charge(1)?;
            }
        }
        Ok(())
    }
}

/// Strings with a format, except bytes, accept any scalar.
fn is_formatted_scalar(node: &Node) -> bool {
    node.format
        .as_deref()
        .is_some_and(|format| format != "byte")
}

/// The path segment that identifies an item of a set or a map.
fn item_key(list: &Node, item: &Value) -> Result<String, String> {
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
