//! Walks the tree of a commit without a checkout.
//!
//! Entries have the order of an artifact: the root first, each directory before its content,
//! siblings sorted by the bytes of their names. Git sorts directories as if their names ended with
//! `/`.
//!
//! All paths are checked before the visitor sees them. A pushed tree can contain names that git
//! never writes: slashes, `..`, disguised `.git` directories and duplicates. A commit with such a
//! name is rejected. Names that differ only in case are allowed, because artifacts keep both files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use git2::{ObjectType, Odb, OdbLookupFlags, OdbObject};

use crate::error::{Error, Result, printable};
use crate::id::ObjectId;
use crate::libgit;
use crate::limits::Limits;
use crate::packed_blob::PackedBlob;

pub(crate) mod name;
mod snapshot;
pub(crate) mod tree;

pub use snapshot::Snapshot;

use tree::RawEntry;

/// Maximum path length, as on Linux.
const MAX_PATH: usize = 4096;
/// Smaller blobs are read at once by libgit2.
const MIN_STREAMED_BYTES: u64 = 1 << 20;

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A directory.
    Directory,
    /// A file.
    File {
        /// Whether it is executable.
        executable: bool,
    },
    /// A symbolic link. Its blob is the target.
    Symlink,
    /// A commit of another repository.
    Submodule,
}

/// How a walk continues after an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Continue.
    Next,
    /// Continue, but skip the content of this directory.
    Skip,
    /// End the walk.
    Stop,
}

/// An error of a visitor.
pub type VisitError = Box<dyn std::error::Error + Send + Sync>;

/// Visits the entries of a walk.
pub trait Visitor {
    /// Visits an entry.
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError>;
}

impl<F: FnMut(&Entry<'_>) -> Result<Step, VisitError>> Visitor for F {
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError> {
        self(entry)
    }
}

/// An entry of a tree.
pub struct Entry<'a> {
    path: &'a [u8],
    kind: Kind,
    id: ObjectId,
    objects: &'a Objects,
}

impl Entry<'_> {
    /// The path from the root, without a leading slash. The root's path is empty.
    pub fn path(&self) -> &Path {
        Path::new(std::ffi::OsStr::from_bytes(self.path))
    }

    /// The kind.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The object: a blob, a tree, or a commit of a submodule.
    pub const fn id(&self) -> ObjectId {
        self.id
    }

    /// The size of the blob, without reading it.
    pub fn size(&self) -> Result<u64> {
        self.objects.size(self.id)
    }

    /// Opens the blob.
    pub fn open(&self) -> Result<Blob<'_>> {
        self.objects.blob(self.id)
    }

    /// Reads the blob. A blob larger than `limit` is an error.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>> {
        let size = self.size()?;
        if size > limit {
            let what = format!("file '{}'", printable(self.path));
            return Err(Error::Limit { what, limit });
        }
        let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        let read = self.open()?.read_to_end(&mut content);
        read.map_err(|error| object_error(self.id, &error))?;
        Ok(content)
    }
}

/// The content of a blob.
///
/// A blob that a pack holds whole is streamed. All large blobs are stored like this. Other blobs
/// are in memory once, because libgit2 cannot stream deltas. In both cases the hash is verified,
/// and the last read fails if it does not match.
pub struct Blob<'a> {
    id: ObjectId,
    size: u64,
    content: Content<'a>,
    objects: &'a Objects,
}

enum Content<'a> {
    Packed(Box<PackedBlob>),
    Whole { object: OdbObject<'a>, at: usize },
}

impl Blob<'_> {
    /// The size in bytes.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Whether the blob is streamed.
    pub const fn is_streamed(&self) -> bool {
        matches!(self.content, Content::Packed(_))
    }
}

impl Read for Blob<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.content {
            // The reader may wrap the error. The information that the store is damaged must survive
            // that.
            Content::Packed(blob) => blob.read(buffer).inspect_err(|error| {
                self.objects.note_damage(self.id, error);
            }),
            Content::Whole { object, at } => {
                let read = (&object.data()[*at..]).read(buffer)?;
                *at += read;
                Ok(read)
            }
        }
    }
}

/// An open object directory.
pub(crate) struct Objects {
    odb: Odb<'static>,
    directory: PathBuf,
    damage: RefCell<Option<Error>>,
}

impl Objects {
    pub(crate) fn new(odb: Odb<'static>, directory: PathBuf) -> Self {
        Self {
            odb,
            directory,
            damage: RefCell::default(),
        }
    }

    /// Whether the object exists, according to the loaded pack indexes. The object is not read.
    pub(crate) fn has(&self, id: ObjectId) -> bool {
        self.odb.exists_ext(id.oid(), OdbLookupFlags::NO_REFRESH)
    }

    fn note_damage(&self, id: ObjectId, reason: &dyn std::fmt::Display) {
        *self.damage.borrow_mut() = Some(object_error(id, reason));
    }

    fn size(&self, id: ObjectId) -> Result<u64> {
        let (size, _) = self
            .odb
            .read_header(id.oid())
            .map_err(|error| object_error(id, &error))?;
        Ok(size as u64)
    }

    fn blob(&self, id: ObjectId) -> Result<Blob<'_>> {
        let size = self.size(id)?;
        if size >= MIN_STREAMED_BYTES
            && let Some(blob) = PackedBlob::find(&self.directory, id)
            && blob.left() == size
        {
            return Ok(Blob {
                id,
                size,
                content: Content::Packed(Box::new(blob)),
                objects: self,
            });
        }
        let object = self.object(id, ObjectType::Blob)?;
        Ok(Blob {
            id,
            size,
            content: Content::Whole { object, at: 0 },
            objects: self,
        })
    }

    fn object(&self, id: ObjectId, kind: ObjectType) -> Result<OdbObject<'_>> {
        let object =
            libgit::read_verified(&self.odb, id.oid()).map_err(|error| object_error(id, &error))?;
        if object.kind() != kind {
            return Err(object_error(
                id,
                &format!("it is a {}, not a {kind}", object.kind()),
            ));
        }
        Ok(object)
    }

    /// Reads a commit or a tag.
    pub(crate) fn metadata(&self, id: ObjectId, kind: ObjectType, limit: u64) -> Result<Vec<u8>> {
        if self.size(id)? > limit {
            return Err(Error::Limit {
                what: format!("object {id}"),
                limit,
            });
        }
        Ok(self.object(id, kind)?.data().to_vec())
    }

    fn tree(&self, id: ObjectId, place: &TreePath<'_>) -> Result<Vec<RawEntry>> {
        let (size, _) = self
            .odb
            .read_header(id.oid())
            .map_err(|error| object_error(id, &error))?;
        let limit = place.limits.metadata_bytes;
        if size as u64 > limit {
            return Err(Error::Limit {
                what: format!("directory '{}'", printable(place.path)),
                limit,
            });
        }
        let object = self.object(id, ObjectType::Tree)?;
        let mut entries = tree::parse(object.data()).map_err(|reason| object_error(id, &reason))?;
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let duplicate = entries.windows(2).find(|pair| pair[0].name == pair[1].name);
        if let Some(pair) = duplicate {
            return Err(place.unsafe_path(&pair[0].name, "the name occurs twice in its directory"));
        }
        Ok(entries)
    }

    /// Walks the tree of a commit, including the open submodules.
    pub(crate) fn walk(
        &self,
        commit: ObjectId,
        root: ObjectId,
        options: WalkOptions<'_>,
        visitor: &mut dyn Visitor,
    ) -> Result<()> {
        let WalkOptions {
            limits,
            should_continue,
            modules,
        } = options;
        let mut walk = Walk {
            limits,
            visitor,
            should_continue,
            modules,
            visited: 1,
        };
        let place = TreePath {
            commit,
            path: b"",
            limits,
        };
        let entries = self.tree(root, &place)?;
        let step = walk.visit(self, b"", Kind::Directory, root)?;
        if step == Step::Next {
            walk.descend(self, commit, entries, b"")?;
        }
        Ok(())
    }
}

/// Open submodules, by path from the root of the outermost repository.
pub(crate) type OpenSubmodules = HashMap<Vec<u8>, OpenSubmodule>;

/// An open submodule.
pub(crate) struct OpenSubmodule {
    pub(crate) objects: Objects,
    pub(crate) commit: ObjectId,
    pub(crate) tree: ObjectId,
}

/// The bounds of a walk.
#[derive(Clone, Copy)]
pub(crate) struct WalkOptions<'w> {
    pub(crate) limits: &'w Limits,
    /// Called before each entry.
    pub(crate) should_continue: &'w dyn Fn() -> bool,
    pub(crate) modules: &'w OpenSubmodules,
}

/// The state of a walk.
struct Walk<'w> {
    limits: &'w Limits,
    visitor: &'w mut dyn Visitor,
    should_continue: &'w dyn Fn() -> bool,
    modules: &'w OpenSubmodules,
    /// Number of visited entries.
    visited: u64,
}

impl Walk<'_> {
    fn visit(&mut self, objects: &Objects, path: &[u8], kind: Kind, id: ObjectId) -> Result<Step> {
        let entry = Entry {
            path,
            kind,
            id,
            objects,
        };
        // Errors of this crate pass through the visitor unchanged.
        self.visitor
            .visit(&entry)
            .map_err(|error| match error.downcast::<Error>() {
                Ok(ours) => *ours,
                Err(theirs) => objects.damage.take().unwrap_or(Error::Visitor(theirs)),
            })
    }

    /// Walks the content of a directory. Returns `Stop` if the visitor stops.
    fn descend(
        &mut self,
        objects: &Objects,
        commit: ObjectId,
        entries: Vec<RawEntry>,
        root: &[u8],
    ) -> Result<Step> {
        let mut path: Vec<u8> = root.to_vec();
        // The open parent directories, each with its remaining entries and the length of its path.
        let mut open = vec![(entries.into_iter(), path.len())];
        while let Some((entries, length)) = open.last_mut() {
            path.truncate(*length);
            let Some(entry) = entries.next() else {
                open.pop();
                continue;
            };
            if !(self.should_continue)() {
                return Ok(Step::Stop);
            }
            self.visited += 1;
            if self.visited > self.limits.entries {
                let what = "the number of entries in the tree".to_owned();
                return Err(Error::Limit {
                    what,
                    limit: self.limits.entries,
                });
            }
            let place = TreePath {
                commit,
                path: &path,
                limits: self.limits,
            };
            name::check(&entry.name).map_err(|reason| place.unsafe_path(&entry.name, reason))?;
            let kind = tree::kind(entry.mode)
                .ok_or_else(|| place.unsafe_path(&entry.name, "its mode is unknown"))?;
            if path.len() + 1 + entry.name.len() > MAX_PATH {
                return Err(place.unsafe_path(&entry.name, "it is longer than 4096 bytes"));
            }
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(&entry.name);
            // Read before the visit, so that the visitor never sees a missing directory.
            let children = if kind == Kind::Directory {
                if open.len() >= self.limits.depth {
                    let what = "the depth of the tree".to_owned();
                    return Err(Error::Limit {
                        what,
                        limit: self.limits.depth as u64,
                    });
                }
                let place = TreePath {
                    commit,
                    path: &path,
                    limits: self.limits,
                };
                Some(objects.tree(entry.id, &place)?)
            } else {
                None
            };
            match (self.visit(objects, &path, kind, entry.id)?, children) {
                (Step::Stop, _) => return Ok(Step::Stop),
                (Step::Next, Some(children)) => open.push((children.into_iter(), path.len())),
                (Step::Next, None)
                    if kind == Kind::Submodule && self.enter_submodule(&path)? == Step::Stop =>
                {
                    return Ok(Step::Stop);
                }
                _ => {}
            }
        }
        Ok(Step::Next)
    }

    /// Walks the submodule at a path, if it is open.
    fn enter_submodule(&mut self, path: &[u8]) -> Result<Step> {
        let modules = self.modules;
        let Some(module) = modules.get(path) else {
            return Ok(Step::Next);
        };
        let place = TreePath {
            commit: module.commit,
            path,
            limits: self.limits,
        };
        let entries = module.objects.tree(module.tree, &place)?;
        self.descend(&module.objects, module.commit, entries, path)
    }
}

/// The position in a tree, for errors.
struct TreePath<'a> {
    commit: ObjectId,
    path: &'a [u8],
    limits: &'a Limits,
}

impl TreePath<'_> {
    fn unsafe_path(&self, name: &[u8], reason: &'static str) -> Error {
        let path = if self.path.is_empty() {
            name.to_vec()
        } else {
            [self.path, b"/", name].concat()
        };
        Error::UnsafePath {
            commit: self.commit.to_string(),
            path: printable(&path),
            reason,
        }
    }
}

pub(crate) fn object_error(id: ObjectId, reason: &dyn std::fmt::Display) -> Error {
    Error::Object {
        id: id.to_string(),
        reason: reason.to_string(),
    }
}
