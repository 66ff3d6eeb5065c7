//! Events to a tree: one document with everything that its text says.
//!
//! Nodes are in one arena and refer to each other by index. A document of any depth is built,
//! walked and dropped without recursion. An alias is the index of its target.

use std::collections::HashMap;

use crate::event::{CollectionStyle, Event, EventKind, Mark, Properties, ScalarStyle};
use crate::limits::NodeCount;
use crate::parser::Parser;
use crate::{Dialect, Error, ErrorKind};

/// One document.
#[derive(Debug, Clone)]
pub struct Document {
    nodes: Vec<Node>,
    root: NodeId,
}

/// The index of a node in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct NodeId(u32);

/// One node.
#[derive(Debug, Clone)]
pub struct Node {
    /// Start position.
    pub start: Mark,
    /// Name for aliases to refer to.
    pub anchor: Option<Box<str>>,
    /// Tag with its handle resolved.
    pub tag: Option<Box<str>>,
    /// Content of the node.
    pub content: Content,
}

/// The content of a node.
#[derive(Debug, Clone)]
pub enum Content {
    /// A scalar.
    Scalar {
        /// The text, unescaped and unfolded.
        value: Box<str>,
        /// Notation.
        style: ScalarStyle,
        /// The text alone decides the type.
        implicit: bool,
    },
    /// A sequence.
    Sequence {
        /// The items.
        items: Vec<NodeId>,
        /// Notation.
        style: CollectionStyle,
    },
    /// A mapping.
    Mapping {
        /// Keys and values as written, with duplicates.
        entries: Vec<(NodeId, NodeId)>,
        /// Notation.
        style: CollectionStyle,
    },
    /// A reference to an anchored node.
    Alias {
        /// Name of the anchor.
        name: Box<str>,
        /// The anchored node.
        target: NodeId,
    },
}

impl Document {
    /// Returns the root node.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Returns the node with an index.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }
}

/// Reads the documents of a text one by one. Documents that the caller does not ask for are not
/// parsed.
pub struct Documents<'a> {
    parser: Parser<'a>,
    count: NodeCount,
    failed: bool,
}

impl<'a> Documents<'a> {
    /// Starts reading a text.
    pub fn new(text: &'a str, dialect: Dialect) -> Self {
        Self {
            parser: Parser::new(text, dialect),
            count: NodeCount::of_text(),
            failed: false,
        }
    }
}

impl Iterator for Documents<'_> {
    type Item = Result<Document, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let document = self.read().transpose();
        self.failed = matches!(document, Some(Err(_)));
        document
    }
}

impl Documents<'_> {
    fn read(&mut self) -> Result<Option<Document>, Error> {
        loop {
            match self.parser.next()?.kind {
                EventKind::StreamEnd => return Ok(None),
                EventKind::DocumentStart { .. } => return self.compose().map(Some),
                _ => {}
            }
        }
    }

    fn compose(&mut self) -> Result<Document, Error> {
        let first = self.parser.next()?;
        let document = compose(&mut self.parser, first, &mut self.count)?;
        let end = self.parser.next()?;
        debug_assert!(matches!(end.kind, EventKind::DocumentEnd { .. }));
        Ok(document)
    }
}

/// Reads the node that begins with an event, and counts its nodes.
pub(crate) fn compose<'a>(
    parser: &mut Parser<'a>,
    first: Event<'a>,
    count: &mut NodeCount,
) -> Result<Document, Error> {
    let mut composer = Composer::default();
    let mut event = first;
    loop {
        if !matches!(event.kind, EventKind::SequenceEnd | EventKind::MappingEnd) {
            count.add()?;
        }
        composer.add_event(event)?;
        if let Some(root) = composer.root {
            let nodes = composer.nodes;
            return Ok(Document { nodes, root });
        }
        event = parser.next()?;
    }
}

/// A document under construction.
#[derive(Default)]
struct Composer {
    nodes: Vec<Node>,
    root: Option<NodeId>,
    anchors: HashMap<Box<str>, NodeId>,
    open: Vec<Open>,
}

/// An open collection, and the key that waits for its value.
struct Open {
    node: NodeId,
    key: Option<NodeId>,
}

impl Composer {
    fn add_event(&mut self, event: Event<'_>) -> Result<(), Error> {
        let start = event.start;
        match event.kind {
            EventKind::Alias { anchor } => {
                let Some(&target) = self.anchors.get(anchor.as_ref()) else {
                    let problem = format!("unknown anchor '{anchor}' referenced");
                    return Err(Error::yaml(ErrorKind::Syntax, 0, problem));
                };
                let name = anchor.into();
                let content = Content::Alias { name, target };
                let id = self.add(start, Properties::default(), content);
                self.finish(id);
            }
            EventKind::Scalar(scalar) => {
                let content = Content::Scalar {
                    value: scalar.value.into(),
                    style: scalar.style,
                    implicit: scalar.implicit,
                };
                let id = self.add(start, scalar.properties, content);
                self.finish(id);
            }
            EventKind::SequenceStart { properties, style } => {
                let items = Vec::new();
                self.open(start, properties, Content::Sequence { items, style });
            }
            EventKind::MappingStart { properties, style } => {
                let entries = Vec::new();
                self.open(start, properties, Content::Mapping { entries, style });
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => {
                let open = self.open.pop().expect("events are balanced");
                self.finish(open.node);
            }
            EventKind::StreamStart
            | EventKind::StreamEnd
            | EventKind::DocumentStart { .. }
            | EventKind::DocumentEnd { .. } => unreachable!("a node lies within a document"),
        }
        Ok(())
    }

    fn add(&mut self, start: Mark, properties: Properties<'_>, content: Content) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("a text has fewer nodes than 2^32");
        let id = NodeId(id);
        let anchor: Option<Box<str>> = properties.anchor.map(Into::into);
        if let Some(name) = &anchor {
            self.anchors.insert(name.clone(), id);
        }
        self.nodes.push(Node {
            start,
            anchor,
            tag: properties.tag.map(Into::into),
            content,
        });
        id
    }

    fn open(&mut self, start: Mark, properties: Properties<'_>, content: Content) {
        let node = self.add(start, properties, content);
        self.open.push(Open { node, key: None });
    }

    /// Adds a complete node to the collection around it.
    fn finish(&mut self, id: NodeId) {
        let Some(open) = self.open.last_mut() else {
            self.root = Some(id);
            return;
        };
        match &mut self.nodes[open.node.0 as usize].content {
            Content::Sequence { items, .. } => items.push(id),
            Content::Mapping { entries, .. } => match open.key.take() {
                None => open.key = Some(id),
                Some(key) => entries.push((key, id)),
            },
            Content::Scalar { .. } | Content::Alias { .. } => {
                unreachable!("only collections are open")
            }
        }
    }
}
