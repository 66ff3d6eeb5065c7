//! Which events Kubernetes is sent: pure, with the rules and numbers of client-go's
//! recorder.
//!
//! An event like an earlier one raises the earlier one's count. After ten different
//! messages of one object for one reason within ten minutes, further ones share one
//! event. And an object may cause 25 writes of one type in a burst, then one every five
//! minutes; what is not written is counted all the same.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::{SignedDuration, Timestamp};
use sluice_api::event::InvolvedObject;

/// How much is remembered of each sort. Beyond it, the oldest quarter goes.
const MEMORY: usize = 4096;
/// Different messages before they share one event.
const MESSAGES: usize = 10;
/// How long messages count as similar.
const SIMILAR: SignedDuration = SignedDuration::from_mins(10);
/// Writes of one type that an object may cause at once.
const BURST: f64 = 25.0;
/// Seconds until an object may cause one more.
const REFILL: f64 = 300.0;

/// An event before it is known what becomes of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Draft {
    pub(crate) involved: InvolvedObject,
    pub(crate) type_: &'static str,
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) annotations: BTreeMap<String, String>,
    pub(crate) at: Timestamp,
}

/// What becomes of a draft.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// It is one too many of its object.
    Drop,
    /// It is new; remembered under this number.
    Create {
        memory: u64,
        count: i32,
        message: String,
    },
    /// It raises the count of the event of this name.
    Repeat {
        memory: u64,
        name: String,
        count: i32,
        message: String,
    },
}

/// What is remembered.
#[derive(Debug, Default)]
pub(crate) struct Correlator {
    budgets: Memory<Budget>,
    groups: Memory<Group>,
    events: Memory<Known>,
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
struct Known {
    name: Option<String>,
    count: i32,
}

impl Correlator {
    /// Decides what becomes of a draft.
    pub(crate) fn judge(&mut self, draft: &Draft) -> Verdict {
        let object = fingerprint(&(
            &draft.involved.kind,
            &draft.involved.namespace,
            &draft.involved.name,
            &draft.involved.uid,
        ));
        let group = fingerprint(&(object, draft.type_, &draft.reason));
        let (memory, message) = if self.is_aggregated(group, &draft.message, draft.at) {
            (
                group,
                format!("(combined from similar events): {}", draft.message),
            )
        } else {
            (fingerprint(&(group, &draft.message)), draft.message.clone())
        };
        let known = self.events.entry(memory, draft.at, || Known {
            name: None,
            count: 0,
        });
        known.count = known.count.saturating_add(1);
        let (name, count) = (known.name.clone(), known.count);
        if !self.spend(fingerprint(&(object, draft.type_)), draft.at) {
            return Verdict::Drop;
        }
        match name {
            Some(name) => Verdict::Repeat {
                memory,
                name,
                count,
                message,
            },
            None => Verdict::Create {
                memory,
                count,
                message,
            },
        }
    }

    /// Remembers the name under which an event was created; `None` when it turned out
    /// to be gone.
    pub(crate) fn named(&mut self, memory: u64, name: Option<String>, at: Timestamp) {
        let known = self.events.entry(memory, at, || Known {
            name: None,
            count: 1,
        });
        if name.is_none() {
            known.count = 1;
        }
        known.name = name;
    }

    fn is_aggregated(&mut self, group: u64, message: &str, at: Timestamp) -> bool {
        let known = self.groups.entry(group, at, || Group {
            messages: HashSet::new(),
            at,
        });
        if at.duration_since(known.at) > SIMILAR {
            known.messages.clear();
        }
        known.at = at;
        known.messages.insert(fingerprint(&message));
        if known.messages.len() < MESSAGES {
            return false;
        }
        // Any one leaves, so that the set stays small while the flood lasts.
        if let Some(any) = known.messages.iter().next().copied() {
            known.messages.remove(&any);
        }
        true
    }

    fn spend(&mut self, object: u64, at: Timestamp) -> bool {
        let budget = self
            .budgets
            .entry(object, at, || Budget { tokens: BURST, at });
        let earned = at.duration_since(budget.at).as_secs_f64().max(0.0) / REFILL;
        budget.tokens = (budget.tokens + earned).min(BURST);
        budget.at = at;
        let allowed = budget.tokens >= 1.0;
        if allowed {
            budget.tokens -= 1.0;
        }
        allowed
    }
}

/// A bounded memory by number, which forgets what was not used for longest.
#[derive(Debug)]
struct Memory<V> {
    entries: HashMap<u64, (Timestamp, V)>,
}

impl<V> Default for Memory<V> {
    fn default() -> Self {
        Self {
            entries: HashMap::new(),
        }
    }
}

impl<V> Memory<V> {
    fn entry(&mut self, number: u64, at: Timestamp, new: impl FnOnce() -> V) -> &mut V {
        if self.entries.len() >= MEMORY && !self.entries.contains_key(&number) {
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

/// Sixty-four bits are plenty to tell some thousand events apart, and spare us from
/// keeping their texts.
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
        let Verdict::Create { memory, .. } = correlator.judge(draft) else {
            panic!("is new")
        };
        correlator.named(memory, Some(name.to_owned()), draft.at);
    }

    #[test]
    fn the_same_event_again_raises_the_count_of_the_first() {
        let mut correlator = Correlator::default();
        create(&mut correlator, &draft("apps", "applied", 1), "apps.1");
        for count in 2..5 {
            let Verdict::Repeat {
                name, count: told, ..
            } = correlator.judge(&draft("apps", "applied", count))
            else {
                panic!("is known")
            };
            assert_eq!((name.as_str(), i64::from(told)), ("apps.1", count));
        }
    }

    #[test]
    fn the_tenth_different_message_starts_to_share_one_event() {
        let mut correlator = Correlator::default();
        for number in 0..9 {
            let message = format!("failure {number}");
            create(&mut correlator, &draft("apps", &message, number), &message);
        }
        let tenth = draft("apps", "failure 9", 9);
        let Verdict::Create {
            memory, message, ..
        } = correlator.judge(&tenth)
        else {
            panic!("shared event is new")
        };
        assert_eq!(message, "(combined from similar events): failure 9");
        correlator.named(memory, Some("shared".to_owned()), tenth.at);
        assert!(matches!(
            correlator.judge(&draft("apps", "failure 10", 10)),
            Verdict::Repeat { name, count: 2, .. } if name == "shared"
        ));
    }

    #[test]
    fn a_clock_that_jumps_makes_no_object_silent_for_longer() {
        let mut correlator = Correlator::default();
        let mut told = |second| correlator.judge(&draft("apps", "applied", second));
        for number in 0..25 {
            assert_ne!(told(9_000_000), Verdict::Drop, "number {number}");
        }
        assert_eq!(told(9_000_000), Verdict::Drop);
        // Put back, it earns nothing for the jump, and from then on as ever.
        assert_eq!(told(1_000), Verdict::Drop);
        assert_eq!(told(1_299), Verdict::Drop);
        assert_ne!(told(1_301), Verdict::Drop);
        // Put forward, it has a burst and no more.
        let forward = (0..30).filter(|_| told(9_000_000) != Verdict::Drop);
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
    fn an_object_that_floods_is_silenced_and_others_are_not() {
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
    fn warnings_are_told_of_an_object_whose_other_events_are_too_many() {
        let mut correlator = Correlator::default();
        while correlator.judge(&draft("noisy", "again", 0)) != Verdict::Drop {}
        let warning = Draft {
            type_: "Warning",
            ..draft("noisy", "again", 0)
        };
        assert_ne!(correlator.judge(&warning), Verdict::Drop);
    }

    #[test]
    fn events_that_are_too_many_are_counted_in_the_next_one() {
        let mut correlator = Correlator::default();
        create(&mut correlator, &draft("noisy", "again", 0), "noisy.1");
        for _ in 2..=30 {
            correlator.judge(&draft("noisy", "again", 0));
        }
        assert!(matches!(
            correlator.judge(&draft("noisy", "again", 300)),
            Verdict::Repeat { count: 31, .. }
        ));
        // One whose first was never written: client-go creates it with its count.
        for number in 0..2 {
            correlator.judge(&draft("noisy", "other", 300 + number));
        }
        assert!(matches!(
            correlator.judge(&draft("noisy", "other", 600)),
            Verdict::Create { count: 3, .. }
        ));
    }

    #[test]
    fn memory_is_bounded_and_forgets_the_oldest() {
        let mut correlator = Correlator::default();
        for number in 0..=i64::try_from(MEMORY).unwrap() {
            create(
                &mut correlator,
                &draft(&number.to_string(), "applied", number),
                "event",
            );
        }
        assert!(correlator.events.entries.len() <= MEMORY);
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
