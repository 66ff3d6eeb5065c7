//! The number of nodes of a text.
//!
//! [`JsonNodeCount`] counts them for readers of other crates, before they read.
//!
//! A node takes a hundred times the memory of its text: 8 MiB of `[1,1,…]` become 700 MiB. So the
//! nodes count, not the bytes. A process with a memory limit sets it once, at its start.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{Error, ErrorKind};

/// The limit of a process without a memory limit, such as the command line.
const DEFAULT_NODES: usize = 8_000_000;
/// The limit of a process with little memory. A large bundle of definitions has a third of them.
const MIN_NODES: usize = 500_000;
/// Memory of a node with its share of lists, during a conversion.
const BYTES_PER_NODE: u64 = 256;
/// The share of the memory that one text may take.
const MEMORY_SHARE: u64 = 4;

static MAX_NODES: AtomicUsize = AtomicUsize::new(DEFAULT_NODES);

/// Derives the limit from the memory of the process.
pub fn set_memory(bytes: u64) {
    MAX_NODES.store(nodes_for(bytes), Ordering::Relaxed);
}

fn max_nodes() -> usize {
    #[cfg(test)]
    if let Some(limit) = tests::LIMIT.get() {
        return limit;
    }
    MAX_NODES.load(Ordering::Relaxed)
}

fn nodes_for(bytes: u64) -> usize {
    let nodes = bytes / MEMORY_SHARE / BYTES_PER_NODE;
    usize::try_from(nodes)
        .unwrap_or(DEFAULT_NODES)
        .clamp(MIN_NODES, DEFAULT_NODES)
}

/// Counts the nodes of one text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeCount {
    left: usize,
    limit: usize,
    counted: &'static str,
}

impl NodeCount {
    /// Counts up to the limit of the process.
    pub(crate) fn of_text() -> Self {
        Self::up_to(max_nodes(), "text")
    }

    /// Counts up to a limit. An error names the counted thing.
    pub(crate) const fn up_to(limit: usize, counted: &'static str) -> Self {
        Self {
            left: limit,
            limit,
            counted,
        }
    }

    /// Counts a node.
    pub(crate) fn add(&mut self) -> Result<(), Error> {
        self.left = self.left.checked_sub(1).ok_or_else(|| {
            let problem = format!("a {} has more than {} nodes", self.counted, self.limit);
            Error::yaml(ErrorKind::Limit, 0, problem)
        })?;
        Ok(())
    }
}

/// How many more nodes a long answer may have, whose parts are read one by one.
const ANSWER_FACTOR: usize = 4;

/// Counts the nodes of a JSON text, of which it may see one part after the other.
///
/// It does not read the text: each separator and each opening bracket outside of a string counts.
/// So it is much faster than a reader, and a text within the limit may still be invalid.
#[derive(Debug, Clone)]
pub struct JsonNodeCount {
    whole: NodeCount,
    count: NodeCount,
    is_in_string: bool,
    is_escaped: bool,
}

impl JsonNodeCount {
    /// Counts up to the limit of a text.
    pub fn of_text() -> Self {
        Self::of(NodeCount::of_text())
    }

    /// Counts up to the limit of an answer with many objects.
    pub fn of_answer() -> Self {
        Self::of(NodeCount::up_to(max_nodes() * ANSWER_FACTOR, "text"))
    }

    /// Counts up to a limit of its own.
    pub fn up_to(limit: usize) -> Self {
        Self::of(NodeCount::up_to(limit, "text"))
    }

    fn of(count: NodeCount) -> Self {
        Self {
            whole: count,
            count,
            is_in_string: false,
            is_escaped: false,
        }
    }

    /// Counts the nodes of the next part.
    pub fn add(&mut self, part: &[u8]) -> Result<(), Error> {
        for byte in part {
            if std::mem::take(&mut self.is_escaped) {
                continue;
            }
            match byte {
                b'"' => self.is_in_string = !self.is_in_string,
                b'\\' if self.is_in_string => self.is_escaped = true,
                b',' | b':' | b'[' | b'{' if !self.is_in_string => self.count.add()?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Begins another text.
    pub fn restart(&mut self) {
        *self = Self::of(self.whole);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// The limit of one test.
        pub(super) static LIMIT: Cell<Option<usize>> = const { Cell::new(None) };
    }

    #[test]
    fn nodes_follow_the_memory() {
        assert_eq!(nodes_for(1 << 30), 1 << 20);
        assert_eq!(nodes_for(1 << 20), MIN_NODES);
        assert_eq!(nodes_for(u64::MAX), DEFAULT_NODES);
    }

    #[test]
    fn nodes_are_counted_to_the_limit() {
        let mut count = NodeCount::up_to(2, "text");
        count.add().unwrap();
        count.add().unwrap();
        let error = count.add().unwrap_err();
        assert_eq!(error.to_string(), "yaml: a text has more than 2 nodes");
    }

    #[test]
    fn nodes_of_json_are_counted_before_it_is_read() {
        let is_within =
            |text: &str, limit| JsonNodeCount::up_to(limit).add(text.as_bytes()).is_ok();
        let list = "[1,1,1]";
        assert!(is_within(list, 3) && !is_within(list, 2));
        let object = r#"{"a":{"b":[]}}"#;
        assert!(is_within(object, 5) && !is_within(object, 4));
        let text = r#"["a,b,c:[{\",\\\",\\"]"#;
        assert!(is_within(text, 1), "only brackets outside of strings count");

        let mut parts = JsonNodeCount::up_to(2);
        assert!(parts.add(br#"["a"#).is_ok() && parts.add(br#",",1"#).is_ok());
        assert!(parts.add(b",1").is_err());
        parts.restart();
        assert!(parts.add(b"[1,1]").is_ok());
    }

    #[test]
    fn every_reader_counts_nodes() {
        LIMIT.set(Some(100));
        let list = format!("[{}1]", "1,".repeat(100));
        let expected = "a text has more than 100 nodes";
        let problems = [
            crate::v2::from_str(&list).unwrap_err().to_string(),
            crate::json::from_str(&list).unwrap_err().to_string(),
            crate::tree::parse_document(list.as_bytes())
                .unwrap_err()
                .to_string(),
        ];
        for problem in problems {
            assert!(problem.ends_with(expected), "{problem}");
        }
    }
}
