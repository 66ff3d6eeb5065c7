//! A walk through everything that an artifact is made of, as a checkout would lie there: the
//! commit's tree without what `spec.sparseCheckout` leaves out, its submodules, and what is
//! laid over them. Nothing lies anywhere: it is a visitor that hands items on, in order.

use std::collections::HashSet;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;

use sluice_git::walk::VisitError;
use sluice_git::{Entry, Kind, Step, Visitor};

use super::overlay::{Node, Overlay, Path, components};
use super::sparse::Sparse;

/// Whoever is handed the items of a checkout.
pub(super) trait Sink {
    /// A directory; the root has an empty path.
    fn directory(&mut self, path: &[u8]) -> Result<(), VisitError>;

    /// A file.
    fn file(&mut self, path: &[u8], file: &Item<'_>) -> Result<(), VisitError>;

    /// A link.
    fn link(&mut self, path: &[u8], link: &Item<'_>) -> Result<(), VisitError>;

    /// Two names in one directory that differ by case only.
    fn clash(&mut self, _path: &[u8]) {}
}

/// A file or link, of whatever origin.
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

    /// Reads all of it, up to a limit; more is an error.
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

/// The walk.
pub(super) struct Checkout<S> {
    sink: S,
    sparse: Sparse,
    overlay: Arc<Overlay>,
    /// What of the overlay is still to come, the last first.
    left: Vec<Path>,
    /// Directories of the tree that are there only if something in them is.
    pending: Vec<Vec<u8>>,
    /// The names met in each open directory, folded, with its path.
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

    /// Hands on what comes after the last entry of the tree.
    pub(super) fn finish(mut self) -> Result<S, VisitError> {
        while let Some(next) = self.left.pop() {
            self.laid_over(&next)?;
        }
        Ok(self.sink)
    }

    /// Hands on what comes before a path; tells whether there is something at the path itself.
    fn advance(&mut self, path: &Path) -> Result<Option<Node>, VisitError> {
        while let Some(next) = self.left.last() {
            if next > path {
                return Ok(None);
            }
            let next = self.left.pop().expect("there is a last one");
            if next == *path {
                return Ok(self.overlay.nodes.get(&next).cloned());
            }
            self.laid_over(&next)?;
        }
        Ok(None)
    }

    fn laid_over(&mut self, path: &Path) -> Result<(), VisitError> {
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

    /// Something is there: so are the directories above it.
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

/// Whether a path lies below a directory; everything lies below the root.
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
        // Directories that turned out to hold nothing were never there.
        self.pending.retain(|directory| within(directory, path));
        match (entry.kind(), over) {
            (Kind::Directory, Some(_)) => {
                self.open_directories(path)?;
                self.note(path);
                self.sink.directory(path)?;
            }
            (Kind::Directory, None) => self.pending.push(path.to_vec()),
            (_, Some(_)) => self.laid_over(&components(path))?,
            (_, None) if !self.sparse.takes(path) => return Ok(Step::Skip),
            (kind, None) => {
                self.open_directories(path)?;
                self.note(path);
                let executable = matches!(kind, Kind::File { executable: true });
                let item = Item::Git { entry, executable };
                match kind {
                    Kind::File { .. } => self.sink.file(path, &item)?,
                    Kind::Symlink => self.sink.link(path, &item)?,
                    // One that is not fetched is the empty directory that a checkout leaves.
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
    fn a_path_lies_within_its_own_directories_only() {
        assert!(within(b"", b"a") && within(b"a", b"a/b") && within(b"a/b", b"a/b/c"));
        assert!(!within(b"a", b"a") && !within(b"a", b"ab/c") && !within(b"a/b", b"a/c"));
    }
}
