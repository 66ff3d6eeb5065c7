//! The values that a schema fills in.

use super::schema::Node;
use super::{Budget, Exhausted};
use crate::Value;

/// What it costs to copy one value: memory counts, too.
const COPY: usize = 20;

/// Fills in what a schema has defaults for. A null where none may be is as good as nothing.
pub(super) fn fill(node: &Node, value: &mut Value, budget: &mut Budget) -> Result<(), Exhausted> {
    budget.charge(1)?;
    match value {
        Value::Object(fields) => {
            for (name, property) in &node.properties {
                budget.charge(1)?;
                let Some(default) = &property.default else {
                    continue;
                };
                if fields
                    .get(name)
                    .is_none_or(|value| is_void(property, value))
                {
                    budget.charge(COPY * size_of(default))?;
                    fields.insert(name.clone(), default.clone());
                }
            }
            for (name, value) in fields.iter_mut() {
                let Some(below) = node.field(name) else {
                    continue;
                };
                if let Some(default) = &below.default
                    && is_void(below, value)
                {
                    budget.charge(COPY * size_of(default))?;
                    *value = default.clone();
                }
                fill(below, value, budget)?;
            }
        }
        Value::Array(items) => {
            let Some(below) = &node.items else {
                return Ok(());
            };
            for item in items {
                if let Some(default) = &below.default
                    && is_void(below, item)
                {
                    budget.charge(COPY * size_of(default))?;
                    *item = default.clone();
                }
                fill(below, item, budget)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn is_void(node: &Node, value: &Value) -> bool {
    value.is_null() && !node.is_nullable
}

/// How much it takes to copy a value.
fn size_of(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(size_of).sum::<usize>(),
        Value::Object(fields) => {
            1 + fields
                .values()
                .map(|value| 1 + size_of(value))
                .sum::<usize>()
        }
        Value::String(text) => 1 + text.len() / 64,
        _ => 1,
    }
}
