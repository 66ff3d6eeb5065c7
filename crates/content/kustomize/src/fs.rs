//! The tree of files that a build reads.
//!
//! Paths are absolute within their tree and normalised: no `.`, no `..`. What
//! the engine joins from user input goes through [`join`], which notices a path
//! that climbs out. The `display` of a path is how errors show it: the disk's
//! own for [`DiskFs`], relative to the root of the tree for the confined ones,
//! so that no scratch directory ends in a status.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

mod disk;
mod memory;
mod overlay;
mod secure;

pub use disk::DiskFs;
pub use memory::MemFs;
pub use overlay::OverlayFs;
pub use secure::SecureFs;

use crate::error::{Code, Error};

/// What a path leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Directory,
    /// A device, a pipe or a socket; never read.
    Other,
}

/// A tree of files.
pub trait Fs: Send + Sync {
    /// Tells what a path leads to, links followed; `None` if to nothing.
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error>;

    /// Reads a regular file of at most `limit` bytes.
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error>;

    /// Lists the names in a folder, sorted by bytes. A name need not be text.
    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error>;

    /// Reports whether the entry itself is a link.
    fn is_link(&self, path: &Path) -> Result<bool, Error>;

    /// Resolves every link on the way; the path must lead to something.
    fn resolve(&self, path: &Path) -> Result<PathBuf, Error>;

    /// The path of the tree that an absolute path of the machine means. In a
    /// tree of its own it means none.
    fn absolute(&self, path: &str) -> Result<PathBuf, Error> {
        Err(violation("read", path))
    }

    /// Shows a path in an error.
    fn display(&self, path: &Path) -> String {
        let shown = path.strip_prefix("/").unwrap_or(path);
        if shown.as_os_str().is_empty() {
            return ".".to_owned();
        }
        shown.display().to_string()
    }

    /// Reports whether a path leads to a folder.
    fn is_dir(&self, path: &Path) -> bool {
        matches!(self.kind(path), Ok(Some(EntryKind::Directory)))
    }

    /// Reports whether a path leads to a regular file.
    fn is_file(&self, path: &Path) -> bool {
        matches!(self.kind(path), Ok(Some(EntryKind::File)))
    }
}

/// Joins a path to a folder and normalises it, as Go's `filepath.Join` does;
/// `None` if it climbs above the root of the tree.
pub fn join(directory: &Path, path: &str) -> Option<PathBuf> {
    let mut joined = directory.to_path_buf();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => joined.push(name),
            Component::ParentDir => {
                if !joined.pop() {
                    return None;
                }
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    Some(joined)
}

/// The fault of a path that leads to nothing, for those who write a tree.
pub fn not_found(operation: &str, shown: &str) -> Error {
    let message = format!("{operation} {shown}: no such file or directory");
    Error::new(Code::PathNotFound, message)
}

/// The fault of a path that must lead to a file, and leads elsewhere.
pub fn not_a_file(shown: &str) -> Error {
    Error::new(Code::NotAFile, format!("'{shown}' must resolve to a file"))
}

/// The fault of reading a folder, as a system says it where nobody looked before.
pub fn is_a_directory(shown: &str) -> Error {
    Error::new(Code::NotAFile, format!("read {shown}: is a directory"))
}

/// The fault of a file larger than may be read.
pub fn too_large(shown: &str, limit: u64) -> Error {
    let message = format!("read {shown}: the file is larger than {limit} bytes");
    Error::new(Code::Limit, message)
}

/// The fault of a name that no kustomization can name, since those are text.
pub fn not_text(shown: &str) -> Error {
    let message = format!("the name of '{shown}' is not valid UTF-8: rename it");
    Error::new(Code::PathNotFound, message)
}

/// The fault of a path that leads out of the tree.
pub fn violation(operation: &str, shown: &str) -> Error {
    let message = format!(
        "fs-security-constraint {operation} {shown}: path '{shown}' is not in or below the root"
    );
    Error::new(Code::SecurityViolation, message)
}

#[cfg(test)]
mod tests {
    use super::join;
    use std::path::{Path, PathBuf};

    #[test]
    fn paths_are_joined_and_normalised() {
        let at = |path| join(Path::new("/a/b"), path);
        assert_eq!(at("c"), Some(PathBuf::from("/a/b/c")));
        assert_eq!(at("./c//d/."), Some(PathBuf::from("/a/b/c/d")));
        assert_eq!(at("../c"), Some(PathBuf::from("/a/c")));
        assert_eq!(at("../.."), Some(PathBuf::from("/")));
        assert_eq!(at("/etc/passwd"), Some(PathBuf::from("/a/b/etc/passwd")));
    }

    #[test]
    fn a_path_that_climbs_out_of_the_tree_is_noticed() {
        assert_eq!(join(Path::new("/a/b"), "../../../etc/passwd"), None);
        assert_eq!(join(Path::new("/"), ".."), None);
        assert_eq!(join(Path::new("/a"), "../../a"), None);
    }
}
