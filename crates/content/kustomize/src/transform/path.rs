//! Follows paths through a document, in the two ways of upstream.
//!
//! [`lookup`] finds a single node. A list element is selected by an index, `-` for the last, or
//! a field that *equals* a value. [`matches()`] finds all nodes of a path. It accepts `*` for
//! every element and can create missing nodes. A regular expression selects elements and may match
//! a part of the value. Upstream has two implementations, and files of users depend on either.
//!
//! Parity: kustomize: `kyaml/utils/pathsplitter.go`, `kyaml/yaml/fns.go`
//! (`PathGetter`) and `kyaml/yaml/match.go` (`PathMatcher`).

use sluice_yaml::MAX_DEPTH;
use sluice_yaml::tree::{self, Indent, Node};

use crate::growth::GrowthBudget;
use crate::pattern;
use crate::transform::field_error::{FieldError, NodeKind, expect_kind};

/// Splits a path at a delimiter, unless a backslash precedes it.
pub(crate) fn split(path: &str, delimiter: char) -> Vec<String> {
    let mut parts = path.split(delimiter).peekable();
    let first = parts.next().unwrap_or_default();
    // A leading delimiter is allowed.
    let first = match parts.peek() {
        Some(_) if first.is_empty() => parts.next().unwrap_or_default(),
        _ => first,
    };
    let mut result = vec![first.to_owned()];
    for part in parts {
        match result.last_mut() {
            Some(last) if last.ends_with('\\') => {
                last.pop();
                last.push(delimiter);
                last.push_str(part);
            }
            _ => result.push(part.to_owned()),
        }
    }
    result
}

/// Splits a path at dots outside of brackets. Keeps brackets around the match of a list
/// element, and removes them around a key with dots.
pub(crate) fn split_bracketed(path: &str) -> Vec<String> {
    let mut result = Vec::new();
    let mut parts = split(path, '.').into_iter();
    while let Some(part) = parts.next() {
        if !part.starts_with('[') || part.ends_with(']') {
            result.push(part);
            continue;
        }
        let mut bracketed = part;
        for more in parts.by_ref() {
            bracketed.push('.');
            bracketed.push_str(&more);
            if more.ends_with(']') {
                break;
            }
        }
        if bracketed.contains('=') {
            result.push(bracketed);
        } else {
            result.push(bracketed.trim_matches(['[', ']']).to_owned());
        }
    }
    result
}

/// How to create missing nodes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Create<'g> {
    /// The kind of the last node.
    pub(crate) leaf: NodeKind,
    pub(crate) growth: &'g GrowthBudget,
}

impl Create<'_> {
    /// Creates the missing node of a part; the next part decides its kind.
    fn missing_node(self, next: Option<&str>, name: &str) -> Result<Node, FieldError> {
        self.growth.add_text(name)?;
        Ok(missing_kind(next, self.leaf).blank())
    }

    /// Creates a list element that the part of the path matches.
    fn element(self, name: &str, value: &str) -> Result<Node, FieldError> {
        self.growth.add_text(name)?;
        self.growth.add_text(value)?;
        Ok(element(name, value))
    }
}

/// Rejects a path that would create nodes deeper than the YAML limit.
pub(crate) fn check_length<P>(parts: &[P]) -> Result<(), FieldError> {
    if parts.len() > MAX_DEPTH {
        let message = format!("a path of more than {MAX_DEPTH} parts cannot be created");
        return Err(FieldError::new(message));
    }
    Ok(())
}

/// The location of a node: the position of each child on the path from the root.
pub(crate) type Location = Vec<usize>;

fn child(node: &Node, position: usize) -> Option<&Node> {
    match NodeKind::of(node)? {
        NodeKind::Sequence => node.items().get(position),
        NodeKind::Mapping => node.entries().get(position).map(|(_, value)| value),
        NodeKind::Scalar => None,
    }
}

fn child_mut(node: &mut Node, position: usize) -> Option<&mut Node> {
    match NodeKind::of(node)? {
        NodeKind::Sequence => node.items_mut()?.get_mut(position),
        NodeKind::Mapping => node
            .entries_mut()?
            .get_mut(position)
            .map(|(_, value)| value),
        NodeKind::Scalar => None,
    }
}

/// Returns the node at a location.
pub(crate) fn at<'a>(root: &'a Node, location: &[usize]) -> Option<&'a Node> {
    let mut steps = location.iter();
    steps.try_fold(root, |node, &position| child(node, position))
}

/// Returns the node at a location for editing.
pub(crate) fn at_mut<'a>(root: &'a mut Node, location: &[usize]) -> Option<&'a mut Node> {
    let mut steps = location.iter();
    steps.try_fold(root, |node, &position| child_mut(node, position))
}

fn is_list_index(part: &str) -> bool {
    part.starts_with('[') && part.ends_with(']')
}

fn is_number(part: &str) -> bool {
    part.parse::<i64>().is_ok_and(|number| number >= 0)
}

/// Parses `[name=value]`.
fn name_and_value(part: &str) -> Result<(&str, &str), FieldError> {
    let inner = part.strip_suffix(']').unwrap_or(part);
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    inner.split_once('=').ok_or_else(|| {
        FieldError::new("list path element must contain fieldName=fieldValue for element to match")
    })
}

/// Returns the kind of a missing node, by the next part of the path.
fn missing_kind(next: Option<&str>, leaf: NodeKind) -> NodeKind {
    match next {
        None | Some("") => leaf,
        Some(part) if is_list_index(part) || is_number(part) => NodeKind::Sequence,
        Some(_) => NodeKind::Mapping,
    }
}

fn field_position(node: &Node, name: &str) -> Option<usize> {
    let mut entries = node.entries().iter();
    entries.position(|(key, _)| key.key_text() == name)
}

/// Adds a field and returns its position. As in upstream, the key has no tag, so a key of
/// digits is a number.
pub(crate) fn push_field(node: &mut Node, name: &str, value: Node) -> usize {
    node.push_entry(Node::plain(name), value).unwrap_or(0)
}

/// Finds the node of a path. With `create`, creates missing nodes. Returns `None` if the node
/// does not exist.
fn walk(
    root: &mut Edit<'_>,
    parts: &[String],
    create: Option<Create<'_>>,
) -> Result<Option<Location>, FieldError> {
    let parts: Vec<&str> = parts
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty())
        .collect();
    if create.is_some() {
        check_length(&parts)?;
    }
    let mut location = Location::new();
    for (number, part) in parts.iter().enumerate() {
        let node = at(root.read(), &location).expect("the location was just found");
        let found = if let Ok(index) = part.parse::<i64>() {
            let index = usize::try_from(index)
                .map_err(|_| FieldError::new(format!("array index {part} cannot be negative")))?;
            expect_kind(node, NodeKind::Sequence)?;
            Some(index).filter(|&index| index < node.items().len())
        } else if *part == "-" {
            expect_kind(node, NodeKind::Sequence)?;
            node.items().len().checked_sub(1)
        } else if *part == "*" {
            return Err(FieldError::new("wildcard is not supported in PathGetter"));
        } else if is_list_index(part) {
            let (name, value) = name_and_value(part)?;
            expect_kind(node, NodeKind::Sequence)?;
            let found = node
                .items()
                .iter()
                .position(|item| equals(item, name, value));
            match (found, create) {
                (None, Some(create)) => root.append(&location, create.element(name, value)?),
                _ => found,
            }
        } else if node.is_null() {
            None
        } else {
            expect_kind(node, NodeKind::Mapping)?;
            match (field_position(node, part), create) {
                (None, Some(create)) => {
                    let next = parts.get(number + 1).copied();
                    root.add(&location, part, create.missing_node(next, part)?)
                }
                (found, _) => found,
            }
        };
        match found {
            Some(position) => location.push(position),
            None => return Ok(None),
        }
    }
    Ok(Some(location))
}

/// A document for reading or editing.
enum Edit<'a> {
    Read(&'a Node),
    Write(&'a mut Node),
}

impl Edit<'_> {
    fn read(&self) -> &Node {
        match self {
            Self::Read(node) => node,
            Self::Write(node) => node,
        }
    }

    fn at_mut(&mut self, location: &[usize]) -> Option<&mut Node> {
        match self {
            Self::Read(_) => None,
            Self::Write(node) => at_mut(node, location),
        }
    }

    fn add(&mut self, location: &[usize], name: &str, value: Node) -> Option<usize> {
        Some(push_field(self.at_mut(location)?, name, value))
    }

    fn append(&mut self, location: &[usize], value: Node) -> Option<usize> {
        let items = self.at_mut(location)?.items_mut()?;
        items.push(value);
        Some(items.len() - 1)
    }
}

/// Whether a list element has a field with this value, or is this value if the name is empty.
fn equals(item: &Node, name: &str, value: &str) -> bool {
    let text = |node: &Node| node.as_str().unwrap_or_default() == value;
    if name.is_empty() {
        return text(item);
    }
    !item.is_null() && item.get(name).is_some_and(text)
}

/// Creates a list element with a field, or a scalar if the name is empty.
fn element(name: &str, value: &str) -> Node {
    if name.is_empty() {
        return Node::plain(value);
    }
    let mut node = NodeKind::Mapping.blank();
    push_field(&mut node, name, Node::plain(value));
    node
}

/// Finds the node of a path.
pub(crate) fn lookup<'a>(root: &'a Node, parts: &[String]) -> Result<Option<&'a Node>, FieldError> {
    let location = locate(root, parts)?;
    Ok(location.and_then(|location| at(root, &location)))
}

/// Finds the location of the node of a path.
pub(crate) fn locate(root: &Node, parts: &[String]) -> Result<Option<Location>, FieldError> {
    walk(&mut Edit::Read(root), parts, None)
}

/// Finds the location of the node of a path, and creates missing nodes.
pub(crate) fn locate_or_create(
    root: &mut Node,
    parts: &[String],
    create: Create<'_>,
) -> Result<Option<Location>, FieldError> {
    walk(&mut Edit::Write(root), parts, Some(create))
}

/// A match of [`matches()`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Match {
    /// A node of the document.
    At(Location),
    /// A node in the text of a scalar on the path, parsed as YAML. Upstream parses it into a
    /// separate tree, so changes are lost.
    Embedded(Node),
}

/// Finds all nodes of a path. With `create`, creates missing nodes.
pub(crate) fn matches(
    root: &mut Node,
    parts: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, FieldError> {
    if create.is_some() {
        check_length(parts)?;
    }
    let mut location = Location::new();
    follow(root, &mut location, parts, create)
}

fn follow(
    root: &mut Node,
    location: &mut Location,
    parts: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, FieldError> {
    let Some((part, rest)) = parts.split_first() else {
        return Ok(vec![Match::At(location.clone())]);
    };
    if is_number(part) {
        index(root, location, part, rest, create)
    } else if is_list_index(part) {
        elements(root, location, part, rest, create)
    } else if part == "*" {
        let node = at(root, location).expect("the location was just found");
        expect_kind(node, NodeKind::Sequence)?;
        let positions = 0..node.items().len();
        follow_each(root, location, positions, rest, create)
    } else {
        field(root, location, part, rest, create)
    }
}

fn follow_each(
    root: &mut Node,
    location: &mut Location,
    positions: impl IntoIterator<Item = usize>,
    rest: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, FieldError> {
    let mut found = Vec::new();
    for position in positions {
        location.push(position);
        let below = follow(root, location, rest, create);
        location.pop();
        found.extend(below?);
    }
    Ok(found)
}

fn index(
    root: &mut Node,
    location: &mut Location,
    part: &str,
    rest: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, FieldError> {
    let node = at_mut(root, location).expect("the location was just found");
    expect_kind(node, NodeKind::Sequence)?;
    let position: usize = part.parse().unwrap_or(usize::MAX);
    let mut count = node.items().len();
    if count == position
        && let Some(create) = create
    {
        let blank = create.missing_node(rest.first().map(String::as_str), "")?;
        match node.items_mut() {
            Some(items) => items.push(blank),
            // Upstream adds elements to a null, which has no effect.
            None => return Ok(vec![Match::Embedded(blank)]),
        }
        count += 1;
    }
    if position >= count {
        let message = format!("index {position} specified but only {count} elements found");
        return Err(FieldError::new(message));
    }
    follow_each(root, location, [position], rest, create)
}

fn elements(
    root: &mut Node,
    location: &mut Location,
    part: &str,
    rest: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, FieldError> {
    let (name, value) = name_and_value(part)?;
    for is_first in [true, false] {
        let node = at(root, location).expect("the location was just found");
        expect_kind(node, NodeKind::Sequence)?;
        let positions = matching_elements(node, name, value)?;
        let found = if name.is_empty() {
            // A scalar element has no fields; upstream ends the path here.
            follow_each(root, location, positions, &[], create)?
        } else {
            follow_each(root, location, positions, rest, create)?
        };
        let Some(create) = create.filter(|_| found.is_empty() && is_first) else {
            return Ok(found);
        };
        let element = create.element(name, value)?;
        let node = at_mut(root, location).expect("the location was just found");
        match node.items_mut() {
            Some(items) => items.push(element),
            None => return Ok(vec![Match::Embedded(element)]),
        }
    }
    Ok(Vec::new())
}

fn matching_elements(list: &Node, name: &str, value: &str) -> Result<Vec<usize>, FieldError> {
    if list.items().is_empty() {
        return Ok(Vec::new());
    }
    let pattern = pattern::compile(value).map_err(FieldError::new)?;
    let mut positions = Vec::new();
    for (position, item) in list.items().iter().enumerate() {
        let node = if name.is_empty() {
            Some(item)
        } else {
            item.get(name)
        };
        let Some(node) = node else { continue };
        let text = tree::to_string(node, Indent::Compact);
        if pattern.is_match(text.trim()) {
            positions.push(position);
        }
    }
    Ok(positions)
}

fn field(
    root: &mut Node,
    location: &mut Location,
    name: &str,
    rest: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, FieldError> {
    let node = at_mut(root, location).expect("the location was just found");
    // With an empty name, upstream checks the node itself.
    if name.is_empty() {
        expect_kind(node, NodeKind::Scalar)?;
        return Ok(Vec::new());
    }
    expect_kind(node, NodeKind::Mapping)?;
    let known = if node.is_null() {
        None
    } else {
        field_position(node, name)
    };
    let position = match (known, create) {
        (Some(position), _) => position,
        (None, None) => return Ok(Vec::new()),
        (None, Some(create)) => {
            let blank = create.missing_node(rest.first().map(String::as_str), name)?;
            if node.is_map() {
                push_field(node, name, blank)
            } else {
                // Upstream adds fields to a null, which has no effect.
                return Ok(vec![Match::Embedded(create.leaf.blank())]);
            }
        }
    };
    let found = child(node, position).expect("the position was just found");
    if let Some(text) = found.as_str()
        && !rest.is_empty()
    {
        return follow_into_text(text, rest, create);
    }
    follow_each(root, location, [position], rest, create)
}

/// Follows a path into the text of a scalar.
fn follow_into_text(
    text: &str,
    rest: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, FieldError> {
    let malformed = |error: sluice_yaml::Error| FieldError::new(error.to_string());
    let document = tree::parse_document(text.as_bytes()).map_err(malformed)?;
    let Some(mut document) = document else {
        return Err(FieldError::new(
            "wrong node kind: expected MappingNode but got ",
        ));
    };
    let found = matches(&mut document.root, rest, create)?;
    Ok(found
        .into_iter()
        .map(|found| match found {
            Match::At(location) => {
                let node = at(&document.root, &location).expect("the location was just matched");
                Match::Embedded(node.clone())
            }
            Match::Embedded(node) => Match::Embedded(node),
        })
        .collect())
}

#[cfg(test)]
mod tests;
