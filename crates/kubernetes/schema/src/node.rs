//! The schema of a definition as a tree with one [`Node`] per field.
//!
//! Keywords that definitions may not use (references, pattern properties, tuples) make the whole
//! schema unusable. The server rejects such a definition and names the reason.

use std::collections::BTreeMap;

use serde_json::Map;

use sluice_object::Value;

/// Maximum nesting depth, equal to that of JSON.
const MAX_DEPTH: usize = 128;

/// Keywords that definitions may not use.
const UNSUPPORTED: [&str; 7] = [
    "$ref",
    "$schema",
    "id",
    "definitions",
    "dependencies",
    "patternProperties",
    "additionalItems",
];

/// The schema of one value.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// The type. Empty for any type, or with [`Node::is_int_or_string`] for those two.
    pub(super) kind: String,
    pub(super) is_int_or_string: bool,
    pub(super) is_nullable: bool,
    pub(super) format: Option<String>,
    pub(super) enumeration: Vec<Value>,
    pub(super) pattern: Option<String>,
    pub(super) minimum: Option<Bound>,
    pub(super) maximum: Option<Bound>,
    pub(super) multiple_of: Option<f64>,
    pub(super) length: Range,
    pub(super) items_count: Range,
    pub(super) properties_count: Range,
    pub(super) has_unique_items: bool,
    pub(super) required: Vec<String>,
    pub(super) properties: BTreeMap<String, Self>,
    pub(super) additional: AdditionalFields,
    pub(super) items: Option<Box<Self>>,
    pub(super) all_of: Vec<Self>,
    pub(super) any_of: Vec<Self>,
    pub(super) one_of: Vec<Self>,
    pub(super) not: Option<Box<Self>>,
    pub(super) default: Option<Value>,
    /// Whether undeclared fields are kept.
    pub(super) keeps_unknown: bool,
    /// Whether the value is an embedded object.
    pub(super) is_embedded: bool,
    /// `set`, `map` or `atomic`.
    pub(super) list_type: Option<String>,
    pub(super) map_keys: Vec<String>,
    pub(super) rules: Vec<Rule>,
}

/// The schema of undeclared fields.
#[derive(Debug, Default)]
pub(super) enum AdditionalFields {
    #[default]
    Unset,
    Allowed(bool),
    Of(Box<Node>),
}

/// A minimum or maximum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) value: f64,
    pub(super) is_exclusive: bool,
}

/// Bounds of a length or count.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
}

/// A validation rule with its messages.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) expression: String,
    pub(super) message: String,
    pub(super) message_expression: String,
    pub(super) reason: Option<String>,
    pub(super) field_path: String,
    pub(super) has_optional_old_self: bool,
}

impl Node {
    pub(super) fn read(schema: &Value) -> Option<Self> {
        Self::read_at(schema, 0)
    }

    fn read_at(schema: &Value, depth: usize) -> Option<Self> {
        let fields = schema.as_object()?;
        if depth > MAX_DEPTH || UNSUPPORTED.iter().any(|name| fields.contains_key(*name)) {
            return None;
        }
        let below = |schema: &Value| Self::read_at(schema, depth + 1);
        let boxed = |name: &str| match fields.get(name) {
            Some(schema) => below(schema).map(|node| Some(Box::new(node))),
            None => Some(None),
        };
        let several = |name: &str| {
            let schemas = fields.get(name).and_then(Value::as_array);
            let schemas = schemas.into_iter().flatten();
            schemas.map(below).collect::<Option<Vec<Self>>>()
        };
        let range = |of: &str| Range {
            min: number(fields, &format!("min{of}")).and_then(whole),
            max: number(fields, &format!("max{of}")).and_then(whole),
        };
        let bound = |name: &str, exclusive: &str| {
            number(fields, name).map(|value| Bound {
                value,
                is_exclusive: flag(fields, exclusive),
            })
        };
        let properties = fields.get("properties").and_then(Value::as_object);
        let properties = properties.into_iter().flatten();
        let enumeration = fields.get("enum").and_then(Value::as_array);
        let rules = fields.get("x-kubernetes-validations");
        let rules = rules.and_then(Value::as_array).into_iter().flatten();
        let non_empty = |name: &str| Some(text(fields, name)).filter(|text| !text.is_empty());
        Some(Self {
            kind: text(fields, "type"),
            is_int_or_string: flag(fields, "x-kubernetes-int-or-string"),
            is_nullable: flag(fields, "nullable"),
            format: non_empty("format"),
            enumeration: enumeration.cloned().unwrap_or_default(),
            pattern: non_empty("pattern"),
            minimum: bound("minimum", "exclusiveMinimum"),
            maximum: bound("maximum", "exclusiveMaximum"),
            multiple_of: number(fields, "multipleOf"),
            length: range("Length"),
            items_count: range("Items"),
            properties_count: range("Properties"),
            has_unique_items: flag(fields, "uniqueItems"),
            required: texts(fields, "required"),
            properties: properties
                .map(|(name, schema)| Some((name.clone(), below(schema)?)))
                .collect::<Option<_>>()?,
            additional: match fields.get("additionalProperties") {
                None | Some(Value::Null) => AdditionalFields::Unset,
                Some(Value::Bool(is_allowed)) => AdditionalFields::Allowed(*is_allowed),
                Some(schema) => AdditionalFields::Of(Box::new(below(schema)?)),
            },
            items: boxed("items")?,
            all_of: several("allOf")?,
            any_of: several("anyOf")?,
            one_of: several("oneOf")?,
            not: boxed("not")?,
            default: fields
                .get("default")
                .filter(|default| !default.is_null())
                .cloned(),
            keeps_unknown: flag(fields, "x-kubernetes-preserve-unknown-fields"),
            is_embedded: flag(fields, "x-kubernetes-embedded-resource"),
            list_type: non_empty("x-kubernetes-list-type"),
            map_keys: texts(fields, "x-kubernetes-list-map-keys"),
            rules: rules.filter_map(Rule::read).collect(),
        })
    }

    /// The schema of a field, declared or additional.
    pub(super) fn field(&self, name: &str) -> Option<&Self> {
        self.properties.get(name).or(match &self.additional {
            AdditionalFields::Of(node) => Some(node),
            _ => None,
        })
    }

    /// Whether the list is a set or a map.
    pub(super) fn is_associative(&self) -> bool {
        matches!(self.list_type.as_deref(), Some("set" | "map"))
    }
}

impl Rule {
    fn read(rule: &Value) -> Option<Self> {
        let fields = rule.as_object()?;
        Some(Self {
            expression: text(fields, "rule"),
            message: text(fields, "message"),
            message_expression: text(fields, "messageExpression"),
            reason: Some(text(fields, "reason")).filter(|reason| !reason.is_empty()),
            field_path: text(fields, "fieldPath"),
            has_optional_old_self: flag(fields, "optionalOldSelf"),
        })
    }
}

fn text(fields: &Map<String, Value>, name: &str) -> String {
    let text = fields.get(name).and_then(Value::as_str);
    text.unwrap_or_default().to_owned()
}

fn texts(fields: &Map<String, Value>, name: &str) -> Vec<String> {
    let texts = fields.get(name).and_then(Value::as_array);
    let texts = texts.into_iter().flatten().filter_map(Value::as_str);
    texts.map(ToOwned::to_owned).collect()
}

fn flag(fields: &Map<String, Value>, name: &str) -> bool {
    fields.get(name) == Some(&Value::Bool(true))
}

fn number(fields: &Map<String, Value>, name: &str) -> Option<f64> {
    fields.get(name)?.as_f64()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the number has no fraction, and saturation keeps its meaning as a bound"
)]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0).then_some(number as i64)
}
