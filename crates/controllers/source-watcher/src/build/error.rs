//! Why an artifact cannot be built. The texts are those of Flux.

use sluice_producer::UnpackError;
use sluice_system::budget::BudgetExceeded;

use super::merge::MergeError;

/// A copy failed.
#[derive(Debug, thiserror::Error)]
#[error("failed to apply copy operation from '{from}' to '{to}'")]
pub(crate) struct BuildError {
    /// `from` of the copy.
    pub(crate) from: String,
    /// `to` of the copy.
    pub(crate) to: String,
    /// The cause.
    pub(crate) source: CopyError,
}

/// Why a copy failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CopyError {
    /// `from` is invalid.
    #[error("invalid copy source '{from}': {reason}")]
    Source { from: String, reason: String },
    /// `to` is invalid.
    #[error("invalid copy destination '{to}': {reason}")]
    Destination { to: String, reason: &'static str },
    /// No source has the alias.
    #[error("source alias '{0}' not found")]
    UnknownAlias(String),
    /// A pattern of `exclude` is malformed.
    #[error("invalid exclude pattern '{0}'")]
    Exclude(String),
    /// A pattern of `exclude` has too many alternatives.
    #[error("invalid exclude pattern '{pattern}': {reason}")]
    ExcludeAlternatives { pattern: String, reason: String },
    /// The glob is malformed.
    #[error("invalid glob pattern '{0}': syntax error in pattern")]
    Pattern(String),
    /// The glob matches nothing.
    #[error("no files match pattern '{pattern}' in source '{alias}'")]
    NoMatch { pattern: String, alias: String },
    /// All matches of the glob are excluded.
    #[error("all files matching pattern '{pattern}' in source '{alias}' were excluded")]
    AllExcluded { pattern: String, alias: String },
    /// The path does not exist.
    #[error("source '{0}' does not exist")]
    Missing(String),
    /// The path leads out of the source.
    #[error("failed to stat source '{0}': path escapes from parent")]
    Escapes(String),
    /// Only archives can be extracted.
    #[error("extract strategy is not supported for directories, got '{0}'")]
    ExtractDirectory(String),
    /// Only archives can be extracted.
    #[error("extract strategy requires tarball file (.tar.gz or .tgz), got '{0}'")]
    NotArchive(String),
    /// An archive cannot be extracted.
    #[error("failed to extract tarball '{path}' to '{to}'")]
    Extract {
        path: String,
        to: String,
        source: Box<Self>,
    },
    /// A match of a glob cannot be copied.
    #[error("failed to copy file '{path}' to '{to}'")]
    Copy {
        path: String,
        to: String,
        source: Box<Self>,
    },
    /// A directory is where a file should be.
    #[error("{0}: is a directory")]
    IsDirectory(String),
    /// A file is where a directory should be.
    #[error("{0}: not a directory")]
    NotDirectory(String),
    /// Two files cannot be merged.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// The files cannot be spooled, or an archive is invalid.
    #[error(transparent)]
    Tree(#[from] UnpackError),
    /// The content of a file cannot be read.
    #[error("read '{path}'")]
    Read {
        path: String,
        source: std::io::Error,
    },
    /// The artifact has too much content.
    #[error("the artifact has more than {limit} bytes of files: copy fewer files")]
    TooLarge { limit: u64 },
    /// The artifact has too many entries.
    #[error("the artifact has more than {limit} files and directories: copy fewer files")]
    TooManyEntries { limit: usize },
    /// The extracted archives have too many entries.
    #[error(
        "the extracted archives have more than {limit} files and directories: extract fewer archives"
    )]
    TooManyExtracted { limit: u64 },
    /// The copies take too long.
    #[error("copying takes too long: copy fewer files, or use simpler patterns")]
    Budget(#[from] BudgetExceeded),
}
