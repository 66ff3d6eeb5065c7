//! Content of an artifact beyond the commit's tree: included artifacts, and the files that go-git
//! leaves in submodules.
//!
//! An include never overwrites an existing path, follows a link or leaves the root. The bytes of
//! includes are spooled to an unnamed file. Start at [`Overlay::include`].

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;

use sluice_artifact::untar::{self, Entries, Limits, Links};

/// The components of a path. They sort in the order of a walk.
pub(super) type Path = Vec<Vec<u8>>;

/// Splits a path into its components.
pub(super) fn components(path: &[u8]) -> Path {
    if path.is_empty() {
        return Path::new();
    }
    path.split(|byte| *byte == b'/')
        .map(<[u8]>::to_vec)
        .collect()
}

/// An overlay entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    Directory,
    /// A file in the spool.
    File {
        executable: bool,
        at: u64,
        size: u64,
    },
    /// A file with known text.
    Text(String),
}

/// The type of an existing path in a checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathKind {
    Directory,
    File,
    Link,
}

/// All overlay entries, in the order of a walk.
#[derive(Debug, Default)]
pub(super) struct Overlay {
    pub(super) nodes: BTreeMap<Path, Node>,
    spool: Option<File>,
    spooled: u64,
}

/// Why an include was not copied, in the words of Flux where it fails too. Flux's paths begin with
/// its working directories, ours at the root of the artifact.
#[derive(Debug, thiserror::Error)]
pub(super) enum CopyError {
    #[error("cannot stat {0}: stat {0}: no such file or directory")]
    Missing(String),
    #[error("link error: cannot rename {from} to {to}: rename {from} {to}: file exists")]
    Exists { from: String, to: String },
    #[error("link error: cannot rename {from} to {to}: rename {from} {to}: not a directory")]
    NotDirectory { from: String, to: String },
    #[error("mkdir {0}: not a directory")]
    NoParent(String),
    #[error("'{0}' is a symbolic link")]
    Link(String),
    #[error("extract the artifact")]
    Untar(#[from] untar::Error),
    #[error("keep what was extracted")]
    Spool(#[from] io::Error),
}

/// A path of a spec, confined to the root: `..` does not lead above it.
pub(super) fn confined(path: &str) -> Path {
    let mut confined = Path::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => drop(confined.pop()),
            component => confined.push(component.as_bytes().to_vec()),
        }
    }
    confined
}

impl Overlay {
    /// Adds the file that go-git leaves in a submodule.
    pub(super) fn link_submodule(&mut self, path: &[u8], text: String) {
        self.nodes.insert(components(path), Node::Text(text));
    }

    /// Copies the content at `from` of an artifact to `to`. `kind_at` returns the type of a path in
    /// the checkout, and `scratch` creates the spool.
    pub(super) fn include(
        &mut self,
        artifact: impl Read,
        from: &Path,
        to: &Path,
        kind_at: impl Fn(&Path) -> Option<PathKind>,
        scratch: impl Fn() -> io::Result<File>,
    ) -> Result<(), CopyError> {
        let place = |path: &Path| match self.nodes.get(path) {
            Some(Node::Directory) => Some(PathKind::Directory),
            Some(_) => Some(PathKind::File),
            None => kind_at(path),
        };
        for length in 1..to.len() {
            let parent = to[..length].to_vec();
            match place(&parent) {
                None | Some(PathKind::Directory) => {}
                Some(PathKind::File) => return Err(CopyError::NoParent(text(&parent))),
                Some(PathKind::Link) => return Err(CopyError::Link(text(&parent))),
            }
        }
        let target = place(to);
        let mut found: Vec<(Path, Node)> = Vec::new();
        let mut entries = Entries::new(artifact, Links::Reject, Limits::unlimited());
        if from.is_empty() {
            found.push((to.clone(), Node::Directory));
        }
        while let Some(mut entry) = entries.next_entry()? {
            let path = components(entry.path().as_os_str().as_bytes());
            let Some(below) = path.strip_prefix(from.as_slice()) else {
                continue;
            };
            let at = [to.as_slice(), below].concat();
            if entry.is_directory() {
                found.push((at, Node::Directory));
                continue;
            }
            let (executable, size) = (entry.mode() & 0o111 != 0, entry.size());
            let spool = match &mut self.spool {
                Some(spool) => spool,
                None => self.spool.insert(scratch()?),
            };
            let copied = io::copy(&mut entry, spool)?;
            found.push((
                at,
                Node::File {
                    executable,
                    at: self.spooled,
                    size,
                },
            ));
            self.spooled += copied;
        }
        if let Some(spool) = &mut self.spool {
            spool.flush()?;
        }
        let first = found
            .first()
            .ok_or_else(|| CopyError::Missing(text(from)))?;
        let (from, place) = (text(from), text(to));
        // The root of a checkout always exists.
        if target == Some(PathKind::Directory) || to.is_empty() {
            return Err(CopyError::Exists { from, to: place });
        }
        // A file replaces a file or a link. A directory replaces nothing.
        if target.is_some() && first.1 == Node::Directory {
            return Err(CopyError::NotDirectory { from, to: place });
        }
        for length in 1..to.len() {
            self.nodes
                .entry(to[..length].to_vec())
                .or_insert(Node::Directory);
        }
        self.nodes.extend(found);
        Ok(())
    }

    /// Reads a file of the spool.
    pub(super) fn reader(&self, at: u64, size: u64) -> impl Read + '_ {
        SpoolPart {
            file: self.spool.as_ref(),
            at,
            left: size,
        }
    }
}

/// A path for a message. The root is `.`.
fn text(path: &Path) -> String {
    if path.is_empty() {
        return ".".to_owned();
    }
    String::from_utf8_lossy(&path.join(&b'/')).into_owned()
}

/// A part of the spool file.
struct SpoolPart<'a> {
    file: Option<&'a File>,
    at: u64,
    left: u64,
}

impl Read for SpoolPart<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = usize::try_from(self.left)
            .unwrap_or(usize::MAX)
            .min(buffer.len());
        let Some(file) = self.file.filter(|_| most > 0) else {
            return Ok(0);
        };
        let read = file.read_at(&mut buffer[..most], self.at)?;
        self.at += read as u64;
        self.left -= read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use sluice_artifact::deflate::GzipWriter;
    use sluice_artifact::tarball::Writer;

    use super::*;

    fn artifact(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = Writer::new(GzipWriter::new(Vec::new()));
        writer.directory(b".").unwrap();
        for (path, content) in files {
            if content.is_empty() {
                writer.directory(path.as_bytes()).unwrap();
            } else {
                let size = content.len() as u64;
                writer
                    .file(path.as_bytes(), false, size, content.as_bytes())
                    .unwrap();
            }
        }
        writer.finish().unwrap().finish().unwrap()
    }

    const ARTIFACT: &[(&str, &str)] = &[("a.yaml", "A"), ("dir", ""), ("dir/b.yaml", "BB")];

    fn include(overlay: &mut Overlay, from: &str, to: &str) -> Result<(), String> {
        let kind_at = |path: &Path| match text(path).as_str() {
            "app" => Some(PathKind::Directory),
            "app/file" => Some(PathKind::File),
            "link" => Some(PathKind::Link),
            _ => None,
        };
        overlay
            .include(
                artifact(ARTIFACT).as_slice(),
                &confined(from),
                &confined(to),
                kind_at,
                tempfile::tempfile,
            )
            .map_err(|error| error.to_string())
    }

    fn paths(overlay: &Overlay) -> Vec<String> {
        overlay.nodes.keys().map(text).collect()
    }

    #[test]
    fn include_copies_part_of_artifact_to_target() {
        for (from, to, expected) in [
            (
                "",
                "x",
                ["x", "x/a.yaml", "x/dir", "x/dir/b.yaml"].as_slice(),
            ),
            ("dir", "x/y", &["x", "x/y", "x/y/b.yaml"]),
            ("./dir/", "../../x", &["x", "x/b.yaml"]),
            ("a.yaml", "app/new.yaml", &["app", "app/new.yaml"]),
            ("a.yaml", "app/file", &["app", "app/file"]),
            ("a.yaml", "link", &["link"]),
        ] {
            let mut overlay = Overlay::default();
            include(&mut overlay, from, to).unwrap();
            assert_eq!(paths(&overlay), expected, "{from} to {to}");
        }
    }

    #[test]
    fn include_keeps_existing_path_and_fails() {
        for (from, to, reason) in [
            (
                "",
                "app",
                "link error: cannot rename . to app: rename . app: file exists",
            ),
            (
                "dir",
                ".",
                "link error: cannot rename dir to .: rename dir .: file exists",
            ),
            (
                "",
                "app/file",
                "link error: cannot rename . to app/file: rename . app/file: not a directory",
            ),
            ("", "app/file/x", "mkdir app/file: not a directory"),
            ("", "link/x", "'link' is a symbolic link"),
            (
                "dir/c.yaml",
                "x",
                "cannot stat dir/c.yaml: stat dir/c.yaml: no such file or directory",
            ),
        ] {
            let error = include(&mut Overlay::default(), from, to).unwrap_err();
            assert_eq!(error, reason, "{from} to {to}");
        }
        let mut overlay = Overlay::default();
        include(&mut overlay, "", "x").unwrap();
        assert_eq!(
            include(&mut overlay, "", "x").unwrap_err(),
            "link error: cannot rename . to x: rename . x: file exists"
        );
        include(&mut overlay, "dir", "x/more").unwrap();
    }

    #[test]
    fn spooled_bytes_are_read_back() {
        let mut overlay = Overlay::default();
        include(&mut overlay, "", "x").unwrap();
        include(&mut overlay, "dir", "y").unwrap();
        let Some(Node::File { at, size, .. }) = overlay.nodes.get(&confined("y/b.yaml")) else {
            panic!("{overlay:?}");
        };
        let mut content = String::new();
        overlay
            .reader(*at, *size)
            .read_to_string(&mut content)
            .unwrap();
        assert_eq!(content, "BB");
    }
}
