//! Local repositories: creation and commits.

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Component, Path, PathBuf};

use git2::build::TreeUpdateBuilder;
use git2::{FileMode, ObjectType, RepositoryInitOptions, RepositoryOpenFlags};
use sluice_system::fs;

use super::{ServeError, git_error};
use crate::id::ObjectId;
use crate::libgit;
use crate::limits::Limits;
use crate::reference::{Refs, RemoteRef};
use crate::walk::{Objects, OpenSubmodules, Snapshot};

/// The author of commits.
const NAME: &str = "sluice";
const EMAIL: &str = "sluice@localhost";

/// A repository in a directory, bare or with a worktree. It is opened for each operation, and cheap
/// to clone.
#[derive(Debug, Clone)]
pub struct Repository {
    path: PathBuf,
}

/// A change in a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Writes a file.
    Write {
        /// Where, from the root.
        path: PathBuf,
        /// The content.
        content: Vec<u8>,
        /// Whether it is executable.
        executable: bool,
    },
    /// Creates a link.
    Link {
        /// Where, from the root.
        path: PathBuf,
        /// The target.
        target: PathBuf,
    },
    /// Sets a submodule to a commit.
    Submodule {
        /// Where, from the root.
        path: PathBuf,
        /// The commit of the other repository.
        commit: ObjectId,
    },
    /// Removes a file.
    Remove {
        /// Where, from the root.
        path: PathBuf,
    },
}

impl Change {
    /// Creates a change that writes a plain file.
    pub fn write(path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) -> Self {
        Self::Write {
            path: path.into(),
            content: content.into(),
            executable: false,
        }
    }

    /// Creates a change that removes a file.
    pub fn remove(path: impl Into<PathBuf>) -> Self {
        Self::Remove { path: path.into() }
    }

    /// Reads all files of a directory except `.git`.
    pub fn directory(directory: &Path) -> Result<Vec<Self>, ServeError> {
        let mut changes = Vec::new();
        let mut pending = vec![PathBuf::new()];
        while let Some(relative) = pending.pop() {
            for entry in fs::read_dir(directory.join(&relative))? {
                let name = entry.path.file_name().unwrap_or_default();
                if name == ".git" {
                    continue;
                }
                let path = relative.join(name);
                if entry.file_type.is_dir() {
                    pending.push(path);
                } else if entry.file_type.is_symlink() {
                    changes.push(Self::Link {
                        path,
                        target: fs::read_link(&entry.path)?,
                    });
                } else if entry.file_type.is_file() {
                    use std::os::unix::fs::PermissionsExt as _;
                    let mode = fs::metadata(&entry.path)?.permissions().mode();
                    let content = fs::read(&entry.path)?;
                    changes.push(Self::Write {
                        path,
                        content,
                        executable: mode & 0o111 != 0,
                    });
                }
            }
        }
        Ok(changes)
    }

    /// The path of the change.
    pub fn path(&self) -> &Path {
        match self {
            Self::Write { path, .. }
            | Self::Link { path, .. }
            | Self::Submodule { path, .. }
            | Self::Remove { path } => path,
        }
    }
}

impl Repository {
    /// Creates an empty bare repository with this branch as `HEAD`.
    pub fn init_bare(path: impl Into<PathBuf>, branch: &str) -> Result<Self, ServeError> {
        libgit::configure();
        let path = path.into();
        let mut options = RepositoryInitOptions::new();
        options
            .bare(true)
            .mkpath(true)
            .external_template(false)
            .initial_head(branch);
        git2::Repository::init_opts(&path, &options).map_err(git_error("make a repository"))?;
        Ok(Self { path })
    }

    /// Opens an existing repository in this directory, not in a parent.
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, ServeError> {
        let repository = Self { path: path.into() };
        repository.git()?;
        Ok(repository)
    }

    /// The path of the repository.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn git(&self) -> Result<git2::Repository, ServeError> {
        libgit::configure();
        let nowhere: [&Path; 0] = [];
        git2::Repository::open_ext(&self.path, RepositoryOpenFlags::NO_SEARCH, nowhere)
            .map_err(git_error("open the repository"))
    }

    /// Lists `HEAD` and all references, sorted by name. References without a target are skipped.
    pub fn refs(&self) -> Result<Refs, ServeError> {
        refs(&self.git()?, "*")
    }

    /// Opens the tree of a commit, given by full ID or by a full or short reference name.
    /// Submodules are not opened.
    pub fn snapshot(&self, name: &str, limits: Limits) -> Result<Option<Snapshot>, ServeError> {
        let git = self.git()?;
        let commit = match name.parse::<ObjectId>() {
            Ok(id) => Some(id),
            Err(_) => refs(&git, "*")?.find_short(name).map(RemoteRef::commit),
        };
        let found = commit.and_then(|id| git.find_commit(id.oid()).ok());
        let Some(commit) = found else {
            return Ok(None);
        };
        let directory = git.commondir().join("objects");
        let (odb, _) = libgit::open(&directory).map_err(git_error("open the objects"))?;
        let objects = Objects::new(odb, directory);
        let ids = (commit.id().into(), commit.tree_id().into());
        Ok(Some(Snapshot::new(
            objects,
            OpenSubmodules::new(),
            ids,
            limits,
            Vec::new(),
        )))
    }

    /// The commit of a branch.
    pub fn head(&self, branch: &str) -> Result<Option<ObjectId>, ServeError> {
        let git = self.git()?;
        Ok(match git.find_reference(&format!("refs/heads/{branch}")) {
            Ok(reference) => reference.target().map(ObjectId::from),
            Err(_) => None,
        })
    }

    /// Commits changes on top of a branch, or as its first commit.
    pub fn commit(
        &self,
        branch: &str,
        message: &str,
        changes: &[Change],
    ) -> Result<ObjectId, ServeError> {
        let git = self.git()?;
        let name = format!("refs/heads/{branch}");
        let parent = match git.find_reference(&name) {
            Ok(reference) => Some(
                reference
                    .peel_to_commit()
                    .map_err(git_error("read the branch"))?,
            ),
            Err(_) => None,
        };
        let empty = || git.treebuilder(None).and_then(|builder| builder.write());
        let base = match &parent {
            Some(parent) => parent.tree(),
            None => empty().and_then(|id| git.find_tree(id)),
        }
        .map_err(git_error("read the tree"))?;
        let mut update = TreeUpdateBuilder::new();
        for change in changes {
            let path = plain(change.path())?;
            let blob = |content: &[u8]| git.blob(content).map_err(git_error("write a file"));
            match change {
                Change::Write {
                    content,
                    executable,
                    ..
                } => {
                    let mode = if *executable {
                        FileMode::BlobExecutable
                    } else {
                        FileMode::Blob
                    };
                    update.upsert(path, blob(content)?, mode);
                }
                Change::Link { target, .. } => {
                    update.upsert(path, blob(target.as_os_str().as_bytes())?, FileMode::Link);
                }
                Change::Submodule { commit, .. } => {
                    update.upsert(path, commit.oid(), FileMode::Commit);
                }
                Change::Remove { .. } => {
                    update.remove(path);
                }
            }
        }
        let tree = update
            .create_updated(&git, &base)
            .and_then(|id| git.find_tree(id));
        let tree = tree.map_err(git_error("write the tree"))?;
        let who = git2::Signature::now(NAME, EMAIL).map_err(git_error("sign the commit"))?;
        let parents: Vec<&git2::Commit<'_>> = parent.iter().collect();
        git.commit(Some(&name), &who, &who, message, &tree, &parents)
            .map(Into::into)
            .map_err(git_error("write the commit"))
    }

    /// Tags a commit. With a message, the tag is annotated.
    pub fn tag(
        &self,
        name: &str,
        commit: ObjectId,
        message: Option<&str>,
    ) -> Result<ObjectId, ServeError> {
        let git = self.git()?;
        let target = git
            .find_object(commit.oid(), None)
            .map_err(git_error("read the commit"))?;
        match message {
            None => git.tag_lightweight(name, &target, true),
            Some(message) => git2::Signature::now(NAME, EMAIL)
                .and_then(|who| git.tag(name, &target, &who, message, true)),
        }
        .map(Into::into)
        .map_err(git_error("write the tag"))
    }
}

/// A path in the form of a tree.
fn plain(path: &Path) -> Result<&Path, ServeError> {
    let plain = |component| matches!(component, Component::Normal(_));
    if path.as_os_str().is_empty() || !path.components().all(plain) {
        return Err(ServeError::Path(path.display().to_string()));
    }
    Ok(path)
}

/// References with matching names, after `HEAD` if it matches.
pub(super) fn refs(git: &git2::Repository, glob: &str) -> Result<Refs, ServeError> {
    let names = git
        .references_glob(glob)
        .map_err(git_error("list the references"))?;
    let mut found: Vec<RemoteRef> = names
        .flatten()
        .filter(|reference| reference.name_bytes() != b"HEAD")
        .filter_map(|reference| described(git, &reference))
        .collect();
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if glob == "*"
        && let Ok(head) = git.find_reference("HEAD")
    {
        found.splice(0..0, described(git, &head));
    }
    Ok(Refs(found))
}

/// An advertised reference, or `None` without a target.
fn described(git: &git2::Repository, reference: &git2::Reference<'_>) -> Option<RemoteRef> {
    let target = reference.resolve().ok()?.target()?;
    let object = git.find_object(target, None).ok()?;
    let peeled = match object.kind() {
        Some(ObjectType::Tag) => object
            .peel(ObjectType::Any)
            .ok()
            .map(|peeled| peeled.id().into()),
        _ => None,
    };
    Some(RemoteRef {
        name: reference.name().ok()?.to_owned(),
        target: target.into(),
        peeled,
        symbolic: reference
            .symbolic_target()
            .ok()
            .flatten()
            .map(str::to_owned),
    })
}
