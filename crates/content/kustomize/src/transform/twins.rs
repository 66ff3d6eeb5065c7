//! Links nodes that are one node in upstream.
//!
//! When upstream adds a label or an annotation to several fields, it puts the
//! *same* node into each. A later change of one field changes all of them. For example, an
//! overlay that changes a label without `includeSelectors` also changes the selector, if a
//! base added both. Manifests of users depend on this. So such nodes have the same id
//! ([`Node::twin`]), and a change of one is copied to the others.
//!
//! A node loses its id when it is copied elsewhere or parsed again, because upstream then has
//! a separate node.

use std::collections::BTreeMap;

use sluice_yaml::tree::{Content, Node};

/// Copies a changed node to its twins.
pub(crate) fn copy_to_twins(root: &mut Node, written: &Node) {
    if written.twin == 0 {
        return;
    }
    visit_mut(root, &mut |node| {
        if node.twin == written.twin {
            node.clone_from(written);
        }
    });
}

/// Removes the links between nodes.
pub(crate) fn unlink(root: &mut Node) {
    visit_mut(root, &mut |node| node.twin = 0);
}

fn visit_mut(node: &mut Node, visit: &mut impl FnMut(&mut Node)) {
    visit(node);
    match &mut node.content {
        Content::Sequence(items) => items.iter_mut().for_each(|item| visit_mut(item, visit)),
        Content::Mapping(entries) => {
            for (_, value) in entries {
                visit_mut(value, visit);
            }
        }
        Content::Scalar(_) | Content::Alias(_) => {}
    }
}

/// The linked nodes of a document before an edit that does not report its changes.
#[derive(Debug, Default)]
pub(crate) struct Snapshot(BTreeMap<u32, Node>);

impl Snapshot {
    pub(crate) fn new(root: &Node) -> Self {
        let mut shared = BTreeMap::new();
        root.visit(&mut |node| {
            if node.twin != 0 {
                shared.entry(node.twin).or_insert_with(|| node.clone());
            }
        });
        Self(shared)
    }

    /// Copies changed nodes to their twins. If several twins changed, the last one wins.
    pub(crate) fn copy_changes(self, root: &mut Node) {
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
            copy_to_twins(root, node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Snapshot, copy_to_twins, unlink};
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
    fn change_is_copied_to_twins() {
        let mut document = document();
        let written = document.get_mut("one").unwrap();
        written.replace(Node::string("b"));
        let written = written.clone();
        copy_to_twins(&mut document, &written);
        assert_eq!(texts(&document), ["b", "a", "b"]);
    }

    #[test]
    fn snapshot_finds_changes_of_an_edit() {
        let mut document = document();
        let before = Snapshot::new(&document);
        document.lookup_mut(&["two", "below"]).unwrap().tag = Tag::Unset;
        document
            .lookup_mut(&["two", "below"])
            .unwrap()
            .replace(Node::string("c"));
        before.copy_changes(&mut document);
        assert_eq!(texts(&document), ["c", "a", "c"]);
    }

    #[test]
    fn unlinked_nodes_are_independent() {
        let mut document = document();
        unlink(&mut document);
        let before = Snapshot::new(&document);
        document.get_mut("one").unwrap().replace(Node::string("b"));
        before.copy_changes(&mut document);
        assert_eq!(texts(&document), ["b", "a", "a"]);
    }
}
