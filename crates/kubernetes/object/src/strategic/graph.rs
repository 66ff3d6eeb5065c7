//! A graph of YAML nodes that several parents may share, with kyaml's node operations.
//!
//! The children of a sequence are its elements; those of a mapping alternate key and value.

use sluice_yaml::tree::{self, Comments, Content, Indent, Name, Node, Style, Tag, Text};
use sluice_yaml::v2;

use super::MergeError;
use crate::Value;

/// The index of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar,
    Sequence,
    Mapping,
    Alias,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Scalar => "ScalarNode",
            Self::Sequence => "SequenceNode",
            Self::Mapping => "MappingNode",
            Self::Alias => "AliasNode",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// The text of a scalar or the name of an alias.
    pub(super) text: Text,
    pub(super) children: Vec<NodeId>,
    pub(super) tag: Tag,
    pub(super) style: Style,
    pub(super) comments: Option<Box<Comments>>,
    anchor: Option<Name>,
    line: u32,
    column: u32,
    /// [`Node::twin`]. Overwriting a node keeps its twin, so that the caller can see which twins
    /// changed.
    twin: u32,
}

/// All nodes of a merge.
#[derive(Debug, Default)]
pub(super) struct Graph {
    items: Vec<Item>,
}

type Result<T> = std::result::Result<T, MergeError>;

impl Graph {
    pub(super) fn add(&mut self, node: &Node) -> NodeId {
        let mut text = Text::default();
        let (kind, children) = match &node.content {
            Content::Scalar(scalar) => {
                text = scalar.clone();
                (Kind::Scalar, Vec::new())
            }
            Content::Alias(name) => {
                text = Text::from(&**name);
                (Kind::Alias, Vec::new())
            }
            Content::Sequence(items) => {
                let children = items.iter().map(|item| self.add(item)).collect();
                (Kind::Sequence, children)
            }
            Content::Mapping(entries) => {
                let nodes = entries.iter().flat_map(|(key, value)| [key, value]);
                let children = nodes.map(|node| self.add(node)).collect();
                (Kind::Mapping, children)
            }
        };
        self.push(Item {
            kind,
            text,
            children,
            tag: node.tag.clone(),
            style: node.style,
            comments: node.comments.clone(),
            anchor: node.anchor.clone(),
            line: node.line,
            column: node.column,
            twin: node.twin,
        })
    }

    fn push(&mut self, item: Item) -> NodeId {
        self.items.push(item);
        NodeId(self.items.len() - 1)
    }

    /// Adds an untagged scalar.
    pub(super) fn scalar(&mut self, text: Text) -> NodeId {
        self.fresh(Kind::Scalar, text, Tag::Unset)
    }

    /// Adds a null with its original text.
    pub(super) fn null(&mut self, text: Text) -> NodeId {
        self.fresh(Kind::Scalar, text, Tag::Null)
    }

    pub(super) fn list(&mut self) -> NodeId {
        self.fresh(Kind::Sequence, Text::default(), Tag::Unset)
    }

    fn fresh(&mut self, kind: Kind, text: Text, tag: Tag) -> NodeId {
        self.push(Item {
            kind,
            text,
            children: Vec::new(),
            tag,
            style: Style::PLAIN,
            comments: None,
            anchor: None,
            line: 0,
            column: 0,
            twin: 0,
        })
    }

    /// Copies a tree out of the graph.
    pub(super) fn extract(&self, id: NodeId) -> Node {
        let item = &self[id];
        let content = match item.kind {
            Kind::Scalar => Content::Scalar(item.text.clone()),
            Kind::Alias => Content::Alias(item.text.as_str().into()),
            Kind::Sequence => {
                let items = item.children.iter().map(|child| self.extract(*child));
                Content::Sequence(items.collect())
            }
            Kind::Mapping => {
                let entries = item.children.chunks_exact(2);
                let entries = entries.map(|pair| (self.extract(pair[0]), self.extract(pair[1])));
                Content::Mapping(entries.collect())
            }
        };
        Node {
            content,
            tag: item.tag.clone(),
            style: item.style,
            anchor: item.anchor.clone(),
            comments: item.comments.clone(),
            line: item.line,
            column: item.column,
            twin: item.twin,
        }
    }

    pub(super) fn is_null(&self, id: NodeId) -> bool {
        self[id].tag == Tag::Null
    }

    /// Whether the node is null or an empty collection.
    pub(super) fn is_nil_or_empty(&self, id: NodeId) -> bool {
        let item = &self[id];
        self.is_null(id) || (item.kind != Kind::Scalar && item.children.is_empty())
    }

    /// Prints the node like kyaml.
    pub(super) fn print(&self, id: NodeId) -> String {
        tree::to_string(&self.extract(id), Indent::Compact)
    }

    /// Fails unless the node is null or of the given kind.
    pub(super) fn expect(&self, id: Option<NodeId>, kind: Kind) -> Result<()> {
        match id {
            Some(id) if !self.is_null(id) && self[id].kind != kind => Err(MergeError::WrongKind {
                wanted: kind.name(),
                found: self[id].kind.name(),
                text: self.print(id),
            }),
            _ => Ok(()),
        }
    }

    /// The keys of a mapping, duplicates included.
    pub(super) fn keys(&self, id: NodeId) -> impl Iterator<Item = &Text> {
        let item = &self[id];
        let keys = if item.kind == Kind::Mapping {
            &item.children[..]
        } else {
            &[]
        };
        keys.iter().step_by(2).map(|key| &self[*key].text)
    }

    fn position(&self, id: NodeId, name: &str) -> Option<usize> {
        let index = self.keys(id).position(|key| *key == *name)?;
        Some(2 * index)
    }

    /// The key and the value of the first field with that name.
    pub(super) fn field(&self, id: NodeId, name: &str) -> Option<(NodeId, NodeId)> {
        let position = self.position(id, name)?;
        let children = &self[id].children;
        Some((children[position], children[position + 1]))
    }

    /// Removes the first field with that name.
    pub(super) fn clear(&mut self, id: NodeId, name: &str) {
        if let Some(position) = self.position(id, name) {
            self[id].children.drain(position..position + 2);
        }
    }

    /// The value of a field. Null has no fields; other kinds than mappings are an error.
    pub(super) fn value(&self, id: NodeId, name: &str) -> Result<Option<NodeId>> {
        self.expect(Some(id), Kind::Mapping)?;
        Ok(self.field(id, name).map(|(_, value)| value))
    }

    /// Sets a field. An existing field keeps its place and style, a new one is appended. No value,
    /// or a null that is not `kept`, removes the field.
    ///
    /// Parity: `kyaml: yaml/fns.go`, `FieldSetter`.
    pub(super) fn set_field(
        &mut self,
        id: NodeId,
        name: &Text,
        value: Option<NodeId>,
        key_style: Style,
        kept: bool,
    ) -> Result<()> {
        if let Some(value) = value {
            self.quote(value);
        }
        let value = match value {
            Some(value) if kept || !self.is_null(value) => value,
            _ => {
                self.expect(Some(id), Kind::Mapping)?;
                self.clear(id, name);
                return Ok(());
            }
        };
        if let Some(known) = self.value(id, name)? {
            self[value].style = self[known].style;
            self.overwrite(known, value);
            return Ok(());
        }
        let key = self.scalar(name.clone());
        self[key].style = key_style;
        self[id].children.extend([key, value]);
        Ok(())
    }

    /// Replaces a scalar and keeps its style.
    pub(super) fn set_scalar(&mut self, id: NodeId, value: NodeId) -> Result<()> {
        self.expect(Some(id), Kind::Scalar)?;
        self[value].style = self[id].style;
        self.overwrite(id, value);
        Ok(())
    }

    fn overwrite(&mut self, id: NodeId, value: NodeId) {
        if id != value {
            let twin = self[id].twin;
            self[id] = self[value].clone();
            self[id].twin = twin;
        }
    }

    /// Quotes a string that YAML 1.1 would read as another type.
    fn quote(&mut self, id: NodeId) {
        let item = &mut self[id];
        let is_text = item.kind == Kind::Scalar && matches!(item.tag, Tag::Str | Tag::Unset);
        if is_text && item.style == Style::PLAIN && is_not_text_in_yaml_1_1(&item.text) {
            item.style = Style::DOUBLE_QUOTED;
        }
    }
}

/// Parity: `kyaml: yaml/compatibility.go`, `IsValueNonString`.
fn is_not_text_in_yaml_1_1(text: &str) -> bool {
    !text.is_empty()
        && !text.contains('\n')
        && v2::from_str(text).is_ok_and(|value| !matches!(value, Value::String(_)))
}

impl std::ops::Index<NodeId> for Graph {
    type Output = Item;

    fn index(&self, id: NodeId) -> &Item {
        &self.items[id.0]
    }
}

impl std::ops::IndexMut<NodeId> for Graph {
    fn index_mut(&mut self, id: NodeId) -> &mut Item {
        &mut self.items[id.0]
    }
}
