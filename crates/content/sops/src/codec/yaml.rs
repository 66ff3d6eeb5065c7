//! YAML: mappings with their comments, indented by four.
//!
//! As in upstream, styles of scalars are lost, aliases are expanded, and a line of a comment
//! is an entry. After one round trip, a file does not change any more.
//!
//! Parity: sops: stores/yaml/store.go.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sluice_yaml::tree::{self, Comments, Content, Indent, Node, Tag};
use sluice_yaml::{Error, MAX_DEPTH, v3};

use crate::error::LoadError;
use crate::tree::{Branch, Comment, Element, Item, Text, Value};

/// The maximum number of nodes that aliases may add to a text.
const MAX_COPIED: usize = 100_000;

pub(super) fn load(bytes: &[u8]) -> Result<Vec<Branch>, LoadError> {
    if bytes.is_empty() {
        return Ok(Vec::new());
    }
    // This also finds repeated keys and aliases that expand too far.
    v3::from_slice(bytes).map_err(|error| syntax(&error))?;
    let text =
        str::from_utf8(bytes).map_err(|_| LoadError::Syntax("yaml: it is not UTF-8".to_owned()))?;
    let documents = tree::parse_documents(text).map_err(|error| syntax(&error))?;
    documents.iter().map(document).collect()
}

/// Converts the error of the parser without the text that it quotes, which may be a value.
fn syntax(error: &Error) -> LoadError {
    let message = error.to_string();
    let mut parts = message.split('`');
    let mut text = parts.next().unwrap_or_default().to_owned();
    while let (Some(_), Some(after)) = (parts.next(), parts.next()) {
        text.push_str("<redacted>");
        text.push_str(after);
    }
    LoadError::Syntax(text)
}

fn document(root: &Node) -> Result<Branch, LoadError> {
    let mut reader = Reader::default();
    let margins = root.comments.as_deref();
    let margins = margins.and_then(|comments| comments.document.as_deref());
    let mut branch = Branch::default();
    if let Some(margins) = margins {
        comments(&margins.head, false, &mut |comment| {
            branch.0.push(Item::Comment(comment));
        });
    }
    match &root.content {
        Content::Mapping(_) => reader.branch(root, &mut branch, false, 0)?,
        Content::Sequence(_) => {
            return Err(shape("YAML documents that are sequences are not supported"));
        }
        Content::Scalar(_) | Content::Alias(_) if root.kind() == Tag::Null => {
            let own = NodeComments::new(root);
            for text in [own.head, own.line, own.foot] {
                comments(text, false, &mut |comment| {
                    branch.0.push(Item::Comment(comment));
                });
            }
        }
        _ => return Err(shape("YAML documents that are values are not supported")),
    }
    if let Some(margins) = margins {
        comments(&margins.foot, false, &mut |comment| {
            branch.0.push(Item::Comment(comment));
        });
    }
    Ok(branch)
}

fn shape(problem: &str) -> LoadError {
    LoadError::Shape(problem.to_owned())
}

/// The comments of a node; empty if missing.
#[derive(Default, Clone, Copy)]
struct NodeComments<'a> {
    head: &'a str,
    line: &'a str,
    foot: &'a str,
}

impl<'a> NodeComments<'a> {
    fn new(node: &'a Node) -> Self {
        node.comments
            .as_deref()
            .map_or_else(Self::default, |own| Self {
                head: &own.head,
                line: &own.line,
                foot: &own.foot,
            })
    }
}

/// Visits every line of a comment, without the comment character.
fn comments(text: &str, inline: bool, push: &mut impl FnMut(Comment)) {
    for line in text.split('\n').filter(|line| !line.is_empty()) {
        // The first character is dropped, whatever it is.
        let mut characters = line.chars();
        characters.next();
        push(Comment::new(characters.as_str(), inline));
    }
}

/// Reads one document, with the anchors seen so far.
#[derive(Default)]
struct Reader<'a> {
    anchors: HashMap<&'a str, &'a Node>,
    /// The number of aliases being followed, and the nodes that they added.
    within: usize,
    copied: usize,
}

impl<'a> Reader<'a> {
    fn branch(
        &mut self,
        node: &'a Node,
        branch: &mut Branch,
        comments_were_handled: bool,
        depth: usize,
    ) -> Result<(), LoadError> {
        self.descend(node, depth)?;
        let own = NodeComments::new(node);
        let note = |branch: &mut Branch, text, inline| {
            comments(text, inline, &mut |comment| {
                branch.0.push(Item::Comment(comment));
            });
        };
        if !comments_were_handled {
            note(branch, own.head, false);
            note(branch, own.line, false);
        }
        for (key, value) in node.entries() {
            let (at_key, at_value) = (NodeComments::new(key), NodeComments::new(value));
            note(branch, at_key.head, false);
            note(branch, at_key.line, false);
            let is_plain = matches!(value.content, Content::Scalar(_) | Content::Alias(_));
            if is_plain {
                note(branch, at_value.head, false);
                note(branch, at_value.line, true);
            }
            let text = self.key(key)?;
            let value = self.value(value, is_plain, depth + 1)?;
            branch.push(text, value);
            if is_plain {
                note(branch, at_value.foot, false);
            }
            note(branch, at_key.foot, false);
        }
        if !comments_were_handled {
            note(branch, own.foot, false);
        }
        Ok(())
    }

    fn key(&mut self, key: &'a Node) -> Result<String, LoadError> {
        self.register(key);
        let resolved = match &key.content {
            Content::Alias(name) => self.anchors.get(name.as_ref()).copied().unwrap_or(key),
            _ => key,
        };
        match (&resolved.content, resolved.kind()) {
            (Content::Scalar(text), Tag::Str | Tag::Merge) => Ok(text.as_str().to_owned()),
            (_, kind) => {
                let line = key.line;
                Err(LoadError::Shape(format!(
                    "line {line}: only keys that are texts are supported, this is {kind}"
                )))
            }
        }
    }

    fn value(
        &mut self,
        node: &'a Node,
        comments_were_handled: bool,
        depth: usize,
    ) -> Result<Value, LoadError> {
        self.register(node);
        match &node.content {
            Content::Mapping(_) => {
                let mut branch = Branch::default();
                self.branch(node, &mut branch, comments_were_handled, depth)?;
                Ok(Value::Branch(branch))
            }
            Content::Sequence(items) => self.list(node, items, comments_were_handled, depth),
            Content::Scalar(text) => {
                self.descend(node, depth)?;
                scalar(node, text)
            }
            Content::Alias(name) => {
                let target = self.anchors.get(name.as_ref()).copied();
                let target = target.ok_or_else(|| shape("an alias refers to no anchor"))?;
                self.within += 1;
                let value = self.value(target, false, depth + 1);
                self.within -= 1;
                value
            }
        }
    }

    fn list(
        &mut self,
        node: &'a Node,
        items: &'a [Node],
        comments_were_handled: bool,
        depth: usize,
    ) -> Result<Value, LoadError> {
        self.descend(node, depth)?;
        let own = NodeComments::new(node);
        let mut list = Vec::new();
        let note = |list: &mut Vec<Element>, text, inline| {
            comments(text, inline, &mut |comment| {
                list.push(Element::Comment(comment));
            });
        };
        if !comments_were_handled {
            note(&mut list, own.head, false);
            note(&mut list, own.line, false);
        }
        for item in items {
            let at_item = NodeComments::new(item);
            note(&mut list, at_item.head, false);
            note(&mut list, at_item.line, true);
            let value = self.value(item, true, depth + 1)?;
            list.push(Element::Value(value));
            note(&mut list, at_item.foot, false);
        }
        if !comments_were_handled {
            note(&mut list, own.foot, false);
        }
        Ok(Value::List(list))
    }

    fn register(&mut self, node: &'a Node) {
        if let Some(anchor) = &node.anchor {
            self.anchors.insert(anchor, node);
        }
    }

    /// Limits the nodes that aliases add to a small text.
    fn descend(&mut self, _: &Node, depth: usize) -> Result<(), LoadError> {
        if self.within > 0 {
            self.copied += 1;
        }
        if depth > MAX_DEPTH || self.copied > MAX_COPIED {
            return Err(LoadError::Syntax(
                "yaml: document contains excessive aliasing".to_owned(),
            ));
        }
        Ok(())
    }
}

fn scalar(node: &Node, text: &str) -> Result<Value, LoadError> {
    let refused = |kind: &Tag| {
        let line = node.line;
        LoadError::Shape(format!("line {line}: the value is not of its type {kind}"))
    };
    let kind = node.kind();
    // The YAML decoder knows the syntax of numbers.
    let decoded = || node.to_value().map_err(|_| refused(&kind));
    Ok(match kind {
        Tag::Str | Tag::Merge | Tag::Unset | Tag::Other(_) | Tag::Map | Tag::Seq => {
            Value::text(text)
        }
        Tag::Null => Value::Null,
        Tag::Bool => Value::Bool(decoded()?.as_bool().ok_or_else(|| refused(&kind))?),
        Tag::Int => match decoded()?.as_i64() {
            Some(integer) => Value::Int(integer),
            // Upstream does not support such values either.
            None => return Err(refused(&kind)),
        },
        Tag::Float => Value::Float(match text {
            ".inf" | ".Inf" | ".INF" | "+.inf" | "+.Inf" | "+.INF" => f64::INFINITY,
            "-.inf" | "-.Inf" | "-.INF" => f64::NEG_INFINITY,
            ".nan" | ".NaN" | ".NAN" => f64::NAN,
            _ => decoded()?.as_f64().ok_or_else(|| refused(&kind))?,
        }),
        Tag::Timestamp => match decoded()? {
            serde_json::Value::String(time) => Value::Time(Text::new(time.into_bytes())),
            _ => return Err(refused(&kind)),
        },
        Tag::Binary => {
            let compact: String = text.split_ascii_whitespace().collect();
            let bytes = STANDARD.decode(compact).map_err(|_| refused(&kind))?;
            Value::text(bytes)
        }
    })
}

pub(super) fn emit(branches: &[Branch]) -> Vec<u8> {
    let mut out = String::new();
    for branch in branches {
        if !out.is_empty() {
            out.push_str("---\n");
        }
        let mut root = Node::map::<&str>([]);
        write_branch(branch, &mut root);
        out.push_str(&tree::to_string(&root, Indent::Four));
    }
    out.into_bytes()
}

/// Comments before the node that they belong to.
#[derive(Default)]
struct PendingComments {
    head: Vec<String>,
    line: Vec<String>,
}

impl PendingComments {
    fn take(&mut self, comment: &Comment) {
        let list = if comment.inline {
            &mut self.line
        } else {
            &mut self.head
        };
        list.push(comment.to_text());
    }

    fn attach_head(&mut self, node: &mut Node) {
        add(node, &mut self.head, |comments| &mut comments.head, true);
    }

    fn attach_line(&mut self, node: &mut Node) {
        add(node, &mut self.line, |comments| &mut comments.line, false);
    }

    /// Attaches the remaining comments to the last entry, or returns them if there is none.
    fn end(mut self, last: Option<&mut Node>) -> Option<Vec<String>> {
        self.head.append(&mut self.line);
        match last {
            Some(last) => {
                add(last, &mut self.head, |comments| &mut comments.foot, false);
                None
            }
            None => Some(self.head),
        }
    }
}

fn add(
    node: &mut Node,
    lines: &mut Vec<String>,
    place: impl FnOnce(&mut Comments) -> &mut String,
    first: bool,
) {
    if lines.is_empty() {
        return;
    }
    let text = format!("#{}", lines.join("\n#"));
    lines.clear();
    let known = place(node.comments_mut());
    *known = match (known.is_empty(), first) {
        (true, _) => text,
        (false, true) => format!("{text}\n{known}"),
        (false, false) => format!("{known}\n{text}"),
    };
}

fn write_branch(branch: &Branch, mapping: &mut Node) {
    let mut waiting = PendingComments::default();
    let mut entries: Vec<(Node, Node)> = Vec::new();
    for item in &branch.0 {
        match item {
            Item::Comment(comment) => waiting.take(comment),
            Item::Entry(key, value) => {
                if entries.is_empty() {
                    waiting.attach_head(mapping);
                }
                let mut key = text_node(key.as_bytes());
                waiting.attach_head(&mut key);
                let mut value = node_of(value);
                waiting.attach_line(&mut value);
                entries.push((key, value));
            }
        }
    }
    let last = entries.last_mut().map(|(key, _)| key);
    if let Some(mut alone) = waiting.end(last) {
        add(mapping, &mut alone, |comments| &mut comments.head, true);
    }
    mapping.content = Content::Mapping(entries);
}

fn node_of(value: &Value) -> Node {
    match value {
        Value::Null => Node::null(),
        Value::Bool(value) => Node::bool(*value),
        Value::Int(value) => Node::int(*value),
        Value::Float(value) => Node::plain(match value {
            value if value.is_nan() => ".nan".to_owned(),
            value if value.is_infinite() && *value > 0.0 => ".inf".to_owned(),
            value if value.is_infinite() => "-.inf".to_owned(),
            value => sluice_golang::number::format_g(*value),
        }),
        Value::Text(text) => text_node(text.expose()),
        Value::Time(time) => Node::plain(String::from_utf8_lossy(time.expose())),
        Value::Branch(branch) => {
            let mut mapping = Node::map::<&str>([]);
            write_branch(branch, &mut mapping);
            mapping
        }
        Value::List(items) => {
            let mut sequence = Node::seq([]);
            write_list(items, &mut sequence);
            sequence
        }
    }
}

/// Renders a text in Go's style; bytes that are not text become base64.
fn text_node(bytes: &[u8]) -> Node {
    match str::from_utf8(bytes) {
        Ok(text) => Node::from_value(&text.into()),
        Err(_) => {
            let mut node = Node::plain(STANDARD.encode(bytes));
            node.tag = Tag::Binary;
            node
        }
    }
}

fn write_list(items: &[Element], sequence: &mut Node) {
    let mut waiting = PendingComments::default();
    let mut nodes: Vec<Node> = Vec::new();
    for item in items {
        match item {
            Element::Comment(comment) => waiting.take(comment),
            Element::Value(value) => {
                if nodes.is_empty() {
                    waiting.attach_head(sequence);
                }
                let mut node = node_of(value);
                waiting.attach_head(&mut node);
                waiting.attach_line(&mut node);
                nodes.push(node);
            }
        }
    }
    if let Some(mut alone) = waiting.end(nodes.last_mut()) {
        add(sequence, &mut alone, |comments| &mut comments.head, true);
    }
    sequence.content = Content::Sequence(nodes);
}
