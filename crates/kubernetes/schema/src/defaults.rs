//! Fills in default values.

use sluice_object::Value;

use super::node::Node;
use super::{Budget, BudgetExceeded};

/// Cost of copying one value; memory counts as well.
const COPY_COST: usize = 20;

/// Fills in the defaults of a schema. Null counts as absent where it is not allowed.
pub(super) fn fill(
    node: &Node,
    value: &mut Value,
    budget: &mut Budget,
) -> Result<(), BudgetExceeded> {
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
                    .is_none_or(|value| is_absent(property, value))
                {
                    budget.charge(COPY_COST * size_of(default))?;
                    fields.insert(name.clone(), default.clone());
                }
            }
            for (name, value) in fields.iter_mut() {
                let Some(below) = node.field(name) else {
                    continue;
                };
                if let Some(default) = &below.default
                    && is_absent(below, value)
                {
                    budget.charge(COPY_COST * size_of(default))?;
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
                    && is_absent(below, item)
                {
                    budget.charge(COPY_COST * size_of(default))?;
                    *item = default.clone();
                }
                fill(below, item, budget)?;
            }
        }
        _ => {}
    }
    Ok(())
}

fn is_absent(node: &Node, value: &Value) -> bool {
    value.is_null() && !node.is_nullable
}

/// The number of copied values, with long strings counted more.
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
