//! Prefetches the resource files of all folders of a build, on several threads.
//!
//! Reading and parsing depend only on the tree, so they may run before the build. An error is
//! dropped here. The build reads the file again in its order, so it reports the same first
//! error as without prefetching.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{File, Root, Session, looks_like_a_file};
use crate::error::{Code, Error};
use crate::fs::{EntryKind, Fs, join, not_a_file, security_violation};
use crate::loader::missing_path_error;
use crate::options::LoadRestrictor;
use crate::parallel;
use crate::read::{self, Nodes};
use crate::remote;

/// A prefetched file.
#[derive(Debug)]
pub(crate) struct PrefetchedFile {
    pub(super) file: PathBuf,
    pub(super) bytes: u64,
    pub(super) nodes: Result<Nodes, Error>,
}

/// The files of a folder's `resources`, in their order; `None` if not prefetched.
pub(crate) type PrefetchedFiles = Vec<Option<PrefetchedFile>>;

/// The folder of a kustomization, and which files it may read.
#[derive(Clone, Copy)]
pub(super) struct FileScope<'r> {
    pub(super) fs: &'r dyn Fs,
    pub(super) path: &'r Path,
    pub(super) restrictor: LoadRestrictor,
}

impl FileScope<'_> {
    /// Resolves the path of a file, if the kustomization may read it.
    pub(super) fn locate(&self, path: &str) -> Result<PathBuf, Error> {
        let absolute = if path.starts_with('/') {
            self.fs.absolute(path)?
        } else {
            join(self.path, path).ok_or_else(|| security_violation("read", path))?
        };
        if self.restrictor == LoadRestrictor::None {
            return Ok(absolute);
        }
        let shown = self.fs.display(&absolute);
        let resolved = self
            .fs
            .resolve(&absolute)
            .map_err(|error| match error.code() {
                Code::PathNotFound => missing_path_error(self.fs, &absolute),
                _ => error,
            })?;
        if self.fs.kind(&resolved)? == Some(EntryKind::Directory) {
            return Err(not_a_file(&shown));
        }
        if !resolved.starts_with(self.path) {
            let root = self.fs.display(self.path);
            let message = format!("security; file '{shown}' is not in or below '{root}'");
            return Err(Error::new(Code::LoadRestricted, message));
        }
        Ok(resolved)
    }
}

/// A file to prefetch.
struct FileRequest<'r> {
    folder: usize,
    at: usize,
    scope: FileScope<'r>,
    path: &'r str,
}

/// Prefetches the resource files of folders, if there are enough of them.
pub(super) fn read_all(
    session: &Session<'_>,
    folders: &[(Rc<Root<'_>>, Rc<File>)],
) -> HashMap<PathBuf, PrefetchedFiles> {
    let mut wanted = Vec::new();
    for (folder, (root, file)) in folders.iter().enumerate() {
        let paths = file.fields.resources.iter().enumerate();
        let files = paths.filter(|(_, path)| looks_like_a_file(path) && !remote::is_file(path));
        wanted.extend(files.map(|(at, path)| FileRequest {
            folder,
            at,
            scope: root.scope(),
            path,
        }));
    }
    let threads = session.options.threads;
    if !parallel::is_worthwhile(threads, wanted.len()) {
        return HashMap::new();
    }
    let limits = session.options.limits;
    let left = AtomicU64::new(limits.total_bytes);
    let mut read = parallel::map(
        threads,
        wanted.iter().collect(),
        |wanted: &FileRequest<'_>| {
            // Above the limit, the build itself reports the error.
            if left.load(Ordering::Relaxed) == 0 {
                return None;
            }
            let file = wanted.scope.locate(wanted.path).ok()?;
            let contents = wanted.scope.fs.read(&file, limits.file_bytes).ok()?;
            let bytes = contents.len() as u64;
            let nodes = read::nodes(&contents);
            let copied = match &nodes {
                Ok(nodes) => nodes.copied,
                Err(error) if error.code() == Code::Limit => limits.added_bytes,
                Err(_) => 0,
            };
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                Some(left.saturating_sub(bytes + copied))
            })
            .ok();
            Some(PrefetchedFile { file, bytes, nodes })
        },
    );
    let mut found = HashMap::new();
    for (wanted, read) in wanted.iter().zip(&mut read) {
        let (root, file) = &folders[wanted.folder];
        let files: &mut PrefetchedFiles = found.entry(root.path.clone()).or_insert_with(|| {
            let mut files = Vec::new();
            files.resize_with(file.fields.resources.len(), || None);
            files
        });
        files[wanted.at] = read.take();
    }
    found
}
