//! Paths through a document, and the two ways in which upstream follows them.
//!
//! [`lookup`] finds the one node of a path whose list elements are told by an
//! index, `-` for the last, or a field that *equals* a value. [`matches()`] finds
//! all nodes of a path, takes `*` for every element, and compares list elements
//! with a regular expression that need not match the whole value; it can make
//! what is missing. They differ in such details because upstream has two
//! implementations, and users' files depend on either.
//!
//! Parity: kustomize: `kyaml/utils/pathsplitter.go`, `kyaml/yaml/fns.go`
//! (`PathGetter`) and `kyaml/yaml/match.go` (`PathMatcher`).

use sluice_yaml::MAX_DEPTH;
use sluice_yaml::tree::{self, Indent, Node};

use crate::growth::Growth;
use crate::pattern;
use crate::transform::fault::{Fault, Kind, expect_kind};

/// Splits a path; a backslash before the delimiter keeps it.
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

/// Splits a path at dots, but not within brackets. Brackets around the match of
/// a list element stay, those around a key with dots go.
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

/// What a path that leads to nothing makes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Create<'g> {
    /// What stands at its end.
    pub(crate) leaf: Kind,
    pub(crate) growth: &'g Growth,
}

impl Create<'_> {
    /// What is missing at a part of a path, by the part after it.
    fn missing(self, next: Option<&str>, name: &str) -> Result<Node, Fault> {
        self.growth.add_text(name)?;
        Ok(missing_kind(next, self.leaf).blank())
    }

    /// A new list element that the same part of a path finds.
    fn element(self, name: &str, value: &str) -> Result<Node, Fault> {
        self.growth.add_text(name)?;
        self.growth.add_text(value)?;
        Ok(element(name, value))
    }
}

/// Refuses to make what is deeper than anything that is read.
pub(crate) fn check_length<P>(parts: &[P]) -> Result<(), Fault> {
    if parts.len() > MAX_DEPTH {
        let message = format!("a path of more than {MAX_DEPTH} parts cannot be created");
        return Err(Fault::new(message));
    }
    Ok(())
}

/// Where a node is: the position of a child in its parent, from the root on.
pub(crate) type Location = Vec<usize>;

fn child(node: &Node, position: usize) -> Option<&Node> {
    match Kind::of(node)? {
        Kind::Sequence => node.items().get(position),
        Kind::Mapping => node.entries().get(position).map(|(_, value)| value),
        Kind::Scalar => None,
    }
}

fn child_mut(node: &mut Node, position: usize) -> Option<&mut Node> {
    match Kind::of(node)? {
        Kind::Sequence => node.items_mut()?.get_mut(position),
        Kind::Mapping => node
            .entries_mut()?
            .get_mut(position)
            .map(|(_, value)| value),
        Kind::Scalar => None,
    }
}

/// The node at a location.
pub(crate) fn at<'a>(root: &'a Node, location: &[usize]) -> Option<&'a Node> {
    let mut steps = location.iter();
    steps.try_fold(root, |node, &position| child(node, position))
}

/// The node at a location, to change.
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

/// Takes `[name=value]` apart.
fn name_and_value(part: &str) -> Result<(&str, &str), Fault> {
    let inner = part.strip_suffix(']').unwrap_or(part);
    let inner = inner.strip_prefix('[').unwrap_or(inner);
    inner.split_once('=').ok_or_else(|| {
        Fault::new("list path element must contain fieldName=fieldValue for element to match")
    })
}

/// What to make where a part of a path leads to nothing, by the part after it.
fn missing_kind(next: Option<&str>, leaf: Kind) -> Kind {
    match next {
        None | Some("") => leaf,
        Some(part) if is_list_index(part) || is_number(part) => Kind::Sequence,
        Some(_) => Kind::Mapping,
    }
}

fn field_position(node: &Node, name: &str) -> Option<usize> {
    let mut entries = node.entries().iter();
    entries.position(|(key, _)| key.key_text() == name)
}

/// Adds a field and returns its position. Like upstream, which leaves the tag
/// of the key open: a key that reads as a number is one.
pub(crate) fn push_field(node: &mut Node, name: &str, value: Node) -> usize {
    node.push_entry(Node::plain(name), value).unwrap_or(0)
}

/// Finds the node of a path. With `create`, what is missing is made, down to a
/// leaf of that kind. `None` if there is no such node.
fn walk(
    root: &mut Edit<'_>,
    parts: &[String],
    create: Option<Create<'_>>,
) -> Result<Option<Location>, Fault> {
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
        let node = at(root.read(), &location).expect("it was just found");
        let found = if let Ok(index) = part.parse::<i64>() {
            let index = usize::try_from(index)
                .map_err(|_| Fault::new(format!("array index {part} cannot be negative")))?;
            expect_kind(node, Kind::Sequence)?;
            Some(index).filter(|&index| index < node.items().len())
        } else if *part == "-" {
            expect_kind(node, Kind::Sequence)?;
            node.items().len().checked_sub(1)
        } else if *part == "*" {
            return Err(Fault::new("wildcard is not supported in PathGetter"));
        } else if is_list_index(part) {
            let (name, value) = name_and_value(part)?;
            expect_kind(node, Kind::Sequence)?;
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
            expect_kind(node, Kind::Mapping)?;
            match (field_position(node, part), create) {
                (None, Some(create)) => {
                    let next = parts.get(number + 1).copied();
                    root.add(&location, part, create.missing(next, part)?)
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

/// A document to look at, or to change as well.
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

/// Is a list element the one with this field, or this value if no field is named?
fn equals(item: &Node, name: &str, value: &str) -> bool {
    let text = |node: &Node| node.as_str().unwrap_or_default() == value;
    if name.is_empty() {
        return text(item);
    }
    !item.is_null() && item.get(name).is_some_and(text)
}

/// A new list element that the same part of a path finds.
fn element(name: &str, value: &str) -> Node {
    if name.is_empty() {
        return Node::plain(value);
    }
    let mut node = Kind::Mapping.blank();
    push_field(&mut node, name, Node::plain(value));
    node
}

/// Finds the one node of a path.
pub(crate) fn lookup<'a>(root: &'a Node, parts: &[String]) -> Result<Option<&'a Node>, Fault> {
    let location = locate(root, parts)?;
    Ok(location.and_then(|location| at(root, &location)))
}

/// Finds the place of the one node of a path.
pub(crate) fn locate(root: &Node, parts: &[String]) -> Result<Option<Location>, Fault> {
    walk(&mut Edit::Read(root), parts, None)
}

/// Finds the one node of a path, or makes it and all on the way to it.
pub(crate) fn locate_or_create(
    root: &mut Node,
    parts: &[String],
    create: Create<'_>,
) -> Result<Option<Location>, Fault> {
    walk(&mut Edit::Write(root), parts, Some(create))
}

/// A node that [`matches()`] found.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Match {
    /// In the document.
    At(Location),
    /// In what a scalar on the way says when it is read as YAML; what is set
    /// there is lost, as upstream reads it into a tree of its own.
    Aside(Node),
}

/// Finds all nodes of a path. With `create`, what is missing is made, down to a
/// leaf of that kind. `None` and no matches are the same to callers.
pub(crate) fn matches(
    root: &mut Node,
    parts: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, Fault> {
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
) -> Result<Vec<Match>, Fault> {
    let Some((part, rest)) = parts.split_first() else {
        return Ok(vec![Match::At(location.clone())]);
    };
    if is_number(part) {
        index(root, location, part, rest, create)
    } else if is_list_index(part) {
        elements(root, location, part, rest, create)
    } else if part == "*" {
        let node = at(root, location).expect("it was just found");
        expect_kind(node, Kind::Sequence)?;
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
) -> Result<Vec<Match>, Fault> {
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
) -> Result<Vec<Match>, Fault> {
    let node = at_mut(root, location).expect("it was just found");
    expect_kind(node, Kind::Sequence)?;
    let position: usize = part.parse().unwrap_or(usize::MAX);
    let mut count = node.items().len();
    if count == position
        && let Some(create) = create
    {
        let blank = create.missing(rest.first().map(String::as_str), "")?;
        match node.items_mut() {
            Some(items) => items.push(blank),
            // Null, to which upstream adds elements that nobody sees.
            None => return Ok(vec![Match::Aside(blank)]),
        }
        count += 1;
    }
    if position >= count {
        let message = format!("index {position} specified but only {count} elements found");
        return Err(Fault::new(message));
    }
    follow_each(root, location, [position], rest, create)
}

fn elements(
    root: &mut Node,
    location: &mut Location,
    part: &str,
    rest: &[String],
    create: Option<Create<'_>>,
) -> Result<Vec<Match>, Fault> {
    let (name, value) = name_and_value(part)?;
    for is_first in [true, false] {
        let node = at(root, location).expect("it was just found");
        expect_kind(node, Kind::Sequence)?;
        let positions = matching_elements(node, name, value)?;
        let found = if name.is_empty() {
            // What is no map has nothing below it; upstream ends the path here.
            follow_each(root, location, positions, &[], create)?
        } else {
            follow_each(root, location, positions, rest, create)?
        };
        let Some(create) = create.filter(|_| found.is_empty() && is_first) else {
            return Ok(found);
        };
        let element = create.element(name, value)?;
        let node = at_mut(root, location).expect("it was just found");
        match node.items_mut() {
            Some(items) => items.push(element),
            None => return Ok(vec![Match::Aside(element)]),
        }
    }
    Ok(Vec::new())
}

fn matching_elements(list: &Node, name: &str, value: &str) -> Result<Vec<usize>, Fault> {
    if list.items().is_empty() {
        return Ok(Vec::new());
    }
    let pattern = pattern::compile(value).map_err(Fault::new)?;
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
) -> Result<Vec<Match>, Fault> {
    let node = at_mut(root, location).expect("it was just found");
    // Without a name it is the node itself that upstream looks at.
    if name.is_empty() {
        expect_kind(node, Kind::Scalar)?;
        return Ok(Vec::new());
    }
    expect_kind(node, Kind::Mapping)?;
    let known = if node.is_null() {
        None
    } else {
        field_position(node, name)
    };
    let position = match (known, create) {
        (Some(position), _) => position,
        (None, None) => return Ok(Vec::new()),
        (None, Some(create)) => {
            let blank = create.missing(rest.first().map(String::as_str), name)?;
            if node.is_map() {
                push_field(node, name, blank)
            } else {
                // Null, to which upstream adds fields that nobody sees.
                return Ok(vec![Match::Aside(create.leaf.blank())]);
            }
        }
    };
    let found = child(node, position).expect("it was just found");
    if let Some(text) = found.as_str()
        && !rest.is_empty()
    {
        return aside(text, rest, create);
    }
    follow_each(root, location, [position], rest, create)
}

/// Follows a path into the text of a scalar.
fn aside(text: &str, rest: &[String], create: Option<Create<'_>>) -> Result<Vec<Match>, Fault> {
    let malformed = |error: sluice_yaml::Error| Fault::new(error.to_string());
    let document = tree::parse_document(text.as_bytes()).map_err(malformed)?;
    let Some(mut document) = document else {
        return Err(Fault::new("wrong node kind: expected MappingNode but got "));
    };
    let found = matches(&mut document.root, rest, create)?;
    Ok(found
        .into_iter()
        .map(|found| match found {
            Match::At(location) => {
                let node = at(&document.root, &location).expect("it was just found");
                Match::Aside(node.clone())
            }
            Match::Aside(node) => Match::Aside(node),
        })
        .collect())
}

#[cfg(test)]
mod tests;
