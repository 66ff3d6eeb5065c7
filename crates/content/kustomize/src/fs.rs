//! The tree of files that a build reads.
//!
//! Paths are absolute within their tree and normalised: without `.` and `..`. The engine
//! joins user input with [`join`], which rejects a path that leaves the tree. `display`
//! formats a path for errors. [`DiskFs`] shows paths of the machine. Confined trees show
//! paths relative to their root, so that a status never contains a temporary directory.

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

/// The kind of file that a path leads to.
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
    /// Returns the kind of file at a path, following links; `None` if it does not exist.
    fn kind(&self, path: &Path) -> Result<Option<EntryKind>, Error>;

    /// Reads a regular file of at most `limit` bytes.
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, Error>;

    /// Lists the names in a folder, sorted by bytes. A name may be invalid UTF-8.
    fn read_dir(&self, path: &Path) -> Result<Vec<OsString>, Error>;

    /// Reports whether the entry itself is a link.
    fn is_link(&self, path: &Path) -> Result<bool, Error>;

    /// Resolves all links of a path, which must exist.
    fn resolve(&self, path: &Path) -> Result<PathBuf, Error>;

    /// Converts an absolute path of the machine into a path of the tree. Fails for a
    /// confined tree.
    fn absolute(&self, path: &str) -> Result<PathBuf, Error> {
        Err(security_violation("read", path))
    }

    /// Formats a path for an error.
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

/// Joins a path to a folder and normalises it, as Go's `filepath.Join` does.
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

/// Creates the error for a path that does not exist.
pub fn not_found(operation: &str, shown: &str) -> Error {
    let message = format!("{operation} {shown}: no such file or directory");
    Error::new(Code::PathNotFound, message)
}

/// Creates the error for a path that must lead to a file but does not.
pub fn not_a_file(shown: &str) -> Error {
    Error::new(Code::NotAFile, format!("'{shown}' must resolve to a file"))
}

/// Creates the error for reading a folder, in the words of the operating system.
pub fn is_a_directory(shown: &str) -> Error {
    Error::new(Code::NotAFile, format!("read {shown}: is a directory"))
}

/// Creates the error for a file that exceeds the size limit.
pub fn too_large(shown: &str, limit: u64) -> Error {
    let message = format!("read {shown}: the file is larger than {limit} bytes");
    Error::new(Code::Limit, message)
}

/// Creates the error for a name that is not text. A kustomization can only refer to text.
pub fn not_text(shown: &str) -> Error {
    let message = format!("the name of '{shown}' is not valid UTF-8: rename it");
    Error::new(Code::PathNotFound, message)
}

/// Creates the error for a path that leads out of the tree.
pub fn security_violation(operation: &str, shown: &str) -> Error {
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
    fn join_rejects_paths_that_leave_the_tree() {
        assert_eq!(join(Path::new("/a/b"), "../../../etc/passwd"), None);
        assert_eq!(join(Path::new("/"), ".."), None);
        assert_eq!(join(Path::new("/a"), "../../a"), None);
    }
}
