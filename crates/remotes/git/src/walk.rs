//! The way through a commit's tree, straight from its objects: no checkout.
//!
//! Entries come in the order of an artifact: the root first, then every directory
//! before what it holds, siblings by the bytes of their names. Git's own order
//! differs (it sorts a directory as if its name ended with `/`).
//!
//! Every path is judged before anybody sees it. A tree is written by whoever
//! pushed it, and trees that git itself would never write exist: names with
//! slashes, `..`, `.git` in all its disguises on other file systems, the same name
//! twice. Such a commit is refused as a whole. Files whose names differ by case
//! only are not refused: they are two files wherever an artifact is unpacked by us.

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
use crate::store::packed::PackedBlob;

pub(crate) mod name;
mod snapshot;
pub(crate) mod tree;

pub use snapshot::Snapshot;

use tree::RawEntry;

/// Longest path, as on Linux.
const MAX_PATH: usize = 4096;
/// Blobs below this are read by libgit2 in one piece.
const WHOLE: u64 = 1 << 20;

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A directory.
    Directory,
    /// A file.
    File {
        /// May it be run?
        executable: bool,
    },
    /// A link; its blob is where it points to.
    Symlink,
    /// A commit of another repository.
    Submodule,
}

/// What to do after an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Go on.
    Next,
    /// Go on, and leave out what this directory holds.
    Skip,
    /// End the walk.
    Stop,
}

/// Why a visitor gives up.
pub type VisitError = Box<dyn std::error::Error + Send + Sync>;

/// Whoever looks at the entries of a walk.
pub trait Visitor {
    /// Looks at one entry.
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError>;
}

impl<F: FnMut(&Entry<'_>) -> Result<Step, VisitError>> Visitor for F {
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError> {
        self(entry)
    }
}

/// One entry of a tree.
pub struct Entry<'a> {
    path: &'a [u8],
    kind: Kind,
    id: ObjectId,
    objects: &'a Objects,
}

impl Entry<'_> {
    /// Its path from the root, without a leading slash; the root's is empty.
    pub fn path(&self) -> &Path {
        Path::new(std::ffi::OsStr::from_bytes(self.path))
    }

    /// What it is.
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// Its object: a blob, a tree, or for a submodule a commit elsewhere.
    pub const fn id(&self) -> ObjectId {
        self.id
    }

    /// The bytes of its blob, without reading it.
    pub fn size(&self) -> Result<u64> {
        self.objects.size(self.id)
    }

    /// Opens its blob.
    pub fn open(&self) -> Result<Blob<'_>> {
        self.objects.blob(self.id)
    }

    /// Reads its blob, if it is not longer than `limit`.
    pub fn read(&self, limit: u64) -> Result<Vec<u8>> {
        let size = self.size()?;
        if size > limit {
            let what = format!("file '{}'", printable(self.path));
            return Err(Error::Limit { what, limit });
        }
        let mut content = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        let read = self.open()?.read_to_end(&mut content);
        read.map_err(|error| damaged(self.id, &error))?;
        Ok(content)
    }
}

/// The bytes of a blob.
///
/// A blob that a pack holds whole, as packs do with all large ones, is inflated
/// piece by piece. Any other is in memory once, since libgit2 cannot rebuild a
/// delta in pieces. In both cases the content is held against the blob's name; the
/// read of the last piece fails when they do not match.
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
    /// How many bytes there are in all.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Is it read in pieces, without ever being in memory as a whole?
    pub const fn is_streamed(&self) -> bool {
        matches!(self.content, Content::Packed(_))
    }
}

impl Read for Blob<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.content {
            // Whoever reads may wrap the failure in words of their own; that the
            // store is damaged must not get lost in them.
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

/// Objects on disk, open for reading.
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

    /// Is the object here, going by the indexes of the packs that were here when they were opened?
    /// Nobody looks into it.
    pub(crate) fn has(&self, id: ObjectId) -> bool {
        self.odb.exists_ext(id.oid(), OdbLookupFlags::NO_REFRESH)
    }

    fn note_damage(&self, id: ObjectId, reason: &dyn std::fmt::Display) {
        *self.damage.borrow_mut() = Some(damaged(id, reason));
    }

    fn size(&self, id: ObjectId) -> Result<u64> {
        let (size, _) = self
            .odb
            .read_header(id.oid())
            .map_err(|error| damaged(id, &error))?;
        Ok(size as u64)
    }

    fn blob(&self, id: ObjectId) -> Result<Blob<'_>> {
        let size = self.size(id)?;
        if size >= WHOLE
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
        let object = libgit::read(&self.odb, id.oid()).map_err(|error| damaged(id, &error))?;
        if object.kind() != kind {
            return Err(damaged(
                id,
                &format!("it is a {}, not a {kind}", object.kind()),
            ));
        }
        Ok(object)
    }

    /// The bytes of a commit or a tag.
    pub(crate) fn metadata(&self, id: ObjectId, kind: ObjectType, limit: u64) -> Result<Vec<u8>> {
        if self.size(id)? > limit {
            return Err(Error::Limit {
                what: format!("object {id}"),
                limit,
            });
        }
        Ok(self.object(id, kind)?.data().to_vec())
    }

    fn tree(&self, id: ObjectId, place: &Place<'_>) -> Result<Vec<RawEntry>> {
        let (size, _) = self
            .odb
            .read_header(id.oid())
            .map_err(|error| damaged(id, &error))?;
        let limit = place.limits.metadata_bytes;
        if size as u64 > limit {
            return Err(Error::Limit {
                what: format!("directory '{}'", printable(place.path)),
                limit,
            });
        }
        let object = self.object(id, ObjectType::Tree)?;
        let mut entries = tree::parse(object.data()).map_err(|reason| damaged(id, &reason))?;
        entries.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        let twice = entries.windows(2).find(|pair| pair[0].name == pair[1].name);
        if let Some(pair) = twice {
            return Err(place.refuse(&pair[0].name, "the name occurs twice in its directory"));
        }
        Ok(entries)
    }

    /// Walks a tree, and where it has a submodule that is given, on into that one. `go_on` is
    /// asked before every entry.
    pub(crate) fn walk(
        &self,
        commit: ObjectId,
        root: ObjectId,
        limits: &Limits,
        visitor: &mut dyn Visitor,
        go_on: &dyn Fn() -> bool,
        modules: &Modules,
    ) -> Result<()> {
        let mut walk = Walk {
            limits,
            visitor,
            go_on,
            modules,
            met: 1,
        };
        let place = Place {
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

/// Submodules that are open for reading, by path from the root of the outermost repository.
pub(crate) type Modules = HashMap<Vec<u8>, Module>;

/// One of them.
pub(crate) struct Module {
    pub(crate) objects: Objects,
    pub(crate) commit: ObjectId,
    pub(crate) tree: ObjectId,
}

/// A walk on its way.
struct Walk<'w> {
    limits: &'w Limits,
    visitor: &'w mut dyn Visitor,
    go_on: &'w dyn Fn() -> bool,
    modules: &'w Modules,
    /// Entries met so far.
    met: u64,
}

impl Walk<'_> {
    fn visit(&mut self, objects: &Objects, path: &[u8], kind: Kind, id: ObjectId) -> Result<Step> {
        let entry = Entry {
            path,
            kind,
            id,
            objects,
        };
        // Our own errors pass through a visitor unchanged.
        self.visitor
            .visit(&entry)
            .map_err(|error| match error.downcast::<Error>() {
                Ok(ours) => *ours,
                Err(theirs) => objects.damage.take().unwrap_or(Error::Visitor(theirs)),
            })
    }

    /// Walks what a directory holds; `Stop` when the visitor has seen enough.
    fn descend(
        &mut self,
        objects: &Objects,
        commit: ObjectId,
        entries: Vec<RawEntry>,
        root: &[u8],
    ) -> Result<Step> {
        let mut path: Vec<u8> = root.to_vec();
        // The directories above the entry, each with what is still to come and
        // the length of its path.
        let mut open = vec![(entries.into_iter(), path.len())];
        while let Some((entries, length)) = open.last_mut() {
            path.truncate(*length);
            let Some(entry) = entries.next() else {
                open.pop();
                continue;
            };
            if !(self.go_on)() {
                return Ok(Step::Stop);
            }
            self.met += 1;
            if self.met > self.limits.entries {
                let what = "the number of entries in the tree".to_owned();
                return Err(Error::Limit {
                    what,
                    limit: self.limits.entries,
                });
            }
            let place = Place {
                commit,
                path: &path,
                limits: self.limits,
            };
            name::check(&entry.name).map_err(|reason| place.refuse(&entry.name, reason))?;
            let kind = tree::kind(entry.mode)
                .ok_or_else(|| place.refuse(&entry.name, "it is of no kind that Git has"))?;
            if path.len() + 1 + entry.name.len() > MAX_PATH {
                return Err(place.refuse(&entry.name, "it is longer than 4096 bytes"));
            }
            if !path.is_empty() {
                path.push(b'/');
            }
            path.extend_from_slice(&entry.name);
            // Read before the visit: a visitor is never told of a directory that
            // turns out not to be there.
            let children = if kind == Kind::Directory {
                if open.len() >= self.limits.depth {
                    let what = "the depth of the tree".to_owned();
                    return Err(Error::Limit {
                        what,
                        limit: self.limits.depth as u64,
                    });
                }
                let place = Place {
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
                    if kind == Kind::Submodule && self.enter(&path)? == Step::Stop =>
                {
                    return Ok(Step::Stop);
                }
                _ => {}
            }
        }
        Ok(Step::Next)
    }

    /// Goes on in the submodule at a path, if it is one of those that are open.
    fn enter(&mut self, path: &[u8]) -> Result<Step> {
        let modules = self.modules;
        let Some(module) = modules.get(path) else {
            return Ok(Step::Next);
        };
        let place = Place {
            commit: module.commit,
            path,
            limits: self.limits,
        };
        let entries = module.objects.tree(module.tree, &place)?;
        self.descend(&module.objects, module.commit, entries, path)
    }
}

/// Where in a tree something is, for errors.
struct Place<'a> {
    commit: ObjectId,
    path: &'a [u8],
    limits: &'a Limits,
}

impl Place<'_> {
    fn refuse(&self, name: &[u8], reason: &'static str) -> Error {
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

pub(crate) fn damaged(id: ObjectId, reason: &dyn std::fmt::Display) -> Error {
    Error::Object {
        id: id.to_string(),
        reason: reason.to_string(),
    }
}
