//! Walks the items of an artifact in the order of a checkout: the commit's tree as far as
//! `spec.sparseCheckout` selects it, its submodules, and the overlay. No checkout is written to
//! disk: the walk passes the items to a [`Sink`].

use std::collections::HashSet;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use sluice_git::walk::VisitError;
use sluice_git::{Entry, Kind, Step, Visitor};

use super::overlay::{Node, Overlay, Path, components};
use super::sparse::Sparse;

/// Receives the items of a checkout.
pub(super) trait Sink {
    /// A directory; the root has an empty path.
    fn directory(&mut self, path: &[u8]) -> Result<(), VisitError>;

    /// A file.
    fn file(&mut self, path: &[u8], file: &Item<'_>) -> Result<(), VisitError>;

    /// A symbolic link.
    fn link(&mut self, path: &[u8], link: &Item<'_>) -> Result<(), VisitError>;

    /// Two names in one directory that differ only by case.
    fn clash(&mut self, _path: &[u8]) {}
}

/// A file or link, from the tree or the overlay.
pub(super) enum Item<'a> {
    Git {
        entry: &'a Entry<'a>,
        executable: bool,
    },
    Spooled {
        overlay: &'a Overlay,
        executable: bool,
        at: u64,
        size: u64,
    },
    Text(&'a str),
}

impl Item<'_> {
    pub(super) fn executable(&self) -> bool {
        match self {
            Self::Git { executable, .. } | Self::Spooled { executable, .. } => *executable,
            Self::Text(_) => false,
        }
    }

    pub(super) fn size(&self) -> Result<u64, VisitError> {
        Ok(match self {
            Self::Git { entry, .. } => entry.size()?,
            Self::Spooled { size, .. } => *size,
            Self::Text(text) => text.len() as u64,
        })
    }

    pub(super) fn open(&self) -> Result<Box<dyn Read + '_>, VisitError> {
        Ok(match self {
            Self::Git { entry, .. } => Box::new(entry.open()?),
            Self::Spooled {
                overlay, at, size, ..
            } => Box::new(overlay.reader(*at, *size)),
            Self::Text(text) => Box::new(text.as_bytes()),
        })
    }

    /// Reads the whole content. Content over the limit is an error.
    pub(super) fn read(&self, limit: u64) -> Result<Vec<u8>, VisitError> {
        if let Self::Git { entry, .. } = self {
            return Ok(entry.read(limit)?);
        }
        let mut content = Vec::new();
        self.open()?.take(limit + 1).read_to_end(&mut content)?;
        if content.len() as u64 > limit {
            return Err(format!("it is longer than {limit} bytes").into());
        }
        Ok(content)
    }
}

/// The walk over a checkout.
pub(super) struct Checkout<S> {
    sink: S,
    sparse: Sparse,
    overlay: Arc<Overlay>,
    /// The remaining overlay nodes, in reverse order.
    left: Vec<Path>,
    /// Directories of the tree that exist only if they contain an item.
    pending: Vec<Vec<u8>>,
    /// The case-folded names seen in each open directory, with its path.
    names: Vec<(Vec<u8>, HashSet<Vec<u8>>)>,
}

impl<S: Sink> Checkout<S> {
    pub(super) fn new(sink: S, sparse: Sparse, overlay: Arc<Overlay>) -> Self {
        Self {
            sink,
            sparse,
            left: overlay.nodes.keys().rev().cloned().collect(),
            overlay,
            pending: Vec::new(),
            names: Vec::new(),
        }
    }

    /// Visits the overlay nodes after the last entry of the tree.
    pub(super) fn finish(mut self) -> Result<S, VisitError> {
        while let Some(next) = self.left.pop() {
            self.visit_overlay(&next)?;
        }
        Ok(self.sink)
    }

    /// Visits the overlay nodes before a path. Returns the node at the path itself, if any.
    fn advance(&mut self, path: &Path) -> Result<Option<Node>, VisitError> {
        while let Some(next) = self.left.last() {
            if next > path {
                return Ok(None);
            }
            let next = self.left.pop().expect("the list is not empty");
            if next == *path {
                return Ok(self.overlay.nodes.get(&next).cloned());
            }
            self.visit_overlay(&next)?;
        }
        Ok(None)
    }

    fn visit_overlay(&mut self, path: &Path) -> Result<(), VisitError> {
        let overlay = Arc::clone(&self.overlay);
        let Some(node) = overlay.nodes.get(path) else {
            return Ok(());
        };
        let path = path.join(&b'/');
        self.open_directories(&path)?;
        self.note(&path);
        match node {
            Node::Directory => self.sink.directory(&path),
            Node::File {
                executable,
                at,
                size,
            } => {
                let item = Item::Spooled {
                    overlay: &overlay,
                    executable: *executable,
                    at: *at,
                    size: *size,
                };
                self.sink.file(&path, &item)
            }
            Node::Text(text) => self.sink.file(&path, &Item::Text(text)),
        }
    }

    /// Visits the pending directories above a path, now that they contain an item.
    fn open_directories(&mut self, path: &[u8]) -> Result<(), VisitError> {
        for directory in std::mem::take(&mut self.pending) {
            if within(&directory, path) {
                self.note(&directory);
                self.sink.directory(&directory)?;
            }
        }
        Ok(())
    }

    fn note(&mut self, path: &[u8]) {
        let (parent, name) = match path.iter().rposition(|byte| *byte == b'/') {
            Some(at) => (&path[..at], &path[at + 1..]),
            None => (&path[..0], path),
        };
        while self
            .names
            .last()
            .is_some_and(|(open, _)| open != parent && !within(open, parent))
        {
            self.names.pop();
        }
        if self.names.last().is_none_or(|(open, _)| open != parent) {
            self.names.push((parent.to_vec(), HashSet::new()));
        }
        let folded = match std::str::from_utf8(name) {
            Ok(name) => name.to_lowercase().into_bytes(),
            Err(_) => name.to_ascii_lowercase(),
        };
        if let Some((_, names)) = self.names.last_mut()
            && !names.insert(folded)
        {
            self.sink.clash(path);
        }
    }
}

/// Whether a path is below a directory. Every path is below the root.
fn within(directory: &[u8], path: &[u8]) -> bool {
    directory.is_empty()
        || path
            .strip_prefix(directory)
            .is_some_and(|rest| rest.starts_with(b"/"))
}

impl<S: Sink> Visitor for Checkout<S> {
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError> {
        let path = entry.path().as_os_str().as_bytes();
        if path.is_empty() {
            self.sink.directory(path)?;
            return Ok(Step::Next);
        }
        let over = self.advance(&components(path))?;
        // Pending directories that stayed empty are dropped.
        self.pending.retain(|directory| within(directory, path));
        match (entry.kind(), over) {
            (Kind::Directory, Some(_)) => {
                self.open_directories(path)?;
                self.note(path);
                self.sink.directory(path)?;
            }
            (Kind::Directory, None) => self.pending.push(path.to_vec()),
            (_, Some(_)) => self.visit_overlay(&components(path))?,
            (_, None) if !self.sparse.takes(path) => return Ok(Step::Skip),
            (kind, None) => {
                self.open_directories(path)?;
                self.note(path);
                let executable = matches!(kind, Kind::File { executable: true });
                let item = Item::Git { entry, executable };
                match kind {
                    Kind::File { .. } => self.sink.file(path, &item)?,
                    Kind::Symlink => self.sink.link(path, &item)?,
                    // A submodule that is not fetched is an empty directory in a checkout.
                    Kind::Submodule | Kind::Directory => self.sink.directory(path)?,
                }
            }
        }
        Ok(Step::Next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn path_is_within_own_directories_only() {
        assert!(within(b"", b"a") && within(b"a", b"a/b") && within(b"a/b", b"a/b/c"));
        assert!(!within(b"a", b"a") && !within(b"a", b"ab/c") && !within(b"a/b", b"a/c"));
    }
}
