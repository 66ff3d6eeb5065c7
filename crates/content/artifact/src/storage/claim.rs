//! Ensures that a storage has one writer.
//!
//! A misconfigured lease (two clusters or two lease names, one volume) leads to two leaders. They
//! would delete each other's files. The claim is an advisory lock. The kernel or the NFS server
//! releases it when its holder ends, so it needs no expiry.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::{DIRECTORY_MODE, FILE_MODE, PRIVATE, Storage};
use crate::confined;

/// The right to write, until it is dropped.
#[derive(Debug)]
pub struct Claim {
    _file: File,
}

/// Why a storage could not be claimed.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Another process holds the claim.
    #[error("storage '{root}' is in use by '{holder}'")]
    Held {
        /// The root of the storage.
        root: String,
        /// The identity of the holder.
        holder: String,
    },
    /// The lock file could not be written.
    #[error("failed to claim storage")]
    Failed(#[from] confined::Error),
}

impl Storage {
    /// Claims the right to write for the holder of a lease. Shards on one volume have different
    /// leases, so they do not exclude each other.
    pub fn claim(&self, lease: &str, holder: &str) -> Result<Claim, ClaimError> {
        let directory = self
            .directory()
            .descend_or_create([PRIVATE.as_bytes()], DIRECTORY_MODE)?;
        let name = format!("leader-{lease}");
        let mut file = directory.open_or_create_file(name.as_bytes(), FILE_MODE)?;
        let failed = |source: std::io::Error| {
            confined::Error::new("claim", directory.path().join(&name), source)
        };
        match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let mut holder = String::new();
                file.read_to_string(&mut holder).map_err(failed)?;
                return Err(ClaimError::Held {
                    root: self.root().display().to_string(),
                    holder,
                });
            }
            Err(errno) => return Err(failed(errno.into()).into()),
        }
        file.set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(holder.as_bytes()))
            .map_err(failed)?;
        Ok(Claim { _file: file })
    }
}
