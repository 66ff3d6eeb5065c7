//! Matches events with Alerts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use sluice_api::event::{Event, Severity};
use sluice_api::notification::alert::EventSeverity;
use sluice_api::notification::{Alert, SubjectReference};
use sluice_golang::regexp;
use sluice_object::names;
use sluice_system::budget::Budget;

use crate::text::object_path;

/// Maximum size of a compiled pattern.
const MAX_PATTERN_BYTES: usize = 1 << 20;
/// Maximum time of one Alert's patterns per event.
const MAX_PATTERN_TIME: Duration = Duration::from_secs(1);
/// Reason of events about settings of an Alert, as in the reference.
const INVALID_CONFIG: &str = "InvalidConfig";
/// Steps that stand for the compilation of a pattern. Their number reads the clock.
const COMPILE_STEPS: u64 = 1 << 16;

/// Labels of the involved object.
#[derive(Clone, Copy, Debug)]
pub enum Labels<'a> {
    /// The labels.
    Known(&'a BTreeMap<String, String>),
    /// The object could not be read.
    Unreadable,
}

/// Reason why an event does not match an Alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The Alert is suspended.
    Suspended,
    /// The event sources do not include the object.
    Source,
    /// The severity is below that of the Alert.
    Severity,
    /// The labels of the object differ, or are unknown.
    Labels,
    /// No pattern of the inclusion list matches.
    NotIncluded,
    /// A pattern of the exclusion list matches.
    Excluded(String),
}

/// A Warning event to emit on the Alert.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Reason.
    pub reason: &'static str,
    /// Message.
    pub message: String,
}

/// Match result, with faults of the Alert. The default is a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    /// Whether the Alert wants the event. Patterns that take too long reject no event.
    pub outcome: Result<(), Rejection>,
    /// Faults of the Alert, to report for each event.
    pub notices: Vec<Notice>,
    /// The patterns take too long. The report of one event is enough.
    pub slow: Option<Notice>,
}

impl Default for Match {
    fn default() -> Self {
        Self {
            outcome: Ok(()),
            notices: Vec::new(),
            slow: None,
        }
    }
}

/// Returns the budget for the patterns of one Alert, with the time that is left for the event.
pub fn pattern_budget(rest: Duration) -> Budget {
    Budget::until(u64::MAX, 0, Instant::now() + MAX_PATTERN_TIME.min(rest))
}

/// Whether the decision takes patterns, which must not run on a thread of the runtime.
pub fn needs_patterns(alert: &Alert, event: &Event) -> bool {
    let spec = &alert.spec;
    let has_patterns = !spec.inclusion_list.is_empty() || !spec.exclusion_list.is_empty();
    has_patterns && is_source(alert, event)
}

/// Whether the sources of an active Alert name the object.
pub fn is_source(alert: &Alert, event: &Event) -> bool {
    let mut sources = alert.spec.event_sources.iter();
    !alert.spec.suspend && sources.any(|source| names(source, alert, event))
}

/// Whether the object's labels must be read for the decision.
pub fn needs_labels(alert: &Alert, event: &Event) -> bool {
    if alert.spec.suspend {
        return false;
    }
    let mut named = alert.spec.event_sources.iter();
    let mut labelled = named.clone();
    let is_named = |source: &SubjectReference| names(source, alert, event);
    let needs = labelled.any(|source| is_named(source) && !source.match_labels.is_empty());
    // A source without labels that includes the object decides alone.
    needs
        && has_severity(alert, event)
        && !named.any(|source| is_named(source) && source.match_labels.is_empty())
}

/// Decides whether an event matches an Alert. `labels` matter only if [`needs_labels`] returns
/// true. The patterns charge the budget.
///
/// An event that the patterns cannot judge in time matches: a missed message is worse than one too
/// many. Otherwise slow patterns of one Alert, or a busy machine, would silence others.
pub fn matches(alert: &Alert, event: &Event, labels: Labels<'_>, budget: &Budget) -> Match {
    let mut found = Match::default();
    found.outcome = decide_source(alert, event, labels, &mut found.notices);
    if found.outcome.is_err() {
        return found;
    }
    let mut search = PatternSearch {
        message: &event.message,
        budget,
        notices: &mut found.notices,
    };
    match decide_message(alert, &mut search) {
        Ok(outcome) => found.outcome = outcome,
        Err(SlowPatterns(list)) => found.slow = Some(slow(list)),
    }
    found
}

/// Decides by everything but the patterns.
fn decide_source(
    alert: &Alert,
    event: &Event,
    labels: Labels<'_>,
    notices: &mut Vec<Notice>,
) -> Result<(), Rejection> {
    if alert.spec.suspend {
        return Err(Rejection::Suspended);
    }
    let sources = alert.spec.event_sources.iter();
    let named: Vec<_> = sources
        .filter(|source| names(source, alert, event))
        .collect();
    if named.is_empty() {
        return Err(Rejection::Source);
    }
    if !has_severity(alert, event) {
        return Err(Rejection::Severity);
    }
    let has_labels = named
        .into_iter()
        .any(|source| has_labels(source, event, labels, notices));
    if !has_labels {
        return Err(Rejection::Labels);
    }
    Ok(())
}

/// Decides by the patterns.
fn decide_message(
    alert: &Alert,
    search: &mut PatternSearch<'_>,
) -> Result<Result<(), Rejection>, SlowPatterns> {
    let included = &alert.spec.inclusion_list;
    if !included.is_empty() && search.first_match(included, "inclusion")?.is_none() {
        return Ok(Err(Rejection::NotIncluded));
    }
    let excluded = search.first_match(&alert.spec.exclusion_list, "exclusion")?;
    Ok(match excluded {
        Some(pattern) => Err(Rejection::Excluded(pattern.to_owned())),
        None => Ok(()),
    })
}

fn slow(list: &str) -> Notice {
    Notice {
        reason: INVALID_CONFIG,
        message: format!(
            "the {list} patterns take too long; events are sent without their decision; hint: \
             shorten or remove patterns of spec.{list}List"
        ),
    }
}

/// Whether a source includes the object, without regard to labels and API version.
fn names(source: &SubjectReference, alert: &Alert, event: &Event) -> bool {
    let object = &event.involved_object;
    let own = alert.metadata.namespace.as_deref().unwrap_or_default();
    let namespace = source.namespace.as_deref().unwrap_or(own);
    namespace == object.namespace
        && source.kind.as_str() == object.kind
        && (source.name == "*" || source.name == object.name)
}

/// Whether the severity matches. `info` matches all.
pub fn has_severity(alert: &Alert, event: &Event) -> bool {
    match alert.spec.event_severity.clone().unwrap_or_default() {
        EventSeverity::Info => true,
        EventSeverity::Error => event.severity == Severity::Error,
        EventSeverity::Other(word) => event.severity.as_str() == word,
    }
}

fn has_labels(
    source: &SubjectReference,
    event: &Event,
    labels: Labels<'_>,
    notices: &mut Vec<Notice>,
) -> bool {
    if source.match_labels.is_empty() {
        return true;
    }
    let Labels::Known(labels) = labels else {
        notices.push(Notice {
            reason: "SourceFetchFailed",
            message: format!("error getting source object {}", object_path(event)),
        });
        return false;
    };
    let mut wanted = source.match_labels.iter();
    if !wanted.clone().all(|(key, value)| {
        names::label_key_faults(key).is_empty() && names::label_value_faults(value).is_empty()
    }) {
        let namespace = source.namespace.as_deref().unwrap_or_default();
        notices.push(Notice {
            reason: INVALID_CONFIG,
            message: format!(
                "error using matchLabels from event source {}/{namespace}/{}",
                source.kind, source.name
            ),
        });
        return false;
    }
    wanted.all(|(key, value)| labels.get(key) == Some(value))
}

/// Searches a message.
struct PatternSearch<'a> {
    message: &'a str,
    budget: &'a Budget,
    /// Faults of the patterns.
    notices: &'a mut Vec<Notice>,
}

/// The patterns of a list exceed their time.
struct SlowPatterns(&'static str);

impl PatternSearch<'_> {
    /// Returns the first pattern that matches. Invalid patterns are reported and skipped.
    fn first_match<'p>(
        &mut self,
        patterns: &'p [String],
        list: &'static str,
    ) -> Result<Option<&'p str>, SlowPatterns> {
        for pattern in patterns {
            let charged = self.budget.charge_steps(COMPILE_STEPS);
            charged.map_err(|_| SlowPatterns(list))?;
            match regexp::compile(pattern, MAX_PATTERN_BYTES) {
                Ok(compiled) if compiled.is_match(self.message) => return Ok(Some(pattern)),
                Ok(_) => {}
                Err(_) => self.report(format!("failed to compile {list} regex: {pattern}")),
            }
        }
        Ok(None)
    }

    fn report(&mut self, message: String) {
        self.notices.push(Notice {
            reason: INVALID_CONFIG,
            message,
        });
    }
}
