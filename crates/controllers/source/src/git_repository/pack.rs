//! A commit's tree as a tarball: visitors of a walk through Git objects.
//!
//! Two walks are made. The first reads the `.sourceignore` files, since one that comes late in
//! the tree may speak of what came early; it reads no other file. The second writes.

use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;

use sluice_artifact::ignore::{self, Pattern, Rules};
use sluice_artifact::tarball::{self, Writer};
use sluice_git::walk::VisitError;
use sluice_git::{Entry, Kind, Step, Visitor};

/// Far more than anybody writes by hand.
const IGNORE_LIMIT: u64 = 1 << 20;
/// A pointer to a file in large file storage is no larger than this.
const POINTER_LIMIT: u64 = 1024;
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// Collects the ignore rules of a tree.
#[derive(Debug, Default)]
pub(super) struct IgnoreFiles {
    patterns: Vec<Pattern>,
}

impl IgnoreFiles {
    /// Adds the rules of the object itself.
    pub(super) fn rules(self, spec: Option<&str>) -> Rules {
        Rules::for_source(self.patterns, spec)
    }
}

impl Visitor for IgnoreFiles {
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError> {
        let path = entry.path();
        let name = path
            .file_name()
            .is_some_and(|name| name == ignore::FILE_NAME);
        if name && matches!(entry.kind(), Kind::File { .. }) {
            let domain = path.parent().unwrap_or(path).as_os_str().as_bytes();
            self.patterns
                .extend(ignore::read(&entry.read(IGNORE_LIMIT)?, domain));
        }
        Ok(Step::Next)
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

    fn file(&mut self, path: &[u8], executable: bool, entry: &Entry<'_>) -> Result<(), VisitError> {
        let size = entry.size()?;
        if size > POINTER_LIMIT {
            self.writer.file(path, executable, size, entry.open()?)?;
            return Ok(());
        }
        let mut content = Vec::new();
        entry.open()?.read_to_end(&mut content)?;
        if self.remarks.first_pointer.is_none() && content.starts_with(POINTER) {
            self.remarks.first_pointer = Some(String::from_utf8_lossy(path).into_owned());
        }
        self.writer
            .file(path, executable, size, content.as_slice())?;
        Ok(())
    }
}

impl<W: Write> Visitor for Packer<W> {
    fn visit(&mut self, entry: &Entry<'_>) -> Result<Step, VisitError> {
        let path = entry.path().as_os_str().as_bytes();
        // A submodule that is not fetched is the empty directory that a checkout leaves.
        let directory = matches!(entry.kind(), Kind::Directory | Kind::Submodule);
        if path.is_empty() {
            self.writer.directory(b".")?;
            return Ok(Step::Next);
        }
        if entry.kind() == Kind::Symlink {
            self.remarks.links += 1;
            if self.remarks.first_link.is_none() {
                self.remarks.first_link = Some(String::from_utf8_lossy(path).into_owned());
            }
            return Ok(Step::Next);
        }
        // What lies below a directory that is left out may still be brought back.
        if self.rules.exclude(path, directory) {
            return Ok(Step::Next);
        }
        match entry.kind() {
            Kind::File { executable } => self.file(path, executable, entry)?,
            _ => self.writer.directory(path)?,
        }
        Ok(Step::Next)
    }
}

/// Ends the compression and gives the writer below back.
pub(super) fn finish<W: Write>(
    packer: Packer<flate2::write::GzEncoder<W>>,
) -> Result<(W, Remarks), io::Error> {
    let (gzip, remarks) = packer.finish().map_err(io::Error::other)?;
    Ok((gzip.finish()?, remarks))
}
