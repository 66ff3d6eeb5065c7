//! Scans of an image repository: when to scan, which tags count, and what the status says.

use std::time::Duration;

use jiff::Timestamp;
use sluice_api::image::{ImageRepositorySpec, ImageRepositoryStatus, ScanResult};
use sluice_golang::duration::GoDuration;
use sluice_golang::regexp::{self, PatternError, Regex};

use crate::budget::{Budget, TooSlow};

mod confirm;

pub use confirm::{Suspicion, suspicion};

/// Number of tags in the status.
pub const LATEST_TAGS: usize = 10;

/// Maximum number of bytes of a tag that is stored.
pub const MAX_TAG_BYTES: usize = 1000;

/// Exclusions of an object without any.
pub const DEFAULT_EXCLUSIONS: [&str; 1] = [r"^.*\.sig$"];

/// The shortest timeout.
const MIN_TIMEOUT: Duration = Duration::from_secs(1);

/// Time that may be left of an interval when the next scan starts.
const TOLERANCE: Duration = Duration::from_secs(1);

/// Maximum size of a compiled pattern in bytes.
const MAX_PATTERN_BYTES: usize = 10 << 20;

/// The reason to scan now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ScanReason {
    /// The repository was never scanned.
    #[error("first scan")]
    First,
    /// The annotation `requestedAt` has a new value.
    #[error("reconcile requested")]
    Requested,
    /// The canonical name of the image changed.
    #[error("new image name")]
    NewImage,
    /// The exclusions changed.
    #[error("updated exclusion list")]
    NewExclusions,
    /// The store has no tags. Ready becomes Unknown first, so that policies see a transition.
    #[error("no tags in database")]
    NoTags,
    /// The interval is over.
    #[error("triggered by interval")]
    Interval,
}

/// Whether to scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScanDecision {
    /// Scan now.
    Scan(ScanReason),
    /// Look again after this time.
    Wait(Duration),
}

/// The facts for a decision.
#[derive(Debug, Clone, Copy)]
pub struct ScanFacts<'a> {
    /// The spec.
    pub spec: &'a ImageRepositorySpec,
    /// The status.
    pub status: &'a ImageRepositoryStatus,
    /// The value of the annotation `requestedAt`.
    pub requested_at: Option<&'a str>,
    /// The canonical name of the image.
    pub canonical_name: &'a str,
    /// The parsed interval.
    pub interval: Duration,
    /// Whether the store has tags of the object.
    pub has_tags: bool,
    /// The time of the decision.
    pub now: Timestamp,
}

/// Decides whether to scan.
pub fn decide(facts: &ScanFacts<'_>) -> ScanDecision {
    let status = facts.status;
    let Some(last) = &status.last_scan_result else {
        return ScanDecision::Scan(ScanReason::First);
    };
    let handled = status.last_handled_reconcile_at.as_deref();
    let is_requested = |requested| requested != handled.unwrap_or_default();
    if facts.requested_at.is_some_and(is_requested) {
        return ScanDecision::Scan(ScanReason::Requested);
    }
    if status.canonical_image_name.as_deref().unwrap_or_default() != facts.canonical_name {
        return ScanDecision::Scan(ScanReason::NewImage);
    }
    if !has_same_items(&exclusions(facts.spec), &status.observed_exclusion_list) {
        return ScanDecision::Scan(ScanReason::NewExclusions);
    }
    if !facts.has_tags {
        return ScanDecision::Scan(ScanReason::NoTags);
    }
    match remaining(last, facts.interval, facts.now) {
        Some(remaining) if remaining >= TOLERANCE => ScanDecision::Wait(remaining),
        _ => ScanDecision::Scan(ScanReason::Interval),
    }
}

/// Returns the rest of the interval, or `None` if it is over or the last scan has no valid time.
fn remaining(last: &ScanResult, interval: Duration, now: Timestamp) -> Option<Duration> {
    let scanned = last.scan_time.as_ref()?.parse().ok()?;
    let interval = i128::try_from(interval.as_nanos()).ok()?;
    let remaining = interval - (now.as_nanosecond() - scanned.as_nanosecond());
    u64::try_from(remaining).ok().map(Duration::from_nanos)
}

/// Reports whether two lists have the same length and the second has each item of the first.
fn has_same_items(one: &[String], two: &[String]) -> bool {
    one.len() == two.len() && one.iter().all(|item| two.contains(item))
}

/// Returns the timeout of a scan and of its logins: that of the spec, or the interval.
pub fn timeout(interval: Duration, timeout: Option<Duration>) -> Duration {
    timeout.unwrap_or(interval).max(MIN_TIMEOUT)
}

/// Returns the exclusions of a spec, or the default.
pub fn exclusions(spec: &ImageRepositorySpec) -> Vec<String> {
    match &spec.exclusion_list {
        Some(list) if !list.is_empty() => list.clone(),
        _ => DEFAULT_EXCLUSIONS.map(str::to_owned).into(),
    }
}

/// An exclusion is not a regular expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("failed to compile regex {pattern}: {error}")]
pub struct InvalidExclusion {
    pattern: String,
    error: PatternError,
}

/// Compiled exclusions.
#[derive(Debug)]
pub struct Exclusions(Vec<Regex>);

impl Exclusions {
    /// Compiles patterns. One match excludes a tag.
    pub fn compile<T: AsRef<str>>(patterns: &[T]) -> Result<Self, InvalidExclusion> {
        let compile = |pattern: &T| {
            let pattern = pattern.as_ref();
            regexp::compile(pattern, MAX_PATTERN_BYTES).map_err(|error| InvalidExclusion {
                pattern: pattern.to_owned(),
                error,
            })
        };
        patterns
            .iter()
            .map(compile)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Reports whether a tag is excluded.
    pub fn excludes(&self, tag: &str) -> bool {
        self.0.iter().any(|pattern| pattern.is_match(tag))
    }
}

/// The tags of a scan.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ScannedTags {
    /// Tags in descending byte order.
    pub tags: Vec<String>,
    /// Number of tags that the store cannot hold: too long, or with control characters. Only a
    /// hostile registry lists them.
    pub rejected: usize,
}

impl ScannedTags {
    /// Filters and sorts the tags of a registry.
    pub fn of(
        listed: Vec<String>,
        exclusions: &Exclusions,
        budget: Budget,
    ) -> Result<Self, TooSlow> {
        let mut tags = Vec::with_capacity(listed.len());
        for tag in listed {
            budget.check()?;
            if !exclusions.excludes(&tag) {
                tags.push(tag);
            }
        }
        let accepted = tags.len();
        tags.retain(|tag| is_storable(tag));
        let rejected = accepted - tags.len();
        tags.sort_unstable_by(|one, two| two.cmp(one));
        Ok(Self { tags, rejected })
    }

    /// Returns the first tags for the status.
    pub fn latest(&self, count: usize) -> Vec<String> {
        self.tags.iter().take(count).cloned().collect()
    }
}

/// Reports whether the store can hold a tag.
fn is_storable(tag: &str) -> bool {
    !tag.is_empty() && tag.len() <= MAX_TAG_BYTES && !tag.contains(char::is_control)
}

/// Returns the message of a ready repository.
pub fn ready_message(result: &ScanResult) -> String {
    let revision = result.revision.as_deref().unwrap_or_default();
    let count = result.tag_count;
    format!("successful scan: found {count} tags with checksum {revision}")
}

/// Returns the text of the trace event of a run, with the time until the next scan.
pub fn trace_message(is_scanned: bool, is_changed: bool, next: Duration) -> String {
    let next = GoDuration::from_std(next);
    let what = match (is_scanned, is_changed) {
        (false, _) => "no change in repository configuration since last scan",
        (true, false) => "tags did not change",
        (true, true) => "successful scan",
    };
    format!("{what}, next scan in {next}")
}

#[cfg(test)]
mod tests;
