//! Limits how much memory a build adds to the bytes that it read.
//!
//! A few lines of input can require more memory than a machine has: nested aliases, a patch
//! that repeatedly copies a map into itself, a replacement that doubles its source. So the
//! build counts the bytes that aliases, patches, replacements, vars and other texts add across
//! all bases. It fails at a limit. Nesting is limited as for parsed documents.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use sluice_yaml::MAX_DEPTH;
use sluice_yaml::tree::{Node, Size};

use crate::error::{Code, Error};
use crate::options::Limits;

/// The number of bytes that a build may add, shared by all its parts.
#[derive(Debug, Clone)]
pub(crate) struct GrowthBudget(Arc<Counter>);

#[derive(Debug)]
struct Counter {
    added: AtomicU64,
    limit: u64,
}

impl GrowthBudget {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self(Arc::new(Counter {
            added: AtomicU64::new(0),
            limit: limits.added_bytes,
        }))
    }

    /// Counts added bytes.
    pub(crate) fn add(&self, bytes: u64) -> Result<(), GrowthError> {
        if bytes == 0 {
            return Ok(());
        }
        let Counter { added, limit } = &*self.0;
        let before = added.fetch_add(bytes, Ordering::Relaxed);
        if before.saturating_add(bytes) > *limit {
            return Err(GrowthError::Added { limit: *limit });
        }
        Ok(())
    }

    /// Checks that the counted bytes are within the limit.
    pub(crate) fn check(&self) -> Result<(), GrowthError> {
        let Counter { added, limit } = &*self.0;
        if added.load(Ordering::Relaxed) > *limit {
            return Err(GrowthError::Added { limit: *limit });
        }
        Ok(())
    }

    /// Counts a text that is put into each of several resources.
    pub(crate) fn add_to_each(&self, text: usize, resources: usize) -> Result<(), GrowthError> {
        self.add((text as u64).saturating_mul(resources as u64))
    }

    /// Counts a text and its node.
    pub(crate) fn add_text(&self, text: &str) -> Result<(), GrowthError> {
        self.add((text.len() + size_of::<Node>()) as u64)
    }

    /// Counts by how much a tree has grown.
    pub(crate) fn add_beyond(&self, before: Size, now: &Node) -> Result<(), GrowthError> {
        self.add(now.size().memory().saturating_sub(before.memory()))
    }
}

impl Default for GrowthBudget {
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

/// Checks the depth of an inserted value. `way` is the depth of its position, `below` its own.
pub(crate) fn check_depth(way: usize, below: usize, what: &'static str) -> Result<(), GrowthError> {
    if way + below > MAX_DEPTH {
        return Err(GrowthError::Deep { what });
    }
    Ok(())
}

/// A value that exceeds a limit on memory or depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GrowthError {
    #[error(
        "aliases, patches, replacements and other fields add more than {limit} bytes to what was read"
    )]
    Added { limit: u64 },
    #[error("{what} would be nested deeper than {MAX_DEPTH}")]
    Deep { what: &'static str },
}

impl From<GrowthError> for Error {
    fn from(error: GrowthError) -> Self {
        Self::new(Code::Limit, error.to_string())
    }
}
