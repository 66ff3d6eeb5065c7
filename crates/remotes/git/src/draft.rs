//! Creates commits from a few files on top of a fetched commit, without a worktree.
//!
//! The new objects exist only in memory and in the pack of the [`PackedCommit`]. Only the
//! directories on the paths of the files are read. The rest of the tree does not change.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use git2::build::TreeUpdateBuilder;
use git2::{FileMode, ObjectType, Oid, Repository, Tree};

use crate::error::{Error, Result};
use crate::id::ObjectId;
use crate::libgit;
use crate::signing::Signer;

/// The content of a new commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// New content of files, by path from the root.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// The author and committer.
    pub author: Author,
    /// Seconds since 1970.
    pub seconds: i64,
    /// The exact message.
    pub message: String,
}

/// A name and an email address. Git allows one of them to be empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The name.
    pub name: String,
    /// The address.
    pub email: String,
}

/// A new commit and a pack with its new objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedCommit {
    /// The object ID.
    pub id: ObjectId,
    /// The parent.
    pub parent: Option<ObjectId>,
    /// The root tree.
    pub tree: ObjectId,
    pub(crate) pack: Vec<u8>,
}

impl Draft {
    /// Creates the commit, or returns `None` if nothing changes. Blocks.
    pub(crate) fn create_commit(
        &self,
        objects: &Path,
        parent: Option<ObjectId>,
        signer: Option<&Signer>,
    ) -> Result<Option<PackedCommit>> {
        self.author.check()?;
        if let Some(path) = self.files.keys().find(|path| !is_plain(path)) {
            let path = path.display();
            return Err(invalid(format!(
                "'{path}' is not a relative path of plain names"
            )));
        }
        let written = self.write(objects, parent, signer);
        written.map_err(|error| match error {
            Failure::Git(error) => invalid(error.message()),
            Failure::Other(error) => error,
        })
    }

    fn write(
        &self,
        objects: &Path,
        parent: Option<ObjectId>,
        signer: Option<&Signer>,
    ) -> Result<Option<PackedCommit>, Failure> {
        let git = libgit::open_in_memory(parent.map(|_| objects))?;
        let base = match parent {
            Some(parent) => libgit::read_commit(&git, parent.oid())?.tree()?,
            None => git.find_tree(git.treebuilder(None)?.write()?)?,
        };
        let odb = git.odb()?;
        libgit::read_verified(&odb, base.id())?;
        for directory in self.files.keys().flat_map(|path| path.ancestors().skip(1)) {
            if let Ok(entry) = base.get_path(directory)
                && entry.kind() == Some(ObjectType::Tree)
            {
                libgit::read_verified(&odb, entry.id())?;
            }
        }
        let mut update = TreeUpdateBuilder::new();
        let mut fresh = BTreeSet::new();
        for (path, content) in &self.files {
            let blob = git.blob(content)?;
            fresh.insert(blob);
            update.upsert(path, blob, mode(&base, path));
        }
        let root = update.create_updated(&git, &base)?;
        if root == base.id() {
            return Ok(None);
        }
        let tree = git.find_tree(root)?;
        fresh.insert(root);
        for path in self.files.keys() {
            fresh.extend(directories(&git, &tree, path)?);
        }
        let text = self.text(root, parent, signer).map_err(Failure::Other)?;
        let id = odb.write(ObjectType::Commit, &text)?;
        fresh.insert(id);
        Ok(Some(PackedCommit {
            id: id.into(),
            parent,
            tree: root.into(),
            pack: pack(&git, &fresh)?,
        }))
    }

    /// Returns the commit object, signed if there is a signer.
    fn text(
        &self,
        tree: Oid,
        parent: Option<ObjectId>,
        signer: Option<&Signer>,
    ) -> Result<Vec<u8>> {
        let Author { name, email } = &self.author;
        let parent = parent.map_or_else(String::new, |parent| format!("parent {parent}\n"));
        let who = format!("{name} <{email}> {} +0000", self.seconds);
        let head = format!("tree {tree}\n{parent}author {who}\ncommitter {who}\n");
        let payload = format!("{head}\n{}", self.message);
        let Some(signer) = signer else {
            return Ok(payload.into_bytes());
        };
        let signature = signer
            .sign(payload.as_bytes())
            .map_err(|error| invalid(error.to_string()))?;
        let folded = signature.trim_end().replace('\n', "\n ");
        Ok(format!("{head}gpgsig {folded}\n\n{}", self.message).into_bytes())
    }
}

impl Author {
    /// Rejects text that would break the header.
    fn check(&self) -> Result<()> {
        let breaks = |text: &str| text.contains(['<', '>']) || text.contains(char::is_control);
        if self.name.trim().is_empty() && self.email.trim().is_empty() {
            return Err(invalid("the author has neither a name nor an address"));
        }
        if breaks(&self.name) || breaks(&self.email) {
            return Err(invalid(
                "name and address of the author must not contain '<', '>' or control characters",
            ));
        }
        Ok(())
    }
}

enum Failure {
    Git(git2::Error),
    Other(Error),
}

impl From<git2::Error> for Failure {
    fn from(error: git2::Error) -> Self {
        Self::Git(error)
    }
}

fn invalid(reason: impl Into<String>) -> Error {
    Error::Draft {
        reason: reason.into(),
    }
}

fn is_plain(path: &Path) -> bool {
    let plain = |component| matches!(component, Component::Normal(name) if name != ".git");
    !path.as_os_str().is_empty() && path.components().all(plain)
}

/// The mode of a file: an executable one stays executable.
fn mode(base: &Tree<'_>, path: &Path) -> FileMode {
    let executable = i32::from(FileMode::BlobExecutable);
    match base.get_path(path) {
        Ok(entry) if entry.filemode() == executable => FileMode::BlobExecutable,
        _ => FileMode::Blob,
    }
}

/// The trees on the path of a file.
fn directories(git: &Repository, root: &Tree<'_>, path: &Path) -> Result<Vec<Oid>, git2::Error> {
    let mut found = Vec::new();
    for directory in path.ancestors().skip(1) {
        if directory.as_os_str().is_empty() {
            break;
        }
        let entry = root.get_path(directory)?;
        found.push(git.find_tree(entry.id())?.id());
    }
    Ok(found)
}

fn pack(git: &Repository, objects: &BTreeSet<Oid>) -> Result<Vec<u8>, git2::Error> {
    let mut builder = git.packbuilder()?;
    builder.set_threads(1);
    for id in objects {
        builder.insert_object(*id, None)?;
    }
    let mut pack = git2::Buf::new();
    builder.write_buf(&mut pack)?;
    Ok(pack.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(files: &[(&str, &str)]) -> Draft {
        let files = files.iter();
        Draft {
            files: files
                .map(|(path, content)| (PathBuf::from(path), content.as_bytes().to_vec()))
                .collect(),
            author: Author {
                name: "Flux".to_owned(),
                email: String::new(),
            },
            seconds: 1_700_000_000,
            message: "Add things".to_owned(),
        }
    }

    fn made(draft: &Draft) -> Result<Option<PackedCommit>> {
        draft.create_commit(Path::new("/nonexistent"), None, None)
    }

    #[test]
    fn first_commit_needs_no_parent() {
        let one = made(&draft(&[("a/b/c.yaml", "x"), ("d", "y")]))
            .unwrap()
            .unwrap();
        assert_eq!(one.parent, None);
        assert!(one.pack.starts_with(b"PACK"));
        let again = made(&draft(&[("a/b/c.yaml", "x"), ("d", "y")]))
            .unwrap()
            .unwrap();
        assert_eq!(one.id, again.id, "equal drafts give equal commits");
        assert_eq!(made(&draft(&[])).unwrap(), None);
    }

    #[test]
    fn unsafe_paths_and_authors_are_rejected() {
        for path in [
            "",
            "/etc/passwd",
            "../x",
            "a/../../x",
            ".git/config",
            "a/.git/x",
        ] {
            let refusal = made(&draft(&[(path, "x")])).unwrap_err();
            assert!(
                refusal.to_string().contains("plain names"),
                "{path}: {refusal}"
            );
        }
        for (name, email) in [
            ("", ""),
            ("a\nparent b", ""),
            ("a", "b> 0 +0000\nx <y"),
            ("<", ""),
        ] {
            let mut draft = draft(&[("a", "x")]);
            draft.author = Author {
                name: name.to_owned(),
                email: email.to_owned(),
            };
            assert!(made(&draft).is_err(), "{name:?} {email:?}");
        }
    }
}
