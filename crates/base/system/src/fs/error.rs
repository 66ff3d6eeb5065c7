//! Errors of file operations: action, path and cause.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The attempted action. It prints as a verb.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Action {
    /// Opening a file.
    Open,
    /// Reading a file.
    Read,
    /// Writing a file.
    Write,
    /// Moving within a file.
    Seek,
    /// Syncing a file or directory.
    Sync,
    /// Changing a file's length.
    Truncate,
    /// Creating a directory.
    CreateDirectory,
    /// Listing a directory.
    List,
    /// Removing a file or directory.
    Remove,
    /// Renaming.
    Rename,
    /// Copying.
    Copy,
    /// Creating a hard or symbolic link.
    Link,
    /// Reading a symbolic link.
    ReadLink,
    /// Resolving a path to its absolute form.
    Resolve,
    /// Reading metadata.
    Inspect,
    /// Changing permissions.
    SetPermissions,
    /// Locking a file.
    Lock,
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Read => "read",
            Self::Write => "write",
            Self::Seek => "seek in",
            Self::Sync => "sync",
            Self::Truncate => "truncate",
            Self::CreateDirectory => "create directory",
            Self::List => "list",
            Self::Remove => "remove",
            Self::Rename => "rename",
            Self::Copy => "copy",
            Self::Link => "link",
            Self::ReadLink => "read link",
            Self::Resolve => "resolve",
            Self::Inspect => "inspect",
            Self::SetPermissions => "set permissions of",
            Self::Lock => "lock",
        })
    }
}

/// A failed file operation. The text names the action and the path; the source is the cause.
#[derive(Debug, thiserror::Error)]
#[error("{action} {}{}", .path.display(), Target(.target.as_deref()))]
pub struct Error {
    action: Action,
    path: PathBuf,
    target: Option<PathBuf>,
    #[source]
    source: io::Error,
}

/// Prints ` to PATH` if the action has a second path.
struct Target<'a>(Option<&'a Path>);

impl fmt::Display for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(path) => write!(f, " to {}", path.display()),
            None => Ok(()),
        }
    }
}

impl Error {
    /// Adds the action and the path to a cause.
    pub fn new(action: Action, path: impl Into<PathBuf>, source: io::Error) -> Self {
        Self {
            action,
            path: path.into(),
            target: None,
            source,
        }
    }

    pub(super) fn on(action: Action, path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::new(action, path, source)
    }

    pub(super) fn between(
        action: Action,
        path: &Path,
        target: &Path,
    ) -> impl FnOnce(io::Error) -> Self {
        move |source| Self {
            target: Some(target.to_owned()),
            ..Self::new(action, path, source)
        }
    }

    /// Returns the attempted action.
    pub fn action(&self) -> Action {
        self.action
    }

    /// Returns the path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the kind of the cause.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }

    /// Reports whether the path, or a parent of it, does not exist.
    pub fn is_not_found(&self) -> bool {
        self.kind() == io::ErrorKind::NotFound
    }

    /// Returns the message of Go's `os.ReadFile` for a file that cannot be read.
    pub fn go_message(&self) -> String {
        let path = self.path.display();
        match self.kind() {
            io::ErrorKind::NotFound => format!("open {path}: no such file or directory"),
            io::ErrorKind::PermissionDenied => format!("open {path}: permission denied"),
            io::ErrorKind::IsADirectory => format!("read {path}: is a directory"),
            _ => format!("{self}: {}", self.source),
        }
    }

    /// Returns the cause.
    pub fn io(&self) -> &io::Error {
        &self.source
    }
}

/// Keeps the kind, so callers can still match on it.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.kind(), error)
    }
}
