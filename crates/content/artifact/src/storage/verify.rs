//! Checking stored files against their digests, without reading them on every poll.

use std::fs::File;
use std::io::Seek as _;

use jiff::{SignedDuration, Timestamp};
use rustix::fs::Stat;

use super::{Storage, location};
use crate::confined;
use crate::digest::{self, Digest};

/// How long an unchanged inode is believed before its bytes are read again: a disk may rot
/// without touching the inode.
const BELIEVED: SignedDuration = SignedDuration::from_hours(6);

/// What was known of a file when its bytes were last read or written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Memo {
    identity: Identity,
    digest: Digest,
    /// `None` for a file just written: the first check sets the time.
    checked: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Identity {
    inode: u64,
    size: i64,
    modified: (i64, i64),
}

impl Identity {
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

impl Memo {
    pub(super) fn written(stat: &Stat, digest: Digest) -> Self {
        Self {
            identity: Identity::of(stat),
            digest,
            checked: None,
        }
    }
}

/// Why a stored artifact cannot be offered any longer.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// There is no such file.
    #[error("artifact is not in storage")]
    Missing,
    /// The status names no digest that could be checked.
    #[error("failed to parse artifact digest")]
    Digest(#[from] digest::ParseError),
    /// The bytes are others than those stored.
    #[error("computed digest '{computed}' doesn't match '{expected}'")]
    Mismatch {
        /// What the file has.
        computed: Digest,
        /// What the status says.
        expected: Digest,
    },
    /// The file could not be read.
    #[error("failed to verify artifact")]
    Read(#[from] confined::Error),
}

impl Storage {
    /// Checks that a file is there with the digest that a status claims.
    ///
    /// A file whose inode, size and time are those of the last reading is not read again for
    /// six hours.
    pub fn verify(&self, path: &str, digest: &str, now: Timestamp) -> Result<(), Fault> {
        self.open_verified(path, digest, now).map(drop)
    }

    /// Checks a file as [`Storage::verify`] does, and gives that very file for reading.
    pub fn open_verified(&self, path: &str, digest: &str, now: Timestamp) -> Result<File, Fault> {
        let (directories, file) = location::split(path).ok_or(Fault::Missing)?;
        let (mut file, stat) = self
            .directory()
            .descend(directories)
            .and_then(|directory| directory.open_file(file))
            .map_err(|error| {
                if error.missing() {
                    Fault::Missing
                } else {
                    Fault::Read(error)
                }
            })?;
        let expected: Digest = digest.parse()?;
        let identity = Identity::of(&stat);
        if let Some(memo) = self.memos().get_mut(path)
            && memo.identity == identity
            && memo.digest == expected
        {
            let checked = *memo.checked.get_or_insert(now);
            // A clock that was set back must not make it believed until it has caught up.
            let age = now.duration_since(checked);
            if !age.is_negative() && age < BELIEVED {
                return Ok(file);
            }
        }
        let failed = |source| confined::Error::new("read", self.root().join(path), source);
        let (computed, _) = digest::of_reader(expected.algorithm(), &mut file).map_err(failed)?;
        if computed != expected {
            self.forget(path);
            return Err(Fault::Mismatch { computed, expected });
        }
        let memo = Memo {
            identity,
            digest: computed,
            checked: Some(now),
        };
        self.memos().insert(path.to_owned(), memo);
        file.rewind().map_err(failed)?;
        Ok(file)
    }

    /// The digest of a file as it lies there, if it is known without reading.
    pub(crate) fn known_digest(&self, path: &str, stat: &Stat) -> Option<Digest> {
        self.memos()
            .get(path)
            .filter(|memo| memo.identity == Identity::of(stat))
            .map(|memo| memo.digest.clone())
    }
}
