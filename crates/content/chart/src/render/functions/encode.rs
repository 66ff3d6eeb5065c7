//! YAML and JSON in templates.

use sluice_golang::number::format_g;
use sluice_gotemplate::{Args, Call, Failure, Func, GoString, Map, Outcome, Type, Value};
use sluice_yaml::tree::{self, Indent, Node};
use sluice_yaml::{MAX_DEPTH, json, v2};

use super::toml;
use crate::values::Json;

const ANY: &[Type] = &[Type::Any];
const TEXT: &[Type] = &[Type::String];

pub(super) const TABLE: &[(&str, Func)] = &[
    ("toYaml", Func::fixed(ANY, to_yaml)),
    ("mustToYaml", Func::fixed(ANY, must_to_yaml)),
    ("fromYaml", Func::fixed(TEXT, from_yaml)),
    ("fromYamlArray", Func::fixed(TEXT, from_yaml_array)),
    ("fromJson", Func::fixed(TEXT, from_json)),
    ("fromJsonArray", Func::fixed(TEXT, from_json_array)),
    ("toYamlPretty", Func::fixed(ANY, to_yaml_pretty)),
    ("toToml", Func::fixed(ANY, to_toml)),
    ("mustToToml", Func::fixed(ANY, must_to_toml)),
    ("fromToml", Func::fixed(TEXT, from_toml)),
];

/// Why a value has no form in JSON.
enum Refusal {
    /// Helm prints nothing for it.
    Unsupported(Failure),
    /// Helm would go on, and we do not.
    Limit(Failure),
}

/// The value as Go prints it in JSON.
fn to_json(call: &mut Call<'_, '_>, value: &Value, depth: usize) -> Result<Json, Refusal> {
    if depth > MAX_DEPTH {
        let text = format!("the value is nested deeper than {MAX_DEPTH} levels");
        return Err(Refusal::Limit(text.into()));
    }
    call.steps(1)
        .map_err(|error| Refusal::Limit(error.into()))?;
    match value {
        Value::List(list) if !list.is_nil() => {
            let mut items = Vec::with_capacity(list.len());
            for item in list.items().iter() {
                items.push(to_json(call, item, depth + 1)?);
            }
            Ok(Json::Array(items))
        }
        Value::Map(map) if !map.is_nil() => {
            let mut entries = serde_json::Map::new();
            for (key, value) in map.entries() {
                let value = to_json(call, &value, depth + 1)?;
                entries.insert(key.to_text().into_owned(), value);
            }
            Ok(Json::Object(entries))
        }
        Value::Float(_, float) if !float.is_finite() => {
            let text = format!("json: unsupported value: {}", format_g(*float));
            Err(Refusal::Unsupported(text.into()))
        }
        Value::Object(object) => match object.json().or_else(|| object.underlying()) {
            Some(value) => to_json(call, &value, depth + 1),
            None => plain(value),
        },
        other => plain(other),
    }
}

fn plain(value: &Value) -> Result<Json, Refusal> {
    value.to_json().ok_or_else(|| {
        let text = format!("json: unsupported type: {}", value.type_name());
        Refusal::Unsupported(text.into())
    })
}

/// A value as YAML without the last line feed.
pub(in super::super) fn yaml(value: &Json) -> GoString {
    let mut text = v2::to_string(value);
    if text.ends_with('\n') {
        text.pop();
    }
    text.into()
}

fn to_yaml(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    match to_json(call, args.value(0), 0) {
        Ok(json) => Ok(yaml(&json).into()),
        Err(Refusal::Unsupported(_)) => Ok("".into()),
        Err(Refusal::Limit(cause)) => Err(cause),
    }
}

fn must_to_yaml(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    match to_json(call, args.value(0), 0) {
        Ok(json) => Ok(yaml(&json).into()),
        Err(Refusal::Unsupported(cause)) => {
            Err(format!("error marshaling into JSON: {cause}").into())
        }
        Err(Refusal::Limit(cause)) => Err(cause),
    }
}

/// A value in the form of go-yaml v3: list items are indented, and lines do not fold.
fn to_yaml_pretty(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let node = match to_node(call, args.value(0), 0) {
        Ok(node) => node,
        Err(Refusal::Unsupported(_)) => return Ok("".into()),
        Err(Refusal::Limit(cause)) => return Err(cause),
    };
    let mut text = tree::to_string(&node, Indent::Wide);
    if text.ends_with('\n') {
        text.pop();
    }
    Ok(text.into())
}

fn to_node(call: &mut Call<'_, '_>, value: &Value, depth: usize) -> Result<Node, Refusal> {
    if depth > MAX_DEPTH {
        let text = format!("the value is nested deeper than {MAX_DEPTH} levels");
        return Err(Refusal::Limit(text.into()));
    }
    call.steps(1)
        .map_err(|error| Refusal::Limit(error.into()))?;
    match value {
        Value::List(list) => {
            let mut items = Vec::with_capacity(list.len());
            for item in list.items().iter() {
                items.push(to_node(call, item, depth + 1)?);
            }
            Ok(Node::seq(items))
        }
        Value::Map(map) => {
            let entries = map.entries();
            let keys: Vec<_> = entries.iter().map(|(key, _)| key.to_text()).collect();
            let entries = keys.iter().zip(&entries);
            let entries = entries.map(|(key, (_, value))| (&**key, value)).collect();
            let mut node = Node::map(Vec::<(String, Node)>::new());
            for (key, value) in v2::sort_entries(entries) {
                let key = Node::from_value(&Json::String(key.to_owned()));
                node.push_entry(key, to_node(call, value, depth + 1)?);
            }
            Ok(node)
        }
        Value::Int(_, number) => Ok(Node::plain(number.to_string())),
        Value::Uint(_, number) => Ok(Node::plain(number.to_string())),
        Value::Float(_, float) => Ok(Node::plain(match float {
            float if float.is_nan() => ".nan".to_owned(),
            float if float.is_infinite() && *float > 0.0 => ".inf".to_owned(),
            float if float.is_infinite() => "-.inf".to_owned(),
            float => format_g(*float),
        })),
        Value::Object(object) => match object.underlying() {
            Some(value) => to_node(call, &value, depth + 1),
            None => Ok(Node::from_value(&plain(value)?)),
        },
        other => Ok(Node::from_value(&plain(other)?)),
    }
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "every function has the type that the table asks for"
)]
/// An error becomes the text.
fn to_toml(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let printed = toml::to_toml(call, args.value(0));
    Ok(printed.unwrap_or_else(|error| error).into())
}

fn must_to_toml(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(toml::to_toml(call, args.value(0))?.into())
}

fn from_toml(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    call.steps(args.text(0).len())?;
    Ok(
        match toml::from_toml(&String::from_utf8_lossy(args.text(0))) {
            Ok(map) => map.into(),
            Err(error) => error_map(error),
        },
    )
}

/// A map with an error as its value.
fn error_map(error: impl Into<GoString>) -> Value {
    Map::from_iter([("Error", Value::string(error))]).into()
}

fn mismatch(found: &Json, of: &str) -> String {
    let found = json::kind(found);
    format!("json: cannot unmarshal {found} into Go value of type {of}")
}

const MAP: &str = "map[string]interface {}";
const LIST: &str = "[]interface {}";

fn parse_yaml(call: &mut Call<'_, '_>, text: &[u8]) -> Result<Result<Json, String>, Failure> {
    call.steps(text.len())?;
    let parsed = v2::from_slice(text);
    Ok(parsed.map_err(|error| format!("error converting YAML to JSON: {error}")))
}

fn from_yaml(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    Ok(match parse_yaml(call, args.text(0))? {
        Ok(Json::Object(entries)) => Map::from_json(&entries).into(),
        Ok(Json::Null) => Map::new().into(),
        Ok(other) => error_map(format!(
            "error unmarshaling JSON: while decoding JSON: {}",
            mismatch(&other, MAP)
        )),
        Err(error) => error_map(error),
    })
}

fn from_yaml_array(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    let error = match parse_yaml(call, args.text(0))? {
        Ok(Json::Array(items)) => return Ok(Value::from_json(&Json::Array(items))),
        Ok(Json::Null) => return Ok(Value::list(Vec::new())),
        Ok(other) => format!(
            "error unmarshaling JSON: while decoding JSON: {}",
            mismatch(&other, LIST)
        ),
        Err(error) => error,
    };
    Ok(Value::list(vec![error.into()]))
}

fn from_json(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    call.steps(args.text(0).len())?;
    Ok(match json::from_slice(args.text(0)) {
        Ok(Json::Object(entries)) => Map::from_json(&entries).into(),
        Ok(Json::Null) => Map::new().into(),
        Ok(other) => error_map(mismatch(&other, MAP)),
        Err(error) => error_map(error.to_string()),
    })
}

fn from_json_array(call: &mut Call<'_, '_>, args: &Args<'_>) -> Outcome {
    call.steps(args.text(0).len())?;
    let error = match json::from_slice(args.text(0)) {
        Ok(Json::Array(items)) => return Ok(Value::from_json(&Json::Array(items))),
        Ok(Json::Null) => return Ok(Value::list(Vec::new())),
        Ok(other) => mismatch(&other, LIST),
        Err(error) => error.to_string(),
    };
    Ok(Value::list(vec![error.into()]))
}
