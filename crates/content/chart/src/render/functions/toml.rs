//! Values as TOML, as the TOML library of Helm prints it, and TOML as values.

use std::fmt::Write;

use sluice_golang::number::{format_g, format_g32};
use sluice_gotemplate::value::{CompositeType, FloatType};
use sluice_gotemplate::{Call, GoString, List, Map, Type, Value};
use sluice_yaml::MAX_DEPTH;
use toml_edit::{Document, Item, TableLike, Value as Toml};

const NIL_ITEM: &str = "toml: cannot encode array with nil element";
const TABLES: CompositeType = CompositeType::new("[]map[string]interface {}", Type::Map);
const NO_KEY: &str = "toml: top-level values must be Go maps or structs";

/// Prints a value, or says why that is not possible.
pub(super) fn to_toml(call: &mut Call<'_, '_>, value: &Value) -> Result<String, String> {
    let mut writer = Writer {
        out: String::new(),
        call,
        depth: 0,
    };
    writer.encode(&[], value)?;
    Ok(writer.out)
}

struct Writer<'w, 'c, 'h> {
    out: String,
    call: &'w mut Call<'c, 'h>,
    depth: usize,
}

/// The kinds of values that decide about the layout.
#[derive(PartialEq)]
enum Shape {
    Nil,
    Table,
    Tables,
    Other,
}

impl Writer<'_, '_, '_> {
    fn enter(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!(
                "the value is nested deeper than {MAX_DEPTH} levels"
            ));
        }
        self.call.steps(1).map_err(|error| error.to_string())
    }

    fn encode(&mut self, path: &[GoString], value: &Value) -> Result<(), String> {
        self.enter()?;
        let value = plain(value);
        match shape(&value)? {
            Shape::Nil => {}
            Shape::Table => self.table(path, &value)?,
            Shape::Tables => self.tables(path, &value)?,
            Shape::Other => match path.last() {
                None => self.element(&value)?,
                Some(key) => {
                    self.indent(path);
                    self.key_value(key, &value)?;
                    self.newline();
                }
            },
        }
        self.depth -= 1;
        Ok(())
    }

    fn table(&mut self, path: &[GoString], value: &Value) -> Result<(), String> {
        if path.len() == 1 {
            self.newline();
        }
        if !path.is_empty() {
            self.indent(path);
            let _ = write!(self.out, "[{}]", joined(path));
            self.newline();
        }
        self.entries(path, value)
    }

    fn tables(&mut self, path: &[GoString], value: &Value) -> Result<(), String> {
        let Value::List(list) = value else {
            return Ok(());
        };
        if path.is_empty() {
            return Err(NO_KEY.to_owned());
        }
        let items = list.items().to_vec();
        for item in &items {
            self.newline();
            self.indent(path);
            let _ = write!(self.out, "[[{}]]", joined(path));
            self.newline();
            self.entries(path, &plain(item))?;
        }
        Ok(())
    }

    /// The entries of a table: those on a line of their own first.
    fn entries(&mut self, path: &[GoString], value: &Value) -> Result<(), String> {
        let (direct, below) = sorted(value)?;
        for (key, value) in direct.iter().chain(&below) {
            let mut path = path.to_vec();
            path.push(key.clone());
            self.encode(&path, value)?;
        }
        Ok(())
    }

    fn key_value(&mut self, key: &GoString, value: &Value) -> Result<(), String> {
        self.out.push_str(&bare_or_quoted(key));
        self.out.push_str(" = ");
        self.element(value)
    }

    /// A value on one line.
    fn element(&mut self, value: &Value) -> Result<(), String> {
        self.enter()?;
        match &plain(value) {
            Value::Bool(value) => {
                let _ = write!(self.out, "{value}");
            }
            Value::Int(_, value) => {
                let _ = write!(self.out, "{value}");
            }
            Value::Uint(_, value) => {
                let _ = write!(self.out, "{value}");
            }
            Value::Float(of, value) => self.out.push_str(&float(*of, *value)),
            Value::String(text) => self.out.push_str(&quoted(text)),
            Value::Time(time) => {
                self.out
                    .push_str(&String::from_utf8_lossy(&time.to_rfc3339()));
            }
            Value::Bytes(bytes) => {
                let items = bytes.iter().map(u8::to_string).collect::<Vec<_>>();
                let _ = write!(self.out, "[{}]", items.join(", "));
            }
            Value::List(list) => {
                self.out.push('[');
                let items = list.items().to_vec();
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        self.out.push_str(", ");
                    }
                    self.element(item)?;
                }
                self.out.push(']');
            }
            table @ Value::Map(_) => {
                self.out.push('{');
                let (direct, below) = sorted(table)?;
                let count = direct.len() + below.len();
                for (index, (key, value)) in direct.iter().chain(&below).enumerate() {
                    if matches!(plain(value), Value::Nil) {
                        continue;
                    }
                    self.key_value(key, value)?;
                    if index + 1 < count {
                        self.out.push_str(", ");
                    }
                }
                self.out.push('}');
            }
            other => return Err(format!("unexpected type: {}", other.type_name())),
        }
        self.depth -= 1;
        Ok(())
    }

    fn newline(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    fn indent(&mut self, path: &[GoString]) {
        let levels = path.len().saturating_sub(1);
        self.out.extend(std::iter::repeat_n("  ", levels));
    }
}

/// The plain value of a named map or list, and the fields of a struct as a map.
fn plain(value: &Value) -> Value {
    match value {
        Value::Object(object) if object.underlying().is_none() => {
            let fields = object.fields().into_iter();
            let exported = fields.filter(|(name, _)| name.starts_with(char::is_uppercase));
            Value::Map(exported.collect())
        }
        other => other.underlying().into_owned(),
    }
}

fn shape(value: &Value) -> Result<Shape, String> {
    Ok(match value {
        Value::Nil => Shape::Nil,
        Value::Map(map) if map.is_nil() => Shape::Nil,
        Value::List(list) if list.is_nil() => Shape::Nil,
        Value::Map(_) => Shape::Table,
        Value::List(list) => {
            let items = list.items();
            let mut is_tables = !items.is_empty();
            for item in items.iter() {
                match plain(item) {
                    Value::Nil => return Err(NIL_ITEM.to_owned()),
                    Value::Map(_) => {}
                    _ => is_tables = false,
                }
            }
            if is_tables {
                Shape::Tables
            } else {
                Shape::Other
            }
        }
        Value::Func(_) => return Err("unsupported type: func".to_owned()),
        _ => Shape::Other,
    })
}

type Entries = Vec<(GoString, Value)>;

/// The entries that are values, and those that are tables.
fn sorted(value: &Value) -> Result<(Entries, Entries), String> {
    let (mut direct, mut below) = (Vec::new(), Vec::new());
    if let Value::Map(map) = value {
        for (key, value) in map.entries() {
            match shape(&plain(&value))? {
                Shape::Table | Shape::Tables => below.push((key, value)),
                Shape::Nil | Shape::Other => direct.push((key, value)),
            }
        }
    }
    Ok((direct, below))
}

fn float(of: FloatType, value: f64) -> String {
    if value.is_nan() {
        return if value.is_sign_negative() {
            "-nan"
        } else {
            "nan"
        }
        .to_owned();
    }
    if value.is_infinite() {
        return if value < 0.0 { "-inf" } else { "inf" }.to_owned();
    }
    let mut text = match of {
        FloatType::Float32 => format_g32(value),
        FloatType::Float64 => format_g(value),
    };
    if !text.contains(['e', '.']) {
        text.push_str(".0");
    }
    text
}

fn joined(path: &[GoString]) -> String {
    let parts: Vec<String> = path.iter().map(bare_or_quoted).collect();
    parts.join(".")
}

fn bare_or_quoted(key: &GoString) -> String {
    let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !key.is_empty() && key.iter().all(is_bare) {
        return key.to_text().into_owned();
    }
    quoted(key)
}

fn quoted(text: &GoString) -> String {
    let mut out = String::from('"');
    for next in text.to_text().chars() {
        match next {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            '\0'..='\u{1f}' | '\u{7f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(next));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// Reads a document. Its whole numbers are `int64`, and its times are texts.
pub(super) fn from_toml(text: &str) -> Result<Map, String> {
    let document = Document::parse(text).map_err(|error| format!("toml: {}", error.message()))?;
    Ok(table(document.as_table(), 0))
}

fn table(table: &dyn TableLike, depth: usize) -> Map {
    let entries = table.iter();
    entries
        .filter_map(|(key, item)| Some((key, item_value(item, depth)?)))
        .collect()
}

/// A value; the parser limits the nesting, which is checked once more.
fn item_value(item: &Item, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    match item {
        Item::None => None,
        Item::Value(value) => toml_value(value, depth + 1),
        Item::Table(inner) => Some(Value::Map(table(inner, depth + 1))),
        Item::ArrayOfTables(tables) => {
            let tables = tables
                .iter()
                .map(|inner| Value::Map(table(inner, depth + 1)));
            Some(Value::List(List::new(&TABLES, tables.collect())))
        }
    }
}

fn toml_value(value: &Toml, depth: usize) -> Option<Value> {
    if depth > MAX_DEPTH {
        return None;
    }
    Some(match value {
        Toml::String(text) => text.value().as_str().into(),
        Toml::Integer(number) => Value::int64(*number.value()),
        Toml::Float(number) => Value::float(*number.value()),
        Toml::Boolean(flag) => (*flag.value()).into(),
        Toml::Datetime(time) => time.value().to_string().into(),
        Toml::Array(items) => {
            let items = items.iter().filter_map(|item| toml_value(item, depth + 1));
            Value::list(items.collect())
        }
        Toml::InlineTable(inner) => Value::Map(table(inner, depth + 1)),
    })
}
