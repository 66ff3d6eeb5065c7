//! The files of an artifact while it is built.

use std::io::Read as _;
use std::sync::Arc;

use sluice_artifact::untar::Limits;
use sluice_producer::{Entry, Tree, UnpackError};
use sluice_system::budget::Budget;

use super::error::CopyError;
use super::{join, lossy, merge};

/// Bytes of all files that one artifact takes, replaced files included. A short list of copies may
/// take the same large file a thousand times.
const MAX_CONTENT_BYTES: u64 = 4 << 30;
/// Steps of a staged file or directory.
const ENTRY_STEPS: u64 = 32;
/// Entries of all extracted archives of one artifact. They stay in memory with their names.
const MAX_EXTRACTED_ENTRIES: u64 = 1_000_000;
/// Bytes of the names of all extracted archives of one artifact.
const MAX_EXTRACTED_NAME_BYTES: usize = 64 << 20;
/// Bytes of a file that is merged. Values of charts are far smaller.
const MAX_MERGE_BYTES: u64 = 16 << 20;

/// The files so far.
pub(super) struct Staging<'a> {
    tree: Tree,
    content_bytes: u64,
    extracted_entries: u64,
    extracted_name_bytes: usize,
    budget: &'a Budget,
}

impl<'a> Staging<'a> {
    /// Begins without files.
    pub(super) fn new(budget: &'a Budget) -> Self {
        Self {
            tree: Tree::default(),
            content_bytes: 0,
            extracted_entries: 0,
            extracted_name_bytes: 0,
            budget,
        }
    }

    /// The files.
    pub(super) fn into_tree(self) -> Tree {
        self.tree
    }

    /// A file or a directory. The root is empty.
    pub(super) fn entry(&self, path: &[u8]) -> Option<Entry> {
        self.tree.entry(path)
    }

    /// Adds a directory with those above it. As in Flux, a file in its place stays.
    pub(super) fn make_directory(&mut self, path: &[u8]) -> Result<(), CopyError> {
        self.budget.charge_steps(ENTRY_STEPS)?;
        match self.entry(path) {
            Some(_) => Ok(()),
            None => {
                self.check_parents(path)?;
                Ok(self.tree.make_directory(path)?)
            }
        }
    }

    /// Adds or replaces a file.
    pub(super) fn copy_file(
        &mut self,
        tree: &Arc<Tree>,
        from: &[u8],
        to: &[u8],
    ) -> Result<(), CopyError> {
        self.budget.charge_steps(ENTRY_STEPS)?;
        self.prepare_file(to)?;
        if let Some(Entry::File { size, .. }) = tree.entry(from) {
            self.content_bytes = self.content_bytes.saturating_add(size);
        }
        if self.content_bytes > MAX_CONTENT_BYTES {
            let limit = MAX_CONTENT_BYTES;
            return Err(CopyError::TooLarge { limit });
        }
        Ok(self.tree.copy(tree, from, to)?)
    }

    /// Merges a file into an existing one.
    pub(super) fn merge_file(
        &mut self,
        tree: &Arc<Tree>,
        from: &[u8],
        to: &[u8],
    ) -> Result<(), CopyError> {
        let overlay = self.read_yaml(tree, from)?;
        let base = self.read_yaml(&self.tree, to)?;
        let merged = merge::merge(&base, &overlay)?;
        self.content_bytes = self.content_bytes.saturating_add(merged.len() as u64);
        Ok(self.tree.write_file(to, merged.as_bytes())?)
    }

    /// Extracts an archive below a directory.
    pub(super) fn extract(
        &mut self,
        tree: &Tree,
        archive: &[u8],
        to: &[u8],
    ) -> Result<(), CopyError> {
        let limits = Limits {
            entries: MAX_EXTRACTED_ENTRIES.saturating_sub(self.extracted_entries),
            ..Limits::default()
        };
        let Some(content) = tree.content(archive) else {
            return Err(CopyError::IsDirectory(lossy(archive)));
        };
        let extracted = Arc::new(Tree::read_without_links(content, limits)?);
        self.extracted_entries += extracted.len() as u64;
        self.extracted_name_bytes += extracted.name_bytes();
        if self.extracted_name_bytes > MAX_EXTRACTED_NAME_BYTES {
            return Err(UnpackError::Names.into());
        }
        self.add_all(&extracted, to)
    }

    /// Adds all entries of a tree below a directory.
    fn add_all(&mut self, tree: &Arc<Tree>, to: &[u8]) -> Result<(), CopyError> {
        if let Some(Entry::File { .. }) = self.entry(to) {
            return Err(CopyError::NotDirectory(lossy(to)));
        }
        self.make_directory(to)?;
        for (path, entry) in tree.walk(b"") {
            let to = join(to, &path);
            match (entry, self.entry(&to)) {
                (Entry::Directory, Some(Entry::File { .. })) => {
                    return Err(CopyError::NotDirectory(lossy(&to)));
                }
                (Entry::Directory, _) => self.make_directory(&to)?,
                (Entry::File { .. }, _) => self.copy_file(tree, &path, &to)?,
            }
        }
        Ok(())
    }

    /// Makes room for a file: its directory exists, and it is not a directory itself.
    fn prepare_file(&mut self, path: &[u8]) -> Result<(), CopyError> {
        if let Some(slash) = path.iter().rposition(|byte| *byte == b'/') {
            self.make_directory(&path[..slash])?;
        }
        self.check_parents(path)?;
        match self.entry(path) {
            Some(Entry::Directory) => Err(CopyError::IsDirectory(lossy(path))),
            _ => Ok(()),
        }
    }

    /// Fails if a file is where a directory above the path should be.
    fn check_parents(&self, path: &[u8]) -> Result<(), CopyError> {
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in slashes {
            if let Some(Entry::File { .. }) = self.entry(&path[..end]) {
                return Err(CopyError::NotDirectory(lossy(path)));
            }
        }
        Ok(())
    }

    /// Reads a file that is merged.
    fn read_yaml(&self, tree: &Tree, path: &[u8]) -> Result<Vec<u8>, CopyError> {
        match tree.entry(path) {
            Some(Entry::File { size, .. }) if size > MAX_MERGE_BYTES => {
                let path = lossy(path);
                let limit = MAX_MERGE_BYTES;
                return Err(merge::MergeError::TooLarge { path, limit }.into());
            }
            Some(Entry::File { size, .. }) => self.budget.charge_bytes(size)?,
            Some(Entry::Directory) => return Err(CopyError::IsDirectory(lossy(path))),
            None => {}
        }
        read(tree, path)
    }
}

/// Reads a file of a tree.
pub(super) fn read(tree: &Tree, path: &[u8]) -> Result<Vec<u8>, CopyError> {
    let Some(mut content) = tree.content(path) else {
        return Err(CopyError::IsDirectory(lossy(path)));
    };
    let mut bytes = Vec::new();
    let read = content.read_to_end(&mut bytes);
    read.map_err(|source| CopyError::Read {
        path: lossy(path),
        source,
    })?;
    Ok(bytes)
}
