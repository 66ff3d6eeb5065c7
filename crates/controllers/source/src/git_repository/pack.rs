//! A checkout as a tarball: what is done with its items.
//!
//! Walks are made one after the other. The first reads the `.sourceignore` files, since one
//! that comes late may speak of what came early; it reads no other file. The last one writes.
//! Before them, if need be, a survey tells what there is.

use std::collections::{BTreeMap, HashMap};
use std::io::{self, Read, Write};

use sluice_artifact::deflate::GzipWriter;
use sluice_artifact::ignore::{self, Pattern, Rules};
use sluice_artifact::tarball::{self, Writer};
use sluice_git::walk::VisitError;

use super::checkout::{Item, Sink};
use super::overlay::{Path, There, components};
use super::sparse;

/// Far more than anybody writes by hand.
const IGNORE_LIMIT: u64 = 1 << 20;
/// A pointer to a file in large file storage is no larger than this.
const POINTER_LIMIT: u64 = 1024;
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";
/// No link leads to a longer path.
const LINK_LIMIT: u64 = 4096;

/// What there is, for those who must know before they write.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// Whether all paths are wanted.
    every: bool,
    pub(super) paths: sparse::Checkout,
    /// Paths that somebody wants to know of.
    wanted: HashMap<Path, Option<There>>,
}

impl Survey {
    /// Looks at all paths.
    pub(super) fn of_everything() -> Self {
        Self {
            every: true,
            ..Self::default()
        }
    }

    /// Looks at a path, too, and at the directories above it.
    pub(super) fn look_at(&mut self, path: &Path) {
        for length in 1..=path.len() {
            self.wanted.insert(path[..length].to_vec(), None);
        }
    }

    /// What was found at a path that was looked at.
    pub(super) fn there(&self, path: &Path) -> Option<There> {
        self.wanted.get(path).copied().flatten()
    }

    fn note(&mut self, path: &[u8], there: There) {
        if let Some(wanted) = self.wanted.get_mut(&components(path)) {
            *wanted = Some(there);
        }
    }
}

impl Sink for Survey {
    fn directory(&mut self, path: &[u8]) -> Result<(), VisitError> {
        self.note(path, There::Directory);
        if self.every {
            self.paths.add(path);
        }
        Ok(())
    }

    fn file(&mut self, path: &[u8], _: &Item<'_>) -> Result<(), VisitError> {
        self.note(path, There::File);
        if self.every {
            self.paths.add(path);
        }
        Ok(())
    }

    fn link(&mut self, path: &[u8], link: &Item<'_>) -> Result<(), VisitError> {
        self.note(path, There::Link);
        if self.every {
            self.paths.add_link(path, link.read(LINK_LIMIT)?);
        }
        Ok(())
    }
}

/// Collects the ignore rules of a tree.
#[derive(Debug, Default)]
pub(super) struct IgnoreFiles {
    /// By the directory that they are for.
    patterns: BTreeMap<Vec<u8>, Vec<Pattern>>,
}

impl IgnoreFiles {
    /// Puts the rules in order, and adds those of the object itself.
    pub(super) fn rules(self, spec: Option<&str>) -> Rules {
        // The last rule that matches decides, so those of a directory come before those of what is
        // in it. A walk meets them otherwise: `.config/` comes before `.sourceignore`.
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
            self.patterns.insert(domain.to_vec(), patterns);
        }
        Ok(())
    }

    fn link(&mut self, _: &[u8], _: &Item<'_>) -> Result<(), VisitError> {
        Ok(())
    }
}

/// What was met on the way and users may wonder about.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Remarks {
    /// Links, which artifacts do not hold.
    pub(super) links: u64,
    /// The first of them.
    pub(super) first_link: Option<String>,
    /// The first file whose content lies in large file storage.
    pub(super) first_pointer: Option<String>,
    /// The first name that another one in its directory differs from by case only.
    pub(super) first_clash: Option<String>,
}

/// Writes a tree.
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

    /// Ends the tarball.
    pub(super) fn finish(self) -> Result<(W, Remarks), tarball::Error> {
        Ok((self.writer.finish()?, self.remarks))
    }

    fn skipped(&self, path: &[u8], directory: bool) -> bool {
        // What lies below a directory that is left out may still be brought back.
        self.rules.exclude(path, directory)
    }
}

impl<W: Write> Sink for Packer<W> {
    fn directory(&mut self, path: &[u8]) -> Result<(), VisitError> {
        if path.is_empty() {
            self.writer.directory(b".")?;
        } else if !self.skipped(path, true) {
            self.writer.directory(path)?;
        }
        Ok(())
    }

    fn file(&mut self, path: &[u8], file: &Item<'_>) -> Result<(), VisitError> {
        if self.skipped(path, false) {
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

/// Ends the compression and gives the writer below back.
pub(super) fn finish<W: Write>(packer: Packer<GzipWriter<W>>) -> Result<(W, Remarks), io::Error> {
    let (gzip, remarks) = packer.finish().map_err(io::Error::other)?;
    Ok((gzip.finish()?, remarks))
}
