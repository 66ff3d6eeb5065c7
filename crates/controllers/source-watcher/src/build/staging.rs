//! The files of an artifact while it is built.

use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use sluice_artifact::untar::{Entries, Limits, Links};
use sluice_producer::{Entry, Tree, UnpackError};
use sluice_system::budget::Budget;

use super::error::CopyError;
use super::{join, lossy, merge};

/// Bytes of all files that one artifact takes, replaced files included. A short list of copies may
/// take the same large file a thousand times.
const MAX_CONTENT_BYTES: u64 = 4 << 30;
/// Files and directories of one artifact. Each holds memory, however short its name is.
const MAX_ENTRIES: usize = 1_000_000;
/// Steps of a staged file or directory.
const ENTRY_STEPS: u64 = 32;
/// Entries of all extracted archives of one artifact, replaced ones included.
const MAX_EXTRACTED_ENTRIES: u64 = 1_000_000;
/// Steps of an extraction. The budget reads the clock within so many, so it does for each archive.
const ARCHIVE_STEPS: u64 = 1 << 16;
/// Steps of an extracted entry. A run extracts two million at most.
const EXTRACTED_ENTRY_STEPS: u64 = 1000;
/// Bytes of an extracted file for one step. A run extracts 16 GB at most.
const BYTES_PER_STEP: u64 = 8;
/// Bytes of a file that is merged. Values of charts are far smaller.
const MAX_MERGE_BYTES: u64 = 16 << 20;

/// Limits of one artifact. They count the work: replaced files still take time and disk.
#[derive(Debug, Clone, Copy)]
pub(super) struct StagingLimits {
    pub(super) content_bytes: u64,
    pub(super) extracted_entries: u64,
    pub(super) entries: usize,
}

impl Default for StagingLimits {
    fn default() -> Self {
        Self {
            content_bytes: MAX_CONTENT_BYTES,
            extracted_entries: MAX_EXTRACTED_ENTRIES,
            entries: MAX_ENTRIES,
        }
    }
}

/// The files so far.
pub(super) struct Staging<'a> {
    tree: Tree,
    content_bytes: u64,
    extracted_entries: u64,
    limits: StagingLimits,
    budget: &'a Budget,
}

impl<'a> Staging<'a> {
    /// Begins without files.
    pub(super) fn new(limits: StagingLimits, budget: &'a Budget) -> Self {
        Self {
            tree: Tree::default(),
            content_bytes: 0,
            extracted_entries: 0,
            limits,
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
                self.tree.make_directory(path)?;
                self.check_entries()
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
            self.charge_content(size)?;
        }
        self.tree.copy(tree, from, to)?;
        self.check_entries()
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
        self.charge_content(merged.len() as u64)?;
        Ok(self.tree.write_file(to, merged.as_bytes())?)
    }

    /// Extracts an archive below a directory. The content goes to the one spool of the artifact,
    /// because each spool holds memory or an open file.
    pub(super) fn extract(
        &mut self,
        tree: &Tree,
        archive: &[u8],
        to: &[u8],
    ) -> Result<(), CopyError> {
        self.budget.charge_steps(ARCHIVE_STEPS)?;
        let Some(content) = tree.content(archive) else {
            return Err(CopyError::IsDirectory(lossy(archive)));
        };
        self.extract_directory(to)?;
        let mut entries = Entries::new(content, Links::Reject, Limits::default());
        while let Some(mut entry) = entries.next_entry().map_err(UnpackError::from)? {
            self.charge_extracted(entry.size())?;
            let path = join(to, entry.path().as_os_str().as_bytes());
            if entry.is_directory() {
                self.extract_directory(&path)?;
                continue;
            }
            self.prepare_file(&path)?;
            let is_executable = entry.mode() & 0o111 != 0;
            self.tree.write_from(&path, &mut entry, is_executable)?;
            self.check_entries()?;
        }
        Ok(())
    }

    fn check_entries(&self) -> Result<(), CopyError> {
        let limit = self.limits.entries;
        if self.tree.len() > limit {
            return Err(CopyError::TooManyEntries { limit });
        }
        Ok(())
    }

    /// Charges an extracted entry before its content is read.
    fn charge_extracted(&mut self, size: u64) -> Result<(), CopyError> {
        self.extracted_entries += 1;
        if self.extracted_entries > self.limits.extracted_entries {
            let limit = self.limits.extracted_entries;
            return Err(CopyError::TooManyExtracted { limit });
        }
        let steps = EXTRACTED_ENTRY_STEPS.saturating_add(size / BYTES_PER_STEP);
        self.budget.charge_steps(steps)?;
        self.charge_content(size)
    }

    /// Charges content that the artifact takes, even if a later file replaces it.
    fn charge_content(&mut self, bytes: u64) -> Result<(), CopyError> {
        self.content_bytes = self.content_bytes.saturating_add(bytes);
        if self.content_bytes > self.limits.content_bytes {
            let limit = self.limits.content_bytes;
            return Err(CopyError::TooLarge { limit });
        }
        Ok(())
    }

    /// Makes an extracted directory. A file in its place is an error.
    fn extract_directory(&mut self, path: &[u8]) -> Result<(), CopyError> {
        if let Some(Entry::File { .. }) = self.entry(path) {
            return Err(CopyError::NotDirectory(lossy(path)));
        }
        self.make_directory(path)
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
