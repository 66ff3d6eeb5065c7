//! Creation, access and changes of nodes.

use crate::decode::{ResolvedScalar, is_base_60, resolve_plain};
use crate::tree::{Comments, Content, Node, Style, Tag, Text};
use crate::{Dialect, Value};

impl Node {
    fn new(content: Content, tag: Tag) -> Self {
        Self {
            content,
            tag,
            ..Self::default()
        }
    }

    /// Creates a string. The writer quotes it if its text reads as another type.
    pub fn string(text: impl Into<Text>) -> Self {
        Self::new(Content::Scalar(text.into()), Tag::Str)
    }

    /// Creates a scalar whose text determines its type: `1` is a number.
    pub fn plain(text: impl Into<Text>) -> Self {
        Self::new(Content::Scalar(text.into()), Tag::Unset)
    }

    /// Creates an integer.
    pub fn int(value: i64) -> Self {
        Self::new(Content::Scalar(value.to_string().into()), Tag::Int)
    }

    /// Creates a boolean.
    pub fn bool(value: bool) -> Self {
        let text = if value { "true" } else { "false" };
        Self::new(Content::Scalar(text.into()), Tag::Bool)
    }

    /// Creates a null.
    pub fn null() -> Self {
        Self::new(Content::Scalar("null".into()), Tag::Null)
    }

    /// Creates a sequence.
    pub fn seq(items: impl IntoIterator<Item = Self>) -> Self {
        let items = items.into_iter().collect();
        Self::new(Content::Sequence(items), Tag::Seq)
    }

    /// Creates a mapping in the given order.
    pub fn map<K: Into<Text>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        let entries = entries.into_iter();
        let entries = entries.map(|(key, value)| (Self::string(key), value));
        Self::new(Content::Mapping(entries.collect()), Tag::Map)
    }

    /// Creates the tree that kyaml builds from a value, but keeps the order of keys. Strings that
    /// YAML 1.1 reads as another type are quoted.
    pub fn from_value(value: &Value) -> Self {
        match value {
            Value::Null => Self::null(),
            Value::Bool(value) => Self::bool(*value),
            Value::Number(number) => {
                let number = crate::v2::print(number);
                let tag = Tag::of_plain(&number);
                Self::new(Content::Scalar(number.into()), tag)
            }
            Value::String(text) => Self::quoted(text),
            // Only the flow style can print these. It stays when an editor adds children.
            Value::Array(items) if items.is_empty() => {
                let mut node = Self::seq([]);
                node.style = Style::FLOW;
                node
            }
            Value::Object(map) if map.is_empty() => {
                let mut node = Self::new(Content::Mapping(Vec::new()), Tag::Map);
                node.style = Style::FLOW;
                node
            }
            Value::Array(items) => Self::seq(items.iter().map(Self::from_value)),
            Value::Object(map) => {
                let entries = map.iter();
                let entries =
                    entries.map(|(key, item)| (Self::quoted(key), Self::from_value(item)));
                Self::new(Content::Mapping(entries.collect()), Tag::Map)
            }
        }
    }

    /// Creates a string in the style of go-yaml v3.
    fn quoted(text: &str) -> Self {
        let mut node = Self::string(text);
        let is_text = |dialect| resolve_plain(dialect, text) == ResolvedScalar::Str;
        if text.contains('\n') {
            node.style = Style::LITERAL;
        } else if !is_text(Dialect::V3) || is_base_60(text) || is_old_bool(text) {
            node.style = Style::DOUBLE_QUOTED;
        }
        node
    }

    /// Returns the text of a scalar, whatever its tag; `None` for other nodes.
    pub fn as_str(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the key text under which a mapping finds a value: the text of a scalar, the name of
    /// an alias, an empty text for a collection.
    pub fn key_text(&self) -> &str {
        match &self.content {
            Content::Scalar(text) => text,
            Content::Alias(name) => name,
            Content::Sequence(_) | Content::Mapping(_) => "",
        }
    }

    /// Returns the type: the tag, or the type of the content if the tag is unset.
    pub fn kind(&self) -> Tag {
        match (&self.tag, &self.content) {
            (Tag::Unset, Content::Scalar(_)) if self.style.has(Style::TEXT) => Tag::Str,
            (Tag::Unset, Content::Scalar(text)) => Tag::of_text(text),
            (Tag::Unset, Content::Sequence(_)) => Tag::Seq,
            (Tag::Unset, Content::Mapping(_)) => Tag::Map,
            (tag, _) => tag.clone(),
        }
    }

    /// Reports whether the tag is null.
    pub fn is_null(&self) -> bool {
        self.tag == Tag::Null
    }

    /// Reports whether the node is a scalar that is a string or has no tag.
    pub fn is_str(&self) -> bool {
        matches!(self.content, Content::Scalar(_)) && matches!(self.tag, Tag::Str | Tag::Unset)
    }

    /// Reports whether the node is a mapping.
    pub fn is_map(&self) -> bool {
        matches!(self.content, Content::Mapping(_))
    }

    /// Reports whether the node is a sequence.
    pub fn is_seq(&self) -> bool {
        matches!(self.content, Content::Sequence(_))
    }

    /// Reports whether the node is a scalar.
    pub fn is_scalar(&self) -> bool {
        matches!(self.content, Content::Scalar(_))
    }

    /// Returns the entries of a mapping; an empty slice for other nodes.
    pub fn entries(&self) -> &[(Self, Self)] {
        match &self.content {
            Content::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// Returns the entries of a mapping for changes.
    pub fn entries_mut(&mut self) -> Option<&mut Vec<(Self, Self)>> {
        match &mut self.content {
            Content::Mapping(entries) => Some(entries),
            _ => None,
        }
    }

    /// Adds an entry at the end of a mapping and returns its index; `None` for other nodes.
    pub fn push_entry(&mut self, key: Self, value: Self) -> Option<usize> {
        let entries = self.entries_mut()?;
        add(entries, (key, value));
        Some(entries.len() - 1)
    }

    /// Returns the items of a sequence; an empty slice for other nodes.
    pub fn items(&self) -> &[Self] {
        match &self.content {
            Content::Sequence(items) => items,
            _ => &[],
        }
    }

    /// Returns the items of a sequence for changes.
    pub fn items_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.content {
            Content::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the value of a key; the first one of several.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let mut entries = self.entries().iter();
        entries
            .find(|(known, _)| known.key_text() == key)
            .map(|(_, value)| value)
    }

    /// Returns the value of a key for changes.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let mut entries = self.entries_mut()?.iter_mut();
        entries
            .find(|(known, _)| known.key_text() == key)
            .map(|(_, value)| value)
    }

    /// Returns the node below a path of keys.
    pub fn lookup(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// Returns the node below a path of keys for changes.
    pub fn lookup_mut(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |node, key| node.get_mut(key))
    }

    /// Returns the text of the scalar below a path of keys.
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.lookup(path)?.as_str()
    }

    /// Sets the value of a key. An existing value keeps its style, and its comments unless the new
    /// one has some. A new key is added last. A node that is not a mapping becomes one.
    pub fn set(&mut self, key: &str, value: Self) {
        if let Some(known) = self.get_mut(key) {
            known.replace(value);
            return;
        }
        let entry = (Self::string(key), value);
        match &mut self.content {
            Content::Mapping(entries) => add(entries, entry),
            content => {
                *content = Content::Mapping(vec![entry]);
                self.tag = Tag::Map;
                self.style = Style::PLAIN;
            }
        }
    }

    /// Replaces the node, but keeps its style, and its comments where the new node has none.
    ///
    /// Parity: kyaml: `FieldSetter` without its flags.
    pub fn replace(&mut self, mut value: Self) {
        value.style = self.style;
        value.twin = self.twin;
        value.comments = value.comments.or_else(|| self.comments.take());
        *self = value;
    }

    /// Changes only the text of a scalar. A quoted scalar stays quoted. A plain number stays a
    /// number only if the new text is one.
    pub fn set_text(&mut self, text: impl Into<Text>) {
        let text = text.into();
        if !self.style.has(Style::TEXT.with(Style::TAGGED)) && self.tag != Tag::Unset {
            self.tag = Tag::of_plain(&text);
        }
        self.content = Content::Scalar(text);
    }

    /// Removes the first entry of a key.
    pub fn remove(&mut self, key: &str) -> Option<Self> {
        let entries = self.entries_mut()?;
        let index = entries
            .iter()
            .position(|(known, _)| known.key_text() == key)?;
        Some(entries.remove(index).1)
    }

    /// Returns the node below a path of keys, and creates missing mappings. `None` if a node on
    /// the path is not a mapping.
    pub fn lookup_or_create(&mut self, path: &[&str]) -> Option<&mut Self> {
        let mut node = self;
        for key in path {
            let entries = node.entries_mut()?;
            let known = entries
                .iter()
                .position(|(known, _)| known.key_text() == *key);
            let index = known.unwrap_or_else(|| {
                let empty = Self::map::<Text>([]);
                add(entries, (Self::string(*key), empty));
                entries.len() - 1
            });
            node = &mut entries[index].1;
        }
        Some(node)
    }

    /// Returns the comments, empty if the node has none.
    pub fn comments_mut(&mut self) -> &mut Comments {
        self.comments.get_or_insert_default()
    }

    /// Calls a function for the node and all nodes below it, including keys, in text order.
    pub fn visit(&self, see: &mut impl FnMut(&Self)) {
        see(self);
        match &self.content {
            Content::Sequence(items) => items.iter().for_each(|item| item.visit(see)),
            Content::Mapping(entries) => {
                for (key, value) in entries {
                    key.visit(see);
                    value.visit(see);
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
    }
}

/// Reports whether a text is a boolean in YAML 1.1 but not in go-yaml v3.
fn is_old_bool(text: &str) -> bool {
    matches!(resolve_plain(Dialect::V2, text), ResolvedScalar::Bool(_))
}

/// Adds an entry with little spare capacity. Most mappings get one or two entries after reading.
/// Doubling each mapping would take a large part of a tree's memory.
fn add(entries: &mut Vec<(Node, Node)>, entry: (Node, Node)) {
    if entries.len() == entries.capacity() {
        entries.reserve_exact(1 + entries.len() / 8);
    }
    entries.push(entry);
}
