//! Charts in archives: a gzip-compressed tar with one folder, that of the chart.

use std::io::{Cursor, Read};

use sluice_artifact::untar::{self, Entries, Links};

use super::{Limits, without_mark};
use crate::chart::{Chart, File};
use crate::error::Error;
use crate::metadata::{self, Metadata};

/// Go's error for a stream that is not gzip.
const INVALID_HEADER: &str = "gzip: invalid header";

/// Loads a chart from the bytes of an archive.
pub fn archive(bytes: &[u8], limits: &Limits) -> Result<Chart, Error> {
    super::files(unpack(bytes, limits)?, limits)
}

/// Reads the metadata of a chart in an archive, and checks the paths of all files. No other content
/// is held in memory.
pub fn archive_metadata(reader: impl Read, limits: &Limits) -> Result<Metadata, Error> {
    let is_metadata = |name: &str| matches!(name, "Chart.yaml" | "requirements.yaml");
    let files = unpack_some(reader, limits, is_metadata)?;
    let mut metadata = Metadata::default();
    if files.is_empty() {
        return Err(Error::Archive("no 'Chart.yaml' found".to_owned()));
    }
    for file in files {
        metadata::decode_into(&mut metadata, &file.data).map_err(|error| {
            let name = &file.name;
            Error::Archive(format!("cannot load '{name}': {error}"))
        })?;
    }
    if metadata.api_version.is_empty() {
        "v1".clone_into(&mut metadata.api_version);
    }
    metadata.validate()?;
    Ok(metadata)
}

/// The files of an archive, below the folder of the chart.
pub(super) fn unpack(bytes: &[u8], limits: &Limits) -> Result<Vec<File>, Error> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(Error::Archive(INVALID_HEADER.to_owned()));
    }
    let files = unpack_some(Cursor::new(bytes), limits, |_| true)?;
    if files.is_empty() {
        return Err(Error::Archive("no files in chart archive".to_owned()));
    }
    Ok(files)
}

/// The wanted files of an archive, by their names below the folder of the chart.
fn unpack_some(
    reader: impl Read,
    limits: &Limits,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<Vec<File>, Error> {
    let of_archive = untar::Limits {
        total: Some(limits.total),
        entries: limits.files,
    };
    let mut entries = Entries::new(reader, Links::Skip, of_archive).with_backslashes();
    let mut files = Vec::new();
    while let Some(mut entry) = entries.next_entry().map_err(translate)? {
        if entry.is_directory() {
            continue;
        }
        let path = entry.path().to_string_lossy().into_owned();
        let Some((_, name)) = path.split_once('/') else {
            return Err(Error::Archive(if path == "Chart.yaml" {
                "chart yaml not in base directory".to_owned()
            } else {
                let path = sluice_golang::quote::quote(&path);
                format!("chart illegally contains content outside the base directory: {path}")
            }));
        };
        if path.starts_with("Chart.yaml/") {
            return Err(Error::Archive(
                "chart yaml not in base directory".to_owned(),
            ));
        }
        if is_drive_path(name) {
            return Err(Error::Archive(
                "chart contains illegally named files".to_owned(),
            ));
        }
        if !is_wanted(name) {
            continue;
        }
        let size = entry.size();
        let modified = entry.modified();
        if size > limits.file {
            let (path, limit) = (sluice_golang::quote::quote(&path), limits.file);
            return Err(Error::Archive(format!(
                "decompressed chart file {path} is larger than the maximum file size {limit}"
            )));
        }
        let mut data = Vec::with_capacity(usize::try_from(size).unwrap_or_default());
        entry
            .read_to_end(&mut data)
            .map_err(|error| Error::Unpack(untar::Error::Read(error)))?;
        let name = name.to_owned();
        files.push(File {
            name,
            data: without_mark(data),
            modified,
        });
    }
    Ok(files)
}

/// The bytes by which Helm detects the type of a file.
const SNIFFED_BYTES: usize = 512;

/// The type of the start of a file, by the rules of Go's `http.DetectContentType` for text and
/// data.
pub(super) fn content_type(bytes: &[u8]) -> &'static str {
    let start = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    let is_data = |byte: &u8| matches!(byte, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f);
    // Helm's buffer ends with zeros then.
    let is_short = start.len() < SNIFFED_BYTES;
    if is_short || start.iter().any(is_data) {
        "application/octet-stream"
    } else {
        "text/plain; charset=utf-8"
    }
}

/// Helm's words for what an archive must not have.
fn translate(error: untar::Error) -> Error {
    match &error {
        untar::Error::Read(source) if source.to_string() == "invalid gzip header" => {
            Error::Archive(INVALID_HEADER.to_owned())
        }
        untar::Error::TooLarge { limit, .. } => Error::TooLarge(*limit),
        untar::Error::TooMany { limit } => Error::TooManyFiles(*limit),
        untar::Error::Name { name } => {
            let name = name.trim_matches('"');
            let below = name.split_once('/').map(|(_, below)| below);
            Error::Archive(match below {
                Some(below) if below.starts_with('/') || name.starts_with('/') => {
                    "chart illegally contains absolute paths".to_owned()
                }
                Some(below) if below.split('/').any(|part| part == "..") => {
                    "chart illegally references parent directory".to_owned()
                }
                _ => return Error::Unpack(error),
            })
        }
        _ => Error::Unpack(error),
    }
}

/// Whether a name starts with a drive, such as `c:/`.
fn is_drive_path(name: &str) -> bool {
    match name.as_bytes() {
        [drive, b':', b'/', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stream_that_is_not_gzip_has_the_error_of_go() {
        let limits = Limits::default();
        for bytes in [
            b"<html></html>".as_slice(),
            &[0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9],
        ] {
            let error = archive_metadata(bytes, &limits).unwrap_err();
            assert_eq!(error.to_string(), INVALID_HEADER);
            let error = archive(bytes, &limits).unwrap_err();
            assert_eq!(error.to_string(), INVALID_HEADER);
        }
    }
}
