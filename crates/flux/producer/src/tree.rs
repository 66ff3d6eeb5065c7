//! The files of an artifact, in any order, and their archive.
//!
//! The entries of a layer come in any order, may repeat, and may lack their directories. An
//! artifact has one order. So the files are spooled while the layer is read, under the rules of
//! `artifact::untar`, and written at the end. No tree is created on disk.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt as _;

use sluice_artifact::ignore::{self, Rules};
use sluice_artifact::tarball::{self, Writer};
use sluice_artifact::untar::{self, Entries, Limits, Links};

use crate::spool::Spool;

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
}

#[derive(Debug, Clone, Copy)]
enum Node {
    Directory,
    File {
        offset: u64,
        size: u64,
        executable: bool,
    },
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
        let mut tree = Self::default();
        let mut entries = Entries::new(layer, Links::Skip, limits);
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
            offset,
            size,
            executable: false,
        };
        self.put(path.join(&0), node, &name)
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
        let Some(Node::File { offset, size, .. }) = self.nodes.get(&path.join(&0)) else {
            return Ok(None);
        };
        let mut content = Vec::new();
        let mut reader = self.content.reader(*offset, *size);
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
            if let Node::File { offset, size, .. } = node {
                let mut text = Vec::new();
                self.content
                    .reader(offset, size.min(IGNORE_LIMIT))
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
                    offset,
                    size,
                    executable,
                } => writer.file(&path, executable, size, self.content.reader(offset, size))?,
            }
        }
        writer.finish()
    }
}

fn slashed(key: &[u8]) -> Vec<u8> {
    key.iter()
        .map(|byte| if *byte == 0 { b'/' } else { *byte })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    enum E<'a> {
        File(&'a str, &'a str),
        Executable(&'a str),
        Directory(&'a str),
        Link(&'a str, &'a str),
        Hard(&'a str, &'a str),
        Device(&'a str),
    }

    fn layer(entries: &[E<'_>]) -> Vec<u8> {
        let gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut builder = tar::Builder::new(gzip);
        for entry in entries {
            let mut header = tar::Header::new_gnu();
            header.set_mode(0o644);
            header.set_size(0);
            let (name, content) = match entry {
                E::File(name, content) => (name, *content),
                E::Executable(name) => {
                    header.set_mode(0o755);
                    (name, "")
                }
                E::Directory(name) => {
                    header.set_entry_type(tar::EntryType::Directory);
                    (name, "")
                }
                E::Link(name, target) => {
                    header.set_entry_type(tar::EntryType::Symlink);
                    header.set_link_name(target).unwrap();
                    (name, "")
                }
                E::Hard(name, target) => {
                    header.set_entry_type(tar::EntryType::Link);
                    header.set_link_name(target).unwrap();
                    (name, "")
                }
                E::Device(name) => {
                    header.set_entry_type(tar::EntryType::Char);
                    (name, "")
                }
            };
            header.set_size(content.len() as u64);
            // The setter of `tar` rejects malicious names.
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, content.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    fn packed(entries: &[E<'_>], spec: Option<&str>) -> Result<Vec<u8>, String> {
        let tree = Tree::read(layer(entries).as_slice(), Limits::unlimited())
            .map_err(|error| error.to_string())?;
        let rules = tree.rules(spec).unwrap();
        Ok(tree.write(Vec::new(), &rules).unwrap())
    }

    fn names(entries: &[E<'_>], spec: Option<&str>) -> Vec<String> {
        let packed = packed(entries, spec).unwrap();
        tar::Archive::new(packed.as_slice())
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().path().unwrap().display().to_string())
            .collect()
    }

    #[test]
    fn artifact_has_sorted_entries_and_all_directories() {
        let one = [
            E::File("b.yaml", "b"),
            E::File("a/x", "x"),
            E::File("a.yaml", "a"),
        ];
        let other = [
            E::Directory("a/"),
            E::File("a.yaml", "old"),
            E::File("a/x", "x"),
            E::File("b.yaml", "b"),
            E::File("./a.yaml", "a"),
        ];
        assert_eq!(names(&one, None), [".", "a", "a/x", "a.yaml", "b.yaml"]);
        assert_eq!(packed(&one, None), packed(&other, None));
    }

    #[test]
    fn artifact_keeps_only_executable_bit() {
        let packed = packed(&[E::Executable("run"), E::File("text", "")], None).unwrap();
        let modes: Vec<u32> = tar::Archive::new(packed.as_slice())
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().header().mode().unwrap())
            .collect();
        assert_eq!(modes, [0o750, 0o700, 0o600]);
    }

    #[test]
    fn rules_exclude_and_include_files() {
        let entries = [
            E::File("a/.sourceignore", "!keep.txt\n"),
            E::File("a/keep.txt", ""),
            E::File("a/logo.png", ""),
            E::File("b.txt", ""),
            E::File(".sourceignore", "*.txt\n"),
            E::File(".git/.sourceignore", "a/\n"),
        ];
        assert_eq!(
            names(&entries, None),
            [
                ".",
                ".sourceignore",
                "a",
                "a/.sourceignore",
                "a/keep.txt",
                "a/logo.png"
            ]
        );
        assert_eq!(
            names(&entries, Some("a/keep.txt\n")),
            [".", ".sourceignore", "a", "a/.sourceignore", "a/logo.png"]
        );
        assert_eq!(
            names(&[E::File("logo.png", ""), E::File("x", "")], None),
            [".", "x"]
        );
    }

    #[test]
    fn read_some_skips_other_entries() {
        let layer = layer(&[
            E::Directory("a/"),
            E::File("a/x", "x"),
            E::File("b/y", "y"),
            E::File("z", "z"),
        ]);
        let wanted = [vec![b"b".to_vec(), b"y".to_vec()], vec![b"z".to_vec()]];
        let is_wanted = |path: &Vec<Vec<u8>>| wanted.contains(path);
        let tree = Tree::read_some(layer.as_slice(), Limits::unlimited(), is_wanted).unwrap();
        assert!(wanted.iter().all(|path| tree.contains(path)));
        assert!(tree.contains(&[b"b".to_vec()]));
        assert!(!tree.contains(&[b"a".to_vec()]));
        let packed = tree.write(Vec::new(), &Rules::none()).unwrap();
        let mut archive = tar::Archive::new(packed.as_slice());
        let names = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            entry.path().unwrap().display().to_string()
        });
        assert_eq!(names.collect::<Vec<_>>(), [".", "b", "b/y", "z"]);
    }

    /// Class S9 of the specification.
    #[test]
    fn links_are_left_out_and_unsafe_entries_fail() {
        let linked = [E::Link("etc", "/etc"), E::File("x", "")];
        assert_eq!(names(&linked, None), [".", "x"]);
        for (hostile, expected) in [
            (E::File("../x", ""), "invalid name"),
            (E::File("/etc/passwd", ""), "invalid name"),
            (E::File("a/../../x", ""), "invalid name"),
            (E::File("a\\b", ""), "invalid name"),
            (E::Hard("x", "/etc/passwd"), "unsupported file type"),
            (E::Device("null"), "unsupported file type"),
        ] {
            let error = packed(&[hostile], None).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        // An entry below a link is a plain path, since links are never created.
        let through = [E::Link("d", "/tmp"), E::File("d/x", "")];
        assert_eq!(names(&through, None), [".", "d", "d/x"]);
        let clash = [E::File("a", ""), E::File("a/b", "")];
        assert!(
            packed(&clash, None)
                .unwrap_err()
                .contains("file and a directory")
        );
    }

    #[test]
    fn invalid_or_truncated_gzip_fails() {
        let whole = layer(&[E::File("x", "content")]);
        for bytes in [&b"plain text"[..], &whole[..whole.len() / 2], &[]] {
            assert!(
                Tree::read(bytes, Limits::unlimited()).is_err(),
                "{}",
                bytes.len()
            );
        }
    }

    #[test]
    fn content_limit_stops_archive_bomb() {
        let bomb = layer(&[E::File("x", &"0".repeat(1 << 20))]);
        let limits = Limits {
            total: Some(1 << 10),
            ..Limits::default()
        };
        let error = Tree::read(bomb.as_slice(), limits).unwrap_err().to_string();
        assert!(
            error.contains("bigger than max archive size of 1024"),
            "{error}"
        );
    }
}
