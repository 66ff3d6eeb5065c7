//! Packs a checkout as a tarball.
//!
//! Several walks follow each other. The first reads only the `.sourceignore` files, since a later
//! rule may apply to an earlier path. The last one writes. A survey of the paths precedes both if
//! needed.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};

use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::ignore::{self, Pattern, Rules};
use sluice_artifact::tarball::{self, Writer};
use sluice_git::walk::VisitError;

use super::checkout::{Item, Sink};
use super::overlay::{Path, PathKind, components};
use super::sparse;

/// Size limit of an ignore file, far above handwritten ones.
const IGNORE_LIMIT: u64 = 1 << 20;
/// Maximum size of a Git LFS pointer file.
const POINTER_LIMIT: u64 = 1024;
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";
/// Maximum length of a link target.
const LINK_LIMIT: u64 = 4096;

/// Records the paths of a checkout before the artifact is written.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Whether all paths are recorded.
    every: bool,
    pub(super) paths: sparse::Checkout,
    /// The paths to look up.
    wanted: HashMap<Path, Option<PathKind>>,
}

impl Survey {
    /// Records all paths.
    pub(super) fn of_everything() -> Self {
        Self {
            every: true,
            ..Self::default()
        }
    }

    /// Records a path and the directories above it.
    pub(super) fn look_at(&mut self, path: &Path) {
        for length in 1..=path.len() {
            self.wanted.insert(path[..length].to_vec(), None);
        }
    }

    /// The type of a recorded path.
    pub(super) fn kind_at(&self, path: &Path) -> Option<PathKind> {
        self.wanted.get(path).copied().flatten()
    }

    fn note(&mut self, path: &[u8], kind_at: PathKind) {
        if let Some(wanted) = self.wanted.get_mut(&components(path)) {
            *wanted = Some(kind_at);
        }
    }
}

impl Sink for Survey {
    fn directory(&mut self, path: &[u8]) -> Result<(), VisitError> {
        self.note(path, PathKind::Directory);
        if self.every {
            self.paths.add(path);
        }
        Ok(())
    }

    fn file(&mut self, path: &[u8], _: &Item<'_>) -> Result<(), VisitError> {
        self.note(path, PathKind::File);
        if self.every {
            self.paths.add(path);
        }
        Ok(())
    }

    fn link(&mut self, path: &[u8], link: &Item<'_>) -> Result<(), VisitError> {
        self.note(path, PathKind::Link);
        if self.every {
            self.paths.add_link(path, link.read(LINK_LIMIT)?);
        }
        Ok(())
    }
}

/// Collects the ignore rules of a tree.
#[derive(Debug, Default)]
pub(super) struct IgnoreFiles {
    /// The rules by directory.
    patterns: BTreeMap<Vec<u8>, Vec<Pattern>>,
    count: usize,
}

impl IgnoreFiles {
    /// Returns the rules in order, those of the object last.
    pub(super) fn rules(self, spec: Option<&str>) -> Rules {
        // The last matching rule decides, so a directory's rules come before those of its
        // subdirectories. A walk meets `.config/` before `.sourceignore`.
        let patterns = self.patterns.into_values().flatten().collect();
        Rules::for_source(patterns, spec)
    }
}

impl Sink for IgnoreFiles {
    fn directory(&mut self, _: &[u8]) -> Result<(), VisitError> {
        Ok(())
    }

    fn file(&mut self, path: &[u8], file: &Item<'_>) -> Result<(), VisitError> {
        let (domain, name) = match path.iter().rposition(|byte| *byte == b'/') {
            Some(at) => (&path[..at], &path[at + 1..]),
            None => (&path[..0], path),
        };
        if name == ignore::FILE_NAME.as_bytes() {
            let patterns = ignore::read(&file.read(IGNORE_LIMIT)?, domain);
            self.count += patterns.len();
            if self.count > ignore::MAX_PATTERNS {
                return Err(ignore::TooManyPatterns.into());
            }
            self.patterns.insert(domain.to_vec(), patterns);
        }
        Ok(())
    }

    fn link(&mut self, _: &[u8], _: &Item<'_>) -> Result<(), VisitError> {
        Ok(())
    }
}

/// Findings that the user may want to know about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Remarks {
    /// Number of links, which artifacts leave out.
    pub(super) links: u64,
    /// The first link.
    pub(super) first_link: Option<String>,
    /// The first Git LFS pointer.
    pub(super) first_pointer: Option<String>,
    /// The first name that differs from a sibling only by case.
    pub(super) first_clash: Option<String>,
}

/// Writes a checkout as a tarball.
pub(super) struct Packer<W: Write> {
    writer: Writer<W>,
    rules: Rules,
    remarks: Remarks,
}

impl<W: Write> Packer<W> {
    pub(super) fn new(inner: W, rules: Rules) -> Self {
        Self {
            writer: Writer::new(inner),
            rules,
            remarks: Remarks::default(),
        }
    }

    /// Finishes the tarball.
    pub(super) fn finish(self) -> Result<(W, Remarks), tarball::Error> {
        Ok((self.writer.finish()?, self.remarks))
    }

    fn is_excluded(&self, path: &[u8], directory: bool) -> Result<bool, VisitError> {
        // Rules may include files below an excluded directory again.
        Ok(self.rules.exclude(path, directory)?)
    }
}

impl<W: Write> Sink for Packer<W> {
    fn directory(&mut self, path: &[u8]) -> Result<(), VisitError> {
        if path.is_empty() {
            self.writer.directory(b".")?;
        } else if !self.is_excluded(path, true)? {
            self.writer.directory(path)?;
        }
        Ok(())
    }

    fn file(&mut self, path: &[u8], file: &Item<'_>) -> Result<(), VisitError> {
        if self.is_excluded(path, false)? {
            return Ok(());
        }
        let (size, executable) = (file.size()?, file.executable());
        if size > POINTER_LIMIT {
            self.writer.file(path, executable, size, file.open()?)?;
            return Ok(());
        }
        let mut content = Vec::new();
        file.open()?.read_to_end(&mut content)?;
        if self.remarks.first_pointer.is_none() && content.starts_with(POINTER) {
            self.remarks.first_pointer = Some(String::from_utf8_lossy(path).into_owned());
        }
        self.writer
            .file(path, executable, size, content.as_slice())?;
        Ok(())
    }

    fn link(&mut self, path: &[u8], _: &Item<'_>) -> Result<(), VisitError> {
        self.remarks.links += 1;
        if self.remarks.first_link.is_none() {
            self.remarks.first_link = Some(String::from_utf8_lossy(path).into_owned());
        }
        Ok(())
    }

    fn clash(&mut self, path: &[u8]) {
        if self.remarks.first_clash.is_none() {
            self.remarks.first_clash = Some(String::from_utf8_lossy(path).into_owned());
        }
    }
}

/// Finishes the compression and returns the inner writer.
pub(super) fn finish<W: Write>(packer: Packer<GzipWriter<W>>) -> Result<(W, Remarks), io::Error> {
    let (gzip, remarks) = packer.finish().map_err(io::Error::other)?;
    Ok((gzip.finish()?, remarks))
}
