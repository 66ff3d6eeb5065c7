//! Events to trees.

use std::collections::HashSet;

use crate::event::{
    CollectionStyle, Comments as EventComments, EventKind, Mark, Properties, ScalarStyle,
};
use crate::limits::NodeCount;
use crate::parser::Parser;
use crate::tree::{Comments, Content, DocumentComments, Name, Node, Style, Tag};
use crate::{Dialect, Error, ErrorKind, MAX_DEPTH, reader};

/// A document with the comments around it, which are stored in its root node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// The root node.
    pub root: Node,
}

/// Reads every document of a text. An empty document is null. kustomize splits texts at lines of
/// `---` first; that is the caller's task.
pub fn parse_documents(text: &str) -> Result<Vec<Node>, Error> {
    let text = reader::decode(text.as_bytes())?;
    let mut composer = Composer::new(&text);
    let mut documents = Vec::new();
    while let Some(document) = composer.next().map_err(Error::into_v3)? {
        documents.push(document);
    }
    Ok(documents)
}

/// Reads the first document of a text in UTF-8, or in UTF-16 with a byte order mark. Later
/// documents are not parsed. Returns `None` for an empty text.
pub fn parse_document(bytes: &[u8]) -> Result<Option<Document>, Error> {
    let text = reader::decode(bytes)?;
    let root = Composer::new(&text).next().map_err(Error::into_v3)?;
    Ok(root.map(|root| Document { root }))
}

struct Composer<'a> {
    parser: Parser<'a>,
    anchors: HashSet<Box<str>>,
    open: Vec<Open>,
    count: NodeCount,
}

/// An open collection, and the key that waits for its value.
struct Open {
    node: Node,
    key: Option<Node>,
}

impl<'a> Composer<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            parser: Parser::new(text, Dialect::V3),
            anchors: HashSet::new(),
            open: Vec::new(),
            count: NodeCount::of_text(),
        }
    }

    fn next(&mut self) -> Result<Option<Node>, Error> {
        loop {
            let event = self.parser.next()?;
            match event.kind {
                EventKind::StreamEnd => return Ok(None),
                EventKind::DocumentStart { .. } => {
                    let head = event.comments.map(|comments| comments.head.into_owned());
                    return self.compose(head.unwrap_or_default()).map(Some);
                }
                _ => {}
            }
        }
    }

    fn compose(&mut self, head: String) -> Result<Node, Error> {
        let mut root = Node::default();
        loop {
            let event = self.parser.next()?;
            if matches!(
                event.kind,
                EventKind::Alias { .. }
                    | EventKind::Scalar(_)
                    | EventKind::SequenceStart { .. }
                    | EventKind::MappingStart { .. }
            ) {
                self.count.add()?;
            }
            let comments = event.comments.map(|comments| {
                let EventComments {
                    head, line, foot, ..
                } = *comments;
                Box::new(Comments {
                    head: head.into_owned(),
                    line: line.into_owned(),
                    foot: foot.into_owned(),
                    document: None,
                })
            });
            let complete = match event.kind {
                EventKind::Alias { anchor } => {
                    if !self.anchors.contains(anchor.as_ref()) {
                        let problem = format!("unknown anchor '{anchor}' referenced");
                        return Err(Error::yaml(ErrorKind::Syntax, 0, problem));
                    }
                    let content = Content::Alias(anchor.into());
                    let mut node =
                        self.node(event.start, Properties::default(), content, Style::PLAIN);
                    node.comments = comments;
                    node
                }
                EventKind::Scalar(scalar) => {
                    let style = match scalar.style {
                        ScalarStyle::Plain => Style::PLAIN,
                        ScalarStyle::SingleQuoted => Style::SINGLE_QUOTED,
                        ScalarStyle::DoubleQuoted => Style::DOUBLE_QUOTED,
                        ScalarStyle::Literal => Style::LITERAL,
                        ScalarStyle::Folded => Style::FOLDED,
                    };
                    let content = Content::Scalar(scalar.value.into());
                    let mut node = self.node(event.start, scalar.properties, content, style);
                    node.comments = comments;
                    node
                }
                EventKind::SequenceStart { properties, style } => {
                    let content = Content::Sequence(Vec::new());
                    self.start(event.start, properties, content, style, comments)?;
                    continue;
                }
                EventKind::MappingStart { properties, style } => {
                    let content = Content::Mapping(Vec::new());
                    self.start(event.start, properties, content, style, comments)?;
                    continue;
                }
                EventKind::SequenceEnd | EventKind::MappingEnd => {
                    let mut node = self.open.pop().expect("events are balanced").node;
                    // Most collections have few entries, so spare capacity would dominate a tree.
                    match &mut node.content {
                        Content::Sequence(items) => items.shrink_to_fit(),
                        Content::Mapping(entries) => entries.shrink_to_fit(),
                        Content::Scalar(_) | Content::Alias(_) => {}
                    }
                    end(&mut node, comments);
                    node
                }
                EventKind::DocumentEnd { .. } => {
                    let foot = comments.map(|comments| comments.foot).unwrap_or_default();
                    if !(head.is_empty() && foot.is_empty()) {
                        let around = DocumentComments { head, foot };
                        root.comments_mut().document = Some(Box::new(around));
                    }
                    return Ok(root);
                }
                EventKind::StreamStart | EventKind::StreamEnd | EventKind::DocumentStart { .. } => {
                    unreachable!("documents do not nest")
                }
            };
            if let Some(outermost) = self.place(complete) {
                root = outermost;
            }
        }
    }

    fn node(
        &mut self,
        start: Mark,
        properties: Properties<'_>,
        content: Content,
        style: Style,
    ) -> Node {
        let tag = properties.tag.filter(|tag| tag != "!");
        let (tag, style) = match (tag, &content) {
            (Some(tag), _) => (Tag::named(&tag), style.with(Style::TAGGED)),
            (None, Content::Alias(_)) => (Tag::Unset, style),
            (None, Content::Sequence(_)) => (Tag::Seq, style),
            (None, Content::Mapping(_)) => (Tag::Map, style),
            (None, Content::Scalar(_)) if style.has(Style::TEXT) => (Tag::Str, style),
            (None, Content::Scalar(text)) => (Tag::of_plain(text), style),
        };
        let anchor: Option<Name> = properties.anchor.map(Into::into);
        if let Some(name) = &anchor {
            self.anchors.insert(name.as_str().into());
        }
        Node {
            content,
            tag,
            style,
            anchor,
            comments: None,
            line: u32::try_from(start.line + 1).unwrap_or(u32::MAX),
            column: u32::try_from(start.column + 1).unwrap_or(u32::MAX),
            twin: 0,
        }
    }

    fn start(
        &mut self,
        start: Mark,
        properties: Properties<'_>,
        content: Content,
        style: CollectionStyle,
        comments: Option<Box<Comments>>,
    ) -> Result<(), Error> {
        if self.open.len() >= MAX_DEPTH {
            let problem = format!("exceeded max depth of {MAX_DEPTH}");
            return Err(Error::yaml(ErrorKind::Limit, start.line + 1, problem));
        }
        let style = match style {
            CollectionStyle::Block => Style::PLAIN,
            CollectionStyle::Flow => Style::FLOW,
        };
        let mut node = self.node(start, properties, content, style);
        // The other comments arrive with the end of the collection.
        node.comments = comments
            .filter(|comments| !comments.head.is_empty())
            .map(|comments| {
                Box::new(Comments {
                    head: comments.head,
                    ..Comments::default()
                })
            });
        self.open.push(Open { node, key: None });
        Ok(())
    }

    /// Adds a complete node to the collection around it. Returns the node if it is the root.
    fn place(&mut self, node: Node) -> Option<Node> {
        let Some(open) = self.open.last_mut() else {
            return Some(node);
        };
        let block = !open.node.style.has(Style::FLOW);
        match &mut open.node.content {
            Content::Sequence(items) => items.push(node),
            Content::Mapping(entries) => match open.key.take() {
                None => {
                    let mut key = node;
                    if block && let Some((last, _)) = entries.last_mut() {
                        move_foot(&mut key, last, true);
                    }
                    open.key = Some(key);
                }
                Some(mut key) => {
                    let mut value = node;
                    move_foot(&mut value, &mut key, false);
                    entries.push((key, value));
                }
            },
            Content::Scalar(_) | Content::Alias(_) => unreachable!("only collections are open"),
        }
        None
    }
}

/// Adds the comments of its end event to a collection. The foot comment of a block belongs to its
/// last key.
fn end(node: &mut Node, comments: Option<Box<Comments>>) {
    let Some(comments) = comments else { return };
    let own = node.comments_mut();
    own.line = comments.line;
    own.foot = comments.foot;
    if !node.style.has(Style::FLOW)
        && let Content::Mapping(entries) = &mut node.content
        && let Some((last, _)) = entries.last_mut()
        && let Some(own) = &mut node.comments
        && !own.foot.is_empty()
    {
        last.comments_mut().foot = std::mem::take(&mut own.foot);
    }
    if node.comments.as_ref().is_some_and(|own| own.is_empty()) {
        node.comments = None;
    }
}

/// Moves the foot comment of a node to another one. Keeps an existing one unless `always` is set.
fn move_foot(from: &mut Node, to: &mut Node, always: bool) {
    let Some(comments) = &mut from.comments else {
        return;
    };
    let free = to
        .comments
        .as_ref()
        .is_none_or(|known| known.foot.is_empty());
    if comments.foot.is_empty() || !(always || free) {
        return;
    }
    to.comments_mut().foot = std::mem::take(&mut comments.foot);
    if comments.is_empty() {
        from.comments = None;
    }
}
