//! Size of a tree.

use crate::tree::{Content, Node};

/// The size of a tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// Number of nodes, including keys.
    pub nodes: u32,
    /// Bytes of text.
    pub bytes: usize,
    /// Number of nested collections.
    pub depth: usize,
}

impl Size {
    /// Returns the approximate memory in bytes.
    pub fn memory(self) -> u64 {
        u64::from(self.nodes) * size_of::<Node>() as u64 + self.bytes as u64
    }

    fn add(&mut self, below: Self) {
        self.nodes = self.nodes.saturating_add(below.nodes);
        self.bytes = self.bytes.saturating_add(below.bytes);
        self.depth = self.depth.max(below.depth + 1);
    }
}

impl Node {
    /// Measures the tree of this node.
    pub fn size(&self) -> Size {
        let mut size = Size {
            nodes: 1,
            bytes: self.key_text().len(),
            depth: 0,
        };
        match &self.content {
            Content::Sequence(items) => items.iter().for_each(|item| size.add(item.size())),
            Content::Mapping(entries) => {
                for (key, value) in entries {
                    size.add(key.size());
                    size.add(value.size());
                }
            }
            Content::Scalar(_) | Content::Alias(_) => {}
        }
        size
    }
}

#[cfg(test)]
mod tests {
    use super::Size;
    use crate::tree::{Node, parse_document};

    #[test]
    fn size_counts_nodes_and_texts() {
        let text = b"a: [bc, {d: e}]\nf:\n";
        let root = parse_document(text).unwrap().unwrap().root;
        let size = Size {
            nodes: 9,
            bytes: "abcdef".len(),
            depth: 3,
        };
        assert_eq!(root.size(), size);
        assert_eq!(size.memory(), 9 * size_of::<Node>() as u64 + 6);
    }
}
