//! How much a build adds to what it read.
//!
//! A few lines can ask for more than any machine has: aliases of aliases, a patch that copies a map
//! into itself forty times, a replacement that doubles its own source. So what aliases, patches,
//! replacements, vars and other texts add is counted, across all bases of a build, and too much of
//! it ends the build. A tree may not become deeper than one that is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sluice_yaml::MAX_DEPTH;
use sluice_yaml::tree::{Node, Size};

use crate::build::Limits;
use crate::error::{Code, Error};

/// What may be added, shared by everybody who takes part in a build.
#[derive(Debug, Clone)]
pub(crate) struct Growth(Arc<Room>);

#[derive(Debug)]
struct Room {
    added: AtomicU64,
    limit: u64,
}

impl Growth {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self(Arc::new(Room {
            added: AtomicU64::new(0),
            limit: limits.added_bytes,
        }))
    }

    /// Counts what is added.
    pub(crate) fn add(&self, bytes: u64) -> Result<(), TooMuch> {
        if bytes == 0 {
            return Ok(());
        }
        let Room { added, limit } = &*self.0;
        let before = added.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > *limit {
            return Err(TooMuch::Added { limit: *limit });
        }
        Ok(())
    }

    /// Whether no more was counted so far than may be added.
    pub(crate) fn check(&self) -> Result<(), TooMuch> {
        let Room { added, limit } = &*self.0;
        if added.load(Ordering::Relaxed) > *limit {
            return Err(TooMuch::Added { limit: *limit });
        }
        Ok(())
    }

    /// Counts a text that is put into each of so many resources.
    pub(crate) fn add_to_each(&self, text: usize, resources: usize) -> Result<(), TooMuch> {
        self.add((text as u64).saturating_mul(resources as u64))
    }

    /// Counts a text, and what else is kept with it.
    pub(crate) fn add_text(&self, text: &str) -> Result<(), TooMuch> {
        self.add((text.len() + size_of::<Node>()) as u64)
    }

    /// Counts by how much a tree is larger now than it was before.
    pub(crate) fn add_beyond(&self, before: Size, now: &Node) -> Result<(), TooMuch> {
        self.add(now.size().memory().saturating_sub(before.memory()))
    }
}

impl Default for Growth {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

/// Refuses what would be too deep where it is to go; `way` is how many collections lead there.
pub(crate) fn check_depth(way: usize, below: usize, what: &'static str) -> Result<(), TooMuch> {
    if way + below > MAX_DEPTH {
        return Err(TooMuch::Deep { what });
    }
    Ok(())
}

/// More than a build may make of what it read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TooMuch {
    #[error(
        "aliases, patches, replacements and other fields add more than {limit} bytes to what was read"
    )]
    Added { limit: u64 },
    #[error("{what} would be nested deeper than {MAX_DEPTH}")]
    Deep { what: &'static str },
}

impl From<TooMuch> for Error {
    fn from(too_much: TooMuch) -> Self {
        Self::new(Code::Limit, too_much.to_string())
    }
}
