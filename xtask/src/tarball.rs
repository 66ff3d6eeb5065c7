//! Reproducible tar archives: times, owners, modes and order are given.
//!
//! The layers of the image, its layout and the tarballs of a release use it.

use std::io::Write as _;
use std::path::Path;

/// An archive under construction.
pub(crate) struct Tarball {
    tar: tar::Builder<Vec<u8>>,
    epoch: u64,
}

impl Tarball {
    /// Creates an empty archive whose entries have the same time.
    pub(crate) fn new(epoch: u64) -> Self {
        Self {
            tar: tar::Builder::new(Vec::new()),
            epoch,
        }
    }

    fn header(&self, kind: tar::EntryType, mode: u32, owner: u64, size: u64) -> tar::Header {
        let mut header = tar::Header::new_ustar();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_uid(owner);
        header.set_gid(owner);
        header.set_mtime(self.epoch);
        header.set_size(size);
        header
    }

    pub(crate) fn directory(&mut self, path: &str, mode: u32, owner: u64) -> anyhow::Result<()> {
        let mut header = self.header(tar::EntryType::Directory, mode, owner, 0);
        self.tar
            .append_data(&mut header, format!("{path}/"), std::io::empty())?;
        Ok(())
    }

    pub(crate) fn file(&mut self, path: &str, mode: u32, content: &[u8]) -> anyhow::Result<()> {
        let mut header = self.header(tar::EntryType::Regular, mode, 0, content.len() as u64);
        self.tar.append_data(&mut header, path, content)?;
        Ok(())
    }

    pub(crate) fn link(&mut self, path: &str, target: &str) -> anyhow::Result<()> {
        let mut header = self.header(tar::EntryType::Symlink, 0o777, 0, 0);
        self.tar.append_link(&mut header, path, Path::new(target))?;
        Ok(())
    }

    pub(crate) fn finish(self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = self.tar.into_inner()?;
        bytes.flush()?;
        Ok(bytes)
    }
}

/// Compresses without name and time in the header.
pub(crate) fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut encoder = flate2::GzBuilder::new()
        .mtime(0)
        .write(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}
