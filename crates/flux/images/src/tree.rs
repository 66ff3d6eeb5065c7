//! The files of a commit that may have markers, without a worktree.
//!
//! The tree of a commit is untrusted. A link is followed inside of the repository only, and links
//! to directories are not followed, as in the reference.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use sluice_git::walk::VisitError;
use sluice_git::{Entry, Kind, Snapshot, Step, Visitor};

use crate::setter::Setters;
use crate::update::{
    Edits, FileProblem, MAX_FILE_BYTES, Update, UpdateError, display_path, has_token, inside,
    is_eligible,
};

/// Maximum number of links on the way to a file, as in Linux.
const MAX_LINKS: usize = 40;
/// Maximum number of bytes of the target of a link.
const MAX_TARGET_BYTES: u64 = 4096;
/// Maximum number of bytes of all files with markers.
const MAX_TOTAL_BYTES: u64 = 512 << 20;

/// The files of a commit that have markers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TreeFiles {
    /// The directory from which paths are shown.
    pub base: PathBuf,
    /// Files by path.
    pub files: BTreeMap<PathBuf, TreeFile>,
    /// Files that are skipped.
    pub problems: BTreeMap<PathBuf, FileProblem>,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeFile {
    /// The path without links.
    pub target: PathBuf,
    /// The content.
    pub content: Vec<u8>,
}

impl TreeFiles {
    /// Edits the files, and returns the new contents.
    pub fn update(&self, setters: &Setters) -> Update {
        let mut edits = Edits::new(setters);
        for (path, problem) in &self.problems {
            edits.find(&display_path(&self.base, path), problem.clone());
        }
        for (path, file) in &self.files {
            if edits.seen.insert(file.target.clone()) {
                edits.edit(
                    &display_path(&self.base, path),
                    file.target.clone(),
                    &file.content,
                );
            }
        }
        let Update { findings, .. } = &mut edits.update;
        findings.sort_by(|one, two| one.path.cmp(&two.path));
        edits.update
    }
}

/// The files cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// The path is missing, or leads out of the repository.
    #[error(transparent)]
    Path(#[from] UpdateError),
    /// The repository has too many files with markers.
    #[error("the files with markers have more than {MAX_TOTAL_BYTES} bytes")]
    TooLarge,
    /// The objects of the commit cannot be read.
    #[error(transparent)]
    Git(#[from] sluice_git::Error),
}

/// Finds the directory or file of `update.path`. Links inside of the repository are followed.
pub fn find_start(snapshot: &Snapshot, path: &str) -> Result<PathBuf, TreeError> {
    let wanted = inside(path);
    if wanted.as_os_str().is_empty() {
        return Ok(wanted);
    }
    match resolve(snapshot, &wanted)? {
        Target::At(start) => Ok(start),
        Target::Missing => Err(UpdateError::Missing(path.to_owned()).into()),
        Target::Outside => Err(UpdateError::PathOutside(path.to_owned()).into()),
    }
}

/// Collects the files below a path. It is the visitor of a walk over the whole commit.
#[derive(Debug)]
pub struct Collector {
    start: PathBuf,
    found: TreeFiles,
    links: Vec<PathBuf>,
    bytes: u64,
    /// Whether only the files below the start are fetched.
    is_sparse: bool,
}

impl Collector {
    /// Collects below a directory, or a file.
    pub fn new(start: PathBuf) -> Self {
        Self {
            found: TreeFiles {
                base: start.clone(),
                ..TreeFiles::default()
            },
            start,
            links: Vec::new(),
            bytes: 0,
            is_sparse: false,
        }
    }

    /// Collects below a directory, or a file, of a commit that has no other files. A link to
    /// another file is skipped, as in a sparse checkout of the reference.
    pub fn sparse(start: PathBuf) -> Self {
        Self {
            is_sparse: true,
            ..Self::new(start)
        }
    }

    fn add(&mut self, path: &Path, target: PathBuf, content: Vec<u8>) -> Result<(), TreeError> {
        if !has_token(&content) {
            return Ok(());
        }
        self.bytes += content.len() as u64;
        if self.bytes > MAX_TOTAL_BYTES {
            return Err(TreeError::TooLarge);
        }
        let file = TreeFile { target, content };
        self.found.files.insert(path.to_owned(), file);
        Ok(())
    }

    /// Follows the links to files, and returns the files.
    pub fn finish(mut self, snapshot: &Snapshot) -> Result<TreeFiles, TreeError> {
        for link in std::mem::take(&mut self.links) {
            match resolve(snapshot, &link)? {
                Target::Missing => {}
                Target::Outside => {
                    self.found.problems.insert(link, FileProblem::LinkOutside);
                }
                Target::At(target) if self.is_sparse && !target.starts_with(&self.start) => {}
                Target::At(target) => {
                    if matches!(snapshot.kind(&target)?, Some(Kind::File { .. })) {
                        self.follow(snapshot, &link, target)?;
                    }
                }
            }
        }
        // The path of a single file is shown from its directory.
        let is_file = matches!(snapshot.kind(&self.start)?, Some(Kind::File { .. }));
        if is_file && let Some(parent) = self.start.parent() {
            self.found.base = parent.to_owned();
        }
        Ok(self.found)
    }

    fn follow(
        &mut self,
        snapshot: &Snapshot,
        link: &Path,
        target: PathBuf,
    ) -> Result<(), TreeError> {
        match snapshot.read(&target, MAX_FILE_BYTES) {
            Ok(Some(content)) => self.add(link, target, content),
            Ok(None) => Ok(()),
            Err(sluice_git::Error::Limit { .. }) => {
                let problem = FileProblem::TooLarge;
                self.found.problems.insert(link.to_owned(), problem);
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }
}

impl Visitor for Collector {
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError> {
        let path = entry.path();
        let is_inside = path.starts_with(&self.start);
        match entry.kind() {
            Kind::Directory if is_inside || self.start.starts_with(path) => Ok(Step::Next),
            Kind::Directory => Ok(Step::Skip),
            _ if !is_inside || !is_eligible(path) => Ok(Step::Next),
            Kind::Symlink => {
                self.links.push(path.to_owned());
                Ok(Step::Next)
            }
            Kind::Submodule => Ok(Step::Next),
            Kind::File { .. } if entry.size()? > MAX_FILE_BYTES => {
                let problem = FileProblem::TooLarge;
                self.found.problems.insert(path.to_owned(), problem);
                Ok(Step::Next)
            }
            Kind::File { .. } => {
                let content = entry.read(MAX_FILE_BYTES)?;
                self.add(path, path.to_owned(), content)?;
                Ok(Step::Next)
            }
        }
    }
}

/// The target of a path.
enum Target {
    At(PathBuf),
    Missing,
    Outside,
}

/// Follows the links of a path inside of the repository.
fn resolve(snapshot: &Snapshot, path: &Path) -> Result<Target, TreeError> {
    let mut left: Vec<PathBuf> = vec![path.to_owned()];
    let mut at = PathBuf::new();
    let mut links = 0;
    while let Some(next) = left.pop() {
        let mut components = next.components();
        let Some(component) = components.next() else {
            continue;
        };
        let rest = components.as_path().to_owned();
        if !rest.as_os_str().is_empty() {
            left.push(rest);
        }
        match component {
            Component::CurDir => continue,
            Component::ParentDir => {
                if !at.pop() {
                    return Ok(Target::Outside);
                }
                continue;
            }
            Component::RootDir | Component::Prefix(_) => return Ok(Target::Outside),
            Component::Normal(name) => at.push(name),
        }
        match snapshot.kind(&at)? {
            None => return Ok(Target::Missing),
            Some(Kind::Symlink) => {
                links += 1;
                if links > MAX_LINKS {
                    return Ok(Target::Missing);
                }
                let target = snapshot.read(&at, MAX_TARGET_BYTES)?.unwrap_or_default();
                at.pop();
                left.push(PathBuf::from(OsStr::from_bytes(&target)));
            }
            Some(_) => {}
        }
    }
    Ok(Target::At(at))
}
