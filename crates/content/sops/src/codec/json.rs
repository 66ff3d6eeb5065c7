//! JSON: one object, indented with tabs.

use sluice_golang::number::format_json;
use sluice_yaml::json;
use sluice_yaml::{Map, Number};

use crate::error::{EmitError, LoadError};
use crate::tree::{Branch, Element, Item, Value};

pub(super) fn load(bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
    let value = json::from_slice(bytes).map_err(|error| LoadError::Syntax(error.to_string()))?;
    from_value(value).map(|branch| vec![branch])
}

/// Converts the object of a manifest into a document.
pub(crate) fn from_value(value: serde_json::Value) -> Result<Branch, LoadError> {
    match value {
        serde_json::Value::Object(map) => Ok(branch(map)),
        _ => Err(LoadError::Shape(
            "a JSON document has to be an object".to_owned(),
        )),
    }
}

fn branch(map: Map<String, serde_json::Value>) -> Branch {
    let entries = map.into_iter();
    Branch(
        entries
            .map(|(key, item)| Item::Entry(key, value(item)))
            .collect(),
    )
}

fn value(json: serde_json::Value) -> Value {
    match json {
        serde_json::Value::Null => Value::Null,
        serde_json::Value::Bool(value) => Value::Bool(value),
        serde_json::Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => Value::Int(integer),
            (None, float) => Value::Float(float.unwrap_or_default()),
        },
        serde_json::Value::String(text) => Value::text(text),
        serde_json::Value::Array(items) => {
            let items = items.into_iter();
            Value::List(items.map(|item| Element::Value(value(item))).collect())
        }
        serde_json::Value::Object(map) => Value::Branch(branch(map)),
    }
}

/// Converts a document into the object of a manifest.
pub(crate) fn to_map(branch: &Branch) -> Result<Map<String, serde_json::Value>, EmitError> {
    let mut map = Map::new();
    for (key, value) in branch.entries() {
        map.insert(key.to_owned(), json_value(value)?);
    }
    Ok(map)
}

fn json_value(value: &Value) -> Result<serde_json::Value, EmitError> {
    Ok(match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => (*value).into(),
        Value::Float(value) => {
            let number: Number = json::number(*value).ok_or(EmitError::Number)?;
            number.into()
        }
        Value::Text(text) | Value::Time(text) => String::from_utf8_lossy(text.expose()).into(),
        Value::Branch(branch) => serde_json::Value::Object(to_map(branch)?),
        Value::List(items) => {
            let values = values(items).map(json_value);
            serde_json::Value::Array(values.collect::<Result<_, _>>()?)
        }
    })
}

fn values(items: &[Element]) -> impl Iterator<Item = &Value> {
    items.iter().filter_map(|item| match item {
        Element::Value(value) => Some(value),
        Element::Comment(_) => None,
    })
}

pub(super) fn emit(branches: &[Branch]) -> Result<Vec<u8>, EmitError> {
    let branch = branches.first().ok_or(EmitError::Documents)?;
    let mut out = String::new();
    write_branch(&mut out, branch, 0)?;
    out.push('\n');
    Ok(out.into_bytes())
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n('\t', depth));
}

fn write_branch(out: &mut String, branch: &Branch, depth: usize) -> Result<(), EmitError> {
    out.push('{');
    let mut is_empty = true;
    for (key, value) in branch.entries() {
        if !is_empty {
            out.push(',');
        }
        is_empty = false;
        line(out, depth + 1);
        out.push_str(&json::quote(key));
        out.push_str(": ");
        write(out, value, depth + 1)?;
    }
    if !is_empty {
        line(out, depth);
    }
    out.push('}');
    Ok(())
}

fn write(out: &mut String, value: &Value, depth: usize) -> Result<(), EmitError> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(value) => out.push_str(&value.to_string()),
        Value::Int(value) => out.push_str(&value.to_string()),
        Value::Float(value) => out.push_str(&format_json(*value).ok_or(EmitError::Number)?),
        Value::Text(text) | Value::Time(text) => {
            out.push_str(&json::quote(&String::from_utf8_lossy(text.expose())));
        }
        Value::Branch(branch) => write_branch(out, branch, depth)?,
        Value::List(items) => {
            out.push('[');
            let mut is_empty = true;
            for value in values(items) {
                if !is_empty {
                    out.push(',');
                }
                is_empty = false;
                line(out, depth + 1);
                write(out, value, depth + 1)?;
            }
            if !is_empty {
                line(out, depth);
            }
            out.push(']');
        }
    }
    Ok(())
}
