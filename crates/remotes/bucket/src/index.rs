//! The index of a bucket, whose digest is the revision. Pure.

use std::collections::BTreeMap;

use sluice_digest::{Algorithm, Digest};

/// The keys of a bucket, each with the entity tag of its object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Index(BTreeMap<String, String>);

impl Index {
    /// Adds a key, or replaces its entity tag.
    pub fn insert(&mut self, key: impl Into<String>, etag: impl Into<String>) {
        self.0.insert(key.into(), etag.into());
    }

    /// Removes a key.
    pub fn remove(&mut self, key: &str) {
        self.0.remove(key);
    }

    /// The keys with their entity tags, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(key, etag)| (key.as_str(), etag.as_str()))
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has no keys.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The digest over one line for each key.
    pub fn digest(&self, algorithm: Algorithm) -> Digest {
        let mut lines = String::new();
        for (key, etag) in &self.0 {
            lines.push_str(key);
            lines.push(' ');
            lines.push_str(etag);
            lines.push('\n');
        }
        algorithm.digest(lines.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the tests of source-controller's `internal/index`.
    #[test]
    fn digest_matches_reference() {
        let mut index = Index::default();
        for (key, etag) in [("foo", "bar"), ("bar", "baz"), ("baz", "qux")] {
            index.insert(key, etag);
        }
        let expected = Algorithm::Sha256.digest(b"bar baz\nbaz qux\nfoo bar\n");
        assert_eq!(index.digest(Algorithm::Sha256), expected);
        index.remove("bar");
        index.insert("foo", "new");
        let expected = Algorithm::Sha256.digest(b"baz qux\nfoo new\n");
        assert_eq!(index.digest(Algorithm::Sha256), expected);
    }

    #[test]
    fn empty_index_has_digest_of_nothing() {
        let empty = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(
            Index::default().digest(Algorithm::Sha256).to_string(),
            empty
        );
    }
}
