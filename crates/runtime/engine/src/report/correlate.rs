//! Decides which events are sent to Kubernetes, by the rules and numbers of client-go's recorder.
//! Pure.
//!
//! An event that equals an earlier one raises its count. After ten different messages of one object
//! and reason within ten minutes, further messages share one event. An object may cause 25 writes
//! of one type in a burst, then one every five minutes. Dropped events are counted, too.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::{SignedDuration, Timestamp};
use sluice_api::event::InvolvedObject;

/// Maximum number of entries per table; beyond it, the oldest quarter is dropped.
const MAX_ENTRIES: usize = 4096;
/// Number of different messages that share one event.
const MAX_MESSAGES: usize = 10;
/// How long messages count as similar.
const SIMILARITY_WINDOW: SignedDuration = SignedDuration::from_mins(10);
/// Writes of one type that an object may cause in a burst.
const BURST: f64 = 25.0;
/// Seconds per additional write of an object.
const REFILL_SECONDS: f64 = 300.0;

/// An event before correlation.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    pub(crate) involved: InvolvedObject,
    pub(crate) type_: &'static str,
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) at: Timestamp,
}

/// The decision about a draft.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// The object has exceeded its budget.
    Drop,
    /// The event is new and gets this number.
    Create {
        number: u64,
        count: i32,
        message: String,
    },
    /// The event of this name gets a higher count.
    Repeat {
        number: u64,
        name: String,
        count: i32,
        message: String,
    },
}

/// The recent events.
#[derive(Debug, Default)]
pub(crate) struct Correlator {
    budgets: Table<Budget>,
    groups: Table<Group>,
    events: Table<RecordedEvent>,
}

#[derive(Debug)]
struct Budget {
    tokens: f64,
    at: Timestamp,
}

#[derive(Debug)]
struct Group {
    messages: HashSet<u64>,
    at: Timestamp,
}

#[derive(Debug)]
struct RecordedEvent {
    name: Option<String>,
    count: i32,
}

impl Correlator {
    /// Decides about a draft.
    pub(crate) fn judge(&mut self, draft: &Draft) -> Verdict {
        let object = fingerprint(&(
            &draft.involved.kind,
            &draft.involved.namespace,
            &draft.involved.name,
            &draft.involved.uid,
        ));
        let group = fingerprint(&(object, draft.type_, &draft.reason));
        let (number, message) = if self.is_aggregated(group, &draft.message, draft.at) {
            (
                group,
                format!("(combined from similar events): {}", draft.message),
            )
        } else {
            (fingerprint(&(group, &draft.message)), draft.message.clone())
        };
        let recorded = self.events.entry(number, draft.at, || RecordedEvent {
            name: None,
            count: 0,
        });
        recorded.count = recorded.count.saturating_add(1);
        let (name, count) = (recorded.name.clone(), recorded.count);
        if !self.spend(fingerprint(&(object, draft.type_)), draft.at) {
            return Verdict::Drop;
        }
        match name {
            Some(name) => Verdict::Repeat {
                number,
                name,
                count,
                message,
            },
            None => Verdict::Create {
                number,
                count,
                message,
            },
        }
    }

    /// Records the name of the created event; `None` if the event is gone.
    pub(crate) fn record_name(&mut self, number: u64, name: Option<String>, at: Timestamp) {
        let recorded = self.events.entry(number, at, || RecordedEvent {
            name: None,
            count: 1,
        });
        if name.is_none() {
            recorded.count = 1;
        }
        recorded.name = name;
    }

    fn is_aggregated(&mut self, group: u64, message: &str, at: Timestamp) -> bool {
        let recorded = self.groups.entry(group, at, || Group {
            messages: HashSet::new(),
            at,
        });
        if at.duration_since(recorded.at) > SIMILARITY_WINDOW {
            recorded.messages.clear();
        }
        recorded.at = at;
        recorded.messages.insert(fingerprint(&message));
        if recorded.messages.len() < MAX_MESSAGES {
            return false;
        }
        // Remove any message, so that the set stays small during a flood.
        if let Some(any) = recorded.messages.iter().next().copied() {
            recorded.messages.remove(&any);
        }
        true
    }

    fn spend(&mut self, object: u64, at: Timestamp) -> bool {
        let budget = self
            .budgets
            .entry(object, at, || Budget { tokens: BURST, at });
        let earned = at.duration_since(budget.at).as_secs_f64().max(0.0) / REFILL_SECONDS;
        budget.tokens = (budget.tokens + earned).min(BURST);
        budget.at = at;
        let allowed = budget.tokens >= 1.0;
        if allowed {
            budget.tokens -= 1.0;
        }
        allowed
    }
}

/// A table of bounded size, which drops the least recently used entries.
#[derive(Debug)]
struct Table<V> {
    entries: HashMap<u64, (Timestamp, V)>,
}

impl<V> Default for Table<V> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
        }
    }
}

impl<V> Table<V> {
    fn entry(&mut self, number: u64, at: Timestamp, new: impl FnOnce() -> V) -> &mut V {
        if self.entries.len() >= MAX_ENTRIES && !self.entries.contains_key(&number) {
            self.forget_oldest();
        }
        let (used, value) = self.entries.entry(number).or_insert_with(|| (at, new()));
        *used = at;
        value
    }

    fn forget_oldest(&mut self) {
        let mut uses: Vec<_> = self.entries.values().map(|(used, _)| *used).collect();
        let quarter = uses.len() / 4;
        let (_, limit, _) = uses.select_nth_unstable(quarter);
        let limit = *limit;
        let mut surplus = quarter;
        self.entries.retain(|_, (used, _)| {
            let old = *used <= limit && surplus > 0;
            surplus -= usize::from(old);
            !old
        });
    }
}

/// A hash that stands for a text. 64 bits distinguish some thousand events.
fn fingerprint(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft(name: &str, message: &str, second: i64) -> Draft {
        Draft {
            involved: InvolvedObject {
                kind: "Kustomization".into(),
                name: name.into(),
                ..InvolvedObject::default()
            },
            type_: "Normal",
            reason: "Progressing".into(),
            message: message.into(),
            annotations: BTreeMap::new(),
            at: Timestamp::from_second(second).unwrap(),
        }
    }

    fn create(correlator: &mut Correlator, draft: &Draft, name: &str) {
        let Verdict::Create { number, .. } = correlator.judge(draft) else {
            panic!("is new")
        };
        correlator.record_name(number, Some(name.to_owned()), draft.at);
    }

    #[test]
    fn repeated_event_raises_the_count() {
        let mut correlator = Correlator::default();
        create(&mut correlator, &draft("apps", "applied", 1), "apps.1");
        for count in 2..5 {
            let Verdict::Repeat {
                name,
                count: actual,
                ..
            } = correlator.judge(&draft("apps", "applied", count))
            else {
                panic!("is recorded")
            };
            assert_eq!((name.as_str(), i64::from(actual)), ("apps.1", count));
        }
    }

    #[test]
    fn tenth_message_starts_a_shared_event() {
        let mut correlator = Correlator::default();
        for number in 0..9 {
            let message = format!("failure {number}");
            create(&mut correlator, &draft("apps", &message, number), &message);
        }
        let tenth = draft("apps", "failure 9", 9);
        let Verdict::Create {
            number, message, ..
        } = correlator.judge(&tenth)
        else {
            panic!("shared event is new")
        };
        assert_eq!(message, "(combined from similar events): failure 9");
        correlator.record_name(number, Some("shared".to_owned()), tenth.at);
        assert!(matches!(
            correlator.judge(&draft("apps", "failure 10", 10)),
            Verdict::Repeat { name, count: 2, .. } if name == "shared"
        ));
    }

    #[test]
    fn clock_jumps_do_not_silence_an_object() {
        let mut correlator = Correlator::default();
        let mut judge_at = |second| correlator.judge(&draft("apps", "applied", second));
        for number in 0..25 {
            assert_ne!(judge_at(9_000_000), Verdict::Drop, "number {number}");
        }
        assert_eq!(judge_at(9_000_000), Verdict::Drop);
        // A jump back earns no budget; afterwards the budget grows as usual.
        assert_eq!(judge_at(1_000), Verdict::Drop);
        assert_eq!(judge_at(1_299), Verdict::Drop);
        assert_ne!(judge_at(1_301), Verdict::Drop);
        // A jump forward earns one burst at most.
        let forward = (0..30).filter(|_| judge_at(9_000_000) != Verdict::Drop);
        assert_eq!(forward.count(), 25);
    }

    #[test]
    fn messages_far_apart_are_not_similar() {
        let mut correlator = Correlator::default();
        for number in 0..20 {
            let verdict =
                correlator.judge(&draft("apps", &format!("failure {number}"), number * 601));
            assert!(
                matches!(verdict, Verdict::Create { message, .. } if !message.starts_with('('))
            );
        }
    }

    #[test]
    fn flooding_object_is_dropped_alone() {
        let mut correlator = Correlator::default();
        let judged: Vec<_> = (0..30)
            .map(|_| correlator.judge(&draft("noisy", "again", 0)))
            .collect();
        assert_eq!(
            judged
                .iter()
                .filter(|verdict| **verdict != Verdict::Drop)
                .count(),
            25
        );
        assert_ne!(correlator.judge(&draft("quiet", "once", 0)), Verdict::Drop);
        assert_ne!(
            correlator.judge(&draft("noisy", "again", 300)),
            Verdict::Drop
        );
        assert_eq!(
            correlator.judge(&draft("noisy", "again", 300)),
            Verdict::Drop
        );
    }

    #[test]
    fn warnings_have_a_budget_of_their_own() {
        let mut correlator = Correlator::default();
        while correlator.judge(&draft("noisy", "again", 0)) != Verdict::Drop {}
        let warning = Draft {
            type_: "Warning",
            ..draft("noisy", "again", 0)
        };
        assert_ne!(correlator.judge(&warning), Verdict::Drop);
    }

    #[test]
    fn dropped_events_are_counted() {
        let mut correlator = Correlator::default();
        create(&mut correlator, &draft("noisy", "again", 0), "noisy.1");
        for _ in 2..=30 {
            correlator.judge(&draft("noisy", "again", 0));
        }
        assert!(matches!(
            correlator.judge(&draft("noisy", "again", 300)),
            Verdict::Repeat { count: 31, .. }
        ));
        // The first event was dropped: client-go creates the event with its count.
        for number in 0..2 {
            correlator.judge(&draft("noisy", "other", 300 + number));
        }
        assert!(matches!(
            correlator.judge(&draft("noisy", "other", 600)),
            Verdict::Create { count: 3, .. }
        ));
    }

    #[test]
    fn full_table_drops_the_oldest() {
        let mut correlator = Correlator::default();
        for number in 0..=i64::try_from(MAX_ENTRIES).unwrap() {
            create(
                &mut correlator,
                &draft(&number.to_string(), "applied", number),
                "event",
            );
        }
        assert!(correlator.events.entries.len() <= MAX_ENTRIES);
        assert!(matches!(
            correlator.judge(&draft("0", "applied", 9000)),
            Verdict::Create { .. }
        ));
        assert!(matches!(
            correlator.judge(&draft("4096", "applied", 9000)),
            Verdict::Repeat { .. }
        ));
    }
}
