//! A stream of stored tags.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use sluice_system::fs;

use super::{GZIP, Key, PLAIN, StoreError, is_missing};

/// Maximum number of bytes of a line. Longer lines are damage: no registry has such tags.
const MAX_LINE_BYTES: u64 = 1024;

/// Maximum number of bytes that a file may inflate to.
const MAX_BYTES: u64 = 256 << 20;

/// Tags of an object in the order in which they were stored. At most one line is in memory.
///
/// The tags end after an error.
pub struct Tags {
    key: Key,
    lines: Option<Box<dyn BufRead + Send>>,
}

impl std::fmt::Debug for Tags {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Tags")
            .field("key", &self.key)
            .finish_non_exhaustive()
    }
}

impl Tags {
    pub(super) fn open(directory: &Path, key: &Key) -> Result<Self, StoreError> {
        let plain = Variant::open(directory, PLAIN)?;
        let gzip = Variant::open(directory, GZIP)?;
        // A tie goes to the compressed file, as in the reference.
        let is_plain_newer = match (&plain, &gzip) {
            (Some(plain), Some(gzip)) => plain.modified > gzip.modified,
            (plain, _) => plain.is_some(),
        };
        let lines: Option<Box<dyn BufRead + Send>> = if is_plain_newer {
            plain.map(|plain| Box::new(BufReader::new(plain.reader.take(MAX_BYTES))) as _)
        } else {
            gzip.map(|gzip| {
                let inflated = MultiGzDecoder::new(BufReader::new(gzip.reader));
                Box::new(BufReader::new(inflated.take(MAX_BYTES))) as _
            })
        };
        Ok(Self {
            key: key.clone(),
            lines,
        })
    }

    fn corrupt(&mut self, reason: impl Into<String>) -> StoreError {
        self.lines = None;
        StoreError::Corrupt {
            key: self.key.clone(),
            reason: reason.into(),
        }
    }
}

impl Iterator for Tags {
    type Item = Result<String, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let lines = self.lines.as_mut()?;
        let mut line = Vec::new();
        match lines.take(MAX_LINE_BYTES).read_until(b'\n', &mut line) {
            Err(error) => return Some(Err(self.corrupt(error.to_string()))),
            Ok(0) => {
                self.lines = None;
                return None;
            }
            Ok(_) => {}
        }
        // Every write ends with a line feed, so a missing one is damage, too.
        if line.pop() != Some(b'\n') {
            return Some(Err(self.corrupt("a line is incomplete or too long")));
        }
        match String::from_utf8(line) {
            Ok(tag) => Some(Ok(tag)),
            Err(_) => Some(Err(self.corrupt("a line is not UTF-8"))),
        }
    }
}

/// One of the two files.
struct Variant {
    reader: std::fs::File,
    modified: std::time::SystemTime,
}

impl Variant {
    fn open(directory: &Path, name: &str) -> Result<Option<Self>, StoreError> {
        let file = match fs::open(directory.join(name)) {
            Ok(file) => file,
            Err(error) if is_missing(&error) => return Ok(None),
            Err(error) => return Err(StoreError::file("open tags")(error)),
        };
        let metadata = file.metadata().map_err(StoreError::file("inspect tags"))?;
        Ok(Some(Self {
            modified: metadata.modified().unwrap_or(std::time::UNIX_EPOCH),
            reader: file.into_std(),
        }))
    }
}
