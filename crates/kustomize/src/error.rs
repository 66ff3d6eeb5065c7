//! Why a build failed: a stable code, and upstream's text.
//!
//! Upstream's errors are sentences put around sentences, and people search for
//! them, so the text is built the same way: each step of the build wraps what
//! the step below said. The code is that of the innermost fault.

use std::fmt;

/// What class of fault a build met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// A folder has no kustomization file.
    KustomizationMissing,
    /// A folder has several kustomization files.
    KustomizationAmbiguous,
    /// A kustomization file asks for nothing.
    KustomizationEmpty,
    /// A field is unknown or of the wrong type, or the kind is wrong.
    KustomizationInvalid,
    /// A field is valid, but this engine does not support it.
    Unsupported,
    /// A file is no YAML.
    MalformedYaml,
    /// A file is nested too deep, or its aliases expand to too much.
    YamlLimit,
    /// An object lacks its kind or name.
    ResourceInvalid,
    /// Two objects have one identity.
    IdConflict,
    /// A path leads to nothing.
    PathNotFound,
    /// A path leads to something else than a file.
    NotAFile,
    /// A path leads to something else than a folder.
    NotADirectory,
    /// A file is outside of the kustomization's folder.
    LoadRestricted,
    /// A path leads out of the tree.
    SecurityViolation,
    /// A kustomization includes itself.
    Cycle,
    /// A component is used as a base.
    WrongKind,
    /// Something would have to be fetched.
    RemoteDenied,
    /// A limit of ours on size, count or depth.
    Limit,
    /// The file system failed.
    Io,
}

/// A failed build.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    code: Code,
    message: String,
}

impl Error {
    pub(crate) fn new(code: Code, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }

    /// The class of the fault.
    pub fn code(&self) -> Code {
        self.code
    }

    /// Puts a sentence in front.
    pub(crate) fn within(self, context: impl fmt::Display) -> Self {
        Self {
            code: self.code,
            message: format!("{context}: {}", self.message),
        }
    }
}
