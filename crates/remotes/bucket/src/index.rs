//! The index of a bucket, whose digest is the revision. Pure.

use std::collections::BTreeMap;

use sluice_digest::{Algorithm, Digest};

/// A file in the artifact, as components of its path.
pub type FilePath = Vec<Vec<u8>>;

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

    /// The files of a bucket, each with the key and entity tag of its object. `..` stops at the
    /// root. The error names two objects of which one hides the other.
    pub fn files(&self) -> Result<BTreeMap<FilePath, (&str, &str)>, String> {
        let mut files = BTreeMap::new();
        for (key, etag) in self.iter() {
            let mut path = FilePath::new();
            for part in key.split('/') {
                match part {
                    "" | "." => {}
                    ".." => drop(path.pop()),
                    part => path.push(part.as_bytes().to_vec()),
                }
            }
            if path.is_empty() {
                return Err(format!("object '{key}' does not name a file"));
            }
            if let Some((other, _)) = files.insert(path, (key, etag)) {
                return Err(format!("objects '{other}' and '{key}' are the same file"));
            }
        }
        // A directory sorts right before the first path below it.
        let pairs = files.iter().zip(files.iter().skip(1));
        for ((file, (other, _)), (path, (key, _))) in pairs {
            if path.starts_with(file) {
                return Err(format!(
                    "object '{other}' is also a directory of object '{key}'"
                ));
            }
        }
        Ok(files)
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
    fn keys_are_confined_and_must_not_hide_each_other() {
        let paths = |keys: &[&str]| {
            let mut index = Index::default();
            for key in keys {
                index.insert(*key, "1");
            }
            let paths = |path: &FilePath| String::from_utf8(path.join(&b'/')).unwrap();
            index
                .files()
                .map(|files| files.keys().map(paths).collect::<Vec<_>>())
        };
        let confined = paths(&["../../a", "/b", "c//d", "e/../f"]).unwrap();
        assert_eq!(confined, ["a", "b", "c/d", "f"]);
        for (keys, message) in [
            (
                &["a/b", "a//b"],
                "objects 'a//b' and 'a/b' are the same file",
            ),
            (
                &["a", "a/b"],
                "object 'a' is also a directory of object 'a/b'",
            ),
            (&["..", "a"], "object '..' does not name a file"),
        ] {
            assert_eq!(paths(keys).unwrap_err(), message);
        }
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
