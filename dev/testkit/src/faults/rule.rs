//! Which calls are spoiled, and how.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use super::call::Call;

/// What happens to a call instead of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The client is killed before the server hears of the call.
    KillBefore,
    /// The server does it, then the client is killed before it hears the answer.
    KillAfter,
    /// The call reaches the server only after this time.
    Delay(Duration),
    /// The proxy answers with this status itself; a 429 or 503 says when to try again.
    Answer {
        /// The status.
        status: u16,
        /// Seconds for `Retry-After`.
        retry_after: Option<u32>,
    },
    /// The server never hears of it, and the connection closes without an answer.
    Drop,
    /// The server does it, and the connection closes without an answer.
    LoseAnswer,
    /// The server does it twice, and the client gets the second answer.
    SendTwice,
    /// The server never hears of it, and the connection is reset (RST).
    Reset,
    /// The server never hears of it, and the connection stays open for ever.
    Hang,
}

impl Fault {
    /// `429 Too Many Requests`, try again after a second.
    pub const TOO_MANY_REQUESTS: Self = Self::Answer {
        status: 429,
        retry_after: Some(1),
    };

    /// `409 Conflict`.
    pub const CONFLICT: Self = Self::Answer {
        status: 409,
        retry_after: None,
    };

    /// `410 Gone`: what a watch or a paged list is told when it is too old.
    pub const GONE: Self = Self::Answer {
        status: 410,
        retry_after: None,
    };

    /// `500 Internal Server Error`.
    pub const INTERNAL_ERROR: Self = Self::Answer {
        status: 500,
        retry_after: None,
    };

    /// `503 Service Unavailable`.
    pub const UNAVAILABLE: Self = Self::Answer {
        status: 503,
        retry_after: None,
    };
}

/// What happens to one event of a watch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchFault {
    /// The watch ends cleanly just before the event, as a server's does that goes away.
    Cut,
    /// The event is lost and the watch goes on, which no server does.
    Skip,
    /// The event is told twice.
    Repeat,
}

/// How many events a rule has met.
#[derive(Debug, Clone, Default)]
pub struct EventCount(Arc<AtomicUsize>);

impl EventCount {
    /// So many until now.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

/// A slip, and at which event of the watches that are meant.
pub(super) struct WatchRule {
    pub(super) when: When,
    pub(super) nth: usize,
    pub(super) fault: WatchFault,
    pub(super) count: EventCount,
}

impl WatchRule {
    pub(super) fn decide(&self, call: &Call) -> Option<WatchFault> {
        let strikes =
            self.when.matches(call) && self.count.0.fetch_add(1, Ordering::SeqCst) + 1 == self.nth;
        strikes.then_some(self.fault)
    }
}

type Condition = Arc<dyn Fn(&Call) -> bool + Send + Sync>;

/// Which calls: all conditions must hold.
#[derive(Clone, Default)]
pub struct When {
    conditions: Vec<Condition>,
    nth: Option<usize>,
    times: Option<usize>,
}

impl fmt::Debug for When {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("When")
            .field("conditions", &self.conditions.len())
            .field("nth", &self.nth)
            .field("times", &self.times)
            .finish()
    }
}

impl When {
    /// Every call.
    pub fn any() -> Self {
        Self::default()
    }

    /// Every write, as [`Call::is_write`] understands it.
    pub fn write() -> Self {
        Self::any().and(Call::is_write)
    }

    /// Only calls with this verb.
    #[must_use]
    pub fn verb(self, verb: &'static str) -> Self {
        self.and(move |call| call.verb == verb)
    }

    /// Only calls on this resource, written `deployments` or `kustomizations/status`.
    #[must_use]
    pub fn resource(self, resource: &str) -> Self {
        let resource = resource.to_owned();
        self.and(move |call| call.target() == resource)
    }

    /// Only calls in this namespace.
    #[must_use]
    pub fn namespace(self, namespace: &str) -> Self {
        let namespace = namespace.to_owned();
        self.and(move |call| call.namespace == namespace)
    }

    /// Only calls on an object of this name.
    #[must_use]
    pub fn name(self, name: &str) -> Self {
        let name = name.to_owned();
        self.and(move |call| call.name == name)
    }

    /// Only calls that met this fault, for who counts them afterwards.
    #[must_use]
    pub fn with_fault(self, fault: &Fault) -> Self {
        let fault = fault.clone();
        self.and(move |call| call.fault.as_ref() == Some(&fault))
    }

    /// Only calls for which this holds.
    #[must_use]
    pub fn and(mut self, condition: impl Fn(&Call) -> bool + Send + Sync + 'static) -> Self {
        self.conditions.push(Arc::new(condition));
        self
    }

    /// Of those, only number `nth`, from 1, counted from when the rule is made.
    #[must_use]
    pub fn nth(mut self, nth: usize) -> Self {
        self.nth = Some(nth);
        self
    }

    /// Of those, only the first `times`.
    #[must_use]
    pub fn times(mut self, times: usize) -> Self {
        self.times = Some(times);
        self
    }

    /// Whether a call is one of those meant, whatever its number.
    pub fn matches(&self, call: &Call) -> bool {
        self.conditions.iter().all(|condition| condition(call))
    }
}

/// A fault with its trigger and how often that was met.
pub(super) struct Rule {
    when: When,
    fault: Fault,
    matched: usize,
}

impl Rule {
    pub(super) fn new(when: When, fault: Fault) -> Self {
        Self {
            when,
            fault,
            matched: 0,
        }
    }

    pub(super) fn decide(&mut self, call: &Call) -> Option<Fault> {
        if !self.when.matches(call) {
            return None;
        }
        self.matched += 1;
        let strikes = self.when.nth.is_none_or(|nth| self.matched == nth)
            && self.when.times.is_none_or(|times| self.matched <= times);
        strikes.then(|| self.fault.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(verb: &'static str, resource: &str) -> Call {
        Call {
            verb,
            resource: resource.to_owned(),
            ..Call::default()
        }
    }

    #[test]
    fn nth_counts_only_what_matches() {
        let mut rule = Rule::new(When::any().verb("patch").nth(2), Fault::Drop);
        let decided: Vec<bool> = ["patch", "get", "patch", "patch"]
            .into_iter()
            .map(|verb| rule.decide(&call(verb, "pods")).is_some())
            .collect();
        assert_eq!(decided, [false, false, true, false]);
    }

    #[test]
    fn a_slip_strikes_one_event_of_the_watches_that_are_meant() {
        let rule = WatchRule {
            when: When::any().resource("pods"),
            nth: 2,
            fault: WatchFault::Skip,
            count: EventCount::default(),
        };
        let decided: Vec<bool> = ["pods", "nodes", "pods", "pods"]
            .into_iter()
            .map(|resource| rule.decide(&call("watch", resource)).is_some())
            .collect();
        assert_eq!(decided, [false, false, true, false]);
        assert_eq!(rule.count.count(), 3);
    }

    #[test]
    fn times_ends_a_rule() {
        let mut rule = Rule::new(When::any().resource("pods").times(2), Fault::CONFLICT);
        let decided: Vec<bool> = ["pods", "nodes", "pods", "pods"]
            .into_iter()
            .map(|resource| rule.decide(&call("get", resource)).is_some())
            .collect();
        assert_eq!(decided, [true, false, true, false]);
    }
}
