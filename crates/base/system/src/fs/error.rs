//! What was attempted, on which path, and why it failed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// What was attempted; its [`fmt::Display`] is the verb of the sentence.
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
    /// Making a file or directory durable.
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

/// A failed call on the file system. Its text names action and path; the cause
/// is its source.
#[derive(Debug, thiserror::Error)]
#[error("{action} {}{}", .path.display(), Target(.target.as_deref()))]
pub struct Error {
    action: Action,
    path: PathBuf,
    target: Option<PathBuf>,
    #[source]
    source: io::Error,
}

/// Prints ` to PATH` where there is a second path.
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
    /// Wraps a cause with what was attempted.
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

    /// What was attempted.
    pub fn action(&self) -> Action {
        self.action
    }

    /// On which path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why it failed, by class.
    pub fn kind(&self) -> io::ErrorKind {
        self.source.kind()
    }

    /// Reports whether the path, or something on the way to it, does not exist.
    pub fn is_not_found(&self) -> bool {
        self.kind() == io::ErrorKind::NotFound
    }

    /// The cause.
    pub fn io(&self) -> &io::Error {
        &self.source
    }
}

/// Keeps the class, so that code written against `io::Error` still decides right.
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::new(error.kind(), error)
    }
}
