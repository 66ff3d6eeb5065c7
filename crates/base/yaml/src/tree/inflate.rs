//! Aliases replaced by what they stand for, and merge keys by what they merge.
//!
//! Parity: kyaml: `RNode.DeAnchor`, oddities included: a key `<<` vanishes even
//! where it merges nothing, a key that is null by another word than nothing is
//! there twice afterwards, and a mapping that is merged before its own merge key
//! was looked at brings that key along. Upstream does not bound this; we allow
//! 400,000 nodes, and beyond them the share of copies that go-yaml allows.

use std::collections::HashMap;

use crate::decode::{MAX_COPIED, SMALL, allowed, excessive};
use crate::tree::{Content, Name, Node, Size, Tag};
use crate::{Error, ErrorKind, MAX_DEPTH};

impl Node {
    /// Replaces each alias by a copy of its node and each merge key by the
    /// entries that it brings, and forgets the anchors. Tells how much memory
    /// the copies take, roughly.
    pub fn inflate(&mut self) -> Result<u64, Error> {
        if !self.is_inflatable() {
            return Ok(0);
        }
        let mut inflater = Inflater::default();
        inflater.name(self, &mut HashMap::new())?;
        inflater.collect(self);
        inflater.inflate(self, 0, true)?;
        let copied = Size {
            nodes: inflater.copied_nodes,
            bytes: inflater.copied_bytes,
            depth: 0,
        };
        Ok(copied.memory())
    }

    /// Is there an anchor, an alias, or a key that inflation treats specially?
    fn is_inflatable(&self) -> bool {
        if self.anchor.is_some() {
            return true;
        }
        match &self.content {
            Content::Scalar(_) => false,
            Content::Alias(_) => true,
            Content::Sequence(items) => items.iter().any(Self::is_inflatable),
            Content::Mapping(entries) => entries.iter().any(|(key, value)| {
                matches!(key.tag, Tag::Merge | Tag::Null)
                    || key.key_text() == "<<"
                    || key.is_inflatable()
                    || value.is_inflatable()
            }),
        }
    }
}

/// What one node with an anchor became.
struct Target {
    /// The node as written; there only if an alias stands for it.
    written: Option<Node>,
    /// The node inflated, with its size.
    inflated: Option<(Node, Size)>,
    /// It is being inflated.
    active: bool,
    /// It was inflated where it stands: upstream copies what is in a mapping before
    /// it goes on, so that aliases still stand for the node as written, until one
    /// of them is replaced.
    passed: bool,
}

#[derive(Default)]
struct Inflater {
    targets: Vec<Target>,
    /// Which targets an alias stands for.
    wanted: Vec<bool>,
    nodes: u32,
    copied_nodes: u32,
    copied_bytes: usize,
}

impl Inflater {
    /// Gives each anchor a number in place of its name, as a name can be used
    /// again and a copy may end up behind that.
    fn name(&mut self, node: &mut Node, names: &mut HashMap<Name, usize>) -> Result<(), Error> {
        self.nodes = self.nodes.saturating_add(1);
        if let Some(name) = &mut node.anchor {
            let number = self.targets.len();
            names.insert(std::mem::replace(name, number.to_string().into()), number);
            self.targets.push(Target {
                written: None,
                inflated: None,
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
                    self.name(item, names)?;
                }
            }
            Content::Mapping(entries) => {
                for (key, value) in entries {
                    self.name(key, names)?;
                    self.name(value, names)?;
                }
            }
        }
        Ok(())
    }

    /// Keeps what aliases stand for, as it is written.
    fn collect(&mut self, node: &Node) {
        node.visit(&mut |node| {
            if let Some(number) = node.anchor.as_deref().map(number)
                && self.wanted[number]
            {
                self.targets[number].written = Some(node.clone());
            }
        });
    }

    /// `in_place` tells that no mapping is above the node.
    fn inflate(&mut self, node: &mut Node, depth: usize, in_place: bool) -> Result<(), Error> {
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
                    self.inflate(item, depth + 1, in_place)?;
                }
            }
            Content::Mapping(entries) => {
                self.merge(entries)?;
                for (key, value) in entries {
                    self.inflate(key, depth + 1, false)?;
                    self.inflate(value, depth + 1, false)?;
                }
            }
        }
        if let Some(name) = anchor
            && in_place
        {
            self.targets[number(&name)].passed = true;
        }
        Ok(())
    }

    /// A copy of the inflated node with that number.
    fn copy(&mut self, number: usize, depth: usize) -> Result<Node, Error> {
        if self.targets[number].inflated.is_none() {
            let target = &mut self.targets[number];
            if target.active {
                return Err(contains_itself());
            }
            target.active = true;
            let mut node = target.written.clone().expect("an alias stands for it");
            self.inflate(&mut node, depth, true)?;
            let size = node.size();
            let target = &mut self.targets[number];
            target.active = false;
            target.inflated = Some((node, size));
        }
        let (_, size) = self.targets[number].inflated.as_ref().expect("just made");
        let size = *size;
        if depth + size.depth > MAX_DEPTH {
            let problem = format!("exceeded max depth of {MAX_DEPTH}");
            return Err(Error::bare(ErrorKind::Limit, problem));
        }
        self.count(size)?;
        let (node, _) = self.targets[number].inflated.as_ref().expect("just made");
        Ok(node.clone())
    }

    /// Counts what is about to be copied.
    fn count(&mut self, size: Size) -> Result<(), Error> {
        self.nodes = self.nodes.saturating_add(size.nodes);
        self.copied_nodes = self.copied_nodes.saturating_add(size.nodes);
        self.copied_bytes = self.copied_bytes.saturating_add(size.bytes);
        let share = f64::from(self.copied_nodes) / f64::from(self.nodes);
        if self.copied_bytes > MAX_COPIED || self.nodes > SMALL && share > allowed(self.nodes) {
            return Err(excessive());
        }
        Ok(())
    }

    // ---- merge keys ----

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
        // One's own entries come first and keep their places, and are put in once
        // more at the end, so that they win.
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
                    // A later entry is found by the text of the key itself.
                    let place = entries.len();
                    places.entry(key.key_text().to_owned()).or_insert(place);
                    entries.push((key, value));
                }
            }
        }
        Ok(())
    }

    /// The mappings that a merge key brings, the one that wins last.
    fn merged(&mut self, value: &Node) -> Result<Vec<Vec<(Node, Node)>>, Error> {
        let fault = |problem: &str| Err(Error::bare(ErrorKind::Syntax, problem));
        match &value.content {
            Content::Mapping(entries) => {
                self.count(value.size())?;
                Ok(vec![first_of_each(entries)])
            }
            Content::Alias(name) => {
                let number = number(name);
                if self.targets[number].active {
                    return Err(contains_itself());
                }
                let node = if self.targets[number].passed {
                    self.copy(number, 0)?
                } else {
                    let written = self.targets[number].written.clone();
                    let written = written.expect("an alias stands for it");
                    self.count(written.size())?;
                    written
                };
                match node.content {
                    Content::Mapping(entries) => Ok(vec![first_of_each(&entries)]),
                    _ => fault("invalid map merge: received alias for a non-map value"),
                }
            }
            Content::Sequence(items) => {
                let mut merged = Vec::new();
                for item in items {
                    if item.is_seq() {
                        return fault("invalid map merge: received a nested sequence");
                    }
                    let mut more = self.merged(item)?;
                    more.append(&mut merged);
                    merged = more;
                }
                Ok(merged)
            }
            Content::Scalar(_) => fault("map merge requires map or sequence of maps as the value"),
        }
    }
}

/// What upstream sees when it visits the entries: for each key the first of its
/// name.
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
    name.parse().expect("anchors were numbered")
}

fn contains_itself() -> Error {
    Error::bare(ErrorKind::Limit, "yaml: anchor value contains itself")
}

#[cfg(test)]
mod tests;
