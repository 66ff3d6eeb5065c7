//! The files of an artifact, in any order, and their archive.
//!
//! The entries of a layer come in any order, may repeat, and may lack their directories. An
//! artifact has one order. So the files are spooled while the layer is read, under the rules of
//! `artifact::untar`, and written at the end. No tree is created on disk. A tree also takes files
//! of other trees ([`Tree::copy`]), without a copy of their content.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::Bound;
use std::os::unix::ffi::OsStrExt as _;
use std::sync::Arc;

use sluice_artifact::ignore::{self, Rules};
use sluice_artifact::tarball::{self, Writer};
use sluice_artifact::untar::{self, Entries, Limits, Links};

use crate::spool::{Reader, Spool};

/// Size limit of all names together, since they stay in memory and compress well.
const NAMES_LIMIT: usize = 64 << 20;
/// Size limit of an ignore file, far above handwritten ones.
const IGNORE_LIMIT: u64 = 1 << 20;
/// Flux reads no ignore files in this directory.
const GIT: &[u8] = b".git";

/// Why a layer cannot be stored as an artifact.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// The archive breaks a safety rule.
    #[error(transparent)]
    Untar(#[from] untar::Error),
    /// A path is both a file and a directory.
    #[error("tar entry '{0}' is a file and a directory")]
    Clash(String),
    /// The names exceed `NAMES_LIMIT`.
    #[error("tar has more than {NAMES_LIMIT} bytes of names")]
    Names,
    /// Reading or spooling the content failed.
    #[error("keep tar entry '{name}'")]
    Keep {
        /// The name of the entry.
        name: String,
        /// The I/O error.
        source: io::Error,
    },
}

/// The content of a layer.
#[derive(Debug, Default)]
pub struct Tree {
    /// By path, with NUL between components, so that the keys sort in the order of a walk.
    nodes: BTreeMap<Vec<u8>, Node>,
    content: Spool,
    names: usize,
    /// The trees whose content the files of [`Tree::copy`] have.
    origins: Vec<Arc<Self>>,
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Directory,
    File {
        /// The index of the tree that has the content; `None` for this one.
        origin: Option<usize>,
        offset: u64,
        size: u64,
        executable: bool,
    },
}

/// A directory or a file of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A directory.
    Directory,
    /// A file.
    File {
        /// The size of the content.
        size: u64,
        /// Whether the file can be executed.
        executable: bool,
    },
}

impl Node {
    fn entry(self) -> Entry {
        match self {
            Self::Directory => Entry::Directory,
            Self::File {
                size, executable, ..
            } => Entry::File { size, executable },
        }
    }
}

impl Tree {
    /// Reads a compressed layer. Blocks.
    pub fn read(layer: impl Read, limits: Limits) -> Result<Self, UnpackError> {
        Self::read_some(layer, limits, |_| true)
    }

    /// Reads the wanted entries of a compressed layer. Blocks.
    pub fn read_some(
        layer: impl Read,
        limits: Limits,
        is_wanted: impl Fn(&Vec<Vec<u8>>) -> bool,
    ) -> Result<Self, UnpackError> {
        let mut entries = Entries::new(layer, Links::Skip, limits);
        let mut tree = Self::default();
        while let Some(mut entry) = entries.next_entry()? {
            let path: Vec<Vec<u8>> = entry
                .path()
                .iter()
                .map(|component| component.as_bytes().to_vec())
                .collect();
            if !is_wanted(&path) {
                continue;
            }
            let name = entry.path().display().to_string();
            for depth in 1..path.len() {
                tree.directory(&path[..depth], &name)?;
            }
            if entry.is_directory() {
                tree.directory(&path, &name)?;
                continue;
            }
            let executable = entry.mode() & 0o111 != 0;
            let offset = tree.content.size();
            let size =
                io::copy(&mut entry, &mut tree.content).map_err(|source| UnpackError::Keep {
                    name: name.clone(),
                    source,
                })?;
            let node = Node::File {
                origin: None,
                offset,
                size,
                executable,
            };
            tree.put(path.join(&0), node, &name)?;
        }
        Ok(tree)
    }

    /// Adds a file with its directories. Blocks.
    pub fn add(&mut self, path: &[Vec<u8>], mut content: impl Read) -> Result<(), UnpackError> {
        let name = String::from_utf8_lossy(&path.join(&b'/')).into_owned();
        for depth in 1..path.len() {
            self.directory(&path[..depth], &name)?;
        }
        let offset = self.content.size();
        let copied = io::copy(&mut content, &mut self.content);
        let size = copied.map_err(|source| UnpackError::Keep {
            name: name.clone(),
            source,
        })?;
        let node = Node::File {
            origin: None,
            offset,
            size,
            executable: false,
        };
        self.put(path.join(&0), node, &name)
    }

    /// Adds a directory and those above it. The path has slashes, and the root is empty.
    pub fn make_directory(&mut self, path: &[u8]) -> Result<(), UnpackError> {
        let name = String::from_utf8_lossy(path).into_owned();
        let parents = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        let parents: Vec<usize> = parents.map(|(index, _)| index).collect();
        for end in parents.into_iter().chain([path.len()]) {
            if end > 0 {
                self.put(key(&path[..end]), Node::Directory, &name)?;
            }
        }
        Ok(())
    }

    /// Replaces the content of a file, or adds one that cannot be executed. Its directory exists.
    /// Blocks.
    pub fn write_file(&mut self, path: &[u8], content: &[u8]) -> Result<(), UnpackError> {
        let executable = matches!(
            self.entry(path),
            Some(Entry::File {
                executable: true,
                ..
            })
        );
        self.write_from(path, content, executable)
    }

    /// Adds or replaces a file. Its directory exists. Replaced content stays in the spool. Blocks.
    pub fn write_from(
        &mut self,
        path: &[u8],
        mut content: impl Read,
        executable: bool,
    ) -> Result<(), UnpackError> {
        let name = String::from_utf8_lossy(path).into_owned();
        let offset = self.content.size();
        let size = io::copy(&mut content, &mut self.content).map_err(|source| {
            let name = name.clone();
            UnpackError::Keep { name, source }
        })?;
        let node = Node::File {
            origin: None,
            offset,
            size,
            executable,
        };
        self.put(key(path), node, &name)
    }

    /// Adds a file of another tree. Its directory exists, and the content stays in the other tree.
    /// The copy of a missing file or of a directory adds nothing.
    pub fn copy(
        &mut self,
        from: &Arc<Self>,
        source: &[u8],
        path: &[u8],
    ) -> Result<(), UnpackError> {
        let Some(Node::File {
            origin,
            offset,
            size,
            executable,
        }) = from.nodes.get(&key(source))
        else {
            return Ok(());
        };
        let from = match origin {
            Some(index) => &from.origins[*index],
            None => from,
        };
        let known = self
            .origins
            .iter()
            .position(|known| Arc::ptr_eq(known, from));
        let index = known.unwrap_or_else(|| {
            self.origins.push(Arc::clone(from));
            self.origins.len() - 1
        });
        let node = Node::File {
            origin: Some(index),
            offset: *offset,
            size: *size,
            executable: *executable,
        };
        let name = String::from_utf8_lossy(path).into_owned();
        self.put(key(path), node, &name)
    }

    /// A directory or a file, or `None`. The path has slashes, and the root is empty.
    pub fn entry(&self, path: &[u8]) -> Option<Entry> {
        if path.is_empty() {
            return Some(Entry::Directory);
        }
        self.nodes.get(&key(path)).map(|node| node.entry())
    }

    /// The content of a file, or `None` if the path is not one. The path has slashes.
    pub fn content(&self, path: &[u8]) -> Option<Reader<'_>> {
        match *self.nodes.get(&key(path))? {
            Node::File {
                origin,
                offset,
                size,
                ..
            } => Some(self.reader(origin, offset, size)),
            Node::Directory => None,
        }
    }

    /// All entries below a directory, in the order of a walk. The paths have slashes and begin at
    /// the root.
    pub fn walk(&self, directory: &[u8]) -> impl Iterator<Item = (Vec<u8>, Entry)> {
        let mut start = key(directory);
        if !start.is_empty() {
            start.push(0);
        }
        let nodes = self
            .nodes
            .range::<[u8], _>((Bound::Excluded(start.as_slice()), Bound::Unbounded));
        let found: Vec<_> = nodes
            .take_while(|(key, _)| key.starts_with(&start))
            .map(|(key, node)| (slashed(key), node.entry()))
            .collect();
        found.into_iter()
    }

    /// The names in a directory, sorted. Each takes one search, so a large directory of a large
    /// tree costs no walk.
    pub fn children(&self, directory: &[u8]) -> Vec<Vec<u8>> {
        let mut prefix = key(directory);
        if !prefix.is_empty() {
            prefix.push(0);
        }
        let mut names = Vec::new();
        let mut next = Bound::Excluded(prefix.clone());
        loop {
            let mut rest = self.nodes.range::<Vec<u8>, _>((next, Bound::Unbounded));
            let Some(below) = rest
                .next()
                .and_then(|(key, _)| key.strip_prefix(prefix.as_slice()))
            else {
                return names;
            };
            let end = below.iter().position(|byte| *byte == 0);
            let name = below[..end.unwrap_or(below.len())].to_vec();
            // The entries below this name continue with NUL, and its siblings with a larger byte.
            next = Bound::Included([prefix.as_slice(), name.as_slice(), &[1]].concat());
            names.push(name);
        }
    }

    /// The number of files and directories.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the tree has neither files nor directories.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The bytes of the names of all files and directories, which are in memory.
    pub fn name_bytes(&self) -> usize {
        self.names
    }

    /// The bytes of all files.
    pub fn content_bytes(&self) -> u64 {
        let sizes = self.nodes.values().map(|node| match node {
            Node::File { size, .. } => *size,
            Node::Directory => 0,
        });
        sizes.fold(0, u64::saturating_add)
    }

    /// The content of a file.
    fn reader(&self, origin: Option<usize>, offset: u64, size: u64) -> Reader<'_> {
        let spool = match origin {
            Some(index) => &self.origins[index].content,
            None => &self.content,
        };
        spool.reader(offset, size)
    }

    /// Whether a path is a file or a directory of the tree.
    pub fn contains(&self, path: &[Vec<u8>]) -> bool {
        self.nodes.contains_key(&path.join(&0))
    }

    /// The size of a file, or `None` if the path is not one.
    pub fn size(&self, path: &[Vec<u8>]) -> Option<u64> {
        match self.nodes.get(&path.join(&0))? {
            Node::File { size, .. } => Some(*size),
            Node::Directory => None,
        }
    }

    /// Reads a file, or `None` if the path is not one. Blocks.
    pub fn file(&self, path: &[Vec<u8>]) -> io::Result<Option<Vec<u8>>> {
        let Some(Node::File {
            origin,
            offset,
            size,
            ..
        }) = self.nodes.get(&path.join(&0))
        else {
            return Ok(None);
        };
        let mut content = Vec::new();
        let mut reader = self.reader(*origin, *offset, *size);
        reader.read_to_end(&mut content)?;
        Ok(Some(content))
    }

    /// The paths of all files, in the order of a walk.
    pub fn files(&self) -> impl Iterator<Item = Vec<Vec<u8>>> {
        let files = self.nodes.iter();
        let files = files.filter(|(_, node)| matches!(node, Node::File { .. }));
        files.map(|(key, _)| key.split(|byte| *byte == 0).map(<[u8]>::to_vec).collect())
    }

    fn directory(&mut self, path: &[Vec<u8>], name: &str) -> Result<(), UnpackError> {
        self.put(path.join(&0), Node::Directory, name)
    }

    fn put(&mut self, key: Vec<u8>, node: Node, name: &str) -> Result<(), UnpackError> {
        let length = key.len();
        match (self.nodes.insert(key, node), node) {
            (None, _) => {
                self.names += length;
                if self.names > NAMES_LIMIT {
                    return Err(UnpackError::Names);
                }
                Ok(())
            }
            (Some(Node::Directory), Node::Directory)
            | (Some(Node::File { .. }), Node::File { .. }) => Ok(()),
            _ => Err(UnpackError::Clash(name.to_owned())),
        }
    }

    /// Returns the rules of the ignore files, then those of the object. Blocks.
    pub fn rules(&self, spec: Option<&str>) -> io::Result<Rules> {
        let mut files: Vec<(&[u8], Node)> = Vec::new();
        for (key, node) in &self.nodes {
            let (domain, file) = match key.iter().rposition(|byte| *byte == 0) {
                Some(at) => (&key[..at], &key[at + 1..]),
                None => (&key[..0], key.as_slice()),
            };
            let hidden = domain.split(|byte| *byte == 0).any(|part| part == GIT);
            if file == ignore::FILE_NAME.as_bytes() && !hidden {
                files.push((domain, *node));
            }
        }
        // A directory's rules come before those of its subdirectories.
        files.sort_by_key(|(domain, _)| *domain);
        let mut patterns = Vec::new();
        for (domain, node) in files {
            if let Node::File {
                origin,
                offset,
                size,
                ..
            } = node
            {
                let mut text = Vec::new();
                self.reader(origin, offset, size.min(IGNORE_LIMIT))
                    .read_to_end(&mut text)?;
                ignore::append(&mut patterns, &text, &slashed(domain)).map_err(io::Error::other)?;
            }
        }
        Ok(Rules::for_source(patterns, spec))
    }

    /// Writes the files that the rules keep. Blocks.
    pub fn write<W: Write>(&self, writer: W, rules: &Rules) -> Result<W, tarball::Error> {
        let mut writer = Writer::new(writer);
        writer.directory(b".")?;
        for (key, node) in &self.nodes {
            let path = slashed(key);
            match *node {
                // Rules may include files below an excluded directory again.
                Node::Directory if rules.exclude(&path, true)? => {}
                Node::Directory => writer.directory(&path)?,
                Node::File { .. } if rules.exclude(&path, false)? => {}
                Node::File {
                    origin,
                    offset,
                    size,
                    executable,
                } => {
                    let content = self.reader(origin, offset, size);
                    writer.file(&path, executable, size, content)?;
                }
            }
        }
        writer.finish()
    }
}

/// The key of a path with slashes.
fn key(path: &[u8]) -> Vec<u8> {
    path.iter()
        .map(|byte| if *byte == b'/' { 0 } else { *byte })
        .collect()
}

fn slashed(key: &[u8]) -> Vec<u8> {
    key.iter()
        .map(|byte| if *byte == 0 { b'/' } else { *byte })
        .collect()
}

#[cfg(test)]
mod tests;
