//! The excluded paths of a copy. Pure.

use sluice_golang::doublestar;
use sluice_system::budget::Budget;

use super::error::CopyError;
use super::glob::alternatives_fault;
use super::{base, glob};

/// Steps of a path, beside those of its patterns.
const PATH_STEPS: u64 = 8;

/// The patterns of `exclude`.
pub(super) struct Excludes<'a> {
    patterns: &'a [String],
    budget: &'a Budget,
}

impl<'a> Excludes<'a> {
    /// Checks the patterns.
    pub(super) fn new(patterns: &'a [String], budget: &'a Budget) -> Result<Self, CopyError> {
        for pattern in patterns {
            if let Some(fault) = fault(pattern) {
                return Err(fault);
            }
        }
        Ok(Self { patterns, budget })
    }

    /// Whether a path is excluded, by its own text or below the root of the copy. A pattern without
    /// a slash also applies to the name of the file.
    pub(super) fn contains(&self, path: &[u8], root: &str) -> Result<bool, CopyError> {
        self.budget.charge_steps(PATH_STEPS)?;
        if self.is_matched(path)? {
            return Ok(true);
        }
        let below = path
            .strip_prefix(root.as_bytes())
            .and_then(|rest| rest.strip_prefix(b"/"));
        match below {
            Some(below) if !root.is_empty() && !below.is_empty() => self.is_matched(below),
            _ => Ok(false),
        }
    }

    fn is_matched(&self, path: &[u8]) -> Result<bool, CopyError> {
        for pattern in self.patterns {
            let has_slash = pattern.contains('/');
            if glob::matches(pattern, path, self.budget)?
                || !has_slash && glob::matches(pattern, base(path), self.budget)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The fault of a pattern, if it has one.
pub(crate) fn fault(pattern: &str) -> Option<CopyError> {
    if let Some(reason) = alternatives_fault(pattern) {
        return Some(CopyError::ExcludeAlternatives {
            pattern: pattern.to_owned(),
            reason,
        });
    }
    // Only reads the pattern. A match of many alternatives takes long.
    (!doublestar::is_valid(pattern.as_bytes())).then(|| CopyError::Exclude(pattern.to_owned()))
}
