//! Extracts one file from a ZIP archive, up to a size limit.
//!
//! Links, directories and names outside of the archive's root are skipped.

use std::io::{self, Read, Seek, Write};

use zip::ZipArchive;
use zip::result::ZipError;

#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    #[error(transparent)]
    Archive(#[from] ZipError),
    #[error("its program is larger than {0} bytes")]
    TooLarge(u64),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Copies the first file whose name is wanted; `false` if there is none.
pub(super) fn extract(
    archive: &mut (impl Read + Seek),
    wanted: impl Fn(&str) -> bool,
    limit: u64,
    into: &mut impl Write,
) -> Result<bool, Error> {
    let mut archive = ZipArchive::new(archive)?;
    for index in 0..archive.len() {
        // Reads the header only: an encrypted file that is not wanted does no harm.
        let entry = archive.by_index_raw(index)?;
        let is_found = entry.is_file()
            && entry.enclosed_name().is_some()
            && entry.name().is_ok_and(|name| wanted(&name));
        drop(entry);
        if !is_found {
            continue;
        }
        // The size in the header may be wrong: one more byte shows it.
        let copied = io::copy(&mut archive.by_index(index)?.take(limit + 1), into)?;
        if copied > limit {
            return Err(Error::TooLarge(limit));
        }
        return Ok(true);
    }
    Ok(false)
}

#[cfg(test)]
pub(super) mod tests {
    use zip::CompressionMethod;
    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;

    /// Builds an archive of files: name, content, whether to deflate it, mode.
    pub(crate) fn archive(files: &[(&str, &[u8], bool, u32)]) -> Vec<u8> {
        let mut writer = ZipWriter::new(io::Cursor::new(Vec::new()));
        for (name, content, deflated, mode) in files {
            let method = if *deflated {
                CompressionMethod::Deflated
            } else {
                CompressionMethod::Stored
            };
            let options = SimpleFileOptions::default()
                .compression_method(method)
                .unix_permissions(mode & 0o777);
            if mode & 0o170_000 == 0o120_000 {
                let target = std::str::from_utf8(content).unwrap();
                writer.add_symlink(*name, target, options).unwrap();
            } else if name.ends_with('/') {
                writer.add_directory(*name, options).unwrap();
            } else {
                writer.start_file(*name, options).unwrap();
                writer.write_all(content).unwrap();
            }
        }
        writer.finish().unwrap().into_inner()
    }

    fn extracted(bytes: &[u8], name: &str) -> Result<Option<Vec<u8>>, Error> {
        let mut content = Vec::new();
        let mut archive = io::Cursor::new(bytes);
        extract(&mut archive, |found| found == name, 1 << 20, &mut content)
            .map(|found| found.then_some(content))
    }

    #[test]
    fn stored_and_deflated_files_are_extracted() {
        let long = b"program ".repeat(1000);
        let bytes = archive(&[
            ("README", b"words", false, 0o100_644),
            ("bin/flux-a", &long, true, 0o100_755),
        ]);
        assert_eq!(extracted(&bytes, "README").unwrap().unwrap(), b"words");
        assert_eq!(extracted(&bytes, "bin/flux-a").unwrap().unwrap(), long);
        assert_eq!(extracted(&bytes, "other").unwrap(), None);
    }

    #[test]
    fn links_directories_and_outside_names_are_skipped() {
        let bytes = archive(&[
            ("link", b"/etc/passwd", false, 0o120_777),
            ("folder/", b"", false, 0o040_755),
            ("../flux-a", b"x", false, 0o100_755),
        ]);
        for name in ["link", "folder/", "../flux-a"] {
            assert_eq!(extracted(&bytes, name).unwrap(), None, "{name}");
        }
    }

    #[test]
    fn truncated_or_changed_archive_is_rejected() {
        let bytes = archive(&[("a", b"content of a", false, 0o100_755)]);
        for length in 0..bytes.len() {
            assert!(extracted(&bytes[..length], "a").is_err(), "{length}");
        }
        let mut changed = bytes;
        let at = changed
            .windows(12)
            .position(|window| window == b"content of a")
            .unwrap();
        changed[at] ^= 1;
        assert!(extracted(&changed, "a").is_err());
    }

    #[test]
    fn file_over_limit_is_rejected() {
        let bytes = archive(&[("a", &[0; 4096], true, 0o100_755)]);
        let refused = extract(&mut io::Cursor::new(bytes), |_| true, 100, &mut Vec::new());
        assert!(matches!(refused, Err(Error::TooLarge(100))));
    }
}
