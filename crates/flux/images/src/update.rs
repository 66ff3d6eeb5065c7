//! Edits the files of a directory.
//!
//! A file counts if it ends with `.yaml` or `.yml`, or is named `Kustomization`. It must contain
//! the key of markers in quotes. Links to directories are not followed, as in the reference. A link
//! to a file must stay inside of the root. The directory `.git` is never read.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use sluice_system::fs;

use crate::edit::{FindingKind, Unreadable, edit_file};
use crate::result::UpdateResult;
use crate::setter::{Setters, TOKEN};

/// Maximum size of a file that is read.
pub const MAX_FILE_BYTES: u64 = 64 << 20;

/// Maximum nesting of directories.
const MAX_DEPTH: usize = 256;

/// The result of an update.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Update {
    /// New contents, by path from the root.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The changes. Paths start at the updated directory, as in the reference.
    pub result: UpdateResult,
    /// The findings at markers and in files, in the order of paths.
    pub findings: Vec<FileFinding>,
}

/// Something to know about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFinding {
    /// Path from the updated directory.
    pub path: String,
    /// The problem.
    pub problem: FileProblem,
}

impl FileFinding {
    /// Reports whether a marker worked: its value is the latest.
    pub const fn is_usual(&self) -> bool {
        matches!(
            self.problem,
            FileProblem::Marker {
                kind: FindingKind::Updated(_) | FindingKind::UpToDate(_),
                ..
            }
        )
    }
}

/// A finding in a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// Something to know about a marker.
    #[error("line {line}: {kind}")]
    Marker {
        /// The line of the value.
        line: usize,
        /// The kind of the finding.
        kind: FindingKind,
    },
    /// The file is skipped.
    #[error("skipped: {0}")]
    Unreadable(#[from] Unreadable),
    /// The file is skipped because it is too large.
    #[error("skipped: the file is larger than {MAX_FILE_BYTES} bytes")]
    TooLarge,
    /// The link is skipped because its target is outside of the root.
    #[error("skipped: the link leads out of the repository")]
    LinkOutside,
}

/// The directory cannot be updated.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError {
    /// The path is missing or unreadable.
    #[error("failed to walk path '{path}' for files")]
    Walk {
        /// The path.
        path: String,
        /// The cause.
        #[source]
        source: fs::Error,
    },
    /// The path leads out of the root through a link.
    #[error("path '{0}' leads out of the repository")]
    PathOutside(String),
    /// The repository has nothing at the path.
    #[error("failed to walk path '{0}' for files: it does not exist in the repository")]
    Missing(String),
    /// Directories are nested too deep.
    #[error("directories are nested deeper than {MAX_DEPTH} levels at '{0}'")]
    TooDeep(String),
}

impl UpdateError {
    fn walk(path: &Path) -> impl FnOnce(fs::Error) -> Self {
        let path = path.display().to_string();
        move |source| Self::Walk { path, source }
    }
}

/// Reports whether a file is read for markers.
pub fn is_eligible(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml"))
        || path.file_name().is_some_and(|name| name == "Kustomization")
        // Go's `filepath.Ext` sees an extension where the name is nothing else.
        || path.file_name().is_some_and(|name| name == ".yaml" || name == ".yml")
}

/// Reports whether a file contains the key of markers.
pub fn has_token(bytes: &[u8]) -> bool {
    let first = TOKEN[0];
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|byte| *byte == first) {
        rest = &rest[at..];
        if rest.starts_with(TOKEN) {
            return true;
        }
        rest = &rest[1..];
    }
    false
}

/// Edits the files below a path of a directory, and returns the new contents. Writes nothing.
///
/// An empty path is the root. `..` ends at the root.
pub fn update_directory(root: &Path, path: &str, setters: &Setters) -> Result<Update, UpdateError> {
    let root = fs::canonicalize(root).map_err(UpdateError::walk(root))?;
    let requested = root.join(inside(path));
    let start = fs::canonicalize(&requested).map_err(UpdateError::walk(Path::new(path)))?;
    if !start.starts_with(&root) {
        return Err(UpdateError::PathOutside(path.to_owned()));
    }
    let metadata = fs::metadata(&start).map_err(UpdateError::walk(Path::new(path)))?;
    let mut run = Run {
        root,
        edits: Edits::new(setters),
    };
    if metadata.is_dir() {
        run.directory(&start, &start, 0)?;
    } else {
        let base = start.parent().unwrap_or(&start).to_owned();
        run.file(&base, &start, &start)?;
    }
    Ok(run.edits.update)
}

/// Returns a relative path without `.` and `..`.
pub fn inside(path: &str) -> PathBuf {
    let mut out = PathBuf::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(name) => out.push(name),
            Component::ParentDir => {
                out.pop();
            }
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    out
}

struct Run<'s> {
    root: PathBuf,
    edits: Edits<'s>,
}

/// The edits so far.
pub(crate) struct Edits<'s> {
    setters: &'s Setters,
    pub(crate) update: Update,
    /// Files that are read, without links.
    pub(crate) seen: BTreeSet<PathBuf>,
}

impl<'s> Edits<'s> {
    pub(crate) fn new(setters: &'s Setters) -> Self {
        Self {
            setters,
            update: Update::default(),
            seen: BTreeSet::new(),
        }
    }

    /// Edits a file. `target` is its path from the root, without links.
    pub(crate) fn edit(&mut self, shown: &str, target: PathBuf, bytes: &[u8]) {
        if !has_token(bytes) {
            return;
        }
        let edit = match edit_file(bytes, self.setters) {
            Ok(edit) => edit,
            Err(problem) => {
                self.find(shown, FileProblem::Unreadable(problem));
                return;
            }
        };
        for finding in edit.findings {
            let problem = FileProblem::Marker {
                line: finding.line,
                kind: finding.kind,
            };
            self.find(shown, problem);
        }
        for (object, change) in edit.changes {
            self.update.result.add(shown, object, change);
        }
        if let Some(content) = edit.content {
            self.update.files.insert(target, content);
        }
    }

    pub(crate) fn find(&mut self, shown: &str, problem: FileProblem) {
        self.update.findings.push(FileFinding {
            path: shown.to_owned(),
            problem,
        });
    }
}

impl Run<'_> {
    fn directory(&mut self, base: &Path, path: &Path, depth: usize) -> Result<(), UpdateError> {
        if depth > MAX_DEPTH {
            return Err(UpdateError::TooDeep(display_path(base, path)));
        }
        for entry in fs::read_dir(path).map_err(UpdateError::walk(path))? {
            let path = &entry.path;
            if path.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            if entry.file_type.is_dir() {
                self.directory(base, path, depth + 1)?;
            } else if entry.file_type.is_symlink() {
                self.link(base, path)?;
            } else if entry.file_type.is_file() {
                self.file(base, path, path)?;
            }
        }
        Ok(())
    }

    fn link(&mut self, base: &Path, path: &Path) -> Result<(), UpdateError> {
        if !is_eligible(path) {
            return Ok(());
        }
        // A link without a target is skipped, as in the reference.
        let Ok(target) = fs::canonicalize(path) else {
            return Ok(());
        };
        let is_metadata = |target: &Path| {
            let below = target.strip_prefix(&self.root).unwrap_or(target);
            below.components().any(|part| part.as_os_str() == ".git")
        };
        if !target.starts_with(&self.root) || is_metadata(&target) {
            self.find(base, path, FileProblem::LinkOutside);
            return Ok(());
        }
        if fs::metadata(&target).is_ok_and(|metadata| metadata.is_file()) {
            self.file(base, path, &target)?;
        }
        Ok(())
    }

    /// Edits a file that stands at a path, directly or by a link.
    fn file(&mut self, base: &Path, path: &Path, target: &Path) -> Result<(), UpdateError> {
        if !is_eligible(path) || !self.edits.seen.insert(target.to_owned()) {
            return Ok(());
        }
        let bytes = match fs::read_limited(target, MAX_FILE_BYTES) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::FileTooLarge => {
                self.find(base, path, FileProblem::TooLarge);
                return Ok(());
            }
            Err(error) => return Err(UpdateError::walk(path)(error)),
        };
        let target = target.strip_prefix(&self.root).unwrap_or(target);
        self.edits
            .edit(&display_path(base, path), target.to_owned(), &bytes);
        Ok(())
    }

    fn find(&mut self, base: &Path, path: &Path, problem: FileProblem) {
        self.edits.find(&display_path(base, path), problem);
    }
}

pub(crate) fn display_path(base: &Path, path: &Path) -> String {
    let below = path.strip_prefix(base).unwrap_or(path);
    below.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests;
