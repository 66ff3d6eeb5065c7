//! Reading ahead: the resource files of all folders of a build, on several threads.
//!
//! Reading and parsing need nothing but the tree, and nobody sees when they happen.
//! So they may come before the rest, where there is much of it. What fails here is
//! not told: the file is simply read again when it is its turn, so that the first
//! fault of a build is the one that it would have been.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{File, Root, Session, looks_like_a_file};
use crate::build::LoadRestrictor;
use crate::error::{Code, Error};
use crate::fs::{EntryKind, Fs, join, not_a_file, violation};
use crate::loader::unresolved;
use crate::parallel;
use crate::read::{self, Nodes};
use crate::remote;

/// A file that was read before its turn.
#[derive(Debug)]
pub(crate) struct Ahead {
    pub(super) file: PathBuf,
    pub(super) bytes: u64,
    pub(super) nodes: Result<Nodes, Error>,
}

/// The files of a folder's `resources`, in their order; those that were not read
/// ahead are missing.
pub(crate) type Files = Vec<Option<Ahead>>;

/// From where a kustomization names files, and which it may name.
#[derive(Clone, Copy)]
pub(super) struct Place<'r> {
    pub(super) fs: &'r dyn Fs,
    pub(super) path: &'r Path,
    pub(super) restrictor: LoadRestrictor,
}

impl Place<'_> {
    /// The place of a file that the kustomization may read.
    pub(super) fn locate(&self, path: &str) -> Result<PathBuf, Error> {
        let absolute = if path.starts_with('/') {
            self.fs.absolute(path)?
        } else {
            join(self.path, path).ok_or_else(|| violation("read", path))?
        };
        if self.restrictor == LoadRestrictor::None {
            return Ok(absolute);
        }
        let shown = self.fs.display(&absolute);
        let resolved = self
            .fs
            .resolve(&absolute)
            .map_err(|error| match error.code() {
                Code::PathNotFound => unresolved(self.fs, &absolute),
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

/// A file to be read.
struct Wanted<'r> {
    folder: usize,
    at: usize,
    place: Place<'r>,
    path: &'r str,
}

/// Reads the resource files of these folders, if that is worth it.
pub(super) fn read_all(
    session: &Session<'_>,
    folders: &[(Rc<Root<'_>>, Rc<File>)],
) -> HashMap<PathBuf, Files> {
    let mut wanted = Vec::new();
    for (folder, (root, file)) in folders.iter().enumerate() {
        let paths = file.fields.resources.iter().enumerate();
        let files = paths.filter(|(_, path)| looks_like_a_file(path) && !remote::is_file(path));
        wanted.extend(files.map(|(at, path)| Wanted {
            folder,
            at,
            place: root.place(),
            path,
        }));
    }
    let threads = session.options.threads;
    if !parallel::is_worthwhile(threads, wanted.len()) {
        return HashMap::new();
    }
    let limits = session.options.limits;
    let left = AtomicU64::new(limits.total_bytes);
    let mut read = parallel::map(threads, wanted.iter().collect(), |wanted: &Wanted<'_>| {
        // Once there is too much, whoever counts in order says so.
        if left.load(Ordering::Relaxed) == 0 {
            return None;
        }
        let file = wanted.place.locate(wanted.path).ok()?;
        let contents = wanted.place.fs.read(&file, limits.file_bytes).ok()?;
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
        Some(Ahead { file, bytes, nodes })
    });
    let mut found = HashMap::new();
    for (wanted, read) in wanted.iter().zip(&mut read) {
        let (root, file) = &folders[wanted.folder];
        let files: &mut Files = found.entry(root.path.clone()).or_insert_with(|| {
            let mut files = Vec::new();
            files.resize_with(file.fields.resources.len(), || None);
            files
        });
        files[wanted.at] = read.take();
    }
    found
}
