//! One OpenAPI document, reduced to shapes: fields, elements, map values and references.
//!
//! Documents are read from the built-in table, from a user's JSON file and from comments.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::Value;

type Text = Cow<'static, str>;

/// The index of a shape in its document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ShapeId(u32);

/// The empty shape, the first one of every document.
const NOTHING: ShapeId = ShapeId(0);

#[derive(Debug, Default)]
struct Shape {
    /// A reference to another definition. It overrides the other fields.
    reference: Option<Text>,
    /// The shape of map values.
    values: Option<ShapeId>,
    /// The shape of list elements.
    items: Option<ShapeId>,
    /// Boxed, because most of the thousands of shapes have none of it.
    more: Option<Box<CompositeShape>>,
}

impl Shape {
    fn field(&self, name: &str) -> Option<ShapeId> {
        self.more.as_ref()?.fields.get(name).copied()
    }

    fn add_field(&mut self, name: Text, shape: ShapeId) {
        let more = self.more.get_or_insert_default();
        more.fields.insert(name, shape);
    }

    fn merge(&mut self, strategy: Text, keys: Vec<Text>) {
        let more = self.more.get_or_insert_default();
        (more.strategy, more.keys) = (Some(strategy), keys);
    }
}

/// Fields of objects and merge settings of lists.
#[derive(Debug, Default)]
struct CompositeShape {
    fields: HashMap<Text, ShapeId>,
    strategy: Option<Text>,
    keys: Vec<Text>,
}

/// An OpenAPI document, reduced to the facts of a merge.
#[derive(Debug)]
pub(super) struct Document {
    shapes: Vec<Shape>,
    definitions: HashMap<Text, ShapeId>,
    kinds: HashMap<(Text, Text), ShapeId>,
    scopes: HashMap<(Text, Text), bool>,
}

/// Why a user's document is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidDocument {
    /// The file cannot be parsed.
    #[error("invalid schema file: {0}")]
    Syntax(String),
    /// A field has the wrong type.
    #[error("invalid schema file: {field} should be {wanted}")]
    Type {
        /// The name of the field.
        field: String,
        /// The expected type.
        wanted: &'static str,
    },
    /// Both a document and a built-in version are given.
    #[error("builtin version and custom schema provided, cannot use both")]
    VersionAndPath,
    /// The version is not built in.
    #[error("the specified OpenAPI version is not built in")]
    UnknownVersion,
}

impl Document {
    fn new() -> Self {
        Self {
            shapes: vec![Shape::default()],
            definitions: HashMap::new(),
            kinds: HashMap::new(),
            scopes: HashMap::new(),
        }
    }

    pub(super) fn kind(&self, api_version: &str, kind: &str) -> Option<ShapeId> {
        self.kinds
            .get(&(api_version, kind) as &dyn KindKey)
            .copied()
    }

    pub(super) fn namespaced(&self, api_version: &str, kind: &str) -> Option<bool> {
        self.scopes
            .get(&(api_version, kind) as &dyn KindKey)
            .copied()
    }

    pub(super) fn reference(&self, shape: ShapeId) -> Option<&str> {
        self.shape(shape).reference.as_deref()
    }

    pub(super) fn field(&self, shape: ShapeId, name: &str) -> Option<ShapeId> {
        let shape = self.shape(shape);
        shape.field(name).or(shape.values)
    }

    pub(super) fn items(&self, shape: ShapeId) -> Option<ShapeId> {
        self.shape(shape).items
    }

    pub(super) fn strategy(&self, shape: ShapeId) -> Option<&str> {
        self.shape(shape).more.as_ref()?.strategy.as_deref()
    }

    pub(super) fn keys(&self, shape: ShapeId) -> &[Text] {
        let more = self.shape(shape).more.as_ref();
        more.map_or(&[], |more| &more.keys)
    }

    /// Resolves a reference: `NAME`, or `NAME/properties/a/items`.
    pub(super) fn pointer(&self, reference: &str) -> Option<ShapeId> {
        if let Some(shape) = self.definitions.get(reference) {
            return Some(*shape);
        }
        let mut steps = reference.split('/');
        let name = unescape(steps.next()?);
        let mut shape = *self.definitions.get(name.as_ref())?;
        while let Some(step) = steps.next() {
            let here = self.shape(shape);
            shape = match step {
                "properties" => here.field(&unescape(steps.next()?))?,
                "items" => here.items?,
                "additionalProperties" => here.values?,
                _ => return None,
            };
        }
        Some(shape)
    }

    fn shape(&self, id: ShapeId) -> &Shape {
        &self.shapes[id.0 as usize]
    }

    fn add(&mut self, shape: Shape) -> ShapeId {
        let id = u32::try_from(self.shapes.len()).expect("a document has fewer than 2^32 shapes");
        self.shapes.push(shape);
        ShapeId(id)
    }
}

/// Decodes the escapes of a JSON pointer.
fn unescape(step: &str) -> Cow<'_, str> {
    if step.contains('~') {
        step.replace("~1", "/").replace("~0", "~").into()
    } else {
        step.into()
    }
}

/// Allows lookups in a map of owned kinds with borrowed keys.
trait KindKey {
    fn key(&self) -> (&str, &str);
}

impl KindKey for (Text, Text) {
    fn key(&self) -> (&str, &str) {
        (&self.0, &self.1)
    }
}

impl KindKey for (&str, &str) {
    fn key(&self) -> (&str, &str) {
        *self
    }
}

impl PartialEq for dyn KindKey + '_ {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for dyn KindKey + '_ {}

impl std::hash::Hash for dyn KindKey + '_ {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

impl<'a> std::borrow::Borrow<dyn KindKey + 'a> for (Text, Text) {
    fn borrow(&self) -> &(dyn KindKey + 'a) {
        self
    }
}

/// Parses the scopes at the start of the built-in table: `s APIVERSION KIND n`.
pub(super) fn scopes(
    facts: &'static str,
) -> impl Iterator<Item = ((&'static str, &'static str), bool)> {
    let lines = facts.lines().take_while(|line| !line.starts_with("d "));
    lines.filter_map(|line| {
        let mut words = line.strip_prefix("s ")?.split(' ');
        let (api_version, kind) = (words.next()?, words.next()?);
        Some(((api_version, kind), words.next()? == "n"))
    })
}

/// Parses the built-in table. `crates/kubernetes/object/openapi/main.go` documents its format.
pub(super) fn from_facts(facts: &'static str) -> Document {
    let mut document = Document::new();
    let mut current = NOTHING;
    for line in facts.lines() {
        let (letter, rest) = line.split_once(' ').unwrap_or((line, ""));
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        match letter {
            "d" => {
                current = match shape_of_fact(&mut document, second) {
                    NOTHING => document.add(Shape::default()),
                    shape => shape,
                };
                document.definitions.insert(first.into(), current);
            }
            "k" => {
                document
                    .kinds
                    .insert((first.into(), second.into()), current);
            }
            "f" => {
                let shape = shape_of_fact(&mut document, second);
                document.shapes[current.0 as usize].add_field(first.into(), shape);
            }
            _ => {}
        }
    }
    for ((api_version, kind), namespaced) in scopes(facts) {
        let kind = (api_version.into(), kind.into());
        document.scopes.insert(kind, namespaced);
    }
    document.shapes.shrink_to_fit();
    document
}

fn shape_of_fact(document: &mut Document, fact: &'static str) -> ShapeId {
    let mut shape = Shape::default();
    if let Some(name) = fact.strip_prefix('#') {
        shape.reference = Some(name.into());
    } else if let Some(values) = fact.strip_prefix('{') {
        shape.values = Some(shape_of_fact(document, values));
    } else if let Some(list) = fact.strip_prefix('[') {
        let (items, merging) = match list.split_once('|') {
            // Only the outermost list has a merge strategy.
            Some((items, merging)) => (items, Some(merging)),
            None => (list, None),
        };
        shape.items = Some(shape_of_fact(document, items));
        if let Some((strategy, keys)) = merging.and_then(|merging| merging.split_once('|')) {
            let keys = keys.split(',').filter(|key| !key.is_empty());
            shape.merge(strategy.into(), keys.map(Text::from).collect());
        }
    } else {
        return NOTHING;
    }
    document.add(shape)
}

/// Parses a user's JSON document.
pub(super) fn from_json(json: &Value) -> Result<Document, InvalidDocument> {
    let mut document = Document::new();
    let definitions = object(json, "definitions")?;
    for (name, definition) in definitions.into_iter().flatten() {
        let shape = shape_of_json(&mut document, definition);
        document.definitions.insert(name.clone().into(), shape);
        let kinds = definition.get("x-kubernetes-group-version-kind");
        for kind in kinds.and_then(Value::as_array).into_iter().flatten() {
            if let Some(kind) = kind_of(kind) {
                document.kinds.insert(kind, shape);
            }
        }
    }
    for (path, item) in object(json, "paths")?.into_iter().flatten() {
        let kind = item.pointer("/get/x-kubernetes-group-version-kind");
        if let Some(kind) = kind.and_then(kind_of) {
            let namespaced = path.contains("namespaces/{namespace}");
            *document.scopes.entry(kind).or_default() |= namespaced;
        }
    }
    Ok(document)
}

/// Parses the comment of a field: a JSON object that is not empty.
pub(super) fn from_comment(comment: &str) -> Option<(Document, ShapeId)> {
    let text = comment.trim_start_matches('#');
    let json: Value = serde_json::from_str(text).ok()?;
    let fields = json.as_object().filter(|fields| !fields.is_empty())?;
    let mut document = Document::new();
    // The short form names a setter. It requires that all values are strings.
    let setter = fields.get("$openapi").and_then(Value::as_str);
    let shape =
        match setter.filter(|name| !name.is_empty() && fields.values().all(Value::is_string)) {
            Some(name) => document.add(Shape {
                reference: Some(format!("io.k8s.cli.setters.{name}").into()),
                ..Shape::default()
            }),
            None => shape_of_json(&mut document, &json),
        };
    Some((document, shape))
}

fn object<'a>(
    json: &'a Value,
    field: &str,
) -> Result<Option<&'a serde_json::Map<String, Value>>, InvalidDocument> {
    let wrong = |field: &str, wanted| InvalidDocument::Type {
        field: field.to_owned(),
        wanted,
    };
    let Value::Object(fields) = json else {
        return Err(wrong("the document", "an object"));
    };
    match fields.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(map)) => Ok(Some(map)),
        Some(_) => Err(wrong(field, "an object")),
    }
}

fn kind_of(json: &Value) -> Option<(Text, Text)> {
    let text = |name: &str| json.get(name).and_then(Value::as_str);
    let (version, kind) = (text("version")?, text("kind")?);
    let api_version = match text("group").unwrap_or("") {
        "" => version.to_owned(),
        group => format!("{group}/{version}"),
    };
    Some((api_version.into(), kind.to_owned().into()))
}

fn shape_of_json(document: &mut Document, json: &Value) -> ShapeId {
    let text = |name: &str| json.get(name).and_then(Value::as_str);
    let mut shape = Shape::default();
    if let Some(reference) = text("$ref").filter(|reference| !reference.is_empty()) {
        let name = reference
            .strip_prefix("#/definitions/")
            .unwrap_or(reference);
        shape.reference = Some(name.to_owned().into());
        return document.add(shape);
    }
    let fields = json.get("properties").and_then(Value::as_object);
    for (name, field) in fields.into_iter().flatten() {
        let field = shape_of_json(document, field);
        shape.add_field(name.clone().into(), field);
    }
    if let Some(values @ Value::Object(_)) = json.get("additionalProperties") {
        shape.values = Some(shape_of_json(document, values));
    }
    let is_list = match json.get("type") {
        Some(Value::String(name)) => name == "array",
        Some(Value::Array(names)) => matches!(&names[..], [only] if only == "array"),
        _ => false,
    };
    if let Some(items @ Value::Object(_)) = json.get("items").filter(|_| is_list) {
        shape.items = Some(shape_of_json(document, items));
    }
    if let Some(strategy) = text("x-kubernetes-patch-strategy") {
        let keys = match json.get("x-kubernetes-list-map-keys") {
            Some(Value::Array(keys)) => {
                let keys = keys.iter().filter_map(Value::as_str);
                keys.map(|key| Text::from(key.to_owned())).collect()
            }
            _ => {
                let key = text("x-kubernetes-patch-merge-key");
                key.map(|key| key.to_owned().into()).into_iter().collect()
            }
        };
        shape.merge(strategy.to_owned().into(), keys);
    }
    document.add(shape)
}
