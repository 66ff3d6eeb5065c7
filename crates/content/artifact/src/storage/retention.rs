//! Selects the files that a garbage collection removes, by name and time.

use std::time::Duration;

use jiff::Timestamp;

use super::LOCK_SUFFIX;
use crate::confined::DirEntry;

/// Age and number of artifacts that each object keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Maximum age. Older files are removed.
    pub ttl: Duration,
    /// Maximum number. The oldest files above it are removed.
    pub records: usize,
}

impl Default for Retention {
    fn default() -> Self {
        Self {
            ttl: Duration::from_mins(1),
            records: 2,
        }
    }
}

/// A file that may be removed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    modified: Timestamp,
    name: String,
}

impl Candidate {
    /// Creates a candidate.
    pub fn new(name: impl Into<String>, modified: Timestamp) -> Self {
        Self {
            modified,
            name: name.into(),
        }
    }

    /// Skips locks, which are removed with their files, and hidden files, which are being written.
    pub(super) fn of(listed: &DirEntry) -> Option<Self> {
        let name = std::str::from_utf8(&listed.name).ok()?;
        if name.ends_with(LOCK_SUFFIX) || name.starts_with('.') {
            return None;
        }
        let nanoseconds = i32::try_from(listed.stat.st_mtime_nsec).ok()?;
        let modified = Timestamp::new(listed.stat.st_mtime, nanoseconds).ok()?;
        Some(Self::new(name, modified))
    }
}

impl Retention {
    /// Returns the files to remove, oldest first.
    ///
    /// Files of the same time are sorted by name. Flux keys files by time alone, and loses all but
    /// one of them.
    pub fn plan(
        &self,
        mut files: Vec<Candidate>,
        current: Option<&str>,
        now: Timestamp,
    ) -> Vec<String> {
        files.sort();
        let total = files.len();
        let disposable = files
            .into_iter()
            .filter(|file| Some(file.name.as_str()) != current);
        let mut removed = Vec::new();
        let mut kept = Vec::new();
        for file in disposable {
            // A time in the future comes from a clock change. Such a file is not old.
            let age = Duration::try_from(now.duration_since(file.modified)).unwrap_or_default();
            if age > self.ttl {
                removed.push(file.name);
            } else {
                kept.push(file.name);
            }
        }
        let surplus = (total - removed.len()).saturating_sub(self.records);
        removed.extend(kept.into_iter().take(surplus));
        removed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(files: &[(&str, i64)], current: Option<&str>) -> Vec<String> {
        let files = files
            .iter()
            .map(|(name, second)| Candidate::new(*name, Timestamp::from_second(*second).unwrap()))
            .collect();
        Retention::default().plan(files, current, Timestamp::from_second(1000).unwrap())
    }

    #[test]
    fn expired_file_is_removed() {
        assert_eq!(plan(&[("old", 10), ("now", 990)], Some("now")), ["old"]);
    }

    #[test]
    fn file_of_exact_ttl_is_kept() {
        assert_eq!(plan(&[("edge", 940), ("now", 990)], Some("now")), [""; 0]);
    }

    #[test]
    fn oldest_surplus_files_are_removed() {
        let files = [("a", 991), ("b", 993), ("c", 992), ("now", 990)];
        assert_eq!(plan(&files, Some("now")), ["a", "c"]);
    }

    #[test]
    fn current_artifact_is_never_removed() {
        assert_eq!(plan(&[("now", 1)], Some("now")), [""; 0]);
        assert_eq!(
            plan(&[("now", 1), ("x", 999), ("y", 999)], Some("now")),
            ["x"]
        );
    }

    #[test]
    fn files_of_equal_time_are_sorted_by_name() {
        let files = [("b", 990), ("a", 990), ("c", 990)];
        assert_eq!(plan(&files, Some("c")), ["a"]);
    }

    #[test]
    fn file_from_future_is_kept() {
        assert_eq!(plan(&[("ahead", 5000), ("now", 990)], Some("now")), [""; 0]);
    }
}
