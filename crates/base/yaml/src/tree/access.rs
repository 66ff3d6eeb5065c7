//! Making, looking at and changing nodes.

use crate::decode::{Resolved, is_base_60, resolve_plain};
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

    /// A string. The writer quotes it if its text would be something else.
    pub fn string(text: impl Into<Text>) -> Self {
        Self::new(Content::Scalar(text.into()), Tag::Str)
    }

    /// A scalar that is what its text says: `1` is a number.
    pub fn plain(text: impl Into<Text>) -> Self {
        Self::new(Content::Scalar(text.into()), Tag::Unset)
    }

    /// An integer.
    pub fn int(value: i64) -> Self {
        Self::new(Content::Scalar(value.to_string().into()), Tag::Int)
    }

    /// A boolean.
    pub fn bool(value: bool) -> Self {
        let text = if value { "true" } else { "false" };
        Self::new(Content::Scalar(text.into()), Tag::Bool)
    }

    /// Null.
    pub fn null() -> Self {
        Self::new(Content::Scalar("null".into()), Tag::Null)
    }

    /// A sequence.
    pub fn seq(items: impl IntoIterator<Item = Self>) -> Self {
        let items = items.into_iter().collect();
        Self::new(Content::Sequence(items), Tag::Seq)
    }

    /// A mapping, in the given order.
    pub fn map<K: Into<Text>>(entries: impl IntoIterator<Item = (K, Self)>) -> Self {
        let entries = entries.into_iter();
        let entries = entries.map(|(key, value)| (Self::string(key), value));
        Self::new(Content::Mapping(entries.collect()), Tag::Map)
    }

    /// The tree that kyaml makes of a value, except that keys keep their order.
    /// Strings that YAML 1.1 takes for something else are quoted.
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
            Value::Array(items) => Self::seq(items.iter().map(Self::from_value)),
            Value::Object(map) => {
                let entries = map.iter();
                let entries =
                    entries.map(|(key, item)| (Self::quoted(key), Self::from_value(item)));
                Self::new(Content::Mapping(entries.collect()), Tag::Map)
            }
        }
    }

    /// A string in the style in which go-yaml v3 prints one.
    fn quoted(text: &str) -> Self {
        let mut node = Self::string(text);
        let is_text = |dialect| resolve_plain(dialect, text) == Resolved::Str;
        if text.contains('\n') {
            node.style = Style::LITERAL;
        } else if !is_text(Dialect::V3) || is_base_60(text) || is_old_bool(text) {
            node.style = Style::DOUBLE_QUOTED;
        }
        node
    }

    /// The text of a scalar, whatever its tag; `None` for what is no scalar.
    pub fn as_str(&self) -> Option<&str> {
        match &self.content {
            Content::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// What a mapping knows its value by when this is the key: the text of a
    /// scalar, the name of an alias, nothing for a collection.
    pub fn key_text(&self) -> &str {
        match &self.content {
            Content::Scalar(text) => text,
            Content::Alias(name) => name,
            Content::Sequence(_) | Content::Mapping(_) => "",
        }
    }

    /// What it is: its tag, or what its content says if that is not set.
    pub fn kind(&self) -> Tag {
        match (&self.tag, &self.content) {
            (Tag::Unset, Content::Scalar(_)) if self.style.has(Style::TEXT) => Tag::Str,
            (Tag::Unset, Content::Scalar(text)) => Tag::of_text(text),
            (Tag::Unset, Content::Sequence(_)) => Tag::Seq,
            (Tag::Unset, Content::Mapping(_)) => Tag::Map,
            (tag, _) => tag.clone(),
        }
    }

    /// Is it null by its tag?
    pub fn is_null(&self) -> bool {
        self.tag == Tag::Null
    }

    /// Is it a scalar that is a string, or one that does not say what it is?
    pub fn is_str(&self) -> bool {
        matches!(self.content, Content::Scalar(_)) && matches!(self.tag, Tag::Str | Tag::Unset)
    }

    /// Is it a mapping?
    pub fn is_map(&self) -> bool {
        matches!(self.content, Content::Mapping(_))
    }

    /// Is it a sequence?
    pub fn is_seq(&self) -> bool {
        matches!(self.content, Content::Sequence(_))
    }

    /// Is it a scalar?
    pub fn is_scalar(&self) -> bool {
        matches!(self.content, Content::Scalar(_))
    }

    /// The entries of a mapping; of anything else none.
    pub fn entries(&self) -> &[(Self, Self)] {
        match &self.content {
            Content::Mapping(entries) => entries,
            _ => &[],
        }
    }

    /// The entries of a mapping, to change.
    pub fn entries_mut(&mut self) -> Option<&mut Vec<(Self, Self)>> {
        match &mut self.content {
            Content::Mapping(entries) => Some(entries),
            _ => None,
        }
    }

    /// Adds an entry to a mapping, after all others, and tells its place. `None` if this is no
    /// mapping.
    pub fn push_entry(&mut self, key: Self, value: Self) -> Option<usize> {
        let entries = self.entries_mut()?;
        add(entries, (key, value));
        Some(entries.len() - 1)
    }

    /// The items of a sequence; of anything else none.
    pub fn items(&self) -> &[Self] {
        match &self.content {
            Content::Sequence(items) => items,
            _ => &[],
        }
    }

    /// The items of a sequence, to change.
    pub fn items_mut(&mut self) -> Option<&mut Vec<Self>> {
        match &mut self.content {
            Content::Sequence(items) => Some(items),
            _ => None,
        }
    }

    /// The value of a key; the first one if there are several.
    pub fn get(&self, key: &str) -> Option<&Self> {
        let mut entries = self.entries().iter();
        entries
            .find(|(known, _)| known.key_text() == key)
            .map(|(_, value)| value)
    }

    /// The value of a key, to change.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let mut entries = self.entries_mut()?.iter_mut();
        entries
            .find(|(known, _)| known.key_text() == key)
            .map(|(_, value)| value)
    }

    /// The node below a path of keys.
    pub fn lookup(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The node below a path of keys, to change.
    pub fn lookup_mut(&mut self, path: &[&str]) -> Option<&mut Self> {
        path.iter().try_fold(self, |node, key| node.get_mut(key))
    }

    /// The text of the scalar below a path of keys.
    pub fn text_at(&self, path: &[&str]) -> Option<&str> {
        self.lookup(path)?.as_str()
    }

    /// Sets the value of a key. A value that is there keeps the style in which
    /// it is written, and its comments unless the new one has some; a new key
    /// comes last. What is no mapping becomes one.
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

    /// Becomes the given node, but is written in the style of this one, with its
    /// comments where the new one has none.
    ///
    /// Parity: kyaml: `FieldSetter` without its flags.
    pub fn replace(&mut self, mut value: Self) {
        value.style = self.style;
        value.twin = self.twin;
        value.comments = value.comments.or_else(|| self.comments.take());
        *self = value;
    }

    /// Changes the text of a scalar and nothing else of it: what was quoted
    /// stays quoted, and what was a number stays one to its readers only if the
    /// new text is one.
    pub fn set_text(&mut self, text: impl Into<Text>) {
        let text = text.into();
        if !self.style.has(Style::TEXT.with(Style::TAGGED)) && self.tag != Tag::Unset {
            self.tag = Tag::of_plain(&text);
        }
        self.content = Content::Scalar(text);
    }

    /// Removes the first entry with that key.
    pub fn remove(&mut self, key: &str) -> Option<Self> {
        let entries = self.entries_mut()?;
        let index = entries
            .iter()
            .position(|(known, _)| known.key_text() == key)?;
        Some(entries.remove(index).1)
    }

    /// The node below a path of keys; mappings that are missing are made.
    /// `None` if something on the way is there and is no mapping.
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

    /// The comments; empty ones if there are none yet.
    pub fn comments_mut(&mut self) -> &mut Comments {
        self.comments.get_or_insert_default()
    }

    /// Calls the function for this node and everything below it, keys included,
    /// in the order of the text.
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

/// What YAML 1.1 took for a boolean and go-yaml v3 does not.
fn is_old_bool(text: &str) -> bool {
    matches!(resolve_plain(Dialect::V2, text), Resolved::Bool(_))
}

/// Adds an entry with little room for more: most mappings get one or two and then no other, and
/// twice the room in each would be much of a tree.
fn add(entries: &mut Vec<(Node, Node)>, entry: (Node, Node)) {
    if entries.len() == entries.capacity() {
        entries.reserve_exact(1 + entries.len() / 8);
    }
    entries.push(entry);
}
