//! Finds tables and values by their paths, as Helm's `Values` do.

use sluice_gotemplate::{List, Map, Value};

/// A path that leads to nothing, or to a value of another kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MissingTable;

/// The map at a path of keys with dots between.
pub(crate) fn table(values: &Map, path: &str) -> Result<Map, MissingTable> {
    let mut table = values.clone();
    for key in path.split('.') {
        table = match table.get(key.as_bytes()) {
            Some(Value::Map(map)) => map,
            _ => return Err(MissingTable),
        };
    }
    Ok(table)
}

/// The value at a path that is not a map.
pub(crate) fn path_value(values: &Map, path: &str) -> Result<Value, MissingTable> {
    let (parent, key) = match path.rsplit_once('.') {
        Some((parent, key)) => (table(values, parent)?, key),
        None => (values.clone(), path),
    };
    match parent.get(key.as_bytes()) {
        None | Some(Value::Map(_)) => Err(MissingTable),
        Some(value) => Ok(value),
    }
}

/// A copy that shares no map and no list. The values are from YAML, whose nesting is limited.
pub(crate) fn copy(values: &Map) -> Map {
    let copied = Map::of_type(values.of());
    for (key, value) in values.entries() {
        copied.set(key, copy_value(&value));
    }
    copied
}

fn copy_value(value: &Value) -> Value {
    match value {
        Value::Map(map) => Value::Map(copy(map)),
        Value::List(list) => {
            let items = list.items().iter().map(copy_value).collect();
            Value::List(List::new(list.of(), items))
        }
        other => other.clone(),
    }
}
