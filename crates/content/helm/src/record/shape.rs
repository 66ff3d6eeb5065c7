//! The JSON form of records: the fields of Helm's structs in their order.
//!
//! Helm writes records with `encoding/json`: fields in the order of the struct, map keys sorted,
//! some empty fields left out. A field that this version does not know is kept, and is written
//! behind the known ones.

use sluice_yaml::json;

use super::time;
use sluice_chart::values::{Json, Values};

/// The type of a field.
#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Bool,
    Int,
    Time,
    /// Bytes in base64, or null.
    Bytes,
    /// Any map, or null.
    Map,
    /// A list of any values.
    List,
    /// A list of texts.
    Texts,
    /// A map of texts.
    TextMap,
    /// A struct.
    Struct(&'static Shape),
    /// A pointer to a struct.
    Pointer(&'static Shape),
    /// A list of pointers to structs.
    Structs(&'static Shape),
}

/// A field, and whether it is left out while it is empty.
#[derive(Debug, Clone, Copy)]
struct Field {
    name: &'static str,
    kind: Kind,
    is_optional: bool,
}

/// The fields of a struct.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    /// The name of Go's type, for errors.
    name: &'static str,
    fields: &'static [Field],
}

const fn optional(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        is_optional: true,
    }
}

const fn always(name: &'static str, kind: Kind) -> Field {
    Field {
        name,
        kind,
        is_optional: false,
    }
}

/// A release.
pub(crate) static RELEASE: Shape = Shape {
    name: "Release",
    fields: &[
        optional("name", Kind::Text),
        optional("info", Kind::Pointer(&INFO)),
        optional("chart", Kind::Pointer(&CHART)),
        optional("config", Kind::Map),
        optional("manifest", Kind::Text),
        optional("hooks", Kind::Structs(&HOOK)),
        optional("version", Kind::Int),
        optional("namespace", Kind::Text),
        optional("apply_method", Kind::Text),
    ],
};

/// The parts of a release that Flux's digests cover.
pub(super) static OBSERVATION: Shape = Shape {
    name: "Observation",
    fields: &[
        always("name", Kind::Text),
        always("version", Kind::Int),
        always("info", Kind::Struct(&INFO)),
        always("chartMetadata", Kind::Struct(&METADATA)),
        always("config", Kind::Map),
        always("manifest", Kind::Text),
        always("hooks", Kind::Structs(&HOOK)),
        always("namespace", Kind::Text),
        optional("ociDigest", Kind::Text),
    ],
};

/// The state of a release.
static INFO: Shape = Shape {
    name: "Info",
    fields: &[
        optional("first_deployed", Kind::Time),
        optional("last_deployed", Kind::Time),
        optional("deleted", Kind::Time),
        optional("description", Kind::Text),
        optional("status", Kind::Text),
        optional("notes", Kind::Text),
        optional("resources", Kind::Map),
    ],
};

/// The chart of a release.
pub(crate) static CHART: Shape = Shape {
    name: "Chart",
    fields: &[
        always("metadata", Kind::Pointer(&METADATA)),
        always("lock", Kind::Pointer(&LOCK)),
        always("templates", Kind::Structs(&FILE)),
        always("values", Kind::Map),
        always("schema", Kind::Bytes),
        always("schemamodtime", Kind::Time),
        always("files", Kind::Structs(&FILE)),
        optional("modtime", Kind::Time),
    ],
};

static FILE: Shape = Shape {
    name: "File",
    fields: &[
        always("name", Kind::Text),
        always("data", Kind::Bytes),
        optional("modtime", Kind::Time),
    ],
};

/// `Chart.yaml`.
pub(crate) static METADATA: Shape = Shape {
    name: "Metadata",
    fields: &[
        optional("name", Kind::Text),
        optional("home", Kind::Text),
        optional("sources", Kind::Texts),
        optional("version", Kind::Text),
        optional("description", Kind::Text),
        optional("keywords", Kind::Texts),
        optional("maintainers", Kind::Structs(&MAINTAINER)),
        optional("icon", Kind::Text),
        optional("apiVersion", Kind::Text),
        optional("condition", Kind::Text),
        optional("tags", Kind::Text),
        optional("appVersion", Kind::Text),
        optional("deprecated", Kind::Bool),
        optional("annotations", Kind::TextMap),
        optional("kubeVersion", Kind::Text),
        optional("dependencies", Kind::Structs(&DEPENDENCY)),
        optional("type", Kind::Text),
    ],
};

static MAINTAINER: Shape = Shape {
    name: "Maintainer",
    fields: &[
        optional("name", Kind::Text),
        optional("email", Kind::Text),
        optional("url", Kind::Text),
    ],
};

static DEPENDENCY: Shape = Shape {
    name: "Dependency",
    fields: &[
        always("name", Kind::Text),
        optional("version", Kind::Text),
        always("repository", Kind::Text),
        optional("condition", Kind::Text),
        optional("tags", Kind::Texts),
        optional("enabled", Kind::Bool),
        optional("import-values", Kind::List),
        optional("alias", Kind::Text),
    ],
};

static LOCK: Shape = Shape {
    name: "Lock",
    fields: &[
        always("generated", Kind::Time),
        always("digest", Kind::Text),
        always("dependencies", Kind::Structs(&DEPENDENCY)),
    ],
};

/// A hook.
static HOOK: Shape = Shape {
    name: "Hook",
    fields: &[
        optional("name", Kind::Text),
        optional("kind", Kind::Text),
        optional("path", Kind::Text),
        optional("manifest", Kind::Text),
        optional("events", Kind::Texts),
        always("last_run", Kind::Struct(&EXECUTION)),
        optional("weight", Kind::Int),
        optional("delete_policies", Kind::Texts),
        optional("output_log_policies", Kind::Texts),
    ],
};

static EXECUTION: Shape = Shape {
    name: "HookExecution",
    fields: &[
        optional("started_at", Kind::Time),
        optional("completed_at", Kind::Time),
        always("phase", Kind::Text),
    ],
};

impl Shape {
    /// The names of the fields.
    fn has(&self, name: &str) -> bool {
        self.fields.iter().any(|field| field.name == name)
    }

    /// Checks the types of the fields of a struct.
    pub(crate) fn check(&self, object: &Values) -> Result<(), String> {
        for field in self.fields {
            if let Some(value) = object.get(field.name) {
                field
                    .kind
                    .check(value)
                    .map_err(|problem| problem.within(self, field))?;
            }
        }
        Ok(())
    }

    /// Writes a struct as Go does.
    pub(crate) fn write(&self, object: &Values, out: &mut String) {
        out.push('{');
        let start = out.len();
        for field in self.fields {
            let value = object.get(field.name).unwrap_or(&Json::Null);
            if field.is_optional && field.kind.is_empty(value) {
                continue;
            }
            write_key(field.name, start, out);
            field.kind.write(value, out);
        }
        for (name, value) in object.iter().filter(|(name, _)| !self.has(name)) {
            write_key(name, start, out);
            out.push_str(&json::to_string(value));
        }
        out.push('}');
    }
}

fn write_key(name: &str, start: usize, out: &mut String) {
    if out.len() > start {
        out.push(',');
    }
    out.push_str(&json::quote(name));
    out.push(':');
}

/// A value of another type than its field.
enum Mismatch {
    /// The value's type in JSON, and Go's type of the field.
    Here(&'static str, &'static str),
    /// The same in a struct below, as a text.
    Below(String),
}

impl Mismatch {
    fn within(self, shape: &Shape, field: &Field) -> String {
        match self {
            Self::Here(found, wanted) => {
                let (of, name) = (shape.name, field.name);
                format!(
                    "json: cannot unmarshal {found} into Go struct field {of}.{name} of type {wanted}"
                )
            }
            Self::Below(text) => text,
        }
    }
}

impl Kind {
    fn check(self, value: &Json) -> Result<(), Mismatch> {
        let wanted = match (self, value) {
            (_, Json::Null)
            | (Self::Text, Json::String(_))
            | (Self::Bool, Json::Bool(_))
            | (Self::Map, Json::Object(_))
            | (Self::List, Json::Array(_)) => return Ok(()),
            (Self::Int, Json::Number(number)) if number.is_i64() => return Ok(()),
            (Self::Time, Json::String(text)) => {
                return time::check(text).map_err(Mismatch::Below);
            }
            (Self::Bytes, Json::String(text)) => {
                let decoded = sluice_golang::base64::decode(text.as_bytes());
                return decoded
                    .map(|_| ())
                    .map_err(|error| Mismatch::Below(error.to_string()));
            }
            (Self::Texts, Json::Array(items)) => {
                return items.iter().try_for_each(|item| Self::Text.check(item));
            }
            (Self::TextMap, Json::Object(entries)) => {
                return entries.values().try_for_each(|item| Self::Text.check(item));
            }
            (Self::Struct(shape) | Self::Pointer(shape), Json::Object(object)) => {
                return shape.check(object).map_err(Mismatch::Below);
            }
            (Self::Structs(shape), Json::Array(items)) => {
                let item = Self::Pointer(shape);
                return items.iter().try_for_each(|value| item.check(value));
            }
            (Self::Text, _) => "string",
            (Self::Bool, _) => "bool",
            (Self::Int, _) => "int",
            (Self::Time, _) => return Err(Mismatch::Below(time::NOT_A_TEXT.to_owned())),
            (Self::Bytes, _) => "[]uint8",
            (Self::Map, _) => "map[string]interface {}",
            (Self::List, _) => "[]interface {}",
            (Self::Texts, _) => "[]string",
            (Self::TextMap, _) => "map[string]string",
            (Self::Struct(shape) | Self::Pointer(shape) | Self::Structs(shape), _) => shape.name,
        };
        Err(Mismatch::Here(json::kind(value), wanted))
    }

    /// Whether `omitempty` or `omitzero` leaves a value out.
    fn is_empty(self, value: &Json) -> bool {
        match (self, value) {
            (_, Json::Null) | (Self::Bool, Json::Bool(false)) => true,
            (Self::Int, Json::Number(number)) => number.as_i64() == Some(0),
            (Self::Time, Json::String(text)) => text.is_empty() || time::is_zero(text),
            (Self::Text, Json::String(text)) => text.is_empty(),
            (Self::Texts | Self::List | Self::Structs(_), Json::Array(items)) => items.is_empty(),
            (Self::Map | Self::TextMap, Json::Object(entries)) => entries.is_empty(),
            _ => false,
        }
    }

    fn write(self, value: &Json, out: &mut String) {
        match (self, value) {
            (Self::Time, Json::String(text)) if !text.is_empty() => {
                out.push_str(&json::quote(&time::normalize(text)));
            }
            (Self::Time, _) => out.push_str(&json::quote(time::ZERO)),
            (Self::Text, Json::Null) => out.push_str("\"\""),
            (Self::Bool, Json::Null) => out.push_str("false"),
            (Self::Int, Json::Null) => out.push('0'),
            (Self::Struct(shape), Json::Null) => shape.write(&Values::new(), out),
            (Self::Struct(shape) | Self::Pointer(shape), Json::Object(object)) => {
                shape.write(object, out);
            }
            (Self::Structs(shape), Json::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    out.push(if index == 0 { '[' } else { ',' });
                    Self::Pointer(shape).write(item, out);
                }
                out.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            (Self::Texts, Json::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    out.push(if index == 0 { '[' } else { ',' });
                    Self::Text.write(item, out);
                }
                out.push_str(if items.is_empty() { "[]" } else { "]" });
            }
            (_, value) => out.push_str(&json::to_string(value)),
        }
    }
}
