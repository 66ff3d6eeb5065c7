//! Expansion of aliases and merge keys.
//!
//! Parity: kyaml: `RNode.DeAnchor`, with its quirks. A key `<<` is dropped even if it merges
//! nothing. A null key with a text is duplicated. If a mapping is merged before its own merge key
//! is processed, it brings that key along. Upstream has no limit; here 400,000 nodes are free,
//! and beyond them go-yaml's share of copies applies.

use std::collections::HashMap;

use crate::decode::{MAX_COPIED, SMALL_DOCUMENT_STEPS, excessive_aliasing, max_alias_share};
use crate::tree::{Content, Name, Node, Size, Tag};
use crate::{Error, ErrorKind, MAX_DEPTH};

impl Node {
    /// Replaces each alias by a copy of its node, and each merge key by its entries, and removes
    /// the anchors. Returns the approximate memory of the copies.
    pub fn expand_aliases(&mut self) -> Result<u64, Error> {
        if !self.needs_expansion() {
            return Ok(0);
        }
        let mut expander = AliasExpander::default();
        expander.number_anchors(self, &mut HashMap::new())?;
        expander.collect(self);
        expander.expand(self, 0, true)?;
        let copied = Size {
            nodes: expander.copied_nodes,
            bytes: expander.copied_bytes,
            depth: 0,
        };
        Ok(copied.memory())
    }

    /// Reports whether the tree has an anchor, an alias, or a key that expansion changes.
    fn needs_expansion(&self) -> bool {
        if self.anchor.is_some() {
            return true;
        }
        match &self.content {
            Content::Scalar(_) => false,
            Content::Alias(_) => true,
            Content::Sequence(items) => items.iter().any(Self::needs_expansion),
            Content::Mapping(entries) => entries.iter().any(|(key, value)| {
                matches!(key.tag, Tag::Merge | Tag::Null)
                    || key.key_text() == "<<"
                    || key.needs_expansion()
                    || value.needs_expansion()
            }),
        }
    }
}

/// A node with an anchor.
struct AnchoredNode {
    /// The node as written, if an alias refers to it.
    written: Option<Node>,
    /// The expanded node and its size.
    expanded: Option<(Node, Size)>,
    /// The node is under expansion.
    active: bool,
    /// The node was expanded in place. Upstream copies a mapping's content before it continues. So
    /// aliases refer to the node as written until one of them is replaced.
    passed: bool,
}

#[derive(Default)]
struct AliasExpander {
    anchored: Vec<AnchoredNode>,
    /// Whether an alias refers to the node of that index.
    wanted: Vec<bool>,
    nodes: u32,
    copied_nodes: u32,
    copied_bytes: usize,
}

impl AliasExpander {
    /// Replaces the name of each anchor by a number. A name can be reused, and a copy may come
    /// after the reuse.
    fn number_anchors(
        &mut self,
        node: &mut Node,
        names: &mut HashMap<Name, usize>,
    ) -> Result<(), Error> {
        self.nodes = self.nodes.saturating_add(1);
        if let Some(name) = &mut node.anchor {
            let number = self.anchored.len();
            names.insert(std::mem::replace(name, number.to_string().into()), number);
            self.anchored.push(AnchoredNode {
                written: None,
                expanded: None,
                active: false,
                passed: false,
            });
            self.wanted.push(false);
        }
        match &mut node.content {
            Content::Scalar(_) => {}
            Content::Alias(name) => {
                let Some(number) = names.get(&**name) else {
                    let problem = format!("unknown anchor '{name}' referenced");
                    return Err(Error::yaml(ErrorKind::Syntax, 0, problem));
                };
                self.wanted[*number] = true;
                *name = number.to_string().into();
            }
            Content::Sequence(items) => {
                for item in items {
                    self.number_anchors(item, names)?;
                }
            }
            Content::Mapping(entries) => {
                for (key, value) in entries {
                    self.number_anchors(key, names)?;
                    self.number_anchors(value, names)?;
                }
            }
        }
        Ok(())
    }

    /// Stores the nodes that aliases refer to, as written.
    fn collect(&mut self, node: &Node) {
        node.visit(&mut |node| {
            if let Some(number) = node.anchor.as_deref().map(number)
                && self.wanted[number]
            {
                self.anchored[number].written = Some(node.clone());
            }
        });
    }

    /// Expands a node. `in_place` means that it is not inside of a mapping.
    fn expand(&mut self, node: &mut Node, depth: usize, in_place: bool) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            let problem = format!("exceeded max depth of {MAX_DEPTH}");
            return Err(Error::bare(ErrorKind::Limit, problem));
        }
        let anchor = node.anchor.take();
        match &mut node.content {
            Content::Scalar(_) => {}
            Content::Alias(name) => {
                let number = number(name);
                *node = self.copy(number, depth)?;
            }
            Content::Sequence(items) => {
                for item in items {
                    self.expand(item, depth + 1, in_place)?;
                }
            }
            Content::Mapping(entries) => {
                self.merge(entries)?;
                for (key, value) in entries {
                    self.expand(key, depth + 1, false)?;
                    self.expand(value, depth + 1, false)?;
                }
            }
        }
        if let Some(name) = anchor
            && in_place
        {
            self.anchored[number(&name)].passed = true;
        }
        Ok(())
    }

    /// Returns a copy of an expanded node.
    fn copy(&mut self, number: usize, depth: usize) -> Result<Node, Error> {
        if self.anchored[number].expanded.is_none() {
            let anchored = &mut self.anchored[number];
            if anchored.active {
                return Err(contains_itself());
            }
            anchored.active = true;
            let mut node = anchored.written.clone().expect("an alias refers to it");
            self.expand(&mut node, depth, true)?;
            let size = node.size();
            let anchored = &mut self.anchored[number];
            anchored.active = false;
            anchored.expanded = Some((node, size));
        }
        let (_, size) = self.anchored[number].expanded.as_ref().expect("set above");
        let size = *size;
        if depth + size.depth > MAX_DEPTH {
            let problem = format!("exceeded max depth of {MAX_DEPTH}");
            return Err(Error::bare(ErrorKind::Limit, problem));
        }
        self.count(size)?;
        let (node, _) = self.anchored[number].expanded.as_ref().expect("set above");
        Ok(node.clone())
    }

    /// Counts a copy. Fails if the copies exceed the limit.
    fn count(&mut self, size: Size) -> Result<(), Error> {
        self.nodes = self.nodes.saturating_add(size.nodes);
        self.copied_nodes = self.copied_nodes.saturating_add(size.nodes);
        self.copied_bytes = self.copied_bytes.saturating_add(size.bytes);
        let share = f64::from(self.copied_nodes) / f64::from(self.nodes);
        if self.copied_bytes > MAX_COPIED
            || self.nodes > SMALL_DOCUMENT_STEPS && share > max_alias_share(self.nodes)
        {
            return Err(excessive_aliasing());
        }
        Ok(())
    }

    // Merge keys

    fn merge(&mut self, entries: &mut Vec<(Node, Node)>) -> Result<(), Error> {
        let mut merge_keys = entries.iter().filter(|(key, _)| key.tag == Tag::Merge);
        let value = merge_keys.next().map(|(_, value)| value);
        if merge_keys.next().is_some() {
            return Err(Error::bare(ErrorKind::Syntax, "duplicate merge key"));
        }
        let merged = match value {
            Some(value) => self.merged(value)?,
            None => Vec::new(),
        };
        if let Some(index) = entries.iter().position(|(key, _)| key.key_text() == "<<") {
            entries.remove(index);
        }
        let is_odd = |(key, _): &(Node, Node)| key.tag == Tag::Null && !key.key_text().is_empty();
        if merged.is_empty() && !entries.iter().any(is_odd) {
            return Ok(());
        }
        // Own entries keep their positions at the start, and are merged last, so that they win.
        let own = first_of_each(entries);
        let mut places: HashMap<String, usize> = HashMap::new();
        for (place, (key, _)) in entries.iter().enumerate() {
            places.entry(key.key_text().to_owned()).or_insert(place);
        }
        for (key, value) in merged.into_iter().chain([own]).flatten() {
            let name = if key.is_null() { "" } else { key.key_text() };
            match places.get(name) {
                Some(place) => entries[*place] = (key, value),
                None => {
                    // A later entry is found by the text of its own key.
                    let place = entries.len();
                    places.entry(key.key_text().to_owned()).or_insert(place);
                    entries.push((key, value));
                }
            }
        }
        Ok(())
    }

    /// Returns the mappings of a merge key in the order of merging; the last one wins.
    fn merged(&mut self, value: &Node) -> Result<Vec<Vec<(Node, Node)>>, Error> {
        let error = |problem: &str| Err(Error::bare(ErrorKind::Syntax, problem));
        match &value.content {
            Content::Mapping(entries) => {
                self.count(value.size())?;
                Ok(vec![first_of_each(entries)])
            }
            Content::Alias(name) => {
                let number = number(name);
                if self.anchored[number].active {
                    return Err(contains_itself());
                }
                let node = if self.anchored[number].passed {
                    self.copy(number, 0)?
                } else {
                    let written = self.anchored[number].written.clone();
                    let written = written.expect("an alias refers to it");
                    self.count(written.size())?;
                    written
                };
                match node.content {
                    Content::Mapping(entries) => Ok(vec![first_of_each(&entries)]),
                    _ => error("invalid map merge: received alias for a non-map value"),
                }
            }
            Content::Sequence(items) => {
                let mut merged = Vec::new();
                for item in items {
                    if item.is_seq() {
                        return error("invalid map merge: received a nested sequence");
                    }
                    let mut more = self.merged(item)?;
                    more.append(&mut merged);
                    merged = more;
                }
                Ok(merged)
            }
            Content::Scalar(_) => error("map merge requires map or sequence of maps as the value"),
        }
    }
}

/// Returns the entries as upstream visits them: each key has the first entry of its name.
fn first_of_each(entries: &[(Node, Node)]) -> Vec<(Node, Node)> {
    let mut firsts = HashMap::new();
    for entry in entries {
        firsts.entry(entry.0.key_text()).or_insert(entry);
    }
    let entries = entries
        .iter()
        .map(|(key, _)| firsts[key.key_text()].clone());
    entries.collect()
}

fn number(name: &str) -> usize {
    name.parse().expect("anchors were replaced by numbers")
}

fn contains_itself() -> Error {
    Error::bare(ErrorKind::Limit, "yaml: anchor value contains itself")
}

#[cfg(test)]
mod tests;
