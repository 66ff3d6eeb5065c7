//! Verifies stored files, without reading them on each poll.

use std::fs::File;
use std::io::Seek as _;

use jiff::{SignedDuration, Timestamp};
use rustix::fs::Stat;

use super::{Storage, location};
use crate::confined;
use sluice_digest::Digest;

/// Maximum age of a verification, because a disk can corrupt data without changing the inode.
const MAX_VERIFICATION_AGE: SignedDuration = SignedDuration::from_hours(6);

/// The result of the last verification or write of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VerifiedFile {
    identity: FileIdentity,
    digest: Digest,
    /// `None` after a write. The first verification sets it.
    checked: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileIdentity {
    inode: u64,
    size: i64,
    modified: (i64, i64),
}

impl FileIdentity {
    fn of(stat: &Stat) -> Self {
        Self {
            inode: stat.st_ino,
            size: stat.st_size,
            modified: (
                stat.st_mtime,
                i64::try_from(stat.st_mtime_nsec).unwrap_or_default(),
            ),
        }
    }
}

impl VerifiedFile {
    pub(super) fn from_write(stat: &Stat, digest: Digest) -> Self {
        Self {
            identity: FileIdentity::of(stat),
            digest,
            checked: None,
        }
    }
}

/// Why a verification failed.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The file does not exist.
    #[error("artifact is not in storage")]
    Missing,
    /// The digest in the status is invalid.
    #[error("failed to parse artifact digest")]
    Digest(#[from] sluice_digest::ParseError),
    /// The content does not have the digest.
    #[error("computed digest doesn't match '{expected}': computed '{computed}'")]
    Mismatch {
        /// The digest of the file.
        computed: Digest,
        /// The digest in the status.
        expected: Digest,
    },
    /// The file could not be read.
    #[error("failed to verify artifact")]
    Read(#[from] confined::Error),
}

impl Storage {
    /// Verifies that a file exists and has the digest in the status.
    ///
    /// A file with unchanged inode, size and time is not read again for six hours.
    pub fn verify(&self, path: &str, digest: &str, now: Timestamp) -> Result<(), VerifyError> {
        self.open_verified(path, digest, now).map(drop)
    }

    /// Verifies a file like [`Storage::verify`], and returns it open for reading.
    pub fn open_verified(
        &self,
        path: &str,
        digest: &str,
        now: Timestamp,
    ) -> Result<File, VerifyError> {
        let (directories, file) = location::split(path).ok_or(VerifyError::Missing)?;
        let (mut file, stat) = self
            .directory()
            .descend(directories)
            .and_then(|directory| directory.open_file(file))
            .map_err(|error| {
                if error.is_missing() {
                    VerifyError::Missing
                } else {
                    VerifyError::Read(error)
                }
            })?;
        let expected = Digest::parse_artifact(digest)?;
        let identity = FileIdentity::of(&stat);
        if let Some(known) = self.verified().get_mut(path)
            && known.identity == identity
            && known.digest == expected
        {
            let checked = *known.checked.get_or_insert(now);
            // After the clock was set back, a future time must not disable the check.
            let age = now.duration_since(checked);
            if !age.is_negative() && age < MAX_VERIFICATION_AGE {
                return Ok(file);
            }
        }
        let failed = |source| confined::Error::new("read", self.root().join(path), source);
        let (computed, _) =
            sluice_digest::hash_reader(expected.algorithm(), &mut file).map_err(failed)?;
        if computed != expected {
            self.forget(path);
            return Err(VerifyError::Mismatch { computed, expected });
        }
        let verified = VerifiedFile {
            identity,
            digest: computed,
            checked: Some(now),
        };
        self.verified().insert(path.to_owned(), verified);
        file.rewind().map_err(failed)?;
        Ok(file)
    }

    /// Returns the digest of an unchanged file, if it is known without reading.
    pub(crate) fn known_digest(&self, path: &str, stat: &Stat) -> Option<Digest> {
        self.verified()
            .get(path)
            .filter(|known| known.identity == FileIdentity::of(stat))
            .map(|known| known.digest.clone())
    }
}
