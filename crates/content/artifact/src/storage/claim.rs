//! One writer per storage: a second leader on the same volume is turned away.
//!
//! Leases can be misconfigured (two clusters, two lease names, one volume); then both would
//! collect each other's files. The claim is an advisory lock, which the kernel, or the NFS
//! server, drops with its holder: nothing has to expire.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use rustix::fs::FlockOperation;
use rustix::io::Errno;

use super::{DIRECTORY_MODE, FILE_MODE, PRIVATE, Storage};
use crate::confined;

/// Held as long as this process may write.
#[derive(Debug)]
pub struct Claim {
    _file: File,
}

/// Why this process may not write.
#[derive(Debug, thiserror::Error)]
pub enum ClaimError {
    /// Somebody else writes here.
    #[error("storage '{root}' is in use by '{holder}'")]
    Held {
        /// The storage.
        root: String,
        /// What the other one called itself.
        holder: String,
    },
    /// The claim could not be written.
    #[error("failed to claim storage")]
    Failed(#[from] confined::Error),
}

impl Storage {
    /// Claims the right to write for the holders of a lease. Shards that share a volume have
    /// leases of their own, and so do not exclude each other.
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
