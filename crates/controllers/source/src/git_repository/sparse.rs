//! `spec.sparseCheckout`: selects the files of a tree for the artifact. Pure.
//!
//! Parity: go-git selects a file if its path *begins with the text* of a directory in the list:
//! `app` selects `app/x`, and also `app2/x` and `app.yaml`. Flux then requires each entry to
//! exist in the checkout. Both quirks are kept, since other files in an artifact mean other
//! objects in a cluster.

use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of links followed for one entry.
const MAX_LINKS: usize = 40;

/// The directories of `spec.sparseCheckout`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sparse {
    directories: Vec<String>,
}

impl Sparse {
    pub(super) fn new(directories: &[String]) -> Self {
        Self {
            directories: directories.to_vec(),
        }
    }

    /// Whether all files are selected.
    pub(super) fn is_everything(&self) -> bool {
        self.directories.is_empty()
    }

    /// Whether some files may be left out.
    pub(super) fn leaves_out(&self) -> bool {
        let taken = |directory: &String| matches!(directory.as_str(), "" | "./");
        !self.is_everything() && !self.directories.iter().any(taken)
    }

    /// Whether a file is selected.
    pub(super) fn takes(&self, path: &[u8]) -> bool {
        let taken = |directory: &String| {
            let directory = directory.strip_prefix("./").unwrap_or(directory);
            path.starts_with(directory.as_bytes())
        };
        self.is_everything() || self.directories.iter().any(taken)
    }

    /// The first entry of the list that is missing in the checkout.
    pub(super) fn first_missing(&self, checkout: &Checkout) -> Option<&str> {
        self.directories
            .iter()
            .find(|directory| !checkout.has(directory))
            .map(String::as_str)
    }
}

/// The paths of a checkout.
#[derive(Debug, Default)]
pub(super) struct Checkout {
    paths: BTreeSet<Vec<u8>>,
    /// The links, with their targets.
    links: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl Checkout {
    /// Adds a file or directory.
    pub(super) fn add(&mut self, path: &[u8]) {
        self.paths.insert(path.to_vec());
    }

    /// Adds a link.
    pub(super) fn add_link(&mut self, path: &[u8], target: Vec<u8>) {
        self.paths.insert(path.to_vec());
        self.links.insert(path.to_vec(), target);
    }

    /// Whether a path exists. Links are followed within the root.
    fn has(&self, path: &str) -> bool {
        let mut resolved: Vec<Vec<u8>> = Vec::new();
        let mut left: Vec<Vec<u8>> = components(path.as_bytes());
        let mut followed = 0;
        while let Some(component) = left.pop() {
            match component.as_slice() {
                b"" | b"." => continue,
                b".." => {
                    resolved.pop();
                    continue;
                }
                _ => resolved.push(component),
            }
            let Some(target) = self.links.get(&resolved.join(&b'/')) else {
                continue;
            };
            followed += 1;
            if followed > MAX_LINKS {
                return false;
            }
            if target.starts_with(b"/") {
                resolved.clear();
            } else {
                resolved.pop();
            }
            left.extend(components(target));
        }
        resolved.is_empty() || self.paths.contains(&resolved.join(&b'/'))
    }
}

/// The components of a path, in reverse order.
fn components(path: &[u8]) -> Vec<Vec<u8>> {
    path.split(|byte| *byte == b'/')
        .rev()
        .map(<[u8]>::to_vec)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_is_selected_by_path_prefix() {
        let sparse = |entry: &str| Sparse::new(&[entry.to_owned()]);
        for (entry, path, taken) in [
            ("app", "app/x", true),
            ("app", "app2/x", true),
            ("app/", "app2/x", false),
            ("./app", "app/x", true),
            ("././app", "app/x", false),
            ("", "x", true),
            (".", "x", false),
            (".", ".x", true),
            ("/app", "app/x", false),
        ] {
            assert_eq!(
                sparse(entry).takes(path.as_bytes()),
                taken,
                "{entry} and {path}"
            );
        }
        assert!(Sparse::default().takes(b"x"));
        assert!(!Sparse::default().leaves_out());
        for (entry, leaves_out) in [("app", true), (".", true), ("", false), ("./", false)] {
            assert_eq!(sparse(entry).leaves_out(), leaves_out, "{entry}");
        }
    }

    #[test]
    fn missing_entry_is_found_through_links() {
        let mut checkout = Checkout::default();
        for path in ["app", "app/x"] {
            checkout.add(path.as_bytes());
        }
        checkout.add_link(b"good", b"app".to_vec());
        checkout.add_link(b"app/up", b"../good/x".to_vec());
        checkout.add_link(b"bad", b"elsewhere".to_vec());
        checkout.add_link(b"out", b"/../../app".to_vec());
        checkout.add_link(b"loop", b"loop".to_vec());
        for (entry, there) in [
            ("app", true),
            ("app/", true),
            ("./app/x", true),
            ("../app", true),
            ("/app", true),
            ("", true),
            ("app/y", false),
            ("good", true),
            ("good/x", true),
            ("app/up", true),
            ("bad", false),
            ("out", true),
            ("loop", false),
        ] {
            assert_eq!(checkout.has(entry), there, "{entry}");
        }
    }
}
