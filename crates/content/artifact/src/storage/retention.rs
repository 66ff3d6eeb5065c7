//! What a collection removes: a pure decision over names and times.

use std::time::Duration;

use jiff::Timestamp;

use super::LOCK_SUFFIX;
use crate::confined::Listed;

/// How long, and how many, artifacts of one object are kept beside the current one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Files older than this go, however few there are.
    pub ttl: Duration,
    /// More files than this go, however young they are.
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

/// A file that a collection may remove.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    modified: Timestamp,
    name: String,
}

impl Candidate {
    /// A file by name and time of last modification.
    pub fn new(name: impl Into<String>, modified: Timestamp) -> Self {
        Self {
            modified,
            name: name.into(),
        }
    }

    /// Locks go with their files, and hidden files are being written.
    pub(super) fn of(listed: &Listed) -> Option<Self> {
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
    /// Names the files to remove, oldest first.
    ///
    /// Files of one and the same time are told apart by name; Flux keys them by time alone and
    /// loses sight of all but one.
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
            // A time in the future is a clock that jumped, not an old file.
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
    fn files_past_their_time_go_however_few_there_are() {
        assert_eq!(plan(&[("old", 10), ("now", 990)], Some("now")), ["old"]);
    }

    #[test]
    fn a_file_exactly_of_that_age_stays() {
        assert_eq!(plan(&[("edge", 940), ("now", 990)], Some("now")), [""; 0]);
    }

    #[test]
    fn the_oldest_of_too_many_young_files_go() {
        let files = [("a", 991), ("b", 993), ("c", 992), ("now", 990)];
        assert_eq!(plan(&files, Some("now")), ["a", "c"]);
    }

    #[test]
    fn the_current_artifact_stays_whatever_its_age() {
        assert_eq!(plan(&[("now", 1)], Some("now")), [""; 0]);
        assert_eq!(
            plan(&[("now", 1), ("x", 999), ("y", 999)], Some("now")),
            ["x"]
        );
    }

    #[test]
    fn files_of_one_time_are_told_apart_by_name() {
        let files = [("b", 990), ("a", 990), ("c", 990)];
        assert_eq!(plan(&files, Some("c")), ["a"]);
    }

    #[test]
    fn a_file_from_the_future_is_not_old() {
        assert_eq!(plan(&[("ahead", 5000), ("now", 990)], Some("now")), [""; 0]);
    }
}
