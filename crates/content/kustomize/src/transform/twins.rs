//! Nodes that are one node to upstream.
//!
//! When upstream adds a label or an annotation at several places of a resource,
//! it puts the *same* node into each of them. Whoever later overwrites one of
//! these in place overwrites all: an overlay that changes a label without
//! `includeSelectors` changes the selector too if a base below made both, and so
//! does a patch. Users' manifests depend on it, so it is kept: nodes that
//! upstream shares carry the same number ([`Node::twin`]), and what is written to
//! one of them is copied to the others.
//!
//! A node loses its number when it is copied elsewhere or read anew, as upstream
//! then has a node of its own.

use std::collections::BTreeMap;

use sluice_yaml::tree::{Content, Node};

/// Copies what is now in a node to its twins.
pub(crate) fn spread(root: &mut Node, written: &Node) {
    if written.twin == 0 {
        return;
    }
    visit_mut(root, &mut |node| {
        if node.twin == written.twin {
            node.clone_from(written);
        }
    });
}

/// Forgets that nodes are shared.
pub(crate) fn part(root: &mut Node) {
    visit_mut(root, &mut |node| node.twin = 0);
}

fn visit_mut(node: &mut Node, see: &mut impl FnMut(&mut Node)) {
    see(node);
    match &mut node.content {
        Content::Sequence(items) => items.iter_mut().for_each(|item| visit_mut(item, see)),
        Content::Mapping(entries) => {
            for (_, value) in entries {
                visit_mut(value, see);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

/// The shared nodes of a document before an edit that does not tell what it
/// wrote.
#[derive(Debug, Default)]
pub(crate) struct Snapshot(BTreeMap<u32, Node>);

impl Snapshot {
    pub(crate) fn of(root: &Node) -> Self {
        let mut shared = BTreeMap::new();
        root.visit(&mut |node| {
            if node.twin != 0 {
                shared.entry(node.twin).or_insert_with(|| node.clone());
            }
        });
        Self(shared)
    }

    /// Copies what the edit changed to the twins of what it changed. If it
    /// changed several of them, the last one of the document tells.
    pub(crate) fn settle(self, root: &mut Node) {
        if self.0.is_empty() {
            return;
        }
        let mut written = BTreeMap::new();
        root.visit(&mut |node| {
            if let Some(before) = self.0.get(&node.twin)
                && (before.content != node.content || before.tag != node.tag)
            {
                written.insert(node.twin, node.clone());
            }
        });
        for node in written.values() {
            spread(root, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, part, spread};
    use sluice_yaml::tree::{Node, Tag};

    fn document() -> Node {
        let mut shared = Node::string("a");
        shared.twin = 1;
        Node::map([
            ("one", shared.clone()),
            ("own", Node::string("a")),
            ("two", Node::map([("below", shared)])),
        ])
    }

    fn texts(document: &Node) -> [&str; 3] {
        let text = |path: &[&str]| document.text_at(path).unwrap();
        [text(&["one"]), text(&["own"]), text(&["two", "below"])]
    }

    #[test]
    fn what_is_written_to_one_is_written_to_all() {
        let mut document = document();
        let written = document.get_mut("one").unwrap();
        written.replace(Node::string("b"));
        let written = written.clone();
        spread(&mut document, &written);
        assert_eq!(texts(&document), ["b", "a", "b"]);
    }

    #[test]
    fn an_edit_is_settled_afterwards() {
        let mut document = document();
        let before = Snapshot::of(&document);
        document.lookup_mut(&["two", "below"]).unwrap().tag = Tag::Unset;
        document
            .lookup_mut(&["two", "below"])
            .unwrap()
            .replace(Node::string("c"));
        before.settle(&mut document);
        assert_eq!(texts(&document), ["c", "a", "c"]);
    }

    #[test]
    fn what_was_parted_goes_its_own_way() {
        let mut document = document();
        part(&mut document);
        let before = Snapshot::of(&document);
        document.get_mut("one").unwrap().replace(Node::string("b"));
        before.settle(&mut document);
        assert_eq!(texts(&document), ["b", "a", "a"]);
    }
}
